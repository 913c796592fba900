"""All masses on a map: those of each object, and those of the points between the objects."""

import numpy as np
from matplotlib.colors import to_hex

from credalbench.belief import CredalPartition
from credalbench.explore.plane import SIDE, Plane
from credalbench.explore.scene.marks import Look, Pies, Raster
from credalbench.explore.scene.scene import Entry
from credalbench.plots.mass_plane import mass_colours
from credalbench.plots.style import INK, focal_colour

#: Diameter of a pie by that of other signs of objects, and the smallest mean mass of a set in the legend.
LARGER, LISTED = 1.5, 0.005


def plane_mark(plane: Plane) -> Raster:
    """Return the plane in the colours of its masses."""
    return Raster(mass_colours(plane.partition).reshape(SIDE, SIDE, 4), plane.box, smooth=True)


def mass_pies(positions: np.ndarray, partition: CredalPartition, size: float) -> Pies:
    """Return each object (n, 2) as a pie of its masses, in the order of the focal sets."""
    objects = np.arange(len(positions), dtype=np.int32)
    return Pies(positions, partition.masses.astype(np.float32), _fills(partition), LARGER * size, objects)


def mass_entries(partition: CredalPartition) -> list[Entry]:
    """Return the legend of the colours of masses."""
    shown = np.flatnonzero(partition.masses.mean(axis=0) >= LISTED)
    fills, labels = _fills(partition), partition.focal_sets.labels
    return [Entry(f"mass on {labels[j]}", Look("square", 12.0, fills[j], INK)) for j in shown.tolist()]


def _fills(partition: CredalPartition) -> list[str]:
    focal_sets = partition.focal_sets
    return [to_hex(focal_colour(members, focal_sets.n_clusters)) for members in focal_sets.sets]
