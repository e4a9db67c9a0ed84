"""The result of a search in scipy's form."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np
from scipy.optimize import OptimizeResult

from . import _html


class Result(OptimizeResult):
    """A scipy.optimize.OptimizeResult that a notebook shows as a table with a picture.

    x, fun: best point evaluated and its value.
    success: ftarget reached or, without ftarget, converged at x.
    message: why the search stopped, with the numbers; stop: the same in one word; status: its number.
    nfev, nfailed, nit: evaluations, failed ones among them, generations.
    params: x by name, if the search has a space.
    xfavorite: mean of the distribution, often better than x under noise.
    stds: standard deviation of each coordinate.
    covariance: of the distribution at the end; None for more than 1000 parameters.
    params: the best point by the names of its parameters.
    runs: one dict for each run of a search with restarts.
    seed: the seed, also if it was drawn.
    trace: columns of what was recorded, a dict of arrays.
    """

    x: np.ndarray
    fun: float
    success: bool
    status: int
    stop: str
    message: str
    nfev: int
    nfailed: int
    nit: int
    xfavorite: np.ndarray
    stds: np.ndarray
    covariance: Optional[np.ndarray]
    params: Dict[str, float]
    runs: List[Dict[str, Any]]
    seed: int
    trace: Dict[str, np.ndarray]

    def __repr__(self) -> str:
        hidden = ("trace", "runs", "covariance", "params")
        shown: Dict[str, Any] = {key: value for key, value in self.items() if key not in hidden}
        if len(self.get("runs", ())) > 1:
            shown["runs"] = len(self["runs"])
        width = max(map(len, shown)) if shown else 0
        return "\n".join(f"{key.rjust(width)}: {value!r}" for key, value in shown.items())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return _html.result(self)
