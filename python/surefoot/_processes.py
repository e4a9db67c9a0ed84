"""Worker processes. Each has one candidate at a time, so a crash or timeout belongs to a known candidate."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, Iterable, List, Optional, Tuple

import numpy as np

from ._outcome import Guarded, Outcome

# Forked workers have the function already: lambdas and functions of a notebook work.
_METHOD = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


def _serve(guarded: Guarded, connection: Connection, others: List[Connection]) -> None:
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # a group of its own, so that processes that the function starts end with it
    signal.signal(signal.SIGINT, lambda *_: None)  # the parent decides; programs do not inherit this
    for other in others:  # inherited; while they are open here, their workers would not see the parent's end
        other.close()
    try:
        while True:
            outcome = guarded(connection.recv())
            sys.stdout.flush()  # so that output is not lost if the worker is killed
            sys.stderr.flush()
            connection.send(outcome)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass


class _Worker:
    def __init__(self, guarded: Guarded, others: List[Connection], number: int):
        self.number = number
        context: Any = multiprocessing.get_context(_METHOD)
        self.connection, theirs = context.Pipe()
        inherited = [*others, self.connection] if _METHOD == "fork" else []
        self.process = context.Process(target=_serve, args=(guarded, theirs, inherited))
        try:
            self.process.start()
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"workers: the function cannot be sent to other processes ({error}); define it at the top level of a "
                "module, or use workers=ThreadPoolExecutor(n).map"
            ) from error
        except AssertionError as error:
            raise RuntimeError(f"workers: processes cannot be started here ({error})") from error
        theirs.close()
        self.candidate: Optional[int] = None
        self.begin = 0.0

    def give(self, candidate: int, x: np.ndarray) -> None:
        self.candidate, self.begin = candidate, time.monotonic()
        self.connection.send(x)

    def is_done(self, ready: List[Any]) -> bool:
        """Whether there is an answer, or the process has died; what the function started may keep the pipe open."""
        return self.connection in ready or not self.process.is_alive()

    def take(self) -> Outcome:
        """The answer, or how the process ended. Call it only when is_done."""
        try:
            if self.connection.poll():
                return self.connection.recv()
        except Exception:  # the process died, perhaps in the middle of a message
            pass
        self.process.join(1)
        code = self.process.exitcode or 0
        return Outcome(None, "crash", f"the worker process ended with {_how(code)}")

    def end(self) -> None:
        """Lets an idle worker end by itself, so that it flushes its output."""
        self.connection.close()
        self.process.join(1)
        self.kill()

    def kill(self) -> None:
        try:
            os.killpg(self.process.pid or 0, signal.SIGKILL)
        except (AttributeError, OSError):
            self.process.kill()
        self.process.join()
        self.connection.close()


def _how(code: int) -> str:
    try:
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
    except ValueError:  # a real-time signal
        return f"signal {-code}"


class Processes:
    """Evaluates candidates in `count` processes, which live as long as this object."""

    def __init__(self, guarded: Guarded, count: int, timeout: Optional[float]):
        self._guarded = guarded
        self._count = count
        self._timeout = timeout
        self._workers: List[_Worker] = []

    def run(
        self,
        points: Iterable[Tuple[int, np.ndarray]],
        done: Callable[[int, Outcome], Any],
        is_cancelled: Callable[[], bool],
    ) -> None:
        """Calls done(candidate, outcome) for each point, in any order, until all are done or it is cancelled."""
        waiting = list(points)[::-1]
        while (waiting or self._busy()) and not is_cancelled():
            self._hand_out(waiting)
            ready = wait([worker.connection for worker in self._busy()], timeout=0.05)
            for worker in self._busy():
                if worker.is_done(ready):
                    self._finish(worker, worker.take(), done)
                elif self._timeout is not None and time.monotonic() - worker.begin > self._timeout:
                    self._finish(worker, Outcome(None, "timeout", f"no value within {self._timeout:g} s"), done)
        for worker in self._busy():  # cancelled: nobody waits for them
            self._remove(worker)

    def close(self) -> None:
        for worker in list(self._workers):
            self._workers.remove(worker)
            worker.end() if worker.candidate is None else worker.kill()

    def _busy(self) -> List[_Worker]:
        return [worker for worker in self._workers if worker.candidate is not None]

    def _hand_out(self, waiting: List[Tuple[int, np.ndarray]]) -> None:
        while waiting:
            worker = next((w for w in self._workers if w.candidate is None), None)
            if worker is None:
                if len(self._workers) >= self._count:
                    return
                taken = {w.number for w in self._workers}
                free = next(n for n in range(self._count) if n not in taken)
                worker = _Worker(self._guarded, [w.connection for w in self._workers], free)
                self._workers.append(worker)
            candidate, x = waiting[-1]
            try:
                worker.give(candidate, x)
            except (BrokenPipeError, ConnectionResetError):  # the worker died while it was idle
                self._remove(worker)
                continue
            waiting.pop()

    def _finish(self, worker: _Worker, outcome: Outcome, done: Callable[[int, Outcome], Any]) -> None:
        candidate = worker.candidate
        worker.candidate = None
        seconds = outcome.seconds if outcome.seconds == outcome.seconds else time.monotonic() - worker.begin
        if outcome.kind in ("crash", "timeout"):
            self._remove(worker)
        assert candidate is not None
        done(candidate, outcome._replace(seconds=seconds, worker=worker.number))

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.kill()


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
