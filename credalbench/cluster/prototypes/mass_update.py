r"""Mass step of ECM and the methods derived from it: masses from squared distances to the focal sets.

All of these methods (ECM, RECM, cat-ECM, MECM, and CECM without constraints) minimise, over masses on the
simplex, an objective of the form

.. math:: J(M) = \sum_i \sum_A C_{iA}\, m_{iA}^\beta, \qquad
          C_{iA} = |A|^\alpha d_{iA}^2, \quad C_{i\emptyset} = \delta^2

with the exponent :math:`\beta > 1`. Only the squared distances :math:`d_{iA}^2` differ from method to method.

The masses of an object depend only on the prototypes and norms, so they need not be stored: a pass over the
objects computes those of a few thousand at a time, in the cache, and adds up the objective and the moments of
the focal sets. Slices go to as many threads as numba uses (numpy releases the lock), and their results are
added in order, so the number of threads does not change the result. `alternate` repeats such a pass and the
step of the prototypes and norms.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Annotated, NamedTuple

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.prototype_step import (
    barycentres,
    covariances_from_scatters,
    distances_by_set,
    identity_norms,
    norm_matrices_from_covariances,
    prototypes_from_moments,
    prototypes_mahalanobis_from_moments,
    set_scatters,
    weighted_sums,
)
from credalbench.core.arguments import LARGEST, Number, expect
from credalbench.core.checks import at_rest
from credalbench.core.progress import track_iterations
from credalbench.core.threads import map_rows, one_blas_thread, room

#: At the ends of these ranges the masses are as good as at their limits, and no power over- or underflows:
#: 20^100 can still be squared, and 2^-10, an equal share of ten clusters' subsets, be taken to the power 100.
Alpha = Annotated[float, Number(low=-100, high=100)]
Beta = Annotated[float, Number(above=1, high=100)]
ROUNDED = 8 * np.finfo(float).eps  # share of moved scatters that may be rounding
SLICE_ELEMENTS = 2**17  # masses of a slice: a mebibyte, so that a few such arrays stay in a cache


def expect_moderate_powers(alpha: float, n_clusters: int) -> None:
    r"""Raise an error for an `alpha` with which a cost $|A|^\alpha d^2$ could over- or underflow."""
    power = abs(alpha) * np.log10(n_clusters)
    expect(power < np.log10(LARGEST), f"alpha with n_clusters ** |alpha| < {LARGEST:g}", alpha)


def focal_costs(
    squared_distances: np.ndarray,
    focal_sets: FocalSets,
    alpha: float,
    delta: float,
    out: np.ndarray | None = None,
) -> np.ndarray:
    r"""Compute the cost of :math:`m^\beta`: :math:`|A|^\alpha d_{iA}^2`; :math:`\delta^2` on the empty set.

    (n, f') distances to the non-empty focal sets -> (n, f), into `out` if given. `delta` is ignored when
    the empty set is not a focal set.
    """
    first = int(focal_sets.has_empty)
    by_set = squared_distances.T.flags.c_contiguous  # then long columns; the costs get the same layout
    shape = len(squared_distances), len(focal_sets)
    costs = np.empty(shape, order="F" if by_set else "C") if out is None else out
    costs[:, :first] = delta**2 if first else 0.0
    np.multiply(squared_distances, focal_sets.cardinality[first:] ** float(alpha), out=costs[:, first:])
    return costs


def masses_from_costs(
    costs: np.ndarray, beta: float, negligible: float = 0.0, out: np.ndarray | None = None
) -> np.ndarray:
    r"""Return masses that minimise :math:`\sum_A C_A m_A^\beta` on the simplex, object by object.

    .. math:: m_A = C_A^{-1/(\beta-1)} \Big/ \sum_B C_B^{-1/(\beta-1)}

    which is [antoine2012_cecm (A.1)] with [antoine2012_cecm (A.2)], and [djiberou2019_catecm (12)] with
    [djiberou2019_catecm (13)]. With only single clusters and the empty set, these are the memberships of
    noise clustering: the rest of the unit mass is in the noise, [antoine2012_cecm (9)].

    They are computed from the ratios of the smallest cost to the others, which are at most 1, so nothing
    overflows: the power is 20 at beta = 1.05. Costs (n, f) up to `negligible` count as zero; if some are
    zero, their sets share the unit mass equally.
    """
    low = costs.min(axis=1, keepdims=True)
    met = low[:, 0] <= negligible
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 / 0: those rows follow below
        masses = np.divide(low, costs, out=out)
    if beta != 2:
        np.power(masses, 1.0 / (beta - 1.0), out=masses)
    masses /= masses.sum(axis=1, keepdims=True)
    if met.any():
        zero = costs[met] <= negligible
        masses[met] = zero / zero.sum(axis=1, keepdims=True)
    return masses


def objective(masses: np.ndarray, costs: np.ndarray, beta: float) -> float:
    """Sum cost times mass to the power beta, [djiberou2019_catecm (6)]: (n, f), (n, f) -> float."""
    return float(np.einsum("ij,ij->", masses**beta, costs))


# ---------------------------------------------------------------------- a pass over the objects


class Setting(NamedTuple):
    """Parameters of the objective of ECM."""

    focal_sets: FocalSets
    alpha: float
    beta: float
    delta: float
    negligible: float = 0.0  # costs up to this are rounding


class Moments(NamedTuple):
    """Sums over objects at their optimal masses; moments about the barycentres."""

    objective: float
    weights: np.ndarray  # (f',)
    sums: np.ndarray  # (f', p)
    scatters: np.ndarray | None  # (f', p, p) with norms

    def __add__(self, other: Moments) -> Moments:
        scatters = None if self.scatters is None else self.scatters + other.scatters
        return Moments(
            self.objective + other.objective, self.weights + other.weights, self.sums + other.sums, scatters
        )


def moments(
    X: np.ndarray,
    V: np.ndarray,
    S: np.ndarray | None,
    setting: Setting,
    sample_weight: np.ndarray | None = None,
) -> Moments:
    """Return the moments of all objects at the masses that are optimal for prototypes `V` and norms `S`.

    With `sample_weight` (n,) the sums have a factor for each object.
    """

    def of_rows(rows: slice) -> Moments:
        weights = None if sample_weight is None else sample_weight[rows]
        return _moments_of_rows(X[rows], V, S, setting, weights)

    return reduce(add, map_rows(of_rows, len(X), slice_size(setting.focal_sets)))


def optimal_masses(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting) -> np.ndarray:
    """Return the masses themselves: (n, p), (c, p), (c, p, p) or None -> (n, f)."""
    masses = np.empty((len(X), len(setting.focal_sets)))

    def fill(rows: slice) -> None:
        masses[rows] = masses_from_costs(_costs(X[rows], V, S, setting), setting.beta, setting.negligible)

    for _ in map_rows(fill, len(X), slice_size(setting.focal_sets)):
        pass
    return masses


def _costs(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting):
    """Return the costs of some objects, (b, f) with long columns, in the `room` of the thread."""
    focal_sets, alpha, _, delta, _ = setting
    first = int(focal_sets.has_empty)
    costs = room("costs", (len(focal_sets), len(X)))
    costs[:first] = delta**2
    distances_by_set(X, V, focal_sets, S, out=costs[first:])
    costs[first:] *= focal_sets.cardinality[first:, None] ** float(alpha)
    return costs.T


def _moments_of_rows(
    X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting, sample_weight: np.ndarray | None
):
    focal_sets, _, beta, _, negligible = setting
    costs = _costs(X, V, S, setting)
    powers = masses_from_costs(costs, beta, negligible, room("masses", costs.T.shape).T)
    if sample_weight is not None:
        powers *= sample_weight[:, None] ** (1 / beta)  # below they are taken to the power beta
    powers **= beta
    of_sets = powers[:, int(focal_sets.has_empty) :].T
    weights, sums = weighted_sums(X, of_sets, focal_sets, V)
    scatters = None if S is None else set_scatters(X, of_sets, barycentres(V, focal_sets))
    return Moments(float(np.einsum("ij,ij->", powers, costs)), weights, sums, scatters)


def slice_size(focal_sets: FocalSets) -> int:
    """Return a number of objects in a slice with which a few arrays of their masses stay in a cache."""
    return max(256, SLICE_ELEMENTS // len(focal_sets))


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

    prototypes: np.ndarray
    norms: np.ndarray | None
    ridged: np.ndarray
    objective: list
    converged: bool


def alternate(
    X: np.ndarray,
    V: np.ndarray,
    setting: Setting,
    *,
    adaptive: bool,
    least_move: float,
    max_iter: int,
    sample_weight: np.ndarray | None = None,
) -> Alternation:
    """Update prototypes, norms if `adaptive`, and masses in turn, until the prototypes stop moving.

    The loop stops if the prototypes are `at_rest` with `least_move`. The objective of
    [antoine2012_cecm (14)], with f for 2^c, is noted after each mass step; with only single clusters and the
    empty set, it is that of noise clustering, [antoine2012_cecm (10)], over f n. `X` (n, p) is about its
    mean; `V` (c, p) are the starting prototypes.
    """
    S = identity_norms(*V.shape) if adaptive else None
    ridged, converged = np.zeros(len(V), dtype=bool), False
    count = len(X) if sample_weight is None else float(sample_weight.sum())
    unknowns = count * len(setting.focal_sets)  # the divisor of (14)
    with one_blas_thread():
        now = moments(X, V, S, setting, sample_weight)
        trace, moves = [now.objective / unknowns], []
        for _ in track_iterations(max_iter, "iteration"):
            move = prototype_move(now, S, setting)
            if adaptive:
                S, ridged = norm_step(now, move, S, setting)
            V = V + move
            now = moments(X, V, S, setting, sample_weight)
            trace.append(now.objective / unknowns)
            moves.append(np.linalg.norm(move, axis=1).max())
            converged = at_rest(trace, least_move, moves)
            if converged:
                break
    return Alternation(V, S, ridged, trace, converged)


def prototype_move(now: Moments, S: np.ndarray | None, setting: Setting) -> np.ndarray:
    """Return the move of the prototypes to their optimum at the masses of `now`: Moments -> (c, p)."""
    if S is None:
        return prototypes_from_moments(now.weights, now.sums, setting.focal_sets, setting.alpha)
    return prototypes_mahalanobis_from_moments(now.weights, now.sums, S, setting.focal_sets, setting.alpha)


def norm_step(
    now: Moments, move: np.ndarray, S: np.ndarray, setting: Setting
) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the optimal norms at the masses of `now`, after the `move` of the prototypes.

    The scatters of `now` are about the old barycentres. About barycentres that moved by h they are
    :math:`Q - t h^T - h t^T + w h h^T`, with w and t the other two moments.

    Moments, (c, p), (c, p, p) -> (c, p, p), (c,) bool.
    """
    h = barycentres(move, setting.focal_sets)
    cross = np.einsum("ap,aq->apq", now.sums, h)
    square = np.einsum("a,ap,aq->apq", now.weights, h, h)
    scatters = now.scatters - cross - cross.swapaxes(1, 2) + square
    # where barycentres land on the objects, little but rounding is left, which need not be positive
    spread = np.trace(now.scatters, axis1=1, axis2=2) + now.weights * np.einsum("ap,ap->a", h, h)
    scatters += (ROUNDED * spread)[:, None, None] * np.eye(h.shape[1])
    covariances = covariances_from_scatters(scatters, setting.focal_sets, setting.alpha)
    return norm_matrices_from_covariances(covariances, previous=S)
