import inspect
import json
import math
import pathlib
import pickle
import re
import subprocess
import time

import numpy as np
import pytest
import surefoot
from surefoot import _core


def sphere(x):
    return float((x**2).sum())


def rosenbrock(x):
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def test_result_has_scipys_fields_and_ours():
    from scipy.optimize import OptimizeResult

    r = surefoot.minimize(sphere, [3, 3, 3], 2, ftarget=1e-8, seed=1)
    assert isinstance(r, OptimizeResult)
    assert r.success and r.status == 1 and r.stop == "ftarget"
    assert r.fun == sphere(r.x) <= 1e-8
    assert r.nfev == 1 + (r.nit - 1) * 7 + 1  # the start, populations, and one point once more to look for noise
    assert r.nfailed == 0 and r.seed == 1
    assert r.xfavorite.shape == r.stds.shape == (3,)
    assert [run["stop"] for run in r.runs] == ["ftarget"]
    assert "target reached" in r.message and "target reached" in repr(r)


def test_converges_without_target():
    r = surefoot.minimize(rosenbrock, np.zeros(5), 0.5, seed=3)
    assert r.success and r.stop in ("tolx", "tolfun", "tolfunhist") and np.allclose(r.x, 1, atol=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "cma"},
        {"learning_rate": "lra", "popsize": 20},
        {"restarts": "ipop:2"},
        {"method": "cma", "model": "quadratic", "batch": 2},
    ],
)
def test_same_bits_as_the_command_line(program, options, tmp_path):
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    trace = tmp_path / "cli.jsonl"
    run = subprocess.run(
        [program, "minimize", "--problem", "rosenbrock", "--x0=-1,2,0.5", "--sigma0", "0.5", "--seed", "7", "--json"]
        + ["--maxfevals", "3000", "--trace", str(trace), *words],
        capture_output=True,
        text=True,
    )
    told = json.loads(run.stdout)
    f = surefoot.problems.get("rosenbrock", 3)
    ours = tmp_path / "python.jsonl"
    r = surefoot.minimize(f, [-1, 2, 0.5], 0.5, seed=7, maxfevals=3000, trace=ours, **options)
    for name in ("x", "xfavorite", "stds"):
        assert told[name] == r[name].tolist()
    for name in ("fun", "nfev", "nit", "success", "status", "stop", "message", "seed", "runs"):
        assert told[name] == r[name]
    # The first line of the command line's trace has its command besides.
    first, rest = (text.split(b"\n", 1) for text in (trace.read_bytes(), ours.read_bytes()))
    first[0] = re.sub(rb',"command":"[^"]*"', b"", first[0])
    assert first == rest


def test_a_trace_does_not_change_the_result(tmp_path):
    plain = surefoot.minimize(rosenbrock, np.zeros(4), 0.5, seed=1, maxiter=200)
    kept = surefoot.minimize(rosenbrock, np.zeros(4), 0.5, seed=1, maxiter=200, trace=True)
    assert plain.x.tolist() == kept.x.tolist()
    assert len(kept.trace["nfev"]) == 201 and np.isfinite(kept.trace["condition"]).all()
    assert np.array_equal(plain.trace["best"], kept.trace["best"])


def test_history_of_a_long_search_is_thinned():
    search = surefoot.Optimizer(
        [1.0, 1.0],
        1,
        seed=1,
        maxiter=20000,
        **surefoot.without_tolerances(),
    )
    values = np.random.default_rng(1)
    while not search.stop():
        search.ask()
        search.tell(values.uniform(size=search.popsize))
    trace = search.result.trace
    assert 2000 < len(trace["nfev"]) <= 4097 and trace["generation"][-1] == search.nit
    assert (np.diff(trace["generation"]) > 0).all()


@pytest.mark.parametrize(
    "bounds",
    [
        [(1, 2), (-1, 1), (None, None)],
        np.array([[1, 2], [-1, 1], [-np.inf, np.inf]]),
        [[1, -1, -np.inf], [2, 1, np.inf]],
        pytest.param("scipy", id="scipy"),
    ],
)
def test_bounds_in_every_form(bounds):
    if isinstance(bounds, str):
        from scipy.optimize import Bounds

        bounds = Bounds([1, -1, -np.inf], [2, 1, np.inf])
    seen = []
    r = surefoot.minimize(
        lambda x: (seen.append(x), sphere(x))[1], [1.5, 0.5, 3], 0.5, bounds=bounds, seed=1, maxiter=100
    )
    seen = np.array(seen)
    assert seen[:, 0].min() >= 1 and seen[:, 0].max() <= 2 and abs(seen[:, 1]).max() <= 1
    assert math.isclose(r.x[0], 1, abs_tol=1e-6) and abs(r.x[2]) < 0.1


def test_two_pairs_are_read_as_scipy_does():
    seen = []
    surefoot.minimize(lambda x: (seen.append(x), sphere(x))[1], [0.5, 2.5], bounds=[[0, 1], [2, 3]], seed=1, maxiter=5)
    seen = np.array(seen)
    assert seen[:, 0].max() <= 1 and seen[:, 1].min() >= 2


def test_one_interval_for_all_and_sigma_from_the_bounds():
    r = surefoot.minimize(sphere, [3, 3, 3, 3], bounds=[-5, 5], seed=1, ftarget=1e-8)
    assert r.success
    with pytest.raises(ValueError, match="bounds: 4 items"):
        surefoot.minimize(sphere, [3, 3], 1, bounds=[1, 2, 3, 4])
    with pytest.raises(TypeError, match="bounds: 5 is not allowed"):
        surefoot.minimize(sphere, [3, 3], 1, bounds=5)
    with pytest.raises(ValueError, match="lower"):
        surefoot.minimize(sphere, [3, 3, 3], 1, bounds=[[1, 2], [3, 4, 5]])


def strided():
    wide = np.arange(6.0)
    return wide[::2]


def read_only():
    array = np.array([0.0, 2.0, 4.0])
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "x0",
    [
        [0, 2, 4],
        (0, 2, 4),
        np.array([0, 2, 4]),
        np.array([0, 2, 4], dtype=np.float32),
        strided(),
        read_only(),
        np.array([0, 2, 4], dtype=object),
        range(0, 6, 2),
    ],
)
def test_start_points_of_every_kind(x0):
    r = surefoot.minimize(sphere, x0, 1, seed=1, maxiter=20)
    assert r.x.tolist() == surefoot.minimize(sphere, [0.0, 2.0, 4.0], 1, seed=1, maxiter=20).x.tolist()


@pytest.mark.parametrize(
    "x0, error, text",
    [
        ("12", TypeError, "x0: text"),
        (["a", "b"], TypeError, "x0: text"),
        ([1, None], TypeError, "x0: None"),
        ([[1, 2], [3, 4]], ValueError, "x0: an array of shape"),
        ([1j, 2], TypeError, "x0: complex"),
        ([], ValueError, "x0"),
        ([1, math.nan], ValueError, "x0"),
        ([[1], [2, 3]], (ValueError, TypeError), "x0"),
        (None, ValueError, "x0 is missing"),
        ({"a": 1}, TypeError, "x0"),
        (np.array(["2020"], dtype="M8[Y]"), TypeError, "x0"),
    ],
)
def test_start_points_that_are_refused(x0, error, text):
    with pytest.raises(error, match=text):
        surefoot.minimize(sphere, x0, 1)


def test_zero_dimensions_are_one_coordinate():
    r = surefoot.minimize(lambda x: float((x[0] - 2) ** 2), np.array(5.0), 1, seed=1, ftarget=1e-10)
    assert r.success and r.x.shape == (1,)


@pytest.mark.parametrize(
    "options, text",
    [
        ({"popsize": 1}, "popsize = 1 is not allowed"),
        ({"popsize": 10.5}, "popsize = 10.5"),
        ({"popsize": "ten"}, "popsize = 'ten'"),
        ({"popsize": True}, "popsize = True"),
        ({"popsize": np.array([5, 6])}, "popsize = array"),
        ({"seed": -1}, "seed = -1"),
        ({"seed": 2**64}, "seed"),
        ({"maxfevals": 0}, "maxfevals = 0"),
        ({"ftarget": "low"}, "ftarget = 'low'"),
        ({"ftarget": 1j}, "ftarget"),
        ({"tolx": -1}, "tolx = -1"),
        ({"method": "nelder-mead"}, "method = 'nelder-mead'"),
        ({"learning_rate": "fast"}, "learning_rate = 'fast'"),
        ({"learning_rate": 3}, "learning_rate = 3"),
        ({"restarts": "many"}, "restarts = 'many'"),
        ({"model": "cubic"}, "model = 'cubic'"),
        ({"model": 2}, "model = 2"),
        ({"batch": 0}, "batch = 0"),
        ({"noeffectaxis": 1}, "noeffectaxis = 1"),
        ({"workers": 0}, "workers = 0"),
        ({"workers": "four"}, "workers = 'four'"),
        ({"on_failure": "ignore"}, "on_failure = 'ignore'"),
        ({"eval_timeout": 1}, "eval_timeout"),
        ({"eval_timeout": "3", "workers": 2}, "eval_timeout = '3'"),
        ({"vectorized": True, "workers": 2}, "workers"),
        ({"checkpoint_every": "soon"}, "soon"),
        ({"trace": "/no/such/folder/t.jsonl"}, "trace"),
        ({"checkpoint": "/no/such/folder/c"}, "checkpoint"),
        ({"checkpoint": ""}, "checkpoint = ''"),
        ({"trace": ""}, "trace = ''"),
        ({"log": ""}, "log = ''"),
        ({"warm_start": 3, "x0": None, "sigma0": None}, "warm_start"),
        ({"warm_start": ([0, 0], np.eye(2))}, "x0: not together with warm_start"),
        ({"sigma0": -1}, "sigma0"),
        ({"sigma0": [1, 2, 3]}, "sigma0"),
    ],
)
def test_wrong_options_are_named(options, text):
    given = {"x0": [1, 1], "sigma0": 1, **options}
    with pytest.raises(ValueError) as error:
        surefoot.minimize(sphere, **given)
    assert text in str(error.value)


def test_unknown_options_and_functions():
    with pytest.raises(TypeError, match="popsiz"):
        surefoot.minimize(sphere, [1, 1], 1, popsiz=3)
    with pytest.raises(TypeError, match="fun: 3"):
        surefoot.minimize(3, [1, 1], 1)
    for wrong in ({"restart_point": 3}, {"trace": 1}, {"checkpoint": 5}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            surefoot.minimize(sphere, [1, 1], 1, **wrong)
    with pytest.raises(TypeError, match="callback"):
        surefoot.minimize(sphere, [1, 1], 1, callback=3)


def test_numbers_that_people_write():
    r = surefoot.minimize(sphere, [1, 1], np.float32(1), maxfevals=1e3, popsize=np.int64(10), seed=np.uint32(3))
    assert r.seed == 3 and r.nfev <= 1000
    assert (
        surefoot.minimize(sphere, [1, 1], 1, seed=np.random.default_rng(1), maxiter=3).seed
        == surefoot.minimize(sphere, [1, 1], 1, seed=np.random.default_rng(1), maxiter=3).seed
    )
    unlimited = surefoot.minimize(sphere, [1, 1], 1, seed=1, maxfevals=np.inf, maxiter=math.inf, timeout=np.inf)
    assert unlimited.success
    with pytest.raises(ValueError, match="popsize"):
        surefoot.minimize(sphere, [1, 1], 1, popsize=np.inf)
    assert surefoot.minimize(sphere, [1, 1], 1, seed=2**64 - 1, maxiter=3).seed == 2**64 - 1


def test_args_and_vectorized():
    r = surefoot.minimize(lambda x, a, b: float(((x - a) ** 2).sum() + b), [3, 3], 1, args=(1, 5), seed=1)
    assert np.allclose(r.x, 1, atol=1e-4) and math.isclose(r.fun, 5)
    one = surefoot.minimize(lambda x, a: float(((x - a) ** 2).sum()), [3, 3], 1, args=2.0, seed=1, maxiter=30)
    all_ = surefoot.minimize(
        lambda X, a: ((X - a) ** 2).sum(axis=1), [3, 3], 1, args=2.0, seed=1, maxiter=30, vectorized=True
    )
    assert one.x.tolist() == all_.x.tolist()
    with pytest.raises(ValueError, match="one for each row"):
        surefoot.minimize(lambda X: X.sum(), [3, 3], 1, vectorized=True)
    column = surefoot.minimize(
        lambda X: (X**2).sum(axis=1, keepdims=True), [3, 3], 1, seed=1, maxiter=3, vectorized=True
    )
    assert column.nit == 3


def test_the_start_and_known_points_come_first():
    seen = []

    def f(x):
        seen.append(x.tolist())
        return sphere(x)

    r = surefoot.minimize(f, [3, 3], 0.1, inject=[(5, 5), np.array([1.0, 0.5])], seed=1, maxiter=1, popsize=6)
    assert seen[:3] == [[3, 3], [5, 5], [1, 0.5]] and r.nfev == 9 and r.nit == 1
    assert np.abs(np.array(seen[3:]) - [1, 0.5]).max() < 0.6
    assert r.trace["generation"].tolist() == [0, 1] and r.trace["nfev"].tolist() == [3, 9]
    r = surefoot.minimize(f, [3, 3], 0.1, evaluate_x0=False, seed=1, maxiter=2, popsize=6)
    assert r.nfev == 12
    array = surefoot.minimize(f, [3, 3], 0.1, inject=np.array([[5.0, 5.0], [1.0, 0.5]]), seed=1, maxiter=1, popsize=6)
    assert array.nfev == 9
    lazy = surefoot.Optimizer([3, 3], 0.1, inject=(p for p in [[1, 0.5]]), seed=1)
    assert np.array_equal(pickle.loads(pickle.dumps(lazy)).ask(), lazy.ask())


@pytest.mark.parametrize(
    "inject, error, text",
    [
        ([[1, 2, 3]], ValueError, "inject.0. = a list of 3 numbers"),
        ([[1, 1], [1, math.nan]], ValueError, "inject.1..1. = nan"),
        ([[1, 1], [-7, 1]], ValueError, "inject.1..0. = -7"),
        ([1, 2], ValueError, "inject.0. = a list of 1 numbers"),
        (3, TypeError, "inject: 3 is not allowed"),
        ("known.txt", TypeError, "inject: 'known.txt' is not allowed"),
        ([["a", "b"]], TypeError, "inject.0.: text"),
    ],
)
def test_wrong_known_points_are_named(inject, error, text):
    with pytest.raises(error, match=text):
        surefoot.minimize(sphere, [3, 3], 1, bounds=[-5, 5], inject=inject)


@pytest.mark.parametrize("budget", [1, 2, 6, 7, 8, 13, 50])
def test_maxfevals_is_never_exceeded(budget):
    calls = []
    r = surefoot.minimize(lambda x: calls.append(1) or sphere(x), [3, 3], 1, popsize=6, maxfevals=budget, seed=1)
    assert len(calls) == r.nfev == budget and r.stop == "maxfevals"


def test_infinite_everywhere_and_flat_everywhere():
    r = surefoot.minimize(lambda x: math.inf, [3, 3], 1, popsize=6, maxfevals=100000, seed=1)
    assert r.stop == "infeasible" and r.status == 21 and r.fun == math.inf and r.nfev == 19 and not r.success
    r = surefoot.minimize(lambda x: 7.0, [3, 3], 1, popsize=6, seed=1)
    assert r.stop == "tolflatfitness" and "plateau" in r.message and r.nfev == 187


def test_a_warm_start_goes_with_bounds():
    covariance = np.array([[0.04, 0.01], [0.01, 0.09]])
    r = surefoot.minimize(
        lambda x: float(((x - [0, 2]) ** 2).sum()),
        warm_start=([0.5, 0.5], covariance),
        bounds=[0, 1],
        ftarget=1.0 + 1e-9,
        seed=1,
    )
    assert r.success and r.x[1] == 1


def test_exceptions_follow_the_policy():
    def sometimes(x):
        if x[0] > 3:
            raise RuntimeError("the simulator crashed")
        return sphere(x)

    r = surefoot.minimize(sometimes, [3, 3], 1, seed=1, ftarget=1e-8)
    assert r.success and r.nfailed > 0
    with pytest.raises(RuntimeError, match="the simulator crashed"):
        surefoot.minimize(sometimes, [3, 3], 1, seed=1, on_failure="raise")

    def never(x):
        raise ZeroDivisionError("always")

    with pytest.raises(ZeroDivisionError, match="always"):
        surefoot.minimize(never, [3, 3], 1, seed=1)
    r = surefoot.minimize(never, [3, 3], 1, seed=1, on_failure="rank-last")
    assert not r.success and r.stop == "failing" and "ZeroDivisionError: always" in r.message and r.nit == 3
    assert math.isnan(r.fun)


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"workers": map}, {"vectorized": True}, {"retry": 1}])
def test_a_mistake_in_the_function_is_raised(options):
    calls = []

    def mistaken(x):
        calls.append(x)
        return undefined_name(x)  # noqa: F821

    with pytest.raises(NameError, match="undefined_name"):
        surefoot.minimize(mistaken, [3, 3], 1, seed=1, **options)
    assert len(calls) == (0 if options.get("workers") == 2 else 1 + options.get("retry", 0))  # at x0 alone

    def never(x):
        raise ValueError("no such file")

    with pytest.raises(ValueError, match="no such file"):
        surefoot.minimize(never, [3, 3], 1, seed=1, **options)


@pytest.mark.parametrize("options", [{}, {"batch": 2}, {"model": "none"}, {"workers": map}])
def test_exceptions_after_evaluations_that_worked_are_failures(options):
    for seed in range(10):
        calls = []

        def shaky(x):
            calls.append(x)
            if len(calls) > 3 and hash((seed, len(calls))) % 2 == 0:
                raise ValueError("solver did not converge")
            return sphere(x)

        r = surefoot.minimize(shaky, [3, 3], 1, seed=seed, maxfevals=100, **options)
        assert r.stop == "maxfevals" and r.nfailed > 20 and r.fun < 18
    calls.clear()

    def dead(x):
        calls.append(x)
        if len(calls) > 3:
            raise ValueError("the licence server is gone")
        return sphere(x)

    r = surefoot.minimize(dead, [3, 3], 1, seed=1, maxfevals=100, **options)
    assert r.stop == "failing" and "licence" in r.message and math.isfinite(r.fun)


def test_a_mended_function_goes_on(tmp_path):
    file = tmp_path / "run.sf"
    whole = surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=30)
    calls = []

    def mistaken(x):
        calls.append(x)
        return undefined_name(x)  # noqa: F821

    with pytest.raises(NameError):
        surefoot.minimize(mistaken, [3, 3], 1, seed=1, maxiter=30, checkpoint=file)
    r = surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=30, checkpoint=file)
    assert len(calls) == 1 and r.nit == 30 and r.nfailed == 0
    assert (r.x == whole.x).all()


def test_exceptions_that_differ_are_failures():
    counter = iter(range(10**6))

    def never(x):
        raise ValueError(f"number {next(counter)}")

    r = surefoot.minimize(never, [3, 3], 1, seed=1)
    assert r.stop == "failing" and "number" in r.message


def test_reasons_of_some_failures_are_kept():
    def sometimes(x):
        if x[0] > 3:
            raise RuntimeError("too hot")
        return sphere(x)

    search = surefoot.Optimizer([3, 3], 1, seed=1, ftarget=1e-8)
    r = search.optimize(sometimes)
    assert r.success
    assert f"{r.nfailed} of {r.nfev} evaluations failed" in r.message and "RuntimeError: too hot" in r.message
    failures = r.trace["failures"]
    assert len(failures) == r.nfailed
    assert failures[0]["kind"] == "exception" and failures[0]["reason"] == "RuntimeError: too hot"
    assert {"generation", "candidate", "attempt"} <= failures[0].keys()
    assert pickle.loads(pickle.dumps(search)).result.trace["failures"] == failures
    assert "failed" not in surefoot.minimize(sphere, [3, 3], 1, seed=1, ftarget=1e-8).message


def test_a_full_disk_is_a_warning():
    with pytest.warns(RuntimeWarning, match="/dev/full"):
        r = surefoot.minimize(sphere, [3, 3], 1, seed=1, ftarget=1e-8, trace="/dev/full")
    assert r.success


def test_a_checkpoint_in_use_is_refused(tmp_path):
    file = tmp_path / "run.sf"

    def inner(x):
        with pytest.raises(ValueError, match="is using it"):
            surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=3, checkpoint=file)
        return sphere(x)

    assert surefoot.minimize(inner, [3, 3], 1, seed=1, maxiter=2, checkpoint=file).nit == 2


@pytest.mark.parametrize("option", ["seed", "maxfevals", "maxiter", "popsize"])
def test_integers_beyond_64_bits_are_refused(option):
    with pytest.raises((ValueError, TypeError, OverflowError), match=option):
        surefoot.minimize(sphere, [3, 3], 1, **{option: 2**70})


def test_failed_candidates_are_tried_again():
    calls = []

    def shaky(x):
        calls.append(x.tolist())
        return math.nan if len(calls) % 5 == 0 else sphere(x)

    r = surefoot.minimize(shaky, [3, 3], 1, seed=1, maxiter=20, retry=3)
    assert r.nfailed == 0 and len(calls) > r.nfev
    assert r.x.tolist() == surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=20).x.tolist()
    calls.clear()
    rows = []

    def shaky_rows(X):
        rows.append(len(X))
        values = (X**2).sum(axis=1)
        if len(rows) % 3 == 0:
            values[0] = np.nan
        return values

    r = surefoot.minimize(shaky_rows, [3, 3], 1, seed=1, maxiter=20, retry=3, vectorized=True)
    assert r.nfailed == 0 and 1 in rows


def test_attempts_that_a_timeout_leaves_out_are_made_up_for(tmp_path):
    file = tmp_path / "run.sf"
    begin = time.monotonic()
    calls = []

    def shaky(x):
        while time.monotonic() < begin + 0.3:
            time.sleep(0.01)
        calls.append(x)
        return math.nan if len(calls) == 1 else sphere(x)

    options = {"seed": 1, "maxfevals": 1, "retry": 1, "checkpoint": file}
    assert surefoot.minimize(shaky, [3, 3], 1, timeout=0.2, **options).stop == "timeout"
    r = surefoot.minimize(shaky, [3, 3], 1, **options)
    assert r.stop == "maxfevals" and r.nfailed == 0 and r.fun == 18 and len(calls) == 2


@pytest.mark.parametrize("value", [None, "3", [1, 2], 1j, {}])
def test_a_value_that_is_no_number_is_a_mistake(value):
    with pytest.raises(TypeError, match="it must return one number"):
        surefoot.minimize(lambda x: value, [3, 3], 1)


def test_callback_sees_and_stops():
    seen = []

    def watch(r):
        seen.append((r.nit, r.nfev, r.fun))
        return r.nit == 5

    r = surefoot.minimize(sphere, [3, 3], 1, seed=1, callback=watch)
    assert r.stop == "callback" and [s[0] for s in seen] == [0, 1, 2, 3, 4, 5]

    def raising(r):
        raise StopIteration

    assert surefoot.minimize(sphere, [3, 3], 1, seed=1, callback=raising).nfev == 1
    with pytest.raises(KeyError):
        surefoot.minimize(sphere, [3, 3], 1, seed=1, callback=lambda r: {}["no"])


def test_timeout_ends_in_the_middle_of_a_generation():
    import time

    begin = time.monotonic()
    r = surefoot.minimize(lambda x: (time.sleep(0.05), sphere(x))[1], np.ones(5), 1, popsize=600, timeout=0.3, seed=1)
    assert r.stop == "timeout" and time.monotonic() - begin < 25 and r.nfev >= 1


def test_warm_start():
    first = surefoot.Optimizer(np.zeros(4), 0.5, seed=1, maxiter=100)
    first.optimize(rosenbrock)
    r = surefoot.minimize(rosenbrock, warm_start=(first.mean, first.covariance), seed=2, ftarget=1e-8)
    assert r.success
    with pytest.raises(ValueError, match="covariance"):
        surefoot.minimize(rosenbrock, warm_start=([0, 0], np.eye(3)))


def test_default_takes_the_model_where_evaluations_count():
    f = surefoot.problems.get("rosenbrock", 4)
    few = surefoot.minimize(f, f.x0, f.sigma0, seed=1, ftarget=1e-8, maxfevals=8000)
    many = surefoot.minimize(f, f.x0, f.sigma0, seed=1, ftarget=1e-8, maxfevals=8001)
    expensive = surefoot.minimize(f, f.x0, f.sigma0, seed=1, ftarget=1e-8, maxfevals=8001, evaluation_seconds=60)
    assert few.success and many.success and expensive.success
    assert expensive.nfev == few.nfev < 0.6 * many.nfev
    with pytest.raises(ValueError, match="evaluation_seconds = -1"):
        surefoot.minimize(f, f.x0, f.sigma0, evaluation_seconds=-1)


def test_default_gives_whole_populations_to_vectorized_functions():
    sizes = []

    def f(population):
        sizes.append(len(population))
        return (population**2).sum(axis=1)

    surefoot.minimize(f, [1, 2, 3], 1, seed=1, maxfevals=200, vectorized=True)
    assert sorted(sizes[1:-1])[:2] == [1, 7] and set(sizes[1:-1]) == {1, 7}  # one point once more to look for noise


def test_noise_is_noticed_and_the_point_is_measured():
    random = np.random.default_rng(1)

    def noisy(x):
        return float((x**2).sum() + random.normal())

    r = surefoot.minimize(noisy, [3, 3, 3], 2, maxfevals=500, seed=1)
    assert 0.5 < r.noise < 1.6
    assert 0.1 < r.fun_std < 0.6
    assert (r.x**2).sum() < 0.5
    assert abs(r.fun - (r.x**2).sum()) < 4 * r.fun_std
    assert r.lowest_fun < r.fun and r.lowest_x.shape == (3,)
    assert "noise of about" in r.message and "fun_std" in repr(r)
    known = surefoot.minimize(noisy, [3, 3, 3], 2, maxfevals=300, seed=1, noise=1.0)
    assert known.noise == 1 and known.fun_std > 0
    blind = surefoot.minimize(noisy, [3, 3, 3], 2, maxfevals=300, seed=1, noise="none")
    assert blind.noise == 0 and blind.fun_std == 0 and blind.fun == blind.lowest_fun


def test_the_page_on_noise_prints_what_the_search_says():
    page = (pathlib.Path(__file__).parents[2] / "docs" / "how-to" / "noise.md").read_text(encoding="utf-8")
    code, output = page.split("```python\n")[1].split("```\n```\n")
    names = {"print": lambda message: names.update(message=message)}
    exec(code, names)
    assert names["message"] == " ".join(output.split("```")[0].split())


def test_without_noise_nothing_is_said_about_it():
    r = surefoot.minimize(rosenbrock, [1, 2, 3], 1, seed=1, maxfevals=300)
    assert r.noise == 0 and r.fun_std == 0 and "noise" not in r.message + repr(r)


@pytest.mark.parametrize("noise", [0, -1, "some", "0", float("inf")])
def test_noise_must_be_a_deviation(noise):
    with pytest.raises(ValueError, match="noise = .* is not allowed: it must be auto, none or a standard deviation"):
        surefoot.minimize(rosenbrock, [1, 2, 3], 1, maxfevals=30, noise=noise)


def test_batch_is_the_number_of_workers():
    def evaluated(**options):
        r = surefoot.minimize(rosenbrock, [1, 2, 3], 1, seed=1, maxfevals=60, trace=True, **options)
        return r.trace["evaluated"].tolist()

    assert evaluated(batch="auto", workers=2) == evaluated(batch=2) != evaluated()
    with pytest.raises(ValueError, match="batch = 'auto' is not allowed with workers = "):
        evaluated(batch="auto", workers=map)
    with pytest.raises(ValueError, match="batch = 'some'"):
        evaluated(batch="some")


def test_model_saves_evaluations():
    f = surefoot.problems.get("rosenbrock", 5)
    plain, modelled = (
        surefoot.minimize(f, f.x0, f.sigma0, seed=1, method="cma", model=model, ftarget=1e-8, trace=True)
        for model in ("none", "quadratic")
    )
    assert plain.success and modelled.success and modelled.nfev < 0.7 * plain.nfev
    parallel = surefoot.minimize(f, f.x0, f.sigma0, seed=1, method="cma", model="quadratic", ftarget=1e-8, workers=2)
    assert parallel.nfev == modelled.nfev and (parallel.x == modelled.x).all()
    search = surefoot.Optimizer(f.x0, f.sigma0, seed=1, model="quadratic", ftarget=1e-8)
    while not search.stop():
        points = search.ask()
        assert len(points) <= 8
        search.tell(points, [f(x) for x in points])
    assert search.result.success


def test_restarts():
    f = surefoot.problems.get("rastrigin", 3)
    r = surefoot.minimize(f, f.x0, f.sigma0, restarts=3, seed=5, ftarget=1e-8)
    assert len(r.runs) > 1 or r.success
    points = []
    surefoot.minimize(
        sphere,
        [3, 3],
        1,
        restarts="same:2",
        seed=1,
        maxfevals=5000,
        restart_point=lambda run: points.append(run) or [float(run), 0.0],
    )
    assert points == [2, 3]


def test_scipys_minimize():
    from scipy.optimize import Bounds, minimize, rosen

    r = minimize(rosen, [0.0, 0.0], method=surefoot.method, options={"sigma0": 0.5, "seed": 1})
    ours = surefoot.minimize(rosen, [0.0, 0.0], 0.5, seed=1)
    assert r.x.tolist() == ours.x.tolist()
    seen = []
    r = minimize(
        lambda x, a: ((x - a) ** 2).sum(),
        [0.5, 0.5],
        args=(2.0,),
        method=surefoot.method,
        tol=1e-6,
        bounds=Bounds([0, 0], [1, 1]),
        callback=lambda xk: seen.append(xk.shape),
        options={"seed": 1, "maxfev": 2000},
    )
    assert np.allclose(r.x, 1) and set(seen) == {(2,)} and r.nfev < 2000


def test_checkpoint_goes_on_bit_for_bit(tmp_path):
    whole = surefoot.minimize(rosenbrock, np.zeros(4), 0.5, seed=1, maxiter=150, trace=tmp_path / "whole.jsonl")
    file, trace = tmp_path / "run.sf", tmp_path / "parts.jsonl"
    calls = []

    def fragile(x):
        calls.append(1)
        if len(calls) == 403:
            raise MemoryError("the machine went down")
        return rosenbrock(x)

    with pytest.raises(MemoryError):
        surefoot.minimize(
            fragile, np.zeros(4), 0.5, seed=1, maxiter=150, checkpoint=file, trace=trace, on_failure="raise"
        )
    parts = surefoot.minimize(fragile, np.zeros(4), 0.5, seed=1, maxiter=150, checkpoint=file, trace=trace)
    assert parts.x.tolist() == whole.x.tolist() and parts.nfev == whole.nfev
    assert len(calls) == whole.nfev + 1
    assert trace.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    again = surefoot.minimize(fragile, np.zeros(4), 0.5, seed=1, maxiter=150, checkpoint=file)
    assert again.x.tolist() == whole.x.tolist() and len(calls) == whole.nfev + 1
    with pytest.raises(ValueError, match="another search: its sigma0 is .* overwrite=True"):
        surefoot.minimize(rosenbrock, np.zeros(4), 0.7, seed=1, checkpoint=file)
    anew = surefoot.minimize(rosenbrock, np.zeros(4), 0.7, seed=1, maxiter=5, checkpoint=file, overwrite=True)
    assert anew.nit == 5
    other = tmp_path / "letter.txt"
    other.write_text("Dear reader")
    for overwrite in (False, True):
        with pytest.raises(ValueError, match="letter.txt"):
            surefoot.minimize(rosenbrock, np.zeros(4), 0.5, checkpoint=other, overwrite=overwrite)
    assert other.read_text() == "Dear reader"


def test_prints_only_when_asked(capfd):
    surefoot.minimize(sphere, [3, 3], 1, seed=1)
    assert capfd.readouterr() == ("", "")
    surefoot.minimize(sphere, [3, 3], 1, seed=1, disp=True)
    out = capfd.readouterr().out
    assert "best f" in out and "converged" in out
    lines = [line.split()[0] for line in out.splitlines()[1:-1]]
    assert len(lines) == len(set(lines))  # each generation once


def test_options_are_those_of_the_table():
    rows = {row["python"]: row for row in _core.option_table() if row["python"]}
    parameters = inspect.signature(surefoot.minimize).parameters
    assert set(rows) == set(parameters)
    for name, row in rows.items():
        default = parameters[name].default
        if default in (None, inspect.Parameter.empty, ()) or name == "disp":
            continue
        if isinstance(default, bool):
            assert row["default"] in (("true", "on") if default else ("false", "off")), name
        elif isinstance(default, (int, float)):
            assert float(row["default"]) == default, name
        else:
            assert row["default"] == default, name
    optimizer = dict(inspect.signature(surefoot.Optimizer).parameters)
    optimizer.update(inspect.signature(surefoot.Optimizer.optimize).parameters)
    del optimizer["self"]
    assert {name: str(p) for name, p in optimizer.items()} == {name: str(p) for name, p in parameters.items()}


def test_help_and_errors_know_the_options(capsys):
    for function in (surefoot.minimize, surefoot.Optimizer, surefoot.Optimizer.optimize):
        help(function)
        out = capsys.readouterr().out
        assert "**options" not in out
        assert ("tolx: float = 1e-11" in out) == (function is not surefoot.Optimizer.optimize)
        assert "checkpoint_every: str = '1s'" in out  # help of the class shows its methods, too
    with pytest.raises(TypeError, match=r"minimize\(\) got an unexpected keyword argument 'tolz'"):
        surefoot.minimize(sphere, [3, 3], 1, tolz=1)
    with pytest.raises(TypeError, match=r"'maxfeval'; did you mean 'maxfevals'\?"):
        surefoot.minimize(sphere, [3, 3], 1, maxfeval=1)
    with pytest.raises(TypeError, match=r"Optimizer\(\) got an unexpected keyword argument 'workers'"):
        surefoot.Optimizer([3, 3], 1, workers=2)
    with pytest.raises(TypeError, match=r"optimize\(\) got an unexpected keyword argument 'seed'"):
        surefoot.Optimizer([3, 3], 1).optimize(sphere, seed=2)


@pytest.mark.parametrize("option", ["overwrite", "vectorized", "evaluate_x0", "noeffectaxis", "noeffectcoord"])
def test_switches_are_true_or_false(option):
    for wrong in ("no", "x", 1, [True]):
        with pytest.raises(ValueError, match=f"{option} = .* is not allowed: it must be True or False"):
            surefoot.minimize(sphere, [3, 3], 1, **{option: wrong})
    fun = (lambda X: (X**2).sum(axis=1)) if option == "vectorized" else sphere
    ours, numpys = (
        surefoot.minimize(fun, [3, 3], 1, seed=1, maxiter=3, **{option: value}) for value in (True, np.bool_(True))
    )
    assert ours.x.tolist() == numpys.x.tolist()
    ours, numpys = (
        surefoot.minimize(sphere, [3, 3], 1, seed=1, maxiter=30, method="xnes", trace=value).trace["l_theta"]
        for value in (True, np.bool_(True))
    )
    assert np.isfinite(ours).any() and np.array_equal(ours, numpys, equal_nan=True)


def test_the_start_is_meant_by_what_is_near():
    with pytest.raises(TypeError, match="'sigma'; did you mean 'sigma0'"):
        surefoot.minimize(sphere, [3, 3], sigma=1)
    with pytest.raises(TypeError, match="'sigma_0'; did you mean 'sigma0'"):
        surefoot.Optimizer([3, 3], sigma_0=1)


def test_without_tolerances_only_budgets_end_a_search():
    off = surefoot.without_tolerances()
    switches = {
        name for name in inspect.signature(surefoot.minimize).parameters if name.startswith(("tol", "noeffect"))
    }
    assert set(off) == switches and not any(off.values())
    r = surefoot.minimize(lambda x: 0.0, [3, 3], 1, seed=1, maxiter=500, **off)
    assert r.stop == "maxiter" and r.nit == 500


@pytest.mark.parametrize("method", [row[0] for row in _core.method_table()])
def test_every_method_goes_on_bit_for_bit(method, tmp_path):
    """With bounds, restarts and a known point."""
    options = {"method": method, "seed": 3, "restarts": "ipop", "bounds": [(-4, 5)] * 10, "inject": [[1.0] * 10]}
    whole = surefoot.minimize(sphere, [3.0] * 10, 1, maxfevals=900, **options)
    calls = []

    def fragile(x):
        calls.append(1)
        if len(calls) == 503:
            raise MemoryError("the machine went down")
        return sphere(x)

    file = tmp_path / "run.sf"
    with pytest.raises(MemoryError):
        surefoot.minimize(fragile, [3.0] * 10, 1, maxfevals=900, checkpoint=file, on_failure="raise", **options)
    parts = surefoot.minimize(fragile, [3.0] * 10, 1, maxfevals=900, checkpoint=file, **options)
    assert parts.x.tolist() == whole.x.tolist() and parts.nfev == whole.nfev == 900
    assert len(calls) == 901
    assert whole.fun < 10


@pytest.mark.parametrize("method", ["snes", "cr-fm-nes", "auto"])
def test_threads_do_not_change_the_result(method):
    one = surefoot.minimize(sphere, [3.0] * 1500, 2, method=method, maxiter=5, seed=1)
    several = surefoot.minimize(sphere, [3.0] * 1500, 2, method=method, maxiter=5, seed=1, threads=3)
    assert one.x.tolist() == several.x.tolist()
    with pytest.raises(ValueError, match="threads"):
        surefoot.minimize(sphere, [3.0] * 3, 2, threads=0)
