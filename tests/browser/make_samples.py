#!/usr/bin/env python3
"""Writes the sample_*.json files: small, made-up data in the shape that the report pages expect.

The numbers are formulas, not measurements; they only look like runs. The output is the same every time.
"""

import json
import math
import pathlib
import random

HERE = pathlib.Path(__file__).parent
METHODS = ["adaptive", "x1", "x2", "x4", "x6", "x8", "x10"]
FUNCTIONS = {
    "sphere": ("Sphere", [10, 20, 30, 40, 50]),
    "ellipsoid": ("Ellipsoid", [10, 20, 30, 40, 50]),
    "rastrigin": ("Rastrigin", [200, 250, 300, 350, 400]),
    "bohachevsky": ("Bohachevsky", [30, 40, 50, 60, 70]),
}
ETA_DEFAULT = 0.1006094782843


def short(value, digits=3):
    return None if value is None else float(f"{value:.{digits}g}")


def trace(figure, function, popsize, method, points=18):
    rng = random.Random(f"{figure} {function} {popsize}")
    length = popsize * 300
    columns = {"nfev": [], "best": [], "eta_sigma": [], "eta_B": [], "l_theta": []}
    for i in range(points):
        t = (i + 1) / points
        rate = ETA_DEFAULT if method == "x1" else min(1.0, ETA_DEFAULT * (1 + 4 * t * popsize / 100))
        columns["nfev"].append(round(t * length))
        columns["best"].append(short(10 ** (2 - 10 * t)))
        columns["eta_sigma"].append(short(rate))
        columns["eta_B"].append(short(rate * 0.9))
        columns["l_theta"].append(short(1 + 2 * t + rng.uniform(-0.3, 0.3)))
    return {"figure": figure, "function": function, "popsize": popsize, "method": method, **columns}


def traces():
    fixed = [trace(1, name, 400, "x1") for name in FUNCTIONS]
    adaptive = [trace(2, name, sizes[2], "adaptive") for name, (_, sizes) in FUNCTIONS.items()]
    return fixed + adaptive + [trace(3, "sphere", popsize, "adaptive") for popsize in FUNCTIONS["sphere"][1]]


def cost_cell(name, popsize, method, rng):
    """Evaluations per success: high rates are fast and need a population that is large enough."""
    factor = 3.0 if method == "adaptive" else float(method[1:])
    fails = method != "adaptive" and factor > popsize / 5
    paper = None if fails else round(600 * popsize / factor)
    ours = None if fails else paper * rng.gauss(1, 0.01)
    reproducible = not (name == "sphere" and method == "x4" and popsize == 20)
    if not reproducible:
        ours = paper * 0.8
    return {
        "figure": 4, "function": name, "popsize": popsize, "method": method, "trials": 50,
        "success_rate": 0.0 if fails else 1.0, "evaluations_per_success": short(ours, 5),
        "ci_low": None if fails else short(ours * 0.98, 5), "ci_high": None if fails else short(ours * 1.02, 5),
        "paper": paper, "ratio": None if fails else short(ours / paper, 4), "reproducible": reproducible,
    }


def rate_cell(name, popsize, method, rng):
    sizes = FUNCTIONS[name][1]
    height = {"adaptive": 0.9, "x8": 0.6, "x10": 0.4}[method]
    paper = min(1.0, height + (1 - height) * 1.1 * sizes.index(popsize) / 4)
    ours = min(1.0, max(0.0, round((paper + rng.uniform(-0.03, 0.03)) * 200) / 200))
    half = 1.96 * math.sqrt(max(ours * (1 - ours), 0.002) / 200)
    return {
        "figure": 5, "function": name, "popsize": popsize, "method": method, "trials": 200, "success_rate": ours,
        "evaluations_per_success": 40000.0, "ci_low": short(max(0.0, ours - half)),
        "ci_high": short(min(1.0, ours + half)), "paper": short(paper), "ratio": short(ours / paper, 4),
        "reproducible": True,
    }


def reproduction():
    rng = random.Random(1)
    cells = [cost_cell(name, popsize, method, rng) for name, (_, sizes) in FUNCTIONS.items() for method in METHODS
             for popsize in sizes[::2]]
    cells += [rate_cell(name, popsize, method, rng) for name in ("rastrigin", "bohachevsky")
              for method in ("adaptive", "x8", "x10") for popsize in FUNCTIONS[name][1]]
    verdict = [
        {"question": "RQ1", "claim": "The path is long where the ranking carries information.",
         "answer": "Made-up data: it is above 1 in 95 % of the generations.", "holds": True},
        {"question": "RQ2", "claim": "The adaptive rate is faster than the default rate.",
         "answer": "Made-up data: 12 of 20 cells.", "holds": False},
        {"question": "RQ3", "claim": "The adaptive rate is more robust than high fixed rates.",
         "answer": "Made-up data: nothing was measured.", "holds": None},
        {"question": "Agreement", "claim": "Our numbers are those of the paper.",
         "answer": "Made-up data: the median cell is 0.7 % away.", "holds": True},
    ]
    trials = {"sphere": 50, "ellipsoid": 50, "rastrigin": 200, "bohachevsky": 200}
    return {
        "version": "0.1.0",
        "protocol": {"target": 1e-8, "maxfevals": 500000, "dimension": 10, "seed": 1, "quick": True, "trials": trials,
                     "complete": True},
        "eta_default": ETA_DEFAULT, "methods": METHODS,
        "functions": [{"name": name, "title": title} for name, (title, _) in FUNCTIONS.items()],
        "traces": traces(), "summary": cells, "verdict": verdict,
    }


def record(generation, best, generation_best):
    has_path = generation > 1  # the first generation of a resumed run has no path yet
    return {
        "generation": generation, "nfev": 10 * generation,
        "best": short(best), "generation_best": short(generation_best),
        "sigma": short(2 * math.exp(-0.05 * generation)), "eta_m": 1.0, "eta_sigma": short(0.1 + 0.002 * generation),
        "eta_B": short(0.1 + 0.0015 * generation),
        "l_theta": short(1 + 0.5 * math.sin(generation / 6)) if has_path else None,
        "gamma": short(1 - 0.64 ** generation) if has_path else None, "condition": short(1 + 0.4 * generation),
    }


def run():
    """A run that converges; generation 20 has no finite value."""
    rng = random.Random(2)
    records = []
    for generation in range(1, 41):
        best = 50 * math.exp(-0.3 * generation)
        failed = generation == 20
        records.append(record(generation, best, None if failed else best * rng.uniform(1, 4)))
    return {"version": "0.1.0", "source": "run.jsonl", "records": records}


def sign_change():
    """From a million to below zero: no plain log scale can show it."""
    values = [1e6 * math.exp(-0.6 * generation) - 40 for generation in range(1, 31)]
    records = [record(i + 1, value, value + 0.5) for i, value in enumerate(values)]
    return {"version": "0.1.0", "source": "negative.jsonl", "records": records}


def hostile():
    """No records, and a name that tries to leave the script element."""
    source = "</script><script>throw 1</script><!-- & \u2028 \u2029 {{title}}"
    return {"version": "0.1.0", "source": source, "records": []}


def write(name, data):
    text = json.dumps(data, separators=(",", ":"))
    (HERE / f"sample_{name}.json").write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    write("reproduction", reproduction())
    write("run", run())
    write("sign_change", sign_change())
    write("hostile", hostile())
