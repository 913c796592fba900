"""The iterations of CECM one by one, to find where there is "no significant change in V" [antoine2012_cecm].

The estimators stop by their own rule; here the caller decides.
"""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.constrained.masses import ConstraintTerms, constrained_masses, constraint_terms
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import (
    identity_norms,
    norm_matrices,
    prototypes,
    prototypes_mahalanobis,
    squared_distances,
)
from credalbench.core.constraints import PairwiseConstraints

from .protocol import Problem

RESTS = 1e-3  # largest change of a coordinate that ends the iterations, as in the authors' program in R
MOST = 100  # iterations


def in_a_minimum(terms: ConstraintTerms) -> Callable:
    """Return the mass step of `CECM` with these constraints; the other one is `InteriorPoint`."""
    return lambda costs, previous=None: constrained_masses(costs, terms, previous)


def cecm_path(
    problem: Problem,
    V: np.ndarray,
    constraints: PairwiseConstraints,
    metric: str,
    xi: float,
    mass_step: Callable = in_a_minimum,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield prototypes (c, p) after each iteration of CECM from `V`, and the masses (n, f) before.

    ``mass_step(terms)(costs, previous)`` gives the masses; alpha is 1, all subsets of clusters are focal.
    """
    X, focal_sets, alpha, beta = problem.X, FocalSets.full(len(V)), 1.0, 2.0
    terms = constraint_terms(constraints, focal_sets, xi)
    step = mass_step(terms)
    S = identity_norms(*V.shape) if metric == "mahalanobis" else None
    masses = None
    while True:
        costs = focal_costs(squared_distances(X, V, focal_sets, S), focal_sets, alpha, problem.delta)
        masses = step(costs, masses)
        if S is None:
            V = prototypes(X, masses, focal_sets, alpha, beta, start=V)
        else:
            V = prototypes_mahalanobis(X, masses, S, focal_sets, alpha, beta, start=V)
            S, _ = norm_matrices(X, V, masses, focal_sets, alpha, beta, previous=S)
        yield V, masses


def settled_labels(path: Iterator[tuple[np.ndarray, np.ndarray]], V: np.ndarray) -> np.ndarray:
    """Return pignistic clusters (n,) where no coordinate of a prototype moves further than `RESTS`.

    ``path`` is that of `cecm_path` from prototypes `V` (c, p).
    """
    for after, masses in islice(path, MOST):
        settled, moved = masses, np.abs(after - V).max()
        V = after
        if moved <= RESTS:
            break
    focal_sets = FocalSets.full(len(V))
    shares = focal_sets.membership / np.maximum(focal_sets.cardinality, 1)[:, None]
    return (settled @ shares).argmax(axis=1)
