r"""BPEC: belief-peak evidential clustering, ECM with fixed prototypes from the delta-Bel graph.

The prototypes V are objects that are far from each other and that many other objects support as centres
(``neighbours/belief_peaks.py``). With V fixed, masses M and, with ``metric="mahalanobis"``, norms S minimise
the objective of ECM and CECM without constraints [su2019], [antoine2012_cecm (14)]

.. math:: J(M, S) = \frac{1}{f n} \sum_i \Big[ \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
                    + \delta^2 m_{i\emptyset}^\beta \Big], \qquad
          d_{iA}^2 = (x_i - \bar v_A)^T \bar S_A (x_i - \bar v_A).

With the Euclidean metric this is one mass step (``prototypes/mass_update.py``). Otherwise norms and masses
are updated in turn (``prototypes/prototype_step.py``), each exactly, so J never increases.

Deviations and readings
-----------------------
D1. The paper chooses prototypes by hand; here there is also a rule (see `DeltaBelGraph.peaks`).
D2. J is divided by f n, as in ``ecm.py``.
D3. The search ends when J decreases by at most `tol` times J; the R package uses an absolute 0.001, which
    depends on the units.
D4. beta is free with both metrics. (The R package takes 2 for the norms, whatever beta is.)
D5. Singular covariances, and objects on a barycentre, are treated as in ``ecm.py``.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from credalbench.belief import CredalPartition
from credalbench.belief.focal import FocalSetsOrAuto, are_in_two_steps, resolve_focal_sets
from credalbench.cluster.conflict.focal_pairs import with_pairs
from credalbench.cluster.neighbours.belief_peaks import QUANTILE, count_of_neighbours, graph_of_attributes
from credalbench.cluster.prototypes.clusterer import (
    METRICS,
    ROUNDING,
    PrototypeClusterer,
    centred_with_spread,
)
from credalbench.cluster.prototypes.mass_update import (
    Alpha,
    Beta,
    Setting,
    expect_moderate_powers,
    moments,
    norm_step,
    optimal_masses,
)
from credalbench.cluster.prototypes.outlier_distance import (
    MOST_SHRINKAGE,
    SHORT_FITS,
    SHORT_ITERATIONS,
    SHORT_TOL,
    Delta,
    beyond_most,
    least_gap,
    limits,
)
from credalbench.cluster.prototypes.prototype_step import identity_norms, sample_objects
from credalbench.core.arguments import (
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    Table,
    as_array,
    as_floats,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import at_rest, keep_trace, near_zero, read_objects
from credalbench.core.estimators import Examples
from credalbench.core.names import rows_of
from credalbench.core.progress import track_iterations
from credalbench.core.threads import one_blas_thread


class BPEC(PrototypeClusterer):
    r"""Belief-peak evidential clustering: ECM around prototypes from a graph, without random starts.

    Parameters
    ----------
    n_clusters : int, optional
        Number c of clusters, 1 to n: the objects of largest prominence (belief times distance) are the
        prototypes. None: the number that `prototypes` or the limits below give, otherwise the number of
        isolated peaks (see `DeltaBelGraph.peaks`). Give the number if you know it.
    prototypes : "auto", (c,) or (c, p) array, default "auto"
        Prototypes: rows of objects, names of objects of a DataFrame, or points. "auto": peaks of the graph.
    least_delta, least_belief : float >= 0, optional
        Limits in the graph: the prototypes are all objects that exceed both. None means 0 if the other limit
        is given. Beliefs are below 1.
    n_neighbors : int, optional
        Number K of neighbours in the graph, 1 to n - 1. None: :math:`\sqrt n`, rounded.
    q : float in (0, 1], default 0.9
        Quantile of the distances to neighbours at which the evidence of an object is :math:`e^{-1} / K`.
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    beta : float in (1, 100], default 2.0
        Exponent of the masses: values close to 1 give hard masses.
    delta : float in (1e-100, 1e100) or "auto", default "auto"
        Distance of every object to the empty set, in the units of the data: smaller values give more
        outliers. "auto": larger than the distances of most objects, by the rule of `ECM` applied to the
        prototypes.
    metric : {"euclidean", "mahalanobis"}, default "euclidean"
        Whether clusters are round ("euclidean"), or each has its own norm of determinant 1, which adapts to
        its shape ("mahalanobis").
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Subsets of clusters that may receive mass; "full" has 2^c sets. "auto": "full" for up to three
        clusters; otherwise "simple" and then pairs of clusters that are each other's nearest, as in `ECM`.
    tol : float, default 1e-6
        Stop when the objective decreases by at most this share of itself, and the remaining decrease,
        extrapolated from the last two steps, is at most five times this share.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the masses by the Euclidean metric.

    Attributes
    ----------
    partition_ : CredalPartition
        The masses are optimal for `cluster_centers_` and `norm_matrices_`.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    n_clusters_ : int
        Number of clusters.
    peaks_ : (c,) int array or None
        Rows of the objects that are the prototypes, by decreasing prominence or as given; None for points.
    graph_ : DeltaBelGraph or None
        Belief and distance of each object, in the units of the data; None if `prototypes` are given.
    prominence_drop_ : float or None
        `DeltaBelGraph.drop` after the last prototype, in [0, 1]: a criterion of
        `credalbench.select.select_n_clusters`. None without a graph.
    objective_ : float
        J, divided by f n.
    objective_trace_ : (n_iter + 1,) array
        J with the Euclidean metric and after each iteration; it never increases (except by rounding errors,
        which a ridge amplifies).
    n_iter_ : int
        Always 1 with the Euclidean metric.
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
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
        On NaN or infinite values; more clusters than distinct objects; no object that exceeds the limits;
        prototypes that coincide or that are not objects; more than one of `n_clusters`, `prototypes` and the
        limits; K not in 1..n - 1; another parameter out of range.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object. A covariance is singular, as in `ECM`.

    Notes
    -----
    The graph costs about O(n K + n log n) with few attributes and O(n^2 p) with many; it needs O(n K) memory.
    An iteration then costs O(n f p), or O(n f p^2) with adaptive norms. It uses numba's threads; the result
    does not depend on their number. Nothing is drawn at random.

    A prototype is not the mean of its cluster but an object where the objects are densest.

    References
    ----------
    [su2019]

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> fit = BPEC(n_neighbors=2).fit(X)
    >>> fit.peaks_, fit.labels_
    (array([1, 4]), array([0, 0, 0, 1, 1, 1]))
    """

    examples = Examples(
        variants=({"metric": "mahalanobis"}, {"n_clusters": 2, "n_neighbors": 5, "delta": 10.0})
    )

    def __init__(
        self,
        n_clusters: PositiveInt | None = None,
        *,
        prototypes: Annotated[str | Sequence | np.ndarray, Choice("auto") | Table()] = "auto",
        least_delta: NonNegativeFloat | None = None,
        least_belief: Annotated[float, Number(low=0, below=1)] | None = None,
        n_neighbors: PositiveInt | None = None,
        q: Annotated[float, QUANTILE] = 0.9,
        alpha: Alpha = 1.0,
        beta: Beta = 2.0,
        delta: Delta = "auto",
        metric: Annotated[str, Choice(*METRICS)] = "euclidean",
        focal_sets: FocalSetsOrAuto = "auto",
        tol: NonNegativeFloat = 1e-6,
        max_iter: NonNegativeInt = 1000,
    ) -> None:
        self.n_clusters = n_clusters
        self.prototypes = prototypes
        self.least_delta = least_delta
        self.least_belief = least_belief
        self.n_neighbors = n_neighbors
        self.q = q
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.metric = metric
        self.focal_sets = focal_sets
        self.tol = tol
        self.max_iter = max_iter

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute the prototypes and the credal partition of objects with attributes.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        BPEC
            The fitted estimator.
        """
        X, K = self._read_fit(X)
        V = self._choose_prototypes(X, K)
        c, adaptive = len(V), self.metric == "mahalanobis"
        expect_moderate_powers(self.alpha, c)
        focal_sets = resolve_focal_sets(self.focal_sets, c, n_objects=len(X))
        centred, origin, spread = centred_with_spread(X)
        places = V - origin
        setting = Setting(focal_sets, self.alpha, self.beta, 1.0, (ROUNDING * spread) ** 2)
        if self.delta == "auto":
            delta = fence(centred[sample_objects(len(X), c, None)], places, setting, adaptive, spread)
        else:
            delta = float(self.delta)
        setting = setting._replace(delta=delta)
        rule = {"adaptive": adaptive, "tol": self.tol, "max_iter": self.max_iter}
        run = adapt(centred, places, setting, **rule)
        if are_in_two_steps(self.focal_sets, c):
            masses = optimal_masses(centred, places, run.norms, setting)
            setting = setting._replace(focal_sets=with_pairs(CredalPartition(masses, focal_sets), 1))
            run = adapt(centred, places, setting, **rule)
        self._setting, self.delta_ = setting, delta
        self.n_clusters_ = c
        self.cluster_centers_ = V + self._origin
        self.norm_matrices_ = run.norms if adaptive else identity_norms(*V.shape)
        self._adaptive = adaptive
        self.ridged_ = run.ridged
        keep_trace(self, run.objective, run.converged)
        self._describe(self._partition(X, X, *self._prototypes()), X, spread)
        return self

    def _read_fit(self, X: npt.ArrayLike) -> tuple[np.ndarray, int]:
        """Check `X` and the parameters; return `X` (n, p) about the origin, and K."""
        X = read_objects(self, X)
        K = count_of_neighbours(self.n_neighbors, len(X))
        if self.n_clusters is not None:
            expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        ways = {
            "n_clusters": self.n_clusters,
            "prototypes": None if isinstance(self.prototypes, str) else self.prototypes,
            "least_delta or least_belief": (
                None if self.least_delta is None and self.least_belief is None else True
            ),
        }
        given = [name for name, value in ways.items() if value is not None]
        expect(len(given) <= 1, f"at most one of {', '.join(ways)}", " and ".join(given))
        X, self._origin = near_zero(X)
        return X, K

    def _choose_prototypes(self, X: np.ndarray, K: int) -> np.ndarray:
        """Set ``peaks_``, ``graph_`` and ``prominence_drop_``; return prototypes (c, p), about the origin."""
        self.graph_ = self.peaks_ = self.prominence_drop_ = None
        if not isinstance(self.prototypes, str):
            return self._given_prototypes(X)
        graph = graph_of_attributes(X, K, self.q)
        if self.least_delta is None and self.least_belief is None:
            self.peaks_ = graph.peaks(self.n_clusters)
        else:
            self.peaks_ = graph.peaks_beyond(self.least_delta or 0.0, self.least_belief or 0.0)
        self.graph_ = graph
        self.prominence_drop_ = graph.drop(len(self.peaks_))
        return X[self.peaks_]

    def _given_prototypes(self, X: np.ndarray) -> np.ndarray:
        """Return the given prototypes (c, p) about the origin; set ``peaks_`` if they are objects."""
        given, p = as_array("prototypes", self.prototypes), X.shape[1]
        if given.ndim == 2:
            points = as_floats("prototypes", given)
            expect(points.shape[1] == p, f"prototypes of shape (c, {p})", points.shape)
            expect(np.isfinite(points).all(), "finite numbers in prototypes", points)
            V = points - self._origin
        else:
            expect(
                given.ndim == 1 and given.size > 0, "prototypes as objects, or as points (c, p)", given.shape
            )
            try:
                self.peaks_ = rows_of(list(self.prototypes), self._index, len(X))
            except ValueError as error:
                raise ValueError(f"expected prototypes to be objects, or points (c, {p}): {error}") from None
            V = X[self.peaks_]
        expect(len(np.unique(V, axis=0)) == len(V), "prototypes at different places", self.prototypes)
        expect_count("number of prototypes", len(V), 1, len(X), "n_samples")
        return V


class Adaptation(NamedTuple):
    """Norms (None with the Euclidean metric), and the objective after each step."""

    norms: np.ndarray | None
    ridged: np.ndarray
    objective: list
    converged: bool


def adapt(
    X: np.ndarray, V: np.ndarray, setting: Setting, *, adaptive: bool, tol: float, max_iter: int
) -> Adaptation:
    """Update norms, if `adaptive`, and masses in turn at fixed prototypes `V` (c, p).

    Stops when the objective is `at_rest` with the share `tol` of it. `X` (n, p) is about its mean.
    """
    S = identity_norms(*V.shape) if adaptive else None
    ridged, converged, still = np.zeros(len(V), dtype=bool), False, np.zeros(V.shape)
    unknowns = len(X) * len(setting.focal_sets)
    with one_blas_thread():
        now = moments(X, V, S, setting)
        trace = [now.objective / unknowns]
        for _ in track_iterations(max_iter, "iteration"):
            if adaptive:
                S, ridged = norm_step(now, still, S, setting)
                now = moments(X, V, S, setting)
            trace.append(now.objective / unknowns)
            converged = at_rest(trace, tol * trace[-2])
            if converged:
                break
    return Adaptation(S, ridged, trace, converged)


def fence(X: np.ndarray, V: np.ndarray, setting: Setting, adaptive: bool, spread: float) -> float:
    """Choose the distance to the empty set as `outlier_distance` does, but at fixed prototypes.

    (m, p), (c, p) -> float; the `delta` of the setting is not used.
    """
    apart = limits(X, V, None, setting)
    gap = least_gap(V, apart, spread)
    delta = beyond_most(apart, gap)
    least = delta / MOST_SHRINKAGE
    for _ in range(SHORT_FITS if adaptive else 0):
        short = {"adaptive": True, "tol": SHORT_TOL, "max_iter": SHORT_ITERATIONS}
        S = adapt(X, V, setting._replace(delta=delta), **short).norms
        delta = max(beyond_most(limits(X, V, S, setting), gap), least)
    return delta
