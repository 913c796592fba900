"""Generated data with one parameter each, from clearly separate clusters to those that a closure may join."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from credalbench.datasets import make_half_rings

FAR = 8.0  # distance of two centres, in standard deviations, where something else is tried
SPACING = 4.5  # of many centres
MARGIN = 4.0  # of the square with the outliers around the clusters
BRIDGE_WIDTH = 0.1  # standard deviation of the objects on a bridge, across it
NO_CLASS = -1


class Draw(NamedTuple):
    """Objects (n, 2), their classes (n,), `NO_CLASS` for those between and outside, and how many classes."""

    X: np.ndarray
    y: np.ndarray
    n_classes: int


def overlap(n: int, distance: float, rng: np.random.Generator) -> Draw:
    """Draw two Gaussian clusters of unit covariance."""
    y = np.arange(n) % 2
    X = rng.standard_normal((n, 2))
    X[:, 0] += distance * y
    return Draw(X, y, 2)


def bridge(n: int, n_between: float, rng: np.random.Generator) -> Draw:
    """Draw two clusters far apart, and `n_between` objects at equal steps from centre to centre."""
    X, y, c = overlap(n, FAR, rng)
    m = int(n_between)
    between = np.column_stack([FAR * np.arange(1, m + 1) / (m + 1), BRIDGE_WIDTH * rng.standard_normal(m)])
    return Draw(np.vstack([X, between]), np.append(y, np.full(m, NO_CLASS)), c)


def outliers(n: int, share: float, rng: np.random.Generator) -> Draw:
    """Draw two clusters far apart, and `share` n objects uniform in a square around them."""
    X, y, c = overlap(n, FAR, rng)
    m, half = round(share * n), FAR / 2 + MARGIN
    anywhere = (FAR / 2, 0) + half * rng.uniform(-1, 1, size=(m, 2))
    return Draw(np.vstack([X, anywhere]), np.append(y, np.full(m, NO_CLASS)), c)


def many(n: int, n_classes: float, rng: np.random.Generator) -> Draw:
    """Draw Gaussian clusters of unit covariance on a square grid, row by row."""
    c = int(n_classes)
    y, side = np.arange(n) % c, int(np.ceil(np.sqrt(c)))
    centres = SPACING * np.column_stack(np.divmod(np.arange(c), side))
    return Draw(centres[y] + rng.standard_normal((n, 2)), y, c)


def rings(n: int, noise: float, rng: np.random.Generator) -> Draw:
    """Draw two interlocked arcs of radius 5."""
    data = make_half_rings(n, rng, noise=noise)
    return Draw(np.array(data.X), np.array(data.y), 2)


#: Kind of data -> (number of objects with a class, level, generator) -> Draw.
DRAWS: dict[str, Callable[[int, float, np.random.Generator], Draw]] = {
    "overlap": overlap,
    "bridge": bridge,
    "outliers": outliers,
    "many": many,
    "rings": rings,
}
