"use strict";
// The course of a run over its evaluations: values, widths, rates, information, workers.

const SQUARE_ROOT = "\u221a";

const COURSE_FIGURES = [
  {
    heading: "How wide is it still searching?",
    names: ["sigma", "axis_ratio"],
    caption: `Step size, and the longest axis of the search divided by the shortest (${SQUARE_ROOT}condition).`,
  },
  {
    heading: "How fast does it learn?",
    names: ["eta_sigma", "eta_B", "eta_m"],
    caption: "Learning rates of the step size, of the shape and of the mean.",
  },
  {
    heading: "Does the ranking carry information?",
    names: ["agreement", "path_ratio"],
    caption:
      "How long the path of steps is, compared with a random function, where it is 1: above it the steps agree and " +
      "there is something to learn, below it they go back and forth.",
    lines: [{ value: 1, colourName: "q-gamma", dash: [6, 4] }],
    marks: [RANDOM_LINE],
  },
  {
    heading: "How stretched is the search?",
    names: ["condition"],
    caption: "Condition number of the search distribution's covariance.",
  },
  {
    heading: "How busy are the workers?",
    names: ["utilisation"],
    caption: "Share of the workers' time in which they evaluated, generation by generation.",
    isShare: true,
  },
];

/// Columns that every trace has; whatever else there is are measures of the method, or times.
const FIXED_COLUMNS = [
  "generation",
  "nfev",
  "best",
  "generation_best",
  "sigma",
  "eta_m",
  "eta_sigma",
  "eta_B",
  "l_theta",
  "gamma",
  "condition",
  "run",
  "popsize",
  "agreement",
  "utilisation",
];

/// Names of numbers beyond the fixed columns, in the order of the trace.
function otherNames(records) {
  const names = new Set();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) if (isNumber(value)) names.add(name);
  }
  for (const name of FIXED_COLUMNS) names.delete(name);
  return [...names];
}

/// A best point that violates constraints is not the best value: there is none yet.
function feasibleBest(record) {
  return record.violation > 0 ? null : (record.best ?? null);
}

/// The records as columns, with the derived quantities.
function columnsOf(records) {
  const names = [...FIXED_COLUMNS, ...otherNames(records)];
  const columns = Object.fromEntries(names.map((name) => [name, records.map((record) => record[name] ?? null)]));
  const axis_ratio = columns.condition.map((value) => (isNumber(value) && value >= 0 ? Math.sqrt(value) : null));
  const path_ratio = columns.l_theta.map((value, i) => (columns.gamma[i] > 0 && isNumber(value) ? value / columns.gamma[i] : null));
  return { ...columns, best: records.map(feasibleBest), axis_ratio, path_ratio };
}

/// A figure for each measure that only this method has.
function otherFigures(records) {
  return otherNames(records).filter((name) => !isConstraintColumn(name)).map((name) => {
    QUANTITIES[name] ??= { label: name, colourName: "q-sigma" };
    const what = MEASURES[name];
    return { heading: what?.heading ?? name, names: [name], caption: what?.caption ?? `The method's own measure ${name}.`, isOther: true };
  });
}

/// What the methods' own measures mean.
const MEASURES = {
  kappa: { heading: "Information of the ranking", caption: "\u03ba: how much a ranking says, as the information gate measures it; the rates follow it." },
  expansion: { heading: "Expansion", caption: "Factor by which the distribution is stretched along the path of its mean." },
  E: { heading: "Accuracy of the update", caption: "Squared length of the normalised step of the distribution; the popsize follows it." },
  p_theta2: { heading: "Path of the distribution", caption: "Squared length of the path in the space of distributions; it sets the popsize." },
  lam: { heading: "Candidates per generation", caption: "Popsize, which this method adapts." },
  eta_Sigma: { heading: "Learning rate of the covariance", caption: "The rate that the ratio of signal to noise allows." },
  h_sigma: { heading: "Stall of the rank-one path", caption: "0 where the evolution path of the covariance waits for the step size, else 1." },
  c_1: { heading: "Rate c_1", caption: "Learning rate of the rank-one update." },
  c_mu: { heading: "Rate c_mu", caption: "Learning rate of the rank-mu update." },
  c_c: { heading: "Rate c_c", caption: "Cumulation of the evolution path." },
  evaluated: { heading: "Evaluated candidates", caption: "Candidates of a generation that were evaluated; the model ranked the others." },
  tau: { heading: "Quality of the model", caption: "Kendall's rank correlation of the model's values and the objective's; 1 is perfect." },
  noise: { heading: "Noise", caption: "Standard deviation of the values at one point, by repeated evaluations." },
  noise_minimum: { heading: "Minimum by regression", caption: "The value that the regression expects at its minimum; single values above are noisier." },
  noise_loss: { heading: "Loss by noise", caption: "By how much the function at the regression's minimum is above its own minimum, as noise lets one expect." },
  seconds: { heading: "Seconds a generation", caption: "Time from one generation to the next." },
};

function lastNumber(values) {
  for (let i = values.length - 1; i >= 0; --i) if (isNumber(values[i])) return values[i];
  return null;
}

/// Evaluations after which a run ended and another one began.
function restartsOf(columns) {
  return columns.run.flatMap((run, i) => (i > 0 && run !== columns.run[i - 1] ? [columns.nfev[i - 1]] : []));
}

/// Vertical lines at restarts; more than fit are noise.
function restartLines(columns) {
  return restartsOf(columns)
    .slice(0, 60)
    .map((x) => ({ x, colourName: "none", dash: [3, 3] }));
}

const RESTART_MARK = { label: "restart", colourName: "none", shape: "dashed" };

function courseScale(spec, series) {
  const values = series.flatMap((s) => s.values.filter(isNumber));
  const same = (value) => value;
  if (spec.isShare) return { axis: linearAxis({ low: 0, high: 1.05 }), note: "linear scale", forward: same, inverse: same };
  if (spec.isOther || spec.isValue) return valueScale(values);
  return { ...logScale(spec.lines ? [...values, 1] : values), note: "log scale" };
}

/// The range from 0 to the last evaluation. A single record gets room on both sides.
function runRange(nfev) {
  const span = extent(nfev) ?? { low: 0, high: 1 };
  return span.low < span.high ? { low: 0, high: span.high } : { low: 0, high: 2 * Math.max(span.high, 1) };
}

/// One panel of quantities over evaluations.
function coursePanel(title, series, columns, scale, lines = []) {
  const what = series.map((s) => plainLabel(QUANTITIES[s.name].label)).join(", ");
  return {
    title: `${title}${scale.note}`,
    label: `${what} over ${counted(lastNumber(columns.nfev), "evaluation")}, ${scale.note}`,
    config: () =>
      traceConfig({
        x: columns.nfev,
        series,
        scale: { ...scale, axis: { ...scale.axis } },
        xRange: runRange(columns.nfev),
        xTitle: "evaluations",
        tooltipTitle: (p) => `generation ${formatCount(columns.generation[p.index])}, ${counted(p.x, "evaluation")}`,
        lines: [...lines, ...restartLines(columns)],
      }),
  };
}

function courseFigure(spec, columns) {
  const names = spec.names.filter((name) => columns[name]?.some(isNumber));
  const series = names.map((name) => ({ name, values: columns[name] }));
  const marks = [...(spec.marks ?? []), ...(restartsOf(columns).length ? [RESTART_MARK] : [])];
  return {
    heading: spec.heading,
    caption: spec.caption,
    columns: names.length ? [{ panels: [coursePanel("", series, columns, courseScale(spec, series), spec.lines)] }] : [],
    legend: [...quantityLegend(names, names.length > 1), ...marks],
    height: 260,
    perRow: { wide: 1, medium: 1 },
    exportWidth: 760,
  };
}

/// Best values of the generations. Once there are points that meet all constraints, values of others do not compare
/// with them: those generations are left out, and the line passes over them.
function generationValues(columns) {
  const isFound = columns.violation?.some(isNumber) && columns.best.some(isNumber);
  if (!isFound) return { name: "generation_best", values: columns.generation_best };
  const isFeasible = (i) => columns.feasible?.[i] > 0 || columns.generation_best[i] === columns.best[i];
  const values = columns.generation_best.map((value, i) => (isFeasible(i) ? value : null));
  return { name: "generation_best", values, spanGaps: true };
}

/// What the values of a search with constraints are.
function constraintsNote(columns) {
  if (!columns.violation?.some(isNumber)) return "";
  return columns.best.some(isNumber)
    ? " Only points that meet all constraints count; generations without one are left out."
    : " No point meets all constraints: these values are of those that violate them least.";
}

/// Values, and beside them the distance to the best one on a log axis, which shows negative values too.
function valueFigure(columns) {
  const series = [{ name: "best", values: columns.best }, generationValues(columns)].filter((s) => s.values.some(isNumber));
  const names = series.map((s) => s.name);
  const final = lastNumber(columns.best);
  const distance = (value) => (isNumber(value) && isNumber(final) && value > final ? value - final : null);
  const gaps = series.map((s) => ({ ...s, values: s.values.map(distance) }));
  const scale = courseScale({ isValue: true }, series);
  const hasGaps = gaps.some((s) => s.values.some(isNumber));
  const panels = [{ title: "", panels: [coursePanel("f, ", series, columns, scale)] }];
  if (hasGaps) {
    const gapScale = courseScale({}, gaps);
    panels.push({ title: "", panels: [coursePanel(`f ${MINUS} best, `, gaps, columns, gapScale)] });
  }
  return {
    heading: "Is it converging?",
    caption:
      "Best value so far and best value of each generation" +
      (hasGaps ? "; the second picture shows how far they are above the best of all, with gaps where that is 0." : ".") +
      constraintsNote(columns),
    columns: names.length ? panels : [],
    legend: [...quantityLegend(names, true), ...(restartsOf(columns).length ? [RESTART_MARK] : [])],
    height: 280,
    perRow: { wide: 2, medium: 2 },
    exportWidth: 620,
  };
}

/// All figures about the course that have something to show.
function courseFigures(records, columns) {
  const specs = [...COURSE_FIGURES, ...otherFigures(records)];
  return [valueFigure(columns), ...specs.map((spec) => courseFigure(spec, columns))].filter((f) => f.columns.length > 0);
}
