"""Black-box continuous optimisation with natural evolution strategies that set their own learning rates.

>>> import surefoot
>>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3, 3], 2, ftarget=1e-8, seed=1)
>>> r.success, r.fun < 1e-8
(True, True)

minimize     one call that works: minimize(fun, x0, sigma0)
least_squares, curve_fit    fits of parameters, in scipy's words
Optimizer    ask and tell
method       for scipy.optimize.minimize(fun, x0, method=surefoot.method, options={"sigma0": 0.5})
plot         a figure of a result or a trace, with matplotlib
read_trace   the columns of a trace file
read_log     the columns of an evaluation log
Result       what minimize returns: a scipy.optimize.OptimizeResult with more members
Real, Integer, Grid, Choice, Fixed    named parameters: minimize(fun, space={"rate": Real(1e-5, 0.1, log=True)})
Limits       limits on named outputs: minimize(fun, ..., constraints=Limits({"gain": (39, 41)}, minimize="current"))
problems     benchmark functions
reproduce    reads the folder that `surefoot reproduce` wrote
without_tolerances    options that let only targets and budgets end a search
optuna       a sampler for Optuna
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

import numpy as _numpy

from . import _core, problems
from ._core import version as __version__
from ._limits import Limits
from ._log import read_log
from ._minimize import method, minimize
from ._optimizer import Optimizer
from ._options import without_tolerances
from ._outcome import RemoteError
from ._plot import plot, read_trace
from ._reproduce import reproduce
from ._space import Choice, Fixed, Grid, Integer, Real

if _TYPE_CHECKING:
    from ._least_squares import curve_fit, least_squares
    from ._result import Result

__all__ = [
    "Choice",
    "Fixed",
    "Grid",
    "Integer",
    "Limits",
    "Optimizer",
    "Real",
    "RemoteError",
    "Result",
    "__version__",
    "curve_fit",
    "method",
    "least_squares",
    "minimize",
    "plot",
    "problems",
    "read_log",
    "read_trace",
    "reproduce",
    "without_tolerances",
]

if int(_numpy.__version__.split(".")[0]) >= 2 and _core.pybind11_version < 0x020C00:
    raise ImportError("surefoot was built with a pybind11 older than 2.12, which does not know NumPy 2; build it again")


def __getattr__(name: str) -> _Any:
    """What needs scipy comes when it is asked for, because scipy takes long to import."""
    if name == "Result":
        from ._result import Result

        return Result
    if name in ("curve_fit", "least_squares"):
        from . import _least_squares

        return getattr(_least_squares, name)
    raise AttributeError(f"module 'surefoot' has no attribute '{name}'")
