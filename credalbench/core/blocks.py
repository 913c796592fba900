"""Data in blocks of rows, which need not fit into memory.

Data are in blocks if they are

* a `numpy.memmap` of two dimensions, cut into blocks of `BLOCK` bytes;
* a dask array or DataFrame, whose chunks or partitions are the blocks;
* a function without arguments that returns an iterator of blocks, arrays or DataFrames: the same ones, in
  the same order, whenever it is called.

A fit checks the blocks one after the other and writes them to a file (`in_file` in ``threads.py``). From
then on they are an array, a map of that file, and the fit is that to an array in memory, to the last bit.
Predictions are made block by block, when they are asked for. With a `distributed.Client`, its workers read
the blocks and make the predictions. Besides the runner this is the one module that knows dask; it is imported
only where there are data of dask.
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
    """Data in blocks; iterating yields what steps make of each block, in order.

    Parameters
    ----------
    X : memory map, dask array or DataFrame, or function that returns an iterator of blocks
    *steps : callables
        Applied to each block where it is read, one after the other; they must be picklable.

    Raises
    ------
    MissingPackage
        `X` is of dask, which is not installed.
    ValueError
        `X` does not have two dimensions, or nobody knows its number of columns; it is a function that needs
        arguments. When iterating: a block is empty, or is refused by a step; the message names it.
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
    """Return whether a function can be called without arguments, as far as its signature says."""
    try:
        signature(read).bind()
    except TypeError:
        return False
    except ValueError:  # some functions in C have no signature
        return True
    return True


def _after_steps(k: int, block: object, steps: tuple[Callable, ...]):
    """Return what the steps make of block k."""
    try:
        expect(hasattr(block, "__len__"), "an array or a DataFrame", block)
        expect(len(block) > 0, "some rows (dask's repartition leaves out empty partitions)", "none")
        with one_blas_thread():  # with several, the last bits would depend on their number
            return reduce(lambda found, step: step(found), steps, block)
    except (TypeError, ValueError) as error:
        raise ValueError(f"block {k} (counted from 0, as are its rows): {error}") from error


def _results_of_dask(X: object, job: Callable[[int, object], object]) -> Iterator:
    """Yield results of the blocks of a dask array or DataFrame, in order: the workers' if there are any.

    As many blocks as the workers have threads are under way at a time.
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
    """Return the client of a cluster that this process has made; None if there is none."""
    if "distributed" not in sys.modules:
        return None
    from distributed import Client

    try:
        return Client.current()
    except ValueError:
        return None
