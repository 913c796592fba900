"""Drawing: add, move, delete and paint points by hand, with undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING

import traitlets as t

from credalbench.explore.sources.drawn_points import DRAWN, DrawnPoints
from credalbench.explore.sources.tables import Table

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

#: The permanent numbers of the points, in the order of their rows.
Points = list[int]


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
        self._pictured: Points | None = None  # those of the picture, where it shows earlier ones
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
