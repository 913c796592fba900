"""The picture of the EGMM explorer: map with components, EBIC over numbers of clusters, weights, classes."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from credalbench.belief import CredalPartition
from credalbench.explore.egmm.fit import Fitted
from credalbench.explore.egmm.fits_over_clusters import best_point
from credalbench.explore.shared.hard_credal_map import in_columns, set_handles, sets_key
from credalbench.explore.shared.kept_background import KeptBackground, Layer, fill_axes, steady_frame
from credalbench.plots import component_ellipses, hard_credal_scatter
from credalbench.plots.mass_rows import bars
from credalbench.plots.mixtures import DASHES
from credalbench.plots.style import INK, MUTED, TICK_SIZE, dress, focal_colour

WIDTH, HEIGHT, DPI = 9.6, 6.2, 100  # inches, inches, dots per inch
LISTED = 8  # components beside their weights, the heaviest ones
REFUSED = "#B3123F"
BESIDE_BARS = {"fontsize": TICK_SIZE, "va": "center", "color": INK}


class EgmmPicture(KeptBackground):
    """Draws a `Fitted` of the EGMM model into PNG bytes."""

    TRACE_SCALES = ("y",)  # EBIC; the numbers of clusters stay

    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, DPI)
        self.map = self.figure.add_axes((0.06, 0.2, 0.57, 0.75))
        self.trace = self.figure.add_axes((0.72, 0.68, 0.268, 0.27))
        self.weights = self.figure.add_axes((0.72, 0.34, 0.268, 0.225))
        self.classes = self.figure.add_axes((0.705, 0.02, 0.2833, 0.235))
        self.steady = (self.map, self.weights, self.classes)
        self.map.yaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10)))
        self.trace.yaxis.set_major_locator(MaxNLocator(4, steps=(1, 2, 5, 10)))
        self.trace.xaxis.set_major_locator(MaxNLocator(10, integer=True))
        dress(self.trace, title="EBIC: the higher, the better", xlabel="clusters c")
        dress(self.weights, title="Mixing probabilities", grid=None)
        dress(self.classes, title="True classes", grid=None)
        self.classes.set(xticks=[], yticks=[])
        self.weights.spines["bottom"].set_visible(False)
        self.classes.spines[:].set_visible(False)
        self.weights.set(xlim=(0, 1), ylim=(LISTED + 0.5, -0.5), xticks=[], yticks=[])

    def _draw(self, fitted: Fitted) -> None:
        positions = fitted.subject.positions
        hard_credal_scatter(self.map, positions, fitted.partition, fitted.centers_on_map, legend=False)
        component_ellipses(
            self.map,
            fitted.means_on_map,
            fitted.covariances_on_map,
            fitted.partition.focal_sets,
            fitted.weights,
            least_weight=1 / len(positions),  # less than one object
        )
        fill_axes(self.map, steady_frame(positions))
        self._draw_weights(fitted)
        self._draw_curve(fitted)
        if fitted.subject.y is not None:
            truth = CredalPartition.from_labels(fitted.subject.y)
            hard_credal_scatter(self.classes, positions, truth, size=2.6, legend=False)
            fill_axes(self.classes, steady_frame(positions))

    def _draw_weights(self, fitted: Fitted) -> None:
        """A bar for each of the heaviest components, with its share of the objects."""
        family, c = fitted.partition.focal_sets, fitted.partition.n_clusters
        heaviest = _heaviest(fitted)
        weights = fitted.weights[heaviest]
        colours = [focal_colour(family.sets[j], c) for j in heaviest]
        rims = [0.7 * (len(family.sets[j]) > 1) for j in heaviest]
        look = {"facecolors": colours, "edgecolors": INK, "linewidths": rims, "joinstyle": "miter"}
        corners = bars(np.arange(len(weights)), np.zeros(len(weights)), weights, 0.66)
        self.weights.add_collection(PolyCollection(corners, **look), autolim=False)
        for place, weight in enumerate(weights):
            self.weights.text(weight + 0.02, place, f"{weight:.2f}", ha="left", **BESIDE_BARS)

    def _draw_curve(self, fitted: Fitted) -> None:
        """EBIC where it is known; a cross at the bottom where a fit was refused, a ring at the shown one."""
        ax, known = self.trace, [point for point in fitted.curve if point.ebic is not None]
        places, values = [point.n_clusters for point in known], np.array([point.ebic for point in known])
        for run in _runs(places):
            ax.plot([places[i] for i in run], values[run], color=MUTED, lw=1.2, zorder=2)
        ax.plot(places, values, "o", color=INK, ms=4.5, zorder=3)
        shown = {"marker": "o", "ms": 11, "mfc": "none", "mec": INK, "mew": 1.4, "zorder": 4}
        ax.plot(fitted.partition.n_clusters, fitted.ebic, **shown)
        low, high = values.min(), values.max()
        margin = max(0.15 * (high - low), 1.0)
        if fitted.is_complete:
            best = best_point(fitted.curve)
            ax.plot(best.n_clusters, best.ebic, "*", ms=10, color="#D55E00", mec="white", mew=0.5, zorder=5)
        refused = [point.n_clusters for point in fitted.curve if point.ebic is None]
        cross = {"color": REFUSED, "ms": 7, "mew": 1.6, "clip_on": False}
        ax.plot(refused, [low - 0.5 * margin] * len(refused), "x", **cross)
        ax.set_xlim(min(fitted.wanted) - 0.5, max(fitted.wanted) + 0.5)
        ax.set_ylim(low - margin, high + margin)

    def _write_axes(self, fitted: Fitted) -> None:
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects}): largest mass, and components"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        self.classes.set_visible(subject.y is not None)

    def _axes_key(self, fitted: Fitted) -> object:
        """Not the subject itself: while the overlap moves, axes stay."""
        subject = fitted.subject
        return subject.name, subject.n_objects, subject.axis_labels, subject.y is None

    def _legend_key(self, fitted: Fitted) -> Hashable:
        return sets_key(self.map, fitted.partition)

    def _layers(self, fitted: Fitted) -> list[Layer]:
        return [((fitted.partition.focal_sets, *_heaviest(fitted).tolist()), self._names)]

    def _names(self, fitted: Fitted) -> list[Text]:
        """The names of the heaviest components beside their bars, and how many there are besides."""
        labels, write = fitted.partition.focal_sets.labels, partial(self.weights.text, **BESIDE_BARS)
        names = [write(-0.02, place, labels[j], ha="right") for place, j in enumerate(_heaviest(fitted))]
        if len(labels) > LISTED:
            names.append(write(0, LISTED, f"{len(labels) - LISTED} lighter ones are not listed"))
        return names

    def _make_legend(self, fitted: Fitted) -> Legend:
        line = {"color": INK, "lw": 1.8}
        signs = [
            Line2D([], [], ls="none", marker="+", ms=9, mec=INK, mew=2.2, label="mean of a cluster"),
            Line2D([], [], label="component of a cluster", **line),
            Line2D([], [], ls=DASHES, label="component of a set", **line),
        ]
        columns = [*in_columns(set_handles(self.map, fitted.partition), 3), signs]
        return self._legend_below(columns, (-0.07, -0.115), handlelength=1.9, columnspacing=1.5)


def _heaviest(fitted: Fitted) -> np.ndarray:
    """The components of largest weight, in their order."""
    return np.sort(np.argsort(-fitted.weights, kind="stable")[:LISTED])


def _runs(places: list[int]) -> list[list[int]]:
    """Indices of consecutive places: a line joins what has no gap between."""
    runs: list[list[int]] = []
    for i, place in enumerate(places):
        if runs and place == places[runs[-1][-1]] + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs
