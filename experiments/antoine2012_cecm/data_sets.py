"""Table 4: the five data sets of the experiments, their sizes as we load them.

The paper prints n, c and p, but no scaling, no rule for two classes of glass and no selection of letters.
``shared/protocol.py`` explains our choices; this study checks that the sizes are the printed ones, and shows
the number of objects in each class, the distance to the empty set, and how well k-means finds the classes.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

from credalbench.metrics import adjusted_rand
from credalbench.papers import NotCheckable, declare, knob, printed_values
from credalbench.papers.claims import above, all_of, claim, within

from .shared.choices import OF_DATA
from .shared.protocol import FILES, NAMES, STANDARDISED, prepared, starting_prototypes

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
    nearest = cdist(X, starting_prototypes(name)).argmin(axis=1)
    row = {
        "n": len(X),
        "c": n_clusters,
        "p": X.shape[1],
        "n_classes": int((classes > 0).sum()),
        "class_sizes": " + ".join(map(str, classes[classes > 0])),
        "standardised": name in STANDARDISED,
        "delta": delta,
        "ari_kmeans": adjusted_rand(y, nearest),
    }
    return {"sizes": pd.DataFrame([row])}


# ------------------------------------------------------------------------------------------ claims


@claim(
    "cecm-tab-04",
    "n, c and p of our five data sets are those of Table 4",
    published="; ".join(
        f"{name} " + ", ".join(f"{PRINTED[f'{name}_{size}'].value:g}" for size in SIZES) for name in NAMES
    ),
)
def sizes_as_printed(params, tables):
    sizes = tables["sizes"].set_index("dataset")
    if missing := [name for name in NAMES if name not in sizes.index]:
        raise NotCheckable(f"left out of this run: {', '.join(missing)}")
    parts = []
    for name, size in product(NAMES, SIZES):
        printed = PRINTED[f"{name}_{size}"].value
        parts.append(within(printed, printed, {f"{name}, {size}": sizes.loc[name, size]}, "g"))
    return all_of(*parts)


@claim(
    "cecm-tab-04",
    "k-means finds the letters I, J and L less well than the classes of any other real data set",
    sentence="S18",
    fitted=tuple(OF_DATA.values()),
)
def letters_are_hard(params, tables):
    found = tables["sizes"].set_index("dataset")["ari_kmeans"]
    others = [name for name in FILES if name in found.index and name != "letters"]
    if "letters" not in found.index or not others:
        raise NotCheckable("Letters or all other real data sets are left out of this run")
    note = f"adjusted Rand index over that on Letters, {found['letters']:.3f}"
    return above(0, {name: found[name] - found["letters"] for name in others}, "+.3f", note)


experiment = declare(
    __name__,
    title="The data sets of the experiments",
    artefacts={"cecm-tab-04": "Data sets"},
    data=("iris_uci", "glass", "letters_ijl"),
)
