"""Evaluators: in this process, whole populations at once, in worker processes, or by any engine with a map."""

from __future__ import annotations

import inspect
import time
import warnings
from asyncio import TimeoutError as AsyncTimeout
from concurrent.futures import TimeoutError as FutureTimeout
from multiprocessing import TimeoutError as MultiprocessingTimeout
from pickle import PicklingError
from typing import Any, Callable, Dict, Iterator, List, Optional

import numpy as np

from . import _core
from ._arrays import as_floats
from ._outcome import Guarded, NoNumber, Outcome, describe, number_or_values
from ._processes import Processes, processors


class Evaluator:
    """Gives each open candidate of a generation a value, or reports that its evaluation failed."""

    def __init__(self, raises: bool):
        self._raises = raises
        self._errors: List[Outcome] = []  # of the present generation

    def begin(self) -> None:
        """Called when a generation begins."""
        self._errors = []

    def mistake(self, size: int) -> Optional[Outcome]:
        """What all failed evaluations of a generation of this size raised, if it was the same exception; otherwise
        None. Of a single candidate only what is a mistake of the program by its type."""
        if len({(outcome.kind, outcome.reason) for outcome in self._errors}) != 1:
            return None
        first = self._errors[0]
        is_mistake = isinstance(first.error, (NameError, TypeError, AttributeError))
        return first if is_mistake or (first.kind == "exception" and size > 1) else None

    def evaluate(self, search: _core.Search, population: np.ndarray, candidates: List[int]) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Stops everything that the evaluator has started."""

    def _take(self, search: _core.Search, candidate: int, outcome: Outcome) -> None:
        search._took(candidate, outcome.seconds, outcome.worker)
        if outcome.value is not None:
            search._set(candidate, outcome.value)
            return
        if self._raises or isinstance(outcome.error, NoNumber):
            outcome.throw()
        self._fail(search, candidate, outcome)

    def _fail(self, search: _core.Search, candidate: int, outcome: Outcome) -> None:
        self._errors.append(outcome)
        search._fail(candidate, outcome.kind, outcome.reason)


class Serial(Evaluator):
    """Evaluates one candidate after the other in this process."""

    def __init__(self, fun: Callable[..., Any], args: tuple, raises: bool):
        super().__init__(raises)
        self._fun = fun
        self._args = args

    def evaluate(self, search: _core.Search, population: np.ndarray, candidates: List[int]) -> None:
        fun, args = self._fun, self._args
        for i in candidates:
            if search._is_cancelled():
                return
            begin = time.perf_counter()
            try:
                value = fun(population[i], *args)
            except NoNumber:
                raise
            except Exception as error:
                if self._raises:
                    raise
                search._took(i, time.perf_counter() - begin, 0)
                self._fail(search, i, Outcome(None, "exception", describe(error), error))
            else:
                search._took(i, time.perf_counter() - begin, 0)
                search._set(i, number_or_values(value))


class Vectorized(Serial):
    """Evaluates all candidates in one call; `width` numbers for each."""

    def __init__(self, fun: Callable[..., Any], args: tuple, raises: bool, width: int):
        super().__init__(fun, args, raises)
        self._width = width

    def evaluate(self, search: _core.Search, population: np.ndarray, candidates: List[int]) -> None:
        points = population if len(candidates) == len(population) else population[candidates]
        begin = time.perf_counter()
        try:
            values = self._fun(points, *self._args)
        except NoNumber:
            raise
        except Exception as error:
            if self._raises:
                raise
            search._took_together(time.perf_counter() - begin)
            for i in candidates:
                self._fail(search, i, Outcome(None, "exception", describe(error), error))
            return
        values = as_floats("the function's values", values)
        if values.size != self._width * len(candidates) or values.shape[:1] != (len(candidates),):
            raise ValueError(
                f"the function returned values of shape {values.shape}: with vectorized=True it must return "
                f"{len(candidates)}, one for each row"
            )
        search._took_together(time.perf_counter() - begin)
        search._set_open(values.reshape(len(candidates), self._width))


class InProcesses(Evaluator):
    """Evaluates in worker processes of our own."""

    def __init__(self, guarded: Guarded, workers: int, timeout: Optional[float], raises: bool):
        super().__init__(raises)
        self._processes = Processes(guarded, workers, timeout)

    def evaluate(self, search: _core.Search, population: np.ndarray, candidates: List[int]) -> None:
        self._processes.run(
            [(i, population[i]) for i in candidates],
            lambda i, outcome: self._take(search, i, outcome),
            search._is_cancelled,
        )

    def close(self) -> None:
        self._processes.close()


class Mapped(Evaluator):
    """Evaluates with the caller's engine: anything that maps a function over a list, to values or to futures."""

    def __init__(self, guarded: Guarded, engine: Callable[..., Any], raises: bool):
        super().__init__(raises)
        self._guarded = guarded
        self._engine = engine

    def evaluate(self, search: _core.Search, population: np.ndarray, candidates: List[int]) -> None:
        lost = self._ask(search, population, candidates)
        if lost and not search._is_cancelled():  # the engine's failure, not the function's: the value may still be had
            _warn_of(lost)
            lost = self._ask(search, population, list(lost))
        for i, outcome in lost.items():
            self._take(search, i, outcome)

    def _ask(self, search: _core.Search, population: np.ndarray, candidates: List[int]) -> Dict[int, Outcome]:
        """Evaluates each candidate, unless the search is cancelled; returns those that the engine has lost."""
        lost: Dict[int, Outcome] = {}
        left = list(candidates)
        while left and not search._is_cancelled():
            left = self._ask_until_lost(search, population, left, lost)
        return lost

    def _ask_until_lost(
        self, search: _core.Search, population: np.ndarray, candidates: List[int], lost: Dict[int, Outcome]
    ) -> List[int]:
        """Evaluates until the engine ends its map, by which some report a lost candidate; returns the open ones."""
        try:
            results = self._engine(self._guarded, [population[i] for i in candidates])
        except Exception as error:
            for i in candidates:
                self._take_or_ask_again(search, i, _lost(error), lost)
            return []
        items = _items(results, len(candidates))
        try:
            return self._take_all(search, candidates, items, results, lost)
        except BaseException:  # Ctrl-C, or an exception for the caller: nobody waits for the rest
            _cancel(results)
            raise

    def _take_all(
        self,
        search: _core.Search,
        candidates: List[int],
        items: Iterator[Any],
        results: Any,
        lost: Dict[int, Outcome],
    ) -> List[int]:
        for position, i in enumerate(candidates):
            try:
                item = next(items)
            except StopIteration:
                raise _wrong_count(position, len(candidates)) from None
            except Exception as error:
                self._take_or_ask_again(search, i, _lost(error), lost)
                return candidates[position + 1 :]
            outcome = _outcome_of(item, search._is_cancelled)
            if outcome is None:
                _cancel(results)
                return []
            self._take_or_ask_again(search, i, outcome, lost)
        if next(items, _END) is not _END:
            raise _wrong_count(f"more than {len(candidates)}", len(candidates))
        return []

    def _take_or_ask_again(
        self, search: _core.Search, candidate: int, outcome: Outcome, lost: Dict[int, Outcome]
    ) -> None:
        if outcome.kind == _LOST and not isinstance(outcome.error, _MISTAKES):
            lost[candidate] = outcome._replace(kind="crash")
        else:
            self._take(search, candidate, outcome._replace(kind="crash") if outcome.kind == _LOST else outcome)


_END = object()
_LOST = "lost"  # the kind of an outcome that the engine owes; none of the search's
_MISTAKES = (NameError, TypeError, AttributeError)  # of the program: asking again does not help


def _warn_of(lost: Dict[int, Outcome]) -> None:
    count = f"{len(lost)} evaluation{'' if len(lost) == 1 else 's'}"
    first = next(iter(lost.values()))
    warnings.warn(
        f"surefoot: the engine of workers did not return {count}, which will be submitted once more: {first.reason}",
        RuntimeWarning,
        stacklevel=2,
    )


def _items(results: Any, count: int) -> Iterator[Any]:
    """The results of a map, one after the other."""
    if isinstance(results, (str, bytes, dict)) or not hasattr(results, "__iter__"):
        raise TypeError(
            f"workers: the map returned {_shown(results)}: it must return a list or an iterator with one result or "
            "future for each candidate, in their order"
        )
    if hasattr(results, "__len__") and len(results) != count:
        raise _wrong_count(len(results), count)
    return iter(results)


def _wrong_count(given: Any, count: int) -> ValueError:
    return ValueError(
        f"workers: the map gave {given} results for the {count} candidates it got: it must give one for each"
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _lost(error: Exception) -> Outcome:
    """An engine that loses a worker is a failure; one that cannot be called, or not with this function, a mistake."""
    reason = f"the engine lost it ({describe(error)})"
    if isinstance(error, PicklingError) or (isinstance(error, (AttributeError, TypeError)) and "pickle" in str(error)):
        error = TypeError(
            f"workers: the function cannot be sent to other processes ({describe(error)}); define it at the top level "
            "of a module, or use workers=4 or workers=ThreadPoolExecutor(n).map"
        )
    return Outcome(None, _LOST, reason, error)


_PATIENCE = 0.5  # seconds of a wait: an engine may be stuck, but the search's own timeout must hold


def _outcome_of(item: Any, is_cancelled: Callable[[], bool]) -> Optional[Outcome]:
    """The outcome from an engine or its future; None if the generation is cancelled."""
    while not isinstance(item, Outcome) and callable(getattr(item, "result", None)):
        begin = time.monotonic()
        try:
            item = item.result(timeout=_PATIENCE)
        except (TimeoutError, FutureTimeout, AsyncTimeout) as error:
            # The future's own TimeoutError comes at once. After the whole wait it is ours, even if the future is done:
            # Dask's is while its value is still on its way.
            if time.monotonic() - begin < 0.9 * _PATIENCE and callable(getattr(item, "done", None)) and item.done():
                return _lost(error)
            if is_cancelled():
                return None
        except Exception as error:
            return _lost(error)
    if isinstance(item, Outcome):
        return item
    if isinstance(item, (tuple, list)) and len(item) == len(Outcome._fields):  # engines may send plain tuples
        return Outcome(*item)
    raise ValueError(f"workers: the map gave {_shown(item)}, not what the function it got returned")


def _cancel(results: Any) -> None:
    for item in results if isinstance(results, list) else []:
        if callable(getattr(item, "cancel", None)):
            item.cancel()


def _engine(workers: Any) -> Callable[..., Any]:
    """Prefers an engine's futures to its map: candidates then fail or succeed separately."""
    if callable(workers):
        impure = _impure(workers)
        return (lambda function, points: workers(function, points, **impure)) if impure else workers
    if callable(getattr(workers, "submit", None)):
        impure = _impure(workers.submit)
        return lambda function, points: [workers.submit(function, x, **impure) for x in points]
    if callable(getattr(workers, "apply_async", None)):
        return lambda function, points: [_PoolResult(workers, function, x) for x in points]
    return workers.map


def _impure(engine: Callable[..., Any]) -> Dict[str, bool]:
    """Makes Dask evaluate a point again. Dask takes functions for pure and would reuse its value, which is wrong for
    noisy functions and for retries."""
    try:
        return {"pure": False} if "pure" in inspect.signature(engine).parameters else {}
    except (TypeError, ValueError):  # built-in functions such as map have no signature
        return {}


class _PoolResult:
    """A future of multiprocessing's pool, which never reports that a worker has died with its task."""

    def __init__(self, pool: Any, function: Callable[..., Any], x: np.ndarray):
        self._processes = list(getattr(pool, "_pool", ()))
        self._result = pool.apply_async(function, (x,))

    def result(self, timeout: float) -> Any:
        try:
            return self._result.get(timeout)
        except MultiprocessingTimeout:
            if any(not process.is_alive() for process in self._processes):
                raise RuntimeError("a worker of the pool has died") from None
            raise FutureTimeout from None


def make_evaluator(
    fun: Callable[..., Any],
    args: Any,
    *,
    workers: Any,
    vectorized: bool,
    eval_timeout: Optional[float],
    on_failure: str,
    width: int = 1,
) -> Evaluator:
    """The evaluator for the arguments of `minimize`. `width`: numbers that an evaluation gives."""
    if not callable(fun):
        raise TypeError(f"fun: {fun!r} is not allowed: it must be callable")
    if on_failure not in ("auto", "rank-last", "raise"):
        raise ValueError(f"on_failure = {on_failure!r} is not allowed: it must be 'auto', 'rank-last' or 'raise'")
    args = args if isinstance(args, tuple) else (args,)
    raises = on_failure == "raise"
    count = count_workers(workers)
    if eval_timeout is not None and (vectorized or count is None or workers == 1):
        raise ValueError("eval_timeout: it needs worker processes that can be ended: give workers=2 or more")
    if eval_timeout is not None and not (isinstance(eval_timeout, (int, float, np.number)) and eval_timeout > 0):
        raise ValueError(f"eval_timeout = {eval_timeout!r} is not allowed: it must be a positive number of seconds")
    if vectorized:
        if count != 1:
            raise ValueError("workers: not together with vectorized=True, which makes one call a generation")
        return Vectorized(fun, args, raises, width)
    if count is None:
        return Mapped(Guarded(fun, args), _engine(workers), raises)
    if workers == 1:
        return Serial(fun, args, raises)
    return InProcesses(Guarded(fun, args), count, eval_timeout, raises)


def count_workers(workers: Any) -> Optional[int]:
    """The number of processes; None for an engine."""
    if isinstance(workers, (int, np.integer)) and not isinstance(workers, bool):
        if workers == -1:
            return processors()
        if 1 <= workers <= 10000:
            return int(workers)
    elif callable(workers) or callable(getattr(workers, "map", None)) or callable(getattr(workers, "submit", None)):
        return None
    raise ValueError(
        f"workers = {workers!r} is not allowed: give a number of processes from 1 to 10000, -1 for all processors, or "
        "something like map"
    )
