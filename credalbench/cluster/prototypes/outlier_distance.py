r"""Distance to the empty set that is chosen from the data, without labels: ``delta="auto"``.

An object is an outlier when :math:`\delta` is below its limit :math:`\min_A |A|^{\alpha/2} d_{iA}`. Most
limits are those of objects in clusters, so :math:`\delta` lies beyond these by the outer fence of Tukey's box
plots, at :math:`Q_3 + 3 (Q_3 - Q_1)` of the limits, and at :math:`1.5\, Q_3` at least. The limits are those
of short fits to some of the objects, each with the :math:`\delta` of the one before, from the clusters of
Ward's linkage of those that are not far from all others. The fit itself may also start from the means of
these clusters: then no outlier is a prototype, and no cluster is left to the empty set.

The result depends only on the data and the objective, not on `init` or `random_state`.
"""

from typing import Annotated

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.neighbors import NearestNeighbors

from credalbench.cluster.prototypes.mass_update import Setting, alternate
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.core.arguments import LENGTH, Choice
from credalbench.core.linkage import NEIGHBOUR, cut, far_by_neighbour

Delta = Annotated[str | float, Choice("auto") | LENGTH]
FENCE, LEAST = 3.0, 1.5  # of delta: interquartile ranges beyond the third quartile; third quartiles
SHORT_FITS = 2
SHORT_TOL, SHORT_ITERATIONS = 1e-2, 30  # of a short fit
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


def beyond_most(values: np.ndarray, spread: float) -> float:
    """Return a positive number beyond most of the `values` (n,), except some very large ones."""
    low, high = np.quantile(values, [0.25, 0.75])
    found = max(high + FENCE * (high - low), LEAST * high)
    return float(found or values.max() or spread or 1.0)


def linkage_means(near: np.ndarray, c: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the means (c, p) of `ward_labels`, and the distance of each object (m, p) to its own."""
    labels = ward_labels(near, c)
    V = np.array([near[labels == k].mean(axis=0) for k in range(c)])
    return V, np.linalg.norm(near - V[labels], axis=1)


def automatic_delta(
    X: np.ndarray, V: np.ndarray, distances: np.ndarray, setting: Setting, adaptive: bool, spread: float
) -> float:
    """Choose the distance to the empty set from some objects `X` (m, p), about the mean of all.

    `V` (c, p) and `distances` come from `linkage_means` of the objects that are not far from all others.
    `delta` of the setting is ignored. If norms adapt, delta is a distance in their norms. `spread` is the
    root mean square distance of all objects to their mean.
    """
    delta = beyond_most(distances, spread)
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
        delta = max(beyond_most(limits(X, V, run.norms, setting), spread), least)
    return delta


def limits(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting) -> np.ndarray:
    r"""Return the :math:`\delta` of each object below which it is an outlier.

    (m, p), (c, p), (c, p, p) or None -> (m,).
    """
    sets = setting.focal_sets
    costs = squared_distances(X, V, sets, S)
    costs *= sets.cardinality[int(sets.has_empty) :] ** float(setting.alpha)
    return np.sqrt(costs.min(axis=1))
