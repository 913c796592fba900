"""Temporary folders that are removed with the process that made them, however it ends.

A process removes its folder itself. The folder of a process that was killed is removed by the next process
that makes one, which also ends the processes that are recorded in it (`ProcessTree.record`). A folder is in
use while its maker holds the lock on a file in it; the system releases the locks of a process that ends.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TextIO

from .processes import end_recorded

try:
    import fcntl
except ImportError:  # Windows: folders of killed processes stay until the system removes them
    fcntl = None

PREFIX = "cb"
LONGEST = 40  # characters of a temporary folder that leave room for the names in it
LOCK = "credalbench.lock"  # only folders with this file are ours


class LockedTempDir:
    """A new temporary folder, with a name that is short enough for sockets in it."""

    def __init__(self) -> None:
        parent = short_folder()
        _sweep(parent)
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        self._lock = _locked(Path(self.path)) if fcntl else None

    def remove(self) -> None:
        """Remove the folder with all files in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()


def short_folder() -> str:
    """Return a folder for temporary folders with sockets, whose paths may have about 100 bytes."""
    named = tempfile.gettempdir()
    return "/tmp" if len(named) > LONGEST and os.path.isdir("/tmp") else named


def _locked(folder: Path) -> TextIO:
    """Return a locked file in the folder; it gets its name once it has the lock."""
    file = (folder / f".{LOCK}").open("w")
    fcntl.flock(file, fcntl.LOCK_EX)
    os.rename(file.name, folder / LOCK)
    return file


def _sweep(parent: str) -> None:
    """Remove the folders of this user that are no longer in use, and end what their processes left."""
    for lock in Path(parent).glob(f"{PREFIX}*/{LOCK}") if fcntl else ():
        with contextlib.suppress(OSError), lock.open("r+") as file:  # in use, just removed, another user's
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if lock.parent.lstat().st_uid == os.getuid():
                end_recorded(lock.parent)
                shutil.rmtree(lock.parent, ignore_errors=True)
