"""The panel of the generated program: a button and a box with the code."""

import anywidget
import ipywidgets as w
import traitlets as t

from credalbench.explore.canvas import script
from credalbench.explore.fitting import as_sentence
from credalbench.explore.model import ExplorerModel


class CodeBox(anywidget.AnyWidget):
    """A box with source code and a button that copies it; Tab reaches both.

    Attributes
    ----------
    code : str
    """

    _esm = script("code_box.js")

    code = t.Unicode("").tag(sync=True)


TOOLTIP = (
    "Show the Python program that computes this partition. While it is shown, fits do not start from the "
    "last one, so that the program gives the same result"
)

#: Traits of the model that the program depends on.
SHOWN_BY = ["fitted", "busy", "message"]


class CodePanel:
    """The program `as_code` of a model, hidden until the button is pressed.

    Attributes
    ----------
    unfold : ipywidgets.ToggleButton
    box : CodeBox
    widget : ipywidgets.VBox
        The box, while the button is pressed.
    """

    def __init__(self, model: ExplorerModel) -> None:
        self._model = model
        layout = w.Layout(width="auto", flex="1")
        self.unfold = w.ToggleButton(description="Code", icon="code", tooltip=TOOLTIP, layout=layout)
        self.box = CodeBox()
        self.widget = w.VBox(layout=w.Layout(width="100%", padding="0 12px"))
        self.unfold.observe(lambda _: self._fold(), "value")

    def _fold(self) -> None:
        with self._model.turn:
            self._model.repeatable = self.unfold.value
            if self.unfold.value:
                self._model.observe(self._show, SHOWN_BY)
                self._show()
            else:
                self._model.unobserve(self._show, SHOWN_BY)
            self.widget.children = (self.box,) if self.unfold.value else ()

    def _show(self, _: object = None) -> None:
        """Show the program, or the reason why there is none."""
        try:
            self.box.code = self._model.as_code()
        except ValueError as reason:
            self.box.code = f"# {as_sentence(reason)}\n"
