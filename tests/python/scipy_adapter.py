"""Puts Surefoot in the place of scipy's minimisers: a plugin of pytest for scipy's own tests.

pytest -p scipy_adapter --pyargs scipy.optimize.tests.test_optimize

`minimize` with any method of scipy's, and `differential_evolution`, are then Surefoot. Options that only make sense for
one method of scipy's, such as a simplex, are dropped; derivatives are accepted and not used. With the variable
SCIPY_ADAPTER_REPORT the outcome of each test that has called Surefoot is written to that file as JSON.
"""

import functools
import json
import os
import warnings

import numpy as np
import scipy.optimize
from scipy.optimize import _minimize

import surefoot

_scipy_minimize = scipy.optimize.minimize
_calls: list = []  # of the present test
_outcomes: dict = {}
_MOST = 100000  # evaluations: no test of scipy's needs as many

# What a method of scipy's may be told and Surefoot knows under this name; None: it has no such thing.
_OPTIONS = {"maxfev": "maxfev", "maxfun": "maxfev", "maxiter": "maxiter", "disp": None, "return_all": None}


def _options(given):
    options = {}
    for name, value in (given or {}).items():
        known = _OPTIONS.get(name)
        if known is not None and value is not None and np.isfinite(value):
            options[known] = int(value)
    return options


def _value_alone(fun, jac):
    """With jac=True a function of scipy's returns its gradient too."""
    return (lambda x, *args: fun(x, *args)[0]) if jac is True else fun


def _short(result, has_limit):
    """scipy's limits are reached with a result that is no success."""
    if has_limit and result.stop in ("maxfevals", "maxiter"):
        result.success = False
    return result


@functools.wraps(_scipy_minimize)
def minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None,
             callback=None, options=None):  # fmt: skip
    if callable(method):
        return _scipy_minimize(fun, x0, args, method, jac, hess, hessp, bounds, constraints, tol, callback, options)
    if method is not None and method.lower() not in _minimize.MINIMIZE_METHODS:
        raise ValueError(f"Unknown solver {method}")
    _calls.append(method)
    told = {"seed": 1, **_options(options)}
    told.setdefault("maxfev", _MOST)
    result = _scipy_minimize(
        _value_alone(fun, jac), x0, args, surefoot.method, bounds=bounds, constraints=constraints, tol=tol,
        callback=callback, options=told,
    )  # fmt: skip
    return _short(result, True)


def differential_evolution(func, bounds, args=(), strategy="best1bin", maxiter=1000, popsize=15, tol=0.01,
                           mutation=(0.5, 1), recombination=0.7, seed=None, callback=None, disp=False, polish=True,
                           init="latinhypercube", atol=0, updating="immediate", workers=1, constraints=(), x0=None, *,
                           integrality=None, vectorized=False):  # fmt: skip
    if not (isinstance(constraints, (tuple, list)) and len(constraints) == 0):
        raise NotImplementedError("constraints: the adapter has none")
    if integrality is not None:
        raise NotImplementedError("the adapter has no integers; surefoot has them in a space")
    sides = np.array([bounds.lb, bounds.ub]) if hasattr(bounds, "lb") else np.array(bounds, dtype=float).T
    if not np.isfinite(sides).all():
        raise ValueError("bounds should be a sequence containing real valued (min, max) pairs for each value in x")
    _calls.append("differential_evolution")
    options = {"vectorized": vectorized, "workers": workers, "maxfevals": _MOST, "restarts": "none"}
    if callback is not None:
        options["callback"] = lambda result: callback(result.x, convergence=0.0)
    if maxiter is not None and np.isfinite(maxiter):
        options["maxiter"] = int(maxiter)
    if seed is not None:
        options["seed"] = seed
    start = sides.mean(axis=0) if x0 is None else np.asarray(x0, dtype=float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return surefoot.minimize(
            (lambda X, *a: func(X.T, *a)) if vectorized else func,
            start, bounds=sides.T, args=args, **options,
        )  # fmt: skip


def pytest_configure(config):
    scipy.optimize.minimize = minimize
    scipy.optimize.differential_evolution = differential_evolution
    import scipy.optimize.tests.test__differential_evolution as evolution

    evolution.differential_evolution = differential_evolution


def pytest_runtest_setup(item):
    _calls.clear()


def pytest_runtest_logreport(report):
    if report.when == "call" and _calls:
        reason = "" if report.passed else str(report.longrepr).strip().splitlines()[-1]
        _outcomes[report.nodeid.split("/")[-1]] = [report.outcome, reason]


def pytest_sessionfinish(session):
    file = os.environ.get("SCIPY_ADAPTER_REPORT")
    if file:
        with open(file, "w", encoding="utf-8") as out:
            json.dump(_outcomes, out, indent=1)
