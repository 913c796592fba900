"""What a mixture consists of, and what a pass over the objects makes of it; in the coordinates of a frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Mixture(NamedTuple):
    """The parameters: mixing probabilities, means of the clusters, covariances of the components."""

    weights: np.ndarray  # (f,), sum 1
    centers: np.ndarray  # (c, p)
    covariances: np.ndarray  # in the shape of the covariance type, without the ridge


class Components(NamedTuple):
    """What the densities of the components need of a mixture."""

    means: np.ndarray  # (f, p)
    roots: np.ndarray  # R with R'R the inverse of the covariance, in the shape of the covariance type
    offsets: np.ndarray  # (f,): logarithm of mixing probability times density at the mean


class Moments(NamedTuple):
    """Sums over objects: their log-likelihood, and their masses, as powers of what they are off the means."""

    log_likelihood: float
    weights: np.ndarray  # (f,)
    sums: np.ndarray  # (f, p)
    scatters: (
        np.ndarray | float
    )  # in the shape of the covariance type; 0 if all components share one covariance

    def __add__(self, other: Moments) -> Moments:
        return Moments(*(one + another for one, another in zip(self, other, strict=True)))
