"""Test the evidential ensemble on two or three groups of very unequal size, eight deviations apart.

For 300 objects in the plane and three seeds, the program prints the adjusted Rand index for several settings.
For the default, it also prints the stress at which the search ends from its linkage and from the true
clusters.
"""

import warnings

import numpy as np
from sklearn.cluster import KMeans

from credalbench.cluster import EvidentialEnsemble
from credalbench.metrics import adjusted_rand

SIZES = ((150, 150), (250, 50), (270, 30), (285, 15), (260, 20, 20))


def make_groups(sizes, seed, apart=8.0):
    """Return attributes (300, 2) and groups (300,); the means lie on a circle."""
    rng, c = np.random.default_rng([seed, *sizes]), len(sizes)
    y, angles = np.repeat(np.arange(c), sizes), 2 * np.pi * np.arange(c) / c
    means = apart / (2 * np.sin(np.pi / c)) * np.column_stack([np.cos(angles), np.sin(angles)])
    return means[y] + rng.normal(size=(len(y), 2)), y


def stress_from_the_truth(fit, y):
    """Return the stress at which the search ends from the true clusters."""
    start = np.zeros_like(fit.starts_[0].masses)
    start[np.arange(len(y)), fit.starts_[0].focal_sets.singletons[y]] = 1
    params = fit.get_params() | {"init": start}
    return EvidentialEnsemble(**params).fit_from_partitions(fit.partitions_).objective_


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    for sizes in SIZES:
        c = len(sizes)
        settings = {
            "default": {},
            "minimum closure": {"t_norm": "minimum"},
            "as many clusters in the bases": {"base_n_clusters": c},
            "k-means, twice as many, minimum": {
                "base": KMeans(n_init=1),
                "base_n_clusters": 2 * c,
                "t_norm": "minimum",
            },
        }
        for name, params in settings.items():
            found = []
            for seed in range(3):
                X, y = make_groups(sizes, seed)
                fit = EvidentialEnsemble(c, random_state=seed, **params).fit(X)
                found.append(f"{adjusted_rand(y, fit.labels_):.2f}")
                if not params:
                    found[-1] += f" ({fit.objective_:.0f}, {stress_from_the_truth(fit, y):.0f})"
            print(f"{sizes}, {name}: {', '.join(found)}", flush=True)


if __name__ == "__main__":
    main()
