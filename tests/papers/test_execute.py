"""Running: stored as it goes, resumed after a kill, the same bytes again, failures as rows."""

import dataclasses
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from credalbench.papers import Picture, case_random_state, case_rng, load_study, run_study
from credalbench.papers.store import StudyFolder
from credalbench.papers.tables import LeftOut, identified

from .conftest import n_stored, together
from .toy_study import Parameters, cases, experiment

SLOW_RUN = """\
from credalbench.papers import run_study
from tests.papers.toy_study import experiment
run_study(experiment, profile="smoke", n_runs=6, pause_s=0.3)
"""


def table_bytes(result):
    return {path.name: path.read_bytes() for path in sorted((result.path / "tables").glob("*.csv"))}


def test_tables_have_the_identifying_columns_first_in_the_order_of_the_cases():
    tables = run_study(experiment, n_runs=3).tables
    assert list(tables["summary"].columns) == ["size", "repetition", "mean", "status"]
    assert tables["summary"][["size", "repetition"]].to_dict("records") == cases(Parameters(n_runs=3))
    assert len(tables["curves"]) == 3 * (5 + 10)
    assert len(tables["failures"]) == 0


def test_a_stored_study_is_not_computed_again_unless_forced(computed):
    run_study(experiment, profile="smoke")
    run_study(experiment, profile="smoke")
    assert computed() == 2
    run_study(experiment, profile="smoke", force=True)
    assert computed() == 4
    assert load_study(experiment, profile="paper") is None


def test_a_study_whose_cases_are_others_now_is_completed(computed, monkeypatch):
    """As where a data file is at hand that was not."""
    with monkeypatch.context() as before:
        before.setattr(type(experiment), "case_list", lambda self, params: cases(params)[:1])
        assert len(run_study(experiment, profile="smoke").tables["summary"]) == computed() == 1
    assert len(run_study(experiment, profile="smoke").tables["summary"]) == computed() == 2


def test_same_seed_gives_the_same_bytes_whatever_the_number_of_processes():
    alone = table_bytes(run_study(experiment, profile="smoke", n_runs=4))
    assert alone == table_bytes(together(experiment, n_runs=4, force=True))


def test_a_killed_run_loses_no_finished_case_and_leaves_nothing_that_looks_finished(computed):
    folder = StudyFolder.of(experiment, experiment.resolve("smoke", {"n_runs": 6, "pause_s": 0.3}))
    process = subprocess.Popen([sys.executable, "-c", SLOW_RUN], cwd=os.environ["PYTHONPATH"])
    case_list = cases(Parameters(n_runs=6, sizes=(4,)))
    while n_stored(folder, case_list) < 2:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    stored, begun = n_stored(folder, case_list), computed()
    assert 2 <= stored < 6
    assert folder.status is None and load_study(experiment, folder_params()) is None
    result = run_study(experiment, folder_params())
    assert folder.status["failed"] == 0 and len(result.tables["summary"]) == 6
    assert computed() == begun + 6 - stored


def folder_params():
    return experiment.resolve("smoke", {"n_runs": 6, "pause_s": 0.3})


def test_a_failed_case_is_a_row_with_its_reason_and_is_tried_again(computed, monkeypatch):
    result = run_study(experiment, n_runs=3, sizes=(4,), fail=(1,))
    expected = {
        "size": 4,
        "repetition": 1,
        "status": "failed",
        "error": "FloatingPointError",
        "reason": "repetition 1 diverged",
    }
    assert result.failures.to_dict("records") == [expected]
    assert result.tables["summary"]["repetition"].tolist() == [0, 2]
    assert result.folder.status["failed"] == 1
    assert "case failed: FloatingPointError: repetition 1 diverged" in result.errors
    monkeypatch.setenv("TOY_HEALED", "1")
    healed = run_study(experiment, n_runs=3, sizes=(4,), fail=(1,))
    assert healed.folder.status["failed"] == 0 and computed() == 3 + 1
    assert healed.tables["summary"]["repetition"].tolist() == [0, 1, 2]


def test_failures_are_rows_in_parallel_runs_too():
    result = together(experiment, n_runs=3, sizes=(4,), fail=(0, 1, 2))
    assert result.failures["repetition"].tolist() == [0, 1, 2]
    verdicts = result.verdicts.set_index("claim")["verdict"]
    assert verdicts["every run is there"] == "not checkable"


def test_the_profile_of_a_result_is_what_its_parameters_are():
    assert run_study(experiment, profile="paper", n_runs=2, sizes=(4,)).profile == "smoke"
    other = run_study(experiment, profile="smoke", n_runs=3)
    assert other.profile == "custom" and other.changes("smoke") == {"n_runs": (3, 2)}


def test_misuse_is_refused_before_work_starts(computed):
    with pytest.raises(ValueError, match="unknown parameter 'n_run'"):
        run_study(experiment, n_run=2)
    with pytest.raises(TypeError, match="expected either a Parameters"):
        run_study(experiment, Parameters(), n_runs=2)
    doubled = dataclasses.replace(experiment, cases=lambda params: [{"a": 1}, {"a": 1}])
    with pytest.raises(ValueError, match="two cases have the same identifying columns"):
        run_study(doubled)
    assert computed() == 0


def test_identifying_columns_must_agree_with_the_table():
    table = pd.DataFrame({"x": [1.0], "size": [4]})
    assert list(identified(table, {"size": 4}, "t").columns) == ["size", "x"]
    with pytest.raises(ValueError, match="column 'size' differs"):
        identified(table, {"size": 5}, "t")


def test_seeds_depend_on_every_axis_and_on_nothing_else():
    axes = [(1,), (1, 0), (2,), (1, "protein"), (1, "protein", 0), (1, "protein", 1), (1, "iris", 0)]
    states = [case_random_state(*a) for a in axes]
    assert len(set(states)) == len(axes)
    assert states == [case_random_state(*a) for a in axes]
    assert case_random_state(1, "protein", 0) == 3919518346  # the same in every process and version
    np.testing.assert_array_equal(case_rng(1, "a").random(3), case_rng(1, "a").random(3))
    with pytest.raises(TypeError, match="expected an integer >= 0 or text"):
        case_rng(1, 0.5)


def test_where_every_case_failed_the_missing_figure_raises_the_reason():
    result = run_study(experiment, n_runs=1, fail=(0,))
    assert set(result.tables) == {"failures"} and len(result.failures) == 2
    assert "drawing stopped with KeyError: 'curves'; 2 case(s) failed" in result.drawing_error
    with pytest.raises(RuntimeError, match="2 case"):
        result.figure("toy-fig-01")


@pytest.fixture
def absent(monkeypatch):
    """The data of the repetitions in ``fail`` cannot be had."""
    monkeypatch.setenv("TOY_ABSENT", "1")


def test_data_that_cannot_be_had_leave_a_study_out_without_an_error(absent):
    """The exception says so by ``leaves_out``; the first line of it takes the place of figures, verdicts."""
    result = run_study(experiment, n_runs=1, fail=(0,))
    assert set(result.failures["status"]) == {"left out"}
    assert result.left_out == "data set 0 needs a file"
    assert result.errors == []
    verdicts = result.verdicts.set_index("claim")
    assert verdicts.loc["the means vanish", "verdict"] == "not checkable"
    assert verdicts.loc["the means vanish", "explanation"] == "left out: data set 0 needs a file"
    assert result.folder.status["failed"]  # tried again once the data are there


def test_each_data_set_that_cannot_be_had_is_named_once(absent):
    result = run_study(experiment, n_runs=3, fail=(0, 2))  # at two sizes each
    assert result.left_out == "data set 0 needs a file; data set 2 needs a file"


def test_what_a_notebook_uses_of_a_study_that_is_left_out_shows_the_reason(absent):
    result = run_study(experiment, n_runs=1, fail=(0,))
    reason = "left out: data set 0 needs a file"
    values = (
        result.figure("toy-fig-01"),
        result.summary("means").loc["a", ["b"]],
        result.tables["summary"].groupby("size")["mean"].mean().round(3),
    )
    for shown in values:
        assert repr(shown) == reason and shown._repr_html_() == f"<p>{reason}</p>"
    for wrong in (lambda: result.figure("toy-fig-1"), lambda: result.summary("mean")):
        with pytest.raises(ValueError, match="did you mean"):
            wrong()


def test_what_is_there_of_a_study_that_is_left_out_in_part_is_shown(absent):
    result = run_study(experiment, n_runs=2, fail=(0,))
    assert isinstance(result.figure("toy-fig-01"), Picture) and len(result.tables["summary"]) == 2
    assert isinstance(result.figure("toy-fig-02"), LeftOut) and isinstance(result.tables["other"], LeftOut)


def test_without_cases_left_out_a_wrong_name_is_an_error():
    result = run_study(experiment, n_runs=1)
    with pytest.raises(KeyError, match="other"):
        result.tables["other"]
    with pytest.raises(ValueError, match="draws no figure for 'toy-fig-02'"):
        result.figure("toy-fig-02")
