"""What the comparing explorer shows: two maps of the same objects, their differences, and sentences."""

from collections.abc import Iterable
from functools import lru_cache
from html import escape

import numpy as np

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.explanation import reason_of
from credalbench.explore.explorers.compare import methods
from credalbench.explore.explorers.compare.methods import Disagreement, Fitted, Side
from credalbench.explore.model import ExplorerModel
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import DASHED, Line, Look, Mark, Points, Stroke
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Objects, Panel, Place, Scene, evidence_of
from credalbench.explore.sources import called
from credalbench.explore.stepping import Tile, iterations, share
from credalbench.metrics import adjusted_rand
from credalbench.plots.style import FAINT, INK, MUTED, OMEGA

#: The results of methods that are not credal, by kind of method.
CANNOT = {"hard": "A label", "fuzzy": "Memberships"}
#: Starts reach the same objective if they differ by at most this share of the best objective.
AS_GOOD = 0.01


def title_of(name: str, fitted: Fitted) -> str:
    """Return the title of one side: its method, or its start."""
    side = getattr(fitted, name)
    if not fitted.traces:
        return f"{name}: {side.method.name}"
    return f"{name}: {side.method.name}, {'worst' if name == 'left' else 'best'} start"


@lru_cache(maxsize=1)  # the view uses it in three places
def comparison_text(fitted: Fitted) -> str:
    """Return the sentences of a comparison."""
    if fitted.traces:
        return _about_starts(fitted)
    if fitted.differences.identical:
        return "Both sides are the same fit: choose another method or setting on one of them."
    sentences = [
        _about_objects(fitted, fitted.left, fitted.right, fitted.differences.separated_by_right),
        _about_objects(fitted, fitted.right, fitted.left, fitted.differences.separated_by_left),
    ]
    neither = "Neither side separates objects that are alike on the other."
    return " ".join(filter(None, sentences)) or neither


def _about_objects(fitted: Fitted, coarse: Side, fine: Side, pair: Disagreement | None) -> str:
    """Describe two objects that are alike on one side only, and why that side cannot separate them."""
    if pair is None:
        return ""
    one, two = (called(fitted.subject.object_names, i) for i in (pair.first, pair.second))
    sets = fine.partition.focal_sets  # those of both sides
    both = [reason_of(fine.partition.masses[i], sets) for i in (pair.first, pair.second)]
    alike = reason_of(coarse.partition.masses[pair.first], sets)
    first, second = (_named(fitted, side) for side in (coarse, fine))
    begin = one if fitted.subject.object_names else one.capitalize()  # names are not capitalised
    words = f"{begin} and {two} are alike for {first} ({alike}); {second} separates "
    words += f"them: {one} ({both[0]}), {two} ({both[1]})."
    if coarse.method.kind in CANNOT and _needs_sets(fine.partition, pair):
        words += f" {CANNOT[coarse.method.kind]} cannot express that; masses on sets of clusters can."
    return words


def _needs_sets(partition: CredalPartition, pair: Disagreement) -> bool:
    """Return whether one of the objects has its largest mass on ∅ or on a set of several clusters."""
    sets = partition.hard_credal()[[pair.first, pair.second]]
    return bool((partition.focal_sets.cardinality[sets] != 1).any())


def _named(fitted: Fitted, side: Side) -> str:
    """Return the method of a side, with the side if both have the same method."""
    if fitted.left.method is not fitted.right.method:
        return side.method.name
    return f"{side.method.name} on the {'left' if side is fitted.left else 'right'}"


def _about_starts(fitted: Fitted) -> str:
    ends = np.array([trace[-1] for trace in fitted.traces])
    worst, best = fitted.left.run.objective, fitted.right.run.objective
    as_good = int((np.abs(ends - best) <= AS_GOOD * abs(best)).sum())
    label = fitted.left.method.name
    objective = methods.OBJECTIVES.get(label, "objective J")
    if as_good == len(ends):
        return f"All {len(ends)} random starts of {label} reach the same {objective}, {best:.4g}."
    return (
        f"{as_good} of {len(ends)} random starts of {label} end at {objective} {best:.4g}, within "
        f"{100 * AS_GOOD:.0f} %; the worst is trapped at {worst:.4g}. "
        "Every step improves the objective, so a run ends in a local optimum, which need not be the best one."
    )


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, counts = fitted.subject, dict(zip(methods.KINDS, fitted.differences.counts.tolist()))
    sides = " and ".join(title_of(name, fitted) for name in ("left", "right"))
    return (
        f"Two maps of {subject.n_objects} objects of {subject.name}, {sides}, in "
        f"{fitted.partition.n_clusters} clusters. They agree on {counts['same']} objects; "
        f"{counts['precision']} differ in precision, {counts['outlier']} are outliers on one side only, "
        f"{counts['cluster']} are in different clusters. {comparison_text(fitted)}"
    )


# -- the scene -----------------------------------------------------------------------------------------


SIDES = ("left", "right")
SETTINGS = ("method", "exponent", "focal_sets", "far")
SENTENCES = '<div style="font-size:14px;line-height:1.4;padding:2px 4px 4px;white-space:normal">{}</div>'
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
        *credal_map.true_classes(subject, (0.0, below[0], 0.26, below[1]), fitted.left.partition),
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
    marks: list[Mark] = [credal_map.object_points(subject.positions, side.partition)]
    if not fitted.traces:
        marks.append(_different(fitted))
    elif side.prototypes is not None:
        ends, starts = (subject.on_the_map(points) for points in (side.prototypes, side.start))
        marks += credal_map.prototype_marks(
            ends, FocalSets.up_to(len(ends), 1, empty=False, omega=False), starts
        )
    title = title_of(name, fitted)
    axes = credal_map.bare_axes(subject.positions)
    return Panel(name, place, *axes, marks, title[0].upper() + title[1:], equal=True)


def _signs(size: float) -> tuple[Look, Look]:
    """Return the marks of objects in a different set, and in a different cluster."""
    return Look("square", size, "none", INK, 1.2), Look("thin cross", size, "none", INK, 2.0)


def _different(fitted: Fitted) -> Points:
    """Return the marks of the objects that differ between the sides."""
    positions, kinds = fitted.subject.positions, fitted.differences.kinds
    rows = np.flatnonzero(kinds)
    looks = _signs(credal_map.object_size(len(positions)) + 6.0)
    return Points(positions[rows], looks, (kinds[rows] == 3).astype(np.int32))


# -- other panels ----------------------------------------------------------------------------------------


def _cardinalities(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the share of mass on sets of 0, 1, 2, ... clusters, one bar for each side."""
    c = fitted.partition.n_clusters
    sizes, half = np.arange(c + 1), WIDTH / 2
    shares = [credal_map.mass_by_size(getattr(fitted, name).partition) for name in SIDES]
    fills = [FILLS[name] for name in SIDES for _ in sizes]
    bars = credal_map.upright_bars(
        np.concatenate([sizes - half, sizes + half]), half, np.concatenate(shares), fills
    )
    x, y = Axis(-0.6, c + 0.6, "clusters in the set", whole=True), Axis(0.0, 1.0, ticks=UNIT)
    return Panel("cardinalities", place, x, y, [bars], "Mass by size", grid=True)


def _kinds(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the number of objects by kind of difference."""
    counts = fitted.differences.counts
    ticks = tuple((float(k), word) for k, word in enumerate(SHORT))
    x, y = Axis(-0.6, 3.6, ticks=ticks), Axis(0.0, 1.08 * fitted.subject.n_objects, whole=True)
    bars = credal_map.upright_bars(np.arange(len(methods.KINDS)), WIDTH, counts, [MUTED])
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
        marks += [credal_map.alike(shown, SHOWN), Line(path, STROKES[name])]
    title = methods.OBJECTIVES.get(fitted.left.method.name, "objective J")
    return Panel("trace", place, x, y, marks, title[0].upper() + title[1:], grid=True)


def _path(trace: np.ndarray) -> np.ndarray:
    """Return the points of an objective (m,) over iterations, (m, 2)."""
    return np.column_stack([np.arange(len(trace)), trace]).astype(float)


# -- legend ----------------------------------------------------------------------------------------------


def _entries(fitted: Fitted) -> list[Entry]:
    sets = [entry for name in SIDES for entry in credal_map.set_entries(getattr(fitted, name).partition)]
    entries = list({entry.label: entry for entry in sets}.values())
    if fitted.traces:
        entries += [Entry(f"{name}: objective", STROKES[name]) for name in SIDES]
        if fitted.left.prototypes is None:
            return entries
        prototype, _, start = credal_map.prototype_entries()
        return [*entries, prototype, start]
    other, cluster = _signs(credal_map.SIGN_SIZE)
    if (fitted.differences.kinds % 3).any():
        entries.append(Entry("another set: precision, or outlier", other))
    if (fitted.differences.kinds == 3).any():
        entries.append(Entry("another cluster", cluster))
    return entries + [Entry(name, Look("square", credal_map.SIGN_SIZE, FILLS[name])) for name in SIDES]


# -- the page --------------------------------------------------------------------------------------------


def tiles(fitted: Fitted) -> Iterable[Tile]:
    """Return the read-outs."""
    sides = (fitted.left, fitted.right)

    def both(values: Iterable[object]) -> str:
        return " · ".join(map(str, values))

    same, n = int(fitted.differences.counts[0]), fitted.subject.n_objects
    parts = [side.partition for side in sides]
    agreement = adjusted_rand(*(part.labels() for part in parts))
    runs = [f"{s.iteration} of {iterations(s.run.n_iter, s.run.converged)}" for s in sides]
    index = "Adjusted Rand index against the true classes, left and right"
    return (
        ("same set", f"{same} of {n}", "Objects whose largest mass is on the same set on both sides"),
        ("agreement", share(agreement), "Adjusted Rand index of the clusters of both sides"),
        ("ARI", both(share(side.ari) for side in sides), index),
        ("nonspecificity", both(share(p.nonspecificity()) for p in parts), "Imprecision, left and right"),
        ("outliers", both(int(p.outliers().sum()) for p in parts), "Left and right"),
        ("iteration", both(runs), "Iterations done, and until the end of the run, left and right"),
    )


def sentences_html(model: ExplorerModel) -> str:
    """Return the sentences of the comparison."""
    return SENTENCES.format(escape(comparison_text(model.fitted)))


def separated(fitted: Fitted) -> list[int]:
    """Return two objects that only one side separates."""
    pair = fitted.differences.separated_by_right or fitted.differences.separated_by_left
    return [] if pair is None or fitted.traces else [pair.first, pair.second]


def off(model: ExplorerModel) -> dict[str, None]:
    """Return the settings that the method of a side does not have, and the right side for starts."""
    idle = []
    for side in SIDES:
        read = ("method", *methods.settings_read(methods.METHODS[getattr(model, f"{side}_method")]))
        starts = side == "right" and model.comparing == "starts"
        idle += [f"{side}_{name}" for name in SETTINGS if name not in read or starts]
    return dict.fromkeys(idle)
