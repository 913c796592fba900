"""Numbers of clusters: found again after a permutation, and kept with all else of a partition."""

import numpy as np

from credalbench.belief import CredalPartition, FocalSets, match_clusters, renumber_clusters


def test_renumbering_undoes_a_permutation():
    rng = np.random.default_rng(0)
    focal_sets = FocalSets.pairs(3)
    reference = CredalPartition(rng.dirichlet(np.full(len(focal_sets), 0.2), 40), focal_sets)
    number = [2, 0, 1]
    places = [focal_sets.index({number[k] for k in members}) for members in focal_sets.sets]
    masses = np.empty_like(reference.masses)
    masses[:, places] = reference.masses
    permuted = CredalPartition(masses, focal_sets)
    found = renumber_clusters(permuted, match_clusters(permuted, [reference]))
    np.testing.assert_array_equal(found.masses, reference.masses)


def test_other_numbers_of_clusters_and_names_of_objects():
    reference = CredalPartition.from_labels([2, 2, 0, 0, 1, 1])
    coarse = CredalPartition.from_labels([0, 0, 0, 1, 1, 1]).named(list("abcdef"))
    numbers = match_clusters(coarse, [reference])
    assert sorted(numbers) == [0, 1]
    assert renumber_clusters(coarse, [1, 0]).labels().tolist() == [1, 1, 1, 0, 0, 0]
    assert renumber_clusters(coarse, numbers).index.tolist() == list("abcdef")
    assert renumber_clusters(renumber_clusters(coarse, [1, 0]), [1, 0]) == coarse
