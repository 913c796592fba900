"""Methods that suit each kind of table: credal ones, the main one first, and hard and fuzzy ones.

==========================================  ==========================================================
table                                       methods
==========================================  ==========================================================
numbers                                     ECM, EVCLUS, EGMM; k-means, fuzzy c-means
categories                                  cat-ECM, EVCLUS with Gower's dissimilarities; k-modes,
                                            fuzzy k-modes
numbers and categories                      MixedECM, EVCLUS with Gower's dissimilarities, RECM; average
                                            linkage
dissimilarities, or skipped missing values  EVCLUS, RECM; average linkage
of numbers or categories
==========================================  ==========================================================

On request, ECMdd is compared for every table, and BPEC and NN-EVCLUS for numbers. They are not compared by
default: BPEC has the masses of ECM at other prototypes, NN-EVCLUS takes about ten times as long as the
others, and medoids may be much less accurate than EVCLUS.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator
from sklearn.cluster import AgglomerativeClustering, KMeans

from credalbench.baselines import FuzzyCMeans, FuzzyKModes, KModes
from credalbench.cluster import BPEC, ECM, EGMM, EVCLUS, NNEVCLUS, RECM, CatECM, ECMdd, MixedECM
from credalbench.core.arguments import expect
from credalbench.tables import UserTable

N_INIT = 5  # starts of each method
N_PAIRS = 100  # partners of an object in EVCLUS for large tables
LARGE = 500  # tables with more objects are large
MAX_CLUSTERS_WITH_PAIRS = 3  # number of clusters up to which EVCLUS uses sets of two
ON_REQUEST = ("BPEC", "ECMdd", "NN-EVCLUS")  # methods that `also` adds
OF_NUMBERS = ("BPEC", "NN-EVCLUS")  # those that accept only numbers
PSI = 1.1  # exponent of the weights of ECMdd's medoids: several represent a cluster
OUTLIER_QUANTILE = 0.9  # of the dissimilarities: the distance to the empty set


@dataclass(frozen=True, eq=False)
class Method:
    """Clusterer and its input.

    Parameters
    ----------
    name : str
        Name of the method.
    kind : {"credal", "fuzzy", "hard"}
        Kind of its partition.
    estimator : BaseEstimator
        Unfitted scikit-learn clusterer with all its settings.
    input : {"X", "frame", "D"}
        Attribute of `UserTable` to which it is fitted.
    """

    name: str
    kind: str
    estimator: BaseEstimator
    input: str


def suitable_methods(
    table: UserTable, n_clusters: int, random_state: int = 0, *, also: Iterable[str] = ()
) -> list[Method]:
    r"""Return the methods that suit a table.

    Parameters
    ----------
    table : UserTable
        Table without blocking questions.
    n_clusters : int
        Number of clusters.
    random_state : int, default=0
        Seed of the random starts.
    also : iterable of {"BPEC", "ECMdd", "NN-EVCLUS"}, default=()
        Further methods, listed after the other credal ones.

    Returns
    -------
    list of Method
        Credal methods, the main one first, followed by hard and fuzzy ones.

    Raises
    ------
    ValueError
        If all objects are identical, or if a further method is unknown or does not accept such tables.

    See Also
    --------
    cluster_report : Fit these methods and compare the results.

    Notes
    -----
    ECM and MixedECM choose the distance to the empty set from the data. For cat-ECM it is the 0.9 quantile of
    the dissimilarities: objects that are farther from all clusters are outliers. ECM and RECM choose their
    focal sets; the other methods have the empty set, the clusters, pairs of clusters and the set of all
    clusters. EVCLUS uses pairs only for up to three clusters, because dissimilarities hardly distinguish many
    sets.

    Examples
    --------
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(b"u,v\n1.5,2\n2,5.5\n3,7\n")
    >>> [method.name for method in suitable_methods(table, 2)]
    ['ECM', 'EVCLUS', 'EGMM', 'k-means', 'fuzzy c-means']
    """
    more = [_on_request(name, table, n_clusters, random_state) for name in dict.fromkeys(also)]
    usual = _usual_methods(table, n_clusters, random_state)
    credal = [one for one in usual if one.kind == "credal"]
    return [*credal, *more, *(one for one in usual if one.kind != "credal")]


def _usual_methods(table: UserTable, n_clusters: int, random_state: int) -> list[Method]:
    c, seed = n_clusters, {"random_state": random_state}
    credal = {"n_init": N_INIT} | seed
    with_pairs = credal | {"focal_sets": "pairs"}
    evclus = credal | {"focal_sets": "pairs" if c <= MAX_CLUSTERS_WITH_PAIRS else "simple"}
    evclus |= {"n_pairs": N_PAIRS} if table.n_objects > LARGE else {}
    if input_of(table) == "X":
        _expect_different_objects(table, np.ptp(table.X.to_numpy(float), axis=0))
        return [
            Method("ECM", "credal", ECM(c, **credal), "X"),
            Method("EVCLUS", "credal", EVCLUS(c, **evclus), "X"),
            Method("EGMM", "credal", EGMM(c, **with_pairs), "X"),
            Method("k-means", "hard", KMeans(c, n_init=N_INIT, **seed), "X"),
            Method("fuzzy c-means", "fuzzy", FuzzyCMeans(c, n_init=N_INIT, **seed), "X"),
        ]
    of_pairs = Method("EVCLUS", "credal", EVCLUS(c, metric="precomputed", **evclus), "D")
    d = squareform(table.D.to_numpy(float), checks=False)
    _expect_different_objects(table, d)
    if input_of(table) == "frame":
        delta = float(f"{np.quantile(d, OUTLIER_QUANTILE) or d.max():.3g}") ** 0.5
        return [
            Method("cat-ECM", "credal", CatECM(c, delta=float(f"{delta:.3g}"), **with_pairs), "frame"),
            of_pairs,
            Method("k-modes", "hard", KModes(c, n_init=N_INIT, **seed), "frame"),
            Method("fuzzy k-modes", "fuzzy", FuzzyKModes(c, n_init=N_INIT, **seed), "frame"),
        ]
    linkage = AgglomerativeClustering(c, metric="precomputed", linkage="average")
    by_pairs = [
        of_pairs,
        Method("RECM", "credal", RECM(c, metric="precomputed", **credal), "D"),
        Method("average linkage", "hard", linkage, "D"),
    ]
    if table.kind != "mixed":
        return by_pairs
    missing = "ignore" if table.skips_missing else "error"
    mixed = MixedECM(c, missing=missing, focal_sets="pairs", **seed)
    return [Method("MixedECM", "credal", mixed, "frame"), *by_pairs]


def _on_request(name: str, table: UserTable, c: int, random_state: int) -> Method:
    numbers = input_of(table) == "X"
    known = ON_REQUEST if numbers else tuple(one for one in ON_REQUEST if one not in OF_NUMBERS)
    expect(name in known, f"also to be among {known} for this kind of table", name)
    if name == "ECMdd":
        metric = {} if numbers else {"metric": "precomputed"}
        return Method(
            name, "credal", ECMdd(c, psi=PSI, focal_sets="pairs", **metric), "X" if numbers else "D"
        )
    if name == "BPEC":
        return Method(name, "credal", BPEC(c, focal_sets="pairs"), "X")
    sets = "pairs" if c <= MAX_CLUSTERS_WITH_PAIRS else "simple"
    return Method(name, "credal", NNEVCLUS(c, focal_sets=sets, random_state=random_state), "X")


def input_of(table: UserTable) -> str:
    """Return the input of the main method: "X" (numbers), "frame" (categories) or "D" (dissimilarities)."""
    if table.skips_missing:
        return "D"
    return {"numbers": "X", "categories": "frame"}.get(table.kind, "D")


def _expect_different_objects(table: UserTable, differences: np.ndarray) -> None:
    expect(differences.max() > 0, f"objects in {table.name} that differ", "the same for all")
