"""ECMdd: oracles, limits, laws, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from credalbench.belief import FocalSets
from credalbench.cluster import MECM, ECMdd
from credalbench.cluster.ecmdd import one_hot
from credalbench.cluster.prototypes.medoid_search import spread_medoids
from credalbench.cluster.prototypes.medoids import SetPrototypes
from credalbench.datasets import load, make_fourclass
from credalbench.metrics import adjusted_rand
from tests.cluster.test_mecm import random_problem
from tests.oracles import ecmdd as literal

BUTTERFLY = load("butterfly").X
SETS = FocalSets.full(3)
PSI = 1.5
gammas, etas = st.sampled_from([0.0, 0.5, 4.0]), st.sampled_from([0.3, 1.0])


def dissimilarities(tau, prototypes, gamma=1.0, eta=1.0, psi=None):
    return SetPrototypes.of(tau, prototypes, SETS, gamma, eta, psi).dissimilarities(tau)


# ---------------------------------------------------------------- oracles


@given(st.integers(0, 2**32 - 1), gammas, etas)
def test_dissimilarities_to_sets_follow_their_definition(seed, gamma, eta):
    tau, medoids, rng = random_problem(seed)
    sets = [sorted(A) for A in SETS.sets[1:]]
    expected = [[literal.single(tau, i, medoids, A, gamma, eta) for A in sets] for i in range(10)]
    np.testing.assert_allclose(dissimilarities(tau, medoids, gamma, eta), expected, rtol=1e-12)
    shares = rng.dirichlet(np.ones(10), 3)
    expected = [[literal.several(tau, i, shares, A, gamma, eta, PSI) for A in sets] for i in range(10)]
    np.testing.assert_allclose(dissimilarities(tau, shares, gamma, eta, PSI), expected, rtol=1e-9)


@pytest.mark.parametrize("psi", [None, PSI])
def test_objective_is_that_of_the_formula(psi):
    tau, _, _ = random_problem(3)
    fit = ECMdd(3, metric="precomputed", alpha=1.5, beta=1.8, delta=2.0, psi=psi, random_state=0).fit(tau)
    sets = [sorted(A) for A in SETS.sets]
    if psi is None:
        d = [[literal.single(tau, i, fit.medoid_indices_, A, 1.0, 1.0) for A in sets[1:]] for i in range(10)]
    else:
        shares = fit.medoid_weights_
        d = [[literal.several(tau, i, shares, A, 1.0, 1.0, psi) for A in sets[1:]] for i in range(10)]
    expected = literal.objective(tau, fit.partition_.masses, sets, d, 1.5, 1.8, 2.0)
    np.testing.assert_allclose(fit.objective_, expected, rtol=1e-9)


def test_weights_of_a_cluster_follow_their_definition():
    tau, medoids, _ = random_problem(2)
    settings = {"metric": "precomputed", "psi": PSI, "delta": 2.0, "tol": 0.0, "init": medoids}
    # all is fixed but the weights after one move; the masses before it are those of single medoids
    with pytest.warns(match="max_iter"):
        once = ECMdd(3, max_iter=1, **settings).fit(tau)
    start = SetPrototypes.of(tau, one_hot(medoids, 10), SETS, 1.0, 1.0, PSI).dissimilarities(tau)
    costs = np.hstack([np.full((10, 1), 4.0), start * SETS.cardinality[1:]])
    with np.errstate(divide="ignore"):
        masses = np.where(costs == 0, 1.0, 1 / costs)
    masses[(costs == 0).any(axis=1)] = (costs == 0)[(costs == 0).any(axis=1)]
    masses /= masses.sum(axis=1, keepdims=True)
    expected = literal.cluster_weights(tau, masses[:, SETS.singletons], 2.0, PSI)
    np.testing.assert_allclose(once.medoid_weights_, expected, rtol=1e-9)


# ---------------------------------------------------------------- limits


def test_one_medoid_is_the_limit_of_several():
    tau = squareform(pdist(np.random.default_rng(4).normal(size=(60, 2))))
    medoids = np.array([0, 1, 2])  # others lie between them: two of equal medoids would share the weight
    several = dissimilarities(tau, one_hot(medoids, 60), psi=1.0001)
    np.testing.assert_allclose(several, dissimilarities(tau, medoids), rtol=1e-9)


def test_large_gamma_is_the_mean_of_the_clusters_and_none_is_the_representative():
    tau, medoids, _ = random_problem(5)
    mean = tau[:, medoids].mean(axis=1)
    np.testing.assert_allclose(dissimilarities(tau, medoids, gamma=1e30)[:, -1], mean, rtol=1e-12)
    alone = SetPrototypes.of(tau, medoids, SETS, 0.0, 1.0)
    np.testing.assert_array_equal(alone.dissimilarities(tau)[:, -1], tau[:, alone.objects[-1]])


def test_eta_keeps_outliers_from_standing_for_a_set():
    """On a line two medoids, an object that is not quite between them, and one far off at equal distances."""
    X = np.array([[-1.0, 0], [1, 0], [0.2, 0], [0, 100]])
    tau = squareform(pdist(X))
    chosen = [
        SetPrototypes.of(tau, np.array([0, 1]), FocalSets.full(2), 1.0, eta).objects[-1] for eta in (1e-6, 1)
    ]
    assert chosen == [3, 2]


def test_without_sets_it_is_mecm_of_dissimilarities_that_are_not_squared():
    tau, _, _ = random_problem(6, n=40)
    sets = FocalSets.from_sets(3, [[], [0], [1], [2]])
    settings = {"metric": "precomputed", "focal_sets": sets, "delta": 3.0, "init": [0, 1, 2]}
    fit, mecm = ECMdd(3, **settings).fit(tau), MECM(3, square=False, **settings).fit(tau)
    np.testing.assert_array_equal(fit.partition_.masses, mecm.partition_.masses)
    np.testing.assert_array_equal(fit.objective_trace_, mecm.objective_trace_)


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("psi", [None, 1.05, PSI, 3.0])
@pytest.mark.parametrize("kwargs", [{}, {"focal_sets": "simple"}, {"beta": 1.2, "gamma": 0.1}])
def test_objective_falls_and_weights_are_on_the_simplex(psi, kwargs):
    X = make_fourclass(80, random_state=0).X
    fit = ECMdd(3, psi=psi, init=[0, 1, 2], tol=0.0, max_iter=500, **kwargs).fit(X)  # neighbours: a long way
    assert fit.converged_
    assert fit.n_iter_ > 0
    assert np.all(np.diff(fit.objective_trace_) < 0)
    np.testing.assert_allclose(fit.medoid_weights_.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(fit.partition_.masses.sum(axis=1), 1, rtol=1e-12)


def test_larger_psi_shares_the_weight_among_more_objects():
    data = make_fourclass(200, random_state=0)
    effective = []
    for psi in (1.05, 1.2, 1.5):
        fit = ECMdd(4, psi=psi, focal_sets="simple").fit(data.X)
        effective.append(1 / (fit.medoid_weights_**2).sum(axis=1).mean())
    assert effective == sorted(effective)


def test_first_start_spreads_the_medoids():
    tau, _, _ = random_problem(9, n=20)
    chosen = []
    for _ in range(3):
        sums = [sum(min(tau[i, q] for q in [p, *chosen]) for i in range(20)) for p in range(20)]
        chosen.append(min((p for p in range(20) if p not in chosen), key=lambda p, sums=sums: sums[p]))
    np.testing.assert_array_equal(spread_medoids(tau, 3), chosen)
    fit = ECMdd(3, metric="precomputed", n_init=4, random_state=0).fit(tau)
    assert fit.objective_ <= ECMdd(3, metric="precomputed").fit(tau).objective_


@pytest.mark.parametrize("psi", [None, 1.05])
def test_four_groups_are_found(psi):
    data = make_fourclass(200, random_state=0)
    fit = ECMdd(4, psi=psi, focal_sets="simple").fit(data.X)
    assert adjusted_rand(data.y, fit.labels_) > 0.6  # ECM: .68


@pytest.mark.parametrize("psi", [None, PSI])
def test_distances_to_the_prototypes_are_those_of_the_fit(psi):
    tau, _, _ = random_problem(7, n=20)
    fit = ECMdd(3, metric="precomputed", psi=psi, random_state=0).fit(tau)
    power = fit.medoid_weights_ ** (psi or 1)
    np.testing.assert_allclose(fit.transform(tau), tau @ power.T, rtol=1e-12)


@pytest.mark.parametrize("psi", [None, PSI])
def test_other_units_of_length_change_units_only(psi):
    """eta is per length, delta a root of a length; powers of two are exact."""
    tau, _, _ = random_problem(8, n=30)
    settings = {"metric": "precomputed", "psi": psi, "random_state": 0}
    fit = ECMdd(3, delta=1.0, **settings).fit(tau)
    other = ECMdd(3, delta=4.0, eta=16.0, **settings).fit(16 * tau)
    np.testing.assert_allclose(other.partition_.masses, fit.partition_.masses, rtol=1e-9)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({}, np.array([[0.0]] * 60 + [[1.0]]), "delta"),
        ({"psi": 1.0}, BUTTERFLY, "psi"),
        ({"psi": 101.0}, BUTTERFLY, "psi"),
        ({"init": [3, 3]}, BUTTERFLY, "2 different objects"),
        ({"metric": "precomputed"}, np.array([[0.0, 1], [2, 0]]), "symmetric"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        ECMdd(**{"n_clusters": 2, **kwargs}).fit(X)
