#!/usr/bin/env python3
"""The tutorial: its commands do what the page says, one after the other, in a copy of the examples.

Usage: tutorial.py PROGRAM

In blocks of the kind `console` lines after `$ ` are commands; what follows is what they print. Lines may be left out
between those that are shown, `...` stands for anything, and numbers may differ by a fiftieth. A comment behind a command
says its exit status, if that is not 0.
"""

import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorials" / "simulator.md"
EXAMPLE = "examples/suspension"
TOLERANCE = 0.02
LIMIT = 280  # seconds; the machine may be busy
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)


def commands(text):
    """Pairs of a command and the lines that the page shows below it."""
    found = []
    for block in blocks(text, "console"):
        goes_on = False
        for line in block.splitlines():
            if goes_on:
                found[-1][0] += "\n" + line
            elif line.startswith("$ "):
                found.append([line[2:], []])
            else:
                found[-1][1].append(line)
            goes_on = (goes_on or line.startswith("$ ")) and line.endswith("\\")
    return found


def promised_status(command):
    match = re.search(r"# exit status (\d+)$", command)
    return int(match.group(1)) if match else 0


def plain(text):
    return re.sub(r"(\\ )+", r"\\s+", re.escape(text))


def pattern(shown):
    """Numbers become groups, `...` anything, blanks any number of them, and the rest stands for itself."""
    parts = [".*".join(plain(piece) for piece in part.split("...")) for part in NUMBER.split(shown)]
    return f"({NUMBER.pattern})".join(parts)


def is_as_shown(shown, line):
    match = re.fullmatch(pattern(shown), line.rstrip())
    if not match:
        return False
    numbers = [float(word) for word in NUMBER.findall(shown)]
    return all(math.isclose(a, float(b), rel_tol=TOLERANCE) for a, b in zip(numbers, match.groups()))


def missing(shown, printed):
    """The first line of the page that the output lacks, where the lines keep their order."""
    lines = iter(printed.splitlines())
    for wanted in shown:
        if wanted.strip() not in ("", "...") and not any(is_as_shown(wanted.rstrip(), line) for line in lines):
            return wanted
    return None


def test_the_checks_themselves():
    page = "```console\n$ a \\\n  b  # exit status 3\nx 1\n$ c &\n```\n```sh\n$ d\n```\n"
    assert commands(page) == [["a \\\n  b  # exit status 3", ["x 1"]], ["c &", []]]
    assert [promised_status(command) for command, _ in commands(page)] == [3, 0]
    assert is_as_shown("f = 2.00, in ... s", "f = 2.01, in 7 s") and is_as_shown("-1e-3", "-0.001")
    assert not is_as_shown("f = 2.00", "f = 2.10") and not is_as_shown("f = 2", "g = 2")
    assert not is_as_shown("exit status 1", "exit status 2") and not is_as_shown("a.c", "abc")
    assert missing(["a", "...", "c 3"], "a\nb\nc 3\n") is None
    assert missing(["c", "a"], "a\nb\nc\n") == "a" and missing(["a", "a"], "a\n") == "a"


def run(page_commands, folder):
    """All commands in one shell; their statuses and what each has printed."""
    mark = "@@@ tutorial"
    script = "".join(f"{command}\nprintf '\\n{mark} %s\\n' $?\n" for command, _ in page_commands)
    (folder / "tmp").mkdir()
    environment = dict(os.environ, TMPDIR=str(folder / "tmp"), PATH=f"{PROGRAM.parent}:{os.environ['PATH']}")
    ended = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
    )
    parts = re.split(rf"\n{mark} (\d+)\n", ended.stdout)
    return list(zip((int(status) for status in parts[1::2]), parts[0::2]))


def test_the_page_shows_the_files(text):
    for kind, name in (("python", "car.py"), ("ini", "car.ini.in")):
        assert blocks(text, kind) == [(ROOT / EXAMPLE / name).read_text(encoding="utf-8")], f"the page's {name}"


def test_commands_do_what_the_page_says(text, folder):
    page_commands = commands(text)
    results = run(page_commands, folder)
    assert len(results) == len(page_commands), results[-1]
    for (command, shown), (status, printed) in zip(page_commands, results):
        assert status == promised_status(command), f"{command}: status {status}, it printed\n{printed}"
        lacking = missing(shown, printed)
        assert lacking is None, f"{command}: it printed\n{printed}\nwhich lacks\n{lacking}"


def course(folder):
    """The log in the order of the search, without what depends on time and workers."""
    with open(folder / "evals.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    place = ("generation", "candidate", "attempt")
    names = (*place, "status", "f", "constraints", "damping", "leaves")
    return sorted(([row[name] for name in names] for row in rows), key=lambda row: [int(word) for word in row[:3]])


def fresh(folder):
    """The folder with the example and nothing else: traces name the folder, so that all searches have the same one."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / EXAMPLE, folder / EXAMPLE)
    return folder


def search_without_a_kill(text, folder):
    """Log and trace of the page's search, if nobody kills it."""
    page = [command for command, _ in commands(text)]
    settings = next(command for command in page if command.startswith("car=("))
    search = next(command for command in page if command.endswith("--quiet &"))
    run([[command, []] for command in ("cd " + EXAMPLE, settings, search.removesuffix("&"))], folder)
    return course(folder / EXAMPLE), (folder / EXAMPLE / "car.jsonl").read_bytes()


def test_files(folder, rows, trace):
    """What was killed and resumed is what a search without a kill gives, and what the page says of it."""
    assert course(folder) == rows
    assert (folder / "car.jsonl").read_bytes() == trace
    end = json.loads(trace.splitlines()[-1])["end"]
    failures = [row for row in rows if row[3] != "ok"]
    assert end["nfev"] == len(rows) and end["nfailed"] == len(failures) > 0
    assert all(row[3] == "exit" and float(row[6]) > 3e4 for row in failures), "only stiff dampers crash"
    assert end["fun"] == min(float(row[4]) for row in rows if row[3] == "ok" and float(row[5]) <= 0)
    assert len(list((folder / "surefoot-folders").glob("*/surefoot.txt"))) == len(failures)
    page = (folder / "car.html").read_text(encoding="utf-8")
    assert "Failures lie where damping \\u003e 2.836e+04" in page


def main():
    text = PAGE.read_text(encoding="utf-8")
    test_the_checks_themselves()
    test_the_page_shows_the_files(text)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "tutorial")
        rows, trace = search_without_a_kill(text, fresh(folder))
        test_commands_do_what_the_page_says(text, fresh(folder))
        test_files(folder / EXAMPLE, rows, trace)
    print(f"{len(commands(text))} commands of the tutorial")


main()
