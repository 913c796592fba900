"""The BPEC explorer: belief peaks to choose in a graph, and the masses around them.

A program uses the model alone::

    model = BPECModel("t4:400")
    model.n_clusters = 3
    model.toggle(398)
    model.fitted.peaks
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import traitlets as t
from sklearn.base import clone

from credalbench.cluster import BPEC, delta_bel
from credalbench.cluster.neighbours.belief_peaks import DeltaBelGraph
from credalbench.core.arguments import expect
from credalbench.explore import parameter as shared
from credalbench.explore import stepping
from credalbench.explore.declaration import RULE, Button, FitExplorer
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import LAST, METRICS, parameter
from credalbench.explore.program import Program
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import DASHED, Line, Look, Mark, Points, Polygon, Stroke, Text
from credalbench.explore.scene.scene import Axis, Entry, Handles, Panel, Place, Scene, scene_of
from credalbench.explore.sources import MAX_OBJECTS, called
from credalbench.explore.stepping import Fitted, ResultCache, Run
from credalbench.plots import style
from credalbench.plots.style import FAINT, INK, MUTED

#: How prototypes are chosen, by name.
WAYS = {"rule": "automatic rule", "number": "given number", "corner": "rectangle", "hand": "by hand"}
#: The parameters that choose a way when they are changed.
CHOOSING = {"hand": {"prototypes"}, "corner": {"least_delta", "least_belief"}, "number": {"n_clusters"}}
#: The corner of the rectangle if it is not chosen, relative to the smallest values of the prototypes.
JUST_BEYOND = 0.85
#: Objects on the graph, the corner of the rectangle, and the size of prototypes.
OBJECT, CORNER = Look("circle", 6.0, MUTED, "#ffffff", 0.5), Look("thin plus", 19.0, "none", INK, 3.6)
PEAK = 13.0
#: Bars of prominence, their half width, and objects that the sentences describe as candidates.
LISTED, HALF, CANDIDATES = 12, 0.35, 10
#: Ends of the axes relative to the largest values, and distance of a number from its prototype, in belief.
RIGHT, TOP, LOW, APART = 1.08, 1.18, -0.03, 0.08


@dataclass(frozen=True, eq=False)
class FittedBPEC(Fitted):
    """The iteration that is shown, and the graph."""

    graph: DeltaBelGraph

    @property
    def peaks(self) -> np.ndarray:
        """The rows of the prototypes, (c,)."""
        return self.estimator.peaks_[self.old_numbers]

    @property
    def by(self) -> str:
        """How the prototypes were chosen, one of `WAYS`."""
        return self.settings["by"]

    @property
    def corner(self) -> tuple[float, float]:
        """The corner of the rectangle, distance and belief."""
        return self.settings["least_delta"], self.settings["least_belief"]

    @property
    def order(self) -> np.ndarray:
        """All objects by decreasing prominence, (n,)."""
        return np.argsort(-self.graph.prominence, kind="stable")


class BPECModel(ExplorerModel):
    """Data, parameters, prototypes and fit of the BPEC explorer.

    Whichever of `n_clusters`, the corner (`least_delta`, `least_belief`) and `prototypes` was changed last
    chooses the prototypes. The others are then set to the number and the rows of the prototypes that are
    shown, and to a corner just below them. For new data the rule chooses the prototypes, and `BPEC` chooses
    `delta`. Objects are identified by their rows, from 0. While points are drawn, each prototype chosen by
    hand stays with its point.
    """

    STEM, DATA, ESTIMATOR, FITTED = "bpec", "t4:400", BPEC, FittedBPEC
    MAX_FOCAL_SETS = 256  # pairs of 21 clusters
    APART = ("n_clusters", "least_delta", "least_belief", "prototypes")

    by = parameter(
        t.Unicode("rule"), "prototypes", "How the prototypes are chosen in the graph", choices=WAYS
    )
    n_clusters = shared.n_clusters_parameter(
        10, low=1, words="Number of prototypes: those of largest prominence"
    )
    least_delta = parameter(
        t.Float(1.0),
        "corner",
        "Prototypes are farther than this from any object of larger belief",
        low=0,
        width="158px",
    )
    least_belief = parameter(
        t.Float(0.9),
        "belief",
        "Prototypes have a larger belief than this of being centres",
        low=0,
        below=1,
        width="118px",
    )
    prototypes = parameter(t.Tuple(), tooltip="Rows of the objects that are prototypes")
    n_neighbors = parameter(
        t.Int(20),
        "nearest K",
        "Number of nearest objects that give evidence that an object is a centre; by default √n",
        low=1,
        most=MAX_OBJECTS,
        slider=(1, 100, 1),
        objects=-1,
    )
    q = parameter(
        t.Float(0.9),
        "quantile q",
        "Quantile of the distances to neighbours at which the evidence has decreased to 1/e",
        above=0,
        high=1,
        slider=(0.05, 1, 0.05),
    )
    focal_sets = shared.focal_sets_parameter("pairs")
    metric = parameter(
        t.Unicode("mahalanobis"),
        "metric",
        "Adaptive: each cluster has its own shape; Euclidean: round clusters",
        choices=METRICS,
    )
    alpha = shared.alpha_parameter()
    beta = shared.beta_parameter()
    delta = shared.delta_parameter()
    standardize = shared.standardize_parameter()
    map_view = shared.map_view_parameter()

    def __init__(self, data: object = None, **parameters: object) -> None:
        self._graphs: ResultCache[DeltaBelGraph] = ResultCache(2)
        self._delta_is_open = True  # for new data it is chosen with the first fit
        super().__init__(data, **parameters)

    # -- actions ----------------------------------------------------------------------------------------

    def toggle(self, i: int | None) -> None:
        """Make an object a prototype, or remove it if it already is one.

        Parameters
        ----------
        i : int or None
            Row of the object, from 0; None changes nothing.
        """

        def turn(_: FittedBPEC) -> None:
            chosen = tuple(k for k in self.prototypes if k != i)
            if len(chosen) == len(self.prototypes):
                chosen = (*chosen, i)
            if not chosen:
                raise ValueError("expected at least one prototype: choose another one first")
            self.prototypes = chosen

        if i is not None:
            self._with_fit(turn)

    def toggle_selected(self) -> None:
        """Make the selected object a prototype, or remove it; report an error if none is selected."""
        if self.selected is None:
            self.report("Select an object first: click it, or go to the next peak.", error=True)
        self.toggle(self.selected)

    def move_corner(self, least_delta: float, least_belief: float) -> None:
        """Move the corner of the rectangle: all objects beyond it become prototypes.

        Parameters
        ----------
        least_delta, least_belief : float
            Distance and belief that the prototypes exceed.
        """
        corner = {"least_delta": least_delta, "least_belief": least_belief}
        self.set_parameters({name: _short(max(value, 0.0)) for name, value in corner.items()})

    def choose_by_rule(self) -> None:
        """Let the rule choose the prototypes."""
        self.by = "rule"

    def next_peak(self) -> None:
        """Select the object of next lower prominence, or the first one."""

        def go_on(fitted: FittedBPEC) -> None:
            order = fitted.order.tolist()
            place = -1 if self.selected is None else order.index(self.selected)
            self.selected = order[(place + 1) % len(order)]

        self._with_fit(go_on)

    def clicked(self, i: int | None, panel: str, x: float, y: float) -> None:
        if panel == "graph":  # on the map a click only selects
            self.toggle(i)

    def dragged(self, k: int, x: float, y: float) -> None:
        self.move_corner(x, y)

    # -- changes ----------------------------------------------------------------------------------------

    def _follow_points(self, before: list[int], after: list[int]) -> None:
        """Keep the way of choosing, and prototypes with their points."""
        rows = {number: row for row, number in enumerate(after)}
        numbers = [before[i] for i in self.prototypes]
        self.prototypes = tuple(rows[number] for number in numbers if number in rows)
        for name in ("by", "prototypes", "least_delta", "least_belief"):
            self.mark_changed(name)

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        self._delta_is_open = True
        usual = {}
        if "data" in changed:
            usual |= {"n_neighbors": max(1, round(self.subject.n_objects**0.5)), "prototypes": ()}
        if "data" in changed or self.by == "corner":  # whose corner is in the units of the distances
            usual |= {"by": "rule", "least_delta": 0.0, "least_belief": 0.0}
        for name, value in usual.items():
            if name not in changed:
                setattr(self, name, value)

    def _settle(self, changed: set[str]) -> None:
        super()._settle(changed)
        self._delta_is_open &= "delta" not in changed
        if "by" not in changed:
            self.by = next((way for way, names in CHOOSING.items() if changed & names), self.by)

    # -- fit --------------------------------------------------------------------------------------------

    def _graph(self) -> DeltaBelGraph:
        """Return the graph of the data; it depends on few parameters."""
        subject, K, q = self.subject, self.n_neighbors, self.q
        return self._graphs.get((subject, K, q), lambda: delta_bel(subject.attributes, K, q=q))

    def _chosen(self, graph: DeltaBelGraph) -> np.ndarray:
        """Return the rows of the prototypes (c,); chosen by the rule if none have been given yet."""
        if self.by == "hand" and self.prototypes:
            return self._given()
        if self.by == "corner" and (self.least_delta or self.least_belief):
            return graph.peaks_beyond(self.least_delta, self.least_belief)
        return graph.peaks(self.n_clusters if self.by == "number" else None)

    def _given(self) -> np.ndarray:
        """Return the prototypes chosen by hand (c,); if one is not an object, forget all."""
        rows, n = self.prototypes, self.subject.n_objects
        try:
            objects = all(isinstance(i, int) and 0 <= i < n for i in rows) and len(set(rows)) == len(rows)
            expect(objects, f"prototypes as different rows from 0 to {n - 1}", rows)
        except ValueError:
            with self._own_changes():
                self.prototypes = ()
            raise
        return np.array(rows)

    def _arguments(self) -> dict[str, object]:
        return {"max_iter": LAST}

    def _run(self, changed: set[str]) -> Run:
        graph = self._graph()
        peaks = self._chosen(graph)
        self._expect_few_sets(len(peaks))
        estimator = self._estimator(prototypes=peaks.tolist())
        if self._delta_is_open:
            estimator.set_params(delta=self._usual_delta(estimator))
        run = self._run_of(estimator)
        self._delta_is_open = False
        with self._own_changes():
            self.delta = estimator.delta
            self.n_clusters, self.prototypes = len(peaks), tuple(peaks.tolist())
            if self.by != "corner":
                self.least_delta = _short(JUST_BEYOND * graph.delta[peaks].min())
                self.least_belief = _short(JUST_BEYOND * graph.belief[peaks].min())
        return run

    def _usual_delta(self, estimator: BPEC) -> float:
        """Return the distance to the empty set that BPEC chooses for new data, in three digits."""
        auto = clone(estimator).set_params(delta="auto", max_iter=0)
        return float(f"{auto.fit(self.subject.attributes).delta_:.3g}")

    def _describe(self, run: Run, iteration: int) -> FittedBPEC:
        return FittedBPEC(run, iteration, run.after(iteration), self.settings(), self._graph())

    def _write_fit(self, program: Program, data: str) -> None:
        fitted = self.fitted
        ways = {
            "rule": {},
            "number": {"n_clusters": self.n_clusters},
            "corner": dict(zip(("least_delta", "least_belief"), fitted.corner)),
            "hand": {"prototypes": fitted.run.estimator.peaks_.tolist()},
        }
        program.add_fit(self._estimator(**ways[fitted.by]), [data])
        program.add_iteration(fitted.run, fitted.iteration, [data])
        program.add_partition(fitted.run.numbers)


def _short(value: float) -> float:
    return float(f"{value:.4g}")


# -- what is drawn ---------------------------------------------------------------------------------------


def bpec_scene(fitted: FittedBPEC) -> Scene:
    """Return the scene of a fit of the BPEC model."""
    subject, partition = fitted.subject, fitted.partition
    prototypes = credal_map.prototype_marks(subject.on_the_map(fitted.prototypes), partition.focal_sets)
    shown, entries = credal_map.main_panel(fitted, (0.0, 0.0, 0.5, 1.0), prototypes)
    classes = credal_map.true_classes(subject, (0.79, 0.66, 0.21, 0.34), partition)
    panels = [
        shown,
        _graph_panel((0.51, 0.0, 0.49, 0.64), fitted),
        _prominence_panel((0.51, 0.66, 0.27 if classes else 0.49, 0.34), fitted),
        *classes,
    ]
    entries += [credal_map.prototype_entry("prototype: a belief peak")]
    if fitted.on_map and credal_map.shown_barycentres(partition.focal_sets):
        entries += [Entry("barycentre of a set", credal_map.BARYCENTRE)]
    entries += [Entry("corner of the rectangle: drag it", CORNER)]
    corner = Handles("corner", "graph", np.array([fitted.corner]))
    return scene_of(fitted, panels, entries, _remarks(fitted), corner)


def _graph_panel(place: Place, fitted: FittedBPEC) -> Panel:
    """Return the panel of belief by distance: objects, the prototypes, and the corner of the rectangle."""
    at = np.column_stack([fitted.graph.delta, fitted.graph.belief])
    right, top = (np.maximum(at.max(axis=0), fitted.corner) * (RIGHT, TOP)).tolist()
    corner_x, corner_y = fitted.corner
    rectangle = np.array([[corner_x, corner_y], [right, corner_y], [right, top], [corner_x, top]])
    used = fitted.by == "corner"
    marks: list[Mark] = [
        Polygon(rectangle, FAINT, 0.6 if used else 0.25),
        Line(rectangle[[1, 0, 3]], Stroke(INK if used else MUTED, 1.5, DASHED)),
        credal_map.alike(at, OBJECT, np.arange(len(at), dtype=np.int32)),
        *_numbered(fitted, at[fitted.peaks]),
        credal_map.alike(rectangle[:1], CORNER),
    ]
    x = Axis(LOW * right, right, "distance to the nearest object of larger belief")
    y = Axis(LOW * top, top, "belief as a centre")
    return Panel("graph", place, x, y, marks, "Click the peaks, or drag the corner", grid=True)


def _numbered(fitted: FittedBPEC, at: np.ndarray) -> list[Mark]:
    """Return the prototypes in the graph (c, 2) with their numbers.

    The two of largest belief have the same distance, and often nearly the same belief: numbers are above and
    below in turn, from the most prominent one on.
    """
    focal_sets = fitted.partition.focal_sets
    signs = [credal_map.set_look(focal_sets, j, PEAK) for j in focal_sets.singletons.tolist()]
    looks = [replace(sign, edge=INK, edge_width=1.2) for sign in signs]
    turns = np.argsort(np.argsort(-at.prod(axis=1), kind="stable")) % 2
    lifts = APART * fitted.graph.belief.max() * (1 - 2 * turns)
    numbers = [
        Text(str(k + 1), (x, y + lift), style.colour(k), "centre", 1.15, bold=True)
        for k, ((x, y), lift) in enumerate(zip(at.tolist(), lifts.tolist()))
    ]
    return [Points(at, looks, np.arange(len(at), dtype=np.int32)), *numbers]


def _prominence_panel(place: Place, fitted: FittedBPEC) -> Panel:
    """Return the panel of the largest prominences, those of prototypes in the colours of their clusters."""
    first = fitted.order[:LISTED]
    heights, ranks = fitted.graph.prominence[first], np.arange(1, len(first) + 1)
    cluster_of = {i: k for k, i in enumerate(fitted.peaks.tolist())}
    fills = [style.colour(cluster_of[i]) if i in cluster_of else FAINT for i in first.tolist()]
    bars = credal_map.upright_bars(ranks, HALF, heights, fills, MUTED)
    x = Axis(0.4, LISTED + 0.6, "belief times distance, by rank", whole=True)
    y = Axis(0.0, RIGHT * max(float(heights.max()), 1e-12))
    return Panel("prominences", place, x, y, [bars], "Prominence", grid=True)


def _remarks(fitted: FittedBPEC) -> dict[int, str]:
    """Describe the prototypes and the next most prominent objects by their place in the graph."""
    clusters = {i: f"prototype of cluster {k + 1}" for k, i in enumerate(fitted.peaks.tolist())}
    words = {i: "not a prototype" for i in fitted.order[: len(clusters) + CANDIDATES].tolist()} | clusters
    belief, delta = fitted.graph.belief, fitted.graph.delta
    place = "belief {:.2f} that it is a centre, {:.3g} from the nearest object of larger belief"
    return {i: f"{role}: {place.format(belief[i], delta[i])}" for i, role in words.items()}


def tiles(fitted: FittedBPEC) -> Iterable[stepping.Tile]:
    """Return the read-outs."""
    c = fitted.partition.n_clusters
    drop = "Share by which the prominence drops after the last prototype"
    ends = "Iterations done, and until the shapes of the clusters no longer change"
    return (
        ("prototypes", c, "Chosen belief peaks, one for each cluster"),
        ("drop", stepping.share(fitted.graph.drop(c)), drop),
        *stepping.measures(fitted),
        stepping.outlier_tile(fitted),
        ("objective J", f"{fitted.objective:.4g}", "Objective of ECM at these prototypes"),
        stepping.iteration_tile(fitted, ends),
    )


def picture_text(fitted: FittedBPEC) -> str:
    """Return the description of the picture for screen readers."""
    delta, belief = fitted.corner
    peaks = ", ".join(called(fitted.subject.object_names, i) for i in fitted.peaks.tolist())
    return (
        f"{fitted.words('BPEC')}, with {stepping.outliers(fitted.n_outliers)}; graph with the prototypes "
        f"{peaks} and a corner at distance {delta:.4g} and belief {belief:.4g}."
    )


EXPLORER = FitExplorer(
    model=BPECModel,
    title="BPEC explorer",
    hint="Click a peak in the graph, or drag the corner. Keys: n for the next peak, t adds or removes it.",
    scene=bpec_scene,
    text=picture_text,
    tiles=tiles,
    controls=(
        *("by", "n_clusters", ("least_delta", "least_belief"), "n_neighbors", "q"),
        RULE,
        *("focal_sets", "metric", "alpha", "beta", "delta", "map_view"),
        ("export",),
    ),
    buttons=[
        Button(
            "next",
            "Next peak (n)",
            "arrow-right",
            "Select the object of next lower prominence",
            "n",
            "next_peak",
        ),
        Button(
            "toggle",
            "Add or remove (t)",
            "check",
            "Make the selected object a prototype, or remove it",
            "t",
            "toggle_selected",
        ),
        Button(
            "automatic",
            "Automatic (a)",
            "magic",
            "Let the rule choose the prototypes again",
            "a",
            "choose_by_rule",
        ),
    ],
    bars=(("next", "toggle", "automatic"),),
    example="""
        >>> explorer = explore_bpec("t4:24", n_clusters=3)
        >>> explorer.model.toggle(14)
        >>> explorer.model.by, explorer.model.n_clusters
        ('hand', 4)
    """,
)
