"""The study of CECM's mass step: are its other ways right, and does it read its tables right?"""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.constrained.masses import constraint_terms, scaled_objective, settle
from credalbench.cluster.prototypes.mass_update import masses_from_costs
from credalbench.core.constraints import PairwiseConstraints
from experiments.antoine2012_cecm.mass_step import claims, ways


def random_programme(seed=0, n=10):
    rng = np.random.default_rng(seed)
    focal_sets = FocalSets.full(2)
    pairs = np.array([(0, 1), (1, 2), (3, 4), (5, 6), (2, 7)])
    constraints = PairwiseConstraints(n, pairs[:3], pairs[3:])
    return rng.uniform(0.5, 2, (n, len(focal_sets))), constraint_terms(constraints, focal_sets, 0.5)


def test_hessian_is_that_of_the_objective():
    """J is quadratic: half of x' H x; the study's xi is 0.5."""
    costs, terms = random_programme()
    masses = masses_from_costs(costs, 2)
    x = masses.ravel()
    expected = scaled_objective(masses, costs, terms) * (1 - 0.5) / costs.size
    assert x @ (ways.hessian(costs, terms) @ x) / 2 == pytest.approx(expected, rel=1e-12)  # rounding only


def test_a_step_of_the_interior_point_method_solves_its_linear_system():
    """Objects without constraints have a closed form, the others sparse factors; here all have one matrix."""
    costs, terms = random_programme(3)
    assert 0 < len(terms.objects) < len(costs)
    x = np.random.default_rng(3).dirichlet(np.ones(costs.shape[1]), len(costs))
    H, damping = ways.hessian(costs, terms).toarray(), 0.3
    diagonal, target = x**2 * H.diagonal().reshape(x.shape) + damping, -x * (H @ x.ravel()).reshape(x.shape)
    u, w = ways.InteriorPoint(terms).solve(x, diagonal, target)
    X = np.diag(x.ravel())
    left = (X @ H @ X + damping * np.eye(x.size)) @ u.ravel() + (x * w).ravel()
    np.testing.assert_allclose(left, target.ravel(), atol=1e-13)
    np.testing.assert_allclose(np.sum(x * u, axis=1), 0, atol=1e-13)


def test_interior_point_stops_on_the_way_to_a_minimum_of_its_tolerance():
    costs, terms = random_programme(4)
    far, near = (
        scaled_objective(ways.InteriorPoint(terms)(costs, tolerance=t), costs, terms) for t in (1e-3, 1e-9)
    )
    rest = scaled_objective(
        settle(costs, ways.InteriorPoint(terms)(costs, tolerance=1e-9), terms), costs, terms
    )
    assert rest <= near < far
    assert near == pytest.approx(rest, rel=1e-5)  # what the least gain of 1e-9 leaves, times f n


def test_without_constraints_the_interior_point_method_goes_to_the_masses_of_ecm():
    costs, _ = random_programme(5)
    terms = constraint_terms(PairwiseConstraints(len(costs)), FocalSets.full(2), 0.5)
    equal = np.full_like(costs, 0.25)
    masses = ways.InteriorPoint(terms)(costs, equal, tolerance=1e-12)
    np.testing.assert_allclose(masses, masses_from_costs(costs, 2), atol=1e-5)  # root of the least gain


@pytest.mark.parametrize(
    "solver", [lambda costs, terms: ways.InteriorPoint(terms)(costs), ways.squared_variables]
)
def test_solvers_of_the_whole_programme_end_on_the_simplex_and_below_ecm(solver):
    costs, terms = random_programme(1)
    masses = solver(costs, terms)
    np.testing.assert_allclose(masses.sum(axis=1), 1, atol=1e-12)
    assert masses.min() >= 0
    start = scaled_objective(masses_from_costs(costs, 2), costs, terms)
    assert scaled_objective(masses, costs, terms) < start


def test_component_masses_are_shared_by_must_linked_objects():
    costs, terms = random_programme(2)
    masses = ways.component_masses(costs, terms)
    np.testing.assert_allclose(masses[0], masses[2])  # joined through 1
    np.testing.assert_allclose(masses[0], masses_from_costs(costs[:3].mean(axis=0, keepdims=True), 2)[0])
    np.testing.assert_allclose(masses[9], masses_from_costs(costs[9:], 2)[0])  # alone


def test_random_starts_end_no_lower_than_their_best():
    costs, terms = random_programme(3)
    best = ways.best_of_random(costs, terms, np.random.default_rng(0))
    again = settle(costs, best.copy(), terms)
    assert scaled_objective(again, costs, terms) == pytest.approx(scaled_objective(best, costs, terms))


TABLE = pd.DataFrame(
    {
        "dataset": "iris",
        "n_constraints": 20,
        "repetition": [0, 0, 1, 1],
        "way": ["a", "b"] * 2,
        "objective": [1.0, 1.1, 3.0, 2.0],
        "ri": [0.9, 0.8, 0.7, 0.8],
    }
)


def test_excess_is_over_the_lowest_of_the_same_draw():
    np.testing.assert_allclose(claims.excess(TABLE)["excess"], [0, 0.1, 0.5, 0])
    assert claims.near(TABLE, "way").to_numpy().tolist() == [[True, False], [False, True]]
    assert claims.summary(TABLE, "way")["near"].to_dict() == {"a": 0.5, "b": 0.5}


def test_lower_objectives_win_where_their_rand_index_is_higher():
    assert [claims.wins_of_lower(draw) for _, draw in TABLE.groupby("repetition")] == [1.0, 1.0]
    assert np.isnan(claims.wins_of_lower(TABLE.iloc[:1]))
    tie = TABLE.iloc[:2].assign(ri=0.5)
    assert claims.wins_of_lower(tie) == 0.5
