"""The options of a search: the one list behind `minimize`, `Optimizer` and its `optimize`.

Their types are here, their defaults are those of the C++ library, and docs/reference/options.md has their meaning.
A function that takes some of them is declared with `**options: Unpack[...]`, for type checkers, and is decorated with
`shows`, which makes `inspect.signature` and `help` show every keyword with its default.
"""

from __future__ import annotations

import difflib
import inspect
from typing import Any, Callable, Dict, List, Mapping, Optional, Type, TypedDict, TypeVar, get_type_hints

import numpy as np

from . import _core


class SearchOptions(TypedDict, total=False):
    """Options of a search, with a loop or without."""

    space: Any
    bounds: Any
    constraints: Any
    equalities: int
    equality_tolerance: float
    constraints_mode: str
    warm_start: Any
    evaluate_x0: bool
    inject: Any
    seed: Any
    method: str
    learning_rate: Any
    mixing: Optional[float]
    popsize: Optional[int]
    threads: int
    model: str
    evaluation_seconds: Optional[float]
    noise: Any
    batch: Any
    restarts: Any
    restart_point: Optional[Callable[[int], Any]]
    ftarget: Optional[float]
    maxfevals: Optional[int]
    maxiter: Optional[int]
    timeout: Optional[float]
    tolx: float
    tolfun: float
    tolfunhist: float
    tolupsigma: float
    tolconditioncov: Optional[float]
    tolflatfitness: int
    tolstagnation: Optional[int]
    noeffectaxis: bool
    noeffectcoord: bool
    callback: Optional[Callable[[Any], Any]]
    retry: int
    failed_generations: int
    failed_fraction: float
    trace: Any
    log: Any


class LoopOptions(TypedDict, total=False):
    """Options of the loop that evaluates a function until the search stops."""

    args: Any
    vectorized: bool
    workers: Any
    eval_timeout: Optional[float]
    on_failure: str
    checkpoint: Any
    checkpoint_every: str
    overwrite: bool
    disp: Any
    on_interrupt: str


class AllOptions(SearchOptions, LoopOptions):
    """Options of a whole call."""


_DEFAULTS: Dict[str, Any] = {
    **_core.option_defaults(),
    "args": (),
    "vectorized": False,
    "on_failure": "auto",
    "checkpoint_every": "1s",
    "overwrite": False,
    "disp": False,
    "on_interrupt": "return",
}

_SWITCHES = [name for name, value in _DEFAULTS.items() if isinstance(value, bool) and name != "disp"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Options = Type[Any]


def names(options: _Options) -> List[str]:
    """Names of these options."""
    return list(options.__annotations__)


def completed(caller: str, options: _Options, given: Mapping[str, object]) -> Dict[str, Any]:
    """All of these options, with defaults for the missing ones."""
    for name in given:
        if name not in options.__annotations__:
            others = [] if caller == "optimize" else ["x0", "sigma0"]
            hint = _hint(name, [*others, *names(options)])
            raise TypeError(f"{caller}() got an unexpected keyword argument '{name}'{hint}")
    all_values = {name: given.get(name, _DEFAULTS.get(name)) for name in options.__annotations__}
    return {name: _switch(name, value) if name in _SWITCHES else value for name, value in all_values.items()}


_UNUSED = ("jac", "hess", "hessp", "grad", "gradient", "fprime")


def _hint(name: str, known: List[str]) -> str:
    """The option that was probably meant: misspelt, of another call, or another optimiser's word."""
    if name in _UNUSED:
        return ": derivatives are not used"
    if name in ("maximize", "maximise", "minimize", "direction"):
        return ": the function is minimised; return -f to maximise f"
    ours = name if name in AllOptions.__annotations__ else _core.option_for(name)
    if ours in known:
        return f"; did you mean '{ours}'?"
    if ours in AllOptions.__annotations__:
        return f"; '{ours}' is an argument of {'optimize' if ours in LoopOptions.__annotations__ else 'Optimizer'}"
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _switch(name: str, value: Any) -> bool:
    """An option that is on or off. Anything else, such as the text "no", may mean the opposite of its truth."""
    if value is None:
        return bool(_DEFAULTS[name])
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} = {value!r} is not allowed: it must be True or False")
    return bool(value)


def shows(options: _Options) -> Callable[[_Function], _Function]:
    """Replaces **options in the signature of a function by these options."""
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=kind)
        for name, kind in get_type_hints(options).items()
    ]

    def decorate(function: _Function) -> _Function:
        own = inspect.signature(function)
        others = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        function.__signature__ = own.replace(parameters=[*others, *keywords])  # type: ignore[attr-defined]
        return function

    return decorate


def without_tolerances() -> Dict[str, Any]:
    """Options that switch all tolerances off: only targets, budgets and a degenerate distribution end a search.

    >>> search = surefoot.Optimizer([3, 3], 1, seed=1, maxiter=10000, **surefoot.without_tolerances())
    """
    return _core.option_values_without_tolerances()
