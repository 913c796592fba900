"""Prototypes and barycentres on a map."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.plots import hard_credal_scatter, prototype_marks
from credalbench.plots.prototypes import JOINED_UP_TO

V = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 6.0]])


def labelled(ax):
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


def test_prototypes_have_their_numbers_and_barycentres_are_means(ax):
    assert prototype_marks(ax, V, FocalSets.full(3)) is ax
    drawn = labelled(ax)
    for k in range(3):
        np.testing.assert_array_equal(drawn[f"prototype {k + 1}"].get_xydata(), V[[k]])
    np.testing.assert_array_equal(drawn["barycentre {1,2}"].get_xydata(), [[2, 0]])
    np.testing.assert_array_equal(drawn["barycentre Ω"].get_xydata(), [[2, 2]])
    assert [text.get_text() for text in ax.texts] == ["1", "2", "3"]
    assert sum(label.startswith("barycentre") for label in drawn) == 4


def test_a_barycentre_looks_like_the_objects_of_its_set(ax, four_groups):
    X, _, partition = four_groups
    hard_credal_scatter(ax, X, partition)
    objects = labelled(ax)
    prototype_marks(ax, np.eye(4)[:, :2], partition.focal_sets)
    for label, line in labelled(ax).items():
        if label.startswith("barycentre ") and (label[11:] in objects):
            twin = objects[label[11:]]
            assert line.get_marker() == twin.get_marker()
            assert line.get_markerfacecolor() == twin.get_markerfacecolor()


def test_few_barycentres_are_joined_to_their_prototypes(ax):
    for c in (2, 3, 4):
        ax.clear()
        prototype_marks(ax, np.arange(2.0 * c).reshape(c, 2), FocalSets.full(c))
        joins = [line for line in ax.lines if line.get_linestyle() == ":"]
        n_imprecise = 2**c - c - 1
        assert len(joins) == (n_imprecise if n_imprecise <= JOINED_UP_TO else 0)


def test_the_way_from_the_start_is_drawn(ax):
    prototype_marks(ax, V, FocalSets.simple(3), V + 1)
    np.testing.assert_array_equal(labelled(ax)["start"].get_xydata(), V + 1)
    ways = ax.lines[0].get_xydata().reshape(3, 3, 2)  # beginning, end, gap
    np.testing.assert_array_equal(ways[:, 0], V + 1)
    np.testing.assert_array_equal(ways[:, 1], V)
    assert np.isnan(ways[:, 2]).all()


@pytest.mark.parametrize("places", [V[:2], V[:, :1], V.ravel()])
def test_wrong_places_are_refused(ax, places):
    with pytest.raises(ValueError, match=r"prototypes must hold one position per cluster, shape \(3, 2\)"):
        prototype_marks(ax, places, FocalSets.full(3))
    with pytest.raises(ValueError, match="start must hold"):
        prototype_marks(ax, V, FocalSets.full(3), places)


def test_of_very_many_sets_pairs_and_omega_have_barycentres(ax):
    prototype_marks(ax, np.arange(12.0).reshape(6, 2), FocalSets.full(6))
    shown = [label for label in labelled(ax) if label.startswith("barycentre")]
    assert len(shown) == 16
    assert "barycentre {1,6}" in shown and "barycentre Ω" in shown
