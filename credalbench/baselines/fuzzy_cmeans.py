r"""Fuzzy c-means [bezdek1981]: memberships U and centres V that minimise

.. math:: J(U, V) = \sum_i \sum_k u_{ik}^m \|x_i - v_k\|^2, \qquad \sum_k u_{ik} = 1, \; u_{ik} \geq 0,

by turns, each step exact.

.. math:: v_k = \frac{\sum_i u_{ik}^m x_i}{\sum_i u_{ik}^m}, \qquad
          u_{ik} \propto \|x_i - v_k\|^{-2 / (m - 1)}.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.baselines.labels_of_blocks import LabelsOfBlocks
from credalbench.baselines.norm_matrices import squared_distances
from credalbench.baselines.starting_centers import Init, check_init, sample_of, starting_centers
from credalbench.core.arguments import (
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    Seed,
    checked,
    expect_count,
)
from credalbench.core.blocks import Blocks, are_blocks, expect_unweighted, joined, sum_over
from credalbench.core.checks import (
    init_about,
    near_zero,
    read_attributes,
    read_blocks,
    read_weights,
    warn_if_not_converged,
)
from credalbench.core.distances import DistancesToPrototypes
from credalbench.core.examples import Examples
from credalbench.core.progress import track, track_iterations


class FuzzyCMeans(LabelsOfBlocks, DistancesToPrototypes, ClusterMixin, BaseEstimator):
    r"""Fuzzy c-means by alternating minimisation.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    m : float in (1, 100], default 2.0
        Exponent of the memberships: towards 1 they become hard.
    init : {"k-means++", "random"} or (c, p) array, default "k-means++"
        Centres to start from; "random" takes c different objects.
    n_init : int, default 1
        Number of starts; the run of lowest objective is returned. One when `init` is an array.
    tol : float, default 1e-5
        Stop when no membership changes by `tol` or more.
    max_iter : int, default 1000
        Cap on iterations; 0: the memberships at the starting centres.
    random_state : int, RandomState instance or None
        Seed of the starts.

    Attributes
    ----------
    membership_ : (n, c) array
        u_ik, rows on the simplex. Not after a fit to data in blocks: `predict_membership` of each block.
    labels_ : (n,) int array
        Column of the largest membership; the first of equals. A cluster may win no object: then labels have a
        gap.
    cluster_centers_ : (c, p) array
        From which `membership_` was computed.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J after the first memberships and after each iteration; it never rises.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_features_in_ : int

    Raises
    ------
    ValueError
        On NaN or infinite values; values or a spread of `X` out of range; fewer than one or more than n
        clusters; a parameter out of range.

    Warns
    -----
    ConvergenceWarning
        `max_iter` ended the fit.

    Notes
    -----
    O(n c p) an iteration. An object on a centre belongs to it fully, in equal shares if several centres are
    there. A centre that no object belongs to at all stays where it is.

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
    _in_blocks = True  # whether data in blocks are fitted block by block

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
        X : (n, p) array or DataFrame, or data in blocks
            Attributes of the objects. Blocks are those of a `numpy.memmap`, of a dask array or DataFrame, or
            of a function that returns an iterator of them; see the page *Large data* of the guide.
        y : object
            Ignored, present for scikit-learn's pipelines.
        sample_weight : (n,) array, optional
            Weights of the objects, at least 0: an object of weight 2 counts as two at its place. Not for data
            in blocks.

        Returns
        -------
        FuzzyCMeans
            The fitted estimator.
        """
        given, X = X, self._validate(X)
        expect_unweighted(X, sample_weight)
        weights = read_weights(sample_weight, len(X))
        rng = check_random_state(self.random_state)
        init, n_init = init_about(self.init, self._origin), self.n_init if isinstance(self.init, str) else 1
        sample = sample_of(X, self.n_clusters, rng) if isinstance(X, Blocks) and isinstance(init, str) else X
        starts = (
            starting_centers(sample, self.n_clusters, init, rng, weights)
            for _ in track(range(n_init), "start")
        )
        runs = (self._alternate(X, V, weights) for V in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        self._forget_objects(given if isinstance(X, Blocks) else None)
        if best.membership is not None:
            self.membership_ = best.membership
            self.labels_ = best.membership.argmax(axis=1)
        self.cluster_centers_ = best.centers + self._origin
        self.objective_ = best.objective[-1]
        self.objective_trace_ = np.array(best.objective)
        self.n_iter_ = len(best.objective) - 1
        self.converged_ = best.converged
        warn_if_not_converged(self)
        self._keep_metric(best)
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
            Memberships, each row of sum 1.
        """
        check_is_fitted(self)
        return memberships(self._squared_distances(X), self.m)

    def predict(self, X: npt.ArrayLike) -> np.ndarray:
        """Predict the cluster of largest membership of new objects.

        Parameters
        ----------
        X : (m, p) array or DataFrame, or data in blocks
            Attributes of new objects.

        Returns
        -------
        (m,) int array
            Labels, numbered as ``labels_``.
        """
        return joined(X, self.predict) if are_blocks(X) else self.predict_membership(X).argmax(axis=1)

    def _squared_distances(self, X: npt.ArrayLike):
        """Return squared distances (m, c) of new objects."""
        X = read_attributes(self, X, reset=False) - self._origin
        return squared_distances(X, self.cluster_centers_ - self._origin, self._roots)

    def _distances(self, X: npt.ArrayLike):
        return np.sqrt(self._squared_distances(X))

    def _alternate(self, X: np.ndarray, centers: np.ndarray, sample_weight: np.ndarray | None):
        """Update centres, metric and memberships until the latter rest. `centers` (c, p) -> Alternation."""
        roots, capped, converged = None, 0, False
        now = self._pass(X, centers, roots, None, sample_weight)
        trace = [now.objective]
        for _ in track_iterations(self.max_iter, "iteration"):
            before = centers if isinstance(X, Blocks) else now.membership
            centers = means_of_sums(now.totals, now.sums, centers)
            roots, bites = self._metric(X, centers, now.weights)
            capped += bites
            now = self._pass(X, centers, roots, before, sample_weight)
            trace.append(now.objective)
            converged = bool(now.change < self.tol)
            if converged:
                break
        return Alternation(now.membership, centers, roots, capped, trace, converged)

    def _pass(
        self,
        X: np.ndarray | Blocks,
        centers: np.ndarray,
        roots: np.ndarray | None,
        before: np.ndarray | None,
        sample_weight: np.ndarray | None,
    ):
        """Return the sums over the objects at some centres -> FuzzySums."""
        if isinstance(X, Blocks):
            return sum_over(X, partial(_sums_of_block, centers=centers, before=before, m=self.m))
        return fuzzy_sums(X, squared_distances(X, centers, roots), self.m, before, sample_weight)

    def _metric(self, X: np.ndarray, centers: np.ndarray, weights: np.ndarray):
        """Return the roots (c, p, p) of the norm matrices, and how many were capped; None: Euclidean."""
        return None, 0

    def _keep_metric(self, run: Alternation):
        self._roots = None

    def _validate(self, X: npt.ArrayLike):
        X = read_blocks(self, X) if self._in_blocks and are_blocks(X) else read_attributes(self, X)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        check_init(self.init, self.n_clusters, X.shape[1])
        X, self._origin = near_zero(X)
        return X


class Alternation(NamedTuple):
    """Where alternating minimisation ended, and the objective on its way there."""

    membership: np.ndarray
    centers: np.ndarray
    roots: np.ndarray | None
    capped: int
    objective: list
    converged: bool


class FuzzySums(NamedTuple):
    """What a pass finds at some centres: the objective, sums for the next ones, the change of memberships."""

    objective: float
    totals: np.ndarray  # (c,)
    sums: np.ndarray  # (c, p)
    change: float  # the largest, against those before
    membership: np.ndarray | None  # (n, c); of data in blocks none are kept
    weights: np.ndarray | None  # (n, c), memberships to the power m times weights of the objects

    def __add__(self, other: FuzzySums) -> FuzzySums:
        parts = (self.objective + other.objective, self.totals + other.totals, self.sums + other.sums)
        return FuzzySums(*parts, max(self.change, other.change), None, None)


def fuzzy_sums(
    X: np.ndarray,
    squared: np.ndarray,
    m: float,
    before: np.ndarray | None,
    sample_weight: np.ndarray | None = None,
) -> FuzzySums:
    """Return the sums over objects (n, p) at `squared` distances (n, c); memberships `before` (n, c)."""
    factor = 1.0 if sample_weight is None else sample_weight[:, None]
    U = memberships(squared, m)
    weights = factor * U**m
    change = np.inf if before is None else np.abs(U - before).max()
    value = objective(U, factor * squared, m)
    return FuzzySums(value, weights.sum(axis=0), weights.T @ X, change, U, weights)


def _sums_of_block(X: np.ndarray, centers: np.ndarray, before: np.ndarray | None, m: float):
    """Return the sums of a block, whose memberships before are computed anew from the centres before."""
    if before is not None:
        before = memberships(squared_distances(X, before), m)
    found = fuzzy_sums(X, squared_distances(X, centers), m, before)
    return found._replace(membership=None, weights=None)


def memberships(squared: np.ndarray, m: float) -> np.ndarray:
    """Return memberships (n, c) that minimise the objective at `squared` distances (n, c).

    Rows on the simplex [antoine2012_cecm (1)], [antoine2012_cecm (2)]. In logs, so that m near 1 does not
    overflow. At distance 0: equal shares of the clusters there.
    """
    with np.errstate(divide="ignore"):
        logs = -np.log(squared) / (m - 1)
    highest = logs.max(axis=1, keepdims=True)
    at_center = np.isinf(highest)
    shares = np.exp(logs - np.where(at_center, 0.0, highest), where=~at_center, out=np.zeros_like(logs))
    shares = np.where(at_center, squared == 0, shares)
    return shares / shares.sum(axis=1, keepdims=True)


def weighted_means(X: np.ndarray, weights: np.ndarray, previous: np.ndarray) -> np.ndarray:
    """Compute means (c, p) by `weights` (n, c); a column without weight keeps its `previous` centre."""
    return means_of_sums(weights.sum(axis=0), weights.T @ X, previous)


def means_of_sums(totals: np.ndarray, sums: np.ndarray, previous: np.ndarray) -> np.ndarray:
    """Return the `weighted_means` of sums (c, p) of objects whose weights sum up to `totals` (c,)."""
    empty = totals == 0
    means = sums / np.where(empty, 1.0, totals)[:, None]
    return np.where(empty[:, None], previous, means)


def objective(membership: np.ndarray, squared: np.ndarray, m: float) -> float:
    """Return the objective of memberships (n, c) at `squared` distances (n, c) [antoine2012_cecm (8)].

    The same as [djiberou2019_catecm (1)], whatever the distances are.
    """
    return float(np.sum(membership**m * squared))
