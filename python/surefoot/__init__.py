"""Black-box continuous optimisation with natural evolution strategies that set their own learning rates.

>>> import surefoot
>>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3, 3], 2, ftarget=1e-8, seed=1)
>>> r.success, r.nfev
(True, 455)

minimize     one call that works: minimize(fun, x0, sigma0)
Optimizer    ask and tell
method       for scipy.optimize.minimize(fun, x0, method=surefoot.method, options={"sigma0": 0.5})
plot         a figure of a result or a trace, with matplotlib
problems     benchmark functions
reproduce    reads the folder that `surefoot reproduce` wrote
optuna       a sampler for Optuna
"""

from . import problems
from ._core import version as __version__
from ._minimize import method, minimize
from ._optimizer import Optimizer
from ._plot import plot
from ._reproduce import reproduce

__all__ = ["Optimizer", "__version__", "method", "minimize", "plot", "problems", "reproduce"]
