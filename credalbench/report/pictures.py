"""Draw the pictures of a report as data URLs."""

from base64 import b64encode
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from credalbench.belief import ClusterProfiles, CredalPartition
from credalbench.plots import credal_scatter, new_figure, profile_lines, share_bars, style, to_png
from credalbench.plots.credal_map import scatter_legend
from credalbench.plots.object_maps import classical_scaling, map_of_attributes
from credalbench.report.description import strongest_rows
from credalbench.report.methods import input_of
from credalbench.select import SilhouetteChoice
from credalbench.tables import UserTable

PANEL = 2.7  # width of a map, and height of the picture of criteria, in inches
HEIGHTS = (1.5, 3.2)  # smallest and largest height of a map, in inches
LEGEND = 0.9  # height of the legend, a title and an axis label, in inches
LEGEND_ROW = 0.18  # height of each further row of the legend
NARROW = 4.6  # width of pictures that small screens hardly shrink, in inches
MAX_ROWS = 12  # of a picture of profiles
ROW = 0.2, 0.065  # height of such a row, plus the height for each cluster, in inches
TALLEST = 5.0  # largest height of a picture of profiles, in inches
DPI = 160  # dots per inch of the pictures
CSS_DPI = 100  # CSS pixels per inch on the page


class Picture(NamedTuple):
    """Picture: its data URL, its width in CSS pixels, and its alternative text."""

    address: str
    width: int
    alt: str = ""


def object_positions(table: UserTable) -> tuple[np.ndarray, tuple[str, str]]:
    """Return the positions (n, 2) of the objects on a map, and the labels of its axes.

    The axes are the two attributes, or the first two principal components if there are more. Dissimilarities
    are mapped by classical scaling, in O(n³).
    """
    if input_of(table) == "X":
        positions, labels = map_of_attributes(table.X.to_numpy(float), list(map(str, table.X.columns)))
    else:
        positions, labels = classical_scaling(table.D.to_numpy(float))
    return positions, tuple(label.replace("$", r"\$") for label in labels)  # labels are not formulas


def draw_maps(table: UserTable, partitions: Mapping[str, CredalPartition]) -> Picture:
    """Draw maps of partitions in a row, with their titles, the same axes and the same cluster numbers."""
    positions, (x, y) = object_positions(table)
    width, height = np.maximum(np.ptp(positions, axis=0), 1e-9 * np.ptp(positions) or 1.0)
    panel = float(np.clip(PANEL * height / width, *HEIGHTS))
    outliers = any(one.outliers().any() for one in partitions.values())
    n_clusters = max(one.n_clusters for one in partitions.values())
    handles = [*chain.from_iterable(scatter_legend(range(n_clusters), outliers=outliers))]
    columns = 4 if len(partitions) == 2 else 8
    legend = LEGEND + LEGEND_ROW * ((len(handles) - 1) // columns)
    figure = new_figure(PANEL * len(partitions), panel + legend)
    for ax, (title, one) in zip(figure.subplots(1, len(partitions), squeeze=False)[0], partitions.items()):
        credal_scatter(ax, positions, one, title=title, legend=False, convex=False)
        style.without_ticks(ax)
    figure.supxlabel(x, fontsize=style.LABEL_SIZE, color=style.INK)
    figure.supylabel(y, fontsize=style.LABEL_SIZE, color=style.INK)
    look = {"ncols": columns, "frameon": False, "fontsize": style.TICK_SIZE}
    figure.legend(handles=handles, loc="outside upper center", **look)
    return _as_picture(figure)


def draw_silhouettes(choice: SilhouetteChoice) -> Picture:
    """Draw the score and the mean silhouette of the candidate numbers, and the range of the references."""
    figure = new_figure(2 * PANEL, PANEL)
    axes = figure.add_subplot()
    score, silhouette = choice.criteria["score"], choice.criteria["silhouette"]
    reached = choice.references.min(), choice.references.max()
    axes.axhspan(*reached, color=style.FAINT, label="mean silhouette of data without clusters")
    axes.plot(score, marker="o", color=style.INK, label="score")
    axes.plot(choice.best, score[choice.best], marker="*", markersize=14, color=style.INK, label="best")
    axes.plot(silhouette, marker=".", linestyle="--", color=style.INK, label="mean silhouette")
    axes.set_xticks(score.index)
    axes.set_xlabel("number of clusters")
    axes.legend(frameon=False, fontsize=style.TICK_SIZE)
    return _as_picture(figure)


def draw_profiles(profiles: ClusterProfiles) -> list[Picture]:
    """Draw the strongest numbers as parallel coordinates, and the strongest categories as bars."""
    pairs, c = strongest_rows(profiles), len(profiles.sizes)
    row = ROW[0] + ROW[1] * c
    numbers = [name for name, value in pairs if value is None][: min(MAX_ROWS, int(TALLEST / row))]
    values = [pair for pair in pairs if pair[1] is not None][:MAX_ROWS]
    pictures = []
    if numbers:
        figure = new_figure(NARROW, row * len(numbers) + LEGEND + 0.2 * (c // 4))
        profile_lines(figure.subplots(), profiles, numbers)
        figure.legend(loc="outside upper left", ncols=4, frameon=False, fontsize=style.TICK_SIZE)
        alt = "Means and quartiles of the clusters in each number, as in the table below."
        pictures.append(_as_picture(figure)._replace(alt=alt))
    if values:
        figure = new_figure(NARROW, 0.3 * len(values) + 0.5)
        share_bars(figure.subplots(), profiles, values)
        alt = "Shares of each value in the clusters, with a tick for the rest, as in the table below."
        pictures.append(_as_picture(figure)._replace(alt=alt))
    return pictures


def _as_picture(figure: Figure) -> Picture:
    data = b64encode(to_png(figure, dpi=DPI)).decode("ascii")
    return Picture(f"data:image/png;base64,{data}", round(figure.get_figwidth() * CSS_DPI))
