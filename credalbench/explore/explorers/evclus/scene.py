"""The scene of the EVCLUS explorer: map with approximations, Shepard diagram, transformation, stress."""

from credalbench.explore.explorers.evclus.model import Fitted
from credalbench.explore.scene.credal_map import (
    approximation_entries,
    approximations,
    main_panel,
    objects_by_view,
    true_classes,
)
from credalbench.explore.scene.dissimilarity import shepard_panel, transformation_panel
from credalbench.explore.scene.links import link_entries, link_marks, link_remarks
from credalbench.explore.scene.marks import DASHED, DOTTED
from credalbench.explore.scene.scene import Objects, Scene, evidence_of, trace_panel


def evclus_scene(fitted: Fitted) -> Scene:
    """Return the scene of a fit of the EVCLUS model."""
    subject, partition = fitted.subject, fitted.partition
    classes = true_classes(subject, (0.82, 0.0, 0.18, 0.36), partition)
    marks, entries, content = objects_by_view(fitted)
    if fitted.view == "sets":
        upper = DOTTED if fitted.links else DASHED  # dashed lines are cannot-links
        marks = [*approximations(subject.positions, partition, upper), *marks]
        entries += approximation_entries(upper)
    if fitted.links:
        marks += link_marks(subject.positions, fitted.links, fitted.violated)
        entries += link_entries() if fitted.on_map else []
    panels = [
        main_panel(fitted, (0.0, 0.0, 0.56, 1.0), marks, content),
        *classes,
        shepard_panel((0.57, 0.0, 0.25 if classes else 0.43, 0.4), fitted.delta, fitted.kappa),
        transformation_panel((0.57, 0.41, 0.43, 0.34), fitted.gamma, fitted.d0, subject.shown_distances),
        trace_panel(
            (0.57, 0.76, 0.43, 0.24),
            fitted.objective_trace,
            "Stress J by iteration",
            fitted.iteration,
            logarithmic=True,
        ),
    ]
    evidence = evidence_of(
        partition, remarks=link_remarks(subject.object_names, fitted.links, fitted.violated)
    )
    return Scene(panels, Objects(subject.object_names, subject.nearest), evidence, entries)
