"""Colours of clusters: those of their classes, and far apart where they repeat."""

import numpy as np

from credalbench.plots.cluster_colours import distinct_colours, match_colours


def test_clusters_that_share_a_colour_lie_far_apart():
    corners = np.array([[0, 0], [0, 9], [9, 0], [9, 9]])
    places = np.vstack([corners, corners + [1, 1], corners + [1, 0]])  # twelve clusters, eight colours
    numbers = distinct_colours(places)
    np.testing.assert_array_equal(numbers[:8], np.arange(8))
    for k in range(8, 12):
        twins = np.flatnonzero(numbers[:k] == numbers[k])
        assert np.linalg.norm(places[twins] - places[k], axis=1).min() > 9
    assert len(distinct_colours(np.empty((0, 2)))) == 0


def test_clusters_take_the_colour_of_the_class_they_match():
    labels = np.array([0, 0, 0, 1, 1, 2])
    y = np.array([1, 1, 0, 0, 0, 0])
    np.testing.assert_array_equal(match_colours(labels, y, 3), [1, 0, 2])
