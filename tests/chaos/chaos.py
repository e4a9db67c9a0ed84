#!/usr/bin/env python3
"""Disturbs searches in every way that a machine can, and expects the bytes of searches that nobody has disturbed.

    chaos.py PROGRAM ROUNDS [FIRST_ROUND]

A round is a search that its number decides: method, objective, evaluator, constraints, templates, bounds, restarts, log. It
is run once in peace, then again with kills, stops, full disks, cut journals and older checkpoints. Moments are random in
time, so two runs of a round differ; whatever they are, result, trace and log must be the same. The number of a failed
round is printed.
"""

import collections
import csv
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Callable, Counter, List, Optional, Tuple

LIMIT = 120  # seconds that nothing may take; only a hang does

ONCE = """awk '{printf "%.17g\\n", 100 * ($2 - $1 * $1)^2 + (1 - $1)^2}'"""
# mawk does not read a line before its buffer is full.
PERSISTENT = f"""{sys.executable} -c '
import sys
for line in sys.stdin:
    x, y = map(float, line.split())
    print(repr(100 * (y - x * x) ** 2 + (1 - x) ** 2), flush=True)'"""
# A quarter of all points fails, always the same ones.
FAILING = """awk '{if (int($1 * 1000) % 4 == 0) exit 7; printf "%.17g\\n", 100 * ($2 - $1 * $1)^2 + (1 - $1)^2}'"""
# f, and one inequality.
HALF = """awk '{printf "%.17g %.17g\\n", 100 * ($2 - $1 * $1)^2 + (1 - $1)^2, $1 + $2 - 1}'"""
# What a simulator does, in the folder of its candidate, and the file that it reads.
SIMULATOR = FAILING + " params >result\n"
TEMPLATE = "{x0} @x1@\n"

# What a version cannot do yet is left out by name.
LEFT_OUT = os.environ.get("SUREFOOT_CHAOS_WITHOUT", "").split(",")


def search_words(dice: random.Random, methods: List[str]) -> List[str]:
    """The search of a round."""
    words = ["--seed", str(dice.randrange(1000)), "--quiet", "--method", dice.choice(methods)]
    evaluator = dice.choice(
        ["function", "function", "constrained", "once", "persistent", "failing", "half", "template"]
    )
    if evaluator == "constrained":
        words += ["--problem", *dice.choice([["lin", "--dim", "10"], ["mul10"], ["g06"], ["g09"], ["g11"], ["g24"]])]
        words += ["--maxfevals", str(dice.randrange(300, 1500))]
    elif evaluator == "function":
        words += ["--problem", dice.choice(["rosenbrock", "ellipsoid", "rastrigin", "bbob-f8", "bbob-f15"])]
        words += ["--dim", str(dice.choice([2, 3, 5, 10])), "--maxfevals", str(dice.randrange(300, 3000))]
    else:
        commands = {"once": ONCE, "persistent": PERSISTENT, "failing": FAILING, "half": HALF}
        words += ["--command", commands.get(evaluator, "sh {here}/simulator.sh")]
        words += ["--constraints", "1"] if evaluator == "half" else []
        words += ["--template", "params.in", "--output", "file:result"] if evaluator == "template" else []
        words += ["--x0=-1,2", "--sigma0", "0.5", "--maxfevals", str(dice.randrange(40, 100))]
        words += ["--lower=-5", "--upper", "5"] if dice.random() < 0.5 else []
        words += ["--persistent"] if evaluator == "persistent" else []
        retries = 0 if "retry" in LEFT_OUT else dice.randrange(3)
        words += ["--retry", str(retries)] if evaluator in ("failing", "template") else []
    if "lm-ma-es" in words and "10" not in words:  # it wants nine variables
        words[words.index("lm-ma-es")] = "cma"
    words += ["--restarts", dice.choice(["none", "ipop", "bipop"])]
    words += ["--log", "run.csv"] if dice.random() < 0.5 else []
    return words + ["--workers", str(dice.choice([1, 2, 3]))]


class Search:
    """One search with its files, in a folder of its own."""

    def __init__(self, program: str, folder: pathlib.Path, words: List[str]) -> None:
        self.program, self.folder, self.words = program, folder, words
        folder.mkdir()
        (folder / "simulator.sh").write_text(SIMULATOR)
        (folder / "params.in").write_text(TEMPLATE)
        self.checkpoint, self.trace, self.log = folder / "run.sf", folder / "run.jsonl", folder / "run.csv"
        self.journal, self.previous = folder / "run.sf.journal", folder / "run.sf.prev"
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.was_full = False

    def start(self, every: str, file_limit: Optional[int] = None) -> None:
        if self.checkpoint.exists():
            words = ["resume", "run.sf", "--json"]
        else:
            words = ["minimize", *self.words, "--json", "--checkpoint", "run.sf", "--trace", "run.jsonl"]
            words += ["--checkpoint-every", every]
        # Files, not pipes, which programs that outlive a killed search would keep open.
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            self.process = subprocess.Popen(
                [self.program, *words], cwd=self.folder, stdout=out, stderr=err, preexec_fn=limit_files(file_limit)
            )

    def wait(self) -> "subprocess.CompletedProcess[bytes]":
        assert self.process is not None
        try:
            status = self.process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("it hangs") from None
        out, err = (self.folder / "out").read_bytes(), (self.folder / "err").read_bytes()
        return subprocess.CompletedProcess(self.process.args, status, out, err)

    def evaluations(self) -> List[Tuple[str, ...]]:
        """The rows of the log without what depends on time: ids, seconds and workers, and the order of workers."""
        if not self.log.exists():
            return []
        with open(self.log, newline="") as file:
            rows = list(csv.reader(file))
        ids = [row[0] for row in rows[1:]]
        assert ids == [str(i + 1) for i in range(len(ids))], "ids of the log have gaps"
        return sorted(tuple(row[1:8] + row[10:]) for row in rows)

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)


def limit_files(size: Optional[int]) -> Callable[[], None]:
    """Files of this process stay this small: like a full disk, writing fails. Nothing else needs a right for it."""

    def before_exec() -> None:
        if size is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return before_exec


def cut_journal(search: Search, dice: random.Random) -> None:
    """Loses the end of what the operating system had not written when the power went."""
    if search.journal.exists():
        os.truncate(search.journal, dice.randrange(search.journal.stat().st_size + 1))


def tear_journal(search: Search, dice: random.Random) -> None:
    """A piece of an entry, or noise, behind the last whole one. A beginning that is cut has no entry behind it."""
    old = search.journal.read_bytes() if search.journal.exists() else b""
    if len(old) >= 27:
        noise = old[: dice.randrange(len(old) + 1)][-dice.randrange(1, 60) :] + dice.randbytes(dice.randrange(9))
        search.journal.write_bytes(old + noise)


def append_zeros(search: Search, dice: random.Random) -> None:
    """What a power cut leaves of a file whose new length was written, but not its bytes."""
    if search.journal.exists():
        search.journal.write_bytes(search.journal.read_bytes() + bytes(dice.randrange(1, 5000)))


def restore_previous(search: Search, dice: random.Random) -> None:
    """The checkpoint is damaged. It is refused, and its predecessor goes on."""
    if not search.previous.exists():
        return
    damaged = bytearray(search.checkpoint.read_bytes())
    damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
    search.checkpoint.write_bytes(bytes(damaged))
    search.start("1s")
    refused = search.wait()
    assert refused.returncode == 2 and b"run.sf.prev" in refused.stderr, f"a damaged file gives {refused}"
    shutil.copy(search.previous, search.checkpoint)


AFTER_DEATH = [cut_journal, tear_journal, append_zeros, restore_previous]


def disturb(search: Search, dice: random.Random, seconds: float, seen: Counter[str]) -> None:
    """Starts the search and lets something happen to it."""
    every = dice.choice(["1s", "0.01s", "1", "7", "100"])
    events = ["kill", "kill", "kill", "terminate", "interrupt", "stop", "full"]
    event = dice.choice([each for each in events if each not in LEFT_OUT])
    full = dice.randrange(1, 30000) if event == "full" else None
    search.was_full = search.was_full or full is not None
    search.start(every, full)
    time.sleep(dice.random() * seconds)
    if event == "stop":
        search.send(signal.SIGSTOP)
        time.sleep(dice.random() * 0.05)
        search.send(signal.SIGCONT)
        time.sleep(dice.random() * seconds)
    if event in ("kill", "stop"):
        search.send(signal.SIGKILL)
    if event == "terminate":
        search.send(signal.SIGTERM)
    if event == "interrupt":
        search.send(signal.SIGINT)
    ended = search.wait()
    assert ended.returncode in (0, 1, 2, 3, 4, 130, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT), f"{ended}"
    seen[event] += 1
    if not search.checkpoint.exists():
        clear(search)
        search.was_full = False
    elif event in ("kill", "stop") and dice.random() < 0.6:
        after = dice.choice([each for each in AFTER_DEATH if each.__name__ not in LEFT_OUT])
        after(search, dice)
        seen[after.__name__] += 1


def clear(search: Search) -> None:
    """Nothing was saved yet: the search starts anew, and what a trace holds by then is from before."""
    for file in (search.trace, search.log, search.journal, search.previous):
        file.unlink(missing_ok=True)


def play(program: str, methods: List[str], number: int, folder: pathlib.Path, seen: Counter[str]) -> None:
    dice = random.Random(number)
    words = search_words(dice, methods)
    print(f"round {number}: surefoot minimize {' '.join(words)}", flush=True)
    peace = Search(program, folder / "peace", words)
    begin = time.monotonic()
    peace.start("1s")
    expected = peace.wait()
    seconds = time.monotonic() - begin
    assert expected.returncode in (0, 1, 3), f"in peace: {expected}"

    chaos = Search(program, folder / "chaos", words)
    for _ in range(dice.randrange(2, 7)):
        disturb(chaos, dice, seconds, seen)
    chaos.start("1s")
    ended = chaos.wait()
    is_trace_short = chaos.was_full and ended.returncode == 4 and b"trace run.jsonl lacks generation" in ended.stderr
    assert ended.returncode == expected.returncode or is_trace_short, f"another status: {ended}"
    assert ended.stdout == expected.stdout, f"another result:\n{ended.stdout!r}\n{expected.stdout!r}\n{ended.stderr!r}"
    if not chaos.was_full:  # what did not fit into a trace or a log is lost
        assert chaos.trace.read_bytes() == peace.trace.read_bytes(), "another trace"
        assert chaos.evaluations() == peace.evaluations(), "another log"


def main() -> int:
    program, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    listed = subprocess.run([program, "list", "methods", "--json"], check=True, capture_output=True).stdout
    methods = [method["name"] for method in json.loads(listed)["methods"]]
    seen: Counter[str] = collections.Counter()
    failed = []
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # every checkpoint is synced, which takes long on a disk
    for number in range(first, first + rounds):
        with tempfile.TemporaryDirectory(dir=memory) as folder:
            try:
                play(program, methods, number, pathlib.Path(folder), seen)
            except AssertionError as error:
                print(f"FAILED: round {number}: {error}", flush=True)
                failed.append(number)
    print(f"{rounds} rounds: " + ", ".join(f"{count} x {name}" for name, count in sorted(seen.items())))
    print(f"failed: {failed}" if failed else "all ended with the same bytes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
