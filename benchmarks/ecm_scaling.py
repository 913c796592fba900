"""Test whether time and memory of ECM, from attributes to labels, are linear in n, from 10 000 to 1 000 000.

Data t4, c = 4, all 16 focal sets, tolerance 1e-3, one k-means++ start, with both metrics. Up to 300 000
objects, and once per size, the program also runs plain numpy as a user would write it from the paper's
equations, with the same stopping rule and from the same start moved a little (on an object, distances are
zero and the formula is 0/0). Every fit runs in its own process, so that its peak of memory is measured
separately. The program prints medians with the fitted exponents of time and memory in n, and writes
results/bench/ecm_scaling.png and .csv. Then it runs, for small n and an equal number of iterations, ECM of
the Python package evclust (extra `peers`), which is left out if it is not installed.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.cluster import kmeans_plusplus

from credalbench.belief import FocalSets
from credalbench.cluster import ECM
from credalbench.datasets import make_t4
from credalbench.plots import curve_with_errors
from credalbench.plots.style import new_figure

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
REPEATS = 3
METHODS = ("Euclidean", "Mahalanobis", "plain numpy")
PLAIN_UP_TO = 300_000
SMALL = (300, 1000, 3000)
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def plain_ecm(X, V, delta, tol=1e-3, max_iter=1000):
    """Run ECM at alpha = 1, beta = 2 in whole arrays: return prototypes, masses, number of iterations."""
    sets = FocalSets.full(len(V)).membership[1:].astype(float)  # (f', c)
    card = sets.sum(axis=1)
    spread = np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=1).mean())
    iterations = 0
    while iterations < max_iter:
        iterations += 1
        centres = sets @ V / card[:, None]
        d2 = ((X[:, None, :] - centres[None]) ** 2).sum(axis=2)
        shares = 1 / (card * d2)
        masses = shares / (shares.sum(axis=1, keepdims=True) + delta**-2)
        squares = masses**2
        H = sets.T @ ((squares.sum(axis=0) / card)[:, None] * sets)
        before, V = V, np.linalg.solve(H, (squares @ sets).T @ X)
        if np.linalg.norm(V - before, axis=1).max() <= tol * spread:
            break
    return V, masses, iterations


def peak_gib():
    """Return the peak memory of this process so far."""
    import resource  # not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def one_fit(method, n, repetition):
    """Return seconds, iterations, and GiB before and at the peak of one fit."""
    X = make_t4(n, random_state=repetition).X
    ECM(4, focal_sets="full", delta=10.0, random_state=0).fit(X[:100])  # first calls load libraries
    before, began = peak_gib(), time.perf_counter()
    if method == "plain numpy":
        V = kmeans_plusplus(X, 4, random_state=np.random.RandomState(repetition))[0]
        iterations = plain_ecm(X, V + 1e-6, 10.0)[2]
    else:
        iterations = (
            ECM(4, focal_sets="full", delta=10.0, metric=method.lower(), random_state=repetition)
            .fit(X)
            .n_iter_
        )
    return time.perf_counter() - began, iterations, before, peak_gib()


def measure():
    """Return one row per method, size and data set."""
    rows = []
    for n in SIZES:
        for repetition in range(REPEATS):
            plain = repetition == 0 and n <= PLAIN_UP_TO
            for method in METHODS if plain else METHODS[:2]:
                command = [sys.executable, __file__, method, str(n), str(repetition)]
                answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                seconds, iterations, before, peak = json.loads(answer)
                rows.append(
                    {
                        "method": method,
                        "n": n,
                        "repetition": repetition,
                        "time_s": seconds,
                        "iterations": iterations,
                        "iteration_s": seconds / iterations,
                        "fit_gib": peak - before,
                        "peak_gib": peak,
                    }
                )
    return pd.DataFrame(rows)


def compare_with_evclust():
    """Time equal numbers of iterations from the same start; print one line per size."""
    try:
        from evclust.ecm import ecm
    except ImportError as reason:
        print(f"evclust is left out ({reason}); to add it: python -m pip install --no-deps evclust seaborn")
        return
    for n in SMALL:
        X = make_t4(n, random_state=0).X
        start = kmeans_plusplus(X, 4, random_state=0)[0]
        began = time.perf_counter()
        peer = ecm(X, 4, g0=start.copy(), type="full", delta=10, epsi=1e-3, disp=False)
        theirs = time.perf_counter() - began
        iterations = len(np.ravel(peer["trace"]))
        began = time.perf_counter()
        fit = ECM(4, focal_sets="full", delta=10.0, init=start, tol=0.0, max_iter=iterations).fit(X)
        ours = time.perf_counter() - began
        apart = np.abs(np.asarray(peer["g"]) - fit.cluster_centers_).max()
        print(f"n = {n}: evclust {theirs:.3f} s, ECM {ours:.4f} s, {iterations} iterations each,")
        print(f"    prototypes {apart:.1e} apart")


def main():
    """Measure, print, draw."""
    table = measure()
    columns = ["time_s", "iterations", "iteration_s", "fit_gib", "peak_gib"]
    print(table.groupby(["method", "n"], sort=False)[columns].median().round(4).to_string())
    for method, part in table.groupby("method", sort=False):
        logs = np.log(part[["time_s", "iteration_s", "fit_gib"]].clip(lower=1e-4))
        whole, one, memory = np.polyfit(np.log(part["n"]), logs, 1)[0]
        print(f"{method}: time grows as n^{whole:.2f}, time per iteration as n^{one:.2f}, ", end="")
        print(f"memory of the fit as n^{memory:.2f}")
    compare_with_evclust()
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / "ecm_scaling.csv", index=False)
    figure = new_figure(9, 3.6)
    left, right = figure.subplots(1, 2)
    labels = {"time_s": "seconds to convergence", "fit_gib": "memory of the fit, GiB"}
    for ax, (y, label) in zip((left, right), labels.items(), strict=True):
        curve_with_errors(ax, table, x="n", y=y, by="method", kind="quartiles")
        ax.set(xscale="log", yscale="log", xlabel="number of objects n", ylabel=label)
    figure.savefig(OUT / "ecm_scaling.png", dpi=150)
    print(f"wrote {OUT / 'ecm_scaling.png'}")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(one_fit(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
    else:
        main()
