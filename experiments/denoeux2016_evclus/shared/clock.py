"""Clocks: every method called once before one starts, and the fastest of repeated calls.

A call that takes longer than ``LONG`` is not repeated, because other load on the machine is small in
comparison.
"""

import time
from collections.abc import Callable
from functools import cache

import numpy as np

from credalbench.cluster import EVCLUS, MECM, RECM, EKNNclus
from credalbench.core.kernels import compile_kernels

LONG = 0.25  # seconds


@cache
def warm_up() -> None:
    """Compile the kernels and call every method once on 20 objects."""
    compile_kernels()
    X = np.random.default_rng(0).random((20, 2))
    evclus = [EVCLUS(2, solver=solver, max_iter=5) for solver in ("gradient", "lbfgs", "irqp")]
    evclus.append(EVCLUS(2, n_pairs=5, pair_sampling="independent"))
    for model in (*evclus, MECM(2), RECM(2), EKNNclus(n_neighbors=5)):
        model.set_params(random_state=0).fit(X)


def fastest(n_repeats: int, action: Callable, *arguments, **options) -> float:
    """Return the processor seconds of the fastest of up to `n_repeats` calls, which all do the same work."""
    seconds = []
    while not seconds or (len(seconds) < n_repeats and seconds[0] < LONG):
        began = time.process_time()
        action(*arguments, **options)
        seconds.append(time.process_time() - began)
    return min(seconds)


def milliseconds(seconds: float) -> str:
    """Format a duration with two or three significant digits: ``2.1 ms``, ``45 ms``, ``never``."""
    return f"{1e3 * seconds:.{1 if seconds < 0.01 else 0}f} ms" if np.isfinite(seconds) else "never"
