"""Maps of credal partitions: objects, approximations, prototypes, constraints, classes and legends.

Colours stand for clusters in every explorer. An object has the shape and the colour of its set of largest
mass. A set of several clusters is a disc with a sector in the colour of each and a dark edge, Ω is a grey
diamond with a dark edge, and outliers are rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import to_hex
from scipy.optimize import linear_sum_assignment

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.constrained.report import BY_AN_OUTLIER, MET, VIOLATED
from credalbench.explore.linking import KINDS, Links, pairs_of
from credalbench.explore.scene.marks import (
    DASHED,
    DOTTED,
    Bars,
    Dash,
    Line,
    Look,
    Mark,
    Pies,
    Points,
    Polygon,
    Raster,
    Stroke,
    Text,
)
from credalbench.explore.scene.scene import (
    UNIT,
    Axis,
    Entry,
    Handles,
    Panel,
    Place,
    Scene,
    scene_of,
    set_colours,
    trace_panel,
)
from credalbench.explore.sources import called
from credalbench.explore.stepping import SIDE
from credalbench.plots import style
from credalbench.plots.constraints import VIOLATED as RED
from credalbench.plots.constraints import focal_set_style
from credalbench.plots.hulls import approximation_rings
from credalbench.plots.mass_maps import EMPTY, LIFT, OUTSIDE, corner_places, mass_colours
from credalbench.plots.object_maps import marker_size
from credalbench.plots.prototypes import JOINED_UP_TO, with_barycentre

if TYPE_CHECKING:
    from credalbench.explore.linking import FittedWithLinks
    from credalbench.explore.sources.category_tables import CategoryTable
    from credalbench.explore.sources.tables import Table
    from credalbench.explore.stepping import Fitted, Stepped

#: Screen pixels per point of a matplotlib figure with 100 dots per inch.
PIXELS = 100 / 72
#: Shapes by matplotlib's marker.
SHAPES = {
    "o": "circle",
    "s": "square",
    "^": "triangle",
    "v": "triangle down",
    "<": "triangle left",
    ">": "triangle right",
    "D": "diamond",
    "d": "narrow diamond",
    "P": "plus",
    "X": "cross",
    "p": "pentagon",
    "h": "hexagon",
}
#: Largest number of sets in the legend; "…" stands for the rest.
LISTED = 12
#: Size of signs in the legend, and of objects on small maps, in pixels.
SIGN_SIZE, SMALL = 10.0, 3.4
#: Barycentre of a set of several clusters.
BARYCENTRE = Look("square", SIGN_SIZE, "#ffffff", style.INK, 1.6)
#: Start of a prototype.
START = Look("circle", 7.0, "#ffffff", style.INK, 1.7)
#: Diameter of a pie relative to other signs of objects, and smallest mean mass of a set in the legend.
LARGER, LEAST_MEAN = 1.5, 0.005
#: Dashes of drawn constraints, by kind.
DASHES: dict[str, Dash] = dict(zip(KINDS, ((), DASHED)))
#: Marks in the middle of a violated constraint, and of one that an outlier, which is a ring, meets.
CROSS = Look("thin cross", 11.0, "none", RED, 2.2)
RING = Look("circle", 11.0, "#ffffff", style.MUTED, 2.6)
#: Colour of a constraint and the mark in its middle, by outcome.
OUTCOME_LOOKS: dict[str, tuple[str, Look | None]] = {
    MET: (style.INK, None),
    BY_AN_OUTLIER: (style.MUTED, RING),
    VIOLATED: (RED, CROSS),
}


# -- objects ---------------------------------------------------------------------------------------------


def set_look(focal_sets: FocalSets, j: int, size: float) -> Look:
    """Return the look of objects whose largest mass is on focal set `j`; size in pixels."""
    return _look(focal_sets.sets[j], j, focal_sets.n_clusters, size)


@lru_cache(maxsize=4096)  # small maps of many partitions need hundreds
def _look(members: frozenset[int], j: int, n_clusters: int, size: float) -> Look:
    if 1 < len(members) < n_clusters:
        colours = [style.colour(k) for k in sorted(members)]
        fill = to_hex(style.focal_colour(members, n_clusters))
        return Look("circle", 1.15 * size, fill, style.INK, 1.0, colours)
    look = focal_set_style(members, j, n_clusters, size)
    fill = look["mfc"] if look["mfc"] == "none" else to_hex(look["mfc"])
    return Look(SHAPES[look["marker"]], look["ms"], fill, to_hex(look["mec"]), 1.4 * look["mew"])


def bands(focal_sets: FocalSets, j: int, box: np.ndarray) -> list[Bars]:
    """Return the bar of focal set `j` in a box (4,): bands in the colours of its clusters, as on the map."""
    members = sorted(focal_sets.sets[j])
    several = 1 < len(members) < focal_sets.n_clusters
    fills = [style.colour(k) for k in members] if several else [set_colours(focal_sets)[j]]
    left, bottom, right, top = box.tolist()
    high = (top - bottom) / len(fills)
    parts = [(left, top - (k + 1) * high, right, top - k * high) for k in range(len(fills))]
    numbers = np.arange(len(fills), dtype=np.int32)
    whole = [Bars(box[None], ["none"], np.zeros(1, np.int32), style.INK)] if len(members) > 1 else []
    return [Bars(np.array(parts), fills, numbers), *whole]


def object_points(positions: np.ndarray, partition: CredalPartition, size: float | None = None) -> Points:
    """Return the objects at their positions (n, 2), styled by the set of largest mass."""
    size = object_size(len(positions)) if size is None else size
    rows = np.arange(len(positions), dtype=np.int32)
    return points_by_set(positions, partition.focal_sets, partition.hard_credal(), size, rows)


def points_by_set(
    positions: np.ndarray, focal_sets: FocalSets, sets: np.ndarray, size: float, objects: np.ndarray
) -> Points:
    """Return `objects` (m,) at `positions` (m, 2), styled by the focal sets of numbers `sets` (m,)."""
    used, look_of = np.unique(sets, return_inverse=True)
    looks = [set_look(focal_sets, j, size) for j in used.tolist()]
    return Points(positions, looks, look_of.astype(np.int32), objects)


@lru_cache(maxsize=64)
def object_size(n_objects: int) -> float:
    """Return the diameter of objects on a map, in pixels."""
    return PIXELS * marker_size(n_objects)


def approximations(positions: np.ndarray, partition: CredalPartition, upper: Dash = DASHED) -> list[Mark]:
    """Return lines around the lower (solid, tinted) and upper approximations, without other objects."""
    marks: list[Mark] = []
    for k, (inner, outer) in enumerate(approximation_rings(positions, partition, convex=False)):
        colour = style.colour(k)
        marks += [Polygon(inner, colour, 0.11), Line(outer, Stroke(colour, 1.6, upper))]
        marks.append(Line(inner, Stroke(colour, 2.0)))
    return marks


def true_classes(subject: Table | CategoryTable, place: Place, partition: CredalPartition) -> list[Panel]:
    """Return the panel of the true classes, or an empty list if they are unknown.

    A class has the colour and the shape of the cluster of `partition` that it is matched to.
    """
    if subject.y is None:
        return []
    size = max(int(np.max(subject.y)) + 1, partition.n_clusters)
    overlap = np.zeros((size, size))
    overlap[:, : partition.n_clusters] = np.equal.outer(np.arange(size), subject.y) @ partition.contour
    numbers = linear_sum_assignment(overlap, maximize=True)[1]
    return [_classes_panel(subject, place, tuple(numbers.tolist()))]


@lru_cache(maxsize=8)  # the classes stay while the fit changes
def _classes_panel(subject: Table | CategoryTable, place: Place, numbers: tuple[int, ...]) -> Panel:
    truth = CredalPartition.from_labels(np.array(numbers)[subject.y], len(numbers))
    return small_map("classes", place, subject.positions, truth, title="True classes")


def small_map(
    name: str,
    place: Place,
    positions: np.ndarray,
    partition: CredalPartition,
    *,
    title: str = "",
    marks: Sequence[Mark] = (),
    size: float = SMALL,
) -> Panel:
    """Return a small map without axes: objects at their positions (n, 2), below further marks.

    Objects have the colours and shapes of `object_points`, but no edges.
    """
    points = object_points(positions, partition, size)
    looks = [look if look.fill == "none" else replace(look, edge="none") for look in points.looks]
    return Panel(
        name, place, *bare_axes(positions), [replace(points, looks=looks), *marks], title, equal=True
    )


# -- marks of any kind ----------------------------------------------------------------------------------


def alike(positions: np.ndarray, look: Look, objects: np.ndarray | None = None) -> Points:
    """Return points (m, 2) of one look."""
    return Points(positions, [look], np.zeros(len(positions), np.int32), objects)


def segments(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the path (3 m, 2), with gaps, of lines from `begin` (m, 2) to `end` (m, 2)."""
    return np.stack([begin, end, np.full_like(begin, np.nan)], axis=1).reshape(-1, 2)


def upright_bars(
    places: np.ndarray, half: float, heights: np.ndarray, fills: Sequence[str], edge: str = "none"
) -> Bars:
    """Return bars of width 2 `half` around `places` (m,), in one colour or in a colour each."""
    boxes = np.column_stack([places - half, np.zeros(len(places)), places + half, heights])
    return Bars(boxes, fills, np.arange(len(places), dtype=np.int32) % len(fills), edge)


# -- axes ------------------------------------------------------------------------------------------------


def axes_around(positions: np.ndarray, labels: tuple[str, str] = ("", "")) -> tuple[Axis, Axis]:
    """Return axes that contain all positions (n, 2), with a margin of 5 % of the larger span."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    span = float((high - low).max())
    margin = 0.05 * span if span else max(0.05 * float(np.abs(high).max()), 0.05)
    pairs = zip((low - margin).tolist(), (high + margin).tolist(), labels)
    return tuple(Axis(*limits, label) for *limits, label in pairs)


def bare_axes(positions: np.ndarray) -> list[Axis]:
    """Return the axes around positions (n, 2) without lines and numbers."""
    return [replace(axis, scale="none") for axis in axes_around(positions)]


# -- the map ---------------------------------------------------------------------------------------------


def main_panel(
    fitted: Stepped,
    place: Place,
    marks: Sequence[Mark] = (),
    entries: Sequence[Entry] = (),
    upper: Dash | None = None,
) -> tuple[Panel, list[Entry]]:
    """Return the panel of the map in the view of `map_view_parameter`, and its legend.

    If the map shows the objects at their positions, `marks` are drawn on top of them, and `entries` are added
    to the legend. With `upper`, the dash of upper approximations, objects that are shown by their largest
    mass are surrounded by the approximations.
    """
    subject, partition = fitted.subject, fitted.partition
    positions, title = subject.positions, f"{subject.name} (n = {subject.n_objects}): "
    objects, legend = object_points(positions, partition), set_entries(partition)
    if not fitted.on_map:
        title += "objects between the sets of their masses"
        return corner_panel(partition, place, objects, title), legend
    shown, content = [objects], "largest mass"
    if fitted.view == "masses":
        masses, fills = partition.masses.astype(np.float32), set_colours(partition.focal_sets)
        pies = Pies(positions, masses, fills, LARGER * object_size(len(positions)), objects.objects)
        shown, legend, content = [pies], mass_entries(partition), "all masses"
    elif fitted.view == "plane":
        plane = fitted.plane
        pixels = mass_colours(plane.partition).reshape(SIDE, SIDE, 4)
        shown, content = [Raster(pixels, plane.box, smooth=True), objects], "masses of the plane"
        legend += mass_entries(plane.partition)
    elif upper is not None:
        shown = [*approximations(positions, partition, upper), objects]
        legend += approximation_entries(upper)
    axes = axes_around(positions, subject.axis_labels)
    panel = Panel("map", place, *axes, [*shown, *marks], title + content, equal=True)
    return panel, [*legend, *entries]


def corner_panel(partition: CredalPartition, place: Place, objects: Points, title: str) -> Panel:
    """Return the panel in which each object lies at the mean of the focal sets, weighted by its masses."""
    focal_sets = partition.focal_sets
    places = corner_places(focal_sets)
    named = np.flatnonzero((focal_sets.cardinality <= 1) | (focal_sets.cardinality == focal_sets.n_clusters))
    ring = places[focal_sets.cardinality == 1]
    marks = [Line(np.vstack([ring, ring[:1]]), Stroke(style.FAINT, 1.5))]
    marks += [Line(np.array([end, places[j]]), Stroke(style.FAINT, 1.5)) for j in named for end in ring]
    marks.append(replace(objects, positions=partition.masses @ places))
    beyond = places[named] * OUTSIDE + (0.0, LIFT)
    marks += [
        Text(focal_sets.labels[j], tuple(at), align="centre", bold=True)
        for j, at in zip(named.tolist(), beyond.tolist())
    ]
    bare = Axis(-1.3, 1.3, scale="none"), Axis(EMPTY - 0.3, 1.3, scale="none")
    return Panel("corners", place, *bare, marks, title, equal=True)


# -- prototypes ------------------------------------------------------------------------------------------


def prototype_marks(
    prototypes: np.ndarray, focal_sets: FocalSets, start: np.ndarray | None = None
) -> list[Mark]:
    """Return numbered prototypes (c, 2), barycentres of sets of several clusters, and starts (c, 2).

    The marks are those of `credalbench.plots.prototype_marks`.
    """
    marks: list[Mark] = []
    if start is not None:
        marks.append(Line(segments(start, prototypes), Stroke(style.INK, 1.4, opacity=0.75)))
        marks.append(alike(start, START))
    return [*marks, *_barycentres(prototypes, focal_sets), *numbered_prototypes(prototypes)]


def numbered_prototypes(prototypes: np.ndarray) -> list[Mark]:
    """Return prototypes (c, 2) as white discs with the numbers and the colours of their clusters."""
    discs, rims = _discs(len(prototypes))
    numbers = np.arange(len(prototypes), dtype=np.int32)
    places = enumerate(prototypes.tolist(), start=1)
    texts = [Text(str(k), (x, y), align="centre", bold=True) for k, (x, y) in places]
    return [Points(prototypes, discs, numbers), Points(prototypes, rims, numbers), *texts]


@lru_cache(maxsize=64)
def _discs(c: int) -> tuple[list[Look], list[Look]]:
    """Return the signs of c prototypes: dark discs, and white ones with coloured rims above them."""
    dark = [Look("circle", 24.0, style.INK, "#ffffff", 0.0)] * c
    return dark, [Look("circle", 18.0, "#ffffff", style.colour(k), 4.0) for k in range(c)]


@lru_cache(maxsize=64)
def shown_barycentres(focal_sets: FocalSets) -> list[int]:
    return with_barycentre(focal_sets).tolist()


def _barycentres(prototypes: np.ndarray, focal_sets: FocalSets) -> list[Mark]:
    shown = shown_barycentres(focal_sets)
    if not shown:
        return []
    members = focal_sets.membership[shown]
    centres = members @ prototypes / members.sum(axis=1, keepdims=True)
    marks: list[Mark] = []
    if len(shown) <= JOINED_UP_TO:
        sets, clusters = np.nonzero(members)
        lines = segments(centres[sets], prototypes[clusters])
        marks.append(Line(lines, Stroke(style.MUTED, 1.1, DOTTED)))
    return [*marks, alike(centres, BARYCENTRE)]


# -- legend ----------------------------------------------------------------------------------------------


def set_entries(partition: CredalPartition) -> list[Entry]:
    """Return the legend of the sets of largest mass, or of the first sets if there are very many."""
    return entries_of(partition.focal_sets, np.unique(partition.hard_credal()).tolist())


def entries_of(focal_sets: FocalSets, shown: Sequence[int]) -> list[Entry]:
    """Return the legend of some focal sets, or of the first ones if there are very many."""
    labels = [one + " (outlier)" * (one == "∅") for one in focal_sets.labels]
    entries = [Entry(labels[j], set_look(focal_sets, j, SIGN_SIZE)) for j in shown[:LISTED]]
    return [*entries, Entry("…", Stroke(opacity=0.0))] if len(shown) > LISTED else entries


def mass_entries(partition: CredalPartition) -> list[Entry]:
    """Return the legend of the colours of masses."""
    shown = np.flatnonzero(partition.masses.mean(axis=0) >= LEAST_MEAN)
    fills, labels = set_colours(partition.focal_sets), partition.focal_sets.labels
    return [Entry(f"mass on {labels[j]}", Look("square", 12.0, fills[j], style.INK)) for j in shown.tolist()]


def approximation_entries(upper: Dash = DASHED) -> list[Entry]:
    """Return the legend of `approximations`."""
    lower = Entry("surely in a cluster", Look("square", 13.0, style.FAINT, style.INK, 2.0))
    return [lower, Entry("possibly in a cluster", Stroke(style.INK, 1.6, upper))]


def prototype_entry(label: str = "prototype") -> Entry:
    """Return the legend of prototypes."""
    return Entry(label, Look("circle", 12.0, "#ffffff", style.INK, 2.6))


def prototype_entries() -> list[Entry]:
    """Return the legend of prototypes, barycentres and starts."""
    return [prototype_entry(), Entry("barycentre of a set", BARYCENTRE), Entry("start", START)]


# -- the scene of explorers without one of their own -----------------------------------------------------


def fit_scene(
    fitted: Fitted, marks: Sequence[Mark] = (), entries: Sequence[Entry] = (), handles: Handles | None = None
) -> Scene:
    """Return a scene of any fit: map, true classes, mass by cardinality, objective.

    `marks` and their `entries` in the legend are added to maps that show the objects at their positions.
    """
    shown, legend = main_panel(fitted, (0.0, 0.0, 0.66, 1.0), marks, entries)
    shares = mass_by_size(fitted.partition)
    bars = upright_bars(np.arange(len(shares)), 0.35, shares, [style.MUTED])
    x = Axis(-0.6, fitted.partition.n_clusters + 0.6, whole=True)
    y = Axis(0.0, 1.0, ticks=UNIT)
    panels = [
        shown,
        *true_classes(fitted.subject, (0.67, 0.0, 0.33, 0.41), fitted.partition),
        Panel("cardinalities", (0.67, 0.42, 0.33, 0.26), x, y, [bars], "Mass by size of the set", grid=True),
        objective_panel(fitted, (0.67, 0.7, 0.33, 0.3), "Objective J"),
    ]
    return scene_of(fitted, panels, legend, handles=handles)


def objective_panel(
    fitted: Stepped, place: Place, title: str, label: str = "iteration", *, logarithmic: bool = False
) -> Panel:
    """Return the panel of the objective of a run, with the iteration that is shown: see `trace_panel`."""
    values, iteration = fitted.objective_trace, fitted.iteration
    return trace_panel(place, values, title, iteration, label, logarithmic=logarithmic)


def mass_by_size(partition: CredalPartition) -> np.ndarray:
    """Return the share of mass on sets of 0, 1, ..., c clusters, (c + 1,)."""
    sizes = partition.focal_sets.cardinality
    return np.bincount(sizes, partition.masses.mean(axis=0), minlength=partition.n_clusters + 1)


# -- drawn constraints -----------------------------------------------------------------------------------


def link_marks(fitted: FittedWithLinks) -> list[Mark]:
    """Return a line for each link between objects, with the mark of its outcome in the middle.

    Linked outliers are drawn again on top, because lines hide their rings.
    """
    positions, partition, links = fitted.subject.positions, fitted.partition, fitted.links
    ends, kinds = positions[pairs_of(links)], np.array([kind for *_, kind in links], dtype=str)
    lines: list[Mark] = []
    signs: list[Mark] = []
    for outcome, (colour, sign) in OUTCOME_LOOKS.items():
        chosen = fitted.outcomes == outcome
        for kind, dash in DASHES.items():
            first, second = ends[(kinds == kind) & chosen].swapaxes(0, 1)
            lines.append(Line(segments(first, second), Stroke(colour, 2.0, dash, halo=True)))
        signs += rimmed(ends[chosen].mean(axis=1), sign) if sign else []
    rows = np.intersect1d(pairs_of(links), np.flatnonzero(partition.outliers())).astype(np.int32)
    if not rows.size:
        return lines + signs
    rings = object_points(positions[rows], partition.take(rows), object_size(len(positions)))
    return [*lines, *signs, replace(rings, objects=rows)]


def link_remarks(names: Sequence[str], links: Links, outcomes: np.ndarray) -> dict[int, str]:
    """Describe the links of each linked object in words."""
    words: dict[int, list[str]] = {}
    for (i, j, kind), outcome in zip(links, outcomes.tolist()):
        for one, other in ((i, j), (j, i)):
            status = f" ({outcome})" * (outcome != MET)
            words.setdefault(one, []).append(f"{kind} with {called(names, other)}{status}")
    return {i: ", ".join(parts) for i, parts in words.items()}


def link_entries() -> list[Entry]:
    """Return the legend of links."""
    lines = [Entry(kind, Stroke(style.INK, 2.0, dash)) for kind, dash in DASHES.items()]
    return [*lines, Entry("violated constraint", CROSS), Entry("met by an outlier", RING)]


def rimmed(positions: np.ndarray, look: Look) -> list[Mark]:
    """Return thin signs with a white rim that separates them from the objects."""
    rim = replace(look, size=look.size + 3, edge="#ffffff", edge_width=look.edge_width + 3)
    return [alike(positions, rim), alike(positions, look)]
