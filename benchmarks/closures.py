"""Compare transitive closures of relations with what a user would otherwise choose, for n from 250 to 4000.

The relation is a co-association: 20 partitions of data t4 by c-means from random starts, with about sqrt(n)
clusters. Both relations of its relational masses are closed, as in the ensemble, so times are those of two
closures. The alternatives close the same two relations: repeated squaring in numpy, which accepts a t-norm
given as a function; scipy's Floyd-Warshall on the lengths of the product; and scipy's single linkage for the
minimum. Each runs up to the size at which it takes about half a minute. The program prints seconds, the
fitted exponents, how far results differ, and the memory that ours take at the largest size; it writes
results/bench/closures.png and .csv, time against n for each closure.
"""

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
from numba import get_num_threads
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.sparse.csgraph import floyd_warshall
from scipy.spatial.distance import squareform

from credalbench.baselines import EvidenceAccumulation
from credalbench.belief import RelationalMasses
from credalbench.belief.relations import close_masses
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_t4
from credalbench.plots import curve_with_errors
from credalbench.plots.style import log_axis, new_figure

SIZES = (250, 500, 1000, 2000, 4000)
REPEATS = 3
BASES = 20
SMALLEST = 1e-3  # degrees below are not links: scipy takes a length of 0, and one that is infinite, for none
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def masses_of(n):
    """Return relational masses of n objects from hard bases, each believed with probability 0.9."""
    X = make_t4(n, random_state=0).X
    bases = EvidenceAccumulation(1, n_estimators=BASES, base_n_clusters=int(n**0.5), random_state=0).fit(X)
    same = 0.9 * bases.co_association_
    different = 0.9 - same
    np.fill_diagonal(same, 1.0)
    np.fill_diagonal(different, 0.0)
    return RelationalMasses(np.broadcast_to(0.0, same.shape), same, different, 1.0 - same - different)


def squared(function):
    """Return both closures under a given function."""
    return lambda masses: close_masses(masses, function)[1]


def named(*t_norm):
    """Return both closures under a t-norm that has a name."""
    return lambda masses: close_masses(masses, *t_norm)[1]


def by_scipy(masses):
    """Return both closures under the product, by paths."""
    relations = (np.clip(R, SMALLEST, 1 - 1e-15) for R in (masses.same, 1 - masses.different))
    closed = [np.exp(-floyd_warshall(-np.log(R))) for R in relations]
    return closed[0]


def by_linkage(masses):
    """Return both closures under the minimum, by dendrograms."""
    closed = []
    for R in (masses.same, 1 - masses.different):
        apart = squareform(1 - R, checks=False)
        closed.append(1 - squareform(cophenet(linkage(apart, "single"))))
    return closed[0]


#: Name -> what computes both closures and returns the first; the largest size; the way of the same result.
WAYS = {
    "minimum": (named("minimum"), SIZES[-1], None),
    "product": (named("product"), SIZES[-1], None),
    "Łukasiewicz": (named("lukasiewicz"), SIZES[-1], None),
    "Frank, p = 0.1": (named("frank", 0.1), SIZES[-1], None),
    "scipy, single linkage": (by_linkage, SIZES[-1], "minimum"),
    "scipy, Floyd-Warshall": (by_scipy, 2000, "product"),
    "squaring, product": (squared(lambda a, b: a * b), 500, "product"),
}


def measure():
    """Return one row per method, size and repetition; print differences from ours."""
    compile_kernels()
    rows = []
    for n in SIZES:
        masses, found = masses_of(n), {}
        for repetition in range(REPEATS):
            for way, (close, most, _) in WAYS.items():
                if n > most or (repetition and way not in list(WAYS)[:4]):
                    continue
                began = time.perf_counter()
                found[way] = close(masses)
                rows.append((way, n, repetition, time.perf_counter() - began))
        for way, (_, _, ours) in WAYS.items():
            if ours and way in found:
                off = np.abs(found[way] - found[ours])[~np.eye(n, dtype=bool)]
                gap = off[found[ours][~np.eye(n, dtype=bool)] > SMALLEST].max(initial=0.0)
                print(f"n = {n}: {way} differs from {ours} by {gap:.1e}", flush=True)
    return pd.DataFrame(rows, columns=["way", "n", "repetition", "time_s"])


def peak_of(masses, t_norm):
    """Return the peak memory of both closures in GiB, without the masses."""
    tracemalloc.start()
    close_masses(masses, t_norm)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**30


def main():
    """Measure, print, draw."""
    table = measure()
    seconds = table.groupby(["way", "n"], sort=False)["time_s"].min().unstack("n")
    print(f"seconds of both closures, the best of {REPEATS}, on {get_num_threads()} threads")
    print(seconds.round(3).to_string())
    for way in list(WAYS)[:4]:
        exponent = np.polyfit(np.log(SIZES[2:]), np.log(seconds.loc[way, list(SIZES[2:])]), 1)[0]
        print(f"{way}: exponent in n {exponent:.2f}")
    masses = masses_of(SIZES[-1])
    for t_norm in ("minimum", "product"):
        print(f"{t_norm}, n = {SIZES[-1]}: {peak_of(masses, t_norm):.2f} GiB without the masses")
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / "closures.csv", index=False)
    figure = new_figure(7.5, 3.8)
    ax = figure.subplots()
    curve_with_errors(ax, table, x="n", y="time_s", by="way", kind="quartiles")
    ax.set(yscale="log", xlabel="number of objects n", ylabel="seconds, both closures")
    log_axis(ax.xaxis)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))  # right of the axes, which the curves fill
    figure.savefig(OUT / "closures.png", dpi=150)
    print(f"wrote {OUT / 'closures.png'}")


if __name__ == "__main__":
    main()
