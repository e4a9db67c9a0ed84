"""Named parameters: what `space=` takes, and how values get their names back."""

from __future__ import annotations

import inspect
import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np

from ._arrays import as_point


class Real:
    """A real parameter from low to high, on a log scale if factors count instead of differences.

    start: default the middle, which on a log scale is sqrt(low * high).
    sigma: the start's standard deviation, default a quarter of the width; on a log scale a factor above 1.

    >>> r = surefoot.minimize(lambda rate: abs(rate - 0.02), space={"rate": surefoot.Real(1e-5, 1, log=True)}, seed=1)
    >>> round(r.params["rate"], 6)
    0.02
    """

    def __init__(
        self,
        low: float = -math.inf,
        high: float = math.inf,
        *,
        log: bool = False,
        start: Optional[float] = None,
        sigma: Optional[float] = None,
    ):
        self.low, self.high, self.log, self.start, self.sigma = low, high, log, start, sigma

    def _text(self, name: str) -> str:
        items = [_number(name, "low", self.low), _number(name, "high", self.high)]
        return f"{name}={self._kind}({','.join(items + _start_items(name, self))})"

    _kind = "real"

    def _value(self, number: float) -> Any:
        return float(number)

    def _number(self, name: str, value: Any) -> float:
        try:
            if not isinstance(value, (str, bytes)):
                return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
        raise TypeError(f"parameter {name} = {value!r} is not allowed: it must be a number")

    def __repr__(self) -> str:
        shown = {k: v for k, v in self.__dict__.items() if v is not None and v is not False}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in shown.items())})"


class Integer(Real):
    """An integer from low to high. The function gets an int.

    >>> surefoot.minimize(lambda n: (n - 5) ** 2, space={"n": surefoot.Integer(1, 8)}, ftarget=0, seed=1).params
    {'n': 5}
    """

    _kind = "int"

    def _value(self, number: float) -> Any:
        return int(number)


def _listed(values: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """A parameter of one value would be none."""
    is_list = len(values) == 1 and isinstance(values[0], (list, tuple))
    return tuple(values[0]) if is_list else values


class Grid(Real):
    """One of several ordered numbers. A single list or tuple is a list of them.

    >>> surefoot.minimize(lambda w: abs(w - 100), space={"w": surefoot.Grid(32, 64, 128, 256)}, ftarget=28, seed=1).fun
    28.0
    """

    def __init__(self, *values: Any, log: bool = False, start: Optional[float] = None, sigma: Optional[float] = None):
        self.values, self.log, self.start, self.sigma = _listed(values), log, start, sigma

    def _text(self, name: str) -> str:
        items = [_number(name, "values", value) for value in self.values]
        return f"{name}=grid({','.join(items + _start_items(name, self))})"

    def _value(self, number: float) -> Any:
        return next((value for value in self.values if float(value) == number), float(number))


class Choice:
    """One of several unordered values: texts, numbers, functions, anything. The first is tried first, or `start`.
    A single list or tuple is a list of values.

    >>> surefoot.minimize(lambda f: f(-2), space={"f": surefoot.Choice(abs, float)}, ftarget=-2, seed=1).fun
    -2.0
    """

    def __init__(self, *values: Any, start: Any = None):
        self.values, self.start = _listed(values), start

    def _text(self, name: str) -> str:
        names = self._names()
        items = [_quoted(text) for text in names]
        if self.start is not None:
            items.append("start=" + _quoted(names[int(self._number(name, self.start))]))
        return f"{name}=choice({','.join(items)})"

    def _value(self, number: float) -> Any:
        return self.values[int(number)]

    def _names(self) -> List[str]:
        """Texts that tell the values apart: 1 and "1" only by how Python writes them."""
        texts = [str(value) or "''" for value in self.values]  # a name is not empty
        return texts if len(set(texts)) == len(texts) else [repr(value) for value in self.values]

    def _number(self, name: str, value: Any) -> float:
        same = [k for k, known in enumerate(self.values) if _is_equal(value, known)]
        of_type = [k for k in same if type(self.values[k]) is type(value)]  # 1 is not True
        if same:
            return float((of_type or same)[0])
        raise ValueError(f"parameter {name} = {value!r} is not allowed: it must be one of {list(self.values)}")

    def __repr__(self) -> str:
        return f"Choice({', '.join(map(repr, self.values))})"


def _is_equal(one: Any, other: Any) -> bool:
    """Also of arrays, which compare by items."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(one, other)
    return bool(one == other)


class Fixed:
    """A constant. Any other value in a space is one too.

    >>> space = {"x": surefoot.Real(0, 4), "shift": surefoot.Fixed(1.5)}
    >>> surefoot.minimize(lambda x, shift: (x - shift) ** 2, space=space, ftarget=1e-9, seed=1).params["shift"]
    1.5
    """

    def __init__(self, value: Any):
        self.value = value

    def _text(self, name: str) -> str:
        return f"{name}=choice({_quoted(str(self.value) or ' ')})"

    def _value(self, number: float) -> Any:
        return self.value

    def _number(self, name: str, value: Any) -> float:
        return 0.0

    def __repr__(self) -> str:
        return f"Fixed({self.value!r})"


class Space:
    """Parameters by name, in order."""

    def __init__(self, parameters: Any):
        if not isinstance(parameters, Mapping) or not parameters:
            raise TypeError(
                f'space: {parameters!r} is not allowed: give a dict such as {{"rate": surefoot.Real(1e-5, 0.1, log=True)}}'
            )
        self._parameters: Dict[str, Any] = {}
        for name, parameter in parameters.items():
            if not isinstance(name, str):
                raise TypeError(f"space: the name {name!r} is not allowed: it must be text")
            if isinstance(parameter, type) and issubclass(parameter, (Real, Choice, Fixed)):
                raise TypeError(f"parameter {name}: {parameter.__name__} is not allowed: call it, as Real(0, 1)")
            self._parameters[name] = parameter if isinstance(parameter, (Real, Choice, Fixed)) else Fixed(parameter)

    def texts(self) -> List[str]:
        """The parameters as the command line takes them."""
        return [parameter._text(name) for name, parameter in self._parameters.items()]

    def about(self) -> List[Dict[str, Any]]:
        """Name, kind and choices of each parameter, as the first line of a trace has them."""
        return [{"name": name, "kind": _kind(p), "choices": _choices(p)} for name, p in self._parameters.items()]

    def names(self) -> List[str]:
        return list(self._parameters)

    def params(self, x: Any) -> Dict[str, Any]:
        """The values of a point by name."""
        return {name: p._value(number) for (name, p), number in zip(self._parameters.items(), x)}

    def columns(self, points: np.ndarray) -> Dict[str, Any]:
        """The values of many points by name: a list for each parameter, which is an array if it holds numbers."""
        rows = [self.params(x) for x in points]
        all_values = {name: [row[name] for row in rows] for name in self._parameters}
        return {
            name: np.array(values) if isinstance(self._parameters[name], Real) else values
            for name, values in all_values.items()
        }

    def point(self, option: str, params: Any) -> np.ndarray:
        """The point of values by name, or the numbers of a point."""
        if not isinstance(params, Mapping):
            return as_point(option, params)
        unknown = [name for name in params if name not in self._parameters]
        missing = [n for n, p in self._parameters.items() if n not in params and not isinstance(p, Fixed)]
        if unknown or missing:
            raise ValueError(
                f"{option}: unknown parameters {unknown}, missing ones {missing}; there are {self.names()}"
            )
        try:
            return np.array([p._number(name, params.get(name)) for name, p in self._parameters.items()], dtype=float)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{option}: {error}") from None


def _kind(parameter: Any) -> str:
    if isinstance(parameter, (Choice, Fixed)):
        return "choice" if isinstance(parameter, Choice) else "fixed"
    kind = "discrete" if isinstance(parameter, (Integer, Grid)) else "real"
    return kind + " log" if parameter.log else kind


def _choices(parameter: Any) -> Optional[List[str]]:
    return parameter._names() if isinstance(parameter, Choice) else None


class Named:
    """A function of named parameters as one of points. It gets keyword arguments if it has parameters of all these
    names, otherwise one dict. More arguments go behind the dict, or to the function's other parameters."""

    def __init__(self, fun: Callable[..., Any], space: Space, vectorized: bool = False):
        self._fun = fun
        self._space = space
        self._values = space.columns if vectorized else space.params
        self._by_keyword = _takes_keywords(fun, space.names())
        self._others = _other_parameters(fun, space.names()) if self._by_keyword else []
        self.__name__ = getattr(fun, "__name__", "objective")

    def __call__(self, x: np.ndarray, *args: Any) -> Any:
        values = self._values(x)
        if not self._by_keyword:
            return self._fun(values, *args)
        if args and len(args) <= len(self._others):
            return self._fun(**values, **dict(zip(self._others, args)))
        return self._fun(*args, **values)


def _other_parameters(fun: Callable[..., Any], names: List[str]) -> List[str]:
    """The function's parameters without these names, in order; none where some are by position only."""
    parameters = inspect.signature(fun).parameters.values()
    if any(p.kind is p.POSITIONAL_ONLY for p in parameters):
        return []
    return [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name not in names]


def _takes_keywords(fun: Callable[..., Any], names: List[str]) -> bool:
    try:
        parameters = inspect.signature(fun).parameters.values()
    except (TypeError, ValueError):
        return False
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
        return True
    by_name = {p.name for p in parameters if p.kind not in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)}
    return all(name in by_name for name in names)


def _start_items(name: str, parameter: Any) -> List[str]:
    if not isinstance(parameter.log, (bool, np.bool_)):
        raise TypeError(f"parameter {name}: log = {parameter.log!r} is not allowed: it must be True or False")
    items = ["log"] if parameter.log else []
    for key in ("start", "sigma"):
        value = getattr(parameter, key)
        if value is not None:
            items.append(f"{key}={_number(name, key, value)}")
    return items


def _number(name: str, key: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"parameter {name}: {key} = {value!r} is not allowed: it must be a number")
    return repr(int(value)) if isinstance(value, (int, np.integer)) else repr(float(value))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
