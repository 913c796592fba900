r"""The loss that NN-EVCLUS minimises, over all objects or over some of them, and the training of its network.

.. math::

    L = (1 - \nu) \frac{1}{n (n - 1)} \sum_{i \ne j} (m_i^T C m_j - \delta_{ij})^2
        + \nu\, \frac{1}{l c} \sum_{i\ \text{labelled}} \sum_k (pl_{ik} - y_{ik})^2
        + \frac{\xi}{2 (|\mathcal M| + |\mathcal C|)} \Big[ \sum_{\mathcal M} m_i^T Q m_j
        + \sum_{\mathcal C} m_i^T (2 - Q) m_j \Big] + \frac{\lambda}{2} \sum_V \mathrm{mean}(V^2)

with Q the cost of a must-link (``constrained/linked_stress.py``), l labelled objects and the weights V of the
network. Without labels :math:`\nu` is 0. A mini-batch has all pairs within it, and at most as many
labelled objects and as many constraints as it has objects, drawn at random.

``on_all`` is gradient descent with a step for every parameter, as in EVCLUS (``conflict/solvers.py``).
``on_mini_batches`` is RMSprop: steps are divided by the root of a running mean of squared slopes. An
iteration is an epoch: the objects in random order, cut into batches. After each epoch, training computes the
loss of a sample of objects and keeps the best parameters; it stops when the loss has not decreased for some
epochs.

Each random start ends in a local minimum. Several starts are therefore trained on the sample first, and
training continues from the best.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from scipy.spatial.distance import cdist

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.solvers import descend
from credalbench.cluster.constrained.linked_stress import cost_and_gradient, link_costs
from credalbench.cluster.network.mass_network import MassNetwork
from credalbench.core.progress import check_cancelled, track, track_iterations

CHUNK = 1 << 18  # entries of the matrix of conflicts at a time: 2 MiB


@dataclass(frozen=True)
class Batch:
    """Objects, all pairs of which count, and the labels and constraints that go with them.

    Rows of `X` (m, p) and `novelty` (m,) are the compared objects, then those that labels and constraints are
    about. `delta` (b, b) belongs to the first b of them; the other numbers are places among the rows.
    """

    X: np.ndarray
    novelty: np.ndarray | None
    delta: np.ndarray
    labelled: np.ndarray  # (l,)
    wanted: np.ndarray  # (l, c) 1 for the cluster of the label
    must_link: np.ndarray  # (m, 2)
    cannot_link: np.ndarray  # (q, 2)


@dataclass(frozen=True)
class TrainingLoss:
    """The loss, and the objects of a fit: inputs `X` (n, p), scores `novelty` (n,), `gamma` of distances."""

    network: MassNetwork
    focal_sets: FocalSets
    X: np.ndarray
    novelty: np.ndarray | None
    gamma: float
    labelled: np.ndarray
    wanted: np.ndarray
    must_link: np.ndarray
    cannot_link: np.ndarray
    label_weight: float
    xi: float
    penalty: float

    def batch(self, rows: np.ndarray | slice) -> Batch:
        """Return the compared objects `rows`, with all labels and constraints."""
        extra = np.concatenate([self.labelled, self.must_link.ravel(), self.cannot_link.ravel()])
        others, place = np.unique(extra, return_inverse=True)
        place = place.ravel() + len(self.X[rows])
        at = np.split(place, np.cumsum([len(self.labelled), self.must_link.size]))
        X = self.X[rows]
        delta = cdist(X, X, "sqeuclidean")
        delta *= -self.gamma
        np.negative(np.expm1(delta, out=delta), out=delta)
        novelty = self.novelty
        if novelty is not None:
            novelty = np.concatenate([novelty[rows], novelty[others]])
        pairs = at[1].reshape(-1, 2), at[2].reshape(-1, 2)
        return Batch(np.concatenate([X, self.X[others]]), novelty, delta, at[0], self.wanted, *pairs)

    def some(self, most: int, rng: np.random.RandomState) -> Self:
        """Return the loss with at most so many labels and constraints, drawn at random."""
        l, m, q = len(self.labelled), len(self.must_link), len(self.cannot_link)
        if l <= most and m + q <= most:
            return self
        kept = rng.permutation(l)[:most]
        links = np.sort(rng.permutation(m + q)[:most])
        must = links[links < m]
        return replace(
            self,
            labelled=self.labelled[kept],
            wanted=self.wanted[kept],
            must_link=self.must_link[must],
            cannot_link=self.cannot_link[links[len(must) :] - m],
        )

    def value_and_gradient(self, parameters: np.ndarray, batch: Batch) -> tuple[float, np.ndarray]:
        """Compute the loss of a batch of b objects and its gradient: O(b^2 f) and a pass of the network."""
        M, way = self.network.masses(parameters, batch.X, batch.novelty)
        slope = np.zeros_like(M)
        nu = self.label_weight if len(batch.labelled) else 0.0
        value = (1 - nu) * self._add_pairs(M, batch.delta, 1 - nu, slope)
        if nu:
            value += self._add_labels(M, batch, nu, slope)
        n_links = len(batch.must_link) + len(batch.cannot_link)
        if n_links:
            for pairs, cost in zip((batch.must_link, batch.cannot_link), link_costs(self.focal_sets)):
                total, by_masses = cost_and_gradient(M, pairs, cost)
                value += self.xi / (2 * n_links) * total
                slope += self.xi / (2 * n_links) * by_masses
        gradient = self.network.gradient(parameters, way, slope)
        if self.penalty:
            of_penalty = zip(self.network.matrices(parameters), self.network.matrices(gradient))
            for V, by_weights in of_penalty:
                value += 0.5 * self.penalty * float(np.mean(V**2))
                by_weights += self.penalty / V.size * V
        return value, gradient

    def _add_pairs(self, M: np.ndarray, delta: np.ndarray, weight: float, slope: np.ndarray) -> float:
        """Add `weight` times the gradient of the mean squared residual of all pairs; return the mean."""
        b = len(delta)
        share = 1.0 / (b * (b - 1))
        M = M[:b]
        A, total = M @ self.focal_sets.conflict, 0.0
        step = max(1, CHUNK // b)
        for begin in range(0, b, step):
            end = min(begin + step, b)
            R = A[begin:end] @ M.T
            R -= delta[begin:end]
            R[np.arange(end - begin), np.arange(begin, end)] = 0.0
            total += float(np.vdot(R, R))
            slope[begin:end] += 4 * share * weight * (R @ A)
        return share * total

    def _add_labels(self, M: np.ndarray, batch: Batch, nu: float, slope: np.ndarray) -> float:
        member = self.focal_sets.membership.astype(float)  # (f, c)
        gap = M[batch.labelled] @ member - batch.wanted
        slope[batch.labelled] += 2 * nu / gap.size * gap @ member.T  # an object is labelled once
        return nu * float(np.mean(gap**2))


LEARNING_RATE, DECAY, LEAST_ROOT = 1e-3, 0.9, 1e-8
SAMPLE = 500  # objects that starts are trained on, and whose loss is watched
SHORT = 500  # iterations of a start if training continues
PATIENCE = 5  # epochs without a gain


class Training(NamedTuple):
    """Result of training: parameters, loss at the start and after each iteration, and convergence."""

    parameters: np.ndarray
    trace: list[float]
    converged: bool


def train(
    loss: TrainingLoss,
    rng: np.random.RandomState,
    *,
    n_init: int,
    size: int | None,
    tol: float,
    max_iter: int,
) -> Training:
    """Train from the best of `n_init` random starts, on batches of `size` objects; None: on all at once."""
    n = len(loss.X)
    complete = n <= SAMPLE
    sample = loss.batch(slice(None) if complete else np.sort(rng.choice(n, SAMPLE, replace=False)))
    is_short = size is not None or not complete
    runs = (
        on_all(loss, sample, loss.network.start(rng), tol=tol, max_iter=SHORT if is_short else max_iter)
        for _ in track(range(n_init), "start")
    )
    best = min(runs, key=lambda run: run.trace[-1])
    if not is_short:
        return best
    if size is None:
        return on_all(loss, loss.batch(slice(None)), best.parameters, tol=tol, max_iter=max_iter)
    return on_mini_batches(loss, sample, best.parameters, rng, size=size, tol=tol, max_iter=max_iter)


def on_all(
    loss: TrainingLoss, batch: Batch, parameters: np.ndarray, *, tol: float, max_iter: int
) -> Training:
    """Train on one batch from the given parameters; an iteration costs O(b^2 f) and a pass of the network."""
    trace: list[float] = []
    rule = {"tol": tol, "max_iter": max_iter}
    evaluate: Callable = lambda theta: loss.value_and_gradient(theta, batch)  # noqa: E731
    found, converged = descend(evaluate, parameters, trace.append, **rule)
    return Training(found, trace, converged)


def on_mini_batches(
    loss: TrainingLoss,
    sample: Batch,
    parameters: np.ndarray,
    rng: np.random.RandomState,
    *,
    size: int,
    tol: float,
    max_iter: int,
) -> Training:
    """Train on batches of `size` objects or a few more, from the given parameters; O(n b f) an epoch.

    The trace holds the least loss of the `sample` so far.
    """
    n, best = len(loss.X), parameters
    trace = [loss.value_and_gradient(parameters, sample)[0]]
    parameters, squares, last_gain, converged = parameters.copy(), np.zeros_like(parameters), 0, False
    for epoch in track_iterations(max_iter, "iteration"):
        for rows in np.array_split(rng.permutation(n), max(1, n // size)):
            check_cancelled()
            some = loss.some(size, rng)
            _, slope = some.value_and_gradient(parameters, some.batch(rows))
            squares = DECAY * squares + (1 - DECAY) * slope**2
            parameters -= LEARNING_RATE / (LEAST_ROOT + np.sqrt(squares)) * slope
        value = loss.value_and_gradient(parameters, sample)[0]
        if value < (1 - tol) * trace[-1]:
            last_gain = epoch
        if value < trace[-1]:
            best = parameters.copy()
        trace.append(min(value, trace[-1]))
        converged = epoch - last_gain >= PATIENCE
        if converged:
            break
    return Training(best, trace, converged)
