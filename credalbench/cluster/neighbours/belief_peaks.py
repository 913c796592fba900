r"""The delta-Bel graph: how central each object is, how far the nearest more central one is, and the peaks.

Each of the K nearest neighbours j of object i is evidence, of weight at most 1/K, that i is the centre of a
cluster [su2019]. By Dempster's rule the degree of belief is

.. math:: Bel_i = 1 - \prod_{j \in N_K(i)} \Big(1 - \tfrac1K e^{-\gamma_j^2 d_{ij}^2}\Big),

where :math:`1 / \gamma_j` is the q-quantile of the distances of j to its own K neighbours. :math:`\delta_i`
is the distance to the nearest object of larger belief; the object of largest belief gets the largest
:math:`\delta` of the others. A belief peak has a large :math:`Bel_i` and a large :math:`\delta_i`.

Consider a ball out to the nearest object of larger belief. How many objects would it contain if they were
everywhere as dense as the K neighbours? In dimension d :math:`K (\delta_i / r_i)^d`, where :math:`r_i` is the
distance to the K-th neighbour. Within a cluster it is at most about n, since the objects there are as dense
or denser until they end. The share of n is the *isolation*; from `ISOLATED` on, an object is a peak.

For all but a few objects, the nearest one of larger belief is among the K neighbours. For the others, the
objects are sorted by belief, and those before any one of them are the union of runs of `LEAF`, 2 `LEAF`,
4 `LEAF`, ... objects, each with a tree. So no (n, n) matrix is formed.

Readings
--------
R1. Beliefs that agree to `DIGITS` digits after the point are equal; if beliefs are equal, the first counts as
    larger.
R2. If more than a share q of the neighbours of j are its duplicates, :math:`\gamma_j` is infinite; j is then
    evidence only for its duplicates, of weight 1/K.
R3. Duplicates with :math:`r_i = 0` have the smallest positive :math:`r`.
R4. Which of several equally far objects are among the K neighbours is arbitrary, but the same each time.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from credalbench.belief.focal import MAX_CLUSTERS
from credalbench.cluster.inputs.dissimilarities import as_dissimilarities
from credalbench.cluster.neighbours.evidence import nearest_in
from credalbench.core.arguments import Choice, Number, expect, expect_count
from credalbench.core.checks import as_attributes, near_zero
from credalbench.core.progress import check_cancelled
from credalbench.core.threads import map_rows

QUANTILE = Number(above=0, high=1)
DIGITS = 12  # of a belief, after the point; further ones may be rounding
LEAF = 512  # objects that are compared one by one, without a tree
ROWS = 256  # objects whose neighbours are found at a time
ISOLATED = 1.5  # isolation of a peak, at least
NEAREST = 4  # neighbours from which the dimension is estimated
ONE_CLUSTER = 0.5  # drop of the prominence after the first peak

Search = Callable[[slice], tuple[np.ndarray, np.ndarray]]  # rows -> distances and numbers of neighbours
Before = Callable[[np.ndarray, np.ndarray], np.ndarray]  # order, places in it -> distances


class DeltaBelGraph(NamedTuple):
    """Belief and distance of each of n objects, as `delta_bel` returns them.

    Parameters
    ----------
    belief : (n,) array
        Degree of belief that the object is the centre of a cluster, in [0, 1]; for many neighbours at most
        1 - 1/e.
    delta : (n,) array
        Distance to the nearest object of larger belief, in the unit of the distances; for the object of
        largest belief the largest of the others.
    isolation : (n,) array
        Number of objects that a ball of this radius would contain if they were as dense as the object's
        neighbours, as a share of all.
    """

    belief: np.ndarray
    delta: np.ndarray
    isolation: np.ndarray

    @property
    def prominence(self) -> np.ndarray:
        """Product of belief and distance, (n,)."""
        return self.belief * self.delta

    def peaks(self, n_clusters: int | None = None) -> np.ndarray:
        """Return the objects that are peaks, by decreasing prominence.

        Parameters
        ----------
        n_clusters : int, optional
            Number c of peaks: the objects of largest prominence. None: the object of largest belief and those
            with an isolation of at least 1.5.

        Returns
        -------
        (c,) int array
            Rows of the objects.

        Raises
        ------
        ValueError
            More peaks than distinct objects.

        Notes
        -----
        The rule was chosen on generated tables, and is judged on other data by
        ``benchmarks/defaults.py``. O(n log n).
        """
        order = np.argsort(-self.prominence, kind="stable")
        if n_clusters is None:
            isolated = self.isolation >= ISOLATED
            isolated[np.argmax(np.round(self.belief, DIGITS))] = True
            return order[isolated[order]][:MAX_CLUSTERS]
        places = max(1, int(np.count_nonzero(self.delta)))
        n_clusters = expect_count("n_clusters", n_clusters, 1, places, "number of different places")
        return order[:n_clusters]

    def drop(self, n_clusters: int) -> float:
        """Return the share by which the prominence drops after the first c peaks.

        One minus the ratio of the prominences of peaks c + 1 and c. The prominence of the first peak has no
        meaning by itself, because its distance is that of another object. For c = 1, the drop is therefore
        one half.

        Parameters
        ----------
        n_clusters : int
            Number c of peaks, 1 to n.

        Returns
        -------
        float
            In [0, 1]; 0 for n peaks.
        """
        n = len(self.belief)
        c = expect_count("n_clusters", n_clusters, 1, n, "number of objects")
        if c == 1:
            return ONE_CLUSTER
        if c == n:
            return 0.0
        last, after = -np.partition(-self.prominence, [c - 1, c])[c - 1 : c + 1]
        return float(1 - after / last) if last > 0 else 0.0

    def peaks_beyond(self, least_delta: float, least_belief: float) -> np.ndarray:
        """Return the objects in a corner of the graph, by decreasing prominence.

        Parameters
        ----------
        least_delta, least_belief : float
            Distance and belief that the peaks exceed.

        Returns
        -------
        (c,) int array
            Rows of the objects.

        Raises
        ------
        ValueError
            There is no such object.
        """
        inside = (self.delta > least_delta) & (self.belief > least_belief)
        largest = f"no object: the largest are {self.delta.max():.6g} and {self.belief.max():.6g}"
        limits = f"delta > least_delta = {least_delta:.6g} and belief > least_belief = {least_belief:.6g}"
        expect(inside.any(), f"an object with {limits}", largest)
        order = np.argsort(-self.prominence, kind="stable")
        return order[inside[order]]


def delta_bel(
    X: npt.ArrayLike,
    n_neighbors: int | None = None,
    *,
    q: float = 0.9,
    metric: str = "euclidean",
    symmetrize: bool = False,
) -> DeltaBelGraph:
    r"""Compute the delta-Bel graph of objects, whose peaks are the prototypes of `BPEC`.

    Parameters
    ----------
    X : (n, p) or (n, n) array
        Attributes, or with ``metric="precomputed"`` dissimilarities.
    n_neighbors : int, optional
        Number K of neighbours, 1 to n - 1. None: :math:`\sqrt n`, rounded.
    q : float in (0, 1], default 0.9
        Each object's evidence for another object is :math:`e^{-1} / K` at the q-quantile of the distances to
        its neighbours.
    metric : {"euclidean", "precomputed"}, default "euclidean"
        Whether `X` contains attributes or dissimilarities.
    symmetrize : bool, default False
        Replace an asymmetric matrix by the mean of itself and its transpose instead of raising an error.

    Returns
    -------
    DeltaBelGraph
        Belief and distance of each object.

    Raises
    ------
    ValueError
        On NaN or infinite values, fewer than two objects, a matrix that does not contain dissimilarities, or
        K not in 1..n - 1.

    Notes
    -----
    With few attributes it costs about O(n K + n log n) on all threads, with many O(n^2 p); memory is O(n K).
    With dissimilarities it costs O(n^2), without a further matrix.

    References
    ----------
    [su2019]

    Examples
    --------
    >>> graph = delta_bel([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]], n_neighbors=2)
    >>> graph.peaks(2)
    array([1, 4])
    """
    metric = Choice("euclidean", "precomputed").read("metric", metric)
    given = metric == "precomputed"
    X = as_dissimilarities(X, symmetrize) if given else as_attributes(X, least=2)
    expect(len(X) >= 2, "at least 2 objects", len(X))
    K, q = count_of_neighbours(n_neighbors, len(X)), QUANTILE.read("q", q)
    return graph_of_dissimilarities(X, K, q) if given else graph_of_attributes(near_zero(X)[0], K, q)


def count_of_neighbours(n_neighbors: int | None, n: int) -> int:
    """Return the number K of neighbours of n objects; raise an error if it is out of range."""
    if n_neighbors is None:
        return max(1, round(n**0.5))
    return expect_count("n_neighbors", n_neighbors, 1, n - 1, "n_samples - 1")


def graph_of_attributes(X: np.ndarray, K: int, q: float) -> DeltaBelGraph:
    """Return the graph of objects (n, p) by their Euclidean distances."""
    tree, n = cKDTree(X), len(X)

    def search(rows: slice) -> tuple[np.ndarray, np.ndarray]:
        distances, found = tree.query(X[rows], K + 1)
        others = found != np.arange(n)[rows, None]
        others[others.all(axis=1), -1] = False  # the object is not there: too many duplicates are
        return distances[others].reshape(-1, K), found[others].reshape(-1, K)

    return _graph(n, K, q, search, lambda order, places: nearest_before(X[order], places))


def graph_of_dissimilarities(D: np.ndarray, K: int, q: float) -> DeltaBelGraph:
    """Return the graph of objects by their dissimilarities (n, n)."""
    n = len(D)

    def search(rows: slice) -> tuple[np.ndarray, np.ndarray]:
        d = D[rows].copy()
        d[np.arange(len(d)), np.arange(n)[rows]] = np.inf
        return nearest_in(d, K)

    def before(order: np.ndarray, places: np.ndarray) -> np.ndarray:
        return np.array([D[order[place], order[:place]].min() for place in places])

    return _graph(n, K, q, search, before)


def _graph(n: int, K: int, q: float, search: Search, before: Before) -> DeltaBelGraph:
    """Return the graph by a search for neighbours and one for the nearest object before, in an order."""
    distances, neighbours = np.empty((n, K)), np.empty((n, K), dtype=np.intp)
    delta = np.full(n, np.inf)

    def find(rows: slice) -> None:
        distances[rows], neighbours[rows] = search(rows)

    def find_higher(rows: slice) -> None:
        higher = rank[neighbours[rows]] < rank[rows, None]
        first = higher.argmax(axis=1)
        nearest = np.take_along_axis(distances[rows], first[:, None], axis=1)[:, 0]
        delta[rows] = np.where(higher.any(axis=1), nearest, np.inf)

    _for_rows(find, n)
    belief = beliefs(distances, neighbours, q)
    order = np.argsort(-np.round(belief, DIGITS), kind="stable")
    rank = np.empty(n, dtype=np.intp)
    rank[order] = np.arange(n)
    _for_rows(find_higher, n)
    open_places = np.flatnonzero(np.isinf(delta[order]))[1:]  # the first of all has nothing before it
    delta[order[open_places]] = before(order, open_places)
    delta[order[0]] = delta[order[1:]].max()
    reach = distances[:, -1]
    reach = np.maximum(reach, reach[reach > 0].min() if reach.any() else np.finfo(float).tiny)  # R3
    with np.errstate(over="ignore"):  # far objects
        isolation = K / n * (delta / reach) ** dimension_of(distances)
    return DeltaBelGraph(belief, delta, isolation)


def dimension_of(distances: np.ndarray) -> float:
    """Estimate the dimension of objects from distances to their neighbours, nearest first: (n, K) -> float.

    The maximum-likelihood estimate for the `NEAREST` of objects without duplicates [levina2004], or 1.
    """
    near = distances[distances[:, 0] > 0, :NEAREST]
    growth = np.log(near[:, -1:] / near[:, :-1])
    return float(1 / growth.mean()) if growth.any() else 1.0


def beliefs(distances: np.ndarray, neighbours: np.ndarray, q: float) -> np.ndarray:
    """Return the degree of belief of each object that it is a centre: (n, K), nearest first -> (n,)."""
    n, K = distances.shape
    low = int(q * (K - 1))
    high = min(low + 1, K - 1)
    scales = distances[:, low] + (q * (K - 1) - low) * (distances[:, high] - distances[:, low])
    belief = np.empty(n)

    def fill(rows: slice) -> None:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # R2; K = 1 and duplicates
            ratios = distances[rows] / scales[neighbours[rows]]
            ratios[distances[rows] == 0] = 0.0
            belief[rows] = -np.expm1(np.log1p(np.exp(-(ratios**2)) / -K).sum(axis=1))

    _for_rows(fill, n)
    return belief


def nearest_before(X: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the distance of some objects to the nearest one before each: (n, p), (m,) -> (m,).

    O(m p `LEAF`), and O(n log n) for each of the log(n / `LEAF`) sizes of runs with a tree. Places are at
    least 1.
    """
    nearest = np.full(len(places), np.inf)
    for run in np.unique(places // LEAF):
        some = np.flatnonzero(places // LEAF == run)
        begin = run * LEAF
        D = cdist(X[places[some]], X[begin : begin + LEAF])
        D[np.arange(begin, begin + D.shape[1]) >= places[some, None]] = np.inf
        nearest[some] = D.min(axis=1)
    size = LEAF
    while size < len(X):
        for run in np.unique(places // size):
            if run % 2:  # the other half of the run of twice the size is before all of it
                check_cancelled()
                some = np.flatnonzero(places // size == run)
                tree = cKDTree(X[(run - 1) * size : run * size])
                nearest[some] = np.minimum(nearest[some], tree.query(X[places[some]])[0])
        size *= 2
    return nearest


def _for_rows(work: Callable[[slice], None], n: int) -> None:
    for _ in map_rows(work, n, ROWS):
        pass
