"""Pairs of clusters as focal sets: oracle, printed values, the R package, pathologies, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.conflict.focal_pairs import add_pairs, cluster_similarity, mutual_neighbors
from tests.belief.strategies import partitions_of_masses

ROW_1 = (275.5, 9.2, 4.0, 61.4, 6.5, 59.8, 4.4, 7.1, 5.5, 8.3, 7.4, 6.7, 6.5, 4.4, 4.0)  # Example 6
ROW_4 = (61.4, 30.2, 5.8, 219.6, 8.8, 9.1, 6.2, 34.2, 7.3, 16.7, 9.2, 8.5, 8.3, 6.2, 5.8)


def random_partition(seed, n=40, c=6):
    """No ties between similarities, no mass exactly 0."""
    focal_sets = FocalSets.simple(c)
    return CredalPartition(np.random.default_rng(seed).dirichlet(np.ones(c + 2), size=n), focal_sets)


def literal_similarity(partition):
    """Equation (25) object by object, cluster by cluster."""
    c, sets = partition.n_clusters, partition.focal_sets.sets
    S = np.zeros((c, c))
    for m in partition.masses:
        rest = sum(mass for mass, A in zip(m, sets) if A)
        if rest == 0:
            continue
        pl = [sum(mass for mass, A in zip(m, sets) if k in A) / rest for k in range(c)]
        for j in range(c):
            for l in range(c):
                S[j, l] += pl[j] * pl[l]
    return S


# ---------------------------------------------------------------- oracles and printed values


@given(partitions_of_masses())
def test_similarity_is_the_sum_over_objects(problem):
    """The formula read literally: [denoeux2016_evclus (25)]."""
    partition = CredalPartition(*problem)
    # a handful of products of numbers up to 1
    np.testing.assert_allclose(cluster_similarity(partition), literal_similarity(partition), atol=1e-12)


def test_clusters_1_and_4_of_example_6_are_mutual_neighbours():
    """The two printed rows; the other similarities, which are not printed, are set to 0."""
    S = np.zeros((15, 15))
    S[0], S[3] = ROW_1, ROW_4
    S[:, 0], S[:, 3] = ROW_1, ROW_4
    assert mutual_neighbors(S, 1) == [(0, 3)]
    assert (0, 5) in mutual_neighbors(S, 2)  # the second pair of cluster 1 in the text


@pytest.mark.parametrize("omega", [True, False])
def test_pairs_agree_with_the_r_package(oracle, omega):
    """Similarities, pairs and starting masses, with and without Omega: [denoeux2016_evclus (25)]."""
    r = oracle("createPairs_small")
    M = np.array(r["mass"] if omega else r["mass_noOmega"])
    partition = CredalPartition(M, FocalSets.simple(M.shape[1] - 2 if omega else M.shape[1] - 1, omega=omega))
    c = partition.n_clusters
    if omega:
        np.testing.assert_allclose(cluster_similarity(partition), r["S"], rtol=1e-14)  # fifteen products
    for expected in r["with_Omega" if omega else "without_Omega"]:
        pairs = [(j - 1, l - 1) for j, l in expected["pairs_1based"]]
        assert mutual_neighbors(cluster_similarity(partition), expected["k"]) == sorted(pairs)
        richer = add_pairs(partition, expected["k"])
        # R lists the pairs by their second cluster: focal sets are compared as sets, not by position
        sets = [(), *((k,) for k in range(c)), *pairs, *([range(c)] if omega else [])]
        columns = [richer.focal_sets.index(A) for A in sets]
        assert len(richer.focal_sets) == len(columns)
        np.testing.assert_array_equal(richer.masses[:, columns], expected["m0"])


# ---------------------------------------------------------------- laws


@given(seed=st.integers(0, 1000), order=st.permutations(range(6)))
def test_renumbering_the_clusters_renumbers_the_pairs(seed, order):
    partition = random_partition(seed)
    masses = np.column_stack(
        [partition.masses[:, 0], partition.masses[:, 1:7][:, order], partition.masses[:, 7]]
    )
    renumbered = CredalPartition(masses, partition.focal_sets)
    for K in (1, 2):
        pairs = mutual_neighbors(cluster_similarity(renumbered), K)
        original = {tuple(sorted((order[j], order[l]))) for j, l in pairs}
        assert original == set(mutual_neighbors(cluster_similarity(partition), K))


@given(partitions_of_masses())
def test_adding_pairs_moves_no_mass(problem):
    partition = CredalPartition(*problem)
    if partition.n_clusters == 1:
        return
    richer = add_pairs(partition, partition.n_clusters - 1)
    assert set(partition.focal_sets.sets) <= set(richer.focal_sets.sets)
    assert np.array_equal(richer.on(richer.focal_sets.union(partition.focal_sets)).masses, richer.masses)
    for A, column in zip(richer.focal_sets.sets, richer.masses.T):
        old = partition.focal_sets.sets.index(A) if A in partition.focal_sets.sets else None
        assert np.array_equal(column, np.zeros(len(column)) if old is None else partition.masses[:, old])


# ---------------------------------------------------------------- pathologies


def test_dominating_cluster_keeps_its_best_pair():
    """A large cluster is more similar to small ones than they are to themselves.

    Whoever takes the largest entry of a row for the diagonal one loses here the pair with most to share.
    """
    subsets = FocalSets.from_sets(3, [[0], [1], [2], [0, 1], [0, 1, 2]])
    shared = np.tile([0.4, 0.0, 0.0, 0.5, 0.1], (20, 1))  # all near cluster 1, many between 1 and 2
    partition = CredalPartition(shared, subsets)
    S = cluster_similarity(partition)
    assert S[1].argmax() == 0 and S[2].argmax() == 0, "expected rows whose diagonal is not the largest"
    assert mutual_neighbors(S, 1) == [(0, 1)]
    simple = CredalPartition(np.tile([0.7, 0.0, 0.0, 0.3], (20, 1)), FocalSets.simple(3, empty=False))
    assert (0, 1) in add_pairs(simple, 1).focal_sets


def test_of_equally_similar_clusters_the_lower_number_is_nearer():
    S = np.ones((4, 4))
    S[0, 3] = S[3, 0] = 1 + 1e-15  # as another order of summation gives
    assert mutual_neighbors(S, 1) == [(0, 1)]
    assert mutual_neighbors(S, 2) == [(0, 1), (0, 2), (1, 2)]


def test_clusters_that_share_no_object_are_no_neighbours():
    hard = CredalPartition.from_labels(np.arange(12) % 4)
    assert add_pairs(hard, 3) is hard


def test_objects_on_the_empty_set_are_left_out():
    partition = random_partition(0)
    masses = np.vstack([partition.masses, np.eye(len(partition.focal_sets))[:1]])
    with_outlier = CredalPartition(masses, partition.focal_sets)
    assert np.array_equal(cluster_similarity(with_outlier), cluster_similarity(partition))


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize("K", [0, -1, 6, 7, 1.0, True, None])
def test_number_of_neighbours_out_of_range_is_refused(K):
    with pytest.raises(ValueError, match="n_clusters - 1 = 5, got" if K in (6, 7) else "n_neighbors"):
        add_pairs(random_partition(0), K)


@pytest.mark.parametrize("S", [np.ones((2, 3)), np.ones(4), np.full((3, 3), np.nan)])
def test_similarities_that_are_no_finite_square_matrix_are_refused(S):
    with pytest.raises(ValueError, match="square matrix"):
        mutual_neighbors(S, 1)
