"""Figures 3 and 4: the curve of the nonspecificity in each reading, and the map of seven clusters."""

from credalbench.belief import CredalPartition
from credalbench.plots import curve_with_errors, hard_credal_scatter, new_figure
from credalbench.plots.style import INK, MUTED, TICK_SIZE, legend_outside

from ..shared.restarts import best_of_each
from ..shared.tables import at_most_pairs
from .claims import CLASSES, FIRST, READINGS, of


def draw_curve(runs):
    """Draw the mean nonspecificity of what the experiments keep, with its interval, against c."""
    figure = new_figure(7.2, 4.2)
    ax = figure.subplots()
    best = best_of_each(runs, "focal_sets", "convention", "c")
    names = [READINGS[reading] for reading in zip(best["focal_sets"], best["convention"])]
    curve_with_errors(ax, best.assign(reading=names), "c", "nonspecificity", "reading", "mean-ci")
    ax.axvline(CLASSES, color=MUTED, linestyle=":", linewidth=1.2, zorder=0)
    ax.annotate("printed minimum", (CLASSES, ax.get_ylim()[1]), (-4, -9), textcoords="offset points",
                ha="right", fontsize=TICK_SIZE, color=MUTED)  # fmt: skip
    ax.set_xlabel("number of clusters c")
    ax.set_ylabel("nonspecificity N*")
    ax.set_ylim(bottom=0)
    return figure


def draw_map(tables):
    """Draw every animal with the look of its set of largest mass; those on several clusters by name."""
    animals = of(tables, "animals", FIRST)
    focal_sets = at_most_pairs(CLASSES)
    chosen = [focal_sets.labels.index(label) for label in animals["focal_set"]]
    masses = [[float(j == place) for j in range(len(focal_sets))] for place in chosen]
    figure = new_figure(9.2, 5.6)
    ax = figure.subplots()
    partition = CredalPartition(masses, focal_sets)
    hard_credal_scatter(ax, animals[["x", "y"]], partition, legend=False, title=f"Zoo, c = {CLASSES}")
    between = animals[animals["set"].str.contains("+", regex=False)]
    for place, rows in between.groupby([between["x"].round(6), between["y"].round(6)]):
        text = ", ".join(rows["animal"])
        ax.annotate(text, place, (5, 4), textcoords="offset points", fontsize=TICK_SIZE, color=INK)
    ax.set_xlabel(f"axis 1, {animals['share_x'].iloc[0]:.0%} of the inertia")
    ax.set_ylabel(f"axis 2, {animals['share_y'].iloc[0]:.0%}")
    handles, labels = ax.get_legend_handles_labels()
    names = dict(zip(animals["focal_set"], animals["set"]))
    counts = animals["focal_set"].value_counts()
    legend_outside(ax, handles, labels=[f"{k} {names[k]}: {counts[k]}" for k in labels])
    return figure
