"""Check the text against the printed tables: arithmetic on Tables 2 to 4 and 6 to 11.

No data and no algorithm are needed here. The text summarises the tables, and each of its sentences can be
compared with the printed numbers alone: which column is the best, the second best or the fastest. If the
table contradicts a sentence, no reproduction can make it true.

Signs and focal sets. The text says that EBIC is largest at the number of clusters it should be; the printed
values are all positive and smallest there: their minus signs are lost, in the paper or in the text that we
have. EBIC is the log-likelihood L less υ/2 ln n, Eq. (33), and υ depends on the focal sets. So the step from
c to c + 1 shows what L gains with each kind of them. A model with one more cluster contains the model before,
so L cannot fall; and a superfluous cluster gains little, of the order of its number of parameters. Table 2
fits all non-empty sets only, Tables 3 and 4 fit sets of at most two clusters with the frame only. The paper
does not say that it uses two kinds.
"""

from dataclasses import dataclass

import pandas as pd

from credalbench.papers import declare, knob

from ..shared.tables import DATASETS, METHODS, ROWS, printed_cell, printed_deviation, printed_seconds
from .claims import ARTEFACT, EBIC, SEARCHED, VALUES, likelihood_gains


@dataclass(frozen=True)
class Parameters:
    """Data sets whose tables are checked."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "data sets of Tables 6 to 11")


def cases(params):
    return [{"part": "EBIC"}, {"part": "real data"}]


def compute(params, case):
    """Return the printed numbers as tidy tables."""
    if case["part"] == "EBIC":
        rows = [(name, c, VALUES[name][f"ebic_{c}"].value) for name in EBIC for c in SEARCHED]
        return {"ebic": pd.DataFrame(rows, columns=["dataset", "c", "ebic"])}
    cells = [
        {
            "dataset": dataset,
            "row": row,
            "method": method,
            "mean": cell.value,
            "sd": printed_deviation(row, dataset, method).value,
        }
        for dataset in params.datasets
        for row in ROWS
        for method in METHODS
        if (cell := printed_cell(row, dataset, method))
    ]
    times = [(d, m, printed_seconds(d, m).value) for d in params.datasets for m in METHODS]
    return {
        "cells": pd.DataFrame(cells),
        "times": pd.DataFrame(times, columns=["dataset", "method", "time_s"]),
    }


experiment = declare(
    __name__,
    title="What the printed tables say themselves",
    artefacts={ARTEFACT: "The text against the tables, by arithmetic"},
    summaries=(likelihood_gains,),
)
