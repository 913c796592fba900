r"""The mass step of CECM by an interior-point method, as in the paper: the masses of all objects at once.

The paper names a projective method [ye1989]. Its successor for programmes without convexity [ye1992] is
written down here: with x > 0 the masses, each step minimises the quadratic objective in u = d / x on an
ellipsoid around x that lies inside the simplices,

.. math:: (X H X + \lambda I)\, u + X A^T w = -X H x, \qquad A X u = 0,

with less and less damping :math:`\lambda`, and more again where a step would leave the simplices or raise the
objective. It stops where a step gains less than a share of 1 plus the objective (21). That objective is
small, and a step from the border gains little, so the masses may end some way from a minimum; ours
(``credalbench.cluster.CECM``) rest in one.
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


def interior_point_masses(
    costs: np.ndarray, terms: ConstraintTerms, previous: np.ndarray | None = None, tolerance: float = 1e-5
) -> np.ndarray:
    """Return the masses (n, f) on the way from the `previous` ones, or ECM's, to a minimum of (21).

    Parameters
    ----------
    costs : (n, f) array
    terms : ConstraintTerms
    previous : (n, f) array, optional
    tolerance : float, default 1e-5
        Least gain of a step.
    """
    n, f = costs.shape
    programme = Programme(hessian(costs, terms), n)
    start = masses_from_costs(costs, 2) if previous is None else previous
    x = ((1 - INWARDS) * start + INWARDS / f).ravel()
    slope = programme.slope(x)
    value, damping, gap = x @ slope / 2, 1.0, np.inf
    while gap >= tolerance:
        step, multipliers, damping = _damped_step(programme, x, slope, value, LESS * damping, tolerance)
        if step is None:
            break
        x = x + _length(programme, x, slope, step) * step
        slope = programme.slope(x)
        before, value = value, x @ slope / 2
        slack = slope + np.repeat(multipliers, f)
        gap = (x @ slack if slack.min() >= 0 else before - value) / (1 + abs(value))
    return x.reshape(n, f)


def hessian(costs: np.ndarray, terms: ConstraintTerms) -> sparse.coo_array:
    """Return the second derivatives (n f, n f) of the objective (21) in the masses, sparse."""
    f, links = costs.shape[1], terms.constraints
    rows, columns, values = [np.arange(costs.size)], [np.arange(costs.size)], [2 * costs.ravel()]
    for pairs, weights, matrix in (
        (links.must_link, links.must_link_weights, terms.network.different),
        (links.cannot_link, links.cannot_link_weights, terms.network.same),
    ):
        A, B = np.nonzero(matrix)
        for first, second in (pairs.T, pairs.T[::-1]):
            rows.append(np.add.outer(f * first, A).ravel())
            columns.append(np.add.outer(f * second, B).ravel())
            values.append(np.outer(terms.strength * weights, matrix[A, B]).ravel())
    data_share = 1 / (1 + terms.strength * len(links) / costs.size)  # 1 - xi
    places = np.concatenate(rows), np.concatenate(columns)
    scaled = np.concatenate(values) * (data_share / costs.size)
    return sparse.coo_array((scaled, places), shape=(costs.size, costs.size))


class Programme:
    """The quadratic programme: H (n f, n f), and the linear system of a step, whose pattern stays the same.

    Parameters
    ----------
    H : coo_array
    n : int
        Number of simplices, one after another in x.
    """

    def __init__(self, H: sparse.coo_array, n: int) -> None:
        self.H = H.tocsr()
        m, f = H.shape[0], H.shape[0] // n
        masses, objects = np.arange(m), np.repeat(np.arange(n), f)
        # Each object's masses, then its multiplier; the objects so that the factors stay sparse, found once.
        rank = _elimination_rank(H.row // f, H.col // f, n)
        self.at_mass, self.at_multiplier = (f + 1) * rank[objects] + masses % f, (f + 1) * rank + f
        border = self.at_multiplier[objects]
        rows = np.r_[self.at_mass[H.row], self.at_mass, border]
        columns = np.r_[self.at_mass[H.col], border, self.at_mass]
        values = np.r_[H.data, np.ones(2 * m)]
        self.system = sparse.coo_array((values, (rows, columns)), shape=(m + n, m + n)).tocsc()
        self.columns = np.repeat(np.arange(m + n), np.diff(self.system.indptr))
        self.diagonal = self.system.indices == self.columns
        self.scales, self.target = np.ones(m + n), np.zeros(m + n)

    def slope(self, x: np.ndarray) -> np.ndarray:
        """Return H x."""
        return self.H @ x

    def solve(self, x: np.ndarray, slope: np.ndarray, damping: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the step d = x u at `damping` and the multipliers w (n,)."""
        system = self.system
        self.scales[self.at_mass], self.target[self.at_mass] = x, -x * slope
        values = system.data * self.scales[system.indices] * self.scales[self.columns]
        values[self.diagonal] += damping
        damped = sparse.csc_array((values, system.indices, system.indptr), shape=system.shape)
        solution = splu(damped, permc_spec="NATURAL", relax=20).solve(self.target)
        return x * solution[self.at_mass], solution[self.at_multiplier]


def _elimination_rank(first: np.ndarray, second: np.ndarray, n: int) -> np.ndarray:
    """Return at which place each of `n` objects is eliminated: those with few coupled ones first."""
    coupled = sparse.coo_array((np.ones(len(first)), (first, second)), shape=(n, n)).tocsc()
    laplacian = coupled + sparse.diags_array(1 + coupled.sum(axis=0))
    return splu(laplacian, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).perm_c


def _damped_step(programme: Programme, x, slope, value, damping, tolerance):
    """Return the first step that stays inside and does not rise, its multipliers, the next damping."""
    while damping < (1 + abs(value)) / tolerance:
        step, multipliers = programme.solve(x, slope, damping)
        damping, there = MORE * damping, x + step
        if there.min() > 0 and there @ programme.slope(there) / 2 <= value + ROUNDING:
            return step, multipliers, damping
    return None, None, damping


def _length(programme: Programme, x, slope, step):
    """Return how far to go along `step`: to the lowest point, but not beyond `TO_BORDER`."""
    shrinking = (step / x).min()
    longest = -TO_BORDER / shrinking if shrinking < 0 else np.inf
    curvature = step @ programme.slope(step)
    return min(longest, -(step @ slope) / curvature) if curvature > 0 else min(longest, 1.0)
