"""The search itself: ask and tell, or optimize."""

from __future__ import annotations

import os
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from . import _core
from ._arrays import as_point
from ._bounds import as_sides, listed
from ._constraints import Constrained, Constraints, parse
from ._limits import Limits
from ._display import Display, Table, make_display
from ._evaluate import Evaluator, make_evaluator
from ._options import LoopOptions, SearchOptions, completed, shows
from ._outcome import Outcome
from ._plot import joined, read_places
from ._space import Named, Space

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Optimizer(_core.Search):
    """A search by ask and tell.

    >>> import numpy as np, surefoot
    >>> search = surefoot.Optimizer([3, 3, 3], 2, ftarget=1e-8, seed=1)
    >>> while not search.stop():
    ...     X = search.ask()                    # one candidate per row
    ...     search.tell(X, (X**2).sum(axis=1))
    >>> search.result.success
    True

    `optimize` does the same with a function. A search can be pickled and copied at any time, also between ask and
    tell, and continues bit for bit. The arguments are those of `minimize`.
    """

    _is_vectorized = False  # its function takes whole populations

    @shows(SearchOptions)
    def __init__(self, x0: Any = None, sigma0: Any = None, **options: Unpack[SearchOptions]):
        given = {"x0": x0, "sigma0": sigma0, **completed("Optimizer", SearchOptions, options)}
        given = {name: _own(value) for name, value in given.items()}
        given["bounds"] = listed(given["bounds"])
        given["trace"] = _trace(given["trace"])
        given["log"] = None if given["log"] is None else _file("log", given["log"])
        if isinstance(given["warm_start"], (str, os.PathLike)):
            given["warm_start"] = _file("warm_start", given["warm_start"])
        self._given: Dict[str, Any] = given
        self._shown = -1  # generation of the last line that disp printed
        self._space = None if given["space"] is None else Space(given["space"])
        if self._space is not None:
            given["inject"] = _named_points(self._space, given["inject"])
        origin = _origin(given, self._space)
        origin["vectorized"] = self._is_vectorized
        passed = {name: value for name, value in given.items() if name not in _NOT_PASSED}
        passed["bounds"] = as_sides(given["bounds"], _dimension(origin, given["bounds"]))
        self._constraints = _constraints(given, self._space, origin, passed["bounds"])
        passed["constraints"] = self._constraints.inequalities if self._constraints else 0
        passed["equalities"] = self._constraints.equalities if self._constraints else 0
        passed["restart_point"] = _restart_point(self, given["restart_point"])
        passed["seed"] = _seed(given["seed"])
        passed["restarts"] = _restarts(given["restarts"])
        passed["inject"] = given["inject"] = _points("inject", given["inject"])
        names = self._constraints.names if self._constraints else []
        callback = _callback(self, given["callback"])
        super().__init__(origin, passed, callback, given["trace"], given["log"] or "", names)
        given["seed"] = self.seed

    @property
    def result(self) -> Any:
        """The best so far: a surefoot.Result, which is a scipy.optimize.OptimizeResult."""
        from ._result import Result

        found = self._named_result()
        history = self._history()
        found["message"] += self._budget_note(found, history)
        found["covariance"] = self.best_covariance if len(found["x"]) <= _MOST_FOR_COVARIANCE else None
        if self._space is not None:
            found["state"] = self._state()
        return Result(**found, trace={**history, "parameters": self._parameters()})

    def __repr__(self) -> str:
        r = self._result()
        state = self.stop() or "running"
        count = f"{len(r['x'])} parameter{'' if len(r['x']) == 1 else 's'}"
        best = "no value yet" if np.isnan(r["fun"]) else f"best f = {r['fun']:.6g}"
        if r.get("violation", 0) > 0:
            best += f" violates by {r['violation']:.3g}"
        return (
            f"<surefoot.Optimizer: {count}, method {self.method}, seed {self.seed}, {r['nfev']} evaluations, {best}, "
            f"sigma = {self.sigma:.3g}, {state}>"
        )

    def params(self, x: Any) -> Dict[str, Any]:
        """The values of a point, such as a row of what ask gives, by the names of the space."""
        if self._space is None:
            raise ValueError("params: this search has no space")
        return self._space.params(x)

    def _named_result(self) -> Dict[str, Any]:
        result = self._result()
        result["params"] = self._by_name(result["x"])
        if isinstance(self._constraints, Limits):
            result["limits"] = self._constraints.table(result["g"], result["multipliers"])
        for failure in result["failures"]:
            failure["params"] = self._by_name(failure["x"])
        return result

    def _budget_note(self, found: Dict[str, Any], history: Dict[str, Any]) -> str:
        """How many evaluations a budget would have saved a search without one."""
        if not found["success"] or any(self._given[name] is not None for name in _BUDGETS):
            return ""
        best = history["best"][np.isfinite(history["best"])]
        if len(best) == 0 or not best[0] > found["fun"]:
            return ""
        is_near = history["best"] - found["fun"] <= 1e-6 * (best[0] - found["fun"])
        enough = int(history["nfev"][np.argmax(is_near)])
        if found["nfev"] < 1.5 * enough:
            return ""
        return (
            f"; no budget was given: all but a millionth of the gain came with the first {enough} evaluations. "
            f"maxfevals={enough} ends a search there, and may save more, because a budget brings a model"
        )

    def _parameters(self) -> List[Dict[str, Any]]:
        """Name, kind and choices of each parameter."""
        if self._space is not None:
            return self._space.about()
        return [{"name": f"x{j}", "kind": "", "choices": None} for j in range(len(self._result()["x"]))]

    def _recall(self) -> None:
        """The generations before the search was resumed, from its trace file."""
        file = self._given["trace"]
        own = self._history()
        first = own["generation"][0] if len(own["generation"]) else self.nit + 1
        if not isinstance(file, str) or self.nit == 0 or first <= 1 or not os.path.isfile(file):
            return
        try:
            self._set_history(joined(read_places(file), own, first))
        except ValueError:  # a trace that has begun later has nothing to add
            pass

    def _by_name(self, x: Any) -> Dict[str, Any]:
        if self._space is not None:
            return self._space.params(x)
        return {f"x{j}": float(value) for j, value in enumerate(x)}

    def disp(self) -> None:
        """Prints the state of the search as a row of a table."""
        self._shown = self.nit
        print(self._table.row(self), flush=True)

    @property
    def _table(self) -> Table:
        table: Table = self.__dict__.setdefault("_own_table", Table(self._given))
        return table

    def continued(self, **budgets: Any) -> Optimizer:
        """The same search with other budgets or tolerances, continued from here.

        >>> search = surefoot.Optimizer([3, 3], 1, maxfevals=20, restarts=None, model="none", seed=1)
        >>> search.optimize(lambda x: (x**2).sum()).nfev
        20
        >>> search = search.continued(maxfevals=50)
        >>> search.optimize(lambda x: (x**2).sum()).nfev
        50

        Allowed are maxfevals, maxiter, timeout, ftarget and the tolerances.
        """
        for name in budgets:
            if name not in _CHANGEABLE:
                raise TypeError(f"continued: {name} is not allowed: only {', '.join(_CHANGEABLE)} may change")
        own = {name: value for name, value in self.__dict__.items() if name not in ("_given", "_own_table")}
        return _restored(type(self), {**self._given, **budgets}, self._state(), self._history(), own)

    @shows(LoopOptions)
    def optimize(self, fun: Callable[..., Any], **options: Unpack[LoopOptions]) -> Any:
        """Runs the search and returns the result; on Ctrl-C, the best so far."""
        given = completed("optimize", LoopOptions, options)
        disp = given["disp"]
        on_interrupt = given["on_interrupt"]
        if on_interrupt not in ("return", "raise"):
            raise ValueError(f"on_interrupt = {on_interrupt!r} is not allowed: it must be 'return' or 'raise'")
        display = make_display(disp)
        named: Any = fun if self._space is None or not callable(fun) else Named(fun, self._space, given["vectorized"])
        width = 1
        if self._constraints is not None and callable(named):
            named = Constrained(named, self._constraints, given["vectorized"])
            width += self._constraints.inequalities + self._constraints.equalities
        evaluator = make_evaluator(
            named,
            given["args"],
            width=width,
            **{name: given[name] for name in ("workers", "vectorized", "eval_timeout", "on_failure")},
        )
        if self.stop() == "interrupted":  # an interrupted search continues
            self._set_state(self._state())
        checkpoint = given["checkpoint"]
        file = "" if checkpoint is None else _file("checkpoint", checkpoint)
        self._open_files(file, str(given["checkpoint_every"]), given["overwrite"])
        self._recall()
        try:
            self._run(evaluator, display, given["on_failure"] == "auto")
        except KeyboardInterrupt:
            self._interrupt()
            if on_interrupt == "raise":
                raise
        finally:
            evaluator.close()
            for sentence in self._close_files():
                warnings.warn(f"surefoot: {sentence}", RuntimeWarning, stacklevel=2)
        display.end(self)
        return self.result

    def _run(self, evaluator: Evaluator, display: Display, raises_common_error: bool) -> None:
        display.begin(self)
        while not self.stop():
            evaluator.begin()
            while True:
                population = self.ask()  # made anew for a retry, because the function may have changed its argument
                evaluator.evaluate(self, population, self._open())
                # What has attempts left is open also when nobody waits for them: otherwise a generation that uses up
                # the budget would end the search without them.
                if not self._reopen_failures() or self._is_cancelled():
                    break
            if raises_common_error:
                self._raise_mistake(evaluator.mistake(len(population)))
            if self.stop():  # the function has called stop_because
                break
            self._finish_generation()
            display.after_generation(self)

    def _raise_mistake(self, error: Optional[Outcome]) -> None:
        """Raises the exception of all evaluations if none has ever worked: a mistake in the program. Later exceptions
        are failed evaluations.

        Forgets the failures, so that a search with a checkpoint can be resumed once the function is repaired.
        """
        if error is not None and self._has_never_worked():
            self._forget_failures()
            error.throw()

    def __reduce__(self) -> Any:
        own = {name: value for name, value in self.__dict__.items() if name != "_given"}
        return _restored, (type(self), self._given, self._state(), self._history(), own)


_MOST_FOR_COVARIANCE = 1000  # parameters; a larger matrix is search.covariance's alone

_BUDGETS = ("maxfevals", "maxiter", "timeout", "ftarget")

_CHANGEABLE = tuple(row["python"] for row in _core.option_table() if row["may_change"] and row["python"])

# Arguments that are not options of the core.
_NOT_PASSED = (
    "x0",
    "sigma0",
    "space",
    "warm_start",
    "bounds",
    "constraints",
    "equalities",
    "seed",
    "restarts",
    "restart_point",
    "callback",
    "trace",
    "log",
)


def _restored(kind: Any, given: Dict[str, Any], state: bytes, history: Any, own: Dict[str, Any]) -> Optimizer:
    search = kind.__new__(kind)
    Optimizer.__init__(search, **given)
    search._set_state(state)
    search._set_history(history)
    search.__dict__.update(own)
    return search


def _constraints(
    given: Dict[str, Any], space: Optional[Space], origin: Dict[str, Any], sides: Any
) -> Optional[Constraints]:
    def first_point() -> np.ndarray:
        return _core.Search(origin, {"bounds": sides}, None, None, "", []).ask()[0]

    return parse(given["constraints"], given["equalities"], space, first_point)


class BatchOptimizer(Optimizer):
    """An Optimizer whose function takes whole populations."""

    _is_vectorized = True


def _origin(given: Dict[str, Any], space: Optional[Space]) -> Dict[str, Any]:
    """What a search begins with, as the core takes it. The core decides what goes together."""
    warm_start = given["warm_start"]
    return {
        "x0": None if given["x0"] is None else as_point("x0", given["x0"]),
        "sigma0": given["sigma0"],
        "space": [] if space is None else space.texts(),
        "warm_start": _warm_start(warm_start) if space is None else _named_warm_start(warm_start),
    }


def _dimension(origin: Dict[str, Any], bounds: Any) -> int:
    """Of the points that bounds are for."""
    if origin["x0"] is not None:
        return len(origin["x0"])
    if isinstance(origin["warm_start"], tuple):
        return len(origin["warm_start"][0])
    if bounds is not None and origin["warm_start"] is not None:
        raise ValueError("bounds: not together with a warm_start from a file; give (mean, covariance)")
    return len(origin["space"])


def _named_warm_start(warm_start: Any) -> Any:
    """A checkpoint's file name, or the state of a search."""
    if warm_start is None or isinstance(warm_start, bytes):
        return warm_start
    if isinstance(warm_start, (str, os.PathLike)):
        return os.fspath(warm_start)
    if isinstance(warm_start, dict) and "state" in warm_start:
        return warm_start["state"]
    raise ValueError(
        "warm_start: with a space it must be a result of a search that has a space too, or a checkpoint's file name"
    )


def _named_points(space: Space, points: Any) -> Any:
    if points is None or isinstance(points, (str, bytes, dict)) or not hasattr(points, "__iter__"):
        return points
    return [space.point(f"inject[{i}]", point) for i, point in enumerate(points)]


def _warm_start(warm_start: Any) -> Any:
    """A checkpoint's file name, or a pair of mean and covariance."""
    if isinstance(warm_start, dict) and "xfavorite" in warm_start:  # a result
        warm_start = _distribution(warm_start)
    if warm_start is None or isinstance(warm_start, (str, os.PathLike)):
        return warm_start if warm_start is None else os.fspath(warm_start)
    try:
        mean, covariance = warm_start
    except (TypeError, ValueError):
        raise ValueError("warm_start: give a result, a checkpoint's file name or a pair (mean, covariance)") from None
    return as_point("warm_start: mean", mean), covariance


def _distribution(result: Any) -> Tuple[np.ndarray, np.ndarray]:
    """Mean and covariance at the end of a result's search, if another search can start there."""
    mean, covariance = result["xfavorite"], result.get("covariance")
    if covariance is None:
        raise ValueError("warm_start: this result has no covariance; give (mean, covariance)")
    if len(covariance) != len(mean):
        raise ValueError(
            f"warm_start: the covariance of this result has {len(covariance)} of {len(mean)} coordinates, because "
            "equal bounds fixed the others; give (mean, covariance), or x0 and sigma0"
        )
    try:
        if np.isfinite(mean).all() and np.isfinite(np.linalg.cholesky(covariance)).all():
            return mean, covariance
    except np.linalg.LinAlgError:
        pass
    raise ValueError(
        "warm_start: this result's distribution is not finite or has lost its rank; give (mean, covariance), or x0 "
        f"and sigma0; its search ended with {result['stop']}: {result['message']}"
    )


def _points(option: str, points: Any) -> Any:
    """A list of arrays, or None. They are copies, because a copy of the search needs them again."""
    if points is None:
        return None
    if isinstance(points, (str, bytes, dict)) or not hasattr(points, "__iter__"):
        raise TypeError(f"{option}: {points!r} is not allowed: give a list of points")
    return [as_point(f"{option}[{i}]", point).copy() for i, point in enumerate(points)]


def _seed(seed: Any) -> Any:
    """The seed as a number; a generator of NumPy draws one."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, np.random.RandomState):
        return int(seed.randint(2**31))
    return seed


def _restarts(restarts: Any) -> Any:
    """The option as text; a number means this many restarts with growing populations."""
    if restarts is None:
        return "none"
    if isinstance(restarts, (int, np.integer)) and not isinstance(restarts, bool):
        return f"ipop:{restarts}" if restarts else "none"
    return restarts


def _trace(trace: Any) -> Any:
    """None, True, or a file's name."""
    if isinstance(trace, (bool, np.bool_)):
        return True if trace else None
    return None if trace is None else _file("trace", trace)


def _file(option: str, name: Any) -> str:
    """The absolute name, because the function may change the folder while the search runs."""
    try:
        file = os.fsdecode(name)
    except TypeError:
        raise TypeError(f"{option} = {name!r} is not allowed: give a file's name") from None
    if not file:  # It would mean that nothing is kept.
        raise ValueError(f"{option} = {name!r} is not allowed: give a file's name or None")
    return file if os.path.isabs(file) else os.path.join(os.getcwd(), file)


def _own(value: Any) -> Any:
    """A copy, because a pickle needs the array's current values."""
    return value.copy() if isinstance(value, np.ndarray) else value


def _callback(search: Optimizer, callback: Any) -> Any:
    """The function that the core calls once a generation. It holds a weak reference, because the search owns it."""
    if callback is None:
        return None
    if not callable(callback):
        raise TypeError(f"callback: {callback!r} is not allowed: it must be callable")
    reference = weakref.ref(search)
    from ._result import Result

    def call() -> Any:
        current = reference()
        if current is None:
            return False
        try:
            answer = current._given["callback"](Result(**current._named_result()))
        except StopIteration as stop:  # scipy's way to stop; a text says why
            answer = stop.value if isinstance(stop.value, str) and stop.value else True
        return answer if isinstance(answer, str) else bool(answer)

    return call


def _restart_point(search: Optimizer, restart_point: Any) -> Any:
    """The same for the function that says where restarts begin."""
    if restart_point is None:
        return None
    if not callable(restart_point):
        raise TypeError(f"restart_point: {restart_point!r} is not allowed: it must be callable")
    reference = weakref.ref(search)

    def call(run: int) -> Any:
        current = reference()
        assert current is not None
        point = current._given["restart_point"](run)
        return point if current._space is None else current._space.point("restart_point", point)

    return call
