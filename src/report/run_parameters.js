"use strict";
// What is known about the parameters: best point, course, values, correlations.

const MOST_PARAMETERS = 12; // small pictures; the table has more
const MOST_ROWS = 50;
const FAILED_COLOUR = "bad";
const INFEASIBLE_COLOUR = "q-axes";

function nameOf(about, j) {
  return about?.names?.[j] ?? `x${j}`;
}

/// Coordinates with a picture: those that bounds do not fix, the first ones.
function shownParameters(about, dimension) {
  const all = Array.from({ length: dimension }, (_, j) => j);
  return all.filter((j) => !isFixed(about, j)).slice(0, MOST_PARAMETERS);
}

function isFixed(about, j) {
  return about?.kinds?.[j] === "fixed" || (isNumber(about?.lower?.[j]) && about.lower[j] === about?.upper?.[j]);
}

/// How a parameter is drawn: its axis, and where a value of the trace or the log stands on it.
function coordinateOf(about, j) {
  const name = nameOf(about, j);
  const kind = about?.kinds?.[j] ?? "real";
  const names = kind === "choice" ? (about?.choices?.[name] ?? null) : null;
  const isLog = kind.endsWith(" log");
  const place = (value) => {
    if (names && typeof value === "string") return names.indexOf(value);
    return isNumber(value) && (!isLog || value > 0) ? value : NaN;
  };
  const text = (value) => (names ? (names[Math.round(value)] ?? EN_DASH) : formatNumber(value, 6));
  const scaled = (values, title, isAcross) => {
    if (names) return namesAxis(names, title, isAcross);
    if (isLog) return (isAcross ? logAxisAcross : logAxis)(logRange(values), title);
    return { ...linearAxis(linearRange(values), title), ...(isAcross ? { afterFit: () => {} } : {}) };
  };
  return { name, isLog, isChoice: kind === "choice", note: isLog ? ", log scale" : "", place, text, scaled };
}

/// Deviations are differences, on a log scale factors. A choice has none.
function around(coordinate, mean, std) {
  if (coordinate.isChoice) return [NaN, NaN];
  return coordinate.isLog ? [mean / std, mean * std] : [mean - std, mean + std];
}

/// "at the lower bound" where the best point is as near to it as a thousandth of the width.
function boundNote(coordinate, x, low, high, std) {
  if (isNumber(low) && low === high) return "fixed";
  if (coordinate.isChoice) return "";
  const at = (value) => (coordinate.isLog ? Math.log(value) : value);
  const deviation = Math.abs(coordinate.isLog ? Math.log(std ?? 1) : (std ?? 0));
  const width = isNumber(low) && isNumber(high) ? at(high) - at(low) : deviation;
  if (isNumber(low) && at(x) - at(low) <= 1e-3 * width) return "at the lower bound";
  if (isNumber(high) && at(high) - at(x) <= 1e-3 * width) return "at the upper bound";
  return "";
}

/// The best point with all that is known about it; null if the trace holds none.
function bestPoint(run) {
  if (run.end?.x?.length) return run.end;
  const last = [...run.records].reverse().find((record) => record.x?.length && record.stds);
  return last ? { x: last.x, mean: last.mean, stds: last.stds } : null;
}

/// Whether any evaluation gave a finite value: without one there is no best point, only where the search began.
function hasValue(run) {
  return run.records.some((record) => isNumber(record.best));
}

function parameterTable(run) {
  const best = bestPoint(run);
  if (!best) return null;
  const isFound = hasValue(run);
  const bounds = Boolean(run.about?.lower || run.about?.upper);
  const heads = ["parameter", "best", "mean", "standard deviation", ...(bounds ? ["lower", "upper", "note"] : [])];
  const hasFactors = best.x.some((_, j) => coordinateOf(run.about, j).isLog);
  const rows = best.x.slice(0, MOST_ROWS).map((x, j) => {
    const coordinate = coordinateOf(run.about, j);
    const low = run.about?.lower?.[j];
    const high = run.about?.upper?.[j];
    const deviation = `${coordinate.isLog ? "factor " : ""}${formatNumber(best.stds?.[j], 6)}`;
    const values = coordinate.isChoice
      ? [isFound ? coordinate.text(x) : EN_DASH, EN_DASH, EN_DASH]
      : [isFound ? formatNumber(x, 6) : EN_DASH, formatNumber(best.mean?.[j], 6), deviation];
    const limits = [low, high].map((v) => (coordinate.isChoice ? EN_DASH : formatNumber(v)));
    const cells = [...values, ...(bounds ? limits : [])].map((text) => element("td", { class: "number" }, text));
    const note = bounds ? [element("td", {}, isFound ? boundNote(coordinate, x, low, high, best.stds?.[j]) : "")] : [];
    return element("tr", {}, element("th", { scope: "row" }, coordinate.name), ...cells, ...note);
  });
  const head = element("tr", {}, ...heads.map((h, i) => element("th", { scope: "col", class: `plain ${i > 0 && i < 6 ? "number" : ""}` }, h)));
  const node = section(
    "parameters",
    "Best parameters",
    (isFound
      ? "The best point, the mean of the search, which is often better under noise, and how far the search still varies."
      : "No evaluation gave a finite value, so there is no best point: the mean of the search, and how far it varies.") +
      (hasFactors ? " On a log scale the standard deviation is a factor: times and divided by it." : ""),
  );
  node.append(scrolling("Best parameters", element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))));
  if (best.x.length > MOST_ROWS) node.append(element("p", { class: "footnote" }, `The first ${MOST_ROWS} of ${formatCount(best.x.length)} parameters.`));
  return node;
}

function lineDataset(data, colourName, extra = {}) {
  return {
    data,
    borderColor: () => colour(colourName),
    backgroundColor: () => colour(colourName),
    borderWidth: 2,
    pointRadius: 0,
    pointHoverRadius: 3,
    ...extra,
  };
}

/// A line whose points are marked where there is no line through them, as in a trace of one record.
function markedDataset(data, colourName, extra) {
  return lineDataset(data, colourName, { ...extra, pointRadius: (context) => markRadius(data, context.dataIndex) });
}

/// Mean with one standard deviation on both sides, and the best point, over evaluations.
function parameterPanel(run, columns, j) {
  const kept = run.records.flatMap((record, i) => (isNumber(record.mean?.[j]) ? [{ record, x: columns.nfev[i] }] : []));
  const coordinate = coordinateOf(run.about, j);
  const { name } = coordinate;
  const at = (value) => kept.map(({ record, x }) => ({ x, y: coordinate.place(value(record)), record }));
  const edge = (side) => at((r) => around(coordinate, r.mean[j], r.stds[j])[side]);
  const values = kept.flatMap(({ record: r }) => [...around(coordinate, r.mean[j], r.stds[j]), r.mean[j], r.x?.[j]]);
  const best = markedDataset(at((r) => (isNumber(r.best) ? (r.x?.[j] ?? NaN) : NaN)), "q-best", { label: "best", stepped: true });
  const mean = () => [
    markedDataset(at((r) => r.mean[j]), "q-sigma", { label: "mean" }),
    markedDataset(edge(0), "q-generation-best", { borderWidth: 1, label: "" }),
    markedDataset(edge(1), "q-generation-best", { borderWidth: 1, label: "" }),
  ];
  return {
    title: `${name}${coordinate.note}`,
    label: `${name} over evaluations: ${coordinate.isChoice ? "best point" : "mean, standard deviation and best point"}`,
    config: () =>
      chartConfig({
        datasets: [best, ...(coordinate.isChoice ? [] : mean())],
        x: evaluationsAxis(runRange(columns.nfev), "evaluations"),
        y: coordinate.scaled(values, "", false),
        interaction: { mode: "index", intersect: false },
        tooltip: tooltipStyle(
          {
            title: (items) => (items.length ? counted(items[0].raw.x, "evaluation") : ""),
            label: (item) => ` ${item.dataset.label}: ${coordinate.text(item.raw.y)}`,
          },
          { filter: (item) => item.dataset.label !== "" },
        ),
        lines: restartLines(columns),
      }),
  };
}

function parameterFigure(run, columns) {
  const dimension = run.records.find((record) => record.mean)?.mean.length ?? 0;
  const shown = shownParameters(run.about, dimension);
  return {
    heading: "Where are the parameters?",
    caption: "Each parameter over the evaluations: the best point so far, and the mean of the search with one standard deviation on both sides.",
    columns: shown.map((j) => ({ panels: [parameterPanel(run, columns, j)] })),
    legend: [
      { label: "best point so far", colourName: "q-best" },
      { label: "mean", colourName: "q-sigma" },
      { label: "mean \u00b1 standard deviation", colourName: "q-generation-best" },
      ...(restartsOf(columns).length ? [RESTART_MARK] : []),
    ],
    height: 190,
    perRow: { wide: 3, medium: 2 },
    exportWidth: 420,
    isWide: true,
  };
}

/// Evaluated points and failed ones: of the log, or the best points and the failures that the trace has.
function evaluatedPoints(run) {
  if (run.log) return { points: run.log.points, failed: run.log.failed, isLog: true };
  const points = run.records.filter((r) => r.x && isNumber(r.best)).map((r) => ({ x: r.x, f: r.best, violation: r.violation }));
  const failed = run.records.flatMap((r) => r.failures ?? []).filter((failure) => failure.x);
  return { points, failed, isLog: false };
}

/// f itself on a log axis or, where it is not positive everywhere, its distance to the lowest, which may be infeasible.
function scatterScale(values) {
  const span = extent(values);
  if (!span || span.low > 0) return { ...valueScale(values), what: "f" };
  const gaps = values.map((value) => value - span.low).filter((gap) => gap > 0);
  if (gaps.length === 0) return { ...valueScale(values), what: "f" };
  const forward = (value) => (value > span.low ? value - span.low : NaN);
  return { ...logScale(gaps), note: "log scale", forward, what: `f ${MINUS} lowest` };
}

/// A little below the upper end of an axis.
function below({ type, min, max }) {
  return type === "logarithmic" ? max * (min / max) ** 0.05 : max - 0.05 * (max - min);
}

function scatterPanel(run, evaluated, scale, ceiling, j) {
  const coordinate = coordinateOf(run.about, j);
  const { name } = coordinate;
  const dots = evaluated.points
    .map((p) => ({ x: coordinate.place(p.x[j]), y: scale.forward(p.f), value: p.f, violation: p.violation }))
    .filter((p) => isNumber(p.x) && isNumber(p.value));
  const [met, violated] = [dots.filter((p) => !(p.violation > 0)), dots.filter((p) => p.violation > 0)];
  const crosses = evaluated.failed
    .map((p) => ({ x: coordinate.place(p.x[j]), y: ceiling, reason: tellingLine(p.reason ?? p.status ?? "failed") }))
    .filter((p) => isNumber(p.x));
  const points = (data, colourName, extra) => lineDataset(data, colourName, { showLine: false, pointRadius: 2.2, ...extra });
  const told = (point) => (point.reason ?? `f: ${formatNumber(point.value, 6)}${point.violation > 0 ? `, violates constraints by ${formatNumber(point.violation)}` : ""}`);
  return {
    title: `${scale.what} against ${name}, ${scale.note}`,
    label:
      `f against ${name}: ${formatCount(dots.length)} points, ${formatCount(crosses.length)} failures` +
      (violated.length ? `, ${formatCount(violated.length)} infeasible` : ""),
    config: () =>
      chartConfig({
        datasets: [
          points(met, "q-best", { label: "f" }),
          points(violated, INFEASIBLE_COLOUR, { label: "infeasible", backgroundColor: "transparent", borderWidth: 1.2, pointRadius: 3 }),
          points(crosses, FAILED_COLOUR, { label: "failed", pointStyle: "crossRot", pointRadius: 4, borderWidth: 1.5 }),
        ],
        x: coordinate.scaled([...dots, ...crosses].map((p) => p.x), `${name}${coordinate.note}`, true),
        y: { ...scale.axis },
        interaction: { mode: "nearest", intersect: false },
        tooltip: tooltipStyle({
          title: (items) => (items.length ? `${name} = ${coordinate.text(items[0].raw.x)}` : ""),
          label: (item) => ` ${told(item.raw)}`,
        }),
      }),
  };
}

function scatterFigure(run) {
  const evaluated = evaluatedPoints(run);
  const values = evaluated.points.map((p) => p.f).filter(isNumber);
  const all = [...evaluated.points, ...evaluated.failed];
  const isPlaced = (j) => all.some((p) => isNumber(coordinateOf(run.about, j).place(p.x[j])));
  const isViolated = evaluated.points.some((p) => p.violation > 0);
  const dimension = all[0]?.x.length ?? 0;
  const scale = scatterScale(values);
  const ceiling = below(scale.axis);
  const what = evaluated.isLog ? `${formatCount(run.log.points.length + run.log.failed.length)} of ${formatCount(run.log.rows)} evaluations of the log` : "The best points of the trace (--log has every evaluation)";
  return {
    heading: "How does f depend on each parameter?",
    caption: `${what}${isViolated ? "; rings violate constraints" : ""}${evaluated.failed.length ? "; failed evaluations are crosses at the top" : ""}.`,
    columns: values.length || evaluated.failed.length
      ? shownParameters(run.about, dimension).filter(isPlaced).map((j) => ({ panels: [scatterPanel(run, evaluated, scale, ceiling, j)] }))
      : [],
    legend: [
      { label: "f", colourName: "q-best", shape: "dot" },
      ...(isViolated ? [{ label: "f, infeasible", colourName: INFEASIBLE_COLOUR, shape: "ring" }] : []),
      ...(evaluated.failed.length ? [{ label: "failed", colourName: FAILED_COLOUR, shape: "cross" }] : []),
    ],
    height: 190,
    perRow: { wide: 3, medium: 2 },
    exportWidth: 420,
    isWide: true,
  };
}

/// The last correlations that the trace has, as a full matrix with the names of its coordinates; null if there are none.
function correlationsOf(run) {
  const rows = run.end?.correlations ?? run.correlations;
  if (!rows?.length) return null;
  const d = rows.length + 1;
  const dimension = run.about?.dimension ?? d;
  const isSearched = (j) => !isFixed(run.about, j) && run.about?.kinds?.[j] !== "choice";
  const names = Array.from({ length: dimension }, (_, j) => j).filter(isSearched).map((j) => nameOf(run.about, j));
  const matrix = Array.from({ length: d }, (_, i) =>
    Array.from({ length: d }, (_, j) => (i === j ? 1 : i > j ? rows[i - 1][j] : rows[j - 1][i])),
  );
  return { names: names.slice(0, d), matrix };
}

function correlationCell(value, a, b) {
  const strength = Math.min(1, Math.abs(value));
  const cell = element("td", { title: `${a} and ${b}: ${formatFixed(value, 3)}` });
  cell.style.setProperty("--strength", strength.toFixed(3));
  cell.className = value < 0 ? "negative" : "positive";
  return cell;
}

/// In words: the pairs that go together most.
function strongestPairs({ names, matrix }) {
  const pairs = matrix.flatMap((row, i) => row.slice(0, i).map((value, j) => ({ value, text: `${names[j]} and ${names[i]} (${formatFixed(value, 2)})` })));
  const strong = pairs.filter((p) => Math.abs(p.value) >= 0.5).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (strong.length === 0) return "No two parameters go together: no correlation is 0.5 or more.";
  return `The strongest: ${strong.slice(0, 4).map((p) => p.text).join(", ")}.`;
}

function correlationSection(run) {
  const found = correlationsOf(run);
  if (!found) return null;
  const node = section(
    "correlations",
    "Which parameters go together?",
    `Correlations of the search distribution: parameters that must change together to keep f low. ${strongestPairs(found)}`,
  );
  const head = element("tr", {}, element("th", { class: "plain" }, ""), ...found.names.map((name) => element("th", { scope: "col", class: "plain" }, name)));
  const rows = found.matrix.map((row, i) =>
    element("tr", {}, element("th", { scope: "row" }, found.names[i]), ...row.map((v, j) => correlationCell(v, found.names[i], found.names[j]))),
  );
  const table = element("table", { class: `heat ${found.names.length > 16 ? "dense" : ""}` }, element("thead", {}, head), element("tbody", {}, ...rows));
  const legend = element("p", { class: "heat-legend" }, `${MINUS}1`, element("span", { "aria-hidden": "true" }), "+1");
  node.append(scrolling("Correlations", table), legend);
  return node;
}
