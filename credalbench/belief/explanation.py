"""Why an object is where it is: masses, intervals, nearest objects, and the reason in one sentence.

A sentence begins with the decisions by the set of highest mass and by interval dominance:

==================================  ======================================================================
the highest mass is on              the sentence begins
==================================  ======================================================================
the empty set                       outlier: 0.71 on ∅
several clusters                    between 1 and 2: 0.62 on {1,2}
several, another more plausible     between 1 and 2, possibly in 4: 0.35 on {1,2}
one cluster, the only undominated   in cluster 1: 0.83 on {1}
one cluster of several undominated  in cluster 1, possibly in 2: 0.45 on {1}
==================================  ======================================================================

The rest follows one rule: **the sentence names every other set with at least a quarter of the highest mass**,
the largest mass first and ∅ last. If there are more than three such sets besides ∅, it names three and counts
the others. It ends with the plausibility of the most plausible other cluster, if one is possible, and with a
remark, such as the constraints on the object: in cluster 1: 0.58 on {1}, 0.42 on ∅; cannot-link with 7.

Clusters are counted from 1, as in all output.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_floats, expect, expect_count
from credalbench.core.names import name_of, names_of, row_of, same_names

from . import decision, transforms
from .focal import FocalSets, set_label
from .mass_function import MassFunction

if TYPE_CHECKING:
    import pandas as pd

    from .partition import CredalPartition

MANY = 3  # at most this many clusters are listed for an object between all of them
RIVAL = 0.25  # least share of the highest mass of other sets that are named
NAMED = 3  # at most this many sets are named besides the set of highest mass and the empty set
NUMBER = re.compile(r"%\.2f")


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why an object is where it is, as `CredalPartition.explain` returns it.

    Parameters
    ----------
    reason : str
        One sentence.
    masses : MassFunction
        Masses of the object.
    intervals : pandas.DataFrame
        Belief and plausibility of each cluster; rows are named `{1}`, `{2}`, ...
    neighbours : pandas.DataFrame or None
        The nearest other objects by name, nearest first: columns `distance` and `reason`.
    """

    reason: str
    masses: MassFunction
    intervals: pd.DataFrame
    neighbours: pd.DataFrame | None

    def __repr__(self) -> str:
        parts = [
            f"{self.masses.name}: {self.reason}",
            f"masses: {self.masses}",
            self.intervals.to_string(float_format="{:.2f}".format),
        ]
        if self.neighbours is not None:
            parts.append(f"nearest objects:\n{self.neighbours.to_string(float_format='{:.3g}'.format)}")
        return "\n".join(parts)


def explain(
    partition: CredalPartition,
    name: object,
    X: ArrayLike | pd.DataFrame | None = None,
    D: ArrayLike | pd.DataFrame | None = None,
    n_neighbors: int = 3,
) -> Explanation:
    """Return what `CredalPartition.explain` returns; arguments and errors are the same."""
    row = row_of(name, partition.index, partition.n_objects)
    expect(X is None or D is None, "attributes X or dissimilarities D", "both")
    return Explanation(
        reason_of(partition.masses[row], partition.focal_sets),
        MassFunction(partition.masses[row], partition.focal_sets, name_of(row, partition.index)),
        _intervals(partition.masses[row], partition.focal_sets),
        None if X is None and D is None else _neighbours(partition, row, X, D, n_neighbors),
    )


@dataclass(frozen=True, eq=False)
class Reasons:
    """Sentences of n objects as a few templates and some numbers for each object.

    Parameters
    ----------
    templates : tuple of str
        Sentences with one or more ``%.2f``.
    which : int array of shape (n,)
        The template of each object.
    numbers : ndarray of shape (n, r)
        Numbers that fill the template, in its order, rounded to two digits; 0 where it needs fewer numbers.
    """

    templates: tuple[str, ...]
    which: np.ndarray
    numbers: np.ndarray

    def __getitem__(self, i: int) -> str:
        numbers = iter(self.numbers[i].tolist())
        return NUMBER.sub(lambda _: f"{next(numbers):.2f}", self.templates[self.which[i]])


def reason_of(masses: np.ndarray, focal_sets: FocalSets) -> str:
    """Return the sentence for an object with these masses (f,); see the module."""
    return reasons_of(masses[None], focal_sets)[0]


def reasons_of(
    masses: np.ndarray, focal_sets: FocalSets, remarks: Mapping[int, str] | None = None
) -> Reasons:
    """Return the sentences for objects with these masses (n, f); see the module. O(n f + n c).

    `remarks` are added to the sentences of some objects, by row.
    """
    rows = np.arange(len(masses))
    outlying = decision.outliers(masses, focal_sets)
    heaviest = np.where(outlying, 0, decision.maximum_mass(masses, focal_sets, allow_empty=False))
    rivals, more = _rivals(masses, focal_sets, heaviest)
    contour = transforms.contour(masses, focal_sets)
    possible = _possible(masses, focal_sets, heaviest, contour) & ~outlying[:, None]
    plausibilities = np.where(possible, contour, -1.0)
    likeliest = np.where(possible.any(axis=1), plausibilities.argmax(axis=1), -1)
    added = np.full(len(masses), -1)
    added[list(remarks or ())] = list(remarks or ())

    named = np.column_stack([heaviest, rivals])
    numbers = np.where(named < 0, -1.0, masses[rows[:, None], named])
    numbers = np.column_stack([numbers, plausibilities.max(axis=1)])
    in_order = np.argsort(numbers < 0, axis=1, kind="stable")  # sets that are not named come last
    numbers = np.maximum(np.take_along_axis(numbers, in_order, axis=1), 0.0).round(2)
    first, which = _kinds(np.column_stack([named, more, likeliest, added]) + 1, possible)
    templates = (
        _template(focal_sets, named[i].tolist(), int(more[i]), np.flatnonzero(possible[i]), likeliest[i])
        + (f"; {remarks[i]}" if added[i] >= 0 else "")
        for i in first.tolist()
    )
    return Reasons(tuple(templates), which, numbers)


def _possible(
    masses: np.ndarray, focal_sets: FocalSets, heaviest: np.ndarray, contour: np.ndarray
) -> np.ndarray:
    """Return the further possible clusters of each object, (n, c), if it is in the set of highest mass.

    Besides one cluster, those that are not dominated; besides several, those that are more plausible than
    one of them, in two digits.
    """
    members = focal_sets.membership[heaviest]
    weakest = np.where(members, contour, np.inf).min(axis=1, initial=np.inf)
    several = focal_sets.cardinality[heaviest] > 1
    more = several[:, None] & (contour.round(2) > weakest.round(2)[:, None])
    one = ~several[:, None] & decision.interval_dominance(masses, focal_sets)
    return ~members & (one | more)


def _rivals(masses: np.ndarray, focal_sets: FocalSets, heaviest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sets to name after that of largest mass, (n, 4), or -1; and the number of further sets.

    They have at least `RIVAL` of the largest mass and are in decreasing order of mass, with ∅ in the last
    column; ties go to the lowest index.
    """
    rows, share = np.arange(len(masses)), RIVAL * masses[np.arange(len(masses)), heaviest]
    left = np.where(masses >= share[:, None], masses, -1.0)
    left[rows, heaviest] = -1.0
    rivals = np.full((len(masses), NAMED + 1), -1)
    if focal_sets.has_empty:
        rivals[:, NAMED] = np.where(left[:, 0] < 0, -1, 0)
        left[:, 0] = -1.0
    for place in range(NAMED):
        largest = left.argmax(axis=1)
        rivals[:, place] = np.where(left[rows, largest] < 0, -1, largest)
        left[rows, largest] = -1.0
    return rivals, (left >= 0).sum(axis=1)


def _kinds(numbers: np.ndarray, flags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Group rows with the same numbers (n, k) and flags (n, c); return a row of each, and the groups."""
    groups = np.zeros(len(numbers), dtype=np.int64)
    for column in numbers.T:
        groups = np.unique(groups, return_inverse=True)[1] << 31 | column
    for block in range(0, flags.shape[1], 31):
        part = flags[:, block : block + 31]
        groups = np.unique(groups, return_inverse=True)[1] << 31 | part @ (1 << np.arange(part.shape[1]))
    return np.unique(groups, return_index=True, return_inverse=True)[1:]


def _template(
    focal_sets: FocalSets, named: list[int], more: int, possible: np.ndarray, likeliest: int
) -> str:
    """Return the sentence for objects with the same sets to name; `possible` are clusters from 0."""
    c = focal_sets.n_clusters
    weights = [f"%.2f on {set_label(focal_sets.sets[j], c)}" for j in named if j >= 0]
    if more:
        weights.append(f"{more} more set{'s' * (more > 1)} with at least a quarter of the first mass")
    members = sorted(focal_sets.sets[named[0]])
    if not members:
        lead = "outlier"
    elif len(members) > 1:
        several = f"all {c} clusters" if len(members) == c > MANY else _listed(members, "and")
        lead = f"between {several}"
    else:
        lead = f"in cluster {members[0] + 1}"
    if len(possible):
        lead += f", possibly in {_listed(possible, 'or')}"
        weights.append(f"plausibility %.2f of {set_label([likeliest], c)}")
    return f"{lead}: {', '.join(weights)}"


def _listed(clusters: Sequence[int], word: str) -> str:
    """List clusters, counted from 1, as in a sentence: ``1, 2 and 4``."""
    *first, last = [str(k + 1) for k in clusters]
    return f"{', '.join(first)} {word} {last}" if first else last


def _intervals(masses: np.ndarray, focal_sets: FocalSets) -> pd.DataFrame:
    import pandas as pd

    c = focal_sets.n_clusters
    columns = {
        "belief": transforms.singleton_belief(masses, focal_sets),
        "plausibility": transforms.contour(masses, focal_sets),
    }
    return pd.DataFrame(columns, index=pd.Index([f"{{{k + 1}}}" for k in range(c)], name="cluster"))


def _neighbours(
    partition: CredalPartition,
    row: int,
    X: ArrayLike | pd.DataFrame | None,
    D: ArrayLike | pd.DataFrame | None,
    n_neighbors: int,
) -> pd.DataFrame:
    """Return a table of the nearest other objects; the first come first if they are equally near."""
    import pandas as pd

    n = partition.n_objects
    count = expect_count("n_neighbors", n_neighbors, 1)
    name, data = ("X", X) if D is None else ("D", D)
    given = names_of(data)
    same = given is None or partition.index is None or same_names(given, partition.index)
    expect(same, f"{name} with the names of the objects, in the same order", given)
    distances = _distances(data, row, n) if D is None else _dissimilarities(data, row, n)
    others = np.delete(np.arange(n), row)
    nearest = others[np.argsort(distances[others], kind="stable")[:count]]
    rows = {
        "distance": distances[nearest],
        "reason": [reason_of(partition.masses[i], partition.focal_sets) for i in nearest],
    }
    names = [name_of(i, partition.index) for i in nearest]
    return pd.DataFrame(rows, index=pd.Index(names, name="object", tupleize_cols=False))


def _distances(X: ArrayLike | pd.DataFrame, row: int, n: int) -> np.ndarray:
    """Return Euclidean distances (n,) to one object, from attributes."""
    X = read_numbers("X", X)
    expect(X.ndim == 2 and len(X) == n, f"attributes X of shape ({n}, p)", X.shape)
    expect(bool(np.isfinite(X).all()), "finite attributes X", "NaN or infinity")
    with np.errstate(over="ignore"):
        differences = X - X[row]
    largest = float(np.abs(differences).max(initial=0.0)) or 1.0  # squares stay in the range of floats
    expect(largest < np.inf, "attributes X with finite differences", float(np.abs(X).max()))
    return largest * np.linalg.norm(differences / largest, axis=1)


def _dissimilarities(D: ArrayLike | pd.DataFrame, row: int, n: int) -> np.ndarray:
    """Return dissimilarities (n,) to one object."""
    D = read_numbers("D", D)
    expect(D.shape == (n, n), f"dissimilarities D of shape ({n}, {n})", D.shape)
    expect(bool(np.isfinite(D[row]).all()), "finite dissimilarities D", "NaN or infinity")
    return D[row]


def read_numbers(name: str, values: ArrayLike | pd.DataFrame) -> np.ndarray:
    """Return values as a float array; raise a ValueError that names them if they are not numbers."""
    try:
        return as_floats(name, values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected {name} to be an array of numbers, got other values: {error}") from None
