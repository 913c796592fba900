"""What the views of explorers share in which two objects are chosen: by clicks, by keys, by their numbers."""

from __future__ import annotations

import ipywidgets as w

from credalbench.explore.shared.table_view import TableView

#: The fields of the two numbers.
FIELDS = ("first", "second")


class PairView(TableView):
    """A `TableView` of a `ChosenPair` with `pair_fields` among its controls and an `EvidenceCanvas`."""

    def _link(self) -> None:
        super()._link()
        for name in FIELDS:
            self.controls[name].observe(self._choose_by_number, "value")
        self.image.on_click(self._click)
        self.model.observe(lambda _: self._show_chosen(), "chosen_objects")

    def _click(self, i: int | None, panel: str, x: float, y: float) -> None:
        """Choose the object that was clicked; none drops the choice."""
        if i is None:
            self.model.choose()
        else:
            self.model.click(i)

    def _choose_by_number(self, _: object) -> None:
        """Choose the objects whose numbers are in the two fields, where both or the first are there."""
        if self._quiet:
            return
        numbers = [self.controls[name].value.strip() for name in FIELDS]
        given = [number for number in numbers if number]
        if all(number.isdigit() for number in given):
            self.model.choose(*map(int, given))
        else:
            self.model.report("Expected numbers of objects, which are rows of the data from 0.", error=True)

    def _show_chosen(self) -> None:
        chosen = self.model.chosen_objects
        with self._silently():
            for place, name in enumerate(FIELDS):
                self.controls[name].value = str(chosen[place]) if place < len(chosen) else ""
        self.image.chosen = list(chosen)


def pair_fields() -> dict[str, w.Text]:
    """Return the fields for the numbers of two objects, by name."""
    look = {"continuous_update": False, "layout": w.Layout(width="118px")}
    look |= {"placeholder": "click", "style": {"description_width": "initial"}}
    look["tooltip"] = "Number of an object: its row in the data, from 0; Enter applies"
    return {name: w.Text(description=words, **look) for name, words in zip(FIELDS, ("objects", "and"))}
