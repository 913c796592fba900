"""The ECM explorer without its widgets: a run from given prototypes, and the iteration of it that is shown.

The model knows no widget. A view links to its traits; a test calls its actions and reads `fitted`::

    model = ECMModel("t4:400")
    model.move(0, (5.0, 5.0))
    model.step()
    model.fitted.objective
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import traitlets as t
from sklearn.utils import check_random_state

from credalbench.arguments import expect
from credalbench.belief import CredalPartition
from credalbench.cluster import ECM
from credalbench.cluster.prototypes.clusterer import identity_norms
from credalbench.cluster.prototypes.starts import prototype_starts
from credalbench.explore.shared.attribute_model import AttributeModel
from credalbench.explore.shared.cluster_numbers import steady_numbers
from credalbench.explore.shared.ecm_parameters import (
    alpha_parameter,
    beta_parameter,
    delta_parameter,
    metric_parameter,
    usual_delta,
)
from credalbench.explore.shared.focal_families import expect_few_focal_sets, focal_sets_parameter
from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.program import Program
from credalbench.explore.shared.subjects.tables import Table
from credalbench.metrics import adjusted_rand

#: A fit must end while somebody waits for the picture.
MAX_FOCAL_SETS = 64
#: Where a run ends at the latest, and the iteration that means its end.
LAST = 1000


@dataclass(frozen=True, eq=False)
class Fitted:
    """The iteration that is shown, and the run that it belongs to.

    `start` and `prototypes` (c, p) are those before the first and after the last iteration done;
    `objective_trace` (n_iter + 1,) is that of the whole run. `ari` is None where classes are unknown.
    """

    subject: Table
    partition: CredalPartition
    start: np.ndarray
    prototypes: np.ndarray
    iteration: int
    n_iter: int
    converged: bool
    objective_trace: np.ndarray
    ari: float | None
    nonspecificity: float
    n_outliers: int
    fit_ms: float

    @property
    def objective(self) -> float:
        """The objective after the iterations done."""
        return float(self.objective_trace[self.iteration])

    @property
    def ended(self) -> bool:
        """Whether the run has no further iteration."""
        return self.iteration == self.n_iter


class ECMModel(AttributeModel):
    """Data, parameters, start and iterations of the ECM explorer.

    A run leads from the starting prototypes to where they rest, and one of its iterations is shown: its end,
    until one steps through it. Cluster k keeps prototype k all the way. Other data, another number of
    clusters or another seed draw new prototypes; other parameters keep them and the run begins there again.

    Attributes
    ----------
    fitted : Fitted or None
    """

    STEM = "ecm"
    METHOD = "ECM"

    n_clusters = parameter(t.Int(2), "clusters c", "Number of clusters", low=2, slider=(2, 6, 1))
    focal_sets = focal_sets_parameter("pairs")
    metric = metric_parameter()
    alpha = alpha_parameter()
    beta = beta_parameter()
    delta = delta_parameter()
    start = parameter(t.Tuple(), tooltip="Coordinates of each starting prototype; none: drawn by the seed")
    iteration = parameter(
        t.Int(LAST),
        "iteration",
        "Iterations done; 0: masses at the starting prototypes",
        low=0,
        high=LAST,
        slider=(0, 10, 1),
    )

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = "t4:400", **parameters: object) -> None:
        self._run = None  # the estimator at the end of the run
        super().__init__(data, **parameters)

    # -- actions ----------------------------------------------------------------------------------------

    def step(self) -> None:
        """Do one more iteration."""

        def go_on() -> None:
            fitted = self._shown_fit()
            if fitted.ended:
                self.report(f"The prototypes rest after {fitted.n_iter} iterations.")
            else:
                self.iteration = fitted.iteration + 1

        self._guarded(go_on)

    def finish(self) -> None:
        """Do all iterations that are left."""
        self.iteration = LAST

    def restart(self) -> None:
        """Draw a new start, and wait there."""
        with self.batch():
            self._set_known({"seed": self.seed + 1, "iteration": 0})

    def move(self, k: int, place: Sequence[float] | np.ndarray) -> None:
        """Put prototype `k` at a place (2,) on the map: a new start, with the others where they are."""

        def put() -> None:
            prototypes = self._shown_fit().prototypes.copy()
            prototypes[k] = self.subject.moved_to(prototypes[k], place)
            with self.batch():
                self._set_known({"start": _rows(prototypes), "iteration": 0})

        self._guarded(put)

    def _shown_fit(self) -> Fitted:
        if self.fitted is None or self.fitted.subject is not self.subject:
            raise ValueError("there is no fit to go on from yet")
        return self.fitted

    # -- changes ----------------------------------------------------------------------------------------

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        if "delta" not in changed:
            self.delta = usual_delta(self.subject, self.data, self.standardize)

    def _settle(self, changed: set[str]) -> None:
        """A new start is shown at the end of its run; who looks at the end goes on looking at the end."""
        redrawn = changed & {"data", "standardize", "n_clusters", "seed"} and "start" not in changed
        if redrawn:
            self.start = ()
        if "iteration" not in changed and (redrawn or (self.fitted and self.fitted.ended)):
            self.iteration = LAST

    # -- fit --------------------------------------------------------------------------------------------

    def _refit(self, changed: set[str]) -> Fitted:
        began = perf_counter()
        if changed != {"iteration"} or self._run is None:
            self._run = None
            expect_few_focal_sets(self.focal_sets, self.n_clusters, MAX_FOCAL_SETS)
            self._run = self._estimator(self._accepted_start()).fit(self.subject.attributes)
        iteration = min(self.iteration, self._run.n_iter_)
        estimator = self._after(iteration)
        partition = estimator.predict_partition(self.subject.attributes)
        known = self.subject.y is not None
        return Fitted(
            subject=self.subject,
            partition=partition,
            start=np.array(self.start),
            prototypes=estimator.cluster_centers_,
            iteration=iteration,
            n_iter=self._run.n_iter_,
            converged=self._run.converged_,
            objective_trace=self._run.objective_trace_,
            ari=float(adjusted_rand(self.subject.y, partition.labels("pignistic"))) if known else None,
            nonspecificity=float(partition.nonspecificity()),
            n_outliers=int(partition.outliers().sum()),
            fit_ms=1e3 * (perf_counter() - began),
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
        estimator = self._estimator(fitted.start, fitted.iteration or LAST)
        if fitted.iteration == fitted.n_iter:
            estimator.set_params(max_iter=LAST)
        program.add_fit(estimator, [data], init="start")
        if not fitted.iteration:
            program.use("credalbench.cluster.prototypes.clusterer", "identity_norms")
            program.add("# Before the first iteration: the masses at the starting prototypes.")
            program.add("model.cluster_centers_ = start")
            program.add("model.norm_matrices_ = identity_norms(*start.shape)")
        program.add(f"partition = model.predict_partition({data})")

    def _after(self, iteration: int) -> ECM:
        """The estimator after so many iterations from the start."""
        if iteration == self._run.n_iter_:
            return self._run
        if iteration:
            return self._estimator(np.array(self.start), iteration).fit(self.subject.attributes)
        waiting = copy(self._run)
        waiting.cluster_centers_ = np.array(self.start)
        waiting.norm_matrices_ = identity_norms(*waiting.cluster_centers_.shape)
        return waiting

    def _accepted_start(self) -> np.ndarray:
        """The starting prototypes (c, p), drawn where there are none; what is refused is forgotten."""
        wanted = self.n_clusters, self.subject.attributes.shape[1]
        try:
            start = np.array(self.start, dtype=float) if self.start else self._drawn_start()
            expect(start.shape == wanted, f"a start of shape {wanted}", start.shape)
            expect(np.isfinite(start).all(), "finite numbers in start", self.start)
        except Exception:
            with self._own_changes():
                self.start = ()
            raise
        with self._own_changes():
            self.start = _rows(start)
        return start

    def _drawn_start(self) -> np.ndarray:
        """Prototypes (c, p) by k-means++, numbered so that clusters keep their colours."""
        X = self.subject.attributes
        (start,) = prototype_starts(X, self.n_clusters, "k-means++", 1, check_random_state(self.seed))
        fit = self._estimator(start).fit(X)
        return start[np.argsort(steady_numbers(fit.partition_, self.subject, self.fitted))]


def _rows(points: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, points.tolist()))
