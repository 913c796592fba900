"""Models whose data can be drawn: points added, moved, deleted and painted, each change undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import traitlets as t

from credalbench.explore.shared.subjects.drawn_points import DRAWN, DrawnPoints
from credalbench.explore.shared.subjects.tables import Table
from credalbench.explore.shared.table_model import TableModel


class DrawingModel(TableModel):
    """A `TableModel` whose tables of two attributes can be drawn on; the number of clusters stays.

    Attributes
    ----------
    can_undo_drawing_drawing : bool
        Whether something has been drawn since these data were chosen.
    """

    can_undo_drawing_drawing = t.Bool(False)

    def __init__(self, data: object, **parameters: object) -> None:
        self._earlier: list[Table | str] = []  # what was shown before each change: own data, or a name
        self._moving: int | None = None  # the point that moved last: a drag is one change
        super().__init__(data, **parameters)

    def add_point(self, x: float, y: float) -> None:
        """Add a point; where classes are known it gets that of the nearest one."""
        self._redraw(lambda points: points.added(x, y))

    def move_point(self, i: int, x: float, y: float) -> None:
        """Move point i; further moves of the same point are the same change."""
        self._redraw(lambda points: points.moved(i, x, y), moving=i)

    def delete_point(self, i: int) -> None:
        """Delete point i."""
        self._redraw(lambda points: points.without(i))

    def paint_point(self, i: int, k: int) -> None:
        """Put point i into class k, from 0."""
        self._redraw(lambda points: points.painted(i, k))

    def undo_drawing(self) -> None:
        """Take back the last change."""
        self._guarded(lambda: self._go_to(len(self._earlier) - 1))

    def reset_drawing(self) -> None:
        """Take back all changes."""
        self._guarded(lambda: self._go_to(0))

    def _redraw(self, change: Callable[[DrawnPoints], DrawnPoints], moving: int | None = None) -> None:
        def action() -> None:
            if self.standardize:
                raise ValueError("points are drawn in the units of the data: untick 'standardise attributes'")
            table = change(DrawnPoints.of(self.subject)).as_table()
            if moving is None or moving != self._moving:
                self._earlier.append(self._own.get(self.data, self.data))
            self._moving = moving
            self._show_drawn(table)

        self._guarded(action)

    def _go_to(self, k: int) -> None:
        """Show what was there before change k, from 0."""
        if not self._earlier:
            raise ValueError("nothing has been drawn that could be taken back")
        before, self._earlier, self._moving = self._earlier[k], self._earlier[:k], None
        self._show_drawn(before)

    def _show_drawn(self, data: Table | str) -> None:
        earlier, moving = self._earlier, self._moving
        with self.batch():
            self._changed.add("n_clusters")  # as if it had been asked for: it stays
            if isinstance(data, Table):
                self._show_own(data)
            else:
                self.data = data
        self._earlier, self._moving, self.can_undo_drawing_drawing = earlier, moving, bool(earlier)

    @t.observe("data")
    def _forget_drawing(self, change: Mapping[str, object]) -> None:
        """Other data that somebody chooses begin without changes."""
        if change["new"] != DRAWN:
            self._earlier, self._moving, self.can_undo_drawing_drawing = [], None, False
