"""Tables with planted clusters, of kinds that people have, for the studies of defaults.

`table(kind, seed, stream)` returns a data frame of attributes, or of dissimilarities, and the clusters, with
-1 for a planted far object. The streams "tuning" and "judging" share no random numbers: defaults are chosen
on tables of the first and evaluated on the second. ``docs/decisions/library.md`` says how often each was
used.
"""

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform

NUMBERS = (
    "round",
    "outliers",
    "unequal_sizes",
    "unequal_variances",
    "nested",
    "noise_columns",
    "counts",
    "heavy_tails",
    "ellipsoids",
    "many",
)
KINDS = (*NUMBERS, "distances", "categories", "mixed")
STREAMS = ("tuning", "judging")
VALUES = np.array(list("ABCDEF"), object)


def table(kind, seed, stream="tuning"):
    """Return a frame and its planted clusters, in random order."""
    rng = np.random.default_rng([77, STREAMS.index(stream), KINDS.index(kind), seed])
    frame, y = _ordered_table(kind, seed, rng)
    order = rng.permutation(len(y))
    if kind == "distances":
        return pd.DataFrame(frame.to_numpy()[np.ix_(order, order)]), y[order]
    return frame.iloc[order].reset_index(drop=True), y[order]


def _ordered_table(kind, seed, rng):
    """Return a frame and its planted clusters, cluster by cluster."""
    c, p = int(rng.integers(2, 8)), int(rng.integers(2, 9))
    n = int(rng.integers(40, 70)) * c
    if kind == "counts":
        y = np.repeat(np.arange(c), _sizes(c, n, rng))
        rates = _apart(lambda scale: np.exp(rng.uniform(1, 1 + 3 * scale, p)), _counts_gap, c)
        shape = rng.uniform(15, 40)  # of the gamma-distributed rates of single objects
        return _frame(rng.poisson(rates[y] * rng.gamma(shape, 1 / shape, (len(y), p)))), y
    if kind == "categories":
        y = np.repeat(np.arange(c), _sizes(c, n, rng))
        return _words(y, int(rng.integers(6, 14)), rng), y
    if kind == "many":
        c = int(rng.integers(8, 13))
        n = 40 * c
    if kind == "nested":
        c = int(rng.integers(2, 5))
    sizes = np.full(c, n // c)
    if kind in ("outliers", "unequal_sizes", "unequal_variances", "distances", "mixed"):
        sizes = _sizes(c, n, rng)
    y, spreads = np.repeat(np.arange(c), sizes), np.ones(c)
    if kind == "unequal_variances":
        spreads = rng.uniform(0.4, 1.6, c)
    if kind == "nested":  # a dense cluster beside a wide one
        spreads[:2] = rng.uniform(0.2, 0.3), rng.uniform(1.2, 1.5)
    gap = 6.0 if kind != "nested" else 5.0
    centers = _apart(lambda scale: rng.uniform(-5, 5, p) * scale, _gap, c, gap * max(1.0, spreads.max()))
    if kind == "nested":
        v = rng.normal(size=p)
        centers[0] = centers[1] + 5.5 * spreads[1] * v / np.linalg.norm(v)
    X = spreads[y, None] * rng.normal(size=(len(y), p))
    if kind == "heavy_tails":
        X *= np.sqrt(3 / rng.chisquare(5, (len(y), 1)))
    if kind == "ellipsoids":
        for k in range(c):
            X[y == k] = X[y == k] * rng.uniform(0.3, 1.2, p) @ np.linalg.qr(rng.normal(size=(p, p)))[0]
    X += centers[y]
    if kind in ("outliers", "unequal_variances", "distances") and (kind != "distances" or seed % 2):
        X, y = _with_far_objects(X, y, max(3, round(0.02 * len(y))), rng)
    if kind == "noise_columns":
        X = np.hstack([X, rng.normal(size=(len(y), int(rng.integers(p, 2 * p + 1)))) * X.std(axis=0).mean()])
    if kind == "distances":
        d = pdist(X, rng.choice(["euclidean", "cityblock", "chebyshev"]))
        return pd.DataFrame(squareform(d * np.exp(0.05 * rng.normal(size=len(d))))), y
    if kind == "mixed":
        return _frame(X).join(_words(y, int(rng.integers(3, 7)), rng)), y
    return _frame(X), y


def _frame(X):
    return pd.DataFrame(np.round(X, 3)).add_prefix("m")


def _sizes(c, n, rng):
    """Return unequal sizes of clusters, at least twelve objects each."""
    shares = rng.dirichlet(np.full(c, 2.0))
    return 12 + np.floor(shares * (n - 12 * c)).astype(int)


def _gap(points):
    return pdist(points).min()


def _counts_gap(rates):
    """Return the smallest distance of square roots: Poisson counts have a deviation of 0.5 there."""
    return 2 * pdist(np.sqrt(rates)).min() / 1.5


def _apart(draw, gap, c, least=6.0):
    """Return c points whose gap is large enough; their scale grows until it is."""
    scale = 1.0
    while True:
        for _ in range(50):
            points = np.array([draw(scale) for _ in range(c)])
            if gap(points) >= least:
                return points
        scale *= 1.05


def _with_far_objects(X, y, m, rng):
    """Return the objects, and m more that are far from all."""
    v = rng.normal(size=(m, X.shape[1]))
    reach = np.linalg.norm(X - X.mean(axis=0), axis=1).max() * rng.uniform(2, 5, (m, 1))
    X = np.vstack([X, X.mean(axis=0) + reach * v / np.linalg.norm(v, axis=1)[:, None]])
    return X, np.append(y, np.full(m, -1))


def _words(y, q, rng):
    """Return q categories whose modes of any two clusters differ in half of the columns; 20 % are random."""
    levels = rng.integers(2, 6, q)
    for trial in range(1, 10**6):
        modes = rng.integers(0, levels, (y.max() + 1, len(levels)))
        differ = (modes[:, None] != modes).mean(axis=2)
        if (differ + np.eye(len(modes)) >= 0.5).all():
            break
        if trial % 100 == 0:
            levels = np.append(levels, rng.integers(2, 6))
    other = rng.integers(0, levels, (len(y), len(levels)))
    values = np.where(rng.random(other.shape) < 0.2, other, modes[y])
    return pd.DataFrame(VALUES[values]).add_prefix("w")
