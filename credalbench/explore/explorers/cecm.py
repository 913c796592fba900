"""The CECM explorer: pairs of objects, constrained by clicking on them.

A program uses the model alone::

    model = CECMModel("two_class:400:2", metric="mahalanobis")
    model.choice.choose(3, 210)
    model.linking.link("cannot-link")
    model.fitted.ari
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
import traitlets as t

from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.masses import joint_plausibilities
from credalbench.cluster.constrained.pair_proposals import propose_pair
from credalbench.core.constraints import PairwiseConstraints
from credalbench.explore.declaration import NOTE, RESTART, RULE, Button, FitExplorer, Latency, link_bars
from credalbench.explore.linking import (
    FittedWithLinks,
    are_must_links,
    constraints_of,
    links_parameter,
    outcome_text,
    outcome_tiles,
    pairs_of,
)
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import (
    MAX_STARTS,
    alpha_parameter,
    beta_parameter,
    delta_parameter,
    focal_sets_parameter,
    map_view_parameter,
    metric_parameter,
    n_clusters_parameter,
    parameter,
    seed_parameter,
    standardize_parameter,
    usual_delta,
)
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
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Panel, Place, Scene, scene_of, trace_panel
from credalbench.explore.sources import called
from credalbench.explore.stepping import Tile, iteration_tile, outliers, share
from credalbench.metrics import adjusted_rand
from credalbench.plots.style import INK, MUTED

STARTS = {name: name for name in ("k-means++", "k-means", "random")}
#: Dotted, because dashed lines are cannot-links.
UPPER = DOTTED
#: Thin, because objects near the prototypes are often selected.
PROTOTYPE = Look("thin plus", 19.0, "none", INK, 3.6)


class FittedCECM(FittedWithLinks):
    """An iteration of a run of ECM or CECM.

    ``objective = (1 - xi) * data_cost + xi * constraint_cost``; without constraints, it is the first part
    alone.
    """

    @property
    def constraints(self) -> PairwiseConstraints:
        """The links as constraints."""
        return constraints_of(self.subject.n_objects, self.links)

    @property
    def method(self) -> str:
        """CECM, or ECM without constraints."""
        return type(self.estimator).__name__

    @property
    def constraint_cost(self) -> float:
        """Mean plausibility that a constraint is violated."""
        return float(getattr(self.estimator, "constraint_cost_", 0.0))

    @property
    def data_cost(self) -> float:
        """The objective of ECM."""
        weight = self.settings["xi"] if self.links else 0.0
        return (float(self.estimator.objective_) - weight * self.constraint_cost) / (1 - weight)

    @cached_property
    def violations(self) -> np.ndarray:
        """The plausibility that each link is violated, (q,) [antoine2012_cecm (20)]."""
        if not self.links:
            return np.empty(0)
        partition = self.partition
        same, different = joint_plausibilities(partition.masses, pairs_of(self.links), partition.focal_sets)
        return np.where(are_must_links(self.links), different, same)

    @property
    def ari_unconstrained(self) -> float | None:
        """ARI of the objects without constraints; None if there are too few, or if classes are unknown."""
        y, free = self.subject.y, ~self.constraints.constrained
        return None if y is None or free.sum() < 2 else float(adjusted_rand(y[free], self.labels[free]))


class CECMModel(ExplorerModel):
    """Data, parameters, constraints and fit of the CECM explorer.

    Without constraints the method is ECM; with constraints it is CECM, whose exponent is 2 regardless of
    `beta`. Objects are identified by their rows, from 0; ``two_class:400:2`` is draw number 2 of 400
    objects of the two-class recipe. `delta` is adapted to new data.

    `links` holds tuples (object, object, kind), the lower object first (see `credalbench.explore.linking`).
    """

    STEM, DATA, FITTED = "cecm", "two_class:400:2", FittedCECM

    n_clusters = n_clusters_parameter(6)
    focal_sets = focal_sets_parameter("full")
    metric = metric_parameter()
    alpha = alpha_parameter()
    beta = beta_parameter("Exponent of the masses in ECM; with constraints it is 2")
    delta = delta_parameter(usual_delta)
    xi = parameter(
        t.Float(0.5),
        "weight ξ",
        "Weight of the constraints relative to the data: larger values give less violation, and a worse fit",
        low=0,
        below=1,
        slider=(0, 0.99, 0.01),
    )
    init = parameter(t.Unicode("k-means++"), "start", "Initialisation of the prototypes", choices=STARTS)
    n_init = parameter(
        t.Int(3),
        "starts",
        "Number of starts; the fit of lowest objective is shown",
        low=1,
        most=MAX_STARTS,
        slider=(1, 10, 1),
    )
    links = links_parameter()
    standardize = standardize_parameter()
    map_view = map_view_parameter()
    seed = seed_parameter()

    def suggest(self) -> None:
        """Choose the pair that active learning would query next, and report it."""

        def propose() -> None:
            fitted = self.fitted
            if fitted is None:
                raise ValueError("there is no fit to learn from yet")
            pair = propose_pair(
                fitted.subject.attributes,
                fitted.partition,
                fitted.prototypes,
                fitted.estimator.norm_matrices_[fitted.old_numbers],
                fitted.constraints,
            )
            self.choice.choose(*pair)
            one, other = (called(fitted.subject.object_names, i) for i in pair)
            self.report(f"Active learning asks: do {one} and {other} belong together?")

        self.guarded(propose)

    @property
    def ESTIMATOR(self) -> type[CECM | ECM]:
        """The method, which depends on whether there are constraints."""
        return CECM if self.links else ECM


# -- what is drawn ---------------------------------------------------------------------------------------


def cecm_scene(fitted: FittedCECM) -> Scene:
    """Return the scene of a fit of the CECM model."""
    subject, partition = fitted.subject, fitted.partition
    objects, entries, content = objects_by_view(fitted)
    if fitted.view == "sets":
        objects = [*approximations(subject.positions, partition, UPPER), *objects]
        entries += approximation_entries(UPPER)
    marks = [*objects, *link_marks(fitted), *rimmed(subject.on_the_map(fitted.prototypes), PROTOTYPE)]
    panels = [
        main_panel(fitted, (0.0, 0.0, 0.63, 1.0), marks, content),
        *true_classes(subject, (0.64, 0.0, 0.36, 0.33), partition),
        _violations_panel((0.64, 0.34, 0.36, 0.33), fitted),
        trace_panel(
            (0.64, 0.68, 0.36, 0.32), fitted.objective_trace, "Objective J by iteration", fitted.iteration
        ),
    ]
    entries += (Entry("prototype", PROTOTYPE), *link_entries()) if fitted.on_map else ()
    remarks = link_remarks(subject.object_names, fitted.links, fitted.outcomes)
    return scene_of(fitted, panels, entries, remarks)


def _violations_panel(place: Place, fitted: FittedCECM) -> Panel:
    """Return the panel of the plausibility that each constraint is violated."""
    q = len(fitted.links)
    tops = np.column_stack([np.arange(1, q + 1), fitted.violations])
    marks: list[Mark] = []
    for outcome, (colour, sign) in OUTCOME_LOOKS.items():
        chosen = fitted.outcomes == outcome
        looks = [Look("square", 7.0, colour, colour), Look("circle", 7.0, "#ffffff", colour, 1.7)]
        stems = lines_between(tops[chosen] * [1, 0], tops[chosen])
        marks.append(Line(stems, Stroke(colour, 1.7)))
        marks.append(Points(tops[chosen], looks, (~are_must_links(fitted.links)[chosen]).astype(np.int32)))
        marks += [alike(tops[chosen], sign)] if sign else []
    room = 10.0 * max(-(-q // 10), 1)  # a multiple of ten, so that the axis seldom changes
    if not q:
        marks.append(Text("no constraints", (0.5, 0.71), MUTED, "centre", on_axes=True))
    x = Axis(0.3, room + 0.7, "■ must-link, ○ cannot-link", whole=True)
    y = Axis(-0.1, 1.1, ticks=UNIT)
    return Panel("violations", place, x, y, marks, "Plausibility of violations", grid=True)


def tiles(fitted: FittedCECM) -> Iterable[Tile]:
    """Return the read-outs."""
    parts = "(1 - ξ) times the data part plus ξ times the constraint part"
    rest = "Adjusted Rand index of the objects without constraints"
    cost = share(fitted.constraint_cost if fitted.links else None)
    return (
        ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
        ("ARI of the rest", share(fitted.ari_unconstrained), rest),
        ("objective J", f"{fitted.objective:.4g}", parts),
        ("data part", f"{fitted.data_cost:.4g}", "The objective of ECM"),
        ("constraint part", cost, "Mean plausibility of a violation"),
        *outcome_tiles(fitted.outcomes),
        iteration_tile(fitted, "Iterations done, and until the end of the best start"),
    )


def picture_text(fitted: FittedCECM) -> str:
    """Return the description of the picture for screen readers."""
    return (
        f"{fitted.words(fitted.method)}, {outcome_text(fitted.outcomes)}, and {outliers(fitted.n_outliers)}."
    )


def note(model: CECMModel) -> str:
    """Return which method is used, as HTML."""
    q = len(model.fitted.links)
    constrained = f"{q} constraint{'s' * (q > 1)}: <b>CECM</b>, where β is 2."
    return constrained if q else "No constraints: <b>ECM</b>; the weight ξ has no effect."


def off(model: CECMModel) -> Mapping[str, object]:
    """Return what has no effect: beta with constraints, where it is 2, and xi without them."""
    return {"beta": 2.0} if model.fitted and model.fitted.links else {"xi": None}


_LINKED = """from credalbench.core.constraints import random_pairs
from credalbench.explore.sources.tables import table_from_name
y = table_from_name("two_class:{n}:2").y
pairs = random_pairs({n}, 20, np.random.default_rng(0)).tolist()
links = tuple((i, j, "must-link" if y[i] == y[j] else "cannot-link") for i, j in pairs)
explorer = explore_cecm("two_class:{n}:2", metric="mahalanobis", links=links)"""

EXPLORER = FitExplorer(
    model=CECMModel,
    title="CECM explorer",
    hint="Click two objects, or type their numbers; then add a must-link or a cannot-link.",
    failed="",  # most errors here do not come from a fit
    scene=cecm_scene,
    text=picture_text,
    tiles=tiles,
    controls=(
        *("n_clusters", "focal_sets", "metric", "alpha", "beta", "delta", "xi", NOTE),
        RULE,
        *("init", "n_init", "map_view"),
        ("restart", "export"),
    ),
    buttons=[
        RESTART,
        Button("suggest", "Suggest a pair (p)", "question", "Select the next pair by active learning", "p"),
    ],
    bars=link_bars("suggest"),
    parts=("links",),
    texts={NOTE: note},
    off=off,
    words=(
        "Name of a data set with attributes, ``two_class:n:draw`` for n objects of the recipe of "
        "`credalbench.datasets.make_two_class_cecm`, path of a table, or attributes."
    ),
    returns="``.model.links`` are the constraints.",
    example="""
        >>> explorer = explore_cecm("butterfly", delta=4.5)
        >>> explorer.model.choice.choose(0, 10)
        >>> explorer.model.linking.link("cannot-link")
        >>> explorer.model.fitted.method
        'CECM'
    """,
    small="two_class:24:2",
    values={
        "links": [(), ((0, 1, "must-link"), (0, 14, "cannot-link"), (2, 3, "must-link"))],
        "n_clusters": [2, 3],
        "n_init": [1, 2],
    },
    examples={"links": ((0, 1, "cannot-link"),)},
    long={"data": "two_class:2000:2", "n_clusters": 6, "n_init": 1000},
    latency=[Latency(_LINKED, ["weight ξ"])],
)
