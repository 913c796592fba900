"""Ellipses of mixtures: their shares of the components, their styles, and wrong arguments."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.plots import component_ellipses
from credalbench.plots.mixtures import ellipses
from credalbench.plots.style import focal_colour

FOCAL_SETS = FocalSets.full(2, empty=False)
MEANS = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 0.0]])
COVARIANCES = np.array([[[2.0, 0.6], [0.6, 1.0]]] * 3)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_an_ellipse_holds_its_share_of_the_component(share):
    (ring,) = ellipses(MEANS[:1], COVARIANCES[:1], share)
    X = np.random.default_rng(0).multivariate_normal(MEANS[0], COVARIANCES[0], 20_000)
    squares = np.einsum("ij,jk,ik->i", ring, np.linalg.inv(COVARIANCES[0]), ring)
    np.testing.assert_allclose(squares, squares[0], rtol=1e-9)  # one distance all around; rounding
    within = np.einsum("ij,jk,ik->i", X, np.linalg.inv(COVARIANCES[0]), X) <= squares[0]
    assert within.mean() == pytest.approx(share, abs=0.015)  # four standard errors of 20 000 draws


def test_a_flat_component_is_a_line():
    (ring,) = ellipses([[1.0, 1.0]], [[[4.0, 0.0], [0.0, 0.0]]], 0.5)
    assert np.ptp(ring[:, 0]) > 1
    np.testing.assert_allclose(ring[:, 1], 1, atol=1e-12)  # rounding


def test_clusters_are_solid_and_imprecise_ones_dashed_in_their_colours(ax):
    component_ellipses(ax, MEANS, COVARIANCES, FOCAL_SETS)
    dashed, solid = ax.collections
    assert (len(solid.get_segments()), len(dashed.get_segments())) == (2, 1)
    assert solid.get_linestyle()[0][1] is None and dashed.get_linestyle()[0][1] is not None
    for k, colour in enumerate(solid.get_colors()):
        np.testing.assert_allclose(colour[:3], focal_colour({k}, 2))
    np.testing.assert_allclose(dashed.get_colors()[0][:3], focal_colour({0, 1}, 2))


def test_components_of_little_weight_are_left_out(ax):
    component_ellipses(ax, MEANS, COVARIANCES, FOCAL_SETS, [0.6, 0.4, 1e-9], least_weight=0.01)
    assert [len(artist.get_segments()) for artist in ax.collections] == [0, 2]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"means": MEANS[:2]}, r"means must have the shape \(3, 2\); got \(2, 2\)"),
        ({"covariances": COVARIANCES[0]}, r"covariances must have the shape \(3, 2, 2\)"),
        ({"weights": [0.5, 0.5]}, r"weights must have the shape \(3,\)"),
        ({"share": 1.0}, r"share must be in \(0, 1\); got 1.0"),
    ],
)
def test_wrong_arguments_are_refused(ax, changed, message):
    arguments = {"means": MEANS, "covariances": COVARIANCES, "focal_sets": FOCAL_SETS} | changed
    with pytest.raises(ValueError, match=message):
        component_ellipses(ax, **arguments)
