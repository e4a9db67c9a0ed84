import pickle
import subprocess
import warnings

import numpy as np
import pytest
import surefoot


def rosenbrock(x):
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def test_problems():
    names = surefoot.problems.names()
    assert "rastrigin" in names and "bbob-f24" in names
    f = surefoot.problems.get("bbob-f3", 5, instance=2)
    X = np.random.default_rng(1).uniform(-5, 5, (7, 5))
    assert f(X).tolist() == [f(x) for x in X] and f(f.xopt) == pytest.approx(f.fopt)
    g = pickle.loads(pickle.dumps(f))
    assert g(X[0]) == f(X[0]) and repr(g) == "surefoot.problems.get('bbob-f3', 5, instance=2)"
    with pytest.raises(ValueError, match="nonsense"):
        surefoot.problems.get("nonsense", 3)
    with pytest.raises(ValueError, match="coordinates"):
        f([1, 2])
    assert surefoot.problems.get("sphere", 2)([1, 2]) == 5


def finite_lines(axis):
    return [line for line in axis.get_lines() if np.isfinite(line.get_ydata(orig=True).astype(float)).sum() > 1]


@pytest.mark.parametrize("options", [{}, {"learning_rate": "lra", "popsize": 20}, {"trace": True, "learning_rate": "fixed"},
                                     {"restarts": "ipop:2", "maxfevals": 3000}, {"bounds": [-5, 5]}])
def test_plots_of_results(options, tmp_path):
    import matplotlib.pyplot as plt

    r = surefoot.minimize(rosenbrock, np.zeros(5), 0.5, seed=1, **options)
    figure = surefoot.plot(r)
    best, widths, rates, path = figure.axes
    assert len(finite_lines(best)) == 2
    assert len([line for line in finite_lines(widths)]) >= 6 - ("restarts" in options) * 0
    assert len(finite_lines(rates)) == 3
    has_path = "learning_rate" in options
    assert len(finite_lines(path)) >= (2 if has_path else 0)
    file = tmp_path / "figure.png"
    figure.savefig(file)
    assert file.stat().st_size > 20000
    plt.close(figure)


def test_plots_of_searches_traces_and_files(tmp_path, program):
    import matplotlib.pyplot as plt

    search = surefoot.Optimizer(np.zeros(3), 0.5, seed=1, maxiter=30, trace=tmp_path / "ours.jsonl")
    with pytest.raises(ValueError, match="nothing to draw"):
        surefoot.plot(search)
    r = search.optimize(rosenbrock)
    for source in (search, r, r.trace, tmp_path / "ours.jsonl", str(tmp_path / "ours.jsonl")):
        plt.close(surefoot.plot(source))
    theirs = tmp_path / "theirs.jsonl"
    subprocess.run([program, "minimize", "--problem", "sphere", "--dim", "3", "--seed", "1", "--trace", str(theirs)],
                   stdout=subprocess.DEVNULL)
    plt.close(surefoot.plot(theirs))
    for wrong, error in ((3, TypeError), ({"a": 1}, TypeError)):
        with pytest.raises(error):
            surefoot.plot(wrong)
    (tmp_path / "no.jsonl").write_text("hello\n")
    with pytest.raises(ValueError, match="line 1"):
        surefoot.plot(tmp_path / "no.jsonl")


def test_notebooks_show_a_table_and_a_picture():
    r = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1)
    page = r._repr_html_()
    assert "<table>" in page and "<svg" in page and page.count("<polyline") == 2 and "converged" in page
    import xml.etree.ElementTree as xml

    xml.fromstring(f"<div>{page}</div>")  # well formed
    assert "<svg" not in surefoot.minimize(rosenbrock, np.zeros(3), 0.5, maxiter=1)._repr_html_()
    negative = surefoot.minimize(lambda x: float((x**2).sum() - 7), np.ones(3), 0.5, seed=1)
    assert "<polyline" in negative._repr_html_()


def test_reading_experiments(program, tmp_path, monkeypatch):
    subprocess.run([program, "reproduce", "--quick", "--trials", "2", "--out", str(tmp_path / "paper")], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    paper = surefoot.reproduce(tmp_path / "paper")
    assert set(paper.trials["method"]) >= {"adaptive", "x1"} and paper.protocol and paper.summary
    assert len(paper.traces) > 5 and "trials" in repr(paper)
    import builtins

    real = builtins.__import__

    def without_pandas(name, *rest, **more):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    plain = surefoot.reproduce(tmp_path / "paper")
    assert isinstance(plain.trials, dict) and plain.trials["evaluations"].dtype.kind in "if"
    assert plain.trials["evaluations"].tolist() == paper.trials["evaluations"].tolist()
    assert plain.trials["function"].tolist() == paper.trials["function"].tolist()
    with pytest.raises(ValueError, match="no such folder"):
        surefoot.reproduce(tmp_path / "none")
    with pytest.raises(AttributeError, match="no table"):
        paper.nothing


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


def test_optuna_other_parameters_are_random_with_one_warning(sampler):
    study = optuna.create_study(sampler=sampler(seed=3))

    def mixed(trial):
        k = trial.suggest_int("k", 1, 3)
        c = trial.suggest_categorical("c", ["a", "b"])
        s = trial.suggest_float("s", 0, 1, step=0.25)
        trial.suggest_float("fixed", 2, 2)
        return objective(trial) + (k - 1) + (c == "b") + s

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        study.optimize(mixed, n_trials=60)
    ours = [str(w.message) for w in caught if "SurefootSampler" in str(w.message)]
    assert sorted(text.split()[1] for text in ours) == ["c", "k", "s"]
    assert {trial.params["k"] for trial in study.trials} == {1, 2, 3}


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


def test_optuna_goes_on_after_convergence(sampler):
    study = optuna.create_study(sampler=sampler(seed=3, popsize=4))
    study.optimize(lambda trial: abs(trial.suggest_float("x", 0, 1) - 0.3), n_trials=600)
    assert len(study.trials) == 600 and study.best_value < 1e-6


def test_optuna_refuses_what_it_cannot(sampler):
    with pytest.raises(ValueError, match="sigma0"):
        sampler(sigma0=-1)
    with pytest.raises(ValueError, match="n_startup_trials"):
        sampler(n_startup_trials=0)
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler(seed=1))
    with pytest.raises(ValueError, match="several objectives"):
        study.optimize(lambda trial: (1.0, 2.0), n_trials=1)


def test_doctests():
    import doctest
    import importlib

    import surefoot.optuna  # noqa: F401

    for name in ("", "._arrays", "._bounds", "._minimize", "._optimizer", "._outcome", "._plot", ".optuna", ".problems"):
        module = importlib.import_module(f"surefoot{name}")
        failed, tried = doctest.testmod(module, extraglobs={"surefoot": surefoot})
        assert failed == 0 and tried > 0, name
