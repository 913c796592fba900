"""The common style of all figures: colours, markers, line styles, figures and axis labels.

The colours are those of Okabe and Ito, which people with the common forms of colour blindness can tell
apart. Each cluster also has its own marker and line style.

Figures are not made with pyplot. Each is a `matplotlib.figure.Figure` with an Agg canvas: notebooks, widgets
and tests never share state, and no figure has to be closed.
"""

import io
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from matplotlib.typing import ColorType
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from credalbench.belief.display import CLUSTER_COLOURS

RGB = tuple[float, float, float]
#: A name such as "--", or an offset and the lengths of dashes and gaps.
LineStyle = str | tuple[float, tuple[float, ...]]

#: The colours of the tables: a cluster looks the same in both. Black and grey are kept for ∅ and Ω.
PALETTE = CLUSTER_COLOURS
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
#: Area that each marker covers, in squares of its size.
MARKER_AREAS = (np.pi / 4, 1.0, 0.5, 1.0, 0.5, 5 / 9, 5 / 8, 0.5944)
LINE_STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2)), (0, (3, 1, 1, 1)), (0, (1, 1)))
INK = "#222222"
MUTED = "#6B6B6B"
FAINT = "#DADADA"
OMEGA = "#9A9A9A"

TITLE_SIZE = 10.5
LABEL_SIZE = 9.5
TICK_SIZE = 8.5

#: Options of ticks and grids for `Axis.set_tick_params`.
TICKS = {"labelsize": TICK_SIZE, "color": MUTED, "labelcolor": INK, "length": 3}
GRID = {"gridOn": True, "grid_color": FAINT, "grid_linewidth": 0.6}

_UNITS = {"s": "s", "ms": "ms", "min": "min", "mb": "MB", "pct": "%"}


def colour(k: int) -> str:
    """Return the colour of cluster, class or series `k`, counted from 0; colours repeat after eight."""
    return PALETTE[k % len(PALETTE)]


def marker(k: int) -> str:
    """Return the marker of cluster `k`; markers shift by one in each round of colours: 64 distinct pairs."""
    return MARKERS[_marker_number(k)]


def even_size(k: int, size: float) -> float:
    """Return the size at which the marker of cluster `k` covers as much as a disc of diameter `size`."""
    return size * float(np.sqrt(MARKER_AREAS[0] / MARKER_AREAS[_marker_number(k)]))


def _marker_number(k: int) -> int:
    return (k + k // len(PALETTE)) % len(MARKERS)


def line_style(k: int) -> LineStyle:
    """Return the line style of series `k`, counted from 0."""
    return LINE_STYLES[k % len(LINE_STYLES)]


def tint(value: ColorType, strength: float) -> RGB:
    """Mix a colour with white: `strength` 1 leaves the colour unchanged, 0 gives white."""
    return tuple(1 - strength * (1 - np.array(to_rgb(value))))


def focal_colour(focal_set: Iterable[int], n_clusters: int) -> RGB:
    """Return the colour of a focal set: ink for ∅, the cluster's own for a singleton, grey for Ω.

    Any other set has the mixture of the colours of its members, half way to white.
    """
    members = sorted(focal_set)
    if not members:
        return to_rgb(INK)
    if len(members) == 1:
        return to_rgb(colour(members[0]))
    if len(members) == n_clusters:
        return to_rgb(OMEGA)
    return tint(np.mean([to_rgb(colour(k)) for k in members], axis=0), 0.55)


def match_colours(labels: np.ndarray, y: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return a colour number for each cluster, (c,): that of the class that it overlaps most.

    `labels` and `y` (n,) are clusters 0..c-1 and true classes 0..g-1. The matching is one-to-one; clusters
    without a class get unused numbers.
    """
    n_classes = int(y.max()) + 1
    overlap = np.zeros((n_clusters, n_classes))
    np.add.at(overlap, (labels, y), 1)
    clusters, classes = linear_sum_assignment(overlap, maximize=True)
    numbers = np.full(n_clusters, -1)
    numbers[clusters] = classes
    numbers[numbers < 0] = n_classes + np.arange((numbers < 0).sum())
    return numbers


def distinct_colours(places: ArrayLike) -> np.ndarray:
    """Return a colour number for each cluster, (c,), such that clusters of one colour lie far apart.

    `places` (c, 2) are the positions of the clusters on the map. The numbers are 0, 1, ... while there are
    colours; each later cluster gets the colour whose nearest cluster is farthest.
    """
    places = np.asarray(places, dtype=float).reshape(-1, 2)
    n_colours = len(PALETTE)
    numbers = np.arange(len(places))
    for k in range(n_colours, len(places)):
        distances = np.linalg.norm(places[:k] - places[k], axis=1)
        numbers[k] = max(range(n_colours), key=lambda number: distances[numbers[:k] == number].min())
    return numbers


def new_figure(
    width: float = 6.0, height: float = 4.0, *, dpi: float = 100, layout: str | None = "constrained"
) -> Figure:
    """Make an empty figure with an Agg canvas, outside pyplot.

    Parameters
    ----------
    width, height : float
        Size in inches.
    dpi : float, default 100
        Dots per inch of the screen picture; files can be saved at another value.
    layout : str or None, default "constrained"
        Layout engine of matplotlib.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Examples
    --------
    >>> figure = new_figure(4, 3)
    >>> ax = figure.subplots()
    >>> figure.get_size_inches().tolist()
    [4.0, 3.0]
    """
    figure = Figure(figsize=(width, height), dpi=dpi, layout=layout, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def style_axes(
    ax: Axes,
    *,
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
    grid: Literal["x", "y", "both"] | None = "y",
) -> Axes:
    """Apply the common style to axes: two spines, a faint grid, light ticks; return the axes."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.set_axisbelow(True)
    for axis in (ax.xaxis, ax.yaxis):
        lines = GRID if grid in (axis.axis_name, "both") else {}
        set_ticks_style(axis, TICKS | lines)
    if title is not None:
        ax.set_title(title, fontsize=TITLE_SIZE, loc="left", color=INK, fontweight="bold")
    if xlabel is not None:
        ax.set_xlabel(xlabel, fontsize=LABEL_SIZE, color=INK)
    if ylabel is not None:
        ax.set_ylabel(ylabel, fontsize=LABEL_SIZE, color=INK)
    return ax


def without_ticks(ax: Axes) -> Axes:
    """Remove the ticks of both axes, unless there are none: setting them takes a millisecond."""
    for axis in (ax.xaxis, ax.yaxis):
        if len(axis.get_majorticklocs()):
            axis.set_ticks([])
    return ax


def set_ticks_style(axis: XAxis | YAxis, look: dict[str, Any]) -> None:
    """Apply tick options to an axis, unless it has them already: setting each tick takes time."""
    current = axis.get_tick_params()
    if any(current.get(name) != value for name, value in look.items()):
        axis.set_tick_params(**look)


def log_axis(axis: XAxis | YAxis) -> None:
    """Make ``ax.xaxis`` or ``ax.yaxis`` logarithmic, with plain numbers at 1, 2, 5 times powers of ten."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}"))
    axis.set_minor_locator(NullLocator())


def legend_outside(ax: Axes, handles: Sequence[Artist] | None = None, **options: Any) -> Legend:
    """Add a compact legend to the right of the axes, where it cannot hide data, and return it."""
    options = {
        "loc": "upper left",
        "bbox_to_anchor": (1.01, 1.0),
        "borderaxespad": 0.0,
        "frameon": False,
        "fontsize": TICK_SIZE,
        "handlelength": 1.9,
        "labelspacing": 0.45,
    } | options
    return ax.legend(handles=handles, **options) if handles is not None else ax.legend(**options)


def legend_of_rings(figure: Figure, ax: Axes, names: Sequence[str], ncols: int) -> Legend:
    """Add a legend below the axes: an entry for each series, then our values (filled) and printed values."""
    handles = [
        ax.plot([], [], marker(k), color=colour(k), markersize=7, label=name)[0]
        for k, name in enumerate(names)
    ]
    look = {"color": INK, "markeredgecolor": INK, "linestyle": "none", "marker": "o"}
    handles += ax.plot([], [], markersize=7, label="filled: ours, 95 % interval", **look)
    handles += ax.plot([], [], markersize=9, markerfacecolor="none", label="ring: printed", **look)
    options = {"frameon": False, "fontsize": TICK_SIZE, "ncols": ncols}
    return figure.legend(handles=handles, loc="outside lower center", **options)


def axis_label(column: str, *, log: bool = False) -> str:
    """Turn the name of a tidy column into an axis label: ``time_s`` becomes ``time (s)``.

    The label of a logarithmic axis (`log`) says so.

    Examples
    --------
    >>> axis_label("fit_time_s"), axis_label("stress"), axis_label("time_ms", log=True)
    ('fit time (s)', 'stress', 'time (ms, logarithmic)')
    """
    stem, _, unit = str(column).rpartition("_")
    if not stem or unit.lower() not in _UNITS:
        return str(column).replace("_", " ") + (" (logarithmic)" if log else "")
    return f"{stem.replace('_', ' ')} ({_UNITS[unit.lower()]}{', logarithmic' if log else ''})"


def to_png(figure: Figure, *, dpi: float | None = None, compress_level: int = 6) -> bytes:
    r"""Render a figure to the bytes of a PNG file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    dpi : float, optional
        Dots per inch; the figure's own by default.
    compress_level : int, default 6
        Level of zlib, 0 to 9; 1 is about three times faster than 6 and a little larger.

    Returns
    -------
    bytes
        The file.

    Examples
    --------
    >>> to_png(new_figure(1, 1))[:4]
    b'\x89PNG'
    """
    buffer = io.BytesIO()
    options = {"pil_kwargs": {"compress_level": compress_level}}
    figure.savefig(buffer, format="png", dpi=figure.dpi if dpi is None else dpi, **options)
    return buffer.getvalue()
