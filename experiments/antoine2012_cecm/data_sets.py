"""Table 4: the five data sets of the experiments, their sizes as we load them.

The paper prints n, c and p, no scaling, no rule for two classes of glass and no selection of letters. What we
chose, and why, is in ``shared/protocol.py``; this study checks that the sizes are the printed ones, and shows
the number of objects in each class and the distance to the empty set.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.runner import (
    EXPECTATION,
    PAPER,
    CannotBeChecked,
    Finding,
    declare,
    knob,
    printed_values,
)
from credalbench.runner.claims import agrees, claim

from .shared.protocol import NAMES, STANDARDISED, prepared

PRINTED = printed_values(__file__)
SIZES = ("n", "c", "p")


@dataclass(frozen=True)
class Parameters:
    """Which data sets."""

    datasets: tuple[str, ...] = knob(NAMES, "names of the data sets (Table 4)")


def cases(params):
    return [{"dataset": name} for name in params.datasets]


def compute(params, case):
    name = case["dataset"]
    X, y, n_clusters, delta = prepared(name)
    classes = np.bincount(y)
    row = {
        "n": len(X),
        "c": n_clusters,
        "p": X.shape[1],
        "n_classes": int((classes > 0).sum()),
        "class_sizes": " + ".join(map(str, classes[classes > 0])),
        "standardised": name in STANDARDISED,
        "delta": delta,
    }
    return {"sizes": pd.DataFrame([row])}


# ------------------------------------------------------------------------------------------ claims


@claim(
    "cecm-tab-04",
    "n, c and p of the five data sets are those of Table 4",
    PAPER,
    published="; ".join(
        f"{name} " + ", ".join(f"{PRINTED[f'{name}_{size}'].value:g}" for size in SIZES) for name in NAMES
    ),
)
def sizes_as_printed(params, tables):
    sizes = tables["sizes"].set_index("dataset")
    if missing := [name for name in NAMES if name not in sizes.index]:
        raise CannotBeChecked(f"left out of this run: {', '.join(missing)}")
    cells = {f"{name}_{size}": sizes.loc[name, size] for name in NAMES for size in SIZES}
    return agrees(PRINTED, cells, "g")


@claim("cecm-tab-04", "each data set has as many classes as clusters are asked for", EXPECTATION)
def as_many_classes(params, tables):
    sizes = tables["sizes"]
    words = "; ".join(f"{row.dataset} {row.class_sizes}" for row in sizes.itertuples())
    return Finding((sizes["n_classes"] == sizes["c"]).all(), words)


experiment = declare(
    __name__,
    title="The data sets of the experiments",
    artefacts={"cecm-tab-04": "Data sets"},
)
