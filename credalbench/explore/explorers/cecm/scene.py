"""The scene of the CECM explorer: map with constraints, true classes, violations, objective."""

from dataclasses import replace

import numpy as np

from credalbench.explore.explorers.cecm.fit import Fitted
from credalbench.explore.scene.credal_map import (
    approximation_entries,
    approximations,
    lines_between,
    main_panel,
    objects_by_view,
    true_classes,
)
from credalbench.explore.scene.curves import trace_panel
from credalbench.explore.scene.marks import DASHED, DOTTED, Dash, Line, Look, Mark, Points, Stroke, Text
from credalbench.explore.scene.scene import Axis, Entry, Objects, Panel, Place, Scene, evidence_of
from credalbench.plots.constraints import VIOLATED
from credalbench.plots.style import INK, MUTED

#: Dotted, because dashed lines are cannot-links.
UPPER = DOTTED
DASHES: dict[str, Dash] = {"must-link": (), "cannot-link": DASHED}
#: Mark in the middle of a violated constraint.
CROSS = Look("thin cross", 11.0, "none", VIOLATED, 2.2)
#: Thin, because objects near the prototypes are often selected.
PROTOTYPE = Look("thin plus", 19.0, "none", INK, 3.6)
UNIT = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


def cecm_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the CECM model."""
    subject, partition = fitted.subject, fitted.partition
    objects, entries, content = objects_by_view(fitted)
    if fitted.view == "sets":
        objects = [*approximations(subject.positions, partition, UPPER), *objects]
        entries += approximation_entries(UPPER)
    marks = [*objects, *_constraints(fitted), *_rimmed(fitted.centers_on_map, PROTOTYPE)]
    panels = [
        main_panel(fitted, (0.0, 0.0, 0.63, 1.0), marks, content),
        *true_classes(subject, (0.64, 0.0, 0.36, 0.33), partition),
        _violations_panel((0.64, 0.34, 0.36, 0.33), fitted),
        trace_panel(
            (0.64, 0.68, 0.36, 0.32), fitted.objective_trace, "Objective J by iteration", fitted.iteration
        ),
    ]
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition, remarks=_remarks(fitted)),
        [*entries, *(_entries() if fitted.on_map else ())],
    )


def _remarks(fitted: Fitted) -> dict[int, str]:
    """Return the constraints of each object that has some, in words."""
    names, words = fitted.subject.object_names, {}
    for (i, j, kind), violated in zip(fitted.links, fitted.violated.tolist()):
        for one, other in ((i, j), (j, i)):
            called = names[other] if names else f"object {other}"
            words.setdefault(one, []).append(f"{kind} with {called}{' (violated)' * violated}")
    return {i: ", ".join(parts) for i, parts in words.items()}


def _constraints(fitted: Fitted) -> list[Mark]:
    """Return a line for each constraint; violated ones are red with a cross in the middle."""
    ends = fitted.subject.positions[fitted.pairs]
    marks: list[Mark] = []
    for kind, dash in DASHES.items():
        for violated, colour in ((False, INK), (True, VIOLATED)):
            first, second = ends[(fitted.kinds == kind) & (fitted.violated == violated)].swapaxes(0, 1)
            marks.append(Line(lines_between(first, second), Stroke(colour, 2.0, dash, halo=True)))
    return [*marks, *_rimmed(ends[fitted.violated].mean(axis=1), CROSS)]


def _violations_panel(place: Place, fitted: Fitted) -> Panel:
    """Return the panel of the plausibility that each constraint is violated."""
    q = len(fitted.links)
    tops = np.column_stack([np.arange(1, q + 1), fitted.violations])
    marks: list[Mark] = []
    for violated, colour in ((False, INK), (True, VIOLATED)):
        chosen = fitted.violated == violated
        looks = [Look("square", 7.0, colour, colour), Look("circle", 7.0, "#ffffff", colour, 1.7)]
        stems = lines_between(tops[chosen] * [1, 0], tops[chosen])
        marks.append(Line(stems, Stroke(colour, 1.7)))
        marks.append(Points(tops[chosen], looks, (fitted.kinds[chosen] == "cannot-link").astype(np.int32)))
    marks.append(_alike(tops[fitted.violated], CROSS))
    room = 10.0 * max(-(-q // 10), 1)  # a multiple of ten, so that the axis seldom changes
    if not q:
        marks.append(Text("no constraints", (0.5, 0.71), MUTED, "centre", on_axes=True))
    x = Axis(0.3, room + 0.7, "■ must-link, ○ cannot-link", whole=True)
    y = Axis(-0.1, 1.1, ticks=UNIT)
    return Panel("violations", place, x, y, marks, "Plausibility of violations", grid=True)


def _rimmed(positions: np.ndarray, look: Look) -> list[Mark]:
    """Return thin signs with a white rim that separates them from the objects."""
    rim = replace(look, size=look.size + 3, edge="#ffffff", edge_width=look.edge_width + 3)
    return [_alike(positions, rim), _alike(positions, look)]


def _alike(positions: np.ndarray, look: Look) -> Points:
    return Points(positions, [look], np.zeros(len(positions), np.int32))


def _entries() -> list[Entry]:
    """Return the legend of prototypes and constraints."""
    lines = [Entry(kind, Stroke(INK, 2.0, dash)) for kind, dash in DASHES.items()]
    return [Entry("prototype", PROTOTYPE), *lines, Entry("violated constraint", CROSS)]
