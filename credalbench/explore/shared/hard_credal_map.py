"""What pictures with a map of hard credal partitions share: the true classes beside it, its legend."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from credalbench.belief import CredalPartition
from credalbench.explore.shared.kept_background import fill_axes
from credalbench.explore.shared.subjects.tables import Table
from credalbench.plots import hard_credal_scatter

LISTED = 4  # focal sets in a column of the legend; of more than three columns the rest is "..."


def true_classes(ax: Axes, subject: Table) -> None:
    """Draw the true classes on axes of their own, which stay empty where classes are unknown.

    Clusters that are numbered after the classes have their colours.
    """
    ax.clear()
    ax.set(xticks=[], yticks=[])
    if subject.y is None:
        ax.set_axis_off()
        return
    truth = CredalPartition.from_labels(subject.y)
    hard_credal_scatter(ax, subject.positions, truth, size=2.6, legend=False, title="True classes")
    ax.spines[:].set_visible(False)
    fill_axes(ax, subject.positions)


def drawn_by_label(ax: Axes) -> dict[str, Line2D]:
    """Return what is drawn on the map, by its label."""
    return dict(zip(*reversed(ax.get_legend_handles_labels())))


def listed_sets(drawn: Mapping[str, Line2D], partition: CredalPartition) -> list[str]:
    """Labels of the focal sets that are `drawn`, in their order; the rest of very many is "…"."""
    labels = [label for label in partition.focal_sets.labels if label in drawn]
    return labels if len(labels) <= 3 * LISTED else [*labels[: 3 * LISTED - 1], "…"]


def set_handles(ax: Axes, partition: CredalPartition) -> list[Line2D]:
    """Handles of the focal sets that occur on the map, as `listed_sets` names them."""
    drawn = drawn_by_label(ax)
    rest = Line2D([], [], ls="none", label="…")
    return [swatch(drawn[label]) if label in drawn else rest for label in listed_sets(drawn, partition)]


def sets_key(ax: Axes, partition: CredalPartition) -> Hashable:
    """What the handles of the focal sets on the map depend on."""
    return partition.focal_sets, *listed_sets(drawn_by_label(ax), partition)


def swatch(artist: Line2D, ms: float = 6.5, mew: float = 1.0) -> Line2D:
    """Handle that looks like the markers of an artist, in the size of a legend."""
    face, edge = artist.get_markerfacecolor(), artist.get_markeredgecolor()
    look = {"marker": artist.get_marker(), "mfc": face, "mec": edge, "ms": ms, "mew": mew}
    return Line2D([], [], ls="none", label=artist.get_label(), **look)


def in_columns(handles: Sequence[Line2D], length: int = LISTED) -> list[list[Line2D]]:
    """Break handles into columns of a legend."""
    return [list(handles[k : k + length]) for k in range(0, len(handles), length)]
