"""Planted errors: of every kind of claim, data bent by twice what would be noticed change the verdict.

What would be noticed of a printed value is worked out here for normal runs: half a unit of the last printed
digit plus 1.96 standard errors of the paper's m runs and our own. An order has none: there the reach of our
own interval takes its place, and a claim is open as long as the bound lies within it.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from credalbench.core.intervals import mean, proportion, ratio
from credalbench.papers import PAPER, Choice, NotCheckable, Printed
from credalbench.papers.claims import above, agrees, all_of, below, claim, within
from credalbench.papers.verdicts import judge_claim

N = 400  # our runs
SPREAD = 0.01  # their standard deviation
HALF = 0.005  # of a unit of the last printed digit
CENTRE = 0.9
START = Choice("the start comes nearest", among="ten starts", evidence="Table 1")
REACH = stats.t.ppf(0.975, N - 1) * SPREAD / np.sqrt(N)
QUANTILES = stats.norm.ppf((np.arange(N) + 0.5) / N)
STANDARD = (QUANTILES - QUANTILES.mean()) / QUANTILES.std(ddof=1)


def runs(centre=CENTRE):
    """A table of N runs with this mean, exactly, and the standard deviation `SPREAD`."""
    return {"runs": pd.DataFrame({"value": centre + SPREAD * STANDARD})}


def values(tables):
    return tables["runs"]["value"].to_numpy()


def verdict(declared, tables):
    return judge_claim(declared, None, tables)


def printed(value=CENTRE, precision=HALF, relation="=", **more):
    return Printed(value, precision, "Table 1", relation, **more)


def claim_that(compare, **more):
    """A claim of the paper on the table of `runs`."""
    return claim("toy-tab-01", "as printed", PAPER, sentence="S01", **more)(lambda _, t: compare(t))


# ---------------------------------------------------------------- printed values


def noticed(m):
    """Least difference that a mean of m runs shows."""
    return HALF + stats.norm.ppf(0.975) * SPREAD * np.hypot(1 / np.sqrt(m), 1 / np.sqrt(N))


#: Kind -> the comparison, and what is noticed.
TWO_SIDED = {
    "one value, no chance": (lambda t: agrees(printed(), float(values(t).mean())), HALF),
    "a mean of as many runs as ours": (lambda t: agrees(printed(), mean(values(t))), noticed(N)),
    "a mean of 100 runs": (lambda t: agrees(printed(runs=100), mean(values(t))), noticed(100)),
    "one run": (lambda t: agrees(printed(runs=1), mean(values(t))), noticed(1)),
    "a ratio": (lambda t: agrees(printed(runs=N), ratio(values(t), np.ones(3), of=np.nanmean)), noticed(N)),
    "a range": (lambda t: within(CENTRE - HALF, CENTRE + HALF, mean(values(t))), HALF),
    "a family of which one is bent": (
        lambda t: agrees(
            {n: printed(quantity=f"cell {n}") for n in range(30)},
            {n: mean(values(t) if n == 7 else values(runs())) for n in range(30)},
        ),
        noticed(N),
    ),
    "a family that is bent as a whole": (
        lambda t: agrees({n: printed(runs=100) for n in range(30)}, {n: mean(values(t)) for n in range(30)}),
        noticed(100),
    ),
    "two comparisons as one": (
        lambda t: all_of(agrees(printed(), mean(values(t))), above(0.5, mean(values(t)))),
        noticed(N),
    ),
}


@pytest.mark.parametrize("kind", TWO_SIDED)
@pytest.mark.parametrize("sign", [-1, 1])
def test_twice_what_is_noticed_changes_the_verdict_and_half_does_not(kind, sign):
    compare, least = TWO_SIDED[kind]
    declared = claim_that(compare)
    assert verdict(declared, runs()).verdict == "reproduced"
    assert verdict(declared, runs(CENTRE + sign * 2 * least)).verdict == "not reproduced"
    assert verdict(declared, runs(CENTRE + sign * least / 2)).verdict in ("reproduced", "open")


@pytest.mark.parametrize("sign", [-1, 1])
def test_an_exact_result_has_no_margin(sign):
    declared = claim_that(lambda t: agrees(printed(precision=0), float(t["runs"]["value"].mean().round(9))))
    assert verdict(declared, runs()).verdict == "reproduced"
    assert verdict(declared, runs(CENTRE + sign * 1e-6)).verdict == "not reproduced"


@pytest.mark.parametrize(
    ("hits", "expected"), [(240, "reproduced"), (250, "reproduced"), (320, "not reproduced")]
)
def test_a_share(hits, expected):
    """Printed 60 % of 400 runs, to a whole per cent: two such shares differ by up to 7 %."""
    share = printed(0.6, HALF, runs=N)
    least = HALF + 1.96 * np.sqrt(2 * 0.6 * 0.4 / N)
    off = abs(hits / N - 0.6)
    assert off < least / 2 if expected == "reproduced" else off > 2 * least
    declared = claim_that(lambda t: agrees(share, proportion(t["runs"]["hit"])))
    table = pd.DataFrame({"hit": np.arange(N) < hits})
    found = verdict(declared, {"runs": table})
    assert found.printed[0].compared.tail > 0.3 if expected == "reproduced" else found.verdict == expected


# ---------------------------------------------------------------- orders

ONE_SIDED = {
    "a printed lower bound": (lambda t: agrees(printed(0.9, 0, ">"), mean(values(t))), 1),
    "a printed upper bound": (lambda t: agrees(printed(0.9, 0, "<"), mean(values(t))), -1),
    "above": (lambda t: above(0.9, mean(values(t))), 1),
    "below": (lambda t: below(0.9, mean(values(t))), -1),
    "above, a family of which one is bent": (
        lambda t: above(0.9, {n: mean(values(t) if n == 3 else values(runs(0.95))) for n in range(5)}),
        1,
    ),
}


@pytest.mark.parametrize("kind", ONE_SIDED)
def test_an_order_is_decided_where_the_interval_lies_on_one_side(kind):
    compare, side = ONE_SIDED[kind]
    declared = claim_that(compare)
    for reaches, expected in ((2, "reproduced"), (0.5, "open"), (-0.5, "open"), (-4, "not reproduced")):
        assert verdict(declared, runs(0.9 + side * reaches * REACH)).verdict == expected, reaches


# ---------------------------------------------------------------- stand-ins, choices, what is missing


#: Words of the verdict -> ours, beside a printed mean of all our runs.
OURS = {
    "reproduced": runs(),
    "not reproduced": runs(CENTRE + 2 * noticed(N)),
    "open": {"runs": pd.DataFrame({"value": [CENTRE - 0.1, CENTRE, CENTRE + 0.1]})},
}


@pytest.mark.parametrize("word", OURS)
def test_stand_in_data_never_agree_and_note_the_outcome(word):
    declared = claim_that(lambda t: agrees(printed(), mean(values(t))), stand_in=True)
    found, words = verdict(declared, OURS[word]), f"it is {word}"
    assert found.verdict == "on stand-in data only" and words in found.explanation
    assert [value.verdict for value in found.printed] == ["on stand-in data only"]


@pytest.mark.parametrize("word", OURS)
def test_choices_and_caveats_are_shown_whatever_the_verdict(word):
    declared = claim_that(lambda t: agrees(printed(), mean(values(t))), fitted=START, caveat="on our machine")
    found = verdict(declared, OURS[word])
    assert found.verdict == word and "on our machine" in found.explanation
    assert START.chosen in found.explanation and found.fitted == (START,)
    assert [value.fitted for value in found.printed] == [(START,)]


@pytest.mark.parametrize(
    ("cells", "fitted", "words"),
    [
        (("a", "b"), [(START,), (START,)], ""),
        (("a*",), [(START,), ()], "(1 of 2 values)"),
        (("c",), [(), ()], ""),
    ],
)
def test_a_choice_flags_the_values_that_depend_on_it(cells, fitted, words):
    both = {name: replace(printed(), quantity=name) for name in "ab"}
    declared = claim_that(
        lambda t: agrees(both, dict.fromkeys(both, mean(values(t)))), fitted=START.at(*cells)
    )
    found = verdict(declared, runs())
    assert [value.fitted for value in found.printed] == fitted
    assert found.fitted == ((START,) if any(fitted) else ()) and words in found.explanation
    assert (START.chosen in found.explanation) == any(fitted)


def test_missing_data_cannot_be_checked_however_bent():
    declared = claim_that(lambda t: agrees({"a": printed(), "b": printed()}, {"a": mean(values(t))}))
    for centre in (CENTRE, CENTRE + 2 * HALF):
        found = verdict(declared, runs(centre))
        assert found.verdict == "not checkable" and len(found.printed) == 2

    @claim("toy-tab-01", "the machine of the paper is lost", PAPER)
    def lost(params, tables):
        raise NotCheckable("the machine is lost")

    assert verdict(lost, runs()).verdict == "not checkable"


def test_one_run_decides_nothing():
    declared = claim_that(lambda t: agrees(printed(), mean(values(t))))
    assert verdict(declared, {"runs": runs()["runs"].iloc[:1]}).verdict == "open"
