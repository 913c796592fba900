"""Gradient descent with a step of its own for every parameter [silva1990].

The constants are those of the authors' program (`harris` of the R package evclust).
"""

from collections.abc import Callable

import numpy as np

from credalbench.core.progress import track_iterations

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
    """Minimise a function that `evaluate` gives with its slope; `note` gets its value after each iteration.

    A step grows where the slope keeps its sign and shrinks where not. When the value rises, the move is taken
    back and all steps are halved: an iteration, too, without a gain. Stops when the smoothed gain falls below
    `tol` times the value.

    Returns
    -------
    parameters : array
        Those of the lowest value.
    converged : bool
        Whether the rule stopped it, not `max_iter`.
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
