import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
import surefoot

X0, SIGMA0 = [3.0, 2.0, 1.0, 0.0], 1.0


def sphere(x):
    return float((x**2).sum())


def uneven(x):
    time.sleep(0.001 * (1 + int(abs(x[0]) * 1000) % 5))
    return sphere(x)


@pytest.fixture(scope="module")
def serial():
    return surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=25)


def run(**options):
    return surefoot.minimize(uneven, X0, SIGMA0, seed=5, maxiter=25, **options)


def same(one, two):
    return (
        one.x.tolist() == two.x.tolist() and one.nfev == two.nfev and one.xfavorite.tolist() == two.xfavorite.tolist()
    )


@pytest.mark.parametrize("workers", [2, 5, -1])
def test_processes_do_not_change_the_result(serial, workers):
    assert same(run(workers=workers), serial)


def test_lambdas_and_closures_work_in_processes(serial):
    offset = np.zeros(4)
    assert same(surefoot.minimize(lambda x: sphere(x - offset), X0, SIGMA0, seed=5, maxiter=25, workers=3), serial)


def test_executors_and_pools(serial):
    with ThreadPoolExecutor(3) as threads:
        assert same(run(workers=threads.map), serial)
        assert same(run(workers=threads), serial)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as processes:
        assert same(run(workers=processes.map), serial)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert same(run(workers=pool), serial)
        assert same(run(workers=pool.imap), serial)
    assert same(run(workers=map), serial)


def test_joblib(serial):
    joblib = pytest.importorskip("joblib")

    def by_joblib(function, points):
        return joblib.Parallel(n_jobs=2)(joblib.delayed(function)(x) for x in points)

    assert same(run(workers=by_joblib), serial)


def test_processes_end_with_the_search():
    before = set(multiprocessing.active_children())  # joblib keeps its own; their order is by chance
    surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=3, workers=3)
    assert set(multiprocessing.active_children()) <= before


def failing(x):
    if x[0] > 3.5:
        raise ArithmeticError("overflow in the model")
    return sphere(x)


def dying(x):
    if x[0] > 3.5:
        os.kill(os.getpid(), signal.SIGKILL)
    return sphere(x)


def leaving(x):
    if x[0] > 3.5:
        os._exit(7)
    return sphere(x)


def test_exceptions_in_workers_follow_the_policy():
    here = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=25)
    assert here.nfailed > 0
    assert same(surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=25, workers=2), here)
    with ThreadPoolExecutor(2) as threads:
        assert same(surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=25, workers=threads), here)
    with pytest.raises(ArithmeticError, match="overflow in the model") as error:
        surefoot.minimize(failing, X0, SIGMA0, seed=5, workers=2, on_failure="raise")
    assert "in failing" in str(error.value.__cause__)


@pytest.mark.parametrize("crash", [dying, leaving])
def test_a_worker_that_dies_is_a_failed_evaluation(crash, tmp_path):
    here = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=25)
    trace = tmp_path / "t.jsonl"
    there = surefoot.minimize(crash, X0, SIGMA0, seed=5, maxiter=25, workers=2, trace=trace)
    assert same(here, there) and here.nfailed == there.nfailed
    text = trace.read_text()
    assert '"kind":"crash"' in text and ("SIGKILL" in text or "exit status 7" in text)


def forking(x):
    if x[0] > 3.5:
        if os.fork() == 0:  # keeps the pipe open
            time.sleep(100)
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)
    return sphere(x)


def test_a_dead_worker_is_seen_though_its_child_lives():
    here = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=2)
    begin = time.monotonic()
    there = surefoot.minimize(forking, X0, SIGMA0, seed=5, maxiter=2, workers=2)
    assert same(here, there) and time.monotonic() - begin < 90


def test_programs_end_with_their_evaluation(tmp_path):
    seconds = f"61.{os.getpid()}"  # nobody else's

    def starting(x):
        subprocess.run(["sleep", seconds])
        return sphere(x)

    surefoot.minimize(starting, X0, SIGMA0, seed=5, maxiter=1, workers=4, eval_timeout=0.2, popsize=4)
    wait_until(lambda: not any(seconds in command for command in commands()))


def commands():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            yield open(f"/proc/{pid}/cmdline").read()
        except OSError:  # ended in the meantime, or somebody else's
            pass


def wait_until(condition):
    """How long something takes is up to the machine."""
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def test_what_workers_print_is_seen():
    script = """
        import surefoot
        def f(x):
            print("evaluated")
            return float((x**2).sum())
        surefoot.minimize(f, [3, 3], 1, seed=1, maxiter=2, popsize=6, workers=2, evaluate_x0=False)
        """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=environment
    )
    assert done.stdout.count("evaluated") == 12


@pytest.mark.filterwarnings("ignore:surefoot. the engine:RuntimeWarning")
def test_a_pool_that_loses_a_worker_does_not_hang():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        r = surefoot.minimize(dying, X0, SIGMA0, seed=5, maxiter=2, workers=pool, timeout=120)
    assert r.nfailed > 0 and r.stop in ("maxiter", "failing")


@pytest.mark.filterwarnings("ignore:surefoot. the engine:RuntimeWarning")
def test_a_future_that_timed_out_by_itself_is_a_failure():
    from concurrent.futures import Future

    def engine(function, points):
        futures = [Future() for _ in points]
        for future in futures:
            future.set_exception(TimeoutError("wall time"))
        return futures

    r = surefoot.minimize(sphere, X0, SIGMA0, workers=engine)
    assert r.stop == "failing" and "wall time" in r.message


def test_ctrl_c_takes_back_what_an_executor_has_not_begun():
    done = []

    def slow(x):
        done.append(1)
        if len(done) == 3:
            raise RuntimeError("enough")
        time.sleep(0.1 if len(done) < 3 else 1.5)  # The machine may be busy: what has not begun is taken back by then.
        return sphere(x)

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(RuntimeError):
            surefoot.minimize(slow, X0, SIGMA0, popsize=30, workers=pool, on_failure="raise")
    assert len(done) < 10


def test_strange_exceptions_follow_the_policy():
    class Silent(Exception):
        def __str__(self):
            raise ValueError

    for error in (ValueError("bad \udcff name"), Silent(), RuntimeError("x" * 10**6), OverflowError()):

        def f(x):
            raise error

        for workers in (1, 2):
            r = surefoot.minimize(f, X0, SIGMA0, workers=workers, on_failure="rank-last")
            assert r.stop == "failing" and len(r.message) < 1000
    with pytest.raises(TypeError):
        surefoot.minimize(lambda x: 10**400, X0, SIGMA0)
    with pytest.raises(TypeError):
        surefoot.minimize(lambda x: np.ma.masked, X0, SIGMA0)


def test_timeouts_and_crashes_can_be_raised():
    with pytest.raises(TimeoutError):
        surefoot.minimize(lambda x: time.sleep(9), X0, SIGMA0, workers=2, eval_timeout=0.2, on_failure="raise")
    with pytest.raises(surefoot.RemoteError, match="exit status 7"):
        surefoot.minimize(lambda x: os._exit(7), X0, SIGMA0, workers=2, on_failure="raise")


@pytest.mark.filterwarnings("ignore:surefoot. the engine:RuntimeWarning")
def test_a_broken_executor_ends_the_search():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as processes:
        r = surefoot.minimize(dying, X0, SIGMA0, seed=5, maxiter=500, workers=processes)
    assert r.stop == "failing" and "the engine lost it" in r.message


def test_an_engine_that_cannot_have_the_function_is_a_mistake():
    fork = multiprocessing.get_context("fork")
    with fork.Pool(2) as pool, ProcessPoolExecutor(2, mp_context=fork) as executor:
        for workers in (pool, executor, pool.map):
            with pytest.raises(TypeError, match="the function cannot be sent to other processes .*lambda"):
                surefoot.minimize(lambda x: sphere(x), X0, SIGMA0, workers=workers)


@pytest.mark.filterwarnings("ignore:surefoot. the engine:RuntimeWarning")
def test_a_map_with_a_mistake_is_raised():
    with pytest.raises(NameError, match="mpa"):
        surefoot.minimize(sphere, X0, SIGMA0, workers=lambda f, points: mpa(f, points))  # noqa: F821
    for nothing, shown in ((None, "None"), ("abc", "'abc'"), (7, "7")):
        with pytest.raises(TypeError, match=f"the map returned {shown}: it must return a list or an iterator"):
            surefoot.minimize(sphere, X0, SIGMA0, workers=lambda f, points: nothing)

    def losing(f, points):
        raise RuntimeError("no worker is left")

    r = surefoot.minimize(sphere, X0, SIGMA0, workers=losing)
    assert r.stop == "failing" and "no worker is left" in r.message


def test_evaluations_that_take_too_long_fail():
    def slow(x):
        if x[0] > 3.5:
            time.sleep(60)
        return sphere(x)

    here = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=1)
    begin = time.monotonic()
    there = surefoot.minimize(slow, X0, SIGMA0, seed=5, maxiter=1, workers=4, eval_timeout=5)
    assert time.monotonic() - begin < 55
    assert same(here, there) and there.nfailed == here.nfailed > 0


def test_a_value_that_is_no_number_is_a_mistake_everywhere():
    for workers in (2, map):
        with pytest.raises(TypeError, match="it must return one number"):
            surefoot.minimize(lambda x: None, X0, SIGMA0, workers=workers)


def test_maps_that_are_none():
    with pytest.raises(ValueError, match="gave 0 results for the 8 candidates"):
        surefoot.minimize(sphere, X0, SIGMA0, evaluate_x0=False, workers=lambda f, points: [])
    with pytest.raises(ValueError, match="the map gave 3"):
        surefoot.minimize(sphere, X0, SIGMA0, workers=lambda f, points: [3 for _ in points])


def test_maps_that_give_too_many():
    for workers in (lambda f, x: [*map(f, x), f(x[0])], lambda f, x: iter([*map(f, x), f(x[0])])):
        with pytest.raises(ValueError, match="for the 1 candidates it got: it must give one for each"):
            surefoot.minimize(sphere, X0, SIGMA0, workers=workers)


class OnItsWay:
    """A future that is done while its value is not here yet, as Dask's are when the machine is busy."""

    def __init__(self, value):
        self.value = value
        self.waits = 1

    def done(self):
        return True

    def result(self, timeout):
        if self.waits:
            self.waits -= 1
            time.sleep(timeout)
            raise TimeoutError
        return self.value


def test_a_value_that_is_on_its_way_is_waited_for():
    here = surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=1)
    there = surefoot.minimize(
        sphere, X0, SIGMA0, seed=5, maxiter=1, workers=lambda f, points: [OnItsWay(f(x)) for x in points]
    )
    assert same(there, here) and there.nfailed == 0


@pytest.mark.parametrize("how", ["future", "map"])
def test_an_evaluation_that_the_engine_loses_is_asked_for_again(how):
    from concurrent.futures import CancelledError, Future

    calls = []

    def engine(function, points):
        calls.append(len(points))
        for k, x in enumerate(points):
            future = Future()
            if len(calls) == 3 and k == 2:
                future.set_exception(CancelledError("gone"))
            else:
                future.set_result(function(x))
            yield future if how == "future" else future.result()

    here = surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=6)
    with pytest.warns(RuntimeWarning, match="did not return 1 evaluation, which will be submitted once more.*gone"):
        there = surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=6, workers=engine)
    assert same(there, here) and there.nfailed == 0
    assert 1 in calls[3:]


@pytest.mark.filterwarnings("ignore:surefoot. the engine:RuntimeWarning")
def test_an_evaluation_that_is_lost_twice_has_failed():
    from concurrent.futures import CancelledError, Future

    def engine(function, points):
        for x in points:
            future = Future()
            if x[0] > 3.5:
                future.set_exception(CancelledError("gone"))
            else:
                future.set_result(function(x))
            yield future

    here = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=6)
    there = surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=6, workers=engine)
    assert same(there, here) and there.nfailed == here.nfailed > 0
    assert [failure["kind"] for failure in there.failures] == ["crash"] and "gone" in there.failures[0]["reason"]


def test_an_engine_that_keeps_values_is_asked_for_new_ones():
    asked = []

    def engine(function, points, pure=True):
        asked.append(pure)
        return map(function, points)

    surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=2, workers=engine)
    assert asked and not any(asked)


def test_an_engine_that_is_stuck_does_not_outlast_the_timeout():
    from concurrent.futures import Future

    begin = time.monotonic()
    r = surefoot.minimize(sphere, X0, SIGMA0, timeout=0.2, workers=lambda f, points: [Future() for _ in points])
    assert r.stop == "timeout" and time.monotonic() - begin < 100


def heed_ctrl_c():
    """What a shell starts in the background ignores Ctrl-C, and so would what is started from there."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(script):
    """Runs a script and sends it Ctrl-C once it has printed 'ready'."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    assert process.stdout.readline() == "ready\n"
    begin = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    out, _ = process.communicate(timeout=120)
    return process.returncode, out, time.monotonic() - begin


@pytest.mark.parametrize("options", ["", "workers=2", "vectorized=True", "workers=ThreadPoolExecutor(2)"])
def test_ctrl_c_returns_the_best_so_far(options):
    status, out, seconds = interrupted(
        f"""
        import time, numpy as np, surefoot
        from concurrent.futures import ThreadPoolExecutor
        def f(x):
            time.sleep(0.02)
            return (x**2).sum(axis=-1)
        def tell(r):
            if r.nit == 3:
                print("ready", flush=True)
        off = surefoot.without_tolerances()
        r = surefoot.minimize(f, np.full(5, 3.0), 1, seed=1, maxiter=100000, callback=tell, **off, {options})
        print(r.stop, r.nfev > 0, r.fun < 45, flush=True)
        """
    )
    assert (status, out) == (0, "interrupted True True\n") and seconds < 100


def test_workers_end_when_the_parent_is_killed(tmp_path):
    script = f"""
        import os, time, numpy as np, surefoot
        def f(x):
            open({str(tmp_path)!r} + "/" + str(os.getpid()), "w")
            time.sleep(0.05)
            return (x**2).sum()
        print("ready", flush=True)
        surefoot.minimize(f, np.full(5, 3.0), 1, seed=1, maxiter=100000, workers=2)
        """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    wait_until(lambda: len(os.listdir(tmp_path)) == 2)
    process.kill()
    process.wait()
    for pid in os.listdir(tmp_path):
        wait_until(lambda: ended(pid))


def ended(pid):
    try:
        return open(f"/proc/{pid}/stat").read().split()[2] == "Z"
    except OSError:
        return True
