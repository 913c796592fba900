"""Figures of prototypes: one for each cluster, barycentres of sets of clusters, and starting positions."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from credalbench.belief import FocalSets
from credalbench.plots import style
from credalbench.plots.constraints import focal_set_style
from credalbench.plots.object_maps import cluster_places

#: With more sets of several clusters than this, lines to their prototypes would hide each other.
JOINED_UP_TO = 4
#: With more sets of several clusters than this, only pairs and Ω have a barycentre: objects need room.
DRAWN_UP_TO = 16


def prototype_marks(
    ax: Axes, prototypes: ArrayLike, focal_sets: FocalSets, start: ArrayLike | None = None
) -> Axes:
    """Draw numbered prototypes, and the barycentres of the sets of several clusters.

    A prototype is a white disc with the number and the colour of its cluster. A barycentre, the mean of the
    prototypes of the clusters in a set, has the marker and the colour that `hard_credal_scatter` gives to the
    objects of the set. If there are few barycentres, thin lines join them to their prototypes. If there
    are very many sets, only pairs and Ω have barycentres.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    prototypes : array_like of shape (c, 2)
        Prototypes on the map.
    focal_sets : FocalSets
        Sets of the c clusters.
    start : array_like of shape (c, 2), optional
        Starting positions, shown as small rings with lines to the prototypes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If `prototypes` or `start` is not (c, 2).
    """
    V = cluster_places("prototypes", prototypes, focal_sets.n_clusters)
    if start is not None:
        start = cluster_places("start", start, len(V))
        look = {"color": style.INK, "alpha": 0.75, "zorder": 6}
        ax.plot(*segments(start, V), lw=1.0, **look)
        ax.plot(*start.T, "o", ls="none", ms=5, mfc="white", mew=1.2, label="start", **look)
    _draw_barycentres(ax, V, focal_sets)
    look = {"ms": 15, "mfc": "white", "mew": 3.0, "zorder": 8}
    look["path_effects"] = [withStroke(linewidth=4.6, foreground=style.INK)]
    text = {"fontsize": style.LABEL_SIZE, "fontweight": "bold", "color": style.INK, "zorder": 9}
    for k, place in enumerate(V):
        ax.plot(*place, "o", ls="none", label=f"prototype {k + 1}", mec=style.colour(k), **look)
        ax.text(*place, str(k + 1), ha="center", va="center_baseline", **text)
    return ax


def _draw_barycentres(ax: Axes, V: np.ndarray, focal_sets: FocalSets) -> None:
    imprecise = with_barycentre(focal_sets)
    for k in imprecise:
        members = sorted(focal_sets.sets[k])
        centre = V[members].mean(axis=0)
        if len(imprecise) <= JOINED_UP_TO:
            lines = segments(np.broadcast_to(centre, V[members].shape), V[members])
            ax.plot(*lines, color=style.MUTED, lw=0.8, ls=":", zorder=6)
        look = focal_set_style(focal_sets.sets[k], k, focal_sets.n_clusters, 9.0)
        label = f"barycentre {focal_sets.labels[k]}"
        ax.plot(*centre, ls="none", label=label, **(look | {"mew": 1.6, "zorder": 7}))


def with_barycentre(focal_sets: FocalSets) -> np.ndarray:
    """Return the indices of the sets of several clusters that show a barycentre."""
    sizes = focal_sets.cardinality
    imprecise = np.flatnonzero(sizes > 1)
    if len(imprecise) > DRAWN_UP_TO:
        return np.flatnonzero((sizes == 2) | (sizes == focal_sets.n_clusters))
    return imprecise


def segments(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the coordinates (2, 3 m) of one line with gaps, from each beginning (m, 2) to its end (m, 2)."""
    return np.stack([begin, end, np.full_like(begin, np.nan)], axis=1).reshape(-1, 2).T
