"""The figure of the study: how often each criterion, and the recommendation, finds the number of classes."""

from __future__ import annotations

from credalbench.plots import new_figure
from credalbench.plots.style import MUTED, TICK_SIZE, colour, dress, marker

from .claims import ARTEFACT, shares

GROUPS = {"all": "in all runs", "clear": "where the opinion is clear"}


def draw(params, tables):
    """Shares of right numbers with 95 % intervals, a row for each criterion and confidence."""
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
    dress(ax, xlabel="share of the runs in which the number of classes is found", grid="x")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=TICK_SIZE + 1)
    return {ARTEFACT: figure}
