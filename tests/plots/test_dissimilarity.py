"""Shepard diagram and transformation curve."""

import numpy as np
import pytest

from credalbench.plots import shepard_diagram, to_png, transformation_curve
from credalbench.plots.dissimilarity import pair_counts


def test_shepard_draws_points_and_the_diagonal(ax):
    delta = np.linspace(0, 1, 20)
    assert shepard_diagram(ax, delta, delta**2) is ax
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([delta, delta**2]))
    np.testing.assert_array_equal(ax.lines[1].get_xydata(), [[0, 0], [1, 1]])


def test_shepard_counts_every_one_of_many_pairs(ax):
    delta, kappa = np.random.default_rng(0).random((2, 5000))
    shepard_diagram(ax, delta, kappa)
    assert len(ax.images) == 1
    assert ax.images[0].get_array().sum() == 5000
    to_png(ax.figure)


def test_pair_counts_have_conflict_in_rows():
    counts = pair_counts([0.0, 1.0, 1.0], [0.0, 0.3, 1.0], cells=2)
    np.testing.assert_array_equal(counts, [[1, 1], [0, 1]])


def test_shepard_refuses_wrong_input(ax):
    with pytest.raises(ValueError, match="got 3 and 2"):
        shepard_diagram(ax, [0.1, 0.2, 0.3], [0.1, 0.2])
    with pytest.raises(ValueError, match="kappa must lie in"):
        shepard_diagram(ax, [0.1, 0.2], [0.1, 1.2])
    with pytest.raises(ValueError, match="delta must be a vector"):
        shepard_diagram(ax, np.eye(2), np.eye(2))


def test_curve_passes_d0_at_one_minus_alpha(ax):
    """d0 maps to 1 - alpha: [denoeux2016_evclus (15)]."""
    d0, alpha = 11.0, 0.05
    transformation_curve(ax, -np.log(alpha) / d0**2, d0)
    marked = next(line for line in ax.lines if line.get_marker() == "s")
    np.testing.assert_allclose(marked.get_xydata(), [[d0, 1 - alpha]], rtol=1e-12)  # rounding of exp(log)


@pytest.mark.parametrize("m", [1, 66, 5000])
def test_curve_draws_with_few_and_many_dissimilarities(ax, m):
    d = np.random.default_rng(0).random(m) * 20
    assert transformation_curve(ax, 0.02, 11.0, d) is ax
    to_png(ax.figure)


def test_curve_refuses_wrong_input(ax):
    with pytest.raises(ValueError, match="positive"):
        transformation_curve(ax, 0.0, 1.0)
    with pytest.raises(ValueError, match="positive"):
        transformation_curve(ax, 1.0, -1.0)
    with pytest.raises(ValueError, match="delta must match d"):
        transformation_curve(ax, 1.0, 1.0, np.ones(3), np.ones(2))
