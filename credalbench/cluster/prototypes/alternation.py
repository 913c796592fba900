"""Alternating minimisation of the objective of ECM: prototypes, norms and masses in turn."""

from typing import NamedTuple

import numpy as np

from credalbench.cluster.prototypes.adaptive_metric import (
    covariances_from_scatters,
    identity_norms,
    norm_matrices_from_covariances,
    prototypes_mahalanobis_from_moments,
)
from credalbench.cluster.prototypes.mass_update import Moments, Setting, moments
from credalbench.cluster.prototypes.prototype_step import barycentres, prototypes_from_moments
from credalbench.progress import track_iterations
from credalbench.threads import one_blas_thread

ROUNDED = 8 * np.finfo(float).eps  # share of moved scatters that may be rounding


class Alternation(NamedTuple):
    """Where alternating minimisation ended, and the objective on its way there."""

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
    """Update prototypes, norms if `adaptive`, and masses in turn, until the prototypes rest.

    The objective of [antoine2012_cecm (14)], with f for 2^c, is noted after each mass step; with single
    clusters and the empty set alone it is that of noise clustering, [antoine2012_cecm (10)], over f n.

    Parameters
    ----------
    X : (n, p) array
        Objects, about their mean.
    V : (c, p) array
        Starting prototypes.
    setting : Setting
    adaptive : bool
    least_move : float
        Stop when no prototype moves further.
    max_iter : int
    sample_weight : (n,) array or None
        Weights of the objects; None: 1 each.

    Returns
    -------
    Alternation
    """
    S = identity_norms(*V.shape) if adaptive else None
    ridged, converged = np.zeros(len(V), dtype=bool), False
    count = len(X) if sample_weight is None else float(sample_weight.sum())
    unknowns = count * len(setting.focal_sets)  # the divisor of (14)
    with one_blas_thread():
        now = moments(X, V, S, setting, sample_weight)
        trace = [now.objective / unknowns]
        for _ in track_iterations(max_iter, "iteration"):
            move = prototype_move(now, S, setting)
            if adaptive:
                S, ridged = norm_step(now, move, S, setting)
            V = V + move
            now = moments(X, V, S, setting, sample_weight)
            trace.append(now.objective / unknowns)
            converged = bool(np.linalg.norm(move, axis=1).max() <= least_move)
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
    r"""Return optimal norms at the masses of `now`, the prototypes having made their `move`.

    The scatters of `now` are about the old barycentres. About barycentres that moved by h they are
    :math:`Q - t h^T - h t^T + w h h^T`, with w and t the other two moments.

    Moments, (c, p), (c, p, p) -> (c, p, p), (c,) bool.
    """
    h = barycentres(move, setting.focal_sets)
    cross = np.einsum("ap,aq->apq", now.sums, h)
    square = np.einsum("a,ap,aq->apq", now.weights, h, h)
    scatters = now.scatters - cross - cross.swapaxes(1, 2) + square
    # where barycentres land on the objects almost nothing is left but rounding, and it need not be positive
    spread = np.trace(now.scatters, axis1=1, axis2=2) + now.weights * np.einsum("ap,ap->a", h, h)
    scatters += (ROUNDED * spread)[:, None, None] * np.eye(h.shape[1])
    covariances = covariances_from_scatters(scatters, setting.focal_sets, setting.alpha)
    return norm_matrices_from_covariances(covariances, previous=S)
