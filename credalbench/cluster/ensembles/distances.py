"""Quantiles of distances between objects, which set `delta` of the bases of an ensemble."""

import numpy as np
from scipy.spatial.distance import pdist

from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.core.checks import near_zero

PAIRS = 1 << 20  # of objects, among which a quantile is looked for


def positive_quantile(X: np.ndarray, quantile: float, rng: np.random.RandomState) -> float:
    """Return the `quantile` of the positive Euclidean distances of objects `X` (n, p); 1 where none are.

    Of all pairs, or of `PAIRS` that are drawn where there are more.
    """
    X, _ = near_zero(X)
    n = len(X)
    if n * (n - 1) // 2 <= PAIRS:
        d = pdist(X)
    else:
        d = pair_dissimilarities(X, sample_partners(n, max(1, PAIRS // n), rng))
    apart = d[d > 0]
    return float(np.quantile(apart, quantile)) if apart.size else 1.0
