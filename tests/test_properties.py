"""What must not change a result: names of clusters, threads, copies; and what a fit must not change."""

import copy
import pickle

import numba
import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from credalbench.cluster.eknnclus import nearest_neighbours
from credalbench.cluster.mecm import next_medoids
from tests.test_estimators import (
    ALL,
    ESTIMATORS,
    GROUPS,
    LINKS,
    STARTS,
    N,
    X,
    every_estimator,
    fitted,
    memberships,
    results,
    suited,
)


def seeded_fit(estimator, X, **parameters):
    """A clone with other parameters, fitted under `LINKS` if it heeds any."""
    links = {name: pairs for name, pairs in LINKS.items() if has_fit_parameter(estimator, name)}
    return clone(estimator).set_params(**parameters).fit(suited(estimator, X), **links)


# ---------------------------------------------------------------- names of clusters

SWAPPED = [0, 2, 1, 3]  # where the sets ∅, {1}, {2}, {1, 2} are when the two clusters change names
COLUMNS = {2: [1, 0], 3: [1, 0, 2], 4: SWAPPED}  # of clusters, of their subsets without and with ∅


def labels(places):
    return (GROUPS[places] + (places % 7 == 0)) % 2  # some of each group with the other


def renamed(start):
    """A start of two clusters with their names exchanged, whatever kind it is."""
    if start.shape == (N, len(SWAPPED)):
        return start[:, SWAPPED]
    return 1 - start if start.shape == (N,) else start[::-1]


@every_estimator
def test_renamed_clusters_of_a_start_rename_those_of_the_result(estimator):
    start_of = {**STARTS, "EKNNclus": labels}.get(type(estimator).__name__)
    if start_of is None:
        pytest.skip("takes no start")
    start = start_of(ALL)
    first, again = (seeded_fit(estimator, X, init=init, max_iter=30) for init in (start, renamed(start)))
    np.testing.assert_array_equal(again.labels_, 1 - first.labels_)
    degrees, others = memberships(first), memberships(again)
    if degrees is not None:
        np.testing.assert_allclose(
            others[:, COLUMNS[degrees.shape[1]]], degrees, atol=1e-9
        )  # sums in another order


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
@every_estimator
def test_number_of_threads_changes_no_byte(estimator):
    first, again = (results(fitted_by(n_threads, estimator)) for n_threads in (1, 2))
    assert len(first) > 3
    assert first == again


# ---------------------------------------------------------------- copies, inputs


def by_pickle(fit):
    return pickle.loads(pickle.dumps(fit))


def answers(fit):
    """What a fit says of other objects, in bytes, by method."""
    said = {}
    for name in ("predict", "predict_membership", "predict_partition", "score", "transform"):
        if hasattr(fit, name):
            value = getattr(fit, name)(suited(fit, X[::3] + 0.5))
            said[name] = np.asarray(getattr(value, "masses", value)).tobytes()
    return said


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, by_pickle], ids=lambda way: way.__name__)
@every_estimator
def test_a_copy_answers_with_the_same_bytes(estimator, copied):
    fit = fitted(estimator)
    again = copied(fit)
    assert results(again) == results(fit)
    assert answers(again) == answers(fit)


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


# ---------------------------------------------------------------- ties


def test_of_equally_good_medoids_the_first_is_taken():
    """As documented: where there are such ties, the order of the objects decides."""
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    D = squareform(pdist(corners, "cityblock"))
    assert next_medoids(D**2, np.ones((4, 3))).tolist() == [0, 1, 2]


# ---------------------------------------------------------------- metrics


def tells_nothing(first, second):
    raise TypeError("no objects of mine")


@pytest.mark.parametrize("estimator", OF_DISSIMILARITIES, ids=repr)
@pytest.mark.parametrize(
    "metric", ["mahalanobis", "nonsense", tells_nothing], ids=["singular", "unknown", "raises"]
)
def test_a_metric_that_fails_is_named(estimator, metric):
    said = r"expected a metric .*([Ss]ingular matrix|VI|nonsense|no objects of mine)"
    with pytest.raises(ValueError, match=said):
        clone(estimator).set_params(metric=metric).fit(np.ones((N, 2)))


@pytest.mark.parametrize("metric", ["mahalanobis", "seuclidean"])
def test_neighbours_by_metrics_that_take_parameters_from_the_data(metric):
    distances, neighbours = nearest_neighbours(X, 3, metric)
    D = squareform(pdist(X, metric)) + np.diag(np.full(N, np.inf))
    np.testing.assert_allclose(distances, np.sort(D, axis=1)[:, :3])  # rounding
    np.testing.assert_array_equal(neighbours, np.argsort(D, axis=1)[:, :3])
