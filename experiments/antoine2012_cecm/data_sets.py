"""Table 4: the five data sets of the experiments, their sizes as we load them.

The paper prints n, c and p, no scaling, no rule for two classes of glass and no selection of letters. What we
chose, and why, is in ``protocol.py``; this study checks that the sizes are the printed ones, and shows the
number of objects in each class and the distance to the empty set.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.runner import Claim, Experiment, Finding, knob
from experiments.printed import printed_values

from .shared.protocol import NAMES, STANDARDISED, prepared

PRINTED = printed_values("antoine2012_cecm", "data_sets")
SIZES = ("n_objects", "n_clusters", "n_attributes")


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
        "n_objects": len(X),
        "n_clusters": n_clusters,
        "n_attributes": X.shape[1],
        "n_classes": int((classes > 0).sum()),
        "class_sizes": " + ".join(map(str, classes[classes > 0])),
        "standardised": name in STANDARDISED,
        "delta": delta,
    }
    return {"sizes": pd.DataFrame([row])}


def check_sizes(params, tables):
    sizes = tables["sizes"].set_index("dataset")
    wrong = [
        f"{name} {size} {sizes.loc[name, size]}"
        for name in sizes.index
        for size in SIZES
        if not PRINTED[f"{name}_{size}"].agrees(sizes.loc[name, size])
    ]
    text = "; ".join(f"{r.Index} {r.n_objects}, {r.n_clusters}, {r.n_attributes}" for r in sizes.itertuples())
    return Finding(not wrong and len(sizes) == len(NAMES), text, ", ".join(wrong))


def check_classes(params, tables):
    sizes = tables["sizes"]
    text = "; ".join(f"{r.dataset} {r.class_sizes}" for r in sizes.itertuples())
    return Finding((sizes["n_classes"] == sizes["n_clusters"]).all(), text)


def printed_sizes():
    """n, c, p of the table, in words."""
    return "; ".join(
        f"{name} " + ", ".join(f"{PRINTED[f'{name}_{size}'].value:g}" for size in SIZES) for name in NAMES
    )


CLAIMS = (
    Claim(
        "cecm-tab-04",
        "n, c and p of the five data sets are those of Table 4",
        "paper",
        check_sizes,
        printed_sizes(),
        "data sets were left out",
    ),
    Claim(
        "cecm-tab-04",
        "each data set has as many classes as clusters are asked for",
        "own expectation, not in paper",
        check_classes,
    ),
)

experiment = Experiment(
    paper="antoine2012_cecm",
    study="data_sets",
    title="The data sets of the experiments",
    artefacts={"cecm-tab-04": "Data sets"},
    parameters=Parameters,
    cases=cases,
    compute=compute,
    claims=CLAIMS,
)
