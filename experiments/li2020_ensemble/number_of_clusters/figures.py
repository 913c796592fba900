"""The figure of the study: each criterion against the number of clusters, a column for each data set."""

from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import INK, MUTED, TICK_SIZE, colour, line_style, log_axis, marker, style_axes

from ..shared.consensus_steps import PHRASES, TRIED
from .claims import ARTEFACT, chosen, titles

#: Criterion -> label of its row.
ROWS = {
    "stress": "stress",
    "bend": "bend of the stress",
    "credal_rand": "credal Rand index",
    "nonspecificity": "nonspecificity",
    "lifetime": "lifetime",
    "corrected": "corrected stability",
}


def draw(params, tables):
    """Draw means over the ensembles with 95 % intervals; a ring at the number that most prefer."""
    fits = tables["fits"]
    names = titles(fits)
    figure = new_figure(max(7.0, 1.6 + 2.0 * len(names)), 1.0 + 1.55 * len(ROWS))
    axes = figure.subplots(len(ROWS), len(names), squeeze=False, sharex="col")
    for column, (dataset, title) in enumerate(names.items()):
        part = fits[fits["dataset"] == dataset]
        for ax, criterion in zip(axes[:, column], ROWS):
            ax.axvline(part["n_classes"].iloc[0], color=MUTED, linewidth=1.0, linestyle=":", zorder=1)
            draw_criterion(ax, part, criterion)
            style_axes(ax, grid="y", ylabel="" if column else ROWS[criterion])
        axes[0, column].set_title(
            "\n".join(title.rsplit(", ", 1)), fontsize=TICK_SIZE + 1, loc="left", color=INK
        )
        axes[-1, column].set_xlabel("number of clusters c", fontsize=TICK_SIZE + 1)
        axes[-1, column].set_xticks(range(2, part["c"].max() + 1, 2))
    entries = axes[0, 0].get_legend_handles_labels()
    words = "dotted: number of classes; ring: what most ensembles prefer"
    figure.legend(
        *entries, loc="outside lower center", ncols=2, frameon=False, fontsize=TICK_SIZE + 1, title=words
    )
    return {ARTEFACT: figure}


def draw_criterion(ax, fits, criterion):
    """Draw one criterion on one data set, a line for each closure."""
    for k, closure in enumerate(TRIED):
        part = fits[fits["closure"] == closure].dropna(subset=criterion)
        places, centres, lows, highs = summarise(part, "c", criterion, "mean-ci")
        look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k), "ms": 3.5}
        ax.plot(places, centres, linewidth=1.3, label=PHRASES[closure], zorder=3, **look)
        ax.fill_between(places, lows, highs, color=colour(k), alpha=0.15, linewidth=0)
        best = chosen(part, criterion)["c"].mode().iloc[0]
        ring = {"ms": 9, "markerfacecolor": "none", "markeredgecolor": colour(k), "markeredgewidth": 1.4}
        ax.plot(best, centres[places == best], "o", zorder=4, **ring)
    if criterion == "stress":
        log_axis(ax.yaxis)
