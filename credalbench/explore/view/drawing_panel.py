"""The panel that draws data by hand."""

import ipywidgets as w

from credalbench.explore.canvas.evidence_canvas import EvidenceCanvas
from credalbench.explore.model import ExplorerModel
from credalbench.explore.view.controls import button, choice, slider

TOOLS = {
    "touch": "select objects",
    "add": "add points",
    "move": "drag points",
    "delete": "delete points",
    "paint": "paint classes",
}
#: Number of classes that can be painted.
CLASSES = 6
#: Start of the name of the data set of two groups at a distance; objects and tenths follow.
GROUPS = "overlapping:"


class DrawingPanel:
    """The controls of a `Drawing`, and the actions of its tools on the canvas.

    Attributes
    ----------
    widget : ipywidgets.Box
    controls : dict of str -> ipywidgets.Widget
    """

    def __init__(self, model: ExplorerModel, canvas: EvidenceCanvas) -> None:
        self.model, self.canvas = model, canvas
        narrow = {"layout": w.Layout(width="96px"), "style": {"description_width": "0px"}}
        classes = {k: f"class {k + 1}" for k in range(CLASSES)}
        self.controls = {
            "tool": choice("map", "What a click or a stroke on the map does; by keyboard: Enter", TOOLS),
            "class": choice("", "The class that is painted", classes, **narrow),
            "distance": slider(
                "distance", "Distance between the means, in standard deviations", 0.0, 8.0, 0.1
            ),
            "undo": button("Undo", "undo", "Undo the last change of the points"),
            "reset": button("Reset", "trash-o", "Undo all changes of the points"),
        }
        c = self.controls
        c["tool"].layout.flex = "1"
        self.changes = w.HBox([c["undo"], c["reset"]])
        self.widget = w.VBox([c["distance"], w.HBox([c["tool"], c["class"]]), self.changes])
        c["tool"].observe(lambda _: self._show(), "value")
        c["undo"].on_click(lambda _: model.drawing.undo())
        c["reset"].on_click(lambda _: model.drawing.reset())
        c["distance"].observe(lambda change: self._part(change["new"]), "value")
        model.observe(lambda _: self._show(), "data")
        model.drawing.observe(lambda _: self._show(), "can_undo")
        canvas.on("draw", self._draw)
        self._show()

    def _draw(self, i: int | None, x: float, y: float) -> None:
        """Apply the tool; do nothing if it needs an object and there is none."""
        tool, fitted = self.controls["tool"].value, self.model.fitted
        if tool in ("add", "move") and fitted is not None and not fitted.on_map:
            self.model.report("Points can be drawn only on a map: choose another view under 'map shows'.")
        elif tool == "add":
            self.model.drawing.add(x, y)
        elif i is None:
            return
        elif tool == "move":
            self.model.drawing.move(i, x, y)
        elif tool == "delete":
            self.model.drawing.delete(i)
        elif tool == "paint":
            self.model.drawing.paint(i, self.controls["class"].value)

    def _part(self, distance: float) -> None:
        """Draw the two groups at another distance."""
        if self.model.data.startswith(GROUPS):
            n = self.model.data.split(":")[1]
            self.model.data = f"{GROUPS}{n}:{round(10 * distance)}"

    def _show(self) -> None:
        """Set the tool of the canvas, and enable the usable controls."""
        tool = self.controls["tool"].value
        self.canvas.tool = tool
        self.controls["class"].layout.display = "" if tool == "paint" else "none"
        self.changes.layout.display = "" if self.model.drawing.can_undo else "none"
        tenths = self.model.data.rpartition(":")[2]
        grouped = self.model.data.startswith(GROUPS) and tenths.isdecimal()
        self.controls["distance"].layout.display = "" if grouped else "none"
        if grouped:
            self.controls["distance"].value = float(tenths) / 10
