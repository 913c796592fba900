"""FuzzyKModes, with modes and with fuzzy centroids: laws, reductions, oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.baselines import FuzzyKModes, KModes
from credalbench.baselines.fuzzy_cmeans import memberships
from credalbench.baselines.fuzzy_k_modes import next_prototypes, proportions
from credalbench.core.categories import frequencies, mismatches, read_table
from tests.baselines.test_k_modes import random_table

SEEDS = st.integers(0, 2**32 - 1)
EXPONENTS = st.sampled_from([1.1, 1.5, 2.0])


@given(SEEDS, EXPONENTS)
def test_objective_never_rises_with_modes(seed, m):
    """And is [djiberou2019_catecm (1)] with [djiberou2019_catecm (2)]."""
    X = random_table(seed)
    fit = FuzzyKModes(3, m=m, n_init=1, random_state=seed).fit(X)
    assert np.diff(fit.objective_trace_).max(initial=0) <= 1e-13 * fit.objective_trace_[0]  # rounding
    differing = (X[:, None] != fit.prototypes_.to_numpy()[None]).sum(axis=2)
    assert fit.objective_ == pytest.approx(np.sum(fit.membership_**m * differing), rel=1e-12)
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)
    np.testing.assert_array_equal(fit.predict_membership(X), fit.membership_)


@given(SEEDS, EXPONENTS)
def test_no_other_mode_is_better_for_the_same_memberships(seed, m):
    X = random_table(seed, n=8)
    codes, domain = read_table(X)
    shares = np.random.default_rng(seed).dirichlet(np.ones(2), len(X)) ** m
    counts = frequencies(codes, shares, domain)
    best = next_prototypes(counts, np.zeros_like(counts), domain, "modes")
    value = np.sum(shares * mismatches(codes, best, domain))
    for other in range(24):
        rival = domain.stack_objects(np.array([[other % 3, other // 3 % 2, other // 6]] * 2) % domain.sizes)
        assert value <= np.sum(shares * mismatches(codes, rival, domain)) * (1 + 1e-12)  # rounding


@given(SEEDS)
def test_fuzzy_centroids_are_shares_of_values(seed):
    """Their distances [djiberou2019_catecm (4)], weights [djiberou2019_catecm (3)]."""
    X = random_table(seed)
    fit = FuzzyKModes(2, centroids="fuzzy", m=1.5, n_init=1, random_state=seed, tol=1e-10).fit(X)
    shares = fit.membership_**1.5
    for l, (values, block) in enumerate(zip(fit.categories_, fit.weights_, strict=True)):
        expected = np.array([shares[X[:, l] == value].sum(axis=0) for value in values]).T
        np.testing.assert_allclose(block.sum(axis=1), 1, rtol=1e-14)
        if fit.converged_:
            np.testing.assert_allclose(block, expected / shares.sum(axis=0)[:, None], atol=1e-6)  # tol
    other = [
        1 - block[:, np.searchsorted(v, X[:, l])]
        for l, (v, block) in enumerate(zip(fit.categories_, fit.weights_))
    ]
    np.testing.assert_allclose(fit.membership_, memberships(sum(other).T, 1.5), atol=1e-12)  # rounding


def test_exponent_near_one_is_k_modes():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = np.where(rng.random((90, 6)) < 0.7, rng.integers(5, size=(3, 6))[y], rng.integers(5, size=(90, 6)))
    fuzzy, hard = FuzzyKModes(3, m=1.001, init=X[:3]).fit(X), KModes(3, init=X[:3]).fit(X)
    np.testing.assert_array_equal(fuzzy.prototypes_, hard.prototypes_)
    assert fuzzy.objective_ == pytest.approx(hard.objective_, rel=0.01)  # m is not 1, and ties are halved


def test_an_object_on_prototypes_belongs_to_them_in_equal_shares():
    X = [["a", 1], ["a", 1], ["b", 2]]
    fit = FuzzyKModes(2, init=[["a", 1], ["a", 1]], max_iter=1).fit(X)
    np.testing.assert_array_equal(fit.membership_[:2], [[0.5, 0.5]] * 2)


def test_a_prototype_that_nobody_belongs_to_stays():
    fit = FuzzyKModes(3, init=[["a", 1], ["b", 2], ["b", 1]]).fit([["a", 1], ["b", 2], ["a", 1]])
    assert fit.prototypes_.iloc[2].tolist() == ["b", 1]
    assert fit.objective_ == 0


def test_proportions_of_nothing_are_equal():
    np.testing.assert_array_equal(proportions(np.array([[0.0, 0.0], [1.0, 3.0]])), [[0.5, 0.5], [0.25, 0.75]])
