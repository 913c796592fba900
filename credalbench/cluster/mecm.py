r"""MECM: evidential c-means with objects as prototypes, for any dissimilarities.

The prototype (medoid) of a cluster is one of the objects, so nothing but the dissimilarities
:math:`\tau(i, j)` is needed; they need not be distances [zhou2015]. The masses minimise

.. math:: J = \sum_i \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
              + \sum_i \delta^2 m_{i\emptyset}^\beta

with :math:`d_{i\{k\}} = \tau(i, v_k)` and, for several clusters,

.. math:: d_{iA} = \frac{\gamma\, \tau(i, v_A) + \rho_{iA} \min_{k \in A} \tau(i, v_k)}{\gamma + 1}, \qquad
          \rho_{iA} = \frac{\sum_{k,l \in A} |\tau(i, v_k) - \tau(i, v_l)|}
                           {\eta \sum_{k,l \in A} \tau(v_k, v_l)}:

an object is near a set if it is near the object :math:`v_A` that stands for the set, or near a medoid and
about as far from the others. Over the objects p, :math:`v_A` minimises
:math:`\mathrm{var}_{k \in A}\, \tau(p, v_k) + \eta\, \mathrm{mean}_{k \in A}\, \tau(p, v_k)`.

**These formulas are stated from the literature and could not be checked against the paper's text.** No table
or figure of the five papers depends on them.

Choices of this implementation
------------------------------
D1. A medoid minimises the part of J that belongs to its singleton,
    :math:`\sum_i m_{ik}^\beta \tau(i, p)^2`, as is common; the terms of larger sets would cost O(n^2 f). No
    two clusters share a medoid. Of equally good objects the first is taken: where there are such ties, the
    result depends on the order of the objects.
D2. A move of medoids that does not lower J is not made: the objective falls, and the search ends.
D3. Where the medoids of a set are duplicates (their dissimilarities sum to 0), :math:`\rho_{iA} = 0`; where
    they are almost, it is at most 1e30.
"""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.arguments import (
    Array,
    NonNegativeFloat,
    Number,
    PositiveFloat,
    PositiveInt,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.attributes import read_objects, warn_if_not_converged
from credalbench.belief import CredalPartition
from credalbench.belief.decision import labels_of
from credalbench.cluster.inputs.dissimilarities import (
    WITHOUT_MATRICES,
    MetricLike,
    dissimilarities_in_unit,
    expect_matrices,
)
from credalbench.cluster.inputs.focal_sets import FEWER_SETS, FocalSetsLike, resolve_focal_sets
from credalbench.cluster.inputs.new_objects import FittedObjects
from credalbench.cluster.prototypes.mass_update import (
    Alpha,
    Beta,
    Setting,
    expect_moderate_powers,
    focal_costs,
    masses_from_costs,
    objective,
)
from credalbench.cluster.prototypes.medoids import SetMedoids, focal_dissimilarities
from credalbench.cluster.prototypes.relational import RelationalPredictions
from credalbench.examples import Examples
from credalbench.progress import track, track_iterations
from credalbench.prototypes import DistancesToPrototypes
from credalbench.resources import MATRIX_GAIN, warn_if_slow
from credalbench.scaling import Scale

DELTA_QUANTILE = 0.95  # of the squared dissimilarities, for delta^2
MASS_ARRAYS = 6  # (n, f) arrays at a time in an iteration, measured
SET_WORK = 64  # multiplications of an object and a focal set in an iteration, about


class MECM(RelationalPredictions, DistancesToPrototypes, ClusterMixin, BaseEstimator):
    r"""Median evidential c-means: prototypes that are objects, for any dissimilarities.

    The formulas are from the literature, unverified; see the module.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. One is a cluster and noise, see Notes.
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: the larger, the less mass on large sets.
    beta : float in (1, 100], default 2.0
        Exponent of the masses: towards 1 they become hard.
    delta : float > 0, optional
        Distance of every object to the empty set, in the units of the dissimilarities. None: its square is
        the 0.95-quantile of the squared dissimilarities between different objects.
    gamma : float in [0, 1e30], default 0.5
        Weight of the object that stands for a set of clusters.
    eta : float > 0, default 1.0
        How much that object should be near the medoids, against equally far from all of them. This weighs
        lengths against their squares: in other units of the dissimilarities, other masses go to sets of
        several clusters.
    focal_sets : {"full", "simple", "pairs"} or FocalSets, default "full"
        Which subsets of clusters may receive mass; every singleton must be among them.
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed" when `X` is an (n, n) dissimilarity matrix.
    square : bool, default True
        Whether :math:`d_{iA}` enters the objective squared. False for dissimilarities that are squared
        already: then :math:`d_{iA}` stands where :math:`d_{iA}^2` is printed.
    symmetrize : bool, default False
        Replace an asymmetric matrix by the mean of itself and its transpose instead of refusing it.
    n_init : int, default 1
        Number of random starts; the run of lowest objective is returned.
    init : (c,) int array, optional
        Starting medoids, as indices of different objects. By default drawn at random.
    tol : float, default 1e-5
        Stop when the objective falls by less than this share of it.
    max_iter : int, default 100
        Cap on iterations.
    random_state : int, RandomState instance or None
        Source of the starting medoids.

    Attributes
    ----------
    partition_ : CredalPartition
    labels_ : (n,) int array
        Clusters of maximal plausibility, by their numbers in `partition_`; empty ones leave gaps.
    medoid_indices_ : (c,) int array
        The object that is the prototype of each cluster of `partition_`.
    cluster_centers_ : (c, p) array
        Its attributes. Absent with ``metric="precomputed"``.
    objective_ : float
        J, in squares of `unit_`.
    objective_trace_ : (n_iter + 1,) array
        J at the starting medoids and after each move; falls.
    n_iter_ : int
        Moves of the medoids.
    converged_ : bool
        Whether the search ended within `max_iter`.
    delta_ : float
        Distance to the empty set in use.
    unit_ : float
        As in `RECM`.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; a precomputed matrix that is not square, negative, asymmetric (see
        `symmetrize`) or without a zero diagonal; fewer than one or more than n clusters; a parameter out of
        range, by itself or relative to the dissimilarities (`delta`); dissimilarities that are all zero; a
        default delta of zero; starting medoids that are no c different objects.
    NotEnoughMemory
        A ValueError and a MemoryError: the message names need, limit and way out.

    Warns
    -----
    ConvergenceWarning
        `max_iter` ended the fit.
    UserWarning
        A cluster has no object.
        An iteration takes more than half a minute.

    Notes
    -----
    An iteration costs O(n^2 c + n c^2 f); memory is two (n, n) arrays. With one cluster this is noise
    clustering about a medoid, see `ECM`.

    Of objects that make equally good medoids the first is taken. Where there are such ties, as between
    duplicates or on a grid, other orders of the objects may end at other medoids, with quite other masses.

    References
    ----------
    [zhou2015], [masson2008]

    Examples
    --------
    >>> fit = MECM(2, n_init=5, random_state=0).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> sorted(fit.medoid_indices_.tolist())
    [1, 4]
    """

    examples = Examples(start="medoids")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = 1.0,
        beta: Beta = 2.0,
        delta: PositiveFloat | None = None,
        gamma: Annotated[float, Number(low=0, high=1e30)] = 0.5,
        eta: PositiveFloat = 1.0,
        focal_sets: FocalSetsLike = "full",
        metric: MetricLike = "euclidean",
        square: bool = True,
        symmetrize: bool = False,
        n_init: PositiveInt = 1,
        init: Annotated[npt.ArrayLike, Array()] | None = None,
        tol: NonNegativeFloat = 1e-5,
        max_iter: PositiveInt = 100,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.gamma = gamma
        self.eta = eta
        self.focal_sets = focal_sets
        self.metric = metric
        self.square = square
        self.symmetrize = symmetrize
        self.n_init = n_init
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute the credal partition of objects.

        Parameters
        ----------
        X : (n, p) or (n, n) array or DataFrame
            Attributes of the objects, or with ``metric="precomputed"`` their dissimilarities.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        MECM
            The fitted estimator.
        """
        X, focal_sets = self._validate(X)
        self._estimate(*X.shape, len(focal_sets))
        rng = check_random_state(self.random_state)
        tau, unit = dissimilarities_in_unit(X, self.metric, self.symmetrize)
        expect(tau.any(), "some positive dissimilarity", "zeros only")
        scale = Scale(unit if self.square else math.sqrt(unit))
        delta = self._resolve_delta(tau, scale)
        self.delta_, self.unit_ = delta * scale.unit, scale.unit
        squared = tau**2 if self.square else tau

        def masses_at(medoids: np.ndarray) -> tuple[np.ndarray, float]:
            d = focal_dissimilarities(tau, medoids, focal_sets, self.gamma, self.eta, unit)
            costs = focal_costs(d**2 if self.square else d, focal_sets, self.alpha, delta)
            masses = masses_from_costs(costs, self.beta)
            return masses, objective(masses, costs, self.beta)

        def move(masses: np.ndarray) -> np.ndarray:
            return next_medoids(squared, masses[:, focal_sets.singletons] ** self.beta)

        runs = [
            alternate(medoids, masses_at, move, self.tol, self.max_iter)
            for medoids in self._starts(len(X), rng)
        ]
        best = min(runs, key=lambda run: run.objective[-1])
        self.partition_ = CredalPartition(best.masses, focal_sets, self._index)
        self.labels_ = labels_of(self.partition_)
        self._keep(X, tau, best.medoids, Setting(focal_sets, self.alpha, self.beta, delta), unit)
        self.medoid_indices_ = best.medoids
        if not self._precomputed():
            self.cluster_centers_ = X[best.medoids]
        self.objective_ = best.objective[-1]
        self.objective_trace_ = np.array(best.objective)
        self.n_iter_ = len(best.objective) - 1
        self.converged_ = best.converged
        warn_if_not_converged(self)
        return self

    def _keep(self, X: np.ndarray, tau: np.ndarray, medoids: np.ndarray, setting: Setting, unit: float):
        """Set what is needed for new objects."""
        self._objects = FittedObjects.of(X, self.metric, unit)
        self._places = SetMedoids.of(tau, medoids, setting.focal_sets, self.gamma, self.eta, unit)
        self._setting, self._squares = setting, self.square

    def _distances(self, X: npt.ArrayLike):
        to_medoids = [D[:, self.medoid_indices_] for D in self._objects.compared(self, X)]
        return np.concatenate(to_medoids) * self._objects.unit

    def _squared_distances(self, D: np.ndarray):
        """Compute squared distances to the focal sets from new dissimilarities: (b, n) -> (b, f')."""
        d = self._places.dissimilarities(D)
        return d**2 if self._squares else d

    def _estimate(self, n: int, p: int, f: int):
        """Refuse what does not fit into memory, warn of what takes long, see Notes."""
        pairs = self.n_clusters * (self.n_clusters - 1)  # of medoids, in two (n, pairs / 2) arrays
        copy = 0 if self._precomputed() else n * p
        expect_matrices(2, n, more=8 * (n * (MASS_ARRAYS * f + pairs) + copy))
        what = f"an iteration over {n} objects and {f} focal sets"
        work = n * (n + f * (SET_WORK + pairs / MATRIX_GAIN))
        warn_if_slow(work, what, f"{FEWER_SETS}, or {WITHOUT_MATRICES}")

    def _resolve_delta(self, tau: np.ndarray, scale: Scale):
        if self.delta is not None:
            return scale.length("delta", self.delta)
        squared = squareform(tau, checks=False)  # each pair once
        if self.square:
            np.square(squared, out=squared)
        quantile = np.quantile(squared, DELTA_QUANTILE, overwrite_input=True)
        expect(quantile > 0, "delta, since most dissimilarities are 0 relative to the largest", None)
        return float(np.sqrt(quantile))

    def _starts(self, n: int, rng: np.random.RandomState):
        """Yield the given starting medoids, or `n_init` random choices."""
        if self.init is not None:
            yield np.array(self.init)
            return
        for _ in track(range(self.n_init), "start"):
            yield rng.choice(n, self.n_clusters, replace=False)

    def _validate(self, X: npt.ArrayLike):
        X = read_objects(self, X)
        n = len(X)
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters)
        expect_moderate_powers(self.alpha, self.n_clusters)
        expect((focal_sets.singletons >= 0).all(), "every singleton among the focal sets", focal_sets)
        if self.init is not None:
            init = np.asarray(self.init)
            fits = init.shape == (self.n_clusters,) and init.dtype.kind in "iu"
            fits = fits and len(np.unique(init)) == self.n_clusters and init.min() >= 0 and init.max() < n
            expect(fits, f"init of {self.n_clusters} different objects in 0..{n - 1}", self.init)
        return X, focal_sets


class MedoidSearch(NamedTuple):
    """Where the search for medoids ended, and the objective on its way there."""

    medoids: np.ndarray
    masses: np.ndarray
    objective: list
    converged: bool


def alternate(
    medoids: np.ndarray,
    masses_at: Callable[[np.ndarray], tuple[np.ndarray, float]],
    move: Callable[[np.ndarray], np.ndarray],
    tol: float,
    max_iter: int,
) -> MedoidSearch:
    """Update masses and medoids in turn, as long as the objective falls.

    `medoids` (c,) is the start; ``masses_at(medoids)`` returns (masses (n, f), objective), ``move(masses)``
    the next medoids.
    """
    masses, value = masses_at(medoids)
    trace = [value]
    for _ in track_iterations(max_iter, "iteration"):
        candidate = move(masses)
        if np.array_equal(candidate, medoids):
            return MedoidSearch(medoids, masses, trace, True)
        new_masses, value = masses_at(candidate)
        gain = trace[-1] - value
        if gain > 0:
            medoids, masses = candidate, new_masses
            trace.append(value)
        if gain <= tol * value:
            return MedoidSearch(medoids, masses, trace, True)
    return MedoidSearch(medoids, masses, trace, False)


def next_medoids(squared: np.ndarray, weights: np.ndarray) -> np.ndarray:
    r"""Find for each cluster the object p that minimises :math:`\sum_i w_{ik} \tau(i, p)^2`, none twice.

    Clusters choose in turn, from what earlier ones left. (n, n), (n, c) -> (c,), O(n^2 c).
    """
    scores = squared @ weights
    medoids = np.empty(weights.shape[1], dtype=np.intp)
    for k in range(len(medoids)):
        medoids[k] = np.argmin(scores[:, k])
        scores[medoids[k]] = np.inf
    return medoids
