"""Measure CatECM and k-modes (ours and the package kmodes) on 20 attributes, n from 10 000 to 1 000 000.

Each object has the values of one of four modes, each with probability 0.35, and otherwise any of ten values.
All methods start at the same four objects, one of each group, and run until they converge. CatECM uses all 16
focal sets, and runs a second time as a user calls it, from ten random starts. A fit also reads its table of
integers. The package kmodes (extra `peers`) runs once at the largest size, and is left out if it is not
installed. The program prints medians, ratios, and how well the groups are found; it writes
results/bench/catecm.png and .csv.
"""

import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.baselines import KModes
from credalbench.cluster import CatECM
from credalbench.core.kernels import compile_kernels
from credalbench.metrics import adjusted_rand
from credalbench.plots import curve_with_errors
from credalbench.plots.style import new_figure

SIZES = (10_000, 100_000, 1_000_000)
REPEATS = 3
ATTRIBUTES, VALUES, CLUSTERS = 20, 10, 4
KEPT = 0.35  # probability of the mode's value
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def make_table(n, seed):
    """Return objects (n, p), their groups (n,), and one object of each group (c, p)."""
    rng = np.random.default_rng([n, seed])
    modes = rng.integers(VALUES, size=(CLUSTERS, ATTRIBUTES))
    y = rng.permutation(np.arange(n) % CLUSTERS)
    others = rng.integers(VALUES, size=(n, ATTRIBUTES))
    X = np.where(rng.random((n, ATTRIBUTES)) < KEPT, modes[y], others)
    return X, y, X[[np.argmax(y == k) for k in range(CLUSTERS)]]


def methods(start):
    """Return a dict from names to functions of X that return labels and iterations."""

    def ours(model):
        def fit(X):
            model.fit(X)
            return model.labels_, model.n_iter_

        return fit

    found = {
        "CatECM": ours(CatECM(CLUSTERS, init=start)),
        "CatECM, ten random starts": ours(CatECM(CLUSTERS, init="random", random_state=0)),
        "KModes": ours(KModes(CLUSTERS, init=start)),
    }
    try:
        from kmodes.kmodes import KModes as Theirs
    except ImportError as reason:
        print(f"kmodes is left out ({reason}); to add it: python -m pip install --no-deps kmodes")
        return found

    def theirs(X):
        model = Theirs(CLUSTERS, init=start, n_init=1).fit(X)
        return model.labels_, model.n_iter_

    return found | {"package kmodes": theirs}


def measure():
    """Return one row per method, size and table."""
    compile_kernels()
    rows = []
    for n in SIZES:
        for repetition in range(REPEATS):
            X, y, start = make_table(n, repetition)
            for method, fit in methods(start).items():
                if method == "package kmodes" and n == SIZES[-1] and repetition:
                    continue
                began = time.perf_counter()
                labels, n_iter = fit(X)
                seconds = time.perf_counter() - began
                ari = adjusted_rand(y, labels)
                print(f"{method}, n = {n}: {seconds:.2f} s, {n_iter} iterations, ARI {ari:.3f}", flush=True)
                rows.append((method, n, repetition, seconds, n_iter, ari))
    return pd.DataFrame(rows, columns=["method", "n", "repetition", "time_s", "n_iter", "ari"])


def main():
    """Measure, print, draw."""
    warnings.filterwarnings("ignore", "two prototypes are the same")
    table = measure()
    medians = table.groupby(["method", "n"], sort=False)[["time_s", "n_iter", "ari"]].median()
    seconds = medians["time_s"].unstack("n")
    print(medians.round(3).to_string())
    print("times as long as CatECM:")
    print((seconds / seconds.loc["CatECM"]).round(2).to_string())
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / "catecm.csv", index=False)
    figure = new_figure(6, 3.8)
    ax = figure.subplots()
    curve_with_errors(ax, table, x="n", y="time_s", by="method", kind="quartiles")
    ax.set(xscale="log", yscale="log", xlabel="number of objects n", ylabel="seconds")
    figure.savefig(OUT / "catecm.png", dpi=150)
    print(f"wrote {OUT / 'catecm.png'}")


if __name__ == "__main__":
    main()
