r"""The stress of EVCLUS over tiles, and its sweep.

All objects of a group share their partners and are not compared with each other. The programmes of their
rows (Eq. 20 of [denoeux2016_evclus], see ``row_sweeps.py``) have one matrix, and their linear terms are one
product of matrices: with :math:`A = M C`, for the objects i of a group and their partners j,

.. math:: G = \sum_j A_j A_j^T, \qquad a_i = \sum_j \delta_{ij} A_j .

Each dissimilarity is stored once; the group at its other end reads the same matrix transposed. A sweep goes
through the colours of the groups (``tile_graph.py``). Groups of one colour do not meet, so the order in which
threads update them does not change the result. A sweep is coordinate descent on J_k.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Self

import numpy as np

from credalbench.cluster.conflict.tile_dissimilarities import unit_of_pairs
from credalbench.cluster.conflict.tile_graph import TileGraph, largest_group
from credalbench.cluster.conflict.transformation import normaliser
from credalbench.cluster.simplex.shared_matrix import minimise_rows
from credalbench.cluster.simplex.simplex_qp import Links, charge_links, is_linked
from credalbench.core.kernels import PIECE, kernel, pieces
from credalbench.core.threads import map_rows

CHUNK = 1 << 20  # dissimilarities at a time if each is read once


@kernel
def _gather(
    t: int, edges: np.ndarray, neighbours: np.ndarray, A: np.ndarray, columns: np.ndarray, begin: int
) -> int:
    """Set ``columns[:, begin:]`` to the rows of `A` of the groups beside group t; return where they end."""
    for u in neighbours[t]:
        for j in range(edges[u], edges[u + 1]):
            for p in range(columns.shape[0]):
                columns[p, begin] = A[j, p]
            begin += 1
    return begin


@kernel
def _own_matrices(
    t: int,
    edges: np.ndarray,
    successors: np.ndarray,
    offsets: np.ndarray,
    delta: np.ndarray,
    unit: float,
    D: np.ndarray,
) -> int:
    """Set ``D[i, :]`` to the dissimilarities of the objects i of group t to its successors' objects."""
    b, begin = edges[t + 1] - edges[t], 0
    for o in range(successors.shape[1]):
        u, place = successors[t, o], offsets[t, o]
        width = edges[u + 1] - edges[u]
        for i in range(b):
            for j in range(width):
                D[i, begin + j] = unit * delta[place + i * width + j]
        begin += width
    return begin


@kernel
def _others_matrices(
    t: int,
    edges: np.ndarray,
    predecessors: np.ndarray,
    offsets: np.ndarray,
    delta: np.ndarray,
    unit: float,
    D: np.ndarray,
    begin: int,
) -> None:
    """Continue `D` with the dissimilarities to the predecessors' objects, which are stored there."""
    b = edges[t + 1] - edges[t]
    for o in range(predecessors.shape[1]):
        u = predecessors[t, o]
        place = offsets[u, o]
        for j in range(edges[u + 1] - edges[u]):
            for i in range(b):
                D[i, begin] = unit * delta[place + j * b + i]
            begin += 1


@kernel(fastmath=True)
def matrix_product(D: np.ndarray, n_rows: int, columns: np.ndarray, width: int, product: np.ndarray) -> None:
    """Set ``product`` to ``D columns^T`` of the first `n_rows` rows, and `width` columns, of each.

    Rows are cut here, not by the caller: then the compiler knows that they are contiguous.
    """
    f = columns.shape[0]
    for i in range(n_rows):
        d = D[i, :width]
        p = 0
        while p + 3 <= f:  # three products while d is loaded
            u, v, w = columns[p, :width], columns[p + 1, :width], columns[p + 2, :width]
            x, y, z = 0.0, 0.0, 0.0
            for j in range(width):
                x += d[j] * u[j]
                y += d[j] * v[j]
                z += d[j] * w[j]
            product[i, p], product[i, p + 1], product[i, p + 2] = x, y, z
            p += 3
        while p < f:
            u, x = columns[p, :width], 0.0
            for j in range(width):
                x += d[j] * u[j]
            product[i, p] = x
            p += 1


@kernel
def _minimise_group(
    G: np.ndarray, a: np.ndarray, M: np.ndarray, low: int, high: int, links: tuple, sums: np.ndarray
) -> None:
    """Minimise over the rows low..high-1 of a group; a linked one when those before it are done."""
    work, begin = np.empty((3, M.shape[1])), low
    sums[:] = 0.0
    while begin < high:
        end = begin + 1
        if is_linked(begin, links):
            charge_links(begin, M, links, work, a[begin - low])
        else:
            while end < high and not is_linked(end, links):
                end += 1
        fall, value = minimise_rows(G, a[begin - low :], end - begin, M, begin)
        sums[0] += fall
        sums[1] += value
        begin = end


@kernel(nogil=True)
def update_groups(
    begin: int,
    end: int,
    edges: np.ndarray,
    successors: np.ndarray,
    predecessors: np.ndarray,
    offsets: np.ndarray,
    delta: np.ndarray,
    unit: float,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    sums: np.ndarray,
    links: tuple | None,
) -> None:
    """Minimise over the rows of the groups begin..end-1, no two of which are neighbours.

    ``sums[t]`` becomes the decrease of the squared residuals of group t, and their sum after it, less the sum
    of the squared dissimilarities of the group.
    """
    f, largest = M.shape[1], largest_group(edges)
    most = 2 * successors.shape[1] * largest
    columns, D = np.empty((f, most)), np.empty((largest, most))
    G, a = np.empty((f, f)), np.empty((largest, f))
    for t in range(begin, end):
        low, high = edges[t], edges[t + 1]
        half = _gather(t, edges, successors, A, columns, 0)
        width = _gather(t, edges, predecessors, A, columns, half)
        _own_matrices(t, edges, successors, offsets, delta, unit, D)
        _others_matrices(t, edges, predecessors, offsets, delta, unit, D, half)
        matrix_product(columns, f, columns, width, G)
        matrix_product(D, high - low, columns, width, a)
        if links is None:
            sums[t, 0], sums[t, 1] = minimise_rows(G, a, high - low, M, low)
        else:
            _minimise_group(G, a, M, low, high, links, sums[t])
        for i in range(low, high):
            for p in range(f):
                A[i, p] = 0.0
            for q in range(f):
                if M[i, q] > 0.0:  # few of many sets
                    for p in range(f):
                        A[i, p] += C[q, p] * M[i, q]


@kernel(nogil=True, fastmath=True)
def _residuals(
    begin: int,
    end: int,
    edges: np.ndarray,
    successors: np.ndarray,
    offsets: np.ndarray,
    delta: np.ndarray,
    unit: float,
    M: np.ndarray,
    A: np.ndarray,
    with_gradient: bool,
    gradient: np.ndarray,
) -> float:
    """Sum the squared residuals of the pairs of the groups begin..end-1 with their successors.

    With a gradient, add each residual times the row of `A` at the pair's other end, at both ends.
    """
    f, s, largest = M.shape[1], successors.shape[1], largest_group(edges)
    columns, D = np.empty((f, s * largest)), np.empty((largest, s * largest))
    total = 0.0
    for t in range(begin, end):
        low, high = edges[t], edges[t + 1]
        width = _gather(t, edges, successors, A, columns, 0)
        _own_matrices(t, edges, successors, offsets, delta, unit, D)
        for i in range(high - low):
            row = D[i, :width]
            for p in range(f):
                m = M[low + i, p]
                if m > 0.0:
                    column = columns[p, :width]
                    for j in range(width):
                        row[j] -= m * column[j]
            for j in range(width):
                total += row[j] * row[j]
            if with_gradient:  # of m_i^T C m_j - delta: the row holds its negative
                place = 0
                for u in successors[t]:
                    for j in range(edges[u], edges[u + 1]):
                        for p in range(f):
                            gradient[low + i, p] -= row[place] * A[j, p]
                            gradient[j, p] -= row[place] * A[low + i, p]
                        place += 1
    return total


@dataclass(frozen=True)
class TilePairs:
    """Stress over the tiles of all groups and their successors.

    Each call puts the masses into the order of the groups; ``by_groups()`` is for masses that already have
    this order.

    Attributes
    ----------
    graph : TileGraph
    delta : (m,) float32 or uint8 array
        Transformed dissimilarities of the pairs, bytes in units of 1/255: for each group, and each of its
        successors, a matrix; see ``TileGraph.offsets``.
    """

    graph: TileGraph
    delta: np.ndarray

    @cached_property
    def eta(self) -> float:
        """Normalising constant: [denoeux2016_evclus (23)]."""
        return normaliser(sum(map_rows(self._squares, len(self.delta), CHUNK)))

    def _squares(self, part: slice) -> float:
        delta = self.delta[part]
        return self._unit**2 * float(np.einsum("r,r->", delta, delta, dtype=np.float64))

    @property
    def _unit(self) -> float:
        return unit_of_pairs(self.delta)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.graph.n_objects

    def by_groups(self) -> Self:
        """Return the same stress for objects that are numbered in the order of the groups."""
        return replace(self, graph=replace(self.graph, order=None))

    @cached_property
    def _offsets(self) -> np.ndarray:
        return self.graph.offsets()

    @property
    def _own(self) -> tuple[np.ndarray, ...]:
        return self.graph.edges, self.graph.successors, self._offsets, self.delta, self._unit

    def _groups_at_a_time(self, f: int) -> int:
        """Return how many groups are given to a thread at a time."""
        operations = 2 * f * len(self.delta) / self.graph.n_groups
        return max(1, int(PIECE / 32 / operations))

    def value(self, M: np.ndarray, C: np.ndarray) -> float:
        """Return the stress of the masses `M` (n, f): [denoeux2016_evclus (22)], O(nkf)."""
        M, none = self.graph.arranged(M), np.empty((0, 0))
        A = M @ C

        def part(groups: slice) -> float:
            return _residuals(groups.start, groups.stop, *self._own, M, A, False, none)

        return self.eta * sum(map_rows(part, self.graph.n_groups, self._groups_at_a_time(M.shape[1])))

    def value_and_gradient(self, M: np.ndarray, C: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the stress and its unconstrained gradient (n, f) with respect to the masses: O(nkf)."""
        M, n_groups = self.graph.arranged(M), self.graph.n_groups
        A, gradient, total = M @ C, np.zeros(M.shape), 0.0
        for begin, end in pieces(0, n_groups, 3 * M.shape[1] * len(self.delta) / n_groups):
            total += _residuals(begin, end, *self._own, M, A, True, gradient)
        gradient *= 2 * self.eta
        return self.eta * total, self.graph.restored(gradient)

    def sweep(
        self,
        M: np.ndarray,
        A: np.ndarray,
        C: np.ndarray,
        first: int,
        current: float,
        links: Links | None = None,
    ) -> tuple[float, float]:
        """Minimise over all rows, colour after colour, in place, from the `current` stress: O(nkf).

        With `links`, between objects numbered in the order of the groups, on one thread: they may join groups
        of one colour. Returns (new stress, Algorithm 1's running sum).
        """
        edges, successors, offsets, delta, unit = self._own
        arranged = self.graph.arranged(M), self.graph.arranged(A)
        sums = np.empty((self.graph.n_groups, 2))
        fixed = edges, successors, self.graph.predecessors, offsets, delta, unit, *arranged, C, sums, links
        for low, high in pairwise(self.graph.colours):
            part = partial(_update_range, low, fixed)
            size = self._groups_at_a_time(M.shape[1])
            for _ in map_rows(part, high - low, size, one_thread=links is not None):
                pass
        if self.graph.order is not None:
            M[self.graph.order], A[self.graph.order] = arranged
        fall, value = sums.sum(axis=0)
        return current - self.eta * float(fall), self.eta * float(value) + 2


def _update_range(low: int, arguments: tuple[np.ndarray, ...], groups: slice) -> None:
    update_groups(low + groups.start, low + groups.stop, *arguments)
