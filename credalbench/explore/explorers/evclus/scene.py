"""The scene of the EVCLUS explorer: map with approximations, Shepard diagram, transformation, stress."""

import numpy as np

from credalbench.explore.explorers.evclus.model import Fitted
from credalbench.explore.scene.credal_map import (
    approximation_entries,
    approximations,
    link_entries,
    link_marks,
    link_remarks,
    main_panel,
    objects_by_view,
    true_classes,
)
from credalbench.explore.scene.marks import DASHED, DOTTED, Line, Look, Mark, Points, Raster, Stroke
from credalbench.explore.scene.scene import (
    UNIT,
    Axis,
    Objects,
    Panel,
    Place,
    Scene,
    evidence_of,
    histogram,
    trace_panel,
)
from credalbench.plots.dissimilarity import POINTS_UP_TO, density_colours, pair_counts
from credalbench.plots.style import PALETTE

#: Number of points of the curve of the transformation.
STEPS = 200


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
        marks += link_marks(subject.positions, partition, fitted.links, fitted.outcomes)
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
        partition, remarks=link_remarks(subject.object_names, fitted.links, fitted.outcomes)
    )
    return Scene(panels, Objects(subject.object_names, subject.nearest), evidence, entries)


def shepard_panel(place: Place, delta: np.ndarray, kappa: np.ndarray) -> Panel:
    """Return a Shepard diagram of m pairs, as in `credalbench.plots.shepard_diagram`."""
    diagonal = Line(np.array([[0.0, 0.0], [1.0, 1.0]]), Stroke(PALETTE[1], 1.5, DASHED))
    x = Axis(-0.02, 1.02, "transformed dissimilarity δ", ticks=UNIT)
    y = Axis(-0.02, 1.02, "degree of conflict κ", ticks=UNIT)
    return Panel("shepard", place, x, y, [_pairs(delta, kappa), diagonal], "Shepard diagram")


def _pairs(delta: np.ndarray, kappa: np.ndarray) -> Mark:
    """Return few pairs as points, many as a heat map of their counts."""
    if delta.size <= POINTS_UP_TO:
        look = Look("circle", 7.0 if delta.size < 300 else 4.0, PALETTE[0], "#ffffff", 0.4)
        return Points(np.column_stack([delta, kappa]), [look], np.zeros(delta.size, np.int32))
    return Raster(density_colours(pair_counts(delta, kappa)[::-1]), (0.0, 0.0, 1.0, 1.0))


def transformation_panel(place: Place, gamma: float, d0: float, d: np.ndarray) -> Panel:
    """Return the curve of the transformation with its scale d0, above the dissimilarities d (m,)."""
    right = 1.05 * max(float(d.max(initial=0.0)), 1e-300)
    grid = np.linspace(0, right, STEPS)
    level = float(-np.expm1(-gamma * d0**2))
    edges = np.array([[d0, 0.0], [d0, level], [0.0, level]])
    marks: list[Mark] = [
        histogram(d),
        Line(np.column_stack([grid, -np.expm1(-gamma * grid**2)]), Stroke(PALETTE[0], 2.4)),
        Line(edges, Stroke(PALETTE[1], 1.5, DASHED)),
        Points(edges[1:2], [Look("square", 8.0, PALETTE[1])], np.zeros(1, np.int32)),
    ]
    x = Axis(0.0, right, f"dissimilarity d; d₀ = {d0:.3g}, φ(d₀) = {level:.3g}")
    y = Axis(0.0, 1.05, ticks=UNIT)
    return Panel("transformation", place, x, y, marks, "Transformation φ(d)", grid=True)
