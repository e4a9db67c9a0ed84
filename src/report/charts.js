"use strict";
// Chart.js with our defaults, error bars and reference lines.

Chart.defaults.animation = false;
Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
Chart.defaults.maintainAspectRatio = false;

/// Draws vertical bars at points that have low and high.
const errorBars = {
  id: "errorBars",
  afterDatasetDraw(chart, { index, meta }) {
    const dataset = chart.data.datasets[index];
    if (!dataset.hasIntervals) return;
    const { ctx, chartArea: area, scales } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    ctx.clip();
    ctx.beginPath();
    dataset.data.forEach((point, i) => {
      if (!isNumber(point.low) || !isNumber(point.high) || !isNumber(point.y)) return;
      const { x } = meta.data[i];
      const top = scales.y.getPixelForValue(point.high);
      const bottom = scales.y.getPixelForValue(point.low);
      ctx.moveTo(x, top);
      ctx.lineTo(x, bottom);
      for (const y of [top, bottom]) {
        ctx.moveTo(x - 4, y);
        ctx.lineTo(x + 4, y);
      }
    });
    ctx.strokeStyle = colour(dataset.colourName);
    ctx.lineWidth = 1.5;
    ctx.stroke();
    ctx.restore();
  },
};

/// Draws horizontal lines at a value and vertical ones at x: options.lines = [{value or x, colourName, dash}].
const referenceLines = {
  id: "referenceLines",
  beforeDatasetsDraw(chart, _, options) {
    const { ctx, chartArea: area, scales } = chart;
    for (const line of options.lines ?? []) {
      const isVertical = line.x !== undefined;
      const at = isVertical ? scales.x.getPixelForValue(line.x) : scales.y.getPixelForValue(line.value);
      const [low, high] = isVertical ? [area.left, area.right] : [area.top, area.bottom];
      if (at < low || at > high) continue;
      ctx.save();
      ctx.setLineDash([...line.dash]);
      ctx.strokeStyle = colour(line.colourName);
      ctx.lineWidth = isVertical ? 1 : 2;
      ctx.beginPath();
      ctx.moveTo(isVertical ? at : area.left, isVertical ? area.top : at);
      ctx.lineTo(isVertical ? at : area.right, isVertical ? area.bottom : at);
      ctx.stroke();
      ctx.restore();
    }
  },
};

Chart.register(errorBars, referenceLines);

function tooltipStyle(callbacks, extra = {}) {
  return {
    backgroundColor: () => colour("card"),
    titleColor: () => colour("ink"),
    bodyColor: () => colour("ink"),
    borderColor: () => colour("soft"),
    borderWidth: 1,
    padding: 9,
    cornerRadius: 6,
    boxPadding: 4,
    multiKeyBackground: "transparent",
    callbacks,
    ...extra,
  };
}

/// The configuration of a chart; colours are functions, so that an update after a change of theme recolours it.
function chartConfig({ datasets, x, y, interaction, tooltip, lines = [] }) {
  return {
    type: "line",
    data: { datasets },
    options: {
      parsing: false,
      normalized: true,
      layout: { padding: { right: CHART_PADDING_RIGHT } },
      interaction,
      scales: { x, y },
      plugins: { legend: { display: false }, tooltip, referenceLines: { lines } },
    },
  };
}

/// Chooses the points to draw. The smallest and largest value of every bucket are kept, so no spike is lost. All series
/// of a chart keep the same points, so that one hover position shows them together.
function keptIndices(series, limit = 900) {
  const length = series[0].length;
  const all = (n) => Array.from({ length: n }, (_, i) => i);
  if (length <= limit) return all(length);
  const buckets = Math.max(1, Math.floor(limit / (2 * series.length)));
  const kept = new Set([0, length - 1]);
  for (let b = 0; b < buckets; ++b) {
    const begin = Math.floor((b * length) / buckets);
    const end = Math.floor(((b + 1) * length) / buckets);
    for (const values of series) keepExtremes(values, begin, end, kept);
  }
  return [...kept].sort((a, b) => a - b);
}

function keepExtremes(values, begin, end, kept) {
  let low = -1;
  let high = -1;
  let gap = -1;
  for (let i = begin; i < end; ++i) {
    if (!isNumber(values[i])) gap = i;
    else {
      if (low < 0 || values[i] < values[low]) low = i;
      if (high < 0 || values[i] > values[high]) high = i;
    }
  }
  for (const index of [low, high, gap]) if (index >= 0) kept.add(index);
}

/// Marks the points between two gaps, which have no line through them and would not be seen.
function markRadius(points, index) {
  const isGap = (i) => i < 0 || i >= points.length || !Number.isFinite(points[i].y);
  return isGap(index - 1) && isGap(index + 1) ? 3 : 0;
}

const liveCharts = new Set();

function mountChart(canvas, config) {
  const chart = new Chart(canvas, config);
  liveCharts.add(chart);
  return chart;
}

onThemeChange(() => liveCharts.forEach((chart) => chart.update("none")));
