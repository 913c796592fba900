"""Nearest neighbours, how strong their evidence about clusters is, and sweeps over labels."""

from collections.abc import Callable

import numpy as np
from sklearn.neighbors import NearestNeighbors

from credalbench.cluster.inputs.dissimilarities import metric_errors, metric_parameters
from credalbench.core.arguments import expect
from credalbench.core.kernels import kernel, pieces, warm_up

CERTAINTY = 1e-6  # evidence is never weaker than this, nor stronger than one minus this


def nearest_neighbours(
    X: np.ndarray, K: int, metric: str | Callable = "euclidean", new: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distances and rows of the K nearest other objects: two (n, K) arrays, nearest first.

    An object is left out of its own neighbours by its index, so duplicates are neighbours at distance 0. If
    several objects are equally far, the choice among them is arbitrary, but the same each time. With `new`
    (m, p), the objects nearest to these: two (m, K) arrays.
    """
    algorithm = "brute" if callable(metric) else "auto"  # trees need the triangle inequality
    with metric_errors(metric):
        parameters = metric_parameters(X, metric) or None
        search = NearestNeighbors(n_neighbors=K, metric=metric, algorithm=algorithm, metric_params=parameters)
        distances, neighbours = search.fit(X).kneighbors(new)
    expect(np.isfinite(distances).all(), f"finite distances by the metric {metric!r}", "NaN or infinity")
    return distances, np.ascontiguousarray(neighbours, dtype=np.int64)


def nearest_in(D: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the K smallest entries of each row of `D` (m, n), the first among ties, and their columns."""
    nearest = np.argsort(D, axis=1, kind="stable")[:, :K]
    return np.take_along_axis(D, nearest, axis=1), nearest


def neighbour_evidence(distances: np.ndarray, q: float, b: float) -> tuple[np.ndarray, float]:
    r"""Return the strengths :math:`\alpha_{ij} = \exp(-\gamma d_{ij}^b)`, and :math:`\gamma`.

    The latter is one over the q-quantile of :math:`d_{ij}^b`. (n, K) distances -> (n, K) within
    [1e-6, 1 - 1e-6], float. Raises a ValueError if all distances are zero, or if powers with exponent b
    overflow.
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
            "some positive distance to a neighbour (drop duplicates or raise n_neighbors)",
            "zeros only",
        )
        scale = np.quantile(distances[distances > 0], q)
    return scale


def strengths(distances: np.ndarray, scale: float, b: float) -> np.ndarray:
    """Compute the evidence of neighbours at (m, K) `distances`, by `evidence_scale` and exponent."""
    with np.errstate(over="ignore"):  # very far neighbours are not evidence
        evidence = np.exp(-((distances / scale) ** b))
    return np.clip(evidence, CERTAINTY, 1 - CERTAINTY)


# ---------------------------------------------------------------------- labels that neighbours support


LOOK = 4  # operations that it costs to look up the label of an object


@kernel
def _visit(
    labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray, order: np.ndarray, support: np.ndarray
):
    """Sweep the objects of a piece of ``sweep_labels``."""
    K = neighbours.shape[1]
    changes = 0
    for i in order:
        chosen = labels[neighbours[i, 0]]
        for r in range(K):
            k = labels[neighbours[i, r]]
            support[k] += weights[i, r]
            # supports only grow: the label that leads in the end has led since its own last increase
            if support[k] > support[chosen] or (support[k] == support[chosen] and k < chosen):
                chosen = k
        for r in range(K):
            support[labels[neighbours[i, r]]] = 0.0
        if chosen != labels[i]:
            labels[i] = chosen
            changes += 1
    return changes


def sweep_labels(
    labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray, order: np.ndarray, support: np.ndarray
) -> int:
    """Give each object, in the given `order`, the label that its neighbours support most, in place: O(nK).

    Updates are immediate: later objects see earlier changes. Ties go to the smallest label. `labels` (n,)
    int64, `neighbours` and their `weights` > 0 (n, K); `support` (c,) is work space, zeros on entry and
    on exit. Returns how many labels changed.
    """
    K = neighbours.shape[1]
    ranges = pieces(0, len(order), LOOK * K)
    return sum(_visit(labels, neighbours, weights, order[begin:end], support) for begin, end in ranges)


@kernel
def _add_inside(
    begin: int, end: int, labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray, inside: float
):
    """Add the weights between equal labels of the objects begin..end-1 to `inside`."""
    for i in range(begin, end):
        for r in range(neighbours.shape[1]):
            if labels[neighbours[i, r]] == labels[i]:
                inside += weights[i, r]
    return inside


def labelling_energy(labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray) -> float:
    """Return minus half the weight between neighbours of equal labels: (n,), (n, K), (n, K) -> float."""
    inside = 0.0
    n, K = neighbours.shape
    for begin, end in pieces(0, n, LOOK * K):
        inside = _add_inside(begin, end, labels, neighbours, weights, inside)
    return -0.5 * inside


@warm_up
def compile_label_sweeps() -> None:
    """Make the kernels ready, on three objects."""
    labels, neighbours = np.arange(3), np.array([[1], [0], [1]])
    weights = np.ones((3, 1))
    sweep_labels(labels, neighbours, weights, np.arange(3), np.zeros(3))
    labelling_energy(labels, neighbours, weights)
