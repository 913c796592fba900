"""The way of the objective, start by start."""

from matplotlib.ticker import MaxNLocator

from credalbench.plots import PALETTE, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, style_axes

from ..shared.tables import TITLES
from .claims import CLUSTERS


def draw_traces(traces):
    """Draw the objective of every start at the paper's alpha and beta, relative to its first value."""
    figure = new_figure(9.4, 3.3)
    for ax, name in zip(figure.subplots(1, len(TITLES), sharey=True), TITLES):
        for _, run in traces[traces["dataset"] == name].groupby("start"):
            values = run["objective"] / run["objective"].iloc[0]
            ax.plot(run["iteration"], values, color=PALETTE[0], alpha=0.5, linewidth=1.1)
            ax.plot(run["iteration"].iloc[-1], values.iloc[-1], "o", ms=4.5, color=PALETTE[1], mec="white")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        style_axes(ax, title=f"{TITLES[name]}, c = {CLUSTERS[name]}", xlabel="iteration")
    figure.axes[0].set_ylabel("objective, relative to the start", fontsize=LABEL_SIZE, color=INK)
    return figure
