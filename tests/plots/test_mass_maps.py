"""Pies have one sector for each mass that is seen, and objects lie at the mean of their focal sets."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import mass_corners, mass_pies, new_figure
from credalbench.plots.mass_maps import corner_places

SETS = FocalSets.full(2)


@pytest.fixture
def partition():
    return CredalPartition([[0.0, 1.0, 0.0, 0.0], [0.25, 0.25, 0.0, 0.5], [0.0, 0.0, 0.999, 0.001]], SETS)


def test_sectors_are_the_masses_clockwise_from_the_top(partition):
    ax = mass_pies(new_figure().subplots(), [[0, 0], [4, 0], [0, 3]], partition)
    sectors = [path for part in ax.collections for path in part.get_paths()]
    assert len(sectors) == 1 + 3 + 1
    empty, one, _, both = ax.collections
    corner = empty.get_paths()[0].vertices
    assert corner[:, 0].min() == pytest.approx(4.0, abs=1e-9)  # a quarter, to the right of the middle
    assert corner[:, 1].min() == pytest.approx(0.0, abs=1e-9)  # and above it
    assert both.get_paths()[0].vertices[:, 0].max() == pytest.approx(4.0, abs=1e-9)  # the left half
    assert len(one.get_paths()) == 2
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["∅", "{1}", "{2}", "Ω"]


def test_objects_lie_between_the_sets_of_their_masses(partition):
    ax = mass_corners(new_figure().subplots(), partition)
    drawn = np.vstack([line.get_xydata() for line in ax.lines if line.get_linestyle() == "None"])
    expected = partition.masses @ corner_places(SETS)
    np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(expected, axis=0))
    assert {text.get_text() for text in ax.texts} == {"∅", "{1}", "{2}", "Ω"}


@pytest.mark.parametrize("X", [[[0, 0]], [[0, 0, 0]] * 3, [[0, np.nan]] * 3])
def test_wrong_positions_are_refused(partition, X):
    with pytest.raises(ValueError, match="positions in the plane"):
        mass_pies(new_figure().subplots(), X, partition)
