r"""Multiple correspondence analysis: objects with categorical attributes as points on a map.

The table of indicators has a row for each object and a column for each value of each attribute, with 1 where
the object has the value. Its correspondence analysis places objects so that squared distances in all axes
together are chi-squared distances of rows: two objects are the further apart, the rarer the values in which
they differ [greenacre1984].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from credalbench.arguments import Count, expect

if TYPE_CHECKING:
    import pandas as pd

#: Axes with less than this share of the inertia are rounding: objects that agree lie at 0 on them.
LEAST_SHARE = 1e-12


def correspondence_map(X: ArrayLike | pd.DataFrame, n_components: int = 2) -> tuple[np.ndarray, np.ndarray]:
    r"""Place objects with categorical attributes in few dimensions.

    Parameters
    ----------
    X : array_like or DataFrame of shape (n, p)
        Values of p categorical attributes: codes, words, whatever can be compared for equality.
    n_components : int, default 2
        Number of axes, at least 1.

    Returns
    -------
    positions : ndarray of shape (n, n_components)
        Principal coordinates of the objects, of mean 0 on each axis, whose largest in absolute value is
        positive. Axes beyond the rank of the table are 0.
    shares : ndarray of shape (n_components,)
        Share of each axis in the total inertia, in [0, 1] and decreasing; the squares of the positions have
        the mean ``shares * total_inertia(X)``.

    Raises
    ------
    ValueError
        If X is no table of at least one object and one attribute, or if values are missing.

    Notes
    -----
    With r values in all, of which value t has the share c_t = n_t / (n p) of the n p cells, the positions are
    the left singular vectors of :math:`(z_{it}/p - c_t)/\sqrt{n c_t}`, times their singular values and
    :math:`\sqrt n`. They come from an eigenproblem of order min(n, r): O(n r min(n, r)) time, O(n r) memory.
    """
    n_components = Count().read("n_components", n_components)
    residuals = _residuals(_indicators(X))
    n, r = residuals.shape
    wide = r > n
    gram = residuals @ residuals.T if wide else residuals.T @ residuals
    kept = min(n_components, len(gram))
    inertias, vectors = eigh(gram, subset_by_index=(len(gram) - kept, len(gram) - 1))
    inertias, vectors = np.maximum(inertias[::-1], 0), vectors[:, ::-1]
    total = max(float(np.trace(gram)), np.finfo(float).tiny)
    inertias[inertias < LEAST_SHARE * total] = 0.0
    scaled = vectors * np.sqrt(inertias) if wide else (residuals @ vectors) * (inertias > 0)
    positions, shares = np.zeros((n, n_components)), np.zeros(n_components)
    signs = np.sign(scaled[np.abs(scaled).argmax(axis=0), np.arange(kept)])
    positions[:, :kept], shares[:kept] = np.sqrt(n) * scaled * signs, inertias / total
    return positions, shares


def total_inertia(X: ArrayLike | pd.DataFrame) -> float:
    """Return the mean square distance of the objects from their mean over all axes: r / p - 1.

    `X` is as in `correspondence_map`, and r is the number of values that its p attributes take together.
    """
    codes = _codes(X)
    return float((codes.max(axis=0) + 1).sum() / codes.shape[1] - 1)


def place_weights(
    X: ArrayLike | pd.DataFrame, positions: ArrayLike, weights: list[tuple[list, np.ndarray]]
) -> np.ndarray:
    r"""Place profiles over the values of the attributes, prototypes above all, on the map of the objects.

    A profile is where an object with such shares of values would be (a *supplementary* row): one that has all
    weight on the values of an object lies on that object.

    Parameters
    ----------
    X, positions : as given to and returned by `correspondence_map`
    weights : list of p pairs (values, array of shape (m, n_l))
        For each attribute some of its values and their weights in m profiles, rows of sum 1.

    Returns
    -------
    ndarray of shape (m, n_components)

    Raises
    ------
    ValueError
        If `weights` are not those of p attributes, or name a value that no object has.

    Notes
    -----
    A value lies at the mean of its objects, stretched by 1 / inertia on each axis; a profile at the weighted
    mean of its values.
    """
    cells, positions = _cells(X), np.asarray(positions, dtype=float)
    expect(len(weights) == cells.shape[1], f"weights of {cells.shape[1]} attributes", len(weights))
    inertias = (positions**2).mean(axis=0)
    stretch = np.divide(1, inertias, out=np.zeros_like(inertias), where=inertias > 0)
    placed = 0.0
    for column, (values, shares) in zip(cells.T, weights):
        held = [np.asarray(column == value, dtype=bool) for value in values]
        for value, objects in zip(values, held):
            expect(objects.any(), "values that some object has", value)
        means = np.array([positions[objects].mean(axis=0) for objects in held])
        placed = placed + np.asarray(shares, dtype=float) @ means
    return placed * stretch / cells.shape[1]


def _residuals(Z: np.ndarray) -> np.ndarray:
    """Standardised residuals (n, r) of a table of indicators (n, r)."""
    n, p = len(Z), Z[0].sum()
    shares = Z.sum(axis=0) / (n * p)
    return (Z / p - shares) / np.sqrt(n * shares)


def _indicators(X: ArrayLike | pd.DataFrame) -> np.ndarray:
    """Table of indicators (n, r): 1 where an object has a value."""
    codes = _codes(X)
    counts = codes.max(axis=0) + 1
    Z = np.zeros((len(codes), counts.sum()))
    Z[np.arange(len(codes))[:, None], codes + np.cumsum(counts) - counts] = 1.0
    return Z


def _codes(X: ArrayLike | pd.DataFrame) -> np.ndarray:
    """Codes 0, 1, ... (n, p) of the values of each attribute, in the order in which they first come."""
    from pandas import factorize

    return np.column_stack([factorize(column)[0] for column in _cells(X).T])


def _cells(X: ArrayLike | pd.DataFrame) -> np.ndarray:
    """Values (n, p) as an array of objects; refuses what is no table, and missing values."""
    from pandas import DataFrame, isna

    cells = (X if isinstance(X, DataFrame) else DataFrame(np.asarray(X))).to_numpy(dtype=object)
    expect(cells.size > 0, "a table of at least one object and one attribute", cells.shape)
    missing = int(isna(cells).sum())
    expect(missing == 0, "no missing values", missing)
    return cells
