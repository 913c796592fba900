"""The scene of the CECM explorer: map with constraints, true classes, violations, objective."""

import numpy as np

from credalbench.explore.explorers.cecm.fit import Fitted
from credalbench.explore.scene.credal_map import (
    OUTCOME_LOOKS,
    alike,
    approximation_entries,
    approximations,
    lines_between,
    link_entries,
    link_marks,
    link_remarks,
    main_panel,
    objects_by_view,
    rimmed,
    true_classes,
)
from credalbench.explore.scene.marks import DOTTED, Line, Look, Mark, Points, Stroke, Text
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
from credalbench.plots.style import INK, MUTED

#: Dotted, because dashed lines are cannot-links.
UPPER = DOTTED
#: Thin, because objects near the prototypes are often selected.
PROTOTYPE = Look("thin plus", 19.0, "none", INK, 3.6)


def cecm_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the CECM model."""
    subject, partition = fitted.subject, fitted.partition
    objects, entries, content = objects_by_view(fitted)
    if fitted.view == "sets":
        objects = [*approximations(subject.positions, partition, UPPER), *objects]
        entries += approximation_entries(UPPER)
    marks = [
        *objects,
        *link_marks(subject.positions, partition, fitted.links, fitted.outcomes),
        *rimmed(fitted.centers_on_map, PROTOTYPE),
    ]
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
        evidence_of(partition, remarks=link_remarks(subject.object_names, fitted.links, fitted.outcomes)),
        [*entries, *((Entry("prototype", PROTOTYPE), *link_entries()) if fitted.on_map else ())],
    )


def _violations_panel(place: Place, fitted: Fitted) -> Panel:
    """Return the panel of the plausibility that each constraint is violated."""
    q = len(fitted.links)
    tops = np.column_stack([np.arange(1, q + 1), fitted.violations])
    marks: list[Mark] = []
    for outcome, (colour, sign) in OUTCOME_LOOKS.items():
        chosen = fitted.outcomes == outcome
        looks = [Look("square", 7.0, colour, colour), Look("circle", 7.0, "#ffffff", colour, 1.7)]
        stems = lines_between(tops[chosen] * [1, 0], tops[chosen])
        marks.append(Line(stems, Stroke(colour, 1.7)))
        marks.append(Points(tops[chosen], looks, (fitted.kinds[chosen] == "cannot-link").astype(np.int32)))
        marks += [alike(tops[chosen], sign)] if sign else []
    room = 10.0 * max(-(-q // 10), 1)  # a multiple of ten, so that the axis seldom changes
    if not q:
        marks.append(Text("no constraints", (0.5, 0.71), MUTED, "centre", on_axes=True))
    x = Axis(0.3, room + 0.7, "■ must-link, ○ cannot-link", whole=True)
    y = Axis(-0.1, 1.1, ticks=UNIT)
    return Panel("violations", place, x, y, marks, "Plausibility of violations", grid=True)
