"""Pictures of explorers, redrawn fast enough for a slider.

Axes, ticks, titles and legends change rarely and cost most of the time of a redraw. They are drawn once into
a background; a new fit restores the background and draws on top what it changes: data, and scales that follow
them.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from time import perf_counter

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from PIL import Image

from credalbench.explore.shared.fitting_model import Fit
from credalbench.plots import new_figure
from credalbench.plots.curves import run_ends, run_line
from credalbench.plots.style import TICK_SIZE

#: What is drawn into the background: what it depends on, and what makes its artists.
Layer = tuple[Hashable, Callable[[Fit], list[Artist]]]
#: Backgrounds that are kept while the axes stay: sliders go back and forth.
KEPT_BACKGROUNDS = 12


class KeptBackground:
    """Draws fits into PNG bytes; keeps its figure, and what stays of it, from one drawing to the next.

    A subclass adds the axes and says what to draw. Axes are drawn anew when the subject or their limits
    change, layers above them, the legend last, when their keys do and are not among the last few.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
    steady : tuple of matplotlib.axes.Axes
        Axes of which only the data change.
    trace : matplotlib.axes.Axes
        The axes of which scales change with every fit: see `TRACE_SCALES`.
    map : matplotlib.axes.Axes
        The one of `steady` that has the legend.
    draw_ms : float
        Time of the last drawing, encoding included.
    """

    #: Scales of `trace` that are drawn with the data; a scale that is not stays, as those of steady axes do.
    TRACE_SCALES = ("x", "y")

    def __init__(self, width: float, height: float, dpi: float) -> None:
        self.figure = new_figure(width, height, dpi=dpi, layout=None)
        self.steady, self.trace, self.map = (), None, None
        self._axes_shown, self._axes_pixels = None, None
        self._backgrounds = OrderedDict()  # by the keys of what is drawn on the axes, the latest last
        self.draw_ms = float("nan")

    # -- for the subclass to fill -----------------------------------------------------------------------

    def _draw(self, fitted: Fit) -> None:
        """Draw the data of a fit, without titles and labels."""
        raise NotImplementedError

    def _write_axes(self, fitted: Fit) -> None:
        """Write titles and labels, and draw what depends on the subject alone."""
        raise NotImplementedError

    def _axes_key(self, fitted: Fit) -> object:
        """Return what titles, labels and whatever is drawn with them depend on, beside the limits."""
        return fitted.subject

    def _legend_key(self, fitted: Fit) -> Hashable:
        """Return what the legend depends on."""
        raise NotImplementedError

    def _make_legend(self, fitted: Fit) -> Legend:
        """Return the legend, as `_legend_below` makes it."""
        raise NotImplementedError

    def _layers(self, fitted: Fit) -> list[Layer]:
        """Return what else stays for a while, from below: what each depends on, and what makes it."""
        return []

    # -- places -----------------------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return tuple(round(length * self.figure.dpi) for length in self.figure.get_size_inches())

    def pixels_of(self, positions: np.ndarray) -> np.ndarray:
        """Places (m, 2) on the last picture of positions on its map, in pixels from its upper left corner."""
        places = self.map.transData.transform(positions)
        return np.column_stack([places[:, 0], self.size[1] - places[:, 1]])

    def position_at(self, x: float, y: float) -> np.ndarray:
        """Position (2,) on the map of a place on the last picture, the nearest one that the map shows."""
        box = self.map.get_window_extent()
        place = np.clip((x, self.size[1] - y), box.min, box.max)
        return self.map.transData.inverted().transform(place)

    # -- drawing ----------------------------------------------------------------------------------------

    def png(self, fitted: Fit) -> bytes:
        """Return the picture of a fit as PNG bytes."""
        start = perf_counter()
        for artist in chain(*map(_data_artists, (*self.steady, self.trace))):
            artist.remove()
        self._draw(fitted)
        self._render(fitted)
        data = encoded(self.figure.canvas)
        self.draw_ms = 1e3 * (perf_counter() - start)
        return data

    def _render(self, fitted: Fit) -> None:
        """Draw data over the kept background; renew the parts of the background that have changed."""
        drawn = [(ax, _data_artists(ax)) for ax in self.steady]
        drawn.append((self.trace, [*self._moving_frame(), *_data_artists(self.trace)]))
        for artist in chain(*(artists for _, artists in drawn)):
            artist.set_animated(True)  # left out of an ordinary draw, so the background stays clean
        self._renew_background(fitted)
        for ax, artists in drawn:
            ax.apply_aspect()
            for artist in sorted(artists, key=lambda artist: artist.get_zorder()):
                ax.draw_artist(artist)

    def _renew_background(self, fitted: Fit) -> None:
        """Leave the canvas with the background of a fit, and with nothing else."""
        canvas, shown = self.figure.canvas, (self._axes_key(fitted), self._frames())
        if self._axes_shown != shown:
            self._write_axes(fitted)
            for scale in self._moving_scales():
                if not scale.get_label_text():
                    scale.set_label_coords(0, 0)  # else every drawing looks for a place beside the ticks
            canvas.draw()
            self._axes_pixels = canvas.copy_from_bbox(self.figure.bbox)
            self._axes_shown, self._backgrounds = shown, OrderedDict()
        below, path = self._axes_pixels, ()
        legend = self._legend_key(fitted), lambda fitted: [self._make_legend(fitted)]
        for key, make in (*self._layers(fitted), legend):
            path = (*path, key)
            if path not in self._backgrounds:
                canvas.restore_region(below)
                for artist in make(fitted):
                    artist.axes.draw_artist(artist)
                self._backgrounds[path] = canvas.copy_from_bbox(self.figure.bbox)
            self._backgrounds.move_to_end(path)
            below = self._backgrounds[path]
        canvas.restore_region(below)
        while len(self._backgrounds) > KEPT_BACKGROUNDS:
            self._backgrounds.popitem(last=False)

    def _moving_scales(self) -> list[Axis]:
        return [getattr(self.trace, f"{name}axis") for name in self.TRACE_SCALES]

    def _moving_frame(self) -> list[Artist]:
        """What is drawn with the data of the trace: scales below them, the lines of the frame above."""
        return [*self._moving_scales(), *(self.trace.spines[side] for side in ("left", "bottom"))]

    def _frames(self) -> tuple[object, ...]:
        """What kept frames depend on: limits, and the factors above scales, for which titles make room."""
        moving = self._moving_scales()
        kept = [axis for ax in self.steady for axis in (ax.xaxis, ax.yaxis)]
        kept += [axis for axis in (self.trace.xaxis, self.trace.yaxis) if axis not in moving]
        with_ticks = [axis for axis in kept if len(axis.get_majorticklocs())]  # of others nothing is drawn
        limits = tuple(tuple(np.round(axis.get_view_interval(), 12)) for axis in with_ticks)
        return limits, tuple(map(_factor, moving))

    def _legend_below(
        self, columns: Sequence[list[Artist]], place: tuple[float, float], **look: object
    ) -> Legend:
        """Make the legend below the map; each list of handles in `columns` fills a column."""
        longest = max(map(len, columns))
        blank = Line2D([], [], linestyle="none", label=" ")
        legend = self.map.legend(
            handles=[*chain(*(column + [blank] * (longest - len(column)) for column in columns))],
            ncols=len(columns),
            loc="upper left",
            bbox_to_anchor=place,
            frameon=False,
            fontsize=TICK_SIZE,
            labelspacing=0.3,
            borderaxespad=0.0,
            **look,
        )
        legend.set_animated(True)
        return legend

    def _draw_trace(self, values: np.ndarray, n_iter: int) -> None:
        """Draw the objective of each iteration on axes that it fills."""
        run_line(self.trace, np.arange(len(values)), values)
        run_ends(self.trace, [len(values) - 1], values[-1:])
        low, high = values.min(), values.max()
        margin = max(0.12 * (high - low), 0.02 * high, 1e-12)
        self.trace.set(xlim=(0, 1.03 * max(n_iter, 1)), ylim=(max(low - margin, 0), high + margin))


def fill_axes(ax: Axes, positions: np.ndarray) -> None:
    """Set limits that show all positions (n, 2) with a margin, the unit the same on both axes."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    box = ax.get_window_extent()
    # The larger span fills its side of the box.
    unit = 1.1 * max((high - low) / (box.width, box.height))
    for set_limits, middle, length in zip(
        (ax.set_xlim, ax.set_ylim), (low + high) / 2, (box.width, box.height)
    ):
        set_limits(middle - unit * length / 2, middle + unit * length / 2)


def steady_frame(positions: np.ndarray) -> np.ndarray:
    """Two corners (2, 2) around positions (n, 2) that stay while these move a little: multiples of a step."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    step = 2.0 ** np.floor(np.log2(max((high - low).max(), np.finfo(float).tiny) / 8))
    return np.array([np.floor(low / step), np.ceil(high / step)]) * step


def encoded(canvas: FigureCanvasAgg) -> bytes:
    """Return what is drawn on an Agg canvas as PNG bytes, compressed little, which is fast."""
    buffer = io.BytesIO()
    size = canvas.get_width_height()
    picture = Image.frombuffer("RGBA", size, canvas.buffer_rgba(), "raw", "RGBA", 0, 1)
    picture.convert("RGB").save(buffer, format="png", compress_level=1)
    return buffer.getvalue()


def _factor(axis: Axis) -> str:
    """What the numbers at ticks are to be multiplied with, or added to, as it is written beside them."""
    formatter = axis.get_major_formatter()
    formatter.set_locs(axis.get_majorticklocs())
    return formatter.get_offset()


def _data_artists(ax: Axes) -> list[Artist]:
    return [*ax.lines, *ax.patches, *ax.collections, *ax.images, *ax.texts]
