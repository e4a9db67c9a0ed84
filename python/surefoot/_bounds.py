"""Bounds in scipy's and other forms."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from ._arrays import as_floats


def listed(bounds: Any) -> Any:
    """Bounds that can be read more than once: a list in place of an iterator, such as a zip."""
    return list(bounds) if hasattr(bounds, "__next__") else bounds


def as_sides(bounds: Any, dimension: int) -> Optional[Tuple[np.ndarray, np.ndarray]]:
    """Lower and upper limits from scipy's pairs, scipy.optimize.Bounds, or [lower, upper].

    A list of `dimension` pairs is read as scipy does: in two dimensions [[0, 1], [2, 3]] bounds the first coordinate
    by 0 and 1. None and infinity mean no bound.

    >>> as_sides([(0, 1), (None, 3)], 2)
    (array([  0., -inf]), array([1., 3.]))
    >>> as_sides([-1, 1], 3)
    (array([-1., -1., -1.]), array([1., 1., 1.]))
    >>> as_sides([[0, 0, 0], 1], 3)
    (array([0., 0., 0.]), array([1., 1., 1.]))
    """
    if bounds is None:
        return None
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        return _side("lower", bounds.lb, -np.inf, dimension), _side("upper", bounds.ub, np.inf, dimension)
    try:
        items = list(bounds)
    except TypeError:
        raise TypeError(
            f"bounds: {bounds!r} is not allowed: give pairs (low, high), [lower, upper], or a scipy.optimize.Bounds"
        ) from None
    if len(items) == dimension and all(_is_pair(item) for item in items):
        lower, upper = [item[0] for item in items], [item[1] for item in items]
    elif len(items) == 2:
        lower, upper = items
    else:
        raise ValueError(
            f"bounds: {len(items)} items are not allowed: give {dimension} pairs (low, high), [lower, upper], or a "
            "scipy.optimize.Bounds"
        )
    return _side("lower", lower, -np.inf, dimension), _side("upper", upper, np.inf, dimension)


def _is_pair(item: Any) -> bool:
    return np.ndim(item) == 1 and len(item) == 2


def _side(name: str, values: Any, none: float, dimension: int) -> np.ndarray:
    if values is None:
        values = none
    elif np.ndim(values) == 1:
        values = [none if v is None else v for v in values]
    side = as_floats(f"bounds: {name}", values)
    if side.ndim > 1 or side.size not in (1, dimension):
        raise ValueError(
            f"bounds: {name} of shape {side.shape} is not allowed: give one number or {dimension}, one per coordinate"
        )
    return np.full(dimension, side.reshape(-1)[0]) if side.size == 1 else side
