"""Pictures that several studies have: EBIC against the number of clusters, classes in the plane."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.plots import component_ellipses, new_figure
from credalbench.plots.curves import jitter
from credalbench.plots.style import INK, MUTED, colour, legend_outside, line_style, marker, style_axes


def ebic_picture(
    runs: pd.DataFrame, names: Mapping[str, str], printed: Mapping[int, float], title: str, middle: str
):
    """Return a dot for each run, a line through the middle of the runs, rings for the printed values.

    The middle is a statistic of pandas. `printed` has EBIC by c, `names` those of the focal sets in the
    legend.
    """
    figure = new_figure(7.2, 4.0)
    ax = figure.subplots()
    for k, (focal_sets, name) in enumerate(names.items()):
        part = runs[runs["focal_sets"] == focal_sets].dropna(subset="ebic")
        offset = 0.16 * (k - (len(names) - 1) / 2)
        for c, some in part.groupby("c"):
            at = c + offset + jitter(len(some), 0.12)
            look = {"ms": 3.2, "alpha": 0.45, "color": colour(k), "markeredgewidth": 0}
            ax.plot(at, some["ebic"], marker(k), zorder=2, **look)
        line = part.groupby("c")["ebic"].agg(middle)
        look = {"color": colour(k), "linestyle": line_style(k), "linewidth": 1.6, "label": name}
        ax.plot(line.index + offset, line, marker=marker(k), ms=6, markeredgecolor="white", zorder=3, **look)
    rings = {"markerfacecolor": "none", "markeredgecolor": INK, "ms": 11, "markeredgewidth": 1.3}
    shown = {c: value for c, value in printed.items() if c in set(runs["c"])}
    ax.plot([*shown], [*shown.values()], "o", label="printed, with its sign", zorder=4, **rings)
    style_axes(ax, title=title, xlabel="number of clusters c", ylabel="EBIC", grid="y")
    ax.set_xticks(sorted(runs["c"].unique()))
    _keep_to_the_middle(ax, runs["ebic"], [*shown.values()])
    legend_outside(ax)
    return figure


def _keep_to_the_middle(ax, values, printed):
    """Set limits without the few farthest runs, which a note in the corner counts."""
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [0.005, 0.995])
    low, high = min(low, *printed), max(high, *printed)
    margin = 0.06 * (high - low)
    ax.set_ylim(low - margin, high + margin)
    outside = int(((values < low - margin) | (values > high + margin)).sum())
    if outside:
        text = {"transform": ax.transAxes, "fontsize": 8, "color": MUTED}
        ax.text(0.01, 0.02, f"{outside} runs outside", **text)


def classes_picture(ax, objects: pd.DataFrame, classes: pd.DataFrame, name: str) -> None:
    """Draw the objects by class, and contours of a Gaussian with mean and covariance of each class."""
    for k in range(len(classes)):
        inside = objects["class"] == k + 1
        look = {"ls": "none", "marker": marker(k), "ms": 3.5, "mec": "white", "mew": 0.4}
        ax.plot(objects.loc[inside, "x"], objects.loc[inside, "y"], color=colour(k), **look)
    covariances = classes[["xx", "xy", "xy", "yy"]].to_numpy().reshape(-1, 2, 2)
    singles = FocalSets.up_to(len(classes), 1, empty=False, omega=False)
    for share in (0.5, 0.95):
        component_ellipses(ax, classes[["x", "y"]].to_numpy(), np.array(covariances), singles, share=share)
    finish_plane(ax, f"(a) {name} (stand-in), n = {len(objects)}")


def finish_plane(ax, title: str) -> None:
    """Set title and axes of a map of two attributes."""
    style_axes(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid=None)
    ax.set_aspect("equal", adjustable="datalim")
