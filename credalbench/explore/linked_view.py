"""What the views of the explorers share: controls linked to the traits of a model, uploads, messages, saving.

A view computes nothing; it hands traits to the model and shows what the model has. Every control is a core
widget that the keyboard reaches: Tab moves between them, arrow keys move a slider, Enter ends a number.
"""

from contextlib import contextmanager
from math import isclose

import ipywidgets as w

from credalbench.explore.controls import shown_value
from credalbench.explore.read_outs import heading_html, message_html, read_outs_html

#: Slower than this, a slider refits when it is let go and not while it moves.
LIVE_UP_TO_MS = 400


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

    #: Traits with a control of the same name; "data", "upload" and "export" are linked by themselves.
    LINKED = ()
    #: Those of the controls that move the picture along where a fit is fast enough.
    LIVE = ()
    #: Sliders whose range does not grow with the value.
    FIXED = ()
    #: Said while there is nothing else to say.
    HINT = ""
    #: Added to what went wrong.
    FAILED = " The picture shows the last fit that worked."

    def __init__(self, model, picture, image, controls):
        self.model, self.picture, self.image, self.controls = model, picture, image, controls
        self.readouts, self.message = w.HTML(), w.HTML()
        self._quiet = False
        self.widget = self._arrange()
        self._link()
        self._show_subject()
        self._show_fit()
        self._show_message()

    def _repr_mimebundle_(self, **kwargs):
        return self.widget._repr_mimebundle_(**kwargs)

    # -- for the subclass to fill -----------------------------------------------------------------------

    def _arrange(self):
        """Return the widget of everything."""
        raise NotImplementedError

    def _actions(self):
        """What the buttons do, by name."""
        return {}

    def _data_options(self):
        """Labels of the data to choose from, by name."""
        raise NotImplementedError

    def _load_own(self, content, name):
        """Hand the bytes of an own file to the model."""
        self.model.load_csv(content, name)

    def _show_subject(self):
        """Fit the controls to the data."""
        self._show_data()

    def _draw(self, fitted):
        """Show the picture of a fit."""
        self.image.value = self.picture.png(fitted)

    def _read_outs(self, fitted):
        """Return the read-outs, (name, value, hint) each, and the picture in words."""
        raise NotImplementedError

    # -- linking ----------------------------------------------------------------------------------------

    def _link(self):
        model, controls = self.model, self.controls
        for trait in self.LINKED:
            self._bind(trait, trait)
        controls["data"].observe(lambda change: self._wish("data", "data", change["new"]), "value")
        controls["upload"].observe(self._read_upload, "value")
        self.actions = self._actions() | {"export": self._export}
        for name, action in self.actions.items():
            controls[name].on_click(lambda _, action=action: action())
        model.observe(lambda _: self._show_subject(), "subject")
        model.observe(lambda _: self._show_data(), "data")
        model.observe(lambda _: self._show_fit(), "fitted")
        model.observe(lambda _: self._show_message(), ["message", "is_error"])

    def _bind(self, trait, name):
        """Let a control follow a trait, and the trait the control."""
        self._follow(trait, name)
        self.model.observe(lambda _: self._follow(trait, name), trait)
        self.controls[name].observe(lambda change: self._wish(trait, name, change["new"]), "value")

    @contextmanager
    def _silently(self):
        """Move controls without telling the model, which knows already."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _shown(self, trait, name):
        """Return what a control shows of the value of a trait."""
        return shown_value(self.controls[name], getattr(self.model, trait))

    def _wish(self, trait, name, value):
        """Hand a control's value to a trait, unless it is only what the control shows of the trait's own."""
        if self._quiet or value is None:
            return
        if not _same(value, self._shown(trait, name)):
            setattr(self.model, trait, value)

    def _follow(self, trait, name):
        """Let a control show the value of a trait; a slider whose range is too short for it grows."""
        value, control = getattr(self.model, trait), self.controls[name]
        if isinstance(control, w.Dropdown) and value not in [key for _, key in control.options]:
            return  # the message says so
        with self._silently():
            if hasattr(control, "max") and name not in self.FIXED and value > control.max:
                control.max = value
            shown = self._shown(trait, name)
            if not _same(control.value, shown):  # an answer would pull back a slider that has moved on
                control.value = shown

    # -- own files and saving ---------------------------------------------------------------------------

    def _read_upload(self, change):
        if change["new"]:
            file = change["new"][-1]
            self._load_own(bytes(file["content"]), file["name"])
            # Forget the file, so that choosing the same one again, corrected, is a change.
            self.controls["upload"].value = ()

    def _export(self):
        if self.model.fitted is None:
            self.model.report("There is nothing to save yet.", error=True)
            return
        try:
            paths = self.model.export()
        except OSError as error:
            self.model.report(f"Nothing was saved: {error}.", error=True)
        else:
            self.model.report(f"Saved {' and '.join(path.name for path in paths)}.")

    # -- showing ----------------------------------------------------------------------------------------

    def _show_data(self):
        options = dict(self._data_options())
        for name in (*self.model.own_names, self.model.data):
            options.setdefault(name, name or "(none)")
        with self._silently():
            self.controls["data"].options = [(label, name) for name, label in options.items()]
            self.controls["data"].value = self.model.data

    def _show_fit(self):
        fitted = self.model.fitted
        if fitted is None:
            return
        self._draw(fitted)
        self.readouts.value = read_outs_html(*self._read_outs(fitted))
        live = fitted.fit_ms + self.picture.draw_ms < LIVE_UP_TO_MS
        for name in self.LIVE:
            self.controls[name].continuous_update = live

    def _show_message(self):
        text, wrong = self.model.message, self.model.is_error
        failed = self.FAILED if wrong and self.model.fitted is not None else ""
        self.message.value = message_html(text + failed if text else self.HINT, wrong)


def _same(value, other):
    """Whether two values of a control are the same but for the browser's rounding."""
    if isinstance(value, float) and isinstance(other, float):
        return isclose(value, other, abs_tol=1e-12)
    return value == other


def png_image(width):
    """Return the widget of a picture of so many inches at 100 dots each, which shrinks with the window."""
    return w.Image(format="png", layout=w.Layout(width="100%", max_width=f"{int(100 * width)}px"))


def panel(title, *children):
    """Return the column of controls on the left."""
    layout = w.Layout(width="330px", flex="0 0 auto", padding="4px 16px 4px 4px")
    return w.VBox([w.HTML(heading_html(title)), *children], layout=layout)


def column(*children, flex="1 1 520px", **layout):
    """Return a column that takes the room that is left."""
    layout = {"flex": flex, "min_width": "0", "padding": "4px"} | layout
    return w.VBox(children, layout=w.Layout(**layout))


def side_by_side(*columns):
    """Return columns beside each other, below each other where the window is narrow."""
    return w.Box(columns, layout=w.Layout(display="flex", flex_flow="row wrap", width="100%"))
