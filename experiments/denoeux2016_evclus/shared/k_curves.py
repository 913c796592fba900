"""k-EVCLUS against k: one run, its row of the table, the three curves and comparisons on them.

Section 4 of [denoeux2016_evclus] has for each data set and every k ten runs of k-EVCLUS, and medians with
quartiles of the adjusted Rand index, the computing time and the average nonspecificity (24). The studies
provide the data, the list of k and the claims; cases are identified by the columns ``k`` and ``repetition``,
and by ``n`` or others where a study has several curves.

Repetition r starts from the same random masses at every k, while the pairs are drawn anew for every k and
repetition. The reproduction uses the published one-sided row update; ``pair_updates`` is a knob.

Three times: ``time_s`` is the solver's own clock, from the starting masses to the last recorded stress, as in
the other timed studies; ``algorithm_s`` is that of Algorithm 1, which uses its running sum, whereas the
solver evaluates J_k after each one-sided sweep; ``fit_time_s`` is the whole call, including drawing the
pairs, computing or checking their dissimilarities, d0 and the result.

"As good as" needs a margin. Here it is the error of the sample: half the 95 % interval that an index has
because the n objects are a sample (``ari_error``, ``nonspecificity_error``).
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.sparse import csr_array
from scipy.special import comb
from sklearn.metrics.cluster import contingency_matrix

from credalbench.belief import CredalPartition
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.stress import SampledPairs
from credalbench.core.intervals import Estimate, difference, ratio
from credalbench.core.kernels import compile_kernels
from credalbench.metrics import adjusted_rand
from credalbench.papers import Finding, NotCheckable, case_random_state, case_rng
from credalbench.papers.claims import above, within
from credalbench.papers.judging import WIDTH
from credalbench.papers.reference import Printed
from credalbench.plots import new_figure
from credalbench.plots.curves import error_curve, legend_of_bars, summarise
from credalbench.plots.style import LABEL_SIZE, MUTED, log_axis, style_axes

from .clock import fastest
from .paired_runs import random_start

PAIR_UPDATES = ("one-sided", "two-sided")
#: Column of the runs -> axis label; the three figures in the paper's order.
CURVES = {"ari": "adjusted Rand index", "time_s": "time (s)", "nonspecificity": "average nonspecificity"}
TIME_OF_ALL_PAIRS = (
    "the gain is the share of pairs left out, divided by how much less a pair costs when all are taken. Here "
    "all pairs are swept by products of dense matrices, which cost several times less per pair than lists of "
    "sampled partners; that eats the gain at small n, not at large n"
)
#: The two parts of a curve.
DRAWN, ALL = "k partners drawn for each object", "all pairs, swept otherwise"
RESAMPLES = 200  # of the objects, for the error of the sample


# ---------------------------------------------------------------- computing


def k_run(
    X,
    y,
    k: int,
    *,
    seed: int,
    axes: tuple = (),
    repetition: int = 0,
    metric="euclidean",
    pair_updates: str = "one-sided",
    d0_quantile: float = 0.9,
    alpha: float = 0.05,
    tol: float = 1e-5,
    max_iter: int = 1000,
) -> tuple[pd.DataFrame, CredalPartition]:
    """Fit k-EVCLUS once: a table ``runs`` with one row, and the partition.

    With k = n - 1 partners, all pairs are used once (EVCLUS). The random numbers depend on the seed, on
    `axes`, which name the data, such as ``("t4", 2000)``, and on the repetition; the other options are those
    of :class:`credalbench.cluster.EVCLUS`. The focal sets are the empty set, the singletons and the frame.
    """
    compile_kernels()
    c = int(np.max(y)) + 1
    start = random_start(len(X), c, case_rng(seed, *axes, "start", repetition))
    model = EVCLUS(
        c,
        n_pairs=k,
        pair_sampling="independent",
        pair_updates=pair_updates,
        d0_quantile=d0_quantile,
        alpha=alpha,
        metric=metric,
        init=start,
        tol=tol,
        max_iter=max_iter,
        random_state=case_random_state(seed, *axes, "pairs", k, repetition),
    )
    begin = time.process_time()
    model.fit(X)
    fit_time, labels = time.process_time() - begin, model.partition_.labels("plausibility")
    row = {
        "ari": adjusted_rand(y, labels),
        "ari_error": ari_error(y, labels, case_rng(seed, *axes, "objects", repetition)),
        "time_s": model.time_trace_[-1],
        "algorithm_s": model.time_trace_[-1] - evaluation_time(model),
        "fit_time_s": fit_time,
        "nonspecificity": model.partition_.nonspecificity(),
        "nonspecificity_error": nonspecificity_error(model.partition_),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "stress": model.objective_,
        "n_outliers": int(model.partition_.outliers().sum()),
        "d0": model.d0_,
        "share_of_pairs": share_of_pairs(model.conflict_pairs_),
    }
    return pd.DataFrame([row]), model.partition_


def evaluation_time(model: EVCLUS) -> float:
    """Time the solver's evaluations of the stress after each sweep, which Algorithm 1 does not make."""
    if not isinstance(model.conflict_pairs_, SampledPairs) or model.pair_updates == "two-sided":
        return 0.0
    M, C = model.partition_.masses.copy(), model.partition_.focal_sets.conflict.copy()
    return model.n_iter_ * fastest(3, model.conflict_pairs_.value, M, C)


def share_of_pairs(pairs) -> float:
    """Return the share of the n (n - 1) / 2 unordered pairs of objects whose dissimilarities are used."""
    if not isinstance(pairs, SampledPairs):
        return 1.0
    n, k = pairs.partners.shape
    drawn = csr_array((np.ones(n * k, bool), pairs.partners.ravel(), np.arange(n + 1) * k), shape=(n, n))
    return (drawn + drawn.T).nnz / (n * (n - 1))


def ari_error(y, labels, rng: np.random.Generator) -> float:
    """Return half the 95 % interval of the adjusted Rand index over samples of objects (bootstrap)."""
    counts = contingency_matrix(y, labels)
    tables = rng.multinomial(len(y), counts.ravel() / len(y), RESAMPLES).reshape(-1, *counts.shape)
    together, rows, columns = (
        comb(part, 2).reshape(RESAMPLES, -1).sum(axis=1)
        for part in (tables, tables.sum(axis=2), tables.sum(axis=1))
    )
    expected = rows * columns / comb(len(y), 2)
    return WIDTH * float(np.std((together - expected) / ((rows + columns) / 2 - expected), ddof=1))


def redundancy(D: np.ndarray) -> float:
    """Return the share of objects far from an object that are also far from its nearest neighbour.

    Far is at least the median dissimilarity, so that half would be by chance.
    """
    apart = ~np.eye(len(D), dtype=bool)
    far = (np.median(D[apart]) <= D) & apart
    nearest = np.where(apart, D, np.inf).argmin(axis=1)
    return (far & far[nearest]).sum() / far.sum()


def nonspecificity_error(partition: CredalPartition) -> float:
    """Return half the 95 % interval of the average nonspecificity, a mean over the objects."""
    c, sizes = partition.n_clusters, partition.focal_sets.cardinality
    each = partition.masses @ np.log2(np.where(sizes == 0, c, sizes)) / np.log2(c)
    return WIDTH * float(np.std(each, ddof=1) / np.sqrt(len(each)))


# ---------------------------------------------------------------- reading the runs


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """Tabulate, by k, medians, quartiles of the ARI, time of a sweep, and runs that reached the cap."""
    rows = {}
    for k, part in runs.groupby("k", sort=True):
        low, middle, high = part["ari"].quantile([0.25, 0.5, 0.75])
        rows[k] = {
            "runs": len(part),
            "median ARI": f"{middle:.3f} ({low:.3f} to {high:.3f})",
            "lowest ARI": round(part["ari"].min(), 3),
            "median nonspecificity": round(part["nonspecificity"].median(), 3),
            "median stress": round(part["stress"].median(), 5),
            "median time (s)": round(part["time_s"].median(), 3),
            "median time of the call (s)": round(part["fit_time_s"].median(), 3),
            "median sweeps": int(part["n_iter"].median()),
            "median time of a sweep (ms)": round(1e3 * (part["time_s"] / part["n_iter"]).median(), 2),
            "not converged": int((~part["converged"]).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("k")


def by_repetition(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column with a row per repetition and a column per k, without repetitions that failed."""
    values = runs.pivot(index="repetition", columns="k", values=column).dropna()
    if values.empty:
        raise NotCheckable("no repetition has a run for every k")
    return values


# ---------------------------------------------------------------- drawing


class Plateau(NamedTuple):
    """The plateau of the adjusted Rand index in the paper: first and last k, and height if printed."""

    words: str
    from_k: int
    to_k: int | None = None
    level: Printed | None = None


def draw_curves(
    runs: pd.DataFrame, artefacts, subject: str, *, n_objects: int, all_pairs=(), plateau: Plateau
) -> dict[str, Figure]:
    """Draw the three figures: ARI, time and nonspecificity against k, medians with quartiles.

    All pairs are separate from the curve, because they are swept in a different way (see
    `TIME_OF_ALL_PAIRS`). If several k of the paper fall together there, the label of the axis lists them,
    `all_pairs`. The titles say what the data are, the `subject`, such as ``"Simulated data, n = 2000"``; the
    plateau of the paper is shaded in the figure of the ARI.
    """
    figures, ticks = {}, sorted(runs["k"].unique())
    together = f"; all pairs: {', '.join(map(str, all_pairs))}" if len(all_pairs) > 1 else ""
    for artefact, (column, label) in zip(artefacts, CURVES.items(), strict=True):
        figure = new_figure(6.0, 3.8)
        ax = figure.subplots()
        sampled = runs["k"] + 1 < n_objects
        for k, (name, part) in enumerate({DRAWN: runs[sampled], ALL: runs[~sampled]}.items()):
            if len(part):
                error_curve(ax, *summarise(part, "k", column, "quartiles"), k, label=name)
        style_axes(ax, title=subject, ylabel=label, grid="both")
        log_axis(ax.xaxis)
        ax.set_xticks(ticks, [f"{k}\n(all pairs)" if k + 1 == n_objects else f"{k}" for k in ticks])
        ax.set_xlabel(f"partners of each object, k (logarithmic{together})", fontsize=LABEL_SIZE)
        if column == "ari":
            _shade(ax, plateau, ticks[-1])
        if column == "time_s":
            ax.set_ylim(bottom=0)
        n_runs = runs.groupby("k").size().max()
        words = legend_of_bars("quartiles")
        ax.legend(
            **words | {"title": f"{words['title']} of {n_runs} runs", "frameon": True, "edgecolor": "none"}
        )
        figures[artefact] = figure
    return figures


def _shade(ax: Axes, plateau: Plateau, largest: int) -> None:
    """Shade the plateau that the paper sees: a band if it prints a height, otherwise all of these k."""
    ends = [plateau.from_k, plateau.to_k or largest]
    look = {"color": MUTED, "alpha": 0.18, "linewidth": 0, "zorder": 0, "label": f"paper: {plateau.words}"}
    if plateau.level is None:
        ax.axvspan(*ends, **look)
    else:
        height, margin = plateau.level.value, plateau.level.precision
        ax.fill_between(ends, height - margin, height + margin, **look)


# ---------------------------------------------------------------- comparing, on the runs of one curve


def from_k_up(values: pd.DataFrame, k: int) -> list[int]:
    """Return the k of a table by repetition that are at least `k`, without the largest of all."""
    if not (chosen := [one for one in values.columns[:-1] if one >= k]):
        raise NotCheckable(f"no k from {k} up but the largest")
    return chosen


def near(runs: pd.DataFrame, column: str, ks: Callable, other: Callable) -> Finding:
    """Compare the median of a column at each chosen k with that at the k of `other`, within its error.

    Both get the column by repetition and k; the error is that of the sample, the median at the other k.
    """
    values = by_repetition(runs, column)
    against = other(values)
    error = runs.loc[runs["k"] == against, f"{column}_error"].median()
    gaps = {f"k = {k}": difference(values[k], values[against], np.median) for k in ks(values)}
    note = f"median {values[against].median():.3f} at k = {against}, error of the sample {error:.3f}"
    return within(-error, error, gaps, "+.3f", note)


def near_the_largest_k(runs: pd.DataFrame, column: str, k: int) -> Finding:
    """Compare the median of a column from `k` on with that at the largest k, within the sample's error."""
    return near(runs, column, lambda values: from_k_up(values, k), lambda values: values.columns[-1])


def gain(runs: pd.DataFrame, k: int) -> Estimate:
    """Divide the median time at the largest k by that at `k`, or at the next one run."""
    times = by_repetition(runs, "algorithm_s")
    return ratio(times[times.columns[-1]], times[from_k_up(times, k)[0]])


def faster_than_all_pairs(runs: pd.DataFrame, k: int) -> Finding:
    """Check that the median time at k, or at the next one run, is below that at the largest k."""
    times, calls = by_repetition(runs, "algorithm_s"), by_repetition(runs, "fit_time_s")
    chosen, largest = from_k_up(times, k)[0], times.columns[-1]
    medians = ", ".join(f"{times[one].median():.3f} s at k = {one}" for one in (chosen, largest))
    note = f"{medians}; whole call: ratio {calls[largest].median() / calls[chosen].median():.1f}"
    return above(1, {"all pairs / sampled pairs": gain(runs, k)}, ".1f", note)
