"use strict";
// The page about speed: time of a generation over the dimension, one line a contender.

const CONTENDER_COLOURS = {
  "surefoot xnes": "m-adaptive",
  "surefoot auto": "m-x2",
  "surefoot geodesic": "m-x8",
  "surefoot lra, frame of B": "m-x4",
  "surefoot lra": "m-x6",
  "pagmo xnes": "m-x1",
  "pagmo cmaes": "m-x10",
  "NumPy xnes": "m-other",
  bound: "m-other",
};

function contenderColour(name) {
  return CONTENDER_COLOURS[name] ?? "m-other";
}

function formatMicroseconds(value) {
  return `${formatNumber(value, 3)} \u00b5s`;
}

function contenderDataset(name, rows, hidden) {
  const colourName = contenderColour(name);
  return {
    key: name,
    label: name,
    colourName,
    hasIntervals: true,
    hidden: hidden.has(name),
    data: rows.map((row) => ({ x: row.d, y: row.median, low: row.low, high: row.high, row })),
    borderColor: () => colour(colourName),
    backgroundColor: () => colour(colourName),
    borderDash: name === "bound" ? [5, 4] : [],
    borderWidth: 2,
    pointRadius: 3,
    pointHoverRadius: 5,
  };
}

function scalingTooltip() {
  return tooltipStyle({
    title: ([item]) => (item ? `d = ${formatCount(item.raw.row.d)}, popsize ${formatCount(item.raw.row.popsize)}` : ""),
    label: (item) => `${item.dataset.label}: ${formatMicroseconds(item.raw.row.median)}`,
  });
}

function scalingConfig(rows, contenders, hidden) {
  return chartConfig({
    datasets: contenders.map((name) => contenderDataset(name, rows.filter((row) => row.contender === name), hidden)),
    x: logAxis(logRange(rows.map((row) => row.d)), "dimension"),
    y: logAxis(logRange(rows.flatMap((row) => [row.low, row.high])), "microseconds a generation"),
    interaction: { mode: "nearest", axis: "x", intersect: false },
    tooltip: scalingTooltip(),
  });
}

function showScaling() {
  const data = readData();
  const main = document.getElementById("main");
  const rows = data.rows ?? [];
  bindThemeButton(document.getElementById("theme"));
  showVersion(data.version);
  main.append(element("p", { class: "protocol" }, data.protocol ?? ""));
  const contenders = [...new Set(rows.map((row) => row.contender))];
  const figures = element("div", { class: "figures" });
  main.append(figures);
  showFigure(figures, {
    id: "scaling",
    heading: "What a generation costs",
    caption: "Median time of a generation at the default population size, with the range of all rounds; both axes logarithmic.",
    columns: rows.length === 0 ? [] : [{ panels: [{
      title: "",
      label: `Time of a generation of ${contenders.join(", ")} over the dimension`,
      config: (hidden) => scalingConfig(rows, contenders, hidden),
    }] }],
    legend: contenders.map((name) => ({ key: name, label: name, colourName: contenderColour(name) })),
    height: 460,
    perRow: { wide: 1, medium: 1 },
    exportWidth: 900,
  });
}

showScaling();
