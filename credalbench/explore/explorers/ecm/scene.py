"""The scene of the ECM explorer: map with prototypes, true classes, mass by cardinality, objective."""

import numpy as np

from credalbench.explore.explorers.ecm.model import Fitted
from credalbench.explore.scene.credal_map import (
    main_panel,
    objects_by_view,
    prototype_entries,
    prototype_marks,
    true_classes,
)
from credalbench.explore.scene.marks import Bars
from credalbench.explore.scene.scene import (
    UNIT,
    Axis,
    Handles,
    Objects,
    Panel,
    Scene,
    evidence_of,
    trace_panel,
)
from credalbench.plots.style import MUTED

#: Half the width of a bar.
HALF = 0.35


def ecm_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the ECM model."""
    subject, partition = fitted.subject, fitted.partition
    prototypes = subject.on_the_map(fitted.prototypes)
    start = subject.on_the_map(fitted.start) if fitted.iteration else None
    objects, entries, content = objects_by_view(fitted)
    marks = [*objects, *prototype_marks(prototypes, partition.focal_sets, start)]
    panels = [
        main_panel(fitted, (0.0, 0.0, 0.66, 1.0), marks, content),
        *true_classes(subject, (0.67, 0.0, 0.33, 0.41), partition),
        _cardinalities(fitted),
        trace_panel(
            (0.67, 0.7, 0.33, 0.3), fitted.objective_trace, "Objective J", fitted.iteration, "iteration"
        ),
    ]
    return Scene(
        panels,
        Objects(subject.object_names, subject.nearest),
        evidence_of(partition),
        [*entries, *(prototype_entries() if fitted.on_map else ())],
        Handles("prototype", "map", prototypes) if fitted.on_map else None,
    )


def _cardinalities(fitted: Fitted) -> Panel:
    """Return the panel of the share of mass on sets of 0, 1, 2, ... clusters."""
    partition = fitted.partition
    counts = np.arange(partition.n_clusters + 1)
    shares = np.bincount(
        partition.focal_sets.cardinality, partition.masses.mean(axis=0), minlength=len(counts)
    )
    boxes = np.column_stack([counts - HALF, np.zeros(len(counts)), counts + HALF, shares])
    x = Axis(-0.6, partition.n_clusters + 0.6, whole=True)
    y = Axis(0.0, 1.0, ticks=UNIT)
    bars = Bars(boxes, [MUTED], np.zeros(len(counts), np.int32))
    return Panel(
        "cardinalities", (0.67, 0.42, 0.33, 0.26), x, y, [bars], "Mass by size of the set", grid=True
    )
