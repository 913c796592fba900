"""Points drawn by hand in the plane: add, move, delete and paint them, with undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd
import traitlets as t

from credalbench.explore.sources import DRAWN
from credalbench.explore.sources.tables import Table, table_from_arrays

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

#: The permanent numbers of the points, in the order of their rows.
Points = list[int]


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
        frame = pd.DataFrame(self.X, columns=list(self.labels))
        if self.y is not None:
            frame.insert(2, "class", self.y + 1, allow_duplicates=True)
        return frame.to_csv(index=False, lineterminator="\n")


class Drawing(t.HasTraits):
    """Editing by hand of a model's table of two attributes; the number of clusters is kept.

    Parameters
    ----------
    model : ExplorerModel

    Attributes
    ----------
    can_undo : bool
        Whether there are changes to undo.
    """

    can_undo = t.Bool(False)

    def __init__(self, model: ExplorerModel) -> None:
        super().__init__()
        self.model = model
        self.forget()
        model.observe(self._forget_other_data, "data")

    def forget(self) -> None:
        """Clear the history of changes."""
        # before each change: the data shown, as table or name, and the points
        self._earlier: list[tuple[Table | str, Points]] = []
        self._moving: int | None = None  # the point that moved last: a drag is one change
        self._points: Points | None = None  # None: those of the data, in their order
        self._pictured: Points | None = None  # those of the picture, if it shows earlier ones
        self._numbers = count()
        self.can_undo = False

    def add(self, x: float, y: float) -> None:
        """Add a point; if classes are known, it gets the class of the nearest one."""
        self._change(
            lambda drawn: drawn.added(x, y), lambda points: [*points, next(self._numbers)], of_an_object=False
        )

    def move(self, i: int, x: float, y: float) -> None:
        """Move point i; consecutive moves of one point are one change."""
        self._change(lambda drawn: drawn.moved(i, x, y), moving=i)

    def delete(self, i: int) -> None:
        """Delete point i."""
        self._change(lambda drawn: drawn.without(i), lambda points: [*points[:i], *points[i + 1 :]])

    def paint(self, i: int, k: int) -> None:
        """Put point i into class k, from 0."""
        self._change(lambda drawn: drawn.painted(i, k))

    def undo(self) -> None:
        """Undo the last change."""
        self.model.guarded(lambda: self._go_to(len(self._earlier) - 1))

    def reset(self) -> None:
        """Undo all changes."""
        self.model.guarded(lambda: self._go_to(0))

    def _change(
        self,
        change: Callable[[DrawnPoints], DrawnPoints],
        renumber: Callable[[Points], Points] = list,
        moving: int | None = None,
        of_an_object: bool = True,
    ) -> None:
        """Show changed points; `renumber` returns their numbers after the change.

        `of_an_object`: whether the change is about a row that the user selected in the picture.
        """
        model = self.model

        def action() -> None:
            if model.standardize:
                raise ValueError("points are drawn in the units of the data: untick 'standardise attributes'")
            self._expect_pictured(of_an_object)
            table = model.source.accept(change(DrawnPoints.of(model.subject)).as_table())
            if self._points is None:
                self._points = [next(self._numbers) for _ in range(model.subject.n_objects)]
            if moving is None or moving != self._moving:
                self._earlier.append((model.source.own.get(model.data, model.data), self._points))
            self._moving = moving
            self._show(table, renumber(self._points))

        model.guarded(action)

    def _expect_pictured(self, of_an_object: bool) -> None:
        """Raise if the picture shows other data or, for changes of a row, outdated points."""
        if self._is_pictured:
            return
        if self._pictured is None or (of_an_object and self._pictured != self._points):
            raise ValueError("the picture does not show the current points yet: wait for it before drawing")

    @property
    def _is_pictured(self) -> bool:
        """Whether the picture shows the present points."""
        return self.model.fitted is not None and self.model.fitted.subject is self.model.subject

    def _go_to(self, k: int) -> None:
        """Show the data before change k, from 0."""
        if not self._earlier:
            raise ValueError("there is no drawing to undo")
        (before, points), self._earlier, self._moving = self._earlier[k], self._earlier[:k], None
        self._show(before, points)

    def _show(self, data: Table | str, points: Points) -> None:
        """Show changed data with their `points`."""
        if self._is_pictured:
            self._pictured = self._points
        before = self._points
        memory = self._earlier, self._moving, self._numbers, self._pictured
        with self.model.batch():
            self.model.mark_changed("n_clusters")  # treated as set by the user, so that it is kept
            if isinstance(data, Table):
                self.model.show_subject(data)
            else:
                self.model.data = data
            self.model._follow_points(before, points)
        self._earlier, self._moving, self._numbers, self._pictured = memory
        self._points, self.can_undo = points, bool(self._earlier)

    def _forget_other_data(self, change: Mapping[str, object]) -> None:
        if change["new"] != DRAWN:
            self.forget()
