"""Masses of credal partitions, object by object."""

import numpy as np
import pytest

from credalbench.plots import mass_bars, mass_curves, to_png


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
def test_mass_bars_refuse_an_order_that_is_no_permutation(ax, butterfly, order):
    with pytest.raises(ValueError, match="permutation"):
        mass_bars(ax, butterfly[1], order=order)
