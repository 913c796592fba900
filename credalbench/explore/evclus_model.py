"""The EVCLUS explorer without its widgets: parameters that refit when they change, and the last good fit.

The model knows no widget. A view links to its traits; a test sets a trait and reads `fitted`::

    model = EVCLUSModel(data="butterfly")
    model.d0_quantile = 0.7
    model.fitted.stress
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
import traitlets as t

from credalbench.belief import CredalPartition
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.transformation import phi
from credalbench.explore.cluster_numbers import matching_numbers, renumbered
from credalbench.explore.refitting_model import RefittingModel
from credalbench.explore.subject import Subject
from credalbench.metrics.external import adjusted_rand

FOCAL_FAMILIES = ("simple", "pairs", "full")
SOLVERS = ("irqp", "gradient", "lbfgs")
#: A fit must end while somebody waits for the picture.
MAX_FOCAL_SETS = 130
#: While only these change, the previous masses are the start, so that clusters keep their place and colour.
WARM_PARAMETERS = {"d0", "d0_quantile", "alpha", "n_pairs"}
#: Random starts after any other change.
FRESH_STARTS = 3


@dataclass(frozen=True, eq=False)
class Fitted:
    """One fit and all that the panels and read-outs show of it.

    `delta` and `kappa` (m,) belong to the subject's shown pairs; `ari` is None where classes are unknown.
    """

    subject: Subject
    partition: CredalPartition
    d0: float
    gamma: float
    stress: float
    stress_trace: np.ndarray
    time_trace: np.ndarray
    n_iter: int
    converged: bool
    warm: bool
    fit_ms: float
    delta: np.ndarray
    kappa: np.ndarray
    ari: float | None
    nonspecificity: float
    n_outliers: int


class EVCLUSModel(RefittingModel):
    """Data, parameters and fit of the EVCLUS explorer.

    Attributes
    ----------
    data : str
        Name of a data set, ``t4:n``, or path of an own table (see `credalbench.explore.own_data`).
    n_clusters : int
        c; set to the number of known classes when the data change.
    d0_quantile, d0 : float
        Scale of the dissimilarities as a quantile in (0, 1] and in their own unit; linked both ways.
    alpha : float
        In (0, 1): phi(d0) = 1 - alpha.
    n_pairs : int or None
        Partners k drawn for each object; None takes all pairs.
    pair_neighbors : int
        K of the two-step procedure, which adds pairs of clusters that are mutual K nearest neighbours; 0 for
        none.
    focal_sets, solver : str
        One of `FOCAL_FAMILIES`; one of `SOLVERS`.
    seed : int
        Random start; `restart` takes the next one.
    fitted : Fitted or None
    """

    PARAMETERS = (
        *RefittingModel.PARAMETERS,
        "n_clusters",
        "d0_quantile",
        "d0",
        "alpha",
        "n_pairs",
        "focal_sets",
        "pair_neighbors",
        "solver",
        "seed",
    )
    STEM = "evclus"

    n_clusters = t.Int(2)
    d0_quantile = t.Float(0.9)
    d0 = t.Float(1.0)
    alpha = t.Float(0.05)
    n_pairs = t.Int(None, allow_none=True)
    focal_sets = t.Unicode("simple")
    pair_neighbors = t.Int(0, min=0)
    solver = t.Unicode("irqp")
    seed = t.Int(0)

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data="butterfly", **parameters):
        super().__init__(data, **parameters)

    def _adapt(self, changed):
        subject = self.subject
        if "data" in changed and "n_clusters" not in changed:
            self.n_clusters = max(2, subject.n_classes)
        if self.n_pairs is not None and self.n_pairs > subject.n_objects - 1 and "n_pairs" not in changed:
            self.n_pairs = None

    def _link_scales(self, changed):
        """Let d0 follow its quantile, or the quantile follow d0, whichever was not asked for."""
        with self._own_changes():
            if "d0" in changed:
                if not self.d0 > 0:
                    raise ValueError(f"expected d0 above 0; got {self.d0:g}")
                if (
                    self.subject.distance_at(self.d0_quantile) != self.d0
                ):  # else it fits already; ties are many
                    self.d0_quantile = self.subject.quantile_of(self.d0)
            elif changed & {"data", "standardize", "d0_quantile"}:
                self.d0 = self.subject.distance_at(self.d0_quantile)

    # -- fit --------------------------------------------------------------------------------------------

    def _refit(self, changed):
        self._link_scales(changed)
        start = perf_counter()
        self._check_size()
        previous = self.fitted if self.fitted and self.fitted.subject is self.subject else None
        one_step = (
            self.solver == "irqp" and not self.pair_neighbors
        )  # two steps start from the first's family
        warm = previous is not None and one_step and changed <= WARM_PARAMETERS
        estimator = EVCLUS(
            self.n_clusters,
            solver=self.solver,
            n_pairs=self.n_pairs,
            d0=self.d0,
            alpha=self.alpha,
            focal_sets=self.focal_sets,
            pair_neighbors=self.pair_neighbors or None,
            metric="precomputed",
            n_init=FRESH_STARTS,
            random_state=self.seed,
        )
        if warm and len(previous.partition.focal_sets) == self._n_focal_sets():
            estimator.set_params(init=previous.partition.masses)
        estimator.fit(self.subject.D)
        partition = estimator.partition_
        if previous is not None and not warm:
            partition = renumbered(partition, matching_numbers(partition, [previous.partition]))
        self.fitted = self._describe(estimator, partition, warm, start)

    def _n_focal_sets(self):
        c = self.n_clusters
        return {"simple": c + 2, "pairs": 2 + c + (c * (c - 1) // 2 if c > 2 else 0), "full": 2**c}[
            self.focal_sets
        ]

    def _check_size(self):
        for value, known in ((self.focal_sets, FOCAL_FAMILIES), (self.solver, SOLVERS)):
            if value not in known:
                raise ValueError(f"expected one of {', '.join(known)}; got {value!r}")
        n = self.subject.n_objects
        if not self.n_clusters <= n:
            raise ValueError(f"expected at most as many clusters as objects, {n}; got {self.n_clusters}")
        if self._n_focal_sets() > MAX_FOCAL_SETS:
            raise ValueError(
                f"expected at most {MAX_FOCAL_SETS} focal sets, because an explorer refits while you wait; "
                f"{self.focal_sets!r} with {self.n_clusters} clusters has {self._n_focal_sets()}"
            )

    def _describe(self, estimator, partition, warm, start):
        subject = self.subject
        M = partition.masses
        i, j = subject.shown_pairs
        kappa = np.einsum("mf,mf->m", (M @ partition.focal_sets.conflict)[i], M[j])
        ari = None if subject.y is None else float(adjusted_rand(subject.y, partition.labels()))
        return Fitted(
            subject=subject,
            partition=partition,
            d0=float(estimator.d0_),
            gamma=float(estimator.gamma_),
            stress=float(estimator.objective_),
            stress_trace=np.asarray(estimator.objective_trace_),
            time_trace=np.asarray(estimator.time_trace_),
            n_iter=int(estimator.n_iter_),
            converged=bool(estimator.converged_),
            warm=warm,
            delta=phi(subject.shown_distances, estimator.gamma_),
            kappa=kappa,
            ari=ari,
            nonspecificity=float(partition.nonspecificity()),
            n_outliers=int(partition.outliers().sum()),
            fit_ms=1e3 * (perf_counter() - start),
        )

    def restart(self):
        """Fit again from new random starts."""
        self.seed += 1
