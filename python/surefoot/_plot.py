"""Figures of a search: is it converging, how wide does it search, does the ranking carry information."""

from __future__ import annotations

import json
import os
import re
from functools import partial
from typing import Any, Callable, Dict, List, Mapping

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

_PLACE = ("x", "mean", "stds")
_MOST_PANELS = 12  # of parameters by name

# What the first figures show, and what is not a quantity of a search.
_KNOWN = (
    *COLOURS,
    "generation",
    "nfev",
    "condition",
    "run",
    "popsize",
    "axes_generation",
    "place_generation",
    "seconds",
    "utilisation",
)


def plot(result_or_trace: Any, figure: Any = None) -> Any:
    """Draws a result, a search, a trace (a dict of columns) or a trace file, and returns the matplotlib figure.

    >>> import matplotlib; matplotlib.use("agg")
    >>> import surefoot
    >>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3, 3], 2, seed=1)
    >>> [axis.get_title(loc="left") for axis in surefoot.plot(r).axes]
    ['f', 'standard deviations', 'learning rates', 'parameters: mean', 'kappa']

    The panels show the best value of the search and of each generation; step size and standard deviations along the
    principal axes; learning rates; the mean of each parameter; and the length of the evolution path beside that of a
    random ranking, where the method has one; trace=True measures it where the method does not need it. Each of the
    first 12 parameters of a space has a panel: mean, standard deviation around it and best value. Each measure of this
    method alone has a panel too. `figure` is one to draw into; an empty one gets the size that the panels need.

    A search that was resumed shows the generations before if it keeps a trace file; otherwise the first title says at
    which evaluation the picture begins.
    """
    trace = _trace_of(result_or_trace)
    parameters = _parameters(result_or_trace, trace)
    panels = _panels(trace, _titles(trace, _constraint_names(result_or_trace)), parameters)
    rows = (len(panels) + 1) // 2
    if figure is None:
        import matplotlib.pyplot as plt

        figure = plt.figure(layout="constrained")
    if not callable(getattr(figure, "subplots", None)):
        raise TypeError(f"plot: figure = {figure!r} is not allowed: it must be a Figure or a SubFigure of matplotlib")
    if not figure.axes and hasattr(figure, "set_size_inches"):  # a SubFigure has the size that it has
        figure.set_size_inches(10, 0.6 + 2.9 * rows)
    grid = figure.subplots(rows, 2, sharex=True, squeeze=False)
    for axis, draw in zip(grid.flat, panels):
        draw(axis, trace)
    if len(panels) % 2:
        figure.delaxes(grid[-1, 1])
    for axis in (grid[-1, 0], grid[rows - 1 - len(panels) % 2, 1]):
        axis.tick_params(labelbottom=True)
        axis.set_xlabel("evaluations")
    for axis in figure.axes:
        _mark_restarts(axis, trace)
        axis.grid(True, color="#e7e9ec", linewidth=0.7)
        axis.set_axisbelow(True)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    return figure


def _constraint_names(source: Any) -> List[str]:
    """The user's names of the constraints, if the source has them."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, encoding="utf-8") as text:
            first = json.loads(text.readline())
        names = first.get("about", {}).get("constraints", [])
    elif hasattr(source, "_result"):
        names = source._result().get("constraint_names", [])
    else:
        names = source.get("constraint_names", [])
    return list(names)


def _titles(trace: Mapping[str, np.ndarray], names: List[str]) -> Dict[str, str]:
    """Columns whose titles are not their names: those of constraints, which are called g[0], ..., h[0] in every trace."""
    inequalities = sum(1 for name in trace if re.fullmatch(r"g\[\d+\]", name))
    symbols = [f"g[{i}]" if i < inequalities else f"h[{i - inequalities}]" for i in range(len(names))]
    return {before + s: before + name for s, name in zip(symbols, names) for before in ("", "multiplier ", "penalty ")}


def _panels(
    trace: Mapping[str, np.ndarray], titles: Mapping[str, str], parameters: List[Dict[str, Any]]
) -> List[Callable[..., None]]:
    """What has something to show, each drawn by a function of axis and trace."""
    panels: List[Callable[..., None]] = [_draw_values, _draw_widths, _draw_rates, *_parameter_panels(trace, parameters)]
    if any(_is_drawn(np.asarray(trace.get(name, []))) for name in ("l_theta", "gamma")):
        panels.append(_draw_path)
    return panels + [partial(_draw_other, name=name, title=titles.get(name, name)) for name in _other_names(trace)]


def _parameters(source: Any, trace: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """Name, kind and choices of each parameter, as the first line of a trace has them; the first ones."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, encoding="utf-8") as text:
            about = json.loads(text.readline()).get("about", {})
        names, kinds, choices = about.get("names", []), about.get("kinds", []), about.get("choices", {})
        return [
            {"name": name, "kind": kinds[j] if j < len(kinds) else "", "choices": choices.get(name)}
            for j, name in enumerate(names)
        ]
    return source._parameters() if hasattr(source, "_parameters") else list(trace.get("parameters", []))


def _parameter_panels(trace: Mapping[str, Any], parameters: List[Dict[str, Any]]) -> List[Callable[..., None]]:
    """One panel for all coordinates of a point, or one for each parameter of a space."""
    mean = np.asarray(trace.get("mean", []))
    if mean.ndim != 2 or mean.size == 0:
        return []
    if not any(parameter["kind"] for parameter in parameters):
        return [partial(_draw_means, names=[parameter["name"] for parameter in parameters])]
    shown = [(j, p) for j, p in enumerate(parameters[: mean.shape[1]]) if p["kind"] != "fixed"]
    return [partial(_draw_parameter, j=j, parameter=parameter) for j, parameter in shown[:_MOST_PANELS]]


def _evaluations_at(trace: Mapping[str, Any]) -> np.ndarray:
    """Of the generations whose places are known."""
    return np.interp(trace["place_generation"], trace["generation"], trace["nfev"])


def _draw_means(axis: Any, trace: Mapping[str, Any], names: List[str]) -> None:
    mean = np.asarray(trace["mean"])
    at = _evaluations_at(trace)
    for j in range(mean.shape[1]):
        axis.plot(at, mean[:, j], linewidth=1.2, label=names[j] if j < len(names) else f"x{j}")
    finite = np.abs(mean[-1][np.isfinite(mean[-1]) & (mean[-1] != 0)])
    if finite.size and finite.max() > 1e3 * finite.min() and finite.max() > 10:
        axis.set_yscale("symlog")  # coordinates of very different sizes
    more = len(names) > mean.shape[1]
    axis.set_title(f"parameters: mean{f' of the first {mean.shape[1]}' if more else ''}", loc="left", fontsize=11)
    if mean.shape[1] <= 8:
        axis.legend(frameon=False, fontsize=9)


def _draw_parameter(axis: Any, trace: Mapping[str, Any], j: int, parameter: Mapping[str, Any]) -> None:
    best, mean, std = (np.asarray(trace[name])[:, j] for name in _PLACE)
    at = _evaluations_at(trace)
    axis.set_title(parameter["name"], loc="left", fontsize=11)
    choices = parameter["choices"]
    if choices is not None:
        axis.step(at, mean, where="post", color=COLOURS["sigma"], linewidth=1.4, label="likeliest")
        axis.step(at, best, where="post", color=COLOURS["best"], linewidth=1, linestyle="--", label="best")
        axis.set_yticks(range(len(choices)), [str(choice) for choice in choices])
    else:
        is_log = parameter["kind"].endswith(" log")
        low, high = (mean / std, mean * std) if is_log else (mean - std, mean + std)
        axis.fill_between(at, low, high, color=COLOURS["sigma"], alpha=0.2, linewidth=0)
        axis.plot(at, mean, color=COLOURS["sigma"], linewidth=1.4, label="mean")
        axis.plot(at, best, color=COLOURS["best"], linewidth=1, linestyle="--", label="best")
        if is_log:
            axis.set_yscale("log")
    axis.legend(frameon=False, fontsize=9)


def _other_names(trace: Mapping[str, np.ndarray]) -> List[str]:
    """Columns of numbers that only this method has."""
    return [name for name, values in trace.items() if name not in _KNOWN and _is_drawn(np.asarray(values))]


def _is_drawn(values: np.ndarray) -> bool:
    return values.ndim == 1 and values.dtype.kind in "biuf" and bool(np.isfinite(values).any())


def _draw_other(axis: Any, trace: Mapping[str, np.ndarray], name: str, title: str) -> None:
    values = np.asarray(trace[name])
    axis.plot(trace["nfev"], values, color=COLOURS["sigma"], linewidth=1.4)
    if np.nanmin(values) > 0:
        axis.set_yscale("log")
    axis.set_title(title, loc="left", fontsize=11)


def _trace_of(source: Any) -> Mapping[str, np.ndarray]:
    if isinstance(source, (str, os.PathLike)):
        return read_places(source)
    if hasattr(source, "_history"):
        source = source._history()
    elif isinstance(source, Mapping) and isinstance(source.get("trace"), Mapping):
        source = source["trace"]
    if not isinstance(source, Mapping) or np.ndim(source.get("nfev", 0)) != 1:
        raise TypeError(
            f"plot: {type(source).__name__} is not allowed: give a result of surefoot.minimize, an Optimizer, its trace, or "
            "the name of a trace file"
        )
    if len(source["nfev"]) == 0:
        raise ValueError("plot: there is nothing to draw yet: no generation is finished")
    return source


def read_trace(file: Any) -> Dict[str, np.ndarray]:
    """The columns of a trace file, as `surefoot minimize --trace` and minimize(trace=...) write it.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "run.jsonl")
    >>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3], 1, maxfevals=50, seed=1, trace=path)
    >>> surefoot.read_trace(path)["nfev"][-1]
    50.0
    """
    return _columns(file, _records(file))


def read_places(file: Any) -> Dict[str, np.ndarray]:
    """The same, with the places of the search: `place_generation`, and one row each in `x`, `mean` and `stds`."""
    records = _records(file)
    columns = _columns(file, records)
    widths = {len(record["mean"]) for record in records if all(isinstance(record.get(key), list) for key in _PLACE)}
    known = [r for r in records if len(widths) == 1 and all(len(r.get(key) or ()) in widths for key in _PLACE)]
    columns["place_generation"] = np.array([record["generation"] for record in known], dtype=float)
    for key in _PLACE:
        columns[key] = np.array([record[key] for record in known], dtype=float).reshape(len(known), -1)
    return columns


def _records(file: Any) -> List[Dict[str, Any]]:
    with open(file, encoding="utf-8") as text:
        lines = text.read().split("\n")
    records = []
    for number, line in enumerate(lines[:-1], 1):  # an incomplete last line was cut off
        try:
            record = json.loads(line)
        except ValueError:
            raise ValueError(f"{os.fspath(file)}: line {number} is not JSON; is it a trace?") from None
        if not isinstance(record, dict) or "generation" not in record:
            raise ValueError(f"{os.fspath(file)}: line {number} is not a record of a trace")
        records.append(record)
    return records


def _columns(file: Any, records: List[Dict[str, Any]]) -> Dict[str, np.ndarray]:
    columns: Dict[str, list] = {}
    for count, record in enumerate(records, 1):
        for name, value in record.items():
            # Neither failures and points nor what the first and the last line tell about the search. A measure that not
            # every line has is NaN elsewhere.
            if value is None or isinstance(value, (int, float)):
                column = columns.setdefault(name, [np.nan] * (count - 1))
                column.append(np.nan if value is None else value)
        for column in columns.values():
            column.extend([np.nan] * (count - len(column)))
    if not columns:
        raise ValueError(f"{os.fspath(file)}: there is nothing to draw yet: no generation is finished")
    return {name: np.array(values, dtype=float) for name, values in columns.items()}


def joined(earlier: Mapping[str, Any], own: Mapping[str, Any], first: float) -> Dict[str, Any]:
    """The history of a search with the generations before `first` from its trace."""
    is_earlier = np.asarray(earlier["generation"]) < first
    count = len(own["generation"])
    history = dict(own)
    for name in [*own, *earlier]:
        if name in ("axes", "axes_generation", "failures", "place_generation", "seconds", "utilisation", *_PLACE):
            continue
        before = earlier.get(name, np.full(len(is_earlier), np.nan))[is_earlier]
        history[name] = np.concatenate([before, own.get(name, np.full(count, np.nan))])
    is_place = np.asarray(earlier["place_generation"]) < first
    history["place_generation"] = np.concatenate([earlier["place_generation"][is_place], own["place_generation"]])
    for name in _PLACE:
        before = earlier[name][is_place]
        history[name] = np.concatenate([before, own[name].reshape(-1, before.shape[1])]) if len(before) else own[name]
    return history


def _line(axis: Any, trace: Mapping[str, np.ndarray], name: str, label: str, **style: Any) -> bool:
    """Draws a column if it holds finite values."""
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
    title = f"f {'+' if lowest < 0 else '-'} {abs(lowest):.6g}" if shifted else "f"
    if trace["generation"][0] > 1:
        title += f", resumed after {trace['nfev'][0]:.0f} evaluations"
    _logarithmic(axis, title)


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
    _line(axis, trace, "l_theta", "length")
    _line(axis, trace, "gamma", "of a random ranking")
    _logarithmic(axis, "evolution path")


def _mark_restarts(axis: Any, trace: Mapping[str, np.ndarray]) -> None:
    starts = np.flatnonzero(np.diff(trace.get("run", np.ones(1)))) + 1
    for start in starts:
        axis.axvline(trace["nfev"][start], color="#59616c", linewidth=0.7, linestyle=":")
