"""How often each criterion, and the recommendation, finds the number of classes; and why EBIC does not."""

import numpy as np

from credalbench.core.intervals import mean
from credalbench.plots import new_figure
from credalbench.plots.curves import error_curve
from credalbench.plots.style import INK, MUTED, TICK_SIZE, colour, log_axis, marker, style_axes

from .claims import ARTEFACT, LEAD, PRINTED, SETS, largest_gain, printed_lead, shares
from .lead import expected_lead

GROUPS = {"all": "in all", "clear": "where the vote is clear"}


def draw(params, tables):
    return {ARTEFACT: draw_shares(tables), LEAD: draw_lead(tables)}


def draw_shares(tables):
    """Draw the shares of right numbers with 95 % intervals, a row for each criterion and agreement."""
    found = shares(tables)
    figure = new_figure(7.5, 1.4 + 0.42 * len(found))
    ax = figure.subplots()
    ax.axvline(0.5, color=MUTED, linewidth=1.0, linestyle=":", zorder=1)
    for k, (group, words) in enumerate(GROUPS.items()):
        rows = [(row, groups[group]) for row, groups in enumerate(found.values()) if group in groups]
        for row, estimate in rows:
            look = {"color": colour(k), "marker": marker(k), "markersize": 6.5, "capsize": 3}
            reach = [[estimate.value - estimate.low], [estimate.high - estimate.value]]
            place = row + 0.13 * (2 * k - 1)
            ax.errorbar(estimate.value, place, xerr=reach, label=words if row == rows[0][0] else None, **look)
    ax.set_yticks(range(len(found)), list(found))
    ax.set(xlim=(-0.02, 1.02), ylim=(len(found) - 0.5, -0.5))
    style_axes(ax, xlabel="share of the draws on which most runs find the number of classes", grid="x")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=TICK_SIZE + 1)
    return figure


def draw_lead(tables):
    """Draw how far EBIC is higher with four clusters than with fewer, against the number of objects."""
    figure, rows = new_figure(7.5, 4.6), tables["lead"]
    ax = figure.subplots()
    ax.axhline(0, color=INK, linewidth=1.0, zorder=1)
    places = np.geomspace(rows["n"].min(), rows["n"].max(), 60)
    for k, (focal_sets, words) in enumerate(SETS.items()):
        part = rows[rows["focal_sets"] == focal_sets].groupby("n")["lead"]
        aside = 1.02 ** (k - 1)  # so that intervals of the same draws do not cover each other
        found = [(n * aside, one.value, one.low, one.high) for n, one in part.agg(mean).items()]
        error_curve(ax, *np.transpose(found).astype(float), k, label=words)
        law = expected_lead(places, largest_gain(tables, focal_sets), focal_sets)
        ax.plot(places, law, color=colour(k), linewidth=1.0, linestyle=":")
    star = {"color": INK, "ms": 13, "ls": "none", "label": "Table 4, as printed"}
    ax.plot(PRINTED["n_objects"].value, printed_lead(), "*", **star)
    log_axis(ax.xaxis)
    style_axes(
        ax, xlabel="objects of Four-class", ylabel="EBIC with 4 clusters less that with fewer", grid="both"
    )
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=TICK_SIZE + 1)
    return figure
