"""Where the centres of a prototype-based method start: k-means++, random objects, or given."""

from typing import Annotated

import numpy as np
import numpy.typing as npt
from sklearn.cluster import kmeans_plusplus

from credalbench.core.arguments import LARGEST, Array, Choice, expect

SEEDINGS = ("k-means++", "random")
Init = Annotated[str | npt.ArrayLike, Array() | Choice(*SEEDINGS)]


def check_init(init: str | npt.ArrayLike, n_clusters: int, n_features: int) -> None:
    """Refuse an array `init` that is no finite (c, p) array."""
    if isinstance(init, str):
        return
    shape = (n_clusters, n_features)
    expect(np.shape(init) == shape, f"init of shape {shape}", np.shape(init))
    largest = float(np.abs(np.asarray(init, dtype=float)).max())
    expect(largest <= LARGEST, f"finite init up to {LARGEST:g}", largest)


def starting_centers(
    X: np.ndarray,
    n_clusters: int,
    init: str | npt.ArrayLike,
    rng: np.random.RandomState,
    sample_weight: np.ndarray | None = None,
) -> np.ndarray:
    """Return centres to start from.

    Parameters
    ----------
    X : (n, p) array
    n_clusters : int
        c, at most n.
    init : {"k-means++", "random"} or (c, p) array
        "random": c different objects, uniformly.
    rng : RandomState
    sample_weight : (n,) array or None
        Of k-means++.

    Returns
    -------
    (c, p) array
        A copy, when `init` is an array.
    """
    if not isinstance(init, str):
        return np.array(init, dtype=float)
    if init == "random":
        return X[rng.choice(len(X), n_clusters, replace=False)]
    return kmeans_plusplus(X, n_clusters, sample_weight=sample_weight, random_state=rng)[0]
