"""Dissimilarities computed for two groups at a time."""

import numpy as np
import pytest

from credalbench.cluster import TiledDissimilarities

ROWS, COLUMNS = np.array([0, 1]), np.array([2, 3, 4])


def test_the_function_is_asked_for_the_two_groups():
    D = TiledDissimilarities(5, lambda rows, columns: np.abs(rows[:, None] - columns))
    assert D.shape == (5, 5) and len(D) == 5
    np.testing.assert_array_equal(D.between(ROWS, COLUMNS), [[2.0, 3.0, 4.0], [1.0, 2.0, 3.0]])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.ones((3, 2)), r"dissimilarities of shape \(2, 3\) from .*, got \(3, 2\)"),
        (np.ones(6), r"dissimilarities of shape \(2, 3\) from .*, got \(6,\)"),
        ([["a"] * 3] * 2, "numbers from"),
        (np.full((2, 3), np.nan), "finite dissimilarities"),
        (np.full((2, 3), -1.0), "non-negative dissimilarities"),
        (np.ones((2, 3), complex), "numbers from"),
    ],
)
def test_wrong_answers_are_refused(answer, message):
    with pytest.raises(ValueError, match=f"expected {message}"):
        TiledDissimilarities(5, lambda rows, columns: answer).between(ROWS, COLUMNS)


@pytest.mark.parametrize(("n", "function"), [(1, abs), (2.5, abs), (5, "abs"), (2**31, abs)])
def test_wrong_arguments_are_refused(n, function):
    with pytest.raises(ValueError, match="expected"):
        TiledDissimilarities(n, function)


def test_columns_that_are_no_objects_are_refused():
    D = TiledDissimilarities(5, lambda rows, columns: np.zeros((len(rows), len(columns))))
    with pytest.raises(ValueError, match=r"expected columns in 0\.\.4, got \(2, 5\)"):
        D.between(ROWS, np.array([2, 5]))
    with pytest.raises(ValueError, match="expected columns to be an array of numbers of objects"):
        D.between(ROWS, np.array([]))
