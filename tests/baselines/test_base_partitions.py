"""Base partitions: any clusterer, its seed, its number of clusters, what it finds."""

import warnings

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans, SpectralClustering
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline

from credalbench.baselines import FuzzyCMeans
from credalbench.baselines.base_partitions import (
    as_clusterers,
    base_partitions,
    n_clusters_of,
    number_range,
    seeded,
)
from credalbench.belief import CredalPartition
from credalbench.cluster import ECM, EVCLUS

X = np.random.default_rng(0).normal(size=(30, 3)) + 9 * (np.arange(30) % 2)[:, None]
GROUPS = np.arange(30) % 2


def test_masses_memberships_and_labels_are_all_taken():
    pipeline = make_pipeline(PCA(2), ECM(2, random_state=0))
    clusterers = [ECM(3, random_state=0), FuzzyCMeans(3, random_state=0), KMeans(2, n_init=1), pipeline]
    masses, memberships, labels, within = base_partitions(clusterers, X)
    assert masses == clusterers[0].partition_
    np.testing.assert_array_equal(memberships.masses, clusterers[1].membership_)
    assert labels.tolist() == (labels[0] ^ GROUPS ^ GROUPS[0]).tolist()
    assert isinstance(within, CredalPartition)
    assert [n_clusters_of(one) for one in (masses, memberships, labels, within)] == [3, 3, 2, 2]


def test_noise_is_no_cluster():
    (labels,) = base_partitions([DBSCAN(eps=0.01)], X)
    assert labels.tolist() == [-1] * 30
    assert n_clusters_of(labels) == 0


def test_a_seed_and_a_number_of_clusters_reach_the_clusterer_and_leave_the_given_one_alone():
    given = KMeans(2)
    assert seeded(given, 7, 5).get_params() == KMeans(5, random_state=7).get_params()
    assert given.get_params() == KMeans(2).get_params()
    assert seeded(given, 7).n_clusters == 2
    spectral = seeded(SpectralClustering(n_components=4), 7, 5)
    assert (spectral.n_clusters, spectral.n_components) == (5, 4)
    inner = seeded(make_pipeline(PCA(2), KMeans()), 7, 5)[-1]
    assert (inner.n_clusters, inner.random_state) == (5, 7)
    assert seeded(DBSCAN(), 7).get_params() == DBSCAN().get_params()
    with pytest.raises(ValueError, match=r"expected a base with the parameter n_clusters .*got DBSCAN"):
        seeded(DBSCAN(), 7, 5)


@pytest.mark.parametrize(
    ("given", "low", "high"), [(3, 3, 3), (np.int8(3), 3, 3), ((2, 9), 2, 9), (np.array([4, 4]), 4, 4)]
)
def test_numbers_of_clusters_are_one_or_an_interval(given, low, high):
    assert number_range(given, 30) == (low, high)


@pytest.mark.parametrize("given", [0, 31, (3, 2), (0, 3), (2, 31), (1, 2, 3), (2.0, 3.0), [[1, 2]]])
def test_other_numbers_of_clusters_are_refused(given):
    with pytest.raises(ValueError, match=r"^expected .*base_n_clusters"):
        number_range(given, 30)


@pytest.mark.parametrize("given", [[], KMeans, "KMeans", [KMeans(), 3], GaussianMixture(), PCA()])
def test_what_is_no_clusterer_is_refused(given):
    with pytest.raises(ValueError, match=r"^expected .*base"):
        as_clusterers(given)


def test_a_base_that_cannot_be_fitted_is_named_with_its_reason():
    with pytest.raises(ValueError, match=r"these 30 objects, got .* of EVCLUS\(.*: expected d0_quantile"):
        base_partitions([ECM(2), EVCLUS(2, d0_quantile=2.0)], X)


def test_warnings_of_bases_are_not_shown():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        base_partitions([ECM(3, random_state=0)], np.repeat(X[:2], 5, axis=0))  # of coinciding prototypes
