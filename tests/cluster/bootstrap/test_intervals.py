"""Percentile intervals of pairs, tile by tile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.cluster.bootstrap import intervals
from credalbench.cluster.bootstrap.intervals import interval_targets, targets_of_others
from tests.oracles import bootgmm as literal


def posteriors(seed, n=7, c=3, B=9):
    drawn = np.random.default_rng(seed).dirichlet(np.full(c, 0.5), (n, B)).astype(np.float32)
    return np.ascontiguousarray(drawn.transpose(0, 2, 1))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.integers(1, 4),
    st.integers(1, 12),
    st.sampled_from([0.5, 0.9, 0.99]),
)
def test_targets_are_the_literal_quantiles_of_every_pair(seed, n, c, B, confidence):
    P = posteriors(seed, n, c, B)
    levels = (1 - confidence) / 2, (1 + confidence) / 2
    lower, upper = literal.intervals(P.transpose(2, 0, 1).astype(float), confidence)
    targets = interval_targets(P, levels)
    off = ~np.eye(n, dtype=bool)
    np.testing.assert_allclose(targets[:, 0], lower, atol=1e-6)  # single precision
    np.testing.assert_allclose(targets[:, 1][off], (1 - upper)[off], atol=1e-6)
    assert (targets[np.arange(n), :, np.arange(n)] == 0).all()
    assert (targets >= 0).all()
    assert (targets.sum(axis=1) <= 1 + 1e-6).all()  # lower end below upper one, in single precision


@pytest.mark.parametrize("tile", [1, 40, 10**6])
def test_tiles_and_threads_change_no_bit(tile, monkeypatch):
    P = posteriors(0, n=23)
    whole = interval_targets(P, (0.05, 0.95))
    monkeypatch.setattr(intervals, "TILE", tile)
    for n_jobs in (1, 2):
        assert interval_targets(P, (0.05, 0.95), n_jobs).tobytes() == whole.tobytes()
    assert targets_of_others(P[:5], P, (0.05, 0.95))[:, :, 5:].tobytes() == whole[:5, :, 5:].tobytes()
