"""What a search shows while it runs: a table, as the command line has it, or a figure in a notebook."""

from __future__ import annotations

import base64
import io
import time
import warnings
from typing import Any, Dict

HEADER = f"{'gen':>6} {'evals':>9} {'best f':>15} {'sigma':>9} {'failed':>7} {'evals/s':>9} {'time':>9} {'left':>9}"
LONG_SILENCE = 30.0  # seconds without a row
REFRESH = 2.0  # seconds between two figures
SHARE = 10  # times as long as drawing takes passes before the next figure


def is_round_number(generation: int) -> bool:
    """1, 2, 5, 10, 20, 50, ..."""
    while generation >= 10 and generation % 10 == 0:
        generation //= 10
    return generation in (1, 2, 5)


def clock_time(seconds: float) -> str:
    """75.2 as 1:15."""
    whole = round(seconds)
    minutes = f"{whole // 60 % 60:02d}:{whole % 60:02d}" if whole >= 3600 else f"{whole // 60}:{whole % 60:02d}"
    return f"{whole // 3600}:{minutes}" if whole >= 3600 else minutes


def about(search: Any) -> str:
    """One line, as the command line begins with it: size, method, what auto stands for, budget, seed."""
    given = search._given
    dimension = len(search._result()["x"])
    line = f"{dimension} parameter{'' if dimension == 1 else 's'}, method {_chosen(search.method, given['method'])}"
    if search.model != "none":
        line += f" with a {_chosen(search.model, given['model'])} model"
    line += f", popsize {search._population}"
    if search._restarts != "none":
        line += f", restarts {_chosen(search._restarts, given['restarts'])}"
    budgets = {"maxfevals": "at most {} evaluations", "maxiter": "at most {} generations", "ftarget": "target {}"}
    told = [words.format(given[name]) for name, words in budgets.items() if given[name] is not None]
    if given["timeout"] is not None:
        told.append(f"at most {clock_time(given['timeout'])}")
    return f"{line}, {', '.join(told) or 'until it converges'}, seed {search.seed}"


def _chosen(name: str, given: Any) -> str:
    return f"{name} (auto)" if given == "auto" else name


class Table:
    """Rows about a search; they count time from the table's beginning."""

    def __init__(self, given: Dict[str, Any]):
        self.maxfevals = given["maxfevals"]
        self.timeout = given["timeout"]
        self.begin = time.monotonic()
        self.first = 0  # evaluations at the beginning

    def row(self, search: Any) -> str:
        r = search._result()
        elapsed = time.monotonic() - self.begin
        pace = (r["nfev"] - self.first) / elapsed if elapsed > 0 else 0.0
        left = [] if self.timeout is None else [self.timeout - elapsed]
        if self.maxfevals is not None and pace > 0:
            left.append((self.maxfevals - r["nfev"]) / pace)
        shown_left = clock_time(max(0.0, min(left))) if left else "-"
        shown_pace = f"{pace:.0f}" if pace >= 100 else f"{pace:.3g}"
        note = f"  violates by {r['violation']:.3g}" if r.get("violation", 0) > 0 else ""
        return (
            f"{r['nit']:6d} {r['nfev']:9d} {r['fun']:15.9g} {search.sigma:9.2e} {r['nfailed']:7d} {shown_pace:>9} "
            f"{clock_time(elapsed):>9} {shown_left:>9}{note}"
        )


class Display:
    """Shows nothing."""

    def begin(self, search: Any) -> None:
        """Before the first generation."""

    def after_generation(self, search: Any) -> None:
        """After each one."""

    def end(self, search: Any) -> None:
        """After the last one."""


class TableDisplay(Display):
    """Prints a row after generations 1, 2, 5, 10, ... and at least every half minute, and the result at the end."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def begin(self, search: Any) -> None:
        r = search._result()
        search._table.begin = time.monotonic()
        search._table.first = r["nfev"]
        print(f"{about(search)}\n{HEADER}", flush=True)

    def after_generation(self, search: Any) -> None:
        is_new = search.nit != search._shown  # a generation with a model has several rounds
        if (is_new and is_round_number(search.nit)) or time.monotonic() - self.last >= LONG_SILENCE:
            self.last = time.monotonic()
            search.disp()

    def end(self, search: Any) -> None:
        if search.nit != search._shown:
            search.disp()
        print(search.result.message, flush=True)


class LiveDisplay(Display):
    """Draws the search in a notebook again and again, in one place. The notebook's stop button ends the search.

    The picture is sent as PNG, so it looks the same with every backend of matplotlib.
    An error while drawing is reported once, and the search continues.
    """

    def __init__(self) -> None:
        try:
            import IPython.display  # noqa: F401
        except ImportError:
            raise ImportError(
                "disp = 'live' is not possible here: it needs IPython and a notebook; disp=True prints a table"
            ) from None
        self.next = 0.0  # when it is time for a picture
        self.handle: Any = None

    def begin(self, search: Any) -> None:
        from IPython.display import display

        self.handle = display({"text/plain": repr(search)}, raw=True, display_id=True)

    def after_generation(self, search: Any) -> None:
        if time.monotonic() >= self.next:
            self.draw(search)

    def end(self, search: Any) -> None:
        self.draw(search)
        print(search.result.message)

    def draw(self, search: Any) -> None:
        if self.handle is None or search.nit == 0:
            return
        begin = time.monotonic()
        try:
            png = picture(search)
            self.handle.update({"image/png": png, "text/plain": repr(search)}, raw=True)
        except Exception as error:  # pylint: disable=broad-except
            self.handle = None
            warnings.warn(f"surefoot: the search cannot be drawn: {error!r}", RuntimeWarning, stacklevel=2)
        now = time.monotonic()
        self.next = now + max(REFRESH, SHARE * (now - begin))


def picture(search: Any) -> str:
    """The figure of `surefoot.plot` as PNG in base64, with where the search is above it."""
    from matplotlib.figure import Figure

    from ._plot import plot

    figure = Figure(layout="constrained")  # not pyplot's, which a notebook would show once more
    plot(search, figure)
    best = search._result()["fun"]
    figure.suptitle(f"{search.nfev} evaluations, best f = {best:.6g}", x=0.01, ha="left", fontsize=12)
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=90)
    return base64.b64encode(data.getvalue()).decode("ascii")


def make_display(disp: Any) -> Display:
    """False for none, True for the table, "live" for a figure in a notebook."""
    if isinstance(disp, str):
        if disp != "live":
            raise ValueError(f"disp = {disp!r} is not allowed: it must be True, False or 'live'")
        return LiveDisplay()
    return TableDisplay() if disp else Display()
