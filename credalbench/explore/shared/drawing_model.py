"""Models whose data can be drawn: points added, moved, deleted and painted, each change undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import traitlets as t

from credalbench.explore.shared.subjects.drawn_points import DRAWN, DrawnPoints
from credalbench.explore.shared.subjects.tables import Table
from credalbench.explore.shared.table_model import TableModel

#: Which points there are, in the order of their rows: each has a number of its own, which it keeps.
Points = list[int]


class DrawingModel(TableModel):
    """A `TableModel` whose tables of two attributes can be drawn on; the number of clusters stays.

    Attributes
    ----------
    can_undo_drawing : bool
        Whether something has been drawn since these data were chosen.
    """

    can_undo_drawing = t.Bool(False)

    def __init__(self, data: object, **parameters: object) -> None:
        self._begin_drawing()
        super().__init__(data, **parameters)

    def _begin_drawing(self) -> None:
        # before each change: what was shown, own data or a name, and its points
        self._earlier: list[tuple[Table | str, Points]] = []
        self._moving: int | None = None  # the point that moved last: a drag is one change
        self._points: Points | None = None  # None: those of the data, in their order
        self._pictured: Points | None = None  # those of the picture, where it shows earlier ones
        self._numbers = count()
        self.can_undo_drawing = False

    def add_point(self, x: float, y: float) -> None:
        """Add a point; where classes are known it gets that of the nearest one."""
        self._redraw(
            lambda drawn: drawn.added(x, y), lambda points: [*points, next(self._numbers)], of_an_object=False
        )

    def move_point(self, i: int, x: float, y: float) -> None:
        """Move point i; further moves of the same point are the same change."""
        self._redraw(lambda drawn: drawn.moved(i, x, y), moving=i)

    def delete_point(self, i: int) -> None:
        """Delete point i."""
        self._redraw(lambda drawn: drawn.without(i), lambda points: [*points[:i], *points[i + 1 :]])

    def paint_point(self, i: int, k: int) -> None:
        """Put point i into class k, from 0."""
        self._redraw(lambda drawn: drawn.painted(i, k))

    def undo_drawing(self) -> None:
        """Take back the last change."""
        self._guarded(lambda: self._go_to(len(self._earlier) - 1))

    def reset_drawing(self) -> None:
        """Take back all changes."""
        self._guarded(lambda: self._go_to(0))

    def _redraw(
        self,
        change: Callable[[DrawnPoints], DrawnPoints],
        among: Callable[[Points], Points] = list,
        moving: int | None = None,
        of_an_object: bool = True,
    ) -> None:
        """Show changed points; `among` says which of them there are then.

        A change `of_an_object` is one of a row, which somebody has pointed at in the picture.
        """

        def action() -> None:
            if self.standardize:
                raise ValueError("points are drawn in the units of the data: untick 'standardise attributes'")
            self._expect_pictured(of_an_object)
            table = self._accepted(change(DrawnPoints.of(self.subject)).as_table())
            if self._points is None:
                self._points = [next(self._numbers) for _ in range(self.subject.n_objects)]
            if moving is None or moving != self._moving:
                self._earlier.append((self._own.get(self.data, self.data), self._points))
            self._moving = moving
            self._show_drawn(table, among(self._points))

        self._guarded(action)

    def _expect_pictured(self, of_an_object: bool) -> None:
        """Raise where the picture shows other data or, if a row is meant, other points than there are now."""
        if self._is_pictured:
            return
        if self._pictured is None or (of_an_object and self._pictured != self._points):
            raise ValueError("the picture does not show the present points yet: draw on it once it does")

    @property
    def _is_pictured(self) -> bool:
        """Whether the picture shows the present points."""
        return self.fitted is not None and self.fitted.subject is self.subject

    def _go_to(self, k: int) -> None:
        """Show what was there before change k, from 0."""
        if not self._earlier:
            raise ValueError("nothing has been drawn that could be taken back")
        (before, points), self._earlier, self._moving = self._earlier[k], self._earlier[:k], None
        self._show_drawn(before, points)

    def _show_drawn(self, data: Table | str, points: Points) -> None:
        """Show data that come from those shown by drawing, or by taking it back: these `points` of them."""
        if self._is_pictured:
            self._pictured = self._points
        kept = self._earlier, self._moving, self._numbers, self._pictured
        with self.batch():
            self._changed.add("n_clusters")  # as if it had been asked for: it stays
            if isinstance(data, Table):
                super()._show_own(data)
            else:
                self.data = data
        self._earlier, self._moving, self._numbers, self._pictured = kept
        self._points, self.can_undo_drawing = points, bool(self._earlier)

    def _show_own(self, subject: Table) -> None:
        super()._show_own(subject)
        self._begin_drawing()  # it may have the name of what was drawn before

    @t.observe("data")
    def _forget_drawing(self, change: Mapping[str, object]) -> None:
        """Other data that somebody chooses begin without changes."""
        if change["new"] != DRAWN:
            self._begin_drawing()
