"""The panel of drawn constraints: two chosen objects, and buttons that link them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as w
import traitlets as t

from credalbench.explore.linking import KINDS, SECOND_CHOICES, Linking
from credalbench.explore.view.controls import button, choice
from credalbench.explore.view.pair_panel import PairPanel

if TYPE_CHECKING:
    from credalbench.explore.view.explorer_view import ExplorerView

#: Keyboard shortcuts in the picture, by letter.
LETTERS = {"m": "must-link", "c": "cannot-link", "t": "truth", "u": "undo"}
_SECOND = ("only selects", "adds a must-link", "adds a cannot-link", "uses true classes")


class LinkPanel:
    """The controls that choose and link objects.

    Attributes
    ----------
    controls : dict of str -> ipywidgets.Widget
    """

    def __init__(self, linking: Linking) -> None:
        self.linking, self.pair = linking, PairPanel(linking.choice)
        actions = {
            "must-link": ("Must-link (m)", "link", "The two objects are in the same cluster"),
            "cannot-link": ("Cannot-link (c)", "unlink", "The two objects are in different clusters"),
            "truth": ("Use true classes (t)", "check", "Add the constraint implied by the true classes"),
            "undo": ("Undo (u)", "undo", "Undo the last change of the constraints"),
            "clear": ("Clear", "trash", "Remove all constraints"),
        }
        second = "What clicking a second object in the picture does"
        narrow = {"style": {"description_width": "initial"}, "layout": w.Layout(width="250px")}
        self.controls = {
            **self.pair.controls,
            **{name: button(*texts, flex="0 1 auto") for name, texts in actions.items()},
            "second_choice": choice("a second click", second, dict(zip(SECOND_CHOICES, _SECOND)), **narrow),
        }

    def rows(self, *more: w.Widget) -> list[w.Box]:
        """Return two rows of controls; the second begins with `more`."""
        c = self.controls
        first = [*self.pair.controls.values(), c["must-link"], c["cannot-link"], c["truth"]]
        rows = first, [*more, c["undo"], c["clear"], c["second_choice"]]
        return [w.Box(row, layout=w.Layout(flex_flow="row wrap")) for row in rows]

    def actions(self) -> dict[str, Callable[[], None]]:
        """Return the actions of the buttons, by name."""
        links = {kind: lambda kind=kind: self.linking.link(kind) for kind in (*KINDS, "truth")}
        return links | {name: getattr(self.linking, name) for name in ("undo", "clear")}

    def link(self, view: ExplorerView) -> None:
        """Link controls and picture of a view with the links of its model."""
        t.link((self.linking, "second_choice"), (self.controls["second_choice"], "value"))
        self.pair.link(view, self.show_chosen)
        view.image.on_click(lambda i, *_: self.linking.click(i))
        view.model.observe(lambda _: self._show_undo(), "busy")
        self.show_chosen()

    def show(self) -> None:
        """Enable what the data and the links of the model allow."""
        model = self.linking.model
        self.controls["truth"].disabled = model.subject.y is None
        self.controls["clear"].disabled = not model.links
        self._show_undo()

    def _show_undo(self) -> None:
        self.controls["undo"].disabled = not self.linking.can_undo

    def show_chosen(self) -> None:
        """Show the chosen objects."""
        self.pair.show()
        ready = len(self.linking.choice.objects) == 2
        for name in KINDS:
            self.controls[name].button_style = "info" if ready else ""
