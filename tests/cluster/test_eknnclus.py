"""EK-NNclus: oracles, certificates, laws, other programs, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import adjusted_rand_score

from credalbench.cluster.eknnclus import (
    EKNNclus,
    combine_neighbours,
    merge_clusters,
    nearest_neighbours,
    neighbour_evidence,
    settle,
)
from credalbench.cluster.neighbours.evidence import CERTAINTY, labelling_energy, sweep_labels
from credalbench.datasets import load, make_t4
from tests.oracles import eknnclus as literal

BUTTERFLY = load("butterfly").X


def random_graph(seed, n=12, K=4, c=5, integers=False):
    """Random neighbours, weights (small integers make ties) and labels 0..c-1."""
    rng = np.random.default_rng(seed)
    neighbours = np.array([rng.choice(np.delete(np.arange(n), i), K, replace=False) for i in range(n)])
    weights = rng.integers(1, 4, (n, K)).astype(float) if integers else rng.gamma(1.0, size=(n, K))
    return neighbours, weights, rng.integers(0, c, n), rng


def sweep(labels, neighbours, weights, order):
    labels, support = labels.copy(), np.zeros(labels.max() + 1)
    changes = sweep_labels(labels, neighbours, weights, order, support)
    assert not support.any()  # the work space is left at zero
    return labels, changes


# ---------------------------------------------------------------- oracles


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_sweep_is_the_literal_one_ties_included(seed, integers):
    neighbours, weights, labels, rng = random_graph(seed, integers=integers)
    order = rng.permutation(len(labels))
    expected, _ = literal.sweep(labels, neighbours, weights, order)
    swept, changes = sweep(labels, neighbours, weights, order)
    np.testing.assert_array_equal(swept, expected)
    assert changes <= len(labels)
    assert (changes == 0) == np.array_equal(swept, labels)


def test_energy_is_the_literal_sum():
    neighbours, weights, labels, _ = random_graph(0)
    expected = literal.energy(labels, neighbours, weights)
    assert labelling_energy(labels, neighbours, weights) == pytest.approx(expected, rel=1e-13)  # rounding


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_masses_are_combined_by_dempsters_rule(seed, c):
    """Against one combination after another, of dictionaries."""
    neighbours, _, labels, rng = random_graph(seed, c=c)
    labels = np.unique(labels, return_inverse=True)[1]
    evidence = rng.uniform(CERTAINTY, 1 - CERTAINTY, neighbours.shape)
    partition = combine_neighbours(labels, neighbours, -np.log1p(-evidence))
    for i in range(len(labels)):
        m = literal.combined(i, labels, neighbours, evidence, partition.n_clusters)
        expected = literal.mass_vector(m, partition.focal_sets.sets)
        np.testing.assert_allclose(partition.masses[i], expected, atol=1e-9)  # 1 - evidence in the oracle


def test_neighbours_are_the_literal_ones_where_no_two_are_equally_far():
    X = np.random.default_rng(0).normal(size=(12, 2))
    D = squareform(pdist(X))
    for data, metric in ((X, "euclidean"), (D, "precomputed")):
        distances, neighbours = nearest_neighbours(data, 5, metric)
        np.testing.assert_array_equal(neighbours, literal.nearest(D, 5))
        np.testing.assert_allclose(distances, np.take_along_axis(D, neighbours, 1), rtol=1e-12)  # rounding


# ---------------------------------------------------------------- certificates and laws


@given(st.integers(0, 2**32 - 1))
def test_energy_falls_with_every_change_for_symmetric_weights(seed):
    """All others as neighbours: the evidence depends on the distance only, which is symmetric."""
    rng = np.random.default_rng(seed)
    distances, neighbours = nearest_neighbours(rng.normal(size=(12, 2)), 11)
    weights = -np.log1p(-neighbour_evidence(distances, 0.3, 1.0)[0])
    labels = np.arange(12)
    energy = [labelling_energy(labels, neighbours, weights)]
    for i in rng.permutation(12):
        labels, _ = sweep(labels, neighbours, weights, np.array([i]))
        energy.append(labelling_energy(labels, neighbours, weights))
    assert np.diff(energy).max() <= 1e-12  # rounding; the weights are of order one


def test_a_converged_labelling_is_a_fixed_point_and_its_labels_are_most_plausible():
    fit = EKNNclus(n_neighbors=12, random_state=0).fit(make_t4(150, random_state=0).X)
    weights = -np.log1p(-fit.evidence_)
    assert fit.converged_
    assert sweep(fit.labels_, fit.neighbours_, weights, np.arange(150))[1] == 0
    np.testing.assert_array_equal(fit.partition_.labels(), fit.labels_)
    assert set(fit.labels_) == set(range(fit.n_clusters_))
    assert not fit.partition_.masses[:, 0].any()
    assert fit.objective_ == fit.objective_trace_[-1] == fit.objective_trace_[-2]
    assert len(fit.objective_trace_) == fit.n_iter_ + 1


def test_overwhelming_evidence_does_not_overflow():
    """400 near-certain neighbours on each side: what they leave open is a product of 1e-2400."""
    labels = np.arange(801) % 2  # 401 zeros, 400 ones
    neighbours = np.array([np.delete(np.arange(801), i) for i in range(801)])
    masses = combine_neighbours(labels, neighbours, np.full((801, 800), -np.log(CERTAINTY))).masses
    # a zero sees 400 of each, a one sees 401 zeros and 399 ones; the sums of weights round at 1e-11
    np.testing.assert_allclose(
        masses, np.where(labels[:, None] == 0, [0, 0.5, 0.5, 0], [0, 1, 0, 0]), atol=1e-9
    )
    alone = combine_neighbours(0 * labels, neighbours, np.full((801, 800), -np.log(CERTAINTY)))
    np.testing.assert_array_equal(alone.masses, np.tile([0.0, 1.0], (801, 1)))


def test_evidence_is_one_over_e_at_the_quantile_and_stays_within_bounds():
    distances = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 4e9]])
    evidence, gamma = neighbour_evidence(distances, 0.6, 2.0)
    assert gamma == pytest.approx(1 / 9, rel=1e-12)  # the quantile 0.6 of six numbers is the fourth
    assert evidence[1, 1] == pytest.approx(np.exp(-1), rel=1e-12)
    assert evidence[0, 0] == 1 - CERTAINTY
    assert evidence[2, 1] == CERTAINTY


def test_settling_stops_with_the_orders():
    neighbours, weights, labels, rng = random_graph(4, n=40, c=20)
    run = settle(np.unique(labels, return_inverse=True)[1], neighbours, weights, [rng.permutation(40)])
    assert len(run.energy) == 2
    assert not run.converged


# ---------------------------------------------------------------- how many clusters, which graph


def test_number_of_clusters_is_at_most_the_number_at_the_start():
    X = make_t4(100, random_state=0).X
    for c in (2, 5, 100):
        assert EKNNclus(c, n_neighbors=8, random_state=0).fit(X).n_clusters_ <= c


def test_everything_merged_is_a_frame_of_one_cluster():
    X = np.random.default_rng(0).normal(size=(30, 2))
    fit = EKNNclus(n_neighbors=29, q=1.0, random_state=0).fit(X)
    assert fit.n_clusters_ == fit.partition_.n_clusters == 1
    np.testing.assert_array_equal(fit.labels_, 0)
    np.testing.assert_array_equal(fit.partition_.masses, np.tile([0.0, 1.0], (30, 1)))
    np.testing.assert_array_equal(fit.partition_.labels(), 0)


@pytest.mark.parametrize("metric", ["euclidean", "precomputed", "cityblock"])
def test_duplicates_are_neighbours_but_no_object_is_its_own(metric):
    X = np.repeat(np.random.default_rng(0).normal(size=(6, 2)), 4, axis=0)
    data = squareform(pdist(X)) if metric == "precomputed" else X
    for K in (2, 3, 7):
        distances, neighbours = nearest_neighbours(data, K, metric)
        assert not (neighbours == np.arange(24)[:, None]).any()
        assert all(len(set(row)) == K for row in neighbours)
        assert (distances[:, : min(K, 3)] == 0).all()  # the three copies come first
    fit = EKNNclus(n_neighbors=5, metric=metric, random_state=0).fit(data)
    assert all(len(set(copies)) == 1 for copies in fit.labels_.reshape(6, 4))


def test_default_number_of_neighbours_is_three_roots_of_n():
    assert EKNNclus(random_state=0).fit(make_t4(100, random_state=0).X).neighbours_.shape == (100, 30)
    assert EKNNclus(random_state=0).fit(BUTTERFLY[:5]).neighbours_.shape == (5, 4)


# ---------------------------------------------------------------- a disconnected graph of neighbours


def components(neighbours):
    """Number of each object's part of the graph of neighbours, whoever is whose neighbour."""
    n, K = neighbours.shape
    links = csr_array((np.ones(n * K), neighbours.ravel(), np.arange(n + 1) * K), shape=(n, n))
    return connected_components(links, directed=True, connection="weak")[1]


def far_groups(seed, sizes=(14, 9, 20)):
    """Groups of points, each as wide as 1 and 100 from the next, in mixed order: attributes, group."""
    rng = np.random.default_rng(seed)
    group = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return rng.random((len(group), 2)) + 100 * group[:, None], group


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.sampled_from(["euclidean", "precomputed"]))
def test_no_cluster_reaches_over_a_gap_in_the_graph(seed, K, metric):
    """Evidence comes from neighbours only: labels that start in one part never appear in another."""
    X, group = far_groups(seed)
    data = squareform(pdist(X)) if metric == "precomputed" else X
    fit = EKNNclus(n_neighbors=K, metric=metric, random_state=seed).fit(data)
    part = components(fit.neighbours_)
    assert len(np.unique(part)) >= 3  # a group may fall apart, too
    assert len(np.unique(np.c_[fit.labels_, part], axis=0)) == fit.n_clusters_
    assert len(np.unique(np.c_[fit.labels_, group], axis=0)) == fit.n_clusters_
    assert set(fit.labels_) == set(range(fit.n_clusters_))


@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.integers(1, 12))
def test_each_part_settles_as_if_it_were_alone(seed, K, n_labels):
    """Same start and same orders of visit, without the objects of the other parts; shared labels or not."""
    X, group = far_groups(seed)
    rng = np.random.default_rng(seed)
    distances, neighbours = nearest_neighbours(X, K)
    weights = -np.log1p(-neighbour_evidence(distances, 0.5, 1.0)[0])
    start = np.unique(rng.integers(0, n_labels, len(X)), return_inverse=True)[1]
    orders = [rng.permutation(len(X)) for _ in range(200)]
    whole = settle(start, neighbours, weights, orders)
    for mine in (np.flatnonzero(group == g) for g in range(3)):
        place = np.full(len(X), -1)
        place[mine] = np.arange(len(mine))
        alone = settle(
            np.unique(start[mine], return_inverse=True)[1],
            place[neighbours[mine]],
            weights[mine],
            [place[order[np.isin(order, mine)]] for order in orders[: len(whole.energy) - 1]],
        )
        np.testing.assert_array_equal(np.unique(whole.labels[mine], return_inverse=True)[1], alone.labels)


@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_masses_on_clusters_of_other_parts_are_exactly_zero(seed, K):
    X, group = far_groups(seed)
    fit = EKNNclus(n_neighbors=K, random_state=seed).fit(X)
    partition = fit.partition_
    home = np.array([group[fit.labels_ == label][0] for label in range(fit.n_clusters_)])
    singletons = partition.masses[:, 1:-1]  # after the empty set, before Omega
    assert not singletons[group[:, None] != home].any()
    assert np.isfinite(partition.masses).all() and (partition.masses[:, -1] > 0).all()
    np.testing.assert_allclose(partition.masses.sum(axis=1), 1, rtol=1e-13)  # rounding


def test_parts_share_no_cluster_that_they_did_not_start_with():
    """Groups 0 and 1 have one starting label in common, which may die out; group 2 has its own."""
    X, group = far_groups(0)
    shared = []
    for seed in range(20):
        start = group + np.random.default_rng(seed).integers(0, 2, len(X)) + 5 * (group == 2)
        fit = EKNNclus(n_neighbors=8, init=start, random_state=seed).fit(X)
        first, second, third = (set(fit.labels_[group == g]) for g in range(3))
        assert not third & (first | second)
        assert len(first & second) <= 1
        shared.append(len(first & second))
    assert set(shared) == {0, 1}  # both happen, else this shows nothing


# ---------------------------------------------------------------- a number of clusters that is given


def gaussians(c, seed=0):
    """100 objects each on a square grid, 6 standard deviations apart: (n, 2), (n,)."""
    y = np.repeat(np.arange(c), 100)
    return 6.0 * np.column_stack(np.divmod(y, 2)) + np.random.default_rng(seed).normal(size=(len(y), 2)), y


@pytest.mark.parametrize("n_init", [1, 10])
@pytest.mark.parametrize("c", [2, 3, 4, 6])
def test_separated_clusters_are_found_from_every_seed(c, n_init):
    """From random labels three were found at ARI .00 to .99, and one alone by ten starts of three in five."""
    X, y = gaussians(c)
    for seed in range(10 if n_init == 1 else 2):
        fit = EKNNclus(c, n_init=n_init, random_state=seed).fit(X)
        assert fit.n_clusters_ == c
        assert adjusted_rand_score(y, fit.labels_) > 0.95
        assert np.diff(fit.objective_trace_).max() <= 0.01 * abs(fit.objective_)  # merging lowers it


def test_one_cluster_is_returned_with_a_warning_and_only_if_there_is_no_other_run():
    X, _ = gaussians(3)
    with pytest.warns(UserWarning, match="merged into one cluster"):
        found = [EKNNclus(3, init="random", random_state=seed).fit(X).n_clusters_ for seed in range(20)]
    assert 1 in found
    assert EKNNclus(3, init="random", n_init=20, random_state=0).fit(X).n_clusters_ > 1


def test_clusters_are_merged_by_the_mean_evidence_between_them():
    neighbours = np.array([[1], [2], [3], [2], [5], [4]])
    labels = np.arange(6) // 2
    weights = np.ones((6, 1))
    np.testing.assert_array_equal(merge_clusters(labels, neighbours, weights, 3), labels)
    np.testing.assert_array_equal(merge_clusters(labels, neighbours, weights, 2), [0, 0, 0, 0, 1, 1])
    np.testing.assert_array_equal(merge_clusters(labels, neighbours, weights, 1), np.zeros(6))
    apart = np.array([[1], [0], [3], [2], [5], [4], [7], [6], [7]])  # nothing is linked: the smallest two
    labels = np.array([0, 0, 1, 1, 2, 2, 3, 3, 3])
    merged = merge_clusters(labels, apart, np.ones((9, 1)), 3)
    np.testing.assert_array_equal(merged, [0, 0, 0, 0, 1, 1, 2, 2, 2])


@pytest.mark.parametrize("most", [1, 2, 4])
def test_far_groups_are_merged_where_there_are_more_than_allowed(most):
    X, group = far_groups(0)
    fit = EKNNclus(most, n_neighbors=4, random_state=0).fit(X)
    assert fit.n_clusters_ <= most
    if most < len(np.unique(group)):
        assert all(len(set(fit.labels_[group == g])) == 1 for g in np.unique(group))


# ---------------------------------------------------------------- other programs


def test_butterfly_agrees_with_the_r_package(oracle):
    """From the same labels, neighbours (ties!) and orders of visit: every label, evidence, masses, sums."""
    r = oracle("eknnclus_butterfly")
    neighbours = np.array(r["nn_index_1based"]) - 1
    orders = [np.array(order) - 1 for order in r["visit_order_1based"]]
    start = np.array(r["y0"]) - 1
    distances, _ = nearest_neighbours(BUTTERFLY, r["K"])
    evidence, gamma = neighbour_evidence(distances, r["q"], r["b"])
    weights = -np.log1p(-evidence)
    assert gamma == pytest.approx(r["gamma"], rel=1e-12)  # rounding
    np.testing.assert_allclose(weights, r["W"], rtol=1e-12)  # whoever they are, they are as far
    run = settle(start, neighbours, weights, orders)
    np.testing.assert_array_equal(run.labels + 1, r["y_pl_tie_random"])
    assert run.converged
    assert len(run.energy) == len(r["crit_per_sweep"])
    np.testing.assert_allclose(
        combine_neighbours(run.labels, neighbours, weights).masses, r["mass"], atol=1e-12
    )
    # the package reports the sum of the gains, which is the energy only for symmetric weights
    labels, total = start, 0.0
    for order, expected in zip(orders, r["crit_per_sweep"][1:], strict=True):
        labels, gains = literal.sweep(labels, neighbours, weights, order)
        total += gains
        assert total == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------- contract and bad input


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({"n_neighbors": 2}, np.repeat([[0.0], [1.0]], 9, axis=0), "duplicates"),
        ({"n_neighbors": 12, "metric": "precomputed"}, np.ones((12, 12)) - np.eye(12), "<= n_samples - 1"),
        ({"init": np.zeros(5, int)}, BUTTERFLY, "12 integer labels"),
        ({"init": np.zeros(12)}, BUTTERFLY, "12 integer labels"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        EKNNclus(**kwargs).fit(X)


def test_given_labels_start_the_search():
    """Two parts that no neighbourhood links keep the labels that they start with, a common one, too: no
    evidence speaks for a common cluster, and none against it."""
    X = np.r_[np.arange(5.0), 100 + np.arange(5.0)][:, None]
    for start, found in ((np.repeat([7, 3], 5), 2), (np.full(10, 4), 1)):
        fit = EKNNclus(n_neighbors=2, init=start, random_state=0).fit(X)
        assert fit.n_clusters_ == found
        assert adjusted_rand_score(fit.labels_, start) == 1
