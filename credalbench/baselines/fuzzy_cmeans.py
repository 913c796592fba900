r"""Fuzzy c-means [bezdek1981]: memberships U and centres V that minimise

.. math:: J(U, V) = \sum_i \sum_k u_{ik}^m \|x_i - v_k\|^2, \qquad \sum_k u_{ik} = 1, \; u_{ik} \geq 0,

in turn, each step exact.

.. math:: v_k = \frac{\sum_i u_{ik}^m x_i}{\sum_i u_{ik}^m}, \qquad
          u_{ik} \propto \|x_i - v_k\|^{-2 / (m - 1)}.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import kmeans_plusplus
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.core.arguments import (
    LARGEST,
    Array,
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import (
    at_rest,
    different_objects,
    init_about,
    keep_trace,
    near_zero,
    read_attributes,
    read_weights,
    warn_if_coincident,
)
from credalbench.core.estimators import DistancesToPrototypes, Examples
from credalbench.core.progress import track, track_iterations

SEEDINGS = ("k-means++", "random")
Init = Annotated[str | npt.ArrayLike, Array() | Choice(*SEEDINGS)]


class FuzzyCMeans(DistancesToPrototypes, ClusterMixin, BaseEstimator):
    r"""Fuzzy c-means by alternating minimisation.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    m : float in (1, 100], default 2.0
        Exponent of the memberships: close to 1 they become hard.
    init : {"k-means++", "random"} or (c, p) array, default "k-means++"
        Starting centres; "random" takes c different objects.
    n_init : int, default 1
        Number of starts; the run with the lowest objective is returned. An array `init` is one start.
    tol : float, default 1e-5
        Stop when no membership changes by more than `tol`, and at most five times as
        much is left, which is extrapolated from the last two steps.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the memberships at the starting centres.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    membership_ : (n, c) array
        u_ik, rows on the simplex.
    labels_ : (n,) int array
        Column of the largest membership, the first one if several are equal. Labels of clusters without
        objects are missing.
    cluster_centers_ : (c, p) array
        Centres from which `membership_` was computed.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the first memberships and after each iteration; it never increases.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_features_in_ : int

    Raises
    ------
    ValueError
        If values are NaN or infinite, values or the spread of `X` are out of range, or a parameter is out of
        range.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        Centres coincide.

    Notes
    -----
    An iteration costs O(n c p). An object that lies on a centre belongs fully to it, or in equal shares to
    all centres at that place. A centre without any membership stays where it is.

    References
    ----------
    [bezdek1981], [bezdek1984]

    Examples
    --------
    >>> fit = FuzzyCMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> bool(fit.labels_[0] == fit.labels_[1] != fit.labels_[2] == fit.labels_[3])
    True
    """

    examples = Examples(start="objects")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        m: Annotated[float, Number(above=1, high=100)] = 2.0,
        init: Init = "k-means++",
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat = 1e-5,
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None, *, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Compute memberships and centres.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        sample_weight : (n,) array, optional
            Weights of the objects, at least 0: an object of weight 2 counts as two objects.

        Returns
        -------
        FuzzyCMeans
            The fitted estimator.
        """
        X = read_with_init(self, X)
        weights = read_weights(sample_weight, len(X))
        places, weights = different_objects(X, weights, 1)
        rng = check_random_state(self.random_state)
        init, n_init = init_about(self.init, self._origin), self.n_init if isinstance(self.init, str) else 1
        starts = (
            starting_centers(places, self.n_clusters, init, rng, weights)
            for _ in track(range(n_init), "start")
        )
        runs = (self._alternate(places, V, weights) for V in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        self.membership_ = memberships(squared_distances(X, best.centers, best.roots), self.m)
        self.labels_ = self.membership_.argmax(axis=1)
        self.cluster_centers_ = best.centers + self._origin
        keep_trace(self, best.objective, best.converged)
        self._keep_metric(best)
        within = np.sqrt(np.median(squared_distances(X, best.centers).min(axis=1)))
        warn_if_coincident(self, cdist(best.centers, best.centers), within, np.abs(X).max())
        return self

    @checked
    def predict_membership(self, X: npt.ArrayLike) -> np.ndarray:
        """Compute memberships of new objects, with fixed centres.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes of new objects.

        Returns
        -------
        (m, c) array
            Memberships; each row sums to 1.
        """
        check_is_fitted(self)
        return memberships(self._squared_distances(X), self.m)

    def predict(self, X: npt.ArrayLike) -> np.ndarray:
        """Predict the cluster of largest membership of new objects.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes of new objects.

        Returns
        -------
        (m,) int array
            Labels, numbered as ``labels_``.
        """
        return self.predict_membership(X).argmax(axis=1)

    def _squared_distances(self, X: npt.ArrayLike):
        """Return squared distances (m, c) of new objects."""
        X = read_attributes(self, X, reset=False) - self._origin
        return squared_distances(X, self.cluster_centers_ - self._origin, self._roots)

    def _distances(self, X: npt.ArrayLike):
        return np.sqrt(self._squared_distances(X))

    def _alternate(self, X: np.ndarray, centers: np.ndarray, sample_weight: np.ndarray):
        """Update centres (c, p), metric and memberships until the memberships converge -> Alternation."""
        roots, capped, converged = None, 0, False
        factor = sample_weight[:, None]
        squared = squared_distances(X, centers)
        U = memberships(squared, self.m)
        trace, changes = [objective(U, factor * squared, self.m)], []
        for _ in track_iterations(self.max_iter, "iteration"):
            weights = factor * U**self.m
            centers = weighted_means(X, weights, centers)
            roots, bites = self._metric(X, centers, weights)
            capped += bites
            squared = squared_distances(X, centers, roots)
            previous, U = U, memberships(squared, self.m)
            trace.append(objective(U, factor * squared, self.m))
            changes.append(np.abs(U - previous).max())
            converged = at_rest(trace, self.tol, changes)
            if converged:
                break
        return Alternation(centers, roots, capped, trace, converged)

    def _metric(self, X: np.ndarray, centers: np.ndarray, weights: np.ndarray):
        """Return the roots (c, p, p) of the norm matrices, None if Euclidean, and how many were capped."""
        return None, 0

    def _keep_metric(self, run: Alternation):
        self._roots = None


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

    centers: np.ndarray
    roots: np.ndarray | None
    capped: int
    objective: list
    converged: bool


def memberships(squared: np.ndarray, m: float) -> np.ndarray:
    """Return memberships (n, c) that minimise the objective at `squared` distances (n, c).

    Rows are on the simplex [antoine2012_cecm (1)], [antoine2012_cecm (2)]. Logarithms avoid overflow for m
    near 1. At distance 0, the clusters there get equal shares.
    """
    with np.errstate(divide="ignore"):
        logs = -np.log(squared) / (m - 1)
    highest = logs.max(axis=1, keepdims=True)
    at_center = np.isinf(highest)
    shares = np.exp(logs - np.where(at_center, 0.0, highest), where=~at_center, out=np.zeros_like(logs))
    shares = np.where(at_center, squared == 0, shares)
    return shares / shares.sum(axis=1, keepdims=True)


def weighted_means(X: np.ndarray, weights: np.ndarray, previous: np.ndarray) -> np.ndarray:
    """Compute means (c, p) with `weights` (n, c); a column without weight keeps its `previous` centre."""
    totals = weights.sum(axis=0)
    empty = totals == 0
    means = weights.T @ X / np.where(empty, 1.0, totals)[:, None]
    return np.where(empty[:, None], previous, means)


def objective(membership: np.ndarray, squared: np.ndarray, m: float) -> float:
    """Return the objective of memberships (n, c) at `squared` distances (n, c) [antoine2012_cecm (8)].

    It equals [djiberou2019_catecm (1)] for any distances.
    """
    return float(np.sum(membership**m * squared))


def squared_distances(X: np.ndarray, centers: np.ndarray, roots: np.ndarray | None = None) -> np.ndarray:
    """Return squared distances (n, c) of objects to centres, exactly 0 where they coincide, in O(n c p).

    `roots` (c, p, p) are symmetric square roots of norm matrices; None: Euclidean. With them O(n c p^2).
    """
    squared = np.empty((len(X), len(centers)))
    for k, center in enumerate(centers):
        difference = X - center
        if roots is not None:
            difference = difference @ roots[k]
        squared[:, k] = np.einsum("ij,ij->i", difference, difference)
    return squared


def read_with_init(estimator: BaseEstimator, X: npt.ArrayLike) -> np.ndarray:
    """Check `X` (n, p), `n_clusters` and `init` of an estimator; return `X` about its new ``_origin``."""
    X = read_attributes(estimator, X)
    expect_count("n_clusters", estimator.n_clusters, 1, len(X), "n_samples")
    if not isinstance(estimator.init, str):
        shape = (estimator.n_clusters, X.shape[1])
        expect(np.shape(estimator.init) == shape, f"init of shape {shape}", np.shape(estimator.init))
        largest = float(np.abs(np.asarray(estimator.init, dtype=float)).max())
        expect(largest <= LARGEST, f"finite init up to {LARGEST:g}", largest)
    X, estimator._origin = near_zero(X)
    return X


def starting_centers(
    X: np.ndarray,
    n_clusters: int,
    init: str | npt.ArrayLike,
    rng: np.random.RandomState,
    sample_weight: np.ndarray | None = None,
) -> np.ndarray:
    """Return starting centres (c, p): by k-means++, c different objects of `X`, or a copy of `init`."""
    if not isinstance(init, str):
        return np.array(init, dtype=float)
    X, weights = different_objects(X, sample_weight, n_clusters)
    if init == "random":
        return X[rng.choice(len(X), n_clusters, replace=False, p=weights / weights.sum())]
    return kmeans_plusplus(X, n_clusters, sample_weight=weights, random_state=rng)[0]
