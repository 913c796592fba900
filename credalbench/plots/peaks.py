"""The delta-Bel graph, from which BPEC takes its prototypes."""

from collections.abc import Hashable, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from credalbench.plots import style

#: More peaks than this have markers but no names.
NAMED_UP_TO = 30


def delta_bel(
    ax: Axes,
    belief: ArrayLike,
    delta: ArrayLike,
    peaks: ArrayLike = (),
    *,
    names: Sequence[Hashable] | None = None,
    corner: tuple[float, float] | None = None,
    title: str | None = None,
) -> Axes:
    """Draw a delta-Bel graph: belief of objects against distance to the nearest object of larger belief.

    The chosen peaks have the colours and markers of their clusters, and their names::

        fit = BPEC().fit(X)
        delta_bel(ax, *fit.graph_[:2], fit.peaks_, names=fit.partition_.index)

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    belief : array_like of shape (n,)
        Degrees of belief that objects are centres, in [0, 1].
    delta : array_like of shape (n,)
        Distances, at least 0.
    peaks : array_like of shape (c,), optional
        Rows of the chosen objects, in the order of the clusters.
    names : sequence of length n, optional
        Names of the objects; None: their rows, from 0.
    corner : tuple of two float, optional
        Distance and belief that the peaks exceed, shown by dashed lines.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If the numbers of entries differ, or a peak is not an object.

    Notes
    -----
    O(n).
    """
    belief, delta = np.asarray(belief, dtype=float), np.asarray(delta, dtype=float)
    if belief.ndim != 1 or belief.shape != delta.shape:
        raise ValueError(
            f"expected belief and delta of the same objects, got shapes {belief.shape} and {delta.shape}"
        )
    n, peaks = len(belief), np.asarray(peaks)
    if peaks.size and (peaks.dtype.kind not in "iu" or peaks.min() < 0 or peaks.max() >= n):
        raise ValueError(f"expected peaks in 0..{n - 1}, got {peaks}")
    if names is not None and len(names) != n:
        raise ValueError(f"expected {n} names, got {len(names)}")
    look = {"ms": 4.0 if n <= 1000 else 2.5, "color": style.MUTED, "markeredgewidth": 0, "alpha": 0.6}
    ax.plot(delta, belief, "o", zorder=2, rasterized=n > 1000, **look)
    if corner is not None:
        lines = {"color": style.INK, "linewidth": 1.0, "linestyle": "--", "zorder": 1}
        ax.axvline(corner[0], **lines)
        ax.axhline(corner[1], **lines)
    for k, i in enumerate(peaks.tolist()):
        mark = {"ms": style.even_size(k, 9.0), "color": style.colour(k), "markeredgecolor": style.INK}
        mark |= {"alpha": 0.8, "zorder": 4, "clip_on": False}
        ax.plot(delta[i], belief[i], style.marker(k), **mark)
        if len(peaks) <= NAMED_UP_TO:
            name = i if names is None else names[i]
            text = {"fontsize": style.TICK_SIZE, "color": style.INK, "zorder": 5}
            above = k % 2 == 0  # the first two have the same distance
            place = {"xytext": (0, 7 if above else -7), "va": "bottom" if above else "top", "ha": "center"}
            ax.annotate(str(name), (delta[i], belief[i]), textcoords="offset points", **place, **text)
    ax.margins(x=0.06, y=0.1)
    label = "distance δ to the nearest object of larger belief"
    return style.style_axes(ax, title=title, xlabel=label, ylabel="belief Bel", grid="both")
