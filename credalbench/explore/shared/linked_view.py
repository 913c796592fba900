"""What the views of the explorers share: controls linked to the traits of a model, uploads, messages, saving.

A view computes nothing; it hands traits to the model and shows what the model has. Every control is a core
widget that the keyboard reaches: Tab moves between them, arrow keys move a slider, Enter ends a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isclose
from typing import Protocol

import ipywidgets as w

from credalbench.explore.shared.code_panel import CodePanel
from credalbench.explore.shared.controls import (
    SLIDER,
    SLIDERS,
    open_button,
    parameter_controls,
    save_button,
    shown_value,
    upload_button,
)
from credalbench.explore.shared.fit_sign import RESULT, FitSign
from credalbench.explore.shared.fitting_model import LIVE_UP_TO_MS, Fit
from credalbench.explore.shared.hints import STYLE as HINT_STYLE
from credalbench.explore.shared.page import loop_of_page
from credalbench.explore.shared.parameter import Parameter
from credalbench.explore.shared.read_outs import Tile, heading_html, message_html, read_outs_html
from credalbench.explore.shared.refitting_model import RefittingModel
from credalbench.explore.shared.saving import in_class

#: The class of the column of controls; in a narrow window it lies above the picture, in two columns.
CONTROLS = "credalbench-controls"
NARROW = (
    f"<style>@media (max-width: 900px) {{ .{CONTROLS} {{ width: 100% !important; display: block !important; "
    f"columns: 2 260px }} .{CONTROLS} > * {{ break-inside: avoid }} }}</style>"
)
#: Of one line: a picture below it should not jump.
MESSAGE_HEIGHT = "30px"


class Picture(Protocol):
    """What makes the picture of a fit, and how long it took."""

    draw_ms: float


class LinkedView:
    """Controls, read-outs and picture of a `RefittingModel`; a subclass says which and where.

    Attributes
    ----------
    model : RefittingModel
    widget : ipywidgets.Box
        What a notebook displays.
    controls : dict of str -> ipywidgets.Widget
        The controls by the name of the trait (or action) that they stand for.
    image : ipywidgets.Widget
        The picture.
    """

    #: Said while there is nothing else to say.
    HINT = ""
    #: Added to what went wrong.
    FAILED = " The picture shows the last fit that worked."

    def __init__(
        self, model: RefittingModel, picture: Picture, image: w.Widget, controls: Mapping[str, w.Widget]
    ) -> None:
        """Show a model; `controls` stand for what is no parameter, buttons above all."""
        self.model, self.picture, self.image = model, picture, image
        model.page = loop_of_page
        self.readouts = w.HTML()
        self.readouts.add_class(RESULT)
        self.message = w.HTML(layout=w.Layout(min_height=MESSAGE_HEIGHT))
        self.sign = FitSign(model)
        self.code = CodePanel(model)
        own = {"upload": upload_button(*model.OWN_FILES), "export": save_button(), "stop": self.sign.stop}
        own |= {"open": open_button(), "code": self.code.unfold}
        self.controls = parameter_controls(type(model)) | own | controls
        self._quiet = False
        self.widget = self._arrange()
        self._add_keeping()
        self.sign.lie_over(self.widget)
        self._link()
        self._show_data()
        self._show_subject()
        self._show_fit()
        self._show_message()

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        return self.widget._repr_mimebundle_(**kwargs)

    # -- for the subclass to fill -----------------------------------------------------------------------

    def _arrange(self) -> w.Widget:
        """Return the widget of everything, the column of controls first."""
        raise NotImplementedError

    def _actions(self) -> dict[str, Callable[[], None]]:
        """What the buttons do, by name."""
        return {}

    def _show_subject(self) -> None:
        """Fit the controls to the data."""

    def _draw(self, fitted: Fit) -> None:
        """Show the picture of a fit."""
        raise NotImplementedError

    def _read_outs(self, fitted: Fit) -> tuple[Iterable[Tile], str]:
        """Return the read-outs, (name, value, hint) each, and the picture in words."""
        raise NotImplementedError

    def _download(self, name: str, contents: str) -> None:
        """Hand a file of a page to the browser."""
        raise NotImplementedError

    def _add_keeping(self) -> None:
        """Put what opens a saved state, and what shows the code, below the controls and the picture."""
        left = self.widget.children[0]
        left.children += (w.HBox([self.controls["open"], self.controls["code"]]),)
        self.widget.children += (self.code.widget, w.HTML(HINT_STYLE))

    # -- linking ----------------------------------------------------------------------------------------

    def _link(self) -> None:
        model, controls = self.model, self.controls
        for name, _ in self._linked():
            self._bind(name.removesuffix(SLIDER), name)
        controls["data"].observe(lambda change: self._wish("data", "data", change["new"]), "value")
        controls["upload"].observe(self._read_upload, "value")
        controls["open"].observe(self._read_state, "value")
        self.actions = self._actions() | {"export": self._export, "stop": model.stop}
        for name, action in self.actions.items():
            controls[name].on_click(lambda _, action=action: action())
        model.observe(lambda _: self._show_subject(), "subject")
        model.observe(lambda _: self._show_data(), "data")
        model.observe(lambda _: self._show_fit(), "fitted")
        model.observe(lambda _: self._show_message(), ["message", "is_error"])

    def _linked(self) -> Iterator[tuple[str, Parameter]]:
        """The controls that follow a parameter, with its declaration; the data have their own way."""
        declared = self.model.parameters()
        for name in self.controls:
            if (trait := name.removesuffix(SLIDER)) in declared and trait != "data":
                yield name, declared[trait]

    def _bind(self, trait: str, name: str) -> None:
        """Let a control follow a trait, and the trait the control."""
        self._follow(trait, name)
        self.model.observe(lambda _: self._follow(trait, name), trait)
        self.controls[name].observe(lambda change: self._wish(trait, name, change["new"]), "value")

    @contextmanager
    def _silently(self) -> Iterator[None]:
        """Move controls without telling the model, which knows already."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _shown(self, trait: str, name: str) -> object:
        """Return what a control shows of the value of a trait."""
        return shown_value(self.controls[name], getattr(self.model, trait))

    def _wish(self, trait: str, name: str, value: object) -> None:
        """Hand a control's value to a trait, unless it is only what the control shows of the trait's own."""
        with self.model.turn:
            if self._quiet or value is None:
                return
            if not _same(value, self._shown(trait, name)):
                setattr(self.model, trait, value)

    def _follow(self, trait: str, name: str) -> None:
        """Let a control show the value of a trait; a slider whose range is too short for it grows."""
        value, control = getattr(self.model, trait), self.controls[name]
        if isinstance(control, w.Dropdown) and value not in [key for _, key in control.options]:
            return  # the message says so
        with self._silently():
            declared = self.model.parameters().get(trait)
            if declared and declared.grows and value > control.max:
                control.max = value
            shown = self._shown(trait, name)
            if not _same(control.value, shown):  # an answer would pull back a slider that has moved on
                control.value = shown

    # -- own files and saving ---------------------------------------------------------------------------

    def _read_upload(self, change: Mapping[str, object]) -> None:
        if change["new"]:
            file = change["new"][-1]
            self.model.load_file(bytes(file["content"]), file["name"])
            # Forget the file, so that choosing the same one again, corrected, is a change.
            self.controls["upload"].value = ()

    def _read_state(self, change: Mapping[str, object]) -> None:
        if change["new"]:
            self.model.load_state(bytes(change["new"][-1]["content"]))
            self.controls["open"].value = ()  # as above

    def _export(self) -> None:
        if self.model.fitted is None or self.model.is_out_of_date:
            self.model.report("There is nothing to save yet: these settings have no result.", error=True)
            return
        if in_class():
            name, contents = self.model.state_file()
            self._download(name, contents)
            self.model.report(f"Your browser keeps {name}; Open goes back to it.")
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
        options = dict(self.model.named())
        for name in (*self.model.own_names, self.model.data):
            options.setdefault(name, name or "(none)")
        with self._silently():
            self.controls["data"].options = [(label, name) for name, label in options.items()]
            self.controls["data"].value = self.model.data

    def _show_fit(self) -> None:
        fitted = self.model.fitted
        if fitted is None:
            return
        self._draw(fitted)
        self.readouts.value = read_outs_html(*self._read_outs(fitted))
        live = fitted.fit_ms + self.picture.draw_ms < LIVE_UP_TO_MS
        for name, declared in self._linked():
            if declared.live and isinstance(self.controls[name], SLIDERS):
                self.controls[name].continuous_update = live

    def _show_message(self) -> None:
        text, wrong = self.model.message, self.model.is_error
        failed = self.FAILED if wrong and self.model.fitted is not None else ""
        self.message.value = message_html(text + failed if text else self.HINT, wrong)


def _same(value: object, other: object) -> bool:
    """Whether two values of a control are the same but for the browser's rounding."""
    if isinstance(value, float) and isinstance(other, float):
        return isclose(value, other, abs_tol=1e-12)
    return value == other


def panel(title: str, *children: w.Widget) -> w.VBox:
    """Return the column of controls on the left."""
    layout = w.Layout(width="300px", max_width="100%", flex="0 0 auto", padding="4px 12px 4px 4px")
    controls = w.VBox([w.HTML(heading_html(title) + NARROW), *children], layout=layout)
    controls.add_class(CONTROLS)
    return controls


def column(*children: w.Widget, flex: str = "1 1 520px", **layout: str) -> w.VBox:
    """Return a column that takes the room that is left."""
    layout = {"flex": flex, "min_width": "0", "padding": "4px"} | layout
    return w.VBox(children, layout=w.Layout(**layout))


def side_by_side(*columns: w.Widget) -> w.Box:
    """Return columns beside each other, below each other where the window is narrow."""
    return w.Box(columns, layout=w.Layout(display="flex", flex_flow="row wrap", width="100%"))
