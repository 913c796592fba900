r"""Choose the distance to the empty set, ``delta="auto"``, and the exponent, ``beta="auto"``, from the data.

An object is an outlier when :math:`\delta` is below its limit :math:`\min_A |A|^{\alpha/2} d_{iA}`. Most
limits are those of objects in clusters, so :math:`\delta` is the outer fence of Tukey's box plots,
:math:`Q_3 + 3 (Q_3 - Q_1)` of the limits. It is at least :math:`1.5\, Q_3`, and at least a tenth of the
smallest distance between two clusters, because the limits are 0 if most objects are repeated. The limits come
from short fits to some of the objects, each with the :math:`\delta` of the previous fit. The fits start from
the clusters of Ward's linkage of the objects that are not far from all others. If the fit itself starts from
the means of these clusters, too, no outlier is a prototype, and no cluster has its mass on the empty set.

Large exponents pull prototypes towards the middle of the data; with many attributes, the prototypes may
coincide. So :math:`\beta` is the largest of `BETAS` with which the short fits keep every prototype near the
mean of its nearest objects; if there is none, the one that pulls least.

The results depend only on the data and the objective, not on `init` or `random_state`.
"""

from typing import Annotated

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist, pdist
from sklearn.neighbors import NearestNeighbors

from credalbench.cluster.prototypes.mass_update import Setting, alternate
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.core.arguments import LENGTH, Choice, Number
from credalbench.core.checks import COINCIDENT
from credalbench.core.linkage import NEIGHBOUR, cut, far_by_neighbour

Delta = Annotated[str | float, Choice("auto") | LENGTH]
AutoBeta = Annotated[str | float, Choice("auto") | Number(above=1, high=100)]
FENCE, LEAST = 3.0, 1.5  # of delta: interquartile ranges beyond the third quartile; third quartiles
LEAST_SHARE = 0.1  # of delta: share of the least distance of two clusters
BETAS = (2.0, 1.5, 1.2, 1.1)
PULL = 0.2  # of a prototype from the mean of its objects, at most, in least distances of two prototypes
SHORT_FITS = 2
SHORT_TOL, SHORT_ITERATIONS = 1e-2, 10  # of a short fit
MOST_SHRINKAGE = 4.0  # of delta by adaptive norms, in which a singular covariance makes all distances tiny


def near_objects(X: np.ndarray, least: int) -> np.ndarray:
    """Return which objects (n, p) are not far from all others: (n,) bool, by the distance of a neighbour.

    Returns all if fewer than `least` would be left.
    """
    everyone = np.ones(len(X), dtype=bool)
    if len(X) <= 2 * NEIGHBOUR:
        return everyone
    apart = NearestNeighbors(n_neighbors=NEIGHBOUR).fit(X).kneighbors()[0][:, -1]
    near = ~far_by_neighbour(apart)
    return near if near.sum() >= least else everyone


def ward_labels(X: np.ndarray, c: int) -> np.ndarray:
    """Return the c clusters of Ward's linkage of objects (m, p): (m,) labels 0..c-1, all of them in use."""
    if len(X) == 1:
        return np.zeros(1, dtype=int)
    return cut(linkage(X, "ward"), c)


def least_gap(V: np.ndarray, distances: np.ndarray, spread: float) -> float:
    """Return the smallest distance between two centres (c, p) at different places; a positive number.

    With one centre, it is the root mean square of the `distances` (m,) of objects to it; if all are at one
    place, `spread`.
    """
    gaps = pdist(V) if len(V) > 1 else np.sqrt(np.mean(distances**2, keepdims=True))
    gaps = gaps[gaps > COINCIDENT * spread]
    return float(gaps.min() if gaps.size else spread or 1.0)


def beyond_most(values: np.ndarray, gap: float) -> float:
    """Return a number beyond most of the `values` (n,), except some very large ones.

    It is at least a share of the `gap` between clusters.
    """
    low, high = np.quantile(values, [0.25, 0.75])
    return float(max(high + FENCE * (high - low), LEAST * high, LEAST_SHARE * gap))


def linkage_means(near: np.ndarray, c: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the means (c, p) of `ward_labels`, and the distance of each object (m, p) to its own."""
    labels = ward_labels(near, c)
    V = np.array([near[labels == k].mean(axis=0) for k in range(c)])
    return V, np.linalg.norm(near - V[labels], axis=1)


def automatic_delta(
    X: np.ndarray, V: np.ndarray, distances: np.ndarray, setting: Setting, adaptive: bool, spread: float
) -> tuple[float, np.ndarray]:
    """Choose the distance to the empty set from some objects `X` (m, p), about the mean of all.

    Also returns the prototypes (c, p) of the short fits. `V` (c, p) and `distances` come from `linkage_means`
    of the objects that are not far from all others. `delta` of the setting is ignored. If norms adapt, delta
    is a distance in their norms. `spread` is the root mean square distance of all objects to their mean.
    """
    gap = least_gap(V, distances, spread)
    delta = beyond_most(distances, gap)
    least = delta / MOST_SHRINKAGE
    for _ in range(SHORT_FITS):
        run = alternate(
            X,
            V,
            setting._replace(delta=delta),
            adaptive=adaptive,
            least_move=SHORT_TOL * spread,
            max_iter=SHORT_ITERATIONS,
        )
        V = run.prototypes
        delta = max(beyond_most(limits(X, V, run.norms, setting), gap), least)
    return delta, V


def pull(V: np.ndarray, near: np.ndarray) -> float:
    """Return how far a prototype (c, p) is from the mean of those objects (m, p) that are nearest to it.

    The unit is the smallest distance between two prototypes; up to `PULL` counts as 0.
    """
    labels, gap = cdist(near, V).argmin(axis=1), pdist(V).min(initial=np.inf)
    moved = max(float(np.linalg.norm(near[labels == k].mean(axis=0) - V[k])) for k in np.unique(labels))
    if moved <= PULL * gap:
        return 0.0
    return moved / gap if gap > 0 else np.inf


def limits(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting) -> np.ndarray:
    r"""Return for each object the :math:`\delta` below which it is an outlier.

    (m, p), (c, p), (c, p, p) or None -> (m,).
    """
    sets = setting.focal_sets
    costs = squared_distances(X, V, sets, S)
    costs *= sets.cardinality[int(sets.has_empty) :] ** float(setting.alpha)
    return np.sqrt(costs.min(axis=1))
