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
    "task_picture.js",
    "evidence_canvas.js",
)

#: What clicks on the map do: select an object; add, move, delete or paint points.
TOOLS = ("touch", "add", "move", "delete", "paint")
#: The tool that paints regions on the pixels of the first panel.
BRUSH = "brush"
#: Events after which the browser waits for an answer.
ANSWERED = ("drag", "draw", "stroke")


class EvidenceCanvas(anywidget.AnyWidget):
    """A `Scene`, drawn in the browser, with details of the selected object.

    A click selects the nearest object, if one is near, and is reported. By keyboard: Tab enters the picture,
    arrow keys move from object to object, page keys go through their numbers, Enter reports a click on the
    selected one, Escape deselects. A handle can be dragged: its position is reported while it moves, each
    time after the last report has been handled. If there are handles, page keys select one of them, and
    arrow keys then move it. With a `tool` other than "touch", clicks and strokes draw points instead,
    reported as "draw".

    With the tool "brush", clicks and strokes paint pixels of the first panel, one unit of its axes each, and
    are reported as "stroke". By keyboard: arrow keys move the cursor by one pixel (with Shift by ten),
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
        self._callbacks: dict[str, list[Callable[..., None]]] = {}
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

    def on(self, event: str, callback: Callable[..., None]) -> None:
        """Call `callback` on each event of a kind.

        An object `i` is None if there is none at the position `x`, `y`, which is in the units of the axes.

        - "click": ``callback(i, panel, x, y)``, the name of the panel being "" outside all panels.
        - "drag": ``callback(k, x, y)`` whenever handle k has moved.
        - "draw": ``callback(i, x, y)`` on each mark of a tool. With the tool "move", `i` is the dragged
          object, and `x`, `y` its new position.
        - "stroke": ``callback(region, radius, path)`` on each stroke of the brush. `path` is a list of
          [row, column] from the upper left corner of the panel. Nothing is checked.
        - "letter": ``callback(letter)`` on each letter of `shortcuts`.
        - "settings": ``callback(settings, own, selected)`` with what the address and the tab stored: texts by
          name, `own` as in the trait, and a row. Nothing is checked.
        - "file": ``callback(contents, name)`` on each file that is dropped on the explorer of the picture.
        """
        self._callbacks.setdefault(event, []).append(callback)

    def _receive(self, _: object, content: object, buffers: list) -> None:
        """Pass on events of the browser; ignore anything else."""
        content = content if isinstance(content, dict) else {}
        event = content.get("event")
        try:
            news = self._news(event, content, buffers)
            for callback in self._callbacks.get(event, []) if news is not None else []:
                callback(*news)
        finally:
            if event in ANSWERED:
                self.send({"event": "handled"})

    def _news(self, event: object, content: dict, buffers: list) -> tuple | None:
        """Return the arguments of the callbacks of an event, None if it is not valid."""
        place = [content.get(name) for name in ("x", "y")]
        placed = all(isinstance(value, int | float) for value in place)
        i, name = content.get("object"), content.get("panel")
        if event == "click" and placed and self._is_object(i) and isinstance(name, str):
            return i, name, *map(float, place)
        if event == "drag" and placed and self._is_handle(k := content.get("handle")):
            return k, *map(float, place)
        if event == "draw" and placed and self._is_object(i) and self.tool != "touch":
            return i, *map(float, place)
        if event == "stroke":
            return tuple(content.get(name) for name in ("tool", "radius", "path"))
        if event == "letter" and content.get("letter") in [*self.shortcuts]:
            return (content["letter"],)
        if event == "settings":
            return tuple(content.get(name) for name in ("settings", "own", "selected"))
        if event == "file" and len(buffers) == 1 and isinstance(content.get("name"), str):
            return bytes(buffers[0]), content["name"]
        return None

    def _is_object(self, i: object) -> bool:
        """Return whether `i` is an object of the scene, or None."""
        evidence = self._shown.evidence if self._shown else None
        return i is None or (evidence is not None and type(i) is int and 0 <= i < len(evidence.masses))

    def _is_handle(self, k: object) -> bool:
        handles = self._shown.handles if self._shown else None
        return handles is not None and type(k) is int and 0 <= k < len(handles.positions)
