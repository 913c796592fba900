"""Figures of criteria against the number of clusters: one curve, or one panel for each criterion."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from credalbench.plots import style
from credalbench.plots.curves import check_columns, curve_with_errors, error_curve

if TYPE_CHECKING:
    import pandas as pd

ACRONYMS = ("bic", "ebic")
LETTERS = 11  # of a heading, in an inch


def criterion_curve(
    ax: Axes, table: pd.DataFrame, criterion: str, best: int | None = None, *, title: str | None = None
) -> Axes:
    """Draw a criterion against the number of clusters; a star where the best one is.

    With several repetitions, means with their 95 % confidence intervals (Student).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    table : pandas.DataFrame
        Columns ``criterion``, ``c`` and ``value``, one row per fit: `CriterionCurves.table`. Rows without a
        value are left out.
    criterion : str
        Which rows.
    best : int, optional
        The number of clusters that it prefers.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If a column is missing, or the criterion has no value, or none for the best number of clusters.
    """
    check_columns(table, ["criterion", "c", "value"])
    part = _rows_of(table, criterion)
    curve_with_errors(ax, part, "c", "value", kind="mean-ci", title=title)
    return _style_panel(ax, part, criterion, best)


def criterion_panels(
    figure: Figure,
    estimates: pd.DataFrame,
    best: Mapping[str, int],
    chosen: int | None = None,
    *,
    title: str | None = None,
) -> Figure:
    """Draw every criterion against the number of clusters with its intervals, in panels side by side.

    A star marks what a criterion prefers, a dotted line the number that is recommended::

        curves = select_n_clusters(estimator, X, n_resamples=20)
        c, words = curves.recommendation.n_clusters, curves.recommendation.words
        criterion_panels(new_figure(9, 3), curves.estimates, curves.best, c, title=words)

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        An empty one; about 3 inches by 3 for each criterion are enough.
    estimates : pandas.DataFrame
        Columns ``criterion``, ``c``, ``value``, ``low`` and ``high``: `CriterionCurves.estimates`. Intervals
        without ends are left out.
    best : mapping
        Criterion -> the number of clusters that it prefers, where it does.
    chosen : int, optional
        The number that is recommended.
    title : str, optional
        The recommendation in words; broken into lines.

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
        part = _rows_of(estimates, name)
        if chosen is not None:
            ax.axvline(chosen, color=style.MUTED, linewidth=1.2, linestyle=":", zorder=1)
        error_curve(ax, *part[["c", "value", "low", "high"]].to_numpy(dtype=float).T)
        _style_panel(ax, part, name, best.get(name))
    if title is not None:
        lines = fill(title, max(20, int(LETTERS * figure.get_figwidth())))
        figure.suptitle(lines, fontsize=style.TITLE_SIZE, x=0.01, ha="left", color=style.INK)
    return figure


def _rows_of(table: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """Return the rows of a criterion that have a value; raise a ValueError if there is none."""
    part = table[table["criterion"] == criterion].dropna(subset=["value"])
    if len(part) == 0:
        raise ValueError(f"expected rows with values of the criterion {criterion!r}, got none")
    return part


def _style_panel(ax: Axes, part: pd.DataFrame, criterion: str, best: int | None) -> Axes:
    """Label the axes of a criterion, put a tick at each number of clusters and a star at the best one."""
    name = criterion.upper() if criterion in ACRONYMS else style.axis_label(criterion)
    style.style_axes(ax, xlabel="number of clusters c", ylabel=name, grid="both")
    numbers = sorted(set(part["c"].tolist()))
    ax.set_xticks(numbers)
    if best is not None:
        values = part.loc[part["c"] == best, "value"]
        if len(values) == 0:
            raise ValueError(f"expected a best number of clusters out of {numbers}, got {best}")
        look = {"ms": 15, "color": style.colour(1), "markeredgecolor": style.INK, "zorder": 4}
        ax.plot(best, values.mean(), "*", linestyle="none", label=f"c = {best}", **look)
        ax.legend(frameon=False, fontsize=style.TICK_SIZE, loc="best")
    return ax
