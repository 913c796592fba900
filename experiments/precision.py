"""When a study has run often enough: the rule by which the runs of a case end."""

from collections.abc import Iterable

import numpy as np

from credalbench.runner.judging import Comparison


def is_precise(comparisons: Iterable[Comparison], share: float, n_cases: int = 1) -> bool:
    """Return whether the intervals of `n_cases` cases together are a `share` of their margins, or less.

    The comparisons are those of one case. Its intervals are √`n_cases` times as wide as those of all. What is
    printed does not matter but for the margin, so that the verdict does not decide when the runs end.
    """
    return all(one.reach <= share * np.sqrt(n_cases) * one.margin for one in comparisons)
