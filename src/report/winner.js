"use strict";
// Who wins, in a sentence computed from the data, with its standard error.

function joined(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/// "0.0123 +- 0.0045"; digits by the size of the error.
function withError(value, error) {
  if (!isNumber(error) || error === 0) return formatNumber(value, 4);
  const digits = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return `${formatFixed(value, digits)} \u00b1${THIN_SPACE}${formatFixed(error, digits)}`;
}

/// Methods of which all values are the same; each list has two or more names.
function equalMethods(names, valuesOf) {
  const groups = new Map();
  for (const name of names) {
    const key = JSON.stringify(valuesOf(name));
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function equalSentence(groups) {
  return groups
    .map((group) => `${joined(group)} ${group.length === 2 ? "are" : "are all"} the same on every problem; their curves lie on each other.`)
    .join(" ");
}

/// entries: [{name, value, error}], higher is better. difference(a, b) gives {value, error} of a minus b, paired.
function winnerSentence(entries, difference, what) {
  const sorted = [...entries].filter((e) => isNumber(e.value)).sort((a, b) => b.value - a.value);
  if (sorted.length === 0) return "No method has a value.";
  const [first] = sorted;
  if (sorted.length === 1) return `${first.name} has ${what} ${withError(first.value, first.error)}.`;
  const others = sorted.slice(1).filter((e) => difference(first.name, e.name).value !== 0 || difference(first.name, e.name).error !== 0);
  const ties = sorted.slice(1).filter((e) => !others.includes(e));
  const lead = joined([first.name, ...ties.map((e) => e.name)]);
  const have = ties.length ? "have" : "has";
  if (others.length === 0) return `${lead} are equal: ${what} ${withError(first.value, first.error)}.`;
  const second = others[0];
  const gap = difference(first.name, second.name);
  const isClear = !isNumber(gap.error) ? null : gap.value > 2 * gap.error;
  const open = others.filter((e) => {
    const d = difference(first.name, e.name);
    return isNumber(d.error) && d.value <= 2 * d.error;
  });
  if (isClear === null) {
    return `${lead} ${have} the highest ${what}, ${formatNumber(first.value, 4)}, ${formatNumber(gap.value, 2)} more than ${second.name}; one block gives no standard error.`;
  }
  if (isClear) {
    return `${lead} ${ties.length ? "win" : "wins"}: ${what} ${withError(first.value, first.error)}, which is ${withError(gap.value, gap.error)} more than ${second.name}, the next.`;
  }
  return (
    `No clear winner: ${lead} ${have} the highest ${what}, ${withError(first.value, first.error)}, but ${joined(open.map((e) => e.name))} ` +
    `${open.length > 1 ? "are" : "is"} within two standard errors (${second.name} is ${withError(gap.value, gap.error)} behind).`
  );
}

function answerNode(...sentences) {
  return element("p", { class: "lead answer", id: "winner" }, sentences.filter(Boolean).join(" "));
}

// --- The BBOB suite ---

function bbobWinner(data) {
  const { methods } = data.protocol;
  const total = (method, against) =>
    data.summary.find(
      (cell) =>
        cell.method === method && (cell.against ?? null) === against && cell.dimension === null && cell.group === null && cell.function === null,
    );
  const entries = methods.map((name) => ({ name, value: total(name, null)?.area, error: total(name, null)?.area_standard_error }));
  const difference = (a, b) => {
    const direct = total(a, b);
    if (direct) return { value: direct.area, error: direct.area_standard_error };
    const reverse = total(b, a);
    return reverse ? { value: -reverse.area, error: reverse.area_standard_error } : { value: NaN, error: null };
  };
  const cells = (method) => data.summary.filter((cell) => cell.method === method && !cell.against).map((cell) => [cell.area, cell.share]);
  return answerNode(winnerSentence(entries, difference, "area"), equalSentence(equalMethods(methods, cells)));
}

// --- The arena ---

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/// Standard error of the mean; null for a single value.
function standardError(values) {
  if (values.length < 2) return null;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (values.length - 1) / values.length);
}

/// Mean logarithm of the ratios of one method in each block, over dimensions and population sizes.
function blockLogs(data, method) {
  const groups = (data.groups ?? []).filter((group) => group.method === method && group.ratios?.every((r) => isNumber(r) && r > 0));
  const blocks = Math.min(...groups.map((group) => group.ratios.length));
  if (groups.length === 0 || !(blocks > 0)) return [];
  return Array.from({ length: blocks }, (_, b) => mean(groups.map((group) => Math.log(group.ratios[b]))));
}

/// How many evaluations each method needs of those of the reference, on the unimodal functions.
function arenaWinner(data) {
  const { methods } = data.protocol;
  const sentences = methods
    .filter((method) => method !== data.against)
    .map((method) => {
      const logs = blockLogs(data, method);
      if (logs.length === 0) return `${method} cannot be compared with ${data.against}: one of them never reached the target.`;
      const ratio = Math.exp(mean(logs));
      const error = standardError(logs);
      if (mean(logs) === 0 && (error === 0 || error === null)) return `${method} and ${data.against} are equal.`;
      const words = isNumber(error) ? withError(ratio, ratio * error) : `${formatFixed(ratio, 3)} (one block gives no standard error)`;
      const isClear = isNumber(error) && Math.abs(mean(logs)) > 2 * error;
      const verdict = !isNumber(error) ? "" : isClear ? (ratio < 1 ? ": it is faster" : ": it is slower") : ": no clear difference";
      return `${method} needs ${words} times the evaluations of ${data.against}${verdict}.`;
    });
  if (sentences.length === 0) return answerNode(`${data.against} is the only method: there is nobody to compare it with.`);
  return answerNode("On the unimodal functions:", ...sentences, bestOnMultimodal(data));
}

/// Who solves most of the multimodal trials.
function bestOnMultimodal(data) {
  const cells = data.cells.filter((cell) => cell.kind === "multimodal");
  if (cells.length === 0) return "";
  const scores = data.protocol.methods.map((name) => {
    const own = cells.filter((cell) => cell.method === name);
    const trials = own.reduce((sum, cell) => sum + cell.trials, 0);
    const p = own.reduce((sum, cell) => sum + cell.trials * cell.success_rate, 0) / trials;
    return { name, value: p, error: Math.sqrt((p * (1 - p)) / trials) };
  });
  const byName = Object.fromEntries(scores.map((score) => [score.name, score]));
  const difference = (a, b) => ({ value: byName[a].value - byName[b].value, error: Math.hypot(byName[a].error, byName[b].error) });
  return `On the multimodal functions: ${winnerSentence(scores, difference, "success rate")}`;
}

// --- Success rates as a chart ---

function successPanel(data, name, popsize) {
  const { methods } = data.protocol;
  const cells = data.cells.filter((cell) => cell.function === name && cell.popsize === popsize);
  const colourNames = ["m-adaptive", "m-x1", "m-x4", "m-x10", "m-x6", "m-x2", "m-x8", "m-other"];
  const dimensions = [...new Set(cells.map((cell) => cell.dimension))].sort((a, b) => a - b);
  // Methods stand slightly side by side, so that equal rates stay visible.
  const shift = (i) => 1 + (i - (methods.length - 1) / 2) * 0.02;
  return {
    title: `popsize ${popsize}`,
    label: `Success rate on ${name} by dimension and method, popsize ${popsize}`,
    config: (hidden) =>
      chartConfig({
        datasets: methods.map((method, i) => ({
          key: method,
          label: method,
          hasIntervals: true,
          colourName: colourNames[i % colourNames.length],
          hidden: hidden.has(method),
          data: cells
            .filter((cell) => cell.method === method)
            .sort((a, b) => a.dimension - b.dimension)
            .map((cell) => {
              const error = Math.sqrt((cell.success_rate * (1 - cell.success_rate)) / cell.trials);
              return { x: cell.dimension * shift(i), y: cell.success_rate, low: cell.success_rate - error, high: cell.success_rate + error, cell };
            }),
          borderColor: () => colour(colourNames[i % colourNames.length]),
          backgroundColor: () => colour(colourNames[i % colourNames.length]),
          borderWidth: 2,
          pointRadius: 4,
        })),
        x: { ...logAxis({ low: dimensions[0] / 1.25, high: dimensions.at(-1) * 1.25 }, "dimension"), afterBuildTicks: (axis) => { axis.ticks = dimensions.map((value) => ({ value })); } },
        y: linearAxis({ low: -0.05, high: 1.05 }, "success rate"),
        interaction: { mode: "nearest", intersect: false },
        tooltip: tooltipStyle({
          title: ([item]) => (item ? `${name}, dimension ${item.raw.cell.dimension}` : ""),
          label: (item) => ` ${item.dataset.label}: ${Math.round(100 * item.raw.y)} % of ${item.raw.cell.trials} trials`,
        }),
      }),
  };
}

function successFigure(data) {
  const cells = data.cells.filter((cell) => cell.kind === "multimodal");
  const functions = [...new Set(cells.map((cell) => cell.function))];
  const popsizes = [...new Set(cells.map((cell) => cell.popsize))];
  const colourNames = ["m-adaptive", "m-x1", "m-x4", "m-x10", "m-x6", "m-x2", "m-x8", "m-other"];
  return {
    id: "success",
    heading: "Success rates on multimodal functions",
    caption: "Share of trials that reach the target, with one standard error; higher is better.",
    columns: functions.map((name) => ({ title: name, panels: popsizes.map((popsize) => successPanel(data, name, popsize)) })),
    legend: data.protocol.methods.map((method, i) => ({ key: method, label: method, colourName: colourNames[i % colourNames.length] })),
    height: 220,
    perRow: { wide: 3, medium: 2 },
    exportWidth: 420,
  };
}
