"""How the network of NN-EVCLUS is trained: on all objects at once, or on mini-batches.

``on_all`` is gradient descent with a step for every parameter, as in EVCLUS (``conflict/adaptive_steps.py``).
``on_mini_batches`` is RMSprop: steps are divided by the root of a running mean of squared slopes. An
iteration is an epoch: the objects in random order, cut into batches. After each the loss of a sample of
objects is taken; the best parameters are kept, and training stops when it has not fallen for some epochs.

Each random start ends in a local minimum. So several are trained on the sample first, and the best goes on.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from credalbench.cluster.conflict.adaptive_steps import descend
from credalbench.cluster.network.training_loss import Batch, TrainingLoss
from credalbench.core.progress import check_cancelled, track, track_iterations

LEARNING_RATE, DECAY, LEAST_ROOT = 1e-3, 0.9, 1e-8
SAMPLE = 500  # objects that starts are trained on, and whose loss is watched
SHORT = 500  # iterations of a start where training goes on
PATIENCE = 5  # epochs without a gain


class Training(NamedTuple):
    """Where training ended: parameters, loss at the start and after each iteration, and whether it rested."""

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
    """Train on one batch, from the given parameters: O(b^2 f) and a pass of the network an iteration."""
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
