"""Engines that users of clusters have: Dask and mpi4py, with real processes."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap

import pytest
import surefoot

X0, SIGMA0 = [3.0, 2.0, 1.0, 0.0], 1.0


def sphere(x):
    return float((x**2).sum())


def dying(x):
    if x[0] > 3.5:
        os.kill(os.getpid(), signal.SIGKILL)
    return sphere(x)


def failing(x):
    if x[0] > 3.5:
        raise ArithmeticError("overflow")
    return sphere(x)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    distributed = pytest.importorskip("distributed")
    import dask

    folder = str(tmp_path_factory.mktemp("dask"))
    here = os.path.dirname(__file__)
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join([here, before])  # workers import this module
    with dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.admin.tick.limit": "1h"}):
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=folder
        )
        with distributed.Client(cluster) as client:
            yield client
        cluster.close()
    os.environ["PYTHONPATH"] = before


def test_dask_does_not_change_the_result(client):
    here = surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=10)
    for workers in (client, client.map):
        there = surefoot.minimize(sphere, X0, SIGMA0, seed=5, maxiter=10, workers=workers)
        assert there.x.tolist() == here.x.tolist() and there.nfev == here.nfev


def test_dask_evaluates_equal_points_again(client, tmp_path):
    def noted(x):
        with open(tmp_path / "calls", "a") as calls:
            calls.write("x")
        return sphere(x)

    for workers in (client, client.map):
        (tmp_path / "calls").write_text("")
        r = surefoot.minimize(noted, X0, SIGMA0, inject=[X0, X0, X0], seed=5, maxiter=1, workers=workers)
        assert len((tmp_path / "calls").read_text()) == r.nfev


def test_dask_exceptions_follow_the_policy(client):
    here = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=5)
    there = surefoot.minimize(failing, X0, SIGMA0, seed=5, maxiter=5, workers=client)
    assert there.x.tolist() == here.x.tolist() and there.nfailed == here.nfailed > 0
    with pytest.raises(ArithmeticError):
        surefoot.minimize(failing, X0, SIGMA0, seed=5, workers=client, on_failure="raise")


@pytest.mark.filterwarnings("ignore:surefoot. the engine:RuntimeWarning")
def test_a_dask_worker_that_dies_is_a_failure_and_no_hang(client, tmp_path):
    r = surefoot.minimize(dying, X0, SIGMA0, seed=5, maxiter=2, workers=client, trace=tmp_path / "t.jsonl", timeout=120)
    assert r.nit == 2 and r.nfailed > 0 and r.fun < 20
    assert "KilledWorker" in (tmp_path / "t.jsonl").read_text()


SCRIPT = """
    import os, surefoot
    from mpi4py.futures import MPIPoolExecutor

    def f(x):
        if os.environ["SHALL_FAIL"] == "yes" and x[0] > 3.5:
            raise ArithmeticError("overflow")
        return float((x**2).sum())

    if __name__ == "__main__":
        with MPIPoolExecutor() as pool:
            r = surefoot.minimize(f, [3.0, 2.0, 1.0, 0.0], 1.0, seed=5, maxiter=10, workers=pool)
        print(r.x.tolist(), r.nfev, r.nfailed)
"""


@pytest.mark.skipif(not shutil.which("mpirun"), reason="mpirun is not installed")
@pytest.mark.parametrize("shall_fail, function", [("no", sphere), ("yes", failing)])
def test_mpi4py_does_not_change_the_result(shall_fail, function, tmp_path):
    pytest.importorskip("mpi4py")
    script = tmp_path / "search.py"
    script.write_text(textwrap.dedent(SCRIPT))
    environment = dict(
        os.environ,
        SHALL_FAIL=shall_fail,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_plm="isolated",
    )
    command = ["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    here = surefoot.minimize(function, X0, SIGMA0, seed=5, maxiter=10)
    assert done.stdout.strip() == f"{here.x.tolist()} {here.nfev} {here.nfailed}"
