"""Figures of tidy tables: traces, box plots with their points, curves with error bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from credalbench.core.intervals import mean
from credalbench.plots import style

if TYPE_CHECKING:
    import pandas as pd


#: Kind of an error bar -> what it shows.
BARS = {"quartiles": "median, quartiles", "mean-ci": "mean, 95 % interval"}


def check_columns(table: pd.DataFrame, columns: Iterable[str | None]) -> None:
    """Raise a ValueError if a table has no rows or lacks a column; None stands for no column."""
    missing = [name for name in columns if name is not None and name not in table.columns]
    if missing:
        raise ValueError(f"the table needs the columns {missing}; got {list(table.columns)}")
    if len(table) == 0:
        raise ValueError("the table must have at least one row; got none")


def _groups(table: pd.DataFrame, by: str | None) -> list[tuple[Any, pd.DataFrame]]:
    if by is None:
        return [(None, table)]
    return [(name, table[table[by] == name]) for name in table[by].drop_duplicates()]


def stress_traces(
    ax: Axes,
    table: pd.DataFrame,
    *,
    by: str | None = None,
    x: str = "time_s",
    log_time: bool = False,
    title: str | None = None,
) -> Axes:
    """Draw stress against time, one line per run, a dot where a run ended.

    Figures 6 and 9 of [denoeux2016_evclus].

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        Columns ``run``, ``time_s`` and ``stress``; one row per sweep or iteration, in order.
    by : str, optional
        A column (the algorithm) that chooses the colour; it is named in a legend.
    x : str, default "time_s"
        Another column for the horizontal axis, such as ``iteration``.
    log_time : bool, default False
        Logarithmic horizontal axis; the entries at 0 are then left out.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If a column is missing or the table is empty.
    """
    check_columns(table, ["run", x, "stress", by])
    for k, (name, part) in enumerate(_groups(table, by)):
        runs = [run.dropna(subset=[x, "stress"]) for _, run in part.groupby("run", sort=False)]
        for number, run in enumerate(runs):
            run = run[run[x] > 0] if log_time else run
            label = str(name) if number == 0 and name is not None else None
            run_line(ax, run[x], run["stress"], k, alpha=0.65 if len(runs) > 1 else 0.95, label=label)
        ends = [run.iloc[-1] for run in runs if len(run)]
        run_ends(ax, [e[x] for e in ends], [e["stress"] for e in ends], k)
    if log_time:
        style.log_axis(ax.xaxis)
    style.style_axes(ax, title=title, xlabel=style.axis_label(x, log=log_time), ylabel="stress", grid="both")
    if by is not None:
        ax.legend(frameon=False, fontsize=style.TICK_SIZE, loc="upper right", handlelength=2.6)
    return ax


def run_line(
    ax: Axes, x: ArrayLike, stress: ArrayLike, k: int = 0, *, alpha: float = 0.95, label: str | None = None
) -> Line2D:
    """Draw the stress (m,) of a run against `x` (m,) in the look of series `k`; return the line."""
    look = {"color": style.colour(k), "linestyle": style.line_style(k), "linewidth": 1.2}
    return ax.plot(x, stress, alpha=alpha, label=label, **look)[0]


def run_ends(ax: Axes, x: ArrayLike, stress: ArrayLike, k: int = 0) -> Line2D:
    """Draw dots (m,) where runs in the look of series `k` ended; return the artist of them all."""
    look = {"color": style.colour(k), "markeredgecolor": "white", "markeredgewidth": 0.5}
    return ax.plot(x, stress, style.marker(k), ms=4.5, zorder=4, **look)[0]


def box_plot(
    ax: Axes,
    table: pd.DataFrame,
    value: str,
    by: str,
    *,
    order: Sequence | None = None,
    log: bool = False,
    title: str | None = None,
) -> Axes:
    """Draw box plots of a column, one box per group, with every observation next to its box.

    Figures 7 and 10 of [denoeux2016_evclus]. Boxes span the quartiles, the line is the median, whiskers
    reach the last observation within 1.5 interquartile ranges.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        One row per observation. Rows without a value (failed cases) are left out and counted in the tick.
    value, by : str
        Columns: the number to draw, the group it belongs to.
    order : sequence, optional
        Groups from left to right; as they come in the table by default.
    log : bool, default False
        Logarithmic axis of values.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If a column or a group of `order` is missing, or the table is empty.
    """
    check_columns(table, [value, by])
    groups = dict(_groups(table, by))
    order = list(groups) if order is None else list(order)
    if unknown := [name for name in order if name not in groups]:
        raise ValueError(f"order names groups that column {by!r} lacks: {unknown}; got {list(groups)}")
    ticks = []
    for k, name in enumerate(order):
        numbers = groups[name][value].to_numpy(dtype=float)
        finite = numbers[np.isfinite(numbers)]
        n_missing = len(numbers) - len(finite)
        ticks.append(str(name) + (f"\n({n_missing} missing)" if n_missing else ""))
        _draw_box(ax, k, finite)
    if log:
        style.log_axis(ax.yaxis)
    style.style_axes(ax, title=title, ylabel=style.axis_label(value, log=log))
    ax.set_xticks(range(len(order)), ticks)
    ax.tick_params(axis="x", labelsize=style.LABEL_SIZE, length=0)
    ax.set_xlim(-0.55, len(order) - 0.45)
    return ax


def _draw_box(ax: Axes, k: int, numbers: np.ndarray) -> None:
    if len(numbers) == 0:
        return
    line = {"color": style.colour(k), "linewidth": 1.3}
    ax.boxplot(
        [numbers],
        positions=[k - 0.14],
        widths=0.3,
        showfliers=False,
        patch_artist=True,
        manage_ticks=False,
        boxprops={
            "facecolor": style.tint(style.colour(k), 0.22),
            "edgecolor": style.colour(k),
            "linewidth": 1.3,
        },
        medianprops={"color": style.INK, "linewidth": 1.8},
        whiskerprops=line,
        capprops=line,
    )
    look = {"color": style.colour(k), "markeredgecolor": "white", "markeredgewidth": 0.4, "zorder": 3}
    ax.plot(
        k + 0.2 + jitter(len(numbers), 0.16), np.sort(numbers), style.marker(k), ms=4.6, alpha=0.85, **look
    )


def jitter(m: int, width: float) -> np.ndarray:
    """Return m sideways offsets in [-width/2, width/2) that look random but are always the same.

    The golden-ratio sequence separates points of adjacent rank without random numbers.
    """
    golden = (5**0.5 - 1) / 2
    return width * ((np.arange(m) * golden) % 1.0 - 0.5)


def curve_with_errors(
    ax: Axes,
    table: pd.DataFrame,
    x: str,
    y: str,
    by: str | None = None,
    kind: str = "quartiles",
    *,
    log: bool = False,
    title: str | None = None,
) -> Axes:
    """Draw a summary of `y` against `x` with error bars, one curve per group.

    Figures 11 to 14 of [denoeux2016_evclus].

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        One row per observation (repetition); rows without a value are left out.
    x, y : str
        Columns of numbers.
    by : str, optional
        A column that splits the table into curves, named in a legend, which says what the bars are.
    kind : {"quartiles", "mean-ci"}, default "quartiles"
        Median with lower and upper quartile, or mean with its 95 % confidence interval (Student).
    log : bool, default False
        Logarithmic axis of `y`.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If a column is missing, the table is empty, or `kind` is unknown.
    """
    check_columns(table, [x, y, by])
    if kind not in BARS:
        raise ValueError(f'kind must be "quartiles" or "mean-ci"; got {kind!r}')
    for k, (name, part) in enumerate(_groups(table, by)):
        error_curve(ax, *summarise(part, x, y, kind), k, label=None if name is None else str(name))
    if log:
        style.log_axis(ax.yaxis)
    labels = {"xlabel": style.axis_label(x), "ylabel": style.axis_label(y, log=log)}
    style.style_axes(ax, title=title, **labels, grid="both")
    if by is not None:
        ax.legend(loc="best", handlelength=3.0, **legend_of_bars(kind))
    return ax


def legend_of_bars(kind: str) -> dict[str, Any]:
    """Return the options of a legend whose title explains the error bars."""
    words = {"title": BARS[kind], "title_fontsize": style.TICK_SIZE, "fontsize": style.TICK_SIZE}
    return words | {"frameon": False, "alignment": "left"}


def error_curve(
    ax: Axes,
    places: np.ndarray,
    centres: np.ndarray,
    lows: np.ndarray,
    highs: np.ndarray,
    k: int = 0,
    *,
    label: str | None = None,
) -> None:
    """Draw a curve (m,) with its intervals in the look of series `k`; intervals without ends are left out."""
    reach = np.array([centres - lows, highs - centres])
    ax.errorbar(
        places,
        centres,
        yerr=np.where(np.isfinite(reach), reach, 0.0),
        color=style.colour(k),
        linestyle=style.line_style(k),
        marker=style.marker(k),
        markersize=6,
        markeredgecolor="white",
        markeredgewidth=0.5,
        linewidth=1.6,
        elinewidth=1.2,
        capsize=3,
        label=label,
    )


def summarise(
    table: pd.DataFrame, x: str, y: str, kind: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Summarise column `y` for each value of column `x`.

    Returns
    -------
    places, centres, lows, highs : ndarray of shape (m,)
        The m values of `x` in order; median and quartiles, or mean and 95 % interval. One observation alone
        has an interval of length zero.
    """
    rows = []
    for place, part in table.dropna(subset=[x, y]).groupby(x, sort=True):
        numbers = part[y].to_numpy(dtype=float)
        if kind == "quartiles":
            low, centre, high = np.quantile(numbers, [0.25, 0.5, 0.75])
        else:
            found = mean(numbers)
            centre = found.value
            low, high = (found.low, found.high) if len(numbers) > 1 else (centre, centre)
        rows.append((place, centre, low, high))
    return tuple(np.array(rows, dtype=float).reshape(-1, 4).T)
