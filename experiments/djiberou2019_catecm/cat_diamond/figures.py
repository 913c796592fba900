"""Figure 2 twice: the masses with equation (10) as printed, and without its factor 1/p."""

from credalbench.plots import mass_curves, new_figure

from ..shared.tables import PLACES
from .claims import WAYS, in_order, partition_of, solution

SHOWN = ("printed", "without 1/p")


def draw_masses(params, tables):
    """Draw the global minimum of two ways, one below the other, objects from left to right."""
    figure = new_figure(7.4, 5.6)
    axes = figure.subplots(len(SHOWN), 1, sharex=True)
    for ax, way in zip(axes, SHOWN):
        partition = partition_of(in_order(solution(tables, way, PLACES[0])))
        title = f"{WAYS[way][0].upper()}{WAYS[way][1:]}, delta = {params.delta:g}"
        mass_curves(ax, partition, title=title, legend=ax is axes[0])
    axes[0].set_xlabel("")
    return figure
