"""Numbers of clusters from one fit to the next: a cluster should keep its colour while a slider moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.outputs.labels import EmptyClusters

if TYPE_CHECKING:
    from credalbench.explore.shared.fitting_model import Fit
    from credalbench.explore.shared.subjects.tables import Table


def matching_numbers(partition: CredalPartition, references: Sequence[CredalPartition]) -> np.ndarray:
    """Numbers for the clusters so that they agree as well as possible with those of other partitions.

    Parameters
    ----------
    partition : CredalPartition
    references : sequence of CredalPartition
        Of the same n objects; the numbers of clusters may differ. Their agreements are added.

    Returns
    -------
    ndarray of int, shape (c,)
        A permutation: cluster k gets number ``numbers[k]``. The overlap of two clusters is the sum over the
        objects of the products of their plausibilities; the sum of overlaps is largest. O(n c c' + c^3).
    """
    c = partition.n_clusters
    overlap = np.zeros((c, c))
    for reference in references:
        shared = min(c, reference.n_clusters)
        overlap[:, :shared] += (partition.contour.T @ reference.contour)[:, :shared]
    return linear_sum_assignment(overlap, maximize=True)[1]


def without_numbers(warning: Warning) -> str:
    """What a fit warns of; of empty clusters how many there are, as the explorer has numbers of its own."""
    return warning.brief if isinstance(warning, EmptyClusters) else str(warning)


def steady_numbers(partition: CredalPartition, subject: Table, previous: Fit | None) -> np.ndarray:
    """`matching_numbers` after the true classes, where they are known, and the last fit of the subject."""
    known = [] if subject.y is None else [CredalPartition.from_labels(subject.y)]
    shown = [previous.partition] if previous is not None and previous.subject is subject else []
    return matching_numbers(partition, known + shown)


def renumbered(partition: CredalPartition, numbers: ArrayLike) -> CredalPartition:
    """Return the credal partition with its cluster k called ``numbers[k]``, focal sets in canonical order."""
    renamed = [sorted(int(numbers[k]) for k in members) for members in partition.focal_sets.sets]
    order = sorted(range(len(renamed)), key=lambda k: (len(renamed[k]), renamed[k]))  # as in the families
    focal_sets = FocalSets.from_sets(partition.n_clusters, [renamed[k] for k in order])
    return CredalPartition(partition.masses[:, order], focal_sets, partition.index)
