"""The rule: margins from the print and its repetitions, families and what chance gives them."""

import numpy as np
import pytest
from scipy import stats

from credalbench.intervals import Estimate, mean, proportion
from credalbench.runner.claims import above, agrees
from credalbench.runner.judging import Comparison, by_chance, judge_together
from credalbench.runner.reference import Printed

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


# ---------------------------------------------------------------- several comparisons


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
