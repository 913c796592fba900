r"""Convex quadratic programmes on the probability simplex, solved exactly by a compiled active-set method.

.. math:: \min_x \tfrac12 x^T G x - a^T x \quad\text{s.t.}\quad x \ge 0,\; 1^T x = 1

with `G` symmetric positive *semi*-definite and small (f x f, one programme per object and sweep in EVCLUS).
The method is a primal active-set one: on the free coordinates solve the equality-constrained problem by a
Cholesky factorisation, walk towards its solution until a coordinate hits zero, drop it, and when the
solution is feasible admit the coordinate with the most negative multiplier. It starts from the previous row,
whose support is nearly always the right one, so most programmes cost one factorisation.

If `G` is singular, the minimiser is not unique (no empty set among the focal sets, few partners). The kernel
then minimises with the proximal term ``PROXIMITY * max(diag G) * ||x - x_start||^2 / 2`` added: the result is
unique, deterministic, as near to the start as possible, and never worse than the start.

Each factorisation drops one coordinate, so the descent from a start with mass on all of many sets would cost
O(f^4). From more than `MANY` coordinates the kernel therefore first goes down by exact steps along pairs:
mass goes from the coordinate of the largest slope to that of the smallest, O(f) each, and most steps empty
one. The active set continues from there, and the proximal term is about that place.

The constraint handling follows the idea of [lawson1974]; ``tests/cluster/simplex/test_simplex_qp.py`` has its
certificates.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from credalbench.core.kernels import kernel

PROXIMITY = (
    1e-12  # relative weight that makes singular programmes unique; far below the KKT tolerance of 1e-8
)
DUAL_TOLERANCE = 1e-13  # relative: a multiplier above -DUAL_TOLERANCE * scale counts as non-negative
MANY, FEW = 64, 16  # coordinates above zero: with more than MANY, pairs come first, until FEW are left
FLAT = 1e-9  # relative: a smaller difference of slopes is left to the active set
MOST_STEPS = 16  # along pairs, for each coordinate


@kernel
def _factorise(G: np.ndarray, ridge: float, free: np.ndarray, m: int, L: np.ndarray) -> None:
    """Factorise ``G[free, free] + ridge I = L D L^T``: unit lower `L` below the diagonal, 1 / D on it."""
    for r in range(m):
        for s in range(r):
            t = G[free[r], free[s]]
            for q in range(s):
                t -= L[r, q] * L[s, q]
            L[r, s] = t  # L D for now
        pivot = G[free[r], free[r]] + ridge
        for s in range(r):
            t = L[r, s] * L[s, s]
            pivot -= t * L[r, s]
            L[r, s] = t
        L[r, r] = 1.0 / max(pivot, ridge)  # the ridge bounds every pivot from below


@kernel
def _solve_two(L: np.ndarray, m: int, z: np.ndarray, v: np.ndarray) -> None:
    """Solve ``L D L^T y = b`` in place of `z[:m]` and `v[:m]` together."""
    for r in range(m):
        for q in range(r):
            z[r] -= L[r, q] * z[q]
            v[r] -= L[r, q] * v[q]
    for r in range(m - 1, -1, -1):
        z[r] *= L[r, r]
        v[r] *= L[r, r]
        for q in range(r + 1, m):
            z[r] -= L[q, r] * z[q]
            v[r] -= L[q, r] * v[q]


@kernel
def _thin_out(G: np.ndarray, a: np.ndarray, x: np.ndarray, scale: float, slope: np.ndarray):
    """Lower the objective by steps along pairs, from `MANY` positive coordinates to a `FEW`, in place."""
    f = x.shape[0]
    left = 0
    for j in range(f):
        left += x[j] > 0.0
    if left <= MANY:
        return
    for p in range(f):
        slope[p] = -a[p]
    for j in range(f):
        if x[j] > 0.0:
            for p in range(f):
                slope[p] += x[j] * G[j, p]
    for _ in range(MOST_STEPS * f):
        taker, giver = 0, -1
        for j in range(f):
            if slope[j] < slope[taker]:
                taker = j
            if x[j] > 0.0 and (giver < 0 or slope[j] > slope[giver]):
                giver = j
        gap = slope[giver] - slope[taker]
        if left <= FEW or gap <= FLAT * scale:
            return
        curvature = G[taker, taker] + G[giver, giver] - 2.0 * G[taker, giver]
        step = x[giver]
        left += x[taker] == 0.0
        if curvature * step > gap:
            step = gap / curvature
            x[giver] -= step
        else:
            x[giver] = 0.0
            left -= 1
        x[taker] += step
        for p in range(f):
            slope[p] += step * (G[taker, p] - G[giver, p])


@kernel
def minimise_on_simplex(
    G: np.ndarray, a: np.ndarray, x: np.ndarray, work: np.ndarray, free: np.ndarray
) -> int:
    """Overwrite the start `x` (on the simplex) with the minimiser; every row update of IRQP calls this.

    `G` (f, f), `a` (f,), `x` (f,); `work` (f + 4, f) and `free` (f,) int are work space, allocated by the
    caller. Returns the number of factorisations, O(m^3) each for at most m free coordinates. Only `x` and the
    work space are written.
    """
    f = x.shape[0]
    L, z, v, start, target = work[:f], work[f], work[f + 1], work[f + 2], work[f + 3]
    scale = 0.0
    for j in range(f):
        scale = max(scale, G[j, j])
    if scale <= 0.0:
        return 0  # no partner can be in conflict: every x is a minimiser, keep the start
    _thin_out(G, a, x, scale, z)
    ridge = PROXIMITY * scale
    m = 0
    for j in range(f):
        start[j] = x[j]
        target[j] = a[j] + ridge * start[j]
        if x[j] > 0.0:
            free[m] = j
            m += 1
    admitted = -1
    for iteration in range(1, 20 * f + 1):
        # equality-constrained minimiser z on the free coordinates: (G + ridge) z = target - multiplier
        _factorise(G, ridge, free, m, L)
        for r in range(m):
            z[r] = target[free[r]]
            v[r] = 1.0
        _solve_two(L, m, z, v)
        sum_z = 0.0
        sum_v = 0.0
        for r in range(m):
            sum_z += z[r]
            sum_v += v[r]
        multiplier = (sum_z - 1.0) / sum_v
        step = 1.0
        blocking = -1
        for r in range(m):
            z[r] -= multiplier * v[r]
            j = free[r]
            if z[r] < 0.0 and x[j] < step * (x[j] - z[r]):
                step = x[j] / (x[j] - z[r])
                blocking = j
        if blocking >= 0:  # walk until the first coordinate hits zero, and drop it
            n_left = 0
            for r in range(m):
                j = free[r]
                moved = x[j] + step * (z[r] - x[j])
                if j == blocking or moved <= 0.0:
                    x[j] = 0.0
                    if j == admitted:  # came in and went out at once: its multiplier was rounding noise
                        _renormalise(x)
                        return iteration
                else:
                    x[j] = moved
                    free[n_left] = j
                    n_left += 1
            m = n_left
            continue
        total = 0.0
        for r in range(m):
            x[free[r]] = max(z[r], 0.0)
            total += x[free[r]]
        if not total > 0.0:  # G is rounding alone: no place is known to be better than the start
            for j in range(f):
                x[j] = start[j]
            return iteration
        # optimal when no coordinate at zero has a negative multiplier
        admitted = -1
        worst = -DUAL_TOLERANCE * scale
        for j in range(f):
            if x[j] == 0.0:
                slope = multiplier - target[j]
                for r in range(m):
                    slope += G[j, free[r]] * x[free[r]]
                if slope < worst:
                    worst = slope
                    admitted = j
        if admitted < 0:
            break
        n_left = 0
        for r in range(m):  # coordinates that landed exactly on zero leave the free set
            if x[free[r]] > 0.0:
                free[n_left] = free[r]
                n_left += 1
        free[n_left] = admitted
        m = n_left + 1
    _renormalise(x)
    return iteration


@kernel
def row_objective(G: np.ndarray, a: np.ndarray, x: np.ndarray) -> float:
    """Return ``x^T G x - 2 a^T x``: the squared residual norm of a row, less the constant ``sum delta^2``."""
    total = 0.0
    for p in range(x.shape[0]):
        if x[p] == 0.0:
            continue
        t = -2.0 * a[p]
        for q in range(x.shape[0]):
            t += G[p, q] * x[q]
        total += t * x[p]
    return total


@kernel
def _renormalise(x: np.ndarray):
    """Remove the rounding of the equality constraint."""
    total = 0.0
    for j in range(x.shape[0]):
        total += x[j]
    for j in range(x.shape[0]):
        x[j] /= total


def solve_simplex_qp(G: npt.ArrayLike, a: npt.ArrayLike, x0: npt.ArrayLike | None = None) -> np.ndarray:
    r"""Minimise :math:`\tfrac12 x^T G x - a^T x` over the probability simplex, `G` semi-definite.

    The method starts at `x0`, by default the barycentre. If the minimiser is not unique, it returns one near
    `x0`. Its KKT residual relative to ``max(diag G)`` is of the order of 1e-12.
    """
    G = np.ascontiguousarray(G, dtype=float)
    a = np.ascontiguousarray(a, dtype=float)
    f = a.size
    if G.shape != (f, f) or a.ndim != 1:
        raise ValueError(f"expected G of shape (f, f) and a of shape (f,), got {G.shape} and {a.shape}")
    if not (np.isfinite(G).all() and np.isfinite(a).all()):
        raise ValueError("expected finite G and a, got NaN or infinite values")
    x = np.full(f, 1.0 / f) if x0 is None else np.array(x0, dtype=float)
    if x.shape != (f,) or not (x >= 0).all() or abs(x.sum() - 1) > 1e-8:
        raise ValueError(f"expected x0 of shape ({f},) on the simplex, got {x0!r}")
    minimise_on_simplex(G, a, x, np.empty((f + 4, f)), np.empty(f, np.int64))
    return x


def kkt_residual(G: npt.ArrayLike, a: np.ndarray, x: np.ndarray) -> float:
    """Return how far `x` is from satisfying the optimality conditions, relative to ``max(diag G)``.

    It is absolute if that is 0. With gradient ``g = G x - a``, the largest of the violations: off the
    simplex, or a coordinate with ``x_j > 0`` whose slope exceeds the smallest slope of all. Zero exactly at a
    minimiser.
    """
    slope = np.asarray(G) @ x - a
    excess = slope[x > 0].max() - slope.min()
    scale = np.max(np.diag(G)) or 1.0
    return max(excess / scale, abs(x.sum() - 1), -min(x.min(), 0.0))


# ---------------------------------------------------------------------- must-links and cannot-links


class Network(NamedTuple):
    """Constraints in the form that kernels need: partners of each object, costs of pairs of sets."""

    starts: np.ndarray  # (n + 1,) the ends of object i are ends[starts[i]:starts[i + 1]]
    ends: np.ndarray  # (2 q,)
    must: np.ndarray  # (2 q,) bool: must-link, else cannot-link
    weights: np.ndarray  # (2 q,) certainties
    same: np.ndarray  # (f, f) cost of a cannot-link
    different: np.ndarray  # (f, f) cost of a must-link


class Links(NamedTuple):
    """Constraints and the factor of each cost in the programme of a row, :math:`x^T G x - 2 a^T x`.

    Without constraints, kernels get None: they are then compiled anew, without the lines about links.
    """

    network: Network
    strength: float


@kernel
def linear_terms(
    i: int, M: np.ndarray, network: tuple, strength: float, partners: np.ndarray, b: np.ndarray
) -> None:
    """Fill `b` (f,) with `strength` times what the constraints of object i cost for each focal set.

    `partners` (2, f) is work space: weighted masses of the objects that i must, and cannot, be with.
    """
    starts, ends, must, weights, same, different = network
    linked, parted = partners[0], partners[1]
    partners[:] = 0.0
    f = M.shape[1]
    for t in range(starts[i], starts[i + 1]):
        j = ends[t]
        if must[t]:
            for k in range(f):
                linked[k] += weights[t] * M[j, k]
        else:
            for k in range(f):
                parted[k] += weights[t] * M[j, k]
    b[:] = 0.0
    for q in range(f):  # both matrices are symmetric; masses are often zero
        if linked[q] > 0.0:
            for k in range(f):
                b[k] += linked[q] * different[q, k]
        if parted[q] > 0.0:
            for k in range(f):
                b[k] += parted[q] * same[q, k]
    for k in range(f):
        b[k] *= strength


@kernel(inline="always")
def is_linked(i: int, links: tuple) -> bool:
    """Return whether object i is in some constraint."""
    starts = links[0][0]
    return starts[i + 1] > starts[i]


@kernel(inline="always")
def charge_links(i: int, M: np.ndarray, links: tuple, work: np.ndarray, a: np.ndarray) -> None:
    """Subtract half of the costs of the links of object i for each set from its linear term `a` (f,).

    `work` (3, f) or larger is work space.
    """
    network, strength = links
    linear_terms(i, M, network, 0.5 * strength, work[:2], work[2])
    for k in range(a.shape[0]):
        a[k] -= work[2, k]
