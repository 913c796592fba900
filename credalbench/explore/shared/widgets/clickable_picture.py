"""A picture of objects that answers to clicks, drags and keys: a widget with a script of its own.

Python says where on the picture the objects and handles are and which objects are chosen; the browser draws
rings around those and reports what is clicked and dragged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anywidget
import numpy as np
import traitlets as t

from credalbench.explore.shared.widgets import script


class ClickablePicture(anywidget.AnyWidget):
    """A PNG picture with objects and handles at known places.

    A click reports the nearest object, if one is near. A handle can be dragged: its places are reported while
    it moves, the next one when the last one has been heard. By keyboard: Tab enters the picture, arrow keys
    move from object to object, page keys go through their numbers, Enter chooses, Escape reports "no object".
    Where there are handles page keys choose one of them, and arrow keys then move it.

    Attributes
    ----------
    value : bytes
        The PNG.
    width, height : int
        Its size in pixels, on which `positions` are measured; the browser may show it smaller.
    positions, handles : list of [float, float]
        Places of the objects, and of what can be dragged, in pixels from the upper left corner.
    handle_name : str
        What a handle is called; its number, from 1, follows.
    chosen : list of int
        Objects with a ring and their number.
    joined : bool
        Whether two chosen objects, no more and no less, are joined by a line.
    description : str
        What the picture shows, for those who do not see it.
    shortcuts : str
        Letters that are reported when pressed in the picture.
    """

    _esm = script("rings.js", "handles.js", "clickable_picture.js")

    value = t.Bytes(b"").tag(sync=True)
    width = t.Int(1).tag(sync=True)
    height = t.Int(1).tag(sync=True)
    positions = t.List().tag(sync=True)
    handles = t.List().tag(sync=True)
    handle_name = t.Unicode("").tag(sync=True)
    chosen = t.List(t.Int()).tag(sync=True)
    joined = t.Bool(True).tag(sync=True)
    description = t.Unicode("").tag(sync=True)
    shortcuts = t.Unicode("").tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self.layout.max_width = f"{self.width}px"
        self._on_click, self._on_drag, self._on_letter = [], [], []
        self.on_msg(self._receive)

    def show(
        self,
        png: bytes,
        description: str,
        positions: Sequence | np.ndarray = (),
        handles: Sequence | np.ndarray = (),
    ) -> None:
        """Show another picture, with objects (n, 2) and handles (m, 2) at these places, at once."""
        with self.hold_sync():
            self.value, self.description = png, description
            self.positions, self.handles = (np.round(places, 1).tolist() for places in (positions, handles))

    def on_click(self, callback: Callable[[int | None, float, float], None]) -> None:
        """Call ``callback(i, x, y)`` on each click: the object or None, and the place in pixels."""
        self._on_click.append(callback)

    def on_drag(self, callback: Callable[[int, float, float], None]) -> None:
        """Call ``callback(k, x, y)`` whenever a handle has moved: its index, and the place in pixels."""
        self._on_drag.append(callback)

    def on_letter(self, callback: Callable[[str], None]) -> None:
        """Call ``callback(letter)`` on each letter of `shortcuts`."""
        self._on_letter.append(callback)

    def _receive(self, _: object, content: object, buffers: list) -> None:
        """Pass on what the browser reports; anything else is dropped."""
        content = content if isinstance(content, dict) else {}
        kind, place = content.get("event"), [content.get(name) for name in ("x", "y")]
        placed = all(isinstance(value, int | float) for value in place)
        i, k = content.get("object"), content.get("handle")
        if kind == "click" and placed and (i is None or _is_index(i, self.positions)):
            _tell(self._on_click, i, *map(float, place))
        elif kind == "drag":
            self._drag(k, place if placed else [])
        elif kind == "letter" and content.get("letter") in set(self.shortcuts):
            _tell(self._on_letter, content["letter"])

    def _drag(self, k: object, place: list[float]) -> None:
        """Pass on where a handle is, and answer whatever came: the browser waits for it."""
        try:
            if place and _is_index(k, self.handles):
                _tell(self._on_drag, k, *map(float, place))
        finally:
            self.send({"event": "heard"})


def _is_index(i: object, places: list) -> bool:
    return type(i) is int and 0 <= i < len(places)


def _tell(callbacks: list[Callable[..., None]], *news: object) -> None:
    for callback in callbacks:
        callback(*news)
