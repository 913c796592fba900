"""Masses of credal partitions, object by object."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import mass_bars, mass_curves, mass_rows, to_png
from credalbench.plots.style import focal_colour

FOCAL_SETS = FocalSets.full(2)
PARTITION = CredalPartition(np.array([[0.0, 0.7, 0.05, 0.25], [1.0, 0.0, 0.0, 0.0]]), FOCAL_SETS)


def test_mass_curves_show_each_focal_set_against_the_object_number(ax, butterfly):
    partition = butterfly[1]
    assert mass_curves(ax, partition) is ax
    assert len(ax.lines) == 4
    for line, masses in zip(ax.lines, partition.masses.T):
        np.testing.assert_array_equal(line.get_xdata(), np.arange(1, 13))
        np.testing.assert_array_equal(line.get_ydata(), masses)
    assert len({(line.get_marker(), line.get_linestyle()) for line in ax.lines}) == 4


def test_mass_bars_stack_to_one(ax, butterfly):
    assert mass_bars(ax, butterfly[1]) is ax
    tops = np.array([bar.get_y() + bar.get_height() for bar in ax.patches]).reshape(4, 12)
    np.testing.assert_allclose(tops[-1], 1, atol=1e-12)  # rounding of a sum of four


@pytest.mark.parametrize("draw", [mass_curves, mass_bars])
def test_masses_of_many_objects_draw(ax, four_groups, draw):
    assert draw(ax, four_groups[2]) is ax
    to_png(ax.figure)


@pytest.mark.parametrize("order", [[0, 1, 2], [0] * 12, np.arange(1, 13)])
def test_mass_bars_refuse_orders_that_are_not_permutations(ax, butterfly, order):
    with pytest.raises(ValueError, match="permutation"):
        mass_bars(ax, butterfly[1], order=order)


def test_parts_of_a_row_are_the_masses_in_order_with_their_colours(ax):
    mass_rows(ax, PARTITION, ["cat", "dog"])
    (parts,) = ax.collections
    widths = [np.ptp(path.vertices[:, 0]) for path in parts.get_paths()]
    np.testing.assert_allclose(widths, [0.7, 0.05, 0.25, 1.0])
    heights = [path.vertices[:, 1].mean() for path in parts.get_paths()]
    np.testing.assert_allclose(heights, [0, 0, 0, 1], atol=0.2)  # a closed path counts a corner twice
    wanted = [focal_colour(members, 2) for members in ({0}, {1}, {0, 1}, set())]
    np.testing.assert_allclose(parts.get_facecolors()[:, :3], wanted)


def test_large_parts_are_named_and_rows_too(ax):
    mass_rows(ax, PARTITION, ["cat", "dog"], title="Masses")
    assert [text.get_text() for text in ax.texts] == ["{1}", "Ω", "∅"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["cat", "dog"]
    low, high = ax.get_ylim()
    assert low > high == -0.5  # the first object above


def test_every_object_needs_a_name(ax):
    with pytest.raises(ValueError, match="names must be 2 texts; got 1"):
        mass_rows(ax, PARTITION, ["cat"])


def test_small_masses_are_drawn_together(ax):
    partition = CredalPartition(np.array([[0.01, 0.97, 0.005, 0.015]]), FOCAL_SETS)
    mass_rows(ax, partition, ["cat"])
    part, rest = ax.collections[0].get_paths()
    np.testing.assert_allclose([part.vertices[:, 0].min(), part.vertices[:, 0].max()], [0, 0.97])
    np.testing.assert_allclose([rest.vertices[:, 0].min(), rest.vertices[:, 0].max()], [0.97, 1])
    assert [text.get_text() for text in ax.texts] == ["{1}"]
