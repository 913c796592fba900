"""The rule: margins from the print and its repetitions, families and what chance gives them."""

import numpy as np
import pytest
from scipy import stats

from credalbench.core.intervals import Estimate, mean, proportion
from credalbench.papers.claims import above, agrees
from credalbench.papers.judging import Comparison, by_chance, conjunction, judge_together
from credalbench.papers.reference import Printed

HALF = 0.005


def printed(value=0.9, **more):
    return Printed(value, HALF, "Table 1", **more)


def around(centre, reach, n=100):
    return Estimate(centre, centre - reach, centre + reach, n)


# ---------------------------------------------------------------- margins


def test_the_margin_is_half_a_unit_and_what_the_papers_own_runs_leave():
    ours = around(0.9, 0.004)
    assert printed().error(ours) == 0
    assert printed(runs=100, sd=0.02).error(ours) == pytest.approx(1.984 * 0.02 / 10, rel=1e-3)
    assert printed(runs=25).error(ours) == pytest.approx(0.008)  # ours spread so, from 100 runs
    assert printed(runs=25).error(Estimate(0.9, 0.9, 0.9)) == 0  # nothing is random
    assert printed(runs=25).error(Estimate(0.9, -np.inf, np.inf, 1)) == 0


def test_what_is_never_reached_lies_above_every_number():
    never = Estimate(np.inf, np.inf, np.inf, 100)
    assert agrees(printed(200, relation=">"), never).holds is True
    assert agrees(printed(200, relation="<"), never).holds is False


def test_vague_estimates_never_hold():
    """An interval that merely contains the printed value decides nothing."""
    assert agrees(printed(0.99), around(0.982, 0.019)).holds is None


def test_a_share_of_few_runs_carries_its_own_error():
    trapped = Printed(3 / 20, 0, "text", runs=20)
    assert agrees(trapped, proportion([True] * 60 + [False] * 340)).holds is True
    assert agrees(trapped, proportion([True] * 300 + [False] * 100)).holds is False


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
        (1.0, 2.1, {"low": 1, "high": 2, "closed": True, "error": 0.2}, True),
        (-np.inf, np.inf, {"low": 1}, None),
        (-np.inf, np.inf, {}, True),
    ],
)
def test_an_interval_inside_the_range_is_reproduced_and_one_outside_is_not(low, high, bounds, holds):
    assert Comparison(Estimate(max(low, min(1.05, high)), low, high, 9), **bounds).holds is holds


def test_agreement_is_half_the_range_and_the_error_of_the_print():
    ours = around(2.5, 0.1)
    assert Comparison(ours, 2, 3, closed=True, error=0.25).margin == 0.75
    assert Comparison(ours, 2, 3).margin == 0


@pytest.mark.parametrize("value", [0.895, 0.9, 0.905])
def test_what_rounds_to_the_print_holds(value):
    found = Comparison.with_printed(printed(), Estimate(value, value, value), ".3f")
    assert found.holds is True and found.margin == pytest.approx(HALF)


@pytest.mark.parametrize("value", [0.0, 0.25, 0.5, 1.0, 2.0])
def test_what_is_exact_surprises_outside_its_range_only(value):
    exact = Comparison(Estimate(value, value, value), 0.25, 1)
    assert exact.surprise == float(0.25 <= value <= 1) and exact.chance == 0


def test_chance_and_surprise_are_tails_of_the_normal_distribution():
    found = Comparison(Estimate(0.2, 0.1, 0.3, 100), 0.5, 0.6, closed=True, error=0.1)
    deviation = np.hypot(0.1, 0.1) / stats.norm.ppf(0.975)
    below, beyond = stats.norm.sf(0.2, scale=deviation), stats.norm.sf(0.3, scale=deviation)
    assert found.chance == pytest.approx(below + beyond)
    assert found.surprise == pytest.approx(stats.norm.sf(0.3, scale=deviation))  # 0.5 less 0.2


@pytest.mark.parametrize(
    ("estimate", "bounds", "message"),
    [
        (around(1.1, 0.1001), {"low": 1}, "about 2 times as many runs"),
        (around(1.5, 0.5), {"low": 1}, "about 2 times as many runs"),  # the interval ends at the bound
        (around(1.1, 0.3), {"low": 1}, "about 9 times as many runs"),
        (around(1.1, 0.3), {"high": 1}, "about 9 times as many runs"),
        (around(1.1, 0.3), {"low": 1.2, "high": 1.5, "closed": True, "error": 0.2}, "about 9 times as many"),
        (around(1.3, 0.3), {"low": 0.8, "high": 1, "error": 0.2}, "about 9 times as many"),
        (around(1.5, 0.55), {"low": 1, "high": 2.5}, "about 2 times as many"),
        (around(1.0, 0.3), {"low": 1}, "the interval includes the bound"),
        (around(1.01, 0.315), {"low": 1}, "about 993 times as many"),
        (around(1.01, 0.33), {"low": 1}, "the interval includes the bound"),  # 1089 times as many
        (Estimate(1.1, -np.inf, np.inf, 1), {"low": 1}, "one run has no interval"),
        (Estimate(1.1, -np.inf, np.inf, 3), {"low": 1}, "the interval includes the bound"),
        (around(1.2, 0.3, n=1), {"low": 1}, "about 3 times as many"),
    ],
)
def test_open_comparisons_name_the_missing_runs(estimate, bounds, message):
    found = Comparison(estimate, **bounds)
    assert found.holds is None and message in found.what_decides


def test_what_is_decided_needs_nothing_more():
    assert Comparison(around(2, 0.1), 1).what_decides == Comparison(around(0, 0.1), 1).what_decides == ""


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


@pytest.mark.parametrize("count", range(1, 8))
def test_so_many_differ_that_chance_gives_them_once_in_twenty(count):
    """The number by chance is that of Poisson's distribution; each lies just outside, none far away."""
    inside, near = around(1.2, 0.1), around(0.89, 0.1)
    comparisons = [Comparison(one, low=1) for one in [inside] * (60 - count) + [near] * count]
    likely = stats.poisson.sf(count - 1, by_chance(comparisons)) >= 0.05
    assert judge_together(comparisons) is (None if likely else False)


def test_the_counts_above_lie_on_both_sides_of_the_rule():
    chance = by_chance([Comparison(around(1.2, 0.1), low=1)] * 60)
    assert stats.poisson.sf(0, chance) > 0.05 > stats.poisson.sf(6, chance)


def test_what_chance_gives_is_what_happens():
    """Two laboratories with the same truth: the share that differs is at most what is stated."""
    rng = np.random.default_rng(5)
    n, cells = 100, 4000
    theirs = rng.normal(0.9, 0.02, (cells, n))
    comparisons = [
        Comparison.with_printed(
            Printed(row.mean(), 0.0, "", runs=n, sd=row.std(ddof=1)), mean(rng.normal(0.9, 0.02, n)), ".3f"
        )
        for row in theirs
    ]
    differing = sum(c.holds is False for c in comparisons)
    low, high = stats.poisson.interval(0.99, by_chance(comparisons))
    assert low <= differing <= high
    assert judge_together(comparisons) is None


def test_comparisons_differ_where_more_do_than_chance_gives():
    inside, near, far = around(1.2, 0.1), around(0.89, 0.1), around(0.5, 0.1)
    assert near.high < 1 < inside.low
    one_of_forty = {n: inside for n in range(39)} | {"near": near}
    assert above(1, one_of_forty).holds is None
    assert "by chance up to 1 of 40 would differ" in above(1, one_of_forty).note
    assert above(1, one_of_forty | {"far": far}).holds is False  # one is enough, if it is far away
    assert above(1, one_of_forty | {f"near {n}": near for n in range(5)}).holds is False  # or many
    assert above(1, one_of_forty | {"exact": 0.99}).holds is False  # where nothing is random


def test_every_printed_value_gets_a_verdict_of_its_own():
    values = {n: printed(0.9, quantity=f"cell_{n}") for n in range(3)}
    found = agrees(values, {0: around(0.9, 0.001), 1: around(0.95, 0.001), 2: around(0.9, 0.01)})
    assert found.holds is False
    assert [(c.printed.quantity, c.holds) for c in found.compared] == [
        ("cell_0", True),
        ("cell_1", False),
        ("cell_2", None),
    ]
