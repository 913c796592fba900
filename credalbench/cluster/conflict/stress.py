r"""The stress that EVCLUS minimises, over all pairs or over sampled pairs of objects.

.. math::

    J(M) = \eta \sum_{i<j} (m_i^T C m_j - \delta_{ij})^2, \qquad
    J_k(M) = \eta \sum_{i=1}^n \sum_{r=1}^k (m_i^T C m_{j_r(i)} - \delta_{i,j_r(i)})^2

(Eqs. 12, 19 and 22, 23 of [denoeux2016_evclus]). ``AllPairs`` and ``SampledPairs`` hold their transformed
dissimilarities and compute what a solver needs: the value, the gradient, and a sweep of row updates.
``J_{n-1} = J``.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from credalbench.cluster.conflict.pair_sampling import both_directions
from credalbench.cluster.conflict.row_sweeps import (
    aligned_product,
    pair_residuals,
    sweep_all_pairs,
    sweep_pairs,
)
from credalbench.cluster.conflict.threaded_sweep import WORTH_THREADS, residuals_in_threads, sweep_in_threads
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.conflict.transformation import normaliser
from credalbench.cluster.simplex.simplex_qp import Links
from credalbench.core.kernels import warm_up

CHUNK = 1 << 16  # entries of the n x n matrix of conflicts at a time: 512 KiB, which fits in a cache

Lists = tuple[np.ndarray, np.ndarray, np.ndarray]  # starts (n + 1,), partners (m,), delta (m,)


@dataclass(frozen=True)
class AllPairs:
    """Stress over all pairs. `delta` (n, n) is symmetric, in [0, 1], with zero diagonal; O(n^2) memory."""

    delta: np.ndarray

    @cached_property
    def eta(self) -> float:
        """Normalising constant, 1 / sum of squared delta over i < j: part of [denoeux2016_evclus (12)]."""
        return normaliser(0.5 * np.vdot(self.delta, self.delta))

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return len(self.delta)

    def _residuals(self, M: np.ndarray, A: np.ndarray):
        """Yield the rows of ``A M^T - delta`` with a zero diagonal, some at a time: (slice, (b, n)) pairs."""
        n = self.n_objects
        step = max(1, CHUNK // n)
        for begin in range(0, n, step):
            rows = slice(begin, min(begin + step, n))
            R = A[rows] @ M.T
            R -= self.delta[rows]
            R[np.arange(R.shape[0]), np.arange(rows.start, rows.stop)] = 0.0
            yield rows, R

    def value(self, M: np.ndarray, C: np.ndarray) -> float:
        """Return the stress of the masses `M` (n, f): [denoeux2016_evclus (19)], O(n^2 f)."""
        return 0.5 * self.eta * sum(np.vdot(R, R) for _, R in self._residuals(M, M @ C))

    def value_and_gradient(self, M: np.ndarray, C: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the stress and its unconstrained gradient (n, f) with respect to the masses: O(n^2 f)."""
        A = M @ C
        total, gradient = 0.0, np.empty_like(A)
        for rows, R in self._residuals(M, A):
            total += np.vdot(R, R)
            gradient[rows] = R @ A
        return 0.5 * self.eta * total, 2 * self.eta * gradient

    def sweep(
        self,
        M: np.ndarray,
        A: np.ndarray,
        C: np.ndarray,
        first: int,
        current: float,
        rows: np.ndarray | None = None,
        links: Links | None = None,
    ) -> tuple[float, float]:
        """Minimise over the listed rows (None: all) in turn, in place, from the `current` stress.

        Returns (new stress, Algorithm 1's running sum).
        """
        rows = np.arange(len(M)) if rows is None else rows
        change, running = sweep_all_pairs(rows, self.delta, M, A, C, first, links)
        return current + self.eta * change, self.eta * running


@dataclass(frozen=True)
class SampledPairs:
    """Stress over k sampled partners of every object: `partners` (n, k) int32 and `delta` (n, k).

    O(nk) memory. With ``two_sided``, a row update uses every pair in which the object occurs, as first or as
    second object. This is coordinate descent on J_k, and needs twice the memory. Otherwise, an update uses
    only the object's own k pairs, as published; a sweep may then increase the stress.
    """

    partners: np.ndarray
    delta: np.ndarray
    two_sided: bool = True

    @cached_property
    def eta(self) -> float:
        """Normalising constant: [denoeux2016_evclus (23)]."""
        return normaliser(np.einsum("ir,ir->", self.delta, self.delta, dtype=np.float64))

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return len(self.delta)

    @cached_property
    def own_lists(self) -> Lists:
        """Each object's own k pairs, as (starts, partners, delta); the terms of J_k."""
        n, k = self.partners.shape
        return np.arange(n + 1) * k, self.partners.ravel(), self.delta.ravel()

    @cached_property
    def row_lists(self) -> Lists:
        """The pairs that a row update uses, in the same form."""
        return both_directions(self.partners, self.delta) if self.two_sided else self.own_lists

    def value(self, M: np.ndarray, C: np.ndarray) -> float:
        """Return the stress of the masses `M` (n, f): [denoeux2016_evclus (22)], O(nkf)."""
        return self.eta * self._squared_residuals(M, aligned_product(M, C))

    def value_and_gradient(self, M: np.ndarray, C: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the stress and its unconstrained gradient (n, f) with respect to the masses: O(nkf)."""
        A = M @ C
        n = self.n_objects
        starts, partners, delta = self.own_lists
        residuals = np.empty(self.partners.shape)
        step = max(1, CHUNK // A[self.partners[0]].size)
        for begin in range(0, n, step):  # the rows of A of all partners would take f numbers for each pair
            rows = slice(begin, begin + step)
            np.einsum("if,irf->ir", M[rows], A[self.partners[rows]], out=residuals[rows])
        residuals = residuals.ravel() - delta
        R = csr_array((residuals, partners, starts), shape=(n, n))
        return self.eta * np.vdot(residuals, residuals), 2 * self.eta * (R @ A + R.T @ A)

    def sweep(
        self,
        M: np.ndarray,
        A: np.ndarray,
        C: np.ndarray,
        first: int,
        current: float,
        rows: np.ndarray | None = None,
        links: Links | None = None,
    ) -> tuple[float, float]:
        """Minimise over the listed rows (None: all) in turn, in place, from the `current` stress.

        Returns (new stress, Algorithm 1's running sum). With one-sided updates, the change of stress is not
        the sum of the rows' gains, and the stress is evaluated afresh.
        """
        if rows is None and self.n_objects >= WORTH_THREADS:
            change, running = sweep_in_threads(*self.row_lists, M, A, C, first, links)
        else:
            rows = np.arange(len(M)) if rows is None else rows
            change, running = sweep_pairs(rows, *self.row_lists, M, A, C, first, links)
        if self.two_sided:
            return current + self.eta * change, self.eta * running
        return self.eta * self._squared_residuals(M, A), self.eta * running

    def _squared_residuals(self, M: np.ndarray, A: np.ndarray):
        residuals = residuals_in_threads if self.n_objects >= WORTH_THREADS else pair_residuals
        return residuals(*self.own_lists, M, A)


Stress = AllPairs | SampledPairs | TilePairs


@warm_up
def compile_threaded_sweeps() -> None:
    """Compile the kernels that are used only for many objects."""
    C, M = np.array([[1.0, 1.0], [1.0, 0.0]]), np.full((4, 2), 0.5)
    lists = SampledPairs(np.array([[1], [2], [3], [0]], np.int32), np.ones((4, 1), np.float32)).row_lists
    sweep_in_threads(*lists, M, aligned_product(M, C), C, 1)
    residuals_in_threads(*lists, M, aligned_product(M, C))
