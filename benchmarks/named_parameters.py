#!/usr/bin/env python3
"""Fits over decades, and the choice of a model: how often the truth is found.

decades: four parameters of y = A exp(-k t) + c t^p, each from 1e-6 to 1e3 on a log scale and started in the middle,
0.0316. The data are exact; solved means that all four are right to 1e-3.

model: one of five models with two parameters each, from 1e-3 to 1e3, fitted to exact data of one of them, every one in
turn. Found means that the model is right at the end of 10 000 evaluations, restarts included.

    benchmarks/named_parameters.py --runs 40
"""

import argparse

import numpy as np
import surefoot

TIMES = np.linspace(0.5, 20, 40)

MODELS = {
    "linear": lambda a, b, t: a + b * t,
    "power": lambda a, b, t: a * t**b,
    "exponential": lambda a, b, t: a * np.exp(-b * t),
    "saturation": lambda a, b, t: a * t / (b + t),
    "logarithm": lambda a, b, t: a * np.log1p(b * t),
}
TRUTH = {"a": 7.0, "b": 0.3}


def misfit(y, data):
    with np.errstate(all="ignore"):
        error = float(np.mean((y / data - 1) ** 2))
    return error if np.isfinite(error) else np.inf


def decades(seed):
    truth = {"A": 400.0, "k": 0.9, "c": 3e-5, "p": 2.5}

    def curve(A, k, c, p):
        with np.errstate(all="ignore"):
            return A * np.exp(-k * TIMES) + c * TIMES**p

    data = curve(**truth)
    space = {name: surefoot.Real(1e-6, 1e3, log=True) for name in truth}
    r = surefoot.minimize(
        lambda A, k, c, p: misfit(np.log(curve(A, k, c, p)), np.log(data)),
        space=space,
        maxfevals=20000,
        ftarget=1e-14,
        seed=seed,
    )
    return all(abs(r.params[name] / truth[name] - 1) < 1e-3 for name in truth), r.nfev


def model(seed, evaluations=10000):
    names = list(MODELS)
    truth = names[seed % len(names)]

    def curve(name, a, b):
        with np.errstate(all="ignore"):
            return MODELS[name](a, b, TIMES)

    data = curve(truth, **TRUTH)
    r = surefoot.minimize(
        lambda model, a, b: misfit(curve(model, a, b), data),
        space={
            "model": surefoot.Choice(*names),
            "a": surefoot.Real(1e-3, 1e3, log=True),
            "b": surefoot.Real(1e-3, 1e3, log=True),
        },
        maxfevals=evaluations,
        ftarget=1e-12,
        seed=seed,
    )
    return r.params["model"] == truth, r.nfev


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    given = parser.parse_args()
    print("| task | right | median evaluations |\n|---|---|---|")
    for task in (decades, model):
        results = [task(seed) for seed in range(1, given.runs + 1)]
        right = sum(is_right for is_right, _ in results)
        print(f"| {task.__name__} | {right} of {len(results)} | {np.median([n for _, n in results]):.0f} |", flush=True)


if __name__ == "__main__":
    main()
