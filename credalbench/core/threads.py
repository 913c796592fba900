"""Passes over the rows of an array, in memory or in a file, by several threads; limits of threads.

Several threads are slower in places, or change the last bits.

*BLAS*: splitting an (n, f) product with f near 6 over threads costs more than it saves: measured at n = 200
on two cores, an L-BFGS run took 45 times longer with two BLAS threads than with one. Splitting a product of
long rows also changes the order of its sums.

*OpenMP*: scikit-learn's k-means adds up its clusters in the order in which threads end.
"""

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from functools import cache, reduce
from operator import add
from threading import Lock, local

import numpy as np
from numba import get_num_threads, set_num_threads
from threadpoolctl import ThreadpoolController

from credalbench.core.progress import check_cancelled

_BLAS_LOCK, _BLAS_LIMITS = Lock(), []  # a limit for each open context; the first restores the threads

_ROOM = local()
ROWS = 2**16  # of a slice of a pass that adds up or transforms


def room(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array for what is computed on the way, in a thread the same memory for slice after slice.

    Fresh memory costs a page fault for each 4 KiB, which takes as long as the work on it.

    Parameters
    ----------
    name : str
        Another array for each name.
    shape : tuple of int

    Returns
    -------
    float array
        With the numbers of the slice before.
    """
    size, held = math.prod(shape), vars(_ROOM).get(name)
    if held is None or len(held) < size:
        held = vars(_ROOM)[name] = np.empty(size)
    return held[:size].reshape(shape)


@cache
def _controller():
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread, for this process, within a context.

    The last of several contexts to end, in any threads, restores the number of threads.
    """
    with _BLAS_LOCK:
        _BLAS_LIMITS.append(_controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _BLAS_LOCK:
            _BLAS_LIMITS.pop().restore_original_limits()  # of the latest context


@contextmanager
def alone() -> Iterator[None]:
    """Keep a task to the thread that it runs in, beside which others run: slices, kernels and BLAS."""
    before = get_num_threads()
    set_num_threads(1)
    try:
        with one_blas_thread():
            yield
    finally:
        set_num_threads(before)


def one_thread() -> AbstractContextManager:
    """Limit BLAS and OpenMP to one thread within a context, but not numba."""
    return _controller().limit(limits=1)


@contextmanager
def threads() -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of as many threads as kernels may use, for those that release the lock (``nogil=True``).

    An interrupt drops waiting tasks.
    """
    pool = ThreadPoolExecutor(get_num_threads())
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def map_rows(work: Callable[[slice], object], n: int, size: int, *, one_thread: bool = False) -> Iterator:
    """Yield ``work(rows)`` for slices of rows, in order, computed by as many threads as numba uses.

    numpy releases the lock, and so do kernels with ``nogil``. Add up the results in the order of the slices;
    then the number of threads changes no bit.

    Parameters
    ----------
    work : callable
        Function of a slice of rows.
    n : int
        Number of rows.
    size : int
        Rows of a slice.
    one_thread : bool, default False
        Whether each slice has to wait for those before it.

    Yields
    ------
    object
        The result of a slice.
    """
    slices = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
    if one_thread or min(get_num_threads(), len(slices)) == 1:
        yield from _checked(map(work, slices))
    else:
        with threads() as pool:  # in the context of the caller, where a listener may cancel the fit
            parts = [pool.submit(copy_context().run, work, rows) for rows in slices]
            yield from _checked(part.result() for part in parts)


def _checked(results: Iterator) -> Iterator:
    """Yield the results, and check after each whether the fit has been cancelled."""
    for result in results:
        check_cancelled()
        yield result


# ---------------------------------------------------------------- arrays in memory or in a file


def sum_rows(work: Callable[..., object], *arrays: np.ndarray | None) -> object:
    """Add up ``work(rows, ...)`` over slices of arrays of n rows; of those that are None it gets None."""

    def of_slice(rows: slice) -> object:
        return work(*(None if array is None else np.asarray(array[rows]) for array in arrays))

    return reduce(add, map_rows(of_slice, len(arrays[0]), ROWS))


def weighted_sum(X: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
    """Add up the rows of an array, with a weight for each if there are any: (n, p), (n,) -> (p,)."""
    return np.sum(X if sample_weight is None else sample_weight[:, None] * X, axis=0)


def each_row(X: np.ndarray, step: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return ``step(X)``, whose rows depend on one row of `X` each; of an array in a file one in a file."""
    if not isinstance(X, np.memmap):
        return step(X)
    return in_file(step(np.asarray(X[begin : begin + ROWS])) for begin in range(0, len(X), ROWS))


def in_file(parts: Iterable[np.ndarray]) -> np.memmap:
    """Return arrays, one below the other, as one array in a file.

    The file is where Python has its temporary ones (`TMPDIR`). It has no name and is gone when the array is
    no longer used, or its process ends, however it ends. The system holds it in memory as long as there is
    room.

    Raises
    ------
    OSError
        There is no room.
    """
    with tempfile.TemporaryFile() as file:
        n = 0
        for part in parts:
            check_cancelled()
            file.write(memoryview(np.ascontiguousarray(part)).cast("B"))
            n += len(part)
        file.flush()
        return np.memmap(file, part.dtype, "r+", shape=(n, *part.shape[1:]))
