"""Credal partitions of data in blocks: masses are computed on request, block by block."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import reduce
from operator import add, methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Never

import numpy as np

from credalbench.core.arguments import Choice, expect
from credalbench.core.extras import require
from credalbench.core.resources import expect_memory

from . import frames
from .focal import FocalSets
from .partition import CredalPartition

if TYPE_CHECKING:
    import pandas as pd

    from credalbench.core.blocks import Blocks


class BlockwisePartition:
    """Mass functions of objects in blocks; masses are computed on request and not kept.

    Estimators fitted to data in blocks have it as ``partition_``, and `predict_partition` returns it for such
    data. Each method reads the data once, or several times if the blocks themselves are computed.

    Parameters
    ----------
    blocks : Blocks
        Blocks whose steps end with a `CredalPartition` of each block.
    focal_sets : FocalSets
        The f sets that carry mass.
    n_objects : int or None
        Number of objects n; None for new data whose rows have not been counted.

    Examples
    --------
    >>> from credalbench.cluster import ECM
    >>> def blocks():
    ...     yield [[0.0], [1.0], [2.0]]
    ...     yield [[10.0], [11.0], [12.0]]
    >>> partition = ECM(2, random_state=0).fit(blocks).partition_
    >>> partition
    BlockwisePartition(n=6, c=2, f=4)
    >>> int(partition.summary().n_objects.sum())
    6
    """

    def __init__(self, blocks: Blocks, focal_sets: FocalSets, n_objects: int | None = None) -> None:
        self._blocks = blocks
        self.focal_sets = focal_sets
        self.n_objects = n_objects

    @property
    def n_clusters(self) -> int:
        """Number of clusters c."""
        return self.focal_sets.n_clusters

    def __repr__(self) -> str:
        size = "" if self.n_objects is None else f"n={self.n_objects}, "
        return f"BlockwisePartition({size}c={self.n_clusters}, f={len(self.focal_sets)})"

    def __getattr__(self, name: str) -> Never:
        """Raise an AttributeError that tells how to get what only a `CredalPartition` has."""
        known = hasattr(CredalPartition, name) or name in CredalPartition.__dataclass_fields__
        ways = f": use compute().{name} in memory, or {name} of each partition in blocks()"
        raise AttributeError(f"a partition in blocks has no {name!r}{ways * known}")

    def map(self, function: Callable[[CredalPartition], object]) -> Iterator:
        """Yield ``function(partition)`` for the partition of each block, computed where the block is read.

        Parameters
        ----------
        function : callable
            Function of a `CredalPartition`, which has the names of the block. On a cluster the function is
            sent to the workers, and its results are sent back.

        Yields
        ------
        object
            One result for each block, in order.
        """
        yield from self._blocks.then(function)

    def blocks(self) -> Iterator[CredalPartition]:
        """Yield the partitions of the blocks, in order; objects without names are numbered over all blocks.

        Yields
        ------
        CredalPartition
            Partition of the objects of one block.
        """
        import pandas as pd

        first = 0
        for partition in self._blocks:
            end = first + len(partition)
            yield partition if partition.index is not None else partition.named(pd.RangeIndex(first, end))
            first = end

    def compute(self) -> CredalPartition:
        """Return the partition in memory.

        Returns
        -------
        CredalPartition
            Named if all blocks have names.

        Raises
        ------
        NotEnoughMemory
            If there is not enough memory for the (n, f) masses.
        """
        import pandas as pd

        what = f"masses of {self.n_objects} objects on {len(self.focal_sets)} focal sets"
        expect_memory(16 * (self.n_objects or 0) * len(self.focal_sets), what, "map or blocks()")
        parts = list(self._blocks)
        named = all(part.index is not None for part in parts)
        index = pd.Index(np.concatenate([part.index.to_numpy() for part in parts])) if named else None
        return CredalPartition(np.concatenate([part.masses for part in parts]), self.focal_sets, index)

    # ------------------------------------------------------------------ decisions: a row for each object

    def labels(self, rule: str = "pignistic", *, noise: int | None = None) -> np.ndarray:
        """Assign each object to one cluster, as `CredalPartition.labels` does.

        Parameters
        ----------
        rule : {"pignistic", "plausibility", "belief"}, default "pignistic"
            Function that is largest for the cluster.
        noise : int, optional
            Label of outliers, below 0.

        Returns
        -------
        (n,) int array
            Cluster numbers from 0.
        """
        return self._joined("labels", rule, noise=noise)

    def hard_credal(self, allow_empty: bool = True) -> np.ndarray:
        """Assign each object to the focal set of largest mass, as `CredalPartition.hard_credal` does.

        Parameters
        ----------
        allow_empty : bool, default True
            Whether the empty set may be chosen.

        Returns
        -------
        (n,) int array
            Index of the focal set.
        """
        return self._joined("hard_credal", allow_empty)

    def interval_dominance(self) -> np.ndarray:
        """Return the undominated clusters of each object.

        Returns
        -------
        (n, c) bool array
            At least one True per row.
        """
        return self._joined("interval_dominance")

    def outliers(self) -> np.ndarray:
        """Return the objects with more mass on the empty set than on any other.

        Returns
        -------
        (n,) bool array
            True for outliers.
        """
        return self._joined("outliers")

    def _joined(self, method: str, *arguments: object, **named: object) -> np.ndarray:
        return np.concatenate(list(self.map(methodcaller(method, *arguments, **named))))

    # ------------------------------------------------------------------ sums over the objects

    def nonspecificity(self) -> float:
        """Compute the average nonspecificity, in one pass.

        Returns
        -------
        float
            In [0, 1].
        """
        total, n = np.sum(list(self.map(_nonspecificity)), axis=0)
        return float(total / n)

    def summary(self) -> pd.DataFrame:
        """Return the table of `CredalPartition.summary`, in one pass.

        Returns
        -------
        pandas.DataFrame
            A row for each cluster and for each other set of highest mass.
        """
        return frames.set_table(self.focal_sets, reduce(add, self.map(frames.set_counts)))

    # ------------------------------------------------------------------ tables and files

    def to_frame(self, *parts: str) -> Iterator[pd.DataFrame]:
        """Yield the tables of `CredalPartition.to_frame`, one for each block.

        Parameters
        ----------
        *parts : {"masses", "contour", "decisions"}
            Groups of columns; all by default.

        Yields
        ------
        pandas.DataFrame
            Indexed by the names of the objects, or by their numbers over all blocks.
        """
        for part in parts:
            Choice(*frames.PARTS).read("each part", part)
        for partition in self.blocks():
            yield partition.to_frame(*parts)

    def save(self, path: str | os.PathLike, *parts: str) -> Path:
        """Write the tables of the blocks to a folder of parquet files, which pandas and dask read as one.

        Parameters
        ----------
        path : str or path
            The folder, which must not exist yet. It has a temporary name until it is complete; after an error
            or an interrupt, no folder remains.
        *parts : {"masses", "contour", "decisions"}
            Groups of columns; the masses by default.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        ValueError
            If the folder exists.
        MissingPackage
            If pyarrow is not installed; the message names the extra.
        """
        require("pyarrow", extra="files", purpose="BlockwisePartition.save")
        target = Path(path)
        expect(not target.exists(), "a folder that does not exist yet", str(target))
        unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
        unfinished.mkdir(parents=True)
        try:
            for k, frame in enumerate(self.to_frame(*(parts or ("masses",)))):
                frame.to_parquet(unfinished / f"part-{k:06}.parquet", engine="pyarrow")
            unfinished.rename(target)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return target


def _nonspecificity(partition: CredalPartition):
    return partition.nonspecificity() * len(partition), len(partition)
