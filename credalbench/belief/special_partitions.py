"""Hard, fuzzy, possibilistic and rough partitions as credal ones [denoeux2016_beyond].

Each is a special credal partition: the masses of an object are certain, or on single clusters, on nested
sets, or on one set. `CredalPartition.from_labels`, `from_fuzzy`, `from_possibilistic` and `from_rough`
use these functions.
"""

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_array, as_floats

from .focal import FocalSets, check_n_clusters

Masses = tuple[np.ndarray, FocalSets]


def masses_of_labels(y: ArrayLike, focal_sets: FocalSets | int | None) -> Masses:
    """Return m({y_i}) = 1 for labels `y` (n,), on the given or the simple focal sets.

    The simple focal sets are those of c clusters, if a number c is given, or of max(y) + 1 clusters.
    """
    labels = as_array("labels", y)
    if labels.ndim != 1 or labels.size == 0 or labels.dtype.kind not in "iu":
        raise ValueError(f"expected integer labels of shape (n,), got {labels.dtype} {labels.shape}")
    if not isinstance(focal_sets, FocalSets):
        focal_sets = FocalSets.simple(int(labels.max()) + 1 if focal_sets is None else focal_sets)
    if labels.min() < 0 or labels.max() >= focal_sets.n_clusters:
        raise ValueError(
            f"expected labels in 0..{focal_sets.n_clusters - 1}, got {labels.min()}..{labels.max()}"
        )
    position = focal_sets.singletons[labels]
    if (position < 0).any():
        raise ValueError(f"expected focal sets with the singletons of all labels, got {focal_sets!r}")
    return _certain(position, len(focal_sets)), focal_sets


def masses_of_memberships(U: ArrayLike) -> Masses:
    """Return m({k}) = u_ik for fuzzy memberships `U` (n, c), on the c singletons."""
    table = _table("memberships", U)
    c = table.shape[1]
    return table, FocalSets.up_to(c, 1, empty=False, omega=c == 1)


def masses_of_possibilities(pi: ArrayLike) -> Masses:
    """Return the nested masses whose contour is `pi` (n, c): differences of the sorted degrees."""
    table = _table("possibilities", pi)
    if not ((table >= 0) & (table <= 1)).all():
        raise ValueError(f"expected possibilities in [0, 1], got {table.min():.6g} to {table.max():.6g}")
    n, c = table.shape
    order = np.argsort(-table, axis=1, kind="stable")
    degrees = np.column_stack([np.ones(n), np.take_along_axis(table, order, axis=1), np.zeros(n)])
    bits = np.left_shift(np.int64(1), order)
    masks = np.column_stack([np.zeros(n, np.int64), np.cumsum(bits, axis=1)])  # (n, c + 1): nested sets
    masses = -np.diff(degrees, axis=1)
    focal_sets = FocalSets.from_masks(c, np.unique(masks[masses > 0]).tolist())
    found = np.zeros((n, len(focal_sets)))
    rows, ranks = np.nonzero(masses)
    found[rows, focal_sets.positions(masks[rows, ranks])] = masses[rows, ranks]
    return found, focal_sets


def masses_of_approximations(lower: ArrayLike, upper: ArrayLike) -> Masses:
    """Return m(A_i) = 1 for the set A_i of clusters whose `upper` approximations (n, c) contain object i.

    `lower` (n, c) must agree with `upper` for the objects that are in only one upper approximation.
    """
    lower, upper = as_array("lower", lower), as_array("upper", upper)
    if upper.ndim != 2 or 0 in upper.shape or lower.shape != upper.shape:
        raise ValueError(f"expected two arrays of shape (n, c), got {lower.shape} and {upper.shape}")
    if not (np.isin(lower, (0, 1)).all() and np.isin(upper, (0, 1)).all()):
        raise ValueError(f"expected arrays of True and False, got {lower.dtype} and {upper.dtype}")
    lower, upper = lower.astype(bool), upper.astype(bool)
    certain = upper & (upper.sum(axis=1, keepdims=True) == 1)
    wrong = (lower != certain).any(axis=1)
    if wrong.any():
        raise ValueError(
            "expected lower approximations that contain exactly the objects in only one upper approximation, "
            f"got others for object {wrong.argmax()}"
        )
    c = check_n_clusters(upper.shape[1])
    masks = upper @ np.left_shift(np.int64(1), np.arange(c))
    focal_sets = FocalSets.from_masks(c, np.unique(masks).tolist())
    return _certain(focal_sets.positions(masks), len(focal_sets)), focal_sets


def _table(name: str, values: ArrayLike):
    table = np.array(as_floats(name, values))
    if table.ndim != 2 or 0 in table.shape or not np.isfinite(table).all():
        raise ValueError(f"expected finite {name} of shape (n, c), got shape {table.shape}")
    check_n_clusters(table.shape[1])
    return table


def _certain(positions: np.ndarray, f: int):
    """Return masses (n, f) that are 1 at the positions (n,) of focal sets."""
    masses = np.zeros((len(positions), f))
    masses[np.arange(len(positions)), positions] = 1.0
    return masses
