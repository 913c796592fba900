"""Colours of the masses of all pairs of objects."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from credalbench.belief.relational import RelationalMasses
from credalbench.plots.relations import DIFFERENT, IGNORANCE, SAME, relation_pixels

#: Objects 0 and 1 are in one cluster, 2 is in another one; half of the mass of 0 and 2 is unknown.
SAME_MASSES = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
UNKNOWN = np.array([[0.0, 0.0, 0.5], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
RELATION = RelationalMasses(np.zeros((3, 3)), SAME_MASSES, 1 - SAME_MASSES - UNKNOWN, UNKNOWN)
COLOURS = relation_pixels(RELATION, [0, 1, 2], 3, 3)  # a pixel for each pair


def test_pure_masses_have_their_colours_and_mixtures_lie_between():
    for pair, colour in (((0, 1), SAME), ((1, 2), DIFFERENT)):
        np.testing.assert_allclose(COLOURS[pair] / 255, to_rgb(colour), atol=0.5 / 255)  # whole numbers
    middle = np.mean([to_rgb(IGNORANCE), to_rgb(DIFFERENT)], axis=0)
    np.testing.assert_allclose(COLOURS[0, 2] / 255, middle, atol=0.5001 / 255)  # whole numbers


def test_conflict_counts_as_ignorance():
    swapped = RelationalMasses(UNKNOWN, RELATION.same, RELATION.different, np.zeros((3, 3)))
    np.testing.assert_array_equal(relation_pixels(swapped, [0, 1, 2], 3, 3), COLOURS)


def test_objects_are_in_the_given_order():
    order = [2, 0, 1]
    np.testing.assert_array_equal(relation_pixels(RELATION, order, 3, 3), COLOURS[np.ix_(order, order)])


def test_more_objects_than_pixels_are_averaged():
    """Nine objects on three pixels: each is the mean of three by three pairs."""
    same = np.kron(np.eye(3), np.ones((3, 3)))
    same[0, 0] = 0.0
    relation = RelationalMasses(0 * same, same, 1 - same, 0 * same)
    share = np.array([[8 / 9, 0, 0], [0, 1, 0], [0, 0, 1]])[..., None]
    wanted = share * to_rgb(SAME) + 1 - share
    pixels = relation_pixels(relation, range(9), 3, 3)
    np.testing.assert_allclose(pixels / 255, wanted, atol=0.5001 / 255)  # whole numbers


def test_relations_of_some_pairs_and_wrong_orders_are_refused():
    with pytest.raises(ValueError, match=r"shape \(n, n\); got shape \(2, 3\)"):
        relation_pixels(RelationalMasses(*(part[:2] for part in RELATION)), [0, 1], 3, 3)
    with pytest.raises(ValueError, match=r"permutation of 0\.\.2"):
        relation_pixels(RELATION, [0, 1, 1], 3, 3)
