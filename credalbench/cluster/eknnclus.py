r"""EK-NNclus: clusters that explain each object by its nearest neighbours.

Each of the K nearest neighbours j of object i is a piece of evidence, of strength

.. math:: \alpha_{ij} = \exp(-\gamma d_{ij}^b),

that i belongs to the cluster of j. An object takes the label k of largest support
:math:`u_{ik} = \sum_j v_{ij} 1[y_j = k]`, with the weights of evidence
:math:`v_{ij} = -\ln(1 - \alpha_{ij})`; sweeps visit the objects in random order until no label changes
[denoeux2015]. For symmetric weights, each change decreases the energy

.. math:: E(y) = -\tfrac12 \sum_i \sum_j v_{ij} 1[y_i = y_j].

Labels disappear, so the method finds the number of clusters. Dempster's rule combines the K pieces of
evidence about each object into a mass function on the singletons and :math:`\Omega`.

Deviations from the R package and the paper
-------------------------------------------
D1. :math:`\alpha_{ij}` is kept within [1e-6, 1 - 1e-6], whatever the units of the distances. The package
    limits the distances to at least 1e-6 of their unit instead.
D2. An object is never its own neighbour, which is decided by its index: leaving out the nearest object would
    fail with duplicates.
D3. The relation "j is a neighbour of i" is not symmetric, so the energy may increase and labels may cycle.
    The number of sweeps is therefore limited.
D4. A result with one cluster is allowed, with a warning. The frame is then that cluster, and all masses are
    on it.
D5. Each object starts with its own label, and if too many clusters are left, they are merged. The paper draws
    the allowed number of labels at random. With few random labels, each neighbourhood has several labels
    until one of them wins by chance. The same label may win in several clusters, and labels that disappear do
    not return.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.focal import MAX_CLUSTERS
from credalbench.cluster.inputs.dissimilarities import DissimilarityInput, MetricLike, as_dissimilarities
from credalbench.cluster.inputs.new_objects import (
    FittedObjects,
    LabelsOfNewObjects,
    UnsupportedMethod,
    in_blocks,
)
from credalbench.cluster.neighbours.evidence import (
    evidence_scale,
    labelling_energy,
    nearest_in,
    nearest_neighbours,
    neighbour_evidence,
    strengths,
    sweep_labels,
)
from credalbench.core.arguments import Array, Choice, Number, PositiveInt, Seed, checked, expect, expect_count
from credalbench.core.checks import keep_trace, near_zero, read_objects
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track, track_iterations

MOST_STARTING_LABELS = 1000  # random labels by default, at most the number of objects


class EKNNclus(DissimilarityInput, LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential clustering by nearest neighbours that finds the number of clusters (EK-NNclus).

    Parameters
    ----------
    n_clusters : int, optional
        Maximum number of clusters, 1 to n. If the search finds more, the two with the strongest mean evidence
        between their objects are merged until this number is reached, and the search continues. None: any
        number, or with random labels at most 1000.
    n_neighbors : int, optional
        Number K of neighbours, 1 to n - 1. More neighbours give fewer clusters. None: :math:`3 \sqrt n`,
        rounded, or n - 1 if that is smaller.
    q : float in (0, 1], default 0.5
        Quantile of the distances to neighbours at which the evidence is :math:`e^{-1}`. If this quantile is
        zero, that of the positive distances is used.
    b : float in (0, 100], default 1.0
        Exponent of the distances.
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed" when `X` is an (n, n) dissimilarity matrix.
    symmetrize : bool, default False
        Replace an asymmetric precomputed matrix by the mean of itself and its transpose instead of
        raising an error.
    n_init : int, default 1
        Number of runs, each with its own random orders and labels; the run with the lowest energy is
        returned. Because fewer clusters have lower energies, runs with `n_clusters` clusters are preferred,
        and runs with one cluster are chosen only if there are no others.
    init : {"objects", "random"} or (n,) int array, default "objects"
        Starting labels. "objects": a different label for each object; "random": `n_clusters` labels drawn at
        random (all different if this is the number of objects); or given labels.
    max_iter : int, default 1000
        Maximum number of sweeps.
    random_state : int, RandomState instance or None
        Seed of the starting labels and of the orders of visit.

    Attributes
    ----------
    partition_ : CredalPartition or None
        Masses on the singletons and on Omega. None, with a warning, if more than 62 clusters were found, the
        maximum of a CredalPartition.
    labels_ : (n,) int array
        The labels, 0..n_clusters_ - 1. They are those of `partition_` if the fit has converged.
    n_clusters_ : int
        Number of clusters found. With one cluster the frame is that cluster, and all masses are on it.
    objective_ : float
        Energy of `labels_`.
    objective_trace_ : (n_iter + 1,) array
        Energy at the start and after each sweep, including sweeps after a merge.
    n_iter_ : int
        Number of sweeps.
    converged_ : bool
        Whether the last sweep changed nothing.
    gamma_ : float
        Scale of the evidence.
    neighbours_, evidence_ : (n, K) arrays
        The neighbours of each object, by increasing distance, and the strengths :math:`\alpha_{ij}`.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; a precomputed matrix that is not square, negative, asymmetric (see
        `symmetrize`) or without a zero diagonal; K not in 1..n - 1; another parameter out of range; distances
        to neighbours that are all zero (every object has K duplicates: remove duplicates or increase K).

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        All objects are in one cluster, although `n_clusters` allows more.

    Notes
    -----
    A sweep costs O(nK). The search for neighbours, which is done once, costs O(n^2) with a matrix or in many
    dimensions, and about O(n K log n) in few. Parts of the data that no neighbourhood connects get the same
    cluster only if there are more such parts than `n_clusters`, or if they have the same starting labels.

    References
    ----------
    [denoeux2015]

    Examples
    --------
    >>> fit = EKNNclus(n_neighbors=2, random_state=0).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> fit.n_clusters_, int(fit.labels_[0] == fit.labels_[2]), int(fit.labels_[0] == fit.labels_[3])
    (2, 1, 0)
    """

    examples = Examples(variants=({"n_clusters": 5, "n_init": 2},), start="labels")

    def __init__(
        self,
        n_clusters: PositiveInt | None = None,
        *,
        n_neighbors: PositiveInt | None = None,
        q: Annotated[float, Number(above=0, high=1)] = 0.5,
        b: Annotated[float, Number(above=0, high=100)] = 1.0,
        metric: MetricLike = "euclidean",
        symmetrize: bool = False,
        n_init: PositiveInt = 1,
        init: Annotated[str | npt.ArrayLike, Array() | Choice("objects", "random")] = "objects",
        max_iter: PositiveInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.q = q
        self.b = b
        self.metric = metric
        self.symmetrize = symmetrize
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute the labels and the credal partition of objects.

        Parameters
        ----------
        X : (n, p) or (n, n) array or DataFrame
            Attributes of the objects, or with ``metric="precomputed"`` their dissimilarities.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        EKNNclus
            The fitted estimator.
        """
        X, K = self._validate(X)
        n = len(X)
        rng = check_random_state(self.random_state)
        inside = near_zero(X)[0] if self.metric == "euclidean" else X
        distances, neighbours = nearest_neighbours(inside, K, self.metric)
        self._objects = FittedObjects.of(X, self.metric)
        self._evidence = evidence_scale(distances, self.q), self.b
        evidence, self.gamma_ = neighbour_evidence(distances, self.q, self.b)
        weights = -np.log1p(-evidence)
        best = None
        for labels in self._starts(n, rng):
            orders = (rng.permutation(n) for _ in track_iterations(self.max_iter, "iteration"))
            run = settle(labels, neighbours, weights, orders)
            if self.n_clusters is not None and run.labels.max() >= self.n_clusters:
                merged = merge_clusters(run.labels, neighbours, weights, self.n_clusters)
                more = settle(merged, neighbours, weights, orders)
                run = Settling(more.labels, run.energy + more.energy[1:], more.converged)
            if best is None or self._rank(run) < self._rank(best):
                best = run
        self.labels_ = best.labels
        self.n_clusters_ = int(best.labels.max()) + 1
        keep_trace(self, best.energy, best.converged)
        self.neighbours_, self.evidence_ = neighbours, evidence
        self.partition_ = self._partition(best.labels, neighbours, weights)
        if self.n_clusters_ == 1 and self.n_clusters != 1:
            warnings.warn(
                "everything was merged into one cluster; fewer neighbours (n_neighbors) give more clusters",
                UserWarning,
                stacklevel=3,
            )
        return self

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Combine the evidence of the K nearest objects of the fit by Dempster's rule.

        This costs O(n log n) for an object with dissimilarities; with attributes, the search costs as much as
        in `fit`. Here, an object of the fit is its own neighbour: it keeps its label, and gets more mass on
        it.

        Parameters
        ----------
        X : (m, p) or (m, n) array or DataFrame; or data in blocks
            Attributes of new objects, or with ``metric="precomputed"`` their dissimilarities to the n
            objects of the fit.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the clusters of the fit; for data in blocks, a `BlockwisePartition`.

        Raises
        ------
        ValueError
            The fit has more than 62 clusters (see ``partition_``); `predict` returns labels.
        """
        neighbours, weights = self._evidence_about(X)
        expected = f"at most {MAX_CLUSTERS} clusters for a credal partition (predict gives labels)"
        expect(self.n_clusters_ <= MAX_CLUSTERS, expected, self.n_clusters_)
        return combine_neighbours(self.labels_, neighbours, weights).named(names_of(X))

    def predict(self, X: npt.ArrayLike) -> np.ndarray:
        """Predict for each new object the cluster with most support from its neighbours in the fit.

        If labels have equal support, the smallest is taken.

        Parameters
        ----------
        X : (m, p) or (m, n) array or DataFrame
            Attributes of new objects, or with ``metric="precomputed"`` their dissimilarities to the n
            objects of the fit.

        Returns
        -------
        (m,) int array
            Labels, numbered as ``labels_``.
        """
        neighbours, weights = self._evidence_about(X)
        return cluster_support(self.labels_, neighbours, weights).argmax(axis=1)

    score = UnsupportedMethod("the energy is lowest for a single cluster, whatever the objects")

    def _evidence_about(self, X: npt.ArrayLike):
        """Return the K nearest objects of the fit and the weights of their evidence: two arrays (m, K)."""
        check_is_fitted(self)
        objects, K = self._objects, self.neighbours_.shape[1]
        if objects.attributes is None:
            found = [nearest_in(D, K) for D in objects.compared(self, X)]
            distances, neighbours = (np.concatenate(parts) for parts in zip(*found))
        else:
            X = objects.read(self, X)
            distances, neighbours = nearest_neighbours(objects.attributes, K, objects.metric, X)
        evidence = strengths(distances, *self._evidence)
        return neighbours, -np.log1p(-evidence)

    def _starts(self, n: int, rng: np.random.RandomState):
        """Yield starting labels without gaps: one for each object, random, or given."""
        count = min(n, MOST_STARTING_LABELS) if self.n_clusters is None else self.n_clusters
        given = not isinstance(self.init, str)
        for _ in track(range(1 if given else self.n_init), "start"):
            if given:
                labels = np.asarray(self.init)
            elif self.init == "random" and count < n:
                labels = rng.randint(count, size=n)
            else:
                labels = np.zeros(n) if self.n_clusters == 1 else np.arange(n)
            yield np.unique(labels, return_inverse=True)[1].astype(np.int64)

    def _rank(self, run: Settling):
        """Return a key that is least for the best run."""
        found = int(run.labels.max()) + 1
        return found == 1, found != self.n_clusters, run.energy[-1]

    def _partition(self, labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray):
        if self.n_clusters_ <= MAX_CLUSTERS:
            return combine_neighbours(labels, neighbours, weights).named(self._index)
        warnings.warn(
            f"{self.n_clusters_} clusters were found, more than the {MAX_CLUSTERS} that a credal partition "
            "can hold: partition_ is None. More neighbours (n_neighbors) give fewer clusters",
            UserWarning,
            stacklevel=4,
        )
        return None

    def _validate(self, X: npt.ArrayLike):
        X = read_objects(self, X)
        n = len(X)
        if self.n_clusters is not None:
            expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        if self.n_neighbors is not None:
            expect_count("n_neighbors", self.n_neighbors, 1, n - 1, "n_samples - 1")
        if not isinstance(self.init, str):
            init = np.asarray(self.init)
            expect(init.shape == (n,) and init.dtype.kind in "iu", f"init of {n} integer labels", self.init)
        if self._precomputed():
            X = as_dissimilarities(X, self.symmetrize)
        return X, min(n - 1, round(3 * n**0.5)) if self.n_neighbors is None else self.n_neighbors


class Settling(NamedTuple):
    """Final labels, and the energy at the start and after each sweep."""

    labels: np.ndarray
    energy: list
    converged: bool


def settle(
    labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray, orders: Iterable[np.ndarray]
) -> Settling:
    """Sweep from starting labels (n,) 0..c-1 until nothing changes; labels that disappear are dropped.

    `neighbours` and `weights` are (n, K); `orders` yields an order of visit (n,) for each sweep.
    """
    labels = labels.copy()
    energy = [labelling_energy(labels, neighbours, weights)]
    converged = False
    for order in orders:
        changes = sweep_labels(labels, neighbours, weights, order, np.zeros(labels.max() + 1))
        labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        energy.append(labelling_energy(labels, neighbours, weights))
        if changes == 0:
            converged = True
            break
    return Settling(labels, energy, converged)


def merge_clusters(labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray, most: int) -> np.ndarray:
    """Merge the two clusters with the strongest mean evidence between their objects, until `most` are left.

    If no evidence connects any two, the two smallest are merged. Labels (n,) 0..k-1 are all in use,
    `neighbours` and `weights` (n, K). O(n K + k^3).
    """
    k = int(labels.max()) + 1
    cells = labels[:, None] * k + labels[neighbours]
    links = np.bincount(cells.ravel(), weights.ravel(), minlength=k**2).reshape(k, k)
    links = links + links.T
    sizes = np.bincount(labels, minlength=k).astype(float)
    mean = links / np.outer(sizes, sizes)
    np.fill_diagonal(mean, -1.0)
    into = np.arange(k)
    for _ in range(k - most):
        a, b = np.unravel_index(mean.argmax(), mean.shape)
        if mean[a, b] <= 0:
            a, b = np.argsort(sizes, kind="stable")[:2]
        into[into == b] = a
        links[a] += links[b]
        links[:, a] = links[a]
        sizes[a] += sizes[b]
        sizes[b] = np.inf
        mean[a] = mean[:, a] = links[a] / (sizes[a] * sizes)
        mean[b] = mean[:, b] = -1.0
        mean[a, a] = -1.0
        mean[a, np.isinf(sizes)] = mean[np.isinf(sizes), a] = -1.0
    return np.unique(into[labels], return_inverse=True)[1].astype(np.int64)


def combine_neighbours(labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray) -> CredalPartition:
    r"""Combine the K simple mass functions about each object by Dempster's rule.

    Neighbour j puts :math:`\alpha_{ij}` on the cluster of j and the rest on :math:`\Omega`. Combined and
    normalised, with the supports :math:`u_{ik} = -\sum_{j: y_j = k} \ln(1 - \alpha_{ij})`,

    .. math:: m_i(\{k\}) \propto e^{u_{ik}} - 1, \qquad m_i(\Omega) \propto 1.

    Labels (n,) 0..c-1 are all in use; `neighbours` and `weights`, :math:`-\ln(1 - \alpha_{ij})`, are (m, K).
    The focal sets are the simple ones. With c = 1, the cluster is the frame and gets all the mass.
    """
    support = cluster_support(labels, neighbours, weights)
    c = support.shape[1]
    focal_sets = FocalSets.simple(c)
    masses = np.zeros((len(support), len(focal_sets)))
    if c == 1:  # exp(-support) may be 0
        masses[:, -1] = 1.0
        return CredalPartition(masses, focal_sets)
    largest = support.max(axis=1, keepdims=True)
    masses[:, -1:] = np.exp(-largest)
    masses[:, 1:-1] = np.exp(support - largest) - np.exp(-largest)
    return CredalPartition(masses / masses.sum(axis=1, keepdims=True), focal_sets)


def cluster_support(labels: np.ndarray, neighbours: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum the weights of the neighbours in each cluster: (n,) labels 0..c-1, (m, K), (m, K) -> (m, c)."""
    m, c = len(neighbours), int(labels.max()) + 1
    cells = np.arange(m)[:, None] * c + labels[neighbours]
    return np.bincount(cells.ravel(), weights.ravel(), minlength=m * c).reshape(m, c)
