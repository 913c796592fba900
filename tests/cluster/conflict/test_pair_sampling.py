"""Sampled partners: who is drawn, how often, and how the lists are kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist
from scipy.stats import chisquare

from credalbench.cluster.conflict import pair_sampling
from credalbench.cluster.conflict.pair_sampling import (
    both_directions,
    pair_dissimilarities,
    positive_quantile,
    sample_partners,
)


@given(st.integers(2, 60), st.data())
@settings(max_examples=60)
def test_partners_are_distinct_and_never_the_object_itself(n, data):
    k = data.draw(st.integers(1, n - 1))
    partners = sample_partners(n, k, np.random.default_rng(data.draw(st.integers(0, 1000))))
    assert partners.shape == (n, k)
    assert (np.diff(np.sort(partners, axis=1), axis=1) > 0).all()
    assert (partners != np.arange(n)[:, None]).all()
    assert partners.min() >= 0
    assert partners.max() < n


def test_every_subset_is_equally_likely():
    """n = 5, k = 2: six subsets for each object, 2000 draws; fixed seed, so the p-value is a constant."""
    rng = np.random.default_rng(0)
    counts = {}
    for _ in range(2000):
        pair = tuple(sorted(sample_partners(5, 2, rng)[3]))
        counts[pair] = counts.get(pair, 0) + 1
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 0.01


def test_pieces_of_random_numbers_leave_no_seam(monkeypatch):
    whole = sample_partners(50, 7, np.random.default_rng(0))
    monkeypatch.setattr("credalbench.cluster.conflict.pair_sampling.DRAWS", 30)
    np.testing.assert_array_equal(sample_partners(50, 7, np.random.default_rng(0)), whole)


@pytest.mark.parametrize("k", [0, 5, -1])
def test_number_of_pairs_out_of_range_is_refused(k):
    with pytest.raises(ValueError, match="n_pairs"):
        sample_partners(5, k, np.random.default_rng(0))


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_pair_dissimilarities_are_entries_of_the_full_matrix(metric):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    X.flags.writeable = False
    partners = sample_partners(20, 6, rng)
    D = cdist(X, X, metric)
    expected = D[np.arange(20)[:, None], partners]
    found = expected.astype(np.float32)  # single precision
    np.testing.assert_allclose(pair_dissimilarities(X, partners, metric), found, rtol=2e-7)  # its last bit
    np.testing.assert_array_equal(pair_dissimilarities(D, partners, "precomputed"), found)


def test_both_directions_list_each_pair_at_both_ends():
    partners = sample_partners(15, 4, np.random.default_rng(1))
    delta = np.random.default_rng(2).random((15, 4))
    starts, listed, values = both_directions(partners, delta)
    for i in range(15):
        own = list(zip(partners[i], delta[i], strict=True))
        from_others = [(j, delta[j, r]) for j, r in np.argwhere(partners == i)]
        mine = slice(starts[i], starts[i + 1])
        assert list(zip(listed[mine], values[mine], strict=True)) == own + from_others


X = np.random.default_rng(0).normal(size=(30, 3)) + 9 * (np.arange(30) % 2)[:, None]


def test_the_quantile_is_that_of_the_distances_of_objects_that_are_apart(monkeypatch):
    rng = np.random.RandomState(0)
    expected = np.quantile(pdist(X), 0.2)
    assert positive_quantile(X, 0.2, rng) == pytest.approx(expected, rel=1e-14)  # one product
    assert positive_quantile(np.repeat(X, 3, axis=0), 0.2, rng) == pytest.approx(expected, rel=0.05)
    assert positive_quantile(1e90 * X, 0.2, rng) == pytest.approx(1e90 * expected, rel=1e-14)
    assert positive_quantile(np.ones((4, 2)), 0.2, rng) == 1.0
    monkeypatch.setattr(pair_sampling, "PAIRS", 300)
    assert positive_quantile(X, 0.2, rng) == pytest.approx(expected, rel=0.3)  # ten of 29 partners of each
