"""Multiple correspondence analysis: objects with categorical attributes as points on a map.

The table of indicators has a row for each object and a column for each value of each attribute, with 1 where
the object has the value. Its correspondence analysis places objects such that squared distances over all axes
are chi-squared distances of rows: the rarer the values in which two objects differ, the farther apart they
are [greenacre1984].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh, eigvalsh

from credalbench.core.arguments import LARGEST, Choice, Count, as_floats, expect
from credalbench.core.axes import TIE, orient_axes
from credalbench.core.categories.table import as_table, read_table

if TYPE_CHECKING:
    import pandas as pd

#: Axes with less than this share of the inertia are due to rounding; equal objects lie at 0 on them.
LEAST_SHARE = 1e-12


def correspondence_map(
    X: ArrayLike | pd.DataFrame, n_components: int = 2, *, missing: str = "error"
) -> tuple[np.ndarray, np.ndarray]:
    r"""Place objects with categorical attributes in few dimensions.

    Parameters
    ----------
    X : (n, p) DataFrame, array or list of rows
        Values of p categorical attributes; only their equality matters.
    n_components : int, default 2
        Number of axes, at least 1.
    missing : {"error", "category"}, default "error"
        Whether missing values raise an error, or are a category.

    Returns
    -------
    positions : ndarray of shape (n, n_components)
        Principal coordinates of the objects, of mean 0 on each axis, with signs and directions of
        `orient_axes`. Axes beyond the rank of the table are 0.
    shares : ndarray of shape (n_components,)
        Share of each axis in the total inertia r / p - 1, in [0, 1] and decreasing; the squares of the
        positions have the mean ``shares * (r / p - 1)``.

    Raises
    ------
    ValueError
        If X is not a table of at least one object and one attribute, or values are missing and refused.

    Notes
    -----
    With r values in all, of which value t has the share c_t = n_t / (n p) of the n p cells, the positions are
    the left singular vectors of :math:`(z_{it}/p - c_t)/\sqrt{n c_t}`, times their singular values and
    :math:`\sqrt n`. The eigenproblem has order min(n, r): O(n r min(n, r)) time, O(n r) memory.

    References
    ----------
    [greenacre1984]

    Examples
    --------
    >>> positions, shares = correspondence_map([["red", "round"], ["red", "flat"], ["blue", "flat"]])
    >>> shares.round(2)
    array([0.75, 0.25])
    """
    n_components = Count().read("n_components", n_components)
    residuals = _residuals(_indicators(_codes(X, missing)))
    n, r = residuals.shape
    wide = r > n
    gram = residuals @ residuals.T if wide else residuals.T @ residuals
    inertias, vectors = _leading_eigenvectors(gram, n_components)
    total = max(float(np.trace(gram)), np.finfo(float).tiny)
    inertias[inertias < LEAST_SHARE * total] = 0.0
    scaled = vectors * np.sqrt(inertias) if wide else (residuals @ vectors) * (inertias > 0)
    shares = np.zeros(n_components)
    shares[: len(inertias)] = inertias[:n_components] / total
    return np.sqrt(n) * orient_axes(scaled, n_components), shares


def place_values(
    X: ArrayLike | pd.DataFrame, positions: np.ndarray, *, missing: str = "error"
) -> list[np.ndarray]:
    """Place the values of each attribute on the map of the objects.

    Parameters
    ----------
    X : (n, p) DataFrame, array or list of rows
        The table of the map.
    positions : ndarray of shape (n, n_components)
        Positions that `correspondence_map` returned.
    missing : {"error", "category"}, default "error"
        See `correspondence_map`.

    Returns
    -------
    list of p arrays (n_l, n_components)
        In the order of the values (see ``categories/table.py``).

    Notes
    -----
    A value lies at the mean of its objects, stretched by 1 / inertia on each axis. An object, and a prototype
    with weights of values (a *supplementary* row), lies at the mean over the attributes of the weighted means
    of their values.
    """
    codes, positions = _codes(X, missing), as_floats("positions", positions)
    fit = positions.ndim == 2 and len(positions) == len(codes)
    expect(fit, f"positions of {len(codes)} objects", positions.shape)
    expect((np.abs(positions) < LARGEST).all(), f"positions below {LARGEST:g}", positions)
    Z, inertias = _indicators(codes), (positions**2).mean(axis=0)
    stretch = np.divide(1, inertias, out=np.zeros_like(inertias), where=inertias > 0)
    values = (Z.T @ positions) / Z.sum(axis=0)[:, None] * stretch
    return np.split(values, np.cumsum(codes.max(axis=0) + 1)[:-1])


def _leading_eigenvectors(gram: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the `count` largest eigenvalues and all that tie with the last, and their eigenvectors."""
    size, last = len(gram), min(count, len(gram))
    values = eigvalsh(gram)[::-1]
    least = max(values[last - 1] - 2 * TIE * values[0], LEAST_SHARE * values.sum())  # squares of lengths
    ties = values >= least
    values, vectors = eigh(gram, subset_by_index=(size - max(last, int(ties.sum())), size - 1))
    return np.maximum(values[::-1], 0), vectors[:, ::-1]


def _residuals(Z: np.ndarray) -> np.ndarray:
    """Return standardised residuals (n, r) of a table of indicators (n, r)."""
    n, p = len(Z), Z[0].sum()
    shares = Z.sum(axis=0) / (n * p)
    return (Z / p - shares) / np.sqrt(n * shares)


def _indicators(codes: np.ndarray) -> np.ndarray:
    """Return the table of indicators (n, r), 1 where an object has a value, of codes (n, p)."""
    counts = codes.max(axis=0) + 1
    Z = np.zeros((len(codes), counts.sum()))
    Z[np.arange(len(codes))[:, None], codes + np.cumsum(counts) - counts] = 1.0
    return Z


def _codes(X: ArrayLike | pd.DataFrame, missing: str) -> np.ndarray:
    """Return the number (n, p) of each value among those of its attribute."""
    Choice("error", "category").read("missing", missing)
    return read_table(as_table(X), missing)[0].astype(np.intp)
