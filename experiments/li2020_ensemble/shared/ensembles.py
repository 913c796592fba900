"""Base partitions as the paper makes them, and the consensus of given ones.

Bases (Section 4.1): ECM from random objects, first on the empty set, the singletons and Ω, then with the
pairs of mutual K nearest clusters added. delta is a quantile of the distances between objects. The paper
does not print alpha, beta, the threshold and whether distances are squared: alpha = 1 and beta = 2 are the
defaults of the program, and the quantile is of distances. All closures and focal sets of a repetition share
their bases.

The consensus runs from several starts, of which the one with the lowest stress counts; the paper does not
print how many starts it had.
"""

import warnings

import numpy as np
from scipy.spatial.distance import pdist

from credalbench.belief import CredalPartition
from credalbench.cluster import ECM, EvidentialEnsemble

#: Closure in the tables -> its t-norm, and how pictures call it.
CLOSURES = {"none": None, "minimum": "minimum", "product": "product", "lukasiewicz": "lukasiewicz"}
TITLES = {"none": "none", "minimum": "minimum", "product": "product", "lukasiewicz": "Łukasiewicz"}


def ecm_bases(
    X: np.ndarray,
    n_clusters: int | tuple[int, int],
    n_estimators: int,
    delta_quantile: float,
    seed: int,
    pair_neighbors: int | None = 2,
) -> list[CredalPartition]:
    """Return the credal partitions of N runs of ECM on X (n, p), from random objects.

    The number of clusters k_b is fixed or drawn from an interval, both ends included; delta is a quantile of
    the distances between objects. `pair_neighbors` is K of the mutual neighbours; None leaves out the second
    step.
    """
    rng = np.random.RandomState(seed)
    low, high = n_clusters if isinstance(n_clusters, tuple) else (n_clusters, n_clusters)
    delta = float(np.quantile(pdist(X), delta_quantile))
    sizes = rng.randint(low, high + 1, n_estimators)
    seeds = rng.randint(np.iinfo(np.int32).max, size=n_estimators)
    settings = {"beta": 2.0, "delta": delta, "focal_sets": "simple", "init": "random"}
    found = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "prototypes", UserWarning)  # that coincide: more than groups
        for k, one in zip(sizes.tolist(), seeds.tolist()):
            pairs = possible(pair_neighbors, k)
            model = ECM(k, pair_neighbors=pairs, random_state=one, **settings)
            found.append(model.fit(X).partition_)
    return found


def consensus(
    bases: list[CredalPartition],
    n_clusters: int,
    *,
    n_init: int,
    seed: int,
    pair_neighbors: int | None = None,
    **options,
) -> EvidentialEnsemble:
    """Return the fitted ensemble of given bases; options are those of `EvidentialEnsemble`."""
    pairs = possible(pair_neighbors, n_clusters)
    model = EvidentialEnsemble(n_clusters, n_init=n_init, pair_neighbors=pairs, random_state=seed, **options)
    return model.fit_from_partitions(bases)


def bases_of(params, X: np.ndarray, n_clusters: int, seed: int) -> list[CredalPartition]:
    """Return the bases with the parameters of Figures 1 and 2, whose studies use the same names."""
    return ecm_bases(X, n_clusters, params.n_estimators, params.delta_quantile, seed, params.pair_neighbors)


def consensus_of(params, bases: list[CredalPartition], seed: int, **options) -> EvidentialEnsemble:
    """Return the consensus with the parameters of Figures 1 and 2: singletons and Ω, informative pairs."""
    settings = {"n_init": params.n_init, "pair_neighbors": params.pair_neighbors} | options
    return consensus(bases, params.n_clusters, seed=seed, **settings)


def possible(pair_neighbors: int | None, c: int) -> int | None:
    """Limit K to the neighbours that c clusters have; the only pair of two clusters is Ω."""
    return None if pair_neighbors is None or c < 3 else min(pair_neighbors, int(c) - 1)
