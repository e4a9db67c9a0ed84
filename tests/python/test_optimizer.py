import copy
import gc
import os
import pickle
import sys
import threading

import numpy as np
import pytest
import surefoot


def values(X):
    return (X**2).sum(axis=1)


def finish(search):
    while not search.stop():
        X = search.ask()
        search.tell(X, values(X))
    return search.result


OPTIONS = [
    {},
    {"method": "cma"},
    {"learning_rate": "lra"},
    {"bounds": [-5, 5]},
    {"restarts": "ipop:2", "maxfevals": 3000},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("is_asked", [False, True])
@pytest.mark.parametrize("make", [lambda s: pickle.loads(pickle.dumps(s)), copy.deepcopy, copy.copy])
def test_a_copy_goes_on_bit_for_bit(options, is_asked, make):
    search = surefoot.Optimizer([3, 2, 1], 1, seed=4, **options)
    for _ in range(20):
        X = search.ask()
        search.tell(X, values(X))
    if is_asked:
        X = search.ask()
    other = make(search)
    if is_asked:
        assert np.array_equal(other.ask(), X)
    assert other.nit == search.nit and other.seed == search.seed
    one, two = finish(search), finish(other)
    assert one.x.tolist() == two.x.tolist() and one.nfev == two.nfev and one.message == two.message
    assert np.array_equal(one.trace["best"], two.trace["best"])


@pytest.mark.parametrize("options", [{"maxiter": 3}, {"ftarget": 1e-8}, {"restarts": "ipop:2", "maxfevals": 1500}])
@pytest.mark.parametrize("model", ["none", "quadratic"])
def test_a_copy_made_in_a_callback_goes_on_bit_for_bit(options, model):
    copies = []
    callback = lambda r: copies.append(pickle.dumps(search)) and None  # noqa: E731
    search = surefoot.Optimizer([1, 2], 1, seed=1, model=model, **options)
    plain = search.optimize(lambda x: float((x**2).sum()))
    search = Pickled([1, 2], 1, seed=1, model=model, callback=callback, **options)
    search.optimize(lambda x: float((x**2).sum()))
    for copy_of_search in copies[-1:] + copies[:: max(1, len(copies) // 20)]:
        r = pickle.loads(copy_of_search).optimize(lambda x: float((x**2).sum()))
        assert r.x.tolist() == plain.x.tolist() and r.nfev == plain.nfev and r.message == plain.message


class Pickled(surefoot.Optimizer):
    def __reduce__(self):
        restored, (kind, given, *rest) = super().__reduce__()
        return restored, (kind, {**given, "callback": None}, *rest)


@pytest.mark.parametrize("model", ["none", "quadratic"])
def test_a_callback_that_raises_leaves_a_checkpoint(model, tmp_path):
    def sphere(x):
        return float((x**2).sum())

    def callback(r):
        if r.fun <= 1e-3:
            raise RuntimeError("enough")

    given = {"seed": 1, "model": model, "ftarget": 1e-3, "checkpoint": tmp_path / "run.sf"}
    plain = surefoot.minimize(sphere, [1, 2], 1, **{**given, "checkpoint": None})
    with pytest.raises(RuntimeError, match="enough"):
        surefoot.minimize(sphere, [1, 2], 1, callback=callback, **given)
    r = surefoot.minimize(sphere, [1, 2], 1, **given)
    assert r.x.tolist() == plain.x.tolist() and r.nfev == plain.nfev and r.message == plain.message


def test_a_copy_of_a_finished_search_is_finished():
    told = []
    search = Pickled([3, 3], 1, ftarget=1e-8, seed=1, model="none")
    search.optimize(lambda x: float((x**2).sum()))
    other = pickle.loads(pickle.dumps(search))
    assert other.stop() == search.stop() == "ftarget" and other.nfev == search.nfev
    assert other.result.success and other.result.message == search.result.message
    r = other.optimize(told.append)
    assert told == [] and r.trace["generation"].tolist() == search.result.trace["generation"].tolist()


def test_a_search_that_is_continued_has_every_generation_once():
    search = surefoot.Optimizer([3, 3], 1, maxiter=8, seed=1, model="none")
    search.optimize(lambda x: float((x**2).sum()))
    r = search.continued(maxiter=12).optimize(lambda x: float((x**2).sum()))
    whole = surefoot.minimize(lambda x: float((x**2).sum()), [3, 3], 1, maxiter=12, seed=1, model="none")
    assert r.trace["generation"].tolist() == whole.trace["generation"].tolist()
    assert r.trace["sigma"].tolist() == whole.trace["sigma"].tolist() and r.nfev == whole.nfev


def test_an_unseeded_search_can_be_copied():
    search = surefoot.Optimizer([3, 2], 1)
    search.tell(values(search.ask()))
    other = pickle.loads(pickle.dumps(search))
    assert other.seed == search.seed and np.array_equal(other.ask(), search.ask())


def test_a_subclass_can_be_pickled():
    search = Named([1, 2], "mine")
    other = pickle.loads(pickle.dumps(search))
    assert type(other) is Named and other.label == "mine" and np.array_equal(other.ask(), search.ask())


class Named(surefoot.Optimizer):
    def __init__(self, x0, label):
        super().__init__(x0, 1, seed=1)
        self.label = label


def test_ask_gives_the_callers_own_array():
    search = surefoot.Optimizer([3, 2], 1, seed=1)
    assert search.ask().tolist() == [[3, 2]] and search.popsize == 1
    search.tell([13])
    X = search.ask()
    assert X.shape == (search.popsize, 2) and X.flags.c_contiguous and X.flags.writeable
    kept = X.copy()
    X[:] = 0
    assert np.array_equal(search.ask(), kept)


def test_changed_candidates_count():
    search = surefoot.Optimizer([3, 2], 1, seed=1, evaluate_x0=False)
    X = search.ask()
    X[0] = 0
    search.tell(X, values(X))
    assert search.result.fun == 0 and search.result.x.tolist() == [0, 0]


@pytest.mark.parametrize(
    "F",
    [
        lambda F: F.tolist(),
        lambda F: F.astype(np.float32),
        lambda F: F[::-1][::-1],
        lambda F: F.astype(object),
        lambda F: np.asfortranarray(F),
    ],
)
@pytest.mark.parametrize("X", [lambda X: X.tolist(), np.asfortranarray, lambda X: X])
def test_tell_takes_arrays_of_every_kind(X, F):
    search = surefoot.Optimizer([3, 2], 1, seed=1, evaluate_x0=False)
    points = search.ask()
    search.tell(X(points), F(np.round(values(points), 2)))
    other = surefoot.Optimizer([3, 2], 1, seed=1, evaluate_x0=False)
    other.ask()
    other.tell(F(np.round(values(points), 2)))
    assert np.array_equal(search.ask(), other.ask())


def test_tell_refuses_what_does_not_fit():
    search = surefoot.Optimizer([3, 2], 1, seed=1, evaluate_x0=False)
    with pytest.raises(ValueError, match="ask"):
        search.tell(np.zeros(search.popsize))
    X = search.ask()
    for wrong in (X[:2], X.T, X[0], [[0, 1], [0]]):
        with pytest.raises(ValueError):
            search.tell(wrong, values(X))
    for wrong in (values(X)[1:], np.zeros((2, 2)), 3.0, [], "abcdef"):
        with pytest.raises((ValueError, TypeError)):
            search.tell(X, wrong)
    with pytest.raises(TypeError, match="complex"):
        search.tell(X, values(X).astype(complex))
    with pytest.raises(ValueError):
        search.tell(X * np.nan, values(X))
    search.tell(X, values(X))
    assert search.nit == 1
    finish(search)
    with pytest.raises(ValueError, match="stopped"):
        search.tell(search.ask(), np.zeros(search.popsize))


def test_nan_and_infinity_can_be_told():
    search = surefoot.Optimizer([3, 2], 1, seed=1, evaluate_x0=False)
    X = search.ask()
    F = values(X)
    F[0], F[1] = np.nan, np.inf
    search.tell(X, F)
    assert search.result.nfailed == 1


def test_references_are_stable():
    search = surefoot.Optimizer(
        [3, 2],
        1,
        seed=1,
        evaluate_x0=False,
        maxiter=200000,
        **surefoot.without_tolerances(),
    )
    F = np.random.default_rng(1).uniform(size=search.popsize)

    def loop(count):
        for _ in range(count):
            X = search.ask()
            search.tell(X, F)
            if search.stop():
                raise AssertionError(search.stop())

    loop(5000)  # the history is thinned from here on
    gc.collect()
    before, references = sys.getallocatedblocks(), sys.getrefcount(F)
    loop(100000)
    gc.collect()
    assert sys.getrefcount(F) == references
    assert abs(sys.getallocatedblocks() - before) < 50


def test_objects_that_hold_their_search_are_freed():
    import weakref

    class Owner:
        def __init__(self):
            self.search = surefoot.Optimizer([1, 1], 1, callback=self.call, restart_point=self.call, restarts="same:1")

        def call(self, _):
            return False

    owner = Owner()
    reference = weakref.ref(owner)
    del owner
    gc.collect()
    assert reference() is None


def test_a_copy_does_not_depend_on_the_callers_array():
    x0 = np.array([1.0, 2.0])
    search = surefoot.Optimizer(x0, 1, seed=1)
    search.tell(values(search.ask()))
    x0[:] = 100
    assert np.array_equal(copy.deepcopy(search).ask(), search.ask())


def test_an_interrupted_search_goes_on():
    whole = surefoot.Optimizer([3, 2], 1, seed=1, maxiter=30).optimize(lambda x: float((x**2).sum()))
    calls = []

    def f(x):
        calls.append(1)
        if len(calls) == 50:
            raise KeyboardInterrupt
        return float((x**2).sum())

    search = surefoot.Optimizer([3, 2], 1, seed=1, maxiter=30)
    assert search.optimize(f).stop == "interrupted"
    r = search.optimize(f)
    assert r.stop == "maxiter" and r.x.tolist() == whole.x.tolist() and len(calls) == whole.nfev + 1


def test_a_retry_gets_the_same_point():
    seen = []

    def f(x):
        seen.append(x.tolist())
        x -= 1
        if len(seen) == 3:
            raise ValueError
        return 1.0 + len(seen)

    surefoot.minimize(f, [3, 2], 1, seed=1, maxiter=1, retry=1, popsize=4, evaluate_x0=False)
    assert seen[4] == seen[2]


def test_candidates_outside_the_bounds_are_refused():
    search = surefoot.Optimizer([0.5, 0.5], bounds=[0, 1], seed=1)
    X = search.ask()
    X[0] = 2
    with pytest.raises(ValueError, match="within the bounds"):
        search.tell(X, values(X))


def test_another_thread_cannot_look_while_it_computes():
    search = surefoot.Optimizer(np.ones(400), 1, seed=1, popsize=800, evaluate_x0=False)
    X = search.ask()
    F = values(X)
    thread = threading.Thread(target=search.tell, args=(X, F))
    thread.start()
    refused = 0
    while thread.is_alive():
        for look in (lambda: search.covariance, lambda: search.nfev, search._history):
            try:
                look()
            except RuntimeError:
                refused += 1
    thread.join()
    assert refused > 0 and search.nit == 1


def test_searches_are_freed():
    import weakref

    search = surefoot.Optimizer([3, 2], 1, seed=1, callback=lambda r: False, maxiter=3)
    search.optimize(lambda x: float((x**2).sum()))
    reference = weakref.ref(search)
    del search
    assert reference() is None


def test_a_second_thread_is_refused_or_waits_for_nobody():
    search = surefoot.Optimizer(np.ones(300), 1, seed=1, popsize=600, evaluate_x0=False)
    X = search.ask()
    F = values(X)
    errors = []
    begin = threading.Barrier(2)

    def tell():
        begin.wait()
        try:
            search.tell(X, F)
        except (RuntimeError, ValueError) as error:  # in use, or already told
            errors.append(str(error))

    threads = [threading.Thread(target=tell) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert search.nit == 1 and len(errors) == 1


def test_python_runs_while_the_search_computes():
    search = surefoot.Optimizer(np.ones(400), 1, seed=1, popsize=800, evaluate_x0=False)
    X = search.ask()
    F = values(X)
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    search.tell(X, F)
    during = len(ticks) - before
    stop.set()
    thread.join()
    assert during > 10


def test_disp_and_result_at_any_time(capsys):
    search = surefoot.Optimizer([3, 2], 1, seed=1, evaluate_x0=False)
    assert "still running" in search.result.message and not search.result.success
    search.tell(values(search.ask()))
    search.disp()
    assert capsys.readouterr().out.split()[:2] == ["1", str(search.popsize)]


def test_the_search_can_be_inspected():
    search = surefoot.Optimizer([3, 2], [1, 2], seed=1)
    assert search.mean.tolist() == [3, 2] and np.allclose(search.covariance, np.diag([1, 4])) and search.sigma > 0


def test_files_stay_where_they_were_when_the_function_changes_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def f(x):
        os.chdir(elsewhere)
        return float((x**2).sum())

    options = {"checkpoint": "run.sf", "checkpoint_every": "1", "trace": "t.jsonl", "log": "e.csv", "seed": 1}
    r = surefoot.minimize(f, [3, 3], 1, maxiter=20, **options)
    assert list(elsewhere.iterdir()) == []
    assert len(surefoot.read_log(tmp_path / "e.csv")["f"]) == r.nfev
    monkeypatch.chdir(tmp_path)
    again = surefoot.minimize(f, [3, 3], 1, maxiter=20, **options)  # there is nothing left to do
    assert again.nfev == r.nfev and os.getcwd() == str(tmp_path)
    search = surefoot.Optimizer(warm_start="run.sf", seed=1, log="other.csv")
    os.chdir(elsewhere)
    assert copy.copy(search).ask().tolist() == search.ask().tolist()


@pytest.mark.parametrize("make", [lambda: zip([0, 1], [4, 5]), lambda: ((low, low + 4) for low in (0, 1))])
def test_bounds_may_be_an_iterator(make):
    def f(x):
        return float((x**2).sum())

    expected = surefoot.minimize(f, [3, 3], bounds=[(0, 4), (1, 5)], seed=1, maxiter=5).x.tolist()
    assert surefoot.minimize(f, [3, 3], bounds=make(), seed=1, maxiter=5).x.tolist() == expected
    assert surefoot.method(f, [3, 3], bounds=make(), seed=1, maxiter=5).x.tolist() == expected
    search = surefoot.Optimizer([3, 3], 1, bounds=make(), seed=1)
    assert pickle.loads(pickle.dumps(search)).ask().tolist() == search.ask().tolist()
