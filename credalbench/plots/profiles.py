"""Profiles of clusters: numbers as parallel coordinates, categories as bars."""

from collections.abc import Hashable, Iterable

import numpy as np
from matplotlib.axes import Axes

from credalbench.belief import ClusterProfiles
from credalbench.core.arguments import expect
from credalbench.plots import style

SPREAD = 0.66  # height of the marks of all clusters together in a row
BAR = 0.86  # width of a full bar; columns are 1 apart
MARK = 6.5  # points
MAX_TEXT = 26  # characters of a label
JOINED_UP_TO = 4  # clusters whose marks are joined by lines


def profile_lines(
    ax: Axes, profiles: ClusterProfiles, attributes: Iterable[Hashable], *, title: str | None = None
) -> Axes:
    """Draw numeric attributes as parallel coordinates, one row for each.

    A marker is the mean of a cluster, in standard deviations from the mean of all; a horizontal line goes
    from its lower to its upper quartile. Lines join the markers of up to four clusters. Supplementary
    attributes are in parentheses.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    profiles : credalbench.belief.ClusterProfiles
        Profiles of c clusters.
    attributes : iterable of hashable
        Names of numeric attributes, the first in the uppermost row.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If a name does not belong to a numeric attribute.
    """
    attributes, frame = list(attributes), profiles.frame
    numbers = frame[frame["value"].isna()]
    unknown = [name for name in attributes if name not in set(numbers["attribute"])]
    expect(not unknown, "names of numeric attributes", unknown)
    clusters = profiles.sizes.index
    rows = np.arange(len(attributes))
    for k, cluster in enumerate(clusters):
        one = numbers[numbers["cluster"] == cluster].set_index("attribute").loc[attributes]
        centre, scale = one["overall_mean"], one["overall_std"].where(one["overall_std"] > 0, 1.0)
        mean, low, high = (
            ((one[name] - centre) / scale).to_numpy(float)
            for name in ("mean", "lower_quartile", "upper_quartile")
        )
        y = rows + SPREAD * ((k + 0.5) / len(clusters) - 0.5)
        look = {"color": style.colour(k), "zorder": 3}
        ax.hlines(y, low, high, lw=2.0, **look)
        if len(clusters) <= JOINED_UP_TO:
            ax.plot(mean, y, ls=style.line_style(k), lw=0.8, alpha=0.6, **look)
        marks = {"marker": style.marker(k), "ms": style.even_size(k, MARK), "mec": "white", "mew": 0.5}
        ax.plot(mean, y, ls="none", label=f"cluster {cluster.strip('{}')}", **look, **marks)
    style.style_axes(ax, title=title, xlabel="standard deviations from the mean", grid="x")
    ax.axvline(0, color=style.MUTED, lw=0.8, zorder=1)
    shown = numbers.drop_duplicates("attribute").set_index("attribute").loc[attributes, "supplementary"]
    labels = [_label(name, supplementary) for name, supplementary in shown.items()]
    ax.set(ylim=(len(attributes) - 0.5, -0.5), yticks=rows, yticklabels=labels)
    return ax


def share_bars(
    ax: Axes,
    profiles: ClusterProfiles,
    values: Iterable[tuple[Hashable, Hashable]],
    *,
    title: str | None = None,
) -> Axes:
    """Draw values of categorical attributes as bars, one row for each and one column for each cluster.

    A bar is the share of the value in the cluster, where a full column is 100 %; a black tick is the share in
    the rest. Supplementary attributes are in parentheses.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    profiles : credalbench.belief.ClusterProfiles
        Profiles of c clusters.
    values : iterable of (attribute, value)
        Pairs that the rows show, the first in the uppermost row.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If an attribute does not have a value.
    """
    values, clusters = list(values), profiles.sizes.index
    categories = profiles.frame.dropna(subset="value")
    tables = dict(iter(categories.groupby(["attribute", "value"], sort=False)))
    unknown = [pair for pair in values if pair not in tables]
    expect(not unknown, "pairs of an attribute and one of its values", unknown)
    for row, pair in enumerate(values):
        shares = tables[pair].set_index("cluster")[["mean", "rest_mean"]].fillna(0.0)
        for k, (share, rest) in enumerate(shares.loc[clusters].to_numpy()):
            ax.barh(row, BAR, left=k, height=0.6, color=style.tint(style.FAINT, 0.5), zorder=1)
            ax.barh(row, BAR * share, left=k, height=0.6, color=style.colour(k), zorder=2)
            ax.plot([k + BAR * rest] * 2, [row - 0.36, row + 0.36], color=style.INK, lw=1.4, zorder=3)
    for k, cluster in enumerate(clusters):
        look = {"marker": style.marker(k), "ms": style.even_size(k, MARK), "color": style.colour(k)}
        ax.plot(k + 0.1, -0.8, ls="none", clip_on=False, **look)
        number = {"fontsize": style.TICK_SIZE, "va": "center_baseline", "color": style.INK}
        ax.annotate(cluster.strip("{}"), (k + 0.1, -0.8), (5, 0), textcoords="offset points", **number)
    style.style_axes(ax, title=title, xlabel="share in the cluster; tick: in the rest", grid=None)
    labels = [
        _label(
            f"{_short(name, MAX_TEXT - 10)} = {_short(value, 10)}",
            tables[name, value]["supplementary"].iloc[0],
        )
        for name, value in values
    ]
    ax.set(ylim=(len(values) - 0.5, -1.2), yticks=range(len(values)), yticklabels=labels)
    ax.set(xlim=(0, len(clusters)), xticks=[])
    ax.spines["bottom"].set_visible(False)
    return ax


def _label(name: Hashable, supplementary: bool) -> str:
    text = _short(name, MAX_TEXT + 3).replace("$", r"\$")
    return f"({text})" if supplementary else text


def _short(name: Hashable, length: int) -> str:
    text = str(name)
    return text if len(text) <= length else f"{text[: length - 1]}…"
