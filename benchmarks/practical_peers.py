#!/usr/bin/env python3
"""The practical problems (surefoot bench practical) by other programs: SciPy, NLopt and Optuna, as Debian has them.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/practical_peers.py --out peers.csv
       surefoot bench practical --methods auto,cma --peers peers.csv --out practical

Everybody starts from the same points and is stopped when the budget is used up; the lowest value until then counts,
also of a peer that ends by itself or whose time is over. Options are the peers' own defaults but for what is said here.
Values that are not finite are told as 1e100. The file has the columns of runs.csv, is a journal while it grows, and the
same command goes on after an interruption. Needs python3-scipy, python3-nlopt, python3-optuna.
"""

import argparse
import csv
import math
import multiprocessing
import os
import pathlib
import signal
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import nlopt  # noqa: E402
import numpy as np  # noqa: E402
import optuna  # noqa: E402
import scipy.optimize as so  # noqa: E402

import surefoot  # noqa: E402

COLUMNS = ["method", "problem", "budget", "seed", "evaluations", "best", "runs"]
TIME_LIMITS = {"scipy-shgo": 3}  # seconds of processor time of a run: its complex has 2^d corners
SLOW = {"optuna-cmaes"}  # milliseconds an evaluation: not at budgets above 100 d
DETERMINISTIC = {"scipy-direct", "scipy-shgo"}  # know neither seed nor start: run once, the same row for all seeds


class Stop(Exception):
    """The budget is used up, or the time."""


class Counted:
    """A problem that counts, remembers the lowest value and ends the search."""

    def __init__(self, problem, budget):
        self.problem, self.budget = problem, budget
        self.evaluations, self.best = 0, math.inf
        self.can_raise = True

    def __call__(self, x, *_):
        if self.evaluations >= self.budget:
            if self.can_raise:
                raise Stop
            return 1e100
        self.evaluations += 1
        f = self.problem(np.asarray(x, float))
        self.best = min(self.best, f)
        return f if math.isfinite(f) else 1e100


def scipy_de(f, x0, bounds, seed):
    so.differential_evolution(f, bounds, x0=x0, seed=seed, maxiter=10**6)


def scipy_dual_annealing(f, x0, bounds, seed):
    so.dual_annealing(f, bounds, x0=x0, seed=seed, maxiter=10**6)


def scipy_direct(f, x0, bounds, seed):
    f.can_raise = False  # its C program does not stop for exceptions
    so.direct(f, [tuple(row) for row in bounds], maxfun=f.budget, maxiter=10**6, vol_tol=0)


def scipy_shgo(f, x0, bounds, seed):
    so.shgo(f, [tuple(row) for row in bounds])


def scipy_nelder_mead(f, x0, bounds, seed):
    so.minimize(f, x0, method="Nelder-Mead", bounds=bounds, options=dict(maxfev=10**6, maxiter=10**6))


def nlopt_search(algorithm, f, x0, bounds, seed, local=None):
    nlopt.srand(seed)
    search = nlopt.opt(algorithm, len(x0))
    search.set_lower_bounds(bounds[:, 0])
    search.set_upper_bounds(bounds[:, 1])
    search.set_min_objective(f)
    search.set_maxeval(f.budget)
    if local is not None:
        inner = nlopt.opt(local, len(x0))
        inner.set_xtol_rel(1e-8)  # without a tolerance the first local search never ends
        inner.set_ftol_rel(1e-10)
        search.set_local_optimizer(inner)
    search.optimize(x0)


def nlopt_crs2(f, x0, bounds, seed):
    nlopt_search(nlopt.GN_CRS2_LM, f, x0, bounds, seed)


def nlopt_mlsl_bobyqa(f, x0, bounds, seed):
    nlopt_search(nlopt.G_MLSL_LDS, f, x0, bounds, seed, nlopt.LN_BOBYQA)


def optuna_cmaes(f, x0, bounds, seed):
    names = [f"x{i:02}" for i in range(len(x0))]
    box = {n: optuna.distributions.FloatDistribution(low, high) for n, (low, high) in zip(names, bounds)}
    study = optuna.create_study(sampler=optuna.samplers.CmaEsSampler(x0=dict(zip(names, x0)), seed=seed))
    while True:
        trial = study.ask(box)
        study.tell(trial, f([trial.params[n] for n in names]))


PEERS = {
    "scipy-de": scipy_de,
    "scipy-dual-annealing": scipy_dual_annealing,
    "scipy-direct": scipy_direct,
    "scipy-shgo": scipy_shgo,
    "scipy-nelder-mead": scipy_nelder_mead,
    "nlopt-crs2": nlopt_crs2,
    "nlopt-mlsl-bobyqa": nlopt_mlsl_bobyqa,
    "optuna-cmaes": optuna_cmaes,
}


def mixed(x):
    mask = 2**64 - 1
    x = (x + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


def seed_of(seed, name):
    """As in src/experiments/experiment.cpp."""
    value = mixed(seed)
    for byte in name.encode():
        value = mixed(value ^ byte)
    return value >> 11


def start_of(problem, seed):
    """As practical_start in src/experiments/practical_run.cpp: the methods' own starts."""
    low, high = problem.bounds.T
    share = np.array([seed_of(seed, f"x0 {i}") for i in range(problem.dim)]) * 2.0**-53
    return low + share * (high - low)


def on_alarm(*_):
    raise Stop


def run(job):
    method, name, budget, number = job
    problem = surefoot.problems.get(name)
    seed = seed_of(1, f"practical/{name}/{number}")
    f = Counted(problem, budget * problem.dim)
    signal.signal(signal.SIGVTALRM, on_alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, TIME_LIMITS.get(method, 0))
    try:
        PEERS[method](f, start_of(problem, seed), problem.bounds, seed % 2**31)
    except (Stop, nlopt.RoundoffLimited, MemoryError):
        pass  # what was found until then counts
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return [method, name, budget, number, f.evaluations, repr(f.best), 1]


def finished(file):
    """Rows of an earlier session, by job; a line that was cut off is none."""
    if not file.exists():
        return {}
    with file.open() as lines:
        rows = [row for row in csv.reader(lines) if len(row) == len(COLUMNS) and row != COLUMNS]
    return {(row[0], row[1], int(row[2]), int(row[3])): row for row in rows}


def place(job):
    """By method and problem in the order of their lists, budget and seed."""
    return list(PEERS).index(job[0]), surefoot.problems.practical().index(job[1]), *job[2:]


def write(file, rows, mode):
    with file.open(mode) as lines:
        csv.writer(lines, lineterminator="\n").writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--methods", default=",".join(PEERS))
    parser.add_argument("--problems", default="")
    parser.add_argument("--budgets", default="20,100,1000")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    problems = arguments.problems.split(",") if arguments.problems else surefoot.problems.practical()
    jobs = [
        (method, name, int(budget), seed)
        for method in arguments.methods.split(",")
        for name in problems
        for budget in arguments.budgets.split(",")
        for seed in range(1, arguments.seeds + 1)
        if method not in SLOW or int(budget) <= 100
    ]
    rows = finished(arguments.out)
    write(arguments.out, [COLUMNS, *rows.values()], "w")
    missing = [job for job in jobs if job not in rows and (job[3] == 1 or job[0] not in DETERMINISTIC)]
    with multiprocessing.Pool(arguments.processes) as pool:
        for row in pool.imap_unordered(run, missing):
            rows[tuple(row[:4])] = row
            write(arguments.out, [row], "a")
    for job in jobs:
        if job not in rows:
            rows[job] = [*job, *rows[(*job[:3], 1)][4:]]
    write(arguments.out, [COLUMNS, *(rows[job] for job in sorted(rows, key=place))], "w")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    main()
