r"""Multiple correspondence analysis: places of objects that are described by categories.

The indicator matrix Z (n, J) has a column for each of the J values of the p attributes. With
:math:`P = Z / (n p)`, equal row masses 1/n and column masses c, the singular value decomposition

.. math:: D_r^{-1/2} (P - r c^T) D_c^{-1/2} = U \Sigma V^T

gives principal coordinates :math:`D_r^{-1/2} U \Sigma` of the objects. The squares of the singular values sum
to the total inertia, :math:`J / p - 1`. The sign of an axis means nothing; here the coordinate farthest from
0 is positive.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd


class Correspondence(NamedTuple):
    """Coordinates (n, k) of the objects on k axes, and the inertia (k,) of each axis."""

    coordinates: np.ndarray
    inertia: np.ndarray


def indicators(table: pd.DataFrame) -> np.ndarray:
    """The indicator matrix (n, J) of a table (n, p): one column for each value that occurs."""
    return np.hstack([pd.get_dummies(table[name]).to_numpy(dtype=float) for name in table])


def correspondence(table: pd.DataFrame) -> Correspondence:
    """All axes of the multiple correspondence analysis of a table (n, p), by falling inertia."""
    Z = indicators(table)
    n, p = table.shape
    row, column = 1 / n, Z.sum(axis=0) / (n * p)
    centred = (Z / (n * p) - row * column) / np.sqrt(row * column)
    U, singular, _ = np.linalg.svd(centred, full_matrices=False)
    F = U * singular / np.sqrt(row)
    farthest = F[np.abs(F).argmax(axis=0), np.arange(F.shape[1])]
    return Correspondence(F * np.where(farthest < 0, -1.0, 1.0), singular**2)
