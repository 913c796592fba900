"""Compare the default beta of ECM with fixed values, on planted tables of numbers, given the clusters.

    python benchmarks/ecm_beta.py [--stream tuning] [--tables 20]

For each kind of table, the program prints the mean ARI over the objects of clusters, of ECM and of two other
methods, and the shares of these objects, and of planted far ones, that the default calls outliers.
"""

import argparse
import warnings

import numpy as np
from planted_tables import NUMBERS, STREAMS, table
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from credalbench.cluster import ECM
from credalbench.core.checks import standardized
from credalbench.metrics import adjusted_rand

COVARIANCES = ("full", "tied", "diag", "spherical")


def published_beta(n, p):
    """Return the exponent of fuzzy c-means by Schwaemmle and Jensen (2010), at most 2."""
    power = -0.0406 * np.log(n) - 0.1134
    return min(2.0, 1 + (1418 / n + 22.05) * p**-2.0 + (12.33 / n + 0.243) * p**power)


def mixture(X, c):
    """Return the labels of the mixture of c components of best BIC."""
    fits = [GaussianMixture(c, covariance_type=kind, random_state=0).fit(X) for kind in COVARIANCES]
    return min(fits, key=lambda fit: fit.bic(X)).predict(X)


def row(X, y):
    """Return the ARI of each method, and the shares of outliers of the first, among both kinds of objects."""
    c, inside = int(y.max()) + 1, y >= 0
    betas = ("auto", 2.0, 1.5, published_beta(*X.shape))
    fits = [ECM(c, beta=beta, random_state=0).fit(X) for beta in betas]
    found = [fit.labels_ for fit in fits]
    found += [KMeans(c, n_init=10, random_state=0).fit_predict(X), mixture(X, c)]
    outliers = fits[0].partition_.outliers()
    shares = [outliers[inside].mean(), outliers[~inside].mean() if (~inside).any() else np.nan]
    return [adjusted_rand(y[inside], labels[inside]) for labels in found] + shares


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stream", choices=STREAMS, default="tuning")
    parser.add_argument("--tables", type=int, default=20)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'':18}   auto  beta=2    1.5 publ.  k-means mixture  outliers far")
    means = []
    for kind in NUMBERS:
        tables = (table(kind, seed, given.stream) for seed in range(given.tables))
        rows = [row(standardized(frame.to_numpy(dtype=float)), y) for frame, y in tables]
        means.append(np.mean(rows, axis=0))
        print(f"{kind:18}", *(f"{value:6.3f}" for value in means[-1]), flush=True)
    print(f"{'mean':18}", *(f"{value:6.3f}" for value in np.nanmean(means, axis=0)))
