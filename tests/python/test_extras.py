import importlib.util
import pathlib
import pickle
import re
import subprocess
import sys
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


def test_problems_that_are_none():
    for arguments, text in (
        (("sphere", "a"), "dim = 'a'"),
        (("bbob-f1", 3, 1.5), "instance = 1.5"),
        ((3, 3), "name = 3"),
    ):
        with pytest.raises(TypeError, match=f"{text} is not allowed"):
            surefoot.problems.get(*arguments)


def test_practical_problems():
    assert set(surefoot.problems.practical()) < set(surefoot.problems.names())
    for name in surefoot.problems.practical():
        f = surefoot.problems.get(name)
        low, high = f.bounds.T
        assert f.sigma0 is None and f.bounds.shape == (f.dim, 2)
        assert np.all(low <= f.xopt) and np.all(f.xopt <= high)
        assert np.array_equal(f.x0, (low + high) / 2)
        assert f(f.xopt) == pytest.approx(f.fopt, rel=1e-8)
        assert pickle.loads(pickle.dumps(f))(f.x0) == f(f.x0)
    f = surefoot.problems.get("inventory")  # in two dimensions bounds could be misread
    assert surefoot.minimize(f, f.x0, bounds=f.bounds, maxfevals=500, seed=1).fun < 45
    assert surefoot.problems.get("sphere", 2).bounds is None
    with pytest.raises(ValueError, match="dim = 5 .* 2 coordinates"):
        surefoot.problems.get("inventory", 5)
    with pytest.raises(ValueError, match="dim is missing"):
        surefoot.problems.get("sphere")


def test_peers_of_practical_problems(tmp_path):
    pytest.importorskip("nlopt")
    pytest.importorskip("optuna")
    script = pathlib.Path(__file__).parents[2] / "benchmarks" / "practical_peers.py"
    spec = importlib.util.spec_from_file_location("practical_peers", script)
    peers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peers)
    # The start of the command line's first search: tests/practical_test.cpp has the same numbers.
    start = peers.start_of(surefoot.problems.get("spring"), peers.seed_of(1, "practical/spring/1"))
    assert start.tolist() == [0.2074451535979528, 1.0978527407396426, 7.370690478394389]
    for method in peers.PEERS:
        row = peers.run((method, "spring", 20, 1))
        assert row[:4] == [method, "spring", 20, 1] and 0 < row[4] <= 60
        assert 0.0126 < float(row[5]) < 20, method
    problem = surefoot.problems.get("spring")
    row = peers.run(("scipy-nelder-mead", "spring", 1, 1))
    assert row[4] == 3 and float(row[5]) <= problem(start)
    row = peers.run(("scipy-de", "borehole", 100, 1))
    assert row[4] == 800  # to the last evaluation


def finite_lines(axis):
    return [line for line in axis.get_lines() if np.isfinite(np.asarray(line.get_ydata(), float)).sum() > 2]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"learning_rate": "lra", "popsize": 20},
        {"trace": True, "learning_rate": "fixed"},
        {"restarts": "ipop:2", "maxfevals": 3000},
        {"bounds": [-5, 5]},
    ],
)
def test_plots_of_results(options, tmp_path):
    import matplotlib.pyplot as plt

    r = surefoot.minimize(rosenbrock, np.zeros(5), 0.5, seed=1, **options)
    figure = surefoot.plot(r)
    best, widths, rates = figure.axes[:3]
    assert len(finite_lines(best)) == 2
    assert len(finite_lines(widths)) == 6  # five axes and sigma
    assert len(finite_lines(rates)) == 3
    paths = [axis for axis in figure.axes if axis.get_title(loc="left") == "evolution path"]
    assert len(paths) == ("learning_rate" in options)  # no empty panel where the method keeps no path
    assert all(len(finite_lines(path)) >= 2 for path in paths)
    assert all(finite_lines(axis) for axis in figure.axes)
    file = tmp_path / "figure.png"
    figure.savefig(file)
    assert file.stat().st_size > 20000
    plt.close(figure)


def test_plots_go_into_figures_only():
    from matplotlib.figure import Figure
    from scipy.optimize import minimize

    r = surefoot.minimize(lambda x: float((x**2).sum()), [3, 3], 1, seed=1, maxiter=5)
    part = Figure().subfigures(1, 2)[0]
    assert surefoot.plot(r, part) is part and len(part.axes) >= 3
    axes = Figure().subplots()
    with pytest.raises(TypeError, match="figure = .*Axes.* is not allowed: it must be a Figure"):
        surefoot.plot(r, axes)
    with pytest.raises(TypeError, match="plot: OptimizeResult is not allowed: give a result of surefoot.minimize"):
        surefoot.plot(minimize(lambda x: float((x**2).sum()), [3, 3]))


def test_plots_show_what_only_this_method_measures(tmp_path):
    import matplotlib.pyplot as plt

    trace = tmp_path / "run.jsonl"
    r = surefoot.minimize(rosenbrock, np.zeros(5), 0.5, seed=1, maxiter=20, trace=trace)
    for source in (r, trace):
        figure = surefoot.plot(source)
        assert [axis.get_title(loc="left") for axis in figure.axes[3:]] == ["parameters: mean", "kappa"]
        plt.close(figure)


def titles(figure):
    return [axis.get_title(loc="left") for axis in figure.axes]


def test_plots_show_the_parameters(tmp_path):
    import matplotlib.pyplot as plt

    space = {
        "rate": surefoot.Real(1e-5, 0.1, log=True),
        "layers": surefoot.Integer(1, 8),
        "kind": surefoot.Choice("relu", "tanh"),
        "seed": surefoot.Fixed(3),
    }

    def loss(rate, layers, kind, seed):
        return abs(rate - 0.01) + (layers - 4) ** 2 + (kind == "relu")

    trace = tmp_path / "run.jsonl"
    search = surefoot.Optimizer(space=space, seed=1, maxiter=40, trace=trace)
    r = search.optimize(loss)
    for source in (r, search, r.trace, trace):
        figure = surefoot.plot(source)
        rate, layers, kind = figure.axes[3:6]
        assert titles(figure)[3:6] == ["rate", "layers", "kind"] and "seed" not in titles(figure)
        assert rate.get_yscale() == "log" and layers.get_yscale() == "linear"
        assert [label.get_text() for label in kind.get_yticklabels()] == ["relu", "tanh"]
        best = next(line for line in rate.get_lines() if line.get_label() == "best")
        assert best.get_ydata()[-1] == pytest.approx(r.params["rate"])
        plt.close(figure)
    plain = surefoot.plot(surefoot.minimize(rosenbrock, np.zeros(5), 0.5, seed=1, maxiter=20))
    lines = plain.axes[3].get_lines()
    assert [line.get_label() for line in lines] == ["x0", "x1", "x2", "x3", "x4"]
    plt.close(plain)


def test_plots_of_a_resumed_search_show_all_its_parts(tmp_path):
    import matplotlib.pyplot as plt

    files = {"checkpoint": tmp_path / "run.sf", "trace": tmp_path / "run.jsonl"}
    surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1, maxiter=20, **files)
    r = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1, maxiter=50, **files)
    whole = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1, maxiter=50, trace=True)
    assert r.trace["generation"].tolist() == list(range(51))
    for name in ("nfev", "best", "sigma", "kappa", "mean", "x", "place_generation"):
        np.testing.assert_array_equal(r.trace[name], whole.trace[name])
    figure = surefoot.plot(r)
    assert titles(figure)[0] == "f"
    plt.close(figure)
    only = {"checkpoint": tmp_path / "other.sf"}
    first = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1, maxiter=20, **only)
    r = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1, maxiter=50, **only)
    figure = surefoot.plot(r)
    assert titles(figure)[0] == f"f, resumed after {first.nfev} evaluations"
    plt.close(figure)


def test_history_has_what_the_method_measures():
    search = surefoot.Optimizer(np.zeros(3), 0.5, seed=1, maxiter=20)
    trace = search.optimize(rosenbrock).trace
    assert np.isfinite(trace["kappa"][1:]).all()
    again = pickle.loads(pickle.dumps(search)).result.trace
    np.testing.assert_array_equal(again["kappa"], trace["kappa"])
    separable = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1, maxiter=20, method="snes").trace
    assert "kappa" not in separable
    assert np.isnan(separable["eta_B"]).all()


def test_long_tests_of_stagnation_are_small():
    search = surefoot.Optimizer(np.zeros(3), 0.5, seed=1, tolstagnation=10**9)
    assert len(pickle.dumps(search)) < 1_000_000


def test_plots_of_searches_traces_and_files(tmp_path, program):
    import matplotlib.pyplot as plt

    search = surefoot.Optimizer(np.zeros(3), 0.5, seed=1, maxiter=30, trace=tmp_path / "ours.jsonl")
    with pytest.raises(ValueError, match="nothing to draw"):
        surefoot.plot(search)
    r = search.optimize(rosenbrock)
    for source in (search, r, r.trace, tmp_path / "ours.jsonl", str(tmp_path / "ours.jsonl")):
        plt.close(surefoot.plot(source))
    theirs = tmp_path / "theirs.jsonl"
    subprocess.run(
        [program, "minimize", "--problem", "sphere", "--dim", "3", "--seed", "1", "--trace", str(theirs)],
        stdout=subprocess.DEVNULL,
    )
    plt.close(surefoot.plot(theirs))
    for wrong, error in ((3, TypeError), ({"a": 1}, TypeError)):
        with pytest.raises(error):
            surefoot.plot(wrong)
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(ValueError, match="nothing to draw"):
        surefoot.plot(tmp_path / "empty.jsonl")
    (tmp_path / "cut.jsonl").write_text((tmp_path / "ours.jsonl").read_text()[:-20])
    plt.close(surefoot.plot(tmp_path / "cut.jsonl"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plt.close(surefoot.plot(surefoot.minimize(lambda x: np.nan, [1, 1], 1)))
    (tmp_path / "no.jsonl").write_text("hello\n")
    with pytest.raises(ValueError, match="line 1"):
        surefoot.plot(tmp_path / "no.jsonl")


def test_notebooks_show_a_table_and_a_picture():
    r = surefoot.minimize(rosenbrock, np.zeros(3), 0.5, seed=1)
    page = r._repr_html_()
    assert "<table>" in page and "<svg" in page and page.count("<polyline") == 2 and "converged" in page
    import xml.etree.ElementTree as xml

    xml.fromstring(f"<div>{page}</div>")  # well formed
    assert "<svg" not in surefoot.minimize(rosenbrock, np.zeros(3), 0.5, maxiter=1, evaluate_x0=False)._repr_html_()
    negative = surefoot.minimize(lambda x: float((x**2).sum() - 7), np.ones(3), 0.5, seed=1)
    assert "<polyline" in negative._repr_html_()


def test_reading_experiments(program, tmp_path, monkeypatch):
    few = ["--functions", "sphere", "--popsizes", "30", "--trials", "2"]
    subprocess.run(
        [program, "reproduce", *few, "--out", str(tmp_path / "paper")],
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
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


@pytest.mark.parametrize(
    "words, column",
    [
        (["bench", "bbob", "--functions", "1,8", "--dims", "2", "--instances", "1", "--budget", "100"], "precision"),
        (["bench", "practical", "--problems", "spring", "--budgets", "20", "--seeds", "2"], "best"),
        (["arena", "--functions", "sphere", "--dims", "2", "--trials", "2", "--blocks", "1"], "evaluations"),
    ],
)
def test_every_experiment_has_trials(program, tmp_path, words, column):
    pandas = pytest.importorskip("pandas")
    traces = ["--traces"] if "bbob" in words else []
    out = tmp_path / "results"
    done = subprocess.run([program, *words, *traces, "--out", str(out)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    experiment = surefoot.reproduce(out)
    assert isinstance(experiment.trials, pandas.DataFrame) and len(experiment.trials) >= 2
    assert column in experiment.trials and experiment.summary
    if traces:
        assert list(experiment.traces) == ["auto/f1_d2_i1", "auto/f8_d2_i1"]
        trace = experiment.traces["auto/f8_d2_i1"]
        assert trace["nfev"].iloc[-1] <= experiment.trials["evaluations"].iloc[1] + 10


ROOT = pathlib.Path(__file__).parents[2]
PAGES = ("README.md", "docs/tutorials/first-python.md", "docs/how-to/coming-from.md", "docs/reference/python.md")
SNIPPETS = [
    pytest.param(snippet, id=f"{page}-{number}")
    for page in PAGES
    for number, snippet in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL), 1)
]


def test_pages_have_snippets():
    assert {param.id.rsplit("-", 1)[0] for param in SNIPPETS} == set(PAGES)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippets_of_the_documentation(snippet, tmp_path):
    for module in ("cma", "nlopt", "optuna", "scipy"):
        if re.search(rf"^(import|from) {module}\b|\.{module}\b", snippet, re.MULTILINE):
            pytest.importorskip(module)
    done = subprocess.run([sys.executable, "-c", snippet], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, snippet + done.stderr
    assert not list(tmp_path.iterdir())  # nothing is written unasked


def test_doctests():
    import doctest
    import importlib

    modules = (
        "_arrays",
        "_bounds",
        "_log",
        "_minimize",
        "_optimizer",
        "_outcome",
        "_plot",
        "_result",
        "_space",
        "problems",
    )
    for name in ("", *(f".{module}" for module in modules)):
        module = importlib.import_module(f"surefoot{name}")
        failed, tried = doctest.testmod(module, extraglobs={"surefoot": surefoot})
        assert failed == 0 and tried > 0, name
