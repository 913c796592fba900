"""Threads: blocks of rows for several threads, and limits where several are slower or change the last bits.

*BLAS*: splitting an (n, f) product with f near 6 over threads costs more than it saves: measured at n = 200
on two cores, an L-BFGS run took 45 times longer with two BLAS threads than with one. Splitting a product of
long rows also changes the order of its sums.

*OpenMP*: scikit-learn's k-means adds up its clusters in the order in which threads end.
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from functools import cache
from threading import Lock, local

import numpy as np
from numba import get_num_threads, set_num_threads
from threadpoolctl import ThreadpoolController

from credalbench.core.progress import check_cancelled

_BLAS_LOCK, _BLAS_LIMITS = Lock(), []  # a limit for each open context; the first restores the threads

_ROOM = local()


def room(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return a float array for intermediate results, with the same memory for each block of a thread.

    There is one array for each name; it holds the numbers of the last block. New memory costs a page fault
    for each 4 KiB, which takes as long as the work on it.
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
    """Limit a task, next to others, to its own thread: blocks, kernels and BLAS."""
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


def map_blocks(work: Callable[[slice], object], n: int, size: int, *, one_thread: bool = False) -> Iterator:
    """Yield ``work(rows)`` for slices of `size` of n rows, in order, from as many threads as numba uses.

    With `one_thread`, each block waits for those before it. numpy releases the lock, and so do kernels with
    ``nogil``. Add up the results in the order of the blocks: the sums are then the same, to the last bit, for
    any number of threads.
    """
    blocks = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
    if one_thread or min(get_num_threads(), len(blocks)) == 1:
        yield from _checked(map(work, blocks))
    else:
        with threads() as pool:  # in the context of the caller, where a listener may cancel the fit
            parts = [pool.submit(copy_context().run, work, rows) for rows in blocks]
            yield from _checked(part.result() for part in parts)


def _checked(results: Iterator) -> Iterator:
    """Yield the results, and check after each whether the fit has been cancelled."""
    for result in results:
        check_cancelled()
        yield result
