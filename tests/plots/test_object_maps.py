"""Positions of objects on a map, and the labels of its axes."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from credalbench.plots.object_maps import classical_scaling, map_of_attributes


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(size=(30, 2)) * [3, 1]


def test_two_attributes_are_their_own_map(points):
    positions, labels = map_of_attributes(points, ("width", "height"))
    np.testing.assert_array_equal(positions, points)
    assert labels == ("width", "height")
    line, _ = map_of_attributes(points[:, :1])  # one attribute
    np.testing.assert_array_equal(line, np.column_stack([points[:, 0], np.zeros(30)]))


def test_classical_scaling_recovers_distances_in_the_plane(points):
    D = squareform(pdist(points))
    positions, labels = classical_scaling(D)
    np.testing.assert_allclose(squareform(pdist(positions)), D, atol=1e-9)  # eigenvalues of a 30 x 30 matrix
    assert labels[1].startswith("MDS axis 2 (")


def test_classical_scaling_of_dissimilarities_that_are_not_distances():
    positions, _ = classical_scaling(np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0.0]]))
    assert np.isfinite(positions).all()


def test_one_object_has_no_components():
    positions, labels = map_of_attributes(np.array([[3.0, 1, 4]]), ("width", "height", "depth"))
    np.testing.assert_array_equal(positions, [[3, 1]])
    assert labels == ("width", "height")


@pytest.mark.parametrize("n", [2, 30])
def test_more_attributes_are_projected_on_principal_components(n):
    X = np.random.default_rng(0).normal(size=(n, 4)) * [1, 9, 3, 1]
    positions, labels = map_of_attributes(X)
    variances = np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]
    np.testing.assert_allclose(positions.var(axis=0), variances[:2], atol=1e-9)  # rounding of squares
    shares = 100 * variances / variances.sum()
    assert labels[0] == f"principal component 1 ({shares[0]:.0f} %)"


def test_components_of_attributes_whose_squares_overflow_are_finite():
    X = np.random.default_rng(0).normal(size=(30, 3))
    positions, labels = map_of_attributes(1e300 * X)
    np.testing.assert_allclose(positions, 1e300 * map_of_attributes(X)[0], rtol=1e-12)  # rounding of 30 x 3
    assert labels == map_of_attributes(X)[1]
