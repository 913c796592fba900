"""Regions of an image become constraints between prototypes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from credalbench.datasets.image_regions import rectangle, region_constraints

NEAREST = np.array([[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]])
NOTHING = np.zeros((4, 4), dtype=bool)


@settings(max_examples=60, deadline=None)
@given(arrays(int, (5, 6), elements=st.integers(0, 7)), arrays(int, (5, 6), elements=st.integers(0, 2)))
def test_constraints_of_any_drawing_are_complete_and_never_contradict(nearest, drawn):
    """A contradiction would be refused by PairwiseConstraints; closure adds nothing to all pairs."""
    found = region_constraints(nearest, drawn == 1, drawn == 2, agreement=0.7)
    one, two = len(found.first), len(found.second)
    assert len(found.constraints.must_link) == one * (one - 1) // 2 + two * (two - 1) // 2
    assert len(found.constraints.cannot_link) == one * two
    assert len(found.constraints.closure()) == len(found.constraints) == found.n_pairs
    marked = np.unique(nearest[drawn > 0])
    assert sorted([*found.first, *found.second, *found.contested]) == marked.tolist()


@settings(max_examples=40, deadline=None)
@given(arrays(int, (5, 6), elements=st.integers(0, 7)), arrays(int, (5, 6), elements=st.integers(0, 2)))
def test_strict_agreement_contests_whatever_occurs_twice(nearest, drawn):
    found = region_constraints(nearest, drawn == 1, drawn == 2, agreement=1)
    shared = np.intersect1d(nearest[drawn == 1], nearest[drawn == 2])
    np.testing.assert_array_equal(found.contested, shared)


def test_pairs_of_two_regions():
    first, second = NOTHING.copy(), NOTHING.copy()
    first[0, :2], second[0, 2:] = True, True
    found = region_constraints(NEAREST, first, second)
    assert found.constraints.must_link.tolist() == [[0, 1], [2, 3]]
    assert found.constraints.cannot_link.tolist() == [[0, 2], [0, 3], [1, 2], [1, 3]]


def test_occurrences_are_counted_per_marked_pixel():
    """One of 2 marks against 4 of 16: the small region holds two thirds of prototype 0."""
    nearest = np.zeros((3, 8), dtype=int)
    nearest[0, 0], nearest[1:, 2:] = 1, 2
    first, second = np.zeros((3, 8), dtype=bool), np.zeros((3, 8), dtype=bool)
    first[0, :2], second[1:, :] = True, True
    assert region_constraints(nearest, first, second, agreement=0.66).first.tolist() == [0, 1]
    assert region_constraints(nearest, first, second, agreement=0.67).contested.tolist() == [0]


def test_too_many_pairs_are_cut_at_random_but_reproducibly():
    nearest = np.arange(100).reshape(10, 10)
    first, second = nearest < 50, nearest >= 50
    full = region_constraints(nearest, first, second)
    cut = region_constraints(nearest, first, second, max_pairs=500)
    again = region_constraints(nearest, first, second, max_pairs=500)
    assert full.n_pairs == cut.n_pairs == len(full.constraints) == 4950
    assert len(cut.constraints) == 500
    np.testing.assert_array_equal(cut.constraints.must_link, again.constraints.must_link)
    expected = 500 * 2450 / 4950
    assert abs(len(cut.constraints.must_link) - expected) < 45  # four standard deviations of the draw


def test_rectangles_have_two_sizes_and_at_least_a_pixel():
    assert rectangle((10, 10), 0, 0.01, 0, 0.01).sum() == 1
    assert rectangle((10, 20), 0, 1, 0.5, 1).sum() == 100
    assert rectangle((4, 4), 0.99, 1, 0.99, 1)[3, 3]  # rounds beyond the last row and column
    with pytest.raises(ValueError, match="shape as"):
        rectangle((4, 4, 3), 0, 1, 0, 1)


def test_regions_are_treated_alike():
    nearest = np.array([[0] * 9 + [1], [1] * 9 + [0]])  # shares of 0.9 and 0.1: just enough for either
    first = np.array([[True] * 10, [False] * 10])
    found, swapped = region_constraints(nearest, first, ~first), region_constraints(nearest, ~first, first)
    assert (found.first.tolist(), found.second.tolist(), found.contested.size) == ([0], [1], 0)
    assert (swapped.first.tolist(), swapped.second.tolist(), swapped.contested.size) == ([1], [0], 0)


@pytest.mark.parametrize("nearest", [NEAREST.astype(float), NEAREST - NEAREST.max() - 1])
def test_prototypes_must_be_indices(nearest):
    with pytest.raises(ValueError, match="nearest as prototypes"):
        region_constraints(nearest, NOTHING, NOTHING)


@pytest.mark.parametrize("sides", [(0.5, 0.5, 0, 1), (0, 1, 0.6, 0.2), (-0.1, 1, 0, 1), (0, 1.2, 0, 1)])
def test_impossible_rectangles_are_refused(sides):
    with pytest.raises(ValueError, match="shares with"):
        rectangle((10, 10), *sides)


@pytest.mark.parametrize(
    ("first", "second", "options", "words"),
    [
        (~NOTHING, ~NOTHING, {}, "16 pixels in both"),
        (NOTHING[:2], NOTHING, {}, "bool arrays of shape"),
        (NOTHING.astype(int), NOTHING, {}, "bool arrays of shape"),
        (NOTHING, NOTHING, {"agreement": 0.5}, "agreement > 0.5"),
        (NOTHING, NOTHING, {"agreement": 1.1}, "agreement <= 1"),
        (NOTHING, NOTHING, {"max_pairs": "many"}, "max_pairs to be an integer or None"),
    ],
)
def test_bad_regions_are_refused(first, second, options, words):
    with pytest.raises(ValueError, match=words):
        region_constraints(NEAREST, first, second, **options)
