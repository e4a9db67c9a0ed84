"""Arrays of numbers from any container."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_floats(name: str, value: Any) -> np.ndarray:
    """An array of doubles in C order. Refuses everything else with a message about `name`.

    >>> as_floats("x0", [1, 2])
    array([1., 2.])
    >>> as_floats("x0", "12")
    Traceback (most recent call last):
        ...
    TypeError: x0: text is not allowed: give numbers
    """
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name}: lists of different lengths are not allowed: give an array of numbers") from None
    if array.dtype.kind in "USO" and array.dtype.kind != "O":
        raise TypeError(f"{name}: text is not allowed: give numbers")
    if array.dtype.kind == "c":
        raise TypeError(f"{name}: complex numbers are not allowed: give real ones")
    if array.dtype.kind in "mMV":
        raise TypeError(f"{name}: an array of {array.dtype} is not allowed: give numbers")
    if array.dtype.kind == "O":
        array = _from_objects(name, array)
    return np.ascontiguousarray(array, dtype=np.float64) if array.ndim else array.astype(np.float64)


def _from_objects(name: str, array: np.ndarray) -> np.ndarray:
    for item in array.flat:
        if item is None or isinstance(item, (str, bytes, complex)):
            raise TypeError(f"{name}: {item!r} is not allowed: give numbers")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: an array of objects that are not numbers is not allowed: give numbers") from None


def as_point(name: str, value: Any) -> np.ndarray:
    """One number per coordinate; a single number is a point of one coordinate.

    >>> as_point("x0", 3)
    array([3.])
    """
    array = as_floats(name, value)
    if array.ndim == 0:
        return array.reshape(1)
    if array.ndim > 1:
        raise ValueError(f"{name}: an array of shape {array.shape} is not allowed: it must have one dimension")
    return array
