"""The model of the CECM explorer: constraints between chosen objects, and the fit.

The model has no widgets. A view links to its traits; a test calls its actions and reads `fitted`::

    model = CECMModel("two_class:400:2", metric="mahalanobis")
    model.choice.choose(3, 210)
    model.linking.link("cannot-link")
    model.fitted.ari
"""

import traitlets as t

from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.pair_proposals import propose_pair
from credalbench.core.constraints import PairwiseConstraints
from credalbench.explore.explorers.cecm.fit import Fitted, describe
from credalbench.explore.linking import Linking, fit_arguments, links_parameter, written
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
from credalbench.explore.program import Program
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Run, steady_numbers

STARTS = {name: name for name in ("k-means++", "k-means", "random")}
#: Limits that keep fits fast enough for an explorer.
MAX_FOCAL_SETS = 64


class CECMModel(ExplorerModel):
    """Data, parameters, constraints and fit of the CECM explorer.

    Without constraints the method is ECM; with constraints it is CECM, whose exponent is 2 regardless of
    `beta`. Objects are identified by their rows, from 0; ``two_class:400:2`` is draw number 2 of 400
    objects of the two-class recipe. `delta` is adapted to new data.

    `links` holds tuples (object, object, kind), the lower object first (see `credalbench.explore.linking`).

    Parameters
    ----------
    data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default "two_class:400:2"
        The data: the name of a data set, the path of a table, a table or attributes.
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

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "two_class:400:2", **parameters: object) -> None:
        self.linking = Linking(self)
        self.choice = self.linking.choice
        super().__init__(data, **parameters)

    def _make_source(self) -> TableSource:
        return TableSource(self, attributes_for="CECM")

    # -- constraints ------------------------------------------------------------------------------------

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
            self.report(f"Active learning asks: do objects {pair[0]} and {pair[1]} belong together?")

        self.guarded(propose)

    # -- data -------------------------------------------------------------------------------------------

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
        if "delta" not in changed:
            self.delta = usual_delta(self.subject, self.data, self.standardize)

    def _settle(self, changed: set[str]) -> None:
        super()._settle(changed)
        self.linking.settle()

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> Run:
        constraints = self.linking.constraints()
        expect_few_focal_sets(self.focal_sets, self.n_clusters, MAX_FOCAL_SETS)
        subject, pairs = self.subject, fit_arguments(constraints)
        return Run.of(
            subject,
            self._estimator(constraints),
            lambda one: one.fit(subject.attributes, **pairs),
            lambda partition: steady_numbers(partition, subject, self.last_run),
        )

    def _describe(self, run: Run, iteration: int) -> Fitted:
        return describe(run, iteration, self.links, self.linking.constraints(), self.xi)

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
        data_and_links = [data, *written(constraints)]
        program.add_fit(self._estimator(constraints), data_and_links)
        program.add_iteration(self.fitted.run, self.fitted.iteration, data_and_links)
        program.add_partition(self.fitted.run.numbers)
