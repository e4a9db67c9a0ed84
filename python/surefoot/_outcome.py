"""One evaluation, wherever it happens."""

from __future__ import annotations

import math
import pickle
import time
import traceback
from typing import Any, Callable, NamedTuple, Optional, Tuple, Union

import numpy as np


class NoNumber(TypeError):
    """The function did not return a number: a mistake, which is raised, not a failed evaluation."""


class RemoteError(Exception):
    """An error in another process: the traceback of an exception, or how the process ended."""


class Values(Tuple[float, ...]):
    """f and the values of constraints behind it."""


class Outcome(NamedTuple):
    """A value, or the reason why it is missing."""

    value: Union[float, Values, None]
    kind: str = ""
    reason: str = ""
    error: Optional[BaseException] = None
    where: str = ""  # the traceback of an exception in another process
    seconds: float = math.nan  # that the evaluation took
    worker: int = -1  # the process that did it; -1: not known

    def throw(self) -> None:
        """Raises the exception of the function, or one that says how the evaluation ended."""
        if isinstance(self.error, NoNumber):
            raise self.error
        if self.error is not None:
            raise self.error from (RemoteError("\n" + self.where) if self.where else None)
        raise TimeoutError(self.reason) if self.kind == "timeout" else RemoteError(self.where or self.reason)


def number_or_values(value: Any) -> Union[float, Values]:
    """The number that an objective returned, or the numbers of one with constraints."""
    return value if type(value) is Values else number(value)


def number(value: Any) -> float:
    """The value of a function, which may be a float, anything of NumPy's with one element, or an int.

    >>> number(np.array([2]))
    2.0
    >>> number(None)
    Traceback (most recent call last):
        ...
    surefoot._outcome.NoNumber: the function returned None: it must return one number
    """
    if type(value) is float:
        return value
    try:
        if value is np.ma.masked:
            value = None
        array = np.asarray(value)
        if array.size == 1 and array.dtype.kind in "fiub":
            return float(array.reshape(()))
        if array.shape == () and array.dtype.kind == "O" and value is not None:  # fractions, decimals
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    shown = repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    raise NoNumber(f"the function returned {shown}: it must return one number")


class Guarded:
    """The objective as other processes and engines call it: it never raises, and its result can be pickled."""

    def __init__(self, fun: Callable[..., Any], args: tuple):
        self.fun = fun
        self.args = args
        self.__name__ = getattr(fun, "__name__", "objective")  # engines show this name

    def __call__(self, x: np.ndarray) -> Outcome:
        begin = time.perf_counter()
        return self._outcome(x)._replace(seconds=time.perf_counter() - begin)

    def _outcome(self, x: np.ndarray) -> Outcome:
        try:
            return Outcome(number_or_values(self.fun(x, *self.args)))
        except NoNumber as error:
            return Outcome(None, "exception", str(error), error)
        except Exception as error:
            where = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            return Outcome(None, "exception", describe(error), error if _can_be_sent(error) else None, where)


def describe(error: BaseException) -> str:
    """The exception in one short line that can be written anywhere."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "its text cannot be had"
    if len(text) > 500:
        text = text[:497] + "..."
    text = text.encode("utf-8", "replace").decode()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _can_be_sent(error: BaseException) -> bool:
    try:
        return isinstance(pickle.loads(pickle.dumps(error)), BaseException)
    except Exception:
        return False
