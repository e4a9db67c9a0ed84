"""Several evaluations at a time: processes of our own, with a time limit, and any executor. The result is the same."""

import time
from concurrent.futures import ThreadPoolExecutor

import surefoot


def simulate(x):
    """Takes a while, and fails in a part of the space: such candidates rank last."""
    time.sleep(0.002)
    if x[0] < -3:
        raise ArithmeticError("the mesh is torn")
    return float(((x - [1, 2, 3]) ** 2).sum())


def search(**how):
    begin = time.perf_counter()
    # The budget would bring a model, which asks for few candidates at a time: batch="auto" asks for one per worker.
    r = surefoot.minimize(simulate, [0, 0, 0], 2, maxfevals=300, seed=1, model="none", popsize=12, **how)
    print(f"{how}: f = {r.fun:.3g}, {r.nfailed} failed, {time.perf_counter() - begin:.2f} s")
    return r


if __name__ == "__main__":  # processes may import this file
    alone = search()
    processes = search(workers=4, eval_timeout=30)
    with ThreadPoolExecutor(4) as pool:
        threads = search(workers=pool)
    assert alone.x.tolist() == processes.x.tolist() == threads.x.tolist()
