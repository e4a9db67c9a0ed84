"use strict";
// Figures 4 and 5: methods over population size, ours with intervals and the paper's numbers around them.

const METHOD_LABELS = { adaptive: "adaptive", x1: "default rate" };

function methodLabel(method) {
  return METHOD_LABELS[method] ?? (/^x\d+$/.test(method) ? `default \u00d7 ${method.slice(1)}` : method);
}

function methodColour(method) {
  return colour(`m-${method}`) ? `m-${method}` : "m-other";
}

/// Figure 5 compares success rates, figure 4 evaluations per success; paper, ratio and interval belong to that value.
function isRateRow(row) {
  return row.figure === 5;
}

function measured(row) {
  return isRateRow(row) ? row.success_rate : row.evaluations_per_success;
}

function formatMeasured(row, value) {
  return isRateRow(row) ? formatFixed(value, 3) : formatCount(value);
}

function formatInterval(row) {
  if (!isNumber(row.ci_low) && !isNumber(row.ci_high)) return EN_DASH;
  return `${formatMeasured(row, row.ci_low)} ${EN_DASH} ${formatMeasured(row, row.ci_high)}`;
}

function pointOf(row, y, offset) {
  return { x: row.popsize + offset, y: isNumber(y) ? y : NaN, row };
}

function oursDataset(method, rows, offset, hidden) {
  const name = methodColour(method);
  return {
    key: method,
    label: methodLabel(method),
    colourName: name,
    hasIntervals: true,
    hidden: hidden.has(method),
    data: rows.map((row) => ({ ...pointOf(row, measured(row), offset), low: row.ci_low, high: row.ci_high })),
    borderColor: () => colour(name),
    backgroundColor: () => colour(name),
    borderWidth: method === "adaptive" ? 2.5 : 1.75,
    pointRadius: 3.5,
    pointHoverRadius: 5,
    order: method === "adaptive" ? 1 : 2,
  };
}

function paperDataset(method, rows, offset, hidden) {
  const name = methodColour(method);
  return {
    key: method,
    label: `${methodLabel(method)}, paper`,
    hidden: hidden.has(method),
    data: rows.filter((row) => isNumber(row.paper)).map((row) => pointOf(row, row.paper, offset)),
    showLine: false,
    borderColor: () => colour(name),
    pointBackgroundColor: "transparent",
    pointBorderWidth: 1.5,
    pointRadius: 7,
    pointHoverRadius: 8,
    order: 3,
  };
}

function comparisonTooltip() {
  return tooltipStyle(
    {
      title: ([item]) =>
        item ? `${methodLabel(item.raw.row.method)}, popsize ${formatCount(item.raw.row.popsize)}` : "",
      label: (item) => cellLines(item.raw.row),
    },
    { displayColors: false, filter: (item, index) => index === 0 },
  );
}

function cellLines(row) {
  const lines = [
    `ours: ${formatMeasured(row, measured(row))}`,
    `95 % interval: ${formatInterval(row)}`,
    `paper: ${formatMeasured(row, row.paper)}`,
    `ratio: ${formatFixed(row.ratio, 3)}`,
  ];
  if (!isRateRow(row)) lines.push(`success rate: ${formatFixed(row.success_rate, 3)}`);
  if (row.reproducible === false) lines.push("known not to reproduce");
  return lines;
}

/// Puts methods side by side, because equal values would hide each other.
function sideOffset(index, count, popsizes) {
  const span = extent(popsizes);
  return (index - (count - 1) / 2) * 0.018 * (span.high - span.low);
}

function comparisonAxis(rows) {
  if (isRateRow(rows[0])) return { ...linearAxis({ low: -0.03, high: 1.05 }, "success rate"), afterBuildTicks: rateTicks };
  const values = rows.flatMap((row) => [measured(row), row.ci_low, row.ci_high, row.paper]);
  return logAxis(logRange(values), "evaluations per success");
}

function rateTicks(axis) {
  axis.ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value }));
}

function comparisonConfig(rows, methods, hidden) {
  const popsizes = [...new Set(rows.map((row) => row.popsize))].sort((a, b) => a - b);
  const ours = [];
  const paper = [];
  methods.forEach((method, i) => {
    const own = rows.filter((row) => row.method === method).sort((a, b) => a.popsize - b.popsize);
    const offset = sideOffset(i, methods.length, popsizes);
    ours.push(oursDataset(method, own, offset, hidden));
    paper.push(paperDataset(method, own, offset, hidden));
  });
  return chartConfig({
    datasets: [...ours, ...paper],
    x: popsizeAxis(popsizes, "population size"),
    y: comparisonAxis(rows),
    interaction: { mode: "nearest", intersect: false },
    tooltip: comparisonTooltip(),
  });
}
