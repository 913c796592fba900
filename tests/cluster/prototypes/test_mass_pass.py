"""One pass over the objects: sums of blocks, whoever computes them."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes import mass_update
from credalbench.cluster.prototypes.mass_update import (
    Setting,
    focal_costs,
    masses_from_costs,
    moments,
    objective,
    optimal_masses,
)
from credalbench.cluster.prototypes.prototype_step import (
    barycentres,
    set_moments,
    set_scatters,
    squared_distances,
)

SETTING = Setting(FocalSets.full(3), 1.0, 2.0, 1.5)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(3, 2, 2)) + 2 * np.eye(2)
    return rng.normal(size=(3000, 2)), rng.normal(size=(3, 2)), roots @ roots.swapaxes(1, 2)


@pytest.mark.parametrize("adaptive", [False, True])
def test_moments_are_those_of_all_objects_at_once(problem, adaptive, monkeypatch):
    X, V, S = problem
    S = S if adaptive else None
    monkeypatch.setattr(mass_update, "SLICE_ELEMENTS", 1)  # so the least size, 256 rows: a dozen blocks
    costs = focal_costs(squared_distances(X, V, SETTING.focal_sets, S), SETTING.focal_sets, 1.0, 1.5)
    masses = masses_from_costs(costs, 2.0)
    weights, sums = set_moments(X, masses, SETTING.focal_sets, 2.0, V)
    got = moments(X, V, S, SETTING)
    assert got.objective == pytest.approx(objective(masses, costs, 2.0), rel=1e-12)  # rounding
    np.testing.assert_allclose(got.weights, weights, rtol=1e-12)
    np.testing.assert_allclose(got.sums, sums, atol=1e-9)  # of 3000 terms that cancel
    np.testing.assert_allclose(optimal_masses(X, V, S, SETTING), masses, rtol=1e-12)
    if adaptive:
        scatters = set_scatters(X, masses[:, 1:].T ** 2, barycentres(V, SETTING.focal_sets))
        np.testing.assert_allclose(got.scatters, scatters, rtol=1e-11)
    else:
        assert got.scatters is None
