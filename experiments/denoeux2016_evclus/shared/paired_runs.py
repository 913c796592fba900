"""Paired runs: three optimisers of EVCLUS from one and the same random start, timed.

What Section 3.2 of [denoeux2016_evclus] compares. The paper has two optimisers, the adaptive gradient
descent of the original EVCLUS and row-wise quadratic programming (IRQP); the third one here, L-BFGS, is
ours, because it is what one would reach for today.

A run is timed by the solver's own clock: it starts when the solver gets its starting masses and stops at the
last recorded stress. Reading data, dissimilarities, the transformation and compilation lie outside, for all
three alike. The runner gives every case one thread, so a time is the time of one core.
"""

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.metrics.external import adjusted_rand, misclassified
from credalbench.plots import box_by, new_figure, stress_traces
from credalbench.plots.style import colour, log_axis, marker

from .clock import milliseconds, warm_up

#: Solver of EVCLUS -> its name in figures; the order of every figure and table.
SOLVERS = {"gradient": "Gradient", "lbfgs": "L-BFGS", "irqp": "IRQP"}
SLACK = 1e-6  # stress values that differ by less count as equal
NEAR = 0.01  # a run "has arrived" when its stress is within 1 % of the lowest of all runs


# ---------------------------------------------------------------- computing


def random_start(n: int, c: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform random numbers, normalised by row: masses (n, c + 2) on the empty set, singletons and Omega."""
    masses = rng.random((n, len(FocalSets.simple(c))))
    return masses / masses.sum(axis=1, keepdims=True)


def paired_run(D, y, start, *, d0_quantile, tol, max_iter, n_repeats=1) -> dict[str, pd.DataFrame]:
    """Minimise the stress with each solver from the same start.

    Parameters
    ----------
    D, y : (n, n) array, (n,) int array
        Dissimilarities; true classes, whose number is the number of clusters asked for.
    start : (n, f) array
        Masses that every solver starts from.
    d0_quantile, tol, max_iter
        As in :class:`credalbench.cluster.EVCLUS`; 1.0 makes d0 the largest dissimilarity.
    n_repeats : int
        How often each solver repeats the very same run; the fastest counts.

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


def by_start(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """A column of the runs with one row per paired run and one column per solver."""
    axes = [name for name in ("dataset", "start") if name in runs]
    return runs.pivot(index=axes, columns="solver", values=column)


def arrival_times(traces: pd.DataFrame) -> pd.DataFrame:
    """Seconds until a run is first within 1 % of the lowest stress of all runs on these dissimilarities.

    One row per paired run, one column per solver; infinite where a run never gets there.
    """
    target = (1 + NEAR) * traces["stress"].min()
    arrived = traces[traces["stress"] <= target].groupby(["start", "solver"])["time_s"].min()
    everything = pd.MultiIndex.from_product([traces["start"].unique(), SOLVERS], names=["start", "solver"])
    return arrived.reindex(everything, fill_value=np.inf).unstack("solver")


def optimisers(params, tables) -> pd.DataFrame:
    """One row per solver: medians and quartiles of time and stress, iterations, runs that met the cap."""
    groups = shown(tables["runs"]).groupby("solver")
    time, stress = (groups[column].quantile([0.25, 0.5, 0.75]).unstack() for column in ("time_s", "stress"))
    columns = {
        "runs": groups.size(),
        "median time (ms)": (1e3 * time[0.5]).round(1),
        "quartiles of time": [f"{1e3 * low:.1f} to {1e3 * high:.1f}" for low, _, high in time.to_numpy()],
        "median stress": stress[0.5].round(5),
        "quartiles of stress": [f"{low:.5f} to {high:.5f}" for low, _, high in stress.to_numpy()],
        "median iterations": groups["n_iter"].median().astype(int),
        "median misclassified": groups["misclassified"].median(),
        "not converged": groups.size() - groups["converged"].sum(),
    }
    return pd.DataFrame(columns).loc[list(SOLVERS)].rename(index=SOLVERS)


def arrivals(params, tables) -> pd.DataFrame:
    """One row per solver: how many runs come within 1 % of the lowest stress, and when."""
    times = arrival_times(tables["traces"])[list(SOLVERS)].rename(columns=SOLVERS)
    columns = {
        "runs": len(times),
        "within 1 % of the lowest stress": np.isfinite(times).sum(),
        "first": times.min().map(milliseconds),
        "median": times.median().map(milliseconds),
        "last": times.max().map(milliseconds),
    }
    return pd.DataFrame(columns)


# ---------------------------------------------------------------- drawing


def in_milliseconds(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the column ``time_ms``, and the solvers' names as they are printed in figures."""
    return table.assign(time_ms=1e3 * table["time_s"], solver=table["solver"].map(SOLVERS))


def trace_figure(traces: pd.DataFrame):
    """Stress against time, one panel per solver; own time scales, one logarithmic scale of stress."""
    traces = in_milliseconds(traces).rename(columns={"start": "run"})
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
    """The largest of 1, 2, 5 times a power of ten below a positive value: where a logarithmic axis starts."""
    power = 10.0 ** np.floor(np.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value)
