"""Measure time, memory and accuracy of k-EVCLUS on tiles against n, and compare with independent pairs.

Data t4, c = 4, simple focal sets, epsilon = 1e-5, default start and d0. Every fit runs in its own process, so
that its peak of memory is measured separately; the two ways of drawing take turns. The program prints a row
for each size and way (medians over data sets) and the exponents of time and memory with their intervals, and
writes results/bench/evclus_tiles.png and .csv.

A pair is visited twice in a sweep, once from each end. The arithmetic limit is the time of the f products of
a visit if all numbers are in the nearest cache, measured on this machine.

The default takes about a minute. The targets are those of

    python benchmarks/evclus_tiles.py --sizes 2000 10000 100000 1000000 10000000 --independent-up-to 1000000

which needs 8 GiB and, on two idle cores, about ten minutes.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.cluster.conflict.tile_pairs import matrix_product
from credalbench.core.intervals import slope
from credalbench.plots.style import colour, marker, new_figure, style_axes

OUT = Path(__file__).resolve().parent.parent / "results" / "bench"
WAYS = ("tiles", "independent")
MEASURES = {"seconds": "seconds", "gib": "GiB of the fit", "ns_a_visit": "ns for each visit of a pair"}
FIT = """
import json, resource, sys, time
import numpy as np
from sklearn.metrics import adjusted_rand_score
from credalbench.cluster import EVCLUS
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_t4

def peak_gib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20

n, k, way, seed = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
data = make_t4(n, random_state=seed)
compile_kernels()
EVCLUS(4, n_pairs=20, pair_sampling=way, random_state=0).fit(data.X[:500])
before, began, processor = peak_gib(), time.perf_counter(), time.process_time()
fit = EVCLUS(4, n_pairs=k, pair_sampling=way, random_state=seed).fit(data.X)
seconds, processor = time.perf_counter() - began, time.process_time() - processor
sweep = np.median(np.diff(fit.time_trace_)[:-1])
print(json.dumps({
    "seconds": seconds, "processor": processor, "sweeps": fit.n_iter_, "stress": fit.objective_,
    "ari": adjusted_rand_score(data.y, fit.labels_), "gib": peak_gib() - before, "gib_in_all": peak_gib(),
    "ns_a_visit": 1e9 * sweep / (2 * n * k),
}))
"""


def measured(n, k, way, seed):
    """Fit once in a fresh process."""
    command = [sys.executable, "-c", FIT, str(n), str(k), way, str(seed)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {"n": n, "way": way, "seed": seed} | json.loads(answer)


def arithmetic_limit(f=6, width=200, rows=25, repeats=2000):
    """Return the shortest time in ns of the linear terms of a pair, with numbers in the nearest cache."""
    rng = np.random.default_rng(0)
    D, columns, product = rng.random((rows, width)), rng.random((f, width)), np.empty((rows, f))
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        matrix_product(D, rows, columns, width, product)
        times.append(time.perf_counter() - began)
    return 1e9 * min(times[1:]) / (rows * width)


def draw(table, limit):
    """Draw time, memory and the time of a visit against n."""
    figure = new_figure(11, 3.8)
    for j, (ax, (measure, label)) in enumerate(zip(figure.subplots(1, 3), MEASURES.items())):
        for way, part in table.groupby("way"):
            k = WAYS.index(way)
            ax.plot(part["n"], part[measure], ls="", marker=marker(k), color=colour(k), ms=5, label=way)
            middle = part.groupby("n")[measure].median()
            ax.plot(middle.index, middle, color=colour(k), ls=("-", "--")[k])
        ax.set(xscale="log", yscale="log")
        style_axes(ax, title=f"({'abc'[j]})", xlabel="number of objects n", ylabel=label, grid="both")
        if measure == "ns_a_visit":
            ax.axhline(limit, color="0.4", ls=":", label="arithmetic alone, one core")
        ax.legend(fontsize=8)
    return figure


def main():
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2000, 10_000, 30_000], help="numbers n")
    parser.add_argument("--k", type=int, default=100, help="n_pairs: each object occurs in 2 k pairs")
    parser.add_argument("--repeats", type=int, default=3, help="data sets of each size")
    parser.add_argument("--once-above", type=int, default=1_000_000, help="one data set above this size")
    parser.add_argument(
        "--independent-up-to", type=int, default=30_000, help="largest n with independent pairs, too"
    )
    options = parser.parse_args()
    limit, rows = arithmetic_limit(), []
    print(f"arithmetic of a visit, numbers in the cache, one core: {limit:.2f} ns")
    for n in options.sizes:
        for seed in range(options.repeats if n <= options.once_above else 1):
            rows += [
                measured(n, options.k, way, seed)
                for way in WAYS
                if way == "tiles" or n <= options.independent_up_to
            ]
        table = pd.DataFrame(rows)
        middle = table[table["n"] == n].drop(columns="seed").groupby(["way", "n"]).median()
        print(middle.round(4).to_string(header=n == options.sizes[0]), flush=True)
    for way, part in table.groupby("way"):
        full = part.groupby("n").filter(lambda one: len(one) == options.repeats)
        if full["n"].nunique() < 2 or options.repeats < 2:
            continue
        for measure in ("seconds", "gib"):
            runs = full.pivot(index="n", columns="seed", values=measure)
            found = slope(runs.index.to_numpy(float), np.maximum(runs.to_numpy(), 1e-6))
            print(f"{way}: {measure} grow as n to the power {found:.2f}")
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / "evclus_tiles.csv", index=False)
    draw(table, limit).savefig(OUT / "evclus_tiles.png", dpi=150)
    print(f"wrote {OUT / 'evclus_tiles.png'}")


if __name__ == "__main__":
    main()
