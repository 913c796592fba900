"""Data whose number of classes is known: the papers' own, or drawn by their recipes or by one of ours."""

import numpy as np
from sklearn.preprocessing import StandardScaler

from credalbench.datasets import load, make_egmm_four_class, make_egmm_two_class, make_t4

RECIPES = {"two_class": make_egmm_two_class, "four_class": make_egmm_four_class, "t4": make_t4}
NEAREST, FARTHEST = 3.0, 6.0  # least distance of two centres of ``mixture``, in deviations of a class


def classified(name: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Return standardised attributes and the number of classes of a data set; n objects of drawn ones."""
    if name == "one_class":
        return rng.normal(size=(n, 2)), 1
    if name == "mixture":
        X, y = mixture(n, rng)
    else:
        data = RECIPES[name](n, rng) if name in RECIPES else load(name)
        X, y = data.X, data.y
    return StandardScaler().fit_transform(X), int(y.max()) + 1


def mixture(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw two to five Gaussian classes in the plane with one covariance: (n, 2), (n,).

    Their number, how close they are, where they lie, and which way the covariance is stretched, are drawn.
    """
    c, gap = int(rng.integers(2, 6)), rng.uniform(NEAREST, FARTHEST)
    centres = separated(c, gap, rng)
    y = np.arange(n) % c
    stretch = np.eye(2) + 0.25 * rng.normal(size=(2, 2))
    return centres[y] + rng.normal(size=(n, 2)) @ stretch, y


def separated(c: int, gap: float, rng: np.random.Generator) -> np.ndarray:
    """Draw centres (c, 2) until no two are nearer than `gap`."""
    while True:
        centres = gap * rng.normal(size=(c, 2))
        distances = np.linalg.norm(centres[:, None] - centres, axis=2)
        if distances[~np.eye(c, dtype=bool)].min() >= gap:
            return centres
