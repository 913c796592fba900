"""Points drawn by hand in the plane, with classes."""

import csv
import io
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from credalbench.explore.sources.tables import Table, table_from_arrays

#: Name of a table of drawn points.
DRAWN = "drawn"


@dataclass(frozen=True, eq=False)
class DrawnPoints:
    """Points `X` (n, 2) with their classes `y` (n,), or None, and the names of both axes.

    Changes return new points; coordinates are in the units of the axes.
    """

    X: np.ndarray
    y: np.ndarray | None
    labels: tuple[str, str]

    @classmethod
    def of(cls, table: Table) -> Self:
        """Return the objects of a table with two attributes.

        Raises
        ------
        ValueError
            If the table does not have exactly two attributes.
        """
        p = 0 if table.attributes is None else table.attributes.shape[1]
        if p != 2:
            has = f"{p} attributes" if p else "dissimilarities"
            raise ValueError(f"drawing needs exactly two attributes; {table.name} has {has}")
        return cls(table.attributes, table.y, table.axis_labels)

    def added(self, x: float, y: float) -> Self:
        """Return the points with one added; its class is that of the nearest point."""
        place = np.array([[x, y]])
        if self.y is None:
            return replace(self, X=np.vstack([self.X, place]))
        nearest = int(((self.X - place) ** 2).sum(axis=1).argmin())
        return replace(self, X=np.vstack([self.X, place]), y=np.append(self.y, self.y[nearest]))

    def moved(self, i: int, x: float, y: float) -> Self:
        """Return the points with point i moved."""
        X = self.X.copy()
        X[i] = x, y
        return replace(self, X=X)

    def without(self, i: int) -> Self:
        """Return the points without point i."""
        y = None if self.y is None else np.delete(self.y, i)
        return replace(self, X=np.delete(self.X, i, axis=0), y=y)

    def painted(self, i: int, k: int) -> Self:
        """Return the points with point i in class k, from 0; k is at most the number of classes.

        If classes were unknown, the other points get class 0.
        """
        y = np.zeros(len(self.X), int) if self.y is None else self.y.copy()
        y[i] = min(k, y.max() + 1)
        return replace(self, y=y)

    def as_table(self) -> Table:
        """Return the points as a table; raise a ValueError as `table_from_arrays` does."""
        about = {"feature_names": self.labels, "text": self._text()}
        if self.y is not None:
            used, y = np.unique(self.y, return_inverse=True)  # a class may have lost its last point
            about |= {"y": y, "class_names": tuple(str(k + 1) for k in range(len(used)))}
        return table_from_arrays(DRAWN, X=self.X, **about)

    def _text(self) -> str:
        """Return the points as the text of a file."""
        rows = [[repr(float(value)) for value in row] for row in self.X]
        header = list(self.labels)
        if self.y is not None:
            header, rows = (
                [*header, "class"],
                [[*row, str(k + 1)] for row, k in zip(rows, self.y.tolist(), strict=True)],
            )
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([header, *rows])
        return out.getvalue()
