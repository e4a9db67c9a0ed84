"use strict";
// A figure: heading, caption, legend, panels in columns, export button.
//
// {id, heading, caption, columns: [{title, panels: [{title, label, config(hidden)}]}],
//  legend: [{key, label, colourName, shape}], height, perRow: {wide, medium}, exportWidth}
// A legend entry with a key switches the datasets of that key on and off in every panel; one without explains a mark.

const NOT_IN_THIS_RUN = "Not part of this run.";

function swatch(entry) {
  return element("span", {
    class: `swatch ${entry.shape ?? ""}`,
    style: `--swatch: var(--${entry.colourName})`,
    "aria-hidden": "true",
  });
}

function legendNode(entry, toggle) {
  if (!entry.key)
    return element("span", { class: "key" }, swatch(entry), element("span", {}, ...labelNodes(entry.label)));
  const button = element("button", { type: "button", "aria-pressed": "true" }, swatch(entry), entry.label);
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!toggle(entry.key)));
  });
  return button;
}

/// Hides or shows the datasets of one key in all charts; returns whether they are hidden now.
function toggleKey(key, hidden, charts) {
  if (!hidden.delete(key)) hidden.add(key);
  for (const chart of charts) {
    chart.data.datasets.forEach((dataset, i) => chart.setDatasetVisibility(i, !hidden.has(dataset.key)));
    chart.update("none");
  }
  return hidden.has(key);
}

function panelNode(panel, hidden, charts) {
  const canvas = element("canvas", { role: "img", "aria-label": panel.label });
  const plot = element("div", { class: "plot" }, canvas);
  // A chart measures its parent, so it is made once the page holds it.
  charts.pending.push(() => charts.mounted.push(mountChart(canvas, panel.config(hidden))));
  return element("figure", { class: "panel" }, element("figcaption", {}, ...labelNodes(panel.title)), plot);
}

function columnNode(column, hidden, charts) {
  const title = column.title ? [element("h3", {}, column.title)] : [];
  return element("div", { class: "column" }, ...title, ...column.panels.map((p) => panelNode(p, hidden, charts)));
}

function exportButton(figure, hidden) {
  const button = element(
    "button",
    { type: "button", class: "export", title: "Save this figure as a PNG picture" },
    "PNG",
  );
  button.setAttribute("aria-label", `Save ${figure.heading} as PNG`);
  button.addEventListener("click", () => exportPng(figure, hidden));
  return button;
}

function figureBody(figure, hidden, charts) {
  const columns = element("div", { class: "columns" }, ...figure.columns.map((c) => columnNode(c, hidden, charts)));
  columns.style.setProperty("--wide", Math.min(figure.perRow.wide, figure.columns.length));
  columns.style.setProperty("--medium", Math.min(figure.perRow.medium, figure.columns.length));
  columns.style.setProperty("--height", `${figure.height}px`);
  const toggle = (key) => toggleKey(key, hidden, charts.mounted);
  const legend = element(
    "div",
    { class: "legend", role: "group", "aria-label": "Legend" },
    ...figure.legend.filter((entry) => entry.key).map((entry) => legendNode(entry, toggle)),
    element("span", { class: "marks" }, ...figure.legend.filter((entry) => !entry.key).map(legendNode)),
  );
  return [legend, columns];
}

/// Appends the figure to parent and draws it.
function showFigure(parent, figure) {
  const isEmpty = figure.columns.length === 0;
  const hidden = new Set();
  const charts = { pending: [], mounted: [] };
  const header = element("header", {}, element("h2", {}, figure.heading));
  const section = element("section", { class: `figure${figure.isWide ? " wide" : ""}`, id: figure.id }, header);
  if (isEmpty) {
    section.append(element("p", { class: "absent" }, figure.absent ?? NOT_IN_THIS_RUN));
  } else {
    header.append(exportButton(figure, hidden));
    section.append(element("p", { class: "caption" }, figure.caption), ...figureBody(figure, hidden, charts));
  }
  parent.append(section);
  charts.pending.forEach((mount) => mount());
}
