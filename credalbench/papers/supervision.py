"""A worker process as its parent sees it: started, given tasks, stopped, ended with all that it has started.

Nothing here waits for a worker: answers are read as they come, and a pipe that a child of the worker holds
open causes no delay.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from .locked_tempdir import LockedTempDir
from .processes import GRACE_S, ProcessTree

PATIENCE_S = 3.0  # from an interrupt, or from the last answer, to the end of a worker
PIECE = 1 << 16
LOG_LIMIT = 1 << 28  # bytes, 256 MiB: a study that prints more is out of control, and would fill the disk


class Worker:
    """A worker process on the cases of one study.

    `job` is what :mod:`.worker` reads first; the temporary folder is added. What the study prints is appended
    to the log. Raises OSError if the log cannot be written, or no process or temporary folder can be made.
    """

    shows = True  #: whether it may be given the task to show a result

    def __init__(self, job: dict[str, Any], log: Path) -> None:
        self.log, self.task, self._text = log, None, b""
        self._left_at: float | None = None  # since then it is expected to end
        with log.open("ab") as file:
            self.tempdir = LockedTempDir()
            self.tree = ProcessTree(
                [sys.executable, "-m", "credalbench.papers.worker"],
                _environment(self.tempdir.path),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
            )
        self.process = self.tree.process
        os.set_blocking(self.fileno(), False)
        self._send({**job, "tempdir": self.tempdir.path})

    @property
    def is_leaving(self) -> bool:
        """Whether it has no task and gets no more tasks."""
        return self._left_at is not None

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when there is an answer."""
        return self.process.stdout.fileno()

    def give(self, task: dict[str, Any]) -> None:
        """Give it a task; `answers` returns the answer."""
        self.task = task
        self._send(task)

    def answers(self) -> list[dict[str, Any]]:
        """Return the answers since the last call; a worker that has answered has no task."""
        with contextlib.suppress(BlockingIOError):  # there is nothing to read at the moment
            while piece := os.read(self.fileno(), PIECE):
                self._text += piece
        *lines, self._text = self._text.split(b"\n")
        return [json.loads(line) for line in lines]

    def dismiss(self) -> None:
        """Let the worker end."""
        if not self.is_leaving:
            self._left_at = time.monotonic()
            self._send(None)

    def stop(self) -> None:
        """Interrupt it, so that papermill ends its kernel and finished cases are whole."""
        if not self.is_leaving:
            self._left_at = time.monotonic()
            self.tree.signal(signal.SIGINT)

    def has_ended(self) -> bool:
        """Return whether it has ended, or its time to end is over."""
        late = self._left_at is not None and time.monotonic() - self._left_at > PATIENCE_S
        return late or self.process.poll() is not None

    def end(self) -> None:
        """End the processes that are left of it."""
        self.tree.end(GRACE_S if self.process.poll() is not None else 0.0)
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        self.tempdir.remove()

    @property
    def cause_of_end(self) -> str:
        """How a worker ended although it should not have, and where to read more."""
        where = f"what it printed is in {self.log}" if size(self.log) else f"{self.log} is empty"
        return f"the worker process {self.how_it_ended}; {where}"

    @property
    def how_it_ended(self) -> str:
        """Its exit code, or the signal that ended it."""
        code = self.process.returncode
        return f"ended with exit code {code}" if code is None or code >= 0 else _killed_by(-code)

    def _send(self, message: dict[str, Any] | None) -> None:
        with contextlib.suppress(OSError):  # `has_ended` notices one that has ended
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()


def size(path: Path) -> int:
    """Return the size of a file in bytes; 0 if there is none."""
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def _killed_by(number: int) -> str:
    memory = ", most often because memory ran out" if number == signal.SIGKILL else ""
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(number).name}{memory}"
    return f"was ended by signal {number}"


def _environment(tempdir: str) -> dict[str, str]:
    ours = {
        "CREDALBENCH_JOBS": "1",
        "CREDALBENCH_PROGRESS": "off",  # the parent counts the cases of all studies
        "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel of this environment, whatever the user has installed
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONUTF8": "1",
        "TMPDIR": tempdir,  # temporary files are removed with the worker, however it ends
    }
    return {**os.environ, **ours}
