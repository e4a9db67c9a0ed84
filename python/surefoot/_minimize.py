"""One call that minimises."""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple

import numpy as np

from ._bounds import as_sides, listed
from ._evaluate import count_workers
from ._optimizer import BatchOptimizer, Optimizer
from ._options import AllOptions, LoopOptions, SearchOptions, completed, names, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack


@shows(AllOptions)
def minimize(fun: Callable[..., Any], x0: Any = None, sigma0: Any = None, **options: Unpack[AllOptions]) -> Any:
    """Minimises `fun` and returns a scipy.optimize.OptimizeResult.

    >>> import surefoot
    >>> def f(x):
    ...     return (x[0] - 1) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    >>> r = surefoot.minimize(f, [-1, 2], 0.5, ftarget=1e-8, seed=1)
    >>> r.success, r.x.round(3).tolist()
    (True, [1.0, 1.0])
    >>> r.message                                                            # doctest: +ELLIPSIS
    'target reached: f = ... <= ftarget = 1e-08'

    Give a budget (maxfevals or timeout) or a target (ftarget). Without any of them a search continues to the last
    digits. A maxfevals of at most 2000 d brings a model too, which saves most of the evaluations:

    >>> surefoot.minimize(f, [-1, 2], 0.5, seed=1).nfev > 5 * surefoot.minimize(f, [-1, 2], 0.5, maxfevals=60).nfev
    True

    fun: called with an array of d numbers and `args`, returns a number. NaN or an exception is a failed evaluation: the
        candidate ranks behind all others, and result.trace["failures"] has the reason. If all evaluations raise the
        same exception before one has worked, it is raised (on_failure="rank-last" never raises, "raise" raises at once).
        +inf means that x is infeasible.
    x0, sigma0: the start point, and the standard deviation around it, one number or one per coordinate. A good sigma0
        is about a quarter of the range in which you expect the optimum. The default is a quarter of the bounds' width
        where a coordinate has two bounds, else a quarter of |x0|, or 1/4 where x0 is 0; the message then says so.
    space: named parameters instead of x0, as {"rate": surefoot.Real(1e-5, 0.1, log=True), "layers":
        surefoot.Integer(1, 8), "kind": surefoot.Choice("relu", "tanh")}. fun is then called with keyword arguments if
        it has parameters of all these names, otherwise with one dict; result.params has the best values by name.
    bounds: pairs (low, high) as in scipy, a scipy.optimize.Bounds, or [lower, upper]. With two coordinates a list of
        two pairs is read as scipy does.
    maxfevals, timeout, ftarget: stop after this many evaluations, after this many seconds, or once f <= ftarget.
    constraints: functions whose values must not be above 0, scipy's NonlinearConstraint and LinearConstraint or its
        dicts (in which {"type": "ineq"} means fun(x) >= 0), one or a list of them; or the number of values g that fun
        itself returns as (f, g). `equalities` is the number of h in (f, g, h). result.feasible, result.violation,
        result.g, result.h and result.multipliers describe the best point; docs/how-to/constraints.md has the rules.
    vectorized: fun gets the whole population, one candidate per row, and returns one value for each.
    workers: the number of processes, -1 for one per processor, or anything like map: an executor's map, a pool, a Dask
        client. The result is the same for all of them.
    seed: the same seed gives the same result, to the last bit.
    evaluate_x0, inject: the start point and the points of `inject` are evaluated first; the search starts at the best.
    learning_rate: a policy of xnes and snes, as "lra" or "fixed:8", or a class (docs/how-to/own-methods.md).
    mixing: a population keeps points of the last one with their values, and at least this share is evaluated anew. For
        smooth functions without noise: see docs/reference/methods.md.
    model: "quadratic" saves evaluations with a model of the function, "none" saves the model's time. "auto" takes the
        model if maxfevals is at most 2000 d, or if evaluation_seconds says that an evaluation is expensive.
    evaluation_seconds: about how long one evaluation takes. It need not be exact: 1e-3 and 60 make the same search.
    noise: "auto" notices if values at the same point differ, searches accordingly and measures the returned x; "none"
        takes every value as exact; a number is the known standard deviation (docs/how-to/noise.md).
    batch: with a model, the number of evaluations at a time is a multiple of it; "auto" is the number of workers.
    restarts: "ipop", "bipop" or "same", with a number as in "ipop:5"; a number alone means ipop. "auto" restarts a
        search that has a target or a budget until it is met or 9 restarts are used; "bipop:30" allows more. "none" or
        None makes a single run.
    callback: called once per generation with the result so far. The search stops if it returns true or raises
        StopIteration. If it returns a text, the message begins with it, and `result.stop` is "requested".
    trace: True keeps everything that can be measured in result.trace; a file's name writes it there, in the format of
        the command line.
    log: a file, .csv or .jsonl, with one row per evaluation; `surefoot.read_log` reads it.
    warm_start: a result, a checkpoint's file name or a pair (mean, covariance) instead of x0 and sigma0.
    disp: True prints a table; "live" draws the search in a notebook, whose stop button ends it with the best so far.
    on_interrupt: on Ctrl-C "return" returns the best so far, "raise" raises KeyboardInterrupt.
    checkpoint: a file that keeps the search. An existing one is resumed, so just run the program again after an
        interruption. A search with another start or other options is refused, but fun is not compared; overwrite=True
        starts anew.
    docs/reference/options.md has the other options.
    """
    given = completed("minimize", AllOptions, options)
    if given["batch"] == "auto":
        given["batch"] = _batch(given["workers"])
    kind = BatchOptimizer if given["vectorized"] else Optimizer
    search = kind(x0, sigma0, **{name: given[name] for name in names(SearchOptions)})
    return search.optimize(fun, **{name: given[name] for name in names(LoopOptions)})


def _batch(workers: Any) -> int:
    """The number of workers, if they are counted."""
    count = count_workers(workers)
    if count is None:
        raise ValueError(f"batch = 'auto' is not allowed with workers = {workers!r}: give a number")
    return count


def method(
    fun: Callable[..., Any],
    x0: Any,
    args: Any = (),
    *,
    bounds: Any = None,
    callback: Any = None,
    constraints: Any = (),
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    tol: Optional[float] = None,
    maxfev: Optional[int] = None,
    **options: Any,
) -> Any:
    """For scipy.optimize.minimize(fun, x0, method=surefoot.method), perhaps with options={"sigma0": 0.5}.

    >>> from scipy.optimize import minimize, rosen
    >>> r = minimize(rosen, [0, 0, 0], method=surefoot.method, options={"sigma0": 0.5, "seed": 1})
    >>> r.success, r.x.round(6).tolist()
    (True, [1.0, 1.0, 1.0])

    `options` are those of surefoot.minimize. scipy's tol sets tolx and tolfun. Its maxfev is maxfevals, but a limit
    rather than a budget: without `restarts` the search ends when it has converged. Derivatives are not used; scipy's
    constraints are. An x0 outside the bounds is moved to the nearest point inside, with a warning, as scipy's methods
    do; bounds that fix all coordinates leave one evaluation.
    """
    del jac, hess, hessp
    if tol is not None:
        options.setdefault("tolx", tol)
        options.setdefault("tolfun", tol)
    if maxfev is not None:
        options.setdefault("maxfevals", maxfev)
        options.setdefault("restarts", "none")
    bounds = listed(bounds)
    x0, is_fixed = _inside(x0, bounds)
    if is_fixed:
        return _fixed_result(fun, x0, args)
    if constraints is not None:
        options["constraints"] = constraints
    return minimize(fun, x0, args=args, bounds=bounds, callback=_as_scipy_calls(callback), **options)


def _inside(x0: Any, bounds: Any) -> Tuple[np.ndarray, bool]:
    """The nearest point within the bounds, and whether it is the only one."""
    x0 = np.atleast_1d(np.asarray(x0, dtype=float))
    sides = as_sides(bounds, len(x0))
    if sides is None:
        return x0, False
    inside = np.clip(x0, *sides)
    if not np.array_equal(inside, x0, equal_nan=True):
        warnings.warn("x0 is outside the bounds; the nearest point inside is the start", RuntimeWarning, stacklevel=4)
    return inside, bool((sides[0] == sides[1]).all())


def _fixed_result(fun: Callable[..., Any], x: np.ndarray, args: Any) -> Any:
    """The value at the only possible point."""
    from ._result import Result

    fun_value = float(fun(x.copy(), *(args if isinstance(args, tuple) else (args,))))
    return Result(
        x=x,
        fun=fun_value,
        fun_std=0.0,
        success=True,
        status=0,
        stop="fixed",
        message="the bounds fix all coordinates",
        nfev=1,
        nfailed=0,
        nit=0,
        xfavorite=x.copy(),
        stds=np.zeros(len(x)),
        last_run_mean=x.copy(),
        last_run_stds=np.zeros(len(x)),
        noise=0.0,
        lowest_fun=fun_value,
        lowest_x=x.copy(),
        failures=[],
    )


def _as_scipy_calls(callback: Any) -> Any:
    """Calls scipy's callbacks: with the whole result if their parameter is named so, otherwise with the best point."""
    if callback is None:
        return None
    try:
        wants_result = list(inspect.signature(callback).parameters) == ["intermediate_result"]
    except (TypeError, ValueError):
        wants_result = False
    if wants_result:
        return lambda result: callback(intermediate_result=result)
    return lambda result: callback(result.x)
