"use strict";
// The page that sets our numbers beside the paper's.

const LEAD =
  "Nomura and Ono (EvoApplications 2022) let a natural evolution strategy set its own learning rates: when the path" +
  " of the search distribution is longer than on a random function, the ranking carries information: the rates grow." +
  " This page repeats the five figures of their paper with Surefoot and sets every number beside theirs.";

const FIGURES = [
  {
    number: 1,
    heading: "Fixed default rate: path length",
    caption:
      "One run with the default rate and a large population. In the paper the path is long where f falls quickly;" +
      " on Rastrigin it shrinks to about 1, its expectation on a random function, until the search has found a basin." +
      " All vertical axes are logarithmic.",
    rows: ["best", "l_theta"],
    perRow: { wide: 4, medium: 2 },
    columnTitle: (trace, title) => `${title}, popsize ${trace.popsize}`,
  },
  {
    number: 2,
    heading: "Adaptive rate on four functions",
    caption:
      "One run each. In the paper the learning rates rise when the path grows. All vertical axes are logarithmic.",
    rows: ["best", "eta_sigma", "eta_B", "l_theta"],
    perRow: { wide: 4, medium: 2 },
    columnTitle: (trace, title) => `${title}, popsize ${trace.popsize}`,
  },
  {
    number: 3,
    heading: "Adaptive rate on Sphere: population sizes",
    caption:
      "One run each. In the paper a larger population, which estimates the gradient better, gives a longer path and" +
      " higher rates. All vertical axes are logarithmic.",
    rows: ["best", "eta_sigma", "eta_B", "l_theta"],
    perRow: { wide: 5, medium: 3 },
    columnTitle: (trace) => `popsize ${trace.popsize}`,
  },
  {
    number: 4,
    heading: "Evaluations per success",
    caption:
      "Mean evaluations of the successful trials divided by the success rate; lower is better. Where no trial" +
      " succeeds nothing is drawn. A dot inside its ring agrees with the paper. The methods stand slightly side by" +
      " side, so that rings do not hide each other.",
    panelTitle: "evaluations per success, log scale",
  },
  {
    number: 5,
    heading: "Success rate on the multimodal functions",
    caption:
      "Share of trials that reach the target; higher is better. The methods stand slightly side by side, so that" +
      " equal rates stay visible.",
    panelTitle: "success rate",
  },
];

const MARKS = {
  holds: "\u2714 holds",
  fails: "\u2718 does not hold",
  open: `${EN_DASH} not measured`,
  undecided: `${EN_DASH} no verdict yet`,
};

function functionTitles(data) {
  return new Map((data.functions ?? []).map((f) => [f.name, f.title]));
}

// --- Header ---

function protocolText(data, titles) {
  const p = data.protocol ?? {};
  const used = Object.entries(p.trials ?? {}).filter(([name]) => titles.has(name));
  const trials = used.map(([name, n]) => `${titles.get(name)} ${formatCount(n)}`);
  return [
    `Protocol: ${formatCount(p.dimension)} dimensions, target ${formatNumber(p.target)}`,
    `at most ${formatCount(p.maxfevals)} evaluations a trial`,
    trials.length ? `trials a cell: ${trials.join(", ")}` : "",
    `seed ${p.seed ?? EN_DASH}.`,
  ]
    .filter(Boolean)
    .join("; ");
}

function protocolNotices(data) {
  const notices = [];
  if (data.protocol?.quick) notices.push("Quick run: with so few trials a cell, success rates and intervals are rough.");
  if (data.protocol?.complete === false) notices.push("Incomplete: some cells have not been measured yet.");
  return notices.map((text) => element("p", { class: "notice" }, text));
}

/// Numbers that were measured but do not suffice for a verdict are not called missing.
function markOf(entry, state) {
  return state === "open" && /\d/.test(entry.answer ?? "") ? MARKS.undecided : MARKS[state];
}

function verdictCard(entry) {
  const state = entry.holds === true ? "holds" : entry.holds === false ? "fails" : "open";
  return element(
    "article",
    { class: `card ${state}` },
    element("header", {}, element("h2", {}, entry.question), element("span", { class: "mark" }, markOf(entry, state))),
    element("p", { class: "claim" }, entry.claim ?? ""),
    element("p", { class: "answer" }, entry.answer ?? ""),
  );
}

function showHeader(main, data, titles) {
  main.append(
    element("p", { class: "lead" }, LEAD),
    element("p", { class: "protocol" }, protocolText(data, titles)),
    ...protocolNotices(data),
    element("div", { class: "cards" }, ...(data.verdict ?? []).map(verdictCard)),
  );
}

// --- Figures 1 to 3 ---

function rowLines(name, data) {
  if (name === "l_theta") return [{ value: 1, colourName: "q-gamma", dash: [6, 4] }];
  if (!name.startsWith("eta") || !isNumber(data.eta_default)) return [];
  return [{ value: data.eta_default, colourName: "q-default", dash: [2, 4] }];
}

/// All panels of a row share their scale, so that columns can be compared.
function rowScale(name, traces, data) {
  const values = traces.flatMap((trace) => trace[name] ?? []);
  return logScale([...values, ...rowLines(name, data).map((line) => line.value)]);
}

function tracePanel(trace, name, isLast, scale, data, title) {
  const label = QUANTITIES[name].label;
  return {
    title: label,
    label: `${title}: ${plainLabel(label)} over ${formatCount(trace.nfev.at(-1))} evaluations`,
    config: () =>
      traceConfig({
        x: trace.nfev,
        series: [{ name, values: trace[name] }],
        scale,
        xRange: { low: 0, high: trace.nfev.at(-1) },
        xTitle: isLast ? "evaluations" : "",
        tooltipTitle: (point) => `${formatCount(point.x)} evaluations`,
        lines: rowLines(name, data),
      }),
  };
}

function traceFigure(spec, data, titles) {
  const traces = (data.traces ?? []).filter((t) => t.figure === spec.number && t.nfev?.length);
  const rows = spec.rows.filter((name) => traces.some((t) => t[name]?.some(isNumber)));
  const scales = new Map(rows.map((name) => [name, rowScale(name, traces, data)]));
  const columns = traces.map((trace) => {
    const title = spec.columnTitle(trace, titles.get(trace.function) ?? trace.function);
    const own = rows.filter((name) => trace[name]?.some(isNumber));
    return {
      title,
      panels: own.map((name, i) => tracePanel(trace, name, i === own.length - 1, scales.get(name), data, title)),
    };
  });
  const marks = [
    ...(rows.includes("eta_sigma") ? [DEFAULT_RATE_LINE] : []),
    ...(rows.includes("l_theta") ? [RANDOM_LINE] : []),
  ];
  return {
    columns,
    legend: [...quantityLegend(rows, false), ...marks],
    height: 150,
    perRow: spec.perRow,
    exportWidth: 270,
  };
}

// --- Figures 4 and 5 ---

function comparisonFigure(spec, data, titles) {
  const rows = (data.summary ?? []).filter((row) => row.figure === spec.number);
  const methods = (data.methods ?? []).filter((m) => rows.some((row) => row.method === m));
  const names = [...titles.keys()].filter((name) => rows.some((row) => row.function === name));
  const columns = names.map((name) => {
    const own = rows.filter((row) => row.function === name);
    return {
      title: titles.get(name),
      panels: [
        {
          title: spec.panelTitle,
          label: `${titles.get(name)}: ${spec.panelTitle}, over population size, by method; numbers in the table below`,
          config: (hidden) => comparisonConfig(own, methods, hidden),
        },
      ],
    };
  });
  const entries = methods.map((m) => ({ key: m, label: methodLabel(m), colourName: methodColour(m) }));
  const marks = [
    { label: "ours", colourName: "soft", shape: "dot" },
    { label: "95 % interval", colourName: "soft", shape: "bar" },
    { label: "paper", colourName: "soft", shape: "ring" },
  ];
  return {
    columns,
    legend: [...entries, ...marks],
    height: 330,
    perRow: { wide: 2, medium: 1 },
    exportWidth: 560,
  };
}

function showFigures(main, data, titles) {
  const parent = element("div", { class: "figures" });
  main.append(parent);
  for (const spec of FIGURES) {
    const build = spec.rows ? traceFigure : comparisonFigure;
    showFigure(parent, {
      ...build(spec, data, titles),
      id: `figure-${spec.number}`,
      heading: `Figure ${spec.number}. ${spec.heading}`,
      caption: spec.caption,
    });
  }
}

// --- Table ---

function methodNode(row) {
  return element("span", {}, swatch({ colourName: methodColour(row.method) }), methodLabel(row.method));
}

/// The tint of a ratio, which is full at ten percent away from the paper.
function tintRatio(cell, row) {
  if (!isNumber(row.ratio)) return;
  const strength = Math.min(Math.abs(row.ratio - 1) / 0.1, 1);
  cell.style.background = `rgba(var(--tint), ${(0.5 * strength).toFixed(3)})`;
}

function tableColumns(titles) {
  const plain = (title, value) => ({ title, value, text: (row) => String(value(row) ?? EN_DASH) });
  const number = (title, value, text) => ({ title, value, text, isNumber: true });
  return [
    number(
      "Figure",
      (row) => row.figure,
      (row) => String(row.figure),
    ),
    plain("Function", (row) => titles.get(row.function) ?? row.function),
    number(
      "Popsize",
      (row) => row.popsize,
      (row) => formatCount(row.popsize),
    ),
    { ...plain("Method", (row) => methodLabel(row.method)), node: methodNode },
    number(
      "Trials",
      (row) => row.trials,
      (row) => formatCount(row.trials),
    ),
    number(
      "Success rate",
      (row) => row.success_rate,
      (row) => formatFixed(row.success_rate, 3),
    ),
    number("Ours", measured, (row) => formatMeasured(row, measured(row))),
    number("95 % interval", (row) => row.ci_low, formatInterval),
    number(
      "Paper",
      (row) => row.paper,
      (row) => formatMeasured(row, row.paper),
    ),
    {
      ...number(
        "Ratio",
        (row) => row.ratio,
        (row) => (row.reproducible === false ? "\u2020 " : "") + formatFixed(row.ratio, 3),
      ),
      decorate: tintRatio,
    },
  ];
}

function showCells(main, data, titles) {
  const rows = data.summary ?? [];
  const section = element("section", { class: "cells", id: "cells" }, element("h2", {}, "All cells"));
  main.append(section);
  if (rows.length === 0) {
    section.append(element("p", { class: "absent" }, NOT_IN_THIS_RUN));
    return;
  }
  section.append(
    element(
      "p",
      { class: "caption" },
      "Figure 4: ours and paper are evaluations per success. Figure 5: success" +
        " rates. The ratio is ours divided by the paper's; the further from 1, the stronger its tint (full at 10 %).",
    ),
  );
  showTable(section, {
    rows,
    columns: tableColumns(titles),
    filters: [
      { title: "Function", value: (row) => row.function, text: (name) => titles.get(name) ?? name },
      { title: "Method", value: (row) => row.method, text: methodLabel },
    ],
    caption: "All cells",
  });
  if (rows.some((row) => row.reproducible === false)) {
    section.append(
      element(
        "p",
        { class: "footnote" },
        "\u2020 known not to reproduce: the authors' own program gives our value too.",
      ),
    );
  }
}

function showReproduction() {
  const data = readData();
  const titles = functionTitles(data);
  const main = document.getElementById("main");
  bindThemeButton(document.getElementById("theme"));
  showHeader(main, data, titles);
  showFigures(main, data, titles);
  showCells(main, data, titles);
  showVersion(data.version);
}

showReproduction();
