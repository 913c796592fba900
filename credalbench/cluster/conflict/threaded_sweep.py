r"""A sweep over many objects on several threads, with the same result as on one thread.

Rows are taken in batches. The Gram matrices of a batch are accumulated side by side, from the masses as
they are before the batch; then the rows are updated one after another, as always, and each first exchanges
the terms of those partners that come earlier in its own batch and have moved since:

.. math:: G_i \leftarrow G_i + \sum_{j \in \text{batch},\, j < i} (A_j A_j^T - A_j^{old} A_j^{old\,T}).

So every row programme is that of the plain sweep, up to the rounding of this exchange, and the number of
threads does not change the result. Such a sweep mostly waits for memory, and two threads can wait at the same
time. Threads of Python are enough, because the kernels release its lock.
"""

import numpy as np
from numba import get_num_threads

from credalbench.cluster.conflict.row_sweeps import (
    accumulate,
    gather,
    pair_residuals,
    row_operations,
    update_row,
)
from credalbench.cluster.simplex.simplex_qp import charge_links, is_linked
from credalbench.core.kernels import kernel, pieces
from credalbench.core.threads import threads

BATCH_ROWS = 4096  # few enough that few partners are in the same batch, enough to share out
GRAM_ENTRIES = 1 << 23  # of all Gram matrices of a batch: 64 MiB; fewer rows if there are many focal sets
WORTH_THREADS = 50_000  # objects from which the partners in the own batch are few


@kernel(nogil=True)
def accumulate_rows(
    begin: int,
    end: int,
    low: int,
    starts: np.ndarray,
    partners: np.ndarray,
    delta: np.ndarray,
    A: np.ndarray,
    first: int,
    grams: np.ndarray,
    terms: np.ndarray,
    squares: np.ndarray,
) -> None:
    """Write the row programmes of a batch into `grams` (b, f, f), `terms` (b, f), `squares` (b,).

    `low` is the object to which the first of these belongs.
    """
    f = terms.shape[1]
    longest = 0
    for i in range(begin, end):
        longest = max(longest, starts[i + 1] - starts[i])
    columns = np.empty((f, longest))
    for i in range(begin, end):
        own = slice(starts[i], starts[i + 1])
        gather(A, partners[own], first, f, columns)
        squares[i - low] = accumulate(columns, delta[own], first, grams[i - low], terms[i - low])


@kernel(nogil=True)
def update_rows(
    begin: int,
    end: int,
    low: int,
    starts: np.ndarray,
    partners: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    old: np.ndarray,
    C: np.ndarray,
    first: int,
    grams: np.ndarray,
    terms: np.ndarray,
    squares: np.ndarray,
    links: tuple | None,
    change: float,
    running: float,
) -> tuple[float, float]:
    """Update the objects begin..end-1 in order, of the batch that begins with object `low`.

    `old` (b, width) holds the rows of `A` before the batch. Continues the change of the summed squared
    residuals and Algorithm 1's running sum, as ``sweep_pairs`` does, and returns both.
    """
    f = M.shape[1]
    work = np.empty((f + 4, f))
    free = np.empty(f, np.int64)
    for i in range(begin, end):
        G, a = grams[i - low], terms[i - low]
        for r in range(starts[i], starts[i + 1]):
            j = partners[r]
            if low <= j < i:
                for p in range(f):
                    a[p] += delta[r] * (A[j, p] - old[j - low, p])
                    for q in range(f):
                        G[p, q] += A[j, p] * A[j, q] - old[j - low, p] * old[j - low, q]
        if links is not None and is_linked(i, links):
            charge_links(i, M, links, work, a)
        before, after = update_row(i, G, a, M, A, C, work, free)
        change += after - before
        running += after + squares[i - low]
    return change, running


def _shares(begin: int, end: int, n_shares: int):
    edges = np.linspace(begin, end, n_shares + 1).astype(int)
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


def sweep_in_threads(
    starts: np.ndarray,
    partners: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    first: int,
    links: tuple | None = None,
) -> tuple[float, float]:
    """Update all rows in order, batch by batch; arguments and results as for ``sweep_pairs``."""
    n, f = M.shape
    b = min(BATCH_ROWS, max(1, GRAM_ENTRIES // f**2), n)
    grams, terms, squares = np.empty((b, f, f)), np.empty((b, f)), np.empty(b)
    n_threads = get_num_threads()
    operations = row_operations(len(partners) / n, f)
    change, running = 0.0, 0.0
    with threads() as pool:
        for low in range(0, n, b):
            high = min(low + b, n)
            programmes = (grams, terms, squares)
            tasks = [
                pool.submit(accumulate_rows, *piece, low, starts, partners, delta, A, first, *programmes)
                for share in _shares(low, high, n_threads)
                for piece in pieces(*share, operations)
            ]
            old = A[low:high].copy()
            for task in tasks:
                task.result()
            sums = 0.0, 0.0
            for piece in pieces(low, high, operations):
                where = (*piece, low, starts, partners, delta)
                sums = update_rows(*where, M, A, old, C, first, *programmes, links, *sums)
            change += sums[0]
            running += sums[1]
    return change, running


def residuals_in_threads(
    starts: np.ndarray, partners: np.ndarray, delta: np.ndarray, M: np.ndarray, A: np.ndarray
) -> float:
    """Return ``pair_residuals`` on several threads; the sums of batches are added in order."""
    n = len(M)
    batches = [(low, min(low + BATCH_ROWS, n)) for low in range(0, n, BATCH_ROWS)]
    with threads() as pool:
        sums = pool.map(
            lambda batch: pair_residuals(
                starts[batch[0] : batch[1] + 1], partners, delta, M[batch[0] : batch[1]], A
            ),
            batches,
        )
        return sum(sums)
