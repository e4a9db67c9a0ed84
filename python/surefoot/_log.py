"""Reads evaluation logs, which `surefoot minimize --log` and minimize(log=...) write."""

from __future__ import annotations

import csv
import json
import os
import re
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

_NUMBERS = ("id", "run", "generation", "candidate", "attempt")
_FIRST = (*_NUMBERS, "status", "f", "constraints", "seconds", "worker")


class Log(Dict[str, Any]):
    """The columns of an evaluation log by name, which pandas.DataFrame takes as they are.

    params: those of the parameters alone, by the parameters' names. constraints: an array with one row per evaluation.
    """

    def __init__(self, columns: Dict[str, Any], params: Dict[str, Any], constraints: np.ndarray):
        super().__init__(columns)
        self.params = params
        self.constraints = constraints

    def __missing__(self, name: str) -> Any:
        if name in ("params", "constraints"):  # as read_log gave them before 0.3
            return getattr(self, name)
        raise KeyError(f"{name}: the log has the columns {', '.join(self)}")

    def __reduce__(self) -> Any:
        return Log, (dict(self), self.params, self.constraints)


def read_log(file: Any) -> Log:
    """The columns of an evaluation log, .csv or .jsonl, one entry per evaluation.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "evals.csv")
    >>> r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3], 1, maxfevals=20, seed=1, log=path)
    >>> log = surefoot.read_log(path)
    >>> len(log["f"]), log["f"].min() == r.fun, list(log.params)
    (20, True, ['x0', 'x1'])
    >>> import pandas
    >>> pandas.DataFrame(log)[["id", "status", "x0", "x1", "f"]].shape
    (20, 5)

    id, run, generation, candidate, attempt: arrays of integers. f, seconds: arrays of floats, NaN for missing values.
    worker: integers, -1 if unknown. status, reason: lists of texts. Each parameter has a column under its
    name, or `param.NAME` if another column is called so: an array of floats or, for a choice, a list of texts. A .csv
    does not tell choices that are all written as numbers are, like Choice("1", "2"), from numbers: they are floats.
    Constraints have the columns constraint[0], constraint[1], ..., NaN for missing values.

    log.params has only the parameters, by name, and log.constraints an array with one row per evaluation.

    An incomplete last line is left out: the search may be writing it.
    """
    is_csv, all_rows = _rows(os.fspath(file))
    rows = list(all_rows)
    log: Dict[str, Any] = {name: np.array([int(row[name]) for row in rows], dtype=np.int64) for name in _NUMBERS}
    log["status"] = [row["status"] for row in rows]
    for name in ("f", "seconds"):
        log[name] = np.array([_number(row[name]) for row in rows], dtype=float)
    f_of = {"infeasible": np.inf}
    log["f"] = np.array([f_of.get(status, f) for status, f in zip(log["status"], log["f"])], dtype=float)
    log["worker"] = np.array([-1 if row["worker"] in (None, "") else int(row["worker"]) for row in rows], dtype=int)
    constraints = _matrix([row["constraints"] for row in rows])
    log.update({f"constraint[{k}]": column for k, column in enumerate(constraints.T)})
    names = list(rows[0]["params"]) if rows else []
    params = {name: _values([row["params"][name] for row in rows], is_csv) for name in names}
    taken = (*log, "constraints", "reason")
    log.update({f"param.{name}" if name in taken else name: column for name, column in params.items()})
    log["reason"] = [row["reason"] for row in rows]
    return Log(log, params, constraints)


def _rows(file: str) -> Tuple[bool, Iterator[Dict[str, Any]]]:
    """Whether it is a CSV file, and its rows."""
    with open(file, encoding="utf-8", errors="replace", newline="") as text:
        lines = text.read().split("\n")[:-1]  # an incomplete last line was cut off
    if lines and lines[0].startswith("id,"):
        return True, _csv_rows(file, lines)
    return False, (_json_row(file, number, line) for number, line in enumerate(lines, 1))


def _csv_rows(file: str, lines: List[str]) -> Iterator[Dict[str, Any]]:
    header, *rows = csv.reader(lines)
    if tuple(header[: len(_FIRST)]) != _FIRST or header[-1] != "reason":
        raise ValueError(f"{file}: line 1 is not the first line of an evaluation log")
    names = [_parameter(name) for name in header[len(_FIRST) : -1]]
    for number, cells in enumerate(rows, 2):
        if len(cells) != len(header):
            raise ValueError(f"{file}: line {number} has {len(cells)} columns instead of {len(header)}")
        row: Dict[str, Any] = dict(zip(_FIRST, cells))
        row["constraints"] = [float(value) for value in row["constraints"].split()]
        row["params"] = dict(zip(names, map(_text, cells[len(_FIRST) : -1])))
        row["reason"] = _text(cells[-1])
        yield row


def _text(cell: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from computing it."""
    return cell[1:] if cell.startswith("'") else cell


def _parameter(name: str) -> str:
    """The name of a parameter, without what tells it from a column of the same name."""
    return name[len("param.") :] if name in _COLLIDING else name


_COLLIDING: Tuple[str, ...] = tuple(f"param.{name}" for name in (*_FIRST, "reason"))


def _json_row(file: str, number: int, line: str) -> Dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise ValueError(f"{file}: line {number} is not JSON; is it an evaluation log?") from None
    if not isinstance(row, dict) or not all(name in row for name in (*_FIRST, "params")):
        raise ValueError(f"{file}: line {number} is not a row of an evaluation log")
    return {"reason": "", **row}


def _number(cell: Any) -> float:
    return np.nan if cell in (None, "") else float(cell)


def _matrix(lists: List[List[Any]]) -> np.ndarray:
    """One row per evaluation; NaN for missing values."""
    width = max((len(values) for values in lists), default=0)
    matrix = np.full((len(lists), width), np.nan)
    for row, values in zip(matrix, lists):
        row[: len(values)] = [_number(value) for value in values]
    return matrix


_WRITTEN_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d*[1-9])?(e[+-]\d+)?")  # "01" and "1.0" are names


def _values(cells: List[Any], is_csv: bool) -> Any:
    if all(_is_number(cell, is_csv) for cell in cells):
        return np.array([float(cell) for cell in cells], dtype=float)
    return [str(cell) for cell in cells]


def _is_number(cell: Any, is_csv: bool) -> bool:
    return bool(_WRITTEN_NUMBER.fullmatch(cell)) if is_csv else not isinstance(cell, str)
