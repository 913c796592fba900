"""COPKMeans: constraints hold or it says so; reductions, oracle."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from credalbench.baselines import ConstraintFailure, COPKMeans
from credalbench.baselines.cop_kmeans import Groups, reseeded
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from tests.baselines.test_fuzzy_cmeans import problem
from tests.oracles import baselines as literal

SEEDS = st.integers(0, 2**32 - 1)
GRID = np.arange(10.0).reshape(5, 2)


# ---------------------------------------------------------------- laws


@given(SEEDS, st.sampled_from(["data", "random"]))
def test_labels_satisfy_all_constraints_or_the_fit_fails(seed, order):
    rng = np.random.default_rng(seed)
    X, _ = problem(seed, n=30)
    given_ = PairwiseConstraints.from_labels(rng.integers(3, size=30), random_pairs(30, 15, rng))
    pairs = {"must_link": given_.must_link, "cannot_link": given_.cannot_link}
    method = COPKMeans(3, order=order, random_state=seed)
    try:
        fit = method.fit(X, **pairs)
    except ConstraintFailure as failure:
        assert failure.n_failures == 11
        assert not any(name.endswith("_") for name in vars(method) if name != "n_features_in_")
        return
    assert len(given_.violated(fit.labels_)) == 0
    assert 0 <= fit.n_failures_ <= 10
    assert len(fit.objective_trace_) == fit.n_iter_
    for k in np.unique(fit.labels_):
        np.testing.assert_allclose(fit.cluster_centers_[k], X[fit.labels_ == k].mean(axis=0))
    inertia = np.sum((X - fit.cluster_centers_[fit.labels_]) ** 2)
    assert fit.objective_ == pytest.approx(inertia, rel=1e-12)  # rounding


# ---------------------------------------------------------------- failure


def test_more_objects_apart_than_clusters_fail_after_all_attempts():
    pairs = [(0, 1), (1, 2), (0, 2)]
    with pytest.raises(ConstraintFailure, match="2 clusters that satisfies 3 constraints, got none in 4 att"):
        COPKMeans(2, n_restarts=3, random_state=0).fit(GRID, cannot_link=pairs)
    assert COPKMeans(3, random_state=0).fit(GRID, cannot_link=pairs).n_failures_ >= 0


def test_greedy_assignment_may_fail_although_the_constraints_can_be_satisfied():
    """0 and 1 together, 2 apart from both, would do; but 0 and 1 have gone to different clusters."""
    X, V, pairs = [[0.0], [10.0], [5.0]], [[0.0], [10.0]], [(0, 2), (1, 2)]
    with pytest.raises(ConstraintFailure) as caught:
        COPKMeans(2, init=V, n_restarts=50).fit(X, cannot_link=pairs)
    assert caught.value.n_failures == 1  # from the same centres in the same order, it would fail again
    fits = [
        COPKMeans(2, init=V, order="random", n_restarts=50, random_state=s).fit(X, cannot_link=pairs)
        for s in range(10)
    ]
    assert {tuple(fit.labels_[:2] == fit.labels_[2]) for fit in fits} == {(False, False)}
    assert max(fit.n_failures_ for fit in fits) > 0


def test_failure_travels_between_processes():
    failure = pickle.loads(pickle.dumps(ConstraintFailure("no", 3)))
    assert (str(failure), failure.n_failures) == ("no", 3)


# ---------------------------------------------------------------- reductions and oracle


def test_without_constraints_it_is_c_means():
    X, _ = problem(9, n=80)
    V = X[:4]
    fit = COPKMeans(4, init=V).fit(X)
    kmeans = KMeans(4, init=V, n_init=1, tol=0.0, algorithm="lloyd").fit(X)
    np.testing.assert_array_equal(fit.labels_, kmeans.labels_)
    assert fit.objective_ == pytest.approx(kmeans.inertia_, rel=1e-10)  # rounding


@given(SEEDS)
def test_assignment_agrees_with_one_object_after_another(seed):
    rng = np.random.default_rng(seed)
    given_ = PairwiseConstraints.from_labels(rng.integers(3, size=10), random_pairs(10, 8, rng))
    squared, order = rng.random((10, 3)), rng.permutation(10)
    closed = given_.closure()
    expected = literal.cop_assignment(squared, order, closed.must_link.tolist(), closed.cannot_link.tolist())
    labels = Groups(given_, order).assign(squared)
    assert (None if labels is None else labels.tolist()) == expected


def test_first_object_of_a_group_decides():
    X, V = [[0.0], [9.0], [10.0], [1.0]], [[0.0], [10.0]]
    for order, expected in (([0, 1, 2, 3], 0), ([2, 0, 1, 3], 1)):
        groups = Groups(PairwiseConstraints(4, must_link=[(0, 1), (1, 2)]), np.array(order))
        labels = groups.assign((np.array(X) - np.array(V).T) ** 2)
        assert labels.tolist() == [expected] * 3 + [0]


def test_empty_clusters_move_to_the_farthest_objects():
    X = np.array([[0.0], [1.0], [9.0], [2.0]])
    moved = reseeded(X, np.zeros(4, dtype=int), np.array([[1.0], [50.0], [60.0]]))
    assert moved.ravel().tolist() == [1, 9, 0]


def test_more_clusters_than_places_come_to_rest():
    X = np.repeat([[0.0], [5.0]], 4, axis=0)
    for seed in range(10):
        fit = COPKMeans(3, random_state=seed).fit(X)
        assert fit.converged_ and fit.objective_ == 0
