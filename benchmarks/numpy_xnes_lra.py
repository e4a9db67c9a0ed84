#!/usr/bin/env python3
"""xNES with the learning-rate adaptation of Nomura and Ono (2022), written from the paper as one writes NumPy.

Candidates are sampled and evaluated one after the other; matrix functions go through eigh. No thought is given to
speed: this is what `versus_numpy.py` compares the library with.

Usage: numpy_xnes_lra.py FUNCTION POPSIZE METHOD SEED MAXFEVALS
METHOD is `adaptive` or `xK`, K times the default rate. Prints evaluations, seconds and the best value.
"""

import sys
import time

import numpy as np

D = 10


def sphere(x):
    return np.sum(x**2)


def ellipsoid(x):
    return np.sum((1000 ** (np.arange(D) / (D - 1)) * x) ** 2)


def rastrigin(x):
    return 10 * D + np.sum(x**2 - 10 * np.cos(2 * np.pi * x))


def bohachevsky(x):
    a, b = x[:-1], x[1:]
    return np.sum(a**2 + 2 * b**2 - 0.3 * np.cos(3 * np.pi * a) - 0.4 * np.cos(4 * np.pi * b) + 0.7)


FUNCTIONS = {"sphere": (sphere, 3, 2), "ellipsoid": (ellipsoid, 3, 2), "rastrigin": (rastrigin, 3, 2),
             "bohachevsky": (bohachevsky, 8, 7)}


def of_symmetric(function, matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(function(values)) @ vectors.T


def minimize(name, popsize, method, seed, maxfevals, target=1e-8):
    f, start, sigma = FUNCTIONS[name]
    rng = np.random.default_rng(seed)
    adaptive = method == "adaptive"
    identity = np.eye(D)
    m, B = np.full(D, float(start)), np.eye(D)
    w = np.maximum(0, np.log(popsize / 2 + 1) - np.log(np.arange(1, popsize + 1)))
    w = w / w.sum() - 1 / popsize
    mu_w = 1 / np.sum(w**2)
    eta_default = 0.6 * (3 + np.log(D)) / (D * np.sqrt(D))
    eta = eta_default * (1 if adaptive else float(method[1:]))  # eta_sigma = eta_B
    alpha, beta = 1.3, 0.2
    p, gamma = np.zeros((D, D)), 0.0
    evaluations, best = 0, np.inf

    while evaluations < maxfevals:
        population = []
        for _ in range(popsize):
            z = rng.standard_normal(D)
            population.append((f(m + sigma * B @ z), z))
        evaluations += popsize
        population.sort(key=lambda candidate: candidate[0])
        best = min(best, population[0][0])
        if best <= target:
            break

        G_delta = sum(w[i] * population[i][1] for i in range(popsize))
        G_M = sum(w[i] * (np.outer(population[i][1], population[i][1]) - identity) for i in range(popsize))
        G_sigma = np.trace(G_M) / D
        G_B = G_M - G_sigma * identity

        covariance = sigma**2 * B @ B.T
        m = m + sigma * B @ G_delta
        sigma = sigma * np.exp(eta / 2 * G_sigma)
        B = B @ of_symmetric(np.exp, eta / 2 * G_B)
        if not adaptive:
            continue

        root = of_symmetric(lambda e: 1 / np.sqrt(e), covariance)
        movement = root @ (sigma**2 * B @ B.T) @ root - identity
        expected = (eta**2 / 2 * (1 + 4 * eta**2 / (D * mu_w)) * (D**2 + D - 2) + eta**2) / mu_w
        p = (1 - beta) * p + np.sqrt(beta * (2 - beta) / expected) * movement
        gamma = (1 - beta) ** 2 * gamma + beta * (2 - beta)
        eta = min(max(eta * np.exp(beta * (np.trace(p @ p) / 2 / alpha - gamma)), eta_default), 1)
    return evaluations, best


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    name, popsize, method, seed, maxfevals = sys.argv[1:]
    begin = time.perf_counter()
    evaluations, best = minimize(name, int(popsize), method, int(seed), int(maxfevals))
    print(evaluations, time.perf_counter() - begin, best)


if __name__ == "__main__":
    main()
