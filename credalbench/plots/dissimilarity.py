"""Figures of EVCLUS: the transformation of dissimilarities and the Shepard diagram."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from numpy.typing import ArrayLike

from credalbench.plots import style

#: More pairs than this are drawn as a two-dimensional histogram instead of points.
POINTS_UP_TO = 3000
#: Cells of that histogram along each axis.
CELLS = 60

_DENSITY = LinearSegmentedColormap.from_list(
    "credalbench", [style.tint(style.PALETTE[0], s) for s in (0.18, 1.0)]
)


def shepard_diagram(ax: Axes, delta: ArrayLike, kappa: ArrayLike, *, title: str | None = None) -> Axes:
    """Draw a Shepard diagram: degrees of conflict against transformed dissimilarities.

    A perfect fit lies on the diagonal (Figure 4 of [denoeux2016_evclus]). Up to `POINTS_UP_TO` pairs are
    points; more are a two-dimensional histogram, coloured by the logarithm of the count.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    delta : array_like of shape (m,)
        Transformed dissimilarities of m pairs of objects, in [0, 1].
    kappa : array_like of shape (m,)
        Degrees of conflict of the same pairs, in [0, 1].
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If the two do not have the same number of entries, or a value is outside [0, 1].

    Notes
    -----
    O(m).
    """
    delta, kappa = _unit_vector(delta, "delta"), _unit_vector(kappa, "kappa")
    if delta.shape != kappa.shape:
        raise ValueError(
            f"delta and kappa must describe the same pairs; got {delta.size} and {kappa.size} of them"
        )
    if delta.size <= POINTS_UP_TO:
        look = {"color": style.PALETTE[0], "markeredgecolor": "white", "markeredgewidth": 0.3}
        size = 5.0 if delta.size < 300 else 2.6
        ax.plot(delta, kappa, "o", ms=size, alpha=0.75, zorder=3, **look)
    else:
        counts = pair_counts(delta, kappa)
        box = {"extent": (0, 1, 0, 1), "origin": "lower", "aspect": "auto", "interpolation": "nearest"}
        ax.imshow(np.ma.masked_equal(counts, 0), cmap=_DENSITY, norm=_norm(counts), zorder=3, **box)
    ax.plot([0, 1], [0, 1], color=style.PALETTE[1], linewidth=1.1, linestyle="--", zorder=4)
    style.style_axes(
        ax, title=title, xlabel="transformed dissimilarity δ", ylabel="degree of conflict κ", grid="both"
    )
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    return ax


def density_colours(counts: np.ndarray) -> np.ndarray:
    """Return pixels (rows, columns, 4) uint8 of counts of pairs, by logarithm; clear for a count of 0."""
    return _DENSITY(_norm(counts)(np.ma.masked_equal(counts, 0)), bytes=True)


def _norm(counts: np.ndarray) -> LogNorm:
    return LogNorm(1, max(counts.max(), 2))


def pair_counts(delta: ArrayLike, kappa: ArrayLike, cells: int = CELLS) -> np.ndarray:
    """Count pairs in square cells over the unit square: (m,), (m,) -> (cells, cells), rows = kappa."""
    column = np.minimum((np.asarray(delta) * cells).astype(np.intp), cells - 1)
    row = np.minimum((np.asarray(kappa) * cells).astype(np.intp), cells - 1)
    return np.bincount(row * cells + column, minlength=cells * cells).reshape(cells, cells)


def _unit_vector(values: ArrayLike, name: str) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"{name} must be a vector with one entry per pair; got shape {values.shape}")
    if not (values.min() >= -1e-9 and values.max() <= 1 + 1e-9):  # rounding of a sum of products, not more
        raise ValueError(
            f"{name} must lie in [0, 1]; got values from {values.min():.3g} to {values.max():.3g}"
        )
    return np.clip(values, 0, 1)


def transformation_curve(
    ax: Axes,
    gamma: float,
    d0: float,
    d: ArrayLike | None = None,
    delta: ArrayLike | None = None,
    *,
    title: str | None = None,
) -> Axes:
    r"""Draw the transformation of dissimilarities with its scale d0.

    .. math:: \varphi(d) = 1 - \exp(-\gamma d^2), \qquad \varphi(d_0) = 1 - \alpha

    (Figure 3 of [denoeux2016_evclus]). Two objects at least `d0` apart should conflict by 1 - alpha or more.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    gamma : float
        Rate, positive.
    d0 : float
        Scale, positive, in the units of the dissimilarities.
    d : array_like of shape (m,), optional
        Dissimilarities of the data. Up to `POINTS_UP_TO` of them are drawn on the curve, more as a shaded
        histogram behind it.
    delta : array_like of shape (m,), optional
        Their transforms, if you have computed them already.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If gamma or d0 is not positive, or `delta` comes without a `d` of the same length.
    """
    if not (gamma > 0 and d0 > 0):
        raise ValueError(f"gamma and d0 must be positive; got gamma = {gamma!r}, d0 = {d0!r}")
    d = np.empty(0) if d is None else np.asarray(d, dtype=float).ravel()
    if delta is not None and np.shape(delta) != d.shape:
        raise ValueError(f"delta must match d, shape {d.shape}; got shape {np.shape(delta)}")
    right = 1.05 * max(d.max(initial=0.0), 1.25 * d0 if d.size == 0 else d0)
    if d.size > POINTS_UP_TO:
        heights, edges = np.histogram(d, bins=50)
        ax.stairs(0.5 * heights / heights.max(), edges, fill=True, color=style.FAINT, zorder=1)
    grid = np.linspace(0, right, 200)
    ax.plot(grid, -np.expm1(-gamma * grid**2), color=style.PALETTE[0], linewidth=1.8, zorder=3)
    if 0 < d.size <= POINTS_UP_TO:
        heights = -np.expm1(-gamma * d**2) if delta is None else np.asarray(delta)
        look = {"markeredgecolor": "white", "markeredgewidth": 0.4, "zorder": 4}
        ax.plot(d, heights, "o", ms=4.5, color=style.PALETTE[0], **look)
    level = -np.expm1(-gamma * d0**2)  # = 1 - alpha
    ax.plot([d0, d0, 0], [0, level, level], color=style.PALETTE[1], linewidth=1.1, linestyle="--", zorder=2)
    ax.plot([d0], [level], "s", ms=6, color=style.PALETTE[1], markeredgecolor="white", zorder=5)
    room_right = d0 < 0.65 * right
    ax.annotate(
        f"$d_0$ = {d0:.3g}\nφ($d_0$) = {level:.3g}",
        (d0, 0.06),
        xytext=(5 if room_right else -5, 0),
        textcoords="offset points",
        ha="left" if room_right else "right",
        va="bottom",
        fontsize=style.TICK_SIZE,
        color=style.PALETTE[1],
        zorder=6,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 1.0},
    )
    style.style_axes(ax, title=title, xlabel="dissimilarity d", ylabel="φ(d)")
    ax.set(xlim=(0, right), ylim=(0, 1.05))
    return ax
