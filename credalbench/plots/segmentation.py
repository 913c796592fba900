"""Segmented images: the image itself, regions drawn on it, and the focal set of each pixel.

With two clusters the shades are those of Figures 15 to 19 of [antoine2012_cecm]: white for the first cluster,
light grey for the second, and dark grey for both together. You can read them without colour vision.
"""

from collections.abc import Collection, Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import ArrayLike

from credalbench.belief import FocalSets
from credalbench.plots import style

#: Focal sets of two clusters, from the empty set to both, and their shades.
SHADES = {(): "#000000", (0,): "#FFFFFF", (1,): "#C4C4C4", (0, 1): "#5C5C5C"}
LEGEND_BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.02), "columnspacing": 1.2}
LEGEND_BELOW |= {"frameon": False, "fontsize": style.TICK_SIZE, "handlelength": 1.5, "borderaxespad": 0.2}
REGION_COLOURS = (style.PALETTE[1], style.PALETTE[0])
DASHES = (0, (4, 2.5))


def set_shade(focal_set: Iterable[int], n_clusters: int) -> style.RGB:
    """Return the colour of the pixels of a focal set: grey for two clusters, otherwise the usual colour."""
    if n_clusters == 2:
        return to_rgb(SHADES[tuple(sorted(focal_set))])
    return style.focal_colour(focal_set, n_clusters)


def shaded(chosen: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return the colours of an image whose pixels have focal sets."""
    table = np.array([set_shade(members, focal_sets.n_clusters) for members in focal_sets.sets])
    return table[np.asarray(chosen)]


def plain_image(ax: Axes, image: ArrayLike, *, title: str | None = None) -> Axes:
    """Draw an image.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    image : (rows, columns), (rows, columns, 1) or (rows, columns, 3) array
        Values in [0, 1].
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.
    """
    image = np.asarray(image, dtype=float)
    if image.ndim == 3 and image.shape[2] == 1:
        image = image[:, :, 0]
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        raise ValueError(
            f"expected an image of shape (rows, columns) or with 1 or 3 channels, got {image.shape}"
        )
    ax.imshow(image, cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    return _frame(ax, title)


def focal_set_image(
    ax: Axes, chosen: ArrayLike, focal_sets: FocalSets, *, title: str | None = None, legend: bool = True
) -> Axes:
    """Draw the focal set of each pixel: a hard credal partition as an image (Figures 16 and 18).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    chosen : (rows, columns) int array
        Index of the focal set of each pixel.
    focal_sets : credalbench.belief.FocalSets
        The focal sets.
    title : str, optional
        Title of the axes.
    legend : bool, default True
        Whether to name the sets below the image, the empty set only if it occurs.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If `chosen` is not an image of indices of focal sets.
    """
    chosen = np.asarray(chosen)
    if chosen.ndim != 2 or chosen.dtype.kind not in "iu":
        raise ValueError(f"expected a (rows, columns) image of integers, got {chosen.dtype} {chosen.shape}")
    if chosen.min() < 0 or chosen.max() >= len(focal_sets):
        raise ValueError(f"expected indices 0..{len(focal_sets) - 1}, got {chosen.min()}..{chosen.max()}")
    ax.imshow(shaded(chosen, focal_sets), interpolation="nearest")
    _frame(ax, title)
    if legend:
        present = set(np.unique(chosen).tolist())
        ax.legend(handles=set_handles(focal_sets, present), ncols=4, **LEGEND_BELOW)
    return ax


def set_handles(focal_sets: FocalSets, present: Collection[int] = ()) -> list[Patch]:
    """Return legend handles of the non-empty focal sets, and of the empty set if its index is `present`."""
    few, c = len(focal_sets) <= 8, focal_sets.n_clusters
    look = {"edgecolor": style.INK, "linewidth": 0.6}
    return [
        Patch(facecolor=set_shade(members, c), label=focal_sets.labels[index], **look)
        for index, members in enumerate(focal_sets.sets)
        if index in present or (few and members)
    ]


def region_image(
    ax: Axes,
    image: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw regions of must-links on an image, and the cannot-link between them (Figure 17).

    Each region is white, as in the paper, with an outline and its number; a dashed line between the middles
    of the regions is the cannot-link.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    image : (rows, columns) or (rows, columns, p) array
        Values in [0, 1].
    first, second : (rows, columns) bool arrays
        Either may be empty.
    title : str, optional
        Title of the axes.
    legend : bool, default True
        Whether to draw a legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.
    """
    plain_image(ax, image, title=title)
    middles = []
    for number, (region, colour) in enumerate(zip((first, second), REGION_COLOURS), start=1):
        region = np.asarray(region, dtype=bool)
        if not region.any():
            continue
        overlay = np.zeros((*region.shape, 4))
        overlay[region] = (1, 1, 1, 0.75)
        ax.imshow(overlay, interpolation="nearest")
        rows, columns = region.shape
        look = {"levels": [0.5], "colors": [colour], "linewidths": 1.8}
        ax.contour(np.pad(region, 1), extent=(-1, columns, -1, rows), **look)  # middles of its outer pixels
        pixels = np.argwhere(region)  # the middle is the one nearest to the centre of gravity
        row, column = pixels[np.argmin(np.sum((pixels - pixels.mean(axis=0)) ** 2, axis=1))].astype(float)
        middles.append((column, row))
        patch = {"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": colour, "linewidth": 1.5}
        look = {"fontsize": style.LABEL_SIZE, "fontweight": "bold", "color": style.INK, "zorder": 6}
        ax.text(column, row, str(number), ha="center", va="center", bbox=patch, **look)
    if len(middles) == 2:
        ax.plot(*np.transpose(middles), linestyle=DASHES, color="white", linewidth=3.4, zorder=3)
        ax.plot(*np.transpose(middles), linestyle=DASHES, color=style.INK, linewidth=1.6, zorder=4)
    ax.set(xlim=(-0.5, region.shape[1] - 0.5), ylim=(region.shape[0] - 0.5, -0.5))
    if legend:
        handles = [
            Patch(facecolor="white", edgecolor=REGION_COLOURS[0], linewidth=1.6, label="region: must-links"),
            Line2D([], [], color=style.INK, linestyle=DASHES, linewidth=1.6, label="cannot-link"),
        ]
        ax.legend(handles=handles, ncols=2, **LEGEND_BELOW)
    return ax


def _frame(ax: Axes, title: str | None) -> Axes:
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_color(style.MUTED)
    if title is not None:
        ax.set_title(title, fontsize=style.TITLE_SIZE, loc="left", color=style.INK, fontweight="bold")
    return ax
