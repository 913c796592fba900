"""Figures 6 to 10: mean Rand indices of random trials with their intervals, and active learning."""

import numpy as np

from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import TICK_SIZE, colour, line_style, marker, style_axes

from .claims import ARTEFACTS, NAMES, active_curve, random_trials


def draw(params, tables):
    runs, figures = tables["runs"], {}
    for artefact, dataset in ARTEFACTS.items():
        if dataset not in set(runs["dataset"]):
            continue
        figures[artefact] = new_figure(6.4, 4.2)
        ax = figures[artefact].subplots()
        (draw_objects if artefact == "cecm-fig-06" else draw_selections)(ax, runs, dataset)
        style_axes(ax, title=NAMES[dataset], xlabel="number of constraints", ylabel="Rand index", grid="both")
        ax.legend(frameon=False, fontsize=TICK_SIZE, loc="best", handlelength=3.0)
    return figures


def draw_objects(ax, runs, dataset):
    """Draw random trials over all objects, and over those in no constraint."""
    draw_random(ax, random_trials(runs, dataset), 0, "all objects")
    draw_random(ax, random_trials(runs, dataset, column="ri_unconstrained"), 1, "unconstrained objects")


def draw_selections(ax, runs, dataset):
    """Draw active learning after every answer; random constraints from the same start and, ours, going on."""
    curve, trials = active_curve(runs, dataset), random_trials(runs, dataset)
    on_grid = np.flatnonzero(curve.index.isin(trials.columns)).tolist()
    look = {"color": colour(0), "linestyle": line_style(0), "marker": marker(0), "markevery": on_grid}
    ax.plot(curve.index, curve, ms=5.5, lw=1.5, zorder=3, label="active learning", **look)
    last, most = curve.index[-1], trials.columns[-1]
    if most > last:
        look = {"linestyle": ":", "color": colour(0), "lw": 1.5, "label": "all pairs settled"}
        ax.plot([last, most], [curve[last]] * 2, **look)
    draw_random(ax, trials, 1, "random, same start (mean, 95 % interval)")
    going_on = random_trials(runs, dataset, "previous")
    draw_random(ax, going_on, 2, f"random, previous start ({len(going_on)} trials, not in the paper)")


def draw_random(ax, trials, k, label):
    """Draw the mean and 95 % interval over trials, in look number k."""
    places, mean, low, high = summarise(trials.melt(), "n_constraints", "value", "mean-ci")
    look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k)}
    ax.errorbar(places, mean, [mean - low, high - mean], capsize=3, ms=5.5, lw=1.5, label=label, **look)
