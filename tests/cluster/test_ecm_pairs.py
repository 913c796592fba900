"""ECM with informative pairs of clusters: the second run, its memory, bad numbers of neighbours."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import ECM, EVCLUS, RECM, EvidentialEnsemble, add_pairs
from credalbench.datasets import load, make_t4
from credalbench.metrics import adjusted_rand

METRICS = ["euclidean", "mahalanobis"]


@pytest.mark.parametrize("metric", METRICS)
def test_a_second_run_goes_on_from_the_prototypes_of_the_first(metric):
    X = make_t4(120, random_state=0).X
    options = {"metric": metric, "delta": 4.0}
    first = ECM(4, focal_sets="simple", random_state=0, **options).fit(X)
    both = ECM(4, focal_sets="simple", pair_neighbors=2, random_state=0, **options).fit(X)
    np.testing.assert_allclose(both.first_partition_.masses, first.partition_.masses, atol=1e-12)  # centred
    richer = add_pairs(first.partition_, 2).focal_sets
    assert both.partition_.focal_sets == richer
    assert len(richer) > 6
    second = ECM(4, focal_sets=richer, init=first.cluster_centers_, **options).fit(X)
    assert both.n_iter_ == second.n_iter_
    np.testing.assert_allclose(both.objective_trace_, second.objective_trace_, rtol=1e-12)  # start, centred
    np.testing.assert_allclose(both.partition_.masses, second.partition_.masses, atol=1e-9)  # the same
    np.testing.assert_array_equal(both.predict_partition(X).masses, both.partition_.masses)


def test_without_neighbours_to_add_the_second_run_stays_where_the_first_ended():
    """Two clusters have one pair, which is the set of all."""
    X = make_t4(60, random_state=0).X
    first, both = (ECM(2, pair_neighbors=K, random_state=0).fit(X) for K in (None, 1))
    assert both.partition_.focal_sets == first.partition_.focal_sets
    assert both.objective_trace_[0] == pytest.approx(first.objective_, rel=1e-14)  # the same prototypes
    assert both.objective_ <= first.objective_
    assert not hasattr(first, "first_partition_")


@pytest.mark.parametrize("method", [ECM, EVCLUS, EvidentialEnsemble])
def test_a_fit_without_neighbours_has_no_first_partition_of_an_earlier_one(method):
    fit = method(3, pair_neighbors=1, random_state=0).fit(load("iris").X)
    assert hasattr(fit, "first_partition_")
    assert not hasattr(fit.set_params(pair_neighbors=None).fit(load("iris").X), "first_partition_")


# ---------------------------------------------------------------- the default


def separated(places, n=40):
    """Unit normal clusters 8 apart, at places on a grid, and their numbers."""
    places = 8.0 * np.array(places)
    y = np.repeat(np.arange(len(places)), n)
    return places[y] + np.random.default_rng(0).normal(size=(len(y), 2)), y


@pytest.mark.parametrize("c", [1, 2, 3])
def test_up_to_three_clusters_all_sets_are_the_default(c):
    X, _ = separated([(0, 0), (1, 0), (0, 1)])
    first, again = (ECM(c, focal_sets=sets, random_state=0).fit(X) for sets in ("auto", "full"))
    assert first.objective_trace_.tobytes() == again.objective_trace_.tobytes()
    assert ECM(c).focal_sets == RECM(c).focal_sets == "auto" and not hasattr(first, "first_partition_")
    relational = [RECM(c, focal_sets=sets, random_state=0).fit(X) for sets in ("auto", "full")]
    assert relational[0].objective_ == relational[1].objective_


def test_of_more_clusters_the_default_is_simple_sets_and_nearest_pairs():
    X, _ = separated([(0, 0), (1, 0), (3, 0), (4, 0)])
    found = ECM(4, random_state=0).fit(X)
    asked = ECM(4, focal_sets="simple", pair_neighbors=1, random_state=0).fit(X)
    assert found.partition_.masses.tobytes() == asked.partition_.masses.tobytes()
    assert {1, 2} <= {len(A) for A in found.partition_.focal_sets} and len(found.partition_.focal_sets) == 8
    more = ECM(4, pair_neighbors=3, random_state=0).fit(X)
    assert len(more.partition_.focal_sets) > 8
    assert RECM(4, random_state=0).fit(X).partition_.focal_sets == FocalSets.simple(4)


def test_the_default_finds_clusters_between_others():
    """The pair of the outer clusters of a row has its barycentre on the middle one."""
    X, y = separated([(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)])
    assert adjusted_rand(y, ECM(9, random_state=0).fit(X).labels_) == 1
    assert adjusted_rand(y, ECM(9, focal_sets="pairs", random_state=0).fit(X).labels_) < 0.9
