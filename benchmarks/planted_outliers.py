"""Count planted outliers that ECM, CECM and EVCLUS find by default in standardised data, and false ones.

Clusters, 2 to 9 in 2, 5 and 10 dimensions, balanced or not, are normal, skewed (gamma) or have heavy tails (t
with 5 degrees of freedom), with centres at least 6 standard deviations apart. Of 500 objects, none or 2 % are
outliers, in random directions far outside, or with one extreme attribute. Focal sets are the default; in
CECM, all sets for up to four clusters, and pairs for more. The program prints, for delta="auto" and for
delta=10, the share of outliers that were found, the share of other objects called outliers, the adjusted Rand
index of these other objects, and the time. `python benchmarks/planted_outliers.py 100 103` uses the seeds 100
to 102. ECM's rule was chosen on the seeds 0 to 4.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd

from credalbench.cluster import CECM, ECM, EVCLUS
from credalbench.metrics import adjusted_rand

SHAPES = ("normal", "skewed", "t5")
PLANTED = (None, "outside", "one attribute")
APART, NEAREST = 6.0, 12.0  # standard deviations between centres; of an outlier to the nearest one


def separated_centres(rng, c, p):
    """Return c points (c, p), at least APART from each other."""
    side = 1.2 * APART * c ** (1 / p)
    while True:
        centres = np.empty((0, p))
        for point in rng.uniform(0, side, (2000, p)):
            if len(centres) < c and (np.linalg.norm(centres - point, axis=1) >= APART).all():
                centres = np.vstack([centres, point])
        if len(centres) == c:
            return centres
        side *= 1.15


def deviations(rng, n, p, shape):
    """Return deviations (n, p) of variance 1 from the centre of a cluster."""
    if shape == "skewed":
        return (rng.gamma(2.0, size=(n, p)) - 2) / np.sqrt(2)
    normal = rng.normal(size=(n, p))
    return normal * np.sqrt(3 / rng.chisquare(5, n))[:, None] if shape == "t5" else normal


def make_table(seed, c, p, shape="normal", balanced=True, planted=None, n=500):
    """Return standardised attributes (n, p), and clusters (n,) with -1 for outliers."""
    rng = np.random.default_rng([seed, c, p])
    centres = separated_centres(rng, c, p)
    m = n // 50 if planted else 0
    shares = np.ones(c) if balanced else np.maximum(rng.dirichlet(np.full(c, 2.0)), 0.02)
    y = np.append(np.repeat(np.arange(c), 5), rng.choice(c, n - m - 5 * c, p=shares / shares.sum()))
    X = centres[y] + deviations(rng, len(y), p, shape)
    middle = centres.mean(axis=0)
    radius = np.linalg.norm(centres - middle, axis=1).max() + 3
    while len(X) < n:
        if planted == "outside":
            direction = rng.normal(size=p)
            point = middle + direction / np.linalg.norm(direction) * radius * rng.uniform(1.5, 4)
        else:
            point = centres[rng.integers(c)] + rng.normal(size=p)
            point[rng.integers(p)] += rng.choice([-1, 1]) * rng.uniform(12, 40)
        if np.linalg.norm(centres - point, axis=1).min() >= NEAREST:
            X = np.vstack([X, point])
    return (X - X.mean(axis=0)) / X.std(axis=0), np.append(y, np.full(m, -1))


def outlier_rates(y, fit):
    """Return the shares of found and false outliers, and the adjusted Rand index of the other objects."""
    out, planted = fit.partition_.outliers(), y < 0
    found = out[planted].mean() if planted.any() else np.nan
    return found, out[~planted].mean(), adjusted_rand(y[~planted], fit.labels_[~planted])


def measure(seeds):
    """Return one row per table and method."""
    rows = []
    for seed, c, p, shape, balanced, planted in (
        (seed, c, p, shape, balanced, planted)
        for seed in seeds
        for c in (2, 4, 6, 9)
        for p in (2, 5, 10)
        for shape in SHAPES
        for balanced in (True, False)
        for planted in PLANTED
    ):
        X, y = make_table(seed, c, p, shape, balanced, planted)
        sets = "full" if c <= 4 else "pairs"
        for name, model in {
            "ECM": ECM(c, random_state=seed),
            "ECM, delta=10": ECM(c, delta=10.0, random_state=seed),
            "CECM, one start": CECM(c, n_init=1, focal_sets=sets, random_state=seed),
            "EVCLUS": EVCLUS(c, random_state=seed),
        }.items():
            began = time.perf_counter()
            fit = model.fit(X)
            seconds = time.perf_counter() - began
            key = (seed, c, p, shape, balanced, str(planted), name)
            rows.append((*key, *outlier_rates(y, fit), seconds))
    keys = ["seed", "c", "p", "shape", "balanced", "planted", "method"]
    return pd.DataFrame(rows, columns=[*keys, "found", "false", "ari", "time_s"])


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    seeds = range(*map(int, sys.argv[1:3])) if len(sys.argv) > 2 else range(100, 101)
    rows = measure(seeds)
    values = ["found", "false", "ari", "time_s"]
    for by in ("planted", "shape", "c", "p", "balanced"):
        print(rows.groupby(["method", by])[values].mean().round(4).to_string())


if __name__ == "__main__":
    main()
