"use strict";
// The page about the BBOB suite: how many targets are hit after how many evaluations, and which method is best where.

const VIRTUAL_BEST = "virtual best"; // of the methods of this page, target by target
const METHOD_COLOURS = ["m-adaptive", "m-x1", "m-x4", "m-x10", "m-x6", "m-x2", "m-x8", "m-other"];
const ALL_GROUPS = "all functions";

function methodColour(data, method) {
  return METHOD_COLOURS[Math.min(data.methods.indexOf(method), METHOD_COLOURS.length - 1)];
}

function formatShare(value) {
  return isNumber(value) ? `${(100 * value).toFixed(1)}${THIN_SPACE}%` : EN_DASH;
}

function formatEstimate(mean, error) {
  const text = formatFixed(mean, 4);
  return isNumber(error) ? `${text} \u00b1${THIN_SPACE}${formatFixed(error, 4)}` : text;
}

function curveDataset(data, curve, hidden) {
  const colourName = methodColour(data, curve.method);
  return {
    key: curve.method,
    label: curve.method,
    colourName,
    hidden: hidden.has(curve.method),
    data: curve.evaluations.map((x, i) => ({ x, y: curve.share[i] })),
    borderColor: () => colour(colourName),
    backgroundColor: () => colour(colourName),
    borderWidth: 2,
    borderDash: hasTwin(data, curve) ? [7, 6] : [],
    pointRadius: 0,
    pointHoverRadius: 4,
  };
}

/// Whether a method listed before has the same curve: then this one is broken, so that both are seen.
function hasTwin(data, curve) {
  const before = data.protocol.methods.slice(0, Math.max(0, data.protocol.methods.indexOf(curve.method)));
  return data.curves.some(
    (other) =>
      before.includes(other.method) &&
      other.dimension === curve.dimension &&
      other.group === curve.group &&
      JSON.stringify(other.share) === JSON.stringify(curve.share),
  );
}

function ecdfConfig(data, curves, hidden) {
  return chartConfig({
    datasets: curves.map((curve) => curveDataset(data, curve, hidden)),
    x: logAxis(logRange([1, data.protocol.budget]), "evaluations / dimension"),
    y: linearAxis({ low: 0, high: 1 }, "share of targets"),
    interaction: { mode: "index", axis: "x", intersect: false },
    tooltip: tooltipStyle({
      title: ([item]) => (item ? `${formatNumber(item.raw.x, 3)} evaluations / dimension` : ""),
      label: (item) => `${item.dataset.label}: ${formatShare(item.raw.y)} of the targets`,
    }),
  });
}

function ecdfColumn(data, dimension, group) {
  const curves = data.curves.filter((curve) => curve.dimension === dimension && curve.group === group);
  const name = group ?? ALL_GROUPS;
  return {
    title: name,
    panels: [
      {
        title: "",
        label: `Share of targets hit over evaluations, dimension ${dimension}, ${name}`,
        config: (hidden) => ecdfConfig(data, curves, hidden),
      },
    ],
  };
}

function ecdfFigure(data, dimension) {
  const groups = [...new Set(data.functions.map((f) => f.group))];
  return {
    id: `ecdf-${dimension}`,
    heading: `Dimension ${formatCount(dimension)}`,
    caption:
      "Share of the 51 targets from 10\u00b2 to 10\u207b\u2078 above the optimum that were hit within so many " +
      "evaluations, over all functions and instances. Higher and further left is better.",
    columns: [null, ...groups].map((group) => ecdfColumn(data, dimension, group)),
    legend: data.methods.map((method) => ({
      key: method,
      label: method,
      colourName: methodColour(data, method),
    })),
    height: 220,
    perRow: { wide: 3, medium: 2 },
    exportWidth: 360,
  };
}

/// One row for each function and dimension, and for groups and all, with the estimates of all methods.
function tableRows(data) {
  const titles = Object.fromEntries(data.functions.map((f) => [f.number, f.title]));
  const rows = new Map();
  for (const cell of data.summary) {
    if (cell.against !== null) continue;
    const key = `${cell.function}/${cell.group}/${cell.dimension}`;
    if (!rows.has(key)) {
      const name = cell.function === null ? cell.group ?? ALL_GROUPS : `f${cell.function} ${titles[cell.function]}`;
      const kind = cell.function !== null ? "function" : cell.group !== null ? "group" : "all";
      rows.set(key, { name, kind, number: cell.function, group: cell.group, dimension: cell.dimension, cells: {} });
    }
    rows.get(key).cells[cell.method] = cell;
  }
  return [...rows.values()];
}

function isBest(row, method) {
  const cells = Object.entries(row.cells).filter(([name]) => name !== VIRTUAL_BEST);
  const best = Math.max(...cells.map(([, cell]) => cell.area));
  return method !== VIRTUAL_BEST && cells.length > 1 && row.cells[method].area === best && best > 0;
}

function methodColumn(method) {
  return {
    title: method,
    isNumber: true,
    value: (row) => row.cells[method].area,
    text: (row) => formatEstimate(row.cells[method].area, row.cells[method].area_standard_error),
    decorate: (cell, row) => {
      if (isBest(row, method)) cell.classList.add("best");
      cell.title = `${method}: area ${formatEstimate(row.cells[method].area, row.cells[method].area_standard_error)}, ${formatShare(row.cells[method].share)} of the targets hit`;
    },
  };
}

function showScores(main, data) {
  const section = element(
    "section",
    { class: "figure", id: "table" },
    element("header", {}, element("h2", {}, "Every function")),
    element(
      "p",
      { class: "caption" },
      "Area under the curves above, from 0 to 1, with its standard error over instances; the best method of a row is " +
        "marked.",
    ),
  );
  main.append(section);
  const dimensionText = (value) => (value === null ? "all" : formatCount(value));
  showTable(section, {
    rows: tableRows(data),
    caption: "Area under the ECDF by function, dimension and method",
    columns: [
      { title: "function", value: (row) => row.number ?? 0, text: (row) => row.name },
      { title: "group", value: (row) => row.group ?? "", text: (row) => row.group ?? ALL_GROUPS },
      { title: "dimension", isNumber: true, value: (row) => row.dimension, text: (row) => dimensionText(row.dimension) },
      ...data.methods.map(methodColumn),
    ],
    filters: [
      { title: "rows", value: (row) => row.kind, text: (value) => ({ all: "everything", group: "groups", function: "functions" })[value] },
      { title: "dimension", value: (row) => row.dimension, text: dimensionText },
      { title: "group", value: (row) => row.group, text: (value) => value ?? ALL_GROUPS },
    ],
  });
}

/// The cell of a method for all functions, of one dimension or of all.
function totalCell(data, method, dimension = null) {
  return data.summary.find(
    (cell) =>
      cell.method === method &&
      !cell.against &&
      cell.dimension === dimension &&
      cell.group === null &&
      cell.function === null,
  );
}

/// Areas of our methods within smaller budgets, from the same runs.
function showBudgets(main, data) {
  const budgets = data.summary[0].smaller_budgets.map((within) => within.budget);
  if (budgets.length === 0) return;
  const section = element(
    "section",
    { class: "figure", id: "budgets" },
    element("header", {}, element("h2", {}, "Smaller budgets")),
    element(
      "p",
      { class: "caption" },
      "Areas up to fewer evaluations, from the same runs. A method that plans for its budget might do better with a " +
        "smaller one.",
    ),
  );
  main.append(section);
  const rows = [null, ...data.protocol.dimensions].flatMap((dimension) =>
    data.methods.map((method) => ({ method, dimension, cell: totalCell(data, method, dimension) })),
  );
  const column = (budget, area) => ({
    title: `${formatCount(budget)} d`,
    isNumber: true,
    value: area,
    text: (row) => formatFixed(area(row), 4),
  });
  showTable(section, {
    rows,
    caption: "Area under the ECDF within smaller budgets",
    columns: [
      { title: "method", value: (row) => row.method, text: (row) => row.method },
      {
        title: "dimension",
        isNumber: true,
        value: (row) => row.dimension,
        text: (row) => (row.dimension === null ? "all" : formatCount(row.dimension)),
      },
      ...budgets.map((budget, i) => column(budget, (row) => row.cell.smaller_budgets[i].area)),
      column(data.protocol.budget, (row) => row.cell.area),
    ],
    filters: [
      {
        title: "dimension",
        value: (row) => row.dimension,
        text: (value) => (value === null ? "all" : formatCount(value)),
      },
    ],
  });
}

/// Our methods among published algorithms.
function showPublished(main, data) {
  if (data.published.length === 0) return;
  const section = element(
    "section",
    { class: "figure", id: "published" },
    element("header", {}, element("h2", {}, "Beside published algorithms")),
    element(
      "p",
      { class: "caption" },
      "Areas of published algorithms within the same budget and with the same targets, read from COCO's archive. Their " +
        "mean is over dimensions 2, 3, 5, 10 and 20; ours is over the dimensions of this page.",
    ),
  );
  main.append(section);
  const dimensions = [...new Set(data.published.flatMap((row) => Object.keys(row.areas).map(Number)))];
  const ours = data.methods.map((method) => ({
    name: method,
    isOurs: true,
    mean: totalCell(data, method).area,
    areas: Object.fromEntries(
      data.protocol.dimensions.map((dimension) => [dimension, totalCell(data, method, dimension).area]),
    ),
  }));
  const others = data.published.map((row) => ({ name: row.algorithm, isOurs: false, mean: row.mean, areas: row.areas }));
  const column = (title, area) => ({
    title,
    isNumber: true,
    value: area,
    text: (row) => (isNumber(area(row)) ? formatFixed(area(row), 3) : EN_DASH),
    decorate: (cell, row) => {
      if (row.isOurs) cell.classList.add("best");
    },
  });
  showTable(section, {
    rows: [...ours, ...others].sort((a, b) => b.mean - a.mean),
    caption: "Area under the ECDF beside published algorithms",
    columns: [
      { title: "algorithm", value: (row) => row.name, text: (row) => row.name },
      ...dimensions.map((dimension) => column(`d = ${formatCount(dimension)}`, (row) => row.areas[dimension])),
      column("mean", (row) => row.mean),
    ],
    filters: [],
  });
}

function keyFigures(data) {
  const figures = data.methods.map((method) => {
    const cell = totalCell(data, method);
    return [method, formatEstimate(cell.area, cell.area_standard_error)];
  });
  return element(
    "dl",
    { class: "key-figures" },
    ...figures.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
  );
}

function showBbob() {
  const data = readData();
  const main = document.getElementById("main");
  const { protocol } = data;
  bindThemeButton(document.getElementById("theme"));
  showVersion(data.version);
  const problems = protocol.functions.length * protocol.dimensions.length * protocol.instances.length;
  main.append(
    element(
      "p",
      { class: "protocol" },
      `${formatCount(problems)} problems, ${formatCount(protocol.budget)} evaluations times the dimension, start uniform in ` +
        `[${MINUS}4, 4]\u207f, initial standard deviation 2, seed ${protocol.seed}. Areas over all problems:`,
    ),
    bbobWinner(data),
    keyFigures(data),
  );
  const figures = element("div", { class: "figures" });
  main.append(figures);
  protocol.dimensions.forEach((dimension) => showFigure(figures, ecdfFigure(data, dimension)));
  showBudgets(figures, data);
  showPublished(figures, data);
  showScores(figures, data);
}

showBbob();
