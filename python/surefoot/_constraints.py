"""Constraints g(x) <= 0 and h(x) = 0, in scipy's and other forms."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple, Union

import numpy as np

from ._arrays import as_floats
from ._outcome import NoNumber, Values, number
from ._space import Named, Space

_FORMS = (
    "give a number of values that the function returns behind f, or functions, dicts of scipy's form, "
    "NonlinearConstraint or LinearConstraint, one or a list of them"
)


class Returned:
    """The function itself returns the values: (f, g), (f, g, h), or all numbers in a row."""

    def __init__(self, inequalities: int, equalities: int):
        self.inequalities = inequalities
        self.equalities = equalities
        self.names: List[str] = []

    def values(self, returned: Any) -> Values:
        """The values of one call of the function."""
        count = 1 + self.inequalities + self.equalities
        try:
            parts = [np.ravel(as_floats("a value", part)) for part in returned]
            flat = np.concatenate(parts) if parts else np.empty(0)
        except (TypeError, ValueError):
            flat = np.empty(0)
        if flat.size != count:
            shown = repr(returned)
            raise NoNumber(
                f"the function returned {shown if len(shown) <= 60 else shown[:57] + '...'}: with "
                f"constraints={self.inequalities} and equalities={self.equalities} it must return f and as many "
                "numbers, as (f, g)" + (" or (f, g, h)" if self.equalities else "")
            )
        return Values(flat.tolist())


class Functions:
    """Functions of x in addition to the objective."""

    def __init__(self, parts: List[_Part], start: np.ndarray):
        self._parts = parts
        self._counts = [_counted(part, part(start.copy())) for part in parts]
        self.inequalities = sum(count[0] for count in self._counts)
        self.equalities = sum(count[1] for count in self._counts)
        self.names = [name for kind in (0, 1) for name in self._names(kind)]

    def _names(self, kind: int) -> List[str]:
        """Names of the functions, with a number where one returns several values; empty for lambdas."""
        names: List[str] = []
        for part, counts in zip(self._parts, self._counts):
            name, count = _function_name(part.fun), counts[kind]
            names += [f"{name}[{i}]" if name and count > 1 else name for i in range(count)]
        return names

    def at(self, x: np.ndarray) -> List[float]:
        """All inequalities at x, then all equalities."""
        inequalities: List[float] = []
        equalities: List[float] = []
        for part, count in zip(self._parts, self._counts):
            g, h = part(x.copy())
            if (len(g), len(h)) != count:
                raise NoNumber(f"{part.name} returned {len(g) + len(h)} values, and {sum(count)} at the start point")
            inequalities += g
            equalities += h
        return inequalities + equalities


def _counted(part: _Part, values: Tuple[List[float], List[float]]) -> Tuple[int, int]:
    """How many g and h a function has."""
    if not any(values):
        raise ValueError(f"{part.name}: it constrains nothing: the function returns no numbers, or no limit is finite")
    return len(values[0]), len(values[1])


class Constrained:
    """A function with its constraints as one that returns all values."""

    def __init__(self, fun: Callable[..., Any], constraints: Constraints, vectorized: bool = False):
        self._fun = fun
        self._constraints = constraints
        self._vectorized = vectorized
        self.__name__ = getattr(fun, "__name__", "objective")

    def __call__(self, x: np.ndarray, *args: Any) -> Any:
        if self._vectorized:
            return self._rows(x, self._fun(x.copy(), *args))
        constraints = self._constraints
        if isinstance(constraints, Returned):
            return constraints.values(self._fun(x, *args))
        return Values([number(self._fun(x.copy(), *args)), *constraints.at(x)])

    def _rows(self, points: np.ndarray, returned: Any) -> np.ndarray:
        """One row per candidate: f, g, h."""
        constraints = self._constraints
        if type(constraints) not in (Returned, Functions):
            raise NoNumber("vectorized=True does not work with Limits: their function returns a dict for one point")
        n = len(points)
        if isinstance(constraints, Functions):
            columns = [_returned("the function", returned), np.array([constraints.at(x) for x in points])]
        else:
            parts = returned if isinstance(returned, (tuple, list)) else (returned,)
            columns = [_returned("the function", part) for part in parts]
        width = 1 + constraints.inequalities + constraints.equalities
        if any(column.shape[:1] != (n,) for column in columns) or sum(column.size for column in columns) != n * width:
            raise NoNumber(
                f"the function returned values of shapes {[column.shape for column in columns]}: with vectorized=True "
                f"and constraints it must return (F, G) of {n} rows with {width} numbers in all"
            )
        return np.column_stack([column.reshape(n, -1) for column in columns])


Constraints = Union[Returned, Functions]


def _returned(name: str, value: Any) -> np.ndarray:
    """The numbers that a function returned. Refuses None and text."""
    try:
        return as_floats("a value", value)
    except (TypeError, ValueError):
        shown = repr(value)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        raise NoNumber(f"{name} returned {shown}: it must return numbers") from None


class _Part:
    """One function g(x) <= 0."""

    def __init__(self, name: str, fun: Callable[..., Any], args: Tuple[Any, ...] = (), sign: float = 1.0):
        if not callable(fun):
            raise TypeError(f"{name}: {fun!r} is not allowed: it must be callable")
        self.name = name
        self.fun = fun
        self.args = args
        self.sign = sign

    def flat(self, x: np.ndarray) -> np.ndarray:
        return np.ravel(_returned(self.name, self.fun(x, *self.args)))

    def __call__(self, x: np.ndarray) -> Tuple[List[float], List[float]]:
        return (self.sign * self.flat(x)).tolist(), []


class _Equality(_Part):
    """One function h(x) = 0."""

    def __call__(self, x: np.ndarray) -> Tuple[List[float], List[float]]:
        return [], self.flat(x).tolist()


class _Between(_Part):
    """Numbers between two limits, as scipy's classes have them; equal limits are an equality."""

    def __init__(self, name: str, fun: Callable[..., Any], low: Any, high: Any):
        super().__init__(name, fun)
        self.low = as_floats(f"{name}: lb", low)
        self.high = as_floats(f"{name}: ub", high)
        for key, limit in (("lb", self.low), ("ub", self.high)):
            if np.isnan(limit).any():
                raise ValueError(f"{name}: {key} = {limit.tolist()} is not allowed: it must be numbers, or infinity")

    def __call__(self, x: np.ndarray) -> Tuple[List[float], List[float]]:
        values = self.flat(x)
        try:
            low, high = (np.broadcast_to(side, values.shape) for side in (self.low, self.high))
        except ValueError:
            raise ValueError(f"{self.name}: lb and ub must have as many numbers as there are values") from None
        if (low > high).any() or (low == np.inf).any() or (high == -np.inf).any():
            raise ValueError(
                f"{self.name}: lb = {self.low.tolist()} and ub = {self.high.tolist()} are not allowed: no "
                "value is from lb to ub"
            )
        is_equal = low == high
        above = (values - high)[np.isfinite(high) & ~is_equal]
        below = (low - values)[np.isfinite(low) & ~is_equal]
        return [*above.tolist(), *below.tolist()], (values - low)[is_equal].tolist()


class _Linear:
    """A x, which can be pickled."""

    def __init__(self, name: str, matrix: Any):
        self._name = name
        given = matrix.toarray() if hasattr(matrix, "toarray") else matrix
        self._matrix = np.atleast_2d(as_floats(f"{name}: A", given))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        if self._matrix.ndim != 2 or self._matrix.shape[1] != x.size:
            raise ValueError(
                f"{self._name}: A of shape {self._matrix.shape} is not allowed: it must have {x.size} columns, "
                "one per coordinate"
            )
        return self._matrix @ x


def parse(
    given: Any, equalities: Any, space: Optional[Space], start: Callable[[], np.ndarray]
) -> Optional[Constraints]:
    """What the option says; None if there are no constraints. `start` gives the start point, where functions show how
    many values they return."""
    count = _count("equalities", 0 if equalities is None else equalities)
    if isinstance(given, Returned):  # Limits, which say all themselves
        if count:
            raise ValueError("equalities: not together with Limits")
        return given
    if given is None or _is_number(given):
        inequalities = 0 if given is None else _count("constraints", given)
        return Returned(inequalities, count) if inequalities + count > 0 else None
    items = list(given) if isinstance(given, (list, tuple)) else [given]
    if not items:
        return Returned(0, count) if count else None
    if count:
        raise ValueError(
            "equalities: only for a function that returns them; in a list of constraints {'type': 'eq', 'fun': ...} is one"
        )
    return Functions([_part(f"constraints[{i}]", item, space) for i, item in enumerate(items)], start())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _count(option: str, value: Any) -> int:
    if not _is_number(value) or not 0 <= value <= 10000 or value != int(value):
        raise ValueError(f"{option} = {value!r} is not allowed: it must be an integer from 0 to 10000")
    return int(value)


def _part(name: str, item: Any, space: Optional[Space]) -> _Part:
    if isinstance(item, dict):
        return _from_dict(name, item, space)
    if hasattr(item, "lb") and hasattr(item, "ub"):
        if hasattr(item, "fun"):
            return _Between(name, _named(item.fun, space), item.lb, item.ub)
        if hasattr(item, "A"):
            return _Between(name, _Linear(name, item.A), item.lb, item.ub)
    if callable(item):
        return _Part(name, _named(item, space))
    raise TypeError(f"{name}: {item!r} is not allowed: {_FORMS}")


def _from_dict(name: str, item: Any, space: Optional[Space]) -> _Part:
    """scipy's form, in which inequalities are fun(x) >= 0."""
    unknown = [key for key in item if key not in ("type", "fun", "args", "jac")]
    if unknown or "fun" not in item or item.get("type") not in ("ineq", "eq"):
        raise ValueError(f"{name}: {item!r} is not allowed: it must be {{'type': 'ineq' or 'eq', 'fun': function}}")
    args = item.get("args", ())
    args = args if isinstance(args, tuple) else (args,)
    fun = _named(item["fun"], space)
    return _Equality(name, fun, args) if item["type"] == "eq" else _Part(name, fun, args, -1.0)


def _function_name(fun: Any) -> str:
    """The name of a function where it was defined."""
    name = getattr(fun, "__name__", "")
    return "" if name in ("<lambda>", "objective") or not isinstance(name, str) else name  # Named says "objective"


def _named(fun: Any, space: Optional[Space]) -> Any:
    return fun if space is None or not callable(fun) else Named(fun, space)
