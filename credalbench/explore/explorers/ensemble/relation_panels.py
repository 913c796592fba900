"""Heat maps of relations between all pairs of objects, sorted by cluster."""

from math import floor

import numpy as np

from credalbench.belief.relational import RelationalMasses
from credalbench.explore.explorers.ensemble.fit import Fitted
from credalbench.explore.scene.marks import Line, Look, Mark, Points, Raster, Stroke
from credalbench.explore.scene.scene import Axis, Entry, Panel, Place
from credalbench.plots.relations import DIFFERENT, IGNORANCE, SAME, relation_pixels
from credalbench.plots.style import INK, MUTED

#: Largest number of rows and columns of pixels; with more objects, each pixel is a mean.
MOST = 200
#: A ring around a position: dark, with a white rim inside and outside.
RING = [Look("circle", 11.0, "none", "#ffffff", 4.6), Look("circle", 11.0, "none", INK, 2.0)]


def relation_panel(name: str, place: Place, relation: RelationalMasses, fitted: Fitted, title: str) -> Panel:
    """Return the panel of a relation, with the objects in the order of the fit from the upper left."""
    n = len(fitted.order)
    colours = relation_pixels(relation, fitted.order, MOST, MOST)
    pixels = np.full((*colours.shape[:2], 4), 255, np.uint8)
    pixels[..., :3] = colours
    marks = [Raster(pixels, (0.0, 0.0, float(n), float(n))), *_borders(fitted), *_rings(fitted)]
    axis = Axis(0.0, float(n), scale="none")
    return Panel(name, place, axis, axis, marks, title, equal=True)


def pair_at(fitted: Fitted, x: float, y: float) -> tuple[int, int] | None:
    """Return the pair of objects at a position in a relation, or None outside and on the diagonal."""
    n = len(fitted.order)
    row, column = floor(n - y), floor(x)
    if not (0 <= row < n and 0 <= column < n) or row == column:
        return None
    return int(fitted.order[row]), int(fitted.order[column])


def _borders(fitted: Fitted) -> list[Mark]:
    """Return lines between clusters, visible on dark and on white, and around the panel."""
    n, gap = float(len(fitted.order)), np.full(2, np.nan)
    paths = [np.empty((0, 2))]
    for place in map(float, fitted.boundaries):
        paths += [[(0.0, n - place), (n, n - place)], [gap], [(place, 0.0), (place, n)], [gap]]
    between = np.concatenate(paths)
    around = np.array([(0, 0), (n, 0), (n, n), (0, n), (0, 0)], dtype=float)
    lines = [Line(between, Stroke("#ffffff", 3.0)), Line(between, Stroke(INK, 1.2))] if len(between) else []
    return [*lines, Line(around, Stroke(MUTED, 1.0))]


def _rings(fitted: Fitted) -> list[Mark]:
    """Return rings around both positions of the pair."""
    if fitted.pair is None:
        return []
    i, j = np.argsort(fitted.order)[list(fitted.pair.objects)] + 0.5
    n = len(fitted.order)
    places = np.array([(j, n - i), (i, n - j)])
    return [Points(places, [look], np.zeros(2, np.int32)) for look in RING]


def relation_entries() -> list[Entry]:
    """Return legend entries for the three colours of pairs."""
    meaning = {SAME: "same cluster", IGNORANCE: "unknown", DIFFERENT: "different"}
    return [Entry(words, Look("square", 11.0, colour, MUTED)) for colour, words in meaning.items()]
