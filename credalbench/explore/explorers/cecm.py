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
from credalbench.explore import linking, stepping
from credalbench.explore import parameter as shared
from credalbench.explore.declaration import NOTE, RESTART, RULE, Button, FitExplorer, link_bars
from credalbench.explore.linking import FittedWithLinks
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import parameter
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import DOTTED, Line, Look, Mark, Points, Stroke, Text
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Panel, Place, Scene, scene_of
from credalbench.explore.sources import called
from credalbench.metrics import adjusted_rand
from credalbench.plots.style import INK, MUTED

STARTS = {name: name for name in ("k-means++", "k-means", "random")}
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
        return linking.constraints_of(self.subject.n_objects, self.links)

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
        pairs, masses = linking.pairs_of(self.links), self.partition.masses
        same, different = joint_plausibilities(masses, pairs, self.partition.focal_sets)
        return np.where(linking.are_must_links(self.links), different, same)

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

    n_clusters = shared.n_clusters_parameter(6)
    focal_sets = shared.focal_sets_parameter("full")
    metric = shared.metric_parameter()
    alpha = shared.alpha_parameter()
    beta = shared.beta_parameter(words="Exponent of the masses in ECM; with constraints it is 2")
    delta = shared.delta_parameter(shared.usual_delta)
    xi = parameter(
        t.Float(0.5),
        "weight ξ",
        "Weight of the constraints relative to the data: larger values give fewer violations and a worse fit",
        low=0,
        below=1,
        slider=(0, 0.99, 0.01),
    )
    init = parameter(t.Unicode("k-means++"), "start", "Initialisation of the prototypes", choices=STARTS)
    n_init = shared.n_init_parameter(3, 10)
    links = linking.links_parameter()
    standardize = shared.standardize_parameter()
    map_view = shared.map_view_parameter()
    seed = shared.seed_parameter()

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
    prototypes = credal_map.rimmed(subject.on_the_map(fitted.prototypes), PROTOTYPE)
    marks = [*credal_map.link_marks(fitted), *prototypes]
    entries = [Entry("prototype", PROTOTYPE), *credal_map.link_entries()]
    upper = DOTTED  # dashed lines are cannot-links
    shown, legend = credal_map.main_panel(fitted, (0.0, 0.0, 0.63, 1.0), marks, entries, upper)
    panels = [
        shown,
        *credal_map.true_classes(subject, (0.64, 0.0, 0.36, 0.33), partition),
        _violations_panel((0.64, 0.34, 0.36, 0.33), fitted),
        credal_map.objective_panel(fitted, (0.64, 0.68, 0.36, 0.32), "Objective J by iteration", ""),
    ]
    remarks = credal_map.link_remarks(subject.object_names, fitted.links, fitted.outcomes)
    return scene_of(fitted, panels, legend, remarks)


def _violations_panel(place: Place, fitted: FittedCECM) -> Panel:
    """Return the panel of the plausibility that each constraint is violated."""
    q = len(fitted.links)
    tops = np.column_stack([np.arange(1, q + 1), fitted.violations])
    marks: list[Mark] = []
    for outcome, (colour, sign) in credal_map.OUTCOME_LOOKS.items():
        chosen = fitted.outcomes == outcome
        looks = [Look("square", 7.0, colour, colour), Look("circle", 7.0, "#ffffff", colour, 1.7)]
        stems = credal_map.segments(tops[chosen] * [1, 0], tops[chosen])
        marks.append(Line(stems, Stroke(colour, 1.7)))
        look_of = (~linking.are_must_links(fitted.links)[chosen]).astype(np.int32)
        marks.append(Points(tops[chosen], looks, look_of))
        marks += [credal_map.alike(tops[chosen], sign)] if sign else []
    room = 10.0 * max(-(-q // 10), 1)  # a multiple of ten, so that the axis seldom changes
    if not q:
        marks.append(Text("no constraints", (0.5, 0.71), MUTED, "centre", on_axes=True))
    x = Axis(0.3, room + 0.7, "■ must-link, ○ cannot-link", whole=True)
    y = Axis(-0.1, 1.1, ticks=UNIT)
    return Panel("violations", place, x, y, marks, "Plausibility of violations", grid=True)


def tiles(fitted: FittedCECM) -> Iterable[stepping.Tile]:
    """Return the read-outs."""
    parts = "(1 - ξ) times the data part plus ξ times the constraint part"
    rest = "Adjusted Rand index of the objects without constraints"
    cost = stepping.share(fitted.constraint_cost if fitted.links else None)
    return (
        ("ARI", stepping.share(fitted.ari), "Adjusted Rand index against the true classes"),
        ("ARI of the rest", stepping.share(fitted.ari_unconstrained), rest),
        ("objective J", f"{fitted.objective:.4g}", parts),
        ("data part", f"{fitted.data_cost:.4g}", "The objective of ECM"),
        ("constraint part", cost, "Mean plausibility of a violation"),
        *linking.outcome_tiles(fitted.outcomes),
        stepping.iteration_tile(fitted, "Iterations done, and until the end of the best start"),
    )


def picture_text(fitted: FittedCECM) -> str:
    """Return the description of the picture for screen readers."""
    outcomes, found = linking.outcome_text(fitted.outcomes), stepping.outliers(fitted.n_outliers)
    return f"{fitted.words(fitted.method)}, {outcomes}, and {found}."


def note(model: CECMModel) -> str:
    """Return which method is used, as HTML."""
    q = len(model.fitted.links)
    constrained = f"{q} constraint{'s' * (q > 1)}: <b>CECM</b>, where β is 2."
    return constrained if q else "No constraints: <b>ECM</b>; the weight ξ has no effect."


def off(model: CECMModel) -> Mapping[str, object]:
    """Return what has no effect: beta with constraints, where it is 2, and xi without them."""
    return {"beta": 2.0} if model.fitted and model.fitted.links else {"xi": None}


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
)
