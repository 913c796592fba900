"""The scene of the CECM explorer: map with constraints, true classes, violations, objective."""

from __future__ import annotations

import numpy as np

from credalbench.explore.cecm.fit import Fitted
from credalbench.explore.shared.scene.credal_map import (
    approximation_entries,
    approximations,
    map_panel,
    object_points,
    prototype_entries,
    prototype_marks,
    set_entries,
    true_classes,
)
from credalbench.explore.shared.scene.curves import trace_panel
from credalbench.explore.shared.scene.marks import DASHED, DOTTED, Dash, Line, Look, Mark, Points, Stroke, Text
from credalbench.explore.shared.scene.objects import Objects, evidence_of
from credalbench.explore.shared.scene.scene import Axis, Entry, Panel, Place, Scene
from credalbench.plots.constraints import VIOLATED
from credalbench.plots.prototypes import segments
from credalbench.plots.style import INK, MUTED

#: Dotted, since dashed lines are cannot-links.
UPPER = DOTTED
DASHES: dict[str, Dash] = {"must-link": (), "cannot-link": DASHED}
#: On the middle of a violated constraint, with a white rim that keeps it off the objects.
CROSS = Look("thin cross", 11.0, "none", VIOLATED, 2.2)
RIM = Look("thin cross", 11.0, "none", "#ffffff", 4.4)
UNIT = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


def cecm_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the CECM model."""
    subject, partition = fitted.subject, fitted.partition
    marks = [
        *approximations(subject.positions, partition, "maximum_mass", UPPER),
        object_points(subject.positions, partition),
        *_constraints(fitted),
        *prototype_marks(fitted.centers_on_map, partition.focal_sets),
    ]
    panels = [
        map_panel(subject, (0.0, 0.0, 0.66, 1.0), marks, "set of largest mass"),
        *true_classes(subject, (0.67, 0.0, 0.33, 0.4)),
        _violations_panel((0.67, 0.41, 0.33, 0.3), fitted),
        trace_panel((0.67, 0.72, 0.33, 0.28), fitted.objective_trace, "Objective J of this fit"),
    ]
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition),
        [*set_entries(partition), *prototype_entries(), *approximation_entries(UPPER), *_entries()],
    )


def _constraints(fitted: Fitted) -> list[Mark]:
    """A line for each constraint; violated ones are red and carry a cross in their middle."""
    ends = fitted.subject.positions[fitted.pairs]
    marks: list[Mark] = []
    for kind, dash in DASHES.items():
        for violated, colour in ((False, INK), (True, VIOLATED)):
            first, second = ends[(fitted.kinds == kind) & (fitted.violated == violated)].swapaxes(0, 1)
            marks.append(Line(segments(first, second).T, Stroke(colour, 2.0, dash, halo=True)))
    middles = ends[fitted.violated].mean(axis=1)
    return [*marks, _alike(middles, RIM), _alike(middles, CROSS)]


def _violations_panel(place: Place, fitted: Fitted) -> Panel:
    """How plausible it is that each constraint is violated, in the order in which they came."""
    q = len(fitted.links)
    tops = np.column_stack([np.arange(1, q + 1), fitted.violations])
    marks: list[Mark] = []
    for violated, colour in ((False, INK), (True, VIOLATED)):
        chosen = fitted.violated == violated
        looks = [Look("square", 7.0, colour, colour), Look("circle", 7.0, "#ffffff", colour, 1.7)]
        stems = segments(tops[chosen] * [1, 0], tops[chosen]).T
        marks.append(Line(stems, Stroke(colour, 1.7)))
        marks.append(Points(tops[chosen], looks, (fitted.kinds[chosen] == "cannot-link").astype(np.int32)))
    marks.append(_alike(tops[fitted.violated], CROSS))
    room = 10.0 * max(-(-q // 10), 1)  # in tens, so that places often stay
    if not q:
        marks.append(Text("no constraints", (0.5, 0.5), MUTED, "centre", on_axes=True))
    x = Axis(0.3, room + 0.7, "■ must-link, ○ cannot-link", whole=True)
    y = Axis(-0.1, 1.1, ticks=UNIT)
    return Panel("violations", place, x, y, marks, "Plausibility of a violation", grid=True)


def _alike(positions: np.ndarray, look: Look) -> Points:
    return Points(positions, [look], np.zeros(len(positions), np.int32))


def _entries() -> list[Entry]:
    """What the lines of constraints mean."""
    lines = [Entry(kind, Stroke(INK, 2.0, dash)) for kind, dash in DASHES.items()]
    return [*lines, Entry("violated constraint", CROSS)]
