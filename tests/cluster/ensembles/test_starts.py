"""Starts of a consensus: so many clusters of a tree, ties or not; what comes first and what comes then."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from credalbench.belief import FocalSets
from credalbench.cluster.ensembles.starts import clusters_of_tree, consensus_starts
from credalbench.metrics import adjusted_rand

SIMPLE = FocalSets.simple(3, empty=False)


@given(st.integers(2, 12), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_clusters_are_those_of_scipy_where_nothing_ties(n, c, seed):
    tree = linkage(pdist(np.random.default_rng(seed).random((n, 2))), "average")
    labels = clusters_of_tree(tree, min(c, n))
    assert sorted(set(labels)) == list(range(min(c, n)))
    assert adjusted_rand(fcluster(tree, min(c, n), "maxclust"), labels) == pytest.approx(1)


def test_ties_leave_so_many_clusters_as_requested():
    tree = linkage(np.ones(15), "average")  # six objects, all as far from each other
    assert len(set(fcluster(tree, 3, "maxclust"))) == 1
    assert len(set(clusters_of_tree(tree, 3))) == 3


def starts(same, init, n_init, seed=0, focal_sets=SIMPLE):
    return list(consensus_starts(same, 3, focal_sets, init, n_init, np.random.RandomState(seed)))


def test_linkage_comes_first_and_random_masses_follow():
    y = np.array([0, 0, 1, 1, 2, 2])
    same = (y[:, None] == y).astype(float)
    hard, *others = starts(same, "linkage", 3)
    assert adjusted_rand(y, hard.argmax(axis=1)) == 1
    assert (hard.max(axis=1) == 1).all()
    assert len(others) == 2
    for ours, theirs in zip(others, starts(same, "random", 2), strict=True):
        assert (ours == theirs).all()
        np.testing.assert_allclose(ours.sum(axis=1), 1, atol=1e-15)  # one division


def test_of_sampled_pairs_all_starts_are_random():
    same = np.full((6, 2), 0.5)
    for ours, theirs in zip(starts(same, "linkage", 2), starts(same, "random", 2), strict=True):
        assert (ours == theirs).all()


def test_clusters_that_are_no_focal_sets_start_on_the_smallest_sets_around_them():
    focal_sets = FocalSets.from_sets(3, [[0], [1], [0, 2], [0, 1, 2]])
    (hard,) = starts(np.eye(3), "linkage", 1, focal_sets=focal_sets)
    assert sorted(hard.argmax(axis=1)) == [0, 1, 2]


def test_given_masses_come_alone():
    masses = np.full((6, 4), 0.25)
    (start,) = starts(np.eye(6), masses, 5)
    assert (start == masses).all()
