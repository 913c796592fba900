r"""Evidence accumulation: many partitions vote on each pair of objects [fred2002], [fred2005].

Each of N base partitions, by c-means from random starts with more clusters than are sought, puts two objects
into one cluster or not. The share of those that do is the co-association

.. math:: s_{ij} = \frac1N \sum_{b=1}^N 1[y^b_i = y^b_j]

[li2020_ensemble (14)], a similarity; the result is cut from the single-link dendrogram of :math:`1 - s_{ij}`,
which scipy computes. So clusters of any shape are found, as long as neighbours within them vote together.
Two objects are joined below the height h where a chain of pairs with :math:`s > 1 - h` leads from one to the
other: the transitive closure of s under the minimum (``relations/closure.py``) gives the same.

What the texts leave open
-------------------------
D1. Heights are multiples of 1/N, and often equal. The dendrogram is cut between two different heights only:
    what has been joined at one height is never separated by the order of the objects. So there may be fewer
    clusters than requested, with a warning; never more.
D2. The lifetime of k clusters is the length of the heights, in [0, 1], at which there are k. With
    ``n_clusters=None`` the longest lifetime wins, of equal ones that of fewest clusters; one cluster may win.
D3. A label below 0 is scikit-learn's word for noise: such an object votes for being alone.
D4. Bases have 10 to 30 clusters, drawn for each [fred2005], and at most half as many as there are objects.
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
from credalbench.core.examples import Examples
from credalbench.core.resources import expect_memory, user_stacklevel

BASE_CLUSTERS = (10, 30)  # by default
ENTRIES = 1 << 17  # of the co-association matrix that are worked on at a time
MATRICES = 1.6  # (n, n) arrays of floats at a time in a fit, measured


class EvidenceAccumulation(ClusterMixin, BaseEstimator):
    r"""Clustering ensemble by co-association and single linkage (EAC).

    Parameters
    ----------
    n_clusters : int, optional
        Number c of clusters of the result, between 1 and the number of objects; 2 unless given. None: as many
        as live longest.
    base : clusterer or list of them, optional
        What finds the base partitions, several in turn: clusterers of scikit-learn or of ours, taken at their
        labels. Each time one gets a seed of its own as `random_state`, if it takes one. None: c-means
        (`sklearn.cluster.KMeans`), from random objects.
    n_estimators : int, default 100
        Number N of base partitions.
    base_n_clusters : int or two of them, optional
        Number of clusters of each base, or the interval from which it is drawn, both ends included. None: 10
        to 30, at most half the number of objects; a given `base` keeps its own.
    n_jobs : int, optional
        Processes that find base partitions side by side. None: one; -1: as many as there are cores. The
        result does not depend on it.
    random_state : int, RandomState instance or None
        Source of the numbers of clusters and of the seeds.

    Attributes
    ----------
    labels_ : (n,) int array
        Clusters, numbered by their first objects.
    n_clusters_ : int
        How many they are: fewer than `n_clusters` where heights are equal.
    co_association_ : (n, n) array
        Share of the base partitions that put two objects into one cluster; 1 on the diagonal.
    linkage_ : (n - 1, 4) array
        The single-link dendrogram, as scipy has it.
    lifetimes_ : (n,) array
        Of 1, 2, ..., n clusters; they sum to 1.
    partitions_ : (N, n) int array
        The base partitions, numbered from 0 without gaps.
    base_n_clusters_ : (N,) int array
        Their numbers of clusters.
    n_features_in_ : int
        Columns of `X` seen during `fit`.

    Raises
    ------
    ValueError
        On NaN or infinite values; values or a spread of `X` out of range; fewer than two objects;
        numbers of clusters out of range; a base that takes no number of clusters where one is given.
    NotEnoughMemory
        A ValueError and a MemoryError: the message names need, limit and way out.

    Warns
    -----
    UserWarning
        There are fewer clusters than requested, because heights are equal.

    Notes
    -----
    The bases, O(N n^2) for the co-association and O(n^2) for the dendrogram; one and a half (n, n) arrays.

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
        clusterers = self._clusterers(len(X), check_random_state(self.random_state))
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
            No partition; fewer than two objects; partitions of different objects.
        """
        expect(self.n_jobs != 0, "n_jobs other than 0", self.n_jobs)
        partitions = list(Table().read("partitions", partitions))
        expect(len(partitions) > 0, "one partition at least", partitions)
        shapes = sorted({np.shape(labels) for labels in partitions})
        fit_together = len(shapes) == 1 and len(shapes[0]) == 1 and shapes[0][0] > 1
        expect(fit_together, "labels of the same two or more objects in each partition", shapes)
        n = shapes[0][0]
        if self.n_clusters is not None:
            expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        expect_memory_of_pairs(n, len(partitions))
        return self._accumulate(partitions)

    def _accumulate(self, partitions: list):
        """Set all that is found from base partitions. Returns self."""
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
                f"{self.n_clusters_} instead of {n_clusters} clusters: the next ones come off the dendrogram "
                "together, at equal heights. More n_estimators give more different heights",
                UserWarning,
                stacklevel=user_stacklevel(),
            )
        return self

    def _validate(self, X: npt.ArrayLike):
        """Check `X` (n, p), returned about an origin, and what depends on it."""
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

    def _clusterers(self, n: int, rng: np.random.RandomState):
        """Return the N base clusterers, each with its seed."""
        base = KMeans(init="random", n_init=1) if self.base is None else self.base
        return seeded_in_turn(base, self._numbers(n, rng), rng)

    def _numbers(self, n: int, rng: np.random.RandomState):
        """Return numbers of clusters of the bases; None for given ones that keep theirs."""
        if self.base_n_clusters is not None:
            low, high = number_range(self.base_n_clusters, n)
        elif self.base is None:
            low, high = (min(bound, max(1, n // 2)) for bound in BASE_CLUSTERS)
        else:
            return [None] * self.n_estimators
        return rng.randint(low, high + 1, size=self.n_estimators).tolist()


def expect_memory_of_pairs(n: int, N: int) -> None:
    """Refuse the co-association of n objects in N partitions that does not fit into memory.

    Raises
    ------
    NotEnoughMemory
    """
    what = f"the co-association of {n} objects in {N} partitions"
    expect_memory(8 * (MATRICES * n**2 + 2 * N * n), what, "fewer objects")


def numbered(labels: npt.ArrayLike) -> np.ndarray:
    """Number labels (n,) of any kind 0, 1, ... without gaps; objects with labels below 0 are alone."""
    labels = np.asarray(labels)
    expect(not (labels != labels).any(), "labels other than NaN", labels)  # which alone is not itself
    numbers = np.unique(labels, return_inverse=True)[1]
    if labels.dtype.kind in "if" and labels.min() < 0:
        noise = np.flatnonzero(labels < 0)
        numbers[noise] = numbers.max() + 1 + np.arange(len(noise))
        numbers = np.unique(numbers, return_inverse=True)[1]
    return numbers.astype(np.int32)


def numbered_by_first(labels: np.ndarray) -> np.ndarray:
    """Return labels (n,) renumbered 0, 1, ... in the order in which they occur first."""
    _, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbers]


def co_association(partitions: np.ndarray) -> np.ndarray:
    """Return share of the partitions that put two objects into one cluster [li2020_ensemble (14)].

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
    """Return how long there are 1, 2, ..., n clusters, of the heights in [0, 1] of a dendrogram.

    Parameters
    ----------
    heights : (n - 1,) array
        At which two clusters become one, ascending: multiples of 1 / N, but for rounding.
    N : int

    Returns
    -------
    (n,) array
        Equal where they are equal without rounding.
    """
    counts = np.concatenate([[0], np.rint(N * heights), [N]])
    return np.diff(counts)[::-1] / N
