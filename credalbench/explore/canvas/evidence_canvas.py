"""A scene in the browser: objects are touched there, what is clicked and dragged is reported.

Python sends numbers; the browser draws them, and tells about each object, without asking Python.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import anywidget
import traitlets as t

from credalbench.explore.canvas import script
from credalbench.explore.scene.scene import Objects, Scene, packed

#: The scripts of the canvas, each using what stands in those before it.
SCRIPTS = (
    "rings.js",
    "handles.js",
    "hand_tools.js",
    "pen.js",
    "frames.js",
    "drawing.js",
    "object_details.js",
    "downloads.js",
    "play_names.js",
    "evidence_canvas.js",
)

#: What clicks on the map do: select an object; add, move, delete or paint points.
TOOLS = ("touch", "add", "move", "delete", "paint")


class EvidenceCanvas(anywidget.AnyWidget):
    """A `Scene`, drawn in the browser, with what is known of the object that is touched.

    A click selects the nearest object, if one is near, and is reported. By keyboard: Tab enters the picture,
    arrow keys move from object to object, page keys go through their numbers, Enter reports a click on the
    selected one, Escape lets go. A handle can be dragged: its places are reported while it moves, the next
    one when the last one has been handled. Where there are handles page keys choose one of them, and arrow
    keys then move it. With a `tool` other than "touch" clicks and strokes draw points instead, reported to
    `on_draw`.

    Attributes
    ----------
    scene, objects : dict
        What is shown, packed; `show` sets both.
    description : str
        What the picture shows, for those who do not see it.
    selected : int or None
        The object that is told about, by its row; the browser and Python both set it.
    chosen : list of int
        Objects with a ring and their name, besides.
    joined : bool
        Whether two chosen objects, no more and no less, are joined by a line.
    tool : str
        One of `TOOLS`: what clicks on the map do.
    shortcuts : str
        Letters that are reported when pressed in the picture.
    stem : str
        Begin of the names of downloaded files.
    """

    _esm = script(*SCRIPTS)

    scene = t.Dict().tag(sync=True)
    objects = t.Dict().tag(sync=True)
    description = t.Unicode("").tag(sync=True)
    selected = t.Int(None, allow_none=True).tag(sync=True)
    chosen = t.List(t.Int()).tag(sync=True)
    joined = t.Bool(True).tag(sync=True)
    tool = t.Enum(TOOLS, "touch").tag(sync=True)
    shortcuts = t.Unicode("").tag(sync=True)
    stem = t.Unicode("picture").tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._shown: Scene | None = None
        self._on_click, self._on_drag, self._on_letter, self._on_draw = [], [], [], []
        self.on_msg(self._receive)

    def show(self, scene: Scene, description: str) -> None:
        """Show another scene at once; names and nearest objects are sent only when they are others."""
        same = self._shown is not None and _same_objects(scene.objects, self._shown.objects)
        with self.hold_sync():
            self._shown, self.description = scene, description
            if not same:
                self.objects = packed(scene.objects)
            self.scene = {name: part for name, part in packed(scene).items() if name != "objects"}

    def download(self, name: str, contents: str) -> None:
        """Let the browser save a text as a file of this name."""
        self.send({"event": "download", "name": name, "contents": contents})

    def on_click(self, callback: Callable[[int | None, str, float, float], None]) -> None:
        """Call ``callback(i, panel, x, y)`` on each click.

        The object or None, the name of the panel, "" beside all panels, and the place in units of its axes.
        """
        self._on_click.append(callback)

    def on_drag(self, callback: Callable[[int, float, float], None]) -> None:
        """Call ``callback(k, x, y)`` whenever a handle has moved: its index, and its place on its panel."""
        self._on_drag.append(callback)

    def on_draw(self, callback: Callable[[int | None, float, float], None]) -> None:
        """Call ``callback(i, x, y)`` on each mark of a tool: the object that is meant, if any, and the place.

        With the tool "move" it is the object that is dragged, and where it is now.
        """
        self._on_draw.append(callback)

    def on_letter(self, callback: Callable[[str], None]) -> None:
        """Call ``callback(letter)`` on each letter of `shortcuts`."""
        self._on_letter.append(callback)

    def _receive(self, _: object, content: object, buffers: list) -> None:
        """Pass on what the browser reports; anything else is dropped."""
        content = content if isinstance(content, dict) else {}
        kind, place = content.get("event"), [content.get(name) for name in ("x", "y")]
        place = [float(value) for value in place if isinstance(value, int | float)]
        placed = len(place) == 2
        i, name = content.get("object"), content.get("panel")
        if kind == "click" and placed and isinstance(name, str) and (i is None or self._is_object(i)):
            _notify(self._on_click, i, name, *place)
        elif kind == "drag":
            self._drag(content.get("handle"), place)
        elif kind == "draw":
            self._dab(i, place)
        elif kind == "letter" and content.get("letter") in set(self.shortcuts):
            _notify(self._on_letter, content["letter"])

    def _drag(self, k: object, place: list[float]) -> None:
        """Pass on where a handle is, and answer whatever came: the browser waits for it."""
        handles = self._shown.handles if self._shown else None
        try:
            if len(place) == 2 and handles is not None and _is_index(k, len(handles.positions)):
                _notify(self._on_drag, k, *place)
        finally:
            self.send({"event": "handled"})

    def _dab(self, i: object, place: list[float]) -> None:
        """Pass on what is drawn, and answer whatever came, as `_drag` does."""
        try:
            if len(place) == 2 and self.tool != "touch" and (i is None or self._is_object(i)):
                _notify(self._on_draw, i, *place)
        finally:
            self.send({"event": "handled"})

    def _is_object(self, i: object) -> bool:
        return self._shown is not None and _is_index(i, len(self._shown.evidence.masses))


def _same_objects(one: Objects, other: Objects) -> bool:
    """Whether two scenes are of the same objects: those of one subject."""
    return all(getattr(one, part.name) is getattr(other, part.name) for part in fields(one))


def _is_index(i: object, count: int) -> bool:
    return type(i) is int and 0 <= i < count


def _notify(callbacks: list[Callable[..., None]], *news: object) -> None:
    for callback in callbacks:
        callback(*news)
