r"""Prototypes of ECM and the methods derived from it: starts, and the step under the Euclidean metric.

The prototypes that minimise :math:`\sum_i \sum_A |A|^\alpha m_{iA}^\beta \|x_i - \bar v_A\|^2`, where
:math:`\bar v_A` is the mean of the prototypes of the clusters in A, solve :math:`H V = U X`: each is a
weighted mean of the objects, and the weights :math:`W = H^{-1} U` do not depend on the coordinates. With
attributes :math:`V = W X`; with a Gram matrix, inner products with the prototypes are :math:`W G`.

With attributes the weights need not be formed: H and U X depend on the objects only through two *moments* of
each focal set, the sum of :math:`m_{iA}^\beta` and the sum of :math:`m_{iA}^\beta x_i`, taken here about the
barycentres of the present prototypes: the solution then is the *move* of the prototypes. That is what
`prototypes` does, in O(n f p) and without a (c, n) matrix.
"""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_solve

from credalbench.belief import FocalSets
from credalbench.core.arguments import LARGEST, Array, Choice, expect
from credalbench.core.progress import track
from credalbench.core.threads import one_thread

INITS = ("k-means++", "k-means", "random")
Init = Annotated[str | npt.ArrayLike, Array() | Choice(*INITS)]
AutoInit = Annotated[str | npt.ArrayLike, Array() | Choice("auto", *INITS)]
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
    """Return the mean of the prototypes of the clusters in each non-empty focal set.

    Computes [antoine2012_cecm (11)] with the indicator [antoine2012_cecm (12)].

    Parameters
    ----------
    V : (c, p) array
        Prototypes.
    focal_sets : FocalSets
        Subsets of the c clusters.

    Returns
    -------
    (f', p) array
        Barycentres, in the units of the attributes.
    """
    first = int(focal_sets.has_empty)
    return (focal_sets.membership[first:] / focal_sets.cardinality[first:, None]) @ V


def set_moments(
    X: np.ndarray, masses: np.ndarray, focal_sets: FocalSets, beta: float, V: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    r"""Sum :math:`m_{iA}^\beta` and :math:`m_{iA}^\beta (x_i - \bar v_A)` for each non-empty set.

    (n, p), (n, f), (c, p) -> (f',), (f', p). They add up over blocks of objects.
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
    r"""Return the prototypes that minimise the objective under the Euclidean metric, masses fixed.

    Parameters
    ----------
    X : (n, p) array
    masses : (n, f) array
    focal_sets : FocalSets
    alpha, beta : float
    start : (c, p) array, optional
        Prototypes from which the step is taken: a cluster without any mass keeps its own. By default all are
        at the mean of the objects.

    Returns
    -------
    (c, p) array
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


# ---------------------------------------------------------------------- starts


def check_init(init: str | npt.ArrayLike, n_clusters: int, n_features: int) -> None:
    """Refuse an array `init` that is no finite (c, p) array."""
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

    Parameters
    ----------
    X : (n, p) array
    n_clusters : int
    init : {"k-means++", "k-means", "random"} or (c, p) array
        Objects far from each other (seeding only); the centres of a k-means that has converged from there;
        objects drawn uniformly, at different places as long as there are any.
    n_init : int
    rng : RandomState
    sample_weight : (n,) array or None
        Of k-means and its seeding.
    """
    if not isinstance(init, str):
        yield np.array(init, dtype=float)
        return
    from sklearn.cluster import KMeans, kmeans_plusplus  # slow to import

    for _ in track(range(n_init), "start"):
        if init == "k-means++":
            yield kmeans_plusplus(X, n_clusters, sample_weight=sample_weight, random_state=rng)[0]
        elif init == "k-means":
            with one_thread():  # else the last bits depend on their number
                means = KMeans(n_clusters, n_init=1, random_state=rng).fit(X, sample_weight=sample_weight)
            yield means.cluster_centers_
        else:
            yield _random_objects(X, n_clusters, rng)


def _random_objects(X: np.ndarray, n_clusters: int, rng: np.random.RandomState):
    """Draw `n_clusters` objects (c, p), none at the place of an earlier one unless all are taken."""
    free = np.ones(len(X), dtype=bool)
    chosen = []
    for _ in range(n_clusters):
        left = np.flatnonzero(free)
        chosen.append(rng.choice(left) if left.size else rng.randint(len(X)))
        free &= (X[chosen[-1]] != X).any(axis=1)
    return X[chosen]
