"""Compare the defaults of ECM, EVCLUS, EGMM and BPEC with other settings and methods, on planted tables.

    python benchmarks/defaults.py [--stream judging] [--tables 20] [--kinds counts nested]

Columns are standardised, and the number of clusters is given, except to "BPEC, finds c" and EK-NNclus. For
each kind of table and method, the program prints the mean ARI of the objects of planted clusters. Then it
prints, over all kinds, the shares of these objects, and of planted far ones, that are called outliers, and
the time. In the end it prints how many outliers are found that lie 5 to 12 standard deviations from the
nearest cluster's mean; those of the tables are farther.
"""

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from planted_tables import NUMBERS, STREAMS, table
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from credalbench.cluster import BPEC, ECM, EGMM, EVCLUS, EKNNclus
from credalbench.core.checks import standardized
from credalbench.metrics import adjusted_rand

COVARIANCES = ("full", "tied", "diag", "spherical")
METHODS = {
    "ECM": lambda c, n, p: ECM(c, random_state=0),
    "ECM, beta=2": lambda c, n, p: ECM(c, beta=2.0, random_state=0),
    "ECM, beta=1.5": lambda c, n, p: ECM(c, beta=1.5, random_state=0),
    "ECM, published": lambda c, n, p: ECM(c, beta=published_beta(n, p), random_state=0),
    "EVCLUS": lambda c, n, p: EVCLUS(c, random_state=0),
    "EVCLUS, near pairs": lambda c, n, p: EVCLUS(c, pair_neighbors=1 if c > 1 else None, random_state=0),
    "EVCLUS, pairs": lambda c, n, p: EVCLUS(c, focal_sets="pairs", random_state=0),
    "EGMM": lambda c, n, p: EGMM(c, random_state=0),
    "EGMM, no noise": lambda c, n, p: EGMM(c, noise=False, random_state=0),
    "BPEC": lambda c, n, p: BPEC(c),
    "BPEC, finds c": lambda c, n, p: BPEC(),
    "EK-NNclus": lambda c, n, p: EKNNclus(random_state=0),
    "k-means": lambda c, n, p: KMeans(c, n_init=10, random_state=0),
    "mixture": lambda c, n, p: Mixture(c),
}


def published_beta(n, p):
    """Return the exponent of fuzzy c-means by Schwaemmle and Jensen (2010), at most 2."""
    power = -0.0406 * np.log(n) - 0.1134
    return min(2.0, 1 + (1418 / n + 22.05) * p**-2.0 + (12.33 / n + 0.243) * p**power)


class Mixture:
    """Gaussian mixture with the type of covariance of best BIC."""

    def __init__(self, c):
        self.fits = [GaussianMixture(c, covariance_type=kind, random_state=0) for kind in COVARIANCES]

    def fit(self, X):
        """Fit all types."""
        self.labels_ = min((fit.fit(X) for fit in self.fits), key=lambda fit: fit.bic(X)).predict(X)
        return self


def rows_of(kind, seed, stream):
    """Yield a row for each method."""
    frame, y = table(kind, seed, stream)
    X, c, inside = standardized(frame.to_numpy(float)), int(y.max()) + 1, y >= 0
    for name, method in METHODS.items():
        start = time.process_time()
        fit = method(c, *X.shape).fit(X)
        row = {"kind": kind, "method": name, "s": time.process_time() - start}
        row["ARI"] = adjusted_rand(y[inside], fit.labels_[inside])
        partition = getattr(fit, "partition_", None)
        if partition is not None:
            outliers = partition.outliers()
            row |= {"false outliers": outliers[inside].mean(), "right c": partition.n_clusters == c}
            row["far found"] = outliers[~inside].mean() if (~inside).any() else np.nan
        yield row


def at_distance(reach, seed, stream):
    """Yield, for each default, the shares of planted outliers and of other objects that are called outliers.

    The clusters are round, with deviation 1; the outliers are `reach` from the nearest mean, 2 % of all.
    """
    frame, y = table("round", seed, stream)
    X, c, rng = frame.to_numpy(float), int(y.max()) + 1, np.random.default_rng(seed)
    means, far = np.array([X[y == k].mean(axis=0) for k in range(c)]), []
    while len(far) < max(3, 0.02 * len(X)):
        v = rng.normal(size=X.shape[1])
        place = means[rng.integers(c)] + reach * v / np.linalg.norm(v)
        if np.linalg.norm(means - place, axis=1).min() > reach - 1e-9:
            far.append(place)
    X = standardized(np.vstack([X, far]))
    for name in ("ECM", "EVCLUS", "EGMM", "BPEC"):
        found = METHODS[name](c, *X.shape).fit(X).partition_.outliers()
        yield {
            "distance": reach,
            "method": name,
            "found": found[len(y) :].mean(),
            "others": found[: len(y)].mean(),
        }


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stream", choices=STREAMS, default="tuning")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--kinds", nargs="*", default=NUMBERS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = pd.DataFrame(
        row
        for kind in given.kinds
        for seed in range(given.tables)
        for row in rows_of(kind, seed, given.stream)
    )
    print(rows.pivot_table(index="method", columns="kind", values="ARI", sort=False, margins=True).round(3))
    print(rows.drop(columns="kind").groupby("method", sort=False).mean().round(4))
    far = pd.DataFrame(
        row
        for reach in (5, 6, 8, 12)
        for seed in range(given.tables)
        for row in at_distance(reach, seed, given.stream)
    )
    print(far.pivot_table(index="method", columns="distance", sort=False).round(3))


if __name__ == "__main__":
    pd.set_option("display.width", 250, "display.max_columns", 30)
    main()
