"""The program of what is shown, on the screen: a button that unfolds it, and the box that it stands in."""

from __future__ import annotations

import ipywidgets as w

from credalbench.explore.shared.fitting_model import as_sentence
from credalbench.explore.shared.refitting_model import RefittingModel
from credalbench.explore.shared.widgets.code_box import CodeBox

TOOLTIP = (
    "Show the Python program that computes this partition, to be copied. While it is shown, no fit goes on "
    "from the last one, so that the program gives the same"
)


class CodePanel:
    """The `as_code` of a model; there is nothing to see until the button is pressed.

    Attributes
    ----------
    unfold : ipywidgets.ToggleButton
    box : CodeBox
    widget : ipywidgets.VBox
        The box, while the button is down.
    """

    def __init__(self, model: RefittingModel) -> None:
        self._model = model
        layout = w.Layout(width="auto", flex="1")
        self.unfold = w.ToggleButton(description="Code", icon="code", tooltip=TOOLTIP, layout=layout)
        self.box = CodeBox()
        self.widget = w.VBox(layout=w.Layout(width="100%", padding="0 12px"))
        self.unfold.observe(lambda _: self._fold(), "value")
        model.observe(lambda _: self._show(), ["fitted", "busy", "message"])

    def _fold(self) -> None:
        with self._model.turn:
            self._model.repeatable = self.unfold.value
            self._show()
            self.widget.children = (self.box,) if self.unfold.value else ()

    def _show(self) -> None:
        """Show the program of what is shown, or why there is none."""
        if self.unfold.value:
            try:
                self.box.code = self._model.as_code()
            except ValueError as reason:
                self.box.code = f"# {as_sentence(reason)}\n"
