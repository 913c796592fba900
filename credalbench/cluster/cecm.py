r"""CECM: evidential c-means with must-link and cannot-link constraints, Euclidean or adaptive metric.

The fit finds masses M, prototypes V and, with ``metric="mahalanobis"``, norms S that minimise
[antoine2012_cecm (21)]

.. math:: J = (1 - \xi)\, \frac{1}{f n} \sum_i \Big[ \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^2 d_{iA}^2
              + \delta^2 m_{i\emptyset}^2 \Big]
              + \frac{\xi}{|\mathcal M| + |\mathcal C|} \Big[ \sum_{(i,j) \in \mathcal M} pl_{ij}(\bar\theta)
              + \sum_{(i,j) \in \mathcal C} pl_{ij}(\theta) \Big].

The first part is the objective of ECM (``ecm.py``), and the second is the plausibility that constraints are
violated (``constrained/masses.py``). Prototypes and norms appear only in the first part, so they are updated
as in ECM, which solves [antoine2012_cecm (33)] and [antoine2012_cecm (42)] exactly. The mass step is a
nonconvex quadratic programme, which ends in a local minimum and never raises J. So J never increases.

Deviations and readings
-----------------------
D1. The paper divides by :math:`2^c n`, "the number of unknowns". Here f, the number of focal sets, replaces
    :math:`2^c`; they are equal for ``focal_sets="full"``. With fewer sets this keeps the balance between the
    two parts that :math:`\xi` sets.
D2. The paper solves the quadratic programme by a projective interior-point method for convex problems, and
    starts from random prototypes. Here the default is continuation, which reaches lower objectives than
    descent from the previous masses, and five starts. The start with the lowest objective is chosen, because
    a bad result may satisfy all constraints although only the constrained objects are in the right clusters.
D3. "No significant change in V" means that no prototype moved farther than `tol` times the root mean square
    distance of the objects to their mean.
D4. Constraints may be soft, as the conclusion of the paper proposes: each plausibility is multiplied by the
    certainty of its constraint; the divisor is still the number of constraints.
D5. Without constraints the second part is dropped, and :math:`\xi` does not matter.
D6. Metrics start as identities. A singular covariance gets a ridge (``prototype_step.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import CredalPartition
from credalbench.belief.focal import FEWER_SETS, FocalSetsOrAuto, are_in_two_steps
from credalbench.cluster.conflict.focal_pairs import with_pairs
from credalbench.cluster.constrained.masses import (
    SOLVERS,
    ConstraintTerms,
    constrained_masses,
    constraint_cost,
    constraint_terms,
    scaled_objective,
)
from credalbench.cluster.constrained.report import constraint_report, warn_of_outliers
from credalbench.cluster.prototypes.clusterer import METRICS, PrototypeClusterer, centred_with_spread
from credalbench.cluster.prototypes.mass_update import Alpha, Setting, focal_costs
from credalbench.cluster.prototypes.outlier_distance import Delta
from credalbench.cluster.prototypes.prototype_step import (
    AutoInit,
    identity_norms,
    norm_matrices,
    prototypes,
    prototypes_mahalanobis,
    squared_distances,
)
from credalbench.core.arguments import (
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    Seed,
    checked,
)
from credalbench.core.checks import at_rest, keep_trace
from credalbench.core.constraints import PairwiseConstraints, warn_of_contradictions
from credalbench.core.estimators import Examples
from credalbench.core.progress import track_iterations
from credalbench.core.resources import expect_memory
from credalbench.core.threads import one_blas_thread

if TYPE_CHECKING:
    import pandas as pd


class CECM(PrototypeClusterer):
    r"""Constrained evidential c-means: a credal partition under must-links and cannot-links.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise (see Notes).
    xi : float in [0, 1), default 0.5
        Weight of the constraints against the data; 0 gives ECM with beta = 2. Only the data part has units,
        the squared units of `X`: the smaller the values, the more a given xi favours constraints. If the two
        parts differ by a factor of about 1e50, at which rounding would remove one part, the fit raises an
        error.
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    delta : float in (1e-100, 1e100) or "auto", default "auto"
        Distance of every object to the empty set, in the units of the data; the paper's rho. "auto": twice
        the value of `ECM` for the same data, because constraints move objects to clusters other than the
        nearest.
    metric : {"euclidean", "mahalanobis"}, default "euclidean"
        Whether clusters are round, or each has its own norm, of determinant 1, that adapts to its shape
        and so to the constraints.
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Subsets of clusters that may receive mass; "full" has 2^c sets. "auto": "full" for up to three
        clusters; otherwise "simple" and then pairs of clusters that are each other's nearest, as in `ECM`.
    solver : {"continuation", "cyclic", "simultaneous"}, default "continuation"
        Algorithm of the mass step (see ``constrained/masses.py``). All three decrease the objective;
        continuation reaches the lowest.
    init : {"auto", "k-means++", "k-means", "random"} or (c, p) array, default "auto"
        Starting prototypes. "k-means++": objects that are far from each other; "k-means": the centres of a
        converged k-means; "random": random objects. "auto": the means of Ward's clusters of about a thousand
        objects, and "k-means++" for further starts; only "k-means++" if `delta` is given.
    n_init : int, default 5
        Number of starts; the run with the lowest objective is returned. With given prototypes, there is one
        start.
    tol : float, default 1e-3
        Stop when no prototype moves farther than this share of the root mean square distance of the objects
        to their mean, and the remaining moves, extrapolated from the last two, add up to at most five times
        this share.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the masses at the starting prototypes.
    random_state : int, RandomState instance or None
        Seed of the starting prototypes.

    Attributes
    ----------
    partition_ : CredalPartition
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the starting prototypes and after each iteration; it never increases (except by rounding errors,
        which a ridge amplifies).
    constraint_cost_ : float
        Mean plausibility that a constraint is violated, the second part of J without its weight; in [0, 1].
    constraints_ : PairwiseConstraints
        The given constraints, each pair once.
    violated_ : PairwiseConstraints
        Constraints that `labels_` violate.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    start_ : (c, p) array
        Starting prototypes of the best run. If you pass them as `init`, the fit repeats this run, with
        ``max_iter=k`` up to iteration k.
    cluster_centers_ : (c, p) array
    norm_matrices_ : (c, p, p) array
        Identities with the Euclidean metric.
    ridged_ : (c,) bool array
        Clusters whose covariance was singular and received a ridge.
    delta_ : float
        Distance to the empty set, in the units of the data.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; fewer than one or more than n clusters; a parameter out of range;
        constraints on unknown or equal objects.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        Constraints contradict each other; the costs determine which are met. Constraints on objects that are
        not in `X`, as in a fold of a cross-validation, are ignored. A cluster has no object. A covariance is
        singular, or prototypes coincide. Must-links are met only because an object is an outlier.

    Notes
    -----
    An iteration costs O(n f p^2) for the distances and norms and, with q constraints on m objects, at least
    `STAGES` sweeps of O(q f + m f^2).

    The plausibility of "different clusters" is also low if one of the objects is an outlier. With a small
    `delta`, must-links can be met in this way; a warning says so (see `constraint_report`). With one cluster,
    must-links cost nothing, and cannot-links can be met only if an object is an outlier.

    References
    ----------
    [antoine2012_cecm]

    Examples
    --------
    The objects are the corners of a flat rectangle. Corners that are near each other form clusters;
    constraints change this:

    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1]]
    >>> fit = CECM(2, delta=10, init=[[0, 0.5], [3, 0.5]]).fit(X)
    >>> fit.labels_
    array([0, 0, 1, 1])
    >>> fit = CECM(2, delta=10, init=[[0, 0.5], [3, 0.5]])
    >>> fit.fit(X, must_link=[(0, 2), (1, 3)], cannot_link=[(0, 1)]).labels_
    array([1, 0, 1, 0])
    """

    examples = Examples(
        variants=(
            {"metric": "mahalanobis"},
            {"solver": "cyclic"},
            {"solver": "simultaneous", "init": "random"},
        ),
        start="objects",
    )
    _reach = 2.0  # constraints move objects to other clusters, where they should not be outliers

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        xi: Annotated[float, Number(low=0, below=1)] = 0.5,
        alpha: Alpha = 1.0,
        delta: Delta = "auto",
        metric: Annotated[str, Choice(*METRICS)] = "euclidean",
        focal_sets: FocalSetsOrAuto = "auto",
        solver: Annotated[str, Choice(*SOLVERS)] = "continuation",
        init: AutoInit = "auto",
        n_init: PositiveInt = 5,
        tol: NonNegativeFloat = 1e-3,
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.xi = xi
        self.alpha = alpha
        self.delta = delta
        self.metric = metric
        self.focal_sets = focal_sets
        self.solver = solver
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(
        self,
        X: npt.ArrayLike,
        y: object = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        must_link_weights: npt.ArrayLike | None = None,
        cannot_link_weights: npt.ArrayLike | None = None,
    ) -> Self:
        """Compute the credal partition of `X` (n, p) under the constraints.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        must_link, cannot_link : (m, 2) and (q, 2) arrays, optional
            Pairs of objects, by their rows in `X`, or by the names in its index, if it is a DataFrame. If the
            names are numbers, an integer is a name.
        must_link_weights, cannot_link_weights : (m,) and (q,) arrays, optional
            Certainty of each constraint in (0, 1]; 1 by default.

        Returns
        -------
        Self
            The estimator itself.
        """
        X, focal_sets = self._validate(X)
        f = len(focal_sets)
        expect_memory(40 * f**2, f"matrices of {f} x {f} focal sets", FEWER_SETS)
        links = (must_link, cannot_link, must_link_weights, cannot_link_weights)
        self.constraints_ = PairwiseConstraints.of_fit(
            len(X), *links, index=self._index, allow_contradictions=True
        )
        warn_of_contradictions(self.constraints_)
        terms = constraint_terms(self.constraints_, focal_sets, self.xi)
        rng = check_random_state(self.random_state)
        centred, origin, spread = centred_with_spread(X)
        rule = {
            "solver": self.solver,
            "adaptive": self.metric == "mahalanobis",
            "least_move": self.tol * spread,
            "max_iter": self.max_iter,
        }
        best, least = None, np.inf
        for V in self._set_up(X, spread, focal_sets, 2.0, rng):
            setting, costs = self._setting, terms
            run = alternate(centred, V - origin, setting, costs, **rule)
            if are_in_two_steps(self.focal_sets, self.n_clusters):
                setting = setting._replace(focal_sets=with_pairs(CredalPartition(run.masses, focal_sets), 1))
                costs, V = (
                    constraint_terms(self.constraints_, setting.focal_sets, self.xi),
                    run.prototypes + origin,
                )
                run = alternate(centred, run.prototypes, setting, costs, **rule)
            total = run.objective[-1] * len(setting.focal_sets)
            if best is None or (run.objective[-1] < best.objective[-1] and total < least):
                best, least, start, chosen, terms_of_best = run, total, V, setting, costs
        self._setting, focal_sets, terms = chosen, chosen.focal_sets, terms_of_best
        data_share = 1 - self.xi if len(self.constraints_) else 1.0
        self.constraint_cost_ = constraint_cost(best.masses, terms)
        self.start_ = start + self._origin
        self.cluster_centers_ = best.prototypes + origin + self._origin
        self.norm_matrices_ = best.norms if best.norms is not None else identity_norms(*best.prototypes.shape)
        self._adaptive = best.norms is not None
        self.ridged_ = best.ridged
        keep_trace(self, (np.array(best.objective) * data_share).tolist(), best.converged)
        self._describe(CredalPartition(best.masses, focal_sets, self._index), X, spread)
        self.violated_ = self.constraints_.violated(self.labels_)
        warn_of_outliers(self.constraints_, self.partition_)
        return self

    def constraint_report(self) -> pd.DataFrame:
        """Return the outcome of each constraint: met, violated, or met by an outlier.

        Returns
        -------
        pandas.DataFrame
            The table of `PairwiseConstraints.to_frame` with three more columns. ``plausibility`` is the
            plausibility of a violation. ``outcome`` is "met by an outlier" if an object of the pair is in
            none of the clusters, otherwise "violated" or "met", by `labels_`. ``outliers`` are these objects.

        Notes
        -----
        A constraint costs little if one of its objects is outside all clusters; a false constraint or a large
        `xi` may cause this. In `labels_`, and therefore in `violated_`, outliers nevertheless belong to
        clusters.
        """
        check_is_fitted(self)
        return constraint_report(self.constraints_, self.partition_, self.labels_)


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step, divided by 1 - xi."""

    masses: np.ndarray
    prototypes: np.ndarray
    norms: np.ndarray | None
    ridged: np.ndarray
    objective: list
    converged: bool


def alternate(
    X: np.ndarray,
    V: np.ndarray,
    setting: Setting,
    terms: ConstraintTerms,
    *,
    solver: str,
    adaptive: bool,
    least_move: float,
    max_iter: int,
) -> Alternation:
    """Update masses, prototypes `V` (c, p) and, if `adaptive`, norms in turn.

    Stops when the prototypes are `at_rest` with `least_move`. The last step is a mass step: the masses belong
    to the prototypes and norms.
    """
    focal_sets, alpha, beta, delta, negligible = setting
    S = identity_norms(*V.shape) if adaptive else None
    masses, ridged, trace, moves, converged = None, np.zeros(len(V), dtype=bool), [], [], False
    with one_blas_thread():
        for _ in track_iterations(max_iter + 1, "iteration"):
            costs = focal_costs(squared_distances(X, V, focal_sets, S), focal_sets, alpha, delta)
            masses = constrained_masses(costs, terms, masses, solver, negligible)
            trace.append(scaled_objective(masses, costs, terms) / costs.size)
            converged = bool(moves) and at_rest(trace, least_move, moves)
            if converged or len(trace) > max_iter:
                break
            before = V
            if adaptive:
                V = prototypes_mahalanobis(X, masses, S, focal_sets, alpha, beta, start=V)
                S, ridged = norm_matrices(X, V, masses, focal_sets, alpha, beta, previous=S)
            else:
                V = prototypes(X, masses, focal_sets, alpha, beta, start=V)
            moves.append(np.linalg.norm(V - before, axis=1).max())
    return Alternation(masses, V, S, ridged, trace, converged)
