#!/usr/bin/env python3
"""What a search shows while it runs, on terminals of several widths and in files.

Usage: terminal.py PROGRAM
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM = os.path.abspath(sys.argv[1])
SLOW = 'sh -c \'read x y; sleep 0.05; echo "$x" "$y" | awk "{print \\$1 * \\$1 + \\$2 * \\$2}"\''
LIMIT = 200  # seconds; the machine may be busy


class Terminal:
    """A program on a pseudo terminal: stderr is the terminal, stdout a pipe."""

    def __init__(self, width, words):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))

        def own_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [PROGRAM, *words], stdin=slave, stdout=subprocess.PIPE, stderr=slave, preexec_fn=own_terminal
        )
        os.close(slave)
        self.seen = ""

    def read(self, wanted):
        """Reads until a pattern has come, or the end."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and not re.search(wanted, self.seen):
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode()
                except OSError:  # the end of the terminal
                    break
        assert re.search(wanted, self.seen), f"waited in vain for {wanted!r} in {self.seen!r}"

    def end(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            self.seen += data.decode()
        out = self.process.stdout.read().decode()
        return self.process.wait(), out

    def lines(self):
        """What stood in the live line, one after the other."""
        return [part.split("\x1b[K")[0] for part in self.seen.split("\r") if "\x1b[K" in part]


def test_live_line_fits_every_width():
    for width in (20, 50, 80, 200):
        terminal = Terminal(
            width,
            ["minimize", "--command", SLOW, "--x0=3,3", "--sigma0=1", "--seed=1", "--maxfevals=60", "--model=none"],
        )
        status, out = terminal.end()
        assert status == 1 and "best f" in out, (status, out)
        rows = terminal.seen.split("\r\x1b")[0].split("\r")[:-1] if "\r\n" in terminal.seen else []
        rows = [row.strip("\n") for row in rows if not row.endswith("\x1b[K")]
        assert all(len(row) < width or " " not in row for row in rows), (width, rows)  # broken between words
        first = " ".join(rows)
        for word in ("2 parameters", "method", "popsize 6", "at most 60 evaluations", "seed 1"):
            assert word in first, first
        lines = [line for line in terminal.lines() if line]
        assert lines, terminal.seen
        assert all(len(line) < width for line in lines), (width, lines)
        assert any("eval" in line for line in lines), lines
        if width >= 80:
            for word in ("best f", "sigma", "/s", " left"):
                assert any(word in line for line in lines), (word, lines)
        assert terminal.seen.endswith("\r\x1b[K"), terminal.seen[-60:]  # the line is cleared at the end


def test_sigusr1_tells_everything():
    failing = "sh -c 'read x y; sleep 0.05; case $x in *7) echo bad luck >&2; exit 3;; esac; echo $x'"
    terminal = Terminal(
        80, ["minimize", "--command", failing, "--x0=3,3", "--sigma0=1", "--seed=1", "--lower=0", "--upper=9"]
    )
    terminal.read("failed")
    os.kill(terminal.process.pid, signal.SIGUSR1)
    terminal.read("failed   [0-9]+ of [0-9]+: exit, exit status 3: bad luck[^~]*again: .*\n")
    for pattern in ("state    running as process", "best f   ", "at       x0 = ", "again: echo '[0-9.e-]+7 "):
        assert re.search(pattern, terminal.seen), (pattern, terminal.seen)
    again = re.search("again: (.*)", terminal.seen).group(1).strip()
    repeated = shell(again)
    assert repeated.returncode == 3 and "bad luck" in repeated.stdout, (again, repeated)
    os.kill(terminal.process.pid, signal.SIGINT)
    status, out = terminal.end()
    assert status == 130 and "interrupted" in out, (status, out)


def test_the_command_that_repeats_a_failure_has_the_arguments():
    with tempfile.TemporaryDirectory() as folder:
        failing = "sh -c 'echo no $* >&2; exit 3' name"
        words = ["minimize", "--command", failing, "--args={rate} all={x} {x1}", "--checkpoint=run.sf", "--seed=1"]
        ended = run(folder, *words, "--param=rate=real(1,9)", "--param=kind=choice('a b',c)")
        assert ended.returncode == 3, ended
        told = run(folder, "status", "run.sf").stdout
        again = re.search("again: (.*)", told).group(1)
        at = re.search("at rate = ([0-9.]+), kind = (a b|c)", told)
        repeated = shell(again)
        rate = re.search(r"^ *no ([0-9.]+) all=", repeated.stdout, re.MULTILINE).group(1)
        assert abs(float(rate) - float(at.group(1))) < 1e-4, (told, repeated)
        assert f"no {rate} all={rate},{at.group(2)} {at.group(2)}\n" in repeated.stdout, (again, repeated)


def shell(command):
    """As a user would paste it, with the program in the path."""
    path = f"{os.path.dirname(os.path.abspath(PROGRAM))}:{os.environ['PATH']}"
    return subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=LIMIT, env={**os.environ, "PATH": path}
    )


def run(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=LIMIT)


def test_a_file_gets_a_table():
    words = ["minimize", "--problem=sphere", "--dim=3", "--seed=1", "--method=xnes", "--maxiter=30"]
    with tempfile.TemporaryDirectory() as folder:
        ended = run(folder, *words)
        lines = ended.stderr.splitlines()
        assert lines[0].startswith("sphere: 3 parameters, method xnes, popsize 7, "), lines
        assert lines[1].split() == ["gen", "evals", "best", "f", "sigma", "failed", "evals/s", "time", "left"], lines
        assert [line.split()[0] for line in lines[2:]] == ["1", "2", "5", "10", "20", "30"], lines
        assert all(len(line) <= 80 for line in lines[1:]), lines
        quiet = run(folder, *words, "--quiet")
        assert quiet.stderr == "" and "best f" in quiet.stdout, quiet
        told = run(folder, *words, "--json")
        assert told.stdout.startswith("{") and told.stdout.count("\n") == 1, told.stdout


def test_auto_is_told():
    with tempfile.TemporaryDirectory() as folder:
        told = run(folder, "minimize", "--problem=sphere", "--dim=3", "--seed=1", "--maxfevals=100", "--checkpoint=a.sf")
        first = told.stderr.splitlines()[0]
        assert "method cma (auto) with a quadratic model, popsize" in first and "restarts" not in first, first
        status = run(folder, "status", "a.sf").stdout.splitlines()[0]
        assert "(auto) with a quadratic (auto) model" in status and "restarts bipop:9 (auto)" in status, status


def untimed(text):
    """Without the pace, which counts the moments in which the status is made."""
    return [line for line in text.splitlines() if not line.startswith("so far")]


def files_in(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            found[name] = (os.stat(path).st_mtime_ns, file.read())
    return found


def test_status_of_a_search_that_runs_and_of_one_that_has_ended():
    with tempfile.TemporaryDirectory() as folder:
        words = ["minimize", "--command", SLOW, "--param=rate=real(1,9)", "--param=width=real(-4,4)", "--seed=1"]
        words += ["--maxfevals=1000", "--checkpoint=run.sf", "--trace=run.jsonl", "--workers=2", "--model=none"]
        search = subprocess.Popen([PROGRAM, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            told = run(folder, "status", "run.sf") if os.path.exists(os.path.join(folder, "run.sf")) else None
            # The trace is read last, so that it may have a value which the checkpoint and its journal had not.
            if told is not None and re.search("best f   [0-9](.|\\n)*course\n     gen", told.stdout):
                break
            time.sleep(0.1)
        assert f"state    running: process {search.pid} on " in told.stdout, told
        for word in (
            "2 parameters",
            "at       rate = ",
            "width = ",
            "left     at most ",
            "workers  2",
            "failed   none",
        ):
            assert word in told.stdout, (word, told)
        search.kill()
        search.wait()
        before = files_in(folder)
        told = run(folder, "status", "run.sf")
        assert "state    not running; continue with: surefoot resume run.sf" in told.stdout, told
        after = files_in(folder)
        assert told.returncode == 0 and after == before, [name for name in after if after[name] != before.get(name)]
        ended = run(folder, "resume", "run.sf", "--maxfevals=60")
        assert ended.returncode == 1, ended
        told = run(folder, "status", "run.sf")
        assert "state    ended: budget used" in told.stdout and "left" not in told.stdout, told
        elsewhere = run("/", "status", os.path.join(folder, "run.sf"))
        assert untimed(elsewhere.stdout) == untimed(told.stdout), elsewhere
        refused = run(folder, "status", "run.jsonl")
        assert refused.returncode == 2 and "run.jsonl" in refused.stderr, refused


def test_status_before_the_first_value():
    with tempfile.TemporaryDirectory() as folder:
        words = ["minimize", "--command", "sleep 1000", "--x0=3", "--sigma0=1", "--checkpoint=run.sf"]
        search = subprocess.Popen([PROGRAM, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and not os.path.exists(os.path.join(folder, "run.sf")):
            time.sleep(0.05)
        told = run(folder, "status", "run.sf")
        search.terminate()
        assert search.wait() == 130, search.returncode
        assert "best f   no value yet\nso far   0 evaluations, 0 generations" in told.stdout, told


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_") and (len(sys.argv) < 3 or sys.argv[2] in name):
            print(name, flush=True)
            test()
