r"""Three ways to minimise the stress of EVCLUS.

* ``irqp``: iterative row-wise quadratic programming, Algorithm 1 of [denoeux2016_evclus]; every row update is
  exact.
* ``silva_almeida``: the gradient procedure of the original EVCLUS [denoeux2004], with which the paper
  compares: descent on the softmax parameters, each with its own adaptive step [silva1990]. The paper does not
  print the constants and the stopping rule; both are those of the authors' program (`harris` of the R package
  evclust).
* ``lbfgs``: L-BFGS-B of scipy with the same parameters and gradient, the usual choice today.

Each solver takes a stress (``stress.py``), starting masses and the conflict matrix, and returns a
``Trajectory``. The trajectory counts *evaluations*, passes over all pairs of the stress, whose number does
not depend on the program: a value, with or without its gradient, is one evaluation, and so is a sweep of row
updates. With all pairs, each evaluation costs O(n^2 f).

Deviations from the paper
-------------------------
D1. The stopping rule uses the true stress. Algorithm 1 accumulates the row residuals during a sweep, which
    counts each pair twice, and compares the first of these sums with a stress that counts each pair once;
    ``running_sums`` contains the sums of Algorithm 1 for comparison.
D2. The number of sweeps or iterations is limited; the paper has no limit.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import OptimizeResult, minimize
from scipy.special import softmax

from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.conflict.stress import Stress
from credalbench.core.progress import track_iterations

SMOOTHING = 0.5  # rho of [denoeux2016_evclus (21b)]
SMALLEST_MASS = 1e-12  # softmax cannot represent an exact zero


@dataclass
class Trajectory:
    """The path of a solver: masses at the start and the end; stress, seconds, ... after each iteration."""

    masses: np.ndarray
    start: np.ndarray | None = None
    stress: list = field(default_factory=list)
    seconds: list = field(default_factory=list)
    evaluations: list = field(default_factory=list)
    running_sums: list = field(default_factory=list)
    converged: bool = False
    n_evaluations: int = 0
    _began: float = field(default_factory=time.perf_counter)
    _error: float = 1.0

    def note(self, stress: float) -> None:
        """Add the stress after an iteration, with the seconds and evaluations that it took so far."""
        self.stress.append(float(stress))
        self.seconds.append(time.perf_counter() - self._began)
        self.evaluations.append(self.n_evaluations)

    def record(self, stress: float, tol: float) -> bool:
        """Note the new stress; return whether the smoothed relative change has fallen below `tol`.

        Computes [denoeux2016_evclus (21a)] and [denoeux2016_evclus (21b)], or [li2020_ensemble (29)]:
        ``e_t = rho e_{t-1} + (1 - rho) |J_t - J_{t-1}| / J_{t-1}``, ``e_0 = 1``. A stress of 0 cannot be
        improved and stops at once.
        """
        if self.stress:
            previous = self.stress[-1]
            change = abs(stress - previous) / previous if previous > 0 else 0.0
            self._error = SMOOTHING * self._error + (1 - SMOOTHING) * change
        self.note(stress)
        self.converged = bool(self._error < tol or stress <= 0)
        return self.converged

    def evaluate(
        self, stress: Stress, parameters: np.ndarray, conflict: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """Return the value and slope (n, f) of the stress at softmax parameters (n, f), counting it."""
        self.n_evaluations += 1
        M = softmax(parameters, axis=1)
        value, gradient = stress.value_and_gradient(M, conflict)
        return value, softmax_gradient(M, gradient)


def irqp(
    stress: Stress, masses: np.ndarray, conflict: np.ndarray, *, has_empty: bool, tol: float, max_iter: int
) -> Trajectory:
    """Minimise over one row of masses at a time, sweep after sweep: [denoeux2016_evclus (20)], Algorithm 1.

    With all pairs or two-sided updates, the stress never increases. One-sided sweeps may increase it.
    """
    M = masses.copy()
    A = aligned_product(M, conflict)
    trajectory = Trajectory(M, masses, n_evaluations=1)
    trajectory.record(stress.value(M, conflict), tol)
    for _ in track_iterations(max_iter, "iteration"):
        value, running_sum = stress.sweep(M, A, conflict, int(has_empty), trajectory.stress[-1])
        trajectory.n_evaluations += 1
        trajectory.running_sums.append(running_sum)
        if trajectory.record(max(value, 0.0), tol):
            break
    trajectory.stress[-1] = float(stress.value(M, conflict))  # the sum of the changes, freed from rounding
    trajectory.n_evaluations += 1
    return trajectory


def softmax_gradient(masses: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Return the gradient with respect to the softmax parameters from that with respect to the masses.

    By the chain rule of [denoeux2016_evclus (16)]: (n, f), (n, f) -> (n, f).
    """
    return masses * (gradient - np.sum(masses * gradient, axis=1, keepdims=True))


def _parameters(masses: np.ndarray):
    return np.log(np.maximum(masses, SMALLEST_MASS))


def silva_almeida(
    stress: Stress, masses: np.ndarray, conflict: np.ndarray, *, tol: float, max_iter: int, **_: object
) -> Trajectory:
    """Minimise by gradient descent on the parameters of [denoeux2016_evclus (16)], each with its own step.

    See `descend`; a move that is taken back is also an iteration.
    """
    trajectory = Trajectory(masses, masses)
    parameters, trajectory.converged = descend(
        lambda parameters: trajectory.evaluate(stress, parameters, conflict),
        _parameters(masses),
        trajectory.note,
        tol=tol,
        max_iter=max_iter,
    )
    trajectory.masses = softmax(parameters, axis=1)
    return trajectory


def lbfgs(
    stress: Stress, masses: np.ndarray, conflict: np.ndarray, *, tol: float, max_iter: int, **_: object
) -> Trajectory:
    """Minimise by L-BFGS on the parameters of [denoeux2016_evclus (16)], stopped by the rule of ``irqp``."""
    trajectory = Trajectory(masses, masses)
    shape, iterations = masses.shape, iter(track_iterations(max_iter, "iteration"))

    def objective(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = trajectory.evaluate(stress, parameters.reshape(shape), conflict)
        if not trajectory.stress:  # the start, which scipy's callback never sees
            trajectory.record(value, tol)
        return value, slope.ravel()

    def watch(intermediate_result: OptimizeResult) -> None:
        next(iterations, None)
        if trajectory.record(intermediate_result.fun, tol):
            raise StopIteration

    start = _parameters(masses).ravel()
    if not max_iter:  # scipy does at least one iteration
        objective(start)
        trajectory.masses = softmax(start.reshape(shape), axis=1)
        return trajectory
    outcome = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        callback=watch,
        options={"maxiter": max_iter, "maxfun": 20 * max_iter, "ftol": 0.0, "gtol": 0.0},
    )
    trajectory.masses = softmax(outcome.x.reshape(shape), axis=1)
    if outcome.status == 2:  # the line search finds no further descent: a stationary point, up to rounding
        trajectory.converged = True
    return trajectory


FIRST_STEP, STEP_RANGE = 0.1, (1e-6, 1e4)
STEP_GROWTH, STEP_CUT, STEP_RETREAT = 1.2, 0.8, 0.5  # same sign of slope, changed sign, stress rose
GAIN_SMOOTHING = 0.9


def descend(
    evaluate: Callable[[np.ndarray], tuple[float, np.ndarray]],
    parameters: np.ndarray,
    note: Callable[[float], None],
    *,
    tol: float,
    max_iter: int,
) -> tuple[np.ndarray, bool]:
    """Minimise a function; `evaluate` returns value and slope, `note` gets the value of each iteration.

    A step grows if the slope keeps its sign and shrinks otherwise. When the value rises, the
    move is taken back and all steps are halved; this counts as an iteration without a gain. Stops when
    the smoothed gain falls below `tol` times the value. Returns the parameters of the lowest value, and
    whether this rule stopped the descent rather than `max_iter`.
    """
    value, slope = evaluate(parameters)
    note(value)
    steps = np.full_like(parameters, FIRST_STEP)
    gain, converged = 1.0, False
    for _ in track_iterations(max_iter, "iteration"):
        candidate = parameters - steps * slope
        new_value, new_slope = evaluate(candidate)
        if new_value > value:
            steps *= STEP_RETREAT
        else:
            gain = GAIN_SMOOTHING * gain + (1 - GAIN_SMOOTHING) * (value - new_value)
            steps *= np.where(new_slope * slope >= 0, STEP_GROWTH, STEP_CUT)
            np.clip(steps, *STEP_RANGE, out=steps)
            parameters, value, slope = candidate, new_value, new_slope
            converged = bool(gain < tol * value or value <= 0)
        note(value)
        if converged:
            break
    return parameters, converged
