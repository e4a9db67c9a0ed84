"use strict";
// The page about the arena: how many evaluations each method needs, where it fails, and what its rates do.

const RATES = ["eta_m", "eta_sigma", "eta_B"];

function arenaCell(data, where, method) {
  return data.cells.find(
    (cell) =>
      cell.method === method &&
      cell.function === where.function &&
      cell.dimension === where.dimension &&
      cell.popsize === where.popsize,
  );
}

function ratioOf(data, where, method, against) {
  const mine = arenaCell(data, where, method)?.evaluations_per_success;
  const other = arenaCell(data, where, against)?.evaluations_per_success;
  return isNumber(mine) && isNumber(other) ? mine / other : null;
}

/// The colour of a ratio: green below 1, red above 1, full at a factor of four.
function heat(ratio) {
  if (!isNumber(ratio)) return "";
  const strength = Math.min(1, Math.abs(Math.log2(ratio)) / 2);
  return `rgba(${ratio < 1 ? "37, 138, 53" : "211, 34, 42"}, ${(0.55 * strength).toFixed(3)})`;
}

function formatRate(value) {
  return value === 1 ? "" : ` (${Math.round(100 * value)}${THIN_SPACE}%)`;
}

function heatCell(data, where, method, against) {
  const mine = arenaCell(data, where, method);
  const other = arenaCell(data, where, against);
  const ratio = ratioOf(data, where, method, against);
  const text = isNumber(ratio) ? formatFixed(ratio, 2) : EN_DASH;
  const node = element("td", { class: "number" }, text + formatRate(mine.success_rate));
  node.style.backgroundColor = heat(ratio);
  const evaluations = (cell) => `${formatCount(cell.evaluations_per_success)} evaluations per success, ${Math.round(100 * cell.success_rate)} %`;
  node.title = `${where.function}, dimension ${where.dimension}, popsize ${mine.candidates}\n${method}: ${evaluations(mine)}\n${against}: ${evaluations(other)}`;
  return node;
}

function gridColumns(data) {
  return data.protocol.dimensions.flatMap((dimension) =>
    data.protocol.popsizes.map((popsize) => ({ dimension, popsize })),
  );
}

function gridHead(columns) {
  const names = columns.map(({ dimension, popsize }) => `d ${dimension}, ${popsize}`);
  return element("thead", {}, element("tr", {}, ...["function", ...names].map((n) => element("th", { scope: "col", class: "plain" }, n))));
}

function functionsOf(data, kinds) {
  return [...new Set(data.cells.filter((cell) => kinds.includes(cell.kind)).map((cell) => cell.function))];
}

function meanRow(data, columns, method, against) {
  const functions = functionsOf(data, ["unimodal"]);
  const cells = columns.map((column) => {
    const ratios = functions.map((f) => ratioOf(data, { function: f, ...column }, method, against)).filter(isNumber);
    const mean = ratios.length ? Math.exp(ratios.reduce((sum, r) => sum + Math.log(r), 0) / ratios.length) : null;
    const node = element("td", { class: "number" }, isNumber(mean) ? formatFixed(mean, 2) : EN_DASH);
    node.style.backgroundColor = heat(mean);
    return node;
  });
  return element("tr", { class: "total" }, element("th", { scope: "row" }, "unimodal, geometric mean"), ...cells);
}

function heatTable(data, method, against) {
  const columns = gridColumns(data);
  const rows = functionsOf(data, ["unimodal", "multimodal"]).map((name) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...columns.map((column) => heatCell(data, { function: name, ...column }, method, against)),
    ),
  );
  return element("table", {}, gridHead(columns), element("tbody", {}, ...rows, meanRow(data, columns, method, against)));
}

function showHeatMap(main, data) {
  const { methods } = data.protocol;
  const node = section(
    "ratios",
    "Evaluations",
    "Evaluations per success of one method divided by those of another, by function, dimension and population size. " +
      "Green is faster, red slower; a percentage is the success rate where it is not 100 %. Hover for the numbers.",
  );
  const place = scrolling("Ratios of evaluations", "");
  const refresh = () => place.replaceChildren(heatTable(data, method.select.value, against.select.value));
  const method = choice("method", methods, methods.find((m) => m !== data.against) ?? methods[0], refresh);
  const against = choice("against", methods, data.against, refresh);
  node.append(element("div", { class: "filters" }, method.node, against.node), place);
  main.append(node);
  refresh();
}

/// One row for each method and cell of a kind.
function showCells(main, data, { id, heading, caption, kind, columns }) {
  const rows = data.cells.filter((cell) => cell.kind === kind);
  if (rows.length === 0) return;
  const node = section(id, heading, caption);
  main.append(node);
  showTable(node, {
    rows,
    caption: heading,
    columns: [
      { title: "function", value: (row) => row.function, text: (row) => row.function },
      { title: "dimension", isNumber: true, value: (row) => row.dimension, text: (row) => formatCount(row.dimension) },
      { title: "popsize", isNumber: true, value: (row) => row.candidates, text: (row) => formatCount(row.candidates) },
      { title: "method", value: (row) => row.method, text: (row) => row.method },
      ...columns.map(([title, value, text]) => ({ title, isNumber: true, value, text: (row) => text(value(row)) })),
    ],
    filters: [
      { title: "method", value: (row) => row.method, text: (value) => value },
      { title: "dimension", value: (row) => row.dimension, text: (value) => formatCount(value) },
    ],
  });
}

function ratePanel(data, course) {
  const series = RATES.filter((name) => course[name].some((v) => isNumber(v) && v > 0)).map((name) => ({ name, values: course[name] }));
  const values = series.flatMap((s) => s.values.filter(isNumber));
  const scale = { ...logScale(values), axis: logAxis(logRange(values), "learning rate"), note: "log scale" };
  const last = course.nfev[course.nfev.length - 1];
  return {
    title: "",
    label: `Learning rates of ${course.method} on ${course.function} over evaluations`,
    config: () =>
      traceConfig({
        x: course.nfev,
        series,
        scale,
        xRange: { low: 0, high: Math.max(last, 1) },
        xTitle: "evaluations",
        tooltipTitle: (p) => `${formatCount(p.x)} evaluations`,
      }),
  };
}

function rateFigure(data, method, index) {
  const courses = data.courses.filter((course) => course.method === method && course.nfev.length > 1);
  return {
    id: `rates-${index}`,
    heading: `Learning rates of ${method}`,
    caption: `The first trial on each function at dimension ${data.shown_dimension}, popsize ${data.protocol.popsizes[0]}; log scale.`,
    absent: "This method has no learning rates to show.",
    columns: courses
      .filter((course) => RATES.some((name) => course[name].some((v) => isNumber(v) && v > 0)))
      .map((course) => ({ title: course.function, panels: [ratePanel(data, course)] })),
    legend: quantityLegend(RATES, true),
    height: 180,
    perRow: { wide: 4, medium: 2 },
    exportWidth: 360,
  };
}

function showArena() {
  const data = readData();
  const main = document.getElementById("main");
  const { protocol } = data;
  bindThemeButton(document.getElementById("theme"));
  showVersion(data.version);
  const trials = protocol.trials === null ? "25 (10 above dimension 20)" : formatCount(protocol.trials);
  main.append(
    element(
      "p",
      { class: "protocol" },
      `Target ${formatNumber(protocol.target)}, ${protocol.blocks} block${protocol.blocks === 1 ? "" : "s"} of ${trials} trials a cell, seed ${protocol.seed}, no restarts.`,
    ),
  );
  main.append(arenaWinner(data));
  const figures = element("div", { class: "figures" });
  main.append(figures);
  const success = successFigure(data);
  if (success.columns.length > 0) showFigure(figures, success);
  showHeatMap(figures, data);
  showCells(figures, data, {
    id: "multimodal",
    heading: "Multimodal functions",
    caption: "Success rate within 20 000 evaluations times the dimension, and evaluations per success.",
    kind: "multimodal",
    columns: [
      ["success", (row) => row.success_rate, (v) => formatFixed(v, 2)],
      ["evaluations per success", (row) => row.evaluations_per_success, formatCount],
    ],
  });
  showCells(figures, data, {
    id: "noise",
    heading: "Noise",
    caption: "Distance of the mean from the optimum after 5000 evaluations times the dimension, median of the trials.",
    kind: "noisy",
    columns: [["distance", (row) => row.median_distance, (v) => formatNumber(v, 3)]],
  });
  showCells(figures, data, {
    id: "random",
    heading: "A random objective",
    caption:
      "Nothing can be learned: the distribution should stay, the rates should fall. Rates are averages over the second " +
      "half of a trial divided by the lowest that it saw, medians of the trials; sigma is relative to the start's.",
    kind: "random",
    columns: [
      ["sigma, smallest", (row) => row.growth_low, (v) => formatNumber(v, 3)],
      ["largest", (row) => row.growth_high, (v) => formatNumber(v, 3)],
      ["largest |m - m\u2080|/\u03c3\u2080", (row) => row.largest_drift, (v) => formatNumber(v, 3)],
      ...RATES.map((name) => [plainLabel(QUANTITIES[name].label).replace("learning rate ", ""), (row) => row[name], (v) => formatNumber(v, 3)]),
    ],
  });
  protocol.methods.forEach((method, i) => showFigure(figures, rateFigure(data, method, i)));
}

showArena();
