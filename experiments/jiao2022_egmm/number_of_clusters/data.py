"""Data whose number of classes is known: the papers' own, or drawn by their recipes or by one of ours."""

import numpy as np
from sklearn.preprocessing import StandardScaler

from credalbench.datasets import load, make_egmm_four_class, make_egmm_two_class, make_t4

RECIPES = {"two_class": make_egmm_two_class, "four_class": make_egmm_four_class, "t4": make_t4}
NEAREST, FARTHEST = 3.0, 6.0  # least distance of two centres of ``mixture``, in deviations of a class


def classified(name: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Standardised attributes of a data set and its number of classes; of those that are drawn, n objects."""
    if name == "one_class":
        return rng.normal(size=(n, 2)), 1
    if name == "mixture":
        X, y = mixture(n, rng)
    else:
        data = RECIPES[name](n, rng) if name in RECIPES else load(name)
        X, y = data.X, data.y
    return StandardScaler().fit_transform(X), int(y.max()) + 1


def mixture(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two to five Gaussian classes in the plane with one covariance: (n, 2), (n,).

    Their number, how close they are, where they lie, and which way the covariance is stretched, are drawn.
    """
    c, gap = int(rng.integers(2, 6)), rng.uniform(NEAREST, FARTHEST)
    centres = separated(c, gap, rng)
    y = np.arange(n) % c
    stretch = np.eye(2) + 0.25 * rng.normal(size=(2, 2))
    return centres[y] + rng.normal(size=(n, 2)) @ stretch, y


def separated(c: int, gap: float, rng: np.random.Generator) -> np.ndarray:
    """Centres (c, 2) no two of which are nearer than `gap`: drawn until they are so."""
    while True:
        centres = gap * rng.normal(size=(c, 2))
        distances = np.linalg.norm(centres[:, None] - centres, axis=2)
        if distances[~np.eye(c, dtype=bool)].min() >= gap:
            return centres
