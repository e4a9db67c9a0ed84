"use strict";
// The page about the practical problems: which methods come close to the best known values, at which budget and where.

const COLOURS = ["m-adaptive", "m-x1", "m-x4", "m-x10", "m-x6", "m-x2", "m-x8", "m-other"];
const TOLERANCES = { within_1_percent: "within 1 %", "within_1e-4": "within 0.01 %" };

/// There are eight colours; the next eight methods have broken lines.
function methodStyle(data, method) {
  const index = data.methods.indexOf(method);
  return { colourName: COLOURS[index % COLOURS.length], isDashed: index >= COLOURS.length };
}

function formatShare(mean, error) {
  const text = formatFixed(100 * mean, 1);
  return `${isNumber(error) ? `${text} \u00b1${THIN_SPACE}${formatFixed(100 * error, 1)}` : text}${THIN_SPACE}%`;
}

function scoreDataset(data, method, score, hidden) {
  const { colourName, isDashed } = methodStyle(data, method);
  const rows = data.summary.filter((row) => row.method === method && row.problem === null);
  const error = (row) => row[`${score}_standard_error`] ?? 0;
  return {
    key: method,
    label: method,
    colourName,
    hasIntervals: true,
    hidden: hidden.has(method),
    data: rows.map((row) => ({
      x: row.budget,
      y: row[score],
      low: row[score] - error(row),
      high: row[score] + error(row),
      row,
    })),
    borderColor: () => colour(colourName),
    backgroundColor: () => colour(colourName),
    borderDash: isDashed ? [5, 4] : [],
    borderWidth: 2,
    pointRadius: 3,
    pointHoverRadius: 5,
  };
}

function scoreConfig(data, score, hidden) {
  return chartConfig({
    datasets: data.methods.map((method) => scoreDataset(data, method, score, hidden)),
    x: logAxis(logRange(data.protocol.budgets), "evaluations / dimension"),
    y: linearAxis({ low: 0, high: 1 }, "share of runs"),
    interaction: { mode: "nearest", axis: "x", intersect: false },
    tooltip: tooltipStyle({
      title: ([item]) => (item ? `${formatCount(item.raw.x)} evaluations / dimension` : ""),
      label: (item) => `${item.dataset.label}: ${formatShare(item.raw.y, item.raw.row[`${score}_standard_error`])}`,
    }),
  });
}

function scoreFigure(data) {
  return {
    id: "scores",
    heading: "Runs that come close",
    caption:
      "Share of the runs on all problems whose best value is so close to the best known one, in parts of the distance " +
      "from there to a typical random point. Bars are one standard error over seeds. Higher is better.",
    columns: Object.entries(TOLERANCES).map(([score, title]) => ({
      title,
      panels: [
        {
          title: "",
          label: `Share of runs ${title} of the best known value over the budget`,
          config: (hidden) => scoreConfig(data, score, hidden),
        },
      ],
    })),
    legend: data.methods.map((method) => {
      const { colourName, isDashed } = methodStyle(data, method);
      return { key: method, label: method, colourName, shape: isDashed ? "dashed" : "" };
    }),
    height: 320,
    perRow: { wide: 2, medium: 1 },
    exportWidth: 480,
  };
}

function heatCell(row, score) {
  if (!row) return element("td", { class: "number" }, EN_DASH);
  const node = element("td", { class: "number" }, String(Math.round(100 * row[score])));
  node.style.backgroundColor = `rgba(37, 138, 53, ${(0.6 * row[score]).toFixed(3)})`;
  node.title =
    `${row.method} on ${row.problem ?? "all problems"}: ${formatShare(row[score], row[`${score}_standard_error`])} of ` +
    `the runs, median regret ${formatNumber(row.median_regret, 3)}`;
  return node;
}

function heatTable(data, budget, score) {
  const names = [null, ...data.problems.map((problem) => problem.name)];
  const rows = names.map((name) => {
    const cellOf = (method) =>
      data.summary.find((row) => row.method === method && row.problem === name && row.budget === budget);
    return element(
      "tr",
      name === null ? { class: "total" } : {},
      element("th", { scope: "row" }, name ?? "all problems"),
      ...data.methods.map((method) => heatCell(cellOf(method), score)),
    );
  });
  const head = ["problem", ...data.methods].map((n) => element("th", { scope: "col", class: "plain" }, n));
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

function showHeatMap(main, data) {
  const budgets = data.protocol.budgets.map((budget) => `${budget} d`);
  const titles = Object.values(TOLERANCES);
  const node = section(
    "problems",
    "Every problem",
    "Per cent of the runs that came so close to the best known value; the greener the more. Hover for the numbers.",
  );
  const place = scrolling("Share of successful runs by problem and method", "");
  const refresh = () => {
    const chosen = data.protocol.budgets[budgets.indexOf(budget.select.value)];
    place.replaceChildren(heatTable(data, chosen, Object.keys(TOLERANCES)[titles.indexOf(close.select.value)]));
  };
  const budget = choice("budget", budgets, budgets[budgets.length - 1], refresh);
  const close = choice("counts", titles, titles[0], refresh);
  node.append(element("div", { class: "filters" }, budget.node, close.node), place);
  main.append(node);
  refresh();
}

function showStories(main, data) {
  const node = section("stories", "What the problems are", "Typical is the median value at random points of the box.");
  main.append(node);
  showTable(node, {
    rows: data.problems,
    caption: "Problems with their dimension and best known value",
    columns: [
      { title: "problem", value: (row) => row.name, text: (row) => row.name },
      { title: "dimension", isNumber: true, value: (row) => row.dimension, text: (row) => formatCount(row.dimension) },
      { title: "best known", isNumber: true, value: (row) => row.best, text: (row) => formatNumber(row.best, 6) },
      { title: "typical", isNumber: true, value: (row) => row.typical, text: (row) => formatNumber(row.typical, 4) },
      {
        title: "story",
        value: (row) => row.title,
        text: (row) => `${row.title}. ${row.story}`,
        decorate: (cell) => cell.classList.add("prose"),
      },
    ],
    filters: [],
  });
}

function showPractical() {
  const data = readData();
  const main = document.getElementById("main");
  const { protocol } = data;
  bindThemeButton(document.getElementById("theme"));
  showVersion(data.version);
  main.append(
    element(
      "p",
      { class: "protocol" },
      `${formatCount(data.problems.length)} problems, ${formatCount(protocol.seeds)} searches each, start uniform in the ` +
        `box, seed ${protocol.seed}. Each budget is a search of its own.`,
    ),
    element("ul", { class: "verdicts" }, ...data.verdicts.map((sentence) => element("li", {}, sentence.replaceAll("+-", "\u00b1")))),
  );
  const figures = element("div", { class: "figures" });
  main.append(figures);
  showFigure(figures, scoreFigure(data));
  showHeatMap(figures, data);
  showStories(figures, data);
}

showPractical();
