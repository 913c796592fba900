"""The figure of the study: ARI and AUC of the wrong objects by data set, a marker for each kind of bases."""

import numpy as np

from credalbench.core.intervals import mean
from credalbench.plots import new_figure
from credalbench.plots.curves import jitter
from credalbench.plots.style import MUTED, TICK_SIZE, colour, marker, style_axes

from ..shared.base_kinds import KINDS
from ..shared.classified import NAMES
from ..shared.consensus_steps import PHRASES, TRIED
from .claims import ARTEFACT

LIMITS = (-0.05, 1.05)
ROWS = {"ari": "ARI", "error_auc": "AUC of wrong objects"}


def draw(params, tables):
    """Draw every ensemble faintly, means with their 95 % interval in front."""
    runs = tables["runs"]
    names = runs["dataset"].unique()
    figure = new_figure(max(9.0, 2.4 + 2.0 * len(names)), 6.4)
    axes = figure.subplots(len(ROWS), len(TRIED), sharey="row", squeeze=False)
    for column, closure in enumerate(TRIED):
        part = runs[runs["closure"] == closure]
        for row, (measure, ylabel) in enumerate(ROWS.items()):
            ax = axes[row, column]
            draw_kinds(ax, part, measure, names)
            title = f"({'abcd'[2 * row + column]}) {PHRASES[closure]}"
            style_axes(ax, title=title, ylabel="" if column else ylabel, grid="y")
            ax.set_ylim(*LIMITS)
            words = [NAMES[name].replace(" (", "\n(") for name in names]
            ax.set_xticks(range(len(names)), words, fontsize=TICK_SIZE)
    for ax in axes[1]:
        ax.axhline(0.5, color=MUTED, linewidth=1.0, linestyle=":", zorder=1)
    handles = axes[0, 0].get_legend_handles_labels()
    look = {"loc": "outside lower center", "ncols": 5, "frameon": False, "fontsize": TICK_SIZE + 1}
    figure.legend(*handles, title="kind of the base partitions (dotted: chance)", **look)
    return {ARTEFACT: figure}


def draw_kinds(ax, runs, measure, names):
    """Draw one measure: data sets from left to right, in each the kinds side by side."""
    for k, (kind, label) in enumerate(KINDS.items()):
        for place, name in enumerate(names):
            values = runs.loc[(runs["dataset"] == name) & (runs["kind"] == kind), measure].dropna().to_numpy()
            if len(values) == 0:
                continue
            at = place + 0.19 * (k - (len(KINDS) - 1) / 2)
            dots = {"ms": 3.0, "alpha": 0.4, "color": colour(k), "markeredgewidth": 0}
            ax.plot(at + jitter(len(values), 0.1), values, marker(k), zorder=2, **dots)
            found = mean(values)
            reach = np.nan_to_num(found.high - found.value, posinf=0.0)
            look = {"color": colour(k), "ms": 6, "markeredgecolor": "white", "markeredgewidth": 0.5}
            ax.errorbar(at, found.value, reach, fmt=marker(k), elinewidth=1.3, capsize=2.5, zorder=3, **look,
                        label=label if place == 0 else None)  # fmt: skip
