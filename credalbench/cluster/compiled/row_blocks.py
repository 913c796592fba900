"""Work on the rows of a table, some thousand at a time: what belongs to a block stays in a core's cache.

Blocks go to the threads of numba's thread count, numpy releases the lock, and what comes of them is handed on
in the order of the blocks, whoever did it: the number of threads changes no bit of a sum over them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from numba import get_num_threads

BLOCK_ELEMENTS = 2**17  # of the largest array of a block: a mebibyte, so that a few of them stay in a cache


def over_blocks(work: Callable[[slice], object], n: int, size: int) -> Iterator[object]:
    """Yield ``work(rows)`` for blocks of `size` of the `n` rows, in their order."""
    blocks = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
    n_threads = min(get_num_threads(), len(blocks))
    if n_threads == 1:
        yield from map(work, blocks)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            yield from pool.map(work, blocks)
