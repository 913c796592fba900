"""An explorer with the few controls of one task, as lessons show it; a button shows the whole explorer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import ipywidgets as w

from credalbench.core.arguments import expect
from credalbench.explore.view.parts import message_html, read_outs_html

if TYPE_CHECKING:
    from credalbench.explore.view.explorer_view import ExplorerView

STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text('utf-8')}</style>"
#: CSS classes of the box of a task, of its controls and of its button; `SHOWS` starts those that name its
#: panels, which the script of the canvas reads.
TASK, MOVED, SHOW, SHOWS = (f"credalbench-{one}" for one in ("task", "moved", "show", "shows-"))


class TaskView:
    """Some controls, panels and read-outs of an explorer; everything else is one button away.

    A task shares its controls, its picture and its model with the explorer and with its other tasks.

    Parameters
    ----------
    explorer : ExplorerView
    controls, panels, read_outs : sequence of str
        As in `ExplorerView.task`.

    Attributes
    ----------
    widget : ipywidgets.Box
        The widget that a notebook displays.
    everything : ipywidgets.ToggleButton
        The button that shows the whole explorer in the place of the task.
    classes : list of str
        CSS classes that name the panels of its picture.
    """

    def __init__(
        self, explorer: ExplorerView, controls: Sequence[str], panels: Sequence[str], read_outs: Sequence[str]
    ) -> None:
        self.explorer, self.controls, self._read_outs = explorer, controls, read_outs
        drawn = [panel["name"] for panel in explorer.image.scene["panels"]]
        tiles = [name for name, *_ in explorer._read_outs(explorer.model.fitted)]
        for asked, known in ((controls, explorer.controls), (panels, drawn), (read_outs, tiles)):
            for name in asked:
                expect(name in known, f"one of {', '.join(known)}", name)
        self.classes = [TASK, *(SHOWS + name for name in panels)]
        wrapped = w.Layout(flex_flow="row wrap")
        moved = w.Box([explorer._row(name) for name in controls], layout=wrapped).add_class(MOVED)
        self._tiles, self._message = w.HTML(), w.HTML()
        words = "Show all controls and panels of the explorer, or only those of this task"
        self.everything = w.ToggleButton(description="Show everything", icon="sliders", tooltip=words)
        self._few = (
            *(w.HTML(STYLE), moved, self._tiles, explorer.image, self._message, explorer.status),
            self.everything.add_class(SHOW),
        )
        self.widget = w.VBox()
        self.everything.observe(lambda _: self._arrange(), "value")
        explorer.readouts.observe(lambda _: self._show(), "value")
        explorer.widget.observe(lambda _: self._follow(), "_dom_classes")
        explorer.model.observe(lambda _: self._report(), ["message", "is_error"])
        self._show()
        self._report()
        self._arrange()

    def _arrange(self) -> None:
        """Show the task or the whole explorer."""
        self.widget.children = (self.explorer.widget, self.everything) if self.everything.value else self._few
        self._follow()

    def _follow(self) -> None:
        """Fade the picture of the task as the explorer does while it is out of date."""
        own = () if self.everything.value else self.classes
        self.widget._dom_classes = (*self.explorer.widget._dom_classes, *own)

    def _show(self) -> None:
        """Show the read-outs."""
        tiles = self.explorer._read_outs(self.explorer.model.fitted)
        self._tiles.value = read_outs_html([tile for tile in tiles if tile[0] in self._read_outs], "")

    def _report(self) -> None:
        """Show the message of the model."""
        self._message.value = message_html(self.explorer.model.message, self.explorer.model.is_error)

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        return self.widget._repr_mimebundle_(**kwargs)
