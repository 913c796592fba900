"""A widget with an image to paint on.

The browser reports strokes; Python computes the marked pixels and sends them back as `regions`.
"""

from collections.abc import Callable

import anywidget
import traitlets as t

from credalbench.explore.canvas import script

COMMANDS = ("undo", "clear")


class PaintCanvas(anywidget.AnyWidget):
    """An image with two painted regions, which differ in colour, hatching and number.

    With a mouse or a pen: press and draw. By keyboard: Tab enters the image, arrow keys move the cursor by
    one pixel (with Shift by ten), Space paints one dab, Enter puts the brush down and lifts it, 1, 2 and 0
    choose the tool, + and - the size of the brush, U undoes a stroke.

    Attributes
    ----------
    pixels : bytes
        Red, green and blue of each pixel, row by row.
    regions : bytes
        0, 1 or 2 for each pixel.
    rows, columns : int
    tool : int
        1 and 2 paint, 0 erases.
    radius : float
        Radius of the brush, in pixels of the image.
    description : str
        Description of the image for screen readers.
    """

    _esm = script("paint_canvas.js")

    pixels = t.Bytes(b"\0\0\0").tag(sync=True)
    regions = t.Bytes(b"\0").tag(sync=True)
    rows = t.Int(1).tag(sync=True)
    columns = t.Int(1).tag(sync=True)
    tool = t.Int(1, min=0, max=2).tag(sync=True)
    radius = t.Float(4.0, min=0.0, max=30.0).tag(sync=True)
    description = t.Unicode("").tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._on_stroke, self._on_command = [], []
        self.on_msg(self._receive)

    def on_stroke(self, callback: Callable[[object, object, object], None]) -> None:
        """Call ``callback(tool, radius, path)`` on each stroke; path is a list of [row, column]."""
        self._on_stroke.append(callback)

    def on_command(self, callback: Callable[[str], None]) -> None:
        """Call ``callback(name)`` on each command of `COMMANDS`."""
        self._on_command.append(callback)

    def show_image(self, pixels: bytes, shape: tuple[int, int]) -> None:
        """Show another image, without regions; `shape` is (rows, columns)."""
        with self.hold_sync():
            self.rows, self.columns = shape
            self.pixels = pixels
            self.regions = bytes(shape[0] * shape[1])

    def _receive(self, _: object, content: object, buffers: list) -> None:
        """Pass on events of the browser; the model checks the strokes."""
        if not isinstance(content, dict):
            return
        if content.get("event") == "stroke":
            for callback in self._on_stroke:
                callback(content.get("tool"), content.get("radius"), content.get("path"))
        elif content.get("event") == "command" and content.get("name") in COMMANDS:
            for callback in self._on_command:
                callback(content["name"])
