"""Special partitions as credal ones: there and back, bad input; numbers of clusters."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from credalbench.belief import CredalPartition, FocalSets, match_clusters, renumber_clusters
from credalbench.cluster import EvidentialEnsemble

from .strategies import partitions_of_masses

SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 5))
EIGHTHS = st.integers(0, 8).map(lambda count: count / 8)
DEGREES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=EIGHTHS))


@given(DEGREES)
def test_possibilities_are_the_contour_of_nested_sets(pi):
    partition = CredalPartition.from_possibilistic(pi)
    np.testing.assert_array_equal(partition.to_possibilistic(), pi)  # eighths
    for row in partition.masses:
        chain = sorted((A for A, m in zip(partition.focal_sets, row) if m), key=len)
        assert all(A < B for A, B in pairwise(chain))


@given(DEGREES)
def test_memberships_are_masses_on_single_clusters(U):
    U = (U + 1 / 8) / (U + 1 / 8).sum(axis=1, keepdims=True)
    partition = CredalPartition.from_fuzzy(U)
    np.testing.assert_array_equal(partition.masses, U)
    np.testing.assert_allclose(partition.to_fuzzy(), U, rtol=1e-15)  # divided by sums next to 1
    np.testing.assert_allclose(partition.pignistic, U, rtol=1e-15)
    assert (partition.belief({0}) == partition.plausibility({0})).all()
    assert partition.focal_sets.sets == tuple(frozenset([k]) for k in range(U.shape[1]))


@given(partitions_of_masses())
def test_a_rough_partition_there_and_back(case):
    """[li2020_ensemble (8a)] [li2020_ensemble (8b)]"""
    rough = CredalPartition(*case).to_rough("maximum_mass")
    partition = CredalPartition.from_rough(*rough)
    assert set(partition.masses.ravel().tolist()) <= {0.0, 1.0}
    again = partition.to_rough("maximum_mass")
    np.testing.assert_array_equal(again.lower, rough.lower)
    np.testing.assert_array_equal(again.upper, rough.upper)


def test_hard_partitions_are_special_cases_of_all_the_others():
    y = np.array([2, 0, 1, 1, 2])
    table = y[:, None] == np.arange(3)
    hard = CredalPartition.from_labels(y, FocalSets.up_to(3, 1, empty=False, omega=False))
    assert hard == CredalPartition.from_fuzzy(table) == CredalPartition.from_possibilistic(table)
    assert hard == CredalPartition.from_rough(table, table)


def test_an_object_in_no_cluster_has_its_mass_on_the_empty_set():
    nowhere = np.array([[False, False], [True, True]])
    for partition in (
        CredalPartition.from_rough(np.zeros((2, 2), bool), nowhere),
        CredalPartition.from_possibilistic(nowhere),
    ):
        assert partition.outliers().tolist() == [True, False]
        assert partition.focal_sets.labels == ["∅", "Ω"]


@pytest.mark.parametrize(
    ("way", "given", "message"),
    [
        ("labels", ([0, 2], 2), r"labels in 0\.\.1, got 0\.\.2"),
        ("labels", ([0.0, 1.0],), "integer labels"),
        ("labels", ([0, 1], FocalSets.from_sets(2, [{0}, {0, 1}])), "the singletons of all labels"),
        ("fuzzy", ([0.5, 0.5],), r"finite memberships of shape \(n, c\), got shape \(2,\)"),
        ("fuzzy", ([[0.5, np.nan]],), "finite memberships"),
        ("fuzzy", ([[0.5, 0.6]],), "masses that sum to 1"),
        ("fuzzy", (np.full((1, 63), 1 / 63),), "between 1 and 62 clusters, got 63"),
        ("fuzzy", (np.empty((0, 2)),), r"got shape \(0, 2\)"),
        ("possibilistic", ([[0.5, 1.5]],), r"possibilities in \[0, 1\], got 0.5 to 1.5"),
        ("possibilistic", ([[-0.5, 1.0]],), r"possibilities in \[0, 1\]"),
        ("rough", ([[1, 0]], [[1, 0, 0]]), r"shape \(n, c\), got \(1, 2\) and \(1, 3\)"),
        ("rough", ([[1, 0]], [[2, 0]]), "arrays of True and False"),
        ("rough", ([[1, 0]], [[1, 1]]), "upper approximation, got others for object 0"),
        ("rough", ([[0, 1], [0, 0]], [[0, 1], [1, 0]]), "upper approximation, got others for object 1"),
    ],
)
def test_other_tables_are_refused(way, given, message):
    with pytest.raises(ValueError, match=f"^expected .*{message}"):
        getattr(CredalPartition, f"from_{way}")(*given)


# ---------------------------------------------------------------- numbers of clusters


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


def test_names_of_tables_are_kept():
    names = ["ash", "elm", "oak"]
    degrees = pd.DataFrame([[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]], names)
    sets = pd.DataFrame([[True, False], [False, True], [True, True]], names)
    lower = sets & (sets.sum(axis=1) == 1).to_numpy()[:, None]
    labels = pd.Series([0, 1, 1], names)
    for partition in (
        CredalPartition.from_labels(labels),
        CredalPartition.from_fuzzy(degrees),
        CredalPartition.from_possibilistic(degrees),
        CredalPartition.from_rough(lower, sets),
        CredalPartition.from_rough(lower.to_numpy(), sets),
        EvidentialEnsemble(2).fit_from_partitions([labels, labels.to_numpy()]).partition_,
    ):
        assert partition.index.tolist() == names
    assert CredalPartition.from_fuzzy(degrees.to_numpy()).index is None
    with pytest.raises(ValueError, match="same objects in the same order"):
        CredalPartition.from_rough(lower, sets[::-1])
