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
OTHERS = ("touching", "one_column", "divided", "sensor", "customers")  # near or hidden clusters
WITHOUT = ("no_numbers", "no_skewed", "no_distances", "no_categories", "no_mixed")  # without clusters
STREAMS = ("tuning", "judging")
VALUES = np.array(list("ABCDEF"), object)


def table(kind, seed, stream="tuning"):
    """Return a frame and its planted clusters, in random order."""
    rng = np.random.default_rng([77, STREAMS.index(stream), (*KINDS, *OTHERS, *WITHOUT).index(kind), seed])
    if kind in OTHERS[1:]:
        frame, y = globals()[f"_{kind}"](rng)
    else:
        frame, y = (_without_clusters if kind in WITHOUT else _ordered_table)(kind, seed, rng)
    order = rng.permutation(len(y))
    if kind.endswith("distances"):
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
    gap = {"nested": 5.0, "touching": rng.uniform(1.5, 5)}.get(kind, 6.0)
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


def _one_column(rng):
    """Return three to six clusters; one or two differ from another cluster in one column only."""
    n, p, c = int(rng.integers(200, 600)), int(rng.integers(3, 7)), int(rng.integers(3, 7))
    n_near = int(rng.integers(1, max(2, c // 2)))
    centers = _apart(lambda scale: 4 * scale * rng.normal(size=p), _gap, c - n_near, 6.5)
    while len(centers) < c:
        step = np.zeros(p)
        step[rng.integers(p)] = rng.choice([-1, 1]) * rng.uniform(6.5, 10)
        new = centers[rng.integers(c - n_near)] + step
        if np.linalg.norm(centers - new, axis=1).min() >= 6.5:
            centers = np.vstack([centers, new])
    y = np.repeat(np.arange(c), _sizes(c, n, rng))
    X = np.hstack([centers[y] + rng.normal(size=(len(y), p)), rng.normal(size=(len(y), rng.integers(3)))])
    return _frame(X[:, rng.permutation(X.shape[1])] * 10 ** rng.uniform(-1, 2, X.shape[1])), y


def _divided(rng):
    """Return two to five clusters of numbers and categories; the attribute "sex" divides all of them."""
    n, q, c = int(rng.integers(200, 500)), int(rng.integers(2, 5)), int(rng.integers(2, 6))
    centers = _apart(lambda scale: 4 * scale * rng.normal(size=q), _gap, c, 5.5)
    y = np.repeat(np.arange(c), _sizes(c, n, rng))
    sex = rng.integers(0, 2, len(y))
    X = centers[y] + rng.normal(size=(len(y), q)) + np.outer(sex, rng.uniform(0, 1.5, q))
    found = _frame(X * 10 ** rng.uniform(-1, 2, q))
    for l in range(int(rng.integers(1, 4))):
        size = int(rng.integers(2, 5))
        usual = rng.permutation(np.arange(max(c, size)) % size)[y]
        kept = rng.random(len(y)) < rng.uniform(0.7, 0.97)
        found[f"word{l}"] = VALUES[np.where(kept, usual, rng.integers(0, size, len(y)))]
    return found.assign(sex=np.array(["male", "female"], object)[sex]), y


def _sensor(rng):
    """Return five states of a machine; two are alike except in the column with faulty readings."""
    n = int(rng.integers(300, 700))
    levels = _apart(lambda scale: 4 * scale * rng.normal(size=4), _gap, 4, 7.0)
    levels = np.vstack([levels, levels[0] + [0, rng.uniform(7, 10), 0, 0]])
    y = np.repeat(np.arange(5), _sizes(5, n, rng))
    X = levels[y] + rng.normal(size=(len(y), 4))
    X = (X - X.min(axis=0)) * [2.0, 0.2, 0.5, 30.0] + [20.0, 0.3, 2.0, 1200.0]
    X[rng.choice(len(y), 6, replace=False), 1] = 99.9
    return pd.DataFrame(X.round(3), columns=["temperature", "vibration", "current", "speed"]), y


def _customers(rng):
    """Return four groups of customers; three numbers and a category separate them, three columns do not."""
    y = np.repeat(np.arange(4), _sizes(4, int(rng.integers(250, 500)), rng))
    n, usual = len(y), rng.permutation([0, 1, 2, rng.integers(3)])[y]
    baskets = np.exp(rng.normal(np.log([25, 40, 70, 140])[rng.permutation(4)][y], 0.25))
    baskets[rng.choice(n, 3, replace=False)] = [5000.0, 9000.0, 15000.0]
    found = pd.DataFrame(
        {
            "since": rng.integers(0, 3000, n),
            "orders": rng.poisson(np.array([3, 9, 17, 28])[rng.permutation(4)][y]),
            "basket": baskets.round(2),
            "returns": rng.gamma(9, np.array([2, 5, 5, 20])[rng.permutation(4)][y] / 9).round(1),
            "channel": VALUES[np.where(rng.random(n) < 0.7, usual, rng.integers(0, 3, n))],
            "newsletter": VALUES[rng.integers(0, 2, n)],
            "region": VALUES[rng.integers(0, 4, n)],
        }
    )
    for name in ("returns", "channel"):
        found.loc[rng.choice(n, round(0.03 * n), replace=False), name] = None
    return found, y


def _without_clusters(kind, seed, rng):
    """Return numbers (normal, uniform, correlated, or skewed), distances, or independent categories."""
    n, p = int(rng.integers(100, 400)), int(rng.integers(2, 7))
    X = rng.uniform(size=(n, p)) if seed % 3 == 1 else rng.normal(size=(n, p))
    if seed % 3 == 2:
        X = X @ (np.eye(p) + 0.8 * rng.normal(size=(p, p)))
    y = np.zeros(n, int)
    if kind == "no_skewed":
        ratings = rng.choice(5, n, p=rng.dirichlet(np.full(5, 3.0))) + 1
        counts = rng.poisson(rng.uniform(1, 12), n)
        return _frame(np.column_stack([np.exp(0.6 * X[:, :3]), rng.gamma(2.0, size=n), counts, ratings])), y
    if kind == "no_distances":
        d = pdist(X)
        return pd.DataFrame(squareform(d * np.exp(0.03 * rng.normal(size=len(d))))), y
    levels = rng.integers(2, 6, int(rng.integers(5, 12)))
    words = [rng.choice(size, n, p=rng.dirichlet(np.full(size, 3.0))) for size in levels]
    words = pd.DataFrame(VALUES[np.column_stack(words)]).add_prefix("w")
    return (_frame(X), words, _frame(X).join(words))[
        ["no_numbers", "no_categories", "no_mixed"].index(kind)
    ], y
