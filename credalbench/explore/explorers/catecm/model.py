"""The model of the cat-ECM explorer: a run, the iteration shown and the chosen objects.

The model has no widgets. A view links to its traits; a test sets a trait and reads `fitted`::

    model = CatECMModel("cat_diamond")
    model.normalize = True
    model.fitted.prototypes
"""

from dataclasses import replace

import traitlets as t

from credalbench.cluster import CatECM
from credalbench.explore.choice import ObjectChoice
from credalbench.explore.explorers.catecm.fit import LISTED, Fitted, describe, listed_objects
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import (
    MAX_SEED,
    MAX_STARTS,
    expect_few_focal_sets,
    focal_sets_parameter,
    n_clusters_parameter,
    parameter,
)
from credalbench.explore.program import Program
from credalbench.explore.sources.category_tables import CategorySource
from credalbench.explore.stepping import Run, steady_numbers

#: Limits that keep fits fast enough for an explorer.
MAX_FOCAL_SETS = 256
#: Settings of the paper. Figure 2 shows sums over the attributes, which ten starts seldom find.
PUBLISHED = {"cat_diamond": {"delta": 1.05, "normalize": False, "n_init": 100}}
USUAL = {"delta": 10.0, "normalize": True, "n_init": 10}


class CatECMModel(ExplorerModel):
    """Data, parameters and iterations of the cat-ECM explorer.

    The iterations are those of the best start. `delta`, `normalize` and `n_init` are adapted to new data.
    Objects are identified by their rows, from 0.

    Parameters
    ----------
    data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default "cat_diamond"
        The data: the name of a data set, the path of a table, or a table of categories.
    **parameters
        Initial values of the parameters, which are listed among the attributes.

    Attributes
    ----------
    choice : ObjectChoice
        The objects whose masses are shown; if there are none, the masses of the most ambiguous are.
    fitted : Fitted or None
    """

    STEM = "catecm"
    DRAWABLE = False

    n_clusters = n_clusters_parameter(8)
    focal_sets = focal_sets_parameter("full")
    alpha = parameter(
        t.Float(-0.05),
        "exponent α",
        "Exponent of the cardinality: larger values give less mass to sets of several clusters; "
        "-1 to 1 in the paper",
        low=-100,
        most=100,
        slider=(-2, 2, 0.05),
    )
    beta = parameter(
        t.Float(1.1),
        "exponent β",
        "Exponent of the masses: near 1 they become hard; 2 is a large value",
        above=1,
        most=100,
        slider=(1.05, 3, 0.05),
    )
    delta = parameter(
        t.Float(1.05),
        "distance δ",
        "Distance to the empty set: smaller values give more outliers",
        above=0,
        slider=(-1, 2, 0.02),
        logarithmic=True,
    )
    normalize = parameter(
        t.Bool(False),
        "mean over the attributes",
        "Average distances over the attributes, as printed in the paper, instead of summing them",
    )
    seed = parameter(
        t.Int(0), "start", "Seed of the first random start", low=0, most=MAX_SEED, slider=(0, 20, 1)
    )
    n_init = parameter(
        t.Int(100),
        "starts",
        "Number of starts; the fit of lowest objective is shown",
        low=1,
        most=MAX_STARTS,
        slider=(1, 100, 1),
    )

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "cat_diamond", **parameters: object) -> None:
        self.choice = ObjectChoice(self, LISTED, starts_anew=False, then=self._list_objects)
        super().__init__(data, **parameters)

    def _make_source(self) -> CategorySource:
        return CategorySource(self)

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        self.choice.objects = ()
        for name, value in PUBLISHED.get(self.data, USUAL).items():
            if name not in changed:
                setattr(self, name, value)

    # -- objects ----------------------------------------------------------------------------------------

    def _list_objects(self) -> None:
        if self.fitted is not None:
            self.fitted = self._with_listed(self.fitted)

    def _with_listed(self, fitted: Fitted) -> Fitted:
        listed, choice = listed_objects(fitted.partition, self.choice.objects)
        return replace(fitted, listed=listed, choice=choice)

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> Run:
        expect_few_focal_sets(self.focal_sets, self.n_clusters, MAX_FOCAL_SETS)
        subject = self.subject
        return Run.of(
            subject,
            self._estimator(),
            lambda estimator: estimator.fit(subject.values),
            lambda partition: steady_numbers(partition, subject, self.last_run),
        )

    def _describe(self, run: Run, iteration: int) -> Fitted:
        return describe(run, iteration)

    def _estimator(self) -> CatECM:
        return CatECM(
            self.n_clusters,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
            normalize=self.normalize,
            focal_sets=self.focal_sets,
            init="random",
            n_init=self.n_init,
            random_state=self.seed,
        )

    def _write_fit(self, program: Program, data: str) -> None:
        program.add_fit(self._estimator(), [data])
        program.add_iteration(self.fitted.run, self.fitted.iteration, [data])
        program.add_partition(self.fitted.run.numbers)

    def _take(self, fitted: Fitted, changed: set[str]) -> None:
        self.fitted = self._with_listed(fitted)
