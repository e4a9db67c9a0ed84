import pathlib
import pickle
import re

import numpy as np
import pytest
import surefoot

ROOT = pathlib.Path(__file__).parents[2]


def space():
    return {
        "rate": surefoot.Real(1e-5, 1e-1, log=True),
        "layers": surefoot.Integer(1, 8),
        "width": surefoot.Grid(32, 64, 128, 256),
        "kind": surefoot.Choice("relu", None, 3),
        "g": 9.81,
    }


def cost(rate, layers, width, kind, g):
    assert type(layers) is int and type(width) is int and type(rate) is float and g == 9.81
    return (np.log(rate / 3e-3)) ** 2 + (layers - 4) ** 2 + abs(width - 128) / 100 + (kind is not None)


def cost_of_dict(p):
    return cost(**p)


def test_keywords_and_dicts():
    a = surefoot.minimize(cost, space=space(), ftarget=1e-6, seed=1)
    b = surefoot.minimize(cost_of_dict, space=space(), ftarget=1e-6, seed=1)
    c = surefoot.minimize(lambda **p: cost(**p), space=space(), ftarget=1e-6, seed=1, workers=2)
    assert a.success and a.params == b.params == c.params and a.nfev == b.nfev == c.nfev
    assert a.params["layers"] == 4 and a.params["width"] == 128 and a.params["kind"] is None and a.params["g"] == 9.81
    assert list(a.params) == ["rate", "layers", "width", "kind", "g"]
    assert "rate" in a._repr_html_()


def test_vectorized():
    def f(p):
        assert isinstance(p["rate"], np.ndarray) and len(p["kind"]) == len(p["rate"])
        other = np.array([k is not None for k in p["kind"]])
        return np.log(p["rate"] / 3e-3) ** 2 + (p["layers"] - 4) ** 2 + abs(p["width"] - 128) / 100 + other

    r = surefoot.minimize(f, space=space(), ftarget=1e-6, seed=1, vectorized=True)
    assert r.params == surefoot.minimize(cost, space=space(), ftarget=1e-6, seed=1).params


def test_values_as_a_list():
    given = dict(space(), width=surefoot.Grid([32, 64, 128, 256]), kind=surefoot.Choice(("relu", None, 3)))
    a = surefoot.minimize(cost, space=given, ftarget=1e-6, seed=1)
    assert a.params == surefoot.minimize(cost, space=space(), ftarget=1e-6, seed=1).params


SEEN = []


def note(result):
    SEEN.append(result.params["layers"])


def test_ask_tell_pickle_and_callback():
    search = surefoot.Optimizer(space=space(), seed=2, callback=note)
    X = search.ask()
    assert X.shape == (1, 5) and search.params(X[0])["layers"] == 4
    search.tell([cost(**search.params(x)) for x in X])
    copy = pickle.loads(pickle.dumps(search))
    assert np.array_equal(copy.ask(), search.ask())
    assert copy.params(copy.ask()[0]).keys() == space().keys()
    assert SEEN == [4]


def test_points_by_name(tmp_path):
    good = {"rate": 3e-3, "layers": 4, "width": 128, "kind": None}
    r = surefoot.minimize(cost, space=space(), inject=[good], maxfevals=2, seed=1)
    assert r.fun == 0 and r.params["width"] == 128
    with pytest.raises(ValueError, match="inject.*unknown parameters .'depth'."):
        surefoot.minimize(cost, space=space(), inject=[{**good, "depth": 3}])
    with pytest.raises(ValueError, match="parameter kind = 'gelu'"):
        surefoot.minimize(cost, space=space(), inject=[{**good, "kind": "gelu"}])
    with pytest.raises(ValueError, match="inject.*layers = 2.5"):
        surefoot.minimize(cost, space=space(), inject=[{**good, "layers": 2.5}])


def test_checkpoint_and_warm_start(tmp_path):
    file = tmp_path / "run.sf"
    whole = surefoot.minimize(cost, space=space(), maxfevals=300, seed=1)
    surefoot.minimize(cost, space=space(), maxfevals=123, seed=1, checkpoint=file)
    again = surefoot.minimize(cost, space=space(), maxfevals=300, seed=1, checkpoint=file)
    assert again.fun == whole.fun and again.params == whole.params
    with pytest.raises(ValueError, match="its space is"):
        surefoot.minimize(cost, space={**space(), "layers": surefoot.Integer(1, 9)}, seed=1, checkpoint=file)
    with pytest.raises(ValueError, match="have names"):
        surefoot.minimize(lambda x: 0, [1, 2], 1, seed=1, method="cma", popsize=8, checkpoint=file)
    warm = surefoot.Optimizer(space={"new": surefoot.Real(0, 8), **space()}, warm_start=file, seed=2)
    by_result = surefoot.Optimizer(
        space={"new": surefoot.Real(0, 8), **space()}, warm_start=pickle.loads(pickle.dumps(whole)), seed=2
    )
    assert warm.params(warm.result.xfavorite)["layers"] == by_result.params(by_result.result.xfavorite)["layers"] == 4
    with pytest.raises(ValueError, match="a result of a search that has a space too"):
        surefoot.Optimizer(space=space(), warm_start=surefoot.minimize(lambda x: 0.0, [1, 2], 1, maxfevals=9))
    assert "rate" in repr(whole) and "state" not in repr(whole)
    start = warm.params(warm.result.xfavorite)
    assert start["layers"] == 4 and abs(start["new"] - 4) < 1e-9 and abs(start["rate"] / 3e-3 - 1) < 0.5


@pytest.mark.parametrize(
    "bad, words",
    [
        ({"rate": surefoot.Real(0, 1, log=True)}, "parameter rate.*start and sigma"),
        ({"rate": surefoot.Real(2, 1)}, "parameter rate.*low = 2"),
        ({"rate": surefoot.Real("2", 1)}, "parameter rate: low = '2'"),
        ({"n": surefoot.Integer(0.5, 3)}, "parameter n = 0.5.*integers"),
        ({"k": surefoot.Choice("a", "a")}, "parameter k.*'a'.*own name"),
        ({"k": surefoot.Choice()}, "parameter k.*needs names"),
        ({"rate": surefoot.Real(0.01, 1, log="no")}, "parameter rate: log = 'no' is not allowed: it must be True or F"),
        ({"g": surefoot.Grid(1, 2, log=1)}, "parameter g: log = 1 is not allowed"),
        ({"a b": surefoot.Real(0, 1)}, "'a b'.*begins with a letter"),
        ({"a": surefoot.Real}, "parameter a: Real is not allowed: call it"),
        ({"a": 3}, "all parameters are fixed"),
        ({1: surefoot.Real(0, 1)}, "the name 1"),
        ({}, "space: {} is not allowed"),
        ([1, 2], "space: .1, 2. is not allowed"),
    ],
)
def test_refusals(bad, words):
    with pytest.raises((ValueError, TypeError), match=words):
        surefoot.minimize(cost, space=bad)


def test_not_together():
    for name in ("x0", "sigma0", "bounds"):
        with pytest.raises(ValueError, match=name):
            surefoot.minimize(cost, space=space(), **{name: [1]})
    with pytest.raises(ValueError, match="quadratic"):
        surefoot.minimize(cost, space=space(), model="quadratic")


def test_the_page(monkeypatch):
    """The Python program of docs/how-to/parameters.md runs; its assertions hold."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/parameters.md").read_text(), re.S)
    assert blocks
    for block in blocks:
        exec(block, {})


def test_args_go_to_the_other_parameters():
    def expect(fun, args):
        r = surefoot.minimize(fun, space={"a": surefoot.Real(0, 1)}, args=args, seed=1, maxiter=3)
        assert r.fun == pytest.approx(abs(r.x[0] - 0.25))

    expect(lambda a, z: abs(a - z / 12), (3,))
    expect(lambda z, a: abs(a - z / 12), (3,))
    expect(lambda a, z, n=1: abs(a - z / n), (3, 12))
    expect(lambda a, z, n=12: abs(a - z / n), 3)
    expect(lambda z, /, a, n=12: abs(a - z / n), (3,))
    expect(lambda *z, **values: abs(values["a"] - z[0] / 12), (3,))
    expect(lambda values, z: abs(values["a"] - z / 12), (3,))


def test_choices_may_be_arrays_and_empty_texts():
    one, two = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    search = surefoot.Optimizer(
        space={
            "w": surefoot.Choice(one, two, start=np.array([3.0, 4.0])),
            "flag": surefoot.Choice("", "-O2", start=""),
        },
        inject=[{"w": one, "flag": "-O2"}],
        seed=1,
    )
    points = [search.params(x) for x in search.ask()]
    assert [(p["w"][0], p["flag"]) for p in points] == [(3.0, ""), (1.0, "-O2")]


@pytest.mark.parametrize(
    "point, words",
    [
        ({"a": "x", "k": 1}, r"inject\[0\]: parameter a = 'x' is not allowed: it must be a number"),
        ({"a": "3", "k": 1}, "parameter a = '3' is not allowed"),
        ({"a": None, "k": 1}, "parameter a = None is not allowed"),
        ({"a": 0.5, "k": np.ones(2)}, r"inject\[0\]: parameter k = .* it must be one of \[1, 2\]"),
        ("ab", "inject.0.: text is not allowed"),
        ([0.5, None], "inject.0.: None is not allowed"),
    ],
)
def test_wrong_points_by_name(point, words):
    with pytest.raises((TypeError, ValueError), match=words):
        surefoot.Optimizer(space={"a": surefoot.Real(0, 1), "k": surefoot.Choice(1, 2)}, inject=[point])
