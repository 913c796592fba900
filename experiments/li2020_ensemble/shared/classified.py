"""Data sets with known classes for the studies on Section 5: files, or drawn anew for each repetition."""

from typing import NamedTuple

import numpy as np

from credalbench.datasets import make_fourclass, make_half_rings
from credalbench.papers import case_rng

from .problems import DATASETS, problem

GENERATED = {"half_rings": "Half-rings (drawn)", "fourclass": "Fourclass (drawn)"}
#: Data set -> how pictures and claims call it.
NAMES = GENERATED | {name: named.title for name, named in DATASETS.items()} | {"wine": "Wine, standardised"}
STANDARDISED = ("wine",)
RING_NOISE = 0.5  # of arcs of radius 5
#: The distances' quantile that is ECM's delta (Section 4.1), where it is not 0.2.
QUANTILES = {"half_rings": 0.1}


class Classified(NamedTuple):
    """Objects (n, p), their classes (n,) numbered from 0, how many, and the quantile for ECM's delta."""

    X: np.ndarray
    y: np.ndarray
    n_classes: int
    quantile: float


def repeated_cases(params) -> list[dict]:
    """Return a case for each repetition on each data set."""
    return [{"dataset": d, "repetition": r} for d in params.datasets for r in range(params.n_repetitions)]


def classified(name: str, n: int, seed: int, repetition: int) -> Classified:
    """Return a data set by name; of those that are drawn, n objects for each repetition."""
    if name in GENERATED:
        rng = case_rng(seed, name, repetition, "draw")
        data = make_half_rings(n, rng, noise=RING_NOISE) if name == "half_rings" else make_fourclass(n, rng)
        X, y, c = data.X, data.y, int(data.y.max()) + 1
    else:
        X, y, c = problem(name, name in STANDARDISED)
    return Classified(np.array(X), np.array(y), c, QUANTILES.get(name, 0.2))
