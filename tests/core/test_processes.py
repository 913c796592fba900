"""Process trees: every member is ended, whatever session, environment or parent it has."""

import os
import subprocess
import sys
import time

import psutil
import pytest

from credalbench.core.processes import ProcessTree

SLEEP = "import time; time.sleep(600)"
FIRST = f"""\
import os, subprocess, sys
def start(**options):
    print(subprocess.Popen([sys.executable, "-c", {SLEEP!r}], **options).pid, flush=True)
start()
start(start_new_session=True)
if len(sys.argv) > 1:  # without the mark: known as a child of this process alone
    start(start_new_session=True, env={{}})
    {SLEEP}
"""


def runs(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("arguments", [[], ["stay"]], ids=["the parent has ended", "the parent runs"])
def test_members_end_whatever_session_environment_and_parent_they_have(arguments):
    tree = ProcessTree([sys.executable, "-c", FIRST, *arguments], os.environ, stdout=subprocess.PIPE)
    pids = [int(tree.process.stdout.readline()) for _ in range(2 + len(arguments))]
    if not arguments:
        tree.process.wait()
    assert all(map(runs, pids))
    tree.end(grace_s=0)
    deadline = time.monotonic() + 10  # s; a killed process ends within milliseconds
    while any(map(runs, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(runs, pids)) and tree.process.poll() is not None
    tree.process.stdout.close()


def test_processes_of_others_are_left_alone():
    other = subprocess.Popen([sys.executable, "-c", SLEEP])
    tree = ProcessTree([sys.executable, "-c", SLEEP], os.environ)
    tree.end(grace_s=0)
    assert other.poll() is None
    other.kill()
    other.wait()
