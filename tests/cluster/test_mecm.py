"""MECM: oracles, certificates, laws, bad input. Its formulas are from the literature, unverified."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster import MECM, ECMdd
from credalbench.cluster.inputs.dissimilarities import euclidean_distances
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs
from credalbench.cluster.prototypes.medoid_search import next_medoids
from credalbench.cluster.prototypes.medoids import SetMedoids, set_representatives
from credalbench.datasets import load
from credalbench.metrics import adjusted_rand
from tests.oracles import mecm as literal

BUTTERFLY = load("butterfly").X


def random_problem(seed, n=10, c=3):
    """Random dissimilarities (no metric), and medoids."""
    rng = np.random.default_rng(seed)
    tau = rng.gamma(2.0, size=(n, n))
    tau += tau.T
    np.fill_diagonal(tau, 0)
    return tau, rng.choice(n, c, replace=False), rng


# ---------------------------------------------------------------- oracles


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.5, 1.0, 3.0]))
def test_dissimilarities_to_sets_follow_their_definition(seed, gamma, eta):
    tau, medoids, _ = random_problem(seed)
    focal_sets = FocalSets.full(3)
    d = SetMedoids.of(tau, medoids, focal_sets, gamma, eta).dissimilarities(tau)
    expected = [
        [literal.dissimilarity(tau, i, medoids, sorted(A), gamma, eta) for A in focal_sets.sets[1:]]
        for i in range(10)
    ]
    np.testing.assert_allclose(d, expected, rtol=1e-12)  # rounding


@given(st.integers(0, 2**32 - 1))
def test_object_of_a_set_follows_its_definition(seed):
    tau, medoids, _ = random_problem(seed)
    S = FocalSets.full(3).membership[1:]
    expected = [literal.representative(tau, medoids, np.flatnonzero(A), 1.0) for A in S]
    np.testing.assert_array_equal(set_representatives(tau[:, medoids], S, 1.0), expected)


def test_duplicate_medoids_make_no_division_by_zero():
    tau, _, _ = random_problem(0)
    tau[1], tau[:, 1] = tau[0], tau[:, 0]
    tau[0, 1] = tau[1, 0] = 0
    d = SetMedoids.of(tau, np.array([0, 1]), FocalSets.full(2), 0.5, 1.0).dissimilarities(tau)
    np.testing.assert_allclose(d[:, 2], tau[:, 0] / 3, rtol=1e-12)  # 0.5 tau / 1.5, with no unevenness


@given(st.integers(0, 2**32 - 1))
def test_medoids_are_best_for_their_own_cluster_and_differ(seed):
    tau, _, rng = random_problem(seed)
    weights = rng.random((10, 3))
    medoids = next_medoids(tau, weights.copy())
    assert len(set(medoids)) == 3
    scores = tau @ weights
    assert scores[medoids[0], 0] == scores[:, 0].min()
    assert scores[medoids[1], 1] == np.delete(scores[:, 1], medoids[0]).min()


# ---------------------------------------------------------------- certificates and laws


@pytest.mark.parametrize("kwargs", [{}, {"square": False}, {"focal_sets": "full"}, {"beta": 1.2, "eta": 2.0}])
def test_objective_falls_and_ends_where_no_move_helps(kwargs):
    tau, _, _ = random_problem(1, n=40)
    fit = MECM(3, metric="precomputed", random_state=0, tol=0.0, **kwargs).fit(tau)
    assert fit.converged_
    assert np.all(np.diff(fit.objective_trace_) < 0)
    assert fit.objective_ == fit.objective_trace_[-1]
    again = MECM(3, metric="precomputed", init=fit.medoid_indices_, tol=0.0, **kwargs).fit(tau)
    np.testing.assert_array_equal(again.medoid_indices_, fit.medoid_indices_)
    assert again.n_iter_ == 0


def test_masses_are_those_of_ecm_at_the_dissimilarities_of_the_medoids():
    tau, medoids, _ = random_problem(2)
    focal_sets = FocalSets.full(3)
    given = {"focal_sets": focal_sets, "init": medoids, "delta": 4.0}
    fit = MECM(3, metric="precomputed", max_iter=1, tol=0.0, **given).fit(tau)
    d = SetMedoids.of(tau, fit.medoid_indices_, focal_sets, 0.5, 1.0).dissimilarities(tau)
    expected = masses_from_costs(focal_costs(d**2, focal_sets, 1.0, 4.0), 2.0)
    np.testing.assert_array_equal(fit.partition_.masses, expected)


def test_medoid_is_certain_of_its_cluster():
    fit = MECM(2, random_state=0).fit(BUTTERFLY)
    for k, i in enumerate(fit.medoid_indices_):
        assert fit.partition_.masses[i, fit.partition_.focal_sets.index({k})] == 1
    np.testing.assert_array_equal(fit.cluster_centers_, BUTTERFLY[fit.medoid_indices_])


# ---------------------------------------------------------------- starts

CENTRES = {
    "triangle": ([(0, 0), (8, 0), (0, 8)], [30] * 3),
    "three columns": ([(0, 0, 0), (8, 0, 0), (0, 8, 0)], [30] * 3),
    "square": ([(0, 0), (8, 0), (0, 8), (8, 8)], [30] * 4),
    "sizes": ([(0, 0), (8, 0), (0, 8)], [10, 30, 80]),
}


@pytest.mark.parametrize("cls", [MECM, ECMdd])
@pytest.mark.parametrize("given", [False, True], ids=["attributes", "distances"])
@pytest.mark.parametrize(("centres", "sizes"), CENTRES.values(), ids=list(CENTRES))
def test_separated_clusters_are_found_as_it_comes(centres, sizes, given, cls):
    y, scores = np.repeat(np.arange(len(sizes)), sizes), []
    for seed in range(8):
        X = np.random.default_rng(seed).normal(np.array(centres)[y], 1)
        X, metric = (euclidean_distances(X), "precomputed") if given else (X, "euclidean")
        scores.append(adjusted_rand(y, cls(len(sizes), metric=metric).fit(X).labels_))
    assert np.mean(scores) > 0.95


@pytest.mark.parametrize("cls", [MECM, ECMdd])
@pytest.mark.parametrize("kwargs", [{}, {"init": "random"}, {"focal_sets": "full"}])
def test_more_starts_never_raise_the_objective(kwargs, cls):
    tau, _, _ = random_problem(3, n=30)
    model = cls(3, metric="precomputed", random_state=0, **kwargs)
    found = [model.set_params(n_init=number).fit(tau).objective_ for number in (1, 2, 5, 9)]
    assert found == sorted(found, reverse=True)


# ---------------------------------------------------------------- contract and bad input


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({}, np.array([[0.0]] * 60 + [[1.0]]), "delta"),
        ({"init": [3, 3]}, BUTTERFLY, "2 different objects"),
        ({"init": [3, 12]}, BUTTERFLY, "2 different objects"),
        ({"init": [0.0, 1.0]}, BUTTERFLY, "2 different objects"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        MECM(**{"n_clusters": 2, **kwargs}).fit(X)
