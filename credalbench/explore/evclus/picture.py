"""The picture of the EVCLUS explorer: four panels of `credalbench.plots`."""

from __future__ import annotations

import numpy as np
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from credalbench.explore.evclus.model import Fitted
from credalbench.explore.shared.kept_background import KeptBackground, fill_axes
from credalbench.plots import credal_scatter, shepard, transformation_curve
from credalbench.plots.credal import scatter_legend
from credalbench.plots.style import dress

WIDTH, HEIGHT, DPI = 9.6, 6.7, 100  # inches, inches, dots per inch
LEGEND_ROWS = 4  # as many clusters are listed below the map; more get their numbers written on it
_KEY = {True: ("number, marker, colour: cluster",), False: ("number, marker: cluster", "colour: true class")}


class EvclusPicture(KeptBackground):
    """Draws a `Fitted` of the EVCLUS model into PNG bytes."""

    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, DPI)
        self.map = self.figure.add_axes((0.07, 0.19, 0.54, 0.76))
        self.shepard = self.figure.add_axes((0.705, 0.545, 0.2833, 0.406))  # a square of 272 pixels
        self.curve = self.figure.add_axes((0.705, 0.305, 0.2833, 0.135))
        self.trace = self.figure.add_axes((0.705, 0.07, 0.2833, 0.135))
        self.steady = (self.map, self.shepard, self.curve)
        for ax in (*self.steady, self.trace):
            flat = ax in (self.curve, self.trace)
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10), integer=ax is self.trace))
            ax.yaxis.set_major_locator(MaxNLocator(3 if flat else 6, steps=(1, 2, 5, 10), min_n_ticks=2))

    def _draw(self, fitted: Fitted) -> None:
        subject = fitted.subject
        credal_scatter(
            self.map,
            subject.positions,
            fitted.partition,
            subject.y,
            legend=False,
            number_clusters=_many(fitted),
        )
        fill_axes(self.map, subject.positions)
        shepard(self.shepard, fitted.delta, fitted.kappa)
        transformation_curve(self.curve, fitted.gamma, fitted.d0, subject.shown_distances)
        self._draw_trace(fitted.stress_trace, fitted.n_iter)

    def _write_axes(self, fitted: Fitted) -> None:
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects})"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        dress(self.shepard, title="Shepard diagram")
        dress(self.curve, title="Transformation φ(d)")
        dress(self.trace, title="Stress of this fit", xlabel="iteration", ylabel="stress", grid="both")

    def _legend_key(self, fitted: Fitted) -> int:
        return fitted.partition.n_clusters

    def _make_legend(self, fitted: Fitted) -> Legend:
        subject = fitted.subject
        groups = scatter_legend(np.arange(fitted.partition.n_clusters), subject.y, subject.class_names)
        if _many(fitted):
            key = [Line2D([], [], linestyle="none", label=text) for text in _KEY[subject.y is None]]
            groups = [groups[-1], key]
        return self._legend_below(groups, (-0.02, -0.105), handlelength=1.6, columnspacing=2.0)


def _many(fitted: Fitted) -> bool:
    """Whether there are too many clusters or classes to list them below the map."""
    return max(fitted.partition.n_clusters, len(fitted.subject.class_names)) > LEGEND_ROWS
