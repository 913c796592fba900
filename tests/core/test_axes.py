"""Signs and directions of axes: one map for every machine, memory layout and order of attributes."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from credalbench.core.axes import orient_axes, principal_coordinates
from credalbench.core.categories import correspondence_map
from credalbench.plots.object_maps import classical_scaling, map_of_attributes

rng = np.random.default_rng(0)
CROSS = np.vstack([np.eye(4), -np.eye(4)])  # all four axes tie
LINES = np.array([[2.0, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])  # the last two tie
CLOUD = rng.normal(size=(12, 4)) * [4, 2, 1, 1]
CODES = np.array([[0, 0], [0, 1], [1, 2], [1, 0], [0, 2]])
LATIN = np.array([[i, j, (i + j) % 3] for i in range(3) for j in range(3)])  # all inertias tie


def by_attributes(X):
    return map_of_attributes(X)[0]


def by_distances(X):
    return classical_scaling(squareform(pdist(X)))[0]


def by_categories(X):
    return correspondence_map(X)[0]


MAPS = [(by_attributes, X) for X in (CROSS, LINES, CLOUD)]
MAPS += [(by_distances, X) for X in (CROSS, LINES, CLOUD)]
MAPS += [(by_categories, X) for X in (CODES, LATIN)]


def test_principal_coordinates_have_the_distances_they_are_made_from():
    D = squareform(pdist(CLOUD))
    positions, values = principal_coordinates(D)
    np.testing.assert_allclose(squareform(pdist(positions)), D, atol=1e-8)  # roots of eigenvalues near 0
    np.testing.assert_allclose((positions**2).sum(axis=0), values, atol=1e-9)


@pytest.mark.parametrize(("place", "X"), MAPS)
def test_the_map_depends_on_objects_only(place, X):
    """Memory layout, order and signs of attributes, and rounding of the data do not change the axes."""
    positions = place(X)
    last = X.max() - X if place is by_categories else -X  # other codes, other order of values
    for same in (np.asfortranarray(X), X.T.copy().T, X[:, ::-1], last):
        np.testing.assert_allclose(place(same), positions, atol=1e-7)  # directions of axes that nearly tie
    if place is not by_categories:
        noisy = X * (1 + 1e-15 * rng.normal(size=X.shape))
        np.testing.assert_allclose(place(noisy), positions, atol=1e-7)  # the same


@pytest.mark.parametrize("place", [by_attributes, by_distances])
def test_permuted_rows_are_permuted_on_the_map(place):
    order = rng.permutation(len(CLOUD))
    np.testing.assert_allclose(place(CLOUD[order]), place(CLOUD)[order], atol=1e-9)  # rounding


@pytest.mark.parametrize("k", [1, 2, 5])
def test_any_basis_of_a_span_gives_the_same_axes(k):
    """Columns of equal length, in a random basis: each axis passes through its farthest object."""
    basis = np.linalg.qr(rng.normal(size=(9, k)))[0]
    turned = basis @ np.linalg.qr(rng.normal(size=(k, k)))[0]
    oriented = orient_axes(basis, k)
    np.testing.assert_allclose(orient_axes(turned, k), oriented, atol=1e-12)  # rounding
    np.testing.assert_allclose(oriented @ oriented.T, basis @ basis.T, atol=1e-12)  # rounding
    assert (oriented[np.abs(oriented).argmax(axis=0), range(k)] > 0).all()


def test_the_first_of_two_farthest_objects_is_positive():
    for sign in (1, -1):
        found = orient_axes(sign * np.array([[0.1], [-3.0], [2.9], [3 + 1e-12]]), 1)
        np.testing.assert_allclose(found[:, 0], [-0.1, 3, -2.9, -3])


def test_axes_of_no_length_are_zero():
    assert not orient_axes(np.zeros((3, 2)), 2).any()
    np.testing.assert_array_equal(orient_axes(np.array([[-1.0], [1.0]]), 3), [[1, 0, 0], [-1, 0, 0]])
