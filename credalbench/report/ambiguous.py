"""Find and explain outliers, and objects that may be in several clusters."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from credalbench.belief import Explanation
from credalbench.core.names import name_of
from credalbench.report.comparison import MethodResult
from credalbench.report.methods import input_of
from credalbench.tables import UserTable

MAX_EXPLAINED = 15  # of the outliers, and of the ambiguous objects


@dataclass(frozen=True, eq=False)
class AmbiguousObject:
    """An outlier, or an object between clusters.

    Parameters
    ----------
    name : hashable
        Name of the object, or its position from 0.
    line : int or None
        Line of the file on which the object begins, from 1.
    explanation : Explanation
        Explanation of its masses by the main method.
    other_sets : dict of str to str
        Name of another method -> its set of clusters with the largest mass.
    """

    name: Hashable
    line: int | None
    explanation: Explanation
    other_sets: dict[str, str]


def explain_objects(
    table: UserTable, results: Sequence[MethodResult], rows: np.ndarray
) -> list[AmbiguousObject]:
    """Explain objects by the first of several results, in O(n p) for each object."""
    main, *others = results
    data = {"X": table.X} if input_of(table) == "X" else {"D": table.D}
    largest = {one.method.name: one.partition.hard_credal() for one in others}
    labels = {one.method.name: one.partition.focal_sets.labels for one in others}
    explained = []
    for i in rows:
        name = name_of(i, main.partition.index)
        sets = {method: labels[method][chosen[i]] for method, chosen in largest.items()}
        line = None if table.lines is None else int(table.lines[i])
        explained.append(AmbiguousObject(name, line, main.partition.explain(name, **data), sets))
    return explained
