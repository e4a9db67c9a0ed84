"use strict";
// Quantities of a run over its evaluations. The same quantity has the same name and colour on every page.

const QUANTITIES = {
  best: { label: "best f so far", colourName: "q-best" },
  generation_best: { label: "best f of the generation", colourName: "q-generation-best", thin: true },
  sigma: { label: "step size \u03c3", colourName: "q-sigma" },
  axis_ratio: { label: "longest / shortest axis", colourName: "q-axes" },
  eta_sigma: { label: "learning rate \u03b7_\u03c3", colourName: "q-eta-sigma" },
  eta_B: { label: "learning rate \u03b7_B", colourName: "q-eta-b", dash: [7, 4] },
  eta_m: { label: "learning rate \u03b7_m", colourName: "q-eta-m" },
  l_theta: { label: "path length l_\u03b8", colourName: "q-l-theta" },
  gamma: { label: "expected on a random function, \u03b3", colourName: "q-gamma", dash: [6, 4] },
  agreement: { label: "agreement of the mean's steps", colourName: "q-l-theta" },
  path_ratio: { label: "the method's path, l_\u03b8 / \u03b3", colourName: "q-eta-sigma", dash: [7, 4] },
  utilisation: { label: "workers' utilisation", colourName: "q-sigma" },
  condition: { label: "condition number", colourName: "q-condition" },
};

const DEFAULT_RATE_LINE = { label: "default rate", colourName: "q-default", shape: "dotted" };
const RANDOM_LINE = { label: "expected on a random function: 1", colourName: "q-gamma", shape: "dashed" };

/// The label without subscripts, because tooltips are one line of canvas text.
function plainLabel(label) {
  return labelParts(label)
    .map((part) => part.text)
    .join("");
}

function traceDataset({ name, values, spanGaps }, x, kept, scale, isAlone) {
  const quantity = QUANTITIES[name];
  const dash = isAlone ? [] : (quantity.dash ?? []);
  const isLog = scale.axis.type === "logarithmic";
  const shown = (value) => (isNumber(value) && (!isLog || value > 0) ? scale.forward(value) : NaN);
  const data = kept.map((i) => ({ x: x[i], y: shown(values[i]), index: i, value: values[i] }));
  return {
    label: plainLabel(quantity.label),
    data,
    borderColor: () => colour(quantity.colourName),
    backgroundColor: () => colour(quantity.colourName),
    borderWidth: quantity.thin ? 1 : 2,
    borderDash: dash,
    borderJoinStyle: "round",
    spanGaps: spanGaps ?? false,
    pointRadius: (context) => markRadius(data, context.dataIndex),
    pointHoverRadius: 4,
    order: quantity.thin ? 2 : dash.length ? 0 : 1, // dashes lie on top, so that an equal line below stays visible
  };
}

function traceTooltip(title) {
  return tooltipStyle({
    title: (items) => (items.length ? title(items[0].raw) : ""),
    label: (item) => ` ${item.dataset.label}: ${formatNumber(item.raw.value, 5)}`,
  });
}

/// One chart of one or more quantities: series = [{name, values, spanGaps}] over x.
function traceConfig({ x, series, scale, xRange, xTitle, tooltipTitle, lines }) {
  const kept = keptIndices(series.map((s) => s.values));
  return chartConfig({
    datasets: series.map((s) => traceDataset(s, x, kept, scale, series.length === 1)),
    x: evaluationsAxis(xRange, xTitle),
    y: scale.axis,
    interaction: { mode: "index", intersect: false },
    tooltip: traceTooltip(tooltipTitle),
    lines,
  });
}

function logScale(values) {
  return { axis: logAxis(logRange(values)), forward: (v) => v, inverse: (v) => v };
}

/// Dashes tell lines of one chart apart; a quantity with a chart of its own is a full line.
function quantityLegend(names, shareChart) {
  return names.map((name) => {
    const { label, colourName, dash } = QUANTITIES[name];
    return { label, colourName, shape: shareChart && dash ? "dashed" : "" };
  });
}
