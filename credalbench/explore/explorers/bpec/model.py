"""The model of the BPEC explorer: prototypes chosen in the delta-Bel graph, and the masses around them.

The model has no widgets. A view links to its traits; a test calls its actions and reads `fitted`::

    model = BPECModel("t4:400")
    model.n_clusters = 3
    model.toggle(398)
    model.fitted.peaks
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import traitlets as t
from sklearn.base import clone

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.cluster import BPEC, delta_bel
from credalbench.cluster.neighbours.belief_peaks import DeltaBelGraph
from credalbench.core.arguments import expect
from credalbench.explore.fitting import ResultCache
from credalbench.explore.model import LAST, ExplorerModel
from credalbench.explore.parameter import (
    METRICS,
    alpha_parameter,
    beta_parameter,
    delta_parameter,
    expect_few_focal_sets,
    focal_sets_parameter,
    map_view_parameter,
    n_clusters_parameter,
    parameter,
    standardize_parameter,
)
from credalbench.explore.program import Program
from credalbench.explore.sources.source import MAX_OBJECTS
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.stepping import Run, Stepped, steady_numbers
from credalbench.metrics import adjusted_rand

#: How prototypes are chosen, by name.
WAYS = {"rule": "automatic rule", "number": "given number", "corner": "rectangle", "hand": "by hand"}
#: The parameters that choose a way when they are changed.
CHOOSING = {"hand": {"prototypes"}, "corner": {"least_delta", "least_belief"}, "number": {"n_clusters"}}
#: Limit that keeps fits fast enough for an explorer: pairs of 21 clusters.
MAX_FOCAL_SETS = 256
#: The corner of the rectangle if it is not chosen, relative to the smallest values of the prototypes.
JUST_BEYOND = 0.85


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """The iteration that is shown.

    `peaks` (c,) are the rows of the prototypes and `prototypes` (c, p) their attributes, by the number of
    their cluster; `corner` is that of the rectangle, distance and belief, and `by` one of `WAYS`. `ari` is
    None if classes are unknown.
    """

    partition: CredalPartition
    peaks: np.ndarray
    prototypes: np.ndarray
    graph: DeltaBelGraph
    by: str
    corner: tuple[float, float]
    ari: float | None
    nonspecificity: float
    n_outliers: int

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

    Parameters
    ----------
    data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default "t4:400"
        The data: the name of a data set, the path of a table, a table or attributes.
    **parameters
        Initial values of the parameters, which are listed among the attributes.

    Attributes
    ----------
    fitted : Fitted or None
    """

    STEM = "bpec"

    by = parameter(
        t.Unicode("rule"), "prototypes", "How the prototypes are chosen in the graph", choices=WAYS
    )
    n_clusters = n_clusters_parameter(10, low=1, words="Number of prototypes: those of largest prominence")
    least_delta = parameter(
        t.Float(1.0), "corner", "Prototypes are farther than this from any object of larger belief", low=0
    )
    least_belief = parameter(
        t.Float(0.9), "belief", "Prototypes have a larger belief than this of being centres", low=0, below=1
    )
    prototypes = parameter(t.Tuple(), tooltip="Rows of the objects that are prototypes")
    n_neighbors = parameter(
        t.Int(20),
        "nearest K",
        "Number of nearest objects that are evidence for an object as a centre; by default √n",
        low=1,
        most=MAX_OBJECTS,
        slider=(1, 100, 1),
    )
    q = parameter(
        t.Float(0.9),
        "quantile q",
        "Quantile of the distances to neighbours at which evidence has faded to 1/e",
        above=0,
        high=1,
        slider=(0.05, 1, 0.05),
    )
    focal_sets = focal_sets_parameter("pairs")
    metric = parameter(
        t.Unicode("mahalanobis"),
        "metric",
        "Adaptive: each cluster has its own shape; Euclidean: round clusters",
        choices=METRICS,
    )
    alpha = alpha_parameter()
    beta = beta_parameter()
    delta = delta_parameter()
    standardize = standardize_parameter()
    map_view = map_view_parameter()

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "t4:400", **parameters: object) -> None:
        self._graphs: ResultCache[DeltaBelGraph] = ResultCache(2)
        self._delta_is_open = True  # for new data it is chosen with the first fit
        super().__init__(data, **parameters)

    def _make_source(self) -> TableSource:
        return TableSource(self, attributes_for="BPEC")

    # -- actions ----------------------------------------------------------------------------------------

    def toggle(self, i: int | None) -> None:
        """Make an object a prototype, or remove it if it already is one.

        Parameters
        ----------
        i : int or None
            Row of the object, from 0; None changes nothing.
        """

        def turn(_: Fitted) -> None:
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

        def go_on(fitted: Fitted) -> None:
            order = fitted.order.tolist()
            place = -1 if self.selected is None else order.index(self.selected)
            self.selected = order[(place + 1) % len(order)]

        self._with_fit(go_on)

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
            expect(objects, f"prototypes as different objects from 0 to {n - 1}", rows)
        except ValueError:
            with self._own_changes():
                self.prototypes = ()
            raise
        return np.array(rows)

    def _run(self, changed: set[str]) -> Run:
        subject, graph = self.subject, self._graph()
        peaks = self._chosen(graph)
        expect_few_focal_sets(self.focal_sets, len(peaks), MAX_FOCAL_SETS)
        estimator = self._estimator(prototypes=peaks.tolist())
        if self._delta_is_open:
            estimator.set_params(delta=self._usual_delta(estimator))
        run = Run.of(
            subject,
            estimator,
            lambda one: one.fit(subject.attributes),
            lambda partition: steady_numbers(partition, subject, self.last_run),
        )
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

    def _describe(self, run: Run, iteration: int) -> Fitted:
        subject, estimator, shown = run.subject, run.after(iteration), np.argsort(run.numbers)
        partition = renumber_clusters(estimator.partition_, run.numbers)
        return Fitted(
            run=run,
            iteration=iteration,
            partition=partition,
            peaks=estimator.peaks_[shown],
            prototypes=estimator.cluster_centers_[shown],
            graph=self._graph(),
            by=self.by,
            corner=(self.least_delta, self.least_belief),
            ari=None if subject.y is None else float(adjusted_rand(subject.y, partition.labels("pignistic"))),
            nonspecificity=float(partition.nonspecificity()),
            n_outliers=int(partition.outliers().sum()),
        )

    def _estimator(self, **chosen: object) -> BPEC:
        return BPEC(
            **chosen,
            n_neighbors=self.n_neighbors,
            q=self.q,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
            metric=self.metric,
            focal_sets=self.focal_sets,
            max_iter=LAST,
        )

    def _write_fit(self, program: Program, data: str) -> None:
        fitted = self.fitted
        peaks: Sequence[int] = fitted.run.estimator.peaks_.tolist()
        ways = {
            "rule": {},
            "number": {"n_clusters": self.n_clusters},
            "corner": dict(zip(("least_delta", "least_belief"), fitted.corner)),
            "hand": {"prototypes": peaks},
        }
        program.add_fit(self._estimator(**ways[fitted.by]), [data])
        program.add_iteration(fitted.run, fitted.iteration, [data])
        program.add_partition(fitted.run.numbers)


def _short(value: float) -> float:
    return float(f"{value:.4g}")
