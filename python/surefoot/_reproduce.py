"""The folders that `surefoot reproduce`, `surefoot bench` and `surefoot arena` write."""

from __future__ import annotations

import csv
import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Tuple

import numpy as np

from ._plot import read_trace


class Traces(Mapping):  # type: ignore[type-arg]
    """Tables of traces by the names of their files without the ending, as "auto/f1_d2_i1". They are read when they are
    asked for."""

    def __init__(self, folder: str):
        self._files = dict(_trace_files(folder))
        self._tables: Dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._tables:
            self._tables[name] = _read_any(self._files[name])
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _trace_files(folder: str) -> Iterator[Tuple[str, str]]:
    for path, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            name, ending = os.path.splitext(os.path.join(path, file))
            if ending in (".csv", ".jsonl"):
                yield os.path.relpath(name, folder).replace(os.sep, "/"), name + ending


def _read_any(file: str) -> Any:
    return read_table(file) if file.endswith(".csv") else _as_table(read_trace(file))


class Experiment:
    """What a folder holds: `protocol` and `summary` as dicts, and each CSV file as a table.

    A table is a pandas.DataFrame if pandas is installed, and a dict of NumPy arrays otherwise; both give a column by
    its name. `trials` is the table with one row a trial or search, whether its file is called trials.csv or runs.csv.
    `traces` has those of the folder's subfolder of that name.
    """

    def __init__(self, folder: Any):
        self.folder = os.fspath(folder)
        if not os.path.isdir(self.folder):
            raise ValueError(f"folder = {self.folder!r} is not allowed: there is no such folder")
        self.protocol = self._json("protocol.json")
        self.summary = self._json("summary.json")
        self.tables: Dict[str, Any] = self._tables(self.folder)
        self.traces = Traces(os.path.join(self.folder, "traces"))
        if not self.protocol and not self.tables:
            raise ValueError(f"folder = {self.folder!r} is not allowed: it holds no protocol.json and no CSV file")

    def __getattr__(self, name: str) -> Any:
        tables = self.__dict__.get("tables", {})
        if name in tables:
            return tables[name]
        if name == "trials" and "runs" in tables:
            return tables["runs"]
        if name == "trials" and not tables and self.__dict__.get("protocol"):
            raise AttributeError(f"{self.__dict__.get('folder')} has no trials yet: no search of it has ended")
        raise AttributeError(f"{self.__dict__.get('folder')} has no table {name}; there are {sorted(tables)}")

    def __repr__(self) -> str:
        return f"<experiment {self.folder}: {', '.join(sorted(self.tables))}; {len(self.traces)} traces>"

    def _json(self, name: str) -> Dict[str, Any]:
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    @staticmethod
    def _tables(folder: str) -> Dict[str, Any]:
        if not os.path.isdir(folder):
            return {}
        files = sorted(name for name in os.listdir(folder) if name.endswith(".csv"))
        return {name[: -len(".csv")]: read_table(os.path.join(folder, name)) for name in files}


def read_table(file: str) -> Any:
    """A CSV file as a pandas.DataFrame, or as a dict of arrays without pandas."""
    try:
        import pandas
    except ImportError:
        return _columns(file)
    return pandas.read_csv(file)


def _as_table(columns: Dict[str, np.ndarray]) -> Any:
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def _columns(file: str) -> Dict[str, np.ndarray]:
    with open(file, newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    if not rows:
        return {}
    names, values = rows[0], rows[1:]
    return {name: _array([row[k] for row in values]) for k, name in enumerate(names)}


def _array(texts: List[str]) -> np.ndarray:
    for kind in (np.int64, np.float64):
        try:
            return np.array([text if text else "nan" for text in texts]).astype(kind)
        except ValueError:
            continue
    return np.array(texts)


def reproduce(folder: Any) -> Experiment:
    """Reads the folder that `surefoot reproduce --out FOLDER` (or bench, or arena) wrote.

    paper = surefoot.reproduce("paper")
    paper.trials["evaluations"]                # every trial, or every search of a benchmark
    paper.traces["auto/f1_d2_i1"]              # of `surefoot bench bbob --traces`
    paper.summary                              # what the report shows
    """
    return Experiment(folder)
