"""Draw the pairs of objects that k-EVCLUS compares, and compute their dissimilarities.

`partners` (n, k) int32 holds, for each object, k other objects drawn without replacement (Section 4 of
[denoeux2016_evclus]). Memory is O(nk): no (n, n) array is ever formed, and the dissimilarities are stored in
single precision (relative error 6e-8). Each pair takes eight bytes in all.
"""

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.metrics import pairwise_distances

from credalbench.cluster.inputs.dissimilarities import metric_errors
from credalbench.core.arguments import expect
from credalbench.core.checks import near_zero
from credalbench.core.kernels import kernel, pieces

DRAWS = 1 << 21  # random numbers drawn at a time: 16 MiB
MISS = 10  # operations that it costs to read a number from anywhere in memory


@kernel
def _draw_without_replacement(
    uniforms: np.ndarray, first_object: int, n: int, partners: np.ndarray, stamp: np.ndarray
):
    """Draw by Floyd's method, row by row: `uniforms` (b, k) in [0, 1) -> `partners` (b, k).

    Uniform over the k-subsets of the others. ``stamp[t] == i + 1`` marks candidate t as taken by object i, so
    that no clearing is needed between rows.
    """
    b, k = uniforms.shape
    for row in range(b):
        i = first_object + row
        for r in range(k):
            last = n - 1 - k + r  # candidates are 0 .. n-2, the other objects in order
            t = min(int(uniforms[row, r] * (last + 1)), last)
            if stamp[t] == i + 1:
                t = last
            stamp[t] = i + 1
            partners[row, r] = t if t < i else t + 1


def sample_partners(n: int, k: int, rng: np.random.Generator | np.random.RandomState) -> np.ndarray:
    """Draw k partners for each of n objects, (n, k) int32, without replacement, never the object itself."""
    if not 1 <= k <= n - 1:
        raise ValueError(f"expected 1 <= n_pairs <= n - 1 = {n - 1}, got n_pairs={k}")
    partners = np.empty((n, k), np.int32)
    stamp = np.zeros(n, np.int32)
    step = max(1, DRAWS // k)
    for begin in range(0, n, step):
        chunk = partners[begin : begin + step]
        _draw_without_replacement(rng.random(chunk.shape), begin, n, chunk, stamp)
    return partners


@kernel(fastmath=True)
def _euclidean(begin: int, end: int, X: np.ndarray, partners: np.ndarray, distances: np.ndarray):
    for i in range(begin, end):
        for r in range(partners.shape[1]):
            t = 0.0
            for q in range(X.shape[1]):
                t += (X[i, q] - X[partners[i, r], q]) ** 2
            distances[i, r] = np.sqrt(t)


def expect_single_precision(largest: float) -> None:
    """Raise an error if the largest dissimilarity is not 0 and is outside 1e-30 to 1e30."""
    expected = "a largest dissimilarity of 1e-30 to 1e30, for single precision; rescale X"
    expect(largest == 0 or 1e-30 <= largest <= 1e30, expected, largest)


def pair_dissimilarities(
    X: np.ndarray, partners: np.ndarray, metric: str | Callable = "euclidean"
) -> np.ndarray:
    """Return the dissimilarity of each object to its partners, (n, k) float32.

    `X` is (n, p) attributes, or the (n, n) matrix when `metric` is "precomputed". Euclidean distances are
    compiled, O(nkp); any other metric of scikit-learn is evaluated object by object, and raises a ValueError
    if single precision cannot hold its values.
    """
    if metric == "precomputed":
        return np.take_along_axis(X, partners.astype(np.intp), axis=1).astype(np.float32)
    distances = np.empty(partners.shape, np.float32)
    if metric == "euclidean":
        X = np.array(X, order="C")  # a writable copy: one compiled signature
        n, k = partners.shape
        for begin, end in pieces(0, n, k * (MISS + X.shape[1])):
            _euclidean(begin, end, X, partners, distances)
    else:
        largest = 0.0
        with metric_errors(metric):
            for i, mine in enumerate(partners):
                row = pairwise_distances(X[i : i + 1], X[mine], metric=metric)[0]
                largest = float(np.maximum(largest, row.max()))  # NaN stays
                with np.errstate(over="ignore"):  # refused below
                    distances[i] = row
        expect_single_precision(largest)
    return distances


@kernel
def _count(partners: np.ndarray, counts: np.ndarray) -> None:
    """Add to `counts` (n,) how often each object occurs among the `partners` (b, k)."""
    for i in range(partners.shape[0]):
        for r in range(partners.shape[1]):
            counts[partners[i, r]] += 1


@kernel
def _list_own(
    begin: int,
    end: int,
    partners: np.ndarray,
    delta: np.ndarray,
    cursor: np.ndarray,
    listed: np.ndarray,
    values: np.ndarray,
) -> None:
    """List the pairs of objects begin..end-1 under their first members, starting at `cursor` (n,)."""
    for i in range(begin, end):
        for r in range(partners.shape[1]):
            listed[cursor[i]] = partners[i, r]
            values[cursor[i]] = delta[i, r]
            cursor[i] += 1


@kernel
def _list_others(
    begin: int,
    end: int,
    partners: np.ndarray,
    delta: np.ndarray,
    cursor: np.ndarray,
    listed: np.ndarray,
    values: np.ndarray,
) -> None:
    """List the pairs of objects begin..end-1 under their second members, starting at `cursor` (n,)."""
    for i in range(begin, end):
        for r in range(partners.shape[1]):
            j = partners[i, r]
            listed[cursor[j]] = i
            values[cursor[j]] = delta[i, r]
            cursor[j] += 1


def both_directions(partners: np.ndarray, delta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List for every object all sampled pairs in which it occurs, as first or as second object.

    Returns (starts (n + 1,), partners (2nk,), delta (2nk,)): the lists of object i are at
    ``starts[i]:starts[i + 1]``, its own partners first. A pair that was sampled from both ends occurs twice
    in both lists, as it does in the stress.
    """
    n, k = partners.shape
    counts = np.full(n, k)
    for begin, end in pieces(0, n, MISS * k):
        _count(partners[begin:end], counts)
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    listed = np.empty(2 * n * k, partners.dtype)
    values = np.empty(2 * n * k, delta.dtype)
    cursor = starts[:-1].copy()
    for fill in (_list_own, _list_others):
        for begin, end in pieces(0, n, MISS * k):
            fill(begin, end, partners, delta, cursor, listed, values)
    return starts, listed, values


PAIRS = 1 << 20  # of objects, from which a quantile is computed


def positive_quantile(X: np.ndarray, quantile: float, rng: np.random.RandomState) -> float:
    """Return the `quantile` of the positive Euclidean distances of objects `X` (n, p); 1 if all are zero.

    It uses all pairs, or `PAIRS` pairs drawn at random if there are more.
    """
    X, _ = near_zero(X)
    n = len(X)
    if n * (n - 1) // 2 <= PAIRS:
        d = pdist(X)
    else:
        d = pair_dissimilarities(X, sample_partners(n, max(1, PAIRS // n), rng))
    apart = d[d > 0]
    return float(np.quantile(apart, quantile)) if apart.size else 1.0
