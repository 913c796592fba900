"""The study of what the CECM paper says of its model: measures against dense sums, claims that can fail."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.constrained.masses import constraint_terms, scaled_objective
from credalbench.core.constraints import PairwiseConstraints
from credalbench.papers import NotCheckable
from experiments.antoine2012_cecm.properties import claims, measures


@pytest.fixture
def found(smoke_result):
    return smoke_result("antoine2012_cecm/properties")


@pytest.mark.parametrize("xi", [0.01, 0.5])
def test_least_curvature_is_that_of_the_whole_hessian(xi):
    """Second differences of the objective itself along directions that keep each object's masses at sum 1."""
    rng, focal_sets, n = np.random.default_rng(3), FocalSets.full(2), 5
    costs = rng.uniform(1, 3, (n, len(focal_sets)))
    terms = constraint_terms(PairwiseConstraints(n, [(0, 1), (1, 2)], [(2, 3)]), focal_sets, xi)
    basis = np.linalg.svd(np.ones((1, len(focal_sets))))[2][1:]
    moves = [np.outer(np.eye(n)[i], direction) for i in range(n) for direction in basis]

    def hessian(terms):
        middle, J = np.full_like(costs, 0.25), lambda M: scaled_objective(M, costs, terms)
        return np.array(
            [[J(middle + a + b) - J(middle + a) - J(middle + b) + J(middle) for a in moves] for b in moves]
        )

    root = np.linalg.inv(np.linalg.cholesky(hessian(constraint_terms(terms.constraints, focal_sets, 0.0))))
    expected = np.linalg.eigvalsh(root @ hessian(terms) @ root.T)[0]
    assert measures.least_curvature(costs, terms) == pytest.approx(expected, abs=1e-10)  # differences
    assert (expected < 0) == (xi == 0.5)


@pytest.mark.parametrize(
    ("check", "table", "changes"),
    [
        (claims.programme_is_convex, "fits", {"least_curvature": 0.5}),
        (claims.norm_is_a_covariance, "norms", {"norm_along_spread": 2.0}),
        (claims.covariance_is_definite, "norms", {"least_eigenvalue_redundant": 0.1}),
        (claims.delta_exceeds_distances, "deltas", {"used": 100.0}),
        (claims.sizes_are_limited, "large", {"converged": False}),
    ],
)
def test_what_differs_could_hold(found, check, table, changes):
    assert check(found.params, found.tables).holds is False
    assert check(found.params, found.tables | {table: found.tables[table].assign(**changes)}).holds


def test_sizes_within_the_papers_decide_nothing(found):
    with pytest.raises(NotCheckable, match="beyond these sizes"):
        claims.sizes_are_limited(found.params, {"large": found.tables["large"].query("n < 1000")})
