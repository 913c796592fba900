"""The parts of a page: read-outs, status, code, time bar, drawing, and interactions that explorers name.

An interaction has `controls`, `buttons` with their `actions`, `link`, which connects them, and `show`, which
is called with each picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import anywidget
import ipywidgets as w
import numpy as np
import traitlets as t

from credalbench.explore.background import LIVE_UP_TO_MS
from credalbench.explore.canvas import script
from credalbench.explore.canvas.evidence_canvas import EvidenceCanvas
from credalbench.explore.declaration import Button
from credalbench.explore.linking import KINDS, SECOND_CHOICES
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import Parameter
from credalbench.explore.stepping import Tile, as_sentence
from credalbench.explore.view.controls import button, choice, number, slider
from credalbench.explore.view.hints import READ_OUT, hint

if TYPE_CHECKING:
    from credalbench.explore.view.explorer_view import ExplorerView


# -- read-outs and messages -----------------------------------------------------------------------------


_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
_TILE = (
    '<div class="{kind}" tabindex="0" title="{hint}" style="padding:2px 14px 4px 0">'
    '<div style="font-size:11px;line-height:14px;opacity:.7">{name}</div>'
    '<div style="font-size:17px;line-height:22px;font-variant-numeric:tabular-nums">{value}</div></div>'
)
#: Read-outs about the computation, in a line of small print.
MINOR = ("objective", "objective J", "data part", "constraint part", "stress", "log-likelihood")
MINOR += ("credal Rand", "time")
_SMALL = '<span class="{kind}" tabindex="0" title="{hint}" style="margin-right:12px">{name} {value}</span>'


def read_outs_html(tiles: Iterable[Tile], words: str) -> str:
    """Return a row of read-outs and a line of minor ones, with the description of the picture."""
    cells, small = [], []
    for name, value, meaning in tiles:
        part, look = (small, _SMALL) if name in MINOR else (cells, _TILE)
        part.append(look.format(kind=READ_OUT, name=name, value=value, hint=escape(hint(name, meaning))))
    # Core image widgets have no alternative text (and fail in the browser when given a tooltip).
    unseen = f'<span role="status" style="{_UNSEEN}">{escape(words)}</span>'
    return (
        f'<div style="display:flex;flex-wrap:wrap;position:relative">{"".join(cells)}{unseen}</div>'
        f'<div style="font-size:12px;line-height:18px;opacity:.8">{"".join(small)}</div>'
    )


def message_html(text: str, wrong: bool) -> str:
    """Return a message in a frame coloured by status, or "" for an empty text."""
    if not text:
        return ""
    colour = "#D55E00" if wrong else "#009E73"
    return (
        f'<div role="status" style="border-left:3px solid {colour};padding:1px 8px;margin:4px 2px;'
        f'line-height:1.35;font-size:13px;white-space:normal">{escape(text)}</div>'
    )


# -- the status of the fit, shown while the picture is out of date -------------------------------------


#: CSS classes of the box, the status, the read-outs and an outdated box.
AROUND, SIGN, RESULT = "credalbench-explorer", "credalbench-sign", "credalbench-result"
OUT_OF_DATE = "credalbench-out-of-date"
PAGE_STYLE = f"<style>{Path(__file__).with_name('page.css').read_text('utf-8')}</style>"


class FitStatus(w.HBox):
    """Status of a running fit: its progress, and which result is shown; hidden otherwise.

    It stays visible when the page is scrolled. The picture and read-outs of its box fade while they are out
    of date.

    Parameters
    ----------
    model : ExplorerModel

    Attributes
    ----------
    stop : ipywidgets.Button
    """

    def __init__(self, model: ExplorerModel) -> None:
        self._model, self._box = model, None
        self._words, self._progress = w.HTML(), w.HTML(layout=w.Layout(min_width="36px"))
        self.stop = button("Stop", "stop", "Stop the fit, and go back to the settings of the picture", "none")
        super().__init__([w.HTML(PAGE_STYLE), self._words, self._progress, self.stop])
        self.add_class(SIGN)
        model.observe(lambda _: self.renew(), ["busy", "message", "is_error"])
        model.observe(lambda change: self._show_progress(change["new"]), "progress")

    def attach(self, box: w.Box) -> None:
        """Put the status over a box, and show it when the state of the fit changes."""
        self._box = box
        box.children += (self,)
        box.add_class(AROUND)
        self.renew()

    def renew(self) -> None:
        """Show or hide the status."""
        model, words = self._model, status_text(self._model)
        self._words.value = f'<span role="status">{escape(words)}</span>' if words else ""
        self.stop.layout.display = None if model.busy else "none"
        self.layout.display = "flex" if words else "none"
        if not model.busy:
            self._show_progress("")
        if self._box is not None:
            (self._box.add_class if words else self._box.remove_class)(OUT_OF_DATE)

    def _show_progress(self, progress: str) -> None:
        self._progress.value = escape(progress)


def status_text(model: ExplorerModel) -> str:
    """Return which result is shown if it does not belong to the present settings, or ""."""
    if model.fitted is None or not (model.busy or model.is_out_of_date):
        return ""
    declared, old = model.parameters(), dict(model.unshown())
    if "iteration" in old:  # as in the read-out: the end of a run is stored as a larger number
        old["iteration"] = model.fitted.iteration
    old = [_setting(declared[name], value) for name, value in old.items() if declared[name].label]
    which = f" ({', '.join(old)})" if old else ""
    return f"{'Computing … ' if model.busy else ''}Shown: the last result{which}."


def _setting(declared: Parameter, value: object) -> str:
    if isinstance(value, bool):
        return declared.label if value else f"not: {declared.label}"
    if isinstance(value, float):
        value = f"{value:.4g}"
    return f"{declared.label} = {(declared.choices or {}).get(value, value)}"


# -- the generated program -----------------------------------------------------------------------------


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


class CodePanel:
    """The program `as_code` of a model, hidden until the button is pressed.

    Attributes
    ----------
    unfold : ipywidgets.ToggleButton
    box : CodeBox
    widget : ipywidgets.VBox
        The box, shown while the button is pressed.
    """

    def __init__(self, model: ExplorerModel) -> None:
        self._model = model
        layout = w.Layout(width="auto", flex="none")
        self.unfold = w.ToggleButton(description="Code", icon="code", tooltip=TOOLTIP, layout=layout)
        self.box = CodeBox()
        self.widget = w.VBox(layout=w.Layout(flex="1 1 300px", min_width="0", display="none"))
        self.unfold.observe(lambda _: self._fold(), "value")
        model.observe(lambda _: self._show(), ["fitted", "busy", "message"])

    def _fold(self) -> None:
        with self._model.turn:
            self._model.repeatable = self.unfold.value
            self._show()
            self.widget.children = (self.box,) if self.unfold.value else ()
            self.widget.layout.display = None if self.unfold.value else "none"

    def _show(self) -> None:
        """Show the program, or the reason why there is none, while the button is pressed."""
        if not self.unfold.value:
            return
        try:
            self.box.code = self._model.as_code()
        except ValueError as reason:
            self.box.code = f"# {as_sentence(reason)}\n"


# -- the time bar: buttons, a player and a slider for the iterations of a run --------------------------


#: Shortest time between two played iterations, in ms.
FRAME_MS = 400


class TimeBar:
    """The controls for the iterations of a view; the slider belongs to the parameters.

    Its buttons pause the player.
    """

    buttons = (
        Button("rewind", "Rewind (r)", "fast-backward", "Go back to the start of this run", "r"),
        Button("step", "Step (s)", "step-forward", "Do one iteration", "s"),
        Button("finish", "End (e)", "fast-forward", "Do all remaining iterations", "e"),
    )

    def __init__(self, view: ExplorerView) -> None:
        self.view, self.model, self.slider = view, view.model, view.controls["iteration"]
        self.player = w.Play(
            min=self.slider.min,
            interval=FRAME_MS,
            show_repeat=False,
            description="play",
            tooltip="Play all iterations, pause, and go back to the start",
        )
        self.controls = {"play": self.player}
        self.actions = {one.name: partial(self._act, one.name) for one in self.buttons}

    def row(self, *first: w.Widget) -> w.Box:
        """Return a row of controls, after the `first` ones."""
        self.slider.layout.flex = "1 1 200px"
        shown = [self.view.controls[name] for name in ("rewind", "step", "play", "finish")]
        layout = w.Layout(flex_flow="row wrap", align_items="center")
        return w.Box([*first, *shown, self.slider], layout=layout)

    def _act(self, name: str) -> None:
        """Pause the player, and call the method of this name of the model."""
        self.player.playing = False
        getattr(self.model, name)()

    def link(self) -> None:
        """Link the player and the iteration in both directions."""
        self.player.observe(self._play, "value")
        self.model.observe(lambda _: self._follow(), "iteration")
        self._follow()

    def _play(self, change: Mapping[str, object]) -> None:
        """Show the iteration of the player, which waits for the iteration being computed."""
        with self.model.turn:
            if self.view.is_quiet:
                return
            if self.model.busy and change["new"] > self._shown():
                self._follow()
            elif change["new"] != self._shown():
                self.model.iteration = change["new"]

    def _shown(self) -> int:
        return min(self.model.iteration, self.player.max)

    def _follow(self) -> None:
        with self.view.silently():
            self.player.value = self._shown()

    def show(self) -> None:
        """Adapt the range of the slider and of the player to a new picture."""
        with self.view.silently():
            self.slider.max = self.player.max = self.model.fitted.n_iter
            self.view.follow("iteration", "iteration")
            self._follow()

    def show_speed(self) -> None:
        """Adapt slider and player to the time that showing an iteration takes."""
        taken = self.model.step_ms + self.view.draw_ms
        self.slider.continuous_update = taken < LIVE_UP_TO_MS
        # the player stops if it advances before the last frame is done
        self.player.interval = max(FRAME_MS, round(1.5 * taken))


# -- drawing data by hand ------------------------------------------------------------------------------


#: What clicks on the map do, by the name of the tool.
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


# -- interactions that explorers name ------------------------------------------------------------------


class PairPart:
    """The fields of the numbers of two chosen objects.

    Attributes
    ----------
    controls : dict of str -> ipywidgets.Text
    """

    buttons: Sequence[Button] = ()

    def __init__(self, view: ExplorerView) -> None:
        self.view, self.choice = view, view.model.choice
        look = {"continuous_update": False, "placeholder": "click"} | _narrow("118px")
        look["tooltip"] = "Number of an object, from 1 in the order of the data; Enter applies"
        self.fields = {
            "first": w.Text(description="objects", **look),
            "second": w.Text(description="and", **look),
        }
        self.controls: dict[str, w.Widget] = {**self.fields}
        self.actions: dict[str, Callable[[], None]] = {}

    def link(self) -> None:
        """Link fields, choice and picture."""
        for field in self.fields.values():
            field.observe(self._choose_by_number, "value")
        self.choice.observe(lambda _: self.show_chosen(), "objects")
        self.show_chosen()

    def show(self) -> None:
        """Follow a new picture."""

    def _choose_by_number(self, _: object) -> None:
        """Choose the objects with the numbers in the fields, if both or the first are given."""
        if self.view.is_quiet:
            return
        numbers = [field.value.strip() for field in self.fields.values()]
        given = [number for number in numbers if number]
        if all(number.isdecimal() and len(number) < 10 for number in given):
            self.choice.choose(*(int(number) - 1 for number in given))
        else:
            self.choice.model.report(
                "Expected numbers of objects, from 1 in the order of the data.", error=True
            )

    def show_chosen(self) -> None:
        """Show the choice in the fields, in the picture and in texts."""
        chosen = self.choice.objects
        with self.view.silently():
            for place, field in enumerate(self.fields.values()):
                field.value = str(chosen[place] + 1) if place < len(chosen) else ""
        self.view.image.chosen = list(chosen)
        if self.view.model.fitted is not None:
            self.view.show_texts()


class LinkPart(PairPart):
    """The controls that choose and link objects."""

    buttons = (
        Button("must-link", "Must-link (m)", "link", "The two objects are in the same cluster", "m"),
        Button("cannot-link", "Cannot-link (c)", "unlink", "The two objects are in different clusters", "c"),
        Button(
            "truth", "Use true classes (t)", "check", "Add the constraint implied by the true classes", "t"
        ),
        Button("undo", "Undo (u)", "undo", "Undo the last change of the constraints", "u"),
        Button("clear", "Clear", "trash", "Remove all constraints"),
    )

    def __init__(self, view: ExplorerView) -> None:
        super().__init__(view)
        self.linking = view.model.linking
        second = "What clicking a second object in the picture does"
        words = ("only selects", "adds a must-link", "adds a cannot-link", "uses true classes")
        labels = dict(zip(SECOND_CHOICES, words))
        self.controls["second_choice"] = choice("a second click", second, labels, **_narrow("250px"))
        self.actions = {kind: partial(self.linking.link, kind) for kind in (*KINDS, "truth")}
        self.actions |= {"undo": self.linking.undo, "clear": self.linking.clear}

    def link(self) -> None:
        t.link((self.linking, "second_choice"), (self.controls["second_choice"], "value"))
        super().link()
        self.view.model.observe(lambda _: self._show_undo(), "busy")

    def show(self) -> None:
        """Enable what the data and the links of the model allow."""
        self.view.controls["truth"].disabled = self.view.model.subject.y is None
        self.view.controls["clear"].disabled = not self.view.model.links
        self._show_undo()

    def _show_undo(self) -> None:
        self.view.controls["undo"].disabled = not self.linking.can_undo

    def show_chosen(self) -> None:
        super().show_chosen()
        ready = len(self.choice.objects) == 2
        for name in KINDS:
            self.view.controls[name].button_style = "info" if ready else ""


class PrototypePart:
    """The fields that move a prototype, which do everything that dragging does."""

    buttons: Sequence[Button] = ()

    def __init__(self, view: ExplorerView) -> None:
        self.view, self.model = view, view.model
        which = "Prototype that the two number fields move; it can also be dragged in the picture"
        self.which = choice("prototype", which, {0: "1"})
        wide = {"flex": "1 1 0", "width": "auto", "min_width": "0"}
        self.fields = {
            name: number(words, f"{axis} position on the map", layout=w.Layout(**wide))
            for name, words, axis in (("place_x", "at x", "Horizontal"), ("place_y", "y", "Vertical"))
        }
        for field in self.fields.values():
            field.style.description_width = "initial"  # the numbers need the room
        self.controls: dict[str, w.Widget] = {"prototype": self.which, **self.fields}
        self.actions: dict[str, Callable[[], None]] = {}

    def link(self) -> None:
        """Link the fields and the prototypes."""
        self.which.observe(lambda _: self._show_place(), "value")
        for axis, field in enumerate(self.fields.values()):
            field.observe(partial(self._move_by_number, axis), "value")

    def _move_by_number(self, axis: int, change: Mapping[str, object]) -> None:
        """Move a prototype along one axis; its other coordinate stays exact."""
        with self.model.turn:
            k = self.which.value
            if not self.view.is_quiet and self.model.fitted is not None:
                place = self._places()[k]
                place[axis] = change["new"]
                self.model.move(k, place)

    def show(self) -> None:
        """Show the prototypes of a new picture."""
        with self.view.silently():
            options = [(str(k + 1), k) for k in range(self.model.fitted.partition.n_clusters)]
            if options != list(self.which.options):
                self.which.options = options
        self._show_place()

    def _places(self) -> np.ndarray:
        """Return the positions of the prototypes on the map, (c, 2)."""
        fitted = self.model.fitted
        return fitted.subject.on_the_map(fitted.prototypes)

    def _show_place(self) -> None:
        if self.model.fitted is not None and self.which.value is not None:
            with self.view.silently():
                for field, value in zip(self.fields.values(), self._places()[self.which.value]):
                    field.value = float(f"{value:.3g}")


def _narrow(width: str) -> dict[str, object]:
    """Return properties of a control of a given width, with a short label."""
    return {"layout": w.Layout(width=width), "style": {"description_width": "initial"}}


#: The parts that explorers name.
PARTS = {"pair": PairPart, "links": LinkPart, "prototypes": PrototypePart}
