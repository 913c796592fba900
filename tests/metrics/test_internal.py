"""Validity indices: hard and uniform partitions, examples by hand, other programs, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples, silhouette_score
from sklearn.mixture import GaussianMixture

from credalbench import metrics
from credalbench.belief import CredalPartition, FocalSets
from credalbench.metrics import internal
from tests.belief.strategies import mass_arrays, random_focal_sets

CLOSE = {"abs": 1e-12}  # rounding
HARD = np.eye(3)[[0, 0, 1, 2, 2, 2]]


def uniform(c, n=5):
    return np.full((n, c), 1 / c)


OF_MEMBERSHIPS = {  # index: value of a hard and of a uniform partition in c clusters
    metrics.partition_coefficient: (1.0, lambda c: 1 / c),
    metrics.modified_partition_coefficient: (1.0, lambda c: 0.0),
    metrics.partition_entropy: (0.0, np.log),
}
of_memberships = pytest.mark.parametrize("index", OF_MEMBERSHIPS, ids=lambda index: index.__name__)


@of_memberships
@pytest.mark.parametrize("c", [2, 3, 7])
def test_hard_and_uniform_memberships_are_the_ends_of_the_range(index, c):
    hard, of_uniform = OF_MEMBERSHIPS[index]
    assert index(HARD) == hard
    assert index(uniform(c)) == pytest.approx(of_uniform(c), **CLOSE)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(2, 5))
def test_other_memberships_are_between(seed, n, c):
    """Names of clusters and the order of objects make no difference."""
    rng = np.random.default_rng(seed)
    U = rng.dirichlet(np.full(c, 0.3), n)
    for index, (hard, of_uniform) in OF_MEMBERSHIPS.items():
        low, high = sorted((hard, of_uniform(c)))
        value = index(U)
        assert low - 1e-12 <= value <= high + 1e-12  # rounding
        assert index(U[rng.permutation(n)][:, rng.permutation(c)]) == pytest.approx(value, **CLOSE)


def test_memberships_by_hand():
    U = [[1.0, 0.0], [0.5, 0.5], [0.8, 0.2]]
    coefficient = (1 + 0.5 + 0.68) / 3
    assert metrics.partition_coefficient(U) == pytest.approx(coefficient, **CLOSE)
    assert metrics.modified_partition_coefficient(U) == pytest.approx(2 * coefficient - 1, **CLOSE)
    entropy = (np.log(2) - 0.8 * np.log(0.8) - 0.2 * np.log(0.2)) / 3
    assert metrics.partition_entropy(U) == pytest.approx(entropy, **CLOSE)


# ---------------------------------------------------------------- with the objects


def test_xie_beni_by_hand():
    """Squared distances 1 to the own centre, weights 1; centres 10 apart."""
    X = [[-1.0], [1.0], [9.0], [11.0]]
    assert metrics.xie_beni(X, np.eye(2)[[0, 0, 1, 1]], [[0.0], [10.0]]) == pytest.approx(
        4 / (4 * 100), **CLOSE
    )
    U, d = np.array([[0.75, 0.25]]), np.array([[1.0, 9.0]])
    for m in (1.0, 2.0, 3.0):
        expected = np.sum(U**m * d) / 16
        assert metrics.xie_beni([[1.0]], U, [[0.0], [4.0]], m) == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("scale", [1e-90, 1e-20, 1e20, 1e90])
def test_xie_beni_has_no_unit(scale):
    rng = np.random.default_rng(0)
    X, U, V = rng.normal(size=(9, 2)), rng.dirichlet(np.ones(3), 9), rng.normal(size=(3, 2))
    expected = metrics.xie_beni(X, U, V)
    assert metrics.xie_beni(X * scale, U, V * scale) == pytest.approx(expected, rel=1e-9)  # rounding


def test_the_fuzzy_silhouette_of_a_hard_partition_is_the_silhouette():
    X = np.random.default_rng(1).normal(size=(6, 2))
    labels = HARD.argmax(axis=1)
    assert metrics.fuzzy_silhouette(X, HARD) == pytest.approx(silhouette_score(X, labels), **CLOSE)
    U = np.random.default_rng(2).dirichlet(np.ones(3), 6)
    U = 0.2 * U + 0.8 * HARD  # the same largest memberships
    assert metrics.fuzzy_silhouette(X, U, 0.0) == pytest.approx(silhouette_score(X, labels), **CLOSE)


def test_fuzzy_silhouette_counts_ambiguous_objects_less():
    X = np.array([[0.0], [1.0], [4.0], [9.0], [10.0]])
    U = np.array([[1.0, 0.0], [1.0, 0.0], [0.55, 0.45], [0.0, 1.0], [0.0, 1.0]])
    s = silhouette_samples(X, [0, 0, 0, 1, 1])
    expected = (s[[0, 1, 3, 4]].sum() + 0.1 * s[2]) / 4.1
    assert metrics.fuzzy_silhouette(X, U) == pytest.approx(expected, **CLOSE)
    D = np.abs(X - X.T)
    assert metrics.fuzzy_silhouette(D, U, metric="precomputed") == pytest.approx(expected, **CLOSE)


# ---------------------------------------------------------------- mixtures


def test_bic_is_scikit_learns_but_for_a_factor():
    """[jiao2022_egmm (32)]"""
    X = np.random.default_rng(3).normal(size=(50, 2))
    for covariance_type, n_parameters in {"spherical": 7, "diag": 9, "tied": 8, "full": 11}.items():
        model = GaussianMixture(2, covariance_type=covariance_type, random_state=0).fit(X)
        ours = metrics.bic(model.score_samples(X).sum(), n_parameters, 50)
        assert -2 * ours == pytest.approx(model.bic(X), rel=1e-12)  # rounding


def test_ebic_counts_the_parameters_of_the_evidential_mixture():
    """[jiao2022_egmm (33)]: 3 sets of 2 clusters in the plane have 2 + 4 + 3."""
    assert metrics.bic(-45.11, 9, 11) == pytest.approx(-45.11 - 4.5 * np.log(11), **CLOSE)


# ---------------------------------------------------------------- credal partitions


@given(random_focal_sets(max_clusters=4).flatmap(lambda F: st.tuples(st.just(F), mass_arrays(F))))
def test_pairwise_nonspecificity_is_the_mean_over_pairs(case):
    focal_sets, masses = case
    partition = CredalPartition(masses, focal_sets)
    expected = partition.relational().nonspecificity()
    found = metrics.pairwise_nonspecificity(partition)
    assert found == pytest.approx(expected, abs=1e-9)  # differences of sums over all pairs
    assert 0 <= found <= 1


def test_pairwise_nonspecificity_at_its_ends():
    assert metrics.pairwise_nonspecificity(CredalPartition.from_labels([0, 1, 1, 2])) == 0
    vacuous = CredalPartition(np.tile([0.0, 0, 0, 1], (4, 1)), FocalSets.full(2))
    empty = CredalPartition(np.tile([1.0, 0, 0, 0], (4, 1)), FocalSets.full(2))
    assert metrics.pairwise_nonspecificity(vacuous) == metrics.pairwise_nonspecificity(empty) == 1
    assert metrics.pairwise_nonspecificity(vacuous.take([0])) == 0


# ---------------------------------------------------------------- all of them


def test_the_table_of_directions_names_functions_and_a_method():
    """Each index is better for a clear partition than for a vague one."""
    for name, better in metrics.BETTER.items():
        assert better in ("higher", "lower")
        assert hasattr(internal, name) or hasattr(CredalPartition, name)
    clear, vague = np.array([[0.9, 0.1], [0.1, 0.9]] * 4), np.array([[0.6, 0.4], [0.4, 0.6]] * 4)
    X = np.array([[0.0], [9.0]] * 4) + np.arange(8)[:, None] / 10
    V = [[0.3], [9.4]]

    def measured(U):
        partition = CredalPartition(
            np.c_[U / 2 + 0.25 * (U > 0.8), 0.5 - (U > 0.8).sum(1) / 4], FocalSets.full(2, empty=False)
        )
        return {
            "partition_coefficient": metrics.partition_coefficient(U),
            "modified_partition_coefficient": metrics.modified_partition_coefficient(U),
            "partition_entropy": metrics.partition_entropy(U),
            "xie_beni": metrics.xie_beni(X, U, V),
            "fuzzy_silhouette": metrics.fuzzy_silhouette(X, U),
            "bic": metrics.bic(10 * metrics.partition_coefficient(U), 3, 8),
            "nonspecificity": partition.nonspecificity(),
            "pairwise_nonspecificity": metrics.pairwise_nonspecificity(partition),
        }

    first, second = measured(clear), measured(vague)
    assert set(first) == set(metrics.BETTER)
    for name, better in metrics.BETTER.items():
        if name != "fuzzy_silhouette":  # all weights are equal here
            assert (first[name] > second[name]) == (better == "higher"), name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.partition_coefficient([0.5, 0.5]), r"memberships of shape \(n, c\), got \(2,\)"),
        (lambda: metrics.partition_coefficient(np.empty((0, 2))), "memberships of shape"),
        (lambda: metrics.partition_entropy([[1, 0], [0.7, 0.7]]), "sum 1.4 in row 1"),
        (lambda: metrics.partition_entropy([[1, 0], [0.5, 0.50001]]), "sum 1.00001 in row 1"),
        (lambda: metrics.partition_entropy([[1.5, -0.5]]), "minimum -0.5"),
        (lambda: metrics.partition_entropy([[np.nan, 1.0]]), "minimum nan"),
        (lambda: metrics.modified_partition_coefficient([[1.0]]), "at least two clusters, got 1"),
        (lambda: metrics.xie_beni([[0.0]], [[0.5, 0.5]], [[1.0]]), r"centers of shape \(2, 1\)"),
        (lambda: metrics.xie_beni([[0.0], [1.0]], [[0.5, 0.5]], [[1.0], [2.0]]), r"X of shape \(1, p\)"),
        (lambda: metrics.xie_beni([[0.0]], [[0.5, 0.5]], [[1.0], [1.0]]), "two that coincide"),
        (lambda: metrics.xie_beni([[np.inf]], [[0.5, 0.5]], [[1.0], [2.0]]), "finite X and centers"),
        (lambda: metrics.xie_beni([[0.0]], [[0.5, 0.5]], [[1.0], [2.0]], 0.5), "m >= 1"),
        (lambda: metrics.fuzzy_silhouette(np.eye(3), uniform(3, 3)), "2 to n - 1 = 2 non-empty clusters"),
        (lambda: metrics.fuzzy_silhouette(np.eye(4), np.eye(2)[[0, 0, 0, 0]]), "non-empty clusters, got 1"),
        (lambda: metrics.fuzzy_silhouette(np.eye(2), np.eye(2)), "non-empty clusters, got 2"),
        (lambda: metrics.bic(np.nan, 2, 3), "a finite log_likelihood"),
        (lambda: metrics.bic(1.0, -1, 3), "0 <= n_parameters"),
        (lambda: metrics.bic(1.0, 1, 0), "1 <= n_objects"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_objects_without_a_preferred_cluster_are_refused():
    X = np.arange(4.0)[:, None]
    U = np.array([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]])
    with pytest.raises(ValueError, match="than to the others, got 'none'"):
        metrics.fuzzy_silhouette(X, U)
