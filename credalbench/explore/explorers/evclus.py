"""The EVCLUS explorer: dissimilarities, their transformation, and the masses that fit them.

A program uses the model alone::

    model = EVCLUSModel(data="butterfly")
    model.d0_quantile = 0.7
    model.fitted.objective
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import traitlets as t

from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.transformation import phi
from credalbench.explore import linking, stepping
from credalbench.explore import parameter as shared
from credalbench.explore.declaration import RULE, FitExplorer, link_bars
from credalbench.explore.linking import FittedWithLinks
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import LAST, parameter
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import DASHED, DOTTED, Line, Look, Mark, Raster, Stroke
from credalbench.explore.scene.scene import UNIT, Axis, Panel, Place, Scene, histogram, scene_of
from credalbench.explore.sources import MAX_OBJECTS
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.stepping import Run
from credalbench.plots.dissimilarity import POINTS_UP_TO, density_colours, pair_counts
from credalbench.plots.style import PALETTE

SOLVERS = {"irqp": "IRQP", "gradient": "gradient", "lbfgs": "L-BFGS"}
#: Partners of each object, if there are more than MANY objects.
PARTNERS, MANY = 50, 500


class FittedEVCLUS(FittedWithLinks):
    """An iteration of a run; `delta` and `kappa` (m,) belong to the subject's shown pairs."""

    @property
    def d0(self) -> float:
        """Scale of the transformation."""
        return float(self.estimator.d0_)

    @cached_property
    def delta(self) -> np.ndarray:
        """The transformed dissimilarities."""
        return phi(self.subject.shown_distances, self.estimator.gamma_)

    @cached_property
    def kappa(self) -> np.ndarray:
        """The degrees of conflict."""
        M, (i, j) = self.partition.masses, self.subject.shown_pairs
        return np.einsum("mf,mf->m", (M @ self.partition.focal_sets.conflict)[i], M[j])

    @property
    def warm(self) -> bool:
        """Whether the run started from the previous masses, not from random ones."""
        return not isinstance(self.run.estimator.init, str)


class EVCLUSModel(ExplorerModel):
    """Data, parameters and fit of the EVCLUS explorer.

    `d0_quantile` and `d0` are the same scale, as a quantile and in the units of the dissimilarities; each is
    updated with the other. If `n_pairs` is None, all pairs are compared; it becomes `PARTNERS` when data of
    more than `MANY` objects follow smaller ones.

    `links` holds tuples (object, object, kind), the lower object first (see `credalbench.explore.linking`).
    With links, a fit that does not start from the last masses starts from a linkage, because random starts
    keep objects on the side that they took first.
    """

    STEM, DATA, ESTIMATOR, FITTED = "evclus", "butterfly", EVCLUS, FittedEVCLUS
    MAX_FOCAL_SETS, APART = 130, ("d0_quantile",)

    d0_quantile = parameter(
        t.Float(0.9),
        "d₀, quantile",
        "d0 as a quantile of all dissimilarities: smaller values give more outliers",
        low=0,
        high=1,
        slider=(0.01, 1, 0.01),
        warm=True,
    )
    d0 = parameter(
        t.Float(1.0),
        "d₀, absolute",
        "Distance of different objects, in units of the data: smaller values give more outliers",
        above=0,
        warm=True,
    )
    alpha = parameter(
        t.Float(0.05),
        "tail α",
        "Tail probability: the transformed dissimilarity at d0 is 1 minus alpha",
        above=0,
        below=1,
        slider=(0.01, 0.99, 0.01),
        warm=True,
    )
    n_pairs = parameter(
        t.Int(None, allow_none=True),
        "partners k",
        "Partners drawn for each object",
        low=1,
        most=MAX_OBJECTS,
        slider=(1, 100, 1),
        warm=True,
        objects=-1,
        unless=(
            "all_pairs",
            "all pairs of objects",
            "EVCLUS; otherwise k-EVCLUS with k partners for each object",
        ),
    )
    xi = parameter(
        t.Float(0.5),
        "weight ξ",
        "Weight of constraints relative to the stress: larger values give fewer violations and more stress",
        low=0,
        slider=(0, 3, 0.05),
    )
    links = linking.links_parameter()
    focal_sets = shared.focal_sets_parameter("simple")
    pair_neighbors = shared.pair_neighbors_parameter()
    standardize = shared.standardize_parameter()
    map_view = shared.map_view_parameter()
    seed = shared.seed_parameter()
    solver = parameter(t.Unicode("irqp"), "solver", "Optimisation algorithm", choices=SOLVERS)

    def _make_source(self) -> TableSource:
        return TableSource(self)

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        if "n_pairs" not in changed:
            n, before = self.subject.n_objects, self.fitted.subject.n_objects if self.fitted else 0
            if n > MANY >= before and self.n_pairs is None:
                self.n_pairs = PARTNERS
            elif before > MANY >= n or (self.n_pairs or 0) >= n:
                self.n_pairs = None

    def _settle(self, changed: set[str]) -> None:
        """Update d0 from its quantile, or the quantile from d0, whichever the user did not set."""
        super()._settle(changed)
        if "d0" in changed:
            # If they agree already, nothing changes: ties have many quantiles.
            if self.subject.distance_at(self.d0_quantile) != self.d0:
                self.d0_quantile = self.subject.quantile_of(self.d0)
        elif changed & {"data", "standardize", "d0_quantile"}:
            self.d0 = self.subject.distance_at(self.d0_quantile)

    # -- fit --------------------------------------------------------------------------------------------

    @t.observe("repeatable")
    def _repeat(self, _: object) -> None:
        """Fit again if the fit that is shown, or the one in the background, started from the last one."""
        with self.turn:
            if self.repeatable and self.fitted is not None:
                warm = self._may_be_warm(self._unfitted) if self.busy else self.fitted.warm
                if warm:
                    self._apply({"seed"})

    def as_code(self) -> str:
        before, self.repeatable = self.repeatable, True  # a fit from random starts
        try:
            return super().as_code()
        finally:
            self.repeatable = before

    def _has_run(self, changed: set[str]) -> bool:
        """Return False for earlier iterations of a run from previous masses, which has no start."""
        at_the_end = self.fitted is not None and self.iteration >= self.fitted.n_iter
        return super()._has_run(changed) and (at_the_end or not self.fitted.warm)

    def _run(self, changed: set[str]) -> Run:
        n = self.subject.n_objects
        if self.n_clusters > n:
            raise ValueError(f"expected at most as many clusters as objects, {n}; got {self.n_clusters}")
        self._expect_few_sets(self.n_clusters)
        estimator = self._estimator()
        if not self.repeatable and self._may_be_warm(changed):
            estimator.set_params(init=self.last_run.partition.masses)
        return self._run_of(estimator)

    @staticmethod
    def _fit(estimator: EVCLUS, compared: np.ndarray, links: dict[str, np.ndarray]) -> EVCLUS:
        estimator.fit(compared, **links)
        del estimator.conflict_pairs_  # up to n² numbers, kept in memory as long as the run is shown
        return estimator

    def _numbers(self, estimator: EVCLUS) -> np.ndarray:
        warm = not isinstance(estimator.init, str)
        return np.arange(self.n_clusters) if warm else super()._numbers(estimator)

    def _may_be_warm(self, changed: set[str]) -> bool:
        """Return whether a fit may start from the previous masses; clusters then keep their colours."""
        last = self.last_run
        if last is None or last.subject is not self.subject or self.iteration != LAST:
            return False
        # The second of two steps has different focal sets from the first.
        one_step = self.solver == "irqp" and not self.pair_neighbors
        n_sets = shared.n_focal_sets(self.focal_sets, self.n_clusters)
        same_sets = len(last.partition.focal_sets) == n_sets
        return one_step and same_sets and all(self.parameters()[name].warm for name in changed)

    def _arguments(self) -> dict[str, object]:
        pairs = {} if self.n_pairs is None else {"pair_sampling": "independent"}
        return pairs | {
            "pair_neighbors": self.pair_neighbors or None,
            "metric": "precomputed" if self.subject.attributes is None else "euclidean",
            "n_init": 3,  # without previous masses to start from
            "init": "linkage" if self.links and self.xi else "random",
        }


# -- what is drawn ---------------------------------------------------------------------------------------


def evclus_scene(fitted: FittedEVCLUS) -> Scene:
    """Return the scene of a fit of the EVCLUS model."""
    subject, partition = fitted.subject, fitted.partition
    classes = credal_map.true_classes(subject, (0.82, 0.0, 0.18, 0.36), partition)
    marks, entries, upper = (), (), DASHED
    if fitted.links:  # dashed lines are cannot-links
        marks, entries, upper = credal_map.link_marks(fitted), credal_map.link_entries(), DOTTED
    shown, legend = credal_map.main_panel(fitted, (0.0, 0.0, 0.56, 1.0), marks, entries, upper)
    remarks = credal_map.link_remarks(subject.object_names, fitted.links, fitted.outcomes)
    stress = "Stress J by iteration"
    panels = [
        shown,
        *classes,
        shepard_panel((0.57, 0.0, 0.25 if classes else 0.43, 0.4), fitted.delta, fitted.kappa),
        transformation_panel(
            (0.57, 0.41, 0.43, 0.34), fitted.estimator.gamma_, fitted.d0, subject.shown_distances
        ),
        credal_map.objective_panel(fitted, (0.57, 0.76, 0.43, 0.24), stress, "", logarithmic=True),
    ]
    return scene_of(fitted, panels, legend, remarks)


def shepard_panel(place: Place, delta: np.ndarray, kappa: np.ndarray) -> Panel:
    """Return a Shepard diagram of m pairs, as in `credalbench.plots.shepard_diagram`."""
    diagonal = Line(np.array([[0.0, 0.0], [1.0, 1.0]]), Stroke(PALETTE[1], 1.5, DASHED))
    x = Axis(-0.02, 1.02, "transformed dissimilarity δ", ticks=UNIT)
    y = Axis(-0.02, 1.02, "degree of conflict κ", ticks=UNIT)
    if delta.size <= POINTS_UP_TO:
        look = Look("circle", 7.0 if delta.size < 300 else 4.0, PALETTE[0], "#ffffff", 0.4)
        pairs: Mark = credal_map.alike(np.column_stack([delta, kappa]), look)
    else:
        pairs = Raster(density_colours(pair_counts(delta, kappa)[::-1]), (0.0, 0.0, 1.0, 1.0))
    return Panel("shepard", place, x, y, [pairs, diagonal], "Shepard diagram")


def transformation_panel(place: Place, gamma: float, d0: float, d: np.ndarray) -> Panel:
    """Return the curve of the transformation with its scale d0, above the dissimilarities d (m,)."""
    right = 1.05 * max(float(d.max(initial=0.0)), 1e-300)
    grid = np.linspace(0, right, 200)
    level = float(-np.expm1(-gamma * d0**2))
    edges = np.array([[d0, 0.0], [d0, level], [0.0, level]])
    marks: list[Mark] = [
        histogram(d),
        Line(np.column_stack([grid, -np.expm1(-gamma * grid**2)]), Stroke(PALETTE[0], 2.4)),
        Line(edges, Stroke(PALETTE[1], 1.5, DASHED)),
        credal_map.alike(edges[1:2], Look("square", 8.0, PALETTE[1])),
    ]
    x = Axis(0.0, right, f"dissimilarity d; d₀ = {d0:.3g}, φ(d₀) = {level:.3g}")
    y = Axis(0.0, 1.05, ticks=UNIT)
    return Panel("transformation", place, x, y, marks, "Transformation φ(d)", grid=True)


def tiles(fitted: FittedEVCLUS) -> Iterable[stepping.Tile]:
    """Return the read-outs."""
    meaning = "Normalised squared error of the degrees of conflict; the cost of constraints is added"
    return (
        *stepping.measures(fitted),
        ("stress", f"{fitted.objective:.4g}", meaning),
        stepping.outlier_tile(fitted),
        *linking.outcome_tiles(fitted.outcomes),
        stepping.iteration_tile(fitted, "Sweeps or iterations done, and until the end of the run"),
    )


def picture_text(fitted: FittedEVCLUS) -> str:
    """Return the description of the picture for screen readers."""
    found, outcomes = stepping.outliers(fitted.n_outliers), linking.outcome_text(fitted.outcomes)
    return (
        f"{fitted.words('EVCLUS')}, with lower and upper approximations and {found}, {outcomes}; "
        f"transformation with d0 = {fitted.d0:.4g}; Shepard diagram."
    )


EXPLORER = FitExplorer(
    model=EVCLUSModel,
    title="EVCLUS explorer",
    hint="Click an object to see its masses and the reason for its place; click a second one to link both.",
    scene=evclus_scene,
    text=picture_text,
    tiles=tiles,
    controls=(
        *("n_clusters", "focal_sets", "pair_neighbors", "d0_quantile", "d0", "alpha"),
        RULE,
        *("all_pairs", "n_pairs", "solver", "xi", "map_view"),
        ("restart", "export"),
    ),
    bars=link_bars(),
    parts=("links",),
    off=lambda model: {} if model.links else {"xi": None},
    words=(
        "Name of a data set (see `credalbench.datasets.list_datasets`), ``t4:400`` for 400 objects drawn "
        "from four t distributions, path of a table of attributes or dissimilarities, or attributes."
    ),
    example="""
        >>> explorer = explore_evclus("butterfly", n_clusters=2, d0=11)
        >>> explorer.model.fitted.n_outliers
        1
    """,
)
