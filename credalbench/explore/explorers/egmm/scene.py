"""The scene of the EGMM explorer: map with components, EBIC curve, likelihood, weights."""

import numpy as np

from credalbench.explore.explorers.egmm.fit import Fitted, best_point
from credalbench.explore.scene.credal_map import (
    alike,
    main_panel,
    numbered_prototypes,
    objects_by_view,
    prototype_entry,
    true_classes,
)
from credalbench.explore.scene.marks import DASHED, Bars, Line, Look, Mark, Stroke, Text
from credalbench.explore.scene.scene import (
    Axis,
    Entry,
    Objects,
    Panel,
    Place,
    Scene,
    evidence_of,
    set_colours,
    trace_panel,
    without_numbers,
)
from credalbench.plots.mixtures import ellipses
from credalbench.plots.style import INK, MUTED

#: Probability mass of a component inside its ellipse.
SHARE = 0.5
#: Largest number of components listed with their weights; smallest number of rows.
LISTED, ROOM = 8, 5
#: Half the height of a bar; rows are 1 apart.
HALF = 0.33
KNOWN, SHOWN = Look("circle", 7.0, INK), Look("circle", 15.0, "none", INK, 2.0)
BEST, REFUSED = Look("star", 15.0, "#D55E00"), Look("thin cross", 9.0, "none", "#B3123F", 2.2)


def egmm_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the EGMM model."""
    subject, partition = fitted.subject, fitted.partition
    objects, entries, content = objects_by_view(fitted)
    marks = [*objects, *_components(fitted), *numbered_prototypes(fitted.centers_on_map)]
    classes = true_classes(subject, (0.61, 0.72, 0.2, 0.28), partition)
    left = 0.82 if classes else 0.61
    panels = [
        main_panel(fitted, (0.0, 0.0, 0.6, 1.0), marks, content),
        _curve_panel(fitted, (0.61, 0.0, 0.39, 0.33)),
        _weights_panel(fitted, (0.61, 0.34, 0.39, 0.37)),
        *classes,
        without_numbers(
            trace_panel(
                (left, 0.72, 1.0 - left, 0.28), fitted.objective_trace, "log L", fitted.iteration, "iteration"
            )
        ),
    ]
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition),
        [*entries, *(_entries() if fitted.on_map else ())],
    )


def _entries() -> list[Entry]:
    """Return the legend of the components."""
    return [
        prototype_entry("mean of a cluster"),
        Entry("component of a cluster", Stroke(INK, 2.8)),
        Entry("component of a set", Stroke(INK, 2.4, DASHED)),
    ]


def _components(fitted: Fitted) -> list[Mark]:
    """Return an ellipse for each component whose weight is at least one object, single clusters on top.

    Ellipses of sets of several clusters are dashed and have a dark edge, like the signs of their objects.
    """
    focal_sets, colours = fitted.partition.focal_sets, set_colours(fitted.partition.focal_sets)
    rings = ellipses(fitted.means_on_map, fitted.covariances_on_map, SHARE)
    shown = np.flatnonzero(fitted.weights * len(fitted.subject.positions) >= 1)
    several = focal_sets.cardinality[shown] > 1
    marks: list[Mark] = []
    for j in shown[several].tolist():
        edge, inside = Stroke(INK, 3.2, DASHED, halo=True), Stroke(colours[j], 1.8, DASHED)
        marks += [Line(rings[j], edge), Line(rings[j], inside)]
    return marks + [Line(rings[j], Stroke(colours[j], 2.8, halo=True)) for j in shown[~several].tolist()]


# -- weights ---------------------------------------------------------------------------------------------


def _weights_panel(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the largest mixing probabilities."""
    focal_sets = fitted.partition.focal_sets
    heaviest = np.sort(np.argsort(-fitted.weights, kind="stable")[:LISTED])
    weights, rows = fitted.weights[heaviest], -np.arange(len(heaviest), dtype=float)
    boxes = np.column_stack([np.zeros(len(rows)), rows - HALF, weights, rows + HALF])
    several = focal_sets.cardinality[heaviest] > 1
    marks: list[Mark] = []
    colours = set_colours(fitted.partition.focal_sets)
    fills = [colours[j] for j in heaviest]
    for those, edge in ((~several, "none"), (several, INK)):
        which = np.flatnonzero(those).astype(np.int32)
        marks.append(Bars(boxes[which], fills, which, edge))
    marks += [Text(f"{weight:.2f}", (weight + 0.02, row)) for weight, row in zip(weights.tolist(), rows)]
    left_out = len(focal_sets) - LISTED
    if left_out > 0:
        marks.append(Text(f"and {left_out} smaller ones", (0.0, float(-LISTED))))
    names = [(float(row), focal_sets.labels[j]) for row, j in zip(rows, heaviest)]
    y = Axis(0.5 - max(len(rows) + (left_out > 0), ROOM), 0.5, ticks=names)
    return Panel("weights", place, Axis(0.0, 1.1, scale="none"), y, marks, "Mixing probabilities")


# -- how many clusters -----------------------------------------------------------------------------------


def _curve_panel(fitted: Fitted, place: Place) -> Panel:
    """Return the EBIC curve; a cross at the bottom marks a refused fit, a ring the present c."""
    known = {point.n_clusters: point.ebic for point in fitted.curve if point.ebic is not None}
    refused = [point.n_clusters for point in fitted.curve if point.ebic is None]
    low, high = min(known.values()), max(known.values())
    margin = max(0.15 * (high - low), 1.0)
    numbers, c = range(min(fitted.requested), max(fitted.requested) + 1), fitted.partition.n_clusters
    path = np.array([(k, known.get(k, np.nan)) for k in numbers], dtype=float)
    marks: list[Mark] = [
        Line(path, Stroke(MUTED, 1.7)),
        alike(np.array([*known.items()]), KNOWN),
        alike(np.array([(c, known[c])]), SHOWN),
    ]
    if fitted.is_complete:
        best = best_point(fitted.curve)
        marks.append(alike(np.array([(best.n_clusters, best.ebic)]), BEST))
    marks.append(alike(np.array([(k, low - 0.5 * margin) for k in refused]).reshape(-1, 2), REFUSED))
    x = Axis(numbers[0] - 0.5, numbers[-1] + 0.5, "clusters c", whole=True)
    y = Axis(low - margin, high + margin)
    return Panel("ebic", place, x, y, marks, "EBIC: higher is better", grid=True)
