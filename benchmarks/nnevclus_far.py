"""Measure which share of far objects NN-EVCLUS calls outliers, with and without its gate.

200 objects in random directions, 3 and 20 times as far from the mean as the farthest object of the fit; three
seeds. All but two columns of "t4 and noise" contain only noise.
"""

import warnings

import numpy as np
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from credalbench.cluster import NNEVCLUS
from credalbench.datasets import make_t4

SEEDS = 3


def main() -> None:
    """Print a row for each data set and distance."""
    warnings.simplefilter("ignore")  # of clusters without objects
    rng = np.random.default_rng(0)
    t4 = make_t4(300, random_state=0).X
    noise = 0.1 * t4.std() * rng.normal(size=(300, 8))
    sets = {"t4": (t4, 4), "t4 and noise": (np.hstack([t4, noise]), 4)}
    for name, load, c in (("iris", load_iris, 3), ("wine", load_wine, 3)):
        sets[name] = StandardScaler().fit_transform(load().data), c
    print("data, distance, with the gate, without")
    for name, (X, c) in sets.items():
        for distance in (3, 20):
            directions = rng.normal(size=(200, X.shape[1]))
            directions /= np.linalg.norm(directions, axis=1)[:, None]
            radius = np.linalg.norm(X - X.mean(axis=0), axis=1).max()
            far = X.mean(axis=0) + distance * radius * directions
            shares = [share_of_outliers(X, c, far, novelty) for novelty in (0.2, None)]
            print(f"{name}, {distance}, {shares[0]:.2f}, {shares[1]:.2f}", flush=True)


def share_of_outliers(X: np.ndarray, c: int, far: np.ndarray, novelty: float | None) -> float:
    """Return the mean over the seeds."""
    fits = (NNEVCLUS(c, novelty=novelty, n_init=2, random_state=seed).fit(X) for seed in range(SEEDS))
    return float(np.mean([fit.predict_partition(far).outliers().mean() for fit in fits]))


if __name__ == "__main__":
    main()
