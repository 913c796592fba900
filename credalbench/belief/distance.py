"""Distances between mass functions."""

import numpy as np
from numpy.typing import ArrayLike

from .focal import FocalSets, check_same_frame
from .transforms import check_masses, rearrange


def jousselme(
    m1: ArrayLike, focal_sets1: FocalSets, m2: ArrayLike, focal_sets2: FocalSets | None = None
) -> np.ndarray:
    r"""Compute the Jousselme distance between mass functions, row by row [li2020_ensemble (11)].

    .. math:: d(m, m') = \sqrt{\tfrac12 (m - m')^T J (m - m')}, \quad J_{AB} = |A \cap B| / |A \cup B|

    The empty set is a set like any other: its similarity is 1 to itself and 0 to all others.

    Parameters
    ----------
    m1, m2 : arrays of shape (n, f1) and (n, f2), or (f,)
        Masses.
    focal_sets1, focal_sets2 : FocalSets
        Focal sets of one frame; None as the second: the same as the first.

    Returns
    -------
    array of shape (n,), or a number for two single mass functions
        Distances in [0, 1].

    Notes
    -----
    O(n f^2), f the number of focal sets of both together.

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> float(jousselme([1, 0, 0], FocalSets.simple(2, empty=False), [0, 1, 0]))
    1.0
    """
    focal_sets2 = focal_sets1 if focal_sets2 is None else focal_sets2
    check_same_frame(focal_sets1, focal_sets2)
    focal_sets = focal_sets1.union(focal_sets2)
    M1 = rearrange(check_masses(m1, focal_sets1), focal_sets1, focal_sets)
    difference = M1 - rearrange(check_masses(m2, focal_sets2), focal_sets2, focal_sets)
    square = np.sum(difference @ focal_sets.jaccard * difference, axis=-1) / 2
    return np.sqrt(np.maximum(square, 0.0))  # J is positive definite; rounding may still give -1e-17
