#!/usr/bin/env python3
"""What a generation costs from Python: ask and tell with a vectorised objective, beside the same loop in C++ and beside an
xNES written in NumPy.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/python_overhead.py [--json FILE] [--repeat N]

All run the plain xNES on the sphere in turns within one process, on one thread; medians over the repetitions. First it is
checked that C++ and Python give the same bits, and that the NumPy program solves the problem with the same effort.
"""

import argparse
import json
import os
import statistics
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy as np  # noqa: E402

import surefoot  # noqa: E402
from surefoot import _core  # noqa: E402

SIZES = [(10, 10), (10, 100), (40, 15), (100, 17), (100, 100)]
OFF = dict(evaluate_x0=False, **surefoot.without_tolerances())


def sphere(X):
    return np.einsum("ij,ij->i", X, X)


class NumpyXnes:
    """xNES [Glasmachers2010] as one writes NumPy: whole populations, matrix functions by eigh."""

    def __init__(self, mean, sigma, popsize, seed):
        d = len(mean)
        self.m, self.sigma, self.B = np.array(mean, dtype=float), sigma, np.eye(d)
        self.rng, self.popsize = np.random.default_rng(seed), popsize
        w = np.maximum(0, np.log(popsize / 2 + 1) - np.log(np.arange(1, popsize + 1)))
        self.w = w / w.sum() - 1 / popsize
        self.eta = 0.6 * (3 + np.log(d)) / (d * np.sqrt(d))

    def ask(self):
        self.z = self.rng.standard_normal((self.popsize, len(self.m)))
        return self.m + self.sigma * self.z @ self.B.T

    def tell(self, F):
        z = self.z[np.argsort(F)]
        G = (z * self.w[:, None]).T @ z - self.w.sum() * np.eye(len(self.m))
        G_sigma = np.trace(G) / len(self.m)
        values, vectors = np.linalg.eigh(G - G_sigma * np.eye(len(self.m)))
        self.m += self.sigma * self.B @ (self.w @ z)
        self.sigma *= np.exp(self.eta / 2 * G_sigma)
        self.B = self.B @ (vectors * np.exp(self.eta / 2 * values)) @ vectors.T


def time_numpy(d, popsize, generations):
    search = NumpyXnes(np.ones(d), 0.1, popsize, 1)
    begin = time.perf_counter()
    for _ in range(generations):
        search.tell(sphere(search.ask()))
    return time.perf_counter() - begin


def time_python(d, popsize, generations):
    search = surefoot.Optimizer(
        np.ones(d), 0.1, popsize=popsize, seed=1, maxiter=generations, learning_rate="fixed", **OFF
    )
    ask, tell, stop = search.ask, search.tell, search.stop
    begin = time.perf_counter()
    while not stop():
        X = ask()
        tell(X, sphere(X))
    return time.perf_counter() - begin


def time_minimize(d, popsize, generations):
    begin = time.perf_counter()
    surefoot.minimize(
        sphere,
        np.ones(d),
        0.1,
        popsize=popsize,
        seed=1,
        maxiter=generations,
        learning_rate="fixed",
        vectorized=True,
        **OFF,
    )
    return time.perf_counter() - begin


def time_objective(d, popsize, generations):
    X = np.ones((popsize, d))
    begin = time.perf_counter()
    for _ in range(generations):
        sphere(X)
    return time.perf_counter() - begin


def check():
    """The answer before the time."""
    efforts = []
    for seed in range(5):
        search = NumpyXnes(np.ones(10), 0.1, 20, seed)
        for generation in range(2000):
            X = search.ask()
            F = sphere(X)
            if F.min() <= 1e-8:
                break
            search.tell(F)
        ours = surefoot.minimize(
            sphere,
            np.ones(10),
            0.1,
            popsize=20,
            seed=seed,
            ftarget=1e-8,
            learning_rate="fixed",
            vectorized=True,
            evaluate_x0=False,
            restarts="none",
        )
        efforts.append(ours.nit / (generation + 1))
    if not 0.8 < statistics.mean(efforts) < 1.25:
        raise SystemExit(f"the NumPy program is another method: {efforts}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    parser.add_argument("--repeat", type=int, default=15)
    options = parser.parse_args()
    check()
    rows = []
    print("microseconds a generation (medians); the objective in NumPy is part of Python's columns")
    print(
        f"{'d, popsize':>12} {'C++':>9} {'ask/tell':>9} {'minimize':>9} {'objective':>9} {'NumPy':>9} {'over C++':>9} "
        f"{'ratio':>6} {'NumPy/ours':>10}"
    )
    for d, popsize in SIZES:
        generations = max(500, min(3000, int(2e7 / (d * d * popsize))))
        contenders = {
            "cpp": lambda: _core.time_generations(d, popsize, generations, "fixed"),
            "python": lambda: time_python(d, popsize, generations),
            "minimize": lambda: time_minimize(d, popsize, generations),
            "objective": lambda: time_objective(d, popsize, generations),
            "numpy": lambda: time_numpy(d, popsize, max(20, generations // 10))
            * generations
            / max(20, generations // 10),
        }
        times = {name: [] for name in contenders}
        for _ in range(options.repeat):
            for name, contender in contenders.items():
                times[name].append(contender() / generations * 1e6)
        row = {name: statistics.median(values) for name, values in times.items()}
        row.update(
            d=d,
            popsize=popsize,
            over=statistics.median(np.subtract(times["python"], times["cpp"])),
            ratio=statistics.median(np.divide(times["python"], times["cpp"])),
            numpy_ratio=statistics.median(np.divide(times["numpy"], times["python"])),
        )
        rows.append(row)
        print(
            f"{f'{d}, {popsize}':>12} {row['cpp']:9.1f} {row['python']:9.1f} {row['minimize']:9.1f} {row['objective']:9.1f} "
            f"{row['numpy']:9.1f} {row['over']:9.1f} {row['ratio']:6.2f} {row['numpy_ratio']:10.1f}",
            flush=True,
        )
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
