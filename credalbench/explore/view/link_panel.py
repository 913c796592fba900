"""The panels of two chosen objects, and of the constraints that link them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as w
import numpy as np
import traitlets as t

from credalbench.cluster.constrained.report import BY_AN_OUTLIER, VIOLATED
from credalbench.explore.choice import ObjectChoice
from credalbench.explore.linking import KINDS, SECOND_CHOICES, Linking, counted
from credalbench.explore.view.controls import button, choice
from credalbench.explore.view.read_outs import Tile

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


def outcome_tiles(outcomes: np.ndarray) -> list[Tile]:
    """Return the read-outs of the outcomes of constraints (q,)."""
    violated = "Constraints that the clusters of highest pignistic probability violate"
    outlying = "Constraints on an outlier: it is in none of the clusters, so they cost nothing, true or false"
    words = {VIOLATED: violated, BY_AN_OUTLIER: outlying}
    return [(outcome, counted(outcomes, outcome), meaning) for outcome, meaning in words.items()]


def outcome_text(outcomes: np.ndarray) -> str:
    """Return the outcomes of constraints (q,) in words."""
    violated, outlying = (np.count_nonzero(outcomes == outcome) for outcome in (VIOLATED, BY_AN_OUTLIER))
    return f"with {len(outcomes)} constraints, {violated} of them violated and {outlying} met by an outlier"
