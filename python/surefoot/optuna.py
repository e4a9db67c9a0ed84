"""A sampler for Optuna: study = optuna.create_study(sampler=surefoot.optuna.SurefootSampler(seed=1))."""

from __future__ import annotations

import math
import re
import secrets
import threading
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import numpy as np
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    IntDistribution,
    distribution_to_json,
    json_to_distribution,
)
from optuna.samplers import BaseSampler, IntersectionSearchSpace, RandomSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from ._optimizer import Optimizer
from ._space import Choice, Grid, Integer, Real

__all__ = ["SurefootSampler"]

_ENOUGH = 12  # number of trials whose best quarter gives start and width
_LARGEST_INTEGER = 2**53  # of an Integer: doubles have all up to there
_MOST_STEPS = 10000  # of a Grid
_LARGEST_LOG_SIGMA = 345.0  # its exponential is below 1e150
_SECONDS = 1.0  # a trial is expensive: the study alone takes milliseconds of it
_KEY = "surefoot:candidate"  # of a trial's system attributes: search, its first trial, generation and number
_SEARCH = "surefoot:search"  # the same of the trial that begins a search: all that the search is made from


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

    The search is in the study's storage: its start is an attribute of the trial that begins it, and its course follows
    from the values of its trials. So processes that share a storage work on one search, and a later process continues
    it, if their samplers have the same arguments. With n processes use batch=n or model="none".

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
        if x0 is not None and not isinstance(x0, Mapping):
            raise TypeError(f"x0 = {x0!r} is not allowed: it must be a dict of values by name")
        if not isinstance(n_startup_trials, (int, np.integer)) or n_startup_trials < 1:
            raise ValueError(
                f"n_startup_trials = {n_startup_trials!r} is not allowed: it must be an integer from 1 on, because the "
                "first trial shows the parameters"
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
            trials = list(study.get_trials(deepcopy=False))
            done = [t for t in trials if t.state.is_finished()]
            if len(done) < self._n_startup_trials:
                return {}
            while True:
                search = self._search_for(study, trial, search_space, trials)
                others = [t for t in trials if t.number != trial.number]
                number = search.next_candidate(others)
                key, parameters = search.key(number), search.parameters(number)
                study._storage.set_trial_system_attr(trial._trial_id, _KEY, key)
                trials = list(study.get_trials(deepcopy=False))
                # Where two processes took the same candidate at the same time, the later trial gives way.
                rivals = [t for t in trials if t.number < trial.number and not t.state.is_finished()]
                is_taken = any(t.system_attrs.get(_KEY) == key for t in rivals)
                if not is_taken or not search.has_free(t for t in trials if t.number != trial.number):
                    return parameters

    def _search_for(
        self, study: Study, trial: FrozenTrial, space: Dict[str, BaseDistribution], trials: List[FrozenTrial]
    ) -> "_Search":
        """The search that continues with these trials, or a new one that begins with this trial."""
        search = self._known_search(study, trials)
        if search is not None and not search.is_over() and search.space == space:
            return search
        done = [t for t in trials if t.state.is_finished()]
        definition = self._definition(study, space, done, search)
        study._storage.set_trial_system_attr(trial._trial_id, _SEARCH, definition)
        trials[:] = study.get_trials(deepcopy=False)
        search = self._known_search(study, trials)
        assert search is not None
        return search

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def _known_search(self, study: Study, trials: List[FrozenTrial]) -> Optional["_Search"]:
        """The newest search of samplers with these arguments, as far as the finished trials have taken it. If several
        trials have begun it at the same time, that of the first one counts, for all processes."""
        begun = [(t.number, t.system_attrs[_SEARCH]) for t in trials if _SEARCH in t.system_attrs]
        ours = [(number, d) for number, d in begun if d["sampler"] == self._signature()]
        if not ours:
            return None
        newest = max(d["search"] for _, d in ours)
        owner, definition = min((number, d) for number, d in ours if d["search"] == newest)
        if self._search is None or self._search.identity != (newest, owner):
            self._search = _Search(definition, owner, self._options)
        sign = 1 if study.direction == StudyDirection.MINIMIZE else -1
        self._search.follow(trials, sign)
        return self._search

    def _signature(self) -> str:
        return repr((sorted(self._x0.items()), self._sigma0, self._seed, sorted(self._options.items())))

    def _definition(
        self, study: Study, space: Dict[str, BaseDistribution], done: List[FrozenTrial], last: Optional["_Search"]
    ) -> Dict[str, Any]:
        """What a search is made from, as JSON."""
        number = 1 if last is None else last.identity[0] + 1
        seed = secrets.randbits(31) if self._seed is None else self._seed + number - 1
        is_first = last is None or last.space != space
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
        return {
            "sampler": self._signature(),
            "search": number,
            "seed": seed,
            "space": {name: distribution_to_json(kind) for name, kind in space.items()},
            "mean": [float(m) for m in mean],
            "deviations": [float(d) for d in deviations],
            "categories": {
                name: kind.choices.index(categories[name])
                for name, kind in space.items()
                if isinstance(kind, CategoricalDistribution) and name in categories
            },
            # The start alone would be a generation of one candidate, which keeps parallel trials waiting.
            "evaluate_x0": is_first and bool(self._x0),
        }


class _Search:
    """A search as its definition and the values of its trials determine it: the same in every process."""

    def __init__(self, definition: Dict[str, Any], owner: int, options: Dict[str, Any]):
        self.identity: Tuple[int, int] = (definition["search"], owner)
        self.space = {name: json_to_distribution(text) for name, text in definition["space"].items()}
        starts = zip(self.space.items(), definition["mean"], definition["deviations"])
        parameters = {}  # names of our own, because Optuna allows any
        for k, ((name, kind), mean, deviation) in enumerate(starts):
            index = definition["categories"].get(name)
            category = None if index is None else kind.choices[index]  # type: ignore[attr-defined]
            parameters[f"p{k}"] = _parameter(kind, mean, deviation, category)
        try:
            self._optimizer = Optimizer(
                space=parameters, evaluate_x0=definition["evaluate_x0"], seed=definition["seed"], **options
            )
        except (TypeError, ValueError) as error:
            raise type(error)(_with_own_names(str(error), list(self.space))) from None
        self._generation = 0
        self._begin_generation()

    def is_over(self) -> bool:
        return bool(self._optimizer.stop())

    def key(self, candidate: int) -> List[int]:
        """What a trial remembers of its candidate."""
        return [*self.identity, self._generation, candidate]

    def parameters(self, candidate: int) -> Dict[str, Any]:
        values = self._optimizer.params(self._population[candidate]).values()
        return {name: _of_kind(kind, value) for (name, kind), value in zip(self.space.items(), values)}

    def follow(self, trials: Iterable[FrozenTrial], sign: int) -> None:
        """Tells all generations whose trials have ended. Of several trials of one candidate the first that ended
        counts, which every process sees alike."""
        ended: Dict[Tuple[int, int], FrozenTrial] = {}
        for trial in trials:
            place = self._place(trial)
            if place is None or not trial.state.is_finished() or place[0] < self._generation:
                continue
            known = ended.get(place)
            if known is None or _ended_at(trial) < _ended_at(known):
                ended[place] = trial
        while not self.is_over():
            numbers = range(len(self._population))
            if any((self._generation, i) not in ended for i in numbers):
                return
            self._optimizer.tell([_value_of(ended[self._generation, i], sign) for i in numbers])
            if not self.is_over():
                self._begin_generation()

    def next_candidate(self, others: Iterable[FrozenTrial]) -> int:
        """The first candidate that no trial has. If all are out, the one whose last trial is the oldest, because that
        may never end; but not one with a value."""
        last, finished = self._out(others)
        waiting = [i for i in range(len(self._population)) if i not in finished]
        return min(waiting, key=lambda i: (last.get(i, -1), i))

    def has_free(self, others: Iterable[FrozenTrial]) -> bool:
        return len(self._out(others)[0]) < len(self._population)

    def _out(self, trials: Iterable[FrozenTrial]) -> Tuple[Dict[int, int], Dict[int, bool]]:
        """The last trial of each candidate that has one, and the candidates that have a value."""
        last: Dict[int, int] = {}
        finished: Dict[int, bool] = {}
        for trial in trials:
            place = self._place(trial)
            if place is None or place[0] != self._generation:
                continue
            last[place[1]] = max(last.get(place[1], -1), trial.number)
            if trial.state.is_finished():
                finished[place[1]] = True
        return last, finished

    def _place(self, trial: FrozenTrial) -> Optional[Tuple[int, int]]:
        """Generation and candidate of a trial of this search."""
        key = trial.system_attrs.get(_KEY)
        if key is None or tuple(key[:2]) != self.identity:
            return None
        return key[2], key[3]

    def _begin_generation(self) -> None:
        self._generation += 1
        self._population = self._optimizer.ask()


def _with_own_names(message: str, names: List[str]) -> str:
    """The message with the study's name of a parameter."""
    return re.sub(r"\bparameter p(\d+)\b", lambda found: f"parameter {names[int(found[1])]!r}", message)


def _ended_at(trial: FrozenTrial) -> Tuple[float, int]:
    return (trial.datetime_complete.timestamp() if trial.datetime_complete else math.inf, trial.number)


def _value_of(trial: FrozenTrial, sign: int) -> float:
    if trial.state == TrialState.COMPLETE and trial.value is not None:
        return sign * trial.value
    return math.inf if trial.state == TrialState.PRUNED else math.nan


def _require_one_objective(study: Study) -> None:
    if len(study.directions) != 1:
        raise ValueError("SurefootSampler: studies with several objectives are not supported")


def _is_searched(kind: BaseDistribution) -> bool:
    return not kind.single()


def _is_fine(kind: Any) -> bool:
    """Whether the values are too many for an Integer or a Grid: a Real is searched and rounded."""
    if isinstance(kind, CategoricalDistribution) or kind.step is None:
        return False
    if isinstance(kind, IntDistribution) and kind.step == 1:
        return max(abs(kind.low), abs(kind.high)) > _LARGEST_INTEGER
    return (kind.high - kind.low) / kind.step >= _MOST_STEPS


def _of_kind(kind: Any, value: Any) -> Any:
    """A value of the search as the study takes it."""
    if not _is_fine(kind):
        return value
    number = int(value) if isinstance(kind, IntDistribution) else value
    steps = round((number - kind.low) / kind.step)
    return min(max(kind.low + steps * kind.step, kind.low), kind.high)


def _steps(kind: Any) -> Optional[List[float]]:
    """The values of a parameter with a step; None for one without."""
    if kind.step is None or (isinstance(kind, IntDistribution) and kind.step == 1) or _is_fine(kind):
        return None
    count = int(round((kind.high - kind.low) / kind.step)) + 1
    return [kind.low + k * kind.step for k in range(count)]


def _parameter(kind: Any, unit: float, deviation: float, category: Any) -> Any:
    """The parameter of a distribution, which starts at this share of its range."""
    if isinstance(kind, CategoricalDistribution):
        return Choice(list(kind.choices), start=category)
    start = _from_unit(kind, unit)
    width = _log_ratio(kind.low, kind.high) if kind.log else kind.high - kind.low
    sigma = math.exp(min(deviation * width, _LARGEST_LOG_SIGMA)) if kind.log else deviation * width
    steps = _steps(kind)
    if steps is not None:
        return Grid(*steps, start=start, sigma=sigma)
    if _is_fine(kind):
        return Real(float(kind.low), float(kind.high), log=kind.log, start=start, sigma=sigma)
    kind_of_number = Integer if isinstance(kind, IntDistribution) else Real
    return kind_of_number(kind.low, kind.high, log=kind.log, start=start, sigma=sigma)


def _log_ratio(low: float, high: float) -> float:
    ratio = high / low
    return math.log(ratio) if math.isfinite(ratio) else math.log(high) - math.log(low)


def _to_unit(kind: Any, value: Any) -> float:
    if isinstance(kind, CategoricalDistribution):
        if value not in kind.choices:
            raise ValueError(f"x0: {value!r} is not allowed: it must be one of {list(kind.choices)}")
        return 0.5
    low, high = kind.low, kind.high
    if not isinstance(value, (int, float, np.integer, np.floating)) or not low <= value <= high:
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
