import doctest
import math
import pathlib
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

optuna = pytest.importorskip("optuna")


@pytest.fixture
def sampler():
    import surefoot.optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return surefoot.optuna.SurefootSampler


def objective(trial):
    x = trial.suggest_float("x", -5, 5)
    y = trial.suggest_float("y", 1e-4, 1e4, log=True)
    return (x - 1) ** 2 + (np.log10(y) - 2) ** 2


def test_optuna_finds_the_optimum_and_repeats_itself(sampler):
    values = []
    for _ in range(2):
        study = optuna.create_study(sampler=sampler(seed=3))
        study.optimize(objective, n_trials=200)
        values.append([trial.value for trial in study.trials])
    assert values[0] == values[1] and min(values[0]) < 1e-4
    random = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=3))
    random.optimize(objective, n_trials=200)
    assert study.best_value < random.best_value / 10


def test_optuna_maximises(sampler):
    study = optuna.create_study(direction="maximize", sampler=sampler(seed=3))
    study.optimize(lambda trial: -objective(trial), n_trials=150)
    assert study.best_value > -1e-2


def mixed(trial):
    k = trial.suggest_int("k", 1, 30)
    m = trial.suggest_int("m", 1, 1000, log=True)
    even = trial.suggest_int("even number", 0, 10, step=2)
    c = trial.suggest_categorical("c", ["a", None, 1, "1"])
    s = trial.suggest_float("s", 0, 1, step=0.25)
    trial.suggest_float("fixed", 2, 2)
    assert type(k) is int and type(even) is int and even % 2 == 0 and s in (0, 0.25, 0.5, 0.75, 1)
    return objective(trial) + (k - 20) ** 2 + (np.log(m / 40)) ** 2 + (even - 8) ** 2 + (c is not None) + abs(s - 0.75)


def test_optuna_integers_steps_and_categories(sampler):
    study = optuna.create_study(sampler=sampler(seed=3))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        study.optimize(mixed, n_trials=700)
    best = study.best_params
    assert best["k"] == 20 and best["even number"] == 8 and best["c"] is None and best["s"] == 0.75
    assert study.best_value < 1e-2
    again = optuna.create_study(sampler=sampler(seed=3, x0={"k": 20, "c": "1", "m": 40}))
    again.optimize(mixed, n_trials=2)
    assert again.trials[1].params["k"] == 20 and again.trials[1].params["c"] == "1"
    study.sampler = sampler(seed=4)  # a warm start from the best quarter
    study.optimize(mixed, n_trials=12)
    assert abs(study.trials[-1].params["k"] - 20) < 15


def test_optuna_large_integers_small_steps_wide_ranges_and_empty_texts(sampler):
    def f(trial):
        n = trial.suggest_int("n", 0, 2**60)
        k = trial.suggest_int("k", -(2**60), 2**60, step=2**10)
        m = trial.suggest_int("m", 1, 2**60, log=True)
        fine = trial.suggest_float("fine", 0, 1, step=1e-9)
        wide = trial.suggest_float("wide", 1e-300, 1e300, log=True)
        c = trial.suggest_categorical("c", ["", "x"])
        assert type(n) is int and type(k) is int and k % 2**10 == 0 and c in ("", "x")
        assert abs(fine / 1e-9 - round(fine / 1e-9)) < 1e-6
        return abs(n / 2**60 - 0.25) + abs(k / 2**60) + math.log(m) / 100 + fine + abs(math.log(wide)) / 1000

    study = optuna.create_study(sampler=sampler(seed=3, model="none"))
    study.optimize(f, n_trials=40)
    assert len(study.trials) == 40 and study.sampler._search.identity[0] == 1
    assert len({t.params["n"] for t in study.trials}) > 30


def test_optuna_warm_start(sampler):
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(objective, n_trials=80)
    best = sorted(study.trials, key=lambda t: t.value)[:20]
    study.sampler = sampler(seed=1)
    study.optimize(objective, n_trials=6)
    first = np.array([t.params["x"] for t in study.trials[-6:]])
    around = np.array([t.params["x"] for t in best])
    assert abs(first.mean() - around.mean()) < 3 * around.std()
    given = optuna.create_study(sampler=sampler(seed=1, x0={"x": 4.0, "y": 1.0}, sigma0=0.01))
    given.optimize(objective, n_trials=7)
    assert all(abs(t.params["x"] - 4) < 0.5 for t in given.trials[1:])
    assert given.trials[1].params == pytest.approx({"x": 4.0, "y": 1.0})  # a generation of its own


def test_optuna_late_values_of_the_start_are_passed_over(sampler):
    study = optuna.create_study(sampler=sampler(seed=3, x0={"x": 4.0, "y": 1.0}))
    study.optimize(objective, n_trials=1)
    first, again = study.ask(), study.ask()  # the start is out, so the second one gets it too
    values = [objective(trial) for trial in (first, again)]
    assert values[0] == values[1]
    study.tell(first, values[0])
    study.tell(again, values[1])
    study.ask()
    assert study.sampler._search._optimizer.nfev == 1
    study.optimize(objective, n_trials=150, n_jobs=3)
    assert study.best_value < 1e-2


def test_optuna_failed_and_pruned_trials(sampler):
    def shaky(trial):
        value = objective(trial)
        if trial.number % 7 == 3:
            raise ValueError("no value")
        if trial.number % 5 == 4:
            raise optuna.TrialPruned()
        return value

    study = optuna.create_study(sampler=sampler(seed=3))
    study.optimize(shaky, n_trials=200, catch=(ValueError,))
    assert study.best_value < 1e-2


def test_optuna_many_jobs_and_pickling(sampler):
    study = optuna.create_study(sampler=sampler(seed=3))
    study.optimize(objective, n_trials=150, n_jobs=4)
    assert len(study.trials) == 150 and study.best_value < 0.1
    study.sampler = pickle.loads(pickle.dumps(study.sampler))
    study.optimize(objective, n_trials=20)


def test_optuna_enqueued_and_abandoned_trials(sampler):
    study = optuna.create_study(sampler=sampler(seed=3, model="none"))  # a model would have converged several times
    study.optimize(objective, n_trials=10)
    study.enqueue_trial({"x": 1.0, "y": 100.0})
    abandoned = study.ask()
    abandoned = study.ask()
    abandoned.suggest_float("x", -5, 5)
    study.optimize(objective, n_trials=150)
    told = study.sampler._search._optimizer.result
    assert 0 < told.fun < 1e-2 and told.nit > 10  # the enqueued optimum was not told as a candidate's value
    assert study.best_value == pytest.approx(0, abs=1e-12) or study.best_value < 1e-2


def test_optuna_goes_on_after_convergence(sampler):
    study = optuna.create_study(sampler=sampler(seed=3, popsize=4))
    study.optimize(lambda trial: abs(trial.suggest_float("x", 0, 1) - 0.3), n_trials=600)
    assert len(study.trials) == 600 and study.best_value < 1e-6


def searches_of(study):
    keys = [trial.system_attrs.get("surefoot:candidate") for trial in study.trials]
    return [key for key in keys if key]


WORKER = """
import sys, optuna, surefoot.optuna
sys.path.insert(0, sys.argv[3])
from test_optuna import objective
optuna.logging.set_verbosity(optuna.logging.ERROR)
sampler = surefoot.optuna.SurefootSampler(seed=3, model="none", popsize=6)
study = optuna.load_study(study_name="shared", storage=sys.argv[1], sampler=sampler)
study.optimize(objective, n_trials=int(sys.argv[2]))
"""


def test_optuna_processes_share_one_search(sampler, tmp_path):
    storage = f"sqlite:///{tmp_path}/study.db"
    study = optuna.create_study(study_name="shared", storage=storage)
    folder = str(pathlib.Path(__file__).parent)
    words = [sys.executable, "-c", WORKER, storage, "20", folder]
    processes = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in processes:
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
    keys = searches_of(study)
    assert len(study.trials) == 40 and len(keys) >= 38
    assert len({tuple(key[:2]) for key in keys}) == 1  # one search of both
    candidates = {tuple(key) for key in keys}
    generations = {key[2] for key in keys}
    assert max(generations) >= 4  # 6 of 6 candidates without any that two trials had at a time
    for generation in generations - {max(generations)}:
        assert {key[3] for key in candidates if key[2] == generation} == set(range(6))
    # Alone, with the same first trial, a search of the same seed has the same populations.
    alone = optuna.create_study(sampler=sampler(seed=3, model="none", popsize=6))
    alone.optimize(objective, n_trials=40)
    by_key = {tuple(t.system_attrs["surefoot:candidate"][2:]): t.params for t in alone.trials[1:]}
    for trial in study.trials:
        key = trial.system_attrs.get("surefoot:candidate")
        if key is not None and key[2] <= 4:
            assert trial.params == by_key[tuple(key[2:])]
    # A third process, later, goes on with it.
    subprocess.run([*words[:4], "8", folder], check=True)
    assert {tuple(key[:2]) for key in searches_of(study)} == {tuple(keys[0][:2])}
    assert study.best_value < 0.5


def test_optuna_a_search_that_two_trials_began_is_one(sampler):
    study = optuna.create_study(sampler=sampler(seed=3, model="none", popsize=6))
    study.optimize(objective, n_trials=1)
    first = study.ask()
    first.suggest_float("x", -5, 5)
    late = optuna.load_study(study_name=study.study_name, storage=study._storage, sampler=sampler(seed=3, model="none"))
    definition = study.trials[1].system_attrs["surefoot:search"]
    third = late.ask()
    study._storage.set_trial_system_attr(third._trial_id, "surefoot:search", definition)
    study.ask()
    assert study.sampler._search.identity == (1, 1)


def test_optuna_samplers_with_other_arguments_have_searches_of_their_own(sampler):
    study = optuna.create_study(sampler=sampler(seed=3))
    study.optimize(objective, n_trials=10)
    study.sampler = sampler(seed=4)
    study.optimize(objective, n_trials=10)
    assert len({tuple(key[:2]) for key in searches_of(study)}) == 2
    study.sampler = sampler(seed=3)  # goes on with the first
    study.optimize(objective, n_trials=5)
    assert searches_of(study)[-1][:2] == searches_of(study)[0][:2]


def test_optuna_refuses_what_it_cannot(sampler):
    with pytest.raises(ValueError, match="sigma0"):
        sampler(sigma0=-1)
    for wrong in (0, "a", 1.5):
        with pytest.raises(ValueError, match="n_startup_trials = .* is not allowed"):
            sampler(n_startup_trials=wrong)
    with pytest.raises(TypeError, match="x0 = 3 is not allowed: it must be a dict"):
        sampler(x0=3)
    study = optuna.create_study(sampler=sampler(x0={"x": "a"}, seed=1))
    with pytest.raises(ValueError, match="x0: 'a' is not allowed: it must be from -5"):
        study.optimize(objective, n_trials=2)
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler(seed=1))
    with pytest.raises(ValueError, match="several objectives"):
        study.optimize(lambda trial: (1.0, 2.0), n_trials=1)


def test_doctest(sampler):
    import surefoot.optuna

    failed, tried = doctest.testmod(surefoot.optuna)
    assert failed == 0 and tried > 0
