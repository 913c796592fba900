"""Estimates with intervals: against scipy and a literal bootstrap, coverage, failed runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from credalbench.core.intervals import (
    LEVEL,
    RESAMPLES,
    TAILS,
    Estimate,
    deviation,
    difference,
    difference_of_slopes,
    exact,
    mean,
    median,
    proportion,
    ratio,
    slope,
)

REPETITIONS, N = 500, 20
runs = arrays(float, st.integers(2, 12), elements=st.floats(-1e3, 1e3, width=32))


def bounds(estimate):
    return estimate.low, estimate.high


@given(runs)
def test_mean_has_students_interval(values):
    found = mean(values)
    sem = stats.sem(values)
    expected = stats.t.interval(LEVEL, len(values) - 1, values.mean(), sem) if sem else (values.mean(),) * 2
    assert found.value == values.mean() and found.n == len(values)
    np.testing.assert_allclose(bounds(found), expected, rtol=1e-9, atol=1e-9)  # scipy's order of operations


@given(st.integers(0, 30), st.integers(1, 30))
def test_proportion_has_wilsons_interval(hits, misses):
    found = proportion([True] * hits + [False] * misses)
    assert found.value == pytest.approx(hits / (hits + misses), rel=1e-12)  # rounding of one division
    expected = stats.binomtest(hits, hits + misses).proportion_ci(LEVEL, method="wilson")
    assert bounds(found) == pytest.approx((expected.low, expected.high), abs=1e-12)  # rounding
    assert found.low <= found.value <= found.high


def test_bootstrap_is_the_literal_one():
    """Draws have places from one generator; the interval has percentiles of the statistics of the draws."""
    values = np.array([3.0, 1.0, 4.0, 1.5, 9.0])
    uniform = np.random.default_rng(0).random((RESAMPLES, len(values)))
    medians = [np.median([values[int(u * len(values))] for u in row]) for row in uniform]
    expected = np.quantile(medians, TAILS, method="nearest")
    assert bounds(median(values)) == tuple(expected) and median(values).value == 3.0


@pytest.mark.parametrize(
    ("statistic", "draw", "truth", "expected"),
    [
        (mean, lambda rng: rng.normal(size=N), 0.0, 0.95),
        (lambda v: proportion(v < 0.2), lambda rng: rng.random(N), 0.2, 0.93),  # Wilson's mean coverage
        (median, lambda rng: rng.normal(size=N), 0.0, 0.945),
        (lambda v: ratio(v[:N], v[N:]), lambda rng: rng.lognormal(size=2 * N), 1.0, 0.95),
        (lambda v: difference(v[0], v[1]), lambda rng: rng.normal(size=(2, N)), 0.0, 0.95),
        (deviation, lambda rng: rng.normal(size=(5, N)), 1.0, 0.89),  # small samples vary too little
        (deviation, lambda rng: rng.normal(size=3), 1.0, 0.95),
        (deviation, lambda rng: rng.normal(size=(2, 5)), 1.0, 0.95),
        (
            lambda v: slope([1, 2, 4], v),
            lambda rng: np.array([[1], [4], [16]]) * rng.lognormal(size=(3, N)),
            2.0,
            0.95,
        ),
    ],
    ids=[
        "mean",
        "proportion",
        "median",
        "ratio",
        "difference",
        "deviation",
        "deviation of 3",
        "deviation of 2 x 5",
        "slope",
    ],
)
def test_intervals_have_their_coverage(statistic, draw, truth, expected):
    """It is below 0.95 for those that are too narrow with 20 runs, as the module says."""
    rng = np.random.default_rng(1)
    found = [statistic(draw(rng)) for _ in range(REPETITIONS)]
    covered = np.mean([e.low <= truth <= e.high for e in found])
    margin = 3 * np.sqrt(expected * (1 - expected) / REPETITIONS)  # three standard errors of the simulation
    assert expected - margin <= covered <= 0.99  # nor are intervals too wide


@given(runs)
def test_pairs_are_drawn_together(values):
    positive = np.abs(values) + 1
    assert ratio(positive, positive) == Estimate(1.0, 1.0, 1.0, len(values))
    assert ratio(3 * positive, positive, of=np.nanmean).low == pytest.approx(3, rel=1e-12)  # rounding
    assert difference(values, values, of=np.nanmedian).is_exact
    assert difference(values + 2, values).value == pytest.approx(2, abs=1e-12 * 1e3)  # rounding at 1e3
    rows = np.tile(positive, (3, 1)) * np.array([[1], [2], [4]])
    assert difference_of_slopes([1, 2, 4], rows, rows).is_exact


def test_pairs_stay_pairs_if_a_run_fails():
    rng = np.random.default_rng(0)
    first = rng.lognormal(size=30)
    second = 2 * first
    first[0] = second[1] = np.nan
    independent = ratio(first[1:], np.delete(second, [0, 1]))
    paired = ratio(first, second)
    assert paired.high - paired.low < (independent.high - independent.low) / 3
    assert difference(first, second).n == 28


def test_samples_of_other_lengths_are_independent():
    rng = np.random.default_rng(0)
    found = ratio(rng.normal(10, 1, 50), rng.normal(5, 1, 40))
    assert found.low < 2 < found.high and found.n == 40


@pytest.mark.parametrize("estimate", [mean, median, lambda v: ratio(v, [1.0, 2.0, 3.0]), deviation])
@pytest.mark.parametrize("values", [[2.0], [2.0, np.nan, np.nan]])
def test_one_run_has_no_known_error(estimate, values):
    found = estimate(values)
    assert bounds(found) == (-np.inf, np.inf) and found.n == 1


def test_a_row_with_one_run_has_no_known_error():
    values = np.array([[1.0, 2.0, 3.0], [4.0, np.nan, np.nan]])
    assert bounds(slope([1, 2], values)) == (-np.inf, np.inf)


def test_failed_runs_are_ignored():
    values = np.array([5.0, np.nan, 1.0, 2.0, np.nan, 8.0])
    left = values[~np.isnan(values)]
    assert mean(values) == mean(left)
    assert median(values).value == median(left).value and median(values).n == 4
    assert left.min() <= median(values).low <= median(values).high <= left.max()
    assert proportion([1.0, np.nan, 0.0]) == proportion([True, False])


def test_runs_may_be_infinite():
    """Times of runs that did not end have a median, but the interval of their mean is the whole line."""
    assert median([1.0, 2.0, np.inf, 3.0, 2.5]).high == np.inf
    assert median([1.0, 2.0, np.inf, 3.0, 2.5]).value == 2.5
    found = ratio([np.inf] * 4, [1.0, 2.0, 1.5, 3.0])
    assert (found.value, found.low) == (np.inf, np.inf)
    assert mean([1.0, np.inf, 2.0]) == Estimate(np.inf, -np.inf, np.inf, 3)
    assert np.isnan(mean([-np.inf, np.inf]).value)
    assert np.isnan(ratio([np.inf, np.inf], [np.inf, np.inf]).value)


def test_a_resample_without_a_value_widens_the_interval():
    """A few resamples have inf / inf, which may have any value."""
    rng = np.random.default_rng(0)
    values = np.where(rng.random(11) < 0.4, np.inf, rng.random(11) + 1)
    found = ratio(values, values)
    assert bounds(found) == (-np.inf, np.inf) and found.value == 1.0


def test_undefined_values_are_nan_without_a_warning():
    assert np.isnan(slope([1, 2], [[1.0, 2.0], [np.nan, np.nan]]).value)
    assert np.isnan(slope([1, 2], [[1.0, 2.0], [-1.0, -2.0]]).value)
    assert ratio([1.0, 2.0], [0.0, 0.0]).value == np.inf


@pytest.mark.parametrize("estimate", [mean, median, proportion, deviation, lambda v: ratio(v, [1.0])])
@pytest.mark.parametrize("values", [[], [np.nan, np.nan]])
def test_missing_runs_and_pairs_of_other_shapes_are_refused(estimate, values):
    with pytest.raises(ValueError, match="expected at least one run, got none"):
        estimate(values)
    with pytest.raises(ValueError, match=r"paired runs of the same shape, got \(3,\) and \(1,\)"):
        difference([1, 2, 3], [1])


def test_slopes_and_deviations_of_planted_numbers():
    x = np.array([10, 100, 1000])
    values = np.tile(x[:, None] ** 1.5, (1, 4))
    assert slope(x, values).value == pytest.approx(1.5, rel=1e-12)  # rounding of logarithms
    assert difference_of_slopes(x, values, values**2).value == pytest.approx(-1.5, rel=1e-12)  # the same
    rows = [[0.0, 2.0], [0.0, 4.0]]  # variances 2 and 8
    assert deviation(rows).value == pytest.approx(np.sqrt(5), rel=1e-12)  # rounding of one root


def test_estimates_print_themselves():
    assert f"{mean([1.0, 2.0, 3.0]):.2f}" == "2.00 (-0.48 to 4.48)"
    assert f"{exact(0.5):.3f}" == "0.500" and str(exact(1 / 3)) == "0.333"
    assert f"{median([2.0]):.1f}" == "2.0 (one run)"
    assert "to" in f"{proportion([True]):.2f}"  # one trial has an interval
    assert f"{median([1.0, np.inf, np.inf]):.1f}" == "inf (1.0 to inf)"
