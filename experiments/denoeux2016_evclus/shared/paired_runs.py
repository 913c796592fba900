"""Paired runs: three optimisers of EVCLUS from one and the same random start, timed.

What Section 3.2 of [denoeux2016_evclus] compares. The paper has two optimisers: the gradient descent of the
original EVCLUS, here with the adaptive steps and the stopping rule of the authors' program, and row-wise
quadratic programming (IRQP). The third one, L-BFGS, is ours, because it is the usual choice today.

The solver measures its time from its starting masses to the last recorded stress. Reading data,
dissimilarities, the transformation and compilation are not included for any of the three. The runner gives
every case one thread, so a time is the time of one core. The tables also count evaluations of the stress,
passes over all pairs, which depend on the algorithm alone.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.metrics.external import adjusted_rand, misclassified
from credalbench.plots import box_plot, new_figure, stress_traces
from credalbench.plots.style import axis_label, colour, log_axis, marker

from .clock import LONG, milliseconds, warm_up

#: Solver of EVCLUS -> its name; the order of every figure and table, those of the paper first.
SOLVERS = {"gradient": "Gradient", "irqp": "IRQP", "lbfgs": "L-BFGS"}
#: Solver -> its name in figures.
LEGEND = SOLVERS | {"lbfgs": "L-BFGS (ours)"}
NEAR = 0.01  # a run "has arrived" when its stress is within 1 % of the lowest of all runs


# ---------------------------------------------------------------- computing


def random_start(n: int, c: int, rng: np.random.Generator) -> np.ndarray:
    """Draw uniform masses (n, c + 2) on the empty set, singletons and Omega, normalised by row."""
    masses = rng.random((n, len(FocalSets.simple(c))))
    return masses / masses.sum(axis=1, keepdims=True)


def paired_run(
    D, y, start, *, d0_quantile, tol, max_iter, n_repeats=1, solvers: Iterable[str] = SOLVERS
) -> dict[str, pd.DataFrame]:
    """Minimise the stress with each solver from the same start, masses (n, f).

    The options are those of :class:`credalbench.cluster.EVCLUS`; with ``d0_quantile=1.0`` d0 is the largest
    dissimilarity. Each solver repeats the very same run up to `n_repeats` times, if it is a short one; the
    fastest counts. The table ``traces`` has a row for each solver and iteration, ``runs`` for each solver:
    ``continued_stress`` is the stress that IRQP reaches when it continues from the solver's final masses. A
    point that IRQP leaves is not a local minimum, at which no single row can improve.
    """
    warm_up()
    options = {"d0_quantile": d0_quantile, "metric": "precomputed", "tol": tol, "max_iter": max_iter}
    c = int(y.max()) + 1
    traces, runs = [], []
    for solver in solvers:
        fit = fastest_fit(n_repeats, D, c, solver=solver, init=start, **options)
        again = EVCLUS(c, solver="irqp", init=fit.partition_.masses, **options).fit(D)
        columns = {"iteration": range(fit.n_iter_ + 1), "time_s": fit.time_trace_}
        columns |= {"n_evaluations": fit.evaluation_trace_, "stress": fit.objective_trace_}
        traces.append(pd.DataFrame({"solver": solver, **columns}))
        labels = fit.partition_.labels("plausibility")
        runs.append(
            {
                "solver": solver,
                "time_s": fit.time_trace_[-1],
                "stress": fit.objective_,
                "n_iter": fit.n_iter_,
                "n_evaluations": fit.n_evaluations_,
                "converged": fit.converged_,
                "continued_stress": again.objective_,
                "misclassified": misclassified(y, labels),
                "ari": adjusted_rand(y, labels),
            }
        )
    return {"traces": pd.concat(traces, ignore_index=True), "runs": pd.DataFrame(runs)}


def fastest_fit(n_repeats: int, D: np.ndarray, c: int, **parameters) -> EVCLUS:
    """Return the fastest of up to `n_repeats` fits, which are all alike; a long one is not repeated."""
    fits = [EVCLUS(c, **parameters).fit(D)]
    while len(fits) < n_repeats and fits[0].time_trace_[-1] < LONG:
        fits.append(EVCLUS(c, **parameters).fit(D))
    return min(fits, key=lambda fit: fit.time_trace_[-1])


# ---------------------------------------------------------------- reading the tables


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that the figures show: those of the first data set if there are several."""
    return table[table["dataset"] == 0] if "dataset" in table else table


def by_start(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of the runs with one row per paired run and one column per solver."""
    axes = [name for name in ("dataset", "start") if name in runs]
    return runs.pivot(index=axes, columns="solver", values=column)


def arrival_times(traces: pd.DataFrame) -> pd.DataFrame:
    """Return the seconds until a run is first within 1 % of the lowest stress on these dissimilarities.

    One row per paired run, one column per solver; infinite where a run never gets there.
    """
    target = (1 + NEAR) * traces["stress"].min()
    arrived = traces[traces["stress"] <= target].groupby(["start", "solver"])["time_s"].min()
    everything = pd.MultiIndex.from_product([traces["start"].unique(), SOLVERS], names=["start", "solver"])
    return arrived.reindex(everything, fill_value=np.inf).unstack("solver")


def optimisers(params, tables) -> pd.DataFrame:
    """Tabulate medians and quartiles of time and stress, iterations, and capped runs, by solver."""
    groups = shown(tables["runs"]).groupby("solver")
    time, stress = (groups[column].quantile([0.25, 0.5, 0.75]).unstack() for column in ("time_s", "stress"))
    columns = {
        "runs": groups.size(),
        "median time (ms)": (1e3 * time[0.5]).round(1),
        "quartiles of time": [f"{1e3 * low:.1f} to {1e3 * high:.1f}" for low, _, high in time.to_numpy()],
        "median stress": stress[0.5].round(5),
        "quartiles of stress": [f"{low:.5f} to {high:.5f}" for low, _, high in stress.to_numpy()],
        "median iterations": groups["n_iter"].median().astype(int),
        "median evaluations of the stress": groups["n_evaluations"].median().astype(int),
        "median misclassified": groups["misclassified"].median(),
        "not converged": groups.size() - groups["converged"].sum(),
    }
    return pd.DataFrame(columns).loc[list(SOLVERS)].rename(index=LEGEND)


def arrivals(params, tables) -> pd.DataFrame:
    """Tabulate how many runs come within 1 % of the lowest stress, and when, by solver."""
    times = arrival_times(tables["traces"])[list(SOLVERS)].rename(columns=LEGEND)
    columns = {
        "runs": len(times),
        "within 1 % of the lowest stress": np.isfinite(times).sum(),
        "first": times.min().map(milliseconds),
        "median": times.median().map(milliseconds),
        "last": times.max().map(milliseconds),
    }
    return pd.DataFrame(columns)


# ---------------------------------------------------------------- drawing


def as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the solvers' names and the units of figures."""
    names = {"n_iter": "iterations", "n_evaluations": "evaluations of the stress", "start": "run"}
    return table.rename(columns=names).assign(
        time_ms=1e3 * table["time_s"], solver=table["solver"].map(LEGEND)
    )


def trace_figure(traces: pd.DataFrame):
    """Draw stress against time, a panel per solver, the paper's first; below, against evaluations.

    All axes are logarithmic; the panels of a row share theirs (in the paper each has its own time).
    """
    traces = as_printed(traces)
    figure = new_figure(10.5, 6.6)
    panels = figure.subplots(2, 3, sharey=True)
    for row, x, letters in zip(panels, ("time_ms", "evaluations of the stress"), ("abc", "def")):
        ends = 0.9 * traces.loc[traces[x] > 0, x].min(), 1.2 * traces[x].max()
        for k, (ax, solver) in enumerate(zip(row, SOLVERS)):
            name = LEGEND[solver] if x == "time_ms" else f"{SOLVERS[solver]}, by evaluations (ours)"
            mine = traces[traces["solver"] == LEGEND[solver]]
            stress_traces(ax, mine, x=x, log_time=True, title=f"({letters[k]}) {name}")
            for line in ax.lines:  # each solver keeps its colour and marker from figure to figure
                line.set_color(colour(k))
                line.set_marker(marker(k) if line.get_marker() != "None" else "None")
            ax.set_ylabel("stress (logarithmic)" if k == 0 else None)
            ax.set_xlim(*ends)
            log_axis(ax.xaxis)
    log_axis(panels[0, 0].yaxis)
    return figure


def box_figure(runs: pd.DataFrame):
    """Draw a box per solver: time and final stress, as in the paper; iterations and evaluations."""
    runs, names = as_printed(runs), list(LEGEND.values())
    figure = new_figure(10, 7.2)
    panels = figure.subplots(2, 2)
    values = {
        "time_ms": "(a) Computing time",
        "stress": "(b) Stress at convergence",
        "iterations": "(c) Iterations or sweeps (ours)",
        "evaluations of the stress": "(d) Evaluations of the stress (ours)",
    }
    for ax, (value, title) in zip(panels.flat, values.items()):
        box_plot(ax, runs, value, "solver", order=names, title=title)
        if value != "stress":
            ax.set_ylim(_tick_below(runs[value].min()), 1.2 * runs[value].max())
            log_axis(ax.yaxis)
            ax.set_ylabel(axis_label(value, log=True))
    return figure


def _tick_below(value: float) -> float:
    """Return the largest of 1, 2, 5 times a power of ten below a positive value, to start an axis."""
    power = 10.0 ** np.floor(np.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value)
