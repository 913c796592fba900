"""Data in blocks of dask: the one module of the library that knows dask, and imports it only when it is used.

A chunk of rows of an array, or a partition of a DataFrame, is a block. On a cluster (a `distributed.Client`)
workers read the blocks and work on them; without one this process reads them, and works on each with all its
threads. Blocks go to the cluster a few at a time, so that neither the workers nor this process hold more of
them, or of their results, than a constant number for each thread.
"""

from __future__ import annotations

import pkgutil
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from credalbench.core.arguments import expect
from credalbench.core.extras import require
from credalbench.core.progress import track

if TYPE_CHECKING:
    from distributed import Client, Future

AT_A_TIME = 4  # blocks that a thread gets at a time; as many more may wait for it
KEPT_AT_A_TIME = 8  # kept blocks that one task works on


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

    def map(self, work: Callable[[int, object], object]) -> Iterator:
        """Yield ``work(k, block)`` for each block, in order."""
        client = _current_client()
        if client is None:
            for k in track(range(len(self.parts)), "block"):
                yield work(k, self.parts[k].compute())
        else:
            with closing(_on_cluster(client, work, self.parts)) as futures:
                for _ in track(range(len(self.parts)), _label(client)):
                    yield next(futures).result()

    def keep(self, work: Callable[[int, object], object]) -> KeptByWorkers | None:
        """Return ``work(k, block)`` of the blocks as a source, kept by the workers; None: there are none."""
        client = _current_client()
        return client and KeptByWorkers(client, work, self.parts)


class KeptByWorkers:
    """Results of work on blocks, which stay on the workers. Dask makes those of a lost worker anew."""

    def __init__(self, client: Client, work: Callable[[int, object], object], parts: Sequence) -> None:
        self.client, self.futures = client, []
        with closing(_on_cluster(client, work, parts)) as futures:
            for _ in track(range(len(parts)), _label(client)):
                future = next(futures)
                if future.exception() is not None:  # waits, and leaves the result where it is
                    future.result()
                self.futures.append(future)

    def keep(self, work: Callable[[int, object], object]) -> KeptByWorkers:
        """Return ``work(k, block)`` of the blocks as a source, kept where they are."""
        return KeptByWorkers(self.client, work, self.futures)

    def map(self, work: Callable[[int, object], object]) -> Iterator:
        """Yield ``work(k, block)`` for each block, in order: small results, since all may wait at once."""
        n, places, done = len(self.futures), defaultdict(list), {}
        who_has = self.client.who_has(self.futures)
        for k, future in enumerate(self.futures):
            places[tuple(who_has.get(future.key, ()))].append(k)
        size = min(KEPT_AT_A_TIME, -(-n // _threads(self.client)))
        groups = sorted(ks[i : i + size] for ks in places.values() for i in range(0, len(ks), size))
        blocks = [[self.futures[k] for k in ks] for ks in groups]
        tasks = self.client.map(_some_on_worker, groups, blocks, work=work, pure=False)
        try:
            waiting = iter(tasks)
            for k in track(range(n), _label(self.client)):
                while k not in done:
                    done |= next(waiting).result()
                yield done.pop(k)
        finally:
            self.client.cancel(tasks)


def _on_cluster(client: Client, work: Callable, parts: Sequence) -> Iterator[Future]:
    """Yield futures of ``work(k, block)`` for all blocks, in order."""
    from dask import delayed

    _expect_package(client)
    sent = client.submit(_itself, work, pure=False)
    task = delayed(_on_worker, pure=False)
    places = [address for address, threads in client.nthreads().items() for _ in range(threads)]
    places = places or [None]  # a cluster may start workers when there is work
    size = AT_A_TIME * len(places)
    waiting: deque = deque()
    try:
        for begin in range(0, len(parts), size):
            some, futures = range(begin, min(begin + size, len(parts))), {}
            for place in dict.fromkeys(places):  # as many for each thread; another worker helps, or stands in
                own = [k for k in some if places[k % len(places)] == place]
                tasks = [task(sent, k, parts[k]) for k in own]
                where = {"workers": [place], "allow_other_workers": True} if place else {}
                futures |= zip(own, client.compute(tasks, **where))
            waiting += [futures[k] for k in some]
            while len(waiting) > size:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:  # after an error, an interrupt, or where nobody asks for the rest
        client.cancel(waiting)


def _expect_package(client: Client):
    """Refuse workers without this version: they could not read what is sent, and would end, or differ."""
    from credalbench import __version__

    found = client.run(pkgutil.resolve_name, "credalbench:__version__", on_error="return")
    others = {address: str(version) for address, version in found.items() if version != __version__}
    expect(not others, f"credalbench {__version__} on each worker", others)


def _label(client: Client):
    return f"dashboard {client.dashboard_link}, block"


def _threads(client: Client):
    return max(1, sum(client.nthreads().values()))


def _current_client() -> Client | None:
    """Return the client that this process has made; one that was never imported has made none."""
    if "distributed" not in sys.modules:
        return None
    from distributed import Client

    try:
        return Client.current()
    except ValueError:
        return None


def folder_of_worker() -> str | None:
    """Return the folder of the Dask worker that this thread works for, if it does."""
    if "distributed" not in sys.modules:
        return None
    from distributed import get_worker

    try:
        return get_worker().local_directory
    except ValueError:
        return None


def _itself(value: object):
    """Return the value. The result of a task is sent to each worker once, and computed again if lost."""
    return value


def _on_worker(work: Callable, k: int, block: object):
    from credalbench.core.threads import alone

    with alone():
        return work(k, block)


def _some_on_worker(numbers: list[int], blocks: list, work: Callable):
    return {k: _on_worker(work, k, block) for k, block in zip(numbers, blocks)}
