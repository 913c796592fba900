r"""Of all consensus partitions with the same masses of pairs, the one nearest to a hard partition.

Let :math:`s_i` be the masses of object i on the c clusters, and the rest on Omega. Then

.. math:: m_{ij}(\{s\}) = s_i^T s_j, \qquad
          m_{ij}(\{\neg s\}) = (s_i^T 1)(s_j^T 1) - s_i^T s_j,

and any orthogonal Q with :math:`Q 1 = 1`, a turn about the axis of equal masses, leaves both as they are. So
where the masses have room to turn and stay non-negative, as they have between weakly related objects of three
or more clusters, the stress does not determine the clusters: descent ends in an accidental turn, and with
it the labels are accidental. Asked for is the turn with the largest sum of cubes of the masses, which is
largest of all where each object has one cluster.

The sum of cubes is convex, so that the orthogonal matrix nearest to its slope never makes it smaller: the
iteration of factor analysis for simple structure, within the turns about the axis.
"""

import numpy as np

from credalbench.belief import FocalSets

ROTATIONS = 1000
SETTLED = 1e-12  # relative growth of the sum of cubes


def is_rotatable(focal_sets: FocalSets) -> bool:
    """Return whether all sets are single clusters or Omega, and the clusters three or more."""
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
