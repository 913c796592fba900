"""Processes that end together: one of ours and all that it starts, directly or not.

A study may leave more behind than its worker: helpers of joblib, kernels of Jupyter, which lead sessions of
their own, programs that are not ours. Once a parent is gone, nobody can tell whose children they were. But
every process inherits the environment: a `Family` has a name there, and whoever carries it ends with it.

The environment of others is read in ``/proc``. Where there is none (macOS), the process group is ended, and
kernels notice within a second or two that their parent is gone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

FAMILY = "CREDALBENCH_FAMILY"  # variable: names of families, the outermost first, separated by /
STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
GRACE_S = 1.0  # for those that end by themselves when their parent is gone: kernels, helpers that tidy up
KILLED_S = 2.0  # until a killed process is gone, most often a few milliseconds
LOOK_S = 0.02


class Stopped(KeyboardInterrupt):
    """A signal asks this process to end; it then ends with `exit_code`, 128 and the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """While this lasts, SIGINT, SIGTERM and SIGHUP raise `Stopped`.

    The first one only: what follows it is tidying up, which ends soon and should not be cut short. A SIGHUP
    that is ignored stays ignored, as nohup wants it; SIGINT does not, since shells start jobs in the
    background without it.
    """
    before = {number: signal.getsignal(number) for number in STOPPING}

    def stop(number: int, frame: FrameType | None) -> None:
        for one in STOPPING:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(number)

    for number, handler in before.items():
        if number == signal.SIGINT or handler is not signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


class Family:
    """A process in a session of its own, and all that it starts.

    Parameters
    ----------
    command : sequence of str
    environment : mapping
        Of the process; the name of the family is added.
    **options
        Of :class:`subprocess.Popen`.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], **options: object) -> None:
        self.name = uuid.uuid4().hex
        names = [*environment.get(FAMILY, "").split("/"), self.name]
        environment = {**environment, FAMILY: "/".join(filter(None, names))}
        self.process = subprocess.Popen(command, env=environment, start_new_session=True, **options)

    def ask(self, number: int) -> None:
        """Send a signal to the process and to the others of its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def end(self, grace_s: float = GRACE_S) -> None:
        """End whoever is left. The process has `grace_s` to end by itself, the others `GRACE_S` of it."""
        patience = time.monotonic() + grace_s
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(grace_s)
        end_carriers(self.name, min(GRACE_S, patience - time.monotonic()))
        self.ask(signal.SIGKILL)  # without /proc, and members that were given another environment
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(KILLED_S)


def end_own_family() -> None:
    """End the others of the innermost family that this process belongs to, as `Family.end` does."""
    if name := os.environ.get(FAMILY, "").rpartition("/")[2]:
        end_carriers(name)


def end_carriers(name: str, grace_s: float = GRACE_S) -> None:
    """End the other processes with this name in their environment, and what they start meanwhile."""
    patience = time.monotonic() + grace_s
    while left := carriers(name):
        late = time.monotonic() - patience
        if late > KILLED_S:  # one that cannot be killed: it waits for a device
            break
        for pid in left if late >= 0 else ():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(LOOK_S)


def carriers(name: str) -> list[int]:
    """Numbers of the other processes with this name in their environment; none where there is no /proc."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended, or belongs to somebody else
            if name.encode() in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
    return found
