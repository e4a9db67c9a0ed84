"use strict";
// A figure as a PNG: drawn anew at a fixed size and twice the resolution, so that it looks the same from any screen.

const EXPORT_SCALE = 2;
const EXPORT_MARGIN = 24;
const EXPORT_GAP = 20;

function exportFont(size, weight = 400) {
  return `${weight} ${size}px ${Chart.defaults.font.family}`;
}

function exportLayout(figure) {
  const perRow = Math.min(figure.perRow.wide, figure.columns.length);
  const width = figure.exportWidth;
  const panelHeight = figure.height + 24;
  const hasTitles = figure.columns.some((column) => column.title);
  const rows = Math.max(...figure.columns.map((column) => column.panels.length));
  const columnHeight = (hasTitles ? 26 : 0) + rows * panelHeight;
  const bands = Math.ceil(figure.columns.length / perRow);
  const inner = perRow * width + (perRow - 1) * EXPORT_GAP;
  return { perRow, width, panelHeight, hasTitles, columnHeight, bands, inner, total: inner + 2 * EXPORT_MARGIN };
}

/// Draws text with subscripts; returns where it ends.
function drawLabel(ctx, label, x, y, size) {
  for (const part of labelParts(label)) {
    ctx.font = exportFont(part.sub ? size * 0.75 : size);
    ctx.fillText(part.text, x, y + (part.sub ? size * 0.25 : 0));
    x += ctx.measureText(part.text).width;
  }
  return x;
}

function drawSwatch(ctx, entry, x, y) {
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour(entry.colourName);
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  if (entry.shape === "dot") {
    ctx.arc(x + 11, y, 4, 0, 2 * Math.PI);
    ctx.fill();
  } else if (entry.shape === "ring") {
    ctx.lineWidth = 1.5;
    ctx.arc(x + 11, y, 6, 0, 2 * Math.PI);
  } else if (entry.shape === "cross") {
    ctx.lineWidth = 1.5;
    for (const side of [-4, 4]) {
      ctx.moveTo(x + 11 - side, y - 4);
      ctx.lineTo(x + 11 + side, y + 4);
    }
  } else if (entry.shape === "bar") {
    ctx.lineWidth = 1.5;
    for (const [x0, y0, x1, y1] of [
      [11, -7, 11, 7],
      [7, -7, 15, -7],
      [7, 7, 15, 7],
    ]) {
      ctx.moveTo(x + x0, y + y0);
      ctx.lineTo(x + x1, y + y1);
    }
  } else {
    ctx.setLineDash({ dotted: [2, 4], dashed: [6, 4] }[entry.shape] ?? []);
    ctx.moveTo(x, y);
    ctx.lineTo(x + 22, y);
  }
  if (entry.shape !== "dot") ctx.stroke();
  ctx.restore();
}

/// Draws the legend, wrapped to the width; returns its height. Without a context to draw on it only measures.
function drawLegend(ctx, entries, top, width, dry) {
  let x = EXPORT_MARGIN;
  let y = top + 10;
  for (const entry of entries) {
    ctx.font = exportFont(13);
    const length = 28 + ctx.measureText(entry.label).width + 18;
    if (x > EXPORT_MARGIN && x + length > width - EXPORT_MARGIN) {
      x = EXPORT_MARGIN;
      y += 22;
    }
    if (!dry) {
      drawSwatch(ctx, entry, x, y);
      ctx.fillStyle = colour("ink");
      drawLabel(ctx, entry.label, x + 28, y + 4.5, 13);
    }
    x += length;
  }
  return y + 16 - top;
}

function drawPanel(ctx, panel, hidden, x, y, width, height) {
  ctx.fillStyle = colour("soft");
  drawLabel(ctx, panel.title, x + 4, y + 13, 12.5);
  const canvas = element("canvas", { width: String(width), height: String(height) });
  const config = panel.config(hidden);
  config.options.responsive = false;
  config.options.devicePixelRatio = EXPORT_SCALE;
  const chart = new Chart(canvas, config);
  ctx.drawImage(canvas, x, y + 18, width, height);
  chart.destroy();
}

function drawColumns(ctx, figure, layout, hidden, top) {
  figure.columns.forEach((column, i) => {
    const x = EXPORT_MARGIN + (i % layout.perRow) * (layout.width + EXPORT_GAP);
    let y = top + Math.floor(i / layout.perRow) * (layout.columnHeight + EXPORT_GAP);
    if (layout.hasTitles) {
      ctx.font = exportFont(14, 600);
      ctx.fillStyle = colour("ink");
      ctx.textAlign = "center";
      ctx.fillText(column.title ?? "", x + layout.width / 2, y + 15);
      ctx.textAlign = "left";
      y += 26;
    }
    for (const panel of column.panels) {
      drawPanel(ctx, panel, hidden, x, y, layout.width, figure.height);
      y += layout.panelHeight;
    }
  });
}

function composeFigure(figure, hidden) {
  const layout = exportLayout(figure);
  const entries = figure.legend.filter((entry) => !entry.key || !hidden.has(entry.key));
  const canvas = document.createElement("canvas");
  const ctx = canvas.getContext("2d");
  const legendTop = EXPORT_MARGIN + 34;
  const panelsTop = legendTop + drawLegend(ctx, entries, legendTop, layout.total, true) + 8;
  const height = panelsTop + layout.bands * (layout.columnHeight + EXPORT_GAP) - EXPORT_GAP + EXPORT_MARGIN;
  canvas.width = layout.total * EXPORT_SCALE;
  canvas.height = height * EXPORT_SCALE;
  ctx.scale(EXPORT_SCALE, EXPORT_SCALE);
  ctx.fillStyle = colour("card");
  ctx.fillRect(0, 0, layout.total, height);
  ctx.fillStyle = colour("ink");
  ctx.font = exportFont(19, 600);
  ctx.fillText(figure.heading, EXPORT_MARGIN, EXPORT_MARGIN + 16, layout.inner);
  drawLegend(ctx, entries, legendTop, layout.total, false);
  drawColumns(ctx, figure, layout, hidden, panelsTop);
  return canvas;
}

function exportPng(figure, hidden) {
  composeFigure(figure, hidden).toBlob((blob) => {
    const address = URL.createObjectURL(blob);
    element("a", { href: address, download: `surefoot-${figure.id}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000); // after the browser has taken the data
  }, "image/png");
}
