"""Threads: blocks of rows for several, and limits where several are slower or change the last bits.

*BLAS*: splitting an (n, f) product with f near 6 over threads costs more than it saves: measured at n = 200
on two cores, an L-BFGS run took 45 times longer with two BLAS threads than with one. And when a product of
long rows is split, its sums are added in another order.

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

_BLAS_LOCK, _BLAS_LIMITS = Lock(), []  # one for each context that is open: the first knows what to restore

_ROOM = local()


def room(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array for what is computed on the way, in a thread the same memory for block after block.

    Fresh memory costs a page fault for each 4 KiB, which takes as long as the work on it.

    Parameters
    ----------
    name : str
        Another array for each name.
    shape : tuple of int

    Returns
    -------
    float array
        With the numbers of the block before.
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

    The number of threads is restored where the last of several contexts ends, in whatever threads they are.
    """
    with _BLAS_LOCK:
        _BLAS_LIMITS.append(_controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _BLAS_LOCK:
            _BLAS_LIMITS.pop().restore_original_limits()  # of the latest, whichever context ends here


@contextmanager
def alone() -> Iterator[None]:
    """Keep a task to the thread that it runs in, beside which others run: blocks, kernels and BLAS."""
    before = get_num_threads()
    set_num_threads(1)
    try:
        with one_blas_thread():
            yield
    finally:
        set_num_threads(before)


def one_thread() -> AbstractContextManager:
    """Limit BLAS and OpenMP to one thread within a context; numba's threads are not limited.

    Returns
    -------
    context manager
        It restores the number of threads.
    """
    return _controller().limit(limits=1)


@contextmanager
def threads() -> Iterator[ThreadPoolExecutor]:
    """Provide as many threads as kernels may use, for kernels that release the lock: ``@kernel(nogil=True)``.

    After an interrupt, waiting tasks are dropped.

    Yields
    ------
    ThreadPoolExecutor
        It is shut down at the end.
    """
    pool = ThreadPoolExecutor(get_num_threads())
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def map_blocks(work: Callable[[slice], object], n: int, size: int, *, one_thread: bool = False) -> Iterator:
    """Yield ``work(rows)`` for blocks of rows, in order, computed by as many threads as numba uses.

    numpy releases the lock, and so do kernels with ``nogil``. Add up the results in the order of the blocks;
    then the number of threads changes no bit.

    Parameters
    ----------
    work : callable
        Function of a slice of rows.
    n : int
        Number of rows.
    size : int
        Rows of a block.
    one_thread : bool, default False
        Whether each block has to wait for those before it.

    Yields
    ------
    object
        The result of a block.
    """
    blocks = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
    if one_thread or min(get_num_threads(), len(blocks)) == 1:
        yield from _checked(map(work, blocks))
    else:
        with threads() as pool:  # in the context of the caller, where a listener may cancel the fit
            parts = [pool.submit(copy_context().run, work, rows) for rows in blocks]
            yield from _checked(part.result() for part in parts)


def _checked(results: Iterator) -> Iterator:
    """Yield the results; check after each whether the fit has been cancelled."""
    for result in results:
        check_cancelled()
        yield result
