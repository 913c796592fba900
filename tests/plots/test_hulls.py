"""Lines around objects: convex hulls, outlines without other objects, those of approximations among them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from credalbench.belief import CredalPartition
from credalbench.core.axes import convex_hull
from credalbench.plots import PALETTE
from credalbench.plots.hulls import approximation_hulls, approximation_rings, outlines

masks = arrays(bool, 25)


def outline_of(points, inside):
    return outlines(points, np.column_stack([inside, ~inside]))[0]


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


def windings(path, points):
    """Return how often a path with gaps runs around each point, counter-clockwise; 0 for points on a gap."""
    turns = np.zeros(len(points))
    for loop in np.split(path, np.flatnonzero(np.isnan(path[:, 0]))):
        loop = loop[~np.isnan(loop[:, 0])]
        loop = np.vstack([loop, loop[:1]])  # as it is filled
        arms = (loop[:, None] - points) @ [1, 1j]
        with np.errstate(divide="ignore", invalid="ignore"):
            turns += np.nansum(np.angle(arms[1:] / arms[:-1]), axis=0) / (2 * np.pi)
    return np.round(turns)


@given(arrays(float, (25, 2), elements=st.integers(-8, 8).map(lambda k: k + 0.1 * (k % 3))), masks)
def test_an_outline_goes_around_its_objects_and_no_others(points, inside):
    path = outline_of(points, inside)
    corners = {*map(tuple, path[~np.isnan(path[:, 0])])}
    members = {*map(tuple, points[inside])}
    others = np.array([place for place in {*map(tuple, points)} if place not in members])
    around = dict(zip(map(tuple, points), windings(path, points).tolist()))
    alone = [place for place in members - corners if around[place] != 1]
    assert not alone, "not on the line, nor inside"
    if len(others):
        assert not corners & {*map(tuple, others)}
        assert not windings(path, others).any(), "another object is inside"


def test_an_outline_has_holes_lines_and_rings():
    x, y = np.meshgrid(np.arange(5.0), np.arange(5.0))
    grid = np.column_stack([x.ravel(), y.ravel()]) + [[0.0, 0.01]] * np.arange(25)[:, None] % [1, 0.05]
    block = np.ones(25, dtype=bool)
    block[12] = False  # a hole around the object in the middle
    assert windings(outline_of(grid, block), grid[[12, 6]])[0] == 0
    far = np.array([[0.0, 0], [1, 0], [9, 0], [0, 9], [9, 9.5]])
    line = outline_of(far, np.array([True, True, False, False, False]))
    np.testing.assert_array_equal(line, far[:2])
    ring = outline_of(far, np.arange(5) == 4)
    radii = np.linalg.norm(ring - far[4], axis=1)
    assert len(ring) > 8 and np.ptp(radii) < 1e-9 and 0 < radii[0] < 0.5  # 1e-9: rounding
    assert len(outline_of(far, np.zeros(5, dtype=bool))) == 0


@pytest.mark.parametrize(
    "points", [np.zeros((3, 2)), np.arange(8.0).repeat(2).reshape(8, 2)], ids=["one", "line"]
)
def test_outlines_of_places_on_a_line_and_of_one_place(points):
    inside = np.arange(len(points)) != 1
    path = outline_of(points, inside)
    assert np.isfinite(path[0]).all() and np.isfinite(path[-1]).all()


def test_lines_that_are_not_convex_leave_out_what_is_between(ax):
    angles = np.linspace(0, np.pi, 20)
    arc = np.column_stack([np.cos(angles), np.sin(angles)])
    X = np.vstack([arc, [[0.0, 0.2], [0.1, 0.25], [0.0, 0.3]]])
    partition = CredalPartition.from_labels(np.repeat([0, 1], [20, 3]))
    for convex, inside in ((True, True), (False, False)):
        lower = approximation_rings(X, partition, convex=convex)[0][0]
        assert windings(lower, X[20:]).any() == inside
    approximation_hulls(ax, X, partition, convex=False)
    assert len(ax.patches) == 2 and len(ax.lines) == 4
