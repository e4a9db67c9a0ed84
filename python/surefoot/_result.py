"""The result of a search in scipy's form."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np

from . import _html

try:
    from scipy.optimize import OptimizeResult
except ImportError:

    class OptimizeResult(dict):  # type: ignore[no-redef]
        """A substitute without scipy: a dict whose keys are attributes too."""

        def __getattr__(self, name: str) -> Any:
            try:
                return self[name]
            except KeyError:
                raise AttributeError(name) from None

        __setattr__ = dict.__setitem__  # type: ignore[assignment]
        __delattr__ = dict.__delitem__  # type: ignore[assignment]

        def __dir__(self) -> List[str]:
            return list(self.keys())


class Result(OptimizeResult):
    """A scipy.optimize.OptimizeResult that a notebook shows as a table with a picture.

    x, fun: best point evaluated and its value; under noise x is where the minimum seems to be and fun the mean of fresh
        evaluations there.
    fun_std: the standard error of fun: 0 where no noise was noticed, NaN where x was not measured.
    noise: the standard deviation of the noise of fun's values; 0 where none was noticed.
    lowest_fun, lowest_x: the lowest single value and where it was; under noise repeats give more.
    success: ftarget reached or, without ftarget, converged at x.
    message: why the search stopped, with the numbers; stop: the same in one word; status: its number.
    nfev, nfailed, nit: evaluations, failed ones among them, generations.
    xfavorite: mean of the distribution of the run that found x, often better than x under noise.
    stds, covariance: standard deviation of each coordinate and the covariance there; the covariance is None for more
        than 1000 parameters.
    last_run_mean, last_run_stds: the mean and standard deviations of the last run, which may have searched elsewhere.
    params: the best point by the names of its parameters.
    state: the search itself, for warm_start; only with a space.
    feasible, violation: whether x meets all constraints, and the sum of what it violates.
    g, h: values of inequalities and equalities at x; constraint_names: their names; multipliers: one for each of them, if
        the run that found x has them; ncev: evaluations of constraints. Only with constraints.
    runs: one dict for each run of a search with restarts.
    failures: one dict for each kind of failure: kind, count, and reason, x and params of the last one. trace["failures"]
        has every failed attempt.
    seed: the seed, also if it was drawn.
    trace: columns of what was recorded, a dict of arrays.

    >>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3], 1, ftarget=1e-6, seed=1)
    >>> r.success, r.stop, list(r.params), r.covariance.shape, r.failures
    (True, 'ftarget', ['x0', 'x1'], (2, 2), [])
    """

    x: np.ndarray
    fun: float
    fun_std: float
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
    last_run_mean: np.ndarray
    last_run_stds: np.ndarray
    params: Dict[str, Any]
    state: bytes
    feasible: bool
    violation: float
    g: np.ndarray
    h: np.ndarray
    multipliers: np.ndarray
    constraint_names: List[str]
    ncev: int
    runs: List[Dict[str, Any]]
    failures: List[Dict[str, Any]]
    noise: float
    lowest_fun: float
    lowest_x: np.ndarray
    seed: int
    trace: Dict[str, np.ndarray]

    def __repr__(self) -> str:
        hidden = ["trace", "runs", "covariance", "last_run_mean", "last_run_stds", "state", "failures"]
        hidden += ["lowest_x"] if self.get("noise") else ["fun_std", "noise", "lowest_fun", "lowest_x"]
        if "state" not in self:
            hidden.append("params")  # x has no names
        shown: Dict[str, Any] = {key: value for key, value in self.items() if key not in hidden}
        if self.get("failures"):
            shown["failures"] = ", ".join(f"{failure['count']} {failure['kind']}" for failure in self["failures"])
        if len(self.get("runs", ())) > 1:
            shown["runs"] = len(self["runs"])
        width = max(map(len, shown)) if shown else 0
        return "\n".join(f"{key.rjust(width)}: {value!r}" for key, value in shown.items())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return _html.result(self)
