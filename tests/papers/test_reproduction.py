"""What the site is made of: artefacts, numbers of verdicts, the list of all that is judged."""

import dataclasses

import pytest

from credalbench.papers import PAPER, Finding, run_study
from credalbench.papers.claims import agrees, claim
from credalbench.papers.reference import Printed, Sentence
from credalbench.papers.reproduction import DIFFERENCES_FIRST, RESULTS, SENTENCES, collect, judged_items

from .toy_study import experiment

OTHER = dataclasses.replace(
    experiment, study="other_study", artefacts=("toy-tab-02", "toy-fig-10"), claims=()
)
STATED = {
    "S01": Sentence("nothing remains", "p. 1", {1}),
    "S02": Sentence("it is positive", "p. 2", {2}),
    "S04": Sentence("more", "p. 3", {3}),
}


@pytest.fixture
def papers():
    run_study(experiment, profile="smoke")
    studies = {"other_study": OTHER, "toy_study": experiment}
    return collect({"toy_paper": studies}, "smoke", {"toy_paper": "Toy <2000>"}, {"toy_paper": STATED})


def test_artefacts_come_in_the_order_of_the_paper(papers):
    assert [a.id for a in papers[0].artefacts] == ["toy-fig-01", "toy-fig-02", "toy-fig-10", "toy-tab-02"]
    assert [a.label for a in papers[0].artefacts] == ["Figure 1", "Figure 2", "Figure 10", "Table 2"]


def test_each_printed_result_and_each_sentence_counts_once(papers):
    found = papers[0].tallies
    assert {kind: {word: n for word, n in counts.items() if n} for kind, counts in found.items()} == {
        "printed results": {"not reproduced": 1},
        "sentences": {"reproduced with a choice of ours": 1, "open": 1},  # S04 is not judged
    }


VALUES = {name: Printed(0, 0, "Table 1", quantity=name, artefact="toy-fig-01") for name in "ab"}


@claim("toy-fig-01", "two printed values", PAPER, sentence="S01", explanation="b is lost")
def two_values(params, tables):
    return agrees(VALUES, {"a": 0.0, "b": 1.0}, "g")


@claim("toy-fig-01", "stated, and not so", sentence="S05", explanation="x" * 400)
def disappointed(params, tables):
    return Finding(False, "no")


def items_of(claims):
    wider = dataclasses.replace(experiment, artefacts=experiment.titles, claims=claims)
    run_study(wider, profile="smoke")
    stated = STATED | {"S05": Sentence("more still", "p. 4", {4})}
    papers = collect({"toy_paper": {"toy_study": wider}}, "smoke", {}, {"toy_paper": stated})
    return judged_items(papers), papers[0]


def test_the_counts_of_the_items_are_those_of_the_overview():
    items, paper = items_of((*experiment.claims, two_values, disappointed))
    for kind, tally in paper.tallies.items():
        for outcome, number in tally.items():
            counted = sum(item.count for item in items if (item.kind, item.outcome) == (kind, outcome))
            assert counted == number, (kind, outcome)
    assert {item.kind for item in items} == {RESULTS, SENTENCES}
    assert not any("S04" in item.statement for item in items)  # not judged


def test_differences_come_first_with_their_reasons():
    items, _ = items_of((*experiment.claims, two_values, disappointed))
    places = [DIFFERENCES_FIRST.index(item.outcome) for item in items]
    assert places == sorted(places) and places[0] == 0 < places[-1]
    [values, spread, sentence, long] = [item for item in items if item.outcome == "not reproduced"]
    assert (values.statement, values.ours, values.reason) == (
        "1 of 2 printed values",
        "b 0, ours 1",
        "b is lost",
    )
    assert (spread.statement, spread.reason) == ("the printed value", "ours is a toy")
    assert sentence.statement == "S01: nothing remains (p. 1)" and sentence.reason == "b is lost"
    assert [place.id for place in sentence.places] == ["toy-fig-01"]
    assert len(long.reason) <= 300 and long.reason.endswith("...")
    assert not any(item.reason for item in items if item.outcome == "reproduced")
