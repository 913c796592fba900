"""The membership step of constrained fuzzy c-means: objects one after another, each with what it sees now."""

import numpy as np

from credalbench.core.kernels import kernel, pieces

FLOOR, TINY = 1e-100, 1e-300  # of squared distances, as a share of the largest, so that quotients are finite
DIVISION = 10  # operations that one counts as


@kernel
def unclipped_memberships(squared: np.ndarray, costs: np.ndarray, weight: float, row: np.ndarray) -> None:
    r"""Compute the memberships of one object before clipping, into `row` (c,).

    With shares :math:`s_k \propto 1 / d_k^2`, costs C and weight a:
    :math:`u_k = s_k + \frac{a}{2} \sum_l (C_l - C_k) s_k / d_l^2`, the published
    :math:`s_k + \frac{a}{2 d_k^2} (\bar C - C_k)` without its cancellation where a distance is 0.

    Parameters
    ----------
    squared, costs : (c,) arrays
        Squared distances, and the penalty for full membership in each cluster.
    weight : float
    row : (c,) array
        Sums to 1; entries may lie outside [0, 1].
    """
    total, floor = 0.0, max(FLOOR * squared.max(), TINY)
    for k in range(len(row)):
        total += 1 / max(squared[k], floor)
    for k in range(len(row)):
        share = 1 / max(squared[k], floor) / total
        row[k] = share
        for l in range(len(row)):
            row[k] += weight / 2 * (costs[l] - costs[k]) * (share / max(squared[l], floor))


@kernel
def _update(
    begin: int,
    end: int,
    membership: np.ndarray,
    squared: np.ndarray,
    weight: float,
    must_starts: np.ndarray,
    must_partners: np.ndarray,
    cannot_starts: np.ndarray,
    cannot_partners: np.ndarray,
):
    """Update the objects begin..end-1 of ``sweep``."""
    c = membership.shape[1]
    costs, row = np.empty(c), np.empty(c)
    for i in range(begin, end):
        costs[:] = 0.0
        for j in must_partners[must_starts[i] : must_starts[i + 1]]:
            costs += 1 - membership[j]
        for j in cannot_partners[cannot_starts[i] : cannot_starts[i + 1]]:
            costs += membership[j]
        unclipped_memberships(squared[i], costs, weight, row)
        total = 0.0
        for k in range(c):
            row[k] = max(row[k], 0.0)
            total += row[k]
        for k in range(c):
            membership[i, k] = row[k] / total


def sweep(
    membership: np.ndarray,
    squared: np.ndarray,
    weight: float,
    must_starts: np.ndarray,
    must_partners: np.ndarray,
    cannot_starts: np.ndarray,
    cannot_partners: np.ndarray,
) -> None:
    """Update the memberships (n, c) of all objects in order, in place; O(n c^2 + (m + q) c).

    The partners of object i are ``partners[starts[i] : starts[i + 1]]``, as in a sparse matrix by rows.
    """
    n, c = membership.shape
    operations = DIVISION * c**2 + c * (len(must_partners) + len(cannot_partners)) / n
    network = must_starts, must_partners, cannot_starts, cannot_partners
    for begin, end in pieces(0, n, operations):
        _update(begin, end, membership, squared, weight, *network)
