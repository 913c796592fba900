"""Measure EGMM and scikit-learn's Gaussian mixture with a common covariance, n from 10 000 to 1 000 000.

Three groups in the plane and in eight dimensions, c = 3, all seven focal sets; scikit-learn's mixture has the
three clusters as components. Both run a fixed number of iterations from the same means. The difference
between a long and a short run is the time of the iterations alone, printed per iteration and component. Then
come whole fits by the default rule, including k-means, for groups far apart and for groups that overlap,
whose imprecise components take hundreds of iterations to fade. Everything uses all available threads. The
program prints medians and the fitted exponents in n, and writes results/bench/egmm.png and .csv.
"""

import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from credalbench.cluster import EGMM
from credalbench.plots import curve_with_errors
from credalbench.plots.style import new_figure

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
ATTRIBUTES = (2, 8)
REPEATS = 3
SHORT, LEAST, MOST = 2, 10, 200  # iterations of the short run, and how many more the long one has
COMPONENTS = {"EGMM": 7, "scikit-learn": 3}
APART = (8.0, 5.0)  # distances of groups with deviations of 1
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def three_groups(n, p, apart, seed):
    """Return objects (n, p) and the centres (3, p) of their groups."""
    rng = np.random.default_rng(seed)
    centres = np.zeros((3, p))
    centres[1, 0] = centres[2, 1] = apart
    return centres[rng.integers(3, size=n)] + rng.normal(size=(n, p)), centres


def fit(method, X, start, iterations):
    """Run exactly this number of iterations from given means."""
    if method == "EGMM":
        return EGMM(3, init=start, tol=0.0, max_iter=iterations).fit(X)
    model = GaussianMixture(
        3, covariance_type="tied", means_init=start, init_params="random", tol=0.0, max_iter=iterations
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def seconds(method, X, start, iterations):
    """Return the seconds of a fit with this number of iterations."""
    began = time.perf_counter()
    fit(method, X, start, iterations)
    return time.perf_counter() - began


def iterations():
    """Return a row per method, size and data set: milliseconds per iteration and component."""
    rows = []
    for p in ATTRIBUTES:
        for n in SIZES:
            more = min(max(LEAST * SIZES[-1] // n, LEAST), MOST)  # about as long at each n
            for repetition in range(REPEATS):
                X, centres = three_groups(n, p, 4.0, repetition)
                for method, f in COMPONENTS.items():
                    long, short = (seconds(method, X, centres + 0.5, k) for k in (SHORT + more, SHORT))
                    each = 1e3 * (long - short) / more / f
                    rows.append(
                        {"method": method, "p": p, "n": n, "repetition": repetition, "component_ms": each}
                    )
    return pd.DataFrame(rows)


def whole_fits():
    """Return seconds and iterations of fits by the default rule."""
    for n in (100_000, 1_000_000):
        for apart in APART:
            X, _ = three_groups(n, 2, apart, 0)
            began = time.perf_counter()
            found = EGMM(3, random_state=0).fit(X)
            took = time.perf_counter() - began
            print(f"n = {n}, groups {apart:g} apart: {took:.1f} s, {found.n_iter_} iterations")


def main():
    """Measure, print, draw."""
    fit("EGMM", three_groups(100, 2, 4.0, 0)[0], np.eye(3, 2), 2)  # first calls load libraries
    whole_fits()
    table = iterations()
    medians = table.groupby(["p", "n", "method"])["component_ms"].median().unstack()
    medians["ratio"] = medians["EGMM"] / medians["scikit-learn"]
    print(medians.round(3).to_string())
    for (method, p), part in table.groupby(["method", "p"]):
        slope = np.polyfit(np.log(part["n"]), np.log(part["component_ms"].clip(lower=1e-4)), 1)[0]
        print(f"{method}, p = {p}: time per iteration grows as n^{slope:.2f}")
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / "egmm.csv", index=False)
    figure = new_figure(9, 3.6)
    for ax, (p, part) in zip(figure.subplots(1, 2), table.groupby("p"), strict=True):
        curve_with_errors(ax, part, x="n", y="component_ms", by="method", kind="quartiles")
        label = "milliseconds per iteration and component"
        ax.set(xscale="log", yscale="log", xlabel="number of objects n", ylabel=label, title=f"p = {p}")
    figure.savefig(OUT / "egmm.png", dpi=150)
    print(f"wrote {OUT / 'egmm.png'}")


if __name__ == "__main__":
    main()
