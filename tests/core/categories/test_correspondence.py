"""Multiple correspondence analysis: identities of its inertia and distances, and a full SVD as oracle."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from credalbench.core.categories.correspondence import correspondence_map, place_values

tables = st.integers(2, 12).flatmap(
    lambda n: st.integers(1, 5).flatmap(lambda p: arrays(np.int64, (n, p), elements=st.integers(0, 3)))
)


def indicators(X):
    return np.column_stack([column == value for column in X.T for value in np.unique(column)]).astype(float)


def all_axes(X):
    return correspondence_map(X, n_components=indicators(X).shape[1])


@given(tables)
def test_total_inertia_is_the_number_of_values_per_attribute_less_one(X):
    positions, shares = all_axes(X)
    total = indicators(X).shape[1] / X.shape[1] - 1
    assert (positions**2).mean(axis=0).sum() == pytest.approx(total, rel=1e-9, abs=1e-9)  # squares
    np.testing.assert_allclose((positions**2).mean(axis=0), shares * total, atol=1e-9)  # the same
    assert shares.sum() == pytest.approx(float(total > 0), abs=1e-9)  # the same


@given(tables)
def test_distances_in_all_axes_are_chi_squared_distances_of_rows(X):
    positions, _ = all_axes(X)
    profiles = indicators(X) / X.shape[1]
    weighted = profiles / np.sqrt(profiles.mean(axis=0))
    wanted = ((weighted[:, None] - weighted[None]) ** 2).sum(axis=2)
    found = ((positions[:, None] - positions[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(found, wanted, atol=1e-8)  # axes of a share below 1e-12 are left out
    np.testing.assert_allclose(positions.mean(axis=0), 0, atol=1e-9)  # rounding


@given(tables)
def test_an_object_lies_where_its_own_values_place_it(X):
    positions, _ = all_axes(X)
    places = place_values(X, positions)
    codes = [np.unique(column, return_inverse=True)[1] for column in X.T]
    found = np.mean([of_column[code] for of_column, code in zip(places, codes, strict=True)], axis=0)
    np.testing.assert_allclose(found, positions, atol=1e-6)  # faint axes


@pytest.mark.parametrize("shape", [(40, 3), (5, 8)])
def test_axes_are_those_of_a_full_decomposition(shape):
    """More objects than values, and fewer: the two ways through the eigenproblem."""
    X = np.random.default_rng(0).integers(0, 4, shape)
    Z = indicators(X)
    shares_of_values = Z.mean(axis=0) / shape[1]
    residuals = (Z / shape[1] - shares_of_values) / np.sqrt(shape[0] * shares_of_values)
    U, s, _ = np.linalg.svd(residuals, full_matrices=False)
    positions, shares = correspondence_map(X, 3)
    wanted = np.sqrt(shape[0]) * U[:, :3] * s[:3]
    np.testing.assert_allclose(np.abs(positions), np.abs(wanted), atol=1e-9)  # signs are a convention
    np.testing.assert_allclose(shares, s[:3] ** 2 / (s**2).sum(), rtol=1e-9)  # rounding
    assert (positions[np.abs(positions).argmax(axis=0), range(3)] > 0).all()


def test_of_two_attributes_it_is_the_correspondence_analysis_of_their_table():
    """Each canonical correlation r of the two-way table gives axes of inertia (1 + r) / 2 and (1 - r) / 2."""
    X = np.random.default_rng(2).integers(0, (3, 4), (80, 2))
    P = pd.crosstab(X[:, 0], X[:, 1]).to_numpy() / len(X)
    r, c = P.sum(axis=1), P.sum(axis=0)
    correlations = np.linalg.svd((P - np.outer(r, c)) / np.sqrt(np.outer(r, c)), compute_uv=False)[:2]
    wanted = np.sort(np.concatenate([(1 + correlations) / 2, (1 - correlations) / 2, [0.5]]))[::-1]
    _, shares = correspondence_map(X, n_components=5)
    np.testing.assert_allclose(shares * (7 / 2 - 1), wanted, atol=1e-12)  # rounding; 3 + 4 values


def test_words_codes_and_columns_of_a_frame_give_one_map():
    codes = np.array([[0, 0], [0, 1], [1, 2], [1, 0], [0, 2]])
    colours = pd.Categorical(np.array(["red", "blue"])[codes[:, 0]])
    words = pd.DataFrame({"colour": colours, "legs": codes[:, 1]})
    for table in (words, words.to_numpy(dtype=object), codes + 7.0):
        np.testing.assert_allclose(correspondence_map(table)[0], correspondence_map(codes)[0], atol=1e-12)


def test_equal_objects_lie_at_zero():
    positions, shares = correspondence_map([["a", "b"]] * 4)
    assert not positions.any() and not shares.any()


def test_missing_values_are_refused_or_a_value_of_their_own():
    X = [["a", "b"], [None, "b"], ["a", "c"], ["d", "c"]]
    with pytest.raises(ValueError, match="row 1 of column 0"):
        correspondence_map(X)
    filled = [[value or "none" for value in row] for row in X]
    found = correspondence_map(X, missing="category")[0]
    np.testing.assert_allclose(np.abs(found), np.abs(correspondence_map(filled)[0]), atol=1e-12)  # rounding
    with pytest.raises(ValueError, match=r"missing to be one of \['error', 'category'\], got 'ignore'"):
        correspondence_map(X, missing="ignore")


def test_wrong_arguments_are_refused():
    X = np.array([["a", "b"], ["c", "b"]])
    with pytest.raises(ValueError, match="positions of 2 objects"):
        place_values(X, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="n_components"):
        correspondence_map(X, 0)
    with pytest.raises(ValueError, match="sample"):
        correspondence_map(np.empty((0, 3)))
