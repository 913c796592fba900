r"""The mass step of CECM: masses for the costs of the objects and the constraints between them.

With prototypes and norms fixed, the objective [antoine2012_cecm (21)] is, times :math:`f n / (1 - \xi)`,

.. math:: J(M) = \sum_i \sum_A C_{iA} m_{iA}^2
                 + \kappa \Big[ \sum_{(i,j) \in \mathcal M} m_i^T D\, m_j
                 + \sum_{(i,j) \in \mathcal C} m_i^T E\, m_j \Big], \qquad
          \kappa = \frac{\xi}{1 - \xi} \cdot \frac{f n}{|\mathcal M| + |\mathcal C|}

on the simplices, with :math:`m_i^T E m_j` the plausibility of "same cluster" and :math:`m_i^T D m_j` that of
"different clusters". It is quadratic but **not convex**, so the result depends on the path. Objects without
constraints always get ECM's masses. There are three solvers for the others:

``"cyclic"``
    Objects in turn, each exactly, from the masses of the previous mass step. The objective never increases,
    but masses that prefer a cluster keep it.
``"simultaneous"``
    All objects at once, a fifth of the way, from ECM's masses; cyclic sweeps if these do not settle.
``"continuation"``
    From masses that are equal on all sets, with one cyclic sweep at each of `STAGES` strengths from
    :math:`\kappa / STAGES` up to :math:`\kappa`, then cyclic sweeps until they settle. Like the path of an
    interior-point method, this considers the data before the constraints fix the masses. It reaches the
    lowest objectives (see ``benchmarks/cecm_mass_step.py``).

Whatever the solver, a result with a higher objective than the previous masses is replaced by cyclic sweeps
from these: the mass step never raises the objective.
"""

from typing import NamedTuple

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.constrained.mass_sweeps import sweep_in_turn, sweep_together
from credalbench.cluster.prototypes.mass_update import masses_from_costs, objective
from credalbench.cluster.simplex.simplex_qp import Network
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.kernels import warm_up

SOLVERS = ("continuation", "cyclic", "simultaneous")
STAGES = 20  # strengths of the constraints on the way; 5 end higher in one case in ten
STEP = 0.2  # of simultaneous sweeps; at 1 they oscillate
SETTLED = 1e-6  # largest change of a mass in the last sweep
MAX_SWEEPS = 1000


class ConstraintTerms(NamedTuple):
    """The constraint part of the objective: the pairs, how they are charged, and how strongly."""

    constraints: PairwiseConstraints
    objects: np.ndarray  # those in some constraint
    network: Network
    strength: float  # kappa


def constraint_terms(constraints: PairwiseConstraints, focal_sets: FocalSets, xi: float) -> ConstraintTerms:
    """Return `ConstraintTerms` of `PairwiseConstraints` between n objects; xi in [0, 1)."""
    n, f = constraints.n_objects, len(focal_sets)
    strength = xi / (1 - xi) * f * n / max(len(constraints), 1)
    objects = np.flatnonzero(constraints.constrained) if strength > 0 else np.empty(0, dtype=np.int64)
    return ConstraintTerms(constraints, objects, network_of(constraints, focal_sets), strength)


def network_of(constraints: PairwiseConstraints, focal_sets: FocalSets) -> Network:
    """Return the constraints in the form that the kernels need; a violation costs its plausibility."""
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    must = np.arange(len(pairs)) < len(constraints.must_link)
    weights = np.r_[constraints.must_link_weights, constraints.cannot_link_weights]
    begin, end = np.r_[pairs, pairs[:, ::-1]].T
    order = np.argsort(begin, kind="stable")
    counts = np.bincount(begin, minlength=constraints.n_objects)
    starts = np.r_[0, np.cumsum(counts)].astype(np.int64)
    return Network(
        starts,
        end[order],
        np.r_[must, must][order],
        np.r_[weights, weights][order],
        same_matrix(focal_sets),
        different_matrix(focal_sets),
    )


def same_matrix(focal_sets: FocalSets) -> np.ndarray:
    """Return E (f, f) of pl("same cluster") = m_i' E m_j: 1 where sets meet, [antoine2012_cecm (18)]."""
    return focal_sets.intersects.astype(float)


def different_matrix(focal_sets: FocalSets) -> np.ndarray:
    """Return D with pl("different clusters") = m_i' D m_j, [antoine2012_cecm (19)]. (f, f).

    1 for two non-empty sets, except for a singleton and itself. The joint mass on the empty set
    [antoine2012_cecm (17)] makes 1 - m(∅) the product of the masses on non-empty sets, and joint masses on
    the others are products, [antoine2012_cecm (16)].
    """
    some = focal_sets.cardinality > 0
    return np.outer(some, some).astype(float) - np.diag(focal_sets.cardinality == 1).astype(float)


def joint_plausibilities(
    masses: np.ndarray, pairs: np.ndarray, focal_sets: FocalSets
) -> tuple[np.ndarray, np.ndarray]:
    """Return the plausibilities that the objects of each pair are in the same cluster, and in different ones.

    Computes [antoine2012_cecm (18)] and [antoine2012_cecm (19)], both 1 if nothing is known:
    (n, f) masses, (m, 2) pairs -> (m,), (m,).
    """
    first, second = masses[pairs[:, 0]], masses[pairs[:, 1]]
    return tuple(
        np.einsum("ik,ik->i", first @ matrix, second)
        for matrix in (same_matrix(focal_sets), different_matrix(focal_sets))
    )


def violation_sum(masses: np.ndarray, terms: ConstraintTerms) -> float:
    """Sum the weighted plausibilities of violated constraints, the brackets of [antoine2012_cecm (20)]."""
    constraints, network = terms.constraints, terms.network
    total = 0.0
    for pairs, weights, matrix in (
        (constraints.must_link, constraints.must_link_weights, network.different),
        (constraints.cannot_link, constraints.cannot_link_weights, network.same),
    ):
        total += np.einsum("i,ik,ik->", weights, masses[pairs[:, 0]] @ matrix, masses[pairs[:, 1]])
    return float(total)


def constraint_cost(masses: np.ndarray, terms: ConstraintTerms) -> float:
    """Compute the mean plausibility of a violation in [0, 1], J_CONST of [antoine2012_cecm (20)]."""
    return violation_sum(masses, terms) / max(len(terms.constraints), 1)


def scaled_objective(masses: np.ndarray, costs: np.ndarray, terms: ConstraintTerms) -> float:
    """Return J(M) of the module: [antoine2012_cecm (21)] times f n / (1 - xi)."""
    return objective(masses, costs, 2) + terms.strength * violation_sum(masses, terms)


def constrained_masses(
    costs: np.ndarray,
    terms: ConstraintTerms,
    previous: np.ndarray | None = None,
    solver: str = "continuation",
    negligible: float = 0.0,
) -> np.ndarray:
    """Return masses (n, f) that minimise the objective at fixed prototypes and norms; a local minimum.

    `costs` (n, f) are those of `mass_update.focal_costs`; up to `negligible` they count as zero. The
    result is not worse than the `previous` masses. A sweep costs O(q f + m f (f + log f)) with m objects
    in q constraints.
    """
    free = masses_from_costs(costs, 2, negligible)  # exact for the objects without constraints
    if not terms.objects.size:
        return free
    costs = np.ascontiguousarray(costs)
    warm = free.copy()
    if previous is not None:
        warm[terms.objects] = previous[terms.objects]
    if solver == "cyclic":
        return settle(costs, warm, terms, negligible)
    found = (_continue if solver == "continuation" else _together)(costs, free, terms, negligible)
    if previous is None or scaled_objective(found, costs, terms) <= scaled_objective(warm, costs, terms):
        return found
    return settle(costs, warm, terms, negligible)


def settle(
    costs: np.ndarray, masses: np.ndarray, terms: ConstraintTerms, negligible: float = 0.0
) -> np.ndarray:
    """Sweep cyclically from the given masses (n, f), in place, until they settle."""
    for _ in range(MAX_SWEEPS):
        if sweep_in_turn(costs, masses, *terms[1:], negligible) < SETTLED:
            break
    return masses


def _continue(costs: np.ndarray, free: np.ndarray, terms: ConstraintTerms, negligible: float):
    masses = free.copy()
    masses[terms.objects] = 1.0 / masses.shape[1]
    for stage in range(1, STAGES):
        strength = terms.strength * stage / STAGES
        sweep_in_turn(costs, masses, terms.objects, terms.network, strength, negligible)
    return settle(costs, masses, terms, negligible)


def _together(costs: np.ndarray, free: np.ndarray, terms: ConstraintTerms, negligible: float):
    masses = free.copy()
    for _ in range(MAX_SWEEPS):
        if sweep_together(costs, masses, *terms[1:], negligible, STEP) < SETTLED:
            return masses
    return settle(costs, masses, terms, negligible)  # strong constraints: the sweeps went round in a cycle


@warm_up
def compile_mass_sweeps() -> None:
    """Make the kernels of all solvers ready, on three objects."""
    terms = constraint_terms(PairwiseConstraints(3, [(0, 1)], [(1, 2)]), FocalSets.full(2), 0.5)
    for solver in SOLVERS:
        constrained_masses(np.ones((3, 4)), terms, solver=solver)
