"use strict";
// The page about one run: is it converging, how wide does it search, does the ranking carry information?

const SQUARE_ROOT = "\u221a";

const RUN_FIGURES = [
  {
    heading: "Is it converging?",
    names: ["best", "generation_best"],
    caption: "Best value so far and best value of each generation.",
    isValue: true,
  },
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
    names: ["l_theta", "gamma"],
    caption:
      "A path longer than expected on a random function means that the steps agree: there is something to learn.",
    absent: "The trace holds no finite path length.",
  },
  {
    heading: "How stretched is the search?",
    names: ["condition"],
    caption: "Condition number of the search distribution's covariance.",
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

/// The records as columns, with the derived quantities.
function columnsOf(records) {
  const names = [...FIXED_COLUMNS, ...otherNames(records)];
  const columns = Object.fromEntries(names.map((name) => [name, records.map((record) => record[name] ?? null)]));
  const axis_ratio = columns.condition.map((value) => (isNumber(value) && value >= 0 ? Math.sqrt(value) : null));
  return { ...columns, axis_ratio };
}

/// A figure for each measure that only this method has.
function otherFigures(records) {
  return otherNames(records).map((name) => {
    QUANTITIES[name] ??= { label: name, colourName: "q-sigma" };
    return { heading: name, names: [name], caption: "As the trace has it.", isOther: true };
  });
}

function lastNumber(values) {
  for (let i = values.length - 1; i >= 0; --i) if (isNumber(values[i])) return values[i];
  return null;
}

function keyFigures(columns) {
  const figures = [
    ["evaluations", formatCount(lastNumber(columns.nfev))],
    ["generations", formatCount(lastNumber(columns.generation))],
    ["best f", formatNumber(lastNumber(columns.best), 5)],
    ["final step size \u03c3", formatNumber(lastNumber(columns.sigma))],
    ["final condition number", formatNumber(lastNumber(columns.condition))],
  ];
  if (lastNumber(columns.run) > 1) figures.push(["runs", formatCount(lastNumber(columns.run))]);
  return element(
    "dl",
    { class: "key-figures" },
    ...figures.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
  );
}

/// One sentence for each restart and one about all failures by kind.
function eventNotices(columns, records) {
  const notices = [];
  const starts = columns.run.flatMap((run, i) => (i > 0 && run !== columns.run[i - 1] ? [i] : []));
  if (starts.length > 0) {
    const list = starts.map((i) => `${formatCount(columns.nfev[i - 1])} (popsize ${formatCount(columns.popsize[i])})`);
    const shown = list.length > 12 ? [...list.slice(0, 12), "..."] : list;
    notices.push(element("p", { class: "notice" }, `Restarted after evaluations ${shown.join(", ")}.`));
  }
  const kinds = {};
  for (const record of records) {
    for (const failure of record.failures ?? []) kinds[failure.kind] = (kinds[failure.kind] ?? 0) + 1;
  }
  const counts = Object.entries(kinds).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  if (counts.length > 0) {
    const last = records.flatMap((record) => record.failures ?? []).at(-1);
    const text = `Failed evaluations: ${counts.join(", ")}. The last one: ${last.reason}`;
    notices.push(element("p", { class: "notice" }, text));
  }
  return notices;
}

/// A notice about generations without a finite value, which the curves do not show.
function failureNotices(columns) {
  const total = columns.generation_best.length;
  const failed = columns.generation_best.filter((value) => !isNumber(value)).length;
  if (failed === 0) return [];
  const share = `${formatCount(failed)} of ${formatCount(total)} generations`;
  return [element("p", { class: "notice" }, `${share} had no finite value; the curves have gaps there.`)];
}

function runScale(spec, series) {
  const values = series.flatMap((s) => s.values.filter(isNumber));
  if (spec.isValue || spec.isOther) return valueScale(values);
  return { ...logScale(values), note: "log scale" };
}

/// The range from 0 to the last evaluation. A single record gets room on both sides.
function runRange(nfev) {
  const span = extent(nfev) ?? { low: 0, high: 1 };
  return span.low < span.high ? { low: 0, high: span.high } : { low: 0, high: 2 * Math.max(span.high, 1) };
}

function runPanel(spec, series, columns) {
  const scale = runScale(spec, series);
  const what = series.map((s) => plainLabel(QUANTITIES[s.name].label)).join(", ");
  return {
    title: spec.isValue ? `f, ${scale.note}` : scale.note,
    label: `${what} over ${formatCount(lastNumber(columns.nfev))} evaluations, ${scale.note}`,
    config: () =>
      traceConfig({
        x: columns.nfev,
        series,
        scale: { ...scale, axis: { ...scale.axis } },
        xRange: runRange(columns.nfev),
        xTitle: "evaluations",
        tooltipTitle: (p) => `generation ${formatCount(columns.generation[p.index])}, ${formatCount(p.x)} evaluations`,
      }),
  };
}

function runFigure(spec, index, columns) {
  const names = spec.names.filter((name) => columns[name].some(isNumber));
  // The expectation without the path itself would say nothing.
  const isAbsent = names.length === 0 || (spec.names[0] === "l_theta" && !names.includes("l_theta"));
  const series = names.map((name) => ({ name, values: columns[name] }));
  return {
    id: `figure-${index + 1}`,
    heading: spec.heading,
    caption: spec.caption,
    absent: spec.absent ?? "The trace holds no finite value of this.",
    columns: isAbsent ? [] : [{ panels: [runPanel(spec, series, columns)] }],
    legend: quantityLegend(names, names.length > 1),
    height: 260,
    perRow: { wide: 1, medium: 1 },
    exportWidth: 760,
  };
}

function showRun() {
  const data = readData();
  const main = document.getElementById("main");
  const records = data.records ?? [];
  bindThemeButton(document.getElementById("theme"));
  main.append(element("p", { class: "protocol" }, `One optimisation run, read from ${data.source ?? "a trace"}.`));
  showVersion(data.version);
  if (records.length === 0) {
    main.append(element("p", { class: "notice" }, "The trace holds no record yet: not one generation was finished."));
    return;
  }
  const columns = columnsOf(records);
  const figures = element("div", { class: "figures pairs" });
  main.append(keyFigures(columns), ...eventNotices(columns, records), ...failureNotices(columns), figures);
  const specs = [...RUN_FIGURES, ...otherFigures(records)];
  specs.forEach((spec, i) => showFigure(figures, runFigure(spec, i, columns)));
}

showRun();
