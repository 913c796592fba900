"""The scene of the comparing explorer: two maps of the same objects, and their differences."""

import numpy as np

from credalbench.belief import FocalSets
from credalbench.explore.explorers.compare.differences import KINDS
from credalbench.explore.explorers.compare.methods import OBJECTIVES
from credalbench.explore.explorers.compare.sentences import title_of
from credalbench.explore.explorers.compare.sides import Fitted, Side
from credalbench.explore.scene.credal_map import (
    PIXELS,
    SIGN_SIZE,
    axes_around,
    object_points,
    prototype_entries,
    prototype_marks,
    set_entries,
    true_classes,
)
from credalbench.explore.scene.marks import DASHED, Bars, Line, Look, Mark, Points, Stroke
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Objects, Panel, Place, Scene, evidence_of
from credalbench.plots.object_maps import marker_size
from credalbench.plots.style import FAINT, INK, MUTED, OMEGA

SIDES = ("left", "right")
#: Height of the maps, as a share of the picture.
MAPS = 0.62
#: Width of a bar; the bars of both sides are next to each other.
WIDTH = 0.36
FILLS = {"left": OMEGA, "right": INK}
#: The objectives of the two starts that are shown.
STROKES = {"left": Stroke(INK, 2.2, DASHED), "right": Stroke(INK, 2.2)}
#: The iteration that is shown, on the objectives of both.
SHOWN = Look("circle", 9.0, INK)
#: Names of `KINDS` below bars.
SHORT = ("same", "set", "outlier", "cluster")


def compare_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the comparing model."""
    subject, below = fitted.subject, (MAPS + 0.02, 0.98 - MAPS)
    left = 0.0 if subject.y is None else 0.26
    panels = [
        *(_map(fitted, name, (0.5 * k, 0.0, 0.5, MAPS)) for k, name in enumerate(SIDES)),
        *true_classes(subject, (0.0, below[0], 0.26, below[1]), fitted.left.partition),
    ]
    if fitted.traces:
        panels.append(_traces(fitted, (left, below[0], 1.0 - left, below[1])))
    else:
        panels.append(_cardinalities(fitted, (left, below[0], 0.59 - left, below[1])))
        panels.append(_kinds(fitted, (0.6, below[0], 0.4, below[1])))
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(fitted.left.partition, title_of("left", fitted)),
        _entries(fitted),
        second=evidence_of(fitted.right.partition, title_of("right", fitted)),
    )


# -- maps ------------------------------------------------------------------------------------------------


def _map(fitted: Fitted, name: str, place: Place) -> Panel:
    side: Side = getattr(fitted, name)
    subject = fitted.subject
    x, y = axes_around(subject.positions)
    bare = Axis(x.low, x.high, scale="none"), Axis(y.low, y.high, scale="none")
    marks: list[Mark] = [object_points(subject.positions, side.partition)]
    if not fitted.traces:
        marks.append(_different(fitted))
    elif side.prototypes is not None:
        ends, starts = (subject.on_the_map(points) for points in (side.prototypes, side.start))
        marks += prototype_marks(ends, FocalSets.up_to(len(ends), 1, empty=False, omega=False), starts)
    title = title_of(name, fitted)
    return Panel(name, place, *bare, marks, title[0].upper() + title[1:], equal=True)


def _signs(size: float) -> tuple[Look, Look]:
    """Return the marks of objects in a different set, and in a different cluster."""
    return Look("square", size, "none", INK, 1.2), Look("thin cross", size, "none", INK, 2.0)


def _different(fitted: Fitted) -> Points:
    """Return the marks of the objects that differ between the sides."""
    positions, kinds = fitted.subject.positions, fitted.differences.kinds
    rows = np.flatnonzero(kinds)
    looks = _signs(PIXELS * marker_size(len(positions)) + 6.0)
    return Points(positions[rows], looks, (kinds[rows] == 3).astype(np.int32))


# -- other panels ----------------------------------------------------------------------------------------


def _pairs_of_bars(heights: np.ndarray) -> Bars:
    """Return pairs of bars at 0, 1, ... for two sides, heights (2, m)."""
    m = heights.shape[1]
    left = np.concatenate([np.arange(m) - WIDTH, np.arange(m)])
    boxes = np.column_stack([left, np.zeros(2 * m), left + WIDTH, heights.ravel()])
    return Bars(boxes, [FILLS[name] for name in SIDES], np.repeat(np.arange(2, dtype=np.int32), m))


def _cardinalities(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the share of mass on sets of 0, 1, 2, ... clusters."""
    c = fitted.partition.n_clusters
    sides = [getattr(fitted, name).partition for name in SIDES]
    shares = [
        np.bincount(one.focal_sets.cardinality, one.masses.mean(axis=0), minlength=c + 1) for one in sides
    ]
    x = Axis(-0.6, c + 0.6, "clusters in the set", whole=True)
    y = Axis(0.0, 1.0, ticks=UNIT)
    return Panel("cardinalities", place, x, y, [_pairs_of_bars(np.array(shares))], "Mass by size", grid=True)


def _kinds(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the number of objects by kind of difference."""
    counts = fitted.differences.counts
    half = np.full(len(KINDS), WIDTH)
    boxes = np.column_stack([np.arange(4) - half, np.zeros(4), np.arange(4) + half, counts])
    ticks = tuple((float(k), word) for k, word in enumerate(SHORT))
    x, y = Axis(-0.6, 3.6, ticks=ticks), Axis(0.0, 1.08 * fitted.subject.n_objects, whole=True)
    bars = Bars(boxes, [MUTED], np.zeros(4, np.int32))
    return Panel("kinds", place, x, y, [bars], "Objects, by difference", grid=True)


def _traces(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the objectives of all starts, those of both sides highlighted."""
    # the gain of the first step would dwarf the rest
    values = np.concatenate([trace[1:] if len(trace) > 1 else trace for trace in fitted.traces])
    margin = 0.06 * float(np.ptp(values)) or max(0.02 * float(np.abs(values).max()), 1e-12)
    x = Axis(0.0, 1.03 * max(fitted.n_iter, 1), "iteration", whole=True)
    y = Axis(float(values.min()) - margin, float(values.max()) + margin)
    marks: list[Mark] = [Line(_path(trace), Stroke(FAINT, 1.6)) for trace in fitted.traces]
    for name in SIDES:
        side = getattr(fitted, name)
        path = _path(side.run.objective_trace[: side.iteration + 1])
        shown = np.clip(path[-1:], (0.0, y.low), (np.inf, y.high))  # drawn at the edge if outside
        marks += [Points(shown, [SHOWN], np.zeros(1, np.int32)), Line(path, STROKES[name])]
    title = OBJECTIVES.get(fitted.left.method.name, "objective J")
    return Panel("trace", place, x, y, marks, title[0].upper() + title[1:], grid=True)


def _path(trace: np.ndarray) -> np.ndarray:
    """Return the points of an objective (m,) over iterations, (m, 2)."""
    return np.column_stack([np.arange(len(trace)), trace]).astype(float)


# -- legend ----------------------------------------------------------------------------------------------


def _entries(fitted: Fitted) -> list[Entry]:
    sets = [entry for name in SIDES for entry in set_entries(getattr(fitted, name).partition)]
    entries = list({entry.label: entry for entry in sets}.values())
    if fitted.traces:
        entries += [Entry(f"{name}: objective", STROKES[name]) for name in SIDES]
        if fitted.left.prototypes is None:
            return entries
        prototype, _, start = prototype_entries()
        return [*entries, prototype, start]
    other, cluster = _signs(SIGN_SIZE)
    if (fitted.differences.kinds % 3).any():
        entries.append(Entry("another set: precision, or outlier", other))
    if (fitted.differences.kinds == 3).any():
        entries.append(Entry("another cluster", cluster))
    return entries + [Entry(name, Look("square", SIGN_SIZE, FILLS[name])) for name in SIDES]
