r"""Evidence accumulation: many partitions vote on each pair of objects [fred2002], [fred2005].

N base partitions are made by c-means from random starts, with more clusters than the result. The share of
these partitions that puts two objects into the same cluster is the co-association

.. math:: s_{ij} = \frac1N \sum_{b=1}^N 1[y^b_i = y^b_j]

[li2020_ensemble (14)], a similarity; the result is cut from the single-link dendrogram of :math:`1 - s_{ij}`,
computed by scipy. It finds clusters of any shape if neighbours within them vote together. Two objects are
joined below the height h if a chain of pairs with :math:`s > 1 - h` connects them; the transitive closure of
s under the minimum (``relations/closure.py``) gives the same result.

What the texts leave open
-------------------------
D1. Heights are multiples of 1/N, and often equal. The dendrogram is cut only between different heights, so
    that the order of the objects does not matter. There may be fewer clusters than requested, with a warning,
    but never more.
D2. The lifetime of k clusters is the length of the interval of heights, in [0, 1], at which there are k. With
    ``n_clusters=None`` the number with the longest lifetime is chosen, the smallest if lifetimes are equal.
D3. A label below 0 is noise, as in scikit-learn: the base puts the object into a cluster of its own.
D4. The number of clusters of each base is drawn from 10 to 30 [fred2005], at most half the number of objects.
"""

import warnings
from collections.abc import Sequence
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from credalbench.baselines.base_partitions import (
    BaseClusterers,
    as_clusterers,
    base_partitions,
    number_range,
    seeded_in_turn,
)
from credalbench.core.arguments import (
    Array,
    Count,
    JobCount,
    PositiveInt,
    Seed,
    Table,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import near_zero, read_attributes
from credalbench.core.estimators import Examples
from credalbench.core.resources import expect_memory, user_stacklevel

BASE_CLUSTERS = (10, 30)  # by default
ENTRIES = 1 << 17  # entries of the co-association matrix that are computed at a time
MATRICES = 1.6  # (n, n) arrays of floats in memory during a fit, measured


class EvidenceAccumulation(ClusterMixin, BaseEstimator):
    r"""Clustering ensemble by co-association and single linkage (EAC).

    Parameters
    ----------
    n_clusters : int, optional
        Number c of clusters of the result, between 1 and the number of objects; 2 by default. None: the
        number with the longest lifetime.
    base : clusterer or list of clusterers, optional
        Clusterers of scikit-learn or credalbench whose labels are the base partitions; those of a list take
        turns. Each fit has its own `random_state`, if there is one. None: c-means (`sklearn.cluster.KMeans`),
        from random objects.
    n_estimators : int, default 100
        Number N of base partitions.
    base_n_clusters : int or two ints, optional
        Number of clusters of each base, or the smallest and the largest number, between which it is drawn.
        None: 10 to 30, at most half the number of objects; a given `base` keeps its own number.
    n_jobs : int, optional
        Number of processes that find base partitions. None: one; -1: one per core. The result does not depend
        on it.
    random_state : int, RandomState instance or None
        Seed of the numbers of clusters and of the bases.

    Attributes
    ----------
    labels_ : (n,) int array
        Clusters, numbered in the order of their first objects.
    n_clusters_ : int
        Number of clusters found: fewer than `n_clusters` if heights are equal.
    co_association_ : (n, n) array
        Share of the base partitions that put two objects into one cluster; 1 on the diagonal.
    linkage_ : (n - 1, 4) array
        The single-link dendrogram in scipy's format.
    lifetimes_ : (n,) array
        Lifetimes of 1, 2, ..., n clusters; they sum to 1.
    partitions_ : (N, n) int array
        The base partitions, numbered from 0 without gaps.
    base_n_clusters_ : (N,) int array
        Number of clusters of each base partition.
    n_features_in_ : int
        Columns of `X` seen during `fit`.

    Raises
    ------
    ValueError
        If values are NaN or infinite, values or the spread of `X` are out of range, there are fewer than two
        objects, numbers of clusters are out of range, or a base has no parameter for a given number.
    NotEnoughMemory
        The error is a ValueError and a MemoryError; its message gives the need, the limit and a remedy.

    Warns
    -----
    UserWarning
        If there are fewer clusters than requested, because heights are equal.

    Notes
    -----
    In addition to the bases, a fit costs O(N n^2) for the co-association and O(n^2) for the dendrogram;
    memory is one and a half (n, n) arrays.

    References
    ----------
    [fred2002], [fred2005]

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]]
    >>> EvidenceAccumulation(2, base_n_clusters=3, random_state=0).fit(X).labels_
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """

    examples = Examples(
        quick={"n_estimators": 20, "base_n_clusters": 5},
        variants=({"n_clusters": None, "base_n_clusters": (3, 8)},),
    )

    def __init__(
        self,
        n_clusters: PositiveInt | None = 2,
        *,
        base: BaseClusterers = None,
        n_estimators: PositiveInt = 100,
        base_n_clusters: Annotated[int | Sequence[int], Count() | Array()] | None = None,
        n_jobs: JobCount | None = None,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.base = base
        self.n_estimators = n_estimators
        self.base_n_clusters = base_n_clusters
        self.n_jobs = n_jobs
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute base partitions of objects with attributes, and their consensus.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        EvidenceAccumulation
            The fitted estimator.
        """
        X = self._validate(X)
        rng = check_random_state(self.random_state)
        base = KMeans(init="random", n_init=1) if self.base is None else self.base
        clusterers = seeded_in_turn(base, self._numbers(len(X), rng), rng)
        return self._accumulate(base_partitions(clusterers, X, self.n_jobs, hard=True))

    @checked
    def fit_from_partitions(self, partitions: Sequence[npt.ArrayLike]) -> Self:
        """Compute the consensus of given partitions of the same n objects.

        Parameters
        ----------
        partitions : list of (n,) arrays
            Labels of any type.

        Returns
        -------
        EvidenceAccumulation
            The fitted estimator.

        Raises
        ------
        ValueError
            If there is no partition, there are fewer than two objects, or partitions have different objects.
        """
        expect(self.n_jobs != 0, "n_jobs other than 0", self.n_jobs)
        partitions = list(Table().read("partitions", partitions))
        expect(len(partitions) > 0, "at least one partition", partitions)
        shapes = sorted({np.shape(labels) for labels in partitions})
        fit_together = len(shapes) == 1 and len(shapes[0]) == 1 and shapes[0][0] > 1
        expect(fit_together, "labels of the same two or more objects in each partition", shapes)
        n = shapes[0][0]
        if self.n_clusters is not None:
            expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        expect_memory_of_pairs(n, len(partitions))
        return self._accumulate(partitions)

    def _accumulate(self, partitions: list):
        """Set the results from base partitions, and return self."""
        self.partitions_ = np.stack([numbered(labels) for labels in partitions])
        self.base_n_clusters_ = self.partitions_.max(axis=1) + 1
        self.co_association_ = co_association(self.partitions_)
        apart = squareform(self.co_association_, checks=False)
        np.subtract(1.0, apart, out=apart)
        self.linkage_ = linkage(apart, method="single")
        self.lifetimes_ = lifetimes(self.linkage_[:, 2], len(partitions))
        n_clusters = int(self.lifetimes_.argmax()) + 1 if self.n_clusters is None else self.n_clusters
        levels = np.concatenate([[0.0], self.linkage_[:, 2]])  # cut at the last, there is one cluster
        cut = fcluster(self.linkage_, levels[len(levels) - n_clusters], criterion="distance")
        self.labels_ = numbered_by_first(cut)
        self.n_clusters_ = int(self.labels_.max()) + 1
        if self.n_clusters_ < n_clusters:
            warnings.warn(
                f"{self.n_clusters_} instead of {n_clusters} clusters: the next clusters separate "
                "together, at equal heights. A larger n_estimators gives more distinct heights",
                UserWarning,
                stacklevel=user_stacklevel(),
            )
        return self

    def _validate(self, X: npt.ArrayLike):
        """Check `X` (n, p) and the parameters that depend on it; return `X` about an origin."""
        X = read_attributes(self, X, least=2)
        n = len(X)
        expect(self.n_jobs != 0, "n_jobs other than 0", self.n_jobs)
        if self.n_clusters is not None:
            expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        if self.base is not None:
            as_clusterers(self.base)
        if self.base_n_clusters is not None:
            number_range(self.base_n_clusters, n)
        expect_memory_of_pairs(n, self.n_estimators)
        return near_zero(X)[0]

    def _numbers(self, n: int, rng: np.random.RandomState):
        """Draw the numbers of clusters of the bases; None for given bases that keep their own."""
        if self.base_n_clusters is not None:
            low, high = number_range(self.base_n_clusters, n)
        elif self.base is None:
            low, high = (min(bound, max(1, n // 2)) for bound in BASE_CLUSTERS)
        else:
            return [None] * self.n_estimators
        return rng.randint(low, high + 1, size=self.n_estimators).tolist()


def expect_memory_of_pairs(n: int, N: int) -> None:
    """Raise NotEnoughMemory unless the co-association of n objects in N partitions fits into memory."""
    what = f"the co-association of {n} objects in {N} partitions"
    expect_memory(8 * (MATRICES * n**2 + 2 * N * n), what, "fewer objects")


def numbered(labels: npt.ArrayLike) -> np.ndarray:
    """Number labels (n,) of any type 0, 1, ... without gaps; each object with a label below 0 is alone."""
    labels = np.asarray(labels)
    expect(not (labels != labels).any(), "labels other than NaN", labels)  # only NaN differs from itself
    numbers = np.unique(labels, return_inverse=True)[1]
    if labels.dtype.kind in "if" and labels.min() < 0:
        noise = np.flatnonzero(labels < 0)
        numbers[noise] = numbers.max() + 1 + np.arange(len(noise))
        numbers = np.unique(numbers, return_inverse=True)[1]
    return numbers.astype(np.int32)


def numbered_by_first(labels: np.ndarray) -> np.ndarray:
    """Renumber labels (n,) 0, 1, ... in the order of their first occurrence."""
    _, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbers]


def co_association(partitions: np.ndarray) -> np.ndarray:
    """Return the share of the partitions that put two objects into one cluster [li2020_ensemble (14)].

    (N, n) int -> (n, n), symmetric, 1 on the diagonal. O(N n^2).
    """
    N, n = partitions.shape
    shares = np.empty((n, n))
    step = max(1, ENTRIES // n)
    for begin in range(0, n, step):
        rows = slice(begin, begin + step)
        together = np.zeros(shares[rows].shape, np.int32)
        for labels in partitions:
            together += labels[rows, None] == labels
        np.divide(together, N, out=shares[rows])
    return shares


def lifetimes(heights: np.ndarray, N: int) -> np.ndarray:
    """Return the lifetimes (n,) of 1, 2, ..., n clusters.

    `heights` (n - 1,) in [0, 1] are those of a dendrogram, ascending: multiples of 1 / N, up to rounding.
    """
    counts = np.concatenate([[0], np.rint(N * heights), [N]])
    return np.diff(counts)[::-1] / N
