"""Verdicts: what counts as agreement, what never does, and what is shown with a difference."""

import dataclasses

import pandas as pd
import pytest

import credalbench.papers.result as result_module
from credalbench.papers import Choice, Claim, Finding, NotCheckable, load_study, run_study
from credalbench.papers.claims import claim
from credalbench.papers.keys import view_key
from credalbench.papers.reasons import PAPERS_ERROR, UNEXPLAINED
from credalbench.papers.verdicts import COLUMNS, counts, judge_claim

from .toy_study import experiment


def verdict(finding, **options):
    def check(params, tables):
        if isinstance(finding, Exception):
            raise finding
        return finding

    judged = judge_claim(Claim("a", "statement", "paper", check, **options), None, {})
    return judged.verdict, judged.explanation


@pytest.mark.parametrize(
    ("finding", "options", "expected"),
    [
        (Finding(True, "1"), {}, ("reproduced", "")),
        (Finding(True, "1", "just so"), {"explanation": "unused"}, ("reproduced", "just so")),
        (Finding(False, "2"), {}, ("not reproduced", "unexplained")),
        (Finding(False, "2", "by 1"), {"explanation": "other data"}, ("not reproduced", "by 1; other data")),
        (Finding(None, "1 (0 to 2)", "more runs"), {"explanation": "unused"}, ("open", "more runs")),
        (Finding(None, "1"), {}, ("open", "it is not known what would decide it")),
        (NotCheckable("no values printed"), {}, ("not checkable", "no values printed")),
        (
            Finding(True, "1"),
            {"stand_in": True},
            ("on stand-in data only", "stand-in data, on which it is reproduced"),
        ),
        (
            Finding(False, "1"),
            {"stand_in": True},
            ("on stand-in data only", "stand-in data, on which it is not reproduced"),
        ),
        (
            Finding(None, "1", "more runs"),
            {"stand_in": True},
            ("on stand-in data only", "stand-in data, on which it is open; more runs"),
        ),
        (NotCheckable("lost"), {"stand_in": True}, ("not checkable", "lost")),
    ],
)
def test_the_five_verdicts(finding, options, expected):
    assert verdict(finding, **options) == expected


def test_a_check_without_a_finding_cannot_be_checked():
    found, explanation = verdict(True)
    assert found == "not checkable" and "expected a Finding" in explanation


@pytest.mark.parametrize("stand_in, expected", [(True, "on stand-in data only"), (False, "reproduced")])
def test_whether_data_stand_in_may_depend_on_the_tables(stand_in, expected):
    def from_tables(params, tables):
        return tables["stand_in"]

    claim = Claim("a", "statement", "paper", lambda params, tables: Finding(True, "1"), stand_in=from_tables)
    assert judge_claim(claim, None, {"stand_in": stand_in}).verdict == expected


def test_the_table_has_a_row_per_claim_and_shows_itself_in_full(tmp_path):
    result = run_study(experiment, profile="smoke")
    table = result.verdicts
    assert tuple(table.columns) == COLUMNS and len(table) == len(experiment.claims)
    shown = table._repr_html_()
    assert "≠ not reproduced" in shown and "ours is a toy" in shown
    assert isinstance(table[table.verdict == "reproduced"], pd.DataFrame)
    assert "≈ on stand-in data only" in result._repr_html_() and "2 reproduced" in repr(result)
    result.save(tmp_path)
    stored = pd.read_csv(tmp_path / "verdicts.csv", keep_default_na=False, dtype=str)
    assert stored.to_dict("records") == table.to_dict("records")


def test_claims_are_counted_by_verdict():
    assert counts(run_study(experiment, profile="smoke").verdicts) == {
        "reproduced": 2,
        "not reproduced": 1,
        "open": 1,
        "not checkable": 1,
        "on stand-in data only": 1,
    }


def test_figures_show_themselves_with_a_text_and_are_the_same_bytes_again(tmp_path):
    result = run_study(experiment, profile="smoke")
    data, metadata = result.figure("toy-fig-01")._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == "toy-fig-01: Curves of the toy"
    drawn = "figures/toy-fig-01.pdf"
    result.save(tmp_path / "one")
    run_study(experiment, profile="smoke").save(tmp_path / "two")
    assert (tmp_path / "one" / "figures/toy-fig-01.png").read_bytes() == data["image/png"]
    vector, again = ((tmp_path / name / drawn).read_bytes() for name in ("one", "two"))
    assert vector.startswith(b"%PDF") and again == vector and b"CreationDate" not in vector
    with pytest.raises(ValueError, match="draws no figure for 'toy-fig-02'"):
        result.figure("toy-fig-02")
    with pytest.raises(ValueError, match="unknown artefact 'toy-fig-1'; did you mean 'toy-fig-01'"):
        result.figure("toy-fig-1")


def test_stored_figures_are_shown_and_drawn_again_only_by_other_code(tmp_path, monkeypatch):
    def refuse(params, tables):
        raise AssertionError("drawn again")

    result = run_study(experiment, profile="smoke")
    result.save(tmp_path)
    files = {f"figures/{path.name}": path.read_bytes() for path in (tmp_path / "figures").iterdir()}
    result.folder.store_shown(files, {"view": view_key(experiment), "notebook": None, "report": {}})
    again = load_study(dataclasses.replace(experiment, draw=refuse), profile="smoke")
    picture = again.figure("toy-fig-01")
    assert again.errors == result.errors and picture.size == (3, 2)
    for ending in (".png", ".pdf"):
        name = f"toy-fig-01{ending}"
        assert picture.save(tmp_path / "again" / name).read_bytes() == files[f"figures/{name}"]
    monkeypatch.setattr(result_module, "view_key", lambda experiment: "of other code")
    other = load_study(dataclasses.replace(experiment, draw=refuse), profile="smoke")
    assert "AssertionError: drawn again" in other.drawing_error


@pytest.mark.parametrize(
    ("cause", "explanation", "expected"),
    [
        ("fate", "so it is", "expected a cause among"),
        (UNEXPLAINED, "", "expected an explanation with it"),
        (PAPERS_ERROR, "a misprint", "expected an erratum such as E7"),
    ],
)
def test_a_cause_is_one_of_the_list_and_is_explained(cause, explanation, expected):
    with pytest.raises(ValueError, match=expected):
        claim("toy-tab-01", "as printed", cause=cause, explanation=explanation)(
            lambda p, t: Finding(True, "")
        )


@pytest.mark.parametrize(("holds", "expected"), [(True, ""), (None, ""), (False, PAPERS_ERROR)])
def test_only_a_difference_has_a_cause(holds, expected):
    declared = claim("toy-tab-01", "as printed", cause=PAPERS_ERROR, explanation="erratum E7: a misprint")
    assert judge_claim(declared(lambda p, t: Finding(holds, "")), None, {}).cause == expected


def test_free_text_is_no_choice():
    with pytest.raises(TypeError, match="expected fitted to be a Choice, or several, got 'k-means'"):
        claim("toy-tab-01", "as printed", fitted=("k-means",))(lambda p, t: Finding(True, ""))
    with pytest.raises(ValueError, match="expected words in 'evidence'"):
        Choice("k-means", "two starts", " ")
