"""One move of a slider of the EGMM explorer: from the new value to the new picture, without a browser.

Generated mixture, n = 400, all subsets of c = 3 clusters, one process. The slider's value is set as the
browser sets it, which refits, draws and encodes the picture before the call returns; only the transport of
about 100 kB to the browser is left out. A move of the overlap brings other data; moves of the ridge and of the
start begin another curve of EBIC; c moves along a curve that is known. One further point of the curve is what
the page does while nothing moves. Times of the processor stand beside those of the clock.

Prints medians and extremes of 20 moves after 3 that warm up, and whether the goal of 100 ms is met. Run it
with ``make bench`` or ``python benchmarks/egmm_explorer_latency.py``.
"""

import numpy as np
from cecm_explorer_latency import milliseconds

from credalbench.explore import explore_egmm

N, WARM_UP, MOVES, GOAL_MS = 400, 3, 20, 100


def main():
    """Print one line per slider, and one for a point of the curve."""
    explorer = explore_egmm("mixture", n_objects=N)
    count = WARM_UP + MOVES
    moves = {
        "overlap": np.linspace(0.05, 0.3, count).round(2).tolist(),
        "reg_covar_slider": [10 ** round(-3 + 0.1 * i, 1) for i in range(count)],
        "seed": list(range(1, count + 1)),
        "n_clusters": [4 if i % 2 else 2 for i in range(count)],
    }
    print(f"slider to picture, n = {N}, {MOVES} moves each, ms: clock, and processor")
    print(f"{'slider':<18} {'median':>7} {'min':>7} {'max':>7} {'median':>9} {'min':>7} {'max':>7}")
    met = True
    for control, values in moves.items():
        steps = [lambda v=v: explorer.controls[control].set_state({"value": v}) for v in values]
        met &= show(control, [milliseconds(explorer, step) for step in steps])
    explorer.model.draw = 1
    show("point of the curve", [milliseconds(explorer, explorer.model.extend_curve) for _ in range(5)], 0)
    print(f"goal: medians of the clock at most {GOAL_MS} ms: {'met' if met else 'missed'}")


def show(name, times, warm_up=WARM_UP):
    """Print medians and extremes (clock, processor) after the warm-up; return whether the goal is met."""
    low, median, high = np.quantile(np.array(times)[warm_up:], [0, 0.5, 1], axis=0).round(1)
    row = [number for column in (0, 1) for number in (median[column], low[column], high[column])]
    print(f"{name:<18} " + "{:7} {:7} {:7} {:9} {:7} {:7}".format(*row))
    return bool(median[0] <= GOAL_MS)


if __name__ == "__main__":
    main()
