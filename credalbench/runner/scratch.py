"""Temporary folders that end with the process that made them, whichever way that ends.

It removes them itself; those of a process that was killed, the next one that makes a folder removes. A folder
is in use while its maker holds the lock on a file in it, and the system gives up the locks of the dead.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TextIO

from .places import short_folder

try:
    import fcntl
except ImportError:  # not on Windows: there, the system's own tidying has to do
    fcntl = None

PREFIX = "cb"
LOCK = "credalbench.lock"  # tells our folders from others, and those in use from those that were left


class Scratch:
    """A new temporary folder of a short name, in which there is room for sockets.

    Attributes
    ----------
    path : str
    """

    def __init__(self) -> None:
        parent = short_folder()
        _sweep(parent)
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        self._lock = _locked(Path(self.path)) if fcntl else None

    def remove(self) -> None:
        """Remove it with all that it holds."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()


def _locked(folder: Path) -> TextIO:
    """A file in the folder with a lock on it; it gets its name once it has the lock."""
    file = (folder / f".{LOCK}").open("w")
    fcntl.flock(file, fcntl.LOCK_EX)
    os.rename(file.name, folder / LOCK)
    return file


def _sweep(parent: str) -> None:
    """Remove the folders that nobody uses any more."""
    for lock in Path(parent).glob(f"{PREFIX}*/{LOCK}") if fcntl else ():
        with contextlib.suppress(OSError), lock.open("r+") as file:  # in use, just removed, somebody else's
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
