"""Cluster numbers that stay the same from fit to fit, so that clusters keep their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credalbench.belief import CredalPartition, match_clusters
from credalbench.belief.decision import EmptyClusters

if TYPE_CHECKING:
    from credalbench.explore.fitting import Fit
    from credalbench.explore.sources.tables import Table


def without_numbers(warning: Warning) -> str:
    """Return the text of a warning without cluster numbers, as the explorer renumbers clusters."""
    return warning.brief if isinstance(warning, EmptyClusters) else str(warning)


def steady_numbers(partition: CredalPartition, subject: Table, previous: Fit | None) -> np.ndarray:
    """Match the clusters to the true classes, if they are known, and to the last fit of the subject."""
    known = [] if subject.y is None else [CredalPartition.from_labels(subject.y)]
    shown = [previous.partition] if previous is not None and previous.subject is subject else []
    return match_clusters(partition, known + shown)
