"""k-EVCLUS against k: one run, its tidy row, the three curves and the claims on them.

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
from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from credalbench.belief import CredalPartition
from credalbench.cluster import EVCLUS
from credalbench.cluster.compiled.compilation import compile_kernels
from credalbench.metrics import adjusted_rand
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import log_axis
from credalbench.runner import Claim, Finding, case_random_state, case_rng

from .paired_runs import RESAMPLES, random_start, ratio_of_medians

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
    n_clusters, metric, symmetrize, pair_updates, d0_quantile, alpha, tol, max_iter
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
    return runs.pivot(index="repetition", columns="k", values=column).dropna()


def difference_of_medians(values, reference) -> tuple[float, float, float]:
    """median(values) - median(reference) with its 95 % bootstrap interval over pairs: value, low, high."""
    values, reference = np.asarray(values, dtype=float), np.asarray(reference, dtype=float)
    draws = case_rng(0, "bootstrap").integers(len(values), size=(RESAMPLES, len(values)))
    differences = np.median(values[draws], axis=1) - np.median(reference[draws], axis=1)
    return float(np.median(values) - np.median(reference)), *map(
        float, np.quantile(differences, [0.025, 0.975])
    )


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


# ---------------------------------------------------------------- claims


def everything(params, runs: pd.DataFrame) -> pd.DataFrame:
    """All runs: the part of a study with one curve."""
    return runs


def near_the_largest_k(
    artefact: str,
    column: str,
    *,
    from_k: int,
    within: float,
    basis: str = "paper, tolerance ours",
    part: Callable = everything,
    published: str = "",
    explanation: str = "",
    substitute: bool = False,
) -> Claim:
    """For every k >= from_k, the median of a column is within a distance of its median at the largest k.

    ``part(params, runs)`` picks the runs of the curve.
    """

    def check(params, tables):
        values = by_repetition(part(params, tables["runs"]), column)
        chosen = [k for k in values.columns[:-1] if k >= from_k]
        if not chosen or values.empty:
            return Finding(None, "", f"no k from {from_k} up beside the largest")
        largest = values.columns[-1]
        found = {k: difference_of_medians(values[k], values[largest]) for k in chosen}
        worst = max(found, key=lambda k: abs(found[k][0]))
        difference, low, high = found[worst]
        sure = all(-within <= low and high <= within for _, low, high in found.values())
        holds = abs(difference) <= within
        ours = (
            f"{values[largest].median():.3f} at k = {largest}; largest deviation {difference:+.3f} at "
            f"k = {worst} (95 % interval {low:+.3f} to {high:+.3f})"
        )
        note = "" if sure or not holds else f"an interval reaches beyond {within:g}: undecided by these runs"
        return Finding(holds, ours, note)

    statement = (
        f"The median {CURVES[column]} for every k >= {from_k} is within {within:g} of that at the largest k"
    )
    return Claim(artefact, statement, basis, check, published, explanation, substitute)


def faster_than_all_pairs(
    artefact: str,
    *,
    k: int,
    factor: float,
    basis: str = "paper, tolerance ours",
    part: Callable = everything,
    published: str = "a significant gain, drawn only",
    explanation: str = TIME_OF_ALL_PAIRS,
    substitute: bool = False,
) -> Claim:
    """The median time at the largest k is at least ``factor`` times that at k (or at the next one run)."""

    def check(params, tables):
        runs = part(params, tables["runs"])
        times, calls = by_repetition(runs, "time_s"), by_repetition(runs, "fit_time_s")
        chosen = next((one for one in times.columns[:-1] if one >= k), None)
        if chosen is None or times.empty:
            return Finding(None, "", f"no k from {k} up beside the largest")
        largest = times.columns[-1]
        ratio, low, high = ratio_of_medians(times[largest], times[chosen])
        medians = ", ".join(f"{times[one].median():.3f} s at k = {one}" for one in (chosen, largest))
        note = f"whole call: ratio {calls[largest].median() / calls[chosen].median():.1f}"
        if low < factor < high:
            note = f"the interval includes {factor:g}: undecided by these runs; {note}"
        return Finding(
            ratio >= factor, f"{medians}: ratio {ratio:.1f} (95 % interval {low:.1f} to {high:.1f})", note
        )

    statement = f"The median time at k = {k} is at most 1/{factor:g} of that at the largest k"
    return Claim(artefact, statement, basis, check, published, explanation, substitute)


def slower_at(
    artefact: str,
    *,
    k: int,
    than_k: int,
    basis: str = "paper",
    part: Callable = everything,
    published: str = "",
    explanation: str = "",
    substitute: bool = False,
) -> Claim:
    """The median time at a very small k is larger than at the next: it needs more sweeps."""

    def check(params, tables):
        runs = part(params, tables["runs"])
        times, sweeps = by_repetition(runs, "time_s"), by_repetition(runs, "n_iter")
        if not {k, than_k} <= set(times.columns) or times.empty:
            return Finding(None, "", f"k = {k} and k = {than_k} are not both run")
        ratio, low, high = ratio_of_medians(times[k], times[than_k])
        medians = f"{times[k].median():.3f} s and {times[than_k].median():.3f} s"
        note = f"median sweeps: {sweeps[k].median():g} and {sweeps[than_k].median():g}"
        if low < 1 < high:
            note = f"the interval includes 1: undecided by these runs; {note}"
        return Finding(
            ratio > 1, f"{medians}: ratio {ratio:.2f} (95 % interval {low:.2f} to {high:.2f})", note
        )

    statement = f"The median time at k = {k} is larger than at k = {than_k}: convergence takes longer"
    return Claim(artefact, statement, basis, check, published, explanation, substitute)


def spread_shrinks(
    artefact: str,
    column: str = "ari",
    *,
    basis: str = "own expectation, not in paper",
    part: Callable = everything,
    explanation: str = "",
    substitute: bool = False,
) -> Claim:
    """The distance of the quartiles is smaller at the largest k than at the smallest."""

    def check(params, tables):
        values = by_repetition(part(params, tables["runs"]), column)
        if len(values.columns) < 2 or values.empty:
            return Finding(None, "", "fewer than two values of k")
        spread = values.quantile(0.75) - values.quantile(0.25)
        listed = ", ".join(f"{spread[k]:.4f} at k = {k}" for k in values.columns)
        return Finding(spread.iloc[-1] < spread.iloc[0], listed)

    statement = f"The quartiles of the {CURVES[column]} are closer at the largest k than at the smallest"
    return Claim(artefact, statement, basis, check, "", explanation, substitute)


def median_reaches(
    artefact: str,
    *,
    value: float,
    within: float,
    from_k: int,
    basis: str = "paper, tolerance ours",
    part: Callable = everything,
    published: str = "",
    explanation: str = "",
    substitute: bool = False,
) -> Claim:
    """For every k >= from_k, the median ARI is within a distance of a printed value."""

    def check(params, tables):
        values = by_repetition(part(params, tables["runs"]), "ari")
        medians = values.median()[lambda medians: medians.index >= from_k]
        if medians.empty or values.empty:
            return Finding(None, "", f"no k from {from_k} up")
        listed = ", ".join(f"{median:.3f} at k = {k}" for k, median in medians.items())
        return Finding((medians - value).abs().max() <= within, listed)

    statement = f"The median ARI for every k >= {from_k} is within {within:g} of {value:g}"
    return Claim(artefact, statement, basis, check, published, explanation, substitute)


def nonspecificity_in_range(artefact: str, *, part: Callable = everything, substitute: bool = False) -> Claim:
    """0 <= N* <= 1 in every run."""

    def check(params, tables):
        values = part(params, tables["runs"])["nonspecificity"]
        return Finding(values.between(0, 1).all(), f"{values.min():.3f} to {values.max():.3f}")

    statement = "The average nonspecificity is between 0 and 1 in every run"
    return Claim(artefact, statement, "mathematical property", check, substitute=substitute)
