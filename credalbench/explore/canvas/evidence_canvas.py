"""The canvas that draws a scene in the browser and reports clicks and drags.

Python sends numbers. The browser draws them and shows details of each object without calling Python.
"""

from collections.abc import Callable
from dataclasses import fields

import anywidget
import traitlets as t

from credalbench.explore.canvas import script
from credalbench.explore.scene.scene import Scene, packed

#: The scripts of the canvas; each uses those before it.
SCRIPTS = (
    "rings.js",
    "handles.js",
    "brush.js",
    "pen.js",
    "frames.js",
    "drawing.js",
    "object_details.js",
    "downloads.js",
    "play_names.js",
    "address.js",
    "evidence_canvas.js",
)

#: What clicks on the map do: select an object; add, move, delete or paint points.
TOOLS = ("touch", "add", "move", "delete", "paint")
#: The tool that paints regions on the pixels of the first panel.
BRUSH = "brush"


class EvidenceCanvas(anywidget.AnyWidget):
    """A `Scene`, drawn in the browser, with details of the selected object.

    A click selects the nearest object, if one is near, and is reported. By keyboard: Tab enters the picture,
    arrow keys move from object to object, page keys go through their numbers, Enter reports a click on the
    selected one, Escape deselects. A handle can be dragged: its position is reported while it moves, each
    time after the last report has been handled. If there are handles, page keys select one of them, and
    arrow keys then move it. With a `tool` other than "touch", clicks and strokes draw points instead,
    reported to `on_draw`.

    With the tool "brush", clicks and strokes paint pixels of the first panel, one unit of its axes each, and
    are reported to `on_stroke`. By keyboard: arrow keys move the cursor by one pixel (with Shift by ten),
    Space paints one dab, Enter puts the brush down and lifts it, 1, 2 and 0 choose the region, + and - the
    size of the brush.

    Attributes
    ----------
    scene, objects : dict
        What is shown, packed; `show` sets both.
    description : str
        Description of the picture for screen readers.
    selected : int or None
        Row of the selected object; the browser and Python both set it.
    chosen : list of int
        Further objects that are marked with a ring and their name.
    joined : bool
        Whether exactly two chosen objects are joined by a line.
    tool : str
        One of `TOOLS`, or `BRUSH`: what clicks on the map do.
    region : int
        What the brush paints: 1 and 2 are regions, 0 erases.
    radius : float
        Radius of the brush, in pixels of the image.
    bare : bool
        Whether the picture is shown alone, in the shape of its one panel, without details and downloads.
    shortcuts : str
        Letters that are reported when pressed in the picture.
    stem : str
        Start of the names of downloaded files.
    settings : dict
        The settings that the address of the page keeps.
    own : str
        The user's data in JSON, or "", which a tab of the browser keeps until it is closed.
    """

    _esm = script(*SCRIPTS)

    scene = t.Dict().tag(sync=True)
    objects = t.Dict().tag(sync=True)
    description = t.Unicode("").tag(sync=True)
    selected = t.Int(None, allow_none=True).tag(sync=True)
    chosen = t.List(t.Int()).tag(sync=True)
    joined = t.Bool(True).tag(sync=True)
    tool = t.Enum((*TOOLS, BRUSH), "touch").tag(sync=True)
    region = t.Int(1, min=0, max=2).tag(sync=True)
    radius = t.Float(4.0, min=0.0, max=30.0).tag(sync=True)
    bare = t.Bool(False).tag(sync=True)
    shortcuts = t.Unicode("").tag(sync=True)
    stem = t.Unicode("picture").tag(sync=True)
    settings = t.Dict().tag(sync=True)
    own = t.Unicode("").tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._shown: Scene | None = None
        self._on_click, self._on_drag, self._on_letter, self._on_draw = [], [], [], []
        self._on_stroke, self._on_settings, self._on_file = [], [], []
        self.on_msg(self._receive)

    def show(self, scene: Scene, description: str) -> None:
        """Show another scene; names and nearest objects are sent only if they have changed."""
        new, old = scene.objects, self._shown and self._shown.objects
        same = old is not None and all(getattr(new, p.name) is getattr(old, p.name) for p in fields(new))
        with self.hold_sync():
            self._shown, self.description = scene, description
            if not same:
                self.objects = packed(scene.objects)
            self.scene = {name: part for name, part in packed(scene).items() if name != "objects"}

    def download(self, name: str, contents: str) -> None:
        """Save a text as a file of this name in the browser."""
        self.send({"event": "download", "name": name, "contents": contents})

    def on_click(self, callback: Callable[[int | None, str, float, float], None]) -> None:
        """Call ``callback(i, panel, x, y)`` on each click.

        `i` is the object or None, `panel` the name of the panel ("" outside all panels), `x` and `y` the
        position in the units of its axes.
        """
        self._on_click.append(callback)

    def on_drag(self, callback: Callable[[int, float, float], None]) -> None:
        """Call ``callback(k, x, y)`` whenever a handle has moved: its index and its position on its panel."""
        self._on_drag.append(callback)

    def on_draw(self, callback: Callable[[int | None, float, float], None]) -> None:
        """Call ``callback(i, x, y)`` on each mark of a tool: the object, if any, and the position.

        With the tool "move", they are the dragged object and its new position.
        """
        self._on_draw.append(callback)

    def on_stroke(self, callback: Callable[[object, object, object], None]) -> None:
        """Call ``callback(tool, radius, path)`` on each stroke of the brush; nothing is checked.

        `tool` is the `region`, `path` a list of [row, column] from the upper left corner of the panel.
        """
        self._on_stroke.append(callback)

    def on_letter(self, callback: Callable[[str], None]) -> None:
        """Call ``callback(letter)`` on each letter of `shortcuts`."""
        self._on_letter.append(callback)

    def on_settings(self, callback: Callable[[object, object, object], None]) -> None:
        """Call ``callback(settings, own, selected)`` with what the address and the tab stored, unchecked.

        `settings` are texts by name, `own` is as in the trait, `selected` a row.
        """
        self._on_settings.append(callback)

    def on_file(self, callback: Callable[[bytes, str], None]) -> None:
        """Call ``callback(contents, name)`` on each file that is dropped on the explorer of the picture."""
        self._on_file.append(callback)

    def _receive(self, _: object, content: object, buffers: list) -> None:
        """Pass on events of the browser; ignore anything else."""
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
        elif kind == "stroke":
            self._paint(content)
        elif kind == "settings":
            _notify(self._on_settings, *(content.get(name) for name in ("settings", "own", "selected")))
        elif kind == "file" and len(buffers) == 1 and isinstance(name := content.get("name"), str):
            _notify(self._on_file, bytes(buffers[0]), name)
        elif kind == "letter" and content.get("letter") in set(self.shortcuts):
            _notify(self._on_letter, content["letter"])

    def _drag(self, k: object, place: list[float]) -> None:
        """Pass on the position of a handle, and always answer: the browser waits for the answer."""
        handles = self._shown.handles if self._shown else None
        try:
            if len(place) == 2 and handles is not None and _is_index(k, len(handles.positions)):
                _notify(self._on_drag, k, *place)
        finally:
            self.send({"event": "handled"})

    def _dab(self, i: object, place: list[float]) -> None:
        """Pass on what is drawn, and always answer, as `_drag` does."""
        try:
            if len(place) == 2 and self.tool != "touch" and (i is None or self._is_object(i)):
                _notify(self._on_draw, i, *place)
        finally:
            self.send({"event": "handled"})

    def _paint(self, stroke: dict) -> None:
        """Pass on a stroke, and always answer: the browser then drops its preview."""
        try:
            _notify(self._on_stroke, stroke.get("tool"), stroke.get("radius"), stroke.get("path"))
        finally:
            self.send({"event": "handled"})

    def _is_object(self, i: object) -> bool:
        evidence = self._shown.evidence if self._shown else None
        return evidence is not None and _is_index(i, len(evidence.masses))


def _is_index(i: object, count: int) -> bool:
    return type(i) is int and 0 <= i < count


def _notify(callbacks: list[Callable[..., None]], *news: object) -> None:
    for callback in callbacks:
        callback(*news)
