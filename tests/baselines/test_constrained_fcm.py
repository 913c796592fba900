"""ConstrainedFuzzyCMeans: laws of the row formula, reductions, oracle, flat clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.baselines import ConstrainedFuzzyCMeans, FuzzyCMeans, GustafsonKessel
from credalbench.baselines.constrained_fcm import adjacency, penalty, sweep, unclipped_memberships
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from tests.baselines.test_fuzzy_cmeans import problem
from tests.oracles import baselines as literal

SEEDS = st.integers(0, 2**32 - 1)


def constraints_of(n, c, rng, size=10):
    """Constraints that a random labelling satisfies."""
    return PairwiseConstraints.from_labels(rng.integers(c, size=n), random_pairs(n, size, rng))


def swept(U, squared, weight, constraints):
    must, cannot = (adjacency(pairs, len(U)) for pairs in (constraints.must_link, constraints.cannot_link))
    U = U.copy()
    sweep(U, squared, weight, must.indptr, must.indices, cannot.indptr, cannot.indices)
    return U


def unclipped(squared, costs, weight):
    row = np.empty(len(squared))
    unclipped_memberships(squared, costs, weight, row)
    return row


# ---------------------------------------------------------------- laws


@given(SEEDS, st.integers(1, 5), st.floats(0, 100))
def test_row_sums_to_one_before_clipping_and_is_stationary(seed, c, weight):
    """The slope 2 u_k d_k^2 + a C_k is the same for all clusters."""
    rng = np.random.default_rng(seed)
    squared, costs = rng.uniform(0.1, 3, c), rng.uniform(0, 4, c)
    row = unclipped(squared, costs, weight)
    size = 1 + np.abs(row).max()
    assert row.sum() == pytest.approx(1, abs=1e-13 * size)  # rounding
    slopes = 2 * row * squared + weight * costs
    np.testing.assert_allclose(slopes, slopes[0], atol=1e-12 * size)
    np.testing.assert_allclose(row, literal.constrained_row(squared, costs, weight), atol=1e-12 * size)


def test_row_at_distance_zero_is_the_limit_of_the_formula():
    costs = np.array([2.0, 1.0, 0.5])
    limit = unclipped(np.array([1e-9, 2.0, 4.0]), costs, 0.3)
    np.testing.assert_allclose(unclipped(np.array([0.0, 2.0, 4.0]), costs, 0.3), limit, atol=1e-8)  # of 1e-9
    expected = [1 - 0.3 * 1 / 4 - 0.3 * 1.5 / 8, 0.3 * 1 / 4, 0.3 * 1.5 / 8]  # a (C_0 - C_k) / (2 d_k^2)
    np.testing.assert_allclose(unclipped(np.array([0.0, 2.0, 4.0]), costs, 0.3), expected, rtol=1e-14)


@given(SEEDS)
def test_sweep_without_clipping_never_raises_the_objective(seed):
    """Each row is then the exact minimiser, given the others."""
    rng = np.random.default_rng(seed)
    constraints = constraints_of(12, 3, rng)
    squared, U = rng.uniform(0.1, 3, (12, 3)), rng.dirichlet(np.ones(3), size=12)
    weight = squared.min() / (3 * len(constraints))  # too little to drive a membership below 0
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    after = swept(U, squared, weight, constraints)
    values = [literal.constrained_objective(u, squared, weight, *pairs) for u in (U, after)]
    assert values[1] <= values[0] * (1 + 1e-12)  # rounding


@given(SEEDS, st.sampled_from([0.0, 0.5, 20.0]))
def test_sweep_and_penalty_agree_with_the_equations(seed, weight):
    rng = np.random.default_rng(seed)
    constraints = constraints_of(9, 3, rng)
    squared, U = rng.uniform(0.1, 3, (9, 3)), rng.dirichlet(np.ones(3), size=9)
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    after = swept(U, squared, weight, constraints)
    np.testing.assert_allclose(
        after, literal.constrained_sweep(U, squared, weight, *pairs), atol=1e-9
    )  # rounding, larger where little is left before scaling
    must, cannot = (adjacency(np.array(p, dtype=int).reshape(-1, 2), 9) for p in pairs)
    with_penalty = literal.constrained_objective(U, squared, 1.0, *pairs)
    assert penalty(U, must, cannot) == pytest.approx(with_penalty - literal.objective(U, squared, 2))


def test_a_large_weight_enforces_satisfiable_constraints():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]])
    must, cannot = [(3, 4)], [(0, 7)]
    free = ConstrainedFuzzyCMeans(2, weight=0.0, random_state=0).fit(X, must_link=must, cannot_link=cannot)
    bound = ConstrainedFuzzyCMeans(2, weight=1e3, random_state=0).fit(X, must_link=must, cannot_link=cannot)
    assert len(free.violated_) == 1
    assert len(bound.violated_) == 0


# ---------------------------------------------------------------- reductions and oracle


@pytest.mark.parametrize(("metric", "Method"), [("euclidean", FuzzyCMeans), ("mahalanobis", GustafsonKessel)])
@pytest.mark.parametrize("constrained", [False, True])
def test_without_constraints_or_weight_it_is_fuzzy_c_means(metric, Method, constrained):
    X, V = problem(5, n=40)
    plain = Method(3, init=V, tol=1e-6).fit(X)
    pairs = {"must_link": [(0, 1)], "cannot_link": [(2, 3)]} if constrained else {}
    fit = ConstrainedFuzzyCMeans(
        3, metric=metric, weight=0.0 if constrained else "balanced", init=V, tol=1e-6
    ).fit(X, **pairs)
    np.testing.assert_allclose(fit.membership_, plain.membership_, atol=1e-12)  # rounding
    np.testing.assert_allclose(fit.objective_trace_, plain.objective_trace_, rtol=1e-12)
    assert fit.n_iter_ == plain.n_iter_
    expected = getattr(plain, "norm_matrices_", np.array([np.eye(2)] * 3))
    np.testing.assert_allclose(fit.norm_matrices_, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
def test_iterations_agree_with_the_equations(metric):
    X, V = problem(7)
    constraints = constraints_of(12, 3, np.random.default_rng(1))
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    fit = ConstrainedFuzzyCMeans(3, metric=metric, init=V, tol=0.0, max_iter=4).fit(
        X, must_link=pairs[0], cannot_link=pairs[1]
    )
    U, V, a, J = literal.constrained_alternation(X, V, *pairs, 4, metric == "mahalanobis")
    np.testing.assert_allclose(fit.membership_, U, atol=1e-9)  # rounding grows over four iterations
    np.testing.assert_allclose(fit.cluster_centers_, V, atol=1e-9)
    assert fit.weight_ == pytest.approx(a, rel=1e-9)
    assert fit.objective_ == pytest.approx(J, rel=1e-9)


# ---------------------------------------------------------------- flat clusters
