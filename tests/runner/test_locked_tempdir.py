"""Temporary folders of processes that end, or are killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from credalbench.runner import locked_tempdir
from credalbench.runner.locked_tempdir import LockedTempDir

pytestmark = pytest.mark.skipif(locked_tempdir.fcntl is None, reason="no locks that end with a process")
MAKER = """
import sys
from credalbench.runner import locked_tempdir
locked_tempdir.short_folder = lambda: sys.argv[1]
folder = locked_tempdir.LockedTempDir()
open(folder.path + "/socket", "w").close()
print(folder.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def parent(tmp_path, monkeypatch):
    monkeypatch.setattr(locked_tempdir, "short_folder", lambda: str(tmp_path))
    return tmp_path


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_a_folder_is_removed_with_all_that_it_holds(parent):
    folder = LockedTempDir()
    (parent / folder.path / "socket").touch()
    folder.remove()
    folder.remove()
    assert names(parent) == set()


def test_the_next_one_removes_what_killed_processes_left_and_nothing_else(parent):
    """Folders in use stay, whoever uses them, and so do those of other programs."""
    (parent / "cbother").mkdir()
    ours, command = LockedTempDir(), [sys.executable, "-c", MAKER, str(parent)]
    maker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    theirs = maker.stdout.readline().strip()
    LockedTempDir().remove()
    in_use = {Path(ours.path).name, Path(theirs).name, "cbother"}
    assert names(parent) == in_use
    maker.kill()
    maker.communicate()
    assert names(parent) == in_use
    LockedTempDir().remove()
    assert names(parent) == in_use - {Path(theirs).name}
    ours.remove()
