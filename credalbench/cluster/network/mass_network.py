r"""A network of rectified linear units whose outputs are masses, with a gate for novel objects.

The network has one or two hidden layers, :math:`z = \max(0, V (1, x))`, and a softmax over the f focal sets,
:math:`s = \mathrm{softmax}(W (1, z))`. From the novelty score h of an object the gate computes

.. math:: \eta = \log(1 + e^{\beta_0 + \beta_1 h}), \quad g = \eta / (1 + \eta), \qquad
          m = g\, e_\emptyset + (1 - g)\, s .

The parameters are one vector: the matrices, each row with its bias first, then :math:`\beta` if there is a
gate.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
from scipy.special import expit, softmax
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import OneClassSVM

START_OF_GATE = 0.0, -1.0  # beta: objects of negative score are novel


class Pass(NamedTuple):
    """What the backward pass needs from the forward pass."""

    layers: list[np.ndarray]  # inputs of each matrix, (n, width)
    shares: np.ndarray  # (n, f) softmax
    novelty: np.ndarray | None
    exponent: np.ndarray | None  # beta_0 + beta_1 h
    eta: np.ndarray | None


@dataclass(frozen=True)
class MassNetwork:
    """A network with these `sizes`: attributes, units of each hidden layer, focal sets; the empty set first.

    Attributes
    ----------
    sizes : tuple of int
    gated : bool
        Whether it has the gate; then the empty set is the first focal set.
    """

    sizes: tuple[int, ...]
    gated: bool

    @property
    def n_parameters(self) -> int:
        """Number of weights and of parameters of the gate."""
        return sum((a + 1) * b for a, b in pairwise(self.sizes)) + 2 * self.gated

    def start(self, rng: np.random.RandomState) -> np.ndarray:
        """Draw starting parameters: weights uniform within 1 / the root of their number in a row."""
        parameters = np.empty(self.n_parameters)
        for matrix in self.matrices(parameters):
            bound = matrix.shape[1] ** -0.5
            matrix[:] = rng.uniform(-bound, bound, matrix.shape)
        if self.gated:
            parameters[-2:] = START_OF_GATE
        return parameters

    def matrices(self, parameters: np.ndarray) -> list[np.ndarray]:
        """Return the weight matrices (units, 1 + inputs), views of the `parameters`."""
        found, begin = [], 0
        for inputs, units in pairwise(self.sizes):
            end = begin + units * (inputs + 1)
            found.append(parameters[begin:end].reshape(units, inputs + 1))
            begin = end
        return found

    def masses(
        self, parameters: np.ndarray, X: np.ndarray, novelty: np.ndarray | None = None
    ) -> tuple[np.ndarray, Pass]:
        """Compute the masses (n, f) of inputs (n, p) with novelty scores (n,), and intermediate results."""
        *hidden, last = self.matrices(parameters)
        layers = [X]
        for V in hidden:
            Z = layers[-1] @ V[:, 1:].T
            Z += V[:, 0]
            layers.append(np.maximum(Z, 0.0, out=Z))
        M = softmax(layers[-1] @ last[:, 1:].T + last[:, 0], axis=1)
        if not self.gated:
            return M, Pass(layers, M, None, None, None)
        exponent = parameters[-2] + parameters[-1] * novelty
        eta = np.logaddexp(0.0, exponent)
        gated = M / (1 + eta)[:, None]
        gated[:, 0] += eta / (1 + eta)
        return gated, Pass(layers, M, novelty, exponent, eta)

    def gradient(self, parameters: np.ndarray, way: Pass, by_masses: np.ndarray) -> np.ndarray:
        """Return the gradient with respect to the parameters from that with respect to the masses (n, f)."""
        found = np.empty(self.n_parameters)
        along = np.einsum("if,if->i", by_masses, way.shares)
        by_shares = by_masses - along[:, None]
        if self.gated:
            slope = by_shares[:, 0] * expit(way.exponent) / (1 + way.eta) ** 2
            found[-2:] = slope.sum(), slope @ way.novelty
            by_shares /= (1 + way.eta)[:, None]
        back = way.shares * by_shares
        steps = zip(self.matrices(parameters), self.matrices(found), way.layers)
        for V, slope, Z in reversed(list(steps)):
            slope[:, 0] = back.sum(axis=0)
            slope[:, 1:] = back.T @ Z
            back = (back @ V[:, 1:]) * (Z > 0)  # of the inputs, this is not used
        return found


SAMPLE = 1000  # objects that the machine is trained on; it has at most as many support vectors
STRETCH = 10.0  # of the score: -10 where no object of the fit is near
CHUNK = 1 << 20  # values of the kernel at a time


@dataclass(frozen=True)
class Novelty:
    """A trained machine, with a score that is 0 at its boundary and -`STRETCH` far away."""

    machine: OneClassSVM
    gamma: float

    @classmethod
    def of(cls, X: np.ndarray, share: float, rng: np.random.RandomState) -> Self:
        """Train the machine on objects (n, p), or on a random sample, of which about `share` lie outside."""
        rows = slice(None) if len(X) <= SAMPLE else np.sort(rng.choice(len(X), SAMPLE, replace=False))
        gamma = 1 / (X.shape[1] * X[rows].var())
        machine = OneClassSVM(nu=share, gamma=gamma, tol=1e-6)
        machine.random_state = 0  # otherwise it takes a seed, which it does not use, from numpy's generator
        return cls(machine.fit(X[rows]), gamma)

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return the scores (n,) of objects: O(n p) for each support vector."""
        vectors, weights = self.machine.support_vectors_, self.machine.dual_coef_[0]
        found, step = np.empty(len(X)), max(1, CHUNK // len(vectors))
        for begin in range(0, len(X), step):
            rows = slice(begin, begin + step)
            found[rows] = rbf_kernel(X[rows], vectors, gamma=self.gamma) @ weights
        return STRETCH * (found / self.machine.offset_[0] - 1)
