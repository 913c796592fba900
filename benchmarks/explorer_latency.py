"""One move of a slider of the EVCLUS explorer: from the new value to the new picture, without a browser.

t4 data, n = 400, c = 4, all pairs, one process. The slider's value is set as the browser sets it, which
refits, draws and encodes the picture before the call returns; only the transport of about 100 kB to the
browser is left out. Moves of d0 and alpha start from the last masses; a change of c starts afresh and draws
another legend.

Prints median, quartiles and extremes of 20 moves after 3 that warm up, and whether the goal of 150 ms is met
for d0. Run it with ``make bench`` or ``python benchmarks/explorer_latency.py``.
"""

import time

import numpy as np

from credalbench.explore import explore_evclus

N, WARM_UP, MOVES, GOAL_MS = 400, 3, 20, 150


def milliseconds(explorer, control, value):
    """Time of one move of a slider; fails if no new picture came."""
    before = explorer.image.value
    began = time.perf_counter()
    explorer.controls[control].set_state({"value": value})
    elapsed = 1e3 * (time.perf_counter() - began)
    if explorer.image.value == before:
        raise RuntimeError(f"moving {control} to {value} gave no new picture: {explorer.model.message}")
    return elapsed


def measure(explorer, control, values):
    """Times (MOVES,) of moves through `values`, in ms, after the warm-up."""
    return np.array([milliseconds(explorer, control, value) for value in values])[WARM_UP:]


def main():
    """Print one line per slider."""
    explorer = explore_evclus(f"t4:{N}", d0_quantile=0.9)
    count = WARM_UP + MOVES
    there_and_back = 0.8 - 0.01 * np.abs(np.arange(count) - count // 2)
    moves = {
        "d0_quantile": [round(float(q), 2) for q in there_and_back],
        "alpha": [round(0.06 + 0.01 * i, 2) for i in range(count)],
        "n_clusters": [5 if i % 2 else 3 for i in range(count)],
    }
    print(f"slider to picture, n = {N}, {MOVES} moves each, ms")
    print(f"{'slider':<12} {'median':>7} {'lower q.':>9} {'upper q.':>9} {'min':>7} {'max':>7}")
    for control, values in moves.items():
        times = measure(explorer, control, values)
        low, median, high = np.quantile(times, [0.25, 0.5, 0.75])
        print(f"{control:<12} {median:7.1f} {low:9.1f} {high:9.1f} {times.min():7.1f} {times.max():7.1f}")
        if control == "d0_quantile":
            met = median <= GOAL_MS
    print(f"goal: median of d0_quantile at most {GOAL_MS} ms: {'met' if met else 'missed'}")


if __name__ == "__main__":
    main()
