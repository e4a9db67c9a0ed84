#!/usr/bin/env python3
"""Reads a folder in COCO's data format, as its documentation describes it, and holds it against runs.csv.

    read_coco.py FOLDER RUNS.csv METHOD

Nothing is shared with the program that wrote it. Exit status 0 if all is well.
"""

import csv
import pathlib
import re
import sys

HEADER = re.compile(r"^suite = 'bbob', funcId = (\d+), DIM = (\d+), Precision = 1\.000e-08, algId = '([^']*)', "
                    r"logger = 'bbob', data_format = 'bbob-new2'$")
NUMBER = r"[+-]\d\.\d{9}e[+-]\d\d"
COORDINATE = r" [+-]\d\.\d{4}e[+-]\d\d"


def read_data(path, dimension):
    """Lines of one search: evaluations, best minus optimal value, value, best."""
    lines = path.read_text(encoding="ascii").splitlines()
    head = re.fullmatch(r"% f evaluations \| g evaluations \| best noise-free fitness - Fopt \((.*)\) \+ sum g_i\+ \| "
                        r"measured fitness \| best measured fitness or single-digit g-values \| x1 \| x2\.\.\.", lines[0])
    assert head, f"{path}: {lines[0]}"
    optimal = float(head[1])
    form = re.compile(rf"(\d+) 0 ({NUMBER}) ({NUMBER}) ({NUMBER})" + COORDINATE * (dimension if dimension < 22 else 0))
    rows = []
    for line in lines[1:]:
        match = form.fullmatch(line)
        assert match, f"{path}: {line}"
        row = int(match[1]), float(match[2]), float(match[3]), float(match[4])
        assert abs(row[3] - optimal - row[1]) <= 1e-8 * max(1, abs(optimal), abs(row[1])), f"{path}: {line}"
        assert row[2] >= row[3], f"{path}: {line}"
        if rows:
            assert row[0] > rows[-1][0] and row[1] <= rows[-1][1], f"{path}: {line}"
        rows.append(row)
    assert rows[0][0] == 1, path
    return rows


def read_index(path):
    """Searches of one index file: (function, dimension, instance) -> (file, evaluations, precision)."""
    lines = path.read_text(encoding="ascii").splitlines()
    assert len(lines) % 3 == 0, path
    searches = {}
    for head, comment, body in zip(lines[::3], lines[1::3], lines[2::3]):
        match = HEADER.match(head)
        assert match and comment.startswith("%"), f"{path}: {head}"
        data = None
        for item in body.split(", "):
            if item.endswith(".dat"):
                data = path.parent / item
                continue
            entry = re.fullmatch(r"(\d+):(\d+)\|(-?\d\.\de[+-]\d\d)", item)
            assert entry, f"{path}: {item}"
            key = int(match[1]), int(match[2]), int(entry[1])
            assert key not in searches, key
            searches[key] = data, int(entry[2]), float(entry[3])
    return searches


def evaluations_to(rows, target):
    return next((row[0] for row in rows if row[1] <= target), None)


def close(a, b):
    return abs(a - b) <= 1e-8 * max(1, abs(a), abs(b))


def check(folder, runs, method):
    searches = {}
    for path in sorted(folder.glob("*.info")):
        searches.update(read_index(path))
    with open(runs, newline="", encoding="ascii") as file:
        expected = [row for row in csv.DictReader(file) if row["method"] == method]
    assert len(expected) == len(searches) > 0, (len(expected), len(searches))
    for row in expected:
        key = int(row["function"]), int(row["dimension"]), int(row["instance"])
        data, evaluations, precision = searches[key]
        assert evaluations == int(row["evaluations"]), key
        assert abs(precision - float(row["precision"])) <= 0.06 * abs(precision) + 1e-300, key
        dat = read_data(data, key[1])
        tdat = read_data(data.with_suffix(".tdat"), key[1])
        assert tdat[-1][0] == evaluations and close(tdat[-1][1], float(row["precision"])), key
        for name, hit in row.items():
            if name.startswith("1e"):
                found = evaluations_to(dat, 10 ** float(name[2:]) * (1 + 1e-9))
                assert found == (int(hit) if hit else None), (key, name, found, hit)
    return len(searches)


if __name__ == "__main__":
    print(check(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]), "searches agree")
