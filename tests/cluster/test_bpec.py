"""BPEC: literal oracle, R's numbers, certificates, laws, the ways to prototypes, degenerate and bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster import BPEC, ECM, delta_bel
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.datasets import load, make_t4
from credalbench.metrics import adjusted_rand
from tests.oracles import bpec as literal

METRICS = ("euclidean", "mahalanobis")
T4 = make_t4(200, random_state=0).X  # four groups, heavy tails
every_metric = pytest.mark.parametrize("metric", METRICS)


def groups(c, n=40, apart=12.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(c * n, 2)) + apart * np.repeat(np.arange(c), n)[:, None]


# ---------------------------------------------------------------- oracles


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 2.0), (0.5, 1.5), (-1.0, 3.0)])
@pytest.mark.parametrize("n_iter", [0, 1, 3])
def test_masses_and_objective_are_the_literal_ones(alpha, beta, n_iter):
    rng = np.random.default_rng(3)
    X, V = rng.normal(size=(14, 2)) * [1.0, 3.0], rng.normal(size=(3, 2))
    options = {"alpha": alpha, "beta": beta, "delta": 2.5, "tol": 0.0, "focal_sets": "full"}
    fit = BPEC(prototypes=V, metric="mahalanobis", max_iter=n_iter, **options).fit(X)
    masses, J = literal.adapted(X, V, fit.partition_.focal_sets.sets, alpha, beta, 2.5, n_iter)
    np.testing.assert_allclose(fit.partition_.masses, masses, atol=1e-12)  # rounding of three rounds
    assert fit.objective_ == pytest.approx(J, rel=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("distance", [0, 1])
def test_fourclass_agrees_with_the_r_package(oracle, distance):
    """After as many iterations: R stops when J, not divided, falls by no more than 0.001."""
    X = load("fourclass").X
    r = oracle(f"bpec_fourclass_dist{distance}")
    options = {"delta": 20**0.5, "focal_sets": "pairs", "metric": METRICS[distance], "tol": 0.0}
    unknowns = len(X) * len(r["F"])
    trace = BPEC(prototypes=r["g"], max_iter=20, **options).fit(X).objective_trace_ * unknowns
    n_iter = int(np.argmax(-np.diff(trace) <= 1e-3)) + 1
    fit = BPEC(prototypes=r["g"], max_iter=n_iter, **options).fit(X)
    columns = [fit.partition_.focal_sets.index(np.flatnonzero(row)) for row in r["F"]]
    np.testing.assert_allclose(
        fit.partition_.masses[:, columns], r["mass"], atol=1e-12
    )  # bound of the project
    assert fit.objective_ * unknowns == pytest.approx(r["crit"], rel=1e-12)
    assert fit.partition_.nonspecificity() == pytest.approx(r["N"], rel=1e-9)


# ---------------------------------------------------------------- certificates


@given(st.integers(0, 2**32 - 1), st.sampled_from(METRICS))
def test_objective_never_rises(seed, metric):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3)) * rng.uniform(0.2, 3.0, 3)
    fit = BPEC(3, metric=metric, n_neighbors=int(rng.integers(2, 20)), beta=rng.uniform(1.2, 3.0)).fit(X)
    assert (np.diff(fit.objective_trace_) <= 1e-12 * fit.objective_trace_[0]).all()  # rounding
    assert fit.converged_
    assert fit.objective_trace_[-2] - fit.objective_ <= fit.tol * fit.objective_trace_[-2]


@every_metric
def test_no_other_masses_have_a_lower_objective(metric):
    fit = BPEC(3, metric=metric, focal_sets="full").fit(T4)
    sets, M = fit.partition_.focal_sets, fit.partition_.masses
    costs = np.empty_like(M)
    costs[:, 0] = fit.delta_**2
    distances = squared_distances(T4, fit.cluster_centers_, sets, fit.norm_matrices_)
    costs[:, 1:] = sets.cardinality[1:] * distances
    J = np.einsum("ij,ij->i", costs, M**2)
    rng = np.random.default_rng(0)
    for share in (1e-3, 0.1, 1.0):
        other = (1 - share) * M + share * rng.dirichlet(np.ones(len(sets)), len(M))
        assert (np.einsum("ij,ij->i", costs, other**2) >= J - 1e-12 * fit.delta_**2).all()  # rounding
    assert fit.objective_ == pytest.approx(J.sum() / M.size, rel=1e-12)


def test_norms_have_determinant_one_and_no_others_a_lower_objective():
    fit = BPEC(3, metric="mahalanobis", focal_sets="full", tol=0.0, max_iter=500).fit(T4)
    np.testing.assert_allclose(np.linalg.det(fit.norm_matrices_), 1.0, rtol=1e-9)  # of three eigenvalues
    assert fit.objective_ < BPEC(3, focal_sets="full", delta=fit.delta_).fit(T4).objective_


# ---------------------------------------------------------------- reductions and laws


@every_metric
def test_it_is_ecm_whose_prototypes_do_not_move(metric):
    """ECM without iterations has the masses of its start."""
    fit = BPEC(3, metric=metric, delta=3.0).fit(T4)
    start = ECM(3, beta=2.0, metric=metric, delta=3.0, init=fit.cluster_centers_, max_iter=0).fit(T4)
    first = BPEC(3, metric=metric, delta=3.0, max_iter=0).fit(T4)
    np.testing.assert_allclose(first.partition_.masses, start.partition_.masses, atol=1e-14)  # rounding
    np.testing.assert_array_equal(fit.cluster_centers_, T4[fit.peaks_])
    if metric == "euclidean":
        np.testing.assert_array_equal(fit.partition_.masses, first.partition_.masses)


@every_metric
def test_order_of_the_rows_and_of_the_prototypes_does_not_matter(metric):
    X, rng = groups(3), np.random.default_rng(0)
    order, swap = rng.permutation(len(X)), [2, 0, 1]
    fit, again = BPEC(metric=metric).fit(X), BPEC(metric=metric).fit(X[order])
    np.testing.assert_allclose(again.partition_.masses, fit.partition_.masses[order], atol=1e-9)  # sums
    np.testing.assert_array_equal(order[again.peaks_], fit.peaks_)
    renumbered = BPEC(prototypes=fit.peaks_[swap], metric=metric).fit(X).partition_
    sets = fit.partition_.focal_sets
    columns = [renumbered.focal_sets.index({swap.index(k) for k in A}) for A in sets.sets]
    np.testing.assert_allclose(renumbered.masses[:, columns], fit.partition_.masses, atol=1e-9)  # sums


def test_new_objects_get_the_masses_of_their_places():
    fit = BPEC(metric="mahalanobis").fit(groups(3))
    again = fit.predict_partition(groups(3)[::7])
    np.testing.assert_allclose(again.masses, fit.partition_.masses[::7], atol=1e-14)  # blocks of other sizes


# ---------------------------------------------------------------- the ways to prototypes


@every_metric
@pytest.mark.parametrize(("c", "n"), [(1, 300), (2, 40), (4, 40), (6, 40)])
def test_far_groups_are_found_without_their_number(metric, c, n):
    fit = BPEC(metric=metric).fit(groups(c, n))
    assert fit.n_clusters_ == c
    assert adjusted_rand(np.repeat(np.arange(c), n), fit.labels_) == 1
    assert fit.prominence_drop_ == fit.graph_.drop(c)


def test_number_rectangle_rows_names_and_points_are_ways_to_the_same_prototypes():
    X = groups(3)
    graph, found = delta_bel(X), BPEC().fit(X)
    corner = {
        "least_delta": 0.9 * graph.delta[found.peaks_].min(),
        "least_belief": 0.9 * graph.belief[found.peaks_].min(),
    }
    frame = pd.DataFrame(X, index=[f"object {i}" for i in range(len(X))])
    names = [f"object {i}" for i in found.peaks_]
    ways = [
        (BPEC(3), X),
        (BPEC(**corner), X),
        (BPEC(prototypes=found.peaks_), X),
        (BPEC(prototypes=found.peaks_.tolist()), frame),
        (BPEC(prototypes=names), frame),
        (BPEC(prototypes=X[found.peaks_]), X),
    ]
    for model, data in ways:
        fit = model.fit(data)
        np.testing.assert_array_equal(fit.partition_.masses, found.partition_.masses)
        assert fit.n_clusters_ == 3
        assert (fit.graph_ is None) == (not isinstance(model.prototypes, str))
    np.testing.assert_array_equal(found.graph_, graph)


def test_an_integer_is_a_name_where_names_are_numbers():
    frame = pd.DataFrame(groups(2), index=np.arange(80) + 100)
    np.testing.assert_array_equal(BPEC(prototypes=[100, 179]).fit(frame).peaks_, [0, 79])


def test_of_many_clusters_nearest_pairs_are_focal_sets_as_in_ecm():
    fit = BPEC(delta=5.0).fit(groups(6, apart=6.0))
    sizes = fit.partition_.focal_sets.cardinality
    assert set(sizes) == {0, 1, 2, 6}
    again = BPEC(delta=5.0, focal_sets=fit.partition_.focal_sets).fit(groups(6, apart=6.0))
    np.testing.assert_array_equal(again.partition_.masses, fit.partition_.masses)


@every_metric
def test_far_objects_are_outliers_by_default_and_others_are_not(metric):
    X = np.vstack([groups(3), [[60.0, -30.0], [-40.0, 40.0]]])
    fit = BPEC(3, metric=metric).fit(X)
    outliers = fit.partition_.outliers()
    assert outliers[-2:].all()
    assert outliers[:-2].mean() < 0.05


# ---------------------------------------------------------------- degenerate and bad input


def test_duplicates_are_one_prototype():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]], 30, axis=0)
    fit = BPEC(delta=1.0).fit(X)
    np.testing.assert_array_equal(fit.labels_, np.repeat(fit.labels_[[0, 30, 60]], 30))
    assert fit.n_clusters_ == 3
    with pytest.raises(ValueError, match="n_clusters <= number of different places = 3, got 4"):
        BPEC(4).fit(X)


@every_metric
def test_constant_column_and_one_place(metric):
    X = np.column_stack([groups(2), np.full(80, 7.0)])
    with (
        pytest.warns(UserWarning, match="singular")
        if metric == "mahalanobis"
        else pytest.MonkeyPatch.context()
    ):
        fit = BPEC(metric=metric).fit(X)
    assert adjusted_rand(np.repeat([0, 1], 40), fit.labels_) == 1
    one = BPEC().fit(np.ones((6, 2)))
    assert one.n_clusters_ == 1
    np.testing.assert_allclose(one.partition_.masses @ [0.0, 1.0], 1.0)


def test_one_cluster_is_noise_clustering_about_its_peak():
    X = make_t4(60, random_state=0).X
    fit = BPEC(1, delta=4.0).fit(X)
    squares = ((X - X[fit.peaks_[0]]) ** 2).sum(axis=1)
    np.testing.assert_allclose(fit.partition_.masses[:, 1], 1 / (1 + squares / 16), rtol=1e-12)
    assert fit.partition_.focal_sets == FocalSets.simple(1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"least_delta": 1e3}, "an object with delta > least_delta = 1000 .*the largest are"),
        ({"least_belief": 0.99}, "belief > least_belief = 0.99.*the largest are"),
        ({"least_belief": 1.0}, "least_belief < 1"),
        (
            {"n_clusters": 2, "least_delta": 1.0},
            "one of n_clusters, prototypes, .*n_clusters and least_delta",
        ),
        ({"n_clusters": 2, "prototypes": [0, 1]}, "one of n_clusters, prototypes.*n_clusters and prototypes"),
        ({"prototypes": "peaks"}, "prototypes to be 'auto'"),
        ({"prototypes": [0, 80]}, r"an object in 0\.\.79, got 80"),
        ({"prototypes": [0, 0]}, "prototypes at different places"),
        ({"prototypes": ["a"]}, r"an object in 0\.\.79, since there are no names"),
        ({"prototypes": []}, "prototypes as objects, or as points"),
        ({"prototypes": np.zeros((2, 3))}, r"prototypes of shape \(c, 2\), got \(2, 3\)"),
        ({"prototypes": [[0.0, np.inf], [1.0, 1.0]]}, "finite numbers in prototypes"),
    ],
)
def test_bad_parameters_are_refused_with_what_was_expected(parameters, message):
    with pytest.raises(ValueError, match=message):
        BPEC(**parameters).fit(groups(2))


def test_few_objects():
    fit = BPEC().fit([[0.0], [1.0]])
    assert fit.n_clusters_ == 1
    fit = BPEC(2).fit([[0.0], [1.0]])
    np.testing.assert_array_equal(fit.labels_, [0, 1])
    with pytest.raises(ValueError, match="minimum of 2"):
        BPEC().fit([[0.0]])
