"use strict";
// Several runs side by side.

const RUN_COLOURS = ["m-adaptive", "m-x1", "m-x4", "m-x10", "m-x6", "m-x2", "m-x8", "m-other"];

/// "xnes (lra:frame=B), model quadratic": what was searched with, and nothing of what was left to the program.
function methodText(about) {
  if (!about?.method) return "";
  const rates = about.learning_rate && about.learning_rate !== "auto" ? ` (${about.learning_rate})` : "";
  const model = about.model && about.model !== "none" ? `, model ${about.model}` : "";
  return about.method + rates + model;
}

function comparedLabel(run, runs) {
  const method = methodText(run.about);
  const isShared = runs.filter((other) => other.source === run.source).length > 1;
  return `${run.source}${isShared ? ` (${runs.indexOf(run) + 1})` : ""}${method ? `: ${method}` : ""}`;
}

function comparedDataset(run, runs, value, scale) {
  const i = runs.indexOf(run);
  const kept = keptIndices([run.records.map(value)]);
  const isLog = scale.axis.type === "logarithmic";
  const data = kept.map((k) => {
    const v = value(run.records[k]);
    return { x: run.records[k].nfev, y: isNumber(v) && (!isLog || v > 0) ? scale.forward(v) : NaN, value: v };
  });
  return {
    ...lineDataset(data, RUN_COLOURS[i % RUN_COLOURS.length], {
      label: comparedLabel(run, runs),
      borderDash: i < RUN_COLOURS.length ? [] : [6, 3],
      pointRadius: (context) => markRadius(data, context.dataIndex),
    }),
    key: String(i),
  };
}

function comparedFigure(runs, heading, caption, panels) {
  const range = runRange(runs.flatMap((run) => run.records.map((record) => record.nfev)));
  return {
    heading,
    caption,
    columns: panels.map(({ title, value, scale }) => ({
      panels: [
        {
          title: `${title}, ${scale.note}`,
          label: `${title} of ${runs.length} runs over evaluations, ${scale.note}`,
          config: (hidden) => {
            const config = chartConfig({
              datasets: runs.map((run) => comparedDataset(run, runs, (record) => value(record), scale)),
              x: evaluationsAxis(range, "evaluations"),
              y: { ...scale.axis },
              interaction: { mode: "nearest", intersect: false },
              tooltip: tooltipStyle({
                title: (items) => (items.length ? counted(items[0].raw.x, "evaluation") : ""),
                label: (item) => ` ${item.dataset.label}: ${formatNumber(item.raw.value, 5)}`,
              }),
            });
            config.data.datasets.forEach((dataset) => (dataset.hidden = hidden.has(dataset.key)));
            return config;
          },
        },
      ],
    })),
    legend: runs.map((run, i) => ({ key: String(i), label: comparedLabel(run, runs), colourName: RUN_COLOURS[i % RUN_COLOURS.length] })),
    height: 320,
    perRow: { wide: panels.length, medium: 1 },
    exportWidth: 620,
    isWide: true,
  };
}

function bestOf(run) {
  return lastNumber(run.records.map(feasibleBest));
}

/// Evaluations until a run was at least as good as a value.
function reached(run, value) {
  return run.records.find((record) => isNumber(feasibleBest(record)) && record.best <= value)?.nfev ?? null;
}

/// Who ended lowest and who highest, and when the first of all was as good as the last.
function comparedVerdict(runs) {
  const known = runs.filter((run) => isNumber(bestOf(run)));
  if (known.length < 2) return "Fewer than two of these runs have a finite value.";
  const sorted = [...known].sort((a, b) => bestOf(a) - bestOf(b));
  const name = (run) => comparedLabel(run, runs);
  const value = (run) => `f = ${formatNumber(bestOf(run), 5)}`;
  const common = bestOf(sorted.at(-1));
  const times = sorted.map((run) => ({ run, nfev: reached(run, common) })).sort((a, b) => a.nfev - b.nfev);
  const [first, last] = [times[0], times.at(-1)];
  const caution = "One run of a method says little about it: repeat with other seeds, or use 'surefoot bench'.";
  if (bestOf(sorted[0]) === common) {
    return first.nfev === last.nfev
      ? `All runs reach f = ${formatNumber(common, 5)} after ${counted(first.nfev, "evaluation")}: they are equal.`
      : `All runs reach f = ${formatNumber(common, 5)}. The fastest is ${name(first.run)} with ${counted(first.nfev, "evaluation")}, ` +
          `the slowest ${name(last.run)} with ${formatCount(last.nfev)}. ${caution}`;
  }
  const lowest = sorted.filter((run) => bestOf(run) === bestOf(sorted[0]));
  const highest = sorted.at(-1);
  const soonest =
    first.run === highest
      ? `It was there first all the same, after ${counted(first.nfev, "evaluation")}.`
      : `${name(first.run)} was as good as that after ${counted(first.nfev, "evaluation")}, ${name(highest)} after ${formatCount(reached(highest, common))}.`;
  return `Lowest: ${lowest.map(name).join(" and ")}, ${value(sorted[0])}. Highest: ${name(highest)}, ${value(highest)}. ${soonest} ${caution}`;
}

/// Values of different functions say nothing about each other. Names and dimension are what traces have in common.
function differenceNotice(runs) {
  const spaces = new Set(runs.map((run) => JSON.stringify([run.about?.dimension, run.about?.names, run.about?.constraints])));
  if (spaces.size === 1) return [];
  return [element("p", { class: "notice" }, "These runs do not have the same parameters and constraints: compare their values with care.")];
}

function comparedTable(runs) {
  const node = section("runs", "The runs", "What each run found, what it cost and how it stands.");
  const common = Math.max(...runs.map(bestOf).filter(isNumber));
  const columns = [
    { title: "run", text: (run) => comparedLabel(run, runs), value: (run) => run.source },
    { title: "standing", text: (run) => run.verdict?.title ?? EN_DASH, value: (run) => run.verdict?.title },
    { title: "best f", text: (run) => formatNumber(bestOf(run), 6), value: bestOf, isNumber: true },
    { title: "evaluations", text: (run) => formatCount(run.records.at(-1)?.nfev), value: (run) => run.records.at(-1)?.nfev, isNumber: true },
    { title: "until all were as good", text: (run) => formatCount(reached(run, common)), value: (run) => reached(run, common), isNumber: true },
    { title: "restarts", text: (run) => formatCount((run.records.at(-1)?.run ?? 1) - 1), value: (run) => run.records.at(-1)?.run, isNumber: true },
    { title: "method", text: (run) => methodText(run.about) || EN_DASH, value: (run) => methodText(run.about) },
    { title: "seed", text: (run) => String(run.about?.seed ?? EN_DASH), value: (run) => run.about?.seed, isNumber: true },
  ];
  showTable(node, { rows: runs, columns, filters: [], caption: "The runs", what: "runs" });
  return node;
}

const COMPARED_RATES = [
  { title: "learning rate of the step size", value: (record) => record.eta_sigma },
  { title: "learning rate of the shape", value: (record) => record.eta_B },
  { title: "learning rate of the mean", value: (record) => record.eta_m },
];

/// Rates that some run changes or in which runs differ; a mean's rate of 1 is no news.
function ratePanels(all) {
  return COMPARED_RATES.filter(({ value }) => {
    const shown = all(value).filter((rate) => rate > 0);
    return shown.length > 0 && shown.some((rate) => rate !== shown[0]);
  }).map((panel) => ({ ...panel, scale: { ...logScale(all(panel.value)), note: "log scale" } }));
}

function showComparison(main, data) {
  const runs = data.runs;
  main.append(
    element("p", { class: "protocol" }, `${runs.length} optimisation runs.`),
    element("p", { class: "lead answer" }, comparedVerdict(runs)),
    ...differenceNotice(runs),
  );
  const drawn = runs.filter((run) => run.records.length > 0);
  const best = Math.min(...drawn.map(bestOf).filter(isNumber));
  const all = (value) => drawn.flatMap((run) => run.records.map(value)).filter(isNumber);
  const gap = (record) => (isNumber(feasibleBest(record)) && record.best > best ? record.best - best : null);
  const figures = element("div", { class: "figures" });
  main.append(figures);
  const panels = [{ title: "best f", value: feasibleBest, scale: valueScale(all(feasibleBest)) }];
  if (all(gap).length) panels.push({ title: `f ${MINUS} lowest of all runs`, value: gap, scale: { ...logScale(all(gap)), note: "log scale" } });
  const width = (record) => record.sigma;
  const shown = [
    comparedFigure(drawn, "Who is lower?", "Best value so far; the second picture shows the distance to the lowest value of all runs.", panels),
    comparedFigure(drawn, "How wide do they search?", "Step size of each run.", [
      { title: "step size \u03c3", value: width, scale: { ...logScale(all(width)), note: "log scale" } },
    ]),
  ];
  const rates = ratePanels(all);
  if (rates.length) shown.push(comparedFigure(drawn, "How fast do they learn?", "Learning rates of each run, where it has them.", rates));
  if (drawn.length) shown.forEach((figure, i) => showFigure(figures, { ...figure, id: `figure-${i + 1}` }));
  figures.append(comparedTable(runs));
}
