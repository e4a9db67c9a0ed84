"""Named parameters of all kinds: a number on a log scale, an integer, a choice, and a limit on another output."""

import math

import surefoot

space = {
    "rate": surefoot.Real(1e-5, 1e-1, log=True),
    "layers": surefoot.Integer(1, 8),
    "activation": surefoot.Choice("relu", "tanh", "gelu"),
    "epochs": 10,  # stays as it is
}


def train(rate, layers, activation, epochs):
    """A made-up network: best at rate 0.01, 5 layers and tanh. Returns its loss and how much memory is too much."""
    loss = (math.log10(rate) + 2) ** 2 + 0.1 * (layers - 5) ** 2 + {"relu": 0.5, "tanh": 0.0, "gelu": 0.2}[activation]
    memory = layers * epochs
    return loss, memory - 45


r = surefoot.minimize(train, space=space, constraints=1, maxfevals=400, seed=1, log="trainings.csv")

print(r.message)
print("best:", r.params, "loss:", round(r.fun, 4), "limits met:", r.feasible)
assert r.feasible and r.params["layers"] == 4 and r.params["activation"] == "tanh"

# Every training is in the log.
log = surefoot.read_log("trainings.csv")
tried = {kind: log["activation"].count(kind) for kind in ("relu", "tanh", "gelu")}
print("trainings:", len(log["f"]), "by activation:", tried)
