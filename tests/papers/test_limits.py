"""Limits that hold: whatever a study leaves, prints or refuses, the others go on and nothing survives."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import credalbench.papers.batch as batch
from credalbench.core.processes import Stopped, stoppable
from credalbench.papers import engine
from credalbench.papers.batch import prepare, run_batch
from credalbench.papers.engine import PRINTED

from . import toy_study, wild_study

LIMIT_S = 300.0
COMMAND = """\
import credalbench.papers.batch as batch
from credalbench import cli
from tests.papers.only import only
from tests.papers import toy_study, wild_study
found = {module.experiment.study: module.experiment for module in (toy_study, wild_study)}
only({"toy_paper": found})
batch.notebook_path = lambda experiment: None
cli.main()
"""
linux = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc, as the code")


@pytest.fixture(autouse=True)
def no_notebooks(monkeypatch):
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)


def task(how):
    return prepare(wild_study.experiment, "paper", {"how": how})


def run(*hows):
    """Outcomes of the wild study, once for each way, and last of the toy study; two run at a time."""
    tasks = [*map(task, hows), prepare(toy_study.experiment, "smoke", {})]
    return run_batch(tasks, jobs=2, time_limit_s=LIMIT_S, write=lambda line: None)


def command(*words, **options):
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.Popen([sys.executable, "-c", COMMAND, *words], env=environment, text=True, **options)


@linux
@pytest.mark.long
def test_whatever_a_study_does_the_others_go_on_and_no_process_is_left(processes):
    log = task("not").folder.path / "run.log"
    log.mkdir(parents=True)
    began = time.monotonic()
    die, leave, complain, no_log, toy = run("die", "leave", "complain", "not")
    assert time.monotonic() - began < LIMIT_S  # s; the processes that are left sleep for longer
    assert "WorkerDied: 3 workers died" in die.error
    assert leave.error == ""
    assert "drawing stopped with RuntimeError" in complain.error
    assert len(complain.error) > 1 << 17
    assert str(log) in no_log.error and "CREDALBENCH_RESULTS" in no_log.error
    assert len(no_log.error.splitlines()) == 1
    assert toy.error == ""
    assert processes() == []


@linux
@pytest.mark.long
def test_a_case_that_prints_without_end_fills_no_disk(processes):
    [wild] = run_batch([task("print")], time_limit_s=10.0, write=lambda line: None)
    assert "stopped after 10 s" in wild.error and processes() == []
    assert (wild.folder.path / "run.log").stat().st_size <= PRINTED


@linux
@pytest.mark.long
def test_a_case_that_eats_memory_fails_and_the_others_go_on(processes, monkeypatch):
    monkeypatch.setattr(engine, "LEAST_MEMORY", 0.0)
    total = engine.psutil.virtual_memory()
    monkeypatch.setattr(engine.psutil, "virtual_memory", lambda: total._replace(total=1 << 30))
    eat, toy = run("eat")
    assert "WorkerDied: 3 workers died" in eat.error and "memory ran out" in eat.error
    assert toy.error == "" and processes() == []


@linux
def test_a_study_over_its_time_is_stopped_with_all_that_it_has_started(processes):
    limit_s = 5.0
    began = time.monotonic()
    [wild] = run_batch([task("hold")], time_limit_s=limit_s, write=lambda line: None)
    assert time.monotonic() - began < limit_s + 60  # s; what is left sleeps for longer
    assert "stopped after 5 s" in wild.error
    assert processes() == []


@linux
def test_sigterm_ends_the_command_its_workers_and_what_they_have_started(processes):
    process = command("run", "toy_paper/wild_study", "-p", "how=hold", stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300  # s; imports and start on a busy machine
    while len([words for words in processes() if "time.sleep(600)" in words]) < 2:  # that the case started
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.terminate()
    _, words = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGTERM
    assert "Stopped. Finished cases are stored" in words
    assert processes() == []


@pytest.mark.long
def test_a_closed_output_costs_no_study():
    process = command("run", "--profile", "smoke", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    words = process.stderr.read()
    assert process.wait() == 0, words
    assert words.count("The output was closed") == 1
    for module, profile in ((toy_study, "smoke"), (wild_study, "smoke")):
        assert prepare(module.experiment, profile, {}).folder.status["failed"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_is_raised_and_others_do_not_disturb_what_follows(number):
    found = signal.signal(number, signal.SIG_DFL)  # under nohup, a hangup is ignored
    before = signal.getsignal(number)
    with pytest.raises(Stopped) as stopped, stoppable():
        try:
            os.kill(os.getpid(), number)
            time.sleep(5)  # s; the signal comes at once
        finally:
            os.kill(os.getpid(), number)
            time.sleep(0.01)
    assert stopped.value.exit_code == 128 + number
    assert signal.getsignal(number) is before
    signal.signal(number, found)


def test_a_hangup_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGHUP, before)
