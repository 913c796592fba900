"""The list of all that is judged: differences first, and its counts are those of the overview."""

import dataclasses

from credalbench.runner import EXPECTATION, PAPER, Finding, run_study
from credalbench.runner.claims import agrees, claim
from credalbench.runner.judged import DIFFERENCES_FIRST, judged_lines
from credalbench.runner.printed import Printed
from credalbench.runner.summary import OWN, RESULTS, SENTENCES, collect

from .toy_study import experiment

VALUES = {name: Printed(0, 0, "Table 1", quantity=name, artefact="toy-fig-01") for name in "ab"}
SAID = {"S01": "nothing remains (p. 1)", "S02": "it is positive (p. 2)", "S04": "more (p. 3)"}


@claim("toy-fig-01", "two printed values", PAPER, sentence="S01", explanation="b is lost")
def two_values(params, tables):
    return agrees(VALUES, {"a": 0.0, "b": 1.0}, "g")


@claim("toy-fig-01", "expected, and not so", EXPECTATION, explanation="x" * 400)
def disappointed(params, tables):
    return Finding(False, "no")


def lines_of(claims):
    wider = dataclasses.replace(experiment, artefacts=experiment.titles, claims=claims)
    run_study(wider, profile="smoke")
    papers = collect({"toy_paper": {"toy_study": wider}}, "smoke", {}, {"toy_paper": SAID})
    return judged_lines(papers), papers[0]


def test_the_counts_of_the_lines_are_those_of_the_overview():
    lines, paper = lines_of((*experiment.claims, two_values, disappointed))
    for kind, tally in paper.tallies.items():
        for outcome, number in tally.items():
            counted = sum(line.count for line in lines if (line.kind, line.outcome) == (kind, outcome))
            assert counted == number, (kind, outcome)
    assert {line.kind for line in lines} == {RESULTS, SENTENCES, OWN}
    assert not any("S04" in line.says for line in lines)  # not judged


def test_differences_come_first_with_their_reasons():
    lines, _ = lines_of((*experiment.claims, two_values, disappointed))
    places = [DIFFERENCES_FIRST.index(line.outcome) for line in lines]
    assert places == sorted(places) and places[0] == 0 < places[-1]
    [values, spread, sentence, own] = [line for line in lines if line.outcome == "differs"]
    assert (values.says, values.ours, values.why) == ("1 of 2 printed values", "b 0, ours 1", "b is lost")
    assert (spread.says, spread.why) == ("the printed value", "ours is a toy")
    assert sentence.says == "S01: nothing remains (p. 1)" and sentence.why == "b is lost"
    assert [place.id for place in sentence.places] == ["toy-fig-01"]
    assert len(own.why) <= 300 and own.why.endswith("...")
    assert not any(line.why for line in lines if line.outcome == "holds")
