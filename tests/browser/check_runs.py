#!/usr/bin/env python3
"""Makes pages about searches, with every method of the program or of every kind, and checks them in headless Chromium.

    check_runs.py SUREFOOT FOLDER methods|searches

Checked at 1400 and at 360 pixels, light and dark: the verdict and the facts, every card that a search has, no chart
blank, no label cut off or on top of its neighbour, no scrolling sideways. Kinds of searches: with bounds, restarts,
workers' times, failures, named parameters of all kinds, constraints; several at once; and one that still runs.
Exit status 0 if all is well, else 1.
"""

import pathlib
import re
import subprocess
import sys
import time

from check_report import BLANK_CANVASES, OVERFLOW, check_console, check_network, settle
from webdriver import Browser, BrowserError

CARDS = ["Is it converging?", "Where are the parameters?", "How does f depend on each parameter?",
         "How wide is it still searching?", "Does the ranking carry information?", "How stretched is the search?",
         "Best parameters", "Which parameters go together?"]

# Labels of axes must lie within their canvas, and beside each other.
LABELS = """
  const wrong = [];
  for (const chart of liveCharts) {
    const name = chart.canvas.getAttribute("aria-label");
    const { x, y } = chart.scales;
    chart.ctx.font = `11px ${Chart.defaults.font.family}`;
    let end = -Infinity;
    x.ticks.forEach((tick, i) => {
      const half = chart.ctx.measureText(String(tick.label)).width / 2;
      const at = x.getPixelForTick(i);
      if (at + half > chart.width + 1 || at - half < -1) wrong.push(`${name}: ${tick.label} is cut off`);
      if (at - half < end) wrong.push(`${name}: ${tick.label} lies on its neighbour`);
      end = at + half;
    });
    for (const tick of y.ticks) {
      const width = chart.ctx.measureText(String(tick.label)).width;
      if (width > y.width) wrong.push(`${name}: ${tick.label} is wider than its axis`);
    }
    if (y.ticks.length < 2) wrong.push(`${name}: fewer than two labels at the y axis`);
  }
  return wrong;
"""

HEADINGS = 'return [...document.querySelectorAll("section h2")].map((node) => node.textContent)'


class Pages:
    """The program, the folder and the browser."""

    def __init__(self, program, folder, browser):
        self.program = program
        self.folder = folder
        self.browser = browser
        self.problems = []

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode not in (0, 1, 3):  # 3: the objective fails
            raise BrowserError(f"surefoot {' '.join(map(str, words))}: {done.stderr}")

    def minimize(self, name, *words):
        self.run("minimize", *words, "--quiet", "--trace", f"{name}.jsonl")

    def report(self, name, *words):
        self.run("report", *(words or [f"{name}.jsonl"]), "-o", f"{name}.html")

    def check(self, name, cards, standing=None):
        """Opens a page at all widths and in both themes."""
        for width, dark in ((1400, False), (1400, True), (360, True), (360, False)):
            self.browser.resize(width, 900, dark)
            if (width, dark) == (1400, False):
                self.browser.open((self.folder / f"{name}.html").resolve().as_uri())
            settle(self.browser)
            where = f"{name} at {width}{' dark' if dark else ''}"
            self.problems += [f"{where}: blank: {label}" for label in self.browser.run(BLANK_CANVASES)]
            self.problems += [f"{where}: too wide: {node}" for node in self.browser.run(OVERFLOW)]
            self.problems += [f"{where}: {label}" for label in self.browser.run(LABELS)]
        shown = self.browser.run(HEADINGS)
        self.problems += [f"{name}: there is no card '{card}'" for card in cards if card not in shown]
        found = self.browser.run('return document.getElementById("verdict")?.dataset.standing')
        if standing and found != standing:
            self.problems.append(f"{name}: the verdict is {found} instead of {standing}")
        if self.browser.run('return document.querySelectorAll(".absent").length'):
            self.problems.append(f"{name}: a card is empty")
        self.problems += [f"{name}: {problem}" for problem in check_console(self.browser)]
        self.problems += [f"{name}: {problem}" for problem in check_network(self.browser)]


def methods(program):
    text = subprocess.run([program, "list", "methods"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z][a-z-]*) ", text.split("learning rates")[0], re.MULTILINE)
    return [name for name in names if name != "auto"]


def check_methods(pages):
    known = methods(pages.program)
    if len(known) < 13:
        pages.problems.append(f"only {len(known)} methods are listed: {known}")
    for method in known:
        pages.minimize(method, "--problem", "rosenbrock", "--dim", 9, "--method", method, "--seed", 1, "--maxfevals", 400,
                       "--restarts", "none")
        pages.report(method)
        pages.check(method, CARDS)


def check_others(pages):
    pages.minimize("bounds", "--problem", "spring", "--seed", 1, "--maxfevals", 300)
    pages.report("bounds")
    pages.check("bounds", CARDS)
    pages.minimize("restarts", "--problem", "bbob-f22", "--dim", 2, "--seed", 2, "--method", "cma", "--popsize", 6,
                   "--maxfevals", 1500, "--restarts", "bipop")
    pages.report("restarts")
    pages.check("restarts", CARDS)
    pages.minimize("timed", "--problem", "sphere", "--dim", 3, "--seed", 1, "--maxfevals", 200, "--trace-timing",
                   "--workers", 2)
    pages.report("timed")
    pages.check("timed", [*CARDS, "How busy are the workers?"])
    pages.minimize("converged", "--problem", "sphere", "--dim", 2, "--seed", 1)
    pages.report("converged")
    pages.check("converged", CARDS, "converged")
    pages.report("compared", "bounds.jsonl", "restarts.jsonl", "timed.jsonl", "converged.jsonl")
    pages.check("compared", ["Who is lower?", "How wide do they search?", "The runs"])
    check_policies(pages)


def check_policies(pages):
    """Runs of one method with other learning rates are told apart, and their rates are shown."""
    policies = ["fixed", "lra", "lra:frame=B"]
    for k, policy in enumerate(policies):
        pages.minimize(f"policy{k}", "--problem", "rastrigin", "--dim", 4, "--method", "xnes", "--learning-rate", policy,
                       "--popsize", 20, "--seed", 1, "--maxfevals", 800, "--restarts", "none")
    pages.report("policies", "policy0.jsonl", "policy1.jsonl", "policy2.jsonl")
    pages.check("policies", ["Who is lower?", "How wide do they search?", "How fast do they learn?", "The runs"])
    text = pages.browser.run('return document.querySelector(".legend").textContent')
    for k, policy in enumerate(policies):
        if f"policy{k}.jsonl: xnes ({policy})" not in text:
            pages.problems.append(f"policies: the legend does not name {policy}: {text}")
    answer = pages.browser.run('return document.querySelector(".lead.answer").textContent')
    value = r"policy\d\.jsonl: xnes \([a-zA-Z:=]+\)"
    if not re.match(rf"Lowest: {value}( and {value})*, f = [-\d.e]+\. Highest: {value}, f = [-\d.e]+\. ", answer):
        pages.problems.append(f"policies: the headline is: {answer}")


def check_log(pages):
    """Failures are crosses, and the verdict says where they lie."""
    program = pages.folder / "half.sh"
    program.write_text("#!/bin/sh\nawk '{ if ($1 > 3) exit 1; print $1 * $1 + $2 * $2 }'\n", encoding="ascii")
    program.chmod(0o755)
    pages.minimize("failures", "--command", program, "--x0", "3,3", "--sigma0", "1", "--seed", 1, "--maxfevals", 60,
                   "--log", "failures.csv")
    pages.report("failures", "failures.jsonl", "--log", "failures.csv")
    pages.check("failures", CARDS)
    text = pages.browser.run('return document.getElementById("verdict").textContent')
    if "Failures lie where x0 > " not in text:
        pages.problems.append(f"failures: the verdict does not say where: {text}")
    crosses = pages.browser.run("""return [...liveCharts].map((chart) => chart.data.datasets.find((d) =>
      d.label === "failed")?.data.length ?? 0).reduce((a, b) => a + b, 0)""")
    if crosses < 6:
        pages.problems.append(f"failures: only {crosses} failures are marked")


# Axes of the pictures over evaluations and of those against a parameter, by the beginning of their label.
AXES = """
  const kinds = {};
  for (const chart of liveCharts) {
    const label = chart.canvas.getAttribute("aria-label");
    const labels = (axis) => axis.ticks.map((tick) => tick.label).join(" ");
    const { x, y } = chart.scales;
    if (/^[a-z_]+ over evaluations: /.test(label)) kinds[`over ${label.split(" ")[0]}`] = [y.type, labels(y)];
    if (label.startsWith("f against ")) kinds[`against ${label.slice(10).split(":")[0]}`] = [x.type, labels(x)];
  }
  return kinds;
"""

COUNT = """return [...liveCharts].map((chart) => chart.data.datasets.find((d) =>
  d.label === arguments[0])?.data.length ?? 0).reduce((a, b) => Math.max(a, b), 0)"""


def check_mixed(pages):
    """A log scale, an integer, a choice, a constraint with a name and a crash of many lines, each as what it is."""
    program = pages.folder / "mixed.sh"
    program.write_text("""#!/bin/sh
awk '{ if ($2 > 0.02) { print "Traceback:\\n  a line\\nMathError: too fast" > "/dev/stderr"; exit 1 }
  r = log($2) / log(10) + 2.5; n = $4 - 4; k = $6 == "tanh" ? 0.3 : 0
  printf "{\\"loss\\": %.17g, \\"weight\\": %.17g}\\n", r * r + 0.1 * n * n + k - 1, $2 - 0.008 }'
""", encoding="ascii")
    program.chmod(0o755)
    pages.minimize("mixed", "--command", program, "--param", "learning_rate=real(1e-5,1e-1,log)",
                   "--param", "layers=int(1,8)", "--param", "activation=choice(relu,tanh)",
                   "--output", "json:loss,weight", "--seed", 1, "--maxfevals", 90, "--log", "mixed.csv")
    pages.report("mixed", "mixed.jsonl", "--log", "mixed.csv")
    pages.check("mixed", [*CARDS, "Are the constraints met?", "How many candidates are feasible?"])
    axes = pages.browser.run(AXES)
    for name in ("over learning_rate", "against learning_rate"):
        if axes.get(name, [""])[0] != "logarithmic":
            pages.problems.append(f"mixed: the picture '{name}' has no logarithmic axis: {axes}")
    for name in ("over activation", "against activation"):
        if axes.get(name, ["", ""])[1] != "relu tanh":
            pages.problems.append(f"mixed: the picture '{name}' does not name the choices: {axes}")
    if axes.get("over layers", [""])[0] != "linear":
        pages.problems.append(f"mixed: layers are not on a linear axis: {axes}")
    titles = pages.browser.run('return [...document.querySelectorAll("figcaption")].map((node) => node.textContent)')
    if not any(title.startswith("weight \u2264 0") for title in titles):
        pages.problems.append(f"mixed: the constraint is not called by its name: {titles}")
    if pages.browser.run('return document.querySelectorAll("figcaption sub").length'):
        pages.problems.append("mixed: a name of the user was set as a subscript")
    for label in ("infeasible", "failed"):
        if pages.browser.run(COUNT, label) < 1:
            pages.problems.append(f"mixed: no point is marked as {label}")
    text = pages.browser.run('return document.getElementById("main").innerText')
    if "a line" in text or "exit status 1: ... MathError: too fast" not in text:
        pages.problems.append("mixed: the reason of a failure is not shown by its first and last line")
    row = pages.browser.run('return [...document.querySelectorAll("#parameters tbody tr")].map((n) => n.textContent)')
    if "factor " not in row[0] or "relu" not in row[2]:
        pages.problems.append(f"mixed: the table tells neither factors nor names: {row}")


def check_constraints(pages):
    """Multipliers, and a search without a feasible point."""
    pages.minimize("constrained", "--problem", "mul10", "--seed", 1, "--maxfevals", 1200, "--method", "cma",
                   "--restarts", "none")
    pages.report("constrained")
    pages.check("constrained", [*CARDS, "Are the constraints met?", "How many candidates are feasible?",
                                "What are the constraints worth?"])
    pages.minimize("values", "--problem", "g06", "--seed", 1, "--maxfevals", 400)
    pages.report("values")
    pages.check("values", CARDS)
    best, lowest, highest, count = pages.browser.run(VALUES)
    if lowest < best or highest > 0 or count < 20:
        pages.problems.append(f"values: {count} from {lowest} to {highest} with the best {best}: some are infeasible")
    pages.minimize("infeasible", "--problem", "g10", "--seed", 1, "--maxfevals", 150)
    pages.report("infeasible")
    pages.check("infeasible", [*CARDS, "Are the constraints met?"], "infeasible")


# Whether the best point is marked in each picture of a parameter, and the first run in each of a comparison.
MARKS = """
  return [...liveCharts].filter((chart) => chart.canvas.getAttribute("aria-label").includes(arguments[0]))
    .map((chart) => chart.getDatasetMeta(0).data.at(-1)?.options.radius ?? 0)
"""

# Values of generations, and the best of all, in the picture of f.
VALUES = """
  const chart = [...liveCharts].find((chart) => chart.canvas.getAttribute("aria-label").startsWith("best f so far, "));
  const [best, generations] = chart.data.datasets.map((d) => d.data.filter((p) => Number.isFinite(p.y)).map((p) => p.value));
  return [best.at(-1), Math.min(...generations), Math.max(...generations), generations.length];
"""


def check_one_record(pages):
    """What is no line is a dot, also in a comparison."""
    pages.minimize("single", "--problem", "sphere", "--dim", 3, "--seed", 1, "--maxfevals", 1)
    pages.report("single")
    pages.check("single", CARDS[:4], "budget")
    marks = pages.browser.run(MARKS, " over evaluations: mean")
    if len(marks) != 3 or min(marks) <= 0:
        pages.problems.append(f"single: the parameters are not marked: {marks}")
    pages.report("compared_single", "single.jsonl", "converged.jsonl")
    pages.check("compared_single", ["Who is lower?"])
    marks = pages.browser.run(MARKS, "best f of 2 runs")
    if len(marks) != 1 or min(marks) <= 0:
        pages.problems.append(f"compared_single: the run of one record is not marked: {marks}")


def check_no_value(pages):
    """Without a value there is no best point."""
    pages.minimize("no_value", "--command", "false", "--x0", "3,3", "--sigma0", 1, "--seed", 1, "--maxfevals", 30)
    pages.report("no_value")
    pages.check("no_value", ["Best parameters"], "failing")
    notice = pages.browser.run('return document.querySelector(".notice").textContent')
    if "19 with an exit status that is not 0." not in notice:
        pages.problems.append(f"no_value: the notice does not say how evaluations failed: {notice}")
    cells = pages.browser.run('return [...document.querySelectorAll("#parameters tbody td:nth-child(2)")].map((n) => '
                              'n.textContent)')
    if cells != ["\u2013"] * 2:
        pages.problems.append(f"no_value: the table has a best point: {cells}")


def check_watch(pages):
    """The page follows a search that runs, reloads itself, and stops to do so when the search has ended."""
    folder = pages.folder
    slow = folder / "slow.sh"
    slow.write_text("#!/bin/sh\nsleep 0.05\nawk '{ print $1 * $1 + $2 * $2 }'\n", encoding="ascii")
    slow.chmod(0o755)
    search = subprocess.Popen([pages.program, "minimize", "--command", slow, "--x0", "3,3", "--sigma0", "1", "--seed", "1",
                               "--maxfevals", "60", "--trace", "live.jsonl", "--quiet"], cwd=folder,
                              stdout=subprocess.DEVNULL)
    trace, page = folder / "live.jsonl", folder / "live.html"
    wait_for("a first generation", lambda: trace.exists() and trace.stat().st_size > 0)
    watch = subprocess.Popen([pages.program, "report", "--watch", "--every", "0.2", "live.jsonl", "-o", "live.html"],
                             cwd=folder)
    try:
        wait_for("a first page", page.exists)
        if search.poll() is None and 'http-equiv="refresh"' not in page.read_text(encoding="utf-8"):
            pages.problems.append("live: the page does not reload itself")
        search.wait(timeout=120)
        if watch.wait(timeout=120) != 0:
            pages.problems.append("live: --watch failed")
        if 'http-equiv="refresh"' in page.read_text(encoding="utf-8"):
            pages.problems.append("live: the last page still reloads itself")
    finally:
        for process in (search, watch):
            if process.poll() is None:
                process.kill()
    pages.check("live", CARDS)


def wait_for(what, holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise BrowserError(f"there is not {what} after {seconds} seconds")
        time.sleep(0.05)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    problems = []
    try:
        with Browser() as browser:
            pages = Pages(program, folder, browser)
            problems = pages.problems
            parts = {"methods": [check_methods],
                     "searches": [check_others, check_one_record, check_no_value, check_watch, check_log, check_mixed,
                                  check_constraints]}
            for check in parts[sys.argv[3]]:
                check(pages)
    except BrowserError as error:
        problems.append(str(error))
    for problem in problems:
        print(problem, file=sys.stderr)
    print("all checks passed" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
