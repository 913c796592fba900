"""Data in blocks of rows, which need not fit into memory: each pass reads them one after the other.

Data are in blocks if they are

* a `numpy.memmap` of two dimensions, cut into blocks of `BLOCK` bytes;
* a dask array or DataFrame, whose chunks or partitions are the blocks (``dask_blocks.py``);
* a function without arguments that returns an iterator of blocks, arrays or DataFrames: the same ones, in
  the same order, whenever it is called.

`Blocks` stands where an (n, p) array stands otherwise. Steps of an algorithm that only add something up over
the objects take both, by `sum_over`: an array is the case of one block. Sums are added in the order of the
blocks, and a block is summed as an array is. So a result depends on where the data are cut, and on nothing
else: neither on the kind of data nor on who reads which block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from inspect import signature
from operator import add
from uuid import uuid4

import numpy as np

from credalbench.core.arguments import expect
from credalbench.core.dask_blocks import DaskSource, KeptByWorkers, is_collection
from credalbench.core.kept_arrays import KeptArray
from credalbench.core.progress import track, track_iterations

BLOCK = 2**25  # bytes of a block of a memory map
TAKEN_BY = "only ECM, EGMM, CatECM, FuzzyCMeans, KModes and predict_partition"


def are_blocks(X: object) -> bool:
    """Return whether data of any type are in blocks."""
    if isinstance(X, np.ndarray):
        return isinstance(X, np.memmap) and X.ndim == 2
    return is_collection(X) or (callable(X) and not hasattr(X, "__array__"))


def expect_in_memory(X: object) -> None:
    """Refuse data in blocks, but for memory maps, which are arrays, too.

    Raises
    ------
    ValueError
        The message names the way out.
    """
    if are_blocks(X) and not isinstance(X, np.ndarray):
        raise ValueError(
            f"expected X in memory, got data in blocks ({type(X).__name__}), which {TAKEN_BY} take. Instead: "
            "fit some of the objects, and predict_partition all of them"
        )


class LocalSource:
    """Blocks that this process reads. The number of blocks is None until they have been read once."""

    def __init__(self, read: Callable[[], Iterator], n_blocks: int | None = None) -> None:
        self.read, self.n_blocks = read, n_blocks

    def map(self, work: Callable[[int, object], object]) -> Iterator:
        """Yield ``work(k, block)`` for each block, in order."""
        blocks, n, read = iter(self.read()), self.n_blocks, 0
        for k in track_iterations(2**62, "block") if n is None else track(range(n), "block"):
            block = next(blocks, self)  # itself: there is no other
            if block is self:
                break
            yield work(k, block)
            read += 1
        more = next(blocks, self) is not self
        expect(n in (None, read) and not more, f"{n} blocks, as before", f"{read}{' and more' * more}")
        self.n_blocks = read


@dataclass(frozen=True)
class Slices:
    """A memory map as a function that returns its blocks."""

    array: np.ndarray
    rows: int

    def __call__(self) -> Iterator[np.ndarray]:
        return (self.array[begin : begin + self.rows] for begin in range(0, len(self.array), self.rows))


def source_of(X: object) -> LocalSource | DaskSource:
    """Return where the blocks of data come from that are in blocks."""
    if is_collection(X):
        return DaskSource(X)
    if isinstance(X, np.memmap):
        rows = max(1, BLOCK // max(X[:1].nbytes, 1))
        return LocalSource(Slices(X, rows), -(-len(X) // rows))
    expect(are_blocks(X), "a memory map of two dimensions, dask data or a function that returns blocks", X)
    expect(needs_nothing(X), "X as a function without arguments that returns blocks", X)
    return LocalSource(X)


def needs_nothing(read: Callable) -> bool:
    """Return whether a function can be called without arguments, as far as its signature says."""
    try:
        signature(read).bind()
    except TypeError:
        return False
    except ValueError:  # some functions in C have no signature
        return True
    return True


@dataclass(frozen=True, eq=False)
class Blocks:
    """Objects in blocks, as an (n, p) array that is never in memory as a whole.

    Parameters
    ----------
    source : LocalSource or DaskSource
    steps : tuple of callables
        Applied to each block when it is read, one after the other; they must be picklable.
    lengths : tuple of int, optional
        Rows of the blocks; each pass checks them. None: nobody has counted them yet.
    low, high : (p,) arrays, optional
        Least and largest values of the attributes, as they were read, or minus an origin.
    store : source of `KeptArray`, optional
        The blocks after the first `done` steps; None: they are read from `source`.
    done : int
    """

    source: LocalSource | DaskSource
    steps: tuple[Callable, ...] = ()
    lengths: tuple[int, ...] | None = None
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    store: LocalSource | KeptByWorkers | None = None
    done: int = 0

    def __len__(self) -> int:
        return sum(self.lengths)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of objects and attributes."""
        return len(self), len(self.low)

    def min(self, axis: int) -> np.ndarray:
        """Return the least value of each attribute."""
        return self.low

    def max(self, axis: int) -> np.ndarray:
        """Return the largest value of each attribute."""
        return self.high

    def __sub__(self, origin: np.ndarray) -> Blocks:
        return replace(
            self.then(partial(_less, origin=origin)), low=self.low - origin, high=self.high - origin
        )

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        """Return objects in memory, by their ascending rows. One pass."""
        ends = np.cumsum(self.lengths)
        places = np.split(rows, np.searchsorted(rows, ends[:-1]))
        inside = [some - begin for some, begin in zip(places, ends - self.lengths)]
        return np.concatenate(list(self.map(_rows, inside)))

    def then(self, step: Callable) -> Blocks:
        """Return the same objects after one more step."""
        return replace(self, steps=(*self.steps, step))

    def restarted(self, step: Callable) -> Blocks:
        """Return the objects as they come, after one step alone."""
        return replace(self, steps=(step,), store=None, done=0)

    def kept(self) -> Blocks:
        """Return the same objects, whose blocks are kept after all steps in files where they are read.

        One pass. Without room for the files, blocks are read and go through all steps in each pass.
        """
        source, steps = self._reading()
        work = Only(Job(steps, partial(_kept, name=uuid4().hex), ()))
        try:
            store = None if isinstance(source, LocalSource) else source.keep(work)
            if store is None:
                arrays = list(source.map(work))
                store = LocalSource(partial(iter, arrays), len(arrays))
        except OSError:
            return self
        return replace(self, store=store, done=len(self.steps))

    def _reading(self):
        """Return where blocks come from, and the steps that they still have to go."""
        return (self.store or self.source), self.steps[self.done :]

    def map(self, work: Callable, *values: Sequence) -> Iterator:
        """Yield ``work(block)`` for each block, in order; with lists of a value for each block, those, too.

        Raises
        ------
        ValueError
            A block is refused by a step, is empty, or has another length than in the pass before: the
            message names it.
        """
        k, (source, steps) = -1, self._reading()
        for k, (rows, result) in enumerate(source.map(Job(steps, work, values))):
            if self.lengths is not None:
                expect(rows == self.lengths[k], f"{self.lengths[k]} rows in block {k}, as before", rows)
            yield result
        expect(k >= 0, "blocks of data", "none")


@dataclass(frozen=True, eq=False)
class Job:
    """What is done to a block where it is read: all steps, then the work."""

    steps: tuple[Callable, ...]
    work: Callable
    values: tuple[Sequence, ...]

    def __call__(self, k: int, block: object) -> tuple[int, object]:
        """Return the rows of the block, and the result."""
        from credalbench.core.threads import one_blas_thread  # slow to import

        try:
            expect(hasattr(block, "__len__"), "an array or a DataFrame", block)
            if isinstance(block, KeptArray | np.memmap):
                block = block.read() if isinstance(block, KeptArray) else np.asarray(block)
            rows = len(block)
            expect(rows > 0, "some rows (dask's repartition leaves out empty partitions)", "none")
            with one_blas_thread():  # with several, the last bits would depend on their number
                for step in self.steps:
                    block = step(block)
                return rows, self.work(block, *(each[k] for each in self.values))
        except (TypeError, ValueError) as error:
            raise ValueError(f"block {k} (counted from 0, as are its rows): {error}") from error


@dataclass(frozen=True, eq=False)
class Only:
    """The result of a job, without the rows."""

    job: Job

    def __call__(self, k: int, block: object) -> object:
        """Return the result."""
        return self.job(k, block)[1]


def sum_over(X: np.ndarray | Blocks, work: Callable) -> object:
    """Return ``work(X)`` of an array; of data in blocks the sum over the blocks, in their order."""
    return reduce(add, X.map(work)) if isinstance(X, Blocks) else work(X)


def kept(X: np.ndarray | Blocks) -> np.ndarray | Blocks:
    """Return the same objects; data in blocks are kept as they are now, see `Blocks.kept`."""
    return X.kept() if isinstance(X, Blocks) else X


def each(X: np.ndarray | Blocks, step: Callable) -> np.ndarray | Blocks:
    """Return what a step makes of objects, each by itself; data in blocks are kept after it."""
    return kept(X.then(step)) if isinstance(X, Blocks) else step(X)


def joined(X: object, function: Callable) -> np.ndarray:
    """Return the results of a function of each block, one below the other: a row for each object."""
    return np.concatenate(list(Blocks(source_of(X)).map(function)))


def expect_unweighted(X: np.ndarray | Blocks, sample_weight: object) -> None:
    """Refuse weights of objects in blocks."""
    weighted = isinstance(X, Blocks) and sample_weight is not None
    expect(not weighted, "no sample_weight with X in blocks", sample_weight)


def _less(block: np.ndarray, origin: np.ndarray):
    return block - origin


def _rows(block: np.ndarray, rows: np.ndarray):
    return block[rows]


def _kept(block: np.ndarray, name: str):
    return block if isinstance(block.base, np.memmap) else KeptArray(block, name)
