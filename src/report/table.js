"use strict";
// A table that sorts by any column and filters by some.
//
// columns: [{title, value(row), text(row), isNumber, node(row)}]; filters: [{title, value(row), text(value)}]

function compareValues(a, b) {
  const missing = (value) => value === null || value === undefined;
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return typeof a === "number" ? a - b : String(a).localeCompare(String(b));
}

/// Sorts by a column. Missing values stay at the end in both directions.
function sortRows(rows, column, direction) {
  const isMissing = (row) => (column.value(row) ?? null) === null;
  const known = rows.filter((row) => !isMissing(row));
  known.sort((a, b) => direction * compareValues(column.value(a), column.value(b)));
  return [...known, ...rows.filter(isMissing)];
}

function headerCell(column, onSort) {
  const arrow = element("span", { "aria-hidden": "true" });
  const button = element("button", { type: "button" }, column.title, arrow);
  const cell = element("th", { scope: "col", class: column.isNumber ? "number" : "" }, button);
  button.addEventListener("click", onSort);
  return { cell, arrow };
}

function markSorted(headers, columns, state) {
  columns.forEach((column, i) => {
    const isSorted = column === state.column;
    const { cell, arrow } = headers[i];
    arrow.textContent = isSorted ? (state.direction > 0 ? " \u25b4" : " \u25be") : "";
    if (isSorted) cell.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  });
}

function bodyRow(row, columns) {
  const cells = columns.map((column) => {
    const cell = element(
      "td",
      { class: column.isNumber ? "number" : "" },
      column.node ? column.node(row) : column.text(row),
    );
    column.decorate?.(cell, row);
    return cell;
  });
  return element("tr", {}, ...cells);
}

function filterControl(filter, rows, onChange) {
  const values = [...new Set(rows.map(filter.value))];
  const options = values.map((value) => element("option", { value: String(value) }, filter.text(value)));
  const select = element("select", {}, element("option", { value: "" }, "all"), ...options);
  select.addEventListener("change", onChange);
  return { select, node: element("label", {}, filter.title, select) };
}

function showTable(parent, { rows, columns, filters, caption, what = "cells" }) {
  const state = { column: null, direction: 1 };
  const body = element("tbody");
  const count = element("span", { role: "status" });
  const controls = filters.map((filter) => filterControl(filter, rows, refresh));
  const headers = columns.map((column) => headerCell(column, () => sortBy(column)));

  function refresh() {
    const matching = rows.filter((row) =>
      filters.every((f, i) => !controls[i].select.value || String(f.value(row)) === controls[i].select.value),
    );
    const shown = state.column ? sortRows(matching, state.column, state.direction) : matching;
    body.replaceChildren(...shown.map((row) => bodyRow(row, columns)));
    count.textContent = `${formatCount(shown.length)} of ${formatCount(rows.length)} ${what}`;
    markSorted(headers, columns, state);
  }

  function sortBy(column) {
    state.direction = state.column === column ? -state.direction : 1;
    state.column = column;
    refresh();
  }

  const head = element("thead", {}, element("tr", {}, ...headers.map((h) => h.cell)));
  const scroll = element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, head, body),
  );
  parent.append(element("div", { class: "filters" }, ...controls.map((c) => c.node), count), scroll);
  refresh();
}

// Parts for tables of another form.

function choice(title, values, selected, onChange) {
  const options = values.map((value) => element("option", value === selected ? { value, selected: "" } : { value }, value));
  const select = element("select", {}, ...options);
  select.addEventListener("change", onChange);
  return { select, node: element("label", {}, title, select) };
}

function section(id, heading, caption) {
  return element(
    "section",
    { class: "figure", id },
    element("header", {}, element("h2", {}, heading)),
    element("p", { class: "caption" }, caption),
  );
}

function scrolling(label, node) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, node);
}
