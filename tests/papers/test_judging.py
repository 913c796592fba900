"""The rule: where a printed value lies among what we would print, how sharp that is, and many together."""

import pickle
from functools import partial

import numpy as np
import pytest
from scipy import stats

from credalbench.core.intervals import Estimate, bootstrap, deviation, mean, median, proportion
from credalbench.papers.claims import above, agrees
from credalbench.papers.judging import (
    ERRORS,
    conjunction,
    judge_together,
    smallest,
    with_printed,
    with_range,
    would_print,
)
from credalbench.papers.planted import FAR, NEXT, planted
from credalbench.papers.reference import Printed

HALF = 0.005


def printed(value=0.9, precision=HALF, **more):
    return Printed(value, precision, "Table 1", **more)


def around(centre, reach, n=100):
    return Estimate(centre, centre - reach, centre + reach, n)


def normal_runs(n=400, centre=0.9, spread=0.02):
    """Runs whose mean and standard deviation are these, exactly."""
    values = stats.norm.ppf((np.arange(n) + 0.5) / n)
    return centre + spread * (values - values.mean()) / values.std(ddof=1)


# ---------------------------------------------------------------- orders


@pytest.mark.parametrize(
    ("low", "high", "bounds", "holds"),
    [
        (1.0, 1.2, {"low": 1}, None),  # an open end does not belong to the range
        (0.8, 1.0, {"low": 1}, False),
        (1.0, 1.2, {"high": 1}, False),
        (0.8, 1.0, {"high": 1}, None),
        (1.0, 2.0, {"low": 1, "high": 2}, None),
        (1.0, 2.0, {"low": 1, "high": 2, "closed": True}, True),
        (1.0, 2.1, {"low": 1, "high": 2, "closed": True}, None),
        (-np.inf, np.inf, {"low": 1}, None),
        (-np.inf, np.inf, {}, True),
    ],
)
def test_an_interval_inside_the_range_is_reproduced_and_one_outside_is_not(low, high, bounds, holds):
    found = with_range(Estimate(max(low, min(1.05, high)), low, high, 9), **bounds)
    assert found.outcome() is holds and (found.tail <= ERRORS) == (holds is False)


def test_what_is_never_reached_lies_above_every_number():
    never = Estimate(np.inf, np.inf, np.inf, 100)
    assert agrees(printed(200, relation=">"), never).holds is True
    assert agrees(printed(200, relation="<"), never).holds is False


def test_the_tail_of_an_order_is_that_of_the_normal_distribution():
    assert with_range(around(0.8, 0.1), 1).tail == pytest.approx(2 * stats.norm.sf(2 * stats.norm.ppf(0.975)))
    assert with_range(around(0.9, 0.1), 1).tail == pytest.approx(0.05)
    assert with_range(Estimate(0.9, 0.9, 0.9), 1).tail == 0 and with_range(around(0.95, 0.1), 1).tail == 1


@pytest.mark.parametrize(
    ("estimate", "bounds", "message"),
    [
        (around(1.1, 0.1001), {"low": 1}, "about 2 times as many runs"),
        (around(1.1, 0.3), {"low": 1}, "about 9 times as many runs"),
        (around(1.1, 0.3), {"high": 1}, "about 9 times as many runs"),
        (around(1.5, 0.55), {"low": 1, "high": 2.5}, "about 2 times as many"),
        (around(1.0, 0.3), {"low": 1}, "the interval includes the bound"),
        (around(1.01, 0.315), {"low": 1}, "about 993 times as many"),
        (around(1.01, 0.33), {"low": 1}, "the interval includes the bound"),  # 1089 times as many
        (Estimate(1.1, -np.inf, np.inf, 1), {"low": 1}, "one run has no interval"),
        (Estimate(1.1, -np.inf, np.inf, 3), {"low": 1}, "the interval includes the bound"),
    ],
)
def test_open_comparisons_name_the_missing_runs(estimate, bounds, message):
    found = with_range(estimate, **bounds)
    assert found.outcome() is None and message in found.what_decides


# ---------------------------------------------------------------- printed values: where


@pytest.mark.parametrize("z", [0.0, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("m", [1, 10, 100])
def test_the_tail_is_that_of_the_same_mean_of_m_runs_of_ours_and_the_error_of_our_own(m, z):
    runs = normal_runs()
    scale = 0.02 * np.hypot(1 / np.sqrt(m), 1 / np.sqrt(len(runs)))
    found = with_printed(printed(0.9 + z * scale, 0.0, runs=m), mean(runs))
    expected = 2 * stats.norm.sf(z)
    assert 0.8 * expected < found.tail < 1.25 * expected if z < 2.5 else expected < found.tail < 0.01
    assert found.width >= 0.9 * 2 * stats.norm.ppf(0.975) * scale


def test_what_is_rounded_as_printed_is_in_the_tail():
    runs = normal_runs(spread=1e-4)
    assert with_printed(printed(0.9, HALF, runs=10), mean(runs)).tail == 1
    assert with_printed(printed(0.904, HALF, runs=10), mean(runs)).tail == 1
    assert with_printed(printed(0.906, HALF, runs=10), mean(runs)).tail < 1e-3
    found = with_printed(printed(0.905, HALF, runs=10), mean(runs))
    assert 0.9 < found.tail <= 1  # half of the draws are rounded up


@pytest.mark.parametrize("value", [0.895, 0.9, 0.905])
def test_a_value_without_chance_is_equal_or_is_not(value):
    assert with_printed(printed(), Estimate(value, value, value)).outcome() is True
    assert with_printed(printed(value + 0.011), Estimate(value, value, value)).outcome(0.0) is False


def test_a_rare_poor_optimum_that_the_paper_did_not_meet_is_no_difference():
    """Of our 100 runs 15 end poorly; ten of the paper's meet none with probability .2."""
    runs = np.r_[normal_runs(85, 0.9, 0.01), np.full(15, 0.5)]
    found = with_printed(printed(0.9, runs=10), mean(runs))
    assert found.tail > 0.2 and found.outcome() is None and "the paper's" in found.what_decides
    assert with_printed(printed(0.9, runs=100), mean(runs)).tail < ERRORS
    none = with_printed(printed(0.01, runs=10), deviation(runs))
    assert none.tail > 0.1 and none.outcome() is None


def test_an_extreme_is_that_of_as_many_runs_as_the_paper_has():
    runs = np.linspace(0, 1, 400)
    best = partial(np.max, axis=-1)
    assert with_printed(printed(0.92, runs=10), bootstrap(best, runs)).tail > 0.5
    assert with_printed(printed(0.92, runs=400), bootstrap(best, runs)).tail < 0.01
    assert with_printed(printed(0.5, runs=10), median(runs)).tail > 0.9


def test_shares_and_counts_are_those_of_the_papers_runs():
    trapped = Printed(3 / 20, 0, "text", runs=20)
    assert with_printed(trapped, proportion([True] * 60 + [False] * 340)).tail > 0.9
    assert with_printed(trapped, proportion([True] * 300 + [False] * 100)).tail < 1e-3
    never = proportion([False] * 120)  # one of 20 is not excluded, and half of them are
    assert with_printed(Printed(1 / 20, 0, "text", runs=20), never).tail == pytest.approx(0.15, abs=0.03)
    assert with_printed(Printed(10 / 20, 0, "text", runs=20), never).outcome() is False
    counts = mean([1, 2, 2, 3] * 25)
    assert with_printed(Printed(3, 0, "Figure 8", runs=1), counts).tail == pytest.approx(0.5, abs=0.05)
    assert with_printed(Printed(9, 0, "Figure 8", runs=1), counts).tail < 0.01


def test_the_tail_beyond_all_draws_falls_and_stays_above_0():
    tails = [
        with_printed(printed(0.9 + x, 0.0, runs=1), mean(normal_runs(100))).tail for x in (0.06, 0.1, 0.3)
    ]
    assert ERRORS > tails[0] > tails[1] > tails[2] > 0
    assert tails[0] > 2 * stats.norm.sf(3)  # 100 runs say little of what is rarer


def test_draws_are_the_same_each_time_and_an_estimate_can_be_stored():
    first = mean(normal_runs())
    assert np.array_equal(would_print(first, 10), would_print(mean(normal_runs()), 10))
    again = pickle.loads(pickle.dumps(first))
    assert again == first and not again.runs
    without = with_printed(printed(runs=10), again)  # as if normal
    assert without.width == pytest.approx(with_printed(printed(runs=10), first).width, rel=0.1)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_runs_decide_nothing(n):
    found = with_printed(printed(0.95, runs=10), mean(normal_runs(3, spread=0.1)[:n]))
    assert found.outcome() is None


# ---------------------------------------------------------------- how sharp


@pytest.mark.parametrize(
    ("value", "estimate", "more", "bound"),
    [
        (0.9, mean(normal_runs()), {}, 0.1),
        (0.9, mean(normal_runs()), {"row": (0.8, 0.9, 0.7)}, 0.05),
        (0.9, mean(normal_runs()), {"row": (0.91,)}, 0.02),  # two units of the last digit
        (0.3, deviation(normal_runs(spread=0.3)), {"row": (0.31,)}, None),
        (30.0, mean(normal_runs(centre=30.0)), {}, None),
        (30.0, mean(normal_runs(centre=30.0)), {"row": (30.2,)}, 0.1),
    ],
)
def test_how_wide_a_comparison_may_be(value, estimate, more, bound):
    found = with_printed(printed(value, runs=100, **more), estimate)
    assert found.bound == (pytest.approx(value * 2 / 3, rel=0.2) if bound is None else pytest.approx(bound))
    assert found.is_sharp == (found.width <= found.bound)


def test_vague_comparisons_never_hold():
    """An index of .73 beside two samples of ours with .796 was once called the same."""
    found = with_printed(printed(0.73, runs=1), mean([0.85, 0.742]))
    assert found.outcome() is None and "too few runs to tell" in found.what_decides


@pytest.mark.parametrize(("m", "n", "whose"), [(10, 1000, "the paper's"), (1000, 10, "ours")])
def test_open_comparisons_name_the_side_with_too_few_runs(m, n, whose):
    found = with_printed(printed(0.9, runs=m, row=(0.86,)), mean(normal_runs(n)))
    assert found.outcome() is None and f"too few runs to tell, {whose}" in found.what_decides


def test_a_value_far_off_is_not_sharp_even_if_its_tail_is_not_small_enough():
    found = with_printed(printed(0.99, 1e-6, runs=100, row=(0.85,)), mean(normal_runs()))
    assert found.width > 0.08 > found.bound and found.outcome(threshold=0.0) is None


# ---------------------------------------------------------------- several comparisons


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], True),
        ([True, True], True),
        ([True, None], None),
        ([None, True, False], False),
        ([None, None], None),
        ([False], False),
    ],
)
def test_false_comes_before_open_before_true(outcomes, expected):
    assert conjunction(iter(outcomes)) is expected


def with_tails(*tails):
    return [with_range(around(1 - gap, 0.1), 1) for gap in 0.1 * stats.norm.isf(np.array(tails) / 2) / 1.96]


def test_the_tails_that_are_small_are_those_of_benjamini_and_hochberg():
    tails = [0.0001, 0.004, 0.009, 0.0201, 0.028, 0.03]
    found = with_tails(*tails) + [with_range(around(2, 0.1), 1)] * 9  # with tails of 1
    ordered = np.sort([c.tail for c in found])
    expected = stats.false_discovery_control(ordered) <= ERRORS
    assert expected.sum() == 3 and smallest(found) == ordered[expected].max()
    assert smallest([]) == smallest(with_tails(0.03) + [with_range(around(2, 0.1), 1)] * 9) == 0


def test_a_value_without_chance_differs_and_makes_no_other_differ():
    wrong = [with_printed(printed(), Estimate(0.5, 0.5, 0.5))] * 50
    near = with_tails(0.03)[0]
    others = [with_range(around(2, 0.1), 1)] * 9
    assert smallest([*wrong, near, *others]) == 0
    assert judge_together([*wrong, *others]) is False and judge_together([near, *others]) is None


def test_orders_differ_where_one_differs_by_more_than_their_number_explains():
    inside, near, far = around(1.2, 0.1), around(0.89, 0.1), around(0.5, 0.1)
    assert near.high < 1 < inside.low
    one_of_forty = {n: inside for n in range(39)} | {"near": near}
    assert above(1, one_of_forty).holds is None and above(1, near).holds is False
    assert above(1, one_of_forty | {"far": far}).holds is False
    assert above(1, one_of_forty | {"exact": 0.99}).holds is False


def test_every_printed_value_gets_a_verdict_of_its_own():
    values = {n: printed(0.9, quantity=f"cell_{n}", runs=100) for n in range(2)}
    values[2] = printed(0.9, quantity="cell_2", runs=1)
    ours = {0: mean(normal_runs()), 1: mean(normal_runs(centre=0.95)), 2: mean(normal_runs(10, spread=0.05))}
    found = agrees(values, ours)
    assert found.holds is False
    assert [(c.printed.quantity, c.outcome()) for c in found.compared] == [
        ("cell_0", True),
        ("cell_1", False),
        ("cell_2", None),
    ]


@pytest.mark.parametrize("kind", ["normal", "poor optimum"])
def test_of_papers_without_a_difference_few_have_one(kind):
    """The table of the benchmark `judging.py` in short."""
    rng = np.random.default_rng(3)

    def draw(n):
        poor = 0.3 * (rng.random(n) < 0.15) * (kind == "poor optimum")
        return rng.normal(0.8, 0.02, n) - poor

    papers = [
        [with_printed(printed(draw(10).mean(), 0.0005, runs=10), mean(draw(100))) for _ in range(20)]
        for _ in range(60)
    ]
    false = sum(smallest(paper) > 0 for paper in papers)
    assert false <= stats.binom.ppf(0.999, len(papers), ERRORS)
    tails = [c.tail <= ERRORS for paper in papers for c in paper]
    assert sum(tails) <= stats.binom.ppf(0.999, len(tails), ERRORS)


# ---------------------------------------------------------------- planted errors


def test_planted_errors_are_noticed_where_values_are_reproduced():
    sharp = with_printed(printed(0.9, runs=100, row=(0.8, 0.7)), mean(normal_runs()))
    vague = with_printed(printed(0.9, runs=1, row=(0.8,)), mean(normal_runs(spread=0.03)))
    same = with_printed(printed(0.9, runs=100, row=(0.9,)), mean(normal_runs()))
    exact = with_printed(printed(row=(0.8,)), Estimate(0.9, 0.9, 0.9))
    assert [c.outcome() for c in (sharp, vague, same, exact)] == [True, None, True, True]
    assert planted([sharp, vague, same, exact]) == {NEXT: (1, 1, 1), FAR: (2, 2, 2)}


def test_a_planted_error_below_the_bound_of_relevance_is_not_noticed():
    blunt = with_printed(printed(0.05, runs=100, row=(0.06, 0.08)), deviation(normal_runs(spread=0.055)))
    assert blunt.outcome() is True and planted([blunt])[NEXT] == (0, 0, 0)  # one unit away
    blunt = with_printed(printed(10.0, 0.05, runs=24, row=(12.5,)), deviation(normal_runs(spread=10)))
    assert blunt.outcome() is True and planted([blunt])[NEXT] == (1, 0, 0)
