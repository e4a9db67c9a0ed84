"use strict";
// The page about one run, or several: first the verdict, then what it rests on.

function keyFigures(columns) {
  const figures = [
    ["evaluations", formatCount(lastNumber(columns.nfev))],
    ["generations", formatCount(lastNumber(columns.generation))],
    ["best f", formatNumber(lastNumber(columns.best), 5)],
    ["final step size \u03c3", formatNumber(lastNumber(columns.sigma))],
    ["final condition number", formatNumber(lastNumber(columns.condition))],
  ];
  if (lastNumber(columns.run) > 1) figures.push(["runs", formatCount(lastNumber(columns.run))]);
  return element(
    "dl",
    { class: "key-figures" },
    ...figures.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
  );
}

/// How evaluations fail, after their number.
const FAILURE_WORDS = {
  nan: "with NaN or minus infinity",
  exception: "with an exception",
  crash: "that crashed",
  exit: "with an exit status that is not 0",
  timeout: "that took too long",
  unparsable: "whose answer is not a number",
  start: "that could not be started",
};

/// One sentence for all restarts and one about all failures by kind.
function eventNotices(columns, records) {
  const notices = [];
  const starts = columns.run.flatMap((run, i) => (i > 0 && run !== columns.run[i - 1] ? [i] : []));
  if (starts.length > 0) {
    const list = starts.map((i) => `${formatCount(columns.nfev[i - 1])} (popsize ${formatCount(columns.popsize[i])})`);
    const shown = list.length > 12 ? [...list.slice(0, 12), "..."] : list;
    notices.push(element("p", { class: "notice" }, `Restarted after evaluation${shown.length > 1 ? "s" : ""} ${shown.join(", ")}.`));
  }
  const kinds = {};
  for (const record of records) {
    for (const failure of record.failures ?? []) kinds[failure.kind] = (kinds[failure.kind] ?? 0) + 1;
  }
  const counts = Object.entries(kinds).map(([kind, count]) => `${formatCount(count)} ${FAILURE_WORDS[kind] ?? kind}`);
  if (counts.length > 0) {
    const last = records.flatMap((record) => record.failures ?? []).at(-1);
    const reason = element("span", { title: last.reason }, tellingLine(last.reason));
    notices.push(element("p", { class: "notice" }, `Failed evaluations: ${counts.join(", ")}. The last one: `, reason));
  }
  return notices;
}

/// A notice about generations without a finite value, which the curves do not show.
function failureNotices(columns) {
  const total = columns.generation_best.length;
  const failed = columns.generation_best.filter((value) => !isNumber(value)).length;
  if (failed === 0) return [];
  const share = `${formatCount(failed)} of ${counted(total, "generation")}`;
  return [element("p", { class: "notice" }, `${share} had no finite value; the curves have gaps there.`)];
}

const STANDING_CLASSES = {
  target: "holds",
  converged: "holds",
  stuck: "fails",
  infeasible: "fails",
  failing: "fails",
  broken: "fails",
};

function verdictCard(verdict) {
  if (!verdict) return [];
  return [
    element(
      "section",
      { class: `card verdict ${STANDING_CLASSES[verdict.standing] ?? "open"}`, id: "verdict", "data-standing": verdict.standing },
      element("h2", {}, verdict.title),
      element("p", { class: "answer" }, verdict.text),
    ),
  ];
}

function budgetWords(about) {
  const words = [];
  if (isNumber(about.maxfevals)) words.push(counted(about.maxfevals, "evaluation"));
  if (isNumber(about.maxiter)) words.push(counted(about.maxiter, "generation"));
  if (isNumber(about.timeout)) words.push(`${formatNumber(about.timeout)} s`);
  return words.join(", ") || "none";
}

/// What was searched and how, so that a reader can repeat it.
function factList({ about, end, records }) {
  if (!about) return [];
  const facts = [
    ["objective", about.objective],
    ["method", methodText(about)],
    ["parameters", formatCount(about.dimension)],
    ["popsize", records.length ? formatCount(records.at(-1).popsize) : null],
    ["budget", end ? budgetWords(end) : null],
    ["target", isNumber(end?.ftarget) ? formatNumber(end.ftarget) : null],
    ["seed", String(about.seed)],
    ["stopped", end ? end.message : "not yet, or it was killed: the trace has no end"],
  ].filter(([, text]) => text);
  const list = facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
  if (about.command) list.push(element("dt", {}, "command"), element("dd", {}, element("code", {}, about.command)));
  return [element("dl", { class: "facts" }, ...list)];
}

function showOneRun(main, run) {
  const { records } = run;
  main.append(element("p", { class: "protocol" }, `One optimisation run, read from ${run.source ?? "a trace"}.`), ...verdictCard(run.verdict), ...factList(run));
  if (records.length === 0) {
    main.append(element("p", { class: "notice" }, "The trace holds no record yet: not one generation was finished."));
    return;
  }
  const columns = columnsOf(records);
  const figures = element("div", { class: "figures pairs" });
  main.append(keyFigures(columns), ...eventNotices(columns, records), ...failureNotices(columns), figures);
  const pictures = [parameterFigure(run, columns), scatterFigure(run)].filter((figure) => figure.columns.length > 0);
  const course = courseFigures(records, columns);
  const shown = [...course.slice(0, 1), ...pictures, ...constraintFigures(run, columns), ...course.slice(1)];
  shown.forEach((figure, i) => showFigure(figures, { ...figure, id: `figure-${i + 1}` }));
  const table = parameterTable(run);
  if (table) figures.prepend(table);
  const limits = limitTable(run);
  if (limits) figures.prepend(limits);
  const correlations = correlationSection(run);
  if (correlations) figures.append(correlations);
}

function showRun() {
  const data = readData();
  const main = document.getElementById("main");
  bindThemeButton(document.getElementById("theme"));
  showVersion(data.version);
  if (data.runs?.length > 1) showComparison(main, data);
  else showOneRun(main, { ...(data.runs?.[0] ?? data), records: (data.runs?.[0] ?? data).records ?? [] });
}

showRun();
