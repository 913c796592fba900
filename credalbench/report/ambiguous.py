"""The objects that a reader should look at: outliers, and those that may be in several clusters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from credalbench.belief import CredalPartition, Explanation
from credalbench.belief.focal import set_label
from credalbench.names import name_of
from credalbench.report.comparison import Found
from credalbench.report.methods import data_of, takes_of
from credalbench.tables import UserTable

SHOWN = 15  # objects of either kind


@dataclass(frozen=True, eq=False)
class AmbiguousObject:
    """An object that is an outlier, or between clusters.

    Attributes
    ----------
    name : hashable
        Of the object, or its number from 0.
    line : int or None
        Where it begins in the file, from line 1.
    explanation : Explanation
    elsewhere : dict of str to str
        Name of another method -> the set of clusters on which the object has most mass there.
    """

    name: Hashable
    line: int | None
    explanation: Explanation
    elsewhere: dict[str, str]


def outlying(partition: CredalPartition) -> np.ndarray:
    """Return the outliers, the one with most mass on the empty set first: (m,) of int."""
    rows = np.flatnonzero(partition.outliers())
    return rows[np.argsort(-partition.masses[rows, 0], kind="stable")]


def doubtful(partition: CredalPartition) -> np.ndarray:
    """Return the objects that more than one cluster may have, the least decided first: (m,) of int.

    Either most mass is on several clusters, or one dominates no other. Outliers are told of elsewhere.
    """
    several = partition.focal_sets.cardinality[partition.hard_credal()] > 1
    undominated = partition.interval_dominance().sum(axis=1) > 1
    rows = np.flatnonzero((several | undominated) & ~partition.outliers())
    contour = np.sort(partition.contour[rows], axis=1)
    lead = contour[:, -1] - contour[:, -2] if contour.shape[1] > 1 else contour[:, -1]
    return rows[np.argsort(lead, kind="stable")]


def doubts(table: UserTable, found: Sequence[Found], rows: np.ndarray) -> list[AmbiguousObject]:
    """Return what is to be told of objects, by the first of several methods, whose partition is the main one.

    O(n p) for each object.
    """
    main, *others = found
    what = {"X": data_of(table, "X")} if takes_of(table) == "X" else {"D": data_of(table, "D")}
    sets = {one.method.name: one.partition.hard_credal() for one in others}
    told = []
    for i in rows:
        name = name_of(i, main.partition.index)
        elsewhere = {one.method.name: _set(one.partition, sets[one.method.name][i]) for one in others}
        line = None if table.lines is None else int(table.lines[i])
        told.append(AmbiguousObject(name, line, main.partition.explain(name, **what), elsewhere))
    return told


def _set(partition: CredalPartition, j: int) -> str:
    members = np.flatnonzero(partition.focal_sets.membership[j])
    return set_label(members, partition.n_clusters)
