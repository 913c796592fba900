"""Planted errors: of every kind of claim, data bent by twice the margin change the verdict, by half do not.

The margin is worked out here from its definition: half a unit of the last printed digit plus what the paper's
own repetitions leave. An order has none: there the reach of our own interval takes its place, and a claim is
open as long as the bound lies within it.
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

THEIRS = {"runs": 100, "sd": 0.02}
#: Kind -> the comparison, and the margin by its definition.
TWO_SIDED = {
    "one value, no chance": (lambda t: agrees(printed(), float(values(t).mean())), HALF),
    "a mean, no repetitions printed": (lambda t: agrees(printed(), mean(values(t))), HALF),
    "a mean with its deviation": (
        lambda t: agrees(printed(**THEIRS), mean(values(t))),
        HALF + stats.t.ppf(0.975, 99) * 0.02 / 10,
    ),
    "a mean without its deviation": (
        lambda t: agrees(printed(runs=100), mean(values(t))),
        HALF + REACH * np.sqrt(N / 100),
    ),
    "a ratio": (lambda t: agrees(printed(), ratio(values(t), np.ones(3), of=np.nanmean)), HALF),
    "a range": (lambda t: within(CENTRE - HALF, CENTRE + HALF, mean(values(t))), HALF),
    "a family of which one is bent": (
        lambda t: agrees(
            {n: printed(quantity=f"cell {n}") for n in range(30)},
            {n: mean(values(t) if n == 7 else values(runs())) for n in range(30)},
        ),
        HALF,
    ),
    "a family that is bent as a whole": (
        lambda t: agrees({n: printed(**THEIRS) for n in range(30)}, {n: mean(values(t)) for n in range(30)}),
        HALF + stats.t.ppf(0.975, 99) * 0.02 / 10,
    ),
    "two comparisons as one": (
        lambda t: all_of(agrees(printed(), mean(values(t))), above(0.5, mean(values(t)))),
        HALF,
    ),
}
two_sided = pytest.mark.parametrize("kind", TWO_SIDED)


@two_sided
@pytest.mark.parametrize("sign", [-1, 1])
def test_twice_the_margin_changes_the_verdict_and_half_does_not(kind, sign):
    compare, margin = TWO_SIDED[kind]
    declared = claim_that(compare)
    assert verdict(declared, runs()).verdict == "reproduced"
    assert verdict(declared, runs(CENTRE + sign * 2 * margin)).verdict == "not reproduced"
    assert verdict(declared, runs(CENTRE + sign * margin / 2)).verdict in ("reproduced", "open")


@two_sided
def test_at_the_margin_itself_nothing_is_decided_but_without_chance(kind):
    compare, margin = TWO_SIDED[kind]
    expected = "not reproduced" if kind == "one value, no chance" else "open"
    beyond = 1e-6 if expected == "not reproduced" else 0
    assert verdict(claim_that(compare), runs(CENTRE + margin + beyond)).verdict == expected


@pytest.mark.parametrize("sign", [-1, 1])
def test_an_exact_result_has_no_margin(sign):
    declared = claim_that(lambda t: agrees(printed(precision=0), float(t["runs"]["value"].mean().round(9))))
    assert verdict(declared, runs()).verdict == "reproduced"
    assert verdict(declared, runs(CENTRE + sign * 1e-6)).verdict == "not reproduced"


@pytest.mark.parametrize(("hits", "expected"), [(240, "reproduced"), (250, "open"), (320, "not reproduced")])
def test_a_share(hits, expected):
    """Printed 60 % of 400 runs, to a whole per cent: a margin of about 5 %."""
    share = printed(0.6, HALF, runs=N)
    ours = stats.binomtest(hits, N).proportion_ci(method="wilson")
    margin = HALF + (ours.high - ours.low) / 2
    off = abs(hits / N - 0.6)
    assert off < 1e-9 or (off < margin / 2 if expected == "open" else off > 2 * margin)
    declared = claim_that(lambda t: agrees(share, proportion(t["runs"]["hit"])))
    table = pd.DataFrame({"hit": np.arange(N) < hits})
    assert verdict(declared, {"runs": table}).verdict == expected


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


@pytest.mark.parametrize(
    ("bend", "words"), [(0, "it is reproduced"), (2, "it is not reproduced"), (0.9, "it is open")]
)
def test_stand_in_data_never_agree_and_note_the_outcome(bend, words):
    declared = claim_that(lambda t: agrees(printed(), mean(values(t))), stand_in=True)
    found = verdict(declared, runs(CENTRE + bend * HALF))
    assert found.verdict == "on stand-in data only" and words in found.explanation
    assert [value.verdict for value in found.printed] == ["on stand-in data only"]


@pytest.mark.parametrize(("bend", "expected"), [(0, "reproduced"), (2, "not reproduced"), (0.9, "open")])
def test_a_fitted_choice_is_shown_whatever_the_verdict(bend, expected):
    declared = claim_that(lambda t: agrees(printed(), mean(values(t))), fitted=START)
    found = verdict(declared, runs(CENTRE + bend * HALF))
    assert found.verdict == expected
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
