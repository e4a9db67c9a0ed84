"""Figures of a search: is it converging, how wide does it search, does the ranking carry information."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping

import numpy as np

from ._html import above_lowest

# The same colours for the same quantity as in the report pages.
COLOURS = {
    "best": "#1f3a5f",
    "generation_best": "#8fa3bb",
    "sigma": "#0b7a75",
    "axes": "#b0418e",
    "eta_m": "#77818c",
    "eta_sigma": "#c2570c",
    "eta_B": "#6a4fc4",
    "l_theta": "#1d72c9",
    "gamma": "#55606c",
}

# What the first four figures show, and what is no quantity of a search.
_KNOWN = (*COLOURS, "generation", "nfev", "condition", "run", "popsize", "axes_generation", "seconds", "utilisation")


def plot(result_or_trace: Any, figure: Any = None) -> Any:
    """Draws a result, a search, a trace (a dict of columns) or a trace file, and returns the matplotlib figure.

    >>> import matplotlib; matplotlib.use("agg")
    >>> import surefoot
    >>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3, 3], 2, seed=1)
    >>> len(surefoot.plot(r).axes)
    5

    The panels show the best value of the search and of each generation; step size and standard deviations along the
    principal axes; learning rates; and the length of the evolution path beside that of a random ranking. Measures that
    only this method has follow, a panel each. `figure` is one to draw into. A path that the method does not need is
    measured with trace=True only.
    """
    import matplotlib.pyplot as plt

    trace = _trace_of(result_or_trace)
    if figure is None:
        figure = plt.figure(figsize=(10, 6.5), layout="constrained")
    others = _other_names(trace)
    rows = 2 + (len(others) + 1) // 2
    axes = figure.subplots(rows, 2, sharex=True)
    _draw_values(axes[0, 0], trace)
    _draw_widths(axes[0, 1], trace)
    _draw_rates(axes[1, 0], trace)
    _draw_path(axes[1, 1], trace)
    for axis, name in zip(axes[2:].flat, others):
        _draw_other(axis, trace, name)
    if len(others) % 2:
        figure.delaxes(axes[-1, 1])
        axes[-2, 1].tick_params(labelbottom=True)
        axes[-2, 1].set_xlabel("evaluations")
    for axis in axes[-1]:
        axis.set_xlabel("evaluations")
    for axis in figure.axes:
        _mark_restarts(axis, trace)
        axis.grid(True, color="#e7e9ec", linewidth=0.7)
        axis.set_axisbelow(True)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    return figure


def _other_names(trace: Mapping[str, np.ndarray]) -> List[str]:
    """Columns of numbers that only this method has."""
    return [name for name, values in trace.items() if name not in _KNOWN and _is_drawn(np.asarray(values))]


def _is_drawn(values: np.ndarray) -> bool:
    return values.ndim == 1 and values.dtype.kind in "biuf" and bool(np.isfinite(values).any())


def _draw_other(axis: Any, trace: Mapping[str, np.ndarray], name: str) -> None:
    values = np.asarray(trace[name])
    axis.plot(trace["nfev"], values, color=COLOURS["sigma"], linewidth=1.4)
    if np.nanmin(values) > 0:
        axis.set_yscale("log")
    axis.set_title(name, loc="left", fontsize=11)


def _trace_of(source: Any) -> Mapping[str, np.ndarray]:
    if isinstance(source, (str, os.PathLike)):
        return read_trace(source)
    if hasattr(source, "_history"):
        source = source._history()
    elif isinstance(source, Mapping) and isinstance(source.get("trace"), Mapping):
        source = source["trace"]
    if not isinstance(source, Mapping) or "nfev" not in source:
        raise TypeError(
            f"plot: {type(source).__name__} is not allowed: give a result of surefoot.minimize, an Optimizer, its trace, or "
            "the name of a trace file"
        )
    if len(source["nfev"]) == 0:
        raise ValueError("plot: there is nothing to draw yet: no generation is finished")
    return source


def read_trace(file: Any) -> Dict[str, np.ndarray]:
    """The columns of a trace file, as `surefoot minimize --trace` and minimize(trace=...) write it."""
    columns: Dict[str, list] = {}
    with open(file, encoding="utf-8") as text:
        lines = text.read().split("\n")
    count = 0
    for number, line in enumerate(lines[:-1], 1):  # an incomplete last line was cut off
        try:
            record = json.loads(line)
        except ValueError:
            raise ValueError(f"{os.fspath(file)}: line {number} is no JSON; is it a trace?") from None
        if isinstance(record, dict) and ("surefoot" in record or "end" in record):
            continue  # what the search was, and how it ended
        if not isinstance(record, dict) or "generation" not in record:
            raise ValueError(f"{os.fspath(file)}: line {number} is no record of a trace")
        count += 1
        for name, value in record.items():
            if not isinstance(value, list):  # failures and points; a measure that not every line has is NaN elsewhere
                column = columns.setdefault(name, [np.nan] * (count - 1))
                column.append(np.nan if value is None else value)
        for column in columns.values():
            column.extend([np.nan] * (count - len(column)))
    if not columns:
        raise ValueError(f"{os.fspath(file)}: there is nothing to draw yet: no generation is finished")
    return {name: np.array(values, dtype=float) for name, values in columns.items()}


def _line(axis: Any, trace: Mapping[str, np.ndarray], name: str, label: str, **style: Any) -> bool:
    """Draws a column if it has anything to show."""
    values = trace.get(name)
    if values is None or not np.isfinite(values).any():
        return False
    axis.plot(trace["nfev"], values, color=COLOURS[name], label=label, linewidth=1.4, **style)
    return True


def _logarithmic(axis: Any, title: str) -> None:
    axis.set_yscale("log")
    axis.set_title(title, loc="left", fontsize=11)
    if axis.get_legend_handles_labels()[0]:
        axis.legend(frameon=False, fontsize=9)


def _draw_values(axis: Any, trace: Mapping[str, np.ndarray]) -> None:
    both = above_lowest(np.concatenate([trace["best"], trace["generation_best"]]))
    count = len(trace["best"])
    shifted = not np.array_equal(both[:count], trace["best"], equal_nan=True)
    shown = {"nfev": trace["nfev"], "best": both[:count], "generation_best": both[count:]}
    shown = {name: np.where(values > 0, values, np.nan) for name, values in shown.items()}
    _line(axis, shown, "generation_best", "of the generation")
    _line(axis, shown, "best", "best so far")
    lowest = np.nanmin(trace["best"]) if shifted else 0.0
    _logarithmic(axis, f"f {'+' if lowest < 0 else '-'} {abs(lowest):.6g}" if shifted else "f")


def _draw_widths(axis: Any, trace: Mapping[str, np.ndarray]) -> None:
    lengths = trace.get("axes")
    if lengths is not None and len(lengths):
        at = np.interp(trace["axes_generation"], trace["generation"], trace["nfev"])
        lines = axis.plot(at, lengths, color=COLOURS["axes"], linewidth=0.8, alpha=0.6)
        lines[0].set_label("principal axes")
    _line(axis, trace, "sigma", "sigma")
    _logarithmic(axis, "standard deviations")


def _draw_rates(axis: Any, trace: Mapping[str, np.ndarray]) -> None:
    _line(axis, trace, "eta_m", "mean")
    _line(axis, trace, "eta_sigma", "step size")
    _line(axis, trace, "eta_B", "shape")
    _logarithmic(axis, "learning rates")


def _draw_path(axis: Any, trace: Mapping[str, np.ndarray]) -> None:
    drawn = _line(axis, trace, "l_theta", "length")
    _line(axis, trace, "gamma", "of a random ranking")
    if not drawn:
        axis.text(
            0.5,
            0.5,
            "not measured\n(the method keeps none, or\ntrace=True is missing)",
            ha="center",
            va="center",
            transform=axis.transAxes,
            color="#59616c",
        )
        axis.set_yticks([])
        axis.set_title("evolution path", loc="left", fontsize=11)
        return
    _logarithmic(axis, "evolution path")


def _mark_restarts(axis: Any, trace: Mapping[str, np.ndarray]) -> None:
    starts = np.flatnonzero(np.diff(trace.get("run", np.ones(1)))) + 1
    for start in starts:
        axis.axvline(trace["nfev"][start], color="#59616c", linewidth=0.7, linestyle=":")
