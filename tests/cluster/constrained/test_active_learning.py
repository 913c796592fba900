"""Active learning: which pairs are proposed, what happens to the answers, and what goes wrong politely."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.baselines import COPKMeans
from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import CECM, ActiveLearner
from credalbench.cluster.constrained.pair_proposals import (
    SECOND_OBJECTS,
    SettledPairs,
    candidate_clusters,
    most_uncertain_first,
    propose_pair,
    propose_pairs,
    propose_random_pairs,
)
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import load, make_two_class_cecm
from credalbench.metrics import rand_index
from tests.oracles import active_learning as literal

FULL = FocalSets.full(3)
SEEDS = st.integers(0, 2**32 - 1)


def random_situation(seed, n=12, subsets=FULL, size=0):
    """Objects, their partition, prototypes, metrics and constraints, all drawn."""
    rng = np.random.default_rng(seed)
    X, V = rng.normal(size=(n, 2)), rng.normal(size=(subsets.n_clusters, 2))
    roots = rng.normal(size=(subsets.n_clusters, 2, 2))
    norms = roots @ roots.swapaxes(1, 2) + 0.1 * np.eye(2)
    partition = CredalPartition(rng.dirichlet(np.ones(len(subsets)), size=n), subsets)
    constraints = PairwiseConstraints.from_labels(rng.integers(3, size=n), random_pairs(n, size, rng))
    return X, partition, V, norms, constraints


def sorted_set(pairs):
    return {tuple(sorted(pair)) for pair in np.asarray(pairs).tolist()}


def two_class_learner(n=60, **options):
    data = make_two_class_cecm(random_state=0)
    rows = np.random.default_rng(0).permutation(len(data.X))[:n]
    model = CECM(2, metric="mahalanobis", delta=10.0, random_state=0)
    return ActiveLearner(model, data.X[rows], **options), data.y[rows]


# ---------------------------------------------------------------- proposals: laws and the literal rule


@given(SEEDS, st.integers(0, 40), st.sampled_from(SECOND_OBJECTS))
def test_proposals_follow_the_rule_word_by_word(seed, size, second_object):
    """Section 5.1.4 in loops over objects and sets, with a closure computed by following every chain."""
    X, partition, V, norms, constraints = random_situation(seed, size=size)
    links = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    sets, masses = partition.focal_sets.sets, partition.masses
    expected = literal.proposal(X, masses, sets, V, norms, *links, second_object)
    found = propose_pairs(X, partition, V, norms, constraints, second_object=second_object)
    assert found.tolist() == ([] if expected is None else [list(expected)])


@given(SEEDS, st.integers(0, 60), st.integers(1, 80), st.sampled_from([*SECOND_OBJECTS, "random"]))
def test_nothing_settled_is_proposed_and_every_open_pair_in_the_end(seed, size, n_pairs, second_object):
    X, partition, V, norms, constraints = random_situation(seed, size=size)
    closure = constraints.closure()
    settled = sorted_set(closure.must_link) | sorted_set(closure.cannot_link)
    if second_object == "random":
        pairs = propose_random_pairs(12, n_pairs, np.random.RandomState(seed % 1000), constraints)
    else:
        pairs = propose_pairs(X, partition, V, norms, constraints, n_pairs, second_object=second_object)
    assert not sorted_set(pairs) & settled
    assert len(sorted_set(pairs)) == len(pairs) == min(n_pairs, 66 - len(settled))
    assert (pairs[:, 0] != pairs[:, 1]).all()


@given(SEEDS)
def test_pairs_of_one_round_have_different_first_objects(seed):
    X, partition, V, norms, _ = random_situation(seed)
    pairs = propose_pairs(X, partition, V, norms, n_pairs=5)
    assert len(set(pairs[:, 0].tolist())) == 5


def test_random_pairs_are_uniform_among_the_open_ones():
    rng, counts = np.random.RandomState(0), {}
    constraints = PairwiseConstraints(4, must_link=[(0, 1)])
    for _ in range(2000):
        pair = tuple(sorted(propose_random_pairs(4, 1, rng, constraints)[0].tolist()))
        counts[pair] = counts.get(pair, 0) + 1
    assert set(counts) == {(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    assert max(abs(count - 400) for count in counts.values()) < 80  # 4.5 standard deviations of 18


# ---------------------------------------------------------------- proposals: what each reading says

LINE = np.array([[0.0], [0.2], [4.0], [4.1], [2.2], [9.0]])  # prototypes at 0, 4 and 9
PROTOTYPES = np.array([[0.0], [4.0], [9.0]])


def line_partition():
    """Each object of LINE on its own cluster, but object 4 between the first two, more in the first.

    It is nearer to the prototype of the second.
    """
    masses = np.zeros((6, 8))
    for i, k in enumerate((0, 0, 1, 1, 0, 2)):
        masses[i, FULL.index({k})] = 0.4 if i == 4 else 1.0
    masses[4, FULL.index({0, 1})] = 0.6
    return CredalPartition(masses, FULL)


def test_the_readings_differ_in_the_second_object():
    partition = line_partition()
    proposed = {
        reading: propose_pair(LINE, partition, PROTOTYPES, second_object=reading)
        for reading in SECOND_OBJECTS
    }
    assert proposed["nearer"] == (4, 2) and proposed["plausible"] == (4, 0)
    assert proposed["any"] == (4, 0)  # objects 0, 2 and 5 lie on their prototypes: the first cluster


def test_after_an_answer_the_other_cluster_follows_then_the_next_object():
    partition = line_partition()
    assert propose_pair(LINE, partition, PROTOTYPES, None, [(2, 4)]) == (4, 0)
    apart = PairwiseConstraints(6, cannot_link=[(4, 2), (4, 0)])
    first, second = propose_pair(LINE, partition, PROTOTYPES, None, apart)
    assert first != 4 and second in (0, 2, 5)


def test_an_implied_answer_costs_no_question():
    partition = line_partition()
    known = PairwiseConstraints(6, must_link=[(4, 2)], cannot_link=[(2, 0)])
    assert not SettledPairs(6, known).is_open(0, 4)
    assert propose_pair(LINE, partition, PROTOTYPES, None, known)[0] != 4
    soft = PairwiseConstraints(6, must_link=[(4, 2)], cannot_link=[(2, 0)], must_link_weights=[0.9])
    assert SettledPairs(6, soft).is_open(0, 4) and not SettledPairs(6, soft).is_open(2, 4)


def test_the_metric_decides_which_prototype_is_nearer():
    partition = line_partition()
    stretched = np.array([[[1.0]], [[2.0]], [[1.0]]])  # prototype 2 at 1.8 sqrt(2) > 2.2
    assert propose_pair(LINE, partition, PROTOTYPES, stretched) == (4, 0)


def test_without_pairs_of_clusters_nonspecificity_then_probability_decide():
    simple = FocalSets.simple(3)
    masses = np.array([[0, 0.5, 0, 0.1, 0.4], [0, 0.2, 0.2, 0.1, 0.5], [0, 1, 0, 0, 0]])
    partition = CredalPartition(masses, simple)
    assert most_uncertain_first(partition).tolist() == [1, 0, 2]
    assert candidate_clusters(partition, np.ones((3, 3)))[0].tolist() == [0, 2]  # its two most probable
    hard = CredalPartition([[0, 0.9, 0.1, 0, 0], [0, 0.6, 0.4, 0, 0], [0, 0, 0, 1, 0]], simple)
    assert most_uncertain_first(hard).tolist() == [1, 0, 2]


def test_omega_is_the_pair_of_two_clusters():
    partition = CredalPartition([[0, 0.9, 0, 0.1], [0, 0.3, 0, 0.7], [0.5, 0, 0.5, 0]], FocalSets.full(2))
    assert most_uncertain_first(partition).tolist() == [1, 0, 2]


# ---------------------------------------------------------------- the learner


def test_the_first_fit_is_the_estimator_alone_and_the_estimator_is_left_alone():
    learner, _ = two_class_learner()
    alone = CECM(2, metric="mahalanobis", delta=10.0, random_state=0).fit(learner.X)
    assert learner.estimator_.partition_ == alone.partition_
    assert not hasattr(learner.estimator, "partition_") and len(learner.constraints_) == 0
    learner.answer(learner.propose(), [True])
    assert learner.estimator.get_params()["init"] == "auto"


def test_every_fit_is_that_of_its_constraints_from_the_previous_prototypes():
    learner, y = two_class_learner()
    history = learner.run(y, 6)
    assert [entry.n_constraints for entry in history] == list(range(7))
    for before, entry in pairwise(history):
        model = CECM(2, metric="mahalanobis", delta=10.0, init=before.estimator.cluster_centers_)
        links = entry.constraints.must_link, entry.constraints.cannot_link
        model.fit(learner.X, must_link=links[0], cannot_link=links[1])
        assert model.partition_ == entry.estimator.partition_ and model.objective_ == entry.objective
        assert len(entry.constraints.violated(y)) == 0
        np.testing.assert_array_equal(entry.labels, entry.estimator.labels_)


def test_without_warm_start_a_fit_depends_on_its_constraints_only():
    first, y = two_class_learner(warm_start=False)
    pairs = random_pairs(60, 8, np.random.default_rng(1))
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    second, _ = two_class_learner(warm_start=False)
    for k in range(8):
        second.answer(pairs[[7 - k]], same[[7 - k]])
    assert first.answer(pairs, same).estimator_.partition_ == second.estimator_.partition_


def test_a_labels_oracle_and_a_function_propose_the_same_pairs():
    by_labels, y = two_class_learner()
    by_function, _ = two_class_learner()
    proposed = []

    def oracle(i, j):
        proposed.append((i, j))
        return bool(y[i] == y[j])

    histories = by_labels.run(y, 5), by_function.run(oracle, 5)
    assert [h.pairs.tolist() for h in histories[0]] == [h.pairs.tolist() for h in histories[1]]
    assert len(proposed) == len(set(proposed)) == 5


def test_run_in_batches_reaches_the_number_exactly_and_goes_on_later():
    learner, y = two_class_learner()
    assert [entry.n_constraints for entry in learner.run(y, 7, batch=3)] == [0, 3, 6, 7]
    assert learner.run(y, 7)[-1].n_constraints == 7
    assert learner.run(y, 9)[-1].n_constraints == 9


def test_run_ends_when_no_pair_is_open():
    X = [[0.0], [0.1], [5.0], [5.1]]
    for strategy in ("active", "random"):
        learner = ActiveLearner(CECM(2, random_state=0), X, strategy=strategy, random_state=0)
        learner.run([0, 0, 1, 1], 6)
        assert len(learner.constraints_) < 6 and len(learner.constraints_.closure()) == 6
        assert learner.propose().shape == (0, 2)
        np.testing.assert_array_equal(
            learner.estimator_.labels_ == learner.estimator_.labels_[0], [1, 1, 0, 0]
        )


def test_a_pair_without_an_answer_is_not_proposed_again():
    learner, y = two_class_learner()
    unknown = tuple(learner.propose()[0].tolist())
    proposed = []

    def oracle(i, j):
        proposed.append((i, j))
        return None if (i, j) == unknown else bool(y[i] == y[j])

    learner.run(oracle, 4)
    assert proposed[0] == unknown and unknown not in proposed[1:]
    assert learner.skipped_.tolist() == [sorted(unknown)] and len(learner.constraints_) == 4


def test_random_selection_repeats_with_its_seed():
    runs = [two_class_learner(strategy="random", random_state=s) for s in (3, 3, 4)]
    proposed = [[entry.pairs.tolist() for entry in learner.run(y, 4)] for learner, y in runs]
    assert proposed[0] == proposed[1] != proposed[2]


def test_contradictory_answers_are_refused_with_the_chain_and_nothing_is_lost():
    learner, _ = two_class_learner(must_link=[(0, 1)])
    learner.answer([(1, 2)], [True])
    before = learner.estimator_
    with pytest.raises(ValueError, match="cannot-link 0, 2; but must-links 0 - 1 - 2"):
        learner.answer([(5, 6), (0, 2)], [True, False])
    with pytest.raises(ValueError, match="cannot-link 7, 8; but must-links 7 - 8"):
        learner.answer([(7, 8), (8, 7)], [True, False])
    assert learner.estimator_ is before and len(learner.history_) == 2
    assert learner.constraints_.must_link.tolist() == [[0, 1], [1, 2]]


def test_undo_gives_back_the_fit_before():
    learner, y = two_class_learner()
    fits = [learner.estimator_]
    for _ in range(3):
        pairs = learner.propose()
        fits.append(learner.answer(pairs, y[pairs[:, 0]] == y[pairs[:, 1]]).estimator_)
    last = learner.propose()
    for k in (2, 1, 0):
        assert learner.undo().estimator_ is fits[k] and len(learner.constraints_) == k
    with pytest.raises(ValueError, match="expected an answer to take back"):
        learner.undo()
    learner.run(y, 3)
    np.testing.assert_array_equal(learner.propose(), last)  # the same way again


def test_a_failing_fit_loses_nothing():
    class Fragile(CECM):
        def fit(self, X, y=None, *, must_link=None, cannot_link=None):
            if len(must_link):
                raise RuntimeError("no")
            return super().fit(X, must_link=must_link, cannot_link=cannot_link)

    learner = ActiveLearner(Fragile(2, random_state=0), [[0.0], [0.1], [5.0], [5.1]])
    with pytest.raises(RuntimeError):
        learner.answer([(0, 1)], [True])
    assert len(learner.history_) == 1 and len(learner.constraints_) == 0


def test_the_answer_given_twice_counts_once():
    learner, _ = two_class_learner()
    learner.answer([(0, 1)], [True]).answer([(1, 0)], [True])
    assert len(learner.constraints_) == 1


def test_random_selection_needs_no_credal_partition():
    learner = ActiveLearner(
        COPKMeans(2, random_state=0), [[0.0], [0.1], [5.0], [5.1]], strategy="random", random_state=0
    )
    learner.run([0, 0, 1, 1], 2)
    assert len(learner.constraints_) == 2
    with pytest.raises(ValueError, match="expected an estimator with a partition_"):
        ActiveLearner(COPKMeans(2, random_state=0), [[0.0], [0.1], [5.0], [5.1]])


@pytest.mark.slow
def test_forty_questions_are_enough_for_iris():
    """Section 5.2.2: the optimum with 40 constraints. scikit-learn's Iris differs in two objects."""
    data = load("iris")
    learner = ActiveLearner(CECM(3, metric="mahalanobis", delta=1000**0.5, random_state=0), data.X)
    learner.run(data.y, 40)
    assert rand_index(data.y, learner.estimator_.labels_) > 0.99  # three decimals: at most one object wrong


# ---------------------------------------------------------------- bad input


def test_bad_arguments_are_refused_before_any_fit():
    X, model = np.eye(4), CECM(2)
    with pytest.raises(ValueError, match="cannot-link 0, 1; but must-links 0 - 1"):
        ActiveLearner(model, X, must_link=[(0, 1)], cannot_link=[(0, 1)])
    with pytest.raises(ValueError, match="NaN"):
        ActiveLearner(model, [[0.0], [np.nan]])


@pytest.mark.parametrize(
    "pairs, same, message",
    [
        ([(0, 60)], [True], "expected indices 0..59"),
        ([(3, 3)], [True], "expected pairs of different objects"),
        ([(0, 1)], [1], "expected answers True or False"),
        ([(0, 1)], [True, False], "expected answers of shape"),
        ([0, 1], [True], "expected pairs of shape"),
        ([(0.0, 1.0)], [True], "expected integer indices"),
        (np.empty((0, 2), dtype=int), np.empty(0, dtype=bool), "expected at least one pair"),
    ],
)
def test_bad_answers_are_refused(pairs, same, message):
    learner, _ = two_class_learner()
    with pytest.raises(ValueError, match=message):
        learner.answer(pairs, same)
    assert len(learner.history_) == 1


def test_bad_requests_are_refused():
    learner, y = two_class_learner()
    with pytest.raises(ValueError, match="1 <= n_pairs"):
        learner.propose(0)
    with pytest.raises(ValueError, match="expected a callable or labels of shape"):
        learner.run(y[:-1], 3)
    with pytest.raises(ValueError, match="expected a partition of 4 objects"):
        propose_pairs(np.eye(4), learner.estimator_.partition_, np.eye(4)[:2])
    with pytest.raises(ValueError, match="expected a pair whose answer is open"):
        everything = PairwiseConstraints(6, must_link=[(0, j) for j in range(1, 6)])
        propose_pair(LINE, line_partition(), PROTOTYPES, None, everything)
