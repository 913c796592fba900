"""A worker process on a machine of a cluster: kept for the next case of its study, or ended.

Its store is a temporary folder with one case at a time; the files of that case are the answer. It is
independent of the cluster.
"""

from __future__ import annotations

import atexit
import json
import select
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .locked_tempdir import LockedTempDir
from .store import StudyFolder
from .supervision import LOG_LIMIT, Worker, size

POLL_S = 0.1
IDLE_S = 20.0  # after which a process without a case is ended
PRINTED = 1 << 20  # largest number of bytes that are sent, from the end of what a case prints


class CaseProcess:
    """A worker process on a machine of the cluster, and the temporary folder that is its store.

    Its job is that of :class:`.Worker`.
    """

    _idle: dict[str, list[CaseProcess]] = {}  # noqa: RUF012  (shared by all)
    _lock = threading.Lock()

    def __init__(self, job: dict[str, Any]) -> None:
        self._kind, self._room = json.dumps(job), LockedTempDir()
        self._folder = StudyFolder(Path(self._room.path, Path(job["folder"]).name))
        self._log = Path(self._room.path, "run.log")
        self._worker = Worker({**job, "folder": str(self._folder.path)}, self._log)

    @classmethod
    def idle(cls, job: dict[str, Any]) -> CaseProcess:
        """Return a process that waits for a case of this job, or a new one."""
        with cls._lock:
            while waiting := cls._idle.get(json.dumps(job)):
                process = waiting.pop()
                process._timer.cancel()
                if not process._worker.has_ended():
                    return process
                process.end()
        return cls(job)

    def compute(self, case: dict, is_wanted: Callable[[], bool]) -> dict[str, Any]:
        """Compute a case; return what :func:`.compute_case` returns."""
        self._worker.give({"case": case})
        while True:
            has_ended = self._worker.has_ended()
            if answers := self._worker.answers():
                files = self._folder.case_files(case)
                return {**answers[0], "files": files, "printed": self._printed()}
            if has_ended:
                return {"death": self._worker.how_it_ended, "printed": self._printed()}
            if size(self._log) > LOG_LIMIT:
                return {"error": f"stopped: a case wrote more than {LOG_LIMIT >> 20} MiB", "printed": b""}
            if not is_wanted():
                return {"error": "no longer wanted", "printed": b""}
            select.select([self._worker], [], [], POLL_S)

    def wait_for_more(self) -> None:
        """Keep the process for a while."""
        self._folder.clear()
        self._timer = threading.Timer(IDLE_S, self._leave)
        self._timer.daemon = True
        with self._lock:
            self._idle.setdefault(self._kind, []).append(self)
            self._timer.start()

    def _leave(self) -> None:
        with self._lock:
            waiting = self._idle.get(self._kind, [])
            if self not in waiting:
                return  # another case has just taken it
            waiting.remove(self)
        self.end()

    def end(self) -> None:
        """End the process with all that it has started, and remove its folder."""
        self._worker.end()
        self._room.remove()

    def _printed(self) -> bytes:
        """Return the end of the log, and empty it."""
        with self._log.open("rb+") as log:
            log.seek(max(0, size(self._log) - PRINTED))
            printed = log.read()
            log.truncate(0)
        return printed


@atexit.register
def _end_idle() -> None:
    for process in [process for waiting in CaseProcess._idle.values() for process in waiting]:
        process.end()
