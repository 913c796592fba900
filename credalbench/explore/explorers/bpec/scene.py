"""The scene of the BPEC explorer: map with prototypes, delta-Bel graph, prominences, true classes."""

from dataclasses import replace

import numpy as np

from credalbench.explore.explorers.bpec.model import Fitted
from credalbench.explore.scene.credal_map import (
    BARYCENTRE,
    main_panel,
    objects_by_view,
    prototype_entry,
    prototype_marks,
    set_look,
    shown_barycentres,
    true_classes,
)
from credalbench.explore.scene.marks import DASHED, Bars, Line, Look, Mark, Points, Polygon, Stroke, Text
from credalbench.explore.scene.scene import Axis, Entry, Handles, Objects, Panel, Place, Scene, evidence_of
from credalbench.plots import style
from credalbench.plots.style import FAINT, INK, MUTED

#: Objects on the graph, the corner of the rectangle, and the size of prototypes.
OBJECT, CORNER = Look("circle", 6.0, MUTED, "#ffffff", 0.5), Look("thin plus", 19.0, "none", INK, 3.6)
PEAK = 13.0
#: Bars of prominence, their half width, and objects that the sentences describe as candidates.
LISTED, HALF, CANDIDATES = 12, 0.35, 10
#: Ends of the axes relative to the largest values, and distance of a number from its prototype, in belief.
RIGHT, TOP, LOW, APART = 1.08, 1.18, -0.03, 0.08


def bpec_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the BPEC model."""
    subject, partition = fitted.subject, fitted.partition
    objects, entries, content = objects_by_view(fitted)
    marks = [*objects, *prototype_marks(subject.on_the_map(fitted.prototypes), partition.focal_sets)]
    classes = true_classes(subject, (0.79, 0.66, 0.21, 0.34), partition)
    panels = [
        main_panel(fitted, (0.0, 0.0, 0.5, 1.0), marks, content),
        _graph_panel((0.51, 0.0, 0.49, 0.64), fitted),
        _prominence_panel((0.51, 0.66, 0.27 if classes else 0.49, 0.34), fitted),
        *classes,
    ]
    barycentres = (
        [Entry("barycentre of a set", BARYCENTRE)] if shown_barycentres(partition.focal_sets) else []
    )
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition, remarks=_remarks(fitted)),
        [
            *entries,
            prototype_entry("prototype: a belief peak"),
            *(barycentres if fitted.on_map else ()),
            Entry("corner of the rectangle: drag it", CORNER),
        ],
        Handles("corner", "graph", np.array([fitted.corner])),
    )


def _graph_panel(place: Place, fitted: Fitted) -> Panel:
    """Return the panel of belief by distance: objects, the prototypes, and the corner of the rectangle."""
    at = np.column_stack([fitted.graph.delta, fitted.graph.belief])
    right, top = (np.maximum(at.max(axis=0), fitted.corner) * (RIGHT, TOP)).tolist()
    corner_x, corner_y = fitted.corner
    rectangle = np.array([[corner_x, corner_y], [right, corner_y], [right, top], [corner_x, top]])
    n, used = len(at), fitted.by == "corner"
    marks: list[Mark] = [
        Polygon(rectangle, FAINT, 0.6 if used else 0.25),
        Line(rectangle[[1, 0, 3]], Stroke(INK if used else MUTED, 1.5, DASHED)),
        Points(at, [OBJECT], np.zeros(n, np.int32), np.arange(n, dtype=np.int32)),
        *_numbered(fitted, at[fitted.peaks]),
        Points(rectangle[:1], [CORNER], np.zeros(1, np.int32)),
    ]
    x = Axis(LOW * right, right, "distance to the nearest object of larger belief")
    y = Axis(LOW * top, top, "belief as a centre")
    return Panel("graph", place, x, y, marks, "Click the peaks, or drag the corner", grid=True)


def _numbered(fitted: Fitted, at: np.ndarray) -> list[Mark]:
    """Return the prototypes in the graph (c, 2) with their numbers.

    The two of largest belief have the same distance, and often nearly the same belief: numbers are above and
    below in turn, from the most prominent one on.
    """
    focal_sets, c = fitted.partition.focal_sets, len(at)
    singletons = [focal_sets.sets.index(frozenset({k})) for k in range(c)]
    looks = [replace(set_look(focal_sets, j, PEAK), edge=INK, edge_width=1.2) for j in singletons]
    turns = np.argsort(np.argsort(-at.prod(axis=1), kind="stable")) % 2
    lifts = APART * fitted.graph.belief.max() * (1 - 2 * turns)
    numbers = [
        Text(str(k + 1), (x, y + lift), style.colour(k), "centre", 1.15, bold=True)
        for k, ((x, y), lift) in enumerate(zip(at.tolist(), lifts.tolist()))
    ]
    return [Points(at, looks, np.arange(c, dtype=np.int32)), *numbers]


def _prominence_panel(place: Place, fitted: Fitted) -> Panel:
    """Return the panel of the largest prominences, those of prototypes in the colours of their clusters."""
    first = fitted.order[:LISTED]
    heights, ranks = fitted.graph.prominence[first], np.arange(1, len(first) + 1)
    boxes = np.column_stack([ranks - HALF, np.zeros(len(first)), ranks + HALF, heights])
    cluster_of = {i: k for k, i in enumerate(fitted.peaks.tolist())}
    fills = [style.colour(cluster_of[i]) if i in cluster_of else FAINT for i in first.tolist()]
    bars = Bars(boxes, fills, np.arange(len(first), dtype=np.int32), MUTED)
    x = Axis(0.4, LISTED + 0.6, "belief times distance, by rank", whole=True)
    y = Axis(0.0, RIGHT * max(float(heights.max()), 1e-12))
    return Panel("prominences", place, x, y, [bars], "Prominence", grid=True)


def _remarks(fitted: Fitted) -> dict[int, str]:
    """Describe the prototypes and the next most prominent objects by their place in the graph."""
    clusters = {i: f"prototype of cluster {k + 1}" for k, i in enumerate(fitted.peaks.tolist())}
    words = {i: "not a prototype" for i in fitted.order[: len(clusters) + CANDIDATES].tolist()} | clusters
    belief, delta = fitted.graph.belief, fitted.graph.delta
    place = "belief {:.2f} that it is a centre, {:.3g} from the nearest object of larger belief"
    return {i: f"{role}: {place.format(belief[i], delta[i])}" for i, role in words.items()}
