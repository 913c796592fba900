"""The panel of two chosen objects, with fields for their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as w

from credalbench.explore.choice import ObjectChoice

if TYPE_CHECKING:
    from credalbench.explore.view.explorer_view import ExplorerView


class PairPanel:
    """The fields of the numbers of two objects.

    Attributes
    ----------
    controls : dict of str -> ipywidgets.Text
    """

    def __init__(self, choice: ObjectChoice) -> None:
        self.choice = choice
        look = {"continuous_update": False, "layout": w.Layout(width="118px")}
        look |= {"placeholder": "click", "style": {"description_width": "initial"}}
        look["tooltip"] = "Number of an object: its row in the data, from 0; Enter applies"
        self.controls = {
            "first": w.Text(description="objects", **look),
            "second": w.Text(description="and", **look),
        }

    def link(self, view: ExplorerView, show: Callable[[], None]) -> None:
        """Link fields and choice in a view; `show` displays the choice."""
        self.view = view
        for field in self.controls.values():
            field.observe(self._choose_by_number, "value")
        self.choice.observe(lambda _: show(), "objects")

    def _choose_by_number(self, _: object) -> None:
        """Choose the objects with the numbers in the fields, if both or the first are given."""
        if self.view.is_quiet:
            return
        numbers = [field.value.strip() for field in self.controls.values()]
        given = [number for number in numbers if number]
        if all(number.isdecimal() and len(number) < 10 for number in given):
            self.choice.choose(*map(int, given))
        else:
            self.choice.model.report("Expected numbers of objects: rows of the data, from 0.", error=True)

    def show(self) -> None:
        """Show the choice in the fields and in the picture."""
        chosen = self.choice.objects
        with self.view.silently():
            for place, field in enumerate(self.controls.values()):
                field.value = str(chosen[place]) if place < len(chosen) else ""
        self.view.image.chosen = list(chosen)
