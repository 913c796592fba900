"""Credal partitions to draw: made by hand, because a plot needs no fit."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import new_figure


@pytest.fixture
def ax():
    """Axes on a small figure outside pyplot."""
    return new_figure(4, 3, dpi=60).subplots()


@pytest.fixture
def butterfly():
    """Two wings, an object between them and an outlier: X (12, 2) and a partition over ∅, {1}, {2}, Ω."""
    wing = np.array([[-5, 0], [-3.34, 1.67], [-3.34, 0], [-3.34, -1.67], [-1.67, 0]])
    X = np.vstack([wing, [[0, 0]], -wing, [[0, 10]]])
    rows = [[0.05, 0.9, 0, 0.05]] * 5 + [[0, 0.2, 0.2, 0.6]] + [[0.05, 0, 0.9, 0.05]] * 5 + [[0.9, 0, 0, 0.1]]
    return X, CredalPartition(np.array(rows), FocalSets.simple(2))


@pytest.fixture
def four_groups():
    """Four heavy-tailed groups: X (200, 2), y (200,) and a noisy partition over pairs of clusters."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 50)
    X = np.array([[0, 0], [0, 5], [5, 0], [5, 5]])[y] + rng.standard_t(5, size=(200, 2))
    focal_sets = FocalSets.pairs(4)
    masses = rng.dirichlet(np.full(len(focal_sets), 0.1), 200)
    masses[np.arange(200), [focal_sets.index({int(k)}) for k in y]] += 2
    return X, y, CredalPartition(masses / masses.sum(axis=1, keepdims=True), focal_sets)
