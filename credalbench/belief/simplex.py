"""Checks that masses of n objects lie on the simplex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from .focal import FocalSets

SUM_TOLERANCE = 1e-6  # a row may miss 1 by what printing with six digits, or a solver, leaves
NEGATIVE_TOLERANCE = 1e-9  # rounding below zero; such entries are set to 0


def read_simplex(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return a read-only float copy of masses (n, f); ValueError if a row is off the simplex."""
    try:
        M = np.array(masses, dtype=float, order="C")
    except (TypeError, ValueError):
        raise TypeError(
            f"expected masses as a numeric array of shape (n, f), got {type(masses).__name__}"
        ) from None
    if M.ndim != 2 or M.shape[1] != len(focal_sets) or M.shape[0] == 0:
        raise ValueError(
            f"expected masses of shape (n, {len(focal_sets)}) with n >= 1, got shape {M.shape} "
            f"for {len(focal_sets)} focal sets"
        )
    _refuse(~np.isfinite(M).all(axis=1), M, "finite masses")
    _refuse((M < -NEGATIVE_TOLERANCE).any(axis=1), M, "masses of at least 0")
    M[M <= 0] = 0.0
    _refuse(np.abs(M.sum(axis=1) - 1) > SUM_TOLERANCE, M, "masses that sum to 1")
    return read_only(M)


def _refuse(bad: np.ndarray, M: np.ndarray, expected: str) -> None:
    if not bad.any():
        return
    row = int(bad.argmax())
    more = f" ({int(bad.sum())} such rows)" if bad.sum() > 1 else ""
    got = f"minimum {M[row].min():.6g}, sum {M[row].sum():.10g}"
    raise ValueError(f"expected {expected}, got {got} in row {row}{more}")


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array after making it read-only."""
    array.setflags(write=False)
    return array
