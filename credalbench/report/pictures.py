"""The pictures of a report, as addresses that hold the picture itself: nothing is asked from anywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from credalbench.plots import credal_scatter, criterion_panels, new_figure, style, to_png
from credalbench.plots.credal_map import scatter_legend
from credalbench.plots.object_maps import classical_scaling, map_of_attributes
from credalbench.report.choice import Choice
from credalbench.report.comparison import Found
from credalbench.report.methods import takes_of
from credalbench.tables import UserTable

PANEL = 2.7  # inches: width of a map, and side of a criterion
HEIGHTS = (1.5, 3.2)  # of a map, least and most
LEGEND = 0.9  # height of the legend, a title and the name of an axis
SHARP = 160  # dots per inch
PIXELS = 100  # of a page in an inch


class Picture(NamedTuple):
    """A picture as an address that holds its data, and its width on a page in CSS pixels."""

    address: str
    width: int


def positions_of(table: UserTable) -> tuple[np.ndarray, tuple[str, str]]:
    """Return places (n, 2) of the objects on a map, and what its axes are called.

    Two attributes are the axes; of more the first two principal components are shown; dissimilarities are
    placed by classical scaling, in O(n^3).
    """
    if takes_of(table) == "X":
        places, labels = map_of_attributes(table.X.to_numpy(float), list(map(str, table.X.columns)))
    else:
        places, labels = classical_scaling(table.D.to_numpy(float))
    return places, tuple(label.replace("$", r"\$") for label in labels)  # else formulas begin


def maps(table: UserTable, found: Sequence[Found]) -> Picture:
    """Draw the partitions in a row, on the same axes and with the same numbers of clusters."""
    places, (x, y) = positions_of(table)
    width, height = np.maximum(np.ptp(places, axis=0), 1e-9 * np.ptp(places) or 1.0)
    panel = float(np.clip(PANEL * height / width, *HEIGHTS))
    figure = new_figure(PANEL * len(found), panel + LEGEND)
    for ax, one in zip(figure.subplots(1, len(found), squeeze=False)[0], found):
        credal_scatter(ax, places, one.partition, title=one.method.name, legend=False)
        style.without_ticks(ax)
    figure.supxlabel(x, fontsize=style.LABEL_SIZE, color=style.INK)
    figure.supylabel(y, fontsize=style.LABEL_SIZE, color=style.INK)
    outliers = any(one.partition.outliers().any() for one in found)
    handles = [
        sign
        for group in scatter_legend(range(found[0].partition.n_clusters), outliers=outliers)
        for sign in group
    ]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=8, frameon=False, fontsize=style.TICK_SIZE
    )
    return _as_picture(figure)


def criteria(choice: Choice) -> Picture:
    """Draw the criteria over the numbers of clusters that were tried."""
    curves = choice.curves
    figure = new_figure(PANEL * len(curves.criteria), PANEL)
    criterion_panels(figure, curves.estimates, curves.best, choice.n_clusters)
    return _as_picture(figure)


def _as_picture(figure: Figure) -> Picture:
    data = b64encode(to_png(figure, dpi=SHARP)).decode("ascii")
    return Picture(f"data:image/png;base64,{data}", round(figure.get_figwidth() * PIXELS))
