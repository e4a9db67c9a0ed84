"use strict";
// Constraints of a search: whether they are met, how many candidates meet them, what they are worth.

const MOST_CONSTRAINTS = 12; // small pictures
const CONSTRAINT_MEASURE = /^(multiplier |penalty )?[gh]\[\d+\]$/;
const CONSTRAINT_COLOURS =
  ["q-best", "q-sigma", "q-axes", "q-eta-sigma", "q-eta-b", "q-l-theta", "q-condition", "q-eta-m"];

/// Whether a column of the trace is about constraints; those have figures of their own.
function isConstraintColumn(name) {
  return name === "violation" || name === "feasible" || CONSTRAINT_MEASURE.test(name);
}

/// [{column, name, isEquality}] in the order of the trace: names as the user gave them.
function constraintsOf(run) {
  const columns = Object.keys(run.records.at(-1) ?? {}).filter((name) => /^[gh]\[\d+\]$/.test(name));
  const nameOfConstraint = (column, i) => run.about?.constraints?.[i] ?? column;
  return columns.map((column, i) => ({ column, name: nameOfConstraint(column, i), isEquality: column[0] === "h" }));
}

function constraintPanel(constraint, columns) {
  const { column, name, isEquality } = constraint;
  const values = columns[column];
  QUANTITIES[column] = { label: name, colourName: "q-sigma" };
  const scale = valueScale([...values.filter(isNumber), 0]);
  const zero = [{ value: scale.forward(0), colourName: "q-gamma", dash: [6, 4] }];
  const panel = coursePanel("", [{ name: column, values }], columns, scale, zero);
  return { ...panel, title: `${name} ${isEquality ? "=" : "\u2264"} 0, ${scale.note}` };
}

function metFigure(run, columns) {
  const all = constraintsOf(run);
  const drawn = all.filter(({ column }) => columns[column].some(isNumber)).slice(0, MOST_CONSTRAINTS);
  const first = drawn.length < all.length ? ` The first ${drawn.length} of ${formatCount(all.length)}.` : "";
  const equal = drawn.some((c) => c.isEquality) ? " Equalities are met at 0." : "";
  return {
    heading: "Are the constraints met?",
    caption:
      "Each constraint at the best candidate of a generation. It is met at the dashed line and below." + equal + first,
    columns: drawn.map((constraint) => ({ panels: [constraintPanel(constraint, columns)] })),
    legend: [
      { label: "constraint", colourName: "q-sigma" },
      { label: "limit: 0", colourName: "q-gamma", shape: "dashed" },
      ...(restartsOf(columns).length ? [RESTART_MARK] : []),
    ],
    height: 190,
    perRow: { wide: 3, medium: 2 },
    exportWidth: 420,
    isWide: true,
  };
}

/// The share of feasible candidates and, as long as there is none, how far the best point is from being one.
function feasibleFigure(columns) {
  const shared = columns.feasible?.some(isNumber);
  const isViolated = columns.violation?.some((value) => value > 0);
  QUANTITIES.feasible = { label: "feasible candidates", colourName: "q-sigma" };
  QUANTITIES.violation = { label: "violation of the best point", colourName: "q-axes" };
  const panels = [];
  if (shared) {
    const series = [{ name: "feasible", values: columns.feasible }];
    panels.push(coursePanel("share of feasible candidates, ", series, columns, courseScale({ isShare: true }, series)));
  }
  if (isViolated) {
    const series = [{ name: "violation", values: columns.violation.map((value) => (value > 0 ? value : null)) }];
    panels.push(coursePanel("violation of the best point, ", series, columns, courseScale({}, series)));
  }
  return {
    heading: "How many candidates are feasible?",
    caption:
      "Share of each generation that meets all constraints" +
      (isViolated ? "; and, until a point was found that does, by how much the best one violates them." : "."),
    columns: panels.map((panel) => ({ panels: [panel] })),
    legend: restartsOf(columns).length ? [RESTART_MARK] : [],
    height: 260,
    perRow: { wide: 2, medium: 2 },
    exportWidth: 620,
  };
}

/// Multipliers and penalties of all constraints, a curve each.
function worthFigure(run, columns) {
  const all = constraintsOf(run).slice(0, CONSTRAINT_COLOURS.length);
  const panelOf = (prefix, title) => {
    const series = all.map(({ column }) => ({ name: prefix + column, values: columns[prefix + column] ?? [] }));
    const known = series.filter((s) => s.values.some(isNumber));
    if (known.length === 0) return [];
    return [{ panels: [coursePanel(`${title}, `, known, columns, courseScale({ isValue: true }, known))] }];
  };
  all.forEach(({ column, name }, i) => {
    const quantity = { label: name, colourName: CONSTRAINT_COLOURS[i] };
    for (const prefix of ["multiplier ", "penalty "]) QUANTITIES[prefix + column] = quantity;
  });
  return {
    heading: "What are the constraints worth?",
    caption:
      "Multipliers: by how much f would fall if a limit were moved by 1. Penalties: how hard a violation is punished.",
    columns: [...panelOf("multiplier ", "multipliers"), ...panelOf("penalty ", "penalties")],
    legend: [
      ...all.map(({ name }, i) => ({ label: name, colourName: CONSTRAINT_COLOURS[i] })),
      ...(restartsOf(columns).length ? [RESTART_MARK] : []),
    ],
    height: 260,
    perRow: { wide: 2, medium: 2 },
    exportWidth: 620,
  };
}

/// A trace knows the constraints of a limit, (value - high) / scale and (low - value) / scale.
function limitStates(limits, constraints, multipliers) {
  let k = 0;
  return limits.map(({ name, low, high, scale }) => {
    const sides = [[low, -1], [high, 1]].filter(([bound]) => isNumber(bound));
    const states = sides.map(([bound, sign]) => {
      const distance = constraints[k] * scale;
      const price = isNumber(multipliers?.[k]) ? multipliers[k] / scale : null;
      k += 1;
      return { value: bound + sign * distance, distance, price, isLow: sign < 0 };
    });
    const nearest = states.reduce((a, b) => (Math.abs(b.distance) < Math.abs(a.distance) ? b : a));
    const worst = states.reduce((a, b) => (b.distance > a.distance ? b : a));
    const prices = states.map((state) => state.price).filter(isNumber);
    return { name, low, high, value: nearest.value, worst, price: prices.length ? Math.max(...prices) : null };
  });
}

function limitText({ name, low, high }) {
  if (!isNumber(low)) return `${name} \u2264 ${formatNumber(high, 6)}`;
  if (!isNumber(high)) return `${name} \u2265 ${formatNumber(low, 6)}`;
  return `${name} from ${formatNumber(low, 6)} to ${formatNumber(high, 6)}`;
}

/// Each limit with the value at the best point, met or by how much not, and its multiplier; null without limits.
function limitTable(run) {
  const limits = run.about?.limits;
  const constraints = run.end?.constraints;
  if (!limits?.length || !constraints?.length) return null;
  const verdict = ({ distance, isLow }) =>
    distance > 0 ? `${formatNumber(distance, 4)} too ${isLow ? "low" : "high"}` : "met";
  const rows = limitStates(limits, constraints, run.end.multipliers).map((limit) => {
    const price = limit.price === null ? EN_DASH : formatNumber(limit.price, 4);
    return element("tr", {}, element("th", { scope: "row" }, limitText(limit)),
      element("td", { class: "number" }, formatNumber(limit.value, 6)), element("td", {}, verdict(limit.worst)),
      element("td", { class: "number" }, price));
  });
  const heads = ["limit", "at the best point", "", "multiplier"];
  const headCell = (h, i) => element("th", { scope: "col", class: `plain ${i % 2 ? "number" : ""}` }, h);
  const head = element("tr", {}, ...heads.map(headCell));
  const node = section("limits", "Limits", "The multiplier says by how much f would fall if the limit were moved by 1.");
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  node.append(scrolling("Limits", table));
  return node;
}

/// All figures about constraints that have something to show.
function constraintFigures(run, columns) {
  if (constraintsOf(run).length === 0) return [];
  const figures = [metFigure(run, columns), feasibleFigure(columns), worthFigure(run, columns)];
  return figures.filter((figure) => figure.columns.length > 0);
}
