"""A process that answers requests within limits of processor time and memory, and may die of one.

It is a copy of this process (fork), so that nothing is imported or loaded twice. What goes wrong in it is an
answer with the key ``failure``: ``"error"``, ``"time limit"``, ``"memory limit"`` or ``"died"``. Every answer
has the processor time of its request as ``spent_s``.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import signal
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

MIB = 1 << 20
PATIENCE = 20  # seconds of the clock for each second of processor time: machines are busy
LONGEST = 400  # letters of a message
STATUS, REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Guarded:
    """A process that calls a function on each request, and is started anew when it has died.

    Parameters
    ----------
    answer : callable
        Function of a request that returns a dict.
    seconds : float
        Processor time of one request, at most.
    mebibytes : float
        Memory of one request besides what is there at its start, at most.
    """

    def __init__(self, answer: Callable[[dict], dict], seconds: float, mebibytes: float) -> None:
        self._answer, self._seconds, self._mebibytes = answer, seconds, mebibytes
        self._process: multiprocessing.Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, request: dict) -> dict:
        """Return the answer to a request, or its failure."""
        if self._process is None:
            self._start()
        try:
            self._connection.send(request)
            if self._connection.poll(PATIENCE * (self._seconds + 1)):
                return self._connection.recv()
            message = f"no answer after {PATIENCE * (self._seconds + 1):.0f} s, most of them idle"
            self._end()
            return {"failure": "time limit", "message": message, "spent_s": self._seconds}
        except (EOFError, ConnectionError):
            code = self._end()
        if code == -signal.SIGXCPU:
            return {"failure": "time limit", "message": self._too_long, "spent_s": self._seconds}
        message = f"its process ended with exit code {code}"
        return {"failure": "died", "message": message, "spent_s": self._seconds}

    @property
    def _too_long(self) -> str:
        return f"more than {self._seconds:g} s of processor time"

    def _start(self) -> None:
        fork = multiprocessing.get_context("fork")
        self._connection, theirs = fork.Pipe()
        self._process = fork.Process(target=self._serve, args=(theirs, self._connection), daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # a thread that only reads cannot be in the way
            self._process.start()
        theirs.close()

    def _end(self) -> int | None:
        if self._process is None:
            return None
        self._connection.close()
        self._process.join(0.2)
        self._process.kill()
        self._process.join()
        code, self._process = self._process.exitcode, None
        return code

    def _serve(self, connection: Connection, other: Connection) -> None:
        other.close()  # or this process would not notice the end of its parent
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
        while True:
            try:
                request = connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            self._limit()
            start = time.process_time()
            try:
                answer = self._answer(request)
            except MemoryError as error:
                answer = {"failure": "memory limit", "message": _short(error, self._mebibytes)}
            except Exception as error:
                answer = {"failure": "error", "message": f"{type(error).__name__}: {_short(error)}"}
            if answer.get("seconds", 0.0) > self._seconds:
                answer = {"failure": "time limit", "message": self._too_long}
            connection.send(answer | {"spent_s": time.process_time() - start})

    def _limit(self) -> None:
        """Limit the next request: seconds from now, bytes besides those in use."""
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used + self._seconds) + 1, hard))
        if size := _from_status("VmSize"):
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (int((size + self._mebibytes) * MIB), hard))


def _short(error: BaseException, limit: float | None = None) -> str:
    text = " ".join(str(error).split())
    text = f"{text} (limit: {limit:g} MiB)" if limit else text
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


class PeakMemory:
    """The peak of the memory of this process within a context, less what was there before, as `mebibytes`.

    NaN where the system does not tell.
    """

    mebibytes = math.nan

    def __enter__(self) -> Self:
        try:
            REFS.write_text("5")  # forgets the peak so far
        except OSError:
            self._before = None
        else:
            self._before = _from_status("VmRSS")
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None and (peak := _from_status("VmHWM")) is not None:
            self.mebibytes = max(peak - self._before, 0.0)


def _from_status(name: str) -> float | None:
    """Return a number of Linux's account of this process in mebibytes; None elsewhere."""
    try:
        lines = STATUS.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), None)
