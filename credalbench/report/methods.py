"""Which methods fit a table: hard and fuzzy ones to compare with, and credal ones, the main one first.

=============================  ====================================================================
the table has                  methods
=============================  ====================================================================
numbers                        ECM, EVCLUS, EGMM; k-means, fuzzy c-means
categories                     cat-ECM, EVCLUS of Gower dissimilarities; k-modes, fuzzy k-modes
dissimilarities; both kinds    EVCLUS, RECM; average linkage
of attributes; skipped values
=============================  ====================================================================
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator
from sklearn.cluster import AgglomerativeClustering, KMeans

from credalbench.arguments import expect
from credalbench.baselines import FuzzyCMeans, FuzzyKModes, KModes
from credalbench.cluster import ECM, EGMM, EVCLUS, RECM, CatECM
from credalbench.tables import UserTable

N_INIT = 5  # starts of each method
N_PAIRS = 100  # partners of an object in EVCLUS, with more than MANY objects
MANY = 500
FEW = 3  # clusters of which EVCLUS gets the sets of two
FAR = 0.9  # quantile of the dissimilarities: farther from all clusters is an outlier
MEASURED = 1000  # objects of which dissimilarities tell what is far


@dataclass(frozen=True, eq=False)
class Method:
    """A clusterer, and what of a table it takes.

    Attributes
    ----------
    name : str
    kind : {"credal", "fuzzy", "hard"}
        What it gives.
    estimator : scikit-learn clusterer
        With all its settings, and not fitted.
    takes : {"X", "frame", "D"}
        The attribute of `UserTable` that it is fitted to.
    """

    name: str
    kind: str
    estimator: BaseEstimator
    takes: str


def methods_for(table: UserTable, n_clusters: int, random_state: int = 0) -> list[Method]:
    """Return the methods that fit a table, the main one first.

    Parameters
    ----------
    table : UserTable
        Without a question that has to be answered first.
    n_clusters : int
    random_state : int, default 0
        Seed of those that draw.

    Raises
    ------
    ValueError
        All objects coincide.

    Notes
    -----
    Distances to the empty set are set so that objects are outliers that are farther from all clusters than
    90 % of the objects are from each other. Sets of two clusters get mass, and the set of all; in EVCLUS
    the former up to three clusters only: dissimilarities hardly tell many sets apart.
    """
    c, seed = n_clusters, {"random_state": random_state}
    credal = {"focal_sets": "pairs", "n_init": N_INIT} | seed
    of_evclus = credal | {"focal_sets": "pairs" if c <= FEW else "simple"}
    of_evclus |= {"n_pairs": N_PAIRS} if table.n_objects > MANY else {}
    of_pairs = Method("EVCLUS", "credal", EVCLUS(c, metric="precomputed", **of_evclus), "D")
    if takes_of(table) == "X":
        return [
            Method("ECM", "credal", ECM(c, delta=_far(table), **credal), "X"),
            Method("EVCLUS", "credal", EVCLUS(c, **of_evclus), "X"),
            Method("EGMM", "credal", EGMM(c, **credal), "X"),
            Method("k-means", "hard", KMeans(c, n_init=N_INIT, **seed), "X"),
            Method("fuzzy c-means", "fuzzy", FuzzyCMeans(c, n_init=N_INIT, **seed), "X"),
        ]
    far = _far(table)
    if takes_of(table) == "frame":
        return [
            Method("cat-ECM", "credal", CatECM(c, delta=_rounded(far**0.5), **credal), "frame"),
            of_pairs,
            Method("k-modes", "hard", KModes(c, n_init=N_INIT, **seed), "frame"),
            Method("fuzzy k-modes", "fuzzy", FuzzyKModes(c, n_init=N_INIT, **seed), "frame"),
        ]
    linkage = AgglomerativeClustering(c, metric="precomputed", linkage="average")
    return [
        of_pairs,
        Method("RECM", "credal", RECM(c, metric="precomputed", **credal), "D"),
        Method("average linkage", "hard", linkage, "D"),
    ]


def takes_of(table: UserTable) -> str:
    """What the methods are fitted to that suit a table best: "X", "frame" of categories, or "D"."""
    if table.skips:
        return "D"
    return {"numbers": "X", "categories": "frame"}.get(table.kind, "D")


def _far(table: UserTable) -> float:
    """A quantile of the dissimilarities of different objects, of three digits: the unit is the data's."""
    if takes_of(table) == "X":
        X = table.X
        d = pdist(X.sample(min(len(X), MEASURED), random_state=0).to_numpy(float))
    else:
        d = squareform(table.D.to_numpy(float), checks=False)
    expect(d.max() > 0, f"objects in {table.name} that differ", "the same for all")
    far = float(np.quantile(d, FAR))
    return _rounded(far if far > 0 else float(d.max()))


def _rounded(number: float) -> float:
    return float(f"{number:.3g}")


def data_of(table: UserTable, takes: str) -> pd.DataFrame:
    """Return what a method takes of a table."""
    return getattr(table, takes)
