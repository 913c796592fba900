"""Temporary folders of processes that end, or are killed."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from credalbench.core import locked_tempdir
from credalbench.core.locked_tempdir import LockedTempDir
from credalbench.core.processes import RECORD

pytestmark = pytest.mark.skipif(locked_tempdir.fcntl is None, reason="no locks that end with a process")
MAKER = """
import sys
from credalbench.core import locked_tempdir
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


STARTER = """
import os, subprocess, sys
from credalbench.core import locked_tempdir
from credalbench.core.processes import ProcessTree
locked_tempdir.short_folder = lambda: sys.argv[1]
folder = locked_tempdir.LockedTempDir()
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
tree = ProcessTree(sleep, os.environ, stdout=subprocess.DEVNULL)
tree.record(folder.path)
print(folder.path, tree.process.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def left(parent):
    """The record and the process of a process that was killed."""
    command = [sys.executable, "-c", STARTER, str(parent)]
    starter = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    folder, pid = starter.stdout.readline().split()
    starter.kill()
    starter.communicate()
    process = psutil.Process(int(pid))
    yield Path(folder, RECORD), process
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()


def test_the_next_one_ends_what_a_killed_process_started(left, parent):
    _, process = left
    assert process.is_running()
    LockedTempDir().remove()
    process.wait(10)
    assert names(parent) == set()


OTHER = {"mark": "0" * 32}
DAMAGED = ({"created": 1.0} | OTHER, {"pid": -1} | OTHER, {"mark": ""}, {"mark": 5}, {"pid": "x"}, None)


@pytest.mark.parametrize("change", DAMAGED)
def test_a_process_that_a_record_does_not_prove_to_be_ours_is_left_alone(left, parent, change):
    record, process = left
    found = json.loads(record.read_text())
    record.write_text("no record" if change is None else json.dumps(found | change))
    LockedTempDir().remove()
    assert process.is_running() and names(parent) == set()


def test_folders_of_other_users_are_left_alone(left, parent, monkeypatch):
    record, process = left
    monkeypatch.setattr(locked_tempdir.os, "getuid", lambda: 10**6)
    LockedTempDir().remove()
    assert process.is_running() and record.is_file()
