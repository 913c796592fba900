"""One click or move of a slider of the CECM explorer: until the new picture is there, without a browser.

Two-class data, n = 400, c = 2, adaptive metric, three starts, one process. A click that completes a pair
refits, draws and encodes the picture before the call returns; only the transport of about 100 kB to the
browser is left out. Times of the processor stand beside those of the clock: only the latter depend on what
else the machine does.

Prints medians and extremes of 20 constraints and of 20 moves of xi after 3 that warm up, and whether the goal
of 150 ms is met. Run it with ``make bench`` or ``python benchmarks/cecm_explorer_latency.py``.
"""

import time

import numpy as np

from credalbench.constraints import random_pairs
from credalbench.explore import explore_cecm

WARM_UP, MOVES, GOAL_MS = 3, 20, 150


def milliseconds(explorer, action):
    """Clock and processor time of an action; fails if no new picture came."""
    before = explorer.image.value
    began = time.perf_counter(), time.process_time()
    action()
    elapsed = 1e3 * (time.perf_counter() - began[0]), 1e3 * (time.process_time() - began[1])
    if explorer.image.value == before:
        raise RuntimeError(f"there is no new picture: {explorer.model.message}")
    return elapsed


def main():
    """Print one line for clicks and one for the slider."""
    explorer = explore_cecm("two_class:400:2", metric="mahalanobis")
    model, count = explorer.model, WARM_UP + MOVES

    def constrain(pair):
        model.choose(*pair)
        model.link("truth")

    pairs = random_pairs(400, count, np.random.default_rng(0)).tolist()
    shares = np.linspace(0.3, 0.8, count).round(2).tolist()
    actions = {
        "constraint": [lambda pair=pair: constrain(pair) for pair in pairs],
        "xi": [lambda xi=xi: explorer.controls["xi"].set_state({"value": xi}) for xi in shares],
    }
    print(f"action to picture, n = 400, {MOVES} each, ms: clock, and processor")
    print(f"{'action':<12} {'median':>7} {'min':>7} {'max':>7} {'median':>9} {'min':>7} {'max':>7}")
    met = True
    for name, steps in actions.items():
        times = np.array([milliseconds(explorer, step) for step in steps])[WARM_UP:]
        low, median, high = np.quantile(times, [0, 0.5, 1], axis=0).round(1)
        row = [number for column in (0, 1) for number in (median[column], low[column], high[column])]
        print(f"{name:<12} " + "{:7} {:7} {:7} {:9} {:7} {:7}".format(*row))
        met &= bool(median[0] <= GOAL_MS)
    print(f"goal: medians of the clock at most {GOAL_MS} ms: {'met' if met else 'missed'}")


if __name__ == "__main__":
    main()
