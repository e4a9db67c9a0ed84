"""Learning-rate policies that are written in Python, and ends with a reason of one's own."""

import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import surefoot


def sphere(x):
    return float((x**2).sum())


class Agreeing:
    """Rates grow while steps of the mean agree."""

    def __init__(self, context):
        self.standard = np.array(context.rates)
        self.gain = np.sqrt(0.36 * context.mu_w)
        self.path = np.zeros(context.dimension)

    def first(self):
        return self.standard

    def next(self, step):
        self.path = 0.8 * self.path + self.gain * step.delta
        factor = np.exp(0.1 * np.clip((self.path**2).mean() - 1, -1, 1))
        return 1.0, *np.clip(np.array(step.rates[1:]) * factor, self.standard[1:], 1)

    def state(self):
        return self.path

    def restore(self, numbers):
        self.path = numbers


def test_the_policy_of_the_page(tmp_path):
    page = (pathlib.Path(__file__).parents[2] / "docs/how-to/own-methods.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.S)
    names = {}
    exec(program.replace("surefoot.minimize(", "result = surefoot.minimize("), names)
    assert names["result"].success


class Fixed:
    def __init__(self, context):
        self.rates = context.rates

    def first(self):
        return self.rates

    def next(self, step):
        return self.rates


def test_a_policy_with_fixed_rates_is_the_one_of_that_name():
    own = surefoot.minimize(sphere, [3, 3, 3], 1, learning_rate=Fixed, seed=1)
    fixed = surefoot.minimize(sphere, [3, 3, 3], 1, learning_rate="fixed", seed=1)
    assert own.nfev == fixed.nfev and (own.x == fixed.x).all()


@pytest.mark.parametrize("method", ["auto", "snes"])
def test_a_policy_sets_the_rates(method):
    r = surefoot.minimize(sphere, [3, 3, 3], 1, learning_rate=Agreeing, method=method, ftarget=1e-8, seed=1, trace=True)
    assert r.success
    assert len(set(r.trace["eta_sigma"])) > 5


def test_a_policy_sees_the_step():
    seen = []

    class Watching(Fixed):
        def next(self, step):
            seen.append(step)
            return self.rates

    surefoot.minimize(sphere, [3, 3, 3], 1, learning_rate=Watching, maxiter=3, seed=1)
    step = seen[0]
    assert step.delta.shape == (3,) and step.B.shape == (3, 3) and len(step.rates) == 3
    assert np.allclose(step.B, step.B.T) and abs(np.trace(step.B)) < 1e-12 and np.isfinite(step.sigma)
    seen.clear()
    surefoot.minimize(sphere, [3, 3, 3], 1, learning_rate=Watching, method="snes", maxiter=3, seed=1)
    assert seen[0].B.shape == (3,) and abs(seen[0].B.sum()) < 1e-12


def test_a_policy_is_made_anew_for_every_run():
    made = []

    def make(context):
        made.append(context)
        return Agreeing(context)

    budget = {"maxfevals": 4000, "restarts": "same:2", "evaluate_x0": False}
    r = surefoot.minimize(sphere, [3, 3], 1, learning_rate=make, seed=1, **budget)
    assert len(made) == len(r.runs) > 1


def test_a_policy_survives_checkpoints_pickles_and_larger_budgets(tmp_path):
    options = dict(learning_rate=Agreeing, seed=1)
    whole = surefoot.minimize(sphere, [3, 3, 3], 1, maxiter=40, **options)
    file = str(tmp_path / "c.sf")
    surefoot.minimize(sphere, [3, 3, 3], 1, maxiter=17, checkpoint=file, **options)
    parts = surefoot.minimize(sphere, [3, 3, 3], 1, maxiter=40, checkpoint=file, **options)
    assert (parts.x == whole.x).all() and parts.nfev == whole.nfev
    search = surefoot.Optimizer([3, 3, 3], 1, maxiter=17, **options)
    search.optimize(sphere)
    assert (pickle.loads(pickle.dumps(search)).continued(maxiter=40).optimize(sphere).x == whole.x).all()
    with pytest.raises(ValueError, match="Agreeing"):
        surefoot.minimize(sphere, [3, 3, 3], 1, maxiter=50, checkpoint=file, learning_rate=Fixed, seed=1)


def test_mistakes_in_a_policy_are_told():
    def refusal(make):
        with pytest.raises((ValueError, RuntimeError, ZeroDivisionError)) as error:
            surefoot.minimize(sphere, [3, 3], 1, learning_rate=make, maxiter=5, seed=1)
        return str(error.value)

    class Two(Fixed):
        def next(self, step):
            return 1, 2

    class Negative(Fixed):
        def next(self, step):
            return 1, -0.5, 0.1

    class Broken(Fixed):
        def next(self, step):
            return 1 / 0

    assert "learning_rate" in refusal(3) and "3" in refusal(3)
    assert "first()" in refusal(lambda context: object())
    assert "Two.next()" in refusal(Two) and "three numbers" in refusal(Two)
    assert "Negative: eta_sigma = -0.5" in refusal(Negative)
    assert "division by zero" in refusal(Broken)
    lra = type("lra", (Fixed,), {})
    assert "'lra'" in refusal(lra)


def test_a_policy_that_outlives_its_search_ends_quietly():
    code = (
        "import surefoot\n"
        "class P:\n"
        "  def __init__(self, c): self.r = c.rates\n"
        "  def first(self): return self.r\n"
        "  def next(self, s): return self.r\n"
        "o = surefoot.Optimizer([1, 2], 1, learning_rate=P, seed=1)\n"
        "o.tell([1.0] * len(o.ask()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""


def test_a_callback_says_why():
    r = surefoot.minimize(sphere, [3, 3], 1, callback=lambda r: "bored" if r.nit == 4 else None, model="none", seed=1)
    assert r.stop == "requested" and r.message.startswith("bored; best f = ") and r.nit == 4 and not r.success

    def stops(result):
        raise StopIteration("lunch")

    assert surefoot.minimize(sphere, [3, 3], 1, callback=stops, seed=1).message.startswith("lunch")

    def ends(result):
        raise StopIteration

    assert surefoot.minimize(sphere, [3, 3], 1, callback=ends, seed=1).stop == "callback"
    assert surefoot.minimize(sphere, [3, 3], 1, callback=lambda r: True, seed=1).stop == "callback"
    assert surefoot.minimize(sphere, [3, 3], 1, callback=lambda r: "", maxiter=3, seed=1).stop == "maxiter"


def test_an_optimizer_is_stopped_for_a_reason():
    search = surefoot.Optimizer([3, 3], 1, seed=1)
    search.tell([sphere(x) for x in search.ask()])
    search.stop_because("the machine is needed elsewhere")
    assert search.stop() == "requested"
    assert search.result.message.startswith("the machine is needed elsewhere")
    with pytest.raises(ValueError, match="stop_because"):
        surefoot.Optimizer([3, 3], 1, seed=1).stop_because("")


def test_a_function_may_stop_its_search():
    search = surefoot.Optimizer([3, 3], 1, popsize=6, seed=1)
    calls = []

    def f(x):
        calls.append(x)
        if len(calls) == 10:
            search.stop_because("ten calls")
        return sphere(x)

    r = search.optimize(f)
    assert r.stop == "requested" and r.message.startswith("ten calls") and len(calls) < 20
