"""Numbers of clusters from one fit to the next: a cluster should keep its colour while a slider moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credalbench.belief import CredalPartition, match_clusters
from credalbench.cluster.outputs.labels import EmptyClusters

if TYPE_CHECKING:
    from credalbench.explore.fitting import Fit
    from credalbench.explore.sources.tables import Table


def without_numbers(warning: Warning) -> str:
    """What a fit warns of; of empty clusters how many there are, as the explorer has numbers of its own."""
    return warning.brief if isinstance(warning, EmptyClusters) else str(warning)


def steady_numbers(partition: CredalPartition, subject: Table, previous: Fit | None) -> np.ndarray:
    """`match_clusters` after the true classes, where they are known, and the last fit of the subject."""
    known = [] if subject.y is None else [CredalPartition.from_labels(subject.y)]
    shown = [previous.partition] if previous is not None and previous.subject is subject else []
    return match_clusters(partition, known + shown)
