"""A picture of objects that answers to clicks and keys: a widget with a script of its own.

Python says where on the picture the objects are and which are chosen; the browser draws rings around those
and reports clicks.
"""

from __future__ import annotations

from collections.abc import Callable

import anywidget
import traitlets as t

from credalbench.explore.shared.widgets import script


class ClickablePicture(anywidget.AnyWidget):
    """A PNG picture with objects at known places.

    A click reports the nearest object, if one is near. By keyboard: Tab enters the picture, arrow keys move
    from object to object, page keys go through their numbers, Enter chooses, Escape reports "no object".

    Attributes
    ----------
    value : bytes
        The PNG.
    width, height : int
        Its size in pixels, on which `positions` are measured; the browser may show it smaller.
    positions : list of [float, float]
        Places of the objects in pixels from the upper left corner.
    chosen : list of int
        Objects with a ring and their number.
    description : str
        What the picture shows, for those who do not see it.
    shortcuts : str
        Letters that are reported when pressed in the picture.
    """

    _esm = script("clickable_picture.js")

    value = t.Bytes(b"").tag(sync=True)
    width = t.Int(1).tag(sync=True)
    height = t.Int(1).tag(sync=True)
    positions = t.List().tag(sync=True)
    chosen = t.List(t.Int()).tag(sync=True)
    description = t.Unicode("").tag(sync=True)
    shortcuts = t.Unicode("").tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._on_click, self._on_letter = [], []
        self.on_msg(self._receive)

    def on_click(self, callback: Callable[[int | None, float, float], None]) -> None:
        """Call ``callback(i, x, y)`` on each click: the object or None, and the place in pixels."""
        self._on_click.append(callback)

    def on_letter(self, callback: Callable[[str], None]) -> None:
        """Call ``callback(letter)`` on each letter of `shortcuts`."""
        self._on_letter.append(callback)

    def _receive(self, _: object, content: object, buffers: list) -> None:
        """Pass on what the browser reports; anything else is dropped."""
        kind = content.get("event") if isinstance(content, dict) else None
        if kind == "click":
            i, x, y = (content.get(name) for name in ("object", "x", "y"))
            known = i is None or (type(i) is int and 0 <= i < len(self.positions))
            if known and all(isinstance(value, int | float) for value in (x, y)):
                for callback in self._on_click:
                    callback(i, float(x), float(y))
        elif kind == "letter" and content.get("letter") in set(self.shortcuts):
            for callback in self._on_letter:
                callback(content["letter"])
