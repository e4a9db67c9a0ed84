"""Least squares: fits of parameters, in scipy's words."""

from __future__ import annotations

import inspect
import operator
import os
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _core
from ._arrays import as_floats, as_point
from ._bounds import as_sides
from ._evaluate import count_workers, make_evaluator
from ._outcome import NoNumber, Outcome, Values
from ._result import OptimizeResult

_STATUS = {"converged": 2, "max_nfev": 0, "failed": -1, "stuck": -2, "interrupted": -3, "": 0}
_IGNORED = ("jac", "xtol", "gtol", "diff_step", "tr_solver", "tr_options", "jac_sparsity", "verbose", "full_output")


class FitResult(OptimizeResult):
    """What `least_squares` returns: scipy's members, and errors of the parameters.

    x, cost, fun, jac, grad, optimality, active_mask, nfev, status, message, success: as scipy has them. cost is half of
        the sum of squares, fun has the residuals at x, jac their derivatives from the last model. njev is None.
    covariance, stderr, interval95, correlation: of the parameters, to first order. NaN where errors are not known, and
        `errors` says why. A parameter on a bound is held there: its error is 0.
    undetermined: combinations of parameters that the data hardly determine.
    noise: standard deviation of a residual's noise, if two evaluations of x0 differed; otherwise 0.
    runs, nfailed, params, stop: what each run has found, failed evaluations, x by name, and why the fit ended, in one
        word.
    """

    def __repr__(self) -> str:
        hidden = ("fun", "jac", "covariance", "correlation", "runs", "params", "njev", "interval95")
        shown = {key: value for key, value in self.items() if key not in hidden}
        width = max(map(len, shown)) if shown else 0
        return "\n".join(f"{key.rjust(width)}: {value!r}" for key, value in shown.items())

    __str__ = __repr__


def least_squares(
    fun: Callable[..., Any],
    x0: Any = None,
    jac: Any = None,
    bounds: Any = None,
    method: Optional[str] = None,
    ftol: Optional[float] = 1e-9,
    *,
    x_scale: Any = None,
    loss: str = "linear",
    f_scale: float = 1.0,
    max_nfev: Optional[int] = None,
    args: Any = (),
    kwargs: Optional[Dict[str, Any]] = None,
    sigma: Any = None,
    absolute_sigma: bool = False,
    noise: Any = "auto",
    workers: Any = 1,
    batch: Optional[int] = None,
    restarts: Optional[int] = None,
    names: Optional[Sequence[str]] = None,
    log: Any = None,
    seed: Optional[int] = None,
    checkpoint: Any = None,
    overwrite: bool = False,
    eval_timeout: Optional[float] = None,
    on_failure: str = "auto",
    on_interrupt: str = "return",
    **ignored: Any,
) -> FitResult:
    """Fits parameters to data: minimises the sum of squares of what `fun` returns.

    >>> import numpy as np, surefoot
    >>> t = np.linspace(0, 4, 20)
    >>> y = 3 * np.exp(-0.7 * t) + 0.01 * np.sin(40 * t)
    >>> r = surefoot.least_squares(lambda p: p[0] * np.exp(-p[1] * t) - y, [1, 1])
    >>> r.success, r.x.round(1).tolist(), r.nfev < 25
    (True, [3.0, 0.7], True)

    The call is scipy.optimize.least_squares', so the names can be exchanged. No derivatives are computed: every
    residual is modelled over all points that were evaluated, which takes few evaluations. Use it where one takes
    milliseconds or more, may fail, or is noisy; scipy's is faster where the function and its Jacobian cost
    microseconds.

    fun: called with an array of d numbers, `args` and `kwargs`; returns m residuals. NaN, infinity or an exception is a
        failed evaluation. An exception that the first evaluations all raise is a mistake and is raised.
    x0: the start; None, if all parameters have two bounds, begins at the best of four random points.
    bounds: scipy's pair (lower, upper), a Bounds, or pairs (low, high).
    x_scale: the scale on which each parameter changes the residuals; default: the width of its bounds, or else |x0|.
    loss, f_scale: as scipy has them: "linear", "soft_l1", "huber", "cauchy", "arctan".
    ftol: the fit has converged when no step promises to reduce the cost by this factor.
    max_nfev: evaluations, all of them counted; default: 100 d.
    sigma: standard deviations by which residuals are divided; absolute_sigma: they are the true ones, so errors are not
        scaled by the fit's own residuals.
    noise: "auto" evaluates x0 twice to see whether the function is noisy, "none" does not; or the deviation itself.
    workers: a number of processes, -1 for one per processor, or anything like map. batch: points evaluated at a time;
        default: the number of workers. The result depends on batch only.
    restarts: more runs from random points, for fits with local optima; -1: as many as max_nfev allows. Default: 0, or
        -1 without x0.
    names, log: names of the parameters; which of them are on a logarithmic scale.
    checkpoint: a file in which the fit is kept. An existing one is resumed; overwrite=True starts anew.
    on_interrupt: "return" gives the best so far on Ctrl-C, "raise" lets KeyboardInterrupt through.
    method and scipy's other options are accepted and ignored, as the message then says.
    """
    for name in ignored:
        if name not in _IGNORED:
            raise TypeError(f"least_squares() got an unexpected keyword argument {name!r}")
    if method not in (None, "trf", "dogbox", "lm"):
        raise ValueError(f"method = {method!r} is not allowed: scipy's are 'trf', 'dogbox' and 'lm'; all are ignored")
    if on_interrupt not in ("return", "raise"):
        raise ValueError(f"on_interrupt = {on_interrupt!r} is not allowed: it must be 'return' or 'raise'")
    given = [
        name for name, value in (("method", method), ("jac", jac)) if value is not None and str(value) != "2-point"
    ]
    given += sorted(name for name, value in ignored.items() if value is not None)
    note = "".join(f"; {name} was ignored" for name in given)
    start, options = _start(x0, bounds)
    options.update(_options(start, ftol, x_scale, loss, f_scale, max_nfev, sigma, absolute_sigma, noise, names, log))
    options["restarts"] = (-1 if x0 is None else 0) if restarts is None else operator.index(restarts)
    if seed is not None:
        options["seed"] = operator.index(seed)
    options["batch"] = _batch(workers) if batch is None else operator.index(batch)
    fit = _core.Fit(start, options)
    if checkpoint is not None:
        fit.keep_in(os.fspath(checkpoint), overwrite)
    named: Any = fun if not callable(fun) else _Residuals(fun, dict(kwargs or {}))
    evaluator = make_evaluator(
        named, args, workers=workers, vectorized=False, eval_timeout=eval_timeout, on_failure=on_failure
    )
    interrupted = False
    try:
        _run(fit, evaluator, on_failure == "auto")
    except KeyboardInterrupt:
        interrupted = True
        if on_interrupt == "raise":
            raise
    finally:
        evaluator.close()
        if checkpoint is not None:
            fit.save(True)
    return _result(fit.result(), options, interrupted, note)


def curve_fit(
    f: Callable[..., Any],
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    sigma: Any = None,
    absolute_sigma: bool = False,
    check_finite: Optional[bool] = None,
    bounds: Any = (-np.inf, np.inf),
    method: Optional[str] = None,
    jac: Any = None,
    *,
    full_output: bool = False,
    **options: Any,
) -> Tuple[Any, ...]:
    """Fits f(xdata, *parameters) to ydata and returns (popt, pcov), as scipy.optimize.curve_fit does.

    >>> import numpy as np, surefoot
    >>> t = np.linspace(0, 4, 20)
    >>> y = 2.5 * np.exp(-1.3 * t) + 0.5 + 0.01 * np.sin(40 * t)
    >>> popt, pcov = surefoot.curve_fit(lambda t, a, b, c: a * np.exp(-b * t) + c, t, y)
    >>> popt.round(1).tolist(), pcov.shape
    ([2.5, 1.3, 0.5], (3, 3))

    p0 is 1 for each parameter, or within the bounds. sigma has standard deviations of ydata or their covariance matrix.
    A parameter on a bound is held there: its variance is 0, where scipy's formula ignores the bound. The other options
    are those of `least_squares`; full_output adds its result.
    \\raises RuntimeError if the fit has not converged, ValueError for data that are not finite.
    """
    y = as_floats("ydata", ydata).ravel()
    x = xdata
    if isinstance(xdata, (list, tuple, np.ndarray)):
        x = np.asarray(xdata, float)
    if check_finite is not False:
        for name, data in (("ydata", y), ("xdata", x)):
            if isinstance(data, np.ndarray) and not np.isfinite(data).all():
                raise ValueError(f"{name}: it must not contain infs or NaNs")
    if y.size == 0:
        raise ValueError("ydata: it must not be empty")
    start = _first_guess(f, p0, bounds)
    if y.size != 1 and y.size < start.size:
        raise TypeError(
            f"The number of func parameters={start.size} must not exceed the number of data points={y.size}"
        )
    fun = _Curve(f, x, y, *_weights(sigma, y.size))
    if "maxfev" in options:
        options.setdefault("max_nfev", options.pop("maxfev"))
    for name in ("args", "kwargs"):
        if options.get(name):
            raise ValueError(f"'{name}' is not a supported keyword argument.")
    r = least_squares(fun, start, bounds=bounds, absolute_sigma=absolute_sigma, **options)
    if not r.success:
        raise RuntimeError(f"Optimal parameters not found: {r.message}")
    pcov = r.covariance
    if not np.isfinite(pcov).all():
        why = r.errors or f"the data hardly determine {', '.join(r.undetermined)}"
        warnings.warn(f"Covariance of the parameters could not be estimated: {why}", _warning(), stacklevel=2)
        pcov = np.full((start.size, start.size), np.inf)
    if not full_output:
        return r.x, pcov
    infodict = {"nfev": r.nfev, "fvec": r.fun, "fjac": r.jac, "result": r}
    return r.x, pcov, infodict, r.message, r.status


class NoResiduals(NoNumber, ValueError):
    """The function returned something that is no array of residuals: a mistake, not a failed evaluation."""


class _Residuals:
    """The function as evaluators call it. It can be sent to other processes if the user's function can."""

    def __init__(self, fun: Callable[..., Any], kwargs: Dict[str, Any]):
        self.fun = fun
        self.kwargs = kwargs
        self.__name__ = getattr(fun, "__name__", "residuals")

    def __call__(self, x: np.ndarray, *args: Any) -> Values:
        value = self.fun(x, *args, **self.kwargs)
        try:
            residuals = np.atleast_1d(as_floats("residuals", value))
        except (TypeError, ValueError) as error:
            raise NoResiduals(f"the function returned {_short(value)}: it must return an array of residuals") from error
        if residuals.ndim != 1 or residuals.size == 0:
            raise NoResiduals(f"the function returned an array of shape {residuals.shape}: it must have one dimension")
        return Values(residuals.tolist())


class _Curve:
    """The weighted residuals of a curve."""

    def __init__(self, f: Callable[..., Any], x: Any, y: np.ndarray, divisor: Any, factor: Any):
        self.f, self.x, self.y, self.divisor, self.factor = f, x, y, divisor, factor

    def __call__(self, p: np.ndarray) -> Any:
        r = np.asarray(self.f(self.x, *p), float)
        r = r.ravel() if r.ndim > 1 else r
        r = r - self.y
        if self.factor is not None:
            return np.linalg.solve(self.factor, r)
        return r if self.divisor is None else r / self.divisor


class _Round:
    """One round of points on its way to residuals: what evaluators need of a search."""

    def __init__(self, size: int):
        self.rows: List[Optional[np.ndarray]] = [None] * size
        self.failures: List[Tuple[str, str]] = []

    def _set(self, candidate: int, value: Any) -> None:
        self.rows[candidate] = np.array(value)

    def _fail(self, candidate: int, kind: str, reason: str) -> None:
        self.failures.append((kind, reason))

    def _took(self, candidate: int, seconds: float, worker: int) -> None:
        pass

    def _is_cancelled(self) -> bool:
        return False

    def table(self) -> np.ndarray:
        """One row per point; NaN where the evaluation failed."""
        sizes = {row.size for row in self.rows if row is not None}
        if len(sizes) > 1:
            raise ValueError(f"residuals: their number must not change; it was {' and '.join(map(str, sorted(sizes)))}")
        table = np.full((len(self.rows), sizes.pop() if sizes else 0), np.nan)
        for row, values in zip(table, self.rows):
            if values is not None:
                row[:] = values
        return table


def _run(fit: Any, evaluator: Any, raises_common_error: bool) -> None:
    errors: List[Outcome] = []  # as long as nothing has worked
    has_worked = False
    while not fit.is_finished():
        points = fit.ask()
        evaluator.begin()
        told = _Round(len(points))
        evaluator.evaluate(told, points.copy(), list(range(len(points))))
        table = told.table()
        has_worked = has_worked or bool(table.shape[1] and np.isfinite(table).all(axis=1).any())
        errors = [] if has_worked else errors + evaluator._errors
        if raises_common_error and errors:
            _raise_mistake(errors)
        fit.tell(table)
        fit.save(False)


def _raise_mistake(errors: List[Outcome]) -> None:
    """Raises what all evaluations raised, if there were some and none has ever worked."""
    first = errors[0]
    is_mistake = isinstance(first.error, (NameError, TypeError, AttributeError))
    is_common = len({(outcome.kind, outcome.reason) for outcome in errors}) == 1
    if is_common and (is_mistake or (first.kind == "exception" and len(errors) > 2)):
        first.throw()


def _start(x0: Any, bounds: Any) -> Tuple[np.ndarray, Dict[str, Any]]:
    if x0 is None:
        sides = _sides_of_pair(bounds, None)
        if sides is None or not np.isfinite(sides).all():
            raise ValueError("x0 is missing: give a start point, or two finite bounds for each parameter")
        lower, upper = sides
        return lower + (upper - lower) / 2, {"lower": lower, "upper": upper, "starts_at_x0": False}
    start = as_point("x0", x0)
    sides = _sides_of_pair(bounds, len(start))
    return start, {} if sides is None else {"lower": sides[0], "upper": sides[1]}


def _sides_of_pair(bounds: Any, dimension: Optional[int]) -> Optional[Tuple[np.ndarray, np.ndarray]]:
    """scipy's least_squares reads two items as (lower, upper), its minimize as pairs; a tuple of two is the former."""
    if bounds is None:
        return None
    if hasattr(bounds, "lb") or hasattr(bounds, "keep_feasible"):
        lower, upper = bounds.lb, bounds.ub
    else:
        bounds = list(bounds)
        if len(bounds) != 2 and (dimension is None or len(bounds) == dimension):
            return as_sides(bounds, len(bounds))
        if len(bounds) != 2:
            raise ValueError("bounds: give (lower, upper), a scipy.optimize.Bounds, or a pair for each parameter")
        lower, upper = bounds
    lower, upper = (np.atleast_1d(as_floats("bounds", side)) for side in (lower, upper))
    size = max(lower.size, upper.size) if dimension is None else dimension
    return as_sides([lower, upper] if size != 2 else list(zip(*(_wide(side, 2) for side in (lower, upper)))), size)


def _wide(side: np.ndarray, size: int) -> np.ndarray:
    return np.full(size, side[0]) if side.size == 1 else side


def _options(
    start: np.ndarray,
    ftol: Optional[float],
    x_scale: Any,
    loss: str,
    f_scale: float,
    max_nfev: Optional[int],
    sigma: Any,
    absolute_sigma: bool,
    noise: Any,
    names: Optional[Sequence[str]],
    log: Any,
) -> Dict[str, Any]:
    options: Dict[str, Any] = {
        "ftol": 0.0 if ftol is None else float(ftol),
        "loss": _loss(loss),
        "loss_scale": float(f_scale),
        "absolute_sigma": bool(absolute_sigma),
        "noise": noise if isinstance(noise, str) else repr(float(noise)),
    }
    if max_nfev is not None:
        if max_nfev < 1:
            raise ValueError(f"max_nfev = {max_nfev!r} is not allowed: it must be at least 1")
        options["max_nfev"] = int(max_nfev)
    if sigma is not None:
        options["sigma"] = np.atleast_1d(as_floats("sigma", sigma))
    if x_scale is not None and not isinstance(x_scale, str):
        scale = np.atleast_1d(as_floats("x_scale", x_scale))
        options["sigma0"] = np.broadcast_to(scale, start.shape).copy() / 4
    elif isinstance(x_scale, str) and x_scale != "jac":
        raise ValueError(f"x_scale = {x_scale!r} is not allowed: give 'jac' or positive numbers")
    if names is not None:
        options["names"] = [str(name) for name in names]
    if log is not None:
        options["log"] = [bool(is_log) for is_log in np.broadcast_to(log, start.shape)]
    return options


def _loss(loss: Any) -> str:
    if not isinstance(loss, str):
        raise ValueError("loss: a callable is not allowed; give 'linear', 'soft_l1', 'huber', 'cauchy' or 'arctan'")
    return loss


def _batch(workers: Any) -> int:
    count = count_workers(workers)
    if count is None:
        raise ValueError(f"batch is missing: with workers = {workers!r} give the number of points evaluated at a time")
    return count


def _result(found: Dict[str, Any], options: Dict[str, Any], interrupted: bool, note: str) -> FitResult:
    d = len(found["x"])
    is_known = len(found["deviations"]) > 0
    unknown = np.full((d, d), np.nan)
    stop = "interrupted" if interrupted else found["stop"]
    message = ("interrupted" if interrupted else found["message"]) + note
    grad = found["gradient"] if len(found["gradient"]) else np.full(d, np.nan)
    names = options.get("names") or [f"x{i}" for i in range(d)]
    return FitResult(
        x=found["x"],
        cost=found["f"] / 2,
        fun=found["residuals"],
        jac=found["jacobian"],
        grad=grad,
        optimality=_optimality(found["x"], grad, options),
        active_mask=np.array(found["active"], dtype=int),
        nfev=found["nfev"],
        njev=None,
        status=_STATUS[stop],
        message=message,
        success=found["success"] and not interrupted,
        covariance=found["covariance"] if is_known else unknown,
        stderr=found["deviations"] if is_known else np.full(d, np.nan),
        interval95=found["intervals"] if is_known else np.full((d, 2), np.nan),
        correlation=found["correlation"] if is_known else unknown.copy(),
        errors=found["no_errors"],
        undetermined=found["undetermined"],
        noise=float(np.sqrt(found["noise_variance"])),
        runs=found["runs"],
        nfailed=found["nfailed"],
        params=dict(zip(names, map(float, found["x"]))),
        stop=stop,
    )


def _optimality(x: np.ndarray, grad: np.ndarray, options: Dict[str, Any]) -> float:
    """The largest part of the gradient, scaled by the distance to the bound that it points to, as scipy does."""
    scale = np.ones(len(x))
    if "upper" in options:
        falls_up = (grad < 0) & np.isfinite(options["upper"])
        falls_down = (grad > 0) & np.isfinite(options["lower"])
        scale[falls_up] = (options["upper"] - x)[falls_up]
        scale[falls_down] = (x - options["lower"])[falls_down]
    return float(np.abs(grad * scale).max())


def _first_guess(f: Callable[..., Any], p0: Any, bounds: Any) -> np.ndarray:
    if p0 is not None:
        return as_point("p0", p0)
    names = list(inspect.signature(f).parameters.values())
    if any(name.kind == name.VAR_POSITIONAL for name in names) or len(names) < 2:
        raise ValueError("Unable to determine number of fit parameters: give p0")
    start = np.ones(len(names) - 1)
    sides = _sides_of_pair(bounds, len(start))
    if sides is None:
        return start
    lower, upper = sides
    has_lower, has_upper = np.isfinite(lower), np.isfinite(upper)
    both = has_lower & has_upper
    start[both] = lower[both] + (upper[both] - lower[both]) / 2
    start[has_lower & ~has_upper] = lower[has_lower & ~has_upper] + 1
    start[has_upper & ~has_lower] = upper[has_upper & ~has_lower] - 1
    return start


def _weights(sigma: Any, size: int) -> Tuple[Any, Any]:
    """Standard deviations to divide by, or Cholesky's factor of a covariance matrix."""
    if sigma is None:
        return None, None
    values = as_floats("sigma", sigma)
    if values.shape in ((size,), (), (1,)):
        if not (values > 0).all():
            raise ValueError("sigma: standard deviations must be positive")
        return values, None
    if values.shape == (size, size):
        try:
            return None, np.linalg.cholesky(values)
        except np.linalg.LinAlgError:
            raise ValueError("sigma: the covariance matrix must be positive definite") from None
    raise ValueError(f"sigma: an array of shape {values.shape} is not allowed: `sigma` has incorrect shape")


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _warning() -> Any:
    try:
        from scipy.optimize import OptimizeWarning
    except ImportError:
        return RuntimeWarning
    return OptimizeWarning
