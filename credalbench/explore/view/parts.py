"""The interactions of explorers that have their own controls: pairs of objects, links, prototypes.

A part has `controls`, `buttons` with their `actions`, `link`, which connects them, and `show`, which is
called with each picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import ipywidgets as w
import numpy as np
import traitlets as t

from credalbench.explore.declaration import Button
from credalbench.explore.linking import KINDS, SECOND_CHOICES
from credalbench.explore.view.controls import choice, number

if TYPE_CHECKING:
    from credalbench.explore.view.explorer_view import ExplorerView


class PairPart:
    """The fields of the numbers of two chosen objects.

    Attributes
    ----------
    controls : dict of str -> ipywidgets.Text
    """

    buttons: Sequence[Button] = ()

    def __init__(self, view: ExplorerView) -> None:
        self.view, self.choice = view, view.model.choice
        look = {"continuous_update": False, "placeholder": "click"} | _narrow("118px")
        look["tooltip"] = "Number of an object: its row in the data, from 0; Enter applies"
        self.fields = {
            "first": w.Text(description="objects", **look),
            "second": w.Text(description="and", **look),
        }
        self.controls: dict[str, w.Widget] = {**self.fields}

    def actions(self) -> dict[str, Callable[[], None]]:
        """Return the actions of the buttons, by name."""
        return {}

    def link(self) -> None:
        """Link fields, choice and picture."""
        for field in self.fields.values():
            field.observe(self._choose_by_number, "value")
        self.choice.observe(lambda _: self.show_chosen(), "objects")
        self.show_chosen()

    def show(self) -> None:
        """Follow a new picture."""

    def _choose_by_number(self, _: object) -> None:
        """Choose the objects with the numbers in the fields, if both or the first are given."""
        if self.view.is_quiet:
            return
        numbers = [field.value.strip() for field in self.fields.values()]
        given = [number for number in numbers if number]
        if all(number.isdecimal() and len(number) < 10 for number in given):
            self.choice.choose(*map(int, given))
        else:
            self.choice.model.report("Expected numbers of objects: rows of the data, from 0.", error=True)

    def show_chosen(self) -> None:
        """Show the choice in the fields, in the picture and in texts."""
        chosen = self.choice.objects
        with self.view.silently():
            for place, field in enumerate(self.fields.values()):
                field.value = str(chosen[place]) if place < len(chosen) else ""
        self.view.image.chosen = list(chosen)
        if self.view.model.fitted is not None:
            self.view.show_texts()


class LinkPart(PairPart):
    """The controls that choose and link objects."""

    buttons = (
        Button("must-link", "Must-link (m)", "link", "The two objects are in the same cluster", "m"),
        Button("cannot-link", "Cannot-link (c)", "unlink", "The two objects are in different clusters", "c"),
        Button(
            "truth", "Use true classes (t)", "check", "Add the constraint implied by the true classes", "t"
        ),
        Button("undo", "Undo (u)", "undo", "Undo the last change of the constraints", "u"),
        Button("clear", "Clear", "trash", "Remove all constraints"),
    )

    def __init__(self, view: ExplorerView) -> None:
        super().__init__(view)
        self.linking = view.model.linking
        second = "What clicking a second object in the picture does"
        words = ("only selects", "adds a must-link", "adds a cannot-link", "uses true classes")
        labels = dict(zip(SECOND_CHOICES, words))
        self.controls["second_choice"] = choice("a second click", second, labels, **_narrow("250px"))

    def actions(self) -> dict[str, Callable[[], None]]:
        links = {kind: lambda kind=kind: self.linking.link(kind) for kind in (*KINDS, "truth")}
        return links | {name: getattr(self.linking, name) for name in ("undo", "clear")}

    def link(self) -> None:
        t.link((self.linking, "second_choice"), (self.controls["second_choice"], "value"))
        super().link()
        self.view.model.observe(lambda _: self._show_undo(), "busy")

    def show(self) -> None:
        """Enable what the data and the links of the model allow."""
        self.view.controls["truth"].disabled = self.view.model.subject.y is None
        self.view.controls["clear"].disabled = not self.view.model.links
        self._show_undo()

    def _show_undo(self) -> None:
        self.view.controls["undo"].disabled = not self.linking.can_undo

    def show_chosen(self) -> None:
        super().show_chosen()
        ready = len(self.choice.objects) == 2
        for name in KINDS:
            self.view.controls[name].button_style = "info" if ready else ""


class PrototypePart:
    """The fields that move a prototype, which do everything that dragging does."""

    buttons: Sequence[Button] = ()

    def __init__(self, view: ExplorerView) -> None:
        self.view, self.model = view, view.model
        label = {"style": {"description_width": "initial"}}
        which = "Prototype that the two number fields move; it can also be dragged in the picture"
        self.which = choice("prototype", which, {0: "1"}, layout=w.Layout(width="114px"), **label)
        self.fields = {
            "place_x": number(
                "at x", "Horizontal position on the map", layout=w.Layout(width="84px"), **label
            ),
            "place_y": number("y", "Vertical position on the map", layout=w.Layout(width="72px"), **label),
        }
        self.controls: dict[str, w.Widget] = {"prototype": self.which, **self.fields}

    def actions(self) -> dict[str, Callable[[], None]]:
        """Return the actions of the buttons, by name."""
        return {}

    def link(self) -> None:
        """Link the fields and the prototypes."""
        self.which.observe(lambda _: self._show_place(), "value")
        for axis, field in enumerate(self.fields.values()):
            field.observe(partial(self._move_by_number, axis), "value")

    def _move_by_number(self, axis: int, change: Mapping[str, object]) -> None:
        """Move a prototype along one axis; its other coordinate stays exact."""
        with self.model.turn:
            k = self.which.value
            if not self.view.is_quiet and self.model.fitted is not None:
                place = self._places()[k]
                place[axis] = change["new"]
                self.model.move(k, place)

    def show(self) -> None:
        """Show the prototypes of a new picture."""
        with self.view.silently():
            options = [(str(k + 1), k) for k in range(self.model.fitted.partition.n_clusters)]
            if options != list(self.which.options):
                self.which.options = options
        self._show_place()

    def _places(self) -> np.ndarray:
        """Return the positions of the prototypes on the map, (c, 2)."""
        fitted = self.model.fitted
        return fitted.subject.on_the_map(fitted.prototypes)

    def _show_place(self) -> None:
        if self.model.fitted is not None and self.which.value is not None:
            with self.view.silently():
                for field, value in zip(self.fields.values(), self._places()[self.which.value]):
                    field.value = float(f"{value:.3g}")


def _narrow(width: str) -> dict[str, object]:
    """Return properties of a control of a given width, with a short label."""
    return {"layout": w.Layout(width=width), "style": {"description_width": "initial"}}


#: The parts that explorers name.
PARTS = {"pair": PairPart, "links": LinkPart, "prototypes": PrototypePart}
