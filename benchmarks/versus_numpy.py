#!/usr/bin/env python3
"""Speed of the paper's experiments beside a straightforward NumPy program of the same method (numpy_xnes_lra.py).

Usage: /usr/bin/python3 benchmarks/versus_numpy.py PATH/TO/surefoot [--json FILE] [--repeat N]

Needs NumPy (Debian's python3-numpy). First checks that both solve the same problem with the same effort, then measures
evaluations per second, one thread each, in turns within one run, and reports medians and their spread. The last line
gives Surefoot all processors on Rastrigin, which takes nine tenths of the protocol's evaluations: it spreads trials over
threads, as `surefoot reproduce` does, and the NumPy program does not.
"""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy_xnes_lra  # noqa: E402

# Function, population size, method.
CELLS = [("sphere", 10, "x1"), ("sphere", 30, "adaptive"), ("sphere", 50, "adaptive"), ("ellipsoid", 10, "x1"),
         ("ellipsoid", 30, "adaptive"), ("ellipsoid", 50, "x1"), ("rastrigin", 200, "adaptive"), ("rastrigin", 300, "x1"),
         ("rastrigin", 400, "x1"), ("rastrigin", 300, "adaptive"), ("bohachevsky", 30, "x1"), ("bohachevsky", 50, "adaptive"),
         ("bohachevsky", 70, "x1")]
NUMPY_EVALUATIONS = 12000


def surefoot_trials(program, function, popsize, method, trials, threads=1):
    """Evaluations of each trial and the seconds they took."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        subprocess.run([program, "reproduce", "--figure", "4", "--functions", function, "--popsizes", str(popsize), "--methods",
                        method, "--trials", str(trials), "--threads", str(threads), "--out", folder],
                       check=True, capture_output=True)
        seconds = time.perf_counter() - begin
        with open(pathlib.Path(folder) / "trials.csv", encoding="utf-8") as file:
            return [int(row["evaluations"]) for row in csv.DictReader(file)], seconds


def check_same_method(program):
    ours, _ = surefoot_trials(program, "sphere", 30, "adaptive", 50)
    theirs = [numpy_xnes_lra.minimize("sphere", 30, "adaptive", seed, 500000)[0] for seed in range(15)]
    ratio = statistics.mean(ours) / statistics.mean(theirs)
    print(f"Sphere, popsize 30, adaptive: {statistics.mean(ours):.0f} evaluations here, {statistics.mean(theirs):.0f} in NumPy\n")
    if not 0.9 < ratio < 1.1:
        sys.exit("FAILED: the programs do not do the same")


def numpy_rate(function, popsize, method, seed):
    begin = time.perf_counter()
    evaluations = 0
    while evaluations < NUMPY_EVALUATIONS:
        evaluations += numpy_xnes_lra.minimize(function, popsize, method, seed, NUMPY_EVALUATIONS)[0]
        seed += 1000
    return evaluations / (time.perf_counter() - begin)


def surefoot_rate(program, function, popsize, method):
    trials = 20 if popsize >= 200 else 200
    evaluations, seconds = surefoot_trials(program, function, popsize, method, trials)
    return sum(evaluations) / seconds


def spread(values):
    return f"{statistics.median(values):,.0f} ({min(values):,.0f} - {max(values):,.0f})".replace(",", " ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--json")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    check_same_method(arguments.program)

    rows = []
    print("| cell | NumPy, evaluations/s | Surefoot, evaluations/s | ratio |\n|---|---|---|---|")
    for cell in CELLS:
        theirs, ours = [], []
        for i in range(arguments.repeat):
            theirs.append(numpy_rate(*cell, seed=i))
            ours.append(surefoot_rate(arguments.program, *cell))
        ratio = statistics.median(ours) / statistics.median(theirs)
        rows.append({"cell": cell, "numpy": theirs, "surefoot": ours, "ratio": ratio})
        print(f"| {cell[0]} {cell[1]} {cell[2]} | {spread(theirs)} | {spread(ours)} | {ratio:.0f} |", flush=True)

    numpy = statistics.median(r for row in rows if row["cell"][0] == "rastrigin" for r in row["numpy"])
    threads = os.cpu_count()
    evaluations, seconds = surefoot_trials(arguments.program, "rastrigin", 300, "x1", 100, threads)
    rate = sum(evaluations) / seconds
    print(f"\nRastrigin, popsize 300, x1 on all {threads} processors: {rate / 1e6:.1f} million evaluations/s, "
          f"{rate / numpy:.0f} times NumPy")
    if arguments.json:
        result = {"cells": rows, "processors": threads, "surefoot_all_processors": rate, "numpy": numpy, "ratio": rate / numpy}
        pathlib.Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
