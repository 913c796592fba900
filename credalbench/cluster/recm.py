r"""RECM: evidential c-means on dissimilarities alone.

ECM finds masses M and prototypes V that minimise

.. math:: J(M, V) = \sum_i \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
                    + \sum_i \delta^2 m_{i\emptyset}^\beta,
          \qquad d_{iA} = \Big\| x_i - \frac{1}{|A|} \sum_{k \in A} v_k \Big\|.

Every optimal prototype is a weighted mean of the objects, :math:`V = W X` (``prototypes.py``). With the
Gram matrix :math:`G = -\frac12 Q D Q` of the *squared* dissimilarities D, :math:`Q = I - 11^T/n`,

.. math:: d_{iA}^2 = (e_i - w_A)^T G (e_i - w_A), \qquad w_A = \frac{1}{|A|} \sum_{k \in A} w_k,

so coordinates are not needed [masson2009]. For Euclidean distances, RECM is the same as ECM, and the
objective decreases with every half-step. For other dissimilarities, G has negative eigenvalues, squared
"distances" may be negative, and the objective may increase.

Deviations from the R package and the paper
-------------------------------------------
D1. A negative squared distance is replaced by zero (and counted in ``negative_distances_``), so that masses
    are valid. Other programs produce NaN from powers of negative numbers.
D2. ``spectral_shift`` adds the smallest constant that makes the dissimilarities Euclidean to the squared
    dissimilarities between different objects, following [hathaway1994]. It is off by default.
D3. The default :math:`\delta^2` is the 0.95-quantile of the squared dissimilarities between different
    objects, as in the papers. The package squares that quantile once more.
"""

import warnings
from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsOrAuto, resolve_focal_sets
from credalbench.cluster.inputs.dissimilarities import MetricLike, dissimilarity_matrix
from credalbench.cluster.inputs.new_objects import FittedObjects
from credalbench.cluster.prototypes.gram import (
    WeightedMeans,
    gram_matrix,
    negative_eigenvalues,
    shifted_gram_matrix,
    squared_distances,
)
from credalbench.cluster.prototypes.mass_update import (
    Alpha,
    Beta,
    Setting,
    expect_moderate_powers,
    focal_costs,
    masses_from_costs,
    objective,
)
from credalbench.cluster.prototypes.prototype_step import prototype_weights
from credalbench.cluster.prototypes.relational import RelationalPredictions
from credalbench.core.arguments import (
    Array,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    PositiveLength,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import at_rest, keep_trace, read_objects, warn_if_coincident
from credalbench.core.estimators import Examples
from credalbench.core.progress import track, track_iterations
from credalbench.core.threads import one_blas_thread

DELTA_QUANTILE = 0.95  # of the squared dissimilarities, for delta^2
SET_WORK = 16  # multiplications of an object and a focal set in an iteration, about


class RECM(RelationalPredictions, ClusterMixin, BaseEstimator):
    r"""Relational evidential c-means: ECM from dissimilarities, by alternating minimisation.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise (see Notes).
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    beta : float in (1, 100], default 1.5
        Exponent of the masses: values close to 1 give hard masses.
    delta : float in (1e-100, 1e100), optional
        Distance of every object to the empty set, in the units of the dissimilarities. None: its square is
        the 0.95-quantile of the squared dissimilarities between different objects.
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Subsets of clusters that may receive mass; "full" has 2^c sets. "auto": "full" for up to three
        clusters, otherwise "simple".
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed" when `X` is an (n, n) dissimilarity matrix.
    square : bool, default True
        Whether to square the dissimilarities first. Use False if they are already squared.
    spectral_shift : bool, default False
        Whether to make non-Euclidean dissimilarities Euclidean by adding the smallest sufficient constant to
        the squared dissimilarities between different objects.
    symmetrize : bool, default False
        Replace an asymmetric matrix by the mean of itself and its transpose instead of raising an error.
    n_init : int, default 1
        Number of random starts; the run with the lowest objective is returned.
    init : (n, f) array, optional
        Starting masses; each row sums to 1. By default, they are uniform numbers on the non-empty sets,
        normalised by row.
    tol : float, default 1e-8
        Stop when the Frobenius norm of the change of the masses, divided by n f, is at most this value, and
        the remaining change, extrapolated from the last two steps, is at most five times this value. With the
        published 1e-5 and thousands of objects, the fit stops while masses still change by 1e-3.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the masses at the start.
    random_state : int, RandomState instance or None
        Seed of the starting masses.

    Attributes
    ----------
    partition_ : CredalPartition
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        J at the final masses and the prototypes from which they were computed.
    objective_trace_ : (n_iter + 1,) array
        J at the start (with the prototypes of the starting masses) and after each mass step.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    delta_ : float
        Distance to the empty set.
    prototype_weights_ : (c, n) array
        Weights of the objects in the prototypes from which the final masses were computed.
    negative_eigenvalues_ : array
        Negative eigenvalues of the Gram matrix of the input, ascending; empty for Euclidean dissimilarities.
    negative_distances_ : (n_iter,) int array
        Number of negative squared distances to prototypes, replaced by zero, in each iteration.
    shift_ : float
        Constant added to the squared dissimilarities (0 without `spectral_shift`).
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; a precomputed matrix that is not square, negative, asymmetric (see
        `symmetrize`) or without a zero diagonal; fewer than one or more than n clusters; a parameter out of
        range, by itself or compared with the dissimilarities (`delta`); dissimilarities that are all zero; a
        default delta of zero; starting masses whose rows are negative or do not sum to 1.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object. Prototypes coincide.
        The dissimilarities are not Euclidean and `spectral_shift` is off: the message gives the numbers of
        negative eigenvalues and squared distances. Computing the eigenvalues takes more than half a minute.

    Notes
    -----
    An iteration costs O(n^2 c + n f c), mostly one (c, n) by (n, n) product; memory is two (n, n) arrays. For
    dissimilarities other than ``metric="euclidean"``, a Cholesky factorisation (O(n^3), once) shows whether
    they are Euclidean; the eigenvalues are computed only if they are not.

    The spectral shift is determined by the most negative eigenvalue. If it exceeds the squared
    dissimilarities, all objects are about equally far from all prototypes, with nearly equal masses.

    With one cluster, the method is noise clustering (see `ECM`).

    References
    ----------
    [masson2009], [masson2008], [hathaway1994]

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> fit = RECM(2, delta=50**0.5, random_state=0).fit(load("butterfly").X)
    >>> fit.partition_.outliers().nonzero()[0] + 1
    array([12])
    """

    examples = Examples(start="masses")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = 1.0,
        beta: Beta = 1.5,
        delta: PositiveLength | None = None,
        focal_sets: FocalSetsOrAuto = "auto",
        metric: MetricLike = "euclidean",
        square: bool = True,
        spectral_shift: bool = False,
        symmetrize: bool = False,
        n_init: PositiveInt = 1,
        init: Annotated[npt.ArrayLike, Array()] | None = None,
        tol: NonNegativeFloat = 1e-8,
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.focal_sets = focal_sets
        self.metric = metric
        self.square = square
        self.spectral_shift = spectral_shift
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
        RECM
            The fitted estimator.
        """
        X, focal_sets = self._validate(X)
        rng = check_random_state(self.random_state)
        with one_blas_thread():  # the number of threads would change the last bits
            G, delta = self._prepare(X)
        setting = Setting(focal_sets, self.alpha, self.beta, delta)
        rule = {"tol": self.tol, "max_iter": self.max_iter}
        starts = self._starts(len(X), focal_sets, rng)
        runs = (alternate(G, masses, setting, **rule) for masses in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        self.partition_ = CredalPartition(best.masses, focal_sets, self._index)
        self.labels_ = labels_of(self.partition_)
        with one_blas_thread():
            self._prototypes = WeightedMeans.of(best.weights, G)
        self._warn_if_coincident(G)
        self._objects = FittedObjects.of(X, self.metric)
        self._setting, self._squares = setting, self.square
        keep_trace(self, best.objective, best.converged)
        self.prototype_weights_ = best.weights
        self.negative_distances_ = np.array(best.negative)
        if self.negative_eigenvalues_.size and not self.spectral_shift:
            self._warn_that_not_euclidean(len(X))
        return self

    def _squared_distances(self, D: np.ndarray):
        """Compute the squared distances to the focal sets from new dissimilarities: (b, n) -> (b, f').

        Objects at dissimilarity 0 count as the same, without a spectral shift between them.
        """
        squared = D**2 if self._squares else D
        if self.shift_:
            squared = np.where(squared > 0, squared + self.shift_, 0.0)
        return self._prototypes.squared_distances(squared, self._setting.focal_sets)

    def _prepare(self, X: np.ndarray):
        """Return the Gram matrix (n, n) of squared dissimilarities and delta."""
        D = dissimilarity_matrix(X, self.metric, self.symmetrize)
        expect(D.any(), "some positive dissimilarity", "zeros only")
        squared = np.square(D, out=None if D is X else D) if self.square else D
        quantile = self._squared_delta(squared)
        G = gram_matrix(squared, out=None if squared is X else squared)
        # a square root of Euclidean distances is also Euclidean, so `square` does not matter here
        euclidean = isinstance(self.metric, str) and self.metric == "euclidean"
        self.negative_eigenvalues_ = np.empty(0) if euclidean else negative_eigenvalues(G)
        self.shift_ = 0.0
        if self.spectral_shift and self.negative_eigenvalues_.size:
            self.shift_ = float(-2 * self.negative_eigenvalues_[0])
            G = shifted_gram_matrix(G, self.shift_)
        if self.delta is None:
            expected = "delta, since most dissimilarities are 0 relative to the largest"
            expect(quantile + self.shift_ > 0, expected, None)
            delta = float(np.sqrt(quantile + self.shift_))
        else:
            delta = float(self.delta)
        self.delta_ = delta
        return G, delta

    def _squared_delta(self, squared: np.ndarray):
        """Return the quantile of the squared dissimilarities (n, n) for a delta that is not given."""
        if self.delta is not None:
            return None
        return np.quantile(squareform(squared, checks=False), DELTA_QUANTILE, overwrite_input=True)

    def _starts(self, n: int, focal_sets: FocalSets, rng: np.random.RandomState):
        """Yield the given starting masses, or `n_init` random ones without mass on the empty set."""
        if self.init is not None:
            yield CredalPartition(self.init, focal_sets).masses
            return
        for _ in track(range(self.n_init), "start"):
            masses = rng.random_sample((n, len(focal_sets)))
            masses[:, : int(focal_sets.has_empty)] = 0.0
            yield masses / masses.sum(axis=1, keepdims=True)

    def _warn_if_coincident(self, G: np.ndarray):
        products, to_objects = self._prototypes.products, self._prototypes.weights @ G
        norms, lengths = np.diag(G), np.diag(products)
        apart = np.abs(lengths[:, None] - 2 * products + lengths)
        apart = np.sqrt(np.where(apart < self._prototypes.rounding, 0.0, apart))
        nearest = np.sqrt(np.abs(norms - 2 * to_objects + lengths[:, None]).min(axis=0))
        warn_if_coincident(self, apart, np.median(nearest), np.sqrt(norms.max()))

    def _warn_that_not_euclidean(self, n: int):
        negative = self.negative_eigenvalues_
        warnings.warn(
            f"the dissimilarities are not Euclidean: {negative.size} of the {n} eigenvalues of their Gram "
            f"matrix are negative (down to {negative[0]:.3g}), and {self.negative_distances_.sum()} negative "
            f"squared distances to prototypes were taken as zero in {self.n_iter_} iterations. The objective "
            "need not fall; spectral_shift=True makes the dissimilarities Euclidean",
            UserWarning,
            stacklevel=4,
        )

    def _validate(self, X: npt.ArrayLike):
        X = read_objects(self, X)
        n = len(X)
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=n)
        if self.init is not None:
            shape = (n, len(focal_sets))
            expect(np.shape(self.init) == shape, f"init of shape {shape}", np.shape(self.init))
        expect_moderate_powers(self.alpha, self.n_clusters)
        return X, focal_sets


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

    masses: np.ndarray
    weights: np.ndarray
    objective: list
    negative: list
    converged: bool


def alternate(
    G: np.ndarray, masses: np.ndarray, setting: Setting, *, tol: float, max_iter: int
) -> Alternation:
    """Update prototypes and masses (n, f) in turn until the masses converge; `G` is (n, n)."""
    focal_sets, alpha, beta, delta, _ = setting
    negatives, changes, converged = [], [], False

    def prototype_step(masses: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        weights = prototype_weights(masses, focal_sets, alpha, beta)
        squared, negative = squared_distances(G, weights, focal_sets)
        return weights, focal_costs(squared, focal_sets, alpha, delta), negative

    with one_blas_thread():
        weights, costs, negative = prototype_step(masses)
        trace = [objective(masses, costs, beta)]
        for _ in track_iterations(max_iter, "iteration"):
            if negatives:
                weights, costs, negative = prototype_step(masses)
            previous, masses = masses, masses_from_costs(costs, beta)
            trace.append(objective(masses, costs, beta))
            negatives.append(negative)
            changes.append(np.linalg.norm(masses - previous))
            converged = at_rest(trace, tol * masses.size, changes)
            if converged:
                break
    return Alternation(masses, weights, trace, negatives, converged)
