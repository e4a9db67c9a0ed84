#!/usr/bin/env python3
"""Methods for very many variables: time beside that of their normals and of NumPy programs, evaluations and memory.

Usage: benchmarks/compare --large [--quick], or benchmarks/large_scale.py PROGRAM [--quick], PROGRAM being surefoot_large_scale

First checks that Surefoot and the NumPy programs need about as many evaluations on the sphere. Then measures processor time on
one thread: the shortest of some repetitions, both programs in turns. Prints the tables of docs/evidence/large-scale.md,
and ends with status 1 if SNES or sep-CMA-ES take more than 2 times, or CR-FM-NES more than 3 times the time of the normals at d = 10^4 or 10^5.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy as np  # noqa: E402
import numpy_large_scale  # noqa: E402

PROMISES = {"snes": 2, "sep-cma": 2, "cr-fm-nes": 3}


def answers(program, *words):
    """The program's lines, as lists of words."""
    run = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True)
    return [line.split() for line in run.stdout.splitlines()]


def numpy_evaluations(method, d, seed):
    popsize = numpy_large_scale.default_popsize(d)
    search = numpy_large_scale.METHODS[method](d, popsize, np.random.default_rng(seed))
    for t in range(1, 1000000 // popsize):
        f = (search.ask() ** 2).sum(axis=1)
        if f.min() <= 1e-8:
            return t * popsize
        search.tell(f)
    return float("inf")


def check_same_problem(program):
    print("Evaluations to 1e-8 on the sphere at d = 100, medians of 5 seeds:\n")
    print("| method | Surefoot | NumPy |\n|---|---|---|")
    for method in numpy_large_scale.METHODS:
        ours = statistics.median(
            float(answers(program, "evaluations", method, 100, seed)[0][0]) for seed in range(1, 6)
        )
        theirs = statistics.median(numpy_evaluations(method, 100, seed) for seed in range(1, 6))
        print(f"| {method} | {ours:.0f} | {theirs:.0f} |", flush=True)
        if abs(ours / theirs - 1) > 0.1:
            sys.exit(f"{method}: the two programs do not solve the same problem")


def numpy_time(method, d, popsize, repetitions):
    """Nanoseconds a coordinate and candidate of ask and tell."""
    search = numpy_large_scale.METHODS[method](d, popsize, np.random.default_rng(1))
    for _ in range(popsize if method == "lm-ma-es" else 0):  # it has one direction more in each generation
        search.tell((search.ask() ** 2).sum(axis=1))
    shortest = float("inf")
    for _ in range(repetitions):
        begin = time.process_time()
        x = search.ask()
        middle = time.process_time()
        f = (x**2).sum(axis=1)
        learn = time.process_time()
        search.tell(f)
        shortest = min(shortest, middle - begin + time.process_time() - learn)
    return 1e9 * shortest / (d * popsize)


def measure_time(program, dimensions):
    print(
        "\n| d | popsize | method | ns a coordinate and candidate | times the normals | NumPy, ns | NumPy / Surefoot |"
    )
    print("|---|---|---|---|---|---|---|")
    kept = True
    for d in dimensions:
        for method, popsize, ns, ratio in answers(program, "time", d):
            theirs = ""
            if method in numpy_large_scale.METHODS and d <= 100000:
                numpy = numpy_time(method, d, int(popsize), 10 if d <= 10000 else 3)
                theirs = f"{numpy:.0f} | {numpy / float(ns):.0f}"
            print(f"| {d} | {popsize} | {method} | {ns} | {ratio} | {theirs or ' | '} |", flush=True)
            if d in (10000, 100000) and float(ratio) > PROMISES.get(method, float("inf")):
                print(
                    f"{method} at d = {d}: {ratio} times the normals, at most {PROMISES[method]} were promised",
                    file=sys.stderr,
                )
                kept = False
    return kept


def measure_memory(program, dimensions):
    print(
        "\n| d | popsize | method | bytes a coordinate, above those of the population | MB in all | s for five generations |"
    )
    print("|---|---|---|---|---|---|")
    for d in dimensions:
        for method in numpy_large_scale.METHODS:
            popsize, megabytes, seconds = answers(program, "memory", method, d)[0]
            besides = (float(megabytes) * 1e6 - 8 * d * int(popsize)) / d
            print(f"| {d} | {popsize} | {method} | {besides:.0f} | {float(megabytes):.0f} | {seconds} |", flush=True)


def measure_evaluations(program, dimensions):
    """The slower methods stop at d = 1000: their runs at d = 10^4 take an hour."""
    print("\n| d | method | evaluations/d to 1e-8, sphere | ellipsoid |\n|---|---|---|---|")
    for d in dimensions:
        for method in numpy_large_scale.METHODS if d <= 1000 else ("cr-fm-nes",):
            cells = [
                answers(program, "evaluations", method, d, 1, problem)[0][0] for problem in ("sphere", "ellipsoid")
            ]
            print(f"| {d} | {method} | " + " | ".join(f"{float(c) / d:.3g}" for c in cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="time at d = 10^3 and 10^4 only")
    options = parser.parse_args()
    check_same_problem(options.program)
    kept = measure_time(options.program, [1000, 10000] if options.quick else [1000, 10000, 100000, 1000000])
    if not options.quick:
        measure_memory(options.program, [1000000])
        measure_evaluations(options.program, [1000, 10000])
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
