"""What must not change a result: names of clusters, threads, copies; and what a fit must not change."""

import numba
import numpy as np
import pytest
from joblib import parallel_config
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM, RECM
from credalbench.cluster.eknnclus import nearest_neighbours
from credalbench.cluster.prototypes.medoid_search import next_medoids
from credalbench.cluster.testing.problem import (
    N,
    X,
    examples_of,
    links_of,
    memberships,
    results,
    start_of,
    suited,
)
from tests.test_estimators import ESTIMATORS


def seeded_fit(estimator, X, **parameters):
    """A clone with other parameters, fitted under `LINKS` if it heeds any."""
    return clone(estimator).set_params(**parameters).fit(suited(estimator, X), **links_of(estimator))


# ---------------------------------------------------------------- threads

MANY = np.random.default_rng(4).normal(size=(700, 3)) + 4 * (np.arange(700) % 2)[:, None]  # worth threads


def fitted_by(n_threads, estimator):
    """Few iterations on `MANY` objects, by so many threads of numba, BLAS and OpenMP."""
    few = {"max_iter": 10, "n_clusters": 3}
    parameters = {name: few[name] for name in few.keys() & estimator.get_params().keys()}
    before = numba.get_num_threads()
    numba.set_num_threads(n_threads)
    try:
        with threadpool_limits(n_threads):
            return seeded_fit(estimator, MANY, **parameters)
    finally:
        numba.set_num_threads(before)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core: nothing to compare")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_number_of_threads_changes_no_byte(estimator):
    first, again = (results(fitted_by(n_threads, estimator)) for n_threads in (1, 2))
    assert len(first) > 3
    assert first == again


# ---------------------------------------------------------------- names of clusters

ORDER = [2, 0, 1]
THREE = {
    "objects": X[[0, 20, 39]],
    "medoids": np.array([0, 20, 39]),
    "masses": np.random.default_rng(1).dirichlet(np.ones(8), N),
}
EVIDENTIAL = [
    one for one in ESTIMATORS if "focal_sets" in one.get_params() and examples_of(one).start in THREE
]


def renumbered(subsets):
    """Return the place of each set of clusters after cluster `ORDER[k]` has become cluster k."""
    return [subsets.index({ORDER[k] for k in A}) for A in subsets.sets]


@pytest.mark.parametrize("estimator", EVIDENTIAL, ids=repr)
def test_renumbering_three_clusters_renumbers_the_result(estimator):
    kind = examples_of(estimator).start
    start = suited(estimator, THREE[kind]) if kind == "objects" else THREE[kind]
    again = start[:, renumbered(FocalSets.full(3))] if kind == "masses" else start[ORDER]
    options = {"n_clusters": 3, "focal_sets": "full", "max_iter": 5}
    first, again = (seeded_fit(estimator, X, init=init, **options) for init in (start, again))
    columns = renumbered(first.partition_.focal_sets)
    rounding = 1e-8  # sums in another order, over the iterations
    np.testing.assert_allclose(again.partition_.masses, first.partition_.masses[:, columns], atol=rounding)
    assert again.objective_ == pytest.approx(first.objective_, rel=rounding)
    for name in {"cluster_centers_", "norm_matrices_", "medoid_indices_"} & vars(first).keys():
        np.testing.assert_allclose(getattr(again, name), getattr(first, name)[ORDER], atol=rounding)


# ---------------------------------------------------------------- objects that occur several times

# several medoids share a weight: with psi, copies are nearer than one
ALTERNATING = [
    one
    for one in ESTIMATORS
    if examples_of(one).start in ("objects", "medoids") and not one.get_params().get("psi")
] + [RECM()]


@pytest.mark.parametrize("estimator", ALTERNATING, ids=repr)
def test_objects_weigh_as_often_as_they_occur(estimator):
    """From the same start: the same memberships of each copy, and the objective is a sum or a mean."""
    start = start_of(estimator)
    copies = {"objects": start, "medoids": 3 * start, "masses": np.repeat(start, 3, axis=0)}
    starts = start, copies[examples_of(estimator).start]
    options = {"max_iter": 10} | ({"delta": 5.0} if "delta" in estimator.get_params() else {})
    if isinstance(estimator, EGMM):  # the starting covariances are divided by n - 1, the end is the same
        options = {"max_iter": 200, "tol": 1e-13}
    data = suited(estimator, X), np.repeat(suited(estimator, X), 3, axis=0)
    once, thrice = (clone(estimator).set_params(init=i, **options).fit(D) for i, D in zip(starts, data))
    np.testing.assert_array_equal(thrice.labels_[::3], once.labels_)
    if memberships(once) is not None:
        np.testing.assert_allclose(memberships(thrice)[::3], memberships(once), atol=1e-9)  # rounding
    ratio = thrice.objective_ / once.objective_
    assert min(abs(ratio - 1), abs(ratio - 3)) < 1e-9


# ---------------------------------------------------------------- inputs

OF_DISSIMILARITIES = [estimator for estimator in ESTIMATORS if "symmetrize" in estimator.get_params()]


@pytest.mark.parametrize("symmetrize", [False, True])
@pytest.mark.parametrize("estimator", OF_DISSIMILARITIES, ids=repr)
def test_given_dissimilarities_are_left_alone(estimator, symmetrize):
    D = squareform(pdist(X))
    D[0, 1] += symmetrize
    given = D.tobytes()
    parameters = {"square": False} if "square" in estimator.get_params() else {}
    seeded_fit(estimator, D, metric="precomputed", symmetrize=symmetrize, **parameters)
    assert D.tobytes() == given


@pytest.mark.parametrize("estimator", OF_DISSIMILARITIES, ids=repr)
def test_an_asymmetric_matrix_is_refused(estimator):
    """Like all that `as_dissimilarities` refuses."""
    D = squareform(pdist(X))
    D[0, 1] = 99.0
    with pytest.raises(ValueError, match="symmetric"):
        clone(estimator).set_params(metric="precomputed").fit(D)


@pytest.mark.parametrize("estimator", OF_DISSIMILARITIES, ids=repr)
def test_objects_that_are_all_alike_are_refused(estimator):
    with pytest.raises(ValueError, match="zeros only"):
        clone(estimator).fit(np.ones((N, 2)))


# ---------------------------------------------------------------- jobs

OF_JOBS = [estimator for estimator in ESTIMATORS if "n_jobs" in estimator.get_params()]


@pytest.mark.parametrize("estimator", OF_JOBS, ids=repr)
def test_number_of_jobs_changes_no_byte(estimator):
    with parallel_config(backend="threading"):  # processes of their own take seconds to start
        first, again = (results(seeded_fit(estimator, X, n_jobs=n_jobs)) for n_jobs in (None, 2))
    assert first == again


#: Those that draw nothing but the seeds of their bases.
OF_PARTITIONS = [
    estimator
    for estimator in ESTIMATORS
    if hasattr(estimator, "fit_from_partitions")
    and not estimator.get_params().get("n_pairs")
    and estimator.get_params().get("init") != "random"
]


@pytest.mark.parametrize("estimator", OF_PARTITIONS, ids=repr)
def test_partitions_of_a_fit_give_it_again(estimator):
    fit = seeded_fit(estimator, X)
    again = results(clone(estimator).fit_from_partitions(fit.partitions_))
    assert again == {name: value for name, value in results(fit).items() if name != "n_features_in_"}


# ---------------------------------------------------------------- ties


def test_of_equally_good_medoids_the_first_is_taken():
    """As documented: where there are such ties, the order of the objects decides."""
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    D = squareform(pdist(corners, "cityblock"))
    assert next_medoids(D**2, np.ones((4, 3))).tolist() == [0, 1, 2]


# ---------------------------------------------------------------- metrics


def failing_metric(first, second):
    raise TypeError("no objects of mine")


@pytest.mark.parametrize("estimator", OF_DISSIMILARITIES, ids=repr)
@pytest.mark.parametrize(
    "metric", ["mahalanobis", "nonsense", failing_metric], ids=["singular", "unknown", "raises"]
)
def test_a_metric_that_fails_is_named(estimator, metric):
    message = r"expected a metric .*([Ss]ingular matrix|VI|nonsense|no objects of mine)"
    with pytest.raises(ValueError, match=message):
        clone(estimator).set_params(metric=metric).fit(np.ones((N, 2)))


@pytest.mark.parametrize("metric", ["mahalanobis", "seuclidean"])
def test_neighbours_by_metrics_that_take_parameters_from_the_data(metric):
    distances, neighbours = nearest_neighbours(X, 3, metric)
    D = squareform(pdist(X, metric)) + np.diag(np.full(N, np.inf))
    np.testing.assert_allclose(distances, np.sort(D, axis=1)[:, :3])  # rounding
    np.testing.assert_array_equal(neighbours, np.argsort(D, axis=1)[:, :3])
