"""A fit: the four rates of a predator-prey model from noisy counts, with SciPy's ODE solver."""

import numpy as np
from scipy.integrate import solve_ivp

import surefoot

TIMES = np.linspace(0, 15, 40)
TRUE = {"birth": 1.1, "hunting": 0.4, "death": 0.4, "growth": 0.1}


def simulate(birth, hunting, death, growth):
    def change(_, y):
        prey, predators = y
        return [birth * prey - hunting * prey * predators, growth * prey * predators - death * predators]

    solution = solve_ivp(change, (0, 15), [10, 5], t_eval=TIMES, rtol=1e-6, atol=1e-6)
    if not solution.success:
        raise ArithmeticError(solution.message)  # a failed evaluation: it ranks last
    return solution.y


DATA = simulate(**TRUE) * (1 + 0.05 * np.random.default_rng(0).normal(size=(2, len(TIMES))))


def misfit(**rates):
    return ((simulate(**rates) - DATA) ** 2).sum()


# Rates are positive and known to a factor: a log scale. The budget says what a fit may cost.
space = {name: surefoot.Real(0.01, 5, log=True, start=0.3, sigma=1.5) for name in TRUE}
r = surefoot.minimize(misfit, space=space, maxfevals=1000, seed=1)

print(r.message)
for name, value in r.params.items():
    print(f"{name:8} {value:.4f}, with which the data were made: {TRUE[name]}")
assert all(abs(r.params[name] / TRUE[name] - 1) < 0.1 for name in TRUE)
