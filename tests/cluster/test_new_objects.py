"""Masses of new objects against literal transcriptions and brute force, on a dozen objects."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS, MECM, RECM, EKNNclus
from credalbench.cluster.conflict.transformation import gamma_from_d0
from credalbench.cluster.prototypes.gram import WeightedMeans, gram_matrix
from credalbench.cluster.simplex.simplex_qp import kkt_residual
from credalbench.datasets import load
from tests.oracles import eknnclus as literal_neighbours
from tests.oracles import evclus as literal_conflict
from tests.oracles import mecm as literal_medoids
from tests.oracles import recm as literal_prototypes

BUTTERFLY = load("butterfly").X
SEEDS = st.integers(0, 2**32 - 1)
few = settings(max_examples=15)


def random_objects(seed, n=12):
    """Objects of a fit, and five others."""
    X = np.random.default_rng(seed).normal(size=(n + 5, 2)) * [1.0, 2.0]
    return X[:n], X[n:]


# ---------------------------------------------------------------- EVCLUS


@given(SEEDS, st.sampled_from(["full", "simple"]))
@few
def test_no_masses_have_less_stress_with_the_objects_of_the_fit(seed, subsets):
    X, new = random_objects(seed)
    fit = EVCLUS(3, d0=4.0, focal_sets=subsets, random_state=0, max_iter=20).fit(X)
    M, C = fit.partition_.masses, fit.partition_.focal_sets.conflict
    targets = 1 - np.exp(-gamma_from_d0(4.0) * cdist(new, X) ** 2)
    others = np.random.default_rng(seed).dirichlet(np.full(len(C), 0.3), 300)  # near the faces, too
    for m, delta in zip(fit.predict_partition(new).masses, targets):
        G, a = literal_conflict.row_programme(M, None, range(len(X)), delta, C)
        assert kkt_residual(G, a, m) < 1e-8  # the project's bound on every row programme
        stress = np.sum((m @ C @ M.T - delta) ** 2)
        assert stress <= np.sum((others @ C @ M.T - delta) ** 2, axis=1).min() + 1e-12  # rounding
        literal = [literal_conflict.conflict(m, row, fit.partition_.focal_sets.sets) for row in M]
        assert stress == pytest.approx(np.sum((np.array(literal) - delta) ** 2), abs=1e-12)  # rounding


def test_where_many_masses_do_the_nearest_object_decides():
    """All masses of the fit are on Omega: whatever a new object gets, there is no conflict."""
    subsets = FocalSets.from_sets(2, [[0], [1], [0, 1]])
    fit = EVCLUS(2, focal_sets=subsets, random_state=0).fit(BUTTERFLY)
    fit.partition_ = type(fit.partition_)(np.tile([0.0, 0.0, 1.0], (12, 1)), subsets)
    np.testing.assert_array_equal(fit.predict_partition(BUTTERFLY + 0.1).masses[:, 2], np.ones(12))


def test_far_objects_are_outliers_and_one_between_the_wings_is_on_both():
    fit = EVCLUS(2, d0=11.0, n_init=5, random_state=0).fit(BUTTERFLY)
    found = fit.predict_partition([[200.0, 200.0], BUTTERFLY[5] + 0.01])
    assert found.outliers().tolist() == [True, False]
    assert found.focal_sets.labels[found.hard_credal()[1]] == "Ω"


# ---------------------------------------------------------------- RECM


@given(SEEDS, st.sampled_from(["full", "simple", "pairs"]), st.sampled_from([(1.0, 1.5), (0.0, 2.0)]))
@few
def test_masses_by_weights_are_those_by_coordinates(seed, subsets, exponents):
    X, new = random_objects(seed)
    alpha, beta = exponents
    fit = RECM(3, alpha=alpha, beta=beta, focal_sets=subsets, random_state=0, max_iter=30).fit(X)
    V, sets = fit.prototype_weights_ @ X, fit.partition_.focal_sets.sets
    d2 = [[np.sum((x - V[sorted(A)].mean(axis=0)) ** 2) if A else 0.0 for A in sets] for x in new]
    expected = literal_prototypes.masses(d2, sets, alpha, beta, fit.delta_)
    np.testing.assert_allclose(fit.predict_partition(new).masses, expected, atol=1e-8)  # rounding of small d2


@given(SEEDS)
@few
def test_what_weights_lack_stands_at_the_mean_of_the_objects(seed):
    """A cluster without any mass has weights of less than 1."""
    X, new = random_objects(seed)
    W = np.random.default_rng(seed).dirichlet(np.ones(12), 3) * [[1.0], [0.4], [0.0]]
    V = W @ (X - X.mean(axis=0)) + X.mean(axis=0)
    subsets = FocalSets.full(3)
    means = WeightedMeans.of(W, gram_matrix(cdist(X, X) ** 2))
    expected = [[np.sum((x - V[sorted(A)].mean(axis=0)) ** 2) for A in subsets.sets[1:]] for x in new]
    np.testing.assert_allclose(means.squared_distances(cdist(new, X) ** 2, subsets), expected, atol=1e-11)


# ---------------------------------------------------------------- MECM


@given(SEEDS, st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.5, 1.0, 3.0]))
@few
def test_masses_by_medoids_follow_their_definition(seed, gamma, eta):
    rng = np.random.default_rng(seed)
    tau = np.triu(rng.gamma(2.0, size=(13, 13)), 1)
    tau[:, 12] += 20.0  # the new object: too far to stand for a set
    tau += tau.T
    fit = MECM(3, metric="precomputed", gamma=gamma, eta=eta, delta=9.0, random_state=0).fit(tau[:12, :12])
    sets = fit.partition_.focal_sets.sets
    d = [literal_medoids.dissimilarity(tau, 12, fit.medoid_indices_, sorted(A), gamma, eta) for A in sets[1:]]
    expected = literal_prototypes.masses([[0.0, *np.square(d)]], sets, 1.0, 2.0, 9.0)
    np.testing.assert_allclose(fit.predict_partition(tau[12:, :12]).masses, expected, atol=1e-12)  # rounding


# ---------------------------------------------------------------- EK-NNclus


@given(SEEDS, st.sampled_from(["euclidean", "precomputed"]))
@few
def test_masses_by_neighbours_are_dempsters_combination(seed, metric):
    X, new = random_objects(seed)
    D = cdist(new, X)
    given = {"euclidean": (X, new), "precomputed": (cdist(X, X), D)}[metric]
    fit = EKNNclus(n_neighbors=4, metric=metric, random_state=0).fit(given[0])
    found = fit.predict_partition(given[1])
    for i, row in enumerate(D):
        nearest = np.argsort(row)[:4]
        strength = np.clip(np.exp(-fit.gamma_ * row[nearest]), 1e-6, 1 - 1e-6)
        m = literal_neighbours.combined(0, fit.labels_, [nearest], [strength], fit.n_clusters_)
        expected = literal_neighbours.mass_vector(m, found.focal_sets.sets)
        np.testing.assert_allclose(found.masses[i], expected, atol=1e-12)  # rounding
        support = np.bincount(fit.labels_[nearest], -np.log1p(-strength))
        assert fit.predict(given[1])[i] == support.argmax()


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("sampled", [False, True])
def test_dissimilarities_to_the_objects_of_the_fit_in_another_order_are_refused(sampled):
    names = pd.Index(range(10, 22))
    D = pd.DataFrame(cdist(BUTTERFLY, BUTTERFLY), index=names, columns=names)
    fit = EVCLUS(2, metric="precomputed", random_state=0)
    if sampled:
        partners = (np.arange(12)[:, None] + np.arange(1, 5)) % 12
        near = pd.DataFrame(np.take_along_axis(D.to_numpy(), partners, axis=1), index=names)
        fit.fit(near, partners=partners)
    else:
        fit.fit(D)
    assert len(fit.predict(D.iloc[:3])) == 3
    with pytest.raises(ValueError, match="columns that name the objects of the fit, in the same order"):
        fit.predict(D.iloc[:3, ::-1])
