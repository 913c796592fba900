"""Views as they are given: several tables and matrices of the same objects, read and brought to one scale."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from credalbench.cluster.inputs.dissimilarities import as_dissimilarities, non_negative
from credalbench.cluster.prototypes.clusterer import centred_with_spread
from credalbench.cluster.prototypes.views import Matrix, Table
from credalbench.core.arguments import expect
from credalbench.core.checks import as_attributes, expect_spread, near_zero
from credalbench.core.names import EXAMPLES, names_of, same_names


class Reader(NamedTuple):
    """How the numbers of a view are read: as in the fit, at its scale."""

    kind: str
    columns: int
    zero: np.ndarray | None  # of a table, as the origin
    origin: np.ndarray | None
    spread: float

    @property
    def length(self) -> float:
        """The length of 1 in the scale of the view."""
        return self.spread**0.5 if self.zero is None else self.spread

    def read(self, X: npt.ArrayLike, number: int) -> np.ndarray:
        """Return new objects of the view: (m, p) about the mean of the fit's, or (m, n) dissimilarities."""
        numbers = as_attributes(X)
        expected = f"{self.columns} columns in view {number}"
        expect(numbers.shape[1] == self.columns, expected, numbers.shape[1])
        if self.kind == "precomputed":
            return non_negative(numbers) / self.spread
        return (numbers - self.zero - self.origin) / self.spread


def views_of(X: object) -> list:
    """Return the views in `X`: those of a list or tuple of tables, or `X` alone."""
    if isinstance(X, list | tuple) and len(X) and np.ndim(X[0]) == 2:
        return list(X)
    return [X]


def agreed_names(views: list, kinds: list[str] | None = None) -> pd.Index | None:
    """Return the names that views have for the objects, refusing views of other objects."""
    kinds = ["euclidean"] * len(views) if kinds is None else kinds
    found = [names_of(view, square=kind == "precomputed") for view, kind in zip(views, kinds)]
    named = [names for names in found if names is not None]
    for names in named[1:]:
        both = [names[:EXAMPLES].tolist(), named[0][:EXAMPLES].tolist()]
        expect(same_names(names, named[0]), "views that name the same objects in the same order", both)
    return named[0] if named else None


def expect_same_rows(lengths: list[int]) -> None:
    """Refuse views of different numbers of objects."""
    expect(len(set(lengths)) == 1, "views of the same objects, in rows", f"{lengths} rows")


def read_view(numbers: np.ndarray, kind: str, number: int) -> tuple[Table | Matrix, Reader]:
    """Return a view in its scale, and how new objects are brought to it."""
    message = f"objects that differ in view {number}"
    if kind == "precomputed":
        tau = as_dissimilarities(numbers)
        half_mean = float(tau.sum()) / (2 * len(tau) * max(len(tau) - 1, 1))
        expect(half_mean > 0, message, "zeros only")
        return Matrix(tau / half_mean), Reader(kind, tau.shape[1], None, None, half_mean)
    expect_spread(numbers)
    X, zero = near_zero(numbers)
    X, origin, spread = centred_with_spread(X)
    expect(spread > 0, message, "equal ones")
    return Table(X / spread), Reader(kind, X.shape[1], zero, origin, spread)
