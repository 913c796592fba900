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

import numpy as np
from scipy.spatial.distance import squareform

from credalbench.core.arguments import expect
from credalbench.select.methods import METHODS, Method
from credalbench.tables import UserTable

USUAL = {
    "numbers": ("ECM", "EVCLUS", "EGMM", "k-means", "fuzzy c-means"),
    "categories": ("cat-ECM", "EVCLUS", "k-modes", "fuzzy k-modes"),
    "mixed": ("MixedECM", "EVCLUS", "RECM", "average linkage"),
    "dissimilarities": ("EVCLUS", "RECM", "average linkage"),
}
ON_REQUEST = {"numbers": ("BPEC", "ECMdd", "NN-EVCLUS")}  # methods that `also` adds
OF_ALL_TABLES = ("ECMdd",)  # those for other kinds of tables
N_INIT = 5  # starts of methods without a default start that does not depend on chance
N_PAIRS = 100  # partners of an object in EVCLUS for large tables
LARGE = 500  # tables with more objects are large
MAX_CLUSTERS_WITH_PAIRS = 3  # number of clusters up to which EVCLUS uses sets of two
PSI = 1.1  # exponent of the weights of ECMdd's medoids: several represent a cluster
OUTLIER_QUANTILE = 0.9  # of the dissimilarities: the distance to the empty set


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
    the dissimilarities: objects that are farther from all clusters are outliers. ECM, EGMM, MixedECM, BPEC
    and RECM choose their focal sets; the other methods have the empty set, the clusters, pairs of clusters
    and the set of all clusters. EVCLUS uses pairs only for up to three clusters, because dissimilarities
    hardly distinguish many sets.

    Examples
    --------
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(b"u,v\n1.5,2\n2,5.5\n3,7\n")
    >>> [method.name for method in suitable_methods(table, 2)]
    ['ECM', 'EVCLUS', 'EGMM', 'k-means', 'fuzzy c-means']
    """
    kind = "dissimilarities" if table.skips_missing and table.kind != "mixed" else table.kind
    more, known = [*dict.fromkeys(also)], ON_REQUEST.get(kind, OF_ALL_TABLES)
    for name in more:
        expect(name in known, f"also to be among {known} for this kind of table", name)
    credal = [name for name in USUAL[kind] if METHODS[name].kind == "credal"]
    settings = _settings(table, n_clusters, random_state)
    return [
        METHODS[name].given(n_clusters=n_clusters, **settings[name if name in settings else "others"])
        for name in (*credal, *more, *USUAL[kind][len(credal) :])
    ]


def _settings(table: UserTable, c: int, random_state: int) -> dict[str, dict[str, object]]:
    """Return settings by method; a method ignores settings for which it has no parameter."""
    numbers, seed, pairs = input_of(table) == "X", {"random_state": random_state}, {"focal_sets": "pairs"}
    d = np.ptp(table.X.to_numpy(float), 0) if numbers else squareform(table.D.to_numpy(float), checks=False)
    expect(d.max() > 0, f"objects in {table.name} that differ", "the same for all")
    far = float(f"{np.quantile(d, OUTLIER_QUANTILE) or d.max():.3g}") ** 0.5
    metric = {} if numbers else {"metric": "precomputed"}
    starts = {"n_init": N_INIT} | seed | metric
    few = {"focal_sets": "pairs" if c <= MAX_CLUSTERS_WITH_PAIRS else "simple"}
    return {
        "others": starts,
        "ECM": seed,
        "EVCLUS": starts | few | ({"n_pairs": N_PAIRS} if table.n_objects > LARGE else {}),
        "EGMM": seed,
        "cat-ECM": starts | pairs | {"delta": float(f"{far:.3g}")},
        "MixedECM": seed | {"missing": "ignore" if table.skips_missing else "error"},
        "ECMdd": metric | pairs | {"psi": PSI},
        "BPEC": {},
        "NN-EVCLUS": seed | few,
    }


def input_of(table: UserTable) -> str:
    """Return the input of the main method: "X" (numbers), "frame" (categories) or "D" (dissimilarities)."""
    if table.skips_missing:
        return "D"
    return {"numbers": "X", "categories": "frame"}.get(table.kind, "D")
