"""Constraints in all the forms in which they can be given."""

import pickle

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, NonlinearConstraint
from scipy.optimize import minimize as scipy_minimize

import surefoot


def sphere(x):
    return float((x**2).sum())


def above_one(x):
    return 1 - x[0]


def with_constraint(x):
    return sphere(x), [1 - x[0]]


def expect_half_space(r):
    """The sphere with x1 >= 1."""
    assert r.success, r.message
    assert r.feasible and r.violation == 0
    assert r.g.shape == (1,) and r.g[0] <= 0
    assert r.h.shape == (0,)
    assert r.fun == pytest.approx(1, abs=1e-6)
    assert r.multipliers == pytest.approx([2], rel=0.1)
    assert r.ncev == r.nfev


@pytest.mark.parametrize(
    "constraints",
    [
        above_one,
        [above_one],
        {"type": "ineq", "fun": lambda x: x[0] - 1},
        [{"type": "ineq", "fun": lambda x, low: x[0] - low, "args": (1,)}],
        NonlinearConstraint(lambda x: x[0], 1, np.inf),
        LinearConstraint([[1, 0, 0]], 1, np.inf),
    ],
)
def test_all_forms_are_the_same_search(constraints):
    r = surefoot.minimize(sphere, [3, 3, 3], 1, constraints=constraints, seed=1)
    expect_half_space(r)
    same = surefoot.minimize(with_constraint, [3, 3, 3], 1, constraints=1, seed=1)
    assert r.x.tolist() == same.x.tolist() and r.nfev == same.nfev


def test_two_sides_and_equalities():
    constraints = [
        NonlinearConstraint(lambda x: [x[0], x[1], x[0] + x[1] + x[2]], [1, -np.inf, 3], [2, 5, 3]),
        LinearConstraint(np.eye(3), -10, 10),
    ]
    r = surefoot.minimize(sphere, [3, 3, 3], 1, constraints=constraints, seed=1, maxfevals=5000)
    assert len(r.g) == 3 + 6 and len(r.h) == 1
    assert r.feasible and r.fun == pytest.approx(3, abs=1e-4)
    assert r.x == pytest.approx([1, 1, 1], abs=1e-2)


def test_scipy_calls_it_with_constraints():
    options = {"sigma0": 1, "seed": 1}
    for constraints in ({"type": "ineq", "fun": lambda x: x[0] - 1}, NonlinearConstraint(lambda x: x[0], 1, np.inf)):
        r = scipy_minimize(sphere, [3, 3, 3], method=surefoot.method, constraints=constraints, options=options)
        expect_half_space(r)
    r = scipy_minimize(sphere, [3, 3, 3], method=surefoot.method, options=options)
    assert "multipliers" not in r


def test_functions_that_return_all_values():
    p = surefoot.problems.get("g11")
    r = surefoot.minimize(p, p.x0, bounds=p.bounds, constraints=p.constraints, equalities=p.equalities, seed=1)
    assert r.feasible and abs(r.h[0]) <= 1e-6 and r.fun == pytest.approx(0.75, abs=1e-5)
    r = surefoot.minimize(lambda x: (sphere(x), [], [x[0] - 1]), [3, 3], 1, equalities=1, seed=1)
    assert r.feasible and r.fun == pytest.approx(1, abs=1e-5)
    assert r.multipliers == pytest.approx([-2], rel=0.1)


@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": map}, {"vectorized": True}])
def test_evaluators_give_the_same(options):
    expected = surefoot.minimize(sphere, [3, 3, 3], 1, constraints=above_one, seed=1, maxfevals=400)
    fun = (lambda X: (X**2).sum(axis=1)) if options.get("vectorized") else sphere
    r = surefoot.minimize(fun, [3, 3, 3], 1, constraints=above_one, seed=1, maxfevals=400, **options)
    assert r.nfev == expected.nfev
    assert r.x == pytest.approx(expected.x, rel=1e-6)
    if options.get("vectorized"):
        both = surefoot.minimize(
            lambda X: ((X**2).sum(axis=1), 1 - X[:, :1]),
            [3, 3, 3],
            1,
            constraints=1,
            seed=1,
            maxfevals=400,
            **options,
        )
        assert both.x.tolist() == r.x.tolist()
    else:
        assert r.x.tolist() == expected.x.tolist()


def test_ask_and_tell_and_pickles():
    def run(search):
        while not search.stop():
            X = search.ask()
            search.tell(X, (X**2).sum(axis=1), 1 - X[:, :1])
            if search.nit % 3 == 1 and not search.stop():
                search = pickle.loads(pickle.dumps(search))
        return search.result

    r = run(surefoot.Optimizer([3, 3, 3], 1, constraints=1, seed=1))
    expect_half_space(r)
    with pytest.raises(ValueError, match="it must give 1"):
        search = surefoot.Optimizer([3, 3], 1, constraints=1, seed=1)
        X = search.ask()
        search.tell(X, (X**2).sum(axis=1))


def test_named_parameters():
    space = {"width": surefoot.Real(0.1, 10, log=True), "plies": surefoot.Integer(1, 20)}
    r = surefoot.minimize(
        lambda width, plies: width * plies,
        space=space,
        constraints=lambda width, plies: 12 - width * plies**2,
        seed=1,
        maxfevals=4000,
    )
    assert r.feasible and r.g[0] <= 0
    assert r.fun <= 1.11
    assert isinstance(r.params["plies"], int)


def test_checkpoints(tmp_path):
    def stopping(x):
        stopping.calls += 1
        if stopping.calls == 60:
            raise KeyboardInterrupt
        return sphere(x)

    stopping.calls = 0
    options = dict(constraints=above_one, seed=1, maxfevals=300, checkpoint=tmp_path / "run.sf")
    whole = surefoot.minimize(sphere, [3, 3], 1, constraints=above_one, seed=1, maxfevals=300)
    assert surefoot.minimize(stopping, [3, 3], 1, **options).stop == "interrupted"
    r = surefoot.minimize(sphere, [3, 3], 1, **options)
    assert r.x.tolist() == whole.x.tolist() and r.multipliers.tolist() == whole.multipliers.tolist()


def test_no_feasible_point():
    r = surefoot.minimize(sphere, [3, 3], 1, constraints=lambda x: 1 + x[0] ** 2, seed=1, maxfevals=1500)
    assert not r.success and not r.feasible
    assert "no feasible point: least violation 1" in r.message and "of g[0]" in r.message


def test_constraints_are_told_by_their_names(capsys):
    def stress(x):
        return 1 + x[0] ** 2

    def mass(x):
        return [x[0], np.nan] if mass.is_broken else [x[0] - 9, -1.0]

    mass.is_broken = False
    options = dict(constraints=[mass, stress, lambda x: -1.0], seed=1, maxfevals=60)
    r = surefoot.minimize(sphere, [3, 3, 3], 1, disp=True, **options)
    assert r.constraint_names == ["mass[0]", "mass[1]", "stress", "g[3]"]
    assert " of stress" in r.message
    table = capsys.readouterr().out
    assert "  violates by " in table.splitlines()[2]
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    assert "g[2]" in r.trace  # the symbols stay
    titles = {axis.get_title(loc="left") for axis in surefoot.plot(r).axes}
    assert {"stress", "multiplier stress", "mass[1]", "g[3]"} <= titles and "g[2]" not in titles
    assert "stress = " in r._repr_html_() and "violated by" in r._repr_html_()
    search = surefoot.Optimizer([3, 3, 3], 1, **options)
    mass.is_broken = True
    r = search.optimize(sphere)
    assert "the value of mass[1] is NaN" in r.message


def test_hostile_values():
    calls = []

    def hostile(x):
        calls.append(1)
        if len(calls) % 7 == 0:
            return float("nan")
        return float("inf") if len(calls) % 5 == 0 else 1 - x[0]

    r = surefoot.minimize(sphere, [3, 3], 1, constraints=hostile, seed=1, maxfevals=1000)
    assert r.feasible and r.nfailed > 100 and r.fun == pytest.approx(1, abs=1e-2)


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ("x", "constraints"),
        (-1, "constraints = -1"),
        (1.5, "constraints = 1.5"),
        ([{"fun": sphere}], "'ineq' or 'eq'"),
        ([{"type": "ineq"}], "'ineq' or 'eq'"),
        ([3], "constraints"),
        ([NonlinearConstraint(lambda x: x, [0, 0, 0], 1)], "lb and ub"),
    ],
)
def test_mistakes_are_named(constraints, message):
    with pytest.raises((TypeError, ValueError), match=message):
        surefoot.minimize(sphere, [3, 3], 1, constraints=constraints, seed=1)


def test_wrong_numbers_of_values_are_named():
    with pytest.raises(TypeError, match="it must return f and as many"):
        surefoot.minimize(sphere, [3, 3], 1, constraints=1, seed=1)
    with pytest.raises(TypeError, match="constraints=2"):
        surefoot.minimize(with_constraint, [3, 3], 1, constraints=2, seed=1)
    with pytest.raises(ValueError, match="equalities"):
        surefoot.minimize(sphere, [3, 3], 1, constraints=[above_one], equalities=1, seed=1)


@pytest.mark.parametrize(
    "fun, options, text",
    [
        (sphere, {"constraints": lambda x: None}, r"constraints\[0\] returned None: it must return numbers"),
        (sphere, {"constraints": lambda x: ["-1"]}, r"returned \['-1'\]: it must return numbers"),
        (sphere, {"constraints": {"type": "eq", "fun": lambda x: "0"}}, "returned '0': it must return numbers"),
        (lambda x: (None, [-1.0]), {"constraints": 1}, "it must return f and as many"),
        (lambda x: ("3", ["-1"]), {"constraints": 1}, "it must return f and as many"),
        (lambda x: (1.0, [None]), {"constraints": 1}, "it must return f and as many"),
        (lambda X: (["3"] * len(X), [-1.0] * len(X)), {"constraints": 1, "vectorized": True}, "it must return numbers"),
        (lambda X: None, {"constraints": above_one, "vectorized": True}, "returned None: it must return numbers"),
    ],
)
def test_what_is_no_number_is_a_mistake(fun, options, text):
    with pytest.raises(TypeError, match=text):
        surefoot.minimize(fun, [3, 3, 3], 1, seed=1, **options)


@pytest.mark.parametrize(
    "constraints, text",
    [
        (NonlinearConstraint(above_one, 5, 1), r"lb = 5.0 and ub = 1.0 are not allowed"),
        (NonlinearConstraint(above_one, np.inf, np.inf), "lb = inf and ub = inf are not allowed"),
        (NonlinearConstraint(above_one, np.nan, 1), "lb = nan is not allowed"),
        (NonlinearConstraint(above_one, 0, [1, np.nan]), r"ub = \[1.0, nan\] is not allowed"),
        (NonlinearConstraint(above_one, -np.inf, np.inf), r"constraints\[0\]: it constrains nothing"),
        (lambda x: [], r"constraints\[0\]: it constrains nothing"),
        (LinearConstraint([[1, 0]], 1, np.inf), r"A of shape \(1, 2\) is not allowed: it must have 3 columns"),
        (np.nan, "constraints = nan is not allowed"),
        (np.inf, "constraints = inf is not allowed"),
    ],
)
def test_constraints_without_sense_are_refused(constraints, text):
    with pytest.raises(ValueError, match=text):
        surefoot.minimize(sphere, [3, 3, 3], 1, constraints=constraints, seed=1)


def test_values_are_told_without_candidates():
    search = surefoot.Optimizer([3, 3], 1, constraints=1, equalities=1, seed=1)
    other = surefoot.Optimizer([3, 3], 1, constraints=1, equalities=1, seed=1)
    for _ in range(5):
        X = search.ask()
        values = {"F": (X**2).sum(axis=1), "G": 1 - X[:, :1], "H": X[:, 1:] - 2}
        search.tell(**values)
        assert other.ask().tolist() == X.tolist()
        other.tell(X, values["F"], values["G"], values["H"])
    assert search.result.fun == other.result.fun and search.result.nfev > 5
    n = len(search.ask())
    for wrong, text in (
        ({"G": np.ones((n, 1))}, "tell: H must have one row for each of the .* candidates, with 1 numbers"),
        ({"G": np.ones((n, 2)), "H": np.ones((n, 0))}, "tell: G must have .* with 1 numbers"),
    ):
        with pytest.raises(ValueError, match=text):
            search.tell(F=np.ones(n), **wrong)
