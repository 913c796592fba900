"""Outcomes of constraints: met, violated, or met by an outlier, which is in none of the clusters."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.cluster.constrained.masses import joint_plausibilities
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.names import name_of
from credalbench.core.resources import user_stacklevel

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 3  # pairs that a warning names
MET, VIOLATED, BY_AN_OUTLIER = OUTCOMES = ("met", "violated", "met by an outlier")


def constraint_outcomes(
    pairs: np.ndarray, must: np.ndarray, partition: CredalPartition, labels: np.ndarray
) -> np.ndarray:
    """Return the outcome of each constraint, one of `OUTCOMES`: (q, 2) pairs, (q,) must-links -> (q,).

    An outlier is in none of the clusters, so its constraints cannot be violated, whatever the cluster in
    `labels` (n,), which says which of the other constraints are violated.
    """
    violated = (labels[pairs[:, 0]] == labels[pairs[:, 1]]) != must
    outlying = partition.outliers()[pairs].any(axis=1)
    return np.select([outlying, violated], [BY_AN_OUTLIER, VIOLATED], default=MET)


def constraint_report(
    constraints: PairwiseConstraints, partition: CredalPartition, labels: np.ndarray
) -> pd.DataFrame:
    """Return a row for each constraint, must-links first; see `CECM.constraint_report`. `labels` are (n,)."""
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    must = np.arange(len(pairs)) < len(constraints.must_link)
    same, different = joint_plausibilities(partition.masses, pairs, partition.focal_sets)
    outlying = partition.outliers()[pairs]
    names = [tuple(name_of(i, constraints.index) for i in pair[out]) for pair, out in zip(pairs, outlying)]
    return constraints.to_frame().assign(
        plausibility=np.where(must, different, same),
        outcome=constraint_outcomes(pairs, must, partition, labels),
        outliers=names,
    )


def warn_of_outliers(constraints: PairwiseConstraints, partition: CredalPartition) -> None:
    """Warn of must-links that are met only because an object is an outlier."""
    must = constraints.must_link
    if not len(must):
        return
    ambiguous = must[partition.outliers()[must].any(axis=1)]
    if not len(ambiguous):
        return
    pairs, more = ambiguous[:SHOWN].tolist(), ", ..." * (len(ambiguous) > SHOWN)
    rows = "rows " if constraints.index is None else ""

    def text(names: list[list[Hashable]], before: str = "") -> str:
        links = ", ".join(" - ".join(map(str, pair)) for pair in names)
        return (
            f"{len(ambiguous)} of {len(must)} must-links are met by outliers only: {before}{links}{more}. "
            "An object of each is in no cluster, so the must-link may be false"
        )

    names = [[name_of(i, constraints.index) for i in pair] for pair in pairs]
    warning = UserWarning(f"{text(names, rows)}. See constraint_report()")
    warning.brief = text([[i + 1 for i in pair] for pair in pairs])  # for pages, which count from 1
    warnings.warn(warning, stacklevel=user_stacklevel())
