"""Constraints as lines, the map of a hard credal partition, and hulls of its focal sets."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import same_color

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import constraint_lines, credal_scatter, focal_hulls, hard_credal_scatter
from credalbench.plots.constraints import VIOLATED
from credalbench.plots.style import focal_colour

SQUARE = np.array([[0.0, 0.0], [0.0, 2.0], [4.0, 0.0], [4.0, 2.0]])


def segments(ax, label):
    """End points of the lines with this label: (m, 2, 2)."""
    found = [part for part in ax.collections if part.get_label() == label]
    assert len(found) == 1
    assert isinstance(found[0], LineCollection)
    return np.array(found[0].get_segments())


def dashed(ax, label):
    (found,) = [part for part in ax.collections if part.get_label() == label]
    return found.get_linestyle()[0][1] is not None


def test_must_links_are_solid_and_cannot_links_dashed(ax):
    assert constraint_lines(ax, SQUARE, [(0, 1), (2, 3)], [(3, 0)]) is ax
    np.testing.assert_array_equal(segments(ax, "must-link"), SQUARE[[[0, 1], [2, 3]]])
    np.testing.assert_array_equal(segments(ax, "cannot-link"), SQUARE[[[3, 0]]])
    assert not dashed(ax, "must-link")
    assert dashed(ax, "cannot-link")
    low, high = ax.get_xlim()
    assert low <= 0
    assert high >= 4


def test_violated_constraints_have_their_colour_and_a_cross_in_the_middle(ax):
    """A violated pair is found in either order and is not drawn as a kept one as well."""
    constraint_lines(
        ax, SQUARE, [(0, 1), (2, 3)], [(0, 3)], violated_must_link=[(1, 0)], violated_cannot_link=[(0, 3)]
    )
    np.testing.assert_array_equal(segments(ax, "must-link"), SQUARE[[[2, 3]]])
    np.testing.assert_array_equal(segments(ax, "violated must-link"), SQUARE[[[1, 0]]])
    np.testing.assert_array_equal(segments(ax, "violated cannot-link"), SQUARE[[[0, 3]]])
    assert "cannot-link" not in {part.get_label() for part in ax.collections}
    assert dashed(ax, "violated cannot-link")
    crosses = [
        line for line in ax.lines if line.get_marker() == "x" and line.get_markeredgecolor() == VIOLATED
    ]
    np.testing.assert_array_equal(np.vstack([c.get_xydata() for c in crosses]), [[0, 1], [2, 1]])


def test_without_pairs_nothing_is_drawn(ax):
    constraint_lines(ax, SQUARE, None, [], legend=True)
    assert not ax.collections
    assert ax.get_legend() is None


def test_each_focal_set_has_a_colour_and_marker_of_its_own(ax):
    X = np.arange(16.0).reshape(8, 2)
    hard_credal_scatter(ax, X, CredalPartition(np.eye(8), FocalSets.full(3)))
    assert [line.get_label() for line in ax.lines] == list(FocalSets.full(3).labels)
    looks = {(line.get_marker(), line.get_markerfacecolor(), line.get_markeredgecolor()) for line in ax.lines}
    assert len(looks) == 8
    markers = [line.get_marker() for line in ax.lines[1:]]
    edges = [line.get_markeredgecolor() for line in ax.lines[1:]]
    assert len(set(zip(markers, edges))) == 7  # told apart without the colour of the fill
    for i, line in enumerate(ax.lines):
        np.testing.assert_array_equal(line.get_xydata(), X[[i]])


def test_the_empty_set_can_be_left_out(ax):
    partition = CredalPartition([[0.9, 0.1, 0, 0], [0, 0, 1, 0]], FocalSets.full(2))
    hard_credal_scatter(ax, SQUARE[:2], partition, allow_empty=False)
    assert [line.get_label() for line in ax.lines] == ["{1}", "{2}"]


def test_prototypes_are_crosses(ax, butterfly):
    X, partition = butterfly
    hard_credal_scatter(ax, X, partition, [[-3, 0], [3, 0]], title="wings", xlabel="x", ylabel="y")
    (crosses,) = [line for line in ax.lines if line.get_label() == "prototype"]
    np.testing.assert_array_equal(crosses.get_xydata(), [[-3, 0], [3, 0]])
    assert crosses.get_marker() == "+"
    assert ax.get_title(loc="left") == "wings"


def test_legend_names_sets_then_constraints_each_once(ax, butterfly):
    X, partition = butterfly
    hard_credal_scatter(ax, X, partition)
    constraint_lines(ax, X, [(0, 1)], [(0, 10)], legend=True)
    constraint_lines(ax, X, [(2, 3)], [], legend=True)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["∅", "{1}", "{2}", "Ω", "must-link", "cannot-link"]


def test_legend_of_a_credal_scatter_stays(ax, butterfly):
    X, partition = butterfly
    credal_scatter(ax, X, partition)
    before = [text.get_text() for text in ax.get_legend().get_texts()]
    constraint_lines(ax, X, [(0, 1)], None, legend=True)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [*before, "must-link"]


@pytest.mark.parametrize("pairs", [[(0, 4)], [(-1, 2)], [(0, 1, 2)], [(0.0, 1.0)], [0, 1]])
def test_wrong_pairs_are_refused(ax, pairs):
    with pytest.raises(ValueError, match="cannot-link pairs must be"):
        constraint_lines(ax, SQUARE, [], pairs)


def test_wrong_positions_and_prototypes_are_refused(ax):
    for X in (SQUARE[:, :1], SQUARE[:3], SQUARE * np.nan):
        with pytest.raises(ValueError, match="finite positions in the plane"):
            hard_credal_scatter(ax, X, CredalPartition(np.eye(4), FocalSets.full(2)))
    with pytest.raises(ValueError, match="one position per cluster"):
        hard_credal_scatter(ax, SQUARE, CredalPartition(np.eye(4), FocalSets.full(2)), [[0, 0]])


# ---------------------------------------------------------------- hulls of focal sets


def test_each_focal_set_has_the_hull_of_its_objects(ax):
    X = np.array([[0, 0], [1, 0], [0, 1], [5, 5], [6, 5], [5, 6], [3, 0], [3, 4], [4, 2]], dtype=float)
    partition = CredalPartition(np.repeat(np.eye(3), 3, axis=0), FocalSets.full(2, empty=False))
    assert focal_hulls(ax, X, partition) is ax
    assert len(ax.lines) == 3 and len(ax.patches) == 2  # single clusters are shaded, too
    for line, members, rows in zip(ax.lines, partition.focal_sets.sets, (X[:3], X[3:6], X[6:])):
        assert {*map(tuple, line.get_xydata())} == {*map(tuple, rows)}
        assert line.is_dashed() is (len(members) > 1)
        assert same_color(line.get_color(), focal_colour(members, 2))


def test_sets_of_one_or_two_objects_have_hulls_without_area(ax):
    partition = CredalPartition(np.eye(3)[[0, 1, 1]], FocalSets.full(2, empty=False))
    focal_hulls(ax, np.arange(6.0).reshape(3, 2), partition)
    assert [len(line.get_xydata()) for line in ax.lines] == [2, 3] and not ax.patches
