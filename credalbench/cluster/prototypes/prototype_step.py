r"""Prototypes and norms of ECM and the methods derived from it: distances, steps and starts.

*Prototypes.* Those that minimise :math:`\sum_i \sum_A |A|^\alpha m_{iA}^\beta \|x_i - \bar v_A\|^2`, where
:math:`\bar v_A` is the mean of the prototypes of the clusters in A, solve :math:`H V = U X`: each is a
weighted mean of the objects, and the weights :math:`W = H^{-1} U` do not depend on the coordinates. With
attributes :math:`V = W X`; with a Gram matrix, inner products with the prototypes are :math:`W G`.

With attributes the weights need not be formed: H and U X depend on the objects only through two *moments* of
each focal set, the sum of :math:`m_{iA}^\beta` and the sum of :math:`m_{iA}^\beta x_i`, taken here about the
barycentres of the present prototypes: the solution then is the *move* of the prototypes. `prototypes`
computes it in O(n f p) and without a (c, n) matrix.

*Norms.* With an adaptive metric, cluster l has a norm :math:`\|x\|^2 = x^T S_l x` with :math:`\det S_l = 1`.
A focal set A has the mean of the norms of its clusters, :math:`\bar S_A`, and
:math:`d_{iA}^2 = (x_i - \bar v_A)^T \bar S_A (x_i - \bar v_A)`. If all :math:`S_l` are the identity, this is
the Euclidean metric, here `S` = None. The norms need a third moment, the sum of :math:`m^\beta x x^T`, so the
printed (cp, np) matrix F is never formed.

*Ridge.* Constant or collinear attributes, or too few objects, make a covariance singular, and no metric of
determinant 1 minimises the objective: it tends to zero. The smallest multiple of the identity is added that
brings all eigenvalues to `RIDGE` times their mean, and the cluster is reported. Attributes whose spreads
differ by more than a factor of 1e5 look singular, too: bring them to similar units.
"""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_solve

from credalbench.belief import FocalSets
from credalbench.core.arguments import LARGEST, Array, Choice, expect
from credalbench.core.checks import different_objects
from credalbench.core.progress import check_cancelled, track
from credalbench.core.threads import one_thread, room

INITS = ("k-means++", "k-means", "random")
Init = Annotated[str | npt.ArrayLike, Array() | Choice(*INITS)]
AutoInit = Annotated[str | npt.ArrayLike, Array() | Choice("auto", *INITS)]
OBJECTS, OBJECTS_OF_CLUSTER = 1000, 20  # in a sample, at least; for each cluster, at least
OBJECTS_OF_STARTS = 10_000  # in the sample that starts are drawn from, at least
RIDGE = 1e-10  # least eigenvalue of a covariance, as a share of the mean eigenvalue
FEW_ATTRIBUTES = 10  # up to here, adding up one after the other is the quicker way
SLICE_ELEMENTS = 2**17  # of the differences at hand at a time: a mebibyte, what a core's cache holds
REGULAR = 1e-5  # least pivot of a Cholesky root, of unit diagonal, that is trusted; below, least squares


def prototype_system(
    masses: np.ndarray, focal_sets: FocalSets, alpha: float, beta: float
) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the matrices H and U of the system of the prototypes.

    ``H[k, l]`` sums :math:`|A|^{\alpha-2} m_{iA}^\beta` over the objects and the sets that contain k and l,
    [antoine2012_cecm (A.4)]. ``U[k, i]`` sums :math:`|A|^{\alpha-1} m_{iA}^\beta` over the sets that contain
    k; the right-hand side [antoine2012_cecm (A.3)] is U X.

    (n, f) -> (c, c), (c, n), in O(n f c + f c^2).
    """
    first = int(focal_sets.has_empty)
    S = focal_sets.membership[first:].astype(float)  # (f', c)
    card = focal_sets.cardinality[first:].astype(float)
    powers = masses[:, first:] ** beta
    H = S.T @ ((card ** (alpha - 2) * powers.sum(axis=0))[:, None] * S)
    U = (card ** (alpha - 1) * powers @ S).T
    return H, U


def prototype_weights(masses: np.ndarray, focal_sets: FocalSets, alpha: float, beta: float) -> np.ndarray:
    """Compute each prototype's weights of the objects, which sum to 1: [antoine2012_cecm (A.5)] for any X.

    (n, f) -> (c, n). A cluster without any mass has no prototype of its own; the minimum-norm solution is
    taken then, and its weights sum to less than 1.
    """
    H, U = prototype_system(masses, focal_sets, alpha, beta)
    return solve_scaled(H, U)


def barycentres(V: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return the mean of the prototypes of the clusters in each non-empty focal set: (c, p) -> (f', p).

    Computes [antoine2012_cecm (11)] with the indicator [antoine2012_cecm (12)].
    """
    first = int(focal_sets.has_empty)
    return (focal_sets.membership[first:] / focal_sets.cardinality[first:, None]) @ V


def set_moments(
    X: np.ndarray, masses: np.ndarray, focal_sets: FocalSets, beta: float, V: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    r"""Sum :math:`m_{iA}^\beta` and :math:`m_{iA}^\beta (x_i - \bar v_A)` for each non-empty set.

    (n, p), (n, f), (c, p) -> (f',), (f', p). They add up over parts of the objects.
    """
    return weighted_sums(X, (masses[:, int(focal_sets.has_empty) :] ** beta).T, focal_sets, V)


def weighted_sums(
    X: np.ndarray, powers: np.ndarray, focal_sets: FocalSets, V: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return what `set_moments` does from masses to the power beta: (n, p), (f', n), (c, p)."""
    weights = powers.sum(axis=1)
    return weights, powers @ X - weights[:, None] * barycentres(V, focal_sets)


def prototypes_from_moments(
    weights: np.ndarray, sums: np.ndarray, focal_sets: FocalSets, alpha: float
) -> np.ndarray:
    """Return the move of the prototypes to the minimum of the objective, from the moments of the focal sets.

    Solves H V = B, [antoine2012_cecm (A.5)], with H of [antoine2012_cecm (A.4)] and B of
    [antoine2012_cecm (A.3)]. The least solution is taken for clusters without any mass.

    (f',), (f', p) -> (c, p), in O(f c (c + p)).
    """
    first = int(focal_sets.has_empty)
    S = focal_sets.membership[first:].astype(float)  # (f', c)
    card = focal_sets.cardinality[first:].astype(float)
    H = S.T @ ((card ** (alpha - 2) * weights)[:, None] * S)
    B = S.T @ (card[:, None] ** (alpha - 1) * sums)
    return solve_scaled(H, B)


def prototypes(
    X: np.ndarray,
    masses: np.ndarray,
    focal_sets: FocalSets,
    alpha: float,
    beta: float,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Return the prototypes (c, p) that minimise the objective under the Euclidean metric, masses fixed.

    The step is taken from `start` (c, p): a cluster without any mass keeps its own. By default all start
    at the mean of the objects.
    """
    origin = X.mean(axis=0)
    start = np.zeros((focal_sets.n_clusters, X.shape[1])) if start is None else start - origin
    weights, sums = set_moments(X - origin, masses, focal_sets, beta, start)
    return origin + start + prototypes_from_moments(weights, sums, focal_sets, alpha)


def solve_scaled(H: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Find the least solution of H V = B for positive semi-definite H, scaled to unit diagonal first.

    A cluster of little mass then does not make the system look singular. (m, m), (m, q) -> (m, q).
    """
    scale = np.sqrt(np.diag(H))
    scale[scale == 0] = 1.0
    H, B = H / np.outer(scale, scale), B / scale[:, None]
    try:
        root = np.linalg.cholesky(H)
        regular = root.diagonal().min() > REGULAR
    except np.linalg.LinAlgError:
        regular = False
    solution = cho_solve((root, True), B) if regular else np.linalg.lstsq(H, B, rcond=None)[0]
    return solution / scale[:, None]


# ---------------------------------------------------------------------- distances and norms


def identity_norms(c: int, p: int) -> np.ndarray:
    """Return the Euclidean metric as norm matrices of c clusters: identities (c, p, p)."""
    return np.tile(np.eye(p), (c, 1, 1))


def set_norm_matrices(S: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return the norm matrix of each non-empty focal set, its clusters' mean: (c, p, p) -> (f', p, p).

    Computes [antoine2012_cecm (22)].
    """
    first = int(focal_sets.has_empty)
    shares = focal_sets.membership[first:] / focal_sets.cardinality[first:, None]
    return np.tensordot(shares, S, axes=1)


def squared_distances(
    X: np.ndarray, V: np.ndarray, focal_sets: FocalSets, S: np.ndarray | None = None
) -> np.ndarray:
    """Return the squared distances (n, f') of the objects to the barycentres of the non-empty focal sets.

    Euclidean, [antoine2012_cecm (13)], or under the norms of the sets, [antoine2012_cecm (23)], if norm
    matrices `S` (c, p, p) of the clusters are given. They are computed from differences, so an object on a
    barycentre is at distance exactly 0 and no distance is negative.
    """
    return np.ascontiguousarray(distances_by_set(X, V, focal_sets, S).T)


def distances_by_set(
    X: np.ndarray,
    V: np.ndarray,
    focal_sets: FocalSets,
    S: np.ndarray | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Return the transpose of `squared_distances`, (f', n), into `out` if given: long rows are quicker.

    O(n f p), with norms O(n f p^2), and a mebibyte of working memory.
    """
    centres = barycentres(V, focal_sets)
    squared = np.empty((len(centres), len(X))) if out is None else out
    if S is None and X.shape[1] <= FEW_ATTRIBUTES:
        for rows in row_slices(len(X), len(centres)):
            _add_up_attributes(X[rows], centres, squared[:, rows])
        return squared
    roots = None if S is None else np.linalg.cholesky(set_norm_matrices(S, focal_sets)).swapaxes(1, 2)
    for rows in row_slices(len(X), centres.size):
        differences = X[rows].T - centres[:, :, None]  # (f', p, b)
        if roots is not None:
            differences = roots @ differences  # |L^T d|^2 = d^T S d, never negative
        np.einsum("apb,apb->ab", differences, differences, out=squared[:, rows])
    return squared


def _add_up_attributes(X: np.ndarray, centres: np.ndarray, squared: np.ndarray) -> None:
    """Write squared distances of some objects into `squared`, by attributes: (b, p), (f', p), (f', b)."""
    squared[:] = 0.0
    differences = room("differences", squared.shape)
    for values, places in zip(X.T, centres.T):
        np.subtract(values, places[:, None], out=differences)
        squared += np.square(differences, out=differences)


def row_slices(n: int, elements_per_row: int) -> Iterator[slice]:
    """Yield slices that cover n rows in order, each of at most `SLICE_ELEMENTS` elements (at least 32 rows).

    Checks before each slice whether the fit has been cancelled.
    """
    size = max(32, SLICE_ELEMENTS // elements_per_row)
    for begin in range(0, n, size):
        check_cancelled()
        yield slice(begin, min(begin + size, n))


def prototypes_mahalanobis(
    X: np.ndarray,
    masses: np.ndarray,
    S: np.ndarray,
    focal_sets: FocalSets,
    alpha: float,
    beta: float = 2.0,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Return the prototypes (c, p) that minimise the objective, masses and norms fixed: G V = F X.

    `S` (c, p, p) are the norm matrices of the clusters; the paper has beta = 2. The step is taken from
    `start`, as in `prototypes`.
    """
    origin = X.mean(axis=0)
    start = np.zeros((focal_sets.n_clusters, X.shape[1])) if start is None else start - origin
    weights, sums = set_moments(X - origin, masses, focal_sets, beta, start)
    return origin + start + prototypes_mahalanobis_from_moments(weights, sums, S, focal_sets, alpha)


def prototypes_mahalanobis_from_moments(
    weights: np.ndarray, sums: np.ndarray, S: np.ndarray, focal_sets: FocalSets, alpha: float
) -> np.ndarray:
    """Return the move of prototypes to the solution of G V = F X, [antoine2012_cecm (33)], from moments.

    (f',), (f', p), (c, p, p) -> (c, p), in O(f c^2 p^2 + c^3 p^3).
    """
    return prototypes_from_set_norms(weights, sums, set_norm_matrices(S, focal_sets), focal_sets, alpha)


def prototypes_from_set_norms(
    weights: np.ndarray, sums: np.ndarray, norms: np.ndarray, focal_sets: FocalSets, alpha: float
) -> np.ndarray:
    """Return the move of the prototypes to their optimum, whatever the norm of each focal set.

    The blocks of G, [antoine2012_cecm (31)], need only the sum of m^beta for each set. F X with the blocks
    [antoine2012_cecm (30)] is, cluster by cluster, the sum over its sets of |A|^(alpha-1) times the matrix of
    the set times its sum of m^beta x; neither F nor the stacked matrices [antoine2012_cecm (32)] in full are
    formed. The least solution is taken for clusters without any mass.

    (f',), (f', p), (f', p, p) -> (c, p), in O(f c^2 p^2 + c^3 p^3).
    """
    first = int(focal_sets.has_empty)
    member = focal_sets.membership[first:].astype(float)  # (f', c)
    card = focal_sets.cardinality[first:].astype(float)
    c, p = member.shape[1], sums.shape[1]
    pairs = (member[:, :, None] * member[:, None, :]).reshape(len(card), c * c)
    G = (pairs * (card ** (alpha - 2) * weights)[:, None]).T @ norms.reshape(len(card), p * p)
    G = G.reshape(c, c, p, p).swapaxes(1, 2).reshape(c * p, c * p)
    pulled = np.einsum("apq,aq->ap", norms, card[:, None] ** (alpha - 1) * sums)
    return solve_scaled(G, (member.T @ pulled).reshape(c * p, 1)).reshape(c, p)


def covariances(
    X: np.ndarray, V: np.ndarray, masses: np.ndarray, focal_sets: FocalSets, alpha: float, beta: float = 2.0
) -> np.ndarray:
    """Return the evidential covariance of each cluster, (c, p, p), positive semi-definite.

    Computes [antoine2012_cecm (37)], in O(n f p^2); the paper has beta = 2.
    """
    powers = (masses[:, int(focal_sets.has_empty) :] ** beta).T
    return covariances_from_scatters(set_scatters(X, powers, barycentres(V, focal_sets)), focal_sets, alpha)


def set_scatters(X: np.ndarray, powers: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return sums of m^beta (x - v)(x - v)^T for each focal set: (n, p), (f', n), (f', p) -> (f', p, p)."""
    scatters = np.zeros((*centres.shape, centres.shape[1]))
    for rows in row_slices(len(X), centres.size):
        differences = X[rows].T - centres[:, :, None]  # (f', p, b)
        scatters += (differences * powers[:, None, rows]) @ differences.swapaxes(1, 2)
    return scatters


def covariances_from_scatters(scatters: np.ndarray, focal_sets: FocalSets, alpha: float) -> np.ndarray:
    """Sum over the sets of each cluster of |A|^(alpha-1) times the scatter: (f', p, p) -> (c, p, p)."""
    first = int(focal_sets.has_empty)
    factors = focal_sets.membership[first:] * focal_sets.cardinality[first:, None] ** float(alpha - 1)
    return np.tensordot(factors.T, scatters, axes=1)


def norm_matrices(
    X: np.ndarray,
    V: np.ndarray,
    masses: np.ndarray,
    focal_sets: FocalSets,
    alpha: float,
    beta: float = 2.0,
    previous: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the norm matrices of determinant 1 that minimise the objective, masses and prototypes fixed.

    Those of `previous` (c, p, p) are kept if those of a ridged covariance would increase the objective. Also
    returns (c,) bool: the clusters whose covariance was numerically singular.
    """
    return norm_matrices_from_covariances(covariances(X, V, masses, focal_sets, alpha, beta), previous)


def norm_matrices_from_covariances(
    covariances: np.ndarray, previous: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverse of each covariance, scaled to determinant 1; results as those of `norm_matrices`.

    Computes [antoine2012_cecm (42)] from eigenvalues and their logarithms, so no determinant under- or
    overflows. The objective is the sum of the traces of covariance times norm; it shows whether a ridge has
    increased the minimum.
    """
    p = covariances.shape[-1]
    covariances = (covariances + covariances.swapaxes(1, 2)) / 2
    mean = np.trace(covariances, axis1=1, axis2=2) / p
    mean = np.where(mean > 0, mean, 1.0)[:, None, None]  # no spread at all: the ridge alone, hence identity
    values, vectors = np.linalg.eigh(covariances / mean)  # ascending
    values = np.maximum(values, 0.0)  # below is rounding, which is large where an object is far
    ridge = np.maximum(RIDGE - values[:, :1], 0.0)
    values = values + ridge
    factors = np.exp(np.log(values).mean(axis=1, keepdims=True)) / values
    S = np.einsum("lpe,le,lqe->lpq", vectors, factors, vectors)
    ridged = ridge[:, 0] > 0
    if previous is not None:
        cost, before = (np.einsum("lpq,lpq->l", covariances, norms) for norms in (S, previous))
        S = np.where((ridged & (before < cost))[:, None, None], previous, S)
    return S, ridged


# ---------------------------------------------------------------------- starts


def sample_size(c: int, least: int = OBJECTS) -> int:
    """Return the maximum number of objects in a sample."""
    return max(least, OBJECTS_OF_CLUSTER * c)


def sample_objects(n: int, c: int, sample_weight: np.ndarray | None, least: int = OBJECTS) -> np.ndarray:
    """Return the rows of at least `least` objects, one drawn from each of equal parts of the weight.

    Returns all if there are few; if weights are counts, each row as often as it counts.
    """
    size = sample_size(c, least)
    if sample_weight is None:
        if n <= size:
            return np.arange(n)
        places = np.arange(size) + np.random.RandomState(0).uniform(size=size)
        return (places * (n / size)).astype(int).clip(max=n - 1)
    used = sample_weight.nonzero()[0]
    ends = np.cumsum(sample_weight[used])
    size = min(size, max(len(used), round(ends[-1])))
    places = np.arange(size) + np.random.RandomState(0).uniform(size=size)
    return used[np.searchsorted(ends, places * (ends[-1] / size), side="right").clip(max=len(used) - 1)]


def check_init(init: str | npt.ArrayLike, n_clusters: int, n_features: int) -> None:
    """Raise an error unless an array `init` is a finite (c, p) array."""
    if isinstance(init, str):
        return
    shape = (n_clusters, n_features)
    expect(np.shape(init) == shape, f"init of shape {shape}", np.shape(init))
    expect(
        (np.abs(np.asarray(init, dtype=float)) <= LARGEST).all(),
        f"finite numbers in init up to {LARGEST:g}",
        init,
    )


def prototype_starts(
    X: np.ndarray,
    n_clusters: int,
    init: str | npt.ArrayLike,
    n_init: int,
    rng: np.random.RandomState,
    sample_weight: np.ndarray | None = None,
) -> Iterator[np.ndarray]:
    """Yield `n_init` arrays (c, p) of starting prototypes; the given array once.

    "k-means++" takes objects far from each other (seeding only); "k-means" the centres of a k-means that
    has converged from there; "random" objects drawn by their weights, at different places as long as there
    are any. If there are more than ten thousand objects, a sample is drawn first, which does not depend on
    `rng`.
    """
    if not isinstance(init, str):
        yield np.array(init, dtype=float)
        return
    from sklearn.cluster import KMeans, kmeans_plusplus  # slow to import

    used = len(X) if sample_weight is None else max(np.count_nonzero(sample_weight), sample_weight.sum())
    if used > sample_size(n_clusters, OBJECTS_OF_STARTS):
        X, sample_weight = X[sample_objects(len(X), n_clusters, sample_weight, OBJECTS_OF_STARTS)], None
    X, weights = different_objects(np.asarray(X), sample_weight, n_clusters)

    for _ in track(range(n_init), "start"):
        if init == "k-means++":
            yield kmeans_plusplus(X, n_clusters, sample_weight=weights, random_state=rng)[0]
        elif init == "k-means":
            with one_thread():  # otherwise the last bits depend on their number
                means = KMeans(n_clusters, n_init=1, random_state=rng).fit(X, sample_weight=weights)
            yield means.cluster_centers_
        else:
            yield X[rng.choice(len(X), n_clusters, replace=False, p=weights / weights.sum())]
