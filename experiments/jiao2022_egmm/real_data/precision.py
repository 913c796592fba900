"""When an algorithm has run often enough: the rule by which the runs of a chunk end."""

import pandas as pd

from credalbench.intervals import mean
from credalbench.runner.judging import Comparison

from ...precision import is_precise as are_precise
from ..shared.tables import ROWS, printed_cell
from .cells import printed_method, sample


def is_precise(params, fits: pd.DataFrame, dataset: str, method: str) -> bool:
    """Return whether the chunks together know each mean to the share `precision` of its margin.

    Standard deviations need no rule: their margin is three times their interval from 90 runs on.
    """
    tables = {"fits": fits.assign(dataset=dataset, method=method)}
    compared = []
    for row in ROWS:
        printed = printed_cell(row, dataset, printed_method(method))
        values = sample(tables, row, dataset, method) if printed else ()
        if len(values):
            compared.append(Comparison.with_printed(printed, mean(values), ""))
    return are_precise(compared, params.precision, params.n_chunks)
