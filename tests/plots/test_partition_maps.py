"""Small maps side by side: their cells, and the positions and styles of the objects."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import new_figure, partition_maps
from credalbench.plots.partition_maps import MARGIN, cells_on
from credalbench.plots.style import OMEGA, colour, marker

X = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]])
#: Cluster 1, cluster 2, none, either.
ONE = CredalPartition(np.eye(4)[[1, 2, 0, 3]], FocalSets.simple(2))
OTHER = CredalPartition(np.eye(4)[[1, 1, 1, 1]], FocalSets.simple(2))


@pytest.fixture
def wide():
    """Axes of 400 by 200 pixels."""
    return new_figure(4, 2, dpi=100, layout=None).add_axes((0, 0, 1, 1))


def test_cells_make_maps_as_large_as_they_can_be(wide):
    """Maps twice as wide as high: one fills the axes; two, beside or below each other, take half of them."""
    assert (cells_on(wide, X, 1).columns, cells_on(wide, X, 1).rows) == (1, 1)
    assert (cells_on(wide, X, 4).columns, cells_on(wide, X, 4).rows) == (2, 2)
    tall = X * [0.1, 1]
    assert (cells_on(wide, tall, 4).columns, cells_on(wide, tall, 4).rows) == (4, 1)
    cells = cells_on(wide, X, 5)
    assert cells.corner(4) == (4 % cells.columns, 4 // cells.columns)


@pytest.mark.parametrize("count", [1, 2, 5, 20])
def test_maps_keep_their_shape_and_their_margin(wide, count):
    cells = cells_on(wide, X, count)
    assert cells.columns * cells.rows >= count
    side = np.array([400 / cells.columns, 200 / cells.rows])
    pixels = cells.inside * side
    spans = np.ptp(pixels, axis=0) / np.ptp(X, axis=0)
    assert spans[0] == pytest.approx(spans[1])
    assert np.min(np.minimum(cells.inside, 1 - cells.inside)) == pytest.approx(MARGIN)
    assert cells.inside[2, 1] < cells.inside[0, 1]  # what is above on the map is above in the cell


def test_objects_have_the_style_of_their_cluster(wide):
    partition_maps(wide, X, [ONE, OTHER], title="Bases")
    cells = cells_on(wide, X, 2)
    first, second = (cells.inside + cells.corner(k) for k in range(2))
    none, several, one, two = wide.lines
    np.testing.assert_allclose(none.get_xydata(), first[[2]])
    np.testing.assert_allclose(several.get_xydata(), first[[3]])
    np.testing.assert_allclose(two.get_xydata(), first[[1]])
    np.testing.assert_allclose(one.get_xydata(), np.vstack([first[[0]], second]))
    assert several.get_markerfacecolor() == OMEGA and none.get_markerfacecolor() == "none"
    for k, line in enumerate((one, two)):
        assert (line.get_markerfacecolor(), line.get_marker()) == (colour(k), marker(k))
    assert wide.get_title(loc="left") == "Bases"


def test_objects_in_one_place_are_drawn_in_the_middle(wide):
    cells = cells_on(wide, np.zeros((3, 2)), 2)
    np.testing.assert_array_equal(cells.inside, 0.5)


def test_partitions_of_other_objects_are_refused(wide):
    with pytest.raises(ValueError, match=r"shape \(3, 2\)"):
        partition_maps(wide, X, [ONE, ONE.take([0, 1, 2])])
    with pytest.raises(ValueError, match="at least one partition"):
        partition_maps(wide, X, [])
