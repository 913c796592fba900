"""Compute and store the dissimilarities of k-EVCLUS on tiles.

Each is kept once, in the order of ``TileGraph.offsets``, in single precision or as a byte (a multiple of
1/255). They are in memory, or in a file without a name that is mapped into memory: the file disappears when
no process uses it any more, even after a kill.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from errno import ENOSPC

import numpy as np
from sklearn.metrics import pairwise_distances

from credalbench.cluster.conflict.pair_sampling import expect_single_precision
from credalbench.cluster.conflict.tile_graph import TileGraph, draw_tiles, largest_group
from credalbench.cluster.conflict.transformation import transformed
from credalbench.cluster.inputs.dissimilarities import (
    TiledDissimilarities,
    metric_errors,
    metric_parameters,
    non_negative,
)
from credalbench.core.kernels import kernel, warm_up
from credalbench.core.progress import check_cancelled
from credalbench.core.threads import map_rows

PAIRS = 1 << 21  # at a time; d0 is a quantile of the first twice as many
#: How a transformed dissimilarity is kept.
PRECISIONS = {"single": np.dtype(np.float32), "byte": np.dtype(np.uint8)}

Fill = Callable[[slice, np.ndarray], None]  # writes those of some groups into an array


@kernel(fastmath=True, nogil=True)
def _euclidean(
    begin: int, end: int, edges: np.ndarray, successors: np.ndarray, XT: np.ndarray, distances: np.ndarray
) -> None:
    """Write distances of the groups begin..end-1 to their successors; `XT` (p, n) is in their order."""
    place, squares = 0, np.empty(largest_group(edges))
    for t in range(begin, end):
        for u in successors[t]:
            low, high = edges[u], edges[u + 1]
            for i in range(edges[t], edges[t + 1]):
                squares[: high - low] = 0.0
                for q in range(XT.shape[0]):
                    x, others = XT[q, i], XT[q, low:high]
                    for j in range(high - low):
                        squares[j] += (x - others[j]) ** 2
                for j in range(high - low):
                    distances[place + j] = np.sqrt(squares[j])
                place += high - low


def filler(X: np.ndarray | TiledDissimilarities, metric: str | Callable, graph: TileGraph) -> Fill:
    """Return the function that computes the dissimilarities of groups to their successors.

    `X` is (n, p) attributes, or dissimilarities if `metric` is "precomputed".
    """
    if metric == "euclidean":
        XT = np.ascontiguousarray(X[graph.order].T)

        def euclidean(groups: slice, out: np.ndarray) -> None:
            _euclidean(groups.start, groups.stop, graph.edges, graph.successors, XT, out)

        return euclidean
    if isinstance(X, TiledDissimilarities):
        between = X.between
    elif metric == "precomputed":

        def between(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
            return X[np.ix_(rows, columns)]

    else:
        parameters = metric_parameters(X, metric)

        def between(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
            with metric_errors(metric):
                D = pairwise_distances(X[rows], X[columns], metric=metric, **parameters)
            return non_negative(D)

    def by_group(groups: slice, out: np.ndarray) -> None:
        place = 0
        for t in range(groups.start, groups.stop):
            check_cancelled()
            others = [graph.objects(u) for u in graph.successors[t]]
            D = between(graph.objects(t), np.concatenate(others))
            expect_single_precision(float(D.max()))
            for part in np.split(D, np.cumsum([len(group) for group in others])[:-1], axis=1):
                out[place : place + part.size] = part.ravel()
                place += part.size

    return by_group


def transformed_tiles(
    graph: TileGraph,
    fill: Fill,
    choose_d0: Callable[[np.ndarray], float],
    alpha: float,
    *,
    precision: str = "single",
    folder: str | os.PathLike | None = None,
    in_threads: bool = False,
) -> tuple[np.ndarray, float]:
    """Compute all transformed dissimilarities of a graph, and the d0 that `choose_d0` takes from some.

    d0 is taken from the first ones: groups are random, so these are a sample. All are kept in one of the
    `PRECISIONS` (see `unit_of_pairs`), in memory or in a file in `folder`; `in_threads` allows several
    threads to call `fill`.
    """
    offsets = graph.offsets()[:, 0]
    delta = pair_storage(int(offsets[-1]), PRECISIONS[precision], folder)
    step = max(1, PAIRS * graph.n_groups // len(delta))
    first = slice(0, min(2 * step, graph.n_groups))
    sample = np.empty(offsets[first.stop], np.float32)
    fill(first, sample)
    d0 = choose_d0(sample)
    _keep(transformed(sample, d0, alpha, out=sample), delta[: len(sample)])

    def rest(groups: slice) -> None:
        groups = slice(first.stop + groups.start, first.stop + groups.stop)
        kept = delta[offsets[groups.start] : offsets[groups.stop]]
        part = kept if kept.dtype == np.float32 else np.empty(len(kept), np.float32)
        fill(groups, part)
        _keep(transformed(part, d0, alpha, out=part), kept)

    n_left = graph.n_groups - first.stop
    if in_threads:
        for _ in map_rows(rest, n_left, step):
            pass
    else:
        for begin in range(0, n_left, step):
            rest(slice(begin, min(begin + step, n_left)))
    return delta, d0


def _keep(delta: np.ndarray, kept: np.ndarray) -> None:
    """Write degrees in [0, 1] into an array of one of the `PRECISIONS`."""
    if kept.dtype == np.float32:
        kept[:] = delta
    else:
        np.rint(delta / unit_of_pairs(kept), out=kept, casting="unsafe")


def unit_of_pairs(delta: np.ndarray) -> float:
    """Return the transformed dissimilarity that a stored 1 means: 1/255 in bytes."""
    return 1 / 255 if delta.dtype == np.uint8 else 1.0


def pair_storage(n_pairs: int, dtype: np.dtype, folder: str | os.PathLike | None = None) -> np.ndarray:
    """Return an array for dissimilarities, in memory or in a nameless file of a folder.

    Raises an OSError, and leaves no file, if the folder does not exist or does not have enough space.
    """
    if folder is None:
        return np.empty(n_pairs, dtype)
    need = dtype.itemsize * n_pairs
    with tempfile.TemporaryFile(dir=folder) as file:
        free = shutil.disk_usage(folder).free
        try:
            if need > free:
                raise OSError(ENOSPC, "full")
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, need)  # otherwise a full disk would raise a signal
        except OSError as error:
            message = (
                f"expected {need / 2**30:.2g} GiB of free space in {os.fspath(folder)!r} for "
                f"{n_pairs} dissimilarities, got {free / 2**30:.2g} GiB; a smaller n_pairs needs less"
            )
            raise OSError(error.errno, message) from error
        return np.memmap(file, dtype, "r+", shape=(n_pairs,))


@warm_up
def compile_tile_distances() -> None:
    """Make the kernel ready, on five objects."""
    graph = draw_tiles(5, 1, np.random.default_rng(0))
    transformed_tiles(graph, filler(np.eye(5), "euclidean", graph), np.max, 0.05)
