"""Measure what EVCLUS loses if dissimilarities of pairs are stored in bytes: J on unseen pairs, and ARI.

Data t4, n = 20 000, k = 100, six data sets. J is computed on 50 other partners of each object, relative to
their squared dissimilarities. The program prints means and the differences to single precision with their
standard deviations.
"""

import numpy as np
import pandas as pd

from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.transformation import phi
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand

N, K, UNSEEN, SETS = 20_000, 100, 50, 6


def main() -> None:
    """Fit each data set in both precisions, and compare."""
    rows = []
    for seed in range(SETS):
        data = make_t4(N, random_state=seed)
        partners = sample_partners(N, UNSEEN, np.random.RandomState(99))
        distances = pair_dissimilarities(data.X, partners)
        for precision in ("single", "byte"):
            fit = EVCLUS(4, n_pairs=K, pair_precision=precision, random_state=seed).fit(data.X)
            masses, delta = fit.partition_.masses, phi(distances, fit.gamma_)
            wanted = np.einsum("if,ikf->ik", masses @ fit.partition_.focal_sets.conflict, masses[partners])
            stress = ((wanted - delta) ** 2).sum() / (delta**2).sum()
            rows.append((seed, precision, stress, adjusted_rand(data.y, fit.labels_)))
    table = pd.DataFrame(rows, columns=["data", "precision", "stress", "ari"]).pivot(
        index="data", columns="precision"
    )
    print(table.mean().to_string())
    change = table["stress", "byte"] / table["stress", "single"] - 1
    print(f"relative change of the stress {change.mean():.1e}, standard deviation {change.std():.1e}")
    change = table["ari", "byte"] - table["ari", "single"]
    print(f"change of the ARI {change.mean():.1e}, standard deviation {change.std():.1e}")


if __name__ == "__main__":
    main()
