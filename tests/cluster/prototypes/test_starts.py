"""Starting prototypes."""

import warnings

import numpy as np
import pytest
from sklearn.cluster import KMeans

from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import CECM, ECM, EGMM, MECM, RECM, CatECM, ECMdd, MixedECM, MultiViewECM
from credalbench.cluster.prototypes.prototype_step import INITS, prototype_starts
from credalbench.datasets import make_t4

X = make_t4(80, random_state=0).X


def starts(init, n_init=1, data=X, c=4, weights=None):
    return list(prototype_starts(data, c, init, n_init, np.random.RandomState(0), weights))


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_starts_are_objects_at_different_places(init):
    drawn = starts(init, n_init=20)
    assert len(drawn) == 20
    for V in drawn:
        assert all((v == X).all(axis=1).any() for v in V)
        assert len(np.unique(V, axis=0)) == 4
    assert any((drawn[0] != V).any() for V in drawn[1:])


def test_random_starts_avoid_duplicates_as_long_as_there_are_other_places():
    places = np.repeat([[0.0], [1.0], [2.0]], [50, 1, 1], axis=0)
    for V in starts("random", n_init=10, data=places, c=3):
        np.testing.assert_array_equal(np.sort(V[:, 0]), [0, 1, 2])
    (V,) = starts("random", data=places, c=4)
    assert set(V[:, 0]) == {0.0, 1.0, 2.0}


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("n", [200, 15_000])  # all objects, a sample
def test_starts_count_weights_as_objects_in_any_order(init, n):
    rng = np.random.default_rng(0)
    data, weights = rng.integers(0, 20, (n, 2)).astype(float), rng.integers(0, 4, n)
    repeated = np.repeat(np.arange(n), weights)
    repeated = rng.permutation(repeated) if n == 200 else repeated  # the sample follows the order
    for V, expected in zip(starts(init, 3, data, weights=weights * 1.0), starts(init, 3, data[repeated])):
        np.testing.assert_array_equal(V, expected)


def test_k_means_start_is_a_fixed_point_of_k_means():
    (V,) = starts("k-means")
    again = KMeans(4, init=V, n_init=1).fit(X).cluster_centers_
    np.testing.assert_allclose(again, V, atol=1e-10)  # rounding


WITH_STARTS = [ECM, EGMM, CECM, RECM, MECM, ECMdd, MixedECM, MultiViewECM, FuzzyCMeans]


@pytest.mark.parametrize("model", WITH_STARTS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_more_starts_never_end_higher(model, seed):
    """The first start is the default one, also where a second run adds pairs of clusters."""
    data = np.random.default_rng(seed).normal(size=(150, 2))
    for c in (3, 5) if model in (CECM, MECM, MultiViewECM) else (3, 5, 7):
        sign = -1 if model is EGMM else 1
        fits = [model(c, n_init=count, random_state=seed).fit(data) for count in (1, 2, 5)]
        least = [sign * fit.objective_ for fit in fits]
        assert least[1] <= least[0] and least[2] <= least[0]


@pytest.mark.parametrize("model", [*WITH_STARTS[2:], ECM, CatECM])  # EGMM has no fit
def test_more_clusters_than_places_are_reported_by_one_warning(model):
    places = np.repeat([[0.0, 1.0], [4.0, 0.0], [0.0, 9.0]], 10, axis=0)
    masses = np.repeat([[0, 0.5, 0.5, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]], 10, axis=0)
    options = {"init": masses} if model is RECM else {}  # from random masses, the fourth is elsewhere
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model(4, random_state=0, **options).fit(places)
    assert sum("prototypes coincide" in str(warning.message) for warning in caught) == 1
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "prototypes coincide")
        model(2, random_state=0).fit(places[:20])
