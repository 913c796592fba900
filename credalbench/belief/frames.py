"""Credal partitions as pandas tables: object by object, and summarised by focal set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from credalbench.core.arguments import Choice
from credalbench.core.names import name_of

from .explanation import reasons_of
from .focal import set_label

if TYPE_CHECKING:
    import pandas as pd

    from .focal import FocalSets
    from .partition import CredalPartition

PARTS = ("masses", "contour", "decisions")


def object_frame(partition: CredalPartition, parts: Sequence[str] = PARTS) -> pd.DataFrame:
    """Return what `CredalPartition.to_frame` returns; arguments and errors are the same."""
    import pandas as pd

    parts = [Choice(*PARTS).read("each part", part) for part in parts]
    c, columns = partition.n_clusters, {}
    if "masses" in parts:
        columns |= dict(zip(partition.focal_sets.labels, partition.masses.T))
    if "contour" in parts:
        columns |= {f"pl({{{k + 1}}})": partition.contour[:, k] for k in range(c)}
    if "decisions" in parts:
        columns |= {
            "cluster": partition.labels() + 1,  # as in the names of the sets
            "most_mass": _set_labels(partition.focal_sets.membership)[partition.hard_credal()],
            "undominated": _set_labels(partition.interval_dominance()),
            "outlier": partition.outliers(),
        }
    return pd.DataFrame(columns, index=object_index(partition))


def outlier_rows(partition: CredalPartition) -> np.ndarray:
    """Return the positions (m,) of the outliers, those with the largest mass on the empty set first."""
    rows = np.flatnonzero(partition.outliers())
    return rows[np.argsort(-partition.masses[rows, 0], kind="stable")]


def ambiguous_rows(partition: CredalPartition) -> np.ndarray:
    """Return the positions (m,) of the ambiguous objects, the most ambiguous first.

    An object is ambiguous if its largest mass is on several clusters, or if no cluster dominates all others.
    Outliers are not included.
    """
    imprecise = partition.focal_sets.cardinality[partition.hard_credal()] > 1
    undominated = partition.interval_dominance().sum(axis=1) > 1
    rows = np.flatnonzero((imprecise | undominated) & ~partition.outliers())
    contour = np.sort(partition.contour[rows], axis=1)
    lead = contour[:, -1] - contour[:, -2] if contour.shape[1] > 1 else contour[:, -1]
    return rows[np.argsort(lead, kind="stable")]


def doubtful_frame(partition: CredalPartition) -> pd.DataFrame:
    """Return what `CredalPartition.doubtful` returns."""
    outliers, ambiguous = outlier_rows(partition), ambiguous_rows(partition)
    rows = np.concatenate([outliers, ambiguous])
    frame = object_frame(partition, ["decisions"]).iloc[rows][["most_mass", "undominated"]]
    reasons = reasons_of(partition.masses[rows], partition.focal_sets)
    return frame.assign(
        kind=["outlier"] * len(outliers) + ["ambiguous"] * len(ambiguous),
        reason=[reasons[i] for i in range(len(rows))],
    )[["kind", "most_mass", "undominated", "reason"]]


def object_index(partition: CredalPartition) -> pd.Index:
    """Return the names of the objects, or their numbers from 0 under the title ``object``."""
    import pandas as pd

    if partition.index is None:
        return pd.RangeIndex(partition.n_objects, name="object")
    untitled = all(title is None for title in partition.index.names)
    return partition.index.rename("object") if untitled and partition.index.nlevels == 1 else partition.index


class SetCounts(NamedTuple):
    """Sums from which the table of focal sets is made; the sums of several blocks of objects can be added."""

    n: int
    counts: np.ndarray  # (f,): objects with their highest mass on the set
    sums: np.ndarray  # (f,): of the masses on it
    highest: np.ndarray  # (f,): the highest mass on it
    typical: list  # f pairs of row and name, or None, of the object with the highest mass

    def __add__(self, other: SetCounts) -> SetCounts:
        later = other.highest > self.highest
        others = [(row + self.n, name) for row, name in other.typical]
        return SetCounts(
            self.n + other.n,
            self.counts + other.counts,
            self.sums + other.sums,
            np.where(later, other.highest, self.highest),
            [two if chosen else one for chosen, one, two in zip(later, self.typical, others)],
        )


def set_counts(partition: CredalPartition) -> SetCounts:
    """Return the counts and sums of the masses of a partition on each focal set."""
    masses, f, index = partition.masses, len(partition.focal_sets), partition.index
    rows = masses.argmax(axis=0).tolist() if len(masses) else []
    return SetCounts(
        len(masses),
        np.bincount(partition.hard_credal(), minlength=f),
        masses.sum(axis=0),
        masses[rows, np.arange(len(rows))],
        [(row, None if index is None else name_of(row, index)) for row in rows],
    )


def set_table(focal_sets: FocalSets, found: SetCounts) -> pd.DataFrame:
    """Return the table of focal sets that `CredalPartition.summary` returns."""
    import pandas as pd

    shown = np.flatnonzero((found.counts > 0) | (focal_sets.cardinality == 1))
    typical = [row if name is None else name for row, name in found.typical]
    columns = {
        "n_objects": found.counts[shown],
        "mean_mass": found.sums[shown] / max(found.n, 1),
        "typical": [typical[j] for j in shown] if typical else None,
    }
    names = [
        set_label(np.flatnonzero(members), focal_sets.n_clusters) for members in focal_sets.membership[shown]
    ]
    return pd.DataFrame(columns, index=pd.Index(names, name="set"))


def _set_labels(membership: np.ndarray) -> np.ndarray:
    """Return readable names (m,) of sets of clusters (m, c), computed once for each distinct set."""
    c = membership.shape[1]
    masks = membership.astype(np.int64) @ np.left_shift(np.int64(1), np.arange(c))
    distinct, places = np.unique(masks, return_inverse=True)
    names = [set_label([k for k in range(c) if mask >> k & 1], c) for mask in distinct.tolist()]
    return np.array(names, dtype=object)[places]
