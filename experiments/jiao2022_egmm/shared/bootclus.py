"""bootGMM by its author's program: `bootclus` of the R package evclust, with the mixtures of mclust."""

from pathlib import Path

import numpy as np
import pandas as pd

from ...rscript import RScript

PROGRAM = RScript(Path(__file__).with_name("bootclus.R"), "6f583237c5a2")
#: Of a run that is stored, besides its scores.
COLUMNS = ("c", "status", "reason", "model", "time_s", "version")


def bootclus(
    X: np.ndarray, numbers: list[tuple[int, int]], n_bootstrap: int, seed: int
) -> tuple[pd.DataFrame, np.ndarray]:
    """Call the program once for each range (lowest, highest) of numbers of clusters.

    BIC chooses in a range. The table of the runs has `COLUMNS` and bic (to be maximised), a row for each
    call; the labels (n, calls) are clusters from 1 of largest pignistic probability, 0 where the program
    stopped.
    """
    tasks = pd.DataFrame(numbers, columns=["low", "high"]).assign(n_bootstrap=n_bootstrap)
    runs, labels = PROGRAM.run(X=X, tasks=tasks.assign(seed=seed % (2**31 - 1)))  # what R takes
    words = runs[["reason", "model"]].astype(object)
    return runs.assign(**words.where(words.notna(), "")), labels
