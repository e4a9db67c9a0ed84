"""What a user sees of a search: tables, results, budgets, defaults, scipy's conventions."""

import base64
import io
import json
import pickle
import re
import signal
import sys
import threading
import time
import types

import numpy as np
import pytest
import surefoot
from scipy.optimize import Bounds, OptimizeResult, rosen
from scipy.optimize import minimize as scipy_minimize
from surefoot import _display


def sphere(x):
    return float(np.sum(np.asarray(x) ** 2))


def test_disp_prints_a_table(capsys):
    surefoot.minimize(sphere, [3, 3], 1, seed=1, maxfevals=300, model="none", disp=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 parameters, method ") and lines[0].endswith(
        " (auto), popsize 6, restarts bipop:9 (auto), at most 300 evaluations, seed 1"
    )
    assert lines[1].split() == ["gen", "evals", "best", "f", "sigma", "failed", "evals/s", "time", "left"]
    rows = [line.split() for line in lines[2:-1]]
    assert [int(row[0]) for row in rows][:5] == [1, 2, 5, 10, 20]
    assert int(rows[-1][1]) == 300
    assert lines[-1].startswith("budget used: 300 evaluations")
    assert {len(line) for line in lines[1:-1]} == {len(_display.HEADER)}


@pytest.mark.parametrize("seconds, text", [(0.4, "0:00"), (75.2, "1:15"), (3600, "1:00:00"), (90061, "25:01:01")])
def test_times_are_for_people(seconds, text):
    assert _display.clock_time(seconds) == text


def test_a_generation_with_a_model_is_one_row(capsys):
    surefoot.minimize(rosen, [-1, 2, 1], 1, seed=1, maxfevals=60, model="quadratic", disp=True)
    generations = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:-1]]
    assert len(generations) == len(set(generations)) > 2


def test_rows_come_at_round_numbers():
    assert [n for n in range(1, 101) if _display.is_round_number(n)] == [1, 2, 5, 10, 20, 50, 100]


def test_disp_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="disp = 'dead'"):
        surefoot.minimize(sphere, [3, 3], 1, disp="dead", maxfevals=10)


class Notebook:
    """IPython's display as a search sees it, whether or not IPython is installed."""

    def __init__(self, monkeypatch):
        self.begun = []
        self.pictures = []
        module = types.ModuleType("IPython.display")
        module.display = self.display
        package = types.ModuleType("IPython")
        package.display = module
        package.get_ipython = lambda: None
        monkeypatch.setitem(sys.modules, "IPython", package)
        monkeypatch.setitem(sys.modules, "IPython.display", module)
        monkeypatch.setattr(_display, "REFRESH", 0.0)
        monkeypatch.setattr(_display, "SHARE", 0)

    def display(self, data, *, raw, display_id):
        assert raw and display_id
        self.begun.append(data)
        return self

    def update(self, data, *, raw):
        assert raw and data["text/plain"].startswith("<surefoot.Optimizer: ")
        self.pictures.append(base64.b64decode(data["image/png"]))


def test_a_notebook_shows_one_figure_again_and_again(monkeypatch, capsys):
    import matplotlib.pyplot as plt

    notebook = Notebook(monkeypatch)
    before = plt.get_fignums()
    surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=2, disp="live")
    assert len(notebook.begun) == 1 and "0 evaluations" in notebook.begun[0]["text/plain"]
    assert len(notebook.pictures) >= 3
    for png in notebook.pictures:
        image = plt.imread(io.BytesIO(png))
        assert image.shape[1] == 900 and image.shape[0] >= 500 and image[..., :3].std() > 0.05  # not blank
    assert plt.get_fignums() == before  # a notebook shows open figures once more
    assert capsys.readouterr().out.startswith("budget used: 2 generations")


def test_the_notebooks_stop_button_ends_a_live_search_with_the_best_so_far(monkeypatch):
    notebook = Notebook(monkeypatch)

    def update(data, *, raw):
        notebook.pictures.append(data)
        if len(notebook.pictures) == 2:
            raise KeyboardInterrupt  # the button was pressed while a picture was drawn

    notebook.update = update
    r = surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=50, disp="live")
    assert r.stop == "interrupted" and r.nit == 2 and np.isfinite(r.fun)


def test_a_picture_that_cannot_be_drawn_does_not_end_the_search(monkeypatch):
    notebook = Notebook(monkeypatch)
    monkeypatch.setattr(notebook, "update", lambda *_, **__: 1 / 0)
    with pytest.warns(RuntimeWarning, match="cannot be drawn: ZeroDivisionError") as warned:
        r = surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=4, disp="live")
    assert r.nit == 4 and len(warned) == 1


def test_a_trace_names_constraints_after_their_functions(tmp_path):
    def strength(x):
        return 1 - x[0]

    def sizes(x):
        return x - 9

    given = [strength, lambda x: -x[1], {"type": "eq", "fun": strength}, sizes]
    surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=2, constraints=given, trace=tmp_path / "run.jsonl")
    about = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["about"]
    assert about["constraints"] == ["strength", "g[1]", "sizes[0]", "sizes[1]", "strength"]
    assert about["equalities"] == 1


def test_results_are_typed_and_complete():
    r = surefoot.minimize(sphere, [3, 3, 3], 1, seed=1, maxfevals=200, restarts=None)
    assert isinstance(r, surefoot.Result) and isinstance(r, OptimizeResult)
    assert r.params == {"x0": r.x[0], "x1": r.x[1], "x2": r.x[2]}
    np.testing.assert_allclose(np.sqrt(np.diag(r.covariance)), r.stds)
    assert "covariance" not in repr(r)
    assert np.array_equal(pickle.loads(pickle.dumps(r)).x, r.x)


def test_repr_of_a_search_says_where_it_is():
    search = surefoot.Optimizer([3, 3], 1, seed=7, maxfevals=20, restarts=None, model="none")
    assert re.match(
        r"<surefoot.Optimizer: 2 parameters, method ig-xnes, seed 7, 0 evaluations, no value yet, sigma = 1, running>",
        repr(search),
    )
    search.optimize(sphere)
    assert "20 evaluations" in repr(search) and repr(search).endswith("maxfevals>")


def test_a_live_search_gets_another_budget():
    search = surefoot.Optimizer([3, 3], 1, seed=1, maxfevals=20, restarts=None, model="none")
    assert search.optimize(sphere).stop == "maxfevals"
    longer = search.continued(maxfevals=4000, ftarget=1e-8)
    assert longer.nfev == 20
    r = longer.optimize(sphere)
    assert r.stop == "ftarget" and r.nfev > 20
    assert list(r.trace["nfev"])[:2] == list(search.result.trace["nfev"])[:2]
    with pytest.raises(TypeError, match="popsize is not allowed"):
        search.continued(popsize=3)


def test_a_result_is_a_warm_start_also_within_bounds():
    first = surefoot.minimize(sphere, [3, 3], 1, seed=1, ftarget=1e-3)
    search = surefoot.Optimizer(warm_start=first, bounds=[(-5, 5), (-5, 5)], seed=1)
    np.testing.assert_allclose(search.mean, first.xfavorite)
    np.testing.assert_allclose(search.covariance, first.covariance, rtol=1e-9)
    with pytest.raises(ValueError, match="no covariance"):
        surefoot.Optimizer(warm_start=surefoot.Result(xfavorite=[1.0], x=[1.0]))


@pytest.mark.parametrize("choice", ["return", "raise"])
def test_ctrl_c_as_the_user_wants_it(choice):
    started = threading.Event()

    def slow(x):
        started.set()
        time.sleep(0.001)
        return sphere(x)

    def press():
        started.wait()
        signal.raise_signal(
            signal.SIGINT
        ) if threading.current_thread() is threading.main_thread() else signal.pthread_kill(
            threading.main_thread().ident, signal.SIGINT
        )

    thread = threading.Thread(target=press)
    thread.start()
    try:
        if choice == "raise":
            with pytest.raises(KeyboardInterrupt):
                surefoot.minimize(slow, [3, 3], 1, seed=1, ftarget=-1, on_interrupt=choice)
        else:
            r = surefoot.minimize(slow, [3, 3], 1, seed=1, ftarget=-1, on_interrupt=choice)
            assert r.stop == "interrupted"
    finally:
        thread.join()


def test_on_interrupt_is_checked():
    with pytest.raises(ValueError, match="on_interrupt = 'ignore'"):
        surefoot.minimize(sphere, [3, 3], 1, on_interrupt="ignore")


def test_sigma0_may_be_left_out():
    r = surefoot.minimize(sphere, [4, 0, -8], seed=1, ftarget=1e-8)
    assert r.success and "sigma0 was not given: a quarter of |x0| was taken (1, 0.25, 2)" in r.message
    search = surefoot.Optimizer([4, 0, 2], bounds=[(None, None), (0, None), (0, 10)], seed=1)
    np.testing.assert_allclose(np.sqrt(np.diag(search.covariance)), [1, 0.25, 2.5])
    same = surefoot.minimize(sphere, [4, 0, -8], [1, 0.25, 2], seed=1, ftarget=1e-8)
    assert np.array_equal(same.x, r.x) and "not given" not in same.message


def test_a_search_without_a_budget_says_what_was_enough():
    r = surefoot.minimize(sphere, [3, 3, 3], 1, seed=1)
    said = re.search(r"; no budget was given: all but a millionth of the gain .* first (\d+) evaluations", r.message)
    enough = int(said.group(1))
    assert f"maxfevals={enough} ends a search there" in r.message and 2 * enough < r.nfev
    again = surefoot.minimize(sphere, [3, 3, 3], 1, seed=1, maxfevals=enough)
    assert again.nfev <= enough and again.fun <= 27e-6 and "no budget" not in again.message
    for budget in ({"ftarget": 1e-8}, {"maxiter": 500, "restarts": None}, {"timeout": 60, "restarts": None}):
        assert "no budget" not in surefoot.minimize(sphere, [3, 3, 3], 1, seed=1, **budget).message


def test_a_fit_ends_where_the_solver_resolves_no_more():
    from scipy.integrate import odeint

    times = np.linspace(0, 30, 80)

    def rates(y, t, a, b, c, d):
        return [a * y[0] - b * y[0] * y[1], d * y[0] * y[1] - c * y[1]]

    def simulate(p):
        return odeint(rates, [10, 5], times, args=tuple(np.abs(p)), rtol=1e-8, atol=1e-8, mxstep=2000)

    data = simulate([1.1, 0.4, 0.4, 0.1]) * (1 + 0.05 * np.random.default_rng(0).normal(size=(80, 2)))

    def f(p):
        return float(((simulate(p) - data) ** 2).sum())

    r = surefoot.minimize(f, [1.0, 0.35, 0.45, 0.12], 0.1, seed=1, maxfevals=20000, model="none", restarts=None)
    assert r.success and r.stop == "tolfun" and r.nfev < 8000  # of which 1249 found six digits; it was 99625
    assert "resolves" in r.message or "< tolfun" in r.message
    np.testing.assert_allclose(r.x, [1.1, 0.4, 0.4, 0.1], rtol=0.05)


def test_scipy_calls_it_as_it_is():
    r = scipy_minimize(rosen, [-1.0, 0.5], method=surefoot.method, options={"seed": 1})
    np.testing.assert_allclose(r.x, [1, 1], atol=1e-4)


def test_scipy_start_outside_the_bounds():
    with pytest.warns(RuntimeWarning, match="outside the bounds"):
        r = scipy_minimize(
            rosen, [7, 0.5], method=surefoot.method, bounds=Bounds([-2, -2], [2, 2]), options={"seed": 1}
        )
    np.testing.assert_allclose(r.x, [1, 1], atol=1e-4)


def test_scipy_bounds_that_fix_everything():
    calls = []
    r = scipy_minimize(
        lambda x, a: calls.append(x) or a + sphere(x), [1, 2], (5,), surefoot.method, bounds=[(1, 1), (2, 2)]
    )
    assert r.success and r.nfev == len(calls) == 1 and r.fun == 10 and list(r.x) == [1, 2]


def test_a_trace_file_is_read(tmp_path):
    r = surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=5, trace=str(tmp_path / "run.jsonl"))
    columns = surefoot.read_trace(tmp_path / "run.jsonl")
    assert columns["nfev"][-1] == r.nfev and len(columns["best"]) == 6


def test_failures_by_kind():
    def fragile(x):
        if x[0] < 0:
            raise ValueError("below zero")
        return np.nan if x[1] < 0 else sphere(x)

    r = surefoot.minimize(fragile, [0.5, 0.5], 1, seed=1, maxiter=20)
    kinds = {failure["kind"]: failure for failure in r.failures}
    assert set(kinds) == {"exception", "nan"}
    assert sum(failure["count"] for failure in r.failures) == r.nfailed
    assert kinds["exception"]["reason"] == "ValueError: below zero" and kinds["exception"]["params"]["x0"] < 0
    assert kinds["nan"]["x"][1] < 0 <= kinds["nan"]["x"][0]
    assert "; at x0 = " in r.message and "failures" in repr(r)
    assert surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=5).failures == []


def test_results_from_which_no_search_can_start_are_named():
    fixed = surefoot.minimize(sphere, [3, 2], bounds=[(0, 5), (2, 2)], maxfevals=50, seed=1)
    with pytest.raises(ValueError, match="warm_start: the covariance of this result has 1 of 2 coordinates"):
        surefoot.minimize(sphere, warm_start=fixed, seed=1)
    diverged = surefoot.minimize(sphere, [3, 2], 1, maxfevals=50, seed=1)
    diverged.covariance = np.diag([np.inf, 1.0])
    with pytest.raises(ValueError, match="warm_start: this result's distribution is not finite .* maxfevals: budget"):
        surefoot.minimize(sphere, warm_start=diverged, seed=1)
    with pytest.raises(ValueError, match="warm_start: covariance: it must be symmetric"):
        surefoot.minimize(sphere, warm_start=([3, 2], [[1, 0], [0, -1]]), seed=1)


@pytest.mark.parametrize(
    "theirs, ours",
    [
        *[("random_state", "seed"), ("n_jobs", "workers"), ("verbose", "disp"), ("maxfun", "maxfevals")],
        *[("maxfev", "maxfevals"), ("n_trials", "maxfevals"), ("budget", "maxfevals"), ("n_iter", "maxiter")],
        *[("max_iter", "maxiter"), ("sigma", "sigma0"), ("tol", "tolfun"), ("xtol", "tolx"), ("lower", "bounds")],
        *[("search_space", "space"), ("population_size", "popsize"), ("CMA_popsize", "popsize"), ("popsiz", "popsize")],
        *[("stopval", "ftarget"), ("initial_guess", "x0"), ("n_restarts", "restarts"), ("time_limit", "timeout")],
    ],
)
def test_words_of_the_neighbours_are_understood(theirs, ours):
    with pytest.raises(TypeError, match=rf"argument '{theirs}'; did you mean '{ours}'\?"):
        surefoot.minimize(sphere, [3, 3], 1, **{theirs: 1})


def test_words_that_belong_elsewhere_say_where():
    for given in ("workers", "n_jobs"):
        with pytest.raises(TypeError, match=f"argument '{given}'; 'workers' is an argument of optimize"):
            surefoot.Optimizer([3, 3], 1, **{given: 2})
    with pytest.raises(TypeError, match="'seed' is an argument of Optimizer"):
        surefoot.Optimizer([3, 3], 1).optimize(sphere, random_state=1)
    with pytest.raises(TypeError, match="'jac': derivatives are not used"):
        surefoot.minimize(sphere, [3, 3], 1, jac=True)
    with pytest.raises(TypeError, match="'maximize': the function is minimised; return -f to maximise f"):
        surefoot.minimize(sphere, [3, 3], 1, maximize=True)


@pytest.mark.parametrize(
    "theirs, ours", [("CMA-ES", "cma"), ("cmaes", "cma"), ("CMA", "cma"), ("sep-CMA-ES", "sep-cma"), ("XNES", "xnes")]
)
def test_names_of_methods_are_understood(theirs, ours):
    with pytest.raises(ValueError, match=rf"method = '{theirs}' is not allowed: .*; did you mean '{ours}'\?"):
        surefoot.minimize(sphere, [3, 3], 1, method=theirs)


def test_a_live_search_without_ipython_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", None)
    monkeypatch.setitem(sys.modules, "IPython.display", None)
    with pytest.raises(ImportError, match="disp = 'live' is not possible here: it needs IPython"):
        surefoot.minimize(sphere, [3, 3], 1, seed=1, disp="live")
