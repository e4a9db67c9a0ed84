"""A sampler for Optuna: study = optuna.create_study(sampler=surefoot.optuna.SurefootSampler(seed=1))."""

from __future__ import annotations

import math
import threading
import warnings
from collections import deque
from typing import Any, Deque, Dict, List, Optional, Sequence, Tuple

import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.samplers import BaseSampler, IntersectionSearchSpace, RandomSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from ._optimizer import Optimizer
from ._space import Choice, Grid, Integer, Real

__all__ = ["SurefootSampler"]

_ENOUGH = 12  # number of trials whose best quarter gives start and width
_SECONDS = 1.0  # a trial is expensive: the study alone takes milliseconds of it
_KEY = "surefoot:candidate"  # of a trial's system attributes: generation and number


class SurefootSampler(BaseSampler):
    """Samples all kinds of parameters with surefoot.Optimizer: floats and integers on linear and log scales and with
    steps, and categories.

    x0: start values by name, tried first. Other parameters start in the middle of their range. If the study has twelve
        or more trials already, they start at the mean of the best quarter of these (warm start), categories at the most
        frequent value.
    sigma0: start standard deviation as a fraction of each range.
    n_startup_trials: number of random trials before the search, which starts from them.
    batch: trials at a time. The default model of the objective asks for one candidate after the other, so parallel
        trials get the same one unless there are as many; model="none" asks for whole populations instead.
    Other arguments are those of Optimizer. A trial that fails, or is pruned, ranks behind all others.

    >>> import optuna, surefoot.optuna
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(sampler=surefoot.optuna.SurefootSampler(seed=1))
    >>> def f(trial):
    ...     return trial.suggest_float("x", -5, 5) ** 2 + trial.suggest_float("y", -5, 5) ** 2
    >>> study.optimize(f, n_trials=150)
    >>> study.best_value < 1e-3
    True
    """

    def __init__(
        self,
        *,
        x0: Optional[Dict[str, float]] = None,
        sigma0: float = 0.25,
        n_startup_trials: int = 1,
        seed: Optional[int] = None,
        popsize: Optional[int] = None,
        method: str = "auto",
        learning_rate: str = "auto",
        model: str = "auto",
        batch: int = 1,
    ):
        if not (isinstance(sigma0, (int, float)) and 0 < sigma0 < math.inf):
            raise ValueError(f"sigma0 = {sigma0!r} is not allowed: it must be a positive fraction of the ranges")
        if n_startup_trials < 1:
            raise ValueError(
                f"n_startup_trials = {n_startup_trials!r} is not allowed: the first trial shows the parameters"
            )
        self._x0 = dict(x0 or {})
        self._sigma0 = float(sigma0)
        self._n_startup_trials = n_startup_trials
        self._seed = seed
        self._options: Dict[str, Any] = {
            "popsize": popsize,
            "method": method,
            "learning_rate": learning_rate,
            "model": model,
            "batch": batch,
            "evaluation_seconds": _SECONDS,
        }
        self._random = RandomSampler(seed)
        self._search_space = IntersectionSearchSpace()
        self._lock = threading.RLock()
        self._search: Optional[_Search] = None
        self._searches = 0

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.RLock())

    def reseed_rng(self) -> None:
        self._random.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        _require_one_objective(study)
        known = self._search_space.calculate(study)
        return {name: kind for name, kind in sorted(known.items()) if _is_searched(kind)}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Dict[str, BaseDistribution]
    ) -> Dict[str, Any]:
        if not search_space or trial.system_attrs.get("fixed_params"):  # enqueued: its point is not ours
            return {}
        with self._lock:
            done = _finished(study)
            if len(done) < self._n_startup_trials:
                return {}
            if self._search is None or self._search.is_over() or self._search.space != search_space:
                self._search = self._new_search(study, search_space, done)
            candidate = self._search.next_candidate()
            study._storage.set_trial_system_attr(trial._trial_id, _KEY, list(candidate.key))
            return candidate.parameters

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Optional[Sequence[float]]
    ) -> None:
        with self._lock:
            key = trial.system_attrs.get(_KEY)
            if key is None or self._search is None:
                return
            if state == TrialState.COMPLETE and values is not None:
                value = values[0] if study.direction == StudyDirection.MINIMIZE else -values[0]
            else:
                value = math.inf if state == TrialState.PRUNED else math.nan
            self._search.take(tuple(key), value)

    def _new_search(self, study: Study, space: Dict[str, BaseDistribution], done: List[FrozenTrial]) -> "_Search":
        self._searches += 1
        seed = None if self._seed is None else self._seed + self._searches - 1
        is_first = self._searches == 1 or (self._search is not None and self._search.space != space)
        categories: Dict[str, Any] = {}
        if is_first:
            mean, deviations, categories = _warm_start(study, space, done, self._sigma0)
        else:  # after convergence a new search begins elsewhere
            mean = np.random.default_rng(seed).uniform(size=len(space))
            deviations = np.full(len(space), self._sigma0)
        unknown = sorted(set(self._x0) - set(space))
        if is_first and unknown:
            warnings.warn(f"SurefootSampler: x0 names {unknown}, which the study does not search", stacklevel=2)
        for k, name in enumerate(space):
            if is_first and name in self._x0:
                mean[k] = _to_unit(space[name], self._x0[name])
                categories[name] = self._x0[name]
        # The start alone would be a generation of one candidate, which keeps parallel trials waiting.
        evaluate_x0 = is_first and bool(self._x0)
        parameters = {  # names of our own, because Optuna allows any
            f"p{k}": _parameter(kind, mean[k], deviations[k], categories.get(name))
            for k, (name, kind) in enumerate(space.items())
        }
        optimizer = Optimizer(space=parameters, evaluate_x0=evaluate_x0, seed=seed, **self._options)
        return _Search(space, self._searches, optimizer)


class _Candidate:
    def __init__(self, key: Tuple[int, int, int], parameters: Dict[str, Any]):
        self.key = key
        self.parameters = parameters


class _Search:
    """Hands out the candidates of a generation one by one and tells their values when all have come."""

    def __init__(self, space: Dict[str, BaseDistribution], number: int, optimizer: Optimizer):
        self.space = dict(space)
        self._number = number
        self._optimizer = optimizer
        self._generation = 0
        self._begin_generation()

    def is_over(self) -> bool:
        return bool(self._optimizer.stop())

    def next_candidate(self) -> _Candidate:
        """The next candidate. If all are handed out, the oldest one again, because its trial may never end."""
        if self._waiting:
            i = self._waiting.popleft()
        else:
            i = self._out.popleft()
            while i in self._values:
                i = self._out.popleft()
        self._out.append(i)
        values = self._optimizer.params(self._population[i]).values()
        parameters = dict(zip(self.space, values))
        return _Candidate((self._number, self._generation, i), parameters)

    def take(self, key: Tuple[int, ...], value: float) -> None:
        number, generation, i = key
        if number != self._number or generation != self._generation:  # a trial of an earlier search or process
            return
        if self.is_over():  # the second trial of a candidate whose first value ended the search
            return
        self._values.setdefault(i, value)  # keep the first value of a candidate that was handed out twice
        if len(self._values) < len(self._population):
            return
        self._optimizer.tell([self._values[k] for k in range(len(self._population))])
        if not self.is_over():
            self._begin_generation()

    def _begin_generation(self) -> None:
        self._generation += 1
        self._population = self._optimizer.ask()
        self._values: Dict[int, float] = {}
        self._waiting = deque(range(len(self._population)))
        self._out: Deque[int] = deque()


def _require_one_objective(study: Study) -> None:
    if len(study.directions) != 1:
        raise ValueError("SurefootSampler: studies with several objectives are not supported")


def _is_searched(kind: BaseDistribution) -> bool:
    return not kind.single()


def _finished(study: Study) -> List[FrozenTrial]:
    return study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL))


def _steps(kind: Any) -> Optional[List[float]]:
    """The values of a parameter with a step; None for one without."""
    if kind.step is None or (isinstance(kind, IntDistribution) and kind.step == 1):
        return None
    count = int(round((kind.high - kind.low) / kind.step)) + 1
    return [kind.low + k * kind.step for k in range(count)]


def _parameter(kind: Any, unit: float, deviation: float, category: Any) -> Any:
    """The parameter of a distribution, which starts at this share of its range."""
    if isinstance(kind, CategoricalDistribution):
        return Choice(*kind.choices, start=category)
    start = _from_unit(kind, unit)
    width = math.log(kind.high / kind.low) if kind.log else kind.high - kind.low
    sigma = math.exp(deviation * width) if kind.log else deviation * width
    steps = _steps(kind)
    if steps is not None:
        return Grid(*steps, start=start, sigma=sigma)
    kind_of_number = Integer if isinstance(kind, IntDistribution) else Real
    return kind_of_number(kind.low, kind.high, log=kind.log, start=start, sigma=sigma)


def _to_unit(kind: Any, value: Any) -> float:
    if isinstance(kind, CategoricalDistribution):
        if value not in kind.choices:
            raise ValueError(f"x0: {value!r} is not allowed: it must be one of {list(kind.choices)}")
        return 0.5
    low, high = kind.low, kind.high
    if not low <= value <= high:
        raise ValueError(f"x0: {value!r} is not allowed: it must be from {low} to {high}")
    if kind.log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    return (value - low) / (high - low)


def _from_unit(kind: Any, unit: float) -> float:
    low, high = kind.low, kind.high
    if kind.log:
        low, high = math.log(low), math.log(high)
    value = low + (high - low) * float(unit)
    return min(max(math.exp(value) if kind.log else value, kind.low), kind.high)


def _warm_start(
    study: Study, space: Dict[str, BaseDistribution], done: List[FrozenTrial], sigma0: float
) -> Tuple[np.ndarray, np.ndarray, Dict[str, Any]]:
    """Mean and standard deviations of the best quarter of the known trials, if there are enough, and the categories
    that are most frequent there."""
    sign = 1 if study.direction == StudyDirection.MINIMIZE else -1
    known = sorted(
        (
            (sign * trial.value, [_to_unit(space[name], trial.params[name]) for name in space], trial.params)
            for trial in done
            if trial.state == TrialState.COMPLETE and trial.value is not None and _is_inside(trial, space)
        ),
        key=lambda item: item[0],
    )
    if len(known) < _ENOUGH:
        return np.full(len(space), 0.5), np.full(len(space), sigma0), {}
    quarter = known[: len(known) // 4]
    best = np.array([point for _, point, _ in quarter])
    categories = {}
    for name, kind in space.items():
        if isinstance(kind, CategoricalDistribution):
            tried = [params[name] for _, _, params in quarter]
            categories[name] = max(kind.choices, key=tried.count)
    return best.mean(axis=0), np.clip(best.std(axis=0), sigma0 / 10, sigma0), categories


def _is_inside(trial: FrozenTrial, space: Dict[str, BaseDistribution]) -> bool:
    try:
        return all(kind._contains(kind.to_internal_repr(trial.params[name])) for name, kind in space.items())
    except (KeyError, ValueError):  # a trial without this parameter, or with a category that is no longer one
        return False
