#!/usr/bin/env python3
"""Evaluations on mixed-integer problems: medians over seeds, beside those of other programs and of a prototype.

Functions are sums of a part over real parameters and one over integers or bits, N in all, half of them discrete; target
1e-10; starts uniform in [1, 3] (bits 0.5), sigma 1, integers from -10 to 10. `choices` has bits as choices. The columns
`prototype` and `cmaes` are medians at N = 20 of a prototype of the same margin (20 runs each) and of the cmaes library's
CMAwM, which was run once to nine times.

    benchmarks/mixed_integer.py --methods cma,auto --seeds 20
"""

import argparse
import statistics

import numpy as np
import surefoot

PROTOTYPE = {
    "SphereInt": (3600, 3732),
    "SphereOneMax": (4152, 3762),
    "SphereLeadingOnes": (4476, 3864),
    "EllipsoidInt": (7356, 8406),
    "EllipsoidOneMax": (10152, 12456),
    "EllipsoidLeadingOnes": (10284, 11724),
    "ReversedEllipsoidInt": (7584, 15228),
    "PureInt": (1776, None),
}


def scales(n, largest=1000.0):
    return largest ** (np.arange(n) / (n - 1))


def one_max(bits):
    return (bits == 0).sum(axis=1)


def leading_ones(bits):
    return bits.shape[1] - np.cumprod(bits, axis=1).sum(axis=1)


def functions(n):
    half = n // 2
    shift = 7 * np.arange(n) % 11 - 5

    def sphere(X):
        return (X**2).sum(axis=1)

    def ellipsoid(X):
        return ((scales(X.shape[1]) * X) ** 2).sum(axis=1)

    def of_halves(real, discrete):
        return lambda X: real(X[:, :half]) + discrete(X[:, half:])

    return {
        "SphereInt": (sphere, "int"),
        "SphereOneMax": (of_halves(sphere, one_max), "bits"),
        "SphereLeadingOnes": (of_halves(sphere, leading_ones), "bits"),
        "EllipsoidInt": (ellipsoid, "int"),
        "EllipsoidOneMax": (of_halves(ellipsoid, one_max), "bits"),
        "EllipsoidLeadingOnes": (of_halves(ellipsoid, leading_ones), "bits"),
        "ReversedEllipsoidInt": (lambda X: ellipsoid(X[:, ::-1]), "int"),
        "PureInt": (lambda X: ((scales(n, 10.0) * (X - shift)) ** 2).sum(axis=1), "all"),
    }


def space_of(kind, n, seed, choices):
    start = np.random.default_rng(seed).uniform(1, 3, n)
    space = {}
    for j in range(n):
        is_real = j < n // 2 and kind != "all"
        if is_real:
            space[f"x{j}"] = surefoot.Real(start=start[j], sigma=1.0)
        elif kind != "bits":
            space[f"n{j}"] = surefoot.Integer(-10, 10, start=start[j], sigma=1.0)
        elif choices:
            space[f"b{j}"] = surefoot.Choice(0, 1)
        else:
            space[f"b{j}"] = surefoot.Integer(0, 1, start=0.5, sigma=1.0)
    return space


def evaluations(function, kind, n, method, seed, choices, most=200000):
    search = surefoot.Optimizer(
        space=space_of(kind, n, seed, choices),
        seed=seed,
        method=method,
        ftarget=1e-10,
        maxfevals=most,
        restarts="none",
        evaluate_x0=False,
    )
    while not search.stop():
        X = search.ask()
        search.tell(function(X))
    return search.nfev if search.stop() == "ftarget" else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default="cma")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--dim", type=int, default=20)
    parser.add_argument("--choices", action="store_true", help="bits as choices")
    parser.add_argument("--functions", default="", help="names, separated by commas; default all")
    given = parser.parse_args()
    print(f"| function, N = {given.dim} | method | median (successes) | prototype | ratio | cmaes |")
    print("|---|---|---|---|---|---|")
    for name, (function, kind) in functions(given.dim).items():
        if given.functions and name not in given.functions.split(","):
            continue
        if given.choices and kind != "bits":
            continue
        for method in given.methods.split(","):
            results = [
                evaluations(function, kind, given.dim, method, seed, given.choices)
                for seed in range(1, given.seeds + 1)
            ]
            good = [result for result in results if result is not None]
            median = statistics.median(good) if good else float("nan")
            prototype, cmaes = PROTOTYPE[name] if given.dim == 20 else (None, None)
            ratio = f"{median / prototype:.2f}" if prototype else ""
            print(
                f"| {name} | {method} | {median:.0f} ({len(good)}/{len(results)}) | {prototype or ''} | {ratio} | "
                f"{cmaes or ''} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
