"use strict";
// What is known about the parameters: best point, course, values, correlations.

const MOST_PARAMETERS = 12; // small pictures; the table has more
const MOST_ROWS = 50;
const FAILED_COLOUR = "bad";

function nameOf(about, j) {
  return about?.names?.[j] ?? `x${j}`;
}

/// Coordinates with a picture: those that bounds do not fix, the first ones.
function shownParameters(about, dimension) {
  const all = Array.from({ length: dimension }, (_, j) => j);
  const isFixed = (j) => isNumber(about?.lower?.[j]) && about.lower[j] === about?.upper?.[j];
  return all.filter((j) => !isFixed(j)).slice(0, MOST_PARAMETERS);
}

/// "at the lower bound" where the best point is as near to it as a thousandth of the width.
function boundNote(x, low, high, std) {
  if (isNumber(low) && low === high) return "fixed";
  const width = isNumber(low) && isNumber(high) ? high - low : (std ?? 0);
  if (isNumber(low) && x - low <= 1e-3 * width) return "at the lower bound";
  if (isNumber(high) && high - x <= 1e-3 * width) return "at the upper bound";
  return "";
}

/// The best point with all that is known about it; null if the trace holds none.
function bestPoint(run) {
  const last = [...run.records].reverse().find((record) => record.x?.length && record.stds);
  if (run.end?.at) return { x: run.end.at, mean: run.end.favorite, stds: run.end.deviations };
  return last ? { x: last.x, mean: last.mean, stds: last.stds } : null;
}

function parameterTable(run) {
  const best = bestPoint(run);
  if (!best) return null;
  const bounds = Boolean(run.about?.lower || run.about?.upper);
  const heads = ["parameter", "best", "mean", "standard deviation", ...(bounds ? ["lower", "upper", "note"] : [])];
  const rows = best.x.slice(0, MOST_ROWS).map((x, j) => {
    const low = run.about?.lower?.[j];
    const high = run.about?.upper?.[j];
    const numbers = [x, best.mean?.[j], best.stds?.[j]].map((v) => element("td", { class: "number" }, formatNumber(v, 6)));
    const limits = [low, high].map((v) => element("td", { class: "number" }, formatNumber(v)));
    const note = element("td", {}, boundNote(x, low, high, best.stds?.[j]));
    return element("tr", {}, element("th", { scope: "row" }, nameOf(run.about, j)), ...numbers, ...(bounds ? [...limits, note] : []));
  });
  const head = element("tr", {}, ...heads.map((h, i) => element("th", { scope: "col", class: `plain ${i > 0 && i < 6 ? "number" : ""}` }, h)));
  const node = section(
    "parameters",
    "Best parameters",
    "The best point, the mean of the search, which is often better under noise, and how far the search still varies.",
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

/// Mean with one standard deviation on both sides, and the best point, over evaluations.
function parameterPanel(run, columns, j) {
  const kept = run.records.flatMap((record, i) => (isNumber(record.mean?.[j]) ? [{ record, x: columns.nfev[i] }] : []));
  const at = (value) => kept.map(({ record, x }) => ({ x, y: value(record), record }));
  const values = kept.flatMap(({ record: r }) => [r.mean[j] - r.stds[j], r.mean[j] + r.stds[j], r.x?.[j]]);
  const name = nameOf(run.about, j);
  return {
    title: name,
    label: `${name} over evaluations: mean, standard deviation and best point`,
    config: () =>
      chartConfig({
        datasets: [
          lineDataset(at((r) => r.x?.[j] ?? NaN), "q-best", { label: "best", stepped: true }),
          lineDataset(at((r) => r.mean[j]), "q-sigma", { label: "mean" }),
          lineDataset(at((r) => r.mean[j] - r.stds[j]), "q-generation-best", { borderWidth: 1, label: "" }),
          lineDataset(at((r) => r.mean[j] + r.stds[j]), "q-generation-best", { borderWidth: 1, label: "" }),
        ],
        x: evaluationsAxis(runRange(columns.nfev), "evaluations"),
        y: linearAxis(linearRange(values)),
        interaction: { mode: "index", intersect: false },
        tooltip: tooltipStyle(
          {
            title: (items) => (items.length ? `${formatCount(items[0].raw.x)} evaluations` : ""),
            label: (item) => ` ${item.dataset.label}: ${formatNumber(item.raw.y, 6)}`,
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
  const points = run.records.filter((r) => r.x && isNumber(r.best)).map((r) => ({ x: r.x, f: r.best }));
  const failed = run.records.flatMap((r) => r.failures ?? []).filter((failure) => failure.x);
  return { points, failed, isLog: false };
}

/// f itself on a log axis or, where it is not positive everywhere, its distance to the best.
function scatterScale(values) {
  const span = extent(values);
  if (!span || span.low > 0) return { ...valueScale(values), what: "f" };
  const gaps = values.map((value) => value - span.low).filter((gap) => gap > 0);
  if (gaps.length === 0) return { ...valueScale(values), what: "f" };
  const forward = (value) => (value > span.low ? value - span.low : NaN);
  return { ...logScale(gaps), note: "log scale", forward, what: `f ${MINUS} best` };
}

/// A little below the upper end of an axis.
function below({ type, min, max }) {
  return type === "logarithmic" ? max * (min / max) ** 0.05 : max - 0.05 * (max - min);
}

function scatterPanel(run, evaluated, scale, ceiling, j) {
  const name = nameOf(run.about, j);
  const dots = evaluated.points
    .filter((p) => isNumber(p.x[j]) && isNumber(p.f))
    .map((p) => ({ x: p.x[j], y: scale.forward(p.f), value: p.f }));
  const crosses = evaluated.failed.filter((p) => isNumber(p.x[j])).map((p) => ({ x: p.x[j], y: ceiling, reason: p.reason ?? p.status ?? "failed" }));
  const range = linearRange([...dots, ...crosses].map((p) => p.x));
  const points = (colourName, extra) => lineDataset([], colourName, { showLine: false, pointRadius: 2.2, ...extra });
  return {
    title: `${scale.what} against ${name}, ${scale.note}`,
    label: `f against ${name}: ${formatCount(dots.length)} points, ${formatCount(crosses.length)} failures`,
    config: () =>
      chartConfig({
        datasets: [
          { ...points("q-best", { label: "f" }), data: dots },
          { ...points(FAILED_COLOUR, { label: "failed", pointStyle: "crossRot", pointRadius: 4, borderWidth: 1.5 }), data: crosses },
        ],
        x: { ...linearAxis(range, name), afterFit: () => {} },
        y: { ...scale.axis },
        interaction: { mode: "nearest", intersect: false },
        tooltip: tooltipStyle({
          title: (items) => (items.length ? `${name} = ${formatNumber(items[0].raw.x, 6)}` : ""),
          label: (item) => (item.dataset.label === "f" ? ` f: ${formatNumber(item.raw.value, 6)}` : ` ${item.raw.reason}`),
        }),
      }),
  };
}

function scatterFigure(run) {
  const evaluated = evaluatedPoints(run);
  const values = evaluated.points.map((p) => p.f).filter(isNumber);
  const dimension = Math.max(evaluated.points[0]?.x.length ?? 0, evaluated.failed[0]?.x.length ?? 0);
  const scale = scatterScale(values);
  const ceiling = below(scale.axis);
  const what = evaluated.isLog ? "Every evaluation of the log" : "The best points of the trace (--log has every evaluation)";
  return {
    heading: "How does f depend on each parameter?",
    caption: `${what}${evaluated.failed.length ? "; failed evaluations are crosses at the top" : ""}.`,
    columns: values.length || evaluated.failed.length
      ? shownParameters(run.about, dimension).map((j) => ({ panels: [scatterPanel(run, evaluated, scale, ceiling, j)] }))
      : [],
    legend: [
      { label: "f", colourName: "q-best", shape: "dot" },
      ...(evaluated.failed.length ? [{ label: "failed", colourName: FAILED_COLOUR, shape: "dot" }] : []),
    ],
    height: 190,
    perRow: { wide: 3, medium: 2 },
    exportWidth: 420,
    isWide: true,
  };
}

/// The last correlations that the trace has, as a full matrix with the names of its coordinates; null if there are none.
function correlationsOf(run) {
  const rows = run.end?.correlations ?? [...run.records].reverse().find((record) => record.correlations)?.correlations;
  if (!rows) return null;
  const d = rows.length + 1;
  const isFixed = (j) => isNumber(run.about?.lower?.[j]) && run.about.lower[j] === run.about?.upper?.[j];
  const dimension = run.about?.dimension ?? d;
  const names = Array.from({ length: dimension }, (_, j) => j).filter((j) => !isFixed(j)).map((j) => nameOf(run.about, j));
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
