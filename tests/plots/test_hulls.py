"""Convex hulls, those of approximations among them."""

import numpy as np
import pytest

from credalbench.plots import PALETTE
from credalbench.plots.hulls import approximation_hulls, convex_hull


@pytest.mark.parametrize(
    ("points", "corners"),
    [
        (np.empty((0, 2)), 0),
        ([[1, 2]], 1),
        ([[1, 2], [1, 2]], 1),
        ([[0, 0], [1, 1]], 2),
        ([[0, 0], [1, 1], [3, 3], [2, 2]], 2),
        ([[0, 5], [0, 1], [0, 3]], 2),
        ([[0, 0], [1, 0], [0, 1], [0.2, 0.2]], 3),
    ],
    ids=["none", "one", "twice", "two", "diagonal", "vertical", "triangle"],
)
def test_convex_hull_of_degenerate_points(points, corners):
    assert len(convex_hull(points)) == corners


def test_hulls_take_the_rule_the_colours_and_the_line_they_are_given(ax, butterfly):
    X, partition = butterfly
    approximation_hulls(ax, X, partition, "maximum_mass", (2, 0), upper_line=":", upper_width=1.6)
    assert {line.get_color() for line in ax.lines} == {PALETTE[2], PALETTE[0]}
    assert [line.get_linewidth() for line in ax.lines if line.get_linestyle() == ":"] == [1.6, 1.6]
    for k, line in enumerate(line for line in ax.lines if line.get_linestyle() == "-"):
        inside = X[partition.lower_approximation("maximum_mass")[:, k]]
        assert {*map(tuple, line.get_xydata())} <= {*map(tuple, inside)}
