"""Limits on named outputs of a function."""

import numpy as np
import pytest
import surefoot


def amplifier(x):
    return {"gain": 20 * x[0], "ic": 1e-3 * x[0] + 1e-3 * x[1] ** 2, "vc": 5 + x[0] + x[1]}


def test_limits_are_constraints_of_their_own_scale_and_come_back_as_a_table():
    limits = surefoot.Limits({"gain": (39.5, 40.5), "vc": (6.5, None)}, minimize="ic")
    r = surefoot.minimize(
        amplifier, [1, 1], 0.5, constraints=limits, constraints_mode="augmented-lagrangian", seed=1, maxfevals=600
    )
    assert r.constraint_names == ["gain >= 39.5", "gain <= 40.5", "vc >= 6.5"]
    assert r.feasible and r.fun == pytest.approx(0.001975, rel=1e-3)
    gain, vc = r.limits
    assert gain["value"] == pytest.approx(20 * r.x[0], rel=1e-12) and vc["value"] == pytest.approx(5 + r.x.sum())
    assert gain["met"] and gain["excess"] == 0 and gain["multiplier"] == pytest.approx(5e-5, rel=0.3)
    np.testing.assert_allclose(r.g, [39.5 - 20 * r.x[0], 20 * r.x[0] - 40.5, (6.5 - 5 - r.x.sum()) / 6.5], atol=1e-12)


def test_the_largest_value_and_a_limit_that_cannot_be_met():
    limits = surefoot.Limits({"ic": (None, 3e-3), "vc": (60, None)}, maximize="gain")
    r = surefoot.minimize(amplifier, [1, 1], 0.5, constraints=limits, bounds=(-2, 2), seed=1, maxfevals=100)
    assert r.fun == -20 * r.x[0]
    vc = r.limits[1]
    assert not vc["met"] and vc["excess"] == pytest.approx(60 - vc["value"])


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: surefoot.Limits({"a": (1, 2)}), "minimize='current' or maximize='gain'"),
        (lambda: surefoot.Limits({"a": (2, 1)}, minimize="f"), "low must be below high"),
        (lambda: surefoot.Limits({"a": (None, None)}, minimize="f"), "it needs a finite side"),
        (lambda: surefoot.Limits({"a": 3}, minimize="f"), "(low, high)"),
        (lambda: surefoot.Limits({"a": (1, float("nan"))}, minimize="f"), "it needs a finite side"),
    ],
)
def test_wrong_limits_are_refused(make, words):
    with pytest.raises(ValueError) as error:
        make()
    assert words in str(error.value)


def test_outputs_that_are_missing_are_named():
    with pytest.raises(TypeError, match="no output 'current'; there are gain, ic, vc"):
        surefoot.minimize(amplifier, [1, 1], 0.5, constraints=surefoot.Limits({}, minimize="current"))
    with pytest.raises(TypeError, match="must return a dict of outputs"):
        surefoot.minimize(lambda x: 1.0, [1, 1], 0.5, constraints=surefoot.Limits({"a": (0, 1)}, minimize="f"))
