"""What holds of every study, whatever it is about: a new one is covered by being there."""

import contextlib
import fnmatch
import importlib
import re
import subprocess
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest

from credalbench.datasets import download, verify
from credalbench.papers import PAPER, Picture
from credalbench.papers.engine import run_case
from credalbench.papers.execute import notebook_path, parameters_source, read_cells
from credalbench.papers.store import StudyFolder
from credalbench.papers.studies import discover, sentences
from experiments.rscript import RScript
from tests.notebook_cells import forms, shown_by
from tools.completeness import ROOT, listed_values

STUDIES = {e.name: e for studies in discover().values() for e in studies.values()}


def calls_r(study) -> bool:
    return any(isinstance(value, RScript) for value in vars(importlib.import_module(study.module)).values())


every_study = pytest.mark.parametrize("name", STUDIES)
COMPUTED_AGAIN = 4  # cases of a study at most, spread over all


# ---------------------------------------------------------------- declarations


@every_study
@pytest.mark.parametrize("profile", ["paper", "smoke"])
def test_cases_are_distinct(name, profile):
    experiment = STUDIES[name]
    assert experiment.case_list(experiment.resolve(profile))  # refuses two of the same


@every_study
def test_choices_name_printed_values_of_the_paper(name):
    cells = {cell for claim in STUDIES[name].claims for choice in claim.fitted for cell in choice.cells}
    printed = [quantity for _, quantity in listed_values(ROOT / "experiments" / STUDIES[name].paper)]
    assert not [cell for cell in cells if not fnmatch.filter(printed, cell)]


@every_study
def test_a_worker_finds_the_study_in_its_module(name):
    assert importlib.import_module(STUDIES[name].module).experiment is STUDIES[name]


@every_study
def test_no_two_claims_are_the_same(name):
    claims = STUDIES[name].claims
    stated = [(claim.artefact, claim.statement) for claim in claims]
    assert len(set(stated)) == len(stated)


@every_study
def test_statements_read_alike(name):
    for claim in STUDIES[name].claims:
        assert not claim.statement.endswith((".", "?")), claim.statement
        assert "{" not in re.sub(r"\{[\w, ]*\}", "", claim.statement), f"a text was not filled in: {claim}"


class Stopped(Exception):
    """A case has asked for its data."""


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Names of the data sets that cases ask for; no case gets any, nor draws one, nor starts a process.

    No file is here.
    """
    monkeypatch.setattr(download, "data_folder", lambda: None)
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path)
    names = set()

    def ask(name=None, *_, **__):
        names.add(name)
        raise Stopped

    def draw(*_, **__):
        raise Stopped

    monkeypatch.setattr(subprocess, "run", draw)
    for module in [m for name, m in sys.modules.items() if name.startswith("experiments.")]:
        for name, value in list(vars(module).items()):
            if hasattr(value, "cache_clear"):  # what other tests have loaded is asked for again
                value.cache_clear()
            of_data = getattr(value, "__module__", "").startswith("credalbench.datasets")
            if of_data and name.startswith(("load", "make_")):
                monkeypatch.setattr(module, name, ask if name == "load" else draw)
    return names


@every_study
def test_the_files_that_cases_load_are_declared(name, asked):
    """As far as the first case, of the paper's profile, that makes its data by itself."""
    experiment, to_the_end = STUDIES[name], True
    params = experiment.resolve("paper")
    for case in experiment.case_list(params):
        with contextlib.suppress(Stopped):
            experiment.compute(params, dict(case))
            to_the_end = False
            break
    found = verify(asked)
    files = asked.intersection(found.loc[found["status"] == "missing", "name"])
    assert files == set(experiment.data) if to_the_end else files <= set(experiment.data)


# ---------------------------------------------------------------- the smoke run


@every_study
def test_smoke_run_ends_without_errors(name, smoke_result):
    result = smoke_result(name)
    assert result.errors == []
    assert len(result.verdicts) == len(STUDIES[name].claims)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if calls_r(study)])
def test_smoke_run_with_programs_in_r_ends_without_errors(name, smoke_result):
    """R takes minutes; `make test` does not call it."""
    assert smoke_result(name).errors == []


@every_study
def test_each_artefact_is_drawn_or_judged(name, smoke_result):
    experiment, result = STUDIES[name], smoke_result(name)
    assert {claim.artefact for claim in experiment.claims} | set(result.figures) == set(experiment.artefacts)


@every_study
def test_claims_of_the_paper_are_about_a_sentence_or_printed_values(name, smoke_result):
    known = set(sentences()[STUDIES[name].paper])
    for judgement in smoke_result(name).judgements:
        claim = judgement.claim
        assert set(claim.sentences) <= known, claim.statement
        assert claim.published or not claim.sentences, claim.statement
        if claim.basis == PAPER:
            assert claim.published or judgement.printed, claim.statement


@every_study
def test_summaries_are_made(name, smoke_result):
    result = smoke_result(name)
    for function in STUDIES[name].summaries:
        assert len(result.summary(function.__name__)) > 0, function.__name__
        assert function.__doc__, f"{function.__name__} has no docstring"


@every_study
def test_objects_and_clusters_are_numbered_from_one_as_in_the_papers(name, smoke_result):
    for table in smoke_result(name).tables.values():
        for column in table.columns.intersection(["object", "i", "j", "cluster", "other"]):
            assert not pd.api.types.is_numeric_dtype(table[column]) or table[column].min() >= 1


@every_study
def test_the_notebook_runs_and_shows_every_figure_as_it_was_drawn_before(name, smoke_result):
    """Its own result draws them anew, out of the stored tables."""
    result = smoke_result(name)
    with global_generator_left_alone():
        drawn = {artefact: result.figure(artefact).png for artefact in result.figures}
        shown = shown_by(notebook_path(STUDIES[name]))
    assert [value for value in shown if not forms(value)] == []
    pictures = [value for value in shown if isinstance(value, Picture)]
    again = {picture.alt.partition(":")[0]: picture.png for picture in pictures}
    assert again.keys() == drawn.keys()
    assert [artefact for artefact in drawn if again[artefact] != drawn[artefact]] == []
    assert all(png.startswith(b"\x89PNG") for png in again.values())


@contextlib.contextmanager
def global_generator_left_alone():
    """Nobody may draw from numpy's global generator."""
    before = global_generator()
    yield
    assert global_generator() == before


def global_generator() -> list[int]:
    _, keys, position, *_ = np.random.get_state()  # noqa: NPY002
    return [*keys, position]


def contents(case_path) -> dict[str, str]:
    """Every table of a stored case as text, without what was measured."""
    measured = ("_s", "_ms", "_bytes")
    tables = {path.name: pd.read_csv(path) for path in case_path.glob("*.csv")}
    return {
        name: table.drop(columns=[c for c in table if c.endswith(measured)]).to_csv(index=False)
        for name, table in tables.items()
    }


@pytest.mark.long
@every_study
def test_same_seed_gives_same_bytes_and_leaves_the_global_generator_alone(name, smoke_result, tmp_path):
    experiment, result = STUDIES[name], smoke_result(name)
    stored, anew = result.folder, StudyFolder(tmp_path)
    cases = [c for c in experiment.case_list(result.params) if stored.case_path(c).is_dir()]
    with global_generator_left_alone():
        for case in cases[:: -(-len(cases) // COMPUTED_AGAIN)]:
            answer = run_case(experiment.compute, result.params, case)
            anew.store_case(case, answer["files"], answer["seconds"])
            first, again = (contents(folder.case_path(case)) for folder in (stored, anew))
            assert first.keys() == again.keys() != set()
            differ = [table for table in first if first[table] != again[table]]
            assert differ == [], case


# ---------------------------------------------------------------- notebooks


def notebook_of(name):
    path = notebook_path(STUDIES[name])
    assert path is not None, f"{name} has no notebook"
    return nbformat.read(path, as_version=4)


@every_study
def test_notebook_has_the_knobs_of_its_study_and_shows_source_and_verdicts(name):
    cells = read_cells(notebook_path(STUDIES[name]))
    [knobs] = [source for _, source, tags in cells if "parameters" in tags]
    assert knobs == parameters_source(STUDIES[name]), "run python tools/notebooks.py"
    sources = [source for kind, source, _ in cells if kind == "code"]
    assert any(f'reproduce("{name}", globals())' in source for source in sources)
    assert "result.source" in sources and "result.verdicts" in sources
    assert not any(".loc[" in source for source in sources), "rows may be left out; .query finds none then"
    assert not any("experiments" in source for source in sources), "an installed copy has no such package"
