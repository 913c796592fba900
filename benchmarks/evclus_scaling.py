"""k-EVCLUS from the attribute matrix to labels, n from 1 000 to 100 000: is the time linear in n?

Data t4, c = 4, simple focal sets, k = 100 sampled partners, epsilon = 1e-5; distances included. Prints
medians over data sets with the fitted exponent of time in n, and writes results/bench/evclus_scaling.png and
.csv.
"""

import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import adjusted_rand_score

from credalbench.cluster import EVCLUS
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_t4
from credalbench.plots import curve_with_errors
from credalbench.plots.style import new_figure

SIZES = (1000, 3000, 10_000, 30_000, 100_000)
REPEATS = 3
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def measure():
    """One row per size, kind of update and data set."""
    compile_kernels()
    rows = []
    for n in SIZES:
        for repetition in range(REPEATS):
            data = make_t4(n, random_state=repetition)
            for updates in ("one-sided", "two-sided"):
                began = time.perf_counter()
                pairs = {"n_pairs": 100, "pair_sampling": "independent", "pair_updates": updates}
                fit = EVCLUS(4, **pairs, random_state=repetition).fit(data.X)
                seconds = time.perf_counter() - began
                rows.append(
                    {
                        "n": n,
                        "updates": updates,
                        "repetition": repetition,
                        "time_s": seconds,
                        "sweeps": fit.n_iter_,
                        "ari": adjusted_rand_score(data.y, fit.labels_),
                        "converged": fit.converged_,
                    }
                )
    return pd.DataFrame(rows)


def main():
    """Measure, print, draw."""
    table = measure()
    summary = table.groupby(["updates", "n"])[["time_s", "sweeps", "ari"]].median()
    print(summary.round(4).to_string())
    for updates, part in table.groupby("updates"):
        slope = np.polyfit(np.log(part["n"]), np.log(part["time_s"]), 1)[0]
        print(f"{updates}: time grows as n^{slope:.2f}; all converged: {part['converged'].all()}")
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / "evclus_scaling.csv", index=False)
    figure = new_figure(5, 3.6)
    ax = figure.subplots()
    curve_with_errors(ax, table, x="n", y="time_s", by="updates", kind="quartiles")
    ax.set(xscale="log", yscale="log", xlabel="number of objects n", ylabel="seconds to convergence")
    figure.savefig(OUT / "evclus_scaling.png", dpi=150)
    print(f"wrote {OUT / 'evclus_scaling.png'}")


if __name__ == "__main__":
    main()
