"""All masses in a picture: as pies, as colours of the plane, and as places between the focal sets."""

from dataclasses import replace

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.explore.plane import SIDE, Plane
from credalbench.explore.scene.marks import Line, Look, Pies, Points, Raster, Stroke, Text
from credalbench.explore.scene.scene import Axis, Entry, Panel, Place, set_colours
from credalbench.plots.mass_maps import EMPTY, LIFT, OUTSIDE, corner_places, mass_colours
from credalbench.plots.style import FAINT, INK

#: Diameter of a pie by that of other signs of objects, and the smallest mean mass of a set in the legend.
LARGER, LISTED = 1.5, 0.005


def plane_mark(plane: Plane) -> Raster:
    """Return the plane in the colours of its masses."""
    return Raster(mass_colours(plane.partition).reshape(SIDE, SIDE, 4), plane.box, smooth=True)


def mass_pies(positions: np.ndarray, partition: CredalPartition, size: float) -> Pies:
    """Return each object (n, 2) as a pie of its masses, in the order of the focal sets."""
    objects = np.arange(len(positions), dtype=np.int32)
    return Pies(
        positions,
        partition.masses.astype(np.float32),
        set_colours(partition.focal_sets),
        LARGER * size,
        objects,
    )


def corner_panel(partition: CredalPartition, place: Place, objects: Points, title: str) -> Panel:
    """Return the panel in which each object lies at the mean of the focal sets, weighted by its masses."""
    focal_sets = partition.focal_sets
    places = corner_places(focal_sets)
    named = np.flatnonzero((focal_sets.cardinality <= 1) | (focal_sets.cardinality == focal_sets.n_clusters))
    ring = places[focal_sets.cardinality == 1]
    marks = [Line(np.vstack([ring, ring[:1]]), Stroke(FAINT, 1.5))]
    marks += [Line(np.array([end, places[j]]), Stroke(FAINT, 1.5)) for j in named for end in ring]
    marks.append(replace(objects, positions=partition.masses @ places))
    beyond = places[named] * OUTSIDE + (0.0, LIFT)
    marks += [
        Text(focal_sets.labels[j], tuple(at), align="centre", bold=True)
        for j, at in zip(named.tolist(), beyond.tolist())
    ]
    bare = Axis(-1.3, 1.3, scale="none"), Axis(EMPTY - 0.3, 1.3, scale="none")
    return Panel("corners", place, *bare, marks, title, equal=True)


def mass_entries(partition: CredalPartition) -> list[Entry]:
    """Return the legend of the colours of masses."""
    shown = np.flatnonzero(partition.masses.mean(axis=0) >= LISTED)
    fills, labels = set_colours(partition.focal_sets), partition.focal_sets.labels
    return [Entry(f"mass on {labels[j]}", Look("square", 12.0, fills[j], INK)) for j in shown.tolist()]
