r"""Fit masses to target relations of sampled pairs of objects, several relations at a time.

The stress of ``all_pairs.py`` with a sum over the pairs of each object and its k partners only, scaled so
that it estimates the sum over all pairs, and is equal to it if every other object is a partner:

.. math:: J_k(M) = \frac{n - 1}{2 k} \sum_{i=1}^n \sum_{j \in \text{partners of } i} \sum_{q=1}^r
                   (m_i^T R_q m_j - t_{qij})^2 .

It is minimised over one row of masses at a time, from all pairs in which the object occurs, as first or as
second. The sums need not contain the relations: with :math:`P = \sum_j m_j m_j^T` and
:math:`b_q = \sum_j t_{qij} m_j` the programme of a row has the matrix :math:`\sum_q R_q P R_q` and the linear
term :math:`\sum_q R_q b_q`, so the masses of each partner are read only once, whatever r is. A sweep costs
O(n k f^2); memory grows with n k, and not with n^2.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from credalbench.cluster.conflict.pair_sampling import both_directions
from credalbench.cluster.conflict.row_sweeps import (
    accumulate,
    aligned_product,
    gather,
    pair_residuals,
    row_operations,
    update_row,
)
from credalbench.cluster.pairwise.all_pairs import NEAR, SINGLE
from credalbench.core.kernels import kernel, pieces, warm_up


@dataclass(frozen=True)
class SampledTargets:
    """Targets of r relations of sampled pairs, in the form of a stress for ``solvers.irqp``.

    `partners` (n, k) int32; `targets` (r, n, k), of single or double precision; `relations` (f, r f) holds
    the matrices side by side. A pair that was sampled from both ends counts twice.
    """

    partners: np.ndarray
    targets: np.ndarray
    relations: np.ndarray

    @property
    def share(self) -> float:
        """Factor that turns a sum over the sampled pairs into an estimate of the sum over all pairs i < j."""
        n, k = self.partners.shape
        return (n - 1) / (2 * k)

    @cached_property
    def squares(self) -> float:
        """Sum of the squared targets over the lists of all objects."""
        return 2.0 * float(np.einsum("qij,qij->", self.targets, self.targets, dtype=np.float64))

    @cached_property
    def lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All pairs in which each object occurs: starts (n + 1,), partners (2nk,), targets (r, 2nk)."""
        r = len(self.targets)
        values = np.empty((r, 2 * self.partners.size), self.targets.dtype)
        for q in range(r):
            starts, listed, values[q] = both_directions(self.partners, self.targets[q])
        return starts, listed, values

    def value(self, M: np.ndarray, C: np.ndarray) -> float:
        """Return J_k at the masses `M` (n, f), 0 if targets are met to single precision: O(n k r f)."""
        (n, k), r = self.partners.shape, len(self.targets)
        starts, listed = np.arange(n + 1) * k, self.partners.ravel()
        total = 0.0
        for targets, R in zip(self.targets, np.split(self.relations, r, axis=1)):
            total += pair_residuals(starts, listed, targets.ravel(), M, aligned_product(M, R))
        return self.share * float(total) if total > n * k * r * SINGLE**2 else 0.0

    def sweep(
        self, M: np.ndarray, A: np.ndarray, C: np.ndarray, first: int, current: float
    ) -> tuple[float, float]:
        """Minimise over each row in turn, in place, from the value `current`: O(n k f^2 + n r f^3).

        `A` is M C, for any matrix C, and is kept so. Returns the new value, and Algorithm 1's running sum, in
        which every pair counts twice.
        """
        (n, k), r = self.partners.shape, len(self.targets)
        f = M.shape[1]
        matrices = np.stack(np.split(self.relations, r, axis=1))  # (r, f, f), contiguous each
        sums = 0.0, self.squares
        for begin, end in pieces(0, n, row_operations(2 * k, f) + 2 * r * f**3):
            sums = _update_rows(begin, end, *self.lists, M, A, C, matrices, *sums)
        value, running = current + self.share * sums[0], self.share * sums[1]
        if value < self.share * n * k * r * NEAR:
            value = self.value(M, C)
        return value, running


@kernel(fastmath=True)
def _weighted_sum(columns: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> None:
    """Set ``sums[p]`` to the product of column p (of f, at least as long) with the `weights`."""
    for p in range(sums.shape[0]):
        u = columns[p]
        total = 0.0
        for j in range(weights.shape[0]):
            total += u[j] * weights[j]
        sums[p] = total


@kernel
def _through_relations(
    P: np.ndarray, b: np.ndarray, matrices: np.ndarray, half: np.ndarray, G: np.ndarray, a: np.ndarray
) -> None:
    """Set ``G`` to the sum of R_q P R_q and ``a`` to that of R_q b_q; the relations R_q are symmetric."""
    f = a.shape[0]
    G[:] = 0.0
    a[:] = 0.0
    for q in range(matrices.shape[0]):
        R = matrices[q]
        np.dot(R, P, half)
        for s in range(f):
            for t in range(f):
                if R[s, t] != 0.0:
                    a[s] += R[s, t] * b[q, t]
                    for p in range(f):
                        G[p, s] += half[p, t] * R[s, t]


@kernel
def _update_rows(
    begin: int,
    end: int,
    starts: np.ndarray,
    partners: np.ndarray,
    targets: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    matrices: np.ndarray,
    change: float,
    running: float,
) -> tuple[float, float]:
    """Update the rows begin..end-1 of a sweep and continue its two sums."""
    f, r = M.shape[1], matrices.shape[0]
    longest = 0
    for i in range(begin, end):
        longest = max(longest, starts[i + 1] - starts[i])
    columns = np.empty((f, longest))  # the partners' masses, transposed
    P, half, G = np.empty((f, f)), np.empty((f, f)), np.empty((f, f))
    b, a = np.empty((r, f)), np.empty(f)
    work, free = np.empty((f + 4, f)), np.empty(f, np.int64)
    for i in range(begin, end):
        low, high = starts[i], starts[i + 1]
        gather(M, partners[low:high], 0, f, columns)
        accumulate(columns, targets[0, low:high], 0, P, b[0])
        for q in range(1, r):
            _weighted_sum(columns, targets[q, low:high], b[q])
        _through_relations(P, b, matrices, half, G, a)
        before, after = update_row(i, G, a, M, A, C, work, free)
        change += after - before
        running += after
    return change, running


@warm_up
def compile_sampled_sweeps() -> None:
    """Make the kernels ready, on three objects and two relations, for targets of either precision."""
    relations, M = np.hstack([np.eye(2), 1.0 - np.eye(2)]), np.full((3, 2), 0.5)
    partners = np.array([[1], [2], [0]], np.int32)
    for precision in (np.float32, np.float64):
        targets = SampledTargets(partners, np.zeros((2, 3, 1), precision), relations)
        targets.sweep(M, aligned_product(M, np.eye(2)), np.eye(2), 0, 1.0)
        targets.value(M, np.eye(2))
