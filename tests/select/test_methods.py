"""The registry of methods: every clusterer is in it once, and what it takes is read from its class."""

import inspect

from sklearn.base import ClusterMixin

from credalbench import baselines, cluster
from credalbench.select.methods import METHODS


def test_every_exported_clusterer_is_a_method():
    classes = {
        one
        for package in (cluster, baselines)
        for name in package.__all__
        if inspect.isclass(one := getattr(package, name)) and issubclass(one, ClusterMixin)
    }
    found = [type(method.estimator) for method in METHODS.values()]
    assert classes <= set(found) and len(found) == len(set(found)) == len(classes) + 3


def test_kind_and_input_are_read_from_the_class():
    assert {METHODS[name].kind for name in ("ECM", "cat-ECM")} == {"credal"}
    assert {METHODS[name].kind for name in ("fuzzy c-means", "GustafsonKessel")} == {"fuzzy"}
    assert {METHODS[name].kind for name in ("k-means", "k-modes")} == {"hard"}
    assert (METHODS["ECM"].input, METHODS["cat-ECM"].input) == ("X", "frame")
    assert METHODS["EVCLUS"].given(metric="precomputed").input == "D"


def test_settings_that_a_method_does_not_have_are_ignored():
    given = METHODS["ECM"].given(n_clusters=3, m=7)
    assert given.estimator.n_clusters == 3 and not given.has("m") and given.has("m", "beta")
    assert METHODS["ECM"].estimator.n_clusters != 3
