"""The data sets of Section 4.2, how they are prepared, and the numbers of clusters in the base partitions.

Of Table 1 the names of the simulated sets survive, in Figure 3, and two names of real ones, Wine and Seeds,
in the text. We do not know which other sets of the UCI repository the table had.

Of Table 2 the design survives: a fixed small number of clusters in the bases (case 1), one drawn from an
interval (case 2), a fixed large one (case 3). The numbers are ours: c + 1; each base its own, from c to the
root of n; the root of n, rounded down. The root is the usual upper end in evidence accumulation, and near the
15 clusters that the paper has for Figures 1 and 2.

We do not know whether the real data were standardised, so this is a parameter of the studies. Simulated data
are in the plane, and taken as they are.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import StandardScaler

from credalbench.datasets import load


class Named(NamedTuple):
    """Name of the file, and title."""

    file: str
    title: str


SIMULATED = {
    "aggregation": Named("aggregation", "Aggregation"),
    "compound": Named("compound", "Compound"),
    "flame": Named("flame", "Flame"),
    "spiral": Named("spiral", "Spiral"),
    "r15": Named("r15", "R15"),
}
REAL = {"wine": Named("wine_uci", "Wine"), "seeds": Named("seeds", "Seeds")}
DATASETS = SIMULATED | REAL
#: Case of Table 2 -> the kind of numbers of clusters in the bases.
BASE_CASES = {1: "small", 2: "from an interval", 3: "large"}


class Problem(NamedTuple):
    """Objects X (n, p), classes y (n,) and the number of clusters looked for."""

    X: np.ndarray
    y: np.ndarray
    n_clusters: int


@cache
def problem(name: str, standardised: bool = False) -> Problem:
    """Return one of `DATASETS`; each attribute with mean 0 and deviation 1 if `standardised`."""
    data = load(DATASETS[name].file)
    X = StandardScaler().fit_transform(data.X) if standardised else data.X
    return Problem(X, data.y, int(data.y.max()) + 1)


def base_sizes(case: int, n: int, c: int) -> tuple[int, int]:
    """Return the least and largest number of clusters in the bases of a case of Table 2, for n objects.

    Examples
    --------
    >>> [base_sizes(case, 240, 2) for case in (1, 2, 3)]
    [(3, 3), (2, 15), (15, 15)]
    """
    large = max(math.isqrt(n), c + 2)
    return {1: (c + 1, c + 1), 2: (c, large), 3: (large, large)}[case]
