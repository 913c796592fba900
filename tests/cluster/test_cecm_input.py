"""CECM: degenerate data, bad input, bad constraints."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.cecm import CECM
from credalbench.datasets import load
from tests.cluster.test_cecm import METRICS, fitted, random_problem

BUTTERFLY = load("butterfly").X


# ---------------------------------------------------------------- degenerate data


@pytest.mark.parametrize("subsets", ["full", FocalSets.full(2, empty=False)])
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6])
@pytest.mark.parametrize("metric", METRICS)
def test_extreme_units_and_xi_give_masses(subsets, scale, metric):
    """Constraints then outweigh the data by more than double precision can hold, or hardly count."""
    rng = np.random.default_rng(0)
    X = scale * np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 4])
    for xi in (0.5, 1 - 1e-15):
        fit = CECM(2, xi=xi, delta=10 * scale, metric=metric, focal_sets=subsets, random_state=0)
        fit.fit(X, must_link=[(0, 1), (2, 3), (0, 25)], cannot_link=[(4, 5)])
        assert np.isfinite(fit.partition_.masses).all()
        assert np.isfinite(fit.objective_trace_).all()


def test_objects_at_one_place_can_be_separated_by_constraints():
    X = np.array([[0.0, 0], [0.0, 0], [1.0, 0], [5.0, 0], [6.0, 0]])
    fit = CECM(2, xi=0.9, init=[[0.5, 0], [5.5, 0]]).fit(X, cannot_link=[(0, 1)])
    assert fit.labels_[0] != fit.labels_[1]
    assert len(fit.violated_) == 0


def test_predict_uses_the_prototypes_and_no_constraint():
    X, V, constraints = random_problem(12)
    fit = fitted(X, constraints, delta=2.0, init=V)
    free = np.setdiff1d(np.arange(len(X)), np.flatnonzero(constraints.constrained))
    assert free.size
    predicted = fit.predict_partition(X).masses
    np.testing.assert_allclose(predicted[free], fit.partition_.masses[free], atol=1e-12)  # rounding
    np.testing.assert_array_equal(fit.predict(X)[free], fit.labels_[free])


# ---------------------------------------------------------------- bad input


def test_constraints_cannot_be_all_that_counts():
    with pytest.raises(ValueError, match="xi < 1"):
        CECM(2, xi=1.0).fit(BUTTERFLY)
