"""Evaluation logs: one row an evaluation, whoever evaluates, read back by read_log."""

import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import surefoot


def sphere(x):
    return float((x**2).sum())


def fragile(x):
    if x[0] < 0:
        raise ValueError('below, "zero"\nby far')
    return np.inf if x[1] < 0 else sphere(x)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("how", ["serial", "vectorized", "processes", "engine"])
def test_every_way_to_evaluate_has_its_rows(tmp_path, ending, how):
    file = tmp_path / f"evals.{ending}"
    options = {
        "serial": {},
        "vectorized": {"vectorized": True},
        "processes": {"workers": 2},
        "engine": {"workers": ThreadPoolExecutor(2)},
    }[how]
    fun = (lambda X: (X**2).sum(axis=1)) if how == "vectorized" else sphere
    r = surefoot.minimize(fun, [3, 3, 3], 1, maxfevals=50, model="none", seed=1, log=file, **options)
    log = surefoot.read_log(file)
    assert list(log["id"]) == list(range(1, 51)) and r.nfev == 50
    assert set(log["status"]) == {"ok"} and log["f"].min() == r.fun
    points = np.column_stack([log["params"][name] for name in ("x0", "x1", "x2")])
    assert np.allclose((points**2).sum(axis=1), log["f"], rtol=1e-15)
    assert (log["seconds"] >= 0).all()
    workers = {"serial": {0}, "vectorized": {0}, "processes": {0, 1}, "engine": {-1}}[how]
    assert set(log["worker"]) <= workers
    assert log["constraints"].shape == (50, 0)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_failures_and_infeasible_points(tmp_path, ending):
    file = tmp_path / f"evals.{ending}"
    r = surefoot.minimize(fragile, [0.5, 0.5], 1, maxiter=5, seed=1, retry=1, log=str(file))
    log = surefoot.read_log(file)
    for status, f, x, y, reason in zip(log["status"], log["f"], *log["params"].values(), log["reason"]):
        expected = "exception" if x < 0 else "infeasible" if y < 0 else "ok"
        assert status == expected
        assert np.isnan(f) if x < 0 else f == np.inf if y < 0 else f == x**2 + y**2
        assert reason == ('ValueError: below, "zero" by far' if x < 0 else "")
    assert log["status"].count("exception") == 2 * r.nfailed > 0
    assert set(log["attempt"]) == {1, 2}


def test_names_of_a_space(tmp_path):
    space = {"rate": surefoot.Real(1e-3, 1, log=True), "f": surefoot.Integer(1, 8), "kind": surefoot.Choice("a,b", "c")}
    for ending in ("csv", "jsonl"):
        file = tmp_path / f"evals.{ending}"
        surefoot.minimize(lambda rate, f, kind: rate + f, space=space, maxiter=3, seed=1, log=file)
        log = surefoot.read_log(file)
        assert list(log["params"]) == ["rate", "f", "kind"]
        assert set(log["params"]["kind"]) <= {"a,b", "c"}
        assert np.allclose(log["f"], log["params"]["rate"] + log["params"]["f"])


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_log_is_a_data_frame(tmp_path, ending):
    pandas = pytest.importorskip("pandas")
    file = tmp_path / f"evals.{ending}"
    space = {"rate": surefoot.Real(1e-3, 1, log=True), "f": surefoot.Integer(1, 8), "kind": surefoot.Choice("a", "b")}

    def fun(rate, f, kind):
        if rate > 0.5:
            raise ValueError("too fast")
        return rate + f, [0.1 - rate, f - 7]

    surefoot.minimize(fun, space=space, constraints=2, maxiter=5, seed=1, log=file)
    log = surefoot.read_log(file)
    frame = pandas.DataFrame(log)
    head = ["id", "run", "generation", "candidate", "attempt", "status", "f", "seconds", "worker"]
    assert sorted(frame.columns) == sorted(
        [*head, "constraint[0]", "constraint[1]", "rate", "param.f", "kind", "reason"]
    )
    assert len(frame) == len(log["id"]) > 5
    worked = frame[frame.status == "ok"]
    assert np.allclose(worked["f"], worked["rate"] + worked["param.f"])
    assert np.allclose(worked["constraint[0]"], 0.1 - worked["rate"])
    assert np.allclose(worked["constraint[1]"], worked["param.f"] - 7)
    assert list(log.params) == ["rate", "f", "kind"] and log.constraints.shape == (len(frame), 2)
    assert log["params"] is log.params and log["constraints"] is log.constraints  # as before 0.3
    again = pickle.loads(pickle.dumps(log))
    assert list(again) == list(log) and list(again.params) == list(log.params)
    with pytest.raises(KeyError, match="nothing: the log has the columns id, run"):
        log["nothing"]


def test_ask_and_tell_with_a_copy(tmp_path):
    file = tmp_path / "evals.csv"
    search = surefoot.Optimizer([3, 3], 1, seed=1, maxiter=6, model="none", log=file)
    while not search.stop():
        X = search.ask()
        with pytest.raises(ValueError):
            search.tell(X, [1.0] * 99)
        search.tell(X, [sphere(x) for x in X])
        if search.nit == 3:
            search = pickle.loads(pickle.dumps(search))
    log = surefoot.read_log(file)
    assert len(log["id"]) == search.nfev
    places = list(zip(log["generation"], log["candidate"]))
    assert len(set(places)) == len(places)


def test_a_checkpoint_goes_on_with_its_log(tmp_path):
    calls = []

    def stops(x):
        calls.append(x)
        if len(calls) == 33:
            raise KeyboardInterrupt
        return sphere(x)

    files = {"log": tmp_path / "evals.csv", "checkpoint": tmp_path / "run.sf"}
    options = {"maxfevals": 80, "model": "none", "seed": 1}
    surefoot.minimize(stops, [3, 3], 1, **options, **files)
    assert len(surefoot.read_log(files["log"])["id"]) == 32
    r = surefoot.minimize(sphere, [3, 3], 1, **options, **files)
    log = surefoot.read_log(files["log"])
    assert list(log["id"]) == list(range(1, 81)) and r.nfev == 80
    whole = tmp_path / "whole.csv"
    surefoot.minimize(sphere, [3, 3], 1, **options, log=whole)
    assert np.array_equal(surefoot.read_log(whole)["f"], log["f"])


def test_what_is_no_log_is_refused(tmp_path):
    mine = tmp_path / "mine.csv"
    mine.write_text("name,age\nAda,36\n")
    with pytest.raises(ValueError, match="mine.csv"):
        surefoot.minimize(sphere, [3, 3], 1, maxiter=2, log=mine)
    assert mine.read_text() == "name,age\nAda,36\n"
    with pytest.raises(ValueError, match="mine.csv"):
        surefoot.read_log(mine)
    with pytest.raises(ValueError, match=r"\.csv or \.jsonl"):
        surefoot.minimize(sphere, [3, 3], 1, maxiter=2, log=tmp_path / "evals.txt")
    if os.path.exists("/dev/full"):
        with pytest.warns(RuntimeWarning, match="/dev/full"):
            surefoot.minimize(sphere, [3, 3], 1, maxiter=2, log="/dev/full")


def test_a_torn_line_is_left_out(tmp_path):
    file = tmp_path / "evals.csv"
    surefoot.minimize(sphere, [3, 3], 1, maxiter=2, log=file)
    rows = len(surefoot.read_log(file)["id"])
    file.write_text(file.read_text() + "99,1,7,0,1,ok,0.2")
    assert len(surefoot.read_log(file)["id"]) == rows


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_choices_that_look_like_numbers_are_texts(tmp_path, ending):
    file = tmp_path / f"evals.{ending}"
    space = {
        "code": surefoot.Choice("01", "1", "1.0"),
        "rate": surefoot.Real(1e-9, 1e12, log=True),
        "grid": surefoot.Grid(-5, 1e-7, 0.25, 1e22),
        "flag": surefoot.Choice("", "-O2"),
    }
    codes, rates, grids, flags = [], [], [], []

    def f(code, rate, grid, flag):
        codes.append(code), rates.append(rate), grids.append(grid), flags.append(flag)
        return abs(rate)

    surefoot.minimize(f, space=space, maxfevals=30, seed=1, log=file)
    params = surefoot.read_log(file)["params"]
    assert params["code"] == codes and len(set(codes)) == 3
    assert params["rate"].tolist() == rates and params["grid"].tolist() == grids
    assert params["flag"] == [flag or "''" for flag in flags] and set(flags) == {"", "-O2"}


def test_names_of_choices_come_back_without_what_keeps_spreadsheets_from_computing_them(tmp_path):
    names = ["=1+1", "'=1+1", "-O2", " a", "a"]
    file = tmp_path / "evals.csv"
    surefoot.minimize(
        lambda kind: float(names.index(kind)),
        space={"kind": surefoot.Choice(*names)},
        maxfevals=60,
        seed=1,
        log=file,
    )
    assert set(surefoot.read_log(file)["params"]["kind"]) == set(names)
    assert not any(cell.startswith("=") for row in file.read_text().splitlines() for cell in row.split(","))
