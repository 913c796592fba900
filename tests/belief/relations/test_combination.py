"""Relational representations of several partitions, combined: oracles, reductions, memory, bad input."""

import tracemalloc

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.relational import relational
from credalbench.belief.relations import combination
from credalbench.belief.relations.combination import (
    RULES,
    combine_pairs,
    combine_partitions,
    denormalize,
    mean_empty_mass,
)
from credalbench.belief.relations.pairwise_evidence import evidence_of_pair
from credalbench.belief.relations.rules import combine_evidence
from credalbench.core import resources
from credalbench.core.resources import NotEnoughMemory
from tests.belief.strategies import mass_arrays, random_focal_sets

every_rule = pytest.mark.parametrize("rule", RULES)


@st.composite
def ensembles(draw, n=5):
    """Partitions of n objects on focal sets of their own, some by labels."""
    soft = draw(st.lists(random_focal_sets(), min_size=1, max_size=3))
    partitions = [CredalPartition(draw(mass_arrays(focal_sets, n=n)), focal_sets) for focal_sets in soft]
    labels = st.lists(st.integers(-1, 3), min_size=n, max_size=n).map(np.array)
    return partitions + draw(st.lists(labels, max_size=2))


def random_partitions(n, seed=0):
    """A credal partition with outliers, a fuzzy one, and labels."""
    rng = np.random.default_rng(seed)
    sets = FocalSets.pairs(3)
    fuzzy = FocalSets.up_to(4, 1, empty=False, omega=False)
    soft = [CredalPartition(rng.dirichlet(np.full(len(F), 0.3), n), F) for F in (sets, fuzzy)]
    return [*soft, rng.integers(-1, 5, n)]


# ---------------------------------------------------------------- what is combined


@given(ensembles())
def test_evidence_is_the_relational_masses_of_the_normalised_partitions(partitions):
    """[li2020_ensemble (16)]"""
    for i, j in [(0, 1), (4, 2)]:
        evidence = evidence_of_pair(partitions, i, j)
        for b, partition in enumerate(partitions):
            if isinstance(partition, CredalPartition):
                star = partition.normalized()
                table = relational(star.masses, star.focal_sets)
                expected = [part[i, j] for part in table]
            else:
                y = partition[[i, j]]
                known = y.min() >= 0
                expected = [0, known and y[0] == y[1], known and y[0] != y[1], not known]
            np.testing.assert_allclose([part[b] for part in evidence], expected, atol=1e-14)  # rounding


@every_rule
def test_all_pairs_and_sampled_pairs_are_those_of_single_pairs(rule, monkeypatch):
    """In tiles of four objects, of which the last is a part."""
    monkeypatch.setattr(combination, "SIDE", 4)
    n, partitions = 11, random_partitions(11)
    partners = np.array([[(i + 1) % n, (i + 5) % n, (i + 7) % n] for i in range(n)], np.int32)
    whole, sampled = combine_partitions(partitions, rule), combine_pairs(partitions, partners, rule)
    for i in range(n):
        for j in range(n):
            if i == j:
                assert [part[i, j] for part in whole] == [0, 1, 0, 0]
                continue
            expected = combine_evidence(evidence_of_pair(partitions, i, j), rule)
            np.testing.assert_allclose([part[i, j] for part in whole], expected, atol=1e-14)  # order of sums
            for r in np.flatnonzero(partners[i] == j):
                got = [part[i, r] for part in sampled]
                np.testing.assert_allclose(got, expected, atol=1e-14)  # order of sums


@every_rule
def test_masses_of_all_pairs_are_symmetric_and_lie_on_the_simplex(rule):
    relation = combine_partitions(random_partitions(300), rule)
    for part in relation:
        np.testing.assert_array_equal(part, part.T)
        assert part.min() >= 0
    np.testing.assert_allclose(sum(relation), 1, atol=1e-14)  # rounding
    assert not relation.empty.flags.writeable


def test_the_average_of_hard_partitions_is_their_co_association():
    """[li2020_ensemble (14)]"""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 70, (20, 150))  # more clusters than a frame of a credal partition has
    co_association = np.mean([y[:, None] == y for y in labels], axis=0)
    for partitions in (labels, [CredalPartition.from_labels(y % 60) for y in labels]):
        expected = co_association
        if partitions is not labels:
            expected = np.mean([(y % 60)[:, None] == y % 60 for y in labels], axis=0)
        relation = combine_partitions(partitions)
        np.testing.assert_allclose(relation.same, expected, atol=1e-15)  # one division
        np.testing.assert_allclose(relation.different, 1 - expected, atol=1e-15)


def test_an_object_without_cluster_has_no_evidence():
    sets = FocalSets.simple(2)
    lost = CredalPartition([[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]], sets)
    for base in (lost, np.array([-1, 0, 0])):
        relation = combine_partitions([base])
        assert relation.ignorance[0].tolist() == [0, 1, 1]
        assert relation.same[1, 2] == 1
        assert mean_empty_mass([base, np.array([0, 0, -1])]).tolist() == [0.5, 0, 0.5]


def test_rows_that_sum_to_one_up_to_a_millionth_are_rescaled():
    base = CredalPartition([[0.5, 0.5 - 9e-7], [0.5, 0.5]], FocalSets.up_to(2, 1, empty=False, omega=False))
    relation = combine_partitions([base, base], "dempster")
    assert relation.ignorance.max() == 0


# ---------------------------------------------------------------- the empty set


def empty_mass(partition, i):
    if isinstance(partition, CredalPartition):
        return partition.masses[i, 0] if partition.focal_sets.has_empty else 0.0
    return float(partition[i] == -1)


@given(ensembles())
def test_mean_mass_on_the_empty_set_and_back(partitions):
    """[li2020_ensemble (15)] [li2020_ensemble (30)]"""
    empty = mean_empty_mass(partitions)
    for i in range(5):
        values = [empty_mass(partition, i) for partition in partitions]
        assert empty[i] == pytest.approx(np.mean(values), abs=1e-15)  # order of sums
    star = CredalPartition(np.full((5, 3), 1 / 3), FocalSets.simple(2, empty=False))
    whole = denormalize(star, empty)
    assert whole.focal_sets == FocalSets.simple(2)
    np.testing.assert_array_equal(whole.masses[:, 0], empty)
    np.testing.assert_array_equal(whole.masses[:, 1:], (1 - empty)[:, None] * star.masses)
    with_column = CredalPartition(np.column_stack([np.zeros(5), star.masses]), FocalSets.simple(2))
    assert denormalize(with_column, empty) == whole


@pytest.mark.parametrize(
    ("masses", "empty", "message"),
    [
        ([[0, 1, 0, 0]] * 2, [0.5], r"empty_mass of shape \(2,\)"),
        ([[0, 1, 0, 0]] * 2, [0.5, 1.5], r"in \[0, 1\]"),
        ([[0, 1, 0, 0]] * 2, [0.5, np.nan], r"in \[0, 1\]"),
        ([[0.5, 0.5, 0, 0]], [0.1], "a partition without mass on the empty set"),
    ],
)
def test_wrong_arguments_of_denormalize_are_refused(masses, empty, message):
    with pytest.raises(ValueError, match=f"expected .*{message}"):
        denormalize(CredalPartition(masses, FocalSets.simple(2)), empty)


# ---------------------------------------------------------------- cost


def test_memory_does_not_grow_with_the_number_of_partitions():
    n = 600
    few, many = ([np.arange(n) % (b + 2) for b in range(N)] for N in (2, 60))
    peaks = []
    for partitions in (few, many):
        tracemalloc.start()
        combine_partitions(partitions, "dubois_prade")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 8 * n**2  # a single (n, n) array: tiles of threads that meet by chance


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core: nothing to compare")
def test_the_number_of_threads_changes_no_byte():
    partitions, before = random_partitions(400), numba.get_num_threads()
    steps = np.random.default_rng(0).integers(1, 400, (400, 90))
    partners = ((np.arange(400)[:, None] + steps) % 400).astype(np.int32)  # never the object itself
    found = []
    for n_threads in (1, 2):
        numba.set_num_threads(n_threads)
        try:
            whole = combine_partitions(partitions, "dempster")
            relations = whole, combine_pairs(partitions, partners, "dempster")
        finally:
            numba.set_num_threads(before)
        found.append([part.tobytes() for relation in relations for part in relation])
    assert found[0] == found[1]


def test_too_large_matrices_are_refused(monkeypatch):
    partitions = [np.zeros(2000, int)] * 3
    monkeypatch.setattr(resources, "available_memory", lambda: 2**24)
    with pytest.raises(NotEnoughMemory, match=r"92 MiB for the evidence of 3 partitions .*n_pairs=100"):
        combine_partitions(partitions)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("partitions", "message"),
    [
        ([], "at least one partition, got 'none'"),
        (np.empty((0, 3), int), "at least one partition"),
        ([[0, 1], [0, 1, 1]], "of the same objects, got 2 objects and, in partition 1, 3"),
        (
            [[0, 1], CredalPartition.from_labels(np.array([0]))],
            "same objects, got 2 objects and, in partition 1, 1",
        ),
        (CredalPartition.from_labels(np.array([0, 1])), "partitions to be a table"),
        ([[0, 1], "ab"], "partition 1 to be CredalPartition or an array of numbers, got 'ab'"),
        ([[0, -2]], r"partition 0 as a CredalPartition or as integer labels \(n,\) >= -1"),
        ([[0.0, 1.0]], "partition 0 as a CredalPartition or as integer labels"),
        ([[[0, 1]]], "partition 0 as a CredalPartition or as integer labels"),
    ],
)
def test_other_partitions_are_refused(partitions, message):
    for work in (combine_partitions, mean_empty_mass):
        with pytest.raises(ValueError, match=f"^expected .*{message}"):
            work(partitions)


def test_total_conflict_names_a_pair_and_two_partitions():
    unsure = CredalPartition(np.full((200, 3), 1 / 3), FocalSets.simple(2, empty=False))
    together, apart = np.zeros(200, int), np.zeros(200, int)
    apart[190] = 1
    with pytest.raises(ValueError, match=r"objects 0 and 190: partition 1 is sure .* partition 2 that"):
        combine_partitions([unsure, together, apart], "dempster")
    partners = np.array([[(i + 1) % 200] for i in range(200)], np.int32)
    with pytest.raises(ValueError, match=r"objects 189 and 190: partition 0 is sure .* partition 1 that"):
        combine_pairs([together, apart], partners, "dempster")
    assert combine_partitions([unsure, together, apart], "dubois_prade").ignorance[0, 190] == pytest.approx(1)


def test_a_pair_of_equal_objects_and_partners_of_others_are_refused():
    with pytest.raises(ValueError, match="two different objects"):
        evidence_of_pair([[0, 1, 0]], 0, 0)
    with pytest.raises(ValueError, match=r"partners of shape \(3, k\) with k >= 1, got \(2, 1\)"):
        combine_pairs([[0, 1, 0]], np.array([[1], [0]], np.int32))
