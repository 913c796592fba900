r"""Fit masses to target relations of all pairs of objects, several relations at a time.

A *relation* of two objects is a bilinear form of their masses, :math:`m_i^T R m_j` with a symmetric R: for
instance, the mass that puts them into the same cluster. Given targets for r relations of each pair,

.. math:: J(M) = \sum_{i<j} \sum_{q=1}^r (m_i^T R_q m_j - t_{qij})^2

is minimised over one row of masses at a time, as in ``conflict/row_sweeps.py``: in the programme of row i
each other object occurs r times, as :math:`R_1 m_j, \dots, R_r m_j`. With one relation, the conflict, this is
the stress of EVCLUS, except for its factor. Literal oracles: ``tests/oracles/bootgmm.py``, and, for the
relations "same" and "different", the ensemble paper's own form in ``tests/oracles/ensemble.py``.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.row_sweeps import row_operations, update_row
from credalbench.cluster.simplex.simplex_qp import minimise_on_simplex
from credalbench.core.kernels import kernel, pieces, warm_up

CHUNK = 1 << 17  # residuals at a time: 1 MiB
SINGLE = 2.0**-24  # rounding of targets in single precision: targets that are met up to it are met
NEAR = 1e-6  # mean squared residual below which sums of changes, differences of large numbers, do not serve


class RowProgramme(NamedTuple):
    """Cost of one row of masses m, :math:`m^T Q m + u^T m + c_0`: (f, f) `matrix`, (f,) `linear`, number."""

    matrix: np.ndarray
    linear: np.ndarray
    constant: float


@dataclass(frozen=True)
class PairwiseTargets:
    """Targets of r relations of all pairs, in the form of a stress for ``solvers.irqp``.

    `targets` (n, r, n), of single or double precision, are symmetric, with zeros where an object meets
    itself; `relations` (f, r f) holds the matrices side by side. With `adds_changes`, a sweep adds up the
    changes of its rows, if this is exact enough; otherwise it computes the value again, which costs more than
    the sweep. The solver's own matrix C, and its products A with the masses, are not used.
    """

    targets: np.ndarray
    relations: np.ndarray
    adds_changes: bool = False

    @cached_property
    def squares(self) -> float:
        """Sum of the squared targets of all ordered pairs."""
        return float(np.einsum("iqj,iqj->", self.targets, self.targets, dtype=np.float64))

    def value(self, M: np.ndarray, C: np.ndarray) -> float:
        """Return J at the masses `M` (n, f), 0 if targets are met to single precision: O(n^2 r f)."""
        n, r, _ = self.targets.shape
        f = M.shape[1]
        products = M @ self.relations  # (n, r f)
        total, step = 0.0, max(1, CHUNK // n)
        for begin in range(0, n, step):
            rows = slice(begin, min(begin + step, n))
            for q in range(r):
                residuals = products[rows, q * f : (q + 1) * f] @ M.T
                residuals -= self.targets[rows, q]
                residuals[np.arange(len(residuals)), np.arange(rows.start, rows.stop)] = 0.0
                total += np.vdot(residuals, residuals)
        return 0.5 * float(total) if total > n**2 * r * SINGLE**2 else 0.0

    def sweep(
        self, M: np.ndarray, A: np.ndarray, C: np.ndarray, first: int, current: float
    ) -> tuple[float, float]:
        """Minimise over each row in turn, in place, from the value `current`: O(n^2 r f).

        Returns the new value, and Algorithm 1's running sum: the sum of the rows' own values, each at the end
        of its turn, in which every pair counts twice.
        """
        n, r, _ = self.targets.shape
        f = M.shape[1]
        products = M @ self.relations
        columns = np.ascontiguousarray(products.T)
        gram = gram_of_relations(columns, r)
        informative = self.relations.any(axis=0)
        sums = 0.0, self.squares
        for begin, end in pieces(0, n, row_operations(n * r / f, f)):
            where = (begin, end, self.targets, M, products, self.relations, informative)
            sums = _update_rows(*where, columns, gram, *sums)
        value, running = current + sums[0], sums[1]
        if not self.adds_changes or value < n**2 * r * NEAR:
            value = self.value(M, C)
        return value, running

    def row_programme(self, i: int, M: np.ndarray) -> RowProgramme:
        r"""Return the cost of the masses of object i given those of the others, `M` (n, f): O(n r f^2).

        .. math:: Q = \sum_{j \ne i} \sum_q (R_q m_j) (R_q m_j)^T, \quad
                  u = -2 \sum_{j \ne i} \sum_q t_{qij} R_q m_j, \quad
                  c_0 = \sum_{j \ne i} \sum_q t_{qij}^2

        With the relations "same" and "different" this is the cost of the ensemble paper, (23) and (26), as a
        quadratic form [li2020_ensemble (27)], with its matrix [li2020_ensemble (28a)], linear term
        [li2020_ensemble (28b)] and constant [li2020_ensemble (28c)]. The matrix is positive semi-definite
        only: it is zero on what no other object distinguishes.
        """
        f = M.shape[1]
        others = np.delete(np.arange(len(M)), i)
        products = (M[others] @ self.relations).reshape(-1, f)  # ((n - 1) r, f)
        targets = self.targets[i][:, others].T.ravel().astype(float)
        return RowProgramme(products.T @ products, -2.0 * targets @ products, float(targets @ targets))


def gram_of_relations(columns: np.ndarray, r: int) -> np.ndarray:
    """Sum over r relations of the Gram matrices of their columns: (r f, n) -> (f, f)."""
    return sum(part @ part.T for part in np.split(columns, r))


def fitted_rows(targets: np.ndarray, masses: np.ndarray, M: np.ndarray, relations: np.ndarray) -> np.ndarray:
    """Fit masses (m, f) of other objects to targets (m, r, n) of pairs with n objects of fixed masses.

    `masses` (m, f) is where the programmes start; `M` (n, f) are the masses of the n objects, `relations`
    (f, r f).
    """
    r, f = targets.shape[1], M.shape[1]
    products = M @ relations
    gram = gram_of_relations(np.ascontiguousarray(products.T), r)
    linear = sum(targets[:, q] @ products[:, q * f : (q + 1) * f] for q in range(r))  # (m, f)
    found = masses.copy()
    for begin, end in pieces(0, len(found), f**3):
        _minimise_each(gram, linear[begin:end], found[begin:end])
    return found


@kernel
def _minimise_each(G: np.ndarray, linear: np.ndarray, X: np.ndarray) -> None:
    """Overwrite the rows of `X` (m, f) with the minimisers for `linear` (m, f)."""
    f = X.shape[1]
    work, free = np.empty((f + 4, f)), np.empty(f, np.int64)
    for i in range(X.shape[0]):
        minimise_on_simplex(G, linear[i], X[i], work, free)


@kernel(fastmath=True)
def _linear_term(columns: np.ndarray, targets: np.ndarray, informative: np.ndarray, a: np.ndarray) -> None:
    """Set ``a[p]`` to the sum over relations of the products of their columns p with `targets` (r, n).

    Where `informative` (r f,) is 0, the column is also 0: "same" is zero on most focal sets.
    """
    f = a.shape[0]
    for p in range(f):
        total = 0.0
        for q in range(targets.shape[0]):
            if informative[q * f + p]:
                u, v = columns[q * f + p], targets[q]
                for j in range(v.shape[0]):
                    total += u[j] * v[j]
        a[p] = total


@kernel
def _add_own(gram: np.ndarray, own: np.ndarray, sign: float) -> None:
    """Add the contribution of an object with the products `own` (r f,) to `gram` (f, f), times `sign`."""
    f = gram.shape[0]
    for s in range(0, own.shape[0], f):
        for p in range(f):
            for q in range(f):
                gram[p, q] += sign * own[s + p] * own[s + q]


@kernel
def _update_rows(
    begin: int,
    end: int,
    targets: np.ndarray,
    M: np.ndarray,
    products: np.ndarray,
    relations: np.ndarray,
    informative: np.ndarray,
    columns: np.ndarray,
    gram: np.ndarray,
    change: float,
    running: float,
) -> tuple[float, float]:
    """Update the rows begin..end-1 of a sweep; continue `products`, `columns`, `gram` and its two sums."""
    f = M.shape[1]
    a = np.empty(f)
    work = np.empty((f + 4, f))
    free = np.empty(f, np.int64)
    for i in range(begin, end):
        _linear_term(columns, targets[i], informative, a)
        own = products[i]
        _add_own(gram, own, -1.0)
        before, after = update_row(i, gram, a, M, products, relations, work, free)
        for p in range(f, own.shape[0]):  # those of the first relation are up to date
            own[p] = 0.0
            for q in range(f):
                own[p] += relations[q, p] * M[i, q]
        _add_own(gram, own, 1.0)
        for p in range(own.shape[0]):
            columns[p, i] = own[p]
        change += after - before
        running += after
    return change, running


@warm_up
def compile_target_sweeps() -> None:
    """Make the kernels ready, on three objects and two relations, for targets of either precision."""
    relations, M = np.hstack([np.eye(2), 1.0 - np.eye(2)]), np.full((3, 2), 0.5)
    for precision in (np.float32, np.float64):
        targets = np.zeros((3, 2, 3), precision)
        PairwiseTargets(targets, relations).sweep(M, M, relations, 0, 0.0)
    fitted_rows(targets, M, M, relations)


def masses_from_posteriors(posteriors: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Put a cluster's probability on the cluster, or on the smallest sets with it if it is not a focal set.

    (n, c) rows on the simplex -> (n, f). Each cluster has to be in some set.
    """
    member = focal_sets.membership
    size = np.where(member, focal_sets.cardinality[:, None], np.inf)
    smallest = (size == size.min(axis=0)).astype(float)  # (f, c)
    return posteriors @ (smallest / smallest.sum(axis=0)).T
