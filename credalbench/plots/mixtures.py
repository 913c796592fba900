"""Figures of evidential mixtures: an ellipse for each component."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import ArrayLike

from credalbench.belief import FocalSets
from credalbench.plots import style

#: Of the sets of several clusters; their mean lies between those of the clusters.
DASHES = (0, (4, 2))
#: Corners of the polygon of an ellipse.
CORNERS = 72


def component_ellipses(
    ax: Axes,
    means: ArrayLike,
    covariances: ArrayLike,
    focal_sets: FocalSets,
    weights: ArrayLike | None = None,
    *,
    share: float = 0.5,
    least_weight: float = 0.0,
) -> Axes:
    """Draw the components of an evidential mixture: solid for a cluster, dashed for a set of several.

    Each ellipse holds the same share of its component, as in Figures 4 (a) and 5 (a) of [jiao2022_egmm]. A
    cluster has its own colour; a set of several clusters has the mixture of the colours of its members; Ω is
    grey.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    means : array_like of shape (f, 2)
        Means on the map.
    covariances : array_like of shape (f, 2, 2)
        Covariances on the map, positive semi-definite; an ellipse of rank 1 is a line.
    focal_sets : credalbench.belief.FocalSets
        The f sets that the components belong to.
    weights : array_like of shape (f,), optional
        Mixing probabilities.
    share : float, default 0.5
        Share of a component that its ellipse holds, in (0, 1).
    least_weight : float, default 0
        Components of a smaller weight are left out.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If means, covariances or weights do not have f components, or `share` is not in (0, 1).
    """
    f = len(focal_sets)
    means, covariances = np.asarray(means, dtype=float), np.asarray(covariances, dtype=float)
    weights = np.full(f, np.inf) if weights is None else np.asarray(weights, dtype=float)
    for name, array, shape in (
        ("means", means, (f, 2)),
        ("covariances", covariances, (f, 2, 2)),
        ("weights", weights, (f,)),
    ):
        if array.shape != shape:
            raise ValueError(f"{name} must have the shape {shape}; got {array.shape}")
    if not 0 < share < 1:
        raise ValueError(f"share must be in (0, 1); got {share}")
    rings = ellipses(means, covariances, share)
    colours = [style.focal_colour(members, focal_sets.n_clusters) for members in focal_sets.sets]
    shown = weights >= least_weight
    for several, line, width in ((True, DASHES, 1.7), (False, "-", 2.0)):
        kind = np.flatnonzero(shown & ((focal_sets.cardinality > 1) == several))
        look = {"linestyle": line, "linewidths": width, "alpha": 1.0, "zorder": 5}
        ax.add_collection(LineCollection(rings[kind], colors=[colours[j] for j in kind], **look))
    ax.autoscale_view()
    return ax


def ellipses(means: ArrayLike, covariances: ArrayLike, share: float) -> np.ndarray:
    """Return closed polygons (f, CORNERS + 1, 2) that hold a share of Gaussians in the plane.

    A Gaussian in the plane has the share 1 - exp(-r² / 2) within the Mahalanobis distance r of its mean.
    """
    values, vectors = np.linalg.eigh(np.asarray(covariances, dtype=float))
    roots = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    turns = np.linspace(0, 2 * np.pi, CORNERS + 1)
    circle = np.sqrt(-2 * np.log1p(-share)) * np.stack([np.cos(turns), np.sin(turns)])
    return np.asarray(means, dtype=float)[:, None, :] + np.swapaxes(roots @ circle, 1, 2)
