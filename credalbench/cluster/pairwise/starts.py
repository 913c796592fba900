"""Masses from which programmes over pairs of objects start."""

import numpy as np

from credalbench.belief import FocalSets


def masses_from_posteriors(posteriors: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Put each cluster's probability on the cluster, or on the smallest sets around it where it is no set.

    (n, c) rows on the simplex -> (n, f). Each cluster has to be in some set.
    """
    member = focal_sets.membership
    size = np.where(member, focal_sets.cardinality[:, None], np.inf)
    smallest = (size == size.min(axis=0)).astype(float)  # (f, c)
    return posteriors @ (smallest / smallest.sum(axis=0)).T
