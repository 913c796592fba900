"""Elbows of an objective: where they are, and where there is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.select.elbow import AT_AN_END, elbows


def values(objectives):
    return {c: value for c, (value, _) in elbows(objectives).items()}


def test_an_elbow_is_the_distance_below_the_line_between_the_ends():
    """From 1 to 4 clusters the logarithm falls by log 10; at 2 and at 3 by log 2 and log 8."""
    found = values({1: 8.0, 2: 4.0, 3: 1.0, 4: 0.8})
    assert found[2] == pytest.approx(np.log10(2) - np.log(2) / np.log(4))
    assert found[3] == pytest.approx(np.log10(8) - np.log(3) / np.log(4))
    assert np.isnan(found[1]) and np.isnan(found[4])


@given(st.lists(st.floats(0.01, 0.9), min_size=3, max_size=6), st.integers(1, 3), st.floats(1e-6, 1e6))
def test_the_unit_of_the_objective_does_not_matter(factors, first, unit):
    curve = dict(enumerate(np.cumprod(factors).tolist(), start=first))
    once, twice = elbows(curve), elbows({c: unit * value for c, value in curve.items()})
    for c in curve:
        assert once[c][0] == pytest.approx(twice[c][0], abs=1e-7, nan_ok=True)  # quotients of small falls


@given(st.floats(0.1, 5.0), st.integers(4, 9))
def test_a_power_of_the_number_of_clusters_has_none(power, most):
    found = elbows({c: c**-power for c in range(1, most)})
    assert all(np.isnan(value) for value, _ in found.values())
    assert "no elbow" in found[2][1]


@pytest.mark.parametrize(
    ("objectives", "reason"),
    [
        ({2: 1.0, 3: 0.5, 4: 1.0}, "does not decrease"),
        ({2: 1.0, 3: 0.9, 4: 0.1}, "no elbow"),
        ({2: 0.0, 3: 0.0, 4: 0.0}, "0 everywhere"),
        ({2: 3.0, 3: 2.0, 4: np.nan}, AT_AN_END),
    ],
)
def test_a_missing_elbow_has_a_reason(objectives, reason):
    value, why = elbows(objectives)[3]
    assert np.isnan(value) and reason in why


@pytest.mark.parametrize("missing", [np.nan, -0.5])
def test_numbers_without_a_fit_or_with_a_negative_objective_are_passed_over(missing):
    found = elbows({2: 8.0, 3: missing, 4: 1.0, 5: 0.9})
    assert found[4][0] > 0
    assert np.isnan(found[3][0]) and "no objective" in found[3][1]


def test_an_exact_fit_has_an_elbow():
    found = values({1: 1.0, 2: 0.5, 3: 0.0, 4: 0.0})
    assert max(found, key=lambda c: -np.inf if np.isnan(found[c]) else found[c]) == 3
