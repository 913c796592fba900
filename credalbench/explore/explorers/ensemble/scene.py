"""What the ensemble explorer shows: consensus, relation and closure, bases, one pair, and sentences."""

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from itertools import pairwise
from math import ceil, floor

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.belief.relational import RelationalMasses
from credalbench.explore.explorers.ensemble.fit import FittedEnsemble, Pair
from credalbench.explore.model import ExplorerModel
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import Bars, Line, Look, Mark, Raster, Stroke, Text
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Panel, Place, Scene, scene_of, unnumbered
from credalbench.explore.sources import called
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Tile, iteration_tile, outlier_tile, share
from credalbench.plots.partition_maps import columns_of
from credalbench.plots.relations import DIFFERENT, HEIGHT, IGNORANCE, SAME, relation_pixels
from credalbench.plots.style import INK, MUTED

# -- sentences -----------------------------------------------------------------------------------------


RULES = {
    "average": "average",
    "dempster": "Dempster",
    "disjunctive": "disjunctive",
    "dubois_prade": "Dubois-Prade",
    "dubois_prade_sequential": "Dubois-Prade, in turn",
}
T_NORMS = {
    "none": "no closure",
    "minimum": "minimum",
    "product": "product",
    "lukasiewicz": "Łukasiewicz",
    "hamacher": "Hamacher",
    "frank": "Frank",
    "yager": "Yager",
}
#: Name of the row of the closed relation.
CLOSED = "after the closure"
#: Largest number of objects named on a path; of a longer path only the ends are named.
ON_PATH = 9


def about_pair(fitted: FittedEnsemble, chosen: tuple[int, ...]) -> str:
    """Return sentences about the chosen objects."""
    if fitted.pair is None:
        first = (
            f"{objects_in_words(fitted, chosen)}: click another object"
            if chosen
            else "Click two objects, or a pair in a relation"
        )
        return f"{first} to see all evidence about them and the path by which the closure joined them."
    pair, N = fitted.pair, len(fitted.run.bases)
    leaning = int((pair.evidence.same > pair.evidence.different).sum())
    combined = masses_in_words(pair.by_rule[fitted.run.rule])
    text = (
        f"{objects_in_words(fitted, pair.objects)}: "
        f"{leaning} of {N} partitions put them together rather than apart. "
        f"Combined by the rule {RULES[fitted.run.rule]}: {combined}."
    )
    against = [RULES[rule] for rule, masses in pair.by_rule.items() if masses is None]
    if against:
        text += f" {', '.join(against)}: total conflict."
    return f"{text} {about_path(fitted, pair)}".rstrip()


def objects_in_words(fitted: FittedEnsemble, objects: tuple[int, ...]) -> str:
    """Return one or two objects by name, or by number if they have no names."""
    names = [number_or_name(fitted, i) for i in objects]
    return f"Object{'s' if len(names) > 1 else ''} {' and '.join(names)}"


def number_or_name(fitted: FittedEnsemble, i: int) -> str:
    return called(fitted.subject.object_names, i).removeprefix("object ")


def about_path(fitted: FittedEnsemble, pair: Pair) -> str:
    """Return a sentence about the path of the closure; empty without a closure."""
    if pair.path is None:
        return ""
    closed = f"After the closure: {masses_in_words(pair.closed)}"
    if not pair.path:
        return f"{closed}; no path joins them."
    if len(pair.path) == 2:
        return f"{closed}; no path is stronger than their direct link."
    names = [number_or_name(fitted, k) for k in pair.path]
    if len(names) > ON_PATH:
        names = [*names[: ON_PATH // 2], "…", *names[-(ON_PATH // 2) :]]
    return f"{closed}, by a path of {len(pair.path)} objects: {' - '.join(names)}."


def masses_in_words(masses: RelationalMasses) -> str:
    """Return the masses of a pair in words."""
    parts = ((masses.same, "same"), (masses.different, "different"), (masses.ignorance, "unknown"))
    return ", ".join(f"{float(mass):.2f} {name}" for mass, name in parts)


def picture_text(fitted: FittedEnsemble) -> str:
    """Return the description of the picture for screen readers."""
    subject, sizes = fitted.subject, fitted.base_sizes
    clusters = str(min(sizes)) if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    closure = "no closure"
    if fitted.run.t_norm is not None:
        closure = f"closed by the t-norm {T_NORMS[fitted.run.t_norm.name]}"
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {fitted.partition.n_clusters} clusters, "
        f"the consensus of {len(sizes)} partitions with {clusters} clusters; their relation, combined by the "
        f"rule {RULES[fitted.run.rule]}, {closure}; stress {fitted.objective:.4g} after "
        f"{fitted.iteration} of {fitted.n_iter} sweeps."
    )


# -- the evidence about one pair of objects as bars ----------------------------------------------------


#: Number of base partitions that are shown.
SHOWN = 24
#: Largest number of labelled partitions, and their largest total height in rows.
NAMED = 6
#: Gap between partitions and rules, and between rules and closure, in rows.
GAP = 0.7


def evidence_panel(place: Place, fitted: FittedEnsemble) -> Panel:
    """Return the panel of the chosen pair, or instructions if there is none."""
    names, places = rows_of(fitted)
    step = ceil(n_shown(fitted) / NAMED)
    named = [k for k in range(len(names)) if k >= n_shown(fitted) or k % step == 0]
    x = Axis(0.0, 1.0, ticks=UNIT)
    y = Axis(places[-1] - 0.5, _height(fitted) / 2, ticks=[(float(places[k]), names[k]) for k in named])
    if fitted.pair is None:
        words = {0.54: "Click two objects,", 0.46: "or a pair in a relation"}
        marks = [Text(line, (0.5, at), MUTED, "centre", on_axes=True) for at, line in words.items()]
        return Panel("evidence", place, x, y, marks, "A pair of objects")
    objects = objects_in_words(fitted, fitted.pair.objects)
    return Panel("evidence", place, x, y, _bars(fitted, fitted.pair), objects)


def rows_of(fitted: FittedEnsemble) -> tuple[list[str], np.ndarray]:
    """Return names and positions of the rows, from the top, which is 0."""
    shown, height = n_shown(fitted), _height(fitted)
    names = [f"partition {b + 1}" for b in range(shown)] + [*RULES.values(), CLOSED]
    below = height * (shown - 1) + (height + 1) / 2 + GAP + np.arange(len(RULES))
    return names, -np.concatenate([height * np.arange(shown), below, below[-1:] + 1 + GAP])


def n_shown(fitted: FittedEnsemble) -> int:
    """Return the number of base partitions that are shown."""
    return min(len(fitted.run.bases), SHOWN)


def _height(fitted: FittedEnsemble) -> float:
    """Return the height of the row of a partition; that of a rule is 1."""
    return min(NAMED / n_shown(fitted), 1.0)


def _bars(fitted: FittedEnsemble, pair: Pair) -> list[Mark]:
    names, places = rows_of(fitted)
    shown = n_shown(fitted)
    masses = [RelationalMasses(*(part[b] for part in pair.evidence)) for b in range(shown)]
    masses += [*pair.by_rule.values(), pair.closed]
    half = 0.5 * HEIGHT * np.where(np.arange(len(names)) < shown, _height(fitted), 1.0)
    known = [k for k, one in enumerate(masses) if one is not None]
    low, high = (places - half)[known], (places + half)[known]
    same = np.array([masses[k].same for k in known])
    apart = np.array([1 - masses[k].different for k in known])
    ends = np.array([np.zeros(len(known)), same, apart, np.ones(len(known))])
    parts = [np.column_stack([left, low, right, high]) for left, right in pairwise(ends)]
    colour_of = np.repeat(np.arange(3, dtype=np.int32), len(known))
    whole = np.column_stack([ends[0], low, ends[-1], high])
    return [
        Bars(np.concatenate(parts), [SAME, IGNORANCE, DIFFERENT], colour_of),
        Bars(whole, ["none"], np.zeros(len(known), np.int32), MUTED),
        *(
            Text("no closure" if name == CLOSED else "total conflict", (0.02, float(place)), MUTED, size=0.9)
            for k, (name, place) in enumerate(zip(names, places))
            if k not in known
        ),
        _frame(places[names.index(RULES[fitted.run.rule])]),
    ]


def _frame(place: float) -> Line:
    """Return the frame around the row of the rule in use."""
    low, high = place - 0.5, place + 0.5
    return Line(np.array([(0, low), (1, low), (1, high), (0, high), (0, low)]), Stroke(INK, 1.8))


# -- the scene -----------------------------------------------------------------------------------------


SMALL = "font-size:12.5px;line-height:18px;padding:0 8px;white-space:normal;min-height:36px"
PATH = Stroke(INK, 1.7 * credal_map.PIXELS, halo=True)
STEP = Look("circle", 3.2 * credal_map.PIXELS, INK, edge_width=0.5 * credal_map.PIXELS)
#: Height of a picture relative to its width, and of the title of the base partitions, as a share of it.
ASPECT, TITLE = 0.74, 0.055
#: Largest number of base partitions with a map, and the size of objects there, in pixels.
MAPS, DOT = 12, 2.2
#: Largest number of rows and columns of pixels of a relation; with more objects, each pixel is a mean.
MOST = 200
#: A ring around a position: dark, with a white rim inside and outside.
RING = [Look("circle", 11.0, "none", "#ffffff", 4.6), Look("circle", 11.0, "none", INK, 2.0)]


def ensemble_scene(fitted: FittedEnsemble) -> Scene:
    """Return the scene of a fit of the ensemble model."""
    subject, partition = fitted.subject, fitted.partition
    closure = "Its closure" if fitted.run.t_norm else "No closure"
    marks = [credal_map.object_points(subject.positions, partition), *_path(fitted)]
    axes = credal_map.axes_around(subject.positions, subject.axis_labels)
    title = f"Consensus (n = {subject.n_objects})"
    stress = credal_map.objective_panel(fitted, (0.88, 0.0, 0.12, 0.42), "Stress", "sweep", logarithmic=True)
    panels = [
        Panel("map", (0.0, 0.0, 0.4, 0.6), *axes, marks, title, equal=True),
        relation_panel("relation", (0.41, 0.0, 0.23, 0.42), fitted.run.relation, fitted, "Relation"),
        relation_panel("closed", (0.645, 0.0, 0.23, 0.42), fitted.run.closed, fitted, closure),
        evidence_panel((0.41, 0.43, 0.59, 0.57), fitted),
        unnumbered(stress),
        *_base_panels((0.0, 0.61, 0.4, 0.39), fitted),
    ]
    meaning = {SAME: "same cluster", IGNORANCE: "unknown", DIFFERENT: "different"}
    pairs = [Entry(words, Look("square", 11.0, colour, MUTED)) for colour, words in meaning.items()]
    return scene_of(fitted, panels, [*credal_map.set_entries(partition), Entry("path", PATH), *pairs])


def _path(fitted: FittedEnsemble) -> list[Mark]:
    """Return the line through the objects that link the pair in the closure."""
    if fitted.pair is None or not fitted.pair.path:
        return []
    places = fitted.subject.positions[list(fitted.pair.path)]
    return [Line(places, PATH), credal_map.alike(places, STEP)]


def _base_panels(place: Place, fitted: FittedEnsemble) -> list[Panel]:
    """Return small maps of the first base partitions with their numbers, below a title."""
    left, top, width, height = place
    positions, count = fitted.subject.positions, min(len(fitted.run.bases), MAPS)
    of_all = "" if count == len(fitted.run.bases) else f", {count} of {len(fitted.run.bases)}"
    bare = Axis(0.0, 1.0, scale="none")
    heading = Panel("bases", (left, top, width, TITLE), bare, bare, [], f"Base partitions{of_all}")
    span = [axis.high - axis.low for axis in credal_map.axes_around(positions)]
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
    return credal_map.small_map(f"base {b + 1}", cell, subject.positions, base, marks=[number], size=DOT)


# -- relations between all pairs of objects, sorted by cluster -----------------------------------------------


def relation_panel(
    name: str, place: Place, relation: RelationalMasses, fitted: FittedEnsemble, title: str
) -> Panel:
    """Return the panel of a relation, with the objects in the order of the fit from the upper left."""
    n = len(fitted.order)
    colours = relation_pixels(relation, fitted.order, MOST, MOST)
    pixels = np.full((*colours.shape[:2], 4), 255, np.uint8)
    pixels[..., :3] = colours
    marks = [Raster(pixels, (0.0, 0.0, float(n), float(n))), *_borders(fitted), *_rings(fitted)]
    axis = Axis(0.0, float(n), scale="none")
    return Panel(name, place, axis, axis, marks, title, equal=True)


def pair_at(fitted: FittedEnsemble, x: float, y: float) -> tuple[int, int] | None:
    """Return the pair of objects at a position in a relation, or None outside and on the diagonal."""
    n = len(fitted.order)
    row, column = floor(n - y), floor(x)
    if not (0 <= row < n and 0 <= column < n) or row == column:
        return None
    return int(fitted.order[row]), int(fitted.order[column])


def _borders(fitted: FittedEnsemble) -> list[Mark]:
    """Return lines between clusters, visible on dark and on white, and around the panel."""
    n, gap = float(len(fitted.order)), np.full(2, np.nan)
    paths = [np.empty((0, 2))]
    for place in map(float, fitted.boundaries):
        paths += [[(0.0, n - place), (n, n - place)], [gap], [(place, 0.0), (place, n)], [gap]]
    between = np.concatenate(paths)
    around = np.array([(0, 0), (n, 0), (n, n), (0, n), (0, 0)], dtype=float)
    lines = [Line(between, Stroke("#ffffff", 3.0)), Line(between, Stroke(INK, 1.2))] if len(between) else []
    return [*lines, Line(around, Stroke(MUTED, 1.0))]


def _rings(fitted: FittedEnsemble) -> list[Mark]:
    """Return rings around both positions of the pair."""
    if fitted.pair is None:
        return []
    i, j = np.argsort(fitted.order)[list(fitted.pair.objects)] + 0.5
    n = len(fitted.order)
    places = np.array([(j, n - i), (i, n - j)])
    return [credal_map.alike(places, look) for look in RING]


# -- the page --------------------------------------------------------------------------------------------


def tiles(fitted: FittedEnsemble) -> Iterable[Tile]:
    """Return the read-outs."""
    agreement = "Credal Rand index of the consensus and the relation it was fitted to"
    distance = "Sum of squared differences between the pairwise masses of consensus and relation"
    return (
        ("ARI", share(fitted.ari), "Adjusted Rand index of the consensus against the true classes"),
        ("credal Rand", share(fitted.credal_rand), agreement),
        ("stress", f"{fitted.objective:.4g}", distance),
        ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
        outlier_tile(fitted),
        iteration_tile(fitted, "Sweeps of all searches"),
    )


def pair_html(model: ExplorerModel) -> str:
    """Return the sentences about the chosen objects."""
    text = escape(about_pair(model.fitted, model.choice.objects))
    return f'<div role="status" style="{SMALL}">{text}</div>'
