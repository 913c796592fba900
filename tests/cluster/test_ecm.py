"""ECM: laws, certificates, reductions, oracles, other programs, degenerate data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster import ECM, RECM
from credalbench.cluster.prototypes.mass_update import (
    Setting,
    focal_costs,
    moments,
    norm_step,
    objective,
    optimal_masses,
    prototype_move,
)
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.datasets import load, make_t4
from tests.oracles import ecm as literal
from tests.oracles import recm as literal_ecm

BUTTERFLY = load("butterfly").X
SUBSETS = {"full": FocalSets.full, "simple": FocalSets.simple, "pairs": FocalSets.pairs}
METRICS = ["euclidean", "mahalanobis"]
SEEDS = st.integers(0, 2**32 - 1)


def random_problem(seed, n=15, c=3):
    """Random planar objects and starting prototypes."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2), rng.normal(size=(c, 2))


def cost(X, M, V, S, setting):
    costs = focal_costs(
        squared_distances(X, V, setting.focal_sets, S), setting.focal_sets, setting.alpha, setting.delta
    )
    return objective(M, costs, setting.beta)


# ---------------------------------------------------------------- certificates and laws


@given(
    SEEDS,
    st.sampled_from(METRICS),
    st.sampled_from(["full", "simple"]),
    st.sampled_from([-1.0, 0.0, 1.0, 2.0]),
    st.sampled_from([1.05, 1.5, 2.0, 3.0]),
)
def test_objective_never_rises_over_a_mass_prototype_or_norm_step(seed, metric, subsets, alpha, beta):
    X, V = random_problem(seed)
    setting = Setting(SUBSETS[subsets](3), alpha, beta, 1.5)
    S = np.tile(np.eye(2), (3, 1, 1)) if metric == "mahalanobis" else None
    now = moments(X, V, S, setting)
    values = [now.objective]
    for _ in range(6):
        M = optimal_masses(X, V, S, setting)
        values.append(cost(X, M, V, S, setting))  # after the mass step
        move = prototype_move(now, S, setting)
        values.append(cost(X, M, V + move, S, setting))  # after the prototype step
        if S is not None:
            S, _ = norm_step(now, move, S, setting)
            values.append(cost(X, M, V + move, S, setting))  # after the norm step
        V = V + move
        now = moments(X, V, S, setting)
    assert np.diff(values).max() <= 1e-10 * values[0]  # rounding of the systems; masses to the power 3


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("focal_sets", ["full", "simple", "pairs"])
def test_trace_falls_to_the_objective_and_the_result_is_consistent(metric, focal_sets):
    X = make_t4(120, random_state=0).X
    fit = ECM(4, metric=metric, focal_sets=focal_sets, tol=1e-6, random_state=0).fit(X)
    assert fit.converged_
    assert np.diff(fit.objective_trace_).max() <= 1e-14 * fit.objective_  # rounding, near convergence
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.objective_ == fit.objective_trace_[-1]
    np.testing.assert_array_equal(fit.predict_partition(X).masses, fit.partition_.masses)
    np.testing.assert_allclose(np.linalg.det(fit.norm_matrices_), 1.0, rtol=1e-10)  # rounding
    assert not fit.ridged_.any()


def test_adaptive_metric_follows_a_linear_map_of_determinant_one():
    """An optimum of stretched objects is one of the objects before: same J, prototypes and norms rest."""
    X, V = random_problem(5, n=60)
    T = np.array([[3.0, 1.0], [0.0, 1 / 3]])
    fit = ECM(3, beta=2.0, delta=2.0, metric="mahalanobis", init=V @ T, tol=1e-12).fit(X @ T)
    setting = Setting(FocalSets.full(3), 1.0, 2.0, 2.0)
    V, S = fit.cluster_centers_ @ np.linalg.inv(T), T @ fit.norm_matrices_ @ T.T
    now = moments(X, V, S, setting)
    assert now.objective == pytest.approx(fit.objective_ * 8 * 60, rel=1e-9)  # rounding of the map
    move = prototype_move(now, S, setting)
    np.testing.assert_allclose(move, 0, atol=1e-9)  # of the fixed point
    np.testing.assert_allclose(norm_step(now, move, S, setting)[0], S, rtol=1e-7)


# ---------------------------------------------------------------- reductions


@pytest.mark.parametrize("subsets", ["full", "simple", "pairs"])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 2.0), (-1.0, 1.5), (2.0, 1.1)])
def test_ecm_is_recm_on_euclidean_distances(subsets, alpha, beta):
    """From the same masses, iteration for iteration."""
    X, V = random_problem(6)
    setting = Setting(SUBSETS[subsets](3), alpha, beta, 2.0)
    options = {"alpha": alpha, "beta": beta, "delta": 2.0, "focal_sets": subsets, "tol": 0.0, "max_iter": 8}
    fit = ECM(3, init=V, **options).fit(X)
    relational = RECM(3, init=optimal_masses(X, V, None, setting), **options).fit(X)
    np.testing.assert_allclose(fit.partition_.masses, relational.partition_.masses, atol=1e-8)
    # RECM expands squares: 1e-14, to the power of 10 and over eight iterations
    np.testing.assert_allclose(
        fit.objective_trace_[1:] * len(X) * len(setting.focal_sets),
        relational.objective_trace_[1:],
        rtol=1e-9,
    )  # the first values belong to the given prototypes and to those of the given masses


def test_singletons_and_the_empty_set_are_noise_clustering():
    """[antoine2012_cecm (9)], [antoine2012_cecm (10)], with the updates of fuzzy c-means."""
    X, V = random_problem(7)
    focal_sets = FocalSets.from_sets(3, [[], [0], [1], [2]])
    fit = ECM(3, beta=2.0, delta=1.5, focal_sets=focal_sets, init=V, tol=0.0, max_iter=10).fit(X)
    trace = []
    for _ in range(11):
        d2 = ((X[:, None] - V) ** 2).sum(axis=2)
        U = d2**-1 / ((d2**-1).sum(axis=1) + 1.5**-2)[:, None]
        noise = 1 - U.sum(axis=1)
        trace.append((U**2 * d2).sum() + 1.5**2 * (noise**2).sum())
        centres, V = V, (U**2).T @ X / (U**2).sum(axis=0)[:, None]
    np.testing.assert_allclose(fit.partition_.masses, np.column_stack([noise, U]), atol=1e-12)  # rounding
    np.testing.assert_allclose(fit.cluster_centers_, centres, atol=1e-12)
    np.testing.assert_allclose(fit.objective_trace_ * 4 * len(X), trace, rtol=1e-12)


def test_singletons_alone_are_fuzzy_c_means():
    """[antoine2012_cecm (8)] at a fixed point of the updates of fuzzy c-means."""
    X, V = random_problem(8)
    fit = ECM(3, beta=2.0, focal_sets=FocalSets.from_sets(3, [[0], [1], [2]]), init=V, tol=1e-12).fit(X)
    U = fit.partition_.masses
    d2 = squared_distances(X, fit.cluster_centers_, fit.partition_.focal_sets)
    np.testing.assert_allclose(U, d2**-1 / (d2**-1).sum(axis=1, keepdims=True), atol=1e-12)  # rounding
    np.testing.assert_allclose((U**2).T @ X / (U**2).sum(axis=0)[:, None], fit.cluster_centers_, atol=1e-9)
    assert fit.objective_ * 3 * len(X) == pytest.approx((U**2 * d2).sum(), rel=1e-12)


def test_singletons_with_norms_are_gustafson_kessel():
    """Fuzzy covariances of determinant one, at a fixed point."""
    X, V = random_problem(9, n=40)
    singletons = FocalSets.from_sets(3, [[0], [1], [2]])
    fit = ECM(3, beta=2.0, metric="mahalanobis", focal_sets=singletons, init=V, tol=1e-12).fit(X)
    for k, (v, S) in enumerate(zip(fit.cluster_centers_, fit.norm_matrices_, strict=True)):
        weights = fit.partition_.masses[:, k] ** 2
        np.testing.assert_allclose(weights @ X / weights.sum(), v, atol=1e-8)  # of the fixed point
        covariance = ((X - v).T * weights) @ (X - v)
        np.testing.assert_allclose(S, literal.norms(covariance[None])[0], rtol=1e-6)


# ---------------------------------------------------------------- oracles


@pytest.mark.parametrize("subsets", ["full", "simple", "pairs"])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 2.0), (-1.0, 1.5), (0.0, 3.0)])
def test_iterations_follow_the_printed_updates(subsets, alpha, beta):
    """[antoine2012_cecm (A.1)] to [antoine2012_cecm (A.5)], loop by loop."""
    X, V = random_problem(10)
    sets = SUBSETS[subsets](3).sets
    identities = np.tile(np.eye(2), (3, 1, 1))
    start = literal_ecm.masses(literal.distances(X, V, sets, identities), sets, alpha, beta, 1.5)
    expected, trace = literal_ecm.alternate(
        lambda M: literal_ecm.ecm_distances(M, X, sets, 3, alpha, beta), start, sets, alpha, beta, 1.5, 6
    )
    options = {"alpha": alpha, "beta": beta, "delta": 1.5, "focal_sets": subsets}
    fit = ECM(3, init=V, tol=0.0, max_iter=6, **options).fit(X)
    np.testing.assert_allclose(fit.partition_.masses, expected, atol=1e-10)  # rounding over six iterations
    np.testing.assert_allclose(fit.objective_trace_[1:] * len(X) * len(sets), trace, rtol=1e-10)


def test_adaptive_iterations_follow_the_printed_updates():
    """Masses [antoine2012_cecm (15)], then (33), then [antoine2012_cecm (42)], as in Algorithm 2.

    At their end the objective is [antoine2012_cecm (14)].
    """
    X, V = random_problem(11)
    sets, S = FocalSets.full(3).sets, np.tile(np.eye(2), (3, 1, 1))
    fit = ECM(3, beta=2.0, delta=1.5, metric="mahalanobis", init=V, tol=0.0, max_iter=5).fit(X)
    for _ in range(5):
        M = literal_ecm.masses(literal.distances(X, V, sets, S), sets, 1.0, 2.0, 1.5)
        V = literal.prototypes(X, M, S, sets, 3, 1.0, 2.0)
        S = literal.norms(literal.covariances(X, V, M, sets, 3, 1.0, 2.0))
    np.testing.assert_allclose(fit.cluster_centers_, V, atol=1e-9)  # rounding over five iterations
    np.testing.assert_allclose(fit.norm_matrices_, S, atol=1e-8)
    d2 = literal.distances(X, V, sets, S)
    M = literal_ecm.masses(d2, sets, 1.0, 2.0, 1.5)
    np.testing.assert_allclose(fit.partition_.masses, M, atol=1e-9)
    value = literal_ecm.objective(M, d2, sets, 1.0, 2.0, 1.5) / (2**3 * len(X))
    assert fit.objective_ == pytest.approx(value, rel=1e-9)


# ---------------------------------------------------------------- other programs


def compare(r, X, **options):
    """The R package returns the masses that its last prototypes were computed from: one iteration less."""
    steps, delta, init = r["n_iter"], r["delta"], np.array(r["g0"])
    before, after = (
        ECM(len(init), beta=2.0, delta=delta, init=init, tol=0.0, max_iter=count, **options).fit(X)
        for count in (steps - 1, steps)
    )
    sets = before.partition_.focal_sets
    order = [sets.index(np.flatnonzero(row)) for row in r["F"]]
    np.testing.assert_allclose(before.partition_.masses[:, order], r["mass"], atol=1e-12)  # its bound
    np.testing.assert_allclose(before.objective_trace_ * len(X) * len(sets), r["trace"], rtol=1e-12)
    np.testing.assert_allclose(after.cluster_centers_, r["g"], atol=1e-12)
    return after, order


@pytest.mark.parametrize("subsets", ["full", "simple"])
def test_fourclass_agrees_with_the_r_package(oracle, subsets):
    r = oracle(f"ecm_fourclass_{subsets}")
    X = load("fourclass").X
    compare(r, X, focal_sets=subsets)


def test_butterfly_agrees_with_the_r_package(oracle):
    r = oracle("ecm_butterfly_full")
    fit, order = compare(r, BUTTERFLY)
    masses = fit.predict_partition(np.array(r["predict_x"])).masses
    np.testing.assert_allclose(masses[:, order], r["predict_mass"], atol=1e-12)  # the project's bound


@pytest.mark.parametrize("seed", range(20))
def test_weights_count_objects_of_tied_distances_in_any_order(seed):
    """Ward's linkage has ties, which the automatic start and delta must break alike."""
    rng = np.random.default_rng(seed)
    n = rng.integers(12, 60)
    X, weights = rng.integers(0, 5, (n, 2)) + 6.0 * rng.integers(0, 2, (n, 1)), rng.integers(0, 4, n)
    order = rng.permutation(np.repeat(np.arange(n), weights))
    weighted, repeated = ECM(3).fit(X, sample_weight=weights), ECM(3).fit(X[order])
    assert weighted.delta_ == pytest.approx(repeated.delta_, rel=1e-12)
    found = weighted.partition_.masses[order]
    np.testing.assert_allclose(found, repeated.partition_.masses, atol=1e-7)  # rounding, at each iteration


# ---------------------------------------------------------------- degenerate input


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.05), (-2.0, 2.0), (-1.0, 1.05), (30.0, 1.5)])
def test_extreme_exponents_give_masses(metric, alpha, beta):
    X = make_t4(60, random_state=2).X
    fit = ECM(4, alpha=alpha, beta=beta, metric=metric, random_state=0).fit(X)
    assert np.isfinite(fit.partition_.masses).all()
    assert np.isfinite(fit.cluster_centers_).all()
    assert np.diff(fit.objective_trace_).max() <= 1e-12 * fit.objective_trace_[0]  # rounding


@pytest.mark.parametrize("metric", METRICS)
def test_object_on_a_prototype_is_certain(metric):
    """A start on the objects, no iteration far from it: zero distances share the unit mass."""
    X = np.array([[0.0, 0], [4, 0], [0, 4], [4, 4], [2, 2], [9, 1]])
    masses = optimal_masses(X, X[:2], None, Setting(FocalSets.full(2), 1.0, 2.0, 3.0))
    np.testing.assert_array_equal(masses[:2], [[0, 1, 0, 0], [0, 0, 1, 0]])
    coincident = optimal_masses(X, X[[0, 0]], None, Setting(FocalSets.full(2), 1.0, 2.0, 3.0))
    np.testing.assert_array_equal(coincident[0], [0, 1 / 3, 1 / 3, 1 / 3])
    fit = ECM(2, metric=metric, init=X[:2]).fit(X)
    assert np.isfinite(fit.partition_.masses).all()


def test_one_place_only():
    with pytest.warns(UserWarning, match="coincide"):
        fit = ECM(2, random_state=0).fit(np.ones((6, 2)))
    np.testing.assert_allclose(fit.partition_.masses, np.tile([0, 1 / 3, 1 / 3, 1 / 3], (6, 1)))
    assert fit.objective_ == 0
    assert fit.converged_


@pytest.mark.parametrize(
    ("beta", "data", "init", "seed"),
    [(1.01, 0, "k-means", 1), (1.01, 2, "k-means", 2), (1.05, 2, "random", 3)],
)
@pytest.mark.filterwarnings("ignore:the covariance of cluster")
def test_barycentres_that_land_on_objects_leave_usable_norms(beta, data, init, seed):
    X = np.random.default_rng(data).normal(size=(20, 2))
    fit = ECM(3, beta=beta, delta=0.1, metric="mahalanobis", init=init, random_state=seed).fit(X)
    assert np.isfinite(fit.objective_trace_).all() and np.isfinite(fit.norm_matrices_).all()
