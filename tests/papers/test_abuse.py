"""Runs that are killed and stores that are damaged, again and again: in the end, tables equal to the byte."""

import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

import credalbench.papers.batch as batch
from credalbench.papers import load_study, run_study
from credalbench.papers.batch import prepare, run_batch
from credalbench.papers.store import StudyFolder, remove

from .conftest import n_stored
from .toy_study import experiment

WORDS = {"n_runs": 8, "sizes": (4,), "pause_s": 0.2}
COMMAND = """\
import credalbench.papers.batch as batch
from credalbench import cli
from tests.papers.only import only
from tests.papers.toy_study import experiment
only({"toy_paper": {"toy_study": experiment}})
batch.notebook_path = lambda experiment: None
cli.main(["run", "-p", "n_runs=8", "-p", "sizes=(4,)", "-p", "pause_s=0.2", "--profile", "paper"])
"""
START_S = 300  # s; imports and start on a busy machine
times = pytest.mark.parametrize("n", [2, pytest.param(20, marks=pytest.mark.long)])
few_times = pytest.mark.parametrize("n", [1, pytest.param(3, marks=pytest.mark.long)])
pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes by signals")


def table_bytes(path):
    return {p.name: p.read_bytes() for p in sorted(path.glob("tables/*.*")) if "json" not in p.suffix}


@pytest.fixture
def right(tmp_path, monkeypatch):
    """Tables of the study where nothing disturbs it."""
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)
    with monkeypatch.context() as patch:
        patch.setenv("CREDALBENCH_RESULTS", str(tmp_path / "undisturbed"))
        return table_bytes(run_study(experiment, **WORDS).path)


@pytest.fixture
def folder(store):
    return StudyFolder.of(experiment, experiment.resolve("paper", WORDS))


def command(**options):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([sys.executable, "-c", COMMAND], **pipes, **options)


def ends_well(right, folder):
    """The command ends without an error, the tables are right, and nothing else is left."""
    process = command()
    words, _ = process.communicate(timeout=START_S)
    assert process.returncode == 0, words
    assert table_bytes(folder.path) == right and load_study(experiment, **WORDS) is not None
    assert not list(folder.path.rglob(".part-*"))


@times
def test_killed_runs_lose_no_finished_case_and_show_no_wrong_table(n, right, folder, processes):
    rng, cases = random.Random(n), experiment.case_list(experiment.resolve("paper", WORDS))
    for _ in range(n):
        before = n_stored(folder, cases)
        process, awaited = command(), min(before + rng.randrange(4), len(cases))
        deadline = time.monotonic() + START_S
        while n_stored(folder, cases) < awaited:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.5))
        process.kill()
        process.communicate()
        assert n_stored(folder, cases) >= before
        result = load_study(experiment, **WORDS)
        assert result is None or table_bytes(folder.path) == right
        if n_stored(folder, cases) == len(cases):  # the next kill meets a fresh start
            remove(folder.path)
    ends_well(right, folder)
    deadline = time.monotonic() + 15  # s; workers look for their parent from time to time
    while processes() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes() == []


def swapped(content, rng):
    found = bytearray(content)
    while bytes(found) == content:
        i, j = rng.sample(range(len(content)), 2)
        found[i], found[j] = content[j], content[i]
    return bytes(found)


DAMAGES = (
    lambda content, rng: None,
    lambda content, rng: content[: rng.randrange(len(content))],
    lambda content, rng: bytes(len(content)),
    swapped,
)


@times
def test_each_damaged_file_is_named_and_made_anew(n, right, folder):
    rng, lines = random.Random(n), []

    def run():
        [found] = run_batch([prepare(experiment, "paper", WORDS)], jobs=2, write=lines.append)
        assert found.error == "" and table_bytes(folder.path) == right
        return found

    run()
    for _ in range(n):
        files = [p for p in folder.path.rglob("*") if p.is_file() and p.name != "run.log"]
        path = rng.choice(sorted(p for p in files if len(set(p.read_bytes())) > 1))
        damaged = rng.choice(DAMAGES)(path.read_bytes(), rng)
        path.unlink() if damaged is None else path.write_bytes(damaged)
        lines.clear()
        assert run().how == "no notebook"
        assert f"! toy_paper/toy_study  {path.relative_to(folder.path).as_posix()} " in lines[0]
    assert run().how == "stored"


@few_times
def test_two_runs_at_once_store_the_same(n, right, folder):
    for _ in range(n):
        both = [command(), command()]
        words = [process.communicate(timeout=START_S)[0] for process in both]
        assert [process.returncode for process in both] == [0, 0], words
        assert table_bytes(folder.path) == right and not list(folder.path.rglob(".part-*"))
        remove(folder.path)


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))


@few_times
def test_a_limit_of_the_size_of_files_is_an_error_with_a_remedy(n, right, folder):
    for _ in range(n):
        process = command(preexec_fn=small_files)
        words, _ = process.communicate(timeout=START_S)
        assert process.returncode == 1 and "File too large; free some space or name another" in words
        assert folder.status is None and not list(folder.path.rglob(".part-*"))
        ends_well(right, folder)
        remove(folder.path)


@few_times
def test_a_folder_that_cannot_be_written_is_an_error_with_a_remedy(n, tmp_path, monkeypatch):
    """As a full disk or a read-only folder: there is a file in the place of the folder."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path / "file"))
    for _ in range(n):
        process = command()
        words, _ = process.communicate(timeout=START_S)
        assert process.returncode == 1 and "CREDALBENCH_RESULTS, and run again to continue" in words
        assert Path(tmp_path / "file").read_bytes() == b""
