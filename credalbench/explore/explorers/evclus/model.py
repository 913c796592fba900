"""The model of the EVCLUS explorer.

The model has no widgets. A view links to its traits; a test sets a trait and reads `fitted`::

    model = EVCLUSModel(data="butterfly")
    model.d0_quantile = 0.7
    model.fitted.objective
"""

from dataclasses import dataclass

import numpy as np
import traitlets as t

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.transformation import phi
from credalbench.explore.linking import Linking, Links, fit_arguments, links_parameter, outcomes_of, written
from credalbench.explore.model import LAST, ExplorerModel
from credalbench.explore.parameter import (
    expect_few_focal_sets,
    focal_sets_parameter,
    map_view_parameter,
    n_focal_sets,
    pair_neighbors_parameter,
    parameter,
    seed_parameter,
    standardize_parameter,
)
from credalbench.explore.program import Program
from credalbench.explore.sources.source import MAX_OBJECTS
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Run, Stepped, steady_numbers
from credalbench.metrics.external import adjusted_rand

SOLVERS = {"irqp": "IRQP", "gradient": "gradient", "lbfgs": "L-BFGS"}
#: Limits that keep fits fast enough for an explorer.
MAX_FOCAL_SETS = 130
#: Partners of each object, if there are more than MANY objects.
PARTNERS, MANY = 50, 500
#: Number of random starts, unless the fit starts from the previous masses.
FRESH_STARTS = 3


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of a run, with everything that panels and read-outs show.

    `delta` and `kappa` (m,) belong to the subject's shown pairs; `outcomes` (q,) are those of the
    `links`; `ari` is None if classes are unknown.
    """

    partition: CredalPartition
    d0: float
    gamma: float
    delta: np.ndarray
    kappa: np.ndarray
    links: Links
    outcomes: np.ndarray
    ari: float | None
    nonspecificity: float
    n_outliers: int

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

    Parameters
    ----------
    data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default "butterfly"
        The data: the name of a data set, the path of a table, a table, attributes or dissimilarities.
    **parameters
        Initial values of the parameters, which are listed among the attributes.

    Attributes
    ----------
    linking : Linking
        Adds and undoes constraints between chosen objects.
    choice : ObjectChoice
        The chosen objects.
    fitted : Fitted or None
    """

    STEM = "evclus"

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
        "Distance of plausibly different clusters, in units of the data: smaller values give more outliers",
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
    )
    xi = parameter(
        t.Float(0.5),
        "weight ξ",
        "Weight of the constraints relative to the stress: larger values give less violation and more stress",
        low=0,
        slider=(0, 3, 0.05),
    )
    links = links_parameter()
    focal_sets = focal_sets_parameter("simple")
    pair_neighbors = pair_neighbors_parameter()
    standardize = standardize_parameter()
    map_view = map_view_parameter()
    seed = seed_parameter()
    solver = parameter(t.Unicode("irqp"), "solver", "Optimisation algorithm", choices=SOLVERS)

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "butterfly", **parameters: object) -> None:
        self.linking = Linking(self)
        self.choice = self.linking.choice
        super().__init__(data, **parameters)

    def _make_source(self) -> TableSource:
        return TableSource(self)

    def show_subject(self, subject: Table) -> None:
        """Show data that are not a named data set, without the constraints of earlier data of that name.

        Parameters
        ----------
        subject : Table
            The data.
        """
        self.linking.forget(self.source.accept(subject).name)
        super().show_subject(subject)

    def _follow_points(self, before: list[int], after: list[int]) -> None:
        self.linking.follow_points(before, after)

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        self.linking.adapt(changed)
        if "n_pairs" not in changed:
            self._adapt_pairs(self.subject.n_objects, self.fitted.subject.n_objects if self.fitted else 0)

    def _adapt_pairs(self, n: int, before: int) -> None:
        """Compare a sample of pairs of many objects, and all pairs of few objects."""
        if n > MANY >= before and self.n_pairs is None:
            self.n_pairs = PARTNERS
        elif before > MANY >= n or (self.n_pairs or 0) >= n:
            self.n_pairs = None

    def _settle(self, changed: set[str]) -> None:
        """Update d0 from its quantile, or the quantile from d0, whichever the user did not set."""
        super()._settle(changed)
        self.linking.settle()
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
        """Return the program of `ExplorerModel.as_code`, after a fit from random starts.

        Returns
        -------
        str
            Python source.
        """
        before, self.repeatable = self.repeatable, True
        try:
            return super().as_code()
        finally:
            self.repeatable = before

    def _has_run(self, changed: set[str]) -> bool:
        """Return False for earlier iterations of a run from previous masses, which has no start."""
        at_the_end = self.fitted is not None and self.iteration >= self.fitted.n_iter
        return super()._has_run(changed) and (at_the_end or not self.fitted.warm)

    def _run(self, changed: set[str]) -> Run:
        self._check_size()
        subject, estimator = self.subject, self._estimator()
        pairs = fit_arguments(self.linking.constraints())
        warm = not self.repeatable and self._may_be_warm(changed)
        if warm:
            estimator.set_params(init=self.last_run.partition.masses)

        def fit(one: EVCLUS) -> EVCLUS:
            one.fit(subject.compared, **pairs)
            del one.conflict_pairs_  # up to n² numbers, kept in memory as long as the run is shown
            return one

        def numbered(partition: CredalPartition) -> np.ndarray:
            same = np.arange(partition.n_clusters)
            return same if warm else steady_numbers(partition, subject, self.last_run)

        return Run.of(subject, estimator, fit, numbered)

    def _may_be_warm(self, changed: set[str]) -> bool:
        """Return whether a fit may start from the previous masses; clusters then keep their colours."""
        last = self.last_run
        if last is None or last.subject is not self.subject or self.iteration != LAST:
            return False
        # The second of two steps has different focal sets from the first.
        one_step = self.solver == "irqp" and not self.pair_neighbors
        n_sets = n_focal_sets(self.focal_sets, self.n_clusters)
        same_sets = len(last.partition.focal_sets) == n_sets
        return one_step and same_sets and all(self.parameters()[name].warm for name in changed)

    def _estimator(self) -> EVCLUS:
        pairs = {} if self.n_pairs is None else {"n_pairs": self.n_pairs, "pair_sampling": "independent"}
        return EVCLUS(
            self.n_clusters,
            solver=self.solver,
            **pairs,
            d0=self.d0,
            alpha=self.alpha,
            focal_sets=self.focal_sets,
            pair_neighbors=self.pair_neighbors or None,
            metric="precomputed" if self.subject.attributes is None else "euclidean",
            xi=self.xi,
            n_init=FRESH_STARTS,
            init="linkage" if self.links and self.xi else "random",
            random_state=self.seed,
        )

    def _write_fit(self, program: Program, data: str) -> None:
        data_and_links = [data, *written(self.linking.constraints())]
        program.add_fit(self._estimator(), data_and_links)
        program.add_iteration(self.fitted.run, self.fitted.iteration, data_and_links)
        program.add_partition(self.fitted.run.numbers)

    def _check_size(self) -> None:
        n = self.subject.n_objects
        if self.n_clusters > n:
            raise ValueError(f"expected at most as many clusters as objects, {n}; got {self.n_clusters}")
        expect_few_focal_sets(self.focal_sets, self.n_clusters, MAX_FOCAL_SETS)

    def _describe(self, run: Run, iteration: int) -> Fitted:
        subject, estimator = run.subject, run.after(iteration)
        partition = renumber_clusters(estimator.partition_, run.numbers)
        M = partition.masses
        i, j = subject.shown_pairs
        return Fitted(
            run=run,
            iteration=iteration,
            partition=partition,
            d0=float(estimator.d0_),
            gamma=float(estimator.gamma_),
            delta=phi(subject.shown_distances, estimator.gamma_),
            kappa=np.einsum("mf,mf->m", (M @ partition.focal_sets.conflict)[i], M[j]),
            links=self.links,
            outcomes=outcomes_of(self.links, partition),
            ari=None if subject.y is None else float(adjusted_rand(subject.y, partition.labels())),
            nonspecificity=float(partition.nonspecificity()),
            n_outliers=int(partition.outliers().sum()),
        )
