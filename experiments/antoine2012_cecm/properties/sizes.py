"""How many masses an object has, and fits of more clusters or objects than the paper thinks possible."""

from time import perf_counter

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.papers import printed_values

from ..shared.protocol import draw_constraints

PRINTED = printed_values(__file__, "data_sets")
MOST_COUNTED = 12  # clusters


def counts():
    """Count focal sets of 2 and more clusters: all, and the frame with at most two clusters."""
    clusters = range(2, MOST_COUNTED + 1)
    sizes = {"full": [len(FocalSets.full(c)) for c in clusters]}
    sizes["limited"] = [len(FocalSets.pairs(c)) for c in clusters]
    return pd.DataFrame({"c": clusters, **sizes})


def large_fit(c, n, n_constraints, rng):
    """Fit CECM with the Euclidean metric to c round groups on a grid, as far apart as two-class."""
    y = np.arange(n) % c
    side = int(np.ceil(np.sqrt(c)))
    apart, variance = (PRINTED[f"two_class_{what}"].value for what in ("apart", "variance"))
    centres = apart * np.column_stack(np.divmod(np.arange(c), side))
    X = centres[y] + rng.normal(scale=variance**0.5, size=(n, 2))
    links = draw_constraints(y, n_constraints, rng)
    start = perf_counter()
    model = CECM(c, delta=10.0, init=centres).fit(X, must_link=links.must_link, cannot_link=links.cannot_link)
    row = {
        "c": c,
        "n": n,
        "f": len(model.partition_.focal_sets),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "time_s": perf_counter() - start,
    }
    return pd.DataFrame([row])
