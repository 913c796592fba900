r"""The mass step of CECM by an interior-point method, as in the paper: the masses of all objects at once.

The paper names a projective method [ye1989]. Its successor for programmes that are not convex [ye1992] is
implemented here: with x > 0 the masses, each step minimises the quadratic objective in u = d / x on an
ellipsoid around x that lies inside the simplices,

.. math:: (X H X + \lambda I)\, u + X A^T w = -X H x, \qquad A X u = 0,

with less and less damping :math:`\lambda`, and more again where a step would leave the simplices or raise the
objective. It stops when a step gains less than a share of 1 plus the objective (21). This objective is small,
and a step from the border gains little, so the masses may end some way from a minimum; ours
(``credalbench.cluster.CECM``) end at one.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from credalbench.cluster.constrained.masses import ConstraintTerms
from credalbench.cluster.prototypes.mass_update import masses_from_costs

INWARDS = 1e-6  # of the way to equal masses, where the path starts: its points have no zeros
LESS, MORE = 0.2, 2.0  # factors of the damping, from step to step and from try to try
ROUNDING = 1e-15  # rise of the objective that is none
TO_BORDER = 0.9  # share of the way to the border of the simplices that a step may go


class InteriorPoint:
    """Mass steps of a fit: what depends on its constraints alone is prepared once."""

    def __init__(self, terms: ConstraintTerms) -> None:
        n, f = terms.constraints.n_objects, len(terms.network.same)
        self.share = data_share(terms) / (n * f)
        self.coupling = self.share * coupling(terms)
        self.objects = terms.objects
        self.linked = LinkedSystem(self.coupling, terms.objects, n) if len(terms.objects) else None

    def __call__(
        self, costs: np.ndarray, previous: np.ndarray | None = None, tolerance: float = 1e-5
    ) -> np.ndarray:
        """Return the masses (n, f) on the way from the `previous` ones, or ECM's, to a minimum of (21).

        The costs are (n, f); a step with a gain below `tolerance` is the last.
        """
        curvature = 2 * self.share * costs  # the diagonal of H
        start = masses_from_costs(costs, 2) if previous is None else previous
        x = (1 - INWARDS) * start + INWARDS / costs.shape[1]
        slope = self.slope(curvature, x)
        value, damping, gap = np.vdot(x, slope) / 2, 1.0, np.inf
        while gap >= tolerance:
            most = (1 + abs(value)) / tolerance
            step, multipliers, damping = self._damped_step(curvature, x, slope, LESS * damping, most)
            if step is None:
                break
            x = x + self._length(curvature, x, slope, step) * step
            slope = self.slope(curvature, x)
            before, value = value, np.vdot(x, slope) / 2
            slack = slope + multipliers
            gap = (np.vdot(x, slack) if slack.min() >= 0 else before - value) / (1 + abs(value))
        return x

    def slope(self, curvature: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return H x (n, f)."""
        return curvature * x + (self.coupling @ x.ravel()).reshape(x.shape)

    def solve(self, x: np.ndarray, diagonal: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r"""Return u (n, f) and the multipliers w (n, 1) of the linear system of a step.

        Parameters
        ----------
        x, diagonal, target : (n, f) arrays
            The masses; the diagonal of :math:`X H X + \lambda I`; the right side.
        """
        # An object without constraints has a diagonal matrix and one multiplier.
        w = np.sum(x * target / diagonal, axis=1, keepdims=True)
        w /= np.sum(x * x / diagonal, axis=1, keepdims=True)
        u = (target - x * w) / diagonal
        if self.linked is not None:
            i = self.objects
            u[i], w[i, 0] = self.linked.solve(x[i], diagonal[i], target[i])
        return u, w

    def _damped_step(self, curvature, x, slope, damping, most):
        """Return the first step that stays inside and does not raise J, its multipliers, the next damping."""
        value = np.vdot(x, slope) / 2
        while damping < most:
            u, multipliers = self.solve(x, x * x * curvature + damping, -x * slope)
            damping, there = MORE * damping, x + x * u
            if there.min() > 0 and np.vdot(there, self.slope(curvature, there)) / 2 <= value + ROUNDING:
                return x * u, multipliers, damping
        return None, None, damping

    def _length(self, curvature, x, slope, step):
        """Return how far to go along `step`: to the lowest point, but not beyond `TO_BORDER`."""
        shrinking = (step / x).min()
        longest = -TO_BORDER / shrinking if shrinking < 0 else np.inf
        bend = np.vdot(step, self.slope(curvature, step))
        return min(longest, -np.vdot(step, slope) / bend) if bend > 0 else min(longest, 1.0)


def data_share(terms: ConstraintTerms) -> float:
    """Return 1 - xi."""
    size = terms.constraints.n_objects * len(terms.network.same)
    return 1 / (1 + terms.strength * len(terms.constraints) / size)


def coupling(terms: ConstraintTerms) -> sparse.csr_array:
    """Return the second derivatives (n f, n f) of the constraints' part of J in the masses, sparse."""
    links, f = terms.constraints, len(terms.network.same)
    rows, columns, values = [], [], []
    for pairs, weights, matrix in (
        (links.must_link, links.must_link_weights, terms.network.different),
        (links.cannot_link, links.cannot_link_weights, terms.network.same),
    ):
        A, B = np.nonzero(matrix)
        for first, second in (pairs.T, pairs.T[::-1]):
            rows.append(np.add.outer(f * first, A).ravel())
            columns.append(np.add.outer(f * second, B).ravel())
            values.append(np.outer(terms.strength * weights, matrix[A, B]).ravel())
    places, size = (np.concatenate(rows), np.concatenate(columns)), f * links.n_objects
    return sparse.coo_array((np.concatenate(values), places), shape=(size, size)).tocsr()


class LinkedSystem:
    """The linear system of a step between the m objects with constraints, whose pattern stays the same.

    Each object's masses come first, then its multiplier; the objects so that the factors stay sparse. H (n f,
    n f) is the coupling of all n objects.
    """

    def __init__(self, H: sparse.csr_array, objects: np.ndarray, n: int) -> None:
        m, f, H = len(objects), H.shape[0] // n, H.tocoo()
        number = np.zeros(n, dtype=np.int64)
        number[objects] = np.arange(m)
        first, second = number[H.row // f], number[H.col // f]
        rank = _elimination_rank(first, second, m)
        self.masses = (f + 1) * rank[:, None] + np.arange(f)  # their places
        self.multipliers = (f + 1) * rank + f
        masses, border = self.masses.ravel(), np.repeat(self.multipliers, f)
        rows = np.r_[self.masses[first, H.row % f], masses, masses, border]
        columns = np.r_[self.masses[second, H.col % f], masses, border, masses]
        values = np.r_[H.data, np.zeros(m * f), np.ones(2 * m * f)]  # the diagonal comes with each step
        self.matrix = sparse.coo_array((values, (rows, columns)), shape=(m * (f + 1), m * (f + 1))).tocsc()
        self.columns = np.repeat(np.arange(m * (f + 1)), np.diff(self.matrix.indptr))
        self.diagonal = np.empty(m * (f + 1), dtype=np.int64)
        on_diagonal = np.flatnonzero(self.matrix.indices == self.columns)
        self.diagonal[self.columns[on_diagonal]] = on_diagonal
        self.diagonal = self.diagonal[self.masses]
        self.scales, self.target = np.ones(m * (f + 1)), np.zeros(m * (f + 1))

    def solve(self, x: np.ndarray, diagonal: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return u (m, f) and the multipliers (m,) for masses `x`, `diagonal` and right side (m, f)."""
        matrix = self.matrix
        self.scales[self.masses], self.target[self.masses] = x, target
        values = matrix.data * self.scales[matrix.indices] * self.scales[self.columns]
        values[self.diagonal] = diagonal
        damped = sparse.csc_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)
        solution = splu(damped, permc_spec="NATURAL", relax=20).solve(self.target)
        return solution[self.masses], solution[self.multipliers]


def _elimination_rank(first: np.ndarray, second: np.ndarray, n: int) -> np.ndarray:
    """Return at which place each of `n` objects is eliminated: those with few coupled ones first."""
    coupled = sparse.coo_array((np.ones(len(first)), (first, second)), shape=(n, n)).tocsc()
    laplacian = coupled + sparse.diags_array(1 + coupled.sum(axis=0))
    return splu(laplacian, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).perm_c
