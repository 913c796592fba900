"""The model of the ECM explorer: a run from given prototypes, and the iteration shown.

The model has no widgets. A view links to its traits; a test calls its actions and reads `fitted`::

    model = ECMModel("t4:400")
    model.move(0, (5.0, 5.0))
    model.step()
    model.fitted.objective
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import traitlets as t
from sklearn.utils import check_random_state

from credalbench.belief import CredalPartition
from credalbench.cluster import ECM
from credalbench.cluster.prototypes.prototype_step import prototype_starts
from credalbench.core.arguments import expect
from credalbench.explore.model import LAST, ExplorerModel
from credalbench.explore.parameter import (
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
from credalbench.explore.stepping import Run, Stepped, steady_numbers
from credalbench.metrics import adjusted_rand

#: Limits that keep fits fast enough for an explorer.
MAX_FOCAL_SETS = 64


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """The iteration that is shown; `prototypes` (c, p) are the prototypes after it.

    `ari` is None if classes are unknown.
    """

    partition: CredalPartition
    prototypes: np.ndarray
    ari: float | None
    nonspecificity: float
    n_outliers: int

    @property
    def start(self) -> np.ndarray:
        """The prototypes before the first iteration, (c, p)."""
        return self.run.estimator.start_


class ECMModel(ExplorerModel):
    """Data, parameters, start and iterations of the ECM explorer.

    A run leads from the starting prototypes to convergence; cluster k has prototype k throughout. Changing
    the data, the number of clusters or the seed draws new prototypes; changing other parameters restarts
    the run from the same ones.

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

    STEM = "ecm"

    n_clusters = n_clusters_parameter(6)
    focal_sets = focal_sets_parameter("pairs")
    metric = metric_parameter()
    alpha = alpha_parameter()
    beta = beta_parameter()
    delta = delta_parameter()
    standardize = standardize_parameter()
    map_view = map_view_parameter()
    seed = seed_parameter()
    start = parameter(t.Tuple(), tooltip="Coordinates of each starting prototype; drawn at random if empty")

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "t4:400", **parameters: object) -> None:
        super().__init__(data, **parameters)

    def _make_source(self) -> TableSource:
        return TableSource(self, attributes_for="ECM")

    # -- actions ----------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Draw a new start, and stay there."""
        self.set_parameters({"seed": self.seed + 1, "iteration": 0})

    def move(self, k: int, place: Sequence[float] | np.ndarray) -> None:
        """Move one prototype on the map; the run restarts from the present prototypes.

        Parameters
        ----------
        k : int
            Index of the prototype, from 0.
        place : array_like of shape (2,)
            Its new place, in the units of the axes of the map.
        """

        def put(fitted: Fitted) -> None:
            prototypes = fitted.prototypes.copy()
            prototypes[k] = self.subject.moved_to(prototypes[k], place)
            self.set_parameters({"start": _rows(prototypes), "iteration": 0})

        self._with_fit(put)

    # -- changes ----------------------------------------------------------------------------------------

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        if "delta" not in changed:
            self.delta = usual_delta(self.subject, self.data, self.standardize)

    def _settle(self, changed: set[str]) -> None:
        if changed & self.STARTING and "start" not in changed:
            self.start = ()
        super()._settle(changed)

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> Run:
        expect_few_focal_sets(self.focal_sets, self.n_clusters, MAX_FOCAL_SETS)
        X, estimator = self.subject.attributes, self._estimator(self._accepted_start())
        return Run.of(
            self.subject,
            estimator,
            lambda one: one.fit(X),
            lambda partition: np.arange(partition.n_clusters),  # numbered by the start
        )

    def _describe(self, run: Run, iteration: int) -> Fitted:
        estimator, y = run.after(iteration), run.subject.y
        partition = estimator.partition_
        return Fitted(
            run=run,
            iteration=iteration,
            partition=partition,
            # exact before the first iteration
            prototypes=estimator.cluster_centers_ if iteration else estimator.start_,
            ari=None if y is None else float(adjusted_rand(y, partition.labels("pignistic"))),
            nonspecificity=float(partition.nonspecificity()),
            n_outliers=int(partition.outliers().sum()),
        )

    def _estimator(self, start: np.ndarray, max_iter: int = LAST) -> ECM:
        return ECM(
            self.n_clusters,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
            metric=self.metric,
            focal_sets=self.focal_sets,
            init=start,
            max_iter=max_iter,
        )

    def _write_fit(self, program: Program, data: str) -> None:
        fitted = self.fitted
        program.add_array("start", self.start)
        program.add_fit(
            self._estimator(fitted.start, LAST if fitted.ended else fitted.iteration), [data], init="start"
        )
        program.add_partition(fitted.run.numbers)

    def _accepted_start(self) -> np.ndarray:
        """Return the starting prototypes (c, p), drawn if there are none; an invalid start is discarded."""
        requested = self.n_clusters, self.subject.attributes.shape[1]
        try:
            start = np.array(self.start, dtype=float) if self.start else self._drawn_start()
            expect(start.shape == requested, f"a start of shape {requested}", start.shape)
            expect(np.isfinite(start).all(), "finite numbers in start", self.start)
        except Exception:
            with self._own_changes():
                self.start = ()
            raise
        with self._own_changes():
            self.start = _rows(start)
        return start

    def _drawn_start(self) -> np.ndarray:
        """Return prototypes (c, p) by k-means++, numbered so that clusters keep their colours."""
        X = self.subject.attributes
        (start,) = prototype_starts(X, self.n_clusters, "k-means++", 1, check_random_state(self.seed))
        fit = self._estimator(start).fit(X)
        return start[np.argsort(steady_numbers(fit.partition_, self.subject, self.last_run))]


def _rows(points: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, points.tolist()))
