"""Comparison of credal partitions: definitions in loops, reductions to hard partitions, laws, bad input."""

import tracemalloc
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.cluster import pair_confusion_matrix

from credalbench import metrics
from credalbench.belief import CredalPartition, FocalSets, relational
from credalbench.metrics import credal
from tests.belief.strategies import labelings, mass_arrays, random_focal_sets, two_labelings
from tests.oracles import belief as literal

EVIDENTIAL = (metrics.evidential_precision, metrics.evidential_recall, metrics.evidential_rand)


@st.composite
def credal_partitions(draw, n):
    focal_sets = draw(random_focal_sets(max_clusters=3))
    return CredalPartition(draw(mass_arrays(focal_sets, n=n)), focal_sets)


@st.composite
def two_credal_partitions(draw, most=5):
    n = draw(st.integers(2, most))
    return draw(credal_partitions(n)), draw(credal_partitions(n))


@st.composite
def classes_and_partition(draw):
    y = draw(labelings())
    return y, draw(credal_partitions(len(y)))


def relabelled(partition: CredalPartition, seed: int = 0) -> CredalPartition:
    """The same partition with its clusters renamed and its focal sets in another order."""
    rng, focal_sets = np.random.default_rng(seed), partition.focal_sets
    first = int(focal_sets.has_empty)
    order = [*range(first), *(first + rng.permutation(len(focal_sets) - first))]
    names = rng.permutation(focal_sets.n_clusters)
    sets = [{int(names[k]) for k in focal_sets.sets[j]} for j in order]
    return CredalPartition(partition.masses[:, order], FocalSets.from_sets(focal_sets.n_clusters, sets))


# ---------------------------------------------------------------------- credal Rand index


@given(two_credal_partitions())
def test_credal_rand_follows_its_definition(case):
    """[li2020_ensemble (10)] [li2020_ensemble (11)]"""
    P, Q = case
    sides = [(literal.mass_functions(R.masses, R.focal_sets), range(R.n_clusters)) for R in (P, Q)]
    expected = literal.credal_rand(*sides[0], *sides[1])
    assert metrics.credal_rand(P, Q) == pytest.approx(expected, abs=1e-7)  # square roots of rounding errors


@given(two_credal_partitions())
def test_consistency_is_the_mean_over_pairs_of_what_does_not_conflict(case):
    """The index without a loop over pairs is that of the masses of all pairs."""
    P, Q = case
    (e1, s1, d1, _), (e2, s2, d2, _) = P.relational(), Q.relational()
    kappa = e1 + e2 - e1 * e2 + s1 * d2 + d1 * s2
    expected = 1 - kappa[np.triu_indices(len(P), 1)].mean()
    assert metrics.credal_rand(P, Q, "conflict") == pytest.approx(expected, abs=1e-14)  # order of summation


@given(two_labelings())
def test_credal_rand_of_hard_partitions_is_the_rand_index(case):
    """[li2020_ensemble (10)]"""
    for kind in credal.CREDAL_RAND_KINDS:
        value = metrics.credal_rand(*case, kind)
        assert value == pytest.approx(metrics.rand_index(*case), abs=1e-15)  # one division


@given(two_credal_partitions())
def test_credal_rand_is_symmetric_one_at_equality_and_blind_to_names(case):
    P, Q = case
    for kind in credal.CREDAL_RAND_KINDS:
        value = metrics.credal_rand(P, Q, kind)
        assert 0 <= value <= 1
        assert metrics.credal_rand(Q, P, kind) == pytest.approx(value, abs=1e-14)  # order of summation
        renamed = metrics.credal_rand(relabelled(P), Q, kind)
        assert renamed == pytest.approx(value, abs=1e-7)  # square roots of rounding errors
        if kind != "conflict":
            assert metrics.credal_rand(P, P, kind) == 1


@given(two_credal_partitions(), st.integers(0, 5))
def test_consistency_with_a_vacuous_partition_is_the_mass_off_the_empty_set(case, seed):
    """A vacuous partition contradicts no partition, and is never close to a specific one."""
    P, _ = case
    vacuous = CredalPartition(np.eye(3)[np.full(len(P), 2)], FocalSets.simple(2, empty=False))
    empty = P.relational().empty[np.triu_indices(len(P), 1)].mean()
    assert metrics.credal_rand(P, vacuous, "conflict") == pytest.approx(1 - empty, abs=1e-14)  # summation
    hard = np.random.default_rng(seed).integers(0, 2, len(P))
    assert metrics.credal_rand(hard, vacuous) == pytest.approx(1 - 0.5**0.5, abs=1e-14)  # summation


def soft_and_hard(n, c=3, seed=0):
    rng = np.random.default_rng(seed)
    hard = CredalPartition.from_labels(rng.integers(0, c, n), c)
    return CredalPartition(rng.dirichlet(np.ones(2**c), n), FocalSets.full(c)), hard


@pytest.mark.parametrize("kind", ["jousselme", "belief"])
def test_blocks_of_any_size_give_the_same_index(kind, monkeypatch):
    soft, hard = soft_and_hard(40)
    whole = metrics.credal_rand(hard, soft, kind)
    for side in (1, 7, 20, 39):
        monkeypatch.setattr(relational, "SIDE", side)
        assert metrics.credal_rand(hard, soft, kind) == pytest.approx(whole, abs=1e-13)  # order of summation


@pytest.mark.parametrize("kind", credal.CREDAL_RAND_KINDS)
def test_memory_is_that_of_a_block_and_of_the_masses(kind):
    """A single array of all pairs would take 32 MiB."""
    soft, hard = soft_and_hard(2048)
    metrics.credal_rand(hard, soft, kind)
    tracemalloc.start()
    metrics.credal_rand(hard, soft, kind)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**24


def test_a_warning_about_many_pairs_names_the_quicker_kind(monkeypatch):
    soft, hard = soft_and_hard(60)
    monkeypatch.setattr("credalbench.core.resources.LONG", 1e-9)
    with pytest.warns(UserWarning, match='60 objects takes .* It is faster with kind="conflict"') as slow:
        metrics.credal_rand(hard, soft)
    assert slow[0].filename == __file__
    metrics.credal_rand(hard, soft, "conflict")  # no warning


def test_the_estimated_work_grows_with_the_pairs(monkeypatch):
    work_sizes = []
    monkeypatch.setattr(credal, "warn_if_slow", lambda work, *_: work_sizes.append(work))
    for n in (30, 60):
        metrics.credal_rand(*soft_and_hard(n))
    assert work_sizes[1] == 4 * work_sizes[0] > 30**2


def test_wrong_arguments_of_credal_rand_are_refused():
    with pytest.raises(ValueError, match=r"jousselme.*got 'euclid'"):
        metrics.credal_rand([0, 1], [0, 1], "euclid")
    for index in (metrics.credal_rand, metrics.adjusted_credal_rand):
        with pytest.raises(ValueError, match="expected two partitions of the same objects, got 2 and 3"):
            index([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="CredalPartition or labels"):
        metrics.credal_rand([[0, 1]], [0, 1])
    with pytest.raises(ValueError, match="nan for object 0"):
        metrics.credal_rand([0, 1], [np.nan, 1])
    assert metrics.credal_rand([0], [0]) == 1.0


# ---------------------------------------------------------------------- pairs that are decided


@given(classes_and_partition())
def test_decided_pairs_are_counted_as_defined(case):
    y, partition = case
    chosen = [partition.focal_sets.sets[j] for j in partition.hard_credal()]
    together = right = one_class = agreed = 0
    for i in range(len(y)):
        for j in range(i):
            decided = len(chosen[i]) == len(chosen[j]) == 1
            same = chosen[i] == chosen[j]
            together += decided and same
            right += decided and same and y[i] == y[j]
            agreed += decided and same == (y[i] == y[j])
            one_class += y[i] == y[j]
    precision, recall, rand = (score(y, partition) for score in EVIDENTIAL)
    assert precision == (right / together if together else 1)
    assert recall == (right / one_class if one_class else 1)
    assert rand == agreed / (len(y) * (len(y) - 1) / 2)


@given(two_labelings())
def test_of_hard_partitions_they_are_precision_recall_and_rand_index(case):
    y, clusters = case
    (_, wrong), (missed, right) = pair_confusion_matrix(y, clusters)
    expected = (
        right / (right + wrong) if right + wrong else 1,
        right / (right + missed) if right + missed else 1,
        metrics.rand_index(y, clusters),
    )
    hard = CredalPartition.from_labels(np.array(clusters), 4)
    for score, value in zip(EVIDENTIAL, expected):
        assert score(y, clusters) == score(y, hard) == pytest.approx(value, abs=1e-15)  # one division


@given(classes_and_partition())
def test_evidential_scores_lie_in_their_range_and_are_blind_to_names(case):
    y, partition = case
    for score in EVIDENTIAL:
        assert 0 <= score(y, partition) <= 1
        if not has_ties(partition):  # the first of equal masses counts, whichever it is
            assert score([f"class {k}" for k in y], relabelled(partition)) == score(y, partition)
        assert score(y, y) == 1


def has_ties(partition: CredalPartition) -> bool:
    largest = np.sort(partition.masses, axis=1)
    return bool((largest[:, -1] == largest[:, -2]).any())


def test_imprecision_costs_recall_and_errors_cost_precision():
    y = [0, 0, 0, 1, 1, 1]
    simple = FocalSets.simple(2)
    precise = CredalPartition(np.eye(4)[[1, 1, 2, 2, 2, 2]], simple)  # the third object in the wrong cluster
    careful = CredalPartition(np.eye(4)[[1, 1, 3, 2, 2, 2]], simple)  # ... in either
    absent = CredalPartition(np.eye(4)[[1, 1, 0, 2, 2, 2]], simple)  # ... in none
    assert [score(y, precise) for score in EVIDENTIAL] == pytest.approx([4 / 7, 4 / 6, 10 / 15], abs=1e-15)
    for partition in (careful, absent):
        assert [score(y, partition) for score in EVIDENTIAL] == pytest.approx([1, 4 / 6, 10 / 15], abs=1e-15)


def test_scores_without_decided_pairs():
    vacuous = CredalPartition(np.eye(4)[[3, 3, 3]], FocalSets.simple(2))
    assert [score([0, 0, 1], vacuous) for score in EVIDENTIAL] == [1, 0, 0]
    assert [score([0], [5]) for score in EVIDENTIAL] == [1, 1, 1]


def test_more_clusters_than_a_frame_may_have_can_be_scored():
    assert [score(range(500), range(500)) for score in EVIDENTIAL] == [1, 1, 1]


@pytest.mark.parametrize("score", EVIDENTIAL)
def test_classes_of_other_objects_are_refused(score):
    soft, _ = soft_and_hard(3)
    with pytest.raises(ValueError, match="same objects, got 2 for 3"):
        score([0, 1], soft)
    with pytest.raises(ValueError, match=r"labels of shape \(n,\), got shape \(1, 3\)"):
        score([[0, 1, 1]], soft)
    with pytest.raises(ValueError, match=r"labels of shape \(n,\), got shape \(0,\)"):
        score([], [])
    with pytest.raises(ValueError, match="other than NaN and None, got nan for object 1"):
        score([0, np.nan, 1], soft)


# ---------------------------------------------------------------------- corrected for chance


@given(two_labelings())
def test_adjusted_credal_rand_of_hard_partitions_is_the_adjusted_rand_index(case):
    value = metrics.adjusted_credal_rand(*case)
    assert value == pytest.approx(metrics.adjusted_rand(*case), abs=1e-12)  # quotient of sums


@given(two_credal_partitions(most=4))
@settings(max_examples=25)
def test_chance_is_the_mean_over_all_orders_of_the_objects(case):
    P, Q = case
    orders = map(list, permutations(range(len(Q))))
    index, *_ = values = [metrics.credal_rand(P, Q.take(order), "belief") for order in orders]
    chance = np.mean(values)
    if 1 - chance > 1e-6:  # else the quotient is that of rounding errors
        expected = (index - chance) / (1 - chance)
        assert metrics.adjusted_credal_rand(P, Q) == pytest.approx(expected, abs=1e-8)  # over 1e-6


@given(two_credal_partitions())
def test_adjusted_credal_rand_is_symmetric_one_at_equality_and_blind_to_names(case):
    P, Q = case
    value = metrics.adjusted_credal_rand(P, Q)
    assert value <= 1
    if 1 - metrics.credal_rand(P, Q, "belief") > 1e-6:  # else chance may be rounding
        assert metrics.adjusted_credal_rand(Q, P) == pytest.approx(value, abs=1e-8)
        assert metrics.adjusted_credal_rand(relabelled(P), Q) == pytest.approx(value, abs=1e-8)
    assert metrics.adjusted_credal_rand(P, P) == pytest.approx(1, abs=1e-8)


def test_the_adjusted_index_is_one_where_chance_equals_agreement():
    vacuous = CredalPartition(np.ones((4, 1)), FocalSets.from_sets(2, [[0, 1]]))
    for same in (vacuous, [0, 0, 0, 0], [0, 1, 2, 3], [5]):
        assert metrics.adjusted_credal_rand(same, same) == 1
    assert metrics.adjusted_credal_rand([0, 0, 0, 0], [0, 1, 2, 3]) == 0


def test_objects_in_random_order_agree_by_chance():
    soft, hard = soft_and_hard(200)
    assert abs(metrics.adjusted_credal_rand(hard, soft)) < 0.02 < metrics.credal_rand(hard, soft, "belief")
