"""The picture of the CECM explorer: map with constraints, true classes, violations, objective.

Axes, titles and legends change rarely and cost most of the time of a redraw. They are drawn once into a
background; a new fit restores the background and draws only the data on top.
"""

import io
from itertools import chain
from time import perf_counter

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from PIL import Image

from credalbench.belief import CredalPartition
from credalbench.plots import new_figure, stress_traces
from credalbench.plots.constraints import DASHES, VIOLATED, constraint_lines, hard_credal_scatter
from credalbench.plots.credal import convex_hull
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, TICK_SIZE, colour, dress

WIDTH, HEIGHT, DPI = 9.6, 6.7, 100  # inches, inches, dots per inch
LISTED = 4  # focal sets in a column of the legend; of more than three columns the rest is "..."
UPPER = (0, (1, 1.2))  # dotted, since dashed lines are cannot-links
_CONSTRAINTS = "constraint (■ must-link, ○ cannot-link)"


class CecmPicture:
    """Draws a `Fitted` of the CECM model into PNG bytes; keeps its figure from one drawing to the next.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
    draw_ms : float
        Time of the last drawing, encoding included.
    """

    def __init__(self):
        self.figure = new_figure(WIDTH, HEIGHT, dpi=DPI, layout=None)
        self.map = self.figure.add_axes((0.07, 0.2, 0.56, 0.755))
        self.classes = self.figure.add_axes((0.705, 0.62, 0.2833, 0.335))
        self.violations = self.figure.add_axes((0.725, 0.365, 0.2633, 0.15))
        self.trace = self.figure.add_axes((0.725, 0.08, 0.2633, 0.15))
        for ax in (self.map, self.trace):
            ax.yaxis.set_major_locator(MaxNLocator(3 if ax is self.trace else 6, steps=(1, 2, 5, 10)))
        for ax in (self.violations, self.trace):
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10), integer=True))
        dress(self.violations, title="Plausibility of a violation", xlabel=_CONSTRAINTS)
        dress(self.trace, title="Objective J of this fit")
        self.violations.set(ylim=(-0.1, 1.1), yticks=(0, 0.5, 1))
        self.trace.set_animated(True)  # its scales change with every fit: never part of the background
        self._axes_shown, self._axes_pixels = None, None
        self._legend_shown, self._background = None, None
        self.draw_ms = float("nan")

    @property
    def size(self):
        """Width and height in pixels."""
        return round(WIDTH * DPI), round(HEIGHT * DPI)

    def png(self, fitted):
        """Return the picture of a fit as PNG bytes."""
        start = perf_counter()
        for artist in chain(*map(_data_artists, (self.map, self.violations, self.trace))):
            artist.remove()
        self._draw_map(fitted)
        self._draw_violations(fitted)
        self._draw_trace(fitted)
        self._render(fitted)
        data = self._encode()
        self.draw_ms = 1e3 * (perf_counter() - start)
        return data

    def object_pixels(self, subject):
        """Places of the objects (n, 2) on the last picture, in pixels from its upper left corner."""
        places = self.map.transData.transform(subject.positions)
        return np.column_stack([places[:, 0], self.size[1] - places[:, 1]])

    def _draw_map(self, fitted):
        subject, positions = fitted.subject, fitted.subject.positions
        draw_approximations(self.map, positions, fitted.partition)
        hard_credal_scatter(self.map, positions, fitted.partition, fitted.centers_on_map, legend=False)
        constraint_lines(
            self.map,
            positions,
            fitted.constraints.must_link,
            fitted.constraints.cannot_link,
            violated_must_link=fitted.violated.must_link,
            violated_cannot_link=fitted.violated.cannot_link,
        )
        _frame(self.map, subject)

    def _draw_violations(self, fitted):
        """How plausible it is that each constraint is violated, in the order in which they came."""
        ax, values = self.violations, fitted.violations
        q = len(values)
        broken = {tuple(pair) for pairs in _links_of(fitted.violated) for pair in pairs.tolist()}
        colours = [VIOLATED if (i, j) in broken else INK for i, j, _ in fitted.links]
        must = np.array([kind == "must-link" for *_, kind in fitted.links], dtype=bool)
        at = np.arange(1, q + 1)
        if q:
            ax.vlines(at, 0, values, colors=colours, linewidth=1.2)
        for kind, marker, face in ((must, "s", None), (~must, "o", "white")):
            shown = [c for c, chosen in zip(colours, kind) if chosen]
            ax.scatter(
                at[kind], values[kind], s=22, marker=marker, c=face or shown, edgecolors=shown, zorder=3
            )
        room = 10 * max(-(-q // 10), 1)  # in tens, so that the background often stays
        ax.set_xlim(0.3, room + 0.7)
        if not q:
            ax.text(5.5, 0.5, "no constraints", color=MUTED, fontsize=LABEL_SIZE, ha="center", va="center")

    def _draw_trace(self, fitted):
        trace = fitted.objective_trace
        table = {"run": 0, "iteration": np.arange(len(trace)), "stress": trace}
        stress_traces(self.trace, pd.DataFrame(table), x="iteration")
        self.trace.set_ylabel("")
        low, high = trace.min(), trace.max()
        margin = max(0.12 * (high - low), 0.02 * high, 1e-12)
        self.trace.set(xlim=(0, 1.03 * max(fitted.n_iter, 1)), ylim=(max(low - margin, 0), high + margin))

    def _render(self, fitted):
        """Draw data over the kept background."""
        steady = (self.map, self.violations)
        data = [(ax, sorted(_data_artists(ax), key=lambda artist: artist.get_zorder())) for ax in steady]
        for artist in chain(*(artists for _, artists in data)):
            artist.set_animated(True)  # left out of an ordinary draw, so the background stays clean
        self._renew_background(fitted, tuple(ax.get_xlim() for ax in steady))
        self.figure.canvas.restore_region(self._background)
        for ax, artists in data:
            ax.apply_aspect()
            for artist in artists:
                ax.draw_artist(artist)
        self.figure.draw_artist(self.trace)

    def _renew_background(self, fitted, limits):
        """Keep the pixels of axes and legend; the axes follow the subject, the legend also the focal sets."""
        canvas = self.figure.canvas
        if self._axes_shown != (fitted.subject, limits):
            self._write_axes(fitted)
            canvas.draw()
            self._axes_pixels = canvas.copy_from_bbox(self.figure.bbox)
            self._axes_shown, self._legend_shown = (fitted.subject, limits), None
        handles = legend_handles(self.map, fitted.partition)
        labels = [handle.get_label() for handle in handles]
        if self._legend_shown != labels:
            canvas.restore_region(self._axes_pixels)
            self.map.draw_artist(self._make_legend(handles))
            self._background = canvas.copy_from_bbox(self.figure.bbox)
            self._legend_shown = labels

    def _write_axes(self, fitted):
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects}): hard credal partition"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        self._draw_classes(subject)

    def _make_legend(self, handles):
        columns = _in_columns(handles)
        legend = self.map.legend(
            handles=[*chain(*columns)],
            ncols=len(columns),
            loc="upper left",
            bbox_to_anchor=(-0.07, -0.115),
            frameon=False,
            fontsize=TICK_SIZE,
            handlelength=1.9,
            columnspacing=1.5,
            labelspacing=0.3,
            borderaxespad=0.0,
        )
        legend.set_animated(True)
        return legend

    def _draw_classes(self, subject):
        """The true classes; the clusters have been numbered after them, and so have their colours."""
        ax = self.classes
        ax.clear()
        ax.set(xticks=[], yticks=[])
        if subject.y is None:
            ax.set_axis_off()
            return
        truth = CredalPartition.from_labels(subject.y)
        hard_credal_scatter(ax, subject.positions, truth, size=2.6, legend=False, title="True classes")
        ax.spines[:].set_visible(False)
        _frame(ax, subject)

    def _encode(self):
        buffer = io.BytesIO()
        pixels = np.ascontiguousarray(np.asarray(self.figure.canvas.buffer_rgba())[:, :, :3])
        Image.fromarray(pixels).save(buffer, format="png", compress_level=1)
        return buffer.getvalue()


def draw_approximations(ax, X, partition):
    """Draw the hulls of the objects that are surely (solid) and possibly (dotted) in each cluster.

    By the hard credal partition: surely where the largest mass is on the cluster alone, possibly where it is
    on a set with the cluster in it. Objects of the empty set are in no hull.
    """
    lower = partition.lower_approximation("maximum_mass")
    upper = partition.upper_approximation("maximum_mass") & ~partition.outliers()[:, None]
    for k in range(partition.n_clusters):
        inner, outer = convex_hull(X[lower[:, k]]), convex_hull(X[upper[:, k]])
        if len(inner) > 2:
            ax.fill(*inner.T, facecolor=colour(k), alpha=0.1, edgecolor="none", zorder=1)
        for corners, line, width in ((outer, UPPER, 1.6), (inner, "-", 1.4)):
            if len(corners) > 1:
                ax.plot(*np.vstack([corners, corners[:1]]).T, ls=line, color=colour(k), lw=width, zorder=2)


def legend_handles(ax, partition):
    """Handles of the focal sets that occur on the map, in their order, then of the signs."""
    drawn = dict(zip(*reversed(ax.get_legend_handles_labels())))
    sets = [drawn[label] for label in partition.focal_sets.labels if label in drawn]
    if len(sets) > 3 * LISTED:
        sets = [*sets[: 3 * LISTED - 1], Line2D([], [], ls="none", label="…")]
    hull = {"color": INK, "lw": 1.4}
    return [
        *(_swatch(artist) for artist in sets),
        _swatch(drawn["prototype"], ms=9, mew=2.2),
        Line2D([], [], label="lower approximation", **hull),
        Line2D([], [], ls=UPPER, label="upper approximation", **hull),
        Line2D([], [], label="must-link", marker="o", ms=3.5, **hull),
        Line2D([], [], ls=DASHES, label="cannot-link", marker="o", ms=3.5, **hull),
        Line2D([], [], color=VIOLATED, marker="x", ms=7, mew=1.6, lw=1.4, label="violated constraint"),
    ]


def _swatch(artist, ms=6.5, mew=1.0):
    face, edge = artist.get_markerfacecolor(), artist.get_markeredgecolor()
    look = {"marker": artist.get_marker(), "mfc": face, "mec": edge, "ms": ms, "mew": mew}
    return Line2D([], [], ls="none", label=artist.get_label(), **look)


def _in_columns(handles):
    """Split handles into columns: focal sets in columns of `LISTED`, then two of signs; pad with blanks."""
    sets, signs = handles[:-6], handles[-6:]
    columns = [sets[k : k + LISTED] for k in range(0, len(sets), LISTED)] + [signs[:3], signs[3:]]
    longest = max(map(len, columns))
    blank = Line2D([], [], linestyle="none", label=" ")
    return [column + [blank] * (longest - len(column)) for column in columns]


def _frame(ax, subject):
    """Set limits that show all objects with a margin, one unit on both axes."""
    low, high = subject.positions.min(axis=0), subject.positions.max(axis=0)
    box = ax.get_window_extent()
    unit = 1.1 * max((high - low) / (box.width, box.height))
    (left, bottom), (right, top) = (
        (low + high) / 2 + sign * unit * np.array([box.width, box.height]) / 2 for sign in (-1, 1)
    )
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)


def _links_of(constraints):
    return constraints.must_link, constraints.cannot_link


def _data_artists(ax):
    return [*ax.lines, *ax.patches, *ax.collections, *ax.images, *ax.texts]
