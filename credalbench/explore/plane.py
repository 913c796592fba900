"""The masses of the points between the objects of a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.plots.mass_maps import plane_points

if TYPE_CHECKING:
    from credalbench.explore.stepping import Run

#: Cells of the plane along each side; the picture is interpolated.
SIDE = 64
#: Width of the plane by the larger span of the objects: panels show some room beside them.
REACH = 1.7


@dataclass(frozen=True, eq=False)
class Plane:
    """The masses of SIDE * SIDE cells of a `box` (left, bottom, right, top), row by row from the top."""

    partition: CredalPartition
    box: tuple[float, float, float, float]


def has_plane(X: np.ndarray | None) -> bool:
    """Return whether the map of attributes is the space of the attributes: there are two."""
    return X is not None and X.shape[1] == 2


def plane_of(run: Run, iteration: int) -> Plane:
    """Return the masses of the plane around the objects after an iteration of a run.

    Raises
    ------
    ValueError
        If the objects do not have exactly two attributes.
    """
    X = run.subject.attributes
    if not has_plane(X):
        got = "dissimilarities" if X is None else X.shape[1]
        raise ValueError(f"{run.subject.name}: expected two attributes to colour the plane; got {got}")
    middle = (X.min(axis=0) + X.max(axis=0)) / 2
    half = REACH / 2 * float(np.ptp(X, axis=0).max())
    low, high = middle - half, middle + half
    predicted = run.after(iteration).predict_partition(plane_points(low, high, SIDE))
    return Plane(renumber_clusters(predicted, run.numbers), (*low.tolist(), *high.tolist()))
