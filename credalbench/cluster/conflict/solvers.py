r"""Three ways to minimise the stress of EVCLUS, with one stopping rule.

* ``irqp``: iterative row-wise quadratic programming, Algorithm 1 of [denoeux2016_evclus]; every row update is
  exact.
* ``adaptive_gradient``: gradient descent on the softmax parameters with one adaptive step per parameter
  [silva1990], the kind of procedure the original EVCLUS [denoeux2004] used. The paper does not print its step
  control.
* ``lbfgs``: the same parameters and gradient, minimised by scipy's L-BFGS-B: what one would reach for today.

Each takes a stress (``stress.py``), starting masses and the conflict matrix, and returns a ``Trajectory``.

Deviations from the paper
-------------------------
D1. The stopping rule watches the true stress. Algorithm 1 accumulates the row residuals during a sweep, which
    counts each pair twice, and compares the first of these sums with a stress that counts each pair once; its
    sums are kept in ``running_sums`` for comparison.
D2. A cap on the number of sweeps or iterations, which the paper lacks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import OptimizeResult, minimize
from scipy.special import softmax

from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.conflict.stress import Stress

SMOOTHING = 0.5  # rho of [denoeux2016_evclus (21b)]
STEP_GROWTH, STEP_CUT, STEP_RETREAT = 1.2, 0.8, 0.5  # same sign of slope, changed sign, stress rose
SMALLEST_MASS = 1e-12  # softmax cannot represent an exact zero


@dataclass
class Trajectory:
    """Where a solver went: masses reached; stress, seconds and running sums after each iteration."""

    masses: np.ndarray
    stress: list = field(default_factory=list)
    seconds: list = field(default_factory=list)
    running_sums: list = field(default_factory=list)
    converged: bool = False
    _began: float = field(default_factory=time.perf_counter)
    _error: float = 1.0

    def record(self, stress: float, tol: float) -> bool:
        """Note the new stress; tells whether the smoothed relative change has fallen below `tol`.

        Computes [denoeux2016_evclus (21a)] and [denoeux2016_evclus (21b)]: ``e_t = rho e_{t-1} + (1 - rho)
        |J_t - J_{t-1}| / J_{t-1}``, ``e_0 = 1``. A stress of 0 cannot be improved and stops at once.
        """
        if self.stress:
            previous = self.stress[-1]
            change = abs(stress - previous) / previous if previous > 0 else 0.0
            self._error = SMOOTHING * self._error + (1 - SMOOTHING) * change
        self.stress.append(float(stress))
        self.seconds.append(time.perf_counter() - self._began)
        self.converged = bool(self._error < tol or stress <= 0)
        return self.converged


def irqp(
    stress: Stress, masses: np.ndarray, conflict: np.ndarray, *, has_empty: bool, tol: float, max_iter: int
) -> Trajectory:
    """Minimise over one row of masses at a time, sweep after sweep: [denoeux2016_evclus (20)], Algorithm 1.

    Never raises the stress with all pairs or two-sided updates. One-sided sweeps may.
    """
    M = masses.copy()
    A = aligned_product(M, conflict)
    trajectory = Trajectory(M)
    trajectory.record(stress.value(M, conflict), tol)
    for _ in range(max_iter):
        value, running_sum = stress.sweep(M, A, conflict, int(has_empty), trajectory.stress[-1])
        trajectory.running_sums.append(running_sum)
        if trajectory.record(max(value, 0.0), tol):
            break
    trajectory.stress[-1] = float(stress.value(M, conflict))  # the sum of the changes, freed from rounding
    return trajectory


def softmax_gradient(masses: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Gradient with respect to the softmax parameters, from the one with respect to the masses.

    By the chain rule of [denoeux2016_evclus (16)]: (n, f), (n, f) -> (n, f).
    """
    return masses * (gradient - np.sum(masses * gradient, axis=1, keepdims=True))


def _parameters(masses: np.ndarray):
    return np.log(np.maximum(masses, SMALLEST_MASS))


def adaptive_gradient(
    stress: Stress, masses: np.ndarray, conflict: np.ndarray, *, tol: float, max_iter: int, **_: object
) -> Trajectory:
    """Gradient descent on the parameters of [denoeux2016_evclus (16)] with individual adaptive steps.

    A parameter's step grows while its slope keeps its sign and shrinks when it changes; when the stress
    rises, the move is taken back and all steps are halved. A rejected move counts towards `max_iter` but not
    towards convergence.
    """
    trajectory = Trajectory(masses)
    parameters = _parameters(masses)
    M = softmax(parameters, axis=1)
    value, gradient = stress.value_and_gradient(M, conflict)
    slope = softmax_gradient(M, gradient)
    trajectory.record(value, tol)
    steps = np.full_like(parameters, 1.0 / max(np.abs(slope).max(), np.finfo(float).tiny))
    for _ in range(max_iter):
        candidate = parameters - steps * slope
        M = softmax(candidate, axis=1)
        new_value, gradient = stress.value_and_gradient(M, conflict)
        if new_value > value:
            steps *= STEP_RETREAT
            if not np.any(candidate != parameters):
                trajectory.converged = True  # steps have shrunk below rounding: a stationary point
                break
            continue
        new_slope = softmax_gradient(M, gradient)
        steps *= np.where(new_slope * slope > 0, STEP_GROWTH, STEP_CUT)
        parameters, value, slope = candidate, new_value, new_slope
        trajectory.masses = M
        if trajectory.record(value, tol):
            break
    return trajectory


def lbfgs(
    stress: Stress, masses: np.ndarray, conflict: np.ndarray, *, tol: float, max_iter: int, **_: object
) -> Trajectory:
    """L-BFGS on the parameters of [denoeux2016_evclus (16)], stopped by the rule of the other solvers."""
    trajectory = Trajectory(masses)
    shape = masses.shape

    def objective(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        M = softmax(parameters.reshape(shape), axis=1)
        value, gradient = stress.value_and_gradient(M, conflict)
        return value, softmax_gradient(M, gradient).ravel()

    def watch(intermediate_result: OptimizeResult) -> None:
        if trajectory.record(intermediate_result.fun, tol):
            raise StopIteration

    start = _parameters(masses).ravel()
    trajectory.record(objective(start)[0], tol)
    outcome = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        callback=watch,
        options={"maxiter": max_iter, "maxfun": 20 * max_iter, "ftol": 0.0, "gtol": 0.0},
    )
    trajectory.masses = softmax(outcome.x.reshape(shape), axis=1)
    if outcome.status == 2:  # its line search finds no descent any more: a stationary point up to rounding
        trajectory.converged = True
    return trajectory
