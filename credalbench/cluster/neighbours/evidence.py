"""Nearest neighbours, and how strong a piece of evidence each of them is about an object's cluster."""

from collections.abc import Callable

import numpy as np
from sklearn.neighbors import NearestNeighbors

from credalbench.cluster.inputs.dissimilarities import metric_errors, metric_parameters
from credalbench.core.arguments import expect

CERTAINTY = 1e-6  # evidence is never weaker than this, nor stronger than one minus this


def nearest_neighbours(
    X: np.ndarray, K: int, metric: str | Callable = "euclidean", new: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return distances to the K nearest other objects, and which they are: two (n, K) arrays, nearest first.

    An object is left out of its own neighbours by its index, so that duplicates are neighbours at distance 0.
    Which of several equally far objects are taken is arbitrary, but the same each time. With `new` (m, p),
    the objects nearest to these: two (m, K) arrays.
    """
    algorithm = "brute" if callable(metric) else "auto"  # trees need the triangle inequality
    with metric_errors(metric):
        parameters = metric_parameters(X, metric) or None
        search = NearestNeighbors(n_neighbors=K, metric=metric, algorithm=algorithm, metric_params=parameters)
        distances, neighbours = search.fit(X).kneighbors(new)
    expect(np.isfinite(distances).all(), f"finite distances by the metric {metric!r}", "NaN or infinity")
    return distances, np.ascontiguousarray(neighbours, dtype=np.int64)


def nearest_in(D: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the K least of each row of `D` (m, n), and where, of equal ones the first: two (m, K) arrays."""
    nearest = np.argsort(D, axis=1, kind="stable")[:, :K]
    return np.take_along_axis(D, nearest, axis=1), nearest


def neighbour_evidence(distances: np.ndarray, q: float, b: float) -> tuple[np.ndarray, float]:
    r"""Return strengths :math:`\alpha_{ij} = \exp(-\gamma d_{ij}^b)`, and :math:`\gamma`.

    The latter is one over the q-quantile of :math:`d_{ij}^b`.

    (n, K) distances -> (n, K) within [1e-6, 1 - 1e-6], float.

    Raises
    ------
    ValueError
        All distances are zero; powers of them are none that floating point can represent.
    """
    scale = evidence_scale(distances, q)
    with np.errstate(over="ignore"):
        gamma = float(scale**-b)
    expect(0 < gamma < np.inf, f"b for which gamma, {scale:.6g} ** -b, is positive and finite", b)
    return strengths(distances, scale, b), gamma


def evidence_scale(distances: np.ndarray, q: float) -> np.floating:
    """Return the distance of evidence 1/e: the q-quantile of (n, K), of positive ones if that is 0."""
    scale = np.quantile(distances, q)
    if scale == 0:
        expect(
            distances.any(),
            "some positive distance to a neighbour (else drop duplicates or raise n_neighbors)",
            "zeros only",
        )
        scale = np.quantile(distances[distances > 0], q)
    return scale


def strengths(distances: np.ndarray, scale: float, b: float) -> np.ndarray:
    """Compute the evidence of neighbours at (m, K) `distances`, by `evidence_scale` and exponent."""
    with np.errstate(over="ignore"):  # very far neighbours are no evidence
        evidence = np.exp(-((distances / scale) ** b))
    return np.clip(evidence, CERTAINTY, 1 - CERTAINTY)
