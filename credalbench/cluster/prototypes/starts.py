"""Starting prototypes of ECM and the methods derived from it."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt

from credalbench.arguments import Array, Choice, expect
from credalbench.progress import track
from credalbench.threads import one_thread

INITS = ("k-means++", "k-means", "random")
Init = Annotated[str | npt.ArrayLike, Array() | Choice(*INITS)]


def check_init(init: str | npt.ArrayLike, n_clusters: int, n_features: int) -> None:
    """Refuse an array `init` that is no finite (c, p) array."""
    if isinstance(init, str):
        return
    shape = (n_clusters, n_features)
    expect(np.shape(init) == shape, f"init of shape {shape}", np.shape(init))
    expect(np.isfinite(np.asarray(init, dtype=float)).all(), "finite numbers in init", init)


def prototype_starts(
    X: np.ndarray, n_clusters: int, init: str | npt.ArrayLike, n_init: int, rng: np.random.RandomState
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
    """
    if not isinstance(init, str):
        yield np.array(init, dtype=float)
        return
    from sklearn.cluster import KMeans, kmeans_plusplus  # slow to import

    for _ in track(range(n_init), "start"):
        if init == "k-means++":
            yield kmeans_plusplus(X, n_clusters, random_state=rng)[0]
        elif init == "k-means":
            with one_thread():  # else the last bits depend on their number
                centers = KMeans(n_clusters, n_init=1, random_state=rng).fit(X).cluster_centers_
            yield centers
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
