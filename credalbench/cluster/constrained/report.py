"""What became of constraints: met, violated, or met by objects that ended outside all clusters."""

from __future__ import annotations

import warnings
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


def constraint_report(
    constraints: PairwiseConstraints, partition: CredalPartition, labels: np.ndarray
) -> pd.DataFrame:
    """Return a row for each constraint, must-links first; see `CECM.constraint_report`. `labels` are (n,)."""
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    must = np.arange(len(pairs)) < len(constraints.must_link)
    same, different = joint_plausibilities(partition.masses, pairs, partition.focal_sets)
    violated = (labels[pairs[:, 0]] == labels[pairs[:, 1]]) != must
    outlying = partition.outliers()[pairs]
    outcomes = np.select([violated, outlying.any(axis=1)], ["violated", "met by an outlier"], default="met")
    names = [tuple(name_of(i, constraints.index) for i in pair[out]) for pair, out in zip(pairs, outlying)]
    columns = {"plausibility": np.where(must, different, same), "outcome": outcomes, "outliers": names}
    return constraints.to_frame().assign(**columns)


def warn_of_outliers(
    constraints: PairwiseConstraints, partition: CredalPartition, labels: np.ndarray
) -> None:
    """Warn of must-links that are met by outliers only; arguments as for `constraint_report`."""
    must = constraints.must_link
    if not len(must):
        return
    met = labels[must[:, 0]] == labels[must[:, 1]]
    ambiguous = must[met & partition.outliers()[must].any(axis=1)]
    if not len(ambiguous):
        return
    names = [" - ".join(str(name_of(i, constraints.index)) for i in pair) for pair in ambiguous[:SHOWN]]
    more = ", ..." * (len(ambiguous) > SHOWN)
    warnings.warn(
        f"{len(ambiguous)} of {len(must)} must-links are met by outliers only: {', '.join(names)}{more}. "
        "An object of each is in no cluster, so the must-link may be false. See constraint_report()",
        UserWarning,
        stacklevel=user_stacklevel(),
    )
