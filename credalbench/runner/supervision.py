"""One study in a worker process, seen from outside: started, watched, stopped, and nothing of it left.

Nothing here waits for a worker: what it says is read as it comes, and a pipe that a child of it holds open
delays nobody. A worker that is over a limit is interrupted, so that papermill ends its kernel and finished
cases are whole; a few seconds later it is killed. Whichever way it ends, so do the processes that it leaves.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from .execute import OFFER
from .processes import GRACE_S, Family
from .scratch import Scratch

PATIENCE_S = 3.0  # from an interrupt, or from its answer, to the end of a worker
LOG_LIMIT = 1 << 28  # bytes, 256 MiB: more is a study that runs wild, and would fill the disk
PIECE = 1 << 16


class Worker:
    """A worker process on its job.

    Parameters
    ----------
    job : dict
        What :mod:`.worker` reads, as JSON.
    log : Path
        File that takes what the study prints; written anew.
    jobs : int
        Processes that the study may use.

    Raises
    ------
    OSError
        The log cannot be written, or no process or temporary folder be made.
    """

    def __init__(self, job: dict[str, Any], log: Path, jobs: int) -> None:
        self.log, self.jobs, self.start = log, jobs, time.monotonic()
        self.answer, self.why, self.leaving = b"", "", None  # since when it is expected to end
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as file:
            self.scratch = Scratch()
            self.family = Family(
                [sys.executable, "-m", "credalbench.runner.worker"],
                _environment(jobs, self.scratch.path),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
            )
        self.process = self.family.process
        os.set_blocking(self.process.stdout.fileno(), False)
        with contextlib.suppress(BrokenPipeError):  # one that dies at once is seen by `has_ended`
            self.process.stdin.write(json.dumps({**job, "scratch": self.scratch.path}).encode() + b"\n")
            self.process.stdin.flush()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    def has_ended(self, time_limit_s: float = float("inf")) -> bool:
        """Look after it: take what it says, stop it where it is over a limit; tells whether it is over."""
        self._listen()
        if self.process.poll() is not None:
            return True
        if self.leaving is None:
            if self.answer.endswith(b"\n"):
                self.leaving = time.monotonic()
            elif self.seconds > time_limit_s:
                self.stop(f"stopped after {time_limit_s:g} s; finished cases are kept")
            elif self._log_size() > LOG_LIMIT:
                limit = f"{LOG_LIMIT >> 20} MiB"
                self.stop(f"stopped: it wrote more than {limit} into {self.log}; finished cases are kept")
        return self.leaving is not None and time.monotonic() - self.leaving > PATIENCE_S

    def stop(self, why: str) -> None:
        """Interrupt it; `has_ended` tells when it has obeyed, or had its time."""
        if self.leaving is None:
            self.why, self.leaving = why, time.monotonic()
            self.family.ask(signal.SIGINT)

    def offer(self, jobs: int) -> None:
        """Let the study use so many processes, from its next case on."""
        if jobs > self.jobs:
            self.jobs = jobs
            with contextlib.suppress(OSError):  # a full disk: it goes on with those that it has
                _offer(self.scratch.path).write_text(str(jobs))

    def end(self) -> str:
        """End whatever is left of it; returns what went wrong, or nothing."""
        self.family.end(GRACE_S if self.process.poll() is not None else 0.0)
        self._listen()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        self.scratch.remove()
        return self.why or self._error()

    def _listen(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it has nothing to say at the moment
            while piece := os.read(self.process.stdout.fileno(), PIECE):
                self.answer += piece

    def _log_size(self) -> int:
        with contextlib.suppress(OSError):
            return self.log.stat().st_size
        return 0

    def _error(self) -> str:
        with contextlib.suppress(ValueError):  # no answer, or half of one
            return json.loads(self.answer.partition(b"\n")[0])["error"]
        code = self.process.returncode
        how = f"ended with exit code {code}" if code is None or code >= 0 else _killed_by(-code)
        where = f"what it printed is in {self.log}" if self._log_size() else f"{self.log} is empty"
        return f"the worker process {how}; {where}"


def _killed_by(number: int) -> str:
    memory = ", most often for want of memory" if number == signal.SIGKILL else ""
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(number).name}{memory}"
    return f"was ended by signal {number}"


def _offer(scratch: str) -> Path:
    return Path(scratch, "offer")


def _environment(jobs: int, scratch: str) -> dict[str, str]:
    ours = {
        "CREDALBENCH_JOBS": str(jobs),
        OFFER: str(_offer(scratch)),
        "CREDALBENCH_PROGRESS": "off",  # the bar of the parent counts stored cases instead
        "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel of this environment, whatever the user has installed
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONUTF8": "1",
        "TMPDIR": scratch,  # temporary files end with the worker, whichever way that ends
    }
    return {**os.environ, **ours}
