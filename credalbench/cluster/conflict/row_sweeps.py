r"""Compiled sweeps of row-wise quadratic programming over a credal partition.

One *sweep* minimises the stress over each row :math:`m_i` in turn, the other rows fixed (Eq. 20 of
[denoeux2016_evclus]). With :math:`A = M C` the residuals of row i are :math:`A_j^T m_i - \delta_{ij}` over
its partners j, so that the row needs only

.. math:: G_i = \sum_j A_j A_j^T, \qquad a_i = \sum_j \delta_{ij} A_j .

* ``sweep_all_pairs``: the partners are all other objects. :math:`G = A^T A` is *maintained* (one rank-one
  exchange per row), and the own term of the row is subtracted: O(n^2 f + n f^2) a sweep.
* ``sweep_pairs``: the partners are listed row by row, for sampled pairs: O(m f^2) a sweep for m listed
  partners.

Memory: every array is allocated by the caller or once per call; rows of `M` and `A` are overwritten in place.
`A` may have more than f columns: ``aligned_product`` pads its rows to whole cache lines, because a sweep over
many objects spends its time reading the rows of random partners. When the empty set is a focal set (index 0),
the first column of `A` is identically 1, and its products are plain sums; `first` is 1 then and 0 otherwise.
Literal oracles are in ``tests/oracles/evclus.py``.
"""

import numpy as np

from credalbench.cluster.simplex.simplex_qp import charge_links, is_linked, minimise_on_simplex, row_objective
from credalbench.core.kernels import kernel, pieces

LINE = 8  # doubles in a cache line of 64 bytes


def aligned_product(M: np.ndarray, C: np.ndarray) -> np.ndarray:
    """Compute ``M C``, each row padded with zeros to whole cache lines, starting on one: (n, 8 ceil(f / 8)).

    Otherwise every second row of six doubles lies across two lines: twice the time of a sweep at n = 10^6.
    """
    n, f = M.shape
    width = -(-f // LINE) * LINE
    memory = np.zeros(n * width + LINE)
    skip = -memory.ctypes.data % 64 // memory.itemsize
    A = memory[skip : skip + n * width].reshape(n, width)
    np.matmul(M, C, out=A[:, :f])
    return A


@kernel(fastmath=True)
def _sum_and_product(u: np.ndarray, v: np.ndarray):
    """Return the sum of `u` and the scalar product of `u` with `v`, in one pass."""
    s = 0.0
    t = 0.0
    for r in range(v.shape[0]):
        s += u[r]
        t += u[r] * v[r]
    return s, t


@kernel(fastmath=True)
def _product(u: np.ndarray, v: np.ndarray):
    t = 0.0
    for r in range(v.shape[0]):
        t += u[r] * v[r]
    return t


@kernel(fastmath=True)
def _three_products(u: np.ndarray, v: np.ndarray, w: np.ndarray, x: np.ndarray):
    """Return the scalar products of `u` with `v`, `w` and `x`: `u` is loaded once instead of three times."""
    s = 0.0
    t = 0.0
    y = 0.0
    for r in range(u.shape[0]):
        s += u[r] * v[r]
        t += u[r] * w[r]
        y += u[r] * x[r]
    return s, t, y


@kernel
def gather(A: np.ndarray, partners: np.ndarray, first: int, f: int, columns: np.ndarray) -> None:
    """Set ``columns[p] = A[partners, p]`` for first <= p < f.

    The first column alone brings the partners' cache lines in, with as many loads under way as the processor
    can hold; the others then follow from the nearest cache, four in a pass.
    """
    one = columns[first]
    for r in range(partners.shape[0]):
        one[r] = A[partners[r], first]
    p = first + 1
    while p + 4 <= f:
        one, two, three, four = columns[p], columns[p + 1], columns[p + 2], columns[p + 3]
        for r in range(partners.shape[0]):
            j = partners[r]
            one[r] = A[j, p]
            two[r] = A[j, p + 1]
            three[r] = A[j, p + 2]
            four[r] = A[j, p + 3]
        p += 4
    while p < f:
        one = columns[p]
        for r in range(partners.shape[0]):
            one[r] = A[partners[r], p]
        p += 1


@kernel
def accumulate(columns: np.ndarray, target: np.ndarray, first: int, G: np.ndarray, a: np.ndarray) -> float:
    """Compute the columns' Gram matrix ``G``, products ``a`` with the target; return the target's square."""
    f = a.shape[0]
    length = target.shape[0]
    total, squares = _sum_and_product(target, target)
    if first == 1:  # the empty set's column of ones
        G[0, 0] = length
        a[0] = total
    for p in range(first, f):
        u = columns[p, :length]
        total, a[p] = _sum_and_product(u, target)
        if first == 1:
            G[0, p] = total
        q = first
        while q + 2 <= p:
            G[q, p], G[q + 1, p], G[q + 2, p] = _three_products(
                u, columns[q, :length], columns[q + 1, :length], columns[q + 2, :length]
            )
            q += 3
        while q <= p:
            G[q, p] = _product(u, columns[q, :length])
            q += 1
        for q in range(p):
            G[p, q] = G[q, p]
    return squares


@kernel(inline="always")
def update_row(
    i: int,
    G: np.ndarray,
    a: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    work: np.ndarray,
    free: np.ndarray,
) -> tuple[float, float]:
    """Minimise over row i and refresh ``A[i] = C M[i]``; return the row objective before and after."""
    f = M.shape[1]
    before = row_objective(G, a, M[i])
    minimise_on_simplex(G, a, M[i], work, free)
    A[i, :f] = 0.0
    for q in range(f):
        if M[i, q] > 0.0:  # few of many sets
            for p in range(f):
                A[i, p] += C[q, p] * M[i, q]
    return before, row_objective(G, a, M[i])


@kernel
def _update_from_pairs(
    rows: np.ndarray,
    starts: np.ndarray,
    partners: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    first: int,
    links: tuple | None,
    change: float,
    running: float,
):
    """Update the `rows` of a piece of ``sweep_pairs`` and continue its two sums."""
    f = M.shape[1]
    longest = 0
    for i in rows:
        longest = max(longest, starts[i + 1] - starts[i])
    columns = np.empty(
        (f, longest)
    )  # partners' rows of A, transposed: the products below run over contiguous memory
    G = np.empty((f, f))
    a = np.empty(f)
    work = np.empty((f + 4, f))
    free = np.empty(f, np.int64)
    for i in rows:
        begin = starts[i]
        length = starts[i + 1] - begin
        gather(A, partners[begin : begin + length], first, f, columns)
        squares = accumulate(columns, delta[begin : begin + length], first, G, a)
        if links is not None and is_linked(i, links):
            charge_links(i, M, links, work, a)
        before, after = update_row(i, G, a, M, A, C, work, free)
        change += after - before
        running += after + squares
    return change, running


def sweep_pairs(
    rows: np.ndarray,
    starts: np.ndarray,
    partners: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    first: int,
    links: tuple | None = None,
) -> tuple[float, float]:
    """Update the listed `rows` in order, each from its listed partners.

    ``partners[starts[i]:starts[i + 1]]`` are the partners of row i and `delta` their transformed
    dissimilarities; `M` (n, f) and `A` (n, f) = M C are overwritten. Returns the change of the summed squared
    residuals over the lists (the true change of stress if every partner lists the pair too) and Algorithm 1's
    running sum.
    """
    sums = 0.0, 0.0
    n, f = M.shape
    for begin, end in pieces(0, len(rows), row_operations(len(partners) / n, f)):
        sums = _update_from_pairs(rows[begin:end], starts, partners, delta, M, A, C, first, links, *sums)
    return sums


def row_operations(n_partners: float, f: int) -> float:
    """Return roughly how many operations a row takes: the Gram matrix of its partners, and its programme."""
    return n_partners * f**2 + f**3


@kernel
def _update_from_all(
    rows: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    first: int,
    columns: np.ndarray,
    gram: np.ndarray,
    links: tuple | None,
    change: float,
    running: float,
):
    """Update the `rows` of a piece of ``sweep_all_pairs``; continue `columns`, `gram` and its two sums."""
    f = M.shape[1]
    a = np.empty(f)
    work = np.empty((f + 4, f))
    free = np.empty(f, np.int64)
    for i in rows:
        target = delta[i]
        total, squares = _sum_and_product(target, target)
        if first == 1:
            a[0] = total
        for p in range(first, f):
            a[p] = _product(columns[p], target)
        for p in range(f):
            for q in range(f):
                gram[p, q] -= A[i, p] * A[i, q]
        if links is not None and is_linked(i, links):
            charge_links(i, M, links, work, a)
        before, after = update_row(i, gram, a, M, A, C, work, free)
        for p in range(f):
            for q in range(f):
                gram[p, q] += A[i, p] * A[i, q]
            columns[p, i] = A[i, p]
        change += after - before
        running += after + squares
    return change, running


def sweep_all_pairs(
    rows: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    C: np.ndarray,
    first: int,
    links: tuple | None = None,
) -> tuple[float, float]:
    """Update the listed `rows` in order, each from all other objects.

    `delta` (n, n) is symmetric with zero diagonal, and C-contiguous; `M` (n, f) and `A` (n, f) = M C are
    overwritten. Returns the same as ``sweep_pairs``. O(n f + f^2) a row: the Gram matrix of all rows is
    maintained.
    """
    sums = 0.0, 0.0
    n, f = M.shape
    columns = np.ascontiguousarray(A[:, :f].T)
    gram = columns @ columns.T
    for begin, end in pieces(0, len(rows), row_operations(n / f, f)):
        sums = _update_from_all(rows[begin:end], delta, M, A, C, first, columns, gram, links, *sums)
    return sums


@kernel(fastmath=True, nogil=True)
def _add_residuals(
    begin: int,
    end: int,
    starts: np.ndarray,
    partners: np.ndarray,
    delta: np.ndarray,
    M: np.ndarray,
    A: np.ndarray,
    total: float,
):
    """Add the objects begin..end-1 to the `total` of ``pair_residuals``."""
    f = M.shape[1]
    longest = 0
    for i in range(begin, end):
        longest = max(longest, starts[i + 1] - starts[i])
    residuals = np.empty(longest)
    for i in range(begin, end):
        mine = partners[starts[i] : starts[i + 1]]
        target = delta[starts[i] : starts[i + 1]]
        row = residuals[: mine.shape[0]]
        for r in range(mine.shape[0]):
            row[r] = -target[r]
        for p in range(f):
            m = M[i, p]
            if m > 0.0:
                for r in range(mine.shape[0]):
                    row[r] += m * A[mine[r], p]
        for r in range(mine.shape[0]):
            total += row[r] * row[r]
    return total


def pair_residuals(
    starts: np.ndarray, partners: np.ndarray, delta: np.ndarray, M: np.ndarray, A: np.ndarray
) -> float:
    """Sum squared residuals over the listed pairs, each once: O(m f), zero masses skipped."""
    total = 0.0
    n, f = M.shape
    for begin, end in pieces(0, n, f * (starts[n] - starts[0]) / n):
        total = _add_residuals(begin, end, starts, partners, delta, M, A, total)
    return total
