"""CECM: certificates, reductions, soft constraints, literal oracles; the rest: ``test_cecm_input.py``."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster.cecm import CECM
from credalbench.cluster.constrained.masses import SOLVERS, constrained_masses, constraint_terms
from credalbench.cluster.ecm import ECM
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import (
    norm_matrices,
    prototypes,
    prototypes_mahalanobis,
    squared_distances,
)
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import make_two_class_cecm
from credalbench.metrics import rand_index
from tests.oracles import cecm as literal
from tests.oracles import ecm as literal_ecm

SUBSETS = {"full": FocalSets.full, "simple": FocalSets.simple, "pairs": FocalSets.pairs}
METRICS = ["euclidean", "mahalanobis"]
SEEDS = st.integers(0, 2**32 - 1)


def random_problem(seed, n=15, c=3, size=8):
    """Random planar objects, starting prototypes, and constraints that random labels imply."""
    rng = np.random.default_rng(seed)
    X, V = rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2), rng.normal(size=(c, 2))
    constraints = PairwiseConstraints.from_labels(rng.integers(c, size=n), random_pairs(n, size, rng))
    return X, V, constraints


def fitted(X, constraints, c=3, **options):
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    return CECM(c, **options).fit(X, **links)


def printed_objective(X, M, V, S, subsets, xi, constraints, delta=1.5):
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    return literal.objective(X, M, V, S, subsets.sets, 1.0, delta, xi, *pairs)


# ---------------------------------------------------------------- certificates and laws


@given(
    SEEDS, st.sampled_from(METRICS), st.sampled_from([*SUBSETS]), st.sampled_from(SOLVERS), st.floats(0, 0.99)
)
@settings(max_examples=40)
def test_objective_never_rises_over_a_mass_prototype_or_norm_step(seed, metric, subsets, solver, xi):
    """[antoine2012_cecm (21)], loop by loop after each half step, from random masses."""
    X, V, constraints = random_problem(seed, n=9)
    subsets = SUBSETS[subsets](3)
    terms = constraint_terms(constraints, subsets, xi)
    S = np.tile(np.eye(2), (3, 1, 1))
    M = np.random.default_rng(seed).dirichlet(np.ones(len(subsets)), size=len(X))
    values = [printed_objective(X, M, V, S, subsets, xi, constraints)]
    for _ in range(3):
        norms = S if metric == "mahalanobis" else None
        costs = focal_costs(squared_distances(X, V, subsets, norms), subsets, 1.0, 1.5)
        M = constrained_masses(costs, terms, M, solver)
        values.append(printed_objective(X, M, V, S, subsets, xi, constraints))
        if norms is None:
            V = prototypes(X, M, subsets, 1.0, 2.0, start=V)
        else:
            V = prototypes_mahalanobis(X, M, S, subsets, 1.0, 2.0, start=V)
        values.append(printed_objective(X, M, V, S, subsets, xi, constraints))
        if norms is not None:
            S, _ = norm_matrices(X, V, M, subsets, 1.0, 2.0, previous=S)
            values.append(printed_objective(X, M, V, S, subsets, xi, constraints))
    assert np.diff(values).max() <= 1e-11 * values[0]  # rounding of the systems


@given(SEEDS, st.sampled_from(METRICS), st.sampled_from(SOLVERS), st.floats(0, 0.99))
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore::UserWarning")  # random constraints of few objects
def test_trace_never_rises_and_the_result_is_consistent(seed, metric, solver, xi):
    X, V, constraints = random_problem(seed)
    fit = fitted(X, constraints, xi=xi, delta=2.0, metric=metric, solver=solver, init=V)
    assert np.diff(fit.objective_trace_).max() <= 1e-10 * fit.objective_trace_[0]  # rounding, or a ridge
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.objective_ == fit.objective_trace_[-1]
    assert fit.partition_.masses.min() >= 0
    np.testing.assert_allclose(fit.partition_.masses.sum(axis=1), 1, rtol=1e-13)  # rounding
    assert 0 <= fit.constraint_cost_ <= 1
    clusters = fit.partition_.labels("pignistic")
    np.testing.assert_array_equal(fit.labels_, clusters)
    broken = constraints.violated(clusters)
    np.testing.assert_array_equal(fit.violated_.must_link, broken.must_link)
    np.testing.assert_array_equal(fit.violated_.cannot_link, broken.cannot_link)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_objective_is_the_printed_one_at_the_result(metric, solver):
    """[antoine2012_cecm (20)] and [antoine2012_cecm (21)], loop by loop."""
    X, V, constraints = random_problem(0)
    subsets = FocalSets.full(3)
    fit = fitted(X, constraints, xi=0.3, delta=1.5, metric=metric, solver=solver, init=V, max_iter=20)
    M = fit.partition_.masses
    value = printed_objective(X, M, fit.cluster_centers_, fit.norm_matrices_, subsets, 0.3, constraints)
    assert fit.objective_ == pytest.approx(value, rel=1e-11)  # rounding
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    cost = literal.constraint_cost(M, *pairs, subsets.sets, 3)
    assert fit.constraint_cost_ == pytest.approx(cost, rel=1e-11)


@pytest.mark.filterwarnings("ignore:the covariance")  # nine objects
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(2))
def test_masses_at_the_end_are_stationary(metric, solver, seed):
    """First-order conditions of each object's programme, by differences of [antoine2012_cecm (21)]."""
    X, V, constraints = random_problem(seed, n=9)
    subsets, xi = FocalSets.full(3), 0.5
    fit = fitted(X, constraints, xi=xi, delta=1.5, metric=metric, solver=solver, init=V)
    M, h = fit.partition_.masses, 0.05

    def value(masses):
        centres, norms = fit.cluster_centers_, fit.norm_matrices_
        return printed_objective(X, masses, centres, norms, subsets, xi, constraints)

    for i in range(len(X)):
        gradient = np.empty(len(subsets))
        for k in range(len(subsets)):
            up, down = M.copy(), M.copy()
            up[i, k] += h
            down[i, k] -= h
            gradient[k] = (value(up) - value(down)) / (2 * h)
        # masses settled to 1e-6, and the objective is an average: its slopes are of the size of 1
        assert literal.kkt_violation(M[i], gradient) <= 1e-5


@pytest.mark.parametrize("solver", SOLVERS)
def test_order_and_repetition_of_the_constraints_do_not_matter(solver):
    X, V, constraints = random_problem(4)
    must, cannot = constraints.must_link, constraints.cannot_link
    options = {"xi": 0.4, "delta": 2.0, "solver": solver, "init": V}
    first = CECM(3, **options).fit(X, must_link=must, cannot_link=cannot)
    for links in (
        {"must_link": must[::-1], "cannot_link": cannot[::-1]},
        {"must_link": must[:, ::-1], "cannot_link": cannot[:, ::-1]},
        {"must_link": np.vstack([must, must[:1, ::-1]]), "cannot_link": np.vstack([cannot, cannot])},
        {"must_link": must.tolist(), "cannot_link": [tuple(pair) for pair in cannot]},
    ):
        again = CECM(3, **options).fit(X, **links)
        assert again.partition_.masses.tobytes() == first.partition_.masses.tobytes()
        assert len(again.constraints_) == len(constraints)


# ---------------------------------------------------------------- reductions


def same_as_ecm(fit, X, V, metric, solver_rounding=1e-8, **options):
    ecm = ECM(3, beta=2.0, metric=metric, init=V, **options).fit(X)
    np.testing.assert_allclose(fit.partition_.masses, ecm.partition_.masses, atol=solver_rounding)
    np.testing.assert_allclose(fit.cluster_centers_, ecm.cluster_centers_, atol=solver_rounding)
    np.testing.assert_allclose(fit.norm_matrices_, ecm.norm_matrices_, atol=solver_rounding)
    assert fit.n_iter_ == ecm.n_iter_
    return ecm


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("subsets", [*SUBSETS])
def test_xi_zero_is_ecm(metric, subsets):
    """To 1e-8, what the project asks for; ECM forms the same sums in another order."""
    X, V, constraints = random_problem(7, n=40)
    options = {"alpha": 0.5, "delta": 2.0, "focal_sets": subsets}
    fit = fitted(X, constraints, xi=0.0, metric=metric, init=V, **options)
    ecm = same_as_ecm(fit, X, V, metric, **options)
    np.testing.assert_allclose(fit.objective_trace_, ecm.objective_trace_, rtol=1e-8)
    np.testing.assert_array_equal(fit.labels_, ecm.labels_)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_without_constraints_it_is_ecm_whatever_xi(metric, solver):
    X, V, _ = random_problem(8, n=40)
    fit = CECM(3, xi=0.7, delta=2.0, metric=metric, solver=solver, init=V).fit(X)
    ecm = same_as_ecm(fit, X, V, metric, delta=2.0)
    assert fit.objective_ == pytest.approx(ecm.objective_, rel=1e-8)
    assert fit.constraint_cost_ == 0
    assert len(fit.violated_) == len(fit.constraints_) == 0


def test_the_surer_of_two_contradicting_soft_constraints_wins():
    """Object 2 lies half way; it must be with 0, it must be with 3: the certainties decide."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.5], [4.0, 0.0], [4.0, 1.0]])
    for weights, partner in (([0.9, 0.2], 0), ([0.2, 0.9], 3)):
        fit = CECM(2, init=[[0, 0.5], [4, 0.5]]).fit(X, must_link=[(0, 2), (2, 3)], must_link_weights=weights)
        assert fit.labels_[2] == fit.labels_[partner]
        assert len(fit.violated_) == 1


# ---------------------------------------------------------------- literal oracles, published values


def test_first_iteration_follows_the_printed_steps():
    """[antoine2012_cecm (33)], [antoine2012_cecm (37)] and [antoine2012_cecm (42)] after the first masses."""
    X, V, constraints = random_problem(11)
    subsets = FocalSets.full(3)
    terms = constraint_terms(constraints, subsets, 0.5)
    S = np.tile(np.eye(2), (3, 1, 1))
    d2 = literal_ecm.distances(X, V, subsets.sets, S)[:, 1:]
    M = constrained_masses(focal_costs(d2, subsets, 1.0, 2.0), terms)
    V_next = literal_ecm.prototypes(X, M, S, subsets.sets, 3, 1.0, 2.0)
    S_next = literal_ecm.norms(literal_ecm.covariances(X, V_next, M, subsets.sets, 3, 1.0, 2.0))
    fit = fitted(X, constraints, delta=2.0, metric="mahalanobis", init=V, max_iter=1)
    np.testing.assert_allclose(fit.cluster_centers_, V_next, atol=1e-9)  # rounding of the systems
    np.testing.assert_allclose(fit.norm_matrices_, S_next, rtol=1e-7)


def test_ten_constraints_find_the_classes():
    """Figure 5, with starts chosen by the objective: a start on the wrong side of a saddle stays there."""
    hits = []
    for seed in range(5):
        data = make_two_class_cecm(random_state=seed)
        pairs = random_pairs(400, 10, np.random.default_rng(seed))
        constraints = PairwiseConstraints.from_labels(data.y, pairs)
        fit = fitted(data.X, constraints, 2, metric="mahalanobis", init="random", n_init=6, random_state=seed)
        hits.append(rand_index(data.y, fit.labels_) > 0.95)
    assert sum(hits) >= 3  # "at least half" of the draws; with ten starts 39 of 40 were measured


def test_objective_never_rises_where_objects_sit_on_prototypes_up_to_rounding():
    X = [[-1145.4739386758897], [-913.3726009100435], [-414.39657758005114]] * 2
    must, cannot = [(0, 2), (1, 3), (2, 5)], [(0, 1), (0, 4), (1, 2), (2, 3), (2, 4), (3, 5)]
    for seed in range(10):
        fit = CECM(4, delta=112168.8, xi=0.1, init="random", n_init=1, random_state=seed)
        trace = fit.fit(X, must_link=must, cannot_link=cannot).objective_trace_
        assert np.diff(trace).max(initial=0) <= 1e-12 * trace[0]  # rounding
