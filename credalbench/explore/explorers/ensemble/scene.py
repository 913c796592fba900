"""The scene of the ensemble explorer: consensus, relation and its closure, bases, one pair, stress."""

from dataclasses import replace
from functools import lru_cache
from math import floor

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.belief.relational import RelationalMasses
from credalbench.explore.explorers.ensemble.evidence_panel import evidence_panel
from credalbench.explore.explorers.ensemble.fit import Fitted
from credalbench.explore.scene.credal_map import (
    PIXELS,
    axes_around,
    map_panel,
    object_points,
    set_entries,
    small_map,
)
from credalbench.explore.scene.marks import Line, Look, Mark, Points, Raster, Stroke, Text
from credalbench.explore.scene.scene import (
    Axis,
    Entry,
    Objects,
    Panel,
    Place,
    Scene,
    evidence_of,
    trace_panel,
    without_numbers,
)
from credalbench.explore.sources.tables import Table
from credalbench.plots.partition_maps import columns_of
from credalbench.plots.relations import DIFFERENT, IGNORANCE, SAME, relation_pixels
from credalbench.plots.style import INK, MUTED

PATH = Stroke(INK, 1.7 * PIXELS, halo=True)
STEP = Look("circle", 3.2 * PIXELS, INK, edge_width=0.5 * PIXELS)
#: Height of a picture relative to its width, and of the title of the base partitions, as a share of it.
ASPECT, TITLE = 0.74, 0.055
#: Largest number of base partitions with a map, and the size of objects there, in pixels.
MAPS, DOT = 12, 2.2
#: Largest number of rows and columns of pixels of a relation; with more objects, each pixel is a mean.
MOST = 200
#: A ring around a position: dark, with a white rim inside and outside.
RING = [Look("circle", 11.0, "none", "#ffffff", 4.6), Look("circle", 11.0, "none", INK, 2.0)]


def ensemble_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the ensemble model."""
    subject, partition = fitted.subject, fitted.partition
    closure = "Its closure" if fitted.run.t_norm else "No closure"
    marks = [object_points(subject.positions, partition), *_path(fitted)]
    consensus = map_panel(subject, (0.0, 0.0, 0.4, 0.6), marks, "consensus")
    panels = [
        replace(consensus, title=f"Consensus (n = {subject.n_objects})"),  # the name would be truncated
        relation_panel("relation", (0.41, 0.0, 0.23, 0.42), fitted.run.relation, fitted, "Relation"),
        relation_panel("closed", (0.645, 0.0, 0.23, 0.42), fitted.run.closed, fitted, closure),
        evidence_panel((0.41, 0.43, 0.59, 0.57), fitted),
        without_numbers(
            trace_panel(
                (0.88, 0.0, 0.12, 0.42),
                fitted.objective_trace,
                "Stress",
                fitted.iteration,
                "sweep",
                logarithmic=True,
            )
        ),
        *_base_panels((0.0, 0.61, 0.4, 0.39), fitted),
    ]
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition),
        [*set_entries(partition), Entry("path", PATH), *relation_entries()],
    )


def _path(fitted: Fitted) -> list[Mark]:
    """Return the line through the objects that link the pair in the closure."""
    if fitted.pair is None or not fitted.pair.path:
        return []
    places = fitted.subject.positions[list(fitted.pair.path)]
    return [Line(places, PATH), Points(places, [STEP], np.zeros(len(places), np.int32))]


def _base_panels(place: Place, fitted: Fitted) -> list[Panel]:
    """Return small maps of the first base partitions with their numbers, below a title."""
    left, top, width, height = place
    positions, count = fitted.subject.positions, min(len(fitted.run.bases), MAPS)
    of_all = "" if count == len(fitted.run.bases) else f", {count} of {len(fitted.run.bases)}"
    bare = Axis(0.0, 1.0, scale="none")
    heading = Panel("bases", (left, top, width, TITLE), bare, bare, [], f"Base partitions{of_all}")
    span = [axis.high - axis.low for axis in axes_around(positions)]
    columns = columns_of(span, count, width, ASPECT * (height - TITLE))
    across, down = width / columns, (height - TITLE) / -(-count // columns)
    panels = []
    for b, base in enumerate(fitted.run.bases[:count]):
        cell = left + b % columns * across, top + TITLE + b // columns * down, across, down
        panels.append(_base_panel(fitted.subject, base, b, cell))
    return [*panels, heading]


@lru_cache(maxsize=2 * MAPS)  # most changes keep the base partitions
def _base_panel(subject: Table, base: CredalPartition, b: int, cell: Place) -> Panel:
    number = Text(str(b + 1), (0.02, 0.88), MUTED, size=0.9, on_axes=True)
    return small_map(f"base {b + 1}", cell, subject.positions, base, marks=[number], size=DOT)


# -- relations between all pairs of objects, sorted by cluster -----------------------------------------------


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
