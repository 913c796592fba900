"""When an algorithm has run often enough: the rule by which the runs of a chunk end."""

import numpy as np
import pandas as pd

from credalbench.intervals import mean
from credalbench.runner.judging import Comparison

from ..shared.tables import ROWS, printed_cell
from .cells import printed_method, sample


def is_precise(params, fits: pd.DataFrame, dataset: str, method: str) -> bool:
    """Return whether the chunks together know each mean to the share `precision` of its margin.

    One of m chunks has an interval √m times as wide as all of them. What is printed does not matter but for
    the margin, so that the verdict does not decide when the runs end. Standard deviations need no rule: their
    margin is three times their interval from 90 runs on.
    """
    tables = {"fits": fits.assign(dataset=dataset, method=method)}
    share = params.precision * np.sqrt(params.n_chunks)
    for row in ROWS:
        printed = printed_cell(row, dataset, printed_method(method))
        values = sample(tables, row, dataset, method) if printed else ()
        if len(values):
            compared = Comparison.with_printed(printed, mean(values), "")
            if compared.reach > share * compared.margin:
                return False
    return True
