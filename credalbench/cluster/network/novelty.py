"""How far objects lie from those of a fit: a one-class support vector machine [scholkopf2001]."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import OneClassSVM

SAMPLE = 1000  # objects that it is trained on: their number is that of its support vectors, at most
STRETCH = 10.0  # of the score: -10 where no object of the fit is near
CHUNK = 1 << 20  # values of the kernel at a time


@dataclass(frozen=True)
class Novelty:
    """A trained machine, with a score that is 0 at its boundary and -`STRETCH` far away."""

    machine: OneClassSVM
    gamma: float

    @classmethod
    def of(cls, X: np.ndarray, share: float, rng: np.random.RandomState) -> Self:
        """Train it on objects (n, p), or a random sample, of which about `share` lie outside."""
        rows = slice(None) if len(X) <= SAMPLE else np.sort(rng.choice(len(X), SAMPLE, replace=False))
        gamma = 1 / (X.shape[1] * X[rows].var())
        machine = OneClassSVM(nu=share, gamma=gamma, tol=1e-6)
        machine.random_state = 0  # else it takes a seed, which it does not use, from numpy's global generator
        return cls(machine.fit(X[rows]), gamma)

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return the scores (n,) of objects: O(n p) for each support vector."""
        vectors, weights = self.machine.support_vectors_, self.machine.dual_coef_[0]
        found, step = np.empty(len(X)), max(1, CHUNK // len(vectors))
        for begin in range(0, len(X), step):
            rows = slice(begin, begin + step)
            found[rows] = rbf_kernel(X[rows], vectors, gamma=self.gamma) @ weights
        return STRETCH * (found / self.machine.offset_[0] - 1)
