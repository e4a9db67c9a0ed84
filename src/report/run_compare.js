"use strict";
// Several runs side by side.

const RUN_COLOURS = ["m-adaptive", "m-x1", "m-x4", "m-x10", "m-x6", "m-x2", "m-x8", "m-other"];

function comparedLabel(run, runs) {
  const method = run.about?.method ?? "";
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

/// One sentence: who is best, and how much sooner.
function comparedVerdict(runs) {
  const known = runs.filter((run) => isNumber(bestOf(run)));
  if (known.length < 2) return "Fewer than two of these runs have a finite value.";
  const sorted = [...known].sort((a, b) => bestOf(a) - bestOf(b));
  const best = bestOf(sorted[0]);
  const ties = sorted.filter((run) => bestOf(run) === best);
  if (ties.length === known.length) {
    const by = [...ties].sort((a, b) => reached(a, best) - reached(b, best));
    const [first, last] = [reached(by[0], best), reached(by.at(-1), best)];
    return first === last
      ? `All runs reach ${formatNumber(best, 5)} after ${counted(first, "evaluation")}: they are equal.`
      : `All runs reach ${formatNumber(best, 5)}; ${comparedLabel(by[0], runs)} needs ${counted(first, "evaluation")}, the slowest ${formatCount(last)}.`;
  }
  const common = bestOf(sorted.at(-1));
  const times = sorted.map((run) => ({ run, nfev: reached(run, common) })).sort((a, b) => a.nfev - b.nfev);
  const lead = ties.map((run) => comparedLabel(run, runs)).join(" and ");
  const verb = ties.length > 1 ? "have" : "has";
  return (
    `${lead} ${verb} the lowest value, ${formatNumber(best, 5)}; the highest final value is ${formatNumber(common, 5)}, which ` +
    `${comparedLabel(times[0].run, runs)} reached first, at evaluation ${formatCount(times[0].nfev)}. ` +
    "One run each says little about methods: repeat with other seeds, or see 'surefoot bench'."
  );
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
    { title: "seed", text: (run) => String(run.about?.seed ?? EN_DASH), value: (run) => run.about?.seed, isNumber: true },
  ];
  showTable(node, { rows: runs, columns, filters: [], caption: "The runs", what: "runs" });
  return node;
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
  if (drawn.length) shown.forEach((figure, i) => showFigure(figures, { ...figure, id: `figure-${i + 1}` }));
  figures.append(comparedTable(runs));
}
