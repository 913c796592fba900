"""Shortest paths between all pairs of objects with symmetric lengths: in blocks, on half of the matrix.

Floyd's algorithm lets paths go through one more object at a time and passes over the whole matrix for each.
Here a block of objects is added at a time [venkataraman2003]: the rows of the block, its *panel*, are updated
first, and then all other pairs (i, j) at once, by

    D[i, j] <- min over k in the block of (panel[k, i] + panel[k, j]),

which by symmetry needs no columns and only pairs i <= j. So the matrix passes through memory n / BLOCK times
instead of n times, and a tile of the panel stays in the cache for many rows. Rows are distributed to the
available threads; a minimum does not depend on the order in which it is taken.
"""

import numpy as np

from credalbench.core.kernels import kernel, pieces, warm_up
from credalbench.core.threads import threads

BLOCK = 64  # objects that are let in at a time
TILE = 512  # columns at a time: 256 KiB of the panel, of which four rows and one of D lie in the first cache
SHARES = 4  # pieces are this much smaller than an interrupt asks for, so that there are some for each thread


def shortest_paths(D: np.ndarray) -> None:
    """Compute lengths of the shortest paths between all pairs, in place: the upper triangle of `D`.

    Parameters
    ----------
    D : (n, n) C-contiguous float array
        Lengths of the direct links, at least 0, infinite where there is none; 0 on the diagonal. The lower
        triangle is neither read nor written.

    Notes
    -----
    n^3 / 2 additions and minima, exact up to the rounding of sums; the same result for any number of threads.
    """
    n = len(D)
    with threads() as pool:
        for low in range(0, n, BLOCK):
            panel = updated_panel(D, low, min(low + BLOCK, n))
            ranges = pieces(0, n, SHARES * panel.size)
            tasks = [pool.submit(shorten_rows, begin, end, D, panel) for begin, end in ranges]
            for task in tasks:
                task.result()


@kernel
def updated_panel(D: np.ndarray, low: int, high: int) -> np.ndarray:
    """Compute shortest paths from the objects low..high-1 through these objects: (b, n), whole rows."""
    b, n = high - low, D.shape[0]
    links = np.empty((b, n))
    for r in range(b):
        i = low + r
        for j in range(i):
            links[r, j] = D[j, i]
        for j in range(i, n):
            links[r, j] = D[i, j]
    within = links[:, low:high].copy()
    for k in range(b):
        for i in range(b):
            for j in range(b):
                within[i, j] = min(within[i, j], within[i, k] + within[k, j])
    panel = links.copy()
    for left in range(0, n, TILE):
        right = min(left + TILE, n)
        for r in range(b):
            lower_to_sums(panel[r, left:right], within[r], links, left)
    return panel


@kernel(nogil=True)
def shorten_rows(begin: int, end: int, D: np.ndarray, panel: np.ndarray) -> None:
    """Let paths between i in begin..end-1 and j >= i go through the objects of the `panel` (b, n)."""
    b, n = panel.shape
    first = np.empty(b)
    for left in range(0, n, TILE):
        right = min(left + TILE, n)
        for i in range(begin, min(end, right)):
            for k in range(b):
                first[k] = panel[k, i]
            start = max(left, i)
            lower_to_sums(D[i, start:right], first, panel, start)


@kernel(nogil=True)
def lower_to_sums(row: np.ndarray, first: np.ndarray, panel: np.ndarray, left: int) -> None:
    """Lower ``row[j]`` to ``first[k] + panel[k, left + j]`` for every k. (m,), (b,), (b, n), in place.

    Four k at a time: a row of D is then written once for four rows of the panel that are read.
    """
    right = left + row.shape[0]
    b = first.shape[0]
    whole = b - b % 4
    for k in range(0, whole, 4):
        a0, a1, a2, a3 = first[k], first[k + 1], first[k + 2], first[k + 3]
        p0, p1 = panel[k, left:right], panel[k + 1, left:right]
        p2, p3 = panel[k + 2, left:right], panel[k + 3, left:right]
        for j in range(row.shape[0]):
            row[j] = min(row[j], a0 + p0[j], a1 + p1[j], a2 + p2[j], a3 + p3[j])
    for k in range(whole, b):
        a0, p0 = first[k], panel[k, left:right]
        for j in range(row.shape[0]):
            row[j] = min(row[j], a0 + p0[j])


@warm_up
def compile_shortest_paths() -> None:
    """Compile the kernels on three objects."""
    shortest_paths(1.0 - np.eye(3))
