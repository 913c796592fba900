r"""The stress of EVCLUS with must-links and cannot-links: one more linear term in each row's programme.

.. math:: J(M) + \frac{\xi}{|\mathcal M| + |\mathcal C|} \Big[
          \sum_{(i,j) \in \mathcal M} \big( pl_{ij}(\bar\theta) + 1 - pl_{ij}(\theta) \big)
          + \sum_{(i,j) \in \mathcal C} \big( pl_{ij}(\theta) + 1 - pl_{ij}(\bar\theta) \big) \Big]

with :math:`\theta` the event "same cluster" [antoine2014], [li2018]. With the matrices of ``masses.py``,
:math:`pl_{ij}(\theta) = m_i^T E m_j` and :math:`pl_{ij}(\bar\theta) = m_i^T D m_j`, a must-link costs
:math:`m_i^T (D + 1 - E) m_j` and a cannot-link :math:`m_i^T (E + 1 - D) m_j`, each in [0, 2]: both are linear
in the masses of either object. Each row is therefore still a convex programme, and a sweep never increases
the sum.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Self, get_args

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.conflict.stress import AllPairs, SampledPairs, Stress
from credalbench.cluster.conflict.tile_graph import draw_tiles
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.constrained.masses import different_matrix, network_of, same_matrix
from credalbench.cluster.simplex.simplex_qp import Links, Network
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.kernels import warm_up


def link_costs(focal_sets: FocalSets) -> tuple[np.ndarray, np.ndarray]:
    """Return what a must-link and a cannot-link cost for each pair of sets: two (f, f) matrices in [0, 2]."""
    E, D = same_matrix(focal_sets), different_matrix(focal_sets)
    return D + 1 - E, E + 1 - D


def cost_and_gradient(M: np.ndarray, pairs: np.ndarray, cost: np.ndarray) -> tuple[float, np.ndarray]:
    """Sum what `pairs` (q, 2) of masses `M` (n, f) cost by a symmetric matrix; with the gradient (n, f)."""
    first, second = M[pairs[:, 0]] @ cost, M[pairs[:, 1]] @ cost
    gradient = np.zeros(M.shape)
    np.add.at(gradient, pairs[:, 1], first)
    np.add.at(gradient, pairs[:, 0], second)
    return float(np.vdot(first, M[pairs[:, 1]])), gradient


@dataclass(frozen=True)
class LinkCosts:
    """Constraints of n objects, and what a violation costs: `must` and `cannot` (f, f), times `weight`."""

    constraints: PairwiseConstraints
    network: Network
    weight: float

    @classmethod
    def of(
        cls,
        constraints: PairwiseConstraints,
        focal_sets: FocalSets,
        xi: float,
        order: np.ndarray | None = None,
    ) -> Self:
        """Weigh each constraint by xi over their total number; object ``order[k]`` becomes number k."""
        if order is not None:
            n, place = constraints.n_objects, np.argsort(order)
            links = place[constraints.must_link], place[constraints.cannot_link]
            constraints = PairwiseConstraints(n, *links, allow_contradictions=True)
        must, cannot = link_costs(focal_sets)
        network = network_of(constraints, focal_sets)._replace(different=must, same=cannot)
        return cls(constraints, network, xi / len(constraints))

    def value_and_gradient(self, M: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the costs of the masses `M` (n, f) and their unconstrained gradient: O(q f^2)."""
        must, of_must = cost_and_gradient(M, self.constraints.must_link, self.network.different)
        cannot, of_cannot = cost_and_gradient(M, self.constraints.cannot_link, self.network.same)
        return self.weight * (must + cannot), self.weight * (of_must + of_cannot)


@dataclass(frozen=True)
class LinkedStress:
    """A stress over pairs plus the costs of constraints, in the form of a stress for the solvers.

    With tiles, objects are numbered in the order of the groups.
    """

    stress: Stress
    costs: LinkCosts

    @property
    def _one_sided(self) -> bool:
        return isinstance(self.stress, SampledPairs) and not self.stress.two_sided

    def value(self, M: np.ndarray, C: np.ndarray) -> float:
        """Return the sum at the masses `M` (n, f)."""
        return self.stress.value(M, C) + self.costs.value_and_gradient(M)[0]

    def value_and_gradient(self, M: np.ndarray, C: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the sum and its unconstrained gradient (n, f) with respect to the masses."""
        value, gradient = self.stress.value_and_gradient(M, C)
        more, slope = self.costs.value_and_gradient(M)
        return value + more, gradient + slope

    def sweep(
        self, M: np.ndarray, A: np.ndarray, C: np.ndarray, first: int, current: float
    ) -> tuple[float, float]:
        """Minimise over each row in turn, in place, as the sweep of the stress does.

        One-sided row updates see half of the pairs of an object, and half of what its constraints cost.
        """
        share = 0.5 if self._one_sided else 1.0
        links = Links(self.costs.network, share * self.costs.weight / self.stress.eta)
        value, running = self.stress.sweep(M, A, C, first, current, links=links)
        if self._one_sided:  # then the value is the stress afresh
            value += self.costs.value_and_gradient(M)[0]
        return value, running


@cache
def compile_sweeps(kind: type[Stress], linked: bool) -> None:
    """Make the kernels of one kind of stress ready, on five objects, with constraints or without."""
    focal_sets, M, rng = FocalSets.simple(1), np.full((5, 2), 0.5), np.random.default_rng(0)
    C = focal_sets.conflict.copy()
    if kind is AllPairs:
        stress = AllPairs(1 - np.eye(5))
    elif kind is SampledPairs:
        partners = sample_partners(5, 1, rng)
        stress = SampledPairs(partners, pair_dissimilarities(np.eye(5), partners))
    else:
        stress = TilePairs(draw_tiles(5, 1, rng), np.ones(5, np.float32)).by_groups()
    stress.value(M, C)
    if linked:
        costs = LinkCosts.of(PairwiseConstraints(5, [(0, 1)], [(1, 2)]), focal_sets, 1.0)
        stress = LinkedStress(stress, costs)
    stress.sweep(M, aligned_product(M, C), C, 1, 0.0)


@warm_up
def compile_all_sweeps() -> None:
    """Make the kernels of each kind of stress ready."""
    for kind, linked in product(get_args(Stress), (False, True)):
        compile_sweeps(kind, linked)
