"""Limits on threads, for work that several would slow down or whose last bits depend on their number.

*BLAS*: splitting an (n, f) product with f near 6 over threads costs more than it saves: measured at n = 200
on two cores, an L-BFGS run took 45 times longer with two BLAS threads than with one. And when a product of
long rows is split, its sums are added in another order.

*OpenMP*: scikit-learn's k-means adds up its clusters in the order in which threads end.
"""

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller():
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager:
    """Limit BLAS to one thread, for this process, within a context.

    Returns
    -------
    context manager
        It restores the number of threads.
    """
    return _controller().limit(limits=1, user_api="blas")


def one_thread() -> AbstractContextManager:
    """Limit BLAS and OpenMP to one thread within a context; numba's threads are not limited.

    Returns
    -------
    context manager
        It restores the number of threads.
    """
    return _controller().limit(limits=1)
