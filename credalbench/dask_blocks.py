"""Data in blocks of dask: the one module of the library that knows dask, and imports it only when it is used.

A chunk of rows of an array, or a partition of a DataFrame, is a block. On a cluster (a `distributed.Client`)
workers read the blocks and work on them; without one this process reads them, and works on each with all its
threads. Blocks go to the cluster a few at a time, so that neither the workers nor this process hold more of
them, or of their results, than a constant number for each thread.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from credalbench.arguments import expect
from credalbench.extras import require
from credalbench.progress import track

if TYPE_CHECKING:
    from distributed import Client

AT_A_TIME = 4  # blocks that a thread gets at a time; as many more may wait for it


def is_collection(X: object) -> bool:
    """Return whether `X` is an array or a DataFrame of dask. Nothing is imported."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


class DaskSource:
    """The blocks of an array or a DataFrame of dask.

    Raises
    ------
    MissingPackage
        Dask is not installed.
    ValueError
        `X` is no table, or nobody knows its number of columns.
    """

    def __init__(self, X: object) -> None:
        require("dask", extra="distributed", purpose="a dask array or DataFrame")
        if hasattr(X, "chunks"):
            expect(X.ndim == 2, "X of shape (n, p)", X.shape)
            expect(not np.isnan(X.shape[1]), "a known number of columns (X.compute_chunk_sizes())", X.shape)
            X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
        self.parts = np.ravel(X.to_delayed()).tolist()
        self.n_blocks = len(self.parts)

    def map(self, work: Callable[[int, object], object]) -> Iterator:
        """Yield ``work(k, block)`` for each block, in order."""
        client = _current_client()
        if client is None:
            label, results = "block", (work(k, part.compute()) for k, part in enumerate(self.parts))
        else:
            label, results = f"dashboard {client.dashboard_link}, block", self._on_cluster(client, work)
        for _ in track(range(self.n_blocks), label):
            yield next(results)

    def _on_cluster(self, client: Client, work: Callable):
        from dask import delayed

        sent = client.submit(_itself, work, pure=False)
        size = AT_A_TIME * max(1, sum(client.nthreads().values()))
        waiting: deque = deque()
        try:
            for begin in range(0, self.n_blocks, size):
                some = enumerate(self.parts[begin : begin + size], begin)
                waiting += client.compute(
                    [delayed(_on_worker, pure=False)(sent, k, part) for k, part in some]
                )
                while len(waiting) > size:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # after an error, an interrupt, or where nobody asks for the rest
            client.cancel([*waiting, sent])


def _current_client() -> Client | None:
    """Return the client that this process has made; one that was never imported has made none."""
    if "distributed" not in sys.modules:
        return None
    from distributed import Client

    try:
        return Client.current()
    except ValueError:
        return None


def _itself(value: object):
    """Return the value. The result of a task is sent to each worker once, and computed again if lost."""
    return value


def _on_worker(work: Callable, k: int, block: object):
    from credalbench.threads import alone

    with alone():
        return work(k, block)
