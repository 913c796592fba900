"""Where results are stored, what provenance says, and what a declaration must have."""

import dataclasses
import json

import pytest

from credalbench.papers import Claim, Experiment, Finding, run_study
from credalbench.papers.places import repository_root, results_root
from credalbench.papers.store import StudyFolder

from .toy_study import Parameters, experiment


def test_parameters_and_experiment_make_the_key():
    folders = {
        StudyFolder.of(experiment, Parameters()).path,
        StudyFolder.of(experiment, Parameters(scale=2.5)).path,
        StudyFolder.of(dataclasses.replace(experiment, study="other"), Parameters()).path,
    }
    assert len(folders) == 3
    assert all(path.is_relative_to(results_root() / "toy_paper") for path in folders)
    assert not results_root().exists()


def test_provenance_has_how_to_repeat_it_and_not_where_it_ran(store):
    result = run_study(experiment, profile="smoke")
    text = (result.path / "tables" / "provenance.json").read_text()
    found = json.loads(text)
    assert {"commit", "dirty", "versions", "python", "platform", "date", "profile"} <= set(found)
    assert found["profile"] == "smoke" and "numpy" in found["versions"]
    assert str(store) not in text and "/" not in found["platform"]
    assert json.loads((result.path / "tables" / "params.json").read_text())["sizes"] == [4]


def test_results_are_stored_in_the_folder_one_is_in_and_within_the_checkout_in_its_root(
    tmp_path, monkeypatch
):
    assert results_root() == tmp_path / "results"  # as CREDALBENCH_RESULTS says
    monkeypatch.delenv("CREDALBENCH_RESULTS")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert results_root() == tmp_path / "elsewhere" / "results"
    root = repository_root()
    monkeypatch.chdir(root / "notebooks")
    assert results_root() == root / "results"


def test_declarations_are_checked():
    def replaced(**changes):
        return dataclasses.replace(experiment, **changes)

    with pytest.raises(ValueError, match="expected a basis among"):
        Claim("a", "b", "papr", lambda p, t: Finding(True, ""))
    with pytest.raises(ValueError, match="unknown artefact 'toy-fig-01'; did you mean 'toy-fig-10'"):
        replaced(artefacts=("toy-fig-10", "toy-fig-02"))
    with pytest.raises(ValueError, match="unknown parameter 'n_run'; did you mean 'n_runs'"):
        replaced(smoke={"n_run": 1})
    with pytest.raises(TypeError, match="frozen dataclass"):
        replaced(parameters=dict)
    with pytest.raises(ValueError, match="lower-case letters"):
        replaced(study="Toy-Study")
    assert isinstance(replaced(title="x"), Experiment)
