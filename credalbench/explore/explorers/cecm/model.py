"""The model of the CECM explorer: constraints between chosen objects, and the fit.

The model knows no widget. A view links to its traits; a test calls its actions and reads `fitted`::

    model = CECMModel("two_class:400:2", metric="mahalanobis")
    model.choice.choose(3, 210)
    model.link("cannot-link")
    model.fitted.ari
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import traitlets as t

from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.pair_proposals import propose_pair
from credalbench.constraints import PairwiseConstraints
from credalbench.explore.choice import ObjectChoice
from credalbench.explore.cluster_numbers import steady_numbers
from credalbench.explore.explorers.cecm.drawn_links import among, numbered, remaining
from credalbench.explore.explorers.cecm.fit import Fitted, Links, describe
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import (
    MAX_STARTS,
    alpha_parameter,
    beta_parameter,
    delta_parameter,
    expect_few_focal_sets,
    focal_sets_parameter,
    map_view_parameter,
    metric_parameter,
    n_clusters_parameter,
    parameter,
    seed_parameter,
    standardize_parameter,
    usual_delta,
)
from credalbench.explore.program import Program, literal
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Run

STARTS = {name: name for name in ("k-means++", "k-means", "random")}
KINDS = ("must-link", "cannot-link")
#: What choosing a second object does: nothing, or add a constraint.
SECOND_CHOICES = ("wait", *KINDS, "truth")
#: Limits that keep fits fast enough for an explorer.
MAX_FOCAL_SETS = 64


class CECMModel(ExplorerModel):
    """Data, parameters, constraints and fit of the CECM explorer.

    Without constraints the method is ECM; with constraints it is CECM, whose exponent is 2 regardless of
    `beta`. Objects are identified by their rows, from 0; ``two_class:400:2`` is draw number 2 of 400
    objects of the two-class recipe. `delta` is adapted to new data.

    `links` holds tuples (object, object, one of `KINDS`), the lower object first. They are stored per data
    set, and restored when one returns to it. While points are drawn, each link stays with its two points;
    links of a deleted point are restored when the deletion is undone.

    Parameters
    ----------
    data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default "two_class:400:2"
        The data: the name of a data set, the path of a table, a table or attributes.
    **parameters
        Initial values of the parameters, which are listed among the attributes.

    Attributes
    ----------
    second_choice : str
        One of `SECOND_CHOICES`.
    fitted : Fitted or None
    """

    STEM = "cecm"

    n_clusters = n_clusters_parameter(6)
    focal_sets = focal_sets_parameter("full")
    metric = metric_parameter()
    alpha = alpha_parameter()
    beta = beta_parameter("Exponent of the masses in ECM; with constraints it is 2")
    delta = delta_parameter()
    xi = parameter(
        t.Float(0.5),
        "weight ξ",
        "Weight of the constraints relative to the data",
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
    links = parameter(t.Tuple(), tooltip="Constraints, in the order in which they were added")
    standardize = standardize_parameter()
    map_view = map_view_parameter()
    seed = seed_parameter()

    second_choice = t.Enum(SECOND_CHOICES, default_value="wait")
    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "two_class:400:2", **parameters: object) -> None:
        self.choice = ObjectChoice(self)
        self._history = []  # links before each change, for undo
        self._carried = [], ()  # the history and the waiting links for the next data
        self._good_links = ()
        self._taken_back_to = None  # the links requested by `undo`
        self._links_by_data = {}
        self._waiting: Links = ()  # for points that were deleted, by their numbers
        self._announced = ""  # the message about a link, shown with its fit
        self._slipped = False  # whether the message is about the last action only
        super().__init__(data, **parameters)

    def _make_source(self) -> TableSource:
        return TableSource(self, attributes_for="CECM")

    def guarded(self, action: Callable[[], None]) -> None:
        if self._slipped:
            self.report(self.subject.note if self.subject is not None else "")
        before = self.message
        super().guarded(action)
        self._slipped = self.is_error and self.message != before

    # -- constraints ------------------------------------------------------------------------------------

    def click(self, i: int | None) -> None:
        """Add object `i` to the selected pair, or remove it; a third object starts a new pair.

        The second object adds a constraint immediately if `second_choice` is not "wait".

        Parameters
        ----------
        i : int or None
            Row of the object, from 0; None clears the selection.
        """
        self.choice.click(i)
        if len(self.choice.objects) == 2 and self.second_choice != "wait":
            self.link(self.second_choice)

    def link(self, kind: str) -> None:
        """Add a constraint between the two selected objects.

        If the constraint is refused, `message` gives the reason and nothing else changes.

        Parameters
        ----------
        kind : {"must-link", "cannot-link", "truth"}
            Kind of the constraint; "truth" takes it from the true classes.
        """
        self.guarded(lambda: self._link(kind))

    def _link(self, kind: str) -> None:
        if kind not in (*KINDS, "truth"):
            raise ValueError(f"expected one of {', '.join((*KINDS, 'truth'))}; got {kind!r}")
        if len(self.choice.objects) < 2:
            raise ValueError("choose two objects first")
        i, j = sorted(self.choice.objects)
        if kind == "truth":
            if self.subject.y is None:
                raise ValueError(f"the true classes of {self.subject.name} are unknown")
            kind = KINDS[int(self.subject.y[i] != self.subject.y[j])]
        if (i, j, kind) in self.links:
            raise ValueError(f"there is already a {kind} between {i} and {j}")
        self._announced = f"{kind.capitalize()} between {i} and {j}."
        self.links = (*self.links, (i, j, kind))
        if not self.is_error:
            self.choice.objects = ()

    def undo(self) -> None:
        """Undo the last change of the constraints, clearing included."""

        def step_back() -> None:
            self._announced = ""  # it may be about the link that is removed
            if self._is_requested:
                self.links = self._good_links
                return
            if not self._history:
                raise ValueError("there is nothing to undo")
            self._taken_back_to = self._history[-1]
            self.links = self._taken_back_to

        self.guarded(step_back)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._history) or self._is_requested

    @property
    def _is_requested(self) -> bool:
        """Return whether new links wait for their fit and were not requested by `undo`."""
        return self.links not in (self._good_links, self._taken_back_to)

    def clear(self) -> None:
        """Remove all constraints; `undo` restores them."""
        if self.links:
            self.links = ()

    def suggest(self) -> None:
        """Choose the pair that active learning would query next, and report it."""

        def propose() -> None:
            fitted = self.fitted
            if fitted is None:
                raise ValueError("there is no fit to learn from yet")
            pair = propose_pair(
                fitted.subject.attributes,
                fitted.partition,
                fitted.centers,
                fitted.norm_matrices,
                fitted.constraints,
            )
            self.choice.choose(*pair)
            self.report(f"Active learning asks: do {pair[0]} and {pair[1]} belong together?")

        self.guarded(propose)

    def constraints(self, links: Sequence[tuple[int, int, str]] | None = None) -> PairwiseConstraints:
        """Return links as pairwise constraints.

        Parameters
        ----------
        links : sequence of (int, int, str), optional
            Two objects and the kind of constraint each; `self.links` by default.

        Returns
        -------
        PairwiseConstraints
            The constraints between the n objects of the data.

        Raises
        ------
        ValueError
            If the constraints contradict each other; the message shows the chain of links.
        """
        return _constraints(self.subject.n_objects, self.links if links is None else links)

    # -- data -------------------------------------------------------------------------------------------

    def show_subject(self, subject: Table) -> None:
        """Show data that are not a named data set, without the constraints of earlier data of that name.

        Parameters
        ----------
        subject : Table
            The data.
        """
        self._links_by_data.pop(self.source.accept(subject).name, None)
        super().show_subject(subject)

    def _follow_points(self, before: list[int], after: list[int]) -> None:
        """Keep the constraints, and those in the history of `undo`, with their points."""
        *earlier, links = (numbered(links, before) for links in (*self._history, self.links))
        waiting = remaining((*links, *self._waiting), after)
        stayed, back = among(links, after), among(self._waiting, after)
        try:
            _constraints(len(after), (*stayed, *back))
        except ValueError:  # they contradict constraints that were added later
            back = ()
        steps = [*(among(links, after) for links in earlier), (*stayed, *back)]
        self._links_by_data[self.data] = steps[-1]
        self._carried = [step for step, later in pairwise(steps) if step != later], waiting

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        self.choice.objects = ()
        if "data" in changed:
            (self._history, self._waiting), self._carried = self._carried, ([], ())
            self._taken_back_to = None
            self._good_links = () if "links" in changed else self._links_by_data.get(self.data, ())
            if "links" not in changed:
                self.links = self._good_links
        if "delta" not in changed:
            self.delta = usual_delta(self.subject, self.data, self.standardize)

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> Run:
        constraints = self.constraints()
        expect_few_focal_sets(self.focal_sets, self.n_clusters, MAX_FOCAL_SETS)
        subject, pairs = self.subject, self._fit_arguments(constraints)
        return Run.of(
            subject,
            self._estimator(constraints),
            lambda one: one.fit(subject.attributes, **pairs),
            lambda partition: steady_numbers(partition, subject, self.last_run),
        )

    def _describe(self, run: Run, iteration: int) -> Fitted:
        return describe(run, iteration, self.links, self.constraints(), self.xi)

    def _take(self, fitted: Fitted, changed: set[str]) -> None:
        """Store the links for `undo` and for the next time the data are shown."""
        if self.links == self._taken_back_to:
            self._history.pop()
        elif self.links != self._good_links:
            self._history.append(self._good_links)
        self._good_links, self._taken_back_to = self.links, None
        self._links_by_data[self.data] = self.links
        super()._take(fitted, changed)

    def _show(self, fitted: Fitted) -> None:
        super()._show(fitted)
        if self._announced:
            self.report(f"{self._announced} {self.message}".strip())
            self._announced = ""

    def _go_back(self) -> None:
        self._announced, self._taken_back_to = "", None
        super()._go_back()

    def _settle(self, changed: set[str]) -> None:
        """Check the constraints and remove duplicates; if they are refused, restore the last valid ones."""
        super()._settle(changed)
        try:
            links = tuple(dict.fromkeys((*sorted((int(i), int(j))), str(kind)) for i, j, kind in self.links))
            unknown = [kind for *_, kind in links if kind not in KINDS]
            if unknown:
                raise ValueError(f"expected links of kind {' or '.join(KINDS)}; got {unknown[0]!r}")
            self.constraints(links)
        except Exception:
            self.links = self._good_links
            raise
        self.links = links

    def _estimator(self, constraints: PairwiseConstraints) -> CECM | ECM:
        shared = {
            "alpha": self.alpha,
            "delta": self.delta,
            "metric": self.metric,
            "focal_sets": self.focal_sets,
            "init": self.init,
            "n_init": self.n_init,
            "random_state": self.seed,
        }
        if len(constraints):
            return CECM(self.n_clusters, xi=self.xi, **shared)
        return ECM(self.n_clusters, beta=self.beta, **shared)

    def _write_fit(self, program: Program, data: str) -> None:
        constraints = self.fitted.constraints
        pairs = {name: value.tolist() for name, value in self._fit_arguments(constraints).items()}
        links = [f"{name}={literal(value)}" for name, value in pairs.items()]
        program.add_fit(self._estimator(constraints), [data, *links])
        program.add_iteration(self.fitted.run, self.fitted.iteration, [data, *links])
        program.add_partition(self.fitted.run.numbers)

    @staticmethod
    def _fit_arguments(constraints: PairwiseConstraints) -> dict[str, object]:
        if not len(constraints):
            return {}
        return {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}


def _constraints(n: int, links: Links) -> PairwiseConstraints:
    """Return links between n objects as constraints; raise ValueError if they contradict each other."""
    pairs = {kind: [(i, j) for i, j, k in links if k == kind] for kind in KINDS}
    return PairwiseConstraints(n, *(pairs[kind] for kind in KINDS))
