"""k-EVCLUS against k: one run, its tidy row, the three curves and what claims compare on them.

What Section 4 of [denoeux2016_evclus] does for each of its data sets: for every k, ten runs of k-EVCLUS, and
medians with quartiles of the adjusted Rand index, the computing time and the average nonspecificity (24).
The studies built on it bring the data, the list of k and the claims; cases are identified by the columns
``k`` and ``repetition``, and by ``n`` or others where a study has several curves.

Repetition r starts from the same random masses at every k, while the pairs are drawn anew for every k and
repetition. The reproduction uses the published one-sided row update; ``pair_updates`` is a knob.

Two times: ``time_s`` is the solver's own clock, from the starting masses to the last recorded stress, as in
the other timed studies; ``fit_time_s`` is the whole call, with drawing the pairs, computing or checking
their dissimilarities, d0 and the result.
"""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from credalbench.belief import CredalPartition
from credalbench.cluster import EVCLUS
from credalbench.intervals import difference, ratio
from credalbench.kernels import compile_kernels
from credalbench.metrics import adjusted_rand
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import log_axis
from credalbench.runner import CannotBeChecked, Finding, case_random_state, case_rng
from credalbench.runner.claims import above, within

from .paired_runs import random_start

PAIR_UPDATES = ("one-sided", "two-sided")
#: Column of the runs -> axis label; the three figures in the paper's order.
CURVES = {"ari": "adjusted Rand index", "time_s": "time (s)", "nonspecificity": "average nonspecificity"}
TIME_OF_ALL_PAIRS = (
    "the gain is the share of pairs left out, divided by how much less a pair costs when all are taken. Here "
    "all pairs are swept by products of dense matrices, which cost several times less per pair than lists of "
    "sampled partners; that eats the gain at small n, not at large n. The clock leaves out the "
    "dissimilarities: the note gives the whole call, where all pairs pay for theirs"
)


# ---------------------------------------------------------------- computing


def k_run(
    X,
    y,
    k: int,
    *,
    seed: int,
    axes: tuple = (),
    repetition: int = 0,
    n_clusters: int | None = None,
    metric="euclidean",
    symmetrize: bool = False,
    pair_updates: str = "one-sided",
    d0_quantile: float = 0.9,
    alpha: float = 0.05,
    tol: float = 1e-5,
    max_iter: int = 1000,
) -> tuple[pd.DataFrame, CredalPartition]:
    """Fit k-EVCLUS once.

    Parameters
    ----------
    X : (n, p) attributes, or (n, n) dissimilarities with ``metric="precomputed"``
    y : (n,) int array
        True classes, for the adjusted Rand index and, by default, the number of clusters.
    k : int
        Partners of each object; n - 1 uses all pairs once (EVCLUS).
    seed, axes, repetition
        What the random numbers depend on: ``axes`` names the data, such as ``("t4", 2000)``.
    n_clusters, metric, `symmetrize`, pair_updates, d0_quantile, alpha, tol, max_iter
        As in :class:`credalbench.cluster.EVCLUS`. The focal sets are the empty set, the singletons and the
        frame.

    Returns
    -------
    runs : DataFrame of one row
        ``ari, time_s, fit_time_s, nonspecificity, n_iter, converged, stress, n_outliers, d0``; the
        runner adds the columns of the case.
    partition : CredalPartition
    """
    compile_kernels()
    c = int(np.max(y)) + 1 if n_clusters is None else n_clusters
    start = random_start(len(X), c, case_rng(seed, *axes, "start", repetition))
    model = EVCLUS(
        c,
        n_pairs=k,
        pair_updates=pair_updates,
        d0_quantile=d0_quantile,
        alpha=alpha,
        metric=metric,
        symmetrize=symmetrize,
        init=start,
        tol=tol,
        max_iter=max_iter,
        random_state=case_random_state(seed, *axes, "pairs", k, repetition),
    )
    begin = time.perf_counter()
    model.fit(X)
    fit_time = time.perf_counter() - begin
    row = {
        "ari": adjusted_rand(y, model.labels_),
        "time_s": model.time_trace_[-1],
        "fit_time_s": fit_time,
        "nonspecificity": model.partition_.nonspecificity(),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "stress": model.objective_,
        "n_outliers": int(model.partition_.outliers().sum()),
        "d0": model.d0_,
    }
    return pd.DataFrame([row]), model.partition_


# ---------------------------------------------------------------- reading the runs


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per k: medians, quartiles of the ARI, time of a sweep, runs that met the cap."""
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
    """A column of the runs with one row per repetition and one column per k; repetitions with a failed case
    are left out."""
    values = runs.pivot(index="repetition", columns="k", values=column).dropna()
    if values.empty:
        raise CannotBeChecked("no repetition has a run for every k")
    return values


# ---------------------------------------------------------------- drawing


def draw_curves(runs: pd.DataFrame, artefacts, subject: str, *, n_objects=None) -> dict[str, Figure]:
    """The three figures: ARI, time and nonspecificity against k, medians with quartiles.

    Parameters
    ----------
    runs : DataFrame
        The runs of one curve.
    artefacts : sequence of three str
        Ids of the figures of ARI, time and nonspecificity.
    subject : str
        What the titles say about the data, such as ``"Simulated data, n = 2000"``.
    n_objects : int, optional
        n: the tick at k = n - 1 then says that these are all pairs.
    """
    figures, ticks = {}, sorted(runs["k"].unique())
    for artefact, (column, label) in zip(artefacts, CURVES.items(), strict=True):
        figure = new_figure(6.0, 3.8)
        ax = figure.subplots()
        curve_with_errors(ax, runs, "k", column, title=subject)
        log_axis(ax.xaxis)
        ax.set_xticks(ticks, [f"{k}\n(all pairs)" if k + 1 == n_objects else f"{k}" for k in ticks])
        ax.set_xlabel("partners of each object, k")
        ax.set_ylabel(label)
        if column == "time_s":
            ax.set_ylim(bottom=0)
        figures[artefact] = figure
    return figures


# ---------------------------------------------------------------- comparing, on the runs of one curve


def from_k_up(values: pd.DataFrame, k: int) -> list[int]:
    """The k of a table by repetition that are at least `k`, without the largest of all."""
    if not (chosen := [one for one in values.columns[:-1] if one >= k]):
        raise CannotBeChecked(f"no k from {k} up beside the largest")
    return chosen


def near_the_largest_k(runs: pd.DataFrame, column: str, k: int, margin: float) -> Finding:
    """From `k` up, the median of a column is within a margin of its median at the largest k."""
    values = by_repetition(runs, column)
    largest = values.columns[-1]
    gaps = {one: difference(values[one], values[largest], np.median) for one in from_k_up(values, k)}
    note = f"median {values[largest].median():.3f} at k = {largest}"
    return within(-margin, margin, {f"k = {one}": gap for one, gap in gaps.items()}, "+.3f", note)


def faster_than_all_pairs(runs: pd.DataFrame, k: int, factor: float) -> Finding:
    """The median time at the largest k is more than `factor` times that at k, or at the next one run."""
    times, calls = by_repetition(runs, "time_s"), by_repetition(runs, "fit_time_s")
    chosen, largest = from_k_up(times, k)[0], times.columns[-1]
    medians = ", ".join(f"{times[one].median():.3f} s at k = {one}" for one in (chosen, largest))
    note = f"{medians}; whole call: ratio {calls[largest].median() / calls[chosen].median():.1f}"
    return above(factor, {"ratio": ratio(times[largest], times[chosen])}, ".1f", note)


def nonspecificity_in_range(runs: pd.DataFrame) -> Finding:
    """0 <= N* <= 1 in every run."""
    values = runs["nonspecificity"]
    return within(0, 1, {"least": values.min(), "largest": values.max()}, ".3f")
