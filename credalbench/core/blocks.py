"""Data in blocks of rows, which need not fit into memory.

Data are in blocks if they are

* a `numpy.memmap` of two dimensions, cut into blocks of `BLOCK` bytes;
* a dask array or DataFrame, whose chunks or partitions are the blocks;
* a function without arguments that returns an iterator of blocks, arrays or DataFrames: the same ones, in
  the same order, in every call.

A fit checks the blocks one after another and writes them to a file (`in_file` in ``threads.py``). It then
uses an array that maps this file, and its results are the same to the last bit as those for an array in
memory. Predictions are computed block by block on request. With a `distributed.Client`, its workers read the
blocks and compute the predictions. Only this module and the runner use dask, which is imported only for dask
data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial, reduce
from inspect import signature

import numpy as np

from credalbench.core.arguments import expect
from credalbench.core.extras import require
from credalbench.core.progress import track, track_iterations
from credalbench.core.threads import alone, one_blas_thread

BLOCK = 2**25  # bytes of a block of a memory map


class Blocks:
    """Data in blocks; iteration yields the result of the steps for each block, in order.

    The `steps`, picklable functions, are applied to each block in turn. Raises MissingPackage if `X` needs
    dask, and it is not installed; a ValueError if `X` does not have two dimensions or a known number of
    columns, or is a function with arguments; and, during iteration, if a block is empty or a step fails, with
    the number of the block.
    """

    def __init__(self, X: object, *steps: Callable) -> None:
        self.X, self.steps = X, steps
        if hasattr(X, "to_delayed"):
            require("dask", extra="distributed", purpose="a dask array or DataFrame")
            expect(X.ndim == 2, "X of shape (n, p)", X.shape)
            known = isinstance(X.shape[1], int)
            expect(known, "a known number of columns (X.compute_chunk_sizes())", X.shape)
        elif not isinstance(X, np.memmap):
            expect(_needs_nothing(X), "X as a function without arguments that returns blocks", X)

    def then(self, step: Callable) -> Blocks:
        """Return the same data after one more step."""
        return Blocks(self.X, *self.steps, step)

    def __iter__(self) -> Iterator:
        job, n = partial(_after_steps, steps=self.steps), 0
        if hasattr(self.X, "to_delayed"):
            results = _results_of_dask(self.X, job)
        else:
            blocks = _slices(self.X) if isinstance(self.X, np.memmap) else self.X()
            results = map(job, track_iterations(2**62, "block"), blocks)
        for result in results:
            n += 1
            yield result
        expect(n > 0, "blocks of data", "none")


def _slices(X: np.memmap) -> Iterator[np.ndarray]:
    rows = max(1, BLOCK // max(X[:1].nbytes, 1))
    return (np.asarray(X[begin : begin + rows]) for begin in range(0, len(X), rows))


def _needs_nothing(read: Callable) -> bool:
    """Return whether a function can be called without arguments, by its signature."""
    try:
        signature(read).bind()
    except TypeError:
        return False
    except ValueError:  # some functions in C have no signature
        return True
    return True


def _after_steps(k: int, block: object, steps: tuple[Callable, ...]):
    """Return the result of the steps for block k."""
    try:
        expect(hasattr(block, "__len__"), "an array or a DataFrame", block)
        expect(len(block) > 0, "some rows (dask's repartition leaves out empty partitions)", "none")
        with one_blas_thread():  # with several, the last bits would depend on their number
            return reduce(lambda found, step: step(found), steps, block)
    except (TypeError, ValueError) as error:
        raise ValueError(f"block {k} (counted from 0, as are its rows): {error}") from error


def _results_of_dask(X: object, job: Callable[[int, object], object]) -> Iterator:
    """Yield the results for the blocks of a dask array or DataFrame, in order.

    If there are workers, they compute as many blocks at a time as they have threads.
    """
    import dask

    if hasattr(X, "chunks") and X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    parts = np.ravel(X.to_delayed()).tolist()
    client = _current_client()
    if client is None:
        for k in track(range(len(parts)), "block"):
            yield job(k, parts[k].compute())
        return
    size, task = max(1, sum(client.nthreads().values())), dask.delayed(_alone, pure=False)
    for k in track(range(len(parts)), f"dashboard {client.dashboard_link}, block"):
        if k % size == 0:
            results = dask.compute(*(task(job, j, parts[j]) for j in range(k, min(k + size, len(parts)))))
        yield results[k % size]


def _alone(job: Callable, k: int, block: object):
    with alone():
        return job(k, block)


def _current_client() -> object:
    """Return the `distributed.Client` of this process; None if there is none."""
    if "distributed" not in sys.modules:
        return None
    from distributed import Client

    try:
        return Client.current()
    except ValueError:
        return None
