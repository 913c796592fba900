"""The distance to the empty set that bases are given."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from credalbench.cluster.ensembles import distances
from credalbench.cluster.ensembles.distances import positive_quantile

X = np.random.default_rng(0).normal(size=(30, 3)) + 9 * (np.arange(30) % 2)[:, None]


def test_the_quantile_is_that_of_the_distances_of_objects_that_are_apart(monkeypatch):
    rng = np.random.RandomState(0)
    expected = np.quantile(pdist(X), 0.2)
    assert positive_quantile(X, 0.2, rng) == pytest.approx(expected, rel=1e-14)  # one product
    assert positive_quantile(np.repeat(X, 3, axis=0), 0.2, rng) == pytest.approx(expected, rel=0.05)
    assert positive_quantile(1e90 * X, 0.2, rng) == pytest.approx(1e90 * expected, rel=1e-14)
    assert positive_quantile(np.ones((4, 2)), 0.2, rng) == 1.0
    monkeypatch.setattr(distances, "PAIRS", 300)
    assert positive_quantile(X, 0.2, rng) == pytest.approx(expected, rel=0.3)  # ten of 29 partners of each
