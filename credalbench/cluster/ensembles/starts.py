"""Masses from which the search for a consensus starts.

* "linkage": the first start is hard, the c clusters of an average linkage of the dissimilarities
  1 - m_ij({s}); deterministic. The others are random, and so are all where pairs are sampled.
* "random": uniform numbers, normalised by row, as Algorithm 1 of the ensemble paper begins.
"""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.pairwise.starts import masses_from_posteriors
from credalbench.core.arguments import Array, Choice, expect
from credalbench.core.progress import track

INITS = ("linkage", "random")
INIT = Array() | Choice(*INITS)
Init = Annotated[str | npt.ArrayLike, INIT]


def check_init(init: str | npt.ArrayLike, n: int, focal_sets: FocalSets) -> None:
    """Refuse an unknown word, and an array that does not hold masses of n objects on the focal sets."""
    init = INIT.read("init", init)
    if not isinstance(init, str):
        shape = (n, len(focal_sets))
        expect(np.shape(init) == shape, f"init of shape {shape}", np.shape(init))
        CredalPartition(init, focal_sets)


def consensus_starts(
    same: np.ndarray,
    n_clusters: int,
    focal_sets: FocalSets,
    init: str | npt.ArrayLike,
    n_init: int,
    rng: np.random.RandomState,
) -> Iterator[np.ndarray]:
    """Yield `n_init` arrays (n, f) of starting masses; a given array once.

    `same` holds the masses on {s} of all pairs, (n, n), or of sampled ones, (n, k) with k < n.
    """
    if not isinstance(init, str):
        yield CredalPartition(init, focal_sets).masses
        return
    n, k = same.shape
    for number in track(range(n_init), "start"):
        if number == 0 and init == "linkage" and k == n:
            labels = clusters_of_tree(linkage(squareform(1.0 - same, checks=False), "average"), n_clusters)
            yield masses_from_posteriors(np.eye(n_clusters)[labels], focal_sets)
        else:
            masses = rng.random((n, len(focal_sets)))
            yield masses / masses.sum(axis=1, keepdims=True)


def clusters_of_tree(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return labels 0..c-1 after all but the last c - 1 merges of scipy's `tree` (n - 1, 4), ties or not."""
    n = len(tree) + 1
    merges = np.arange(n - n_clusters)
    edges = tree[merges, :2].astype(int).ravel(), np.repeat(n + merges, 2)
    links = csr_array((np.ones(2 * merges.size), edges), shape=(2 * n, 2 * n))
    return np.unique(connected_components(links, directed=False)[1][:n], return_inverse=True)[1]
