r"""Masses from which the search for a consensus starts, and masses from which it continues.

* "linkage": the first start is hard, the c clusters of an average linkage of the dissimilarities
  1 - m_ij({s}); this start is deterministic. The others are random; all are random if pairs are sampled.
* "random": uniform numbers, normalised by row, as Algorithm 1 of the ensemble paper begins.

A second run starts at the consensus partition with the same masses of pairs that is nearest to a hard one.
Let :math:`s_i` be the masses of object i on the c clusters, and the rest on Omega. Then

.. math:: m_{ij}(\{s\}) = s_i^T s_j, \qquad
          m_{ij}(\{\neg s\}) = (s_i^T 1)(s_j^T 1) - s_i^T s_j,

and any orthogonal Q with :math:`Q 1 = 1`, a rotation about the axis of equal masses, changes neither. If the
masses can rotate and stay non-negative, as between weakly related objects of three or more clusters, the
stress does not determine the clusters: descent ends at an accidental rotation, and the labels are accidental.
`rotate` looks for the rotation with the largest sum of cubes of the masses, which is largest if each
object has one cluster. The sum of cubes is convex, so the orthogonal matrix nearest to its slope
never makes it smaller: the iteration of factor analysis for simple structure, within these rotations.
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
from credalbench.cluster.pairwise.all_pairs import masses_from_posteriors
from credalbench.core.arguments import Array, Choice, expect
from credalbench.core.progress import track

INITS = ("linkage", "random")
INIT = Array() | Choice(*INITS)
Init = Annotated[str | npt.ArrayLike, INIT]


def check_init(init: str | npt.ArrayLike, n: int, focal_sets: FocalSets) -> None:
    """Raise an error unless `init` is a known word or an array of masses of n objects on the focal sets."""
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


ROTATIONS = 1000
SETTLED = 1e-12  # relative growth of the sum of cubes


def is_rotatable(focal_sets: FocalSets) -> bool:
    """Return whether all sets are single clusters or Omega, and there are at least three clusters."""
    sizes, c = focal_sets.cardinality, focal_sets.n_clusters
    return bool(c > 2 and (focal_sets.singletons >= 0).all() and np.isin(sizes, (1, c)).all())


def rotate(masses: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return the masses (n, f) after rotation; negative ones are set to 0, and the row is rescaled.

    The focal sets are rotatable. O(n c^2) a step.
    """
    X = masses[:, focal_sets.singletons]  # (n, c)
    rotated = np.maximum(X, 0.0)
    value = float((rotated**3).sum())
    for _ in range(ROTATIONS):
        Q = procrustes_rotation(X.T @ rotated**2)
        rotated = np.maximum(X @ Q, 0.0)
        before, value = value, float((rotated**3).sum())
        if value <= before * (1 + SETTLED):
            break
    total = rotated.sum(axis=1, keepdims=True)
    rotated *= X.sum(axis=1, keepdims=True) / np.where(total > 0, total, 1.0)
    found = masses.copy()
    found[:, focal_sets.singletons] = rotated
    return found


def procrustes_rotation(slope: np.ndarray) -> np.ndarray:
    """Return the orthogonal Q with Q 1 = 1 and the largest trace of Q' `slope`, (c, c)."""
    c = len(slope)
    axis = np.full((c, 1), c**-0.5)
    across = np.linalg.svd(axis)[0][:, 1:]  # (c, c - 1), orthogonal to the axis
    left, _, right = np.linalg.svd(across.T @ slope @ across)
    return axis @ axis.T + across @ (left @ right) @ across.T
