"""Compare the choices of focal sets of ECM and RECM on many clusters and on clusters of different sizes.

Unit normal clusters, 2 to 10 in 2 and 5 dimensions, with centres at least 6 standard deviations apart, of
equal sizes or of sizes by a Dirichlet distribution of parameter 2; 300 objects without outliers. The program
prints, for each choice, the mean and the smallest adjusted Rand index, the mean by number of clusters, the
mean nonspecificity, and the processor time; all 2^c sets are tried up to 8 clusters. `python
benchmarks/focal_sets.py 100 103` uses the seeds 100 to 102. The rule was chosen on the seeds 0 to 3.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd
from planted_outliers import separated_centres

from credalbench.cluster import ECM, RECM
from credalbench.metrics import adjusted_rand

CLUSTERS, DIMENSIONS, N = (2, 3, 4, 5, 6, 8, 10), (2, 5), 300
MOST_FULL = 8  # clusters that are tried with all sets


def make_table(seed, c, p, balanced):
    """Return objects (n, p) and their clusters."""
    rng = np.random.default_rng([seed, p, c, balanced])
    shares = np.full(c, 1 / c) if balanced else np.maximum(rng.dirichlet(np.full(c, 2.0)), 0.03)
    y = rng.choice(c, N, p=shares / shares.sum())
    return separated_centres(rng, c, p)[y] + rng.normal(size=(N, p)), y


def estimators(c):
    """Return a dict from names to estimators."""
    of_ecm = {
        name: ECM(c, beta=2.0, focal_sets=name, random_state=0)
        for name in ("auto", "full", "pairs", "simple")
        if name != "full" or c <= MOST_FULL
    }
    relational = {
        f"RECM, {name}": RECM(c, beta=2.0, focal_sets=name, random_state=0) for name in ("auto", "pairs")
    }
    if c <= MOST_FULL:
        relational["RECM, full"] = RECM(c, focal_sets="full", random_state=0)
    return {f"ECM, {name}": estimator for name, estimator in of_ecm.items()} | relational


def measure(seeds):
    """Return one row per estimator and table."""
    rows = []
    for seed in seeds:
        for p in DIMENSIONS:
            for c in CLUSTERS:
                for balanced in (True, False):
                    X, y = make_table(seed, c, p, balanced)
                    for name, estimator in estimators(c).items():
                        began = time.process_time()
                        fit = estimator.fit(X)
                        seconds = time.process_time() - began
                        unsure = float(np.mean(fit.partition_.nonspecificity()))
                        rows.append((name, c, p, balanced, adjusted_rand(y, fit.labels_), unsure, seconds))
    names = ["focal sets", "c", "p", "balanced", "ari", "nonspecificity", "cpu_s"]
    return pd.DataFrame(rows, columns=names)


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    rows = measure(range(*map(int, sys.argv[1:3])) if len(sys.argv) > 2 else range(100, 102))
    by_choice = rows.groupby("focal sets")
    print(by_choice[["ari", "nonspecificity", "cpu_s"]].mean().assign(least=by_choice["ari"].min()).round(3))
    print(rows.pivot_table(index="c", columns="focal sets", values="ari").round(2).T.to_string())


if __name__ == "__main__":
    main()
