"""The picture of the EVCLUS explorer: four panels of `credalbench.plots`, redrawn fast enough for a slider.

Axes, ticks, titles and the legend change rarely and cost most of the time of a redraw. They are drawn once
into a background; a move of a slider restores the background and draws only the data on top.
"""

import io
from itertools import chain
from time import perf_counter

import numpy as np
import pandas as pd
from matplotlib.image import imsave
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from credalbench.plots import credal_scatter, new_figure, shepard, stress_traces, transformation_curve
from credalbench.plots.credal import scatter_legend
from credalbench.plots.style import TICK_SIZE, dress

WIDTH, HEIGHT, DPI = 9.6, 6.7, 100  # inches, inches, dots per inch
LEGEND_ROWS = 4  # as many clusters are listed below the map; more get their numbers written on it
_KEY = {True: ("number, marker, colour: cluster",), False: ("number, marker: cluster", "colour: true class")}


class EvclusPicture:
    """Draws a `Fitted` of the EVCLUS model into PNG bytes; keeps its figure from one drawing to the next.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
    draw_ms : float
        Time of the last drawing, encoding included.
    """

    def __init__(self):
        self.figure = new_figure(WIDTH, HEIGHT, dpi=DPI, layout=None)
        self.map = self.figure.add_axes((0.07, 0.19, 0.54, 0.76))
        self.shepard = self.figure.add_axes((0.705, 0.545, 0.2833, 0.406))  # a square of 272 pixels
        self.curve = self.figure.add_axes((0.705, 0.305, 0.2833, 0.135))
        self.trace = self.figure.add_axes((0.705, 0.07, 0.2833, 0.135))
        for ax in self._axes:
            flat = ax in (self.curve, self.trace)
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10), integer=ax is self.trace))
            ax.yaxis.set_major_locator(MaxNLocator(3 if flat else 6, steps=(1, 2, 5, 10), min_n_ticks=2))
        self.trace.set_animated(True)  # its scales change with every fit: never part of the background
        self._axes_shown, self._axes_pixels = None, None
        self._legend_shown, self._background = None, None
        self.draw_ms = float("nan")

    @property
    def _axes(self):
        return (self.map, self.shepard, self.curve, self.trace)

    @property
    def _steady(self):
        return (self.map, self.shepard, self.curve)

    def png(self, fitted):
        """Return the picture of a fit as PNG bytes."""
        start = perf_counter()
        for ax in self._axes:
            for artist in _data_artists(ax):
                artist.remove()
        self._draw_map(fitted)
        self._draw_diagnostics(fitted)
        self._render(fitted)
        data = self._encode()
        self.draw_ms = 1e3 * (perf_counter() - start)
        return data

    def _draw_map(self, fitted):
        subject = fitted.subject
        many = _many(fitted)
        credal_scatter(
            self.map, subject.positions, fitted.partition, subject.y, legend=False, number_clusters=many
        )
        low, high = subject.positions.min(axis=0), subject.positions.max(axis=0)
        box = self.map.get_window_extent()
        # The larger span fills its side of the box, with a margin; the unit is the same on both axes.
        unit = 1.1 * max((high - low) / (box.width, box.height))
        for set_limits, middle, length in zip(
            (self.map.set_xlim, self.map.set_ylim), (low + high) / 2, (box.width, box.height)
        ):
            set_limits(middle - unit * length / 2, middle + unit * length / 2)

    def _draw_diagnostics(self, fitted):
        subject = fitted.subject
        shepard(self.shepard, fitted.delta, fitted.kappa)
        transformation_curve(self.curve, fitted.gamma, fitted.d0, subject.shown_distances)
        table = {"run": 0, "iteration": np.arange(fitted.n_iter + 1), "stress": fitted.stress_trace}
        stress_traces(self.trace, pd.DataFrame(table), x="iteration")
        self.trace.set_xlim(0, 1.03 * max(fitted.n_iter, 1))
        low, high = fitted.stress_trace.min(), fitted.stress_trace.max()
        margin = max(0.12 * (high - low), 0.02 * high, 1e-12)
        self.trace.set_ylim(max(low - margin, 0), high + margin)

    def _render(self, fitted):
        """Draw data over the kept background; renew the parts of the background that have changed."""
        data = [
            (ax, sorted(_data_artists(ax), key=lambda artist: artist.get_zorder())) for ax in self._steady
        ]
        for _, artists in data:
            for artist in artists:
                artist.set_animated(True)  # left out of an ordinary draw, so the background stays clean
        self._renew_background(fitted)
        self.figure.canvas.restore_region(self._background)
        for ax, artists in data:
            ax.apply_aspect()
            for artist in artists:
                ax.draw_artist(artist)
        self.figure.draw_artist(self.trace)

    def _renew_background(self, fitted):
        """Keep the pixels of axes and legend; the axes follow data and limits, the legend also follows c."""
        canvas, subject = self.figure.canvas, fitted.subject
        limits = tuple(tuple(np.round([*ax.get_xlim(), *ax.get_ylim()], 12)) for ax in self._steady)
        if self._axes_shown != (subject, limits):
            self._write_axes(subject)
            canvas.draw()
            self._axes_pixels = canvas.copy_from_bbox(self.figure.bbox)
            self._axes_shown, self._legend_shown = (subject, limits), None
        if self._legend_shown != fitted.partition.n_clusters:
            canvas.restore_region(self._axes_pixels)
            self.map.draw_artist(self._make_legend(fitted))
            self._background = canvas.copy_from_bbox(self.figure.bbox)
            self._legend_shown = fitted.partition.n_clusters

    def _write_axes(self, subject):
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects})"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        dress(self.shepard, title="Shepard diagram")
        dress(self.curve, title="Transformation φ(d)")
        dress(self.trace, title="Stress of this fit")

    def _make_legend(self, fitted):
        subject = fitted.subject
        groups = scatter_legend(np.arange(fitted.partition.n_clusters), subject.y, subject.class_names)
        if _many(fitted):
            key = [Line2D([], [], linestyle="none", label=text) for text in _KEY[subject.y is None]]
            groups = [groups[-1], key]
        handles, n_columns = _in_columns(groups)
        legend = self.map.legend(
            handles=handles,
            ncols=n_columns,
            loc="upper left",
            bbox_to_anchor=(-0.02, -0.105),
            frameon=False,
            fontsize=TICK_SIZE,
            handlelength=1.6,
            columnspacing=2.0,
            labelspacing=0.3,
            borderaxespad=0.0,
        )
        legend.set_animated(True)
        return legend

    def _encode(self):
        buffer = io.BytesIO()
        pixels = np.asarray(self.figure.canvas.buffer_rgba())[:, :, :3]
        imsave(buffer, pixels, format="png", pil_kwargs={"compress_level": 1})
        return buffer.getvalue()


def _data_artists(ax):
    return [*ax.lines, *ax.patches, *ax.collections, *ax.images, *ax.texts]


def _many(fitted):
    """Whether there are too many clusters or classes to list them below the map."""
    return max(fitted.partition.n_clusters, len(fitted.subject.class_names)) > LEGEND_ROWS


def _in_columns(groups):
    """Pad groups of legend handles so that each fills a column; return handles and number of columns."""
    longest = max(len(group) for group in groups)
    blank = Line2D([], [], linestyle="none", label=" ")
    padded = [group + [blank] * (longest - len(group)) for group in groups]
    return [*chain(*padded)], len(groups)
