"""Views of explorers: controls linked to the traits of a model, panels, a picture in the browser, messages.

A view computes nothing: it passes values to the model and shows its state. Every control is accessible by
keyboard: Tab moves between controls, arrow keys move a slider, Enter applies a number.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from html import escape
from importlib import import_module
from inspect import cleandoc
from math import isclose, log10
from textwrap import fill, indent
from time import perf_counter

import ipywidgets as w
import traitlets as t
from IPython import get_ipython

from credalbench.core.injected import expect_known_parameters
from credalbench.explore.background import LIVE_UP_TO_MS, WhenIdle
from credalbench.explore.canvas.evidence_canvas import EvidenceCanvas
from credalbench.explore.declaration import NOTE, RULE, FitExplorer
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import Parameter
from credalbench.explore.saving import in_class
from credalbench.explore.scene.credal_map import fit_scene
from credalbench.explore.scene.scene import Scene
from credalbench.explore.sources import Subject
from credalbench.explore.sources.reading import UserTableSource
from credalbench.explore.stepping import Stepped, Tile, fit_text, fit_tiles
from credalbench.explore.view.controls import (
    RULE_HTML,
    SLIDER,
    SLIDERS,
    button,
    parameter_controls,
    upload_button,
)
from credalbench.explore.view.hints import HINT_STYLE
from credalbench.explore.view.import_panel import ImportPanel
from credalbench.explore.view.parts import (
    PARTS,
    RESULT,
    CodePanel,
    DrawingPanel,
    FitStatus,
    TimeBar,
    message_html,
    read_outs_html,
)
from credalbench.explore.view.task import TaskView

#: The docstring of the function that opens an explorer.
DOCSTRING = """Open the {title}: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "{default}"
        {words}
    **parameters
        Parameters of `{model}`.

    Returns
    -------
    ExplorerView
        Displays itself; ``.model`` is the explorer's state,
        {returns}

    Examples
    --------
    {example}
    """
#: CSS classes of the column of controls, of the column of the picture and of the program.
CONTROLS, PICTURE, PROGRAM = "credalbench-controls", "credalbench-picture", "credalbench-program"
#: Height of one line, so that the picture below does not jump.
MESSAGE_HEIGHT = "30px"
HEADING_HTML = '<div style="font-size:17px;font-weight:600;line-height:26px">{}</div>'
NOTE_HTML = '<div style="font-size:12px;line-height:18px;padding-left:8px;white-space:normal">{}</div>'
SAVE = "Save the partition and the settings to files in your explorations folder"
SAVE_IN_CLASS = "Download the settings as a file, which Open restores"
#: Text in legends of draggable marks, which need a kernel.
DRAG = ": drag it"


class ExplorerView:
    """Controls, read-outs and picture of an `ExplorerModel`, as the explorer declares them.

    `model.selected` is the object that is selected in the browser.

    Parameters
    ----------
    model : ExplorerModel
    declared : FitExplorer

    Attributes
    ----------
    model : ExplorerModel
    widget : ipywidgets.Box
        The widget that a notebook displays.
    controls : dict of str -> ipywidgets.Widget
        The controls, by the name of their trait or action.
    image : EvidenceCanvas
        The picture.
    draw_ms : float
        Time to build the last scene, in ms, without drawing in the browser.
    imported : ImportPanel or None
        None if the source reads no user tables.
    drawing : DrawingPanel or None
        None if data cannot be drawn.
    time : TimeBar
    code : CodePanel
    status : FitStatus
    parts : list
        The time bar, and the explorer's own interactions.
    texts : dict of str -> ipywidgets.HTML
    """

    def __init__(self, model: ExplorerModel, declared: FitExplorer) -> None:
        self.model, self.declared, self.draw_ms = model, declared, float("nan")
        model.page = loop_of_page
        self.controls = parameter_controls(type(model))
        self.time = TimeBar(self)
        self.parts = [self.time, *(PARTS[name](self) for name in declared.parts)]
        buttons = [*declared.buttons, *(one for part in self.parts for one in part.buttons)]
        self._letters = {one.letter: one.name for one in buttons if one.letter}
        shortcuts = "".join(self._letters)
        self.image = EvidenceCanvas(shortcuts=shortcuts, joined="links" in declared.parts)
        self.readouts = w.HTML(layout=w.Layout(flex="1", min_width="0"))
        self.readouts.add_class(RESULT)
        self.message = w.HTML(layout=w.Layout(min_height=MESSAGE_HEIGHT))
        self.texts = {name: w.HTML() for name in declared.texts}
        for name in self.texts.keys() & {"above"}:
            self.texts[name].add_class(RESULT)
        self.status = FitStatus(model)
        self.code = CodePanel(model)
        self.top = w.HBox([self.readouts, self.code.unfold])
        self._here = threading.local()
        self._off: Mapping[str, object] = {}  # disabled controls, and what they show meanwhile
        self.controls |= {
            "upload": upload_button(*model.source.FILES),
            "export": button("Save", "save", SAVE_IN_CLASS if in_class() else SAVE),
            "open": upload_button("Open", "Restore the settings from a file written by Save", ".json"),
            "stop": self.status.stop,
            "code": self.code.unfold,
        }
        self.controls |= self._own_controls()
        for part in self.parts:
            self.controls |= part.controls
        self.controls |= {one.name: button(one.label, one.icon, one.tooltip, one.flex) for one in buttons}
        reads_tables = isinstance(model.source, UserTableSource)
        self.imported = ImportPanel(model.source) if reads_tables else None
        self.drawing = None if model.drawing is None else DrawingPanel(model, self.image)
        self.widget = self._arrange()
        self.widget.children[0].children += (w.HBox([self.controls["open"]]),)
        self.widget.children += (self.code.widget.add_class(PROGRAM), w.HTML(HINT_STYLE))
        self.status.attach(self.widget)
        self._link()
        self._show_data()
        self._show_subject()
        self._show_fit()
        self._show_settings()
        self._show_message()

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        return self.widget._repr_mimebundle_(**kwargs)

    def task(self, *controls: str, panels: Sequence[str] = (), read_outs: Sequence[str] = ()) -> TaskView:
        """Return this explorer with few controls, for one task; see `TaskView`.

        Parameters
        ----------
        *controls : str
            Names of the controls.
        panels : sequence of str
            Names of the panels of the picture, the large one first; all by default.
        read_outs : sequence of str
            Names of the read-outs.

        Returns
        -------
        TaskView

        Raises
        ------
        ValueError
            If a control, a panel or a read-out does not exist.
        """
        return TaskView(self, controls, panels, read_outs)

    # -- for pages of their own -------------------------------------------------------------------------

    def _own_controls(self) -> dict[str, w.Widget]:
        """Return controls that are neither parameters nor declared."""
        return {}

    def scene(self, fitted: Stepped) -> Scene:
        """Return the scene of a fit."""
        return (self.declared.scene or fit_scene)(fitted)

    def _text(self, fitted: Stepped) -> str:
        """Return the description of the picture of a fit for screen readers."""
        return (self.declared.text or fit_text)(fitted)

    def _arrange(self) -> w.Widget:
        """Return the layout of all widgets, the column of controls first."""
        declared = self.declared
        rows = [self._row(entry) for entry in declared.controls]
        first = [self.controls[name] for name in ("data", *declared.generated)]
        first += [w.HBox([self.controls["upload"]]), self.imported.widget]
        first += [self.controls["standardize"]] if "standardize" in self.controls else []
        first += [] if self.drawing is None else [self.drawing.widget]
        left = panel(declared.title, *first, w.HTML(RULE_HTML), *rows)
        wrapped = w.Layout(flex_flow="row wrap")
        bars = [w.Box([self.controls[name] for name in row], layout=wrapped) for row in declared.bars]
        bars.append(self.time.row(*(self.controls[name] for name in declared.play)))
        around = [self.texts[name] for name in ("above", "below") if name in self.texts]
        picture = [*around, self.image] if "above" in self.texts else [self.image, *around]
        return side_by_side(left, column(self.top, *bars, self.message, *picture))

    def _row(self, entry: str | tuple[str, ...]) -> w.Widget:
        """Return a row of the column of controls."""
        if entry == RULE:
            return w.HTML(RULE_HTML)
        if entry == NOTE:
            return self.texts[NOTE]
        names = (entry,) if isinstance(entry, str) else entry
        if isinstance(entry, str) and entry + SLIDER in self.controls:
            names = (entry + SLIDER, entry)
        found = [self.controls[name] for name in names]
        return found[0] if isinstance(entry, str) and len(found) == 1 else w.HBox(found)

    def _actions(self) -> dict[str, Callable[[], None]]:
        """Return the actions of the buttons, by name."""
        actions = {one.name: getattr(self.model, one.action or one.name) for one in self.declared.buttons}
        for part in self.parts:
            actions |= part.actions
        return actions

    def _show_subject(self) -> None:
        """Adapt the controls to the data."""
        if self.model.subject is not None:
            with self.silently():
                self._limit_controls(self.model.subject)
        own = self.model.source.state()
        self.image.own = json.dumps(own) if own else ""

    def _limit_controls(self, subject: Subject) -> None:
        """End sliders at the number of objects, and enable scaling only for attributes."""
        declared = self.model.parameters()
        if (clusters := declared["n_clusters"]).grows:
            most = max(clusters.slider[1], self.model.n_clusters)
            self.controls["n_clusters"].max = min(most, subject.n_objects)
            if "standardize" in self.controls:
                self.controls["standardize"].disabled = subject.attributes is None
        for name in declared:
            if declared[name].objects is not None:
                value, slider = getattr(self.model, name), self.controls[name]
                slider.max = max(value or 1, subject.n_objects + declared[name].objects)
                if value is None:
                    slider.value = min(declared[name].slider[1], subject.n_objects // 2)

    def _read_outs(self, fitted: Stepped) -> Iterable[Tile]:
        """Return the read-outs, (name, value, hint) each."""
        took = f"{fitted.fit_ms:.0f} + {self.draw_ms:.0f} ms"
        time = "time", took, "Time to fit and to build the picture"
        return *(self.declared.tiles or fit_tiles)(fitted), time

    # -- linking ----------------------------------------------------------------------------------------

    def _link(self) -> None:
        model, controls = self.model, self.controls
        for name, _ in self._linked():
            self._bind(name.removesuffix(SLIDER), name)
        controls["data"].observe(lambda change: self._set("data", "data", change["new"]), "value")
        controls["upload"].observe(partial(self._read_chosen, model.load_file), "value")
        controls["open"].observe(
            partial(self._read_chosen, lambda contents, _: model.load_state(contents)), "value"
        )
        self.actions = self._actions() | {"export": self._export, "stop": model.stop}
        for name, action in self.actions.items():
            controls[name].on_click(lambda _, action=action: action())
        model.observe(lambda _: self._show_subject(), "subject")
        model.observe(lambda _: self._show_data(), "data")
        model.observe(lambda _: self._show_fit(), "fitted")
        model.observe(lambda _: self._show_settings(), ["fitted", "busy"])
        model.observe(lambda _: self._show_message(), ["message", "is_error"])
        model.observe(lambda _: self._show_selected(), "selected")
        self.image.on("click", model.clicked)
        self.image.on("drag", model.dragged)
        for name, declared in model.parameters().items():
            if declared.unless:
                controls[declared.unless[0]].observe(partial(self._choose_none, name), "value")
        for part in self.parts:
            part.link()
        if self.declared.idle:
            ahead = WhenIdle(lambda: model.busy or getattr(model, self.declared.idle)())
            # drawing points changes the subject, but no parameter
            model.observe(lambda _: ahead.restart(), [*model.parameters(), "subject"])
            ahead.restart()
        self.image.observe(self._select, "selected")
        self.image.on("settings", self._read_address)
        self.image.on("file", self._read_dropped)
        self.image.on("letter", lambda letter: self.actions[self._letters[letter]]())

    def _linked(self) -> Iterator[tuple[str, Parameter]]:
        """Yield the controls of parameters with their declarations, except the data."""
        declared = self.model.parameters()
        for name in self.controls:
            if (trait := name.removesuffix(SLIDER)) in declared and trait != "data":
                yield name, declared[trait]

    def _bind(self, trait: str, name: str) -> None:
        """Link a control and a trait in both directions."""
        self.follow(trait, name)
        self.model.observe(lambda _: self.follow(trait, name), trait)
        self.controls[name].observe(lambda change: self._set(trait, name, change["new"]), "value")

    @property
    def is_quiet(self) -> bool:
        """Whether this thread is changing controls without changing the model."""
        return getattr(self._here, "quiet", False)

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Change controls without changing the model."""
        before, self._here.quiet = self.is_quiet, True
        try:
            yield
        finally:
            self._here.quiet = before

    def _shown(self, trait: str, name: str) -> object:
        """Return the value of a control for the value of a trait."""
        instead = self._off.get(trait)
        return shown_value(self.controls[name], getattr(self.model, trait) if instead is None else instead)

    def _choose_none(self, name: str, change: Mapping[str, object]) -> None:
        """Set a parameter to None, or to the value of its slider."""
        if not self.is_quiet:
            setattr(self.model, name, None if change["new"] else self.controls[name].value)

    def _set(self, trait: str, name: str, value: object) -> None:
        """Set a trait to the value of a control, unless they agree already."""
        if self.is_quiet or value is None:  # a fit changes controls while the page waits
            return
        with self.model.turn:
            if not same_value(value, self._shown(trait, name)):
                setattr(self.model, trait, decimal(value))

    def follow(self, trait: str, name: str) -> None:
        """Show the value of a trait in a control, extending the range of a slider if necessary."""
        value, control = getattr(self.model, trait), self.controls[name]
        if isinstance(control, w.Dropdown) and value not in [key for _, key in control.options]:
            return  # the message gives the reason
        declared = self.model.parameters()[trait]
        with self.silently():
            if declared.unless:
                self.controls[declared.unless[0]].value = control.disabled = value is None
            if value is None:
                return
            if declared.grows and value > control.max:
                control.max = value
            shown = self._shown(trait, name)
            if not same_value(control.value, shown):  # a late answer would move a slider back
                control.value = shown

    # -- files and saving -------------------------------------------------------------------------------

    def _read_chosen(self, read: Callable[[bytes, str], None], change: Mapping[str, object]) -> None:
        """Read the file that a button has opened."""
        if change["new"]:
            file = change["new"][-1]
            # `bytes` alone would turn a number into zeros
            read(bytes(memoryview(file["content"])), str(file["name"]))
            # Forget the file, so that choosing the same one again, corrected, is a change.
            change["owner"].value = ()

    def _read_dropped(self, contents: bytes, name: str) -> None:
        """Read a file that was dropped on the page: a saved state, or data."""
        if name.endswith(".json"):
            self.model.load_state(contents)
        else:
            self.model.load_file(contents, name)

    def _read_address(self, settings: object, own: object, selected: object) -> None:
        with self.model.turn:
            self.model.load_address(settings, own)
            self._select({"new": selected})

    def _export(self) -> None:
        if self.model.fitted is None or self.model.is_out_of_date:
            self.model.report("There is nothing to save yet: these settings have no result.", error=True)
            return
        if in_class():
            name, contents = self.model.state_file()
            self.image.download(name, contents)
            self.model.report(f"Your browser saved {name}; Open restores it.")
            return
        try:
            paths = self.model.export()
        except OSError as error:
            self.model.report(f"Nothing was saved: {error}.", error=True)
        else:
            names = " and ".join(path.name for path in paths)
            self.model.report(f"Saved {names} in {paths[0].parent.resolve()}.")

    # -- showing ----------------------------------------------------------------------------------------

    def _show_data(self) -> None:
        options = dict(self.model.source.names())
        for name in (*self.model.source.own, self.model.data):
            options.setdefault(name, self.model.source.label(name))
        with self.silently():
            self.controls["data"].options = [(label, name) for name, label in options.items()]
            self.controls["data"].value = self.model.data

    def _show_settings(self) -> None:
        """Show the settings in the address of the page."""
        self.image.settings = self.model.settings()

    def _draw(self, fitted: Stepped) -> None:
        """Show the picture of a fit, and what goes with it."""
        began = perf_counter()
        scene = self.scene(fitted)
        self.draw_ms = 1e3 * (perf_counter() - began)
        with self.image.hold_sync():
            self.image.stem = f"{self.model.STEM}-{fitted.subject.name}"
            self.image.show(scene, self._text(fitted))
            if self.declared.chosen:
                self.image.chosen = [*self.declared.chosen(fitted)]
        for part in self.parts:
            part.show()
        self.show_texts()
        self._show_off()

    def show_texts(self) -> None:
        """Show the texts beside the picture."""
        for name, text in self.texts.items():
            words = self.declared.texts[name](self.model)
            text.value = NOTE_HTML.format(words) if name == NOTE else words

    def _show_off(self) -> None:
        """Disable the controls that have no effect."""
        before, self._off = self._off, self.declared.off(self.model) if self.declared.off else {}
        for name in before.keys() | self._off:
            for control in {name, name + SLIDER} & self.controls.keys():
                self.controls[control].disabled = name in self._off
                self.follow(name, control)

    def _select(self, change: Mapping[str, object]) -> None:
        """Select the object that the browser reports, or nothing if it no longer exists."""
        with self.model.turn:
            try:
                self.model.selected = change["new"]
            except t.TraitError:
                self.model.selected = None
            self._show_selected()

    def _show_selected(self) -> None:
        self.image.selected = self.model.selected

    def snapshot(self) -> dict[str, object]:
        """Return the data of a page without a kernel.

        They are the values of the canvas for ``held`` of its script, without handles, and ``tiles``, without
        times, and ``message`` as HTML.
        """
        image, fitted = self.image, self.model.fitted
        steady = [tile for tile in self._read_outs(fitted) if not str(tile[1]).endswith(" ms")]
        legend = [entry | {"label": entry["label"].removesuffix(DRAG)} for entry in image.scene["legend"]]
        return {
            "scene": image.scene | {"legend": legend, "handles": None},
            "objects": image.objects,
            "description": image.description,
            "stem": image.stem,
            "chosen": [*image.chosen],
            "joined": image.joined,
            "tiles": read_outs_html(steady, self._text(fitted)),
            "message": message_html(self.model.message, self.model.is_error),
        }

    def _show_fit(self) -> None:
        fitted = self.model.fitted
        if fitted is None:
            return
        self._draw(fitted)
        self.readouts.value = read_outs_html(self._read_outs(fitted), self._text(fitted))
        live = fitted.fit_ms + self.draw_ms < LIVE_UP_TO_MS
        for name, declared in self._linked():
            if declared.live and isinstance(self.controls[name], SLIDERS):
                self.controls[name].continuous_update = live
        self.time.show_speed()

    def _show_message(self) -> None:
        text, wrong = self.model.message, self.model.is_error
        failed = self.declared.failed if wrong and self.model.fitted is not None else ""
        self.message.value = message_html(text + failed if text else self.declared.hint, wrong)


def same_value(value: object, other: object) -> bool:
    """Return whether two values of a control are equal up to rounding in the browser."""
    if isinstance(value, float) and isinstance(other, float):
        return isclose(value, other, abs_tol=1e-12)
    return value == other


def decimal(value: object) -> object:
    """Return the value of a control without rounding errors: 0.06, not 0.060000000000000005."""
    return float(f"{value:.12g}") if isinstance(value, float) else value


def shown_value(control: w.Widget, value: object) -> object:
    """Return the displayed value: the nearest step of a slider, eight digits in a number field.

    Otherwise a slider in the browser would round by itself, and report this as a change of the user.
    """
    if isinstance(control, w.FloatText):
        return float(f"{value:.8g}")
    if value is None or not isinstance(control, SLIDERS):
        return value
    logarithmic = isinstance(control, w.FloatLogSlider)
    place = (log10(value) if value > 0 else control.min) if logarithmic else value
    steps = max(round((place - control.min) / control.step), 0)
    place = min(round(control.min + control.step * steps, 6), control.max)
    return control.base**place if logarithmic else place


def loop_of_page() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that handles a widget message; None in a cell, where fits are synchronous.

    The loop must be running, so that other messages are handled during a fit.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is None or kernel.get_parent().get("header", {}).get("msg_type") != "comm_msg":
        return None
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def panel(title: str, *children: w.Widget) -> w.VBox:
    """Return the column of controls on the left."""
    layout = w.Layout(width="300px", max_width="100%", flex="0 0 auto", padding="4px 12px 4px 4px")
    controls = w.VBox([w.HTML(HEADING_HTML.format(escape(title))), *children], layout=layout)
    controls.add_class(CONTROLS)
    return controls


def column(*children: w.Widget, flex: str = "1 1 520px", **layout: str) -> w.VBox:
    """Return a column that takes the remaining space."""
    layout = {"flex": flex, "min_width": "0", "padding": "4px"} | layout
    box = w.VBox(children, layout=w.Layout(**layout))
    box.add_class(PICTURE)
    return box


def side_by_side(*columns: w.Widget) -> w.Box:
    """Return columns side by side, or stacked in a narrow window."""
    return w.Box(columns, layout=w.Layout(display="flex", flex_flow="row wrap", width="100%"))


def explore_function(declared: FitExplorer) -> Callable[..., ExplorerView]:
    """Return the function that opens an explorer, with its docstring."""
    model, default = declared.model, declared.model.DATA
    module, _, kind = declared.view.partition(":")
    View = getattr(import_module(module), kind) if declared.view else ExplorerView

    def explore(data: object = default, **parameters: object) -> ExplorerView:
        expect_known_parameters()
        return View(model(data, **parameters), declared)

    explore.__name__ = explore.__qualname__ = f"explore_{model.STEM}"
    explore.__module__ = "credalbench.explore"
    explore.__doc__ = DOCSTRING.format(
        title=declared.title,
        default=default,
        words=_indented(declared.words),
        returns=_indented(f"``.model.fitted.partition`` the credal partition. {declared.returns}".strip()),
        model=model.__name__,
        example=indent(cleandoc(declared.example), "    ").strip(),
    )
    return explore


def _indented(words: str) -> str:
    return fill(words, 100, initial_indent=8 * " ", subsequent_indent=8 * " ").strip()
