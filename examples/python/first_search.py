"""A first search: Rosenbrock's function of four numbers, with a budget, and what came out."""

import surefoot


def f(x):
    return sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


# From this start, with a standard deviation of 0.5 around it. The budget brings a model, which saves evaluations.
r = surefoot.minimize(f, [0, 0, 0, 0], 0.5, maxfevals=600, ftarget=1e-8, seed=1)

print(r.message)
print("x =", r.x.round(4), "f =", r.fun, "after", r.nfev, "evaluations")
assert r.success

try:
    import matplotlib
except ImportError:
    print("without matplotlib there is no picture")
else:
    matplotlib.use("agg")  # a file, not a window
    surefoot.plot(r).savefig("first_search.png")
    print("first_search.png shows values, step sizes, learning rates and parameters")
