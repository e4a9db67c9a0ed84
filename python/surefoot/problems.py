"""Benchmark functions of the library: those of the paper, practical problems, and the 24 of the BBOB suite.

>>> import surefoot
>>> f = surefoot.problems.get("rastrigin", 10)
>>> f(f.xopt), f.fopt
(0.0, 0.0)
>>> surefoot.minimize(f, f.x0, f.sigma0, ftarget=1e-8, seed=1, vectorized=True).success
True
>>> f = surefoot.problems.get("welded-beam")  # practical problems have a dimension and bounds of their own
>>> surefoot.minimize(f, f.x0, bounds=f.bounds, seed=1).fun < 2
True
>>> f = surefoot.problems.get("g06")  # constrained problems return f and the values of their constraints
>>> r = surefoot.minimize(f, f.x0, bounds=f.bounds, constraints=f.constraints, seed=1)
>>> r.feasible, round(r.fun, 2)
(True, -6961.81)
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from . import _core


class Problem:
    """One function at one dimension: called with a point or with an array of points, one per row."""

    def __init__(self, name: str, dim: Optional[int] = None, instance: Optional[int] = None):
        for option, value in (("dim", dim), ("instance", instance)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer))):
                raise TypeError(f"{option} = {value!r} is not allowed: it must be an integer or None")
        if not isinstance(name, str):
            raise TypeError(f"name = {name!r} is not allowed: it must be the name of a problem")
        self._problem = _core.Problem(name, dim, instance)
        self.name = name
        self.dim = len(self._problem.x0)
        self.instance = instance

    def __call__(self, x: Any) -> Any:
        return self._problem(x)

    @property
    def x0(self) -> np.ndarray:
        """Where a search starts."""
        return self._problem.x0

    @property
    def sigma0(self) -> Optional[float]:
        """The standard deviation at the start; None means a quarter of the width of the bounds."""
        return self._problem.sigma0

    @property
    def bounds(self) -> Optional[np.ndarray]:
        """The box of a practical problem, one row (low, high) for each coordinate; None without bounds."""
        sides = self._problem.bounds
        return None if sides is None else np.column_stack(sides)

    @property
    def constraints(self) -> int:
        """Inequalities g <= 0. A constrained problem returns f, g and h in a row."""
        return self._problem.constraints

    @property
    def equalities(self) -> int:
        """Equalities h = 0."""
        return self._problem.equalities

    @property
    def xopt(self) -> np.ndarray:
        """The best point, or the best that is known."""
        return self._problem.xopt

    @property
    def fopt(self) -> float:
        """The value at xopt."""
        return self._problem.fopt

    def __reduce__(self) -> Any:
        return Problem, (self.name, self.dim, self.instance)

    def __repr__(self) -> str:
        instance = "" if self.instance is None else f", instance={self.instance}"
        return f"surefoot.problems.get({self.name!r}, {self.dim}{instance})"


def get(name: str, dim: Optional[int] = None, instance: Optional[int] = None) -> Problem:
    """A function by name. Those of the BBOB suite (bbob-f1 to bbob-f24) have many instances, by default the first."""
    return Problem(name, dim, instance)


def names() -> List[str]:
    """The names of all problems.

    >>> names()[:3]
    ['sphere', 'ellipsoid', 'rastrigin']
    """
    return [row[0] for row in table()]


def practical() -> List[str]:
    """The names of the practical problems: fits, designs and controllers, which have their own dimension and bounds.

    >>> practical()[:3]
    ['predator-prey', 'influenza', 'kinetics']
    """
    return _core.practical_names()


def table() -> List[Tuple[str, str, str]]:
    """Name, formula or title, and citation of each problem."""
    return _core.problem_table()
