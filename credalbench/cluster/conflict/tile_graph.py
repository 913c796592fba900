r"""Choose the groups of objects that are compared: a union of random cyclic orders.

The objects are put into random order and divided into groups of about b. Each of s random cyclic orders of
the groups joins every group to its successor, so that each object meets the b objects of s successors and of
s predecessors: :math:`k = s b` partners are drawn for it, as in k-EVCLUS, and on average it is drawn by k
others. Pairs of one group are not compared; a pair of groups that are neighbours in two orders counts twice.

A union of random cyclic orders is an expander. One order, or fixed shifts of one order, is a ring, and
regions that are far apart on a ring may number the clusters differently.

Groups are coloured so that those of one colour are never compared with each other, and numbered colour after
colour. Rows of one colour can be updated in parallel.
"""

from dataclasses import dataclass

import numpy as np

from credalbench.core.kernels import kernel

ORDERS = 4  # s; fewer if k is smaller


@dataclass(frozen=True)
class TileGraph:
    """Groups of objects, and which groups are compared.

    Attributes
    ----------
    edges : (B + 1,) int array
        Group t holds ``order[edges[t]:edges[t + 1]]``.
    successors, predecessors : (B, s) int32 arrays
        Neighbours of each group in the s cyclic orders.
    colours : (q + 1,) int array
        No two of the groups ``colours[l]`` to ``colours[l + 1] - 1`` are neighbours.
    order : (n,) int array or None
        The objects, group after group; None: they are numbered in this order.
    """

    edges: np.ndarray
    successors: np.ndarray
    predecessors: np.ndarray
    colours: np.ndarray
    order: np.ndarray | None = None

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return int(self.edges[-1])

    @property
    def n_groups(self) -> int:
        """Number of groups B."""
        return len(self.successors)

    def offsets(self) -> np.ndarray:
        """Return where the pairs of each group with its successors begin, one matrix after the other.

        (B + 1, s) int array; the first of row B is the number of pairs.
        """
        sizes = np.diff(self.edges)
        areas = sizes[:, None] * sizes[self.successors]
        ends = np.cumsum(areas.ravel())
        n_groups, s = areas.shape
        offsets = np.zeros((n_groups + 1) * s, np.int64)
        offsets[1 : ends.size + 1] = ends
        return offsets.reshape(n_groups + 1, s)

    def objects(self, t: int) -> np.ndarray:
        """Return the objects of group t."""
        low, high = self.edges[t], self.edges[t + 1]
        return np.arange(low, high) if self.order is None else self.order[low:high]

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the objects at both ends of each pair, in the order of `offsets`: two (m,) int arrays."""
        rows, columns = [], []
        for t, mine in enumerate(self.successors):
            for u in mine:
                here, there = self.objects(t), self.objects(u)
                rows.append(np.repeat(here, len(there)))
                columns.append(np.tile(there, len(here)))
        return np.concatenate(rows), np.concatenate(columns)

    def arranged(self, rows: np.ndarray) -> np.ndarray:
        """Return rows (n, ...) of the objects in the order of the groups; `rows` itself if in this order."""
        return rows if self.order is None else rows[self.order]

    def restored(self, rows: np.ndarray) -> np.ndarray:
        """Put rows in the order of the groups into that of the objects: the inverse of `arranged`."""
        if self.order is None:
            return rows
        found = np.empty_like(rows)
        found[self.order] = rows
        return found


def draw_tiles(
    n: int, k: int, rng: np.random.Generator | np.random.RandomState, n_orders: int = ORDERS
) -> TileGraph:
    """Divide n objects into groups and draw those that are compared, about `k` partners for each object.

    O(n + B s^2). Needs ``2 k < n - 1``: otherwise all pairs are fewer. There are ``s = min(n_orders, k)``
    cyclic orders, and groups of k / s objects, rounded so that all sizes differ by at most one.
    """
    if not (k >= 1 and 2 * k < n - 1):
        raise ValueError(f"expected 1 <= k < (n - 1) / 2 = {(n - 1) / 2:g}, got k={k}")
    if not n_orders >= 1:
        raise ValueError(f"expected n_orders >= 1, got {n_orders}")
    s = min(n_orders, k)
    n_groups = round(n * s / k)  # above 2 s
    successors, predecessors = np.empty((2, n_groups, s), np.int32)
    for o in range(s):
        cycle = rng.permutation(n_groups)
        successors[cycle, o] = np.roll(cycle, -1)
        predecessors[cycle, o] = np.roll(cycle, 1)
    colour_of = np.full(n_groups, -1)
    _colour_greedily(successors, predecessors, colour_of)
    ranked = np.argsort(colour_of, kind="stable")
    rank = np.empty(n_groups, np.int32)
    rank[ranked] = np.arange(n_groups)
    return TileGraph(
        order=rng.permutation(n),
        edges=np.linspace(0, n, n_groups + 1).astype(np.int64),
        successors=rank[successors[ranked]],
        predecessors=rank[predecessors[ranked]],
        colours=np.concatenate([[0], np.cumsum(np.bincount(colour_of))]),
    )


@kernel
def _colour_greedily(successors: np.ndarray, predecessors: np.ndarray, colour_of: np.ndarray) -> None:
    """Give each group in turn the first colour that no neighbour has: at most 2 s + 1 colours."""
    s = successors.shape[1]
    taken = np.full(2 * s + 1, -1)  # by a neighbour of group t
    for t in range(colour_of.shape[0]):
        for o in range(s):
            for u in (successors[t, o], predecessors[t, o]):
                if colour_of[u] >= 0:
                    taken[colour_of[u]] = t
        colour = 0
        while taken[colour] == t:
            colour += 1
        colour_of[t] = colour


@kernel
def largest_group(edges: np.ndarray) -> int:
    """Return the number of objects in the largest group."""
    largest = 0
    for t in range(edges.shape[0] - 1):
        largest = max(largest, edges[t + 1] - edges[t])
    return largest
