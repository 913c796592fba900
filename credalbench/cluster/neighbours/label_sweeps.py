"""Compiled loops of EK-NNclus: a sweep over the objects, and the energy of a labelling."""

import numpy as np

from credalbench.core.kernels import kernel, pieces, warm_up

LOOK = 4  # operations that it costs to look up the label of some object


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
            # supports only grow: whoever leads after the last of them has led since its own last increase
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
    """Give each object, in the given order, the label that its neighbours support most; in place.

    Updates are immediate: later objects see earlier changes. Ties go to the smallest label.

    Parameters
    ----------
    labels : (n,) int64 array
        Labels 0..c-1; overwritten.
    neighbours : (n, K) int64 array
    weights : (n, K) float array, > 0
        Support that each neighbour lends to its label.
    order : (n,) int64 array
        The objects in the order in which they are visited.
    support : (c,) float array
        Work space, zeros on entry and on exit.

    Returns
    -------
    int
        How many labels changed. O(nK).
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
