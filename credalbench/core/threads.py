"""Passes over the rows of an array, in memory or in a file, by several threads; limits of threads.

Several threads may be slower, or change the last bits of results.

*BLAS*: splitting an (n, f) product with f near 6 over threads costs more than it saves: at n = 200 on two
cores, an L-BFGS run took 45 times longer with two BLAS threads than with one. Splitting a product of long
rows also changes the order of its sums.

*OpenMP*: scikit-learn's k-means sums over clusters in the order in which threads finish.
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
ROWS = 2**16  # rows of a slice of a pass that sums or transforms


def room(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return a float array for intermediate results, which each thread reuses for all its slices, by `name`.

    New memory costs a page fault for each 4 KiB, which takes as long as the work on it. The array still holds
    the numbers of the previous slice.
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

    The last of several contexts to end, in any thread, restores the number of threads.
    """
    with _BLAS_LOCK:
        _BLAS_LIMITS.append(_controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _BLAS_LOCK:
            _BLAS_LIMITS.pop().restore_original_limits()  # those of the latest context


@contextmanager
def alone() -> Iterator[None]:
    """Limit slices, kernels and BLAS of a task to its own thread, since other tasks run in parallel."""
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
    """Yield a pool with numba's number of threads, for ``nogil`` kernels; an error drops waiting tasks."""
    pool = ThreadPoolExecutor(get_num_threads())
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def map_rows(work: Callable[[slice], object], n: int, size: int, *, one_thread: bool = False) -> Iterator:
    """Yield ``work(rows)`` for slices of rows, in order, computed by as many threads as numba uses.

    Slices of n rows have `size` rows. numpy and kernels with ``nogil`` release Python's lock. Add up the
    results in the order of the slices, so that the number of threads does not change the sums. With
    `one_thread`, each slice waits for the previous ones.
    """
    slices = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
    if one_thread or min(get_num_threads(), len(slices)) == 1:
        yield from _checked(map(work, slices))
    else:
        with threads() as pool:  # in the context of the caller, in which a listener may cancel the fit
            parts = [pool.submit(copy_context().run, work, rows) for rows in slices]
            yield from _checked(part.result() for part in parts)


def _checked(results: Iterator) -> Iterator:
    """Yield the results, and check after each whether the fit has been cancelled."""
    for result in results:
        check_cancelled()
        yield result


# ---------------------------------------------------------------- arrays in memory or in a file


def sum_rows(work: Callable[..., object], *arrays: np.ndarray | None) -> object:
    """Add up ``work(rows, ...)`` over slices of arrays of n rows; an array that is None stays None."""

    def of_slice(rows: slice) -> object:
        return work(*(None if array is None else np.asarray(array[rows]) for array in arrays))

    return reduce(add, map_rows(of_slice, len(arrays[0]), ROWS))


def weighted_sum(X: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
    """Add up the rows of an array (n, p), with weights (n,) unless these are None -> (p,)."""
    return np.sum(X if sample_weight is None else sample_weight[:, None] * X, axis=0)


def each_row(X: np.ndarray, step: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return ``step(X)``, with a step that treats each row by itself; in a file if `X` is in a file."""
    if not isinstance(X, np.memmap):
        return step(X)
    return in_file(step(np.asarray(X[begin : begin + ROWS])) for begin in range(0, len(X), ROWS))


def in_file(parts: Iterable[np.ndarray]) -> np.memmap:
    """Return stacked arrays as one array in a file.

    It is an unnamed file in Python's folder for temporary files (`TMPDIR`), and the system keeps it in memory
    if possible. It disappears with the array or the process. Raises OSError if there is not enough space.
    """
    with tempfile.TemporaryFile() as file:
        n = 0
        for part in parts:
            check_cancelled()
            file.write(memoryview(np.ascontiguousarray(part)).cast("B"))
            n += len(part)
        file.flush()
        return np.memmap(file, part.dtype, "r+", shape=(n, *part.shape[1:]))
