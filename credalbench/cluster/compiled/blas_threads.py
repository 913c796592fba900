"""Keep matrix products that are only a few columns wide on one thread.

Splitting an (n, f) product with f near 6 over threads costs more than it saves: measured at n = 200 on two
cores, an L-BFGS run took 45 times longer with two BLAS threads than with one.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller():
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager:
    """Context manager that limits BLAS to one thread, for this process, until it exits."""
    return _controller().limit(limits=1, user_api="blas")
