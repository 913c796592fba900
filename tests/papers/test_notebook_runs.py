"""Notebooks through papermill: refused parameters, whole or absent, cached, resumed, interrupted."""

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest

import credalbench.papers.batch as batch
from credalbench.papers.batch import prepare, run_batch
from credalbench.papers.execute import NotebookError, execute_notebook, read_parameters
from credalbench.papers.studies import names

from .conftest import n_stored
from .toy_notebook import write_notebook
from .toy_study import experiment

CLI_RUN = """\
import sys
from pathlib import Path
import credalbench.papers.batch as batch
from tests.papers.only import only
from tests.papers.toy_study import experiment
only({"toy_paper": {"toy_study": experiment}})
batch.notebook_path = lambda e: Path(sys.argv.pop(1))
from credalbench.cli import main
main(["run", "--profile", "smoke", "-p", "pause_s=0.4", "-p", "n_runs=8", "--jobs", "1"])
"""


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    path = write_notebook(tmp_path / "notebooks" / "toy_study.ipynb")
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: path)
    return path


def run(**options):
    lines = []
    overrides = options.pop("overrides", {})
    [outcome] = run_batch([prepare(experiment, "smoke", overrides)], write=lines.append, **options)
    return outcome, lines


def test_an_executed_notebook_leaves_tables_figures_and_verdicts(notebook, computed, store):
    outcome, lines = run(overrides={"n_runs": 3})
    assert outcome.error == "" and outcome.how == "notebook" and lines[0].startswith("✓ toy_paper/toy_study")
    folder = outcome.result.path
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    shown = {
        "notebook.ipynb",
        "figures/toy-fig-01.png",
        "figures/toy-fig-01.pdf",
        "verdicts.csv",
        "manifest.json",
    }
    tables = {"curves.csv", "params.json", "provenance.json", "manifest.json"}
    assert {f"shown/{name}" for name in shown} | {f"tables/{name}" for name in tables} <= found
    assert not any(".part" in name for name in found)
    executed = nbformat.read(folder / "shown" / "notebook.ipynb", as_version=4)
    pictures = [o for c in executed.cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})]
    assert pictures[0].metadata["image/png"]["alt"] == "toy-fig-01: Curves of the toy"
    assert str(store) not in json.dumps(executed.metadata)
    assert computed() == 3

    again, _ = run(overrides={"n_runs": 3})  # unchanged: neither computed nor executed
    assert again.how == "stored" and computed() == 3
    write_notebook(
        notebook, run="result = run_study(experiment, profile=profile, n_runs=n_runs)\nresult.tables"
    )
    edited, _ = run(overrides={"n_runs": 3})  # the notebook changed: executed, out of stored cases
    assert edited.how == "notebook" and computed() == 3


def test_a_parameter_that_the_notebook_does_not_have_is_refused(notebook, tmp_path):
    target = tmp_path / "out" / "notebook.ipynb"
    with pytest.raises(ValueError, match="unknown parameter 'n_run'; did you mean 'n_runs'"):
        execute_notebook(notebook, target, {"n_run": 3})
    assert not target.parent.exists()
    with pytest.raises(ValueError, match="its notebook has no parameter 'centre'"):
        prepare(experiment, "smoke", {"centre": False})
    with pytest.raises(ValueError, match="unknown parameter 'n_run'"):
        prepare(experiment, "smoke", {"n_run": 3})


def test_the_parameters_cell_is_read_without_running_it(tmp_path):
    path = write_notebook(tmp_path / "n.ipynb")
    assert read_parameters(path)["sizes"] == [4] and read_parameters(path)["profile"] == "smoke"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].source = "n_runs: int = 2 + len('a')"
    nbformat.write(notebook, path)
    with pytest.raises(ValueError, match="expected only name = literal"):
        read_parameters(path)
    del notebook.cells[1]
    nbformat.write(notebook, path)
    with pytest.raises(ValueError, match="exactly one cell tagged 'parameters', got 0"):
        read_parameters(path)


def test_a_cell_that_raises_leaves_no_notebook_that_looks_finished(tmp_path):
    source = write_notebook(tmp_path / "n.ipynb", run="result = 1 / 0")
    target = tmp_path / "out" / "notebook.ipynb"
    with pytest.raises(NotebookError, match=r"n\.ipynb, cell 4: ZeroDivisionError"):
        execute_notebook(source, target, {"n_runs": 3})
    assert [p.name for p in target.parent.iterdir()] == ["notebook.failed.ipynb"]


@pytest.mark.long
def test_a_notebook_that_ignores_its_parameters_is_an_error(notebook):
    write_notebook(notebook, run="result = run_study(experiment, profile=profile)")
    outcome, _ = run(overrides={"n_runs": 3})
    assert "did not run the study with the parameters it was given" in outcome.error


@pytest.mark.long
def test_the_error_of_a_notebook_without_data_names_the_failed_case(notebook):
    outcome, lines = run(overrides={"fail": (0, 1)})
    assert "repetition 0 diverged" in lines[0]
    assert "NotebookError" in outcome.error and "drawing stopped" in outcome.error


@pytest.mark.long
def test_a_notebook_whose_data_cannot_be_had_runs_to_its_end(notebook, monkeypatch):
    monkeypatch.setenv("TOY_ABSENT", "1")
    outcome, lines = run(overrides={"fail": (0, 1)})
    reason = "left out: data set 0 needs a file; data set 1 needs a file"
    assert outcome.error == "" and lines == [f"– toy_paper/toy_study  {reason}"]
    assert reason in (outcome.result.path / "shown" / "notebook.ipynb").read_text("utf-8")


@pytest.mark.long
def test_kernels_that_start_together_do_not_disturb_each_other(tmp_path):
    source = write_notebook(tmp_path / "n.ipynb")
    targets = [tmp_path / str(i) / "notebook.ipynb" for i in range(2)]
    script = "import sys, pathlib as p; from credalbench.papers.execute import execute_notebook as e; "
    script += "e(p.Path(sys.argv[1]), p.Path(sys.argv[2]), {})"

    def execute(target):
        command = [sys.executable, "-c", script, str(source), str(target)]
        return subprocess.run(command, capture_output=True, text=True)

    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(execute, targets))
    assert [e.returncode for e in ended] == [0, 0], ended[0].stderr[-2000:]
    assert all(target.is_file() for target in targets)


@pytest.mark.long
def test_a_study_that_takes_too_long_is_stopped_and_keeps_its_finished_cases(monkeypatch):
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)
    outcome, lines = run(overrides={"pause_s": 0.5, "n_runs": 200}, time_limit_s=8.0)  # of 100 s
    assert "stopped after 8 s" in outcome.error and lines[0].startswith("✗")
    assert outcome.folder.status is None and 0 < n_stored(outcome.folder, outcome.cases) < 200


@pytest.mark.long
def test_without_a_notebook_the_study_runs_directly_and_its_line_shows_that(monkeypatch):
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)
    outcome, lines = run(overrides={"fail": (1,)})
    assert lines[0].startswith("✗") and "repetition 1 diverged" in outcome.error
    healed, lines = run()
    assert healed.error == "" and "without a notebook" in lines[0]


@pytest.mark.long
def test_the_last_study_gets_the_processes_that_the_others_have_left(monkeypatch, computed_by):
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)
    run()
    before = len(computed_by())
    tasks = [prepare(experiment, "smoke", {"n_runs": 8, "pause_s": 0.5}), prepare(experiment, "smoke", {})]
    outcomes = run_batch(tasks, jobs=2, write=lambda line: None)
    assert [outcome.how for outcome in outcomes] == ["no notebook", "stored"]
    assert len(set(computed_by()[before:])) > 1


@pytest.fixture
def left(monkeypatch):
    """What is left of a batch, in words; two studies of 2 cases, and one of 2 that take ten times as long."""
    clock = [0.0]
    monkeypatch.setattr(batch.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(batch, "NOTEBOOK_S", 0.0)
    studies = [dataclasses.replace(experiment, study=name) for name in ("one", "two", "slow")]
    runs = [prepare(study, "smoke", {}, use_notebook=False) for study in studies]
    expected = {"toy_paper/one": 1.0, "toy_paper/two": 1.0, "toy_paper/slow": 10.0}
    monkeypatch.setattr(batch, "expected_seconds", lambda runs: expected)
    progress = batch._Progress(runs, print)
    progress.waiting[:] = runs
    for run in runs:
        run.left.extend(run.cases)

    def words(at_s, *ended):
        clock[0] = at_s
        for run, seconds in zip(runs, ended):
            run.case_seconds[:] = seconds
            run.left.clear()
            run.left.extend(run.cases[len(seconds) :])
            if len(seconds) == len(run.cases) and run in progress.waiting:
                progress.waiting.remove(run)
                progress._ended.append(run)
        return progress.words()

    return words


def test_the_time_left_is_that_of_the_work_left_at_the_pace_so_far(left):
    assert left(0) == "3 left"
    assert left(60, [60]) == "3 left, about 23 min"  # 1 + 2 + 2 * 10 minutes, as expected cases take
    assert left(60, [60, 60]) == "2 left, about 11 min"  # two workers
    assert left(150, [60, 60], [60, 60], [300]) == "1 left, about 1 min"  # it was faster
    assert left(300, [60, 60], [60, 60], [300, 300]) == ""


def test_the_studies_in_the_list_of_seconds_are_there():
    known = {f"{paper}/{study}" for paper, studies in names().items() for study in studies}
    rows = Path(batch.__file__).with_name("seconds.csv").read_text("utf-8").splitlines()
    assert {row.split(",")[0] for row in rows[1:]} <= known


@pytest.mark.parametrize(("cores", "neighbours"), [(1, 0), (8, 1)])
def test_timed_cases_come_first_one_by_one_with_one_process_on_another_core(cores, neighbours, monkeypatch):
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)
    monkeypatch.setattr(batch, "cpu_count", lambda only_physical_cores: cores)
    at_work, fill = [], batch._fill

    def watched(engine, running):
        free = fill(engine, running)
        at_work.append([(run.experiment.timed, len(run.sent)) for run in running])
        return free

    monkeypatch.setattr(batch, "_fill", watched)
    timed = dataclasses.replace(experiment, timed=True)
    tasks = [prepare(experiment, "smoke", {"n_runs": 6, "pause_s": 0.5})]
    tasks += [prepare(timed, "smoke", {"n_runs": n, "fail": (0,) if n == 3 else ()}) for n in (2, 3)]
    outcomes = run_batch(tasks, jobs=4, write=lambda line: None)
    assert [outcome.error for outcome in outcomes[:2]] == ["", ""]
    assert "repetition 0 diverged" in outcomes[2].error
    assert [outcome.report.failed for outcome in outcomes] == [0, 0, 1]
    while_timed = [sum(n for is_timed, n in now if not is_timed) for now in at_work if (True, 1) in now]
    assert max(while_timed) == neighbours
    assert all(now.count((True, 1)) + now.count((True, 0)) <= 1 for now in at_work if any(t for t, _ in now))
    assert next(now for now in at_work if now)[0][0]  # timed


@pytest.mark.slow
@pytest.mark.parametrize(("sign", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_killed_command_leaves_nothing_running_and_nothing_finished(sign, code, tmp_path, processes):
    notebook = write_notebook(tmp_path / "toy.ipynb")
    process = subprocess.Popen(
        [sys.executable, "-c", CLI_RUN, str(notebook)], cwd=os.environ["PYTHONPATH"], start_new_session=True
    )
    task = prepare(experiment, "smoke", {"pause_s": 0.4, "n_runs": 8}, use_notebook=False)
    try:
        while n_stored(task.folder, task.cases) < 2:
            assert process.poll() is None, "the command ended before it could be killed"
            time.sleep(0.02)
        process.send_signal(sign)
        assert process.wait() == code
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 15  # s; a kernel looks for its parent once a second

    def left():
        return [words for words in processes() if "spawn_main" in words or "ipykernel" in words]

    while left() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left()
    assert task.folder.status is None
    assert not (task.folder.path / "shown").exists()
    assert 2 <= n_stored(task.folder, task.cases) < 8
