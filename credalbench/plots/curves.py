"""Figures of tidy tables: traces, box plots with their points, curves with error bars, panels of criteria."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from credalbench.core.intervals import mean
from credalbench.plots import style

if TYPE_CHECKING:
    import pandas as pd

#: Kind of an error bar -> what it shows.
BARS = {"quartiles": "median, quartiles", "mean-ci": "mean, 95 % interval"}
ACRONYMS = ("bic", "ebic")
LETTERS = 11  # of a heading, per inch


def check_columns(table: pd.DataFrame, columns: Iterable[str | None]) -> None:
    """Raise a ValueError if a table has no rows or lacks a column; ignore names that are None."""
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
    """Draw stress against time, one line per run, with a dot at its end.

    See Figures 6 and 9 of [denoeux2016_evclus].

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        Columns ``run``, ``time_s`` and ``stress``; one row per sweep or iteration, in order.
    by : str, optional
        Column (the algorithm) that determines the colour; a legend shows its values.
    x : str, default "time_s"
        Column of the horizontal axis, such as ``iteration``.
    log_time : bool, default False
        Whether the horizontal axis is logarithmic; entries at 0 are then left out.
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
            look = {"color": style.colour(k), "linestyle": style.line_style(k), "linewidth": 1.2}
            look |= {"label": str(name) if number == 0 and name is not None else None}
            ax.plot(run[x], run["stress"], alpha=0.65 if len(runs) > 1 else 0.95, **look)
        ends = [run.iloc[-1] for run in runs if len(run)]
        look = {"color": style.colour(k), "markeredgecolor": "white", "markeredgewidth": 0.5}
        places = [e[x] for e in ends], [e["stress"] for e in ends]
        ax.plot(*places, style.marker(k), ms=4.5, zorder=4, **look)
    if log_time:
        style.log_axis(ax.xaxis)
    style.style_axes(ax, title=title, xlabel=style.axis_label(x, log=log_time), ylabel="stress", grid="both")
    if by is not None:
        ax.legend(frameon=False, fontsize=style.TICK_SIZE, loc="upper right", handlelength=2.6)
    return ax


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

    See Figures 7 and 10 of [denoeux2016_evclus]. A box spans the quartiles, the line is the median, and the
    whiskers reach the last observation within 1.5 interquartile ranges.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        One row per observation. Rows without a value (failed cases) are left out and counted below the box.
    value, by : str
        Columns of the number to draw and of the group it belongs to.
    order : sequence, optional
        Groups from left to right; by default in their order in the table.
    log : bool, default False
        Whether the axis of values is logarithmic.
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
    """Return the m sideways offsets in [-width/2, width/2) of the golden-ratio sequence.

    The sequence separates points of adjacent rank without random numbers.
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

    See Figures 11 to 14 of [denoeux2016_evclus].

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        One row per observation (repetition); rows without a value are left out.
    x, y : str
        Columns of numbers.
    by : str, optional
        Column that splits the table into curves; a legend shows its values and explains the bars.
    kind : {"quartiles", "mean-ci"}, default "quartiles"
        Median with lower and upper quartile, or mean with its 95 % confidence interval (Student).
    log : bool, default False
        Whether the axis of `y` is logarithmic.
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
    """Draw a curve (m,) with its intervals in the style of series `k`; leave out intervals without ends."""
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
    """Return the m values of column `x` in order, and the centre, low and high of `y` at each: (m,) each.

    These are median and quartiles, or mean and 95 % interval, which has length 0 for a single observation.
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


def criterion_panels(
    figure: Figure,
    estimates: pd.DataFrame,
    best: Mapping[str, int],
    chosen: int | None = None,
    *,
    title: str | None = None,
) -> Figure:
    """Draw every criterion against the number of clusters with its intervals, in panels side by side.

    A star marks the number that a criterion prefers, a dotted line the recommended number.
    `CriterionCurves.plot` makes the figure in one call.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        An empty figure; about 3 inches by 3 for each criterion are enough.
    estimates : pandas.DataFrame
        Columns ``criterion``, ``c``, ``value``, ``low`` and ``high``: `CriterionCurves.estimates`. Intervals
        without ends are left out.
    best : mapping
        Criterion -> the number of clusters that it prefers, if any.
    chosen : int, optional
        The recommended number.
    title : str, optional
        The recommendation in words, which is broken into lines.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    ValueError
        If a column is missing or the table is empty, or a criterion has no value for its best number.
    """
    check_columns(estimates, ["criterion", "c", "value", "low", "high"])
    names = estimates["criterion"].drop_duplicates().tolist()
    for ax, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names):
        part = estimates[estimates["criterion"] == name].dropna(subset=["value"])
        if len(part) == 0:
            raise ValueError(f"expected rows with values of the criterion {name!r}, got none")
        if chosen is not None:
            ax.axvline(chosen, color=style.MUTED, linewidth=1.2, linestyle=":", zorder=1)
        error_curve(ax, *part[["c", "value", "low", "high"]].to_numpy(dtype=float).T)
        _style_panel(ax, part, name, best.get(name))
    if title is not None:
        lines = fill(title, max(20, int(LETTERS * figure.get_figwidth())))
        figure.suptitle(lines, fontsize=style.TITLE_SIZE, x=0.01, ha="left", color=style.INK)
    return figure


def _style_panel(ax: Axes, part: pd.DataFrame, criterion: str, best: int | None) -> None:
    """Label the axes of a criterion, put a tick at each number of clusters and a star at the best one."""
    name = criterion.upper() if criterion in ACRONYMS else style.axis_label(criterion)
    style.style_axes(ax, xlabel="number of clusters c", ylabel=name, grid="both")
    numbers = sorted(set(part["c"].tolist()))
    ax.set_xticks(numbers)
    if best is not None:
        values = part.loc[part["c"] == best, "value"]
        if len(values) == 0:
            raise ValueError(f"expected a best number of clusters among {numbers}, got {best}")
        look = {"ms": 15, "color": style.colour(1), "markeredgecolor": style.INK, "zorder": 4}
        ax.plot(best, values.mean(), "*", linestyle="none", label=f"c = {best}", **look)
        ax.legend(frameon=False, fontsize=style.TICK_SIZE, loc="best")
