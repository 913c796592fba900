"""Every test of the runner has a store of its own, and worker processes find the toy study."""

import contextlib
import os
from pathlib import Path

import pytest

from credalbench.papers.batch import prepare, run_batch

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    for name in ("CREDALBENCH_SHOW", "TOY_ABSENT", "TOY_HEALED"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "results"


def together(experiment, profile="smoke", scheduler=None, force=False, **overrides):
    """Result of a study whose cases two workers compute, of this machine or of a scheduler."""
    run = prepare(experiment, profile, overrides, use_notebook=False)
    run_batch([run], jobs=2, scheduler=scheduler, force=force, write=lambda line: None)
    return run.result


def n_stored(folder, cases):
    """How many of the cases are stored."""
    return sum(folder.case_path(case).is_dir() for case in cases)


@pytest.fixture
def processes(store):
    """Command lines of the processes that know of this test's store (Linux only; elsewhere none)."""

    def found():
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if str(store).encode() in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                    yield (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()

    # Python's own helper of this process, which ends with it
    return lambda: [words for words in found() if "resource_tracker" not in words]


@pytest.fixture
def computed(tmp_path):
    """How many cases have been computed so far, over all processes."""
    log = tmp_path / "log"
    return lambda: len(log.read_text().splitlines()) if log.exists() else 0


@pytest.fixture
def computed_by(tmp_path):
    """For each case that has been computed, in that order, the number of its process."""
    return lambda: [int(line.split()[0]) for line in (tmp_path / "log").read_text().splitlines()]
