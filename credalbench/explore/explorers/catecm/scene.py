"""The scene of the cat-ECM explorer: map with prototypes, masses of objects, classes, objective."""

from dataclasses import replace

import numpy as np
from matplotlib.colors import to_hex

from credalbench.explore.explorers.catecm.fit import Fitted
from credalbench.explore.scene.credal_map import (
    SIGN_SIZE,
    map_panel,
    numbered_prototypes,
    object_points,
    prototype_entry,
    set_entries,
    set_look,
    true_classes,
)
from credalbench.explore.scene.marks import Bars, Look, Mark, Points, Text
from credalbench.explore.scene.scene import (
    UNIT,
    Axis,
    Entry,
    Objects,
    Panel,
    Place,
    Scene,
    evidence_of,
    trace_panel,
)
from credalbench.explore.sources.category_tables import CategoryTable
from credalbench.plots.masses import LEAST, parts_of_rows
from credalbench.plots.style import FAINT, focal_colour

#: Largest number of characters of a row name, and of a value at an axis.
LONGEST, VALUE = 18, 8
#: Largest number of values shown at an axis.
MOST_TICKS = 12
#: Smallest number of rows in the panel; half the height of a bar; x of the sign of the object.
ROOM, HALF, SIGN = 8, 0.37, -0.07
#: Width of a character of the label of a set, as a share of the row.
CHARACTER = 0.065
#: Legend entry of the end of a bar.
PALE = Entry(f"sets with mass below {LEAST} each", Look("square", 13.0, FAINT, FAINT))
TITLES = {"chosen": "chosen objects", "all": "all objects", "most ambiguous": "the most ambiguous"}


def catecm_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the cat-ECM model."""
    subject, partition = fitted.subject, fitted.partition
    marks = [object_points(subject.positions, partition), *numbered_prototypes(fitted.prototypes_on_map)]
    classes = true_classes(subject, (0.59, 0.73, 0.19, 0.27), partition)
    left = 0.79 if classes else 0.59
    panels = [
        _in_words(map_panel(subject, (0.0, 0.0, 0.58, 1.0), marks, "largest mass"), subject),
        _masses_panel(fitted, (0.59, 0.0, 0.41, 0.72)),
        *classes,
        trace_panel(
            (left, 0.73, 1.0 - left, 0.27),
            fitted.objective_trace,
            "Objective J",
            fitted.iteration,
            "iteration",
        ),
    ]
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition),
        [*set_entries(partition), prototype_entry(), PALE],
    )


def _in_words(panel: Panel, subject: CategoryTable) -> Panel:
    """Label the axes of the map with the values of two attributes, unless there are many."""
    few = [words if len(words) <= MOST_TICKS else () for words in subject.ticks or ((), ())]
    x, y = (
        replace(axis, ticks=[(float(k), shortened(word, VALUE)) for k, word in enumerate(words)])
        for axis, words in zip((panel.x, panel.y), few)
    )
    return replace(panel, x=replace(x, label=f"{x.label}, equal objects side by side"), y=y)


# -- masses ----------------------------------------------------------------------------------------------


def _masses_panel(fitted: Fitted, place: Place) -> Panel:
    """Return the panel of the masses of the listed objects, one row per object."""
    subject, listed = fitted.subject, list(fitted.listed)
    names = [(-float(row), row_name(subject, i)) for row, i in enumerate(listed)]
    y = Axis(0.5 - max(len(listed), ROOM), 0.5, ticks=names)
    x = Axis(2 * SIGN, 1.0, "mass", ticks=UNIT)
    marks = [*_bars(fitted), _signs(fitted)]
    return Panel("masses", place, x, y, marks, f"Masses of {TITLES[fitted.choice]}")


def _bars(fitted: Fitted) -> list[Mark]:
    partition = fitted.partition.take(list(fitted.listed))
    focal_sets = partition.focal_sets
    rows, sets, left, right = parts_of_rows(partition.masses)
    lengths = np.array([*map(len, focal_sets.labels), 0])
    boxes = np.column_stack([left, -rows - HALF, right, -rows + HALF])
    colours = [to_hex(focal_colour(members, focal_sets.n_clusters)) for members in focal_sets.sets]
    bars = Bars(boxes, [*colours, FAINT], sets.astype(np.int32), "#ffffff")
    named = np.flatnonzero((sets < len(focal_sets)) & (right - left >= CHARACTER * lengths[sets]))
    middles = (left + right) / 2
    labels = [Text(focal_sets.labels[sets[k]], (middles[k], -float(rows[k])), align="centre") for k in named]
    return [bars, *labels]


def _signs(fitted: Fitted) -> Points:
    """Return the signs of the listed objects, which can be selected here as on the map."""
    focal_sets, listed = fitted.partition.focal_sets, np.array(fitted.listed, dtype=np.int32)
    used, look_of = np.unique(fitted.partition.hard_credal()[listed], return_inverse=True)
    looks = [set_look(focal_sets, j, SIGN_SIZE) for j in used.tolist()]
    places = np.column_stack([np.full(len(listed), SIGN), -np.arange(len(listed), dtype=float)])
    return Points(places, looks, look_of.astype(np.int32), listed)


def row_name(subject: CategoryTable, i: int) -> str:
    """Return the name of an object, with its class if known, shortened to fit."""
    name = subject.object_names[i] if subject.object_names else str(i)
    if subject.y is not None and subject.class_names:
        name += f" ({subject.class_names[subject.y[i]]})"
    return shortened(name, LONGEST)


def shortened(text: str, length: int) -> str:
    """Return a text, truncated to `length` characters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"
