"""What site and REPRODUCTION.md are made of: artefacts, the list of all that is judged, the text."""

import dataclasses

import pytest

from credalbench.runner import EXPECTATION, PAPER, Finding, reproduction, run_study
from credalbench.runner.claims import agrees, claim
from credalbench.runner.reference import Printed
from credalbench.runner.reproduction import (
    DIFFERENCES_FIRST,
    OWN,
    RESULTS,
    SENTENCES,
    collect,
    judged_items,
    reproduction_path,
    reproduction_text,
    write_reproduction,
)
from credalbench.runner.sealed import write_sealed

from .toy_study import experiment

OTHER = dataclasses.replace(
    experiment, study="other_study", artefacts=("toy-tab-02", "toy-fig-10"), claims=()
)
STATED = {"S01": "nothing remains (p. 1)", "S02": "it is positive (p. 2)", "S04": "more (p. 3)"}


@pytest.fixture
def papers():
    run_study(experiment, profile="smoke")
    studies = {"other_study": OTHER, "toy_study": experiment}
    return collect({"toy_paper": studies}, "smoke", {"toy_paper": "Toy <2000>"}, {"toy_paper": STATED})


def test_artefacts_come_in_the_order_of_the_paper(papers):
    assert [a.id for a in papers[0].artefacts] == ["toy-fig-01", "toy-fig-02", "toy-fig-10", "toy-tab-02"]
    assert [a.label for a in papers[0].artefacts] == ["Figure 1", "Figure 2", "Figure 10", "Table 2"]


def test_reproduction_is_a_function_of_the_results(papers):
    text = reproduction_text(papers, "smoke")
    result = papers[0].artefacts[0].result
    write_sealed(result.path / "provenance.json", {**result.provenance, "date": "1999-01-01", "seconds": 7})
    assert reproduction_text(papers, "smoke") == text
    assert "the spread is 5 |  | paper | 5 (Table 1) | 2.0 | ≠ differs | ours is a toy |" in text
    assert "| `spread` | 5 |  | 2.0 | ≠ differs |" in text
    assert "Not run with the present code: `credalbench run toy_paper/other_study`" in text
    assert "| S01 | nothing remains (p. 1) | ✓ holds after a fitted choice | `toy-fig-01` |" in text
    assert "| S02 | it is positive (p. 2) | ± undecided | `toy-fig-02` |" in text
    assert "| S04 | more (p. 3) | not judged |  |" in text
    assert "## Toy &lt;2000>" in text and "<" not in text  # nothing of it is read as a tag
    assert reproduction_path().parent.name == "results"  # the tracked file changes on request only


def test_the_tracked_text_is_written_whole_or_not_at_all(papers, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "repository_root", lambda: tmp_path)
    with pytest.raises(ValueError, match="at the paper profile, got without toy_paper/other_study"):
        write_reproduction(papers, "paper", tracked=True)
    whole = [dataclasses.replace(papers[0], artefacts=papers[0].artefacts[:2])]
    with pytest.raises(ValueError, match="got the smoke profile"):
        write_reproduction(whole, "smoke", tracked=True)
    assert not (tmp_path / "docs" / "REPRODUCTION.md").exists()
    assert write_reproduction(whole, "paper", tracked=True) == tmp_path / "docs" / "REPRODUCTION.md"


def test_each_printed_result_and_each_sentence_counts_once(papers):
    found = papers[0].tallies
    assert {kind: {word: n for word, n in counts.items() if n} for kind, counts in found.items()} == {
        "printed results": {"differs": 1},
        "sentences": {"holds after a fitted choice": 1, "undecided": 1},  # S04 is not judged
        "our own claims": {"holds": 1},
    }
    assert "|  | sentences | 2 | 0 | 1 | 0 | 1 | 0 | 0 |" in reproduction_text(papers, "smoke")


VALUES = {name: Printed(0, 0, "Table 1", quantity=name, artefact="toy-fig-01") for name in "ab"}


@claim("toy-fig-01", "two printed values", PAPER, sentence="S01", explanation="b is lost")
def two_values(params, tables):
    return agrees(VALUES, {"a": 0.0, "b": 1.0}, "g")


@claim("toy-fig-01", "expected, and not so", EXPECTATION, explanation="x" * 400)
def disappointed(params, tables):
    return Finding(False, "no")


def items_of(claims):
    wider = dataclasses.replace(experiment, artefacts=experiment.titles, claims=claims)
    run_study(wider, profile="smoke")
    papers = collect({"toy_paper": {"toy_study": wider}}, "smoke", {}, {"toy_paper": STATED})
    return judged_items(papers), papers[0]


def test_the_counts_of_the_items_are_those_of_the_overview():
    items, paper = items_of((*experiment.claims, two_values, disappointed))
    for kind, tally in paper.tallies.items():
        for outcome, number in tally.items():
            counted = sum(item.count for item in items if (item.kind, item.outcome) == (kind, outcome))
            assert counted == number, (kind, outcome)
    assert {item.kind for item in items} == {RESULTS, SENTENCES, OWN}
    assert not any("S04" in item.statement for item in items)  # not judged


def test_differences_come_first_with_their_reasons():
    items, _ = items_of((*experiment.claims, two_values, disappointed))
    places = [DIFFERENCES_FIRST.index(item.outcome) for item in items]
    assert places == sorted(places) and places[0] == 0 < places[-1]
    [values, spread, sentence, own] = [item for item in items if item.outcome == "differs"]
    assert (values.statement, values.ours, values.reason) == (
        "1 of 2 printed values",
        "b 0, ours 1",
        "b is lost",
    )
    assert (spread.statement, spread.reason) == ("the printed value", "ours is a toy")
    assert sentence.statement == "S01: nothing remains (p. 1)" and sentence.reason == "b is lost"
    assert [place.id for place in sentence.places] == ["toy-fig-01"]
    assert len(own.reason) <= 300 and own.reason.endswith("...")
    assert not any(item.reason for item in items if item.outcome == "holds")
