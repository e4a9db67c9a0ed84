#!/usr/bin/env python3
"""What more evaluations bring: how often the outlook of `surefoot report` holds (docs/evidence/reports.md).

    outlook.py SUREFOOT [INSTANCES]

Runs searches on the 24 BBOB functions (offsets of f differ, so that 0 means nothing) and on problems whose lowest value
is 0, with cma and ig-xnes at 3, 5 and 10 variables. Each course is cut off at several places where it still improves.
The outlook of src/report/standing.cpp is computed there and compared with what really followed. INSTANCES, default
6,7,8, are those of BBOB, and the seeds. Takes about ten minutes.
"""

import bisect
import json
import math
import pathlib
import subprocess
import sys
import tempfile

PROBLEMS = ["sphere", "ellipsoid", "rosenbrock", "rastrigin", "bohachevsky", "ackley", "schaffer", "cigar", "tablet"]
CUTS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


def course(program, words, dimension, seed):
    """(evaluations, best, run) of each generation."""
    method = "cma" if seed % 2 else "ig-xnes"
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.jsonl"
        command = [program, "minimize", *words, "--dim", dimension, "--method", method, "--model", "none"]
        command += ["--seed", seed, "--maxfevals", 400 * dimension, "--quiet", "--trace", trace]
        subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        records = [json.loads(line) for line in trace.read_text().splitlines()]
    return [(r["nfev"], r["best"], r["run"]) for r in records if r["best"] is not None]


def best_at(records, nfev):
    index = bisect.bisect_right([r[0] for r in records], nfev) - 1
    return records[max(index, 0)][1]


def outcome(records, cut):
    """How the outlook at a cut compares with what followed; None where there is no outlook, or nothing followed."""
    last = bisect.bisect_right([r[0] for r in records], cut * records[-1][0]) - 1
    if last < 10:
        return None
    end, now, run = records[last]
    begin = max([r[0] for r in records[:last] if r[2] != run], default=0)
    window = math.floor((end - begin) / 4)
    before, then = best_at(records, end - window), best_at(records, end + window)
    half = best_at(records, end / 2) - now
    is_small = half <= 0.01 * (records[0][1] - now) and half <= 0.01 * abs(now)
    gain = before - now
    if window < 1 or end + window > records[-1][0] or gain <= 0 or is_small:
        return None
    middle, lowest = now - gain / 8, now - gain
    if 0 < now <= gain:
        middle, lowest = now * (now / before), now * (now / before) ** 2
    return {"above lowest": then >= lowest, "above middle": then > middle}


def report(title, all_records):
    rows = [row for records in all_records for row in (outcome(records, cut) for cut in CUTS) if row]
    shares = ", ".join(f"{key} {sum(row[key] for row in rows) / len(rows):.3f}" for key in rows[0])
    print(f"{title}: {len(rows)} cuts of {len(all_records)} searches: {shares}", flush=True)


def main():
    program = sys.argv[1]
    seeds = [int(word) for word in (sys.argv[2] if len(sys.argv) > 2 else "6,7,8").split(",")]
    cases = [(d, seed) for d in (3, 5, 10) for seed in seeds]
    report(
        "problems with the lowest value 0",
        [course(program, ["--problem", name], d, s) for name in PROBLEMS for d, s in cases],
    )
    report(
        "BBOB",
        [course(program, ["--problem", f"bbob-f{k}", "--instance", s], d, s) for k in range(1, 25) for d, s in cases],
    )


if __name__ == "__main__":
    main()
