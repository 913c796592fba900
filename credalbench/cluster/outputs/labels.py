"""Labels of a fit, numbered as the clusters of the partition, also where clusters are empty."""

import warnings

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.resources import user_stacklevel


class EmptyClusters(UserWarning):
    """Some clusters have no object. `brief` gives their count without their numbers."""

    def __init__(self, brief: str, numbers: str) -> None:
        super().__init__(brief, numbers)
        self.brief, self.numbers = brief, numbers

    def __str__(self) -> str:
        return (
            f"{self.brief}: {self.numbers}. Labels keep the numbers of the clusters, and skip theirs. There "
            "are fewer clusters, or the start was unlucky"
        )


def labels_of(partition: CredalPartition, rule: str = "plausibility") -> np.ndarray:
    """Return the cluster of every object by `rule`, (n,) in 0..c-1; clusters without objects are warned of.

    Such a cluster leaves a gap in the labels, so that ``masses``, ``contour`` and ``cluster_centers_`` can be
    indexed by them.
    """
    labels, c = partition.labels(rule), partition.n_clusters
    empty = np.flatnonzero(np.bincount(labels, minlength=c) == 0)
    if empty.size:
        brief = f"{empty.size} of {c} clusters {'have' if empty.size > 1 else 'has'} no object"
        numbers = ", ".join(f"{{{k + 1}}}" for k in empty)
        warnings.warn(EmptyClusters(brief, numbers), stacklevel=user_stacklevel())
    return labels
