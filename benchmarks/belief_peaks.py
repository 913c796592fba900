"""Are belief peaks the clusters? BPEC's rule and its prototypes on data on which nothing was chosen.

The paper of BPEC claims that the graph shows the number of clusters, and that prototypes that are found once
do as well as those that ECM searches from several starts; our tables test this. Generated families of 300 and
1000 objects with 2, 3, 5 and 9 clusters, sets of the library's generators, and standardised sets with classes
from files. For each family, the program prints the share of tables on which the rule finds the number of
clusters; the mean adjusted Rand index of BPEC without and with the number, and of ECM with it, from one start
and from five; the mean difference of BPEC and ECM with the number, with its 95 % interval; and total
processor times. ``python benchmarks/belief_peaks.py 0 5`` uses the seeds 0 to 4, which is the default.

The rule (largest drop of the prominence, at least one half, K = sqrt(n), q = .9) was chosen on 432 tables of
normal clusters, with one standard deviation or several, 4 or 6 apart, in 2 and 5 dimensions: it was right on
95 % of them. None of these families is among the families here, and the rule was not changed afterwards.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd
from planted_outliers import separated_centres

from credalbench.cluster import BPEC, ECM
from credalbench.core.intervals import mean as interval
from credalbench.datasets import load, make_egmm_four_class, make_fourclass, make_half_rings, make_t4
from credalbench.metrics import adjusted_rand

NUMBERS, SIZES = (2, 3, 5, 9), (300, 1000)
FILES = ("iris_uci", "wine_uci", "seeds", "s2", "aggregation", "r15", "flame", "ecoli", "vehicle", "glass")


def of_centres(rng, c, n, p, shares=None):
    """Return centres at least 6 apart, one for each object, and the clusters."""
    y = rng.choice(c, n, p=shares)
    return separated_centres(rng, c, p)[y], y


def ellipses(rng, c, n):
    """Draw normal clusters with different covariances, whose eigenvalues are 0.1 to 1.5."""
    places, y = of_centres(rng, c, n, 2)
    roots = np.array(
        [np.linalg.qr(rng.normal(size=(2, 2)))[0] * rng.uniform(0.1, 1.5, 2) ** 0.5 for _ in range(c)]
    )
    return places + np.einsum("ipq,iq->ip", roots[y], rng.normal(size=(n, 2))), y


def discs(rng, c, n):
    """Draw discs of radius 2 with uniform density, without a peak in the middle."""
    places, y = of_centres(rng, c, n, 2)
    angle, radius = rng.uniform(0, 2 * np.pi, n), 2 * rng.uniform(size=n) ** 0.5
    return places + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def students(rng, c, n):
    """Draw Student clusters with three degrees of freedom, which have heavy tails."""
    places, y = of_centres(rng, c, n, 2)
    return places + rng.standard_t(3, size=(n, 2)), y


def unbalanced(rng, c, n):
    """Draw normal clusters, the first ten times as large as each of the others."""
    shares = np.r_[10.0, np.ones(c - 1)]
    places, y = of_centres(rng, c, n, 2, shares / shares.sum())
    return places + rng.normal(size=(n, 2)), y


def ten_dimensions(rng, c, n):
    """Draw normal clusters in ten dimensions."""
    places, y = of_centres(rng, c, n, 10)
    return places + rng.normal(size=(n, 10)), y


def with_noise(rng, c, n):
    """Draw normal clusters and 5 % of objects anywhere."""
    X, y = of_centres(rng, c, n, 2)
    X = X + rng.normal(size=(n, 2))
    noisy = rng.uniform(size=n) < 0.05
    X[noisy] = rng.uniform(X.min(axis=0), X.max(axis=0), (n, 2))[noisy]
    return X, np.where(noisy, -1, y)


GENERATED = {one.__name__: one for one in (ellipses, discs, students, unbalanced, ten_dimensions, with_noise)}
NAMED = {
    "t4": lambda n, seed: make_t4(n, seed),
    "fourclass": lambda n, seed: make_fourclass(n, seed),
    "EGMM's four classes": lambda n, seed: make_egmm_four_class(n, seed),
    "half-rings": lambda n, seed: make_half_rings(n, seed),
}


def tables(seeds):
    """Yield family, objects and classes; class -1 is noise."""
    for seed in seeds:
        for name, make in GENERATED.items():
            for c in NUMBERS:
                for n in SIZES:
                    yield name, *make(np.random.default_rng([seed, c, n]), c, n)
        for name, make in NAMED.items():
            for n in SIZES:
                data = make(n, seed)
                yield name, data.X, data.y
        for n in SIZES:
            yield "one cluster", np.random.default_rng([seed, n]).normal(size=(n, 2)), np.zeros(n, dtype=int)
    for name in FILES:
        data = load(name)
        X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
        yield name, X, np.unique(data.y, return_inverse=True)[1]


def measure(name, X, y):
    """Return one row of the table."""
    known, c = y >= 0, len(np.unique(y[y >= 0]))
    row = {"tables": name, "c": c, "n": len(X)}
    models = {
        "BPEC()": BPEC(),
        "BPEC(c)": BPEC(c),
        "ECM(c)": ECM(c, beta=2.0, random_state=0),
        "ECM(c, n_init=5)": ECM(c, beta=2.0, n_init=5, random_state=0),
    }
    for label, model in models.items():
        began = time.process_time()
        fit = model.fit(X)
        row[f"{label} s"] = time.process_time() - began
        row[label] = adjusted_rand(y[known], fit.labels_[known])
        if label == "BPEC()":
            row["found"] = fit.n_clusters_
    row["right"] = row["found"] == c
    return row


def main(begin: int = 0, end: int = 5) -> None:
    """Print the table of each family, and processor times."""
    warnings.simplefilter("ignore", UserWarning)
    rows = pd.DataFrame([measure(*table) for table in tables(range(begin, end))])
    labels = ["right", "BPEC()", "BPEC(c)", "ECM(c)", "ECM(c, n_init=5)"]
    mean = rows.groupby("tables", sort=False)[labels].mean()
    files = rows[rows["tables"].isin(FILES)].set_index("tables")
    gains = rows["BPEC(c)"] - rows["ECM(c)"]
    print(mean.drop(index=list(FILES)).round(2).to_string())
    for name, gain in gains[~rows["tables"].isin(FILES)].groupby(rows["tables"], sort=False):
        print(f"{name}: BPEC(c) - ECM(c) = {interval(gain)}")
    print(files[["c", "found", *labels[1:]]].round(2).to_string())
    print(rows.filter(like=" s").sum().round(1).to_string())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
