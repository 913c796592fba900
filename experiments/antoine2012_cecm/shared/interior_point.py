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
    H = hessian(costs, terms)
    simplices = sparse.kron(sparse.eye_array(n), np.ones((1, f)), format="csr")
    start = masses_from_costs(costs, 2) if previous is None else previous
    x = ((1 - INWARDS) * start + INWARDS / f).ravel()
    value, damping, gap = x @ (H @ x) / 2, 1.0, np.inf
    while gap >= tolerance:
        step, multipliers, damping = _damped_step(H, simplices, x, value, LESS * damping, tolerance)
        if step is None:
            break
        x = x + _length(H, x, step) * step
        before, value = value, x @ (H @ x) / 2
        slack = H @ x + simplices.T @ multipliers
        gap = (x @ slack if slack.min() >= 0 else before - value) / (1 + abs(value))
    return x.reshape(n, f)


def hessian(costs: np.ndarray, terms: ConstraintTerms) -> sparse.csr_array:
    """Return the second derivatives (n f, n f) of the objective (21) in the masses, sparse."""
    n, links = len(costs), terms.constraints
    H = sparse.diags_array(2 * costs.ravel())
    for pairs, weights, matrix in (
        (links.must_link, links.must_link_weights, terms.network.different),
        (links.cannot_link, links.cannot_link_weights, terms.network.same),
    ):
        graph = sparse.coo_array((terms.strength * weights, tuple(pairs.T)), shape=(n, n))
        H = H + sparse.kron(graph + graph.T, matrix)
    data_share = 1 / (1 + terms.strength * len(links) / costs.size)  # 1 - xi
    return (H * (data_share / costs.size)).tocsr()


def _damped_step(H, simplices, x, value, damping, tolerance):
    """Return the first step that stays inside and does not rise, its multipliers, the next damping."""
    n, X = simplices.shape[0], sparse.diags_array(x)
    scaled, rows = X @ H @ X, simplices @ X
    target = np.r_[-x * (H @ x), np.zeros(n)]
    while damping < (1 + abs(value)) / tolerance:
        damped = scaled + damping * sparse.eye_array(len(x))
        solution = splu(sparse.block_array([[damped, rows.T], [rows, None]], format="csc")).solve(target)
        step, damping = x * solution[: len(x)], MORE * damping
        there = x + step
        if there.min() > 0 and there @ (H @ there) / 2 <= value + ROUNDING:
            return step, solution[len(x) :], damping
    return None, None, damping


def _length(H, x, step):
    """Return how far to go along `step`: to the lowest point, but not beyond `TO_BORDER`."""
    shrinking = (step / x).min()
    longest = -TO_BORDER / shrinking if shrinking < 0 else np.inf
    curvature = step @ (H @ step)
    return min(longest, -(step @ (H @ x)) / curvature) if curvature > 0 else min(longest, 1.0)
