"""Ask and tell: the loop is yours. A pickle keeps the search, so that the program can be interrupted and run again."""

import os
import pickle

import numpy as np
import surefoot

FILE = "ask_tell.pickle"


def values(X):
    """One candidate a row; they may be evaluated anywhere."""
    return (X**2).sum(axis=1)


def kept():
    with open(FILE, "rb") as file:
        return pickle.load(file)  # a pickle can run anything: load your own only


def keep(search):
    """First a new file, then its name: an interruption leaves the old or the new one."""
    with open(FILE + ".new", "wb") as file:
        pickle.dump(search, file)
    os.replace(FILE + ".new", FILE)


def go_on(generations):
    """So many generations of the search in the file, or of a new one."""
    search = kept() if os.path.exists(FILE) else surefoot.Optimizer(np.full(5, 3.0), 2, ftarget=1e-8, seed=1)
    for _ in range(generations):
        if search.stop():
            break
        X = search.ask()
        search.tell(X, values(X))
        keep(search)
    return search


search = go_on(20)
print("interrupted after", search.nfev, "evaluations, best f =", search.result.fun)
search = go_on(10**6)  # as another process would
print(search.result.message)

# The same bits as without the interruption. With a function of one point it is minimize(f, ..., checkpoint="run.sf").
whole = surefoot.minimize(values, np.full(5, 3.0), 2, ftarget=1e-8, seed=1, vectorized=True)
assert np.array_equal(whole.x, search.result.x) and whole.nfev == search.nfev
os.remove(FILE)
