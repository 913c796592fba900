"""Process trees: a process and all processes that it starts, which are ended together.

A study may leave other processes behind: helpers of joblib, kernels of Jupyter, which lead their own
sessions, other programs. `psutil` lists the descendants of a process that runs. Once a parent has ended, its
children cannot be found that way any more. They are found by a mark in their environment, which every process
inherits and psutil reads on Linux, macOS and Windows.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

import psutil

TREES = "CREDALBENCH_TREES"  # environment variable: marks of process trees, the outermost first, after "/"
STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
GRACE_S = 1.0  # for members that end by themselves when their parent has ended: kernels, helpers that tidy up
KILLED_S = 2.0  # for a killed process to end, most often a few milliseconds
LOOK_S = 0.02
RECORD = "processes.json"  # in the temporary folder of a process: the tree that it started


class Stopped(KeyboardInterrupt):
    """A signal that ends this process; `exit_code` is 128 and the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` on the first SIGINT, SIGTERM or SIGHUP within this context.

    Later signals are ignored, so that cleaning up is not cut short. A SIGHUP that is ignored stays ignored
    (nohup). An ignored SIGINT does not: shells start background jobs with it.
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


@contextlib.contextmanager
def marked(folder: Path) -> Iterator[str]:
    """Mark the processes that start within this context, and record the mark in a folder; yield it."""
    mark, before = uuid.uuid4().hex, os.environ.get(TREES)
    _record(folder, mark, psutil.Process())
    os.environ[TREES] = f"{before or ''}/{mark}"
    try:
        yield mark
    finally:
        os.environ.pop(TREES)
        if before is not None:
            os.environ[TREES] = before


class ProcessTree:
    """A process in a session of its own, and all processes that it starts.

    The mark of the tree is added to its environment; options are those of :class:`subprocess.Popen`.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], **options: object) -> None:
        self.mark = uuid.uuid4().hex
        marked = {**environment, TREES: f"{environment.get(TREES, '')}/{self.mark}"}
        self.process = subprocess.Popen(command, env=marked, start_new_session=True, **options)
        self._root = psutil.Process(self.process.pid)

    def record(self, folder: Path) -> None:
        """Write to a folder what `end_recorded` needs if this process is killed."""
        _record(folder, self.mark, self._root)

    def signal(self, number: int) -> None:
        """Send a signal to the process and to the other processes of its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def end(self, grace_s: float = GRACE_S) -> None:
        """End every process of the tree; the first gets `grace_s` seconds to end by itself, the others 1."""
        deadline = time.monotonic() + grace_s
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(grace_s)
        end_members(self.mark, min(GRACE_S, deadline - time.monotonic()), self._root)
        self.signal(signal.SIGKILL)  # in case psutil may not read the environments
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(KILLED_S)


def _record(folder: Path, mark: str, root: psutil.Process) -> None:
    found = {"mark": mark, "pid": root.pid, "created": root.create_time()}
    Path(folder, RECORD).write_text(json.dumps(found), encoding="utf-8")


def end_recorded(folder: Path) -> None:
    """End the tree in the record of a folder, if any.

    A process belongs to it if it has the mark of the tree, or descends from the recorded process. The latter
    is known by its number and creation time: the number alone may belong to another process by now.
    """
    try:
        found = json.loads(Path(folder, RECORD).read_text("utf-8"))
        mark, pid, created = uuid.UUID(str(found["mark"])).hex, int(found["pid"]), float(found["created"])
    except (OSError, ValueError, TypeError, KeyError):  # no record, or a damaged one
        return
    root = None
    with contextlib.suppress(psutil.Error, ValueError):
        root = psutil.Process(pid)
        root = root if root.create_time() == created else None
    end_members(mark, 0, root)
    if root is not None:
        with contextlib.suppress(psutil.Error):
            root.kill()


def end_members(mark: str, grace_s: float, root: psutil.Process | None) -> None:
    """End the other processes of a tree, and those that they start meanwhile; kill them after `grace_s`."""
    deadline = time.monotonic() + grace_s
    while left := members(mark, root):
        late = time.monotonic() - deadline
        if late > KILLED_S:  # a process that cannot be killed waits for a device
            break
        for process in left if late >= 0 else ():
            with contextlib.suppress(psutil.Error):
                process.kill()
        time.sleep(LOOK_S)


def members(mark: str, root: psutil.Process | None) -> set[psutil.Process]:
    """Return the other processes of a tree that run: those with its mark in their environment.

    While the root runs, its descendants belong to the tree whatever their environment is.
    """
    found = {process for process in psutil.process_iter() if _carries(process, mark)}
    with contextlib.suppress(psutil.Error):
        found |= {process for process in (root.children(recursive=True) if root else ()) if _runs(process)}
    return found


def _carries(process: psutil.Process, mark: str) -> bool:
    with contextlib.suppress(psutil.Error, OSError):  # it has just ended, or belongs to another user
        return process.pid != os.getpid() and mark in process.environ().get(TREES, "") and _runs(process)
    return False


def _runs(process: psutil.Process) -> bool:
    """Return whether a process runs; a zombie does not, it waits for its parent."""
    with contextlib.suppress(psutil.Error):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False
