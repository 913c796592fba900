"""Paired runs: three optimisers of EVCLUS from one and the same random start, timed.

What Section 3.2 of [denoeux2016_evclus] compares. The paper has two optimisers, the adaptive gradient
descent of the original EVCLUS and row-wise quadratic programming (IRQP); the third one here, L-BFGS, is
ours, because it is what one would reach for today.

A run is timed by the solver's own clock: it starts when the solver gets its starting masses and stops at the
last recorded stress. Reading data, dissimilarities, the transformation and compilation lie outside, for all
three alike. The runner gives every case one thread, so a time is the time of one core.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.compiled.compilation import compile_kernels
from credalbench.metrics.external import adjusted_rand, misclassified
from credalbench.plots import box_by, new_figure, stress_traces
from credalbench.plots.style import colour, log_axis, marker
from credalbench.runner import Claim, Finding, case_rng
from experiments.printed import printed_values

PRINTED = printed_values("denoeux2016_evclus", "optimisers")
FACTOR = PRINTED["speed_ratio"].value
#: Solver of EVCLUS -> its name in figures; the order of every figure and table.
SOLVERS = {"gradient": "Gradient", "lbfgs": "L-BFGS", "irqp": "IRQP"}
SLACK = 1e-6  # stress values that differ by less count as equal
RESAMPLES = 2000
OURS = "own expectation, not in paper"

NEAR = 0.01  # a run "has arrived" when its stress is within 1 % of the lowest of all runs

TIMES_EXPLAINED = (
    "a ratio of times belongs to the programs as much as to the algorithms. The paper prints neither step "
    "control nor machine, and puts its gradient at O(f^3 n^2) operations (Section 2.4); written with "
    "matrices it takes of the order of f n^2 here, as does a sweep of IRQP. All three stop by the same rule "
    "(21), which watches the relative change of the stress and not the distance to the minimum"
)
LBFGS_EXPLAINED = (
    "the paper does not run L-BFGS: the factor of ten is its statement on its own gradient, used as the "
    "same yardstick"
)


# ---------------------------------------------------------------- computing


def random_start(n: int, c: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform random numbers, normalised by row: masses (n, c + 2) on the empty set, singletons and Omega."""
    masses = rng.random((n, len(FocalSets.simple(c))))
    return masses / masses.sum(axis=1, keepdims=True)


@cache
def warm_up() -> None:
    """Compile the kernels and call every solver once on ten objects, before any clock starts."""
    compile_kernels()
    X = np.random.default_rng(0).random((10, 2))
    for solver in SOLVERS:
        EVCLUS(2, solver=solver, max_iter=5, random_state=0).fit(X)


def paired_run(D, y, start, *, d0_quantile, tol, max_iter, n_repeats=1) -> dict[str, pd.DataFrame]:
    """Minimise the stress with each solver from the same start.

    Parameters
    ----------
    D : (n, n) array
        Dissimilarities.
    y : (n,) int array
        True classes; their number is the number of clusters asked for.
    start : (n, f) array
        Masses that every solver starts from.
    d0_quantile, tol, max_iter
        As in :class:`credalbench.cluster.EVCLUS`; 1.0 makes d0 the largest dissimilarity.
    n_repeats : int
        How often each solver repeats the very same run; the fastest counts. The repetitions do the same work,
        so what differs is how much else the machine was doing.

    Returns
    -------
    dict of DataFrame
        ``traces``: one row per solver and iteration. ``runs``: one row per solver; ``continued_stress`` is
        where IRQP arrives when it goes on from the solver's final masses. A point that IRQP leaves is no
        local minimum, because no row alone can improve there.
    """
    warm_up()
    options = {"d0_quantile": d0_quantile, "metric": "precomputed", "tol": tol, "max_iter": max_iter}
    c = int(y.max()) + 1
    traces, runs = [], []
    for solver in SOLVERS:
        fits = [EVCLUS(c, solver=solver, init=start, **options).fit(D) for _ in range(n_repeats)]
        fit = min(fits, key=lambda fit: fit.time_trace_[-1])
        again = EVCLUS(c, solver="irqp", init=fit.partition_.masses, **options).fit(D)
        columns = {"iteration": range(fit.n_iter_ + 1), "time_s": fit.time_trace_}
        traces.append(pd.DataFrame({"solver": solver, **columns, "stress": fit.objective_trace_}))
        labels = fit.partition_.labels()
        runs.append(
            {
                "solver": solver,
                "time_s": fit.time_trace_[-1],
                "stress": fit.objective_,
                "n_iter": fit.n_iter_,
                "converged": fit.converged_,
                "continued_stress": again.objective_,
                "misclassified": misclassified(y, labels),
                "ari": adjusted_rand(y, labels),
            }
        )
    return {"traces": pd.concat(traces, ignore_index=True), "runs": pd.DataFrame(runs)}


# ---------------------------------------------------------------- reading the tables


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that the figures show: those of the first data set, where there are several."""
    return table[table["dataset"] == 0] if "dataset" in table else table


def by_run(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """A column of the runs with one row per paired run and one column per solver."""
    axes = [name for name in ("dataset", "run") if name in runs]
    return runs.pivot(index=axes, columns="solver", values=column)


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per solver: medians and quartiles of time and stress, iterations, runs that met the cap."""
    rows = []
    for solver, name in SOLVERS.items():
        part = runs[runs["solver"] == solver]
        time, stress = part["time_s"].quantile([0.25, 0.5, 0.75]), part["stress"].quantile([0.25, 0.5, 0.75])
        rows.append(
            {
                "solver": name,
                "runs": len(part),
                "median time (ms)": round(1e3 * time[0.5], 1),
                "quartiles of time": f"{1e3 * time[0.25]:.1f} to {1e3 * time[0.75]:.1f}",
                "median stress": round(stress[0.5], 5),
                "quartiles of stress": f"{stress[0.25]:.5f} to {stress[0.75]:.5f}",
                "median iterations": int(part["n_iter"].median()),
                "median misclassified": part["misclassified"].median(),
                "not converged": int((~part["converged"]).sum()),
            }
        )
    return pd.DataFrame(rows).set_index("solver")


def ratio_of_medians(slow, fast) -> tuple[float, float, float]:
    """median(slow) / median(fast) with its 95 % bootstrap interval over pairs: ratio, low, high.

    Both arrays have one entry per pair. Times of runs that never arrived may be infinite.
    """
    slow, fast = np.asarray(slow), np.asarray(fast)
    draws = case_rng(0, "bootstrap").integers(len(slow), size=(RESAMPLES, len(slow)))
    ratios = np.median(slow[draws], axis=1) / np.median(fast[draws], axis=1)
    return float(np.median(slow) / np.median(fast)), *map(
        float, np.quantile(ratios, [0.025, 0.975], method="nearest")
    )


def arrival_times(traces: pd.DataFrame) -> pd.DataFrame:
    """Seconds until a run is first within 1 % of the lowest stress of all runs on these dissimilarities.

    One row per paired run, one column per solver; infinite where a run never gets there.
    """
    target = (1 + NEAR) * traces["stress"].min()
    arrived = traces[traces["stress"] <= target].groupby(["run", "solver"])["time_s"].min()
    everything = pd.MultiIndex.from_product([traces["run"].unique(), SOLVERS], names=["run", "solver"])
    return arrived.reindex(everything, fill_value=np.inf).unstack("solver")


def arrival_summary(traces: pd.DataFrame) -> pd.DataFrame:
    """One row per solver: how many runs come within 1 % of the lowest stress, and when."""
    times = arrival_times(traces)
    rows = {
        name: {
            "runs": len(times),
            "within 1 % of the lowest stress": int(np.isfinite(times[solver]).sum()),
            "first": milliseconds(times[solver].min()),
            "median": milliseconds(times[solver].median()),
            "last": milliseconds(times[solver].max()),
        }
        for solver, name in SOLVERS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("solver")


def milliseconds(seconds: float) -> str:
    """A duration with two or three digits that count: ``2.1 ms``, ``45 ms``, ``never``."""
    return f"{1e3 * seconds:.{1 if seconds < 0.01 else 0}f} ms" if np.isfinite(seconds) else "never"


# ---------------------------------------------------------------- drawing


def in_milliseconds(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the column ``time_ms``, and the solvers' names as they are printed in figures."""
    return table.assign(time_ms=1e3 * table["time_s"], solver=table["solver"].map(SOLVERS))


def trace_figure(traces: pd.DataFrame):
    """Stress against time, one panel per solver; own time scales, one logarithmic scale of stress."""
    traces = in_milliseconds(traces)
    figure = new_figure(10.5, 3.7)
    for k, (ax, name) in enumerate(zip(figure.subplots(1, 3, sharey=True), SOLVERS.values())):
        stress_traces(ax, traces[traces["solver"] == name], x="time_ms", title=f"({'abc'[k]}) {name}")
        for line in ax.lines:  # each solver keeps its colour and marker from figure to figure
            line.set_color(colour(k))
            line.set_marker(marker(k) if line.get_marker() != "None" else "None")
        ax.set_xlim(left=0)
        ax.set_ylabel("stress (logarithmic)" if k == 0 else None)
        ax.locator_params(axis="x", nbins=6)
    log_axis(ax.yaxis)
    return figure


def box_figure(runs: pd.DataFrame):
    """Box plots of time (logarithmic) and of the stress at convergence, one box per solver."""
    runs, names = in_milliseconds(runs), list(SOLVERS.values())
    figure = new_figure(9, 3.9)
    left, right = figure.subplots(1, 2)
    box_by(left, runs, "time_ms", "solver", order=names, title="(a) Computing time")
    left.set_ylim(_tick_below(runs["time_ms"].min()), 1.2 * runs["time_ms"].max())
    log_axis(left.yaxis)
    box_by(right, runs, "stress", "solver", order=names, title="(b) Stress at convergence")
    return figure


def _tick_below(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten below a positive value: a logarithmic axis may start
    there."""
    power = 10.0 ** np.floor(np.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value)


# ---------------------------------------------------------------- claims that two studies share


def faster_by_ten(artefact: str, opponent: str, basis: str, published: str = "") -> Claim:
    """IRQP's median time is less than a tenth of the opponent's."""

    def check(params, tables):
        return _ten_times(by_run(shown(tables["runs"]), "time_s"), opponent)

    statement = f"The median time of IRQP is less than a tenth of that of {SOLVERS[opponent]}"
    explanation = TIMES_EXPLAINED if opponent == "gradient" else LBFGS_EXPLAINED
    return Claim(artefact, statement, basis, check, published, explanation)


def arrives_ten_times_earlier(artefact: str, opponent: str) -> Claim:
    """IRQP comes within 1 % of the lowest stress in less than a tenth of the opponent's time."""

    def check(params, tables):
        return _ten_times(arrival_times(shown(tables["traces"])), opponent)

    statement = (
        "The median time until IRQP is within 1 % of the lowest stress of all runs is less than a tenth of "
        f"that of {SOLVERS[opponent]}"
    )
    explanation = "the tail in which the stopping rule waits is left out here; what remains is the way down"
    return Claim(artefact, statement, OURS, check, "", explanation)


def _ten_times(times: pd.DataFrame, opponent: str) -> Finding:
    """Whether IRQP's median is less than a tenth of the opponent's, both medians, their ratio."""
    ratio, low, high = ratio_of_medians(times[opponent], times["irqp"])
    pair = (opponent, "irqp")
    late = [f"{SOLVERS[s]} in {np.isinf(times[s]).sum()}" for s in pair if np.isinf(times[s]).any()]
    notes = [f"of {len(times)} runs each, never there: {', '.join(late)}"] if late else []
    if low < FACTOR < high:
        notes.append(f"the interval includes {FACTOR:g}: undecided by {len(times)} runs")
    medians = ", ".join(f"{SOLVERS[s]} {milliseconds(times[s].median())}" for s in pair)
    interval = f" (95 % interval {low:.1f} to {f'{high:.1f}' if np.isfinite(high) else 'unbounded'})"
    factor = f"{ratio:.1f}{interval}" if np.isfinite(ratio) else "unbounded"
    return Finding(ratio > FACTOR, f"{medians}: ratio {factor}", "; ".join(notes))


def lower_in_every_run(artefact: str, opponent: str, basis: str, explanation: str) -> Claim:
    """IRQP ends at least as low as the opponent in each paired run."""
    name = SOLVERS[opponent]

    def check(params, tables):
        stress = by_run(shown(tables["runs"]), "stress")
        lower = int((stress["irqp"] <= stress[opponent] + SLACK).sum())
        worst = (stress["irqp"] - stress[opponent]).max()
        note = f"largest excess of IRQP {worst:.1e}" if lower < len(stress) else ""
        return Finding(lower == len(stress), f"in {lower} of {len(stress)} paired runs", note)

    statement = f"From the same start, IRQP ends with a stress at most that of {name} (+1e-6), in every run"
    return Claim(artefact, statement, basis, check, "", explanation)


def median_stress(artefact: str, opponent: str, basis: str, explanation: str, strictly: bool) -> Claim:
    """IRQP's median final stress is below (or not above) the opponent's."""
    name = SOLVERS[opponent]

    def check(params, tables):
        median = by_run(shown(tables["runs"]), "stress").median()
        ours, other = median["irqp"], median[opponent]
        return Finding(ours < other if strictly else ours <= other, f"IRQP {ours:.5f}, {name} {other:.5f}")

    relation = "below" if strictly else "not above"
    statement = f"The median stress at convergence of IRQP is {relation} that of {name}"
    return Claim(artefact, statement, basis, check, "", explanation)


def less_spread(artefact: str, opponent: str, basis: str, measure: str, explanation: str) -> Claim:
    """IRQP's final stress varies at most as much as the opponent's; measure "variance" or "interquartile
    range"."""
    name = SOLVERS[opponent]

    def check(params, tables):
        stress = by_run(shown(tables["runs"]), "stress")
        quartiles = stress.quantile([0.25, 0.75])
        spread = stress.var() if measure == "variance" else quartiles.loc[0.75] - quartiles.loc[0.25]
        ours, other = spread["irqp"], spread[opponent]
        return Finding(ours <= other, f"IRQP {ours:.1e}, {name} {other:.1e}")

    statement = f"The {measure} of the final stress of IRQP is at most that of {name}"
    return Claim(artefact, statement, basis, check, "", explanation)


def all_converged(artefact: str) -> Claim:
    """No run of any solver meets the cap on iterations."""

    def check(params, tables):
        runs = tables["runs"]
        capped = runs[~runs["converged"]]["solver"].map(SOLVERS).value_counts()
        found = ", ".join(f"{count} of {name}" for name, count in capped.items()) or "none"
        return Finding(capped.empty, f"runs that met the cap: {found} of {len(runs)} in all")

    statement = "Every run of the three optimisers reaches the tolerance before the cap on iterations"
    explanation = (
        "runs that meet the cap stay in all tables and figures, with the stress and time they had then"
    )
    return Claim(artefact, statement, OURS, check, "", explanation)
