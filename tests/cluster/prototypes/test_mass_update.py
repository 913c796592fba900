"""The mass step of the ECM family: the printed formula, its optimality, and its limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs, objective
from tests.oracles import recm as literal

BETAS = st.sampled_from([1.05, 1.1, 1.5, 2.0, 3.0])


def random_distances(seed, n=6, c=3):
    rng = np.random.default_rng(seed)
    focal_sets = FocalSets.full(c)
    return rng.gamma(2.0, size=(n, len(focal_sets) - 1)), focal_sets


@pytest.mark.parametrize("alpha", [-1.0, 0.0, 1.0, 2.0])
@pytest.mark.parametrize("beta", [1.1, 1.5, 2.0])
def test_masses_follow_the_printed_formula(alpha, beta):
    """[antoine2012_cecm (A.1)] and [antoine2012_cecm (A.2)]; the same as [djiberou2019_catecm (12)] and
    [djiberou2019_catecm (13)]."""
    d2, focal_sets = random_distances(0)
    masses = masses_from_costs(focal_costs(d2, focal_sets, alpha, 1.3), beta)
    with_empty = np.column_stack([np.zeros(len(d2)), d2])
    expected = literal.masses(with_empty, focal_sets.sets, alpha, beta, 1.3)
    np.testing.assert_allclose(masses, expected, atol=1e-13)  # rounding; the remainder is by subtraction


def test_objective_is_the_printed_sum():
    """[djiberou2019_catecm (6)]."""
    d2, focal_sets = random_distances(1)
    costs = focal_costs(d2, focal_sets, 1.0, 1.3)
    masses = masses_from_costs(costs, 1.5)
    expected = literal.objective(
        masses, np.column_stack([np.zeros(len(d2)), d2]), focal_sets.sets, 1.0, 1.5, 1.3
    )
    assert objective(masses, costs, 1.5) == pytest.approx(expected, rel=1e-13)  # rounding of 48 terms


@given(st.integers(0, 2**32 - 1), BETAS)
def test_no_other_masses_on_the_simplex_cost_less(seed, beta):
    d2, focal_sets = random_distances(seed)
    costs = focal_costs(d2, focal_sets, 1.0, 1.3)
    best = objective(masses_from_costs(costs, beta), costs, beta)
    others = np.random.default_rng(seed).dirichlet(np.ones(len(focal_sets)), size=(20, len(d2)))
    assert all(objective(other, costs, beta) >= best * (1 - 1e-13) for other in others)  # rounding


@given(st.integers(0, 2**32 - 1), BETAS, st.floats(-300, 300))
def test_masses_lie_on_the_simplex_and_do_not_depend_on_the_unit(seed, beta, exponent):
    """Twenty-fold powers of tiny and huge distances neither overflow nor underflow."""
    d2, focal_sets = random_distances(seed)
    costs = focal_costs(d2, focal_sets, 1.0, 1.3)
    masses = masses_from_costs(costs, beta)
    assert (masses >= 0).all()
    np.testing.assert_allclose(masses.sum(axis=1), 1.0, rtol=1e-14)  # rounding
    np.testing.assert_allclose(masses_from_costs(costs * 10**exponent, beta), masses, atol=1e-14)
    # rounding of the scaled costs, times the power 20


def test_zero_distances_share_the_unit_mass_equally():
    costs = np.array([[2.0, 0.0, 3.0, 0.0], [2.0, 1.0, 3.0, 1.0], [2.0, 0.0, 1.0, 1.0]])
    masses = masses_from_costs(costs, 1.5)
    np.testing.assert_array_equal(masses[0], [0, 0.5, 0, 0.5])
    np.testing.assert_array_equal(masses[2], [0, 1, 0, 0])
    assert masses[1, 1] == masses[1, 3] > masses[1, 0]


def test_negligible_costs_count_as_zero():
    costs = np.array([[1e-30, 2e-30, 1.0], [0.0, 1e-30, 1.0], [1.0, 2.0, 4.0]])
    masses = masses_from_costs(costs, 2.0, negligible=1e-29)
    np.testing.assert_array_equal(masses[:2], [[0.5, 0.5, 0], [0.5, 0.5, 0]])
    np.testing.assert_allclose(masses[2], [4 / 7, 2 / 7, 1 / 7], rtol=1e-15)  # rounding
    assert masses_from_costs(costs, 2.0)[0, 0] == pytest.approx(2 / 3)
