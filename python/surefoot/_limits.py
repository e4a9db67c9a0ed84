"""Limits on named outputs of a function: the words in which circuits, beams and motors are specified."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._constraints import Returned
from ._outcome import NoNumber, Values, number


class Limits(Returned):
    """Limits on the outputs of a function that returns a dict of numbers.

    >>> def amplifier(x):
    ...     return {"gain": 20 * x[0], "current": 1e-3 * x[0] + x[1] ** 2}
    >>> limits = surefoot.Limits({"gain": (39.5, 40.5)}, minimize="current")
    >>> r = surefoot.minimize(amplifier, [1, 1], 0.5, constraints=limits, seed=1, maxfevals=400)
    >>> r.feasible, [(limit["name"], limit["met"]) for limit in r.limits]
    (True, [('gain', True)])

    A limit is (low, high), of which one may be None. Each side becomes a constraint g <= 0, "gain >= 39.5", divided by
    high - low or, if there is one side, by its absolute value. With maximize= f is the negative of the output.
    result.limits has the table: name, low, high, value at the best point, met, excess and multiplier.
    """

    def __init__(
        self,
        limits: Mapping[str, Tuple[Optional[float], Optional[float]]],
        *,
        minimize: Optional[str] = None,
        maximize: Optional[str] = None,
    ):
        if (minimize is None) == (maximize is None):
            raise ValueError("Limits: name one output, as minimize='current' or maximize='gain'")
        self.objective = str(minimize if maximize is None else maximize)
        self.is_maximized = maximize is not None
        self.limits = {str(name): _sides(str(name), sides) for name, sides in dict(limits).items()}
        super().__init__(sum(len(_bounds(sides)) for sides in self.limits.values()), 0)
        self.names = [
            f"{name} {'<=' if sign > 0 else '>='} {_text(bound)}"
            for name, sides in self.limits.items()
            for bound, sign in _bounds(sides)
        ]

    def values(self, returned: Any) -> Values:
        """f and the constraints of what one call of the function gave."""
        if not isinstance(returned, Mapping):
            raise NoNumber(
                f"the function returned {_shown(returned)}: with Limits it must return a dict of outputs, as "
                f"{{{self.objective!r}: 1.0, ...}}"
            )
        f = self._output(returned, self.objective)
        numbers = [-f if self.is_maximized else f]
        for name, sides in self.limits.items():
            value = self._output(returned, name)
            numbers += [sign * (value - bound) / _scale(sides) for bound, sign in _bounds(sides)]
        return Values(numbers)

    @staticmethod
    def _output(returned: Mapping[str, Any], name: str) -> float:
        if name not in returned:
            raise NoNumber(f"the function returned no output {name!r}; there are {', '.join(map(str, returned))}")
        return number(returned[name])

    def table(self, g: Any, multipliers: Any) -> List[Dict[str, Any]]:
        """How each limit is met by the values of the constraints."""
        rows, k = [], 0
        for name, (low, high) in self.limits.items():
            sides = _bounds((low, high))
            distances = [float(value) * _scale((low, high)) for value in g[k : k + len(sides)]]
            if len(distances) < len(sides):
                return []
            nearest = min(range(len(sides)), key=lambda i: abs(distances[i]))
            prices = [float(price) / _scale((low, high)) for price in multipliers[k : k + len(sides)]]
            k += len(sides)
            excess = max(0.0, *distances)
            rows.append(
                {
                    "name": name,
                    "low": low,
                    "high": high,
                    "value": sides[nearest][0] + sides[nearest][1] * distances[nearest],
                    "met": not excess > 0,
                    "excess": excess,
                    "multiplier": max(prices) if prices else None,
                }
            )
        return rows


_Sides = Tuple[Optional[float], Optional[float]]


def _sides(name: str, sides: Any) -> _Sides:
    try:
        low, high = (None if side is None or math.isinf(side) else float(side) for side in sides)
    except (TypeError, ValueError):
        allowed = "it is (low, high), one of which may be None"
        raise ValueError(f"Limits: {name} = {sides!r} is not allowed: {allowed}") from None
    if (low is None and high is None) or any(side is not None and math.isnan(side) for side in (low, high)):
        raise ValueError(f"Limits: {name} = {sides!r} is not allowed: it needs a finite side")
    if low is not None and high is not None and not low < high:
        raise ValueError(f"Limits: {name} = {sides!r} is not allowed: low must be below high")
    return low, high


def _bounds(sides: _Sides) -> List[Tuple[float, int]]:
    """The finite sides, the lower one first, with the sign of their constraint."""
    return [(bound, sign) for bound, sign in zip(sides, (-1, 1)) if bound is not None]


def _scale(sides: _Sides) -> float:
    low, high = sides
    if low is not None and high is not None:
        return high - low
    return abs(low if low is not None else high or 0.0) or 1.0


def _text(bound: float) -> str:
    return f"{bound:.12g}"


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
