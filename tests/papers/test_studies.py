"""Studies by name, and how a notebook runs one and reads what it found."""

import subprocess
import sys

import pytest

from credalbench.papers import run_study, studies
from credalbench.papers.places import experiments_folder
from credalbench.papers.reference import SENTENCES, SETTING, read_values
from credalbench.papers.studies import discover, get_study, headings, reproduce
from tests.papers import toy_study
from tests.papers.conftest import store  # noqa: F401  (a results folder of its own for every test)
from tests.papers.toy_study import experiment


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(studies, "get_study", {"toy_paper/toy_study": experiment}.__getitem__)


def test_every_study_is_found_under_its_own_name():
    found = discover()
    assert list(found) == sorted(found) and set(headings()) == set(found)
    for paper, members in found.items():
        assert list(members) == sorted(members) and members
        for study, one in members.items():
            assert get_study(f"{paper}/{study}") is one


@pytest.mark.parametrize("name", ["denoeux2016_evclus/buterfly", "denoeux2016/butterfly"])
def test_an_unknown_study_is_refused_with_the_nearest_name(name):
    with pytest.raises(ValueError, match=f"'{name}'; did you mean '.*/butterfly'"):
        get_study(name)


def test_a_study_is_loaded_without_the_others():
    code = (
        "import sys; from credalbench.papers.studies import get_study\n"
        "get_study('denoeux2016_evclus/butterfly');"
        "print([m for m in sys.modules if m.startswith('experiments.denoeux2016_evclus.b')])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "experiments.denoeux2016_evclus.butterfly" in loaded and "belief_examples" not in loaded


def test_a_notebook_hands_over_its_globals(toy):
    """Names that are not parameters are passed over, and a knob that is None follows the profile."""
    knobs = {"profile": "smoke", "n_runs": 3, "scale": None, "sizes": [4], "pd": object(), "__name__": "x"}
    result = reproduce("toy_paper/toy_study", knobs)
    assert result.params == experiment.resolve("smoke", {"n_runs": 3})
    assert reproduce("toy_paper/toy_study", {"profile": "smoke"}).profile == "smoke"
    with pytest.raises(TypeError, match="'n_runs': expected int, got str"):
        reproduce("toy_paper/toy_study", {"n_runs": "many"})


def test_without_a_profile_the_papers_values_hold(toy):
    assert reproduce("toy_paper/toy_study", {}).profile == "paper"
    assert reproduce("toy_paper/toy_study", {"n_runs": 1}).profile == "custom"


def test_summaries_are_read_by_name(store):  # noqa: F811
    result = run_study(experiment, profile="smoke")
    assert list(result.summary("means").columns) == ["size", "mean"] and len(result.summary("means")) == 1
    with pytest.raises(
        ValueError, match=r"unknown summary 'mean'; did you mean 'means'\? \(this study has: means\)"
    ):
        result.summary("mean")


def test_the_source_of_the_computation_is_shown(store):  # noqa: F811
    source = run_study(experiment, profile="smoke").source
    assert source.data.startswith("def compute(params, case):") and "case_rng(3" in source.data
    assert source.language == "python" and toy_study.compute.__name__ in source._repr_html_()


#: Tables whose numbers are lost: what is listed of them is the protocol in the text.
LOST = {"ensemble-tab-3"}


@pytest.mark.parametrize("paper", discover())
def test_every_printed_result_of_a_table_has_its_cell(paper):
    tables, printed = studies.printed_tables()[paper], {}
    for path in sorted((experiments_folder() / paper / "reference").glob("*.csv")):
        for value in read_values(path).values() if path.stem != SENTENCES else ():
            results = printed.setdefault(value.artefact, set())
            results |= set() if value.relation == SETTING else {value.quantity}
    wanted = {artefact for artefact in printed if "-tab-" in artefact} - LOST
    assert wanted == set(tables)
    for artefact, table in tables.items():
        assert printed[artefact] <= {*table.placed, *table.in_text}, artefact
        assert len(set(table.placed)) == len(table.placed), artefact
        assert any(artefact in study.artefacts for study in discover()[paper].values()), artefact
