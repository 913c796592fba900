"""The CECM explorer on the screen: core widgets linked to the model, and a picture to click on.

Everything that clicking does, number fields and buttons do, too: Tab moves between the controls, arrow keys
move a slider, Enter ends a number. The view computes nothing; it hands traits to the model and shows what the
model has.
"""

from contextlib import contextmanager
from html import escape
from math import isclose, log10

import ipywidgets as w

from credalbench.explore.cecm_controls import (
    SHORTCUTS,
    TILE,
    UNSEEN,
    constraint_controls,
    method_controls,
    start_controls,
)
from credalbench.explore.cecm_model import KINDS, CECMModel
from credalbench.explore.cecm_picture import WIDTH, CecmPicture
from credalbench.explore.clickable_picture import ClickablePicture
from credalbench.explore.evclus_view import LIVE_UP_TO_MS, data_controls, data_options

#: Draws of the two-class recipe in the list: in the first, ECM's best partition is a wrong one.
GENERATED = {
    "two_class:400:2": "two classes (400), draw 2",
    "two_class:400:0": "two classes (400), draw 0",
    "two_class:200:2": "two classes (200), draw 2",
}
STEPPED = (w.FloatSlider, w.FloatLogSlider)
HINT = "Click two objects, or type their numbers; then say whether they belong together."
LINKED = (
    "standardize",
    "n_clusters",
    "focal_sets",
    "metric",
    "alpha",
    "beta",
    "delta",
    "xi",
    "init",
    "n_init",
    "second_choice",
)
SLIDERS = ("n_clusters", "alpha", "beta", "xi", "n_init")


class CecmExplorer:
    """Controls, read-outs and picture of a `CECMModel`.

    Attributes
    ----------
    model : CECMModel
    widget : ipywidgets.Box
        What a notebook displays.
    controls : dict of str -> ipywidgets.Widget
        The controls by the name of the trait (or action) that they stand for.
    image : ClickablePicture
    """

    def __init__(self, model):
        self.model = model
        self.picture = CecmPicture()
        width, height = self.picture.size
        self.image = ClickablePicture(width=width, height=height, shortcuts="".join(SHORTCUTS))
        self.image.layout.max_width = f"{int(100 * WIDTH)}px"
        self.readouts, self.message, self.note = w.HTML(), w.HTML(), w.HTML()
        self.message.layout.min_height = "42px"  # two lines: the picture should not jump
        self._quiet = False
        self.controls = data_controls() | method_controls() | start_controls() | constraint_controls()
        self.widget = self._arrange()
        self._link()
        self._show_subject()
        self._show_fit()
        self._show_chosen()
        self._show_message()

    def _repr_mimebundle_(self, **kwargs):
        return self.widget._repr_mimebundle_(**kwargs)

    # -- building ---------------------------------------------------------------------------------------

    def _arrange(self):
        c = self.controls
        heading = w.HTML('<div style="font-size:17px;font-weight:600;line-height:26px">CECM explorer</div>')
        method = ("n_clusters", "focal_sets", "metric", "alpha", "beta")
        left = w.VBox(
            [
                heading,
                c["data"],
                w.HBox([c["upload"]]),
                c["standardize"],
                _rule(),
                *(c[name] for name in method),
                w.HBox([c["delta_slider"], c["delta"]]),
                c["xi"],
                self.note,
                _rule(),
                c["init"],
                c["n_init"],
                w.HBox([c["restart"], c["export"]]),
            ],
            layout=w.Layout(width="330px", flex="0 0 auto", padding="4px 16px 4px 4px"),
        )
        rows = (
            ("first", "second", "must-link", "cannot-link", "truth"),
            ("suggest", "undo", "clear", "second_choice"),
        )
        bars = [w.Box([c[name] for name in row], layout=w.Layout(flex_flow="row wrap")) for row in rows]
        right = w.VBox(
            [self.readouts, *bars, self.message, self.image],
            layout=w.Layout(flex="1 1 520px", min_width="0", padding="4px"),
        )
        return w.Box([left, right], layout=w.Layout(display="flex", flex_flow="row wrap", width="100%"))

    # -- linking ----------------------------------------------------------------------------------------

    def _link(self):
        model, controls = self.model, self.controls
        for trait, name in (*((name, name) for name in LINKED), ("delta", "delta_slider")):
            self._follow(trait, name)
            model.observe(lambda _, trait=trait, name=name: self._follow(trait, name), trait)
            controls[name].observe(
                lambda change, trait=trait, name=name: self._wish(trait, name, change["new"]), "value"
            )
        controls["data"].observe(lambda change: self._wish("data", "data", change["new"]), "value")
        controls["upload"].observe(self._read_upload, "value")
        for name in ("first", "second"):
            controls[name].observe(self._choose_by_number, "value")
        actions = {kind: lambda kind=kind: model.link(kind) for kind in (*KINDS, "truth")}
        actions |= {name: getattr(model, name) for name in ("suggest", "undo", "clear", "restart")}
        for name, action in actions.items():
            controls[name].on_click(lambda _, action=action: action())
        controls["export"].on_click(self._export)
        self.image.on_click(lambda i, x, y: model.choose() if i is None else model.click(i))
        self.image.on_letter(lambda letter: actions[SHORTCUTS[letter]]())
        model.observe(lambda _: self._show_subject(), "subject")
        model.observe(lambda _: self._follow_data(), "data")
        model.observe(lambda _: self._show_fit(), "fitted")
        model.observe(lambda _: self._show_chosen(), "chosen_objects")
        model.observe(lambda _: self._show_message(), ["message", "is_error"])

    @contextmanager
    def _silently(self):
        """Move controls without telling the model, which knows already."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _wish(self, trait, name, value):
        """Hand a control's value to a trait, unless it is the trait's own, rounded to a slider's steps."""
        if self._quiet or value is None:
            return
        control = self.controls[name]
        if isinstance(control, STEPPED) and isclose(value, on_steps(control, getattr(self.model, trait))):
            return
        setattr(self.model, trait, value)

    def _follow(self, trait, name):
        """Let a control show the value of a trait; a slider whose range is too short for it grows."""
        value, control = getattr(self.model, trait), self.controls[name]
        with self._silently():
            if isinstance(control, w.Dropdown) and value not in [key for _, key in control.options]:
                return  # the message says so
            if name == "beta" and control.disabled:
                return  # it shows the 2 of CECM
            if isinstance(control, STEPPED):
                value = on_steps(control, value)
            if name in ("n_clusters", "n_init", "alpha", "beta") and value > control.min:
                control.max = max(control.max, value)
            control.value = value

    def _choose_by_number(self, _):
        """Choose the objects whose numbers are in the two fields, where both or the first are there."""
        if self._quiet:
            return
        numbers = [self.controls[name].value.strip() for name in ("first", "second")]
        given = [number for number in numbers if number]
        if all(number.isdigit() for number in given):
            self.model.choose(*map(int, given))
        else:
            self.model.report("Expected numbers of objects, which are rows of the data from 0.", error=True)

    def _read_upload(self, change):
        if change["new"]:
            file = change["new"][-1]
            self.model.load_csv(bytes(file["content"]), file["name"])
            # Forget the file, so that choosing the same one again, corrected, is a change.
            self.controls["upload"].value = ()

    def _export(self, _):
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

    def _show_subject(self):
        subject = self.model.subject
        if subject is not None:
            with self._silently():
                self.controls["n_clusters"].max = min(max(6, self.model.n_clusters), subject.n_objects)
        self._follow_data()

    def _follow_data(self):
        options = GENERATED | {name: label for name, label in data_options() if not name.startswith("t4:")}
        for name in (*self.model.own_names, self.model.data):
            options.setdefault(name, name or "(none)")
        with self._silently():
            self.controls["data"].options = [(label, name) for name, label in options.items()]
            self.controls["data"].value = self.model.data

    def _show_fit(self):
        fitted = self.model.fitted
        if fitted is None:
            return
        png = self.picture.png(fitted)
        positions = self.picture.object_pixels(fitted.subject).round(1).tolist()
        with self.widget.hold_sync(), self.image.hold_sync():
            self.image.value = png
            if positions != self.image.positions:
                self.image.positions = positions
            self.image.description = words_of(fitted)
            self.readouts.value = readouts_html(fitted, self.picture.draw_ms)
        live = fitted.fit_ms + self.picture.draw_ms < LIVE_UP_TO_MS
        for name in (*SLIDERS, "delta_slider"):
            self.controls[name].continuous_update = live
        self._show_method(fitted)

    def _show_method(self, fitted):
        """Say which method it is; beta without constraints only, xi with constraints only."""
        q = len(fitted.constraints)
        beta = self.controls["beta"]
        with self._silently():
            beta.disabled, self.controls["xi"].disabled = q > 0, q == 0
            beta.value = 2.0 if q else self.model.beta
            self.controls["truth"].disabled = fitted.subject.y is None
            self.controls["undo"].disabled = not self.model.can_undo
            self.controls["clear"].disabled = q == 0
        text = (
            f"{q} constraint{'s' * (q > 1)}: <b>CECM</b>, where β is 2."
            if q
            else "No constraints: <b>ECM</b>; ξ, their weight, has nothing to weigh."
        )
        self.note.value = f'<div style="font-size:12px;line-height:18px;padding-left:8px">{text}</div>'

    def _show_chosen(self):
        chosen = self.model.chosen_objects
        with self._silently():
            for place, name in enumerate(("first", "second")):
                self.controls[name].value = str(chosen[place]) if place < len(chosen) else ""
        self.image.chosen = list(chosen)
        for name in KINDS:
            self.controls[name].button_style = "info" if len(chosen) == 2 else ""

    def _show_message(self):
        wrong = self.model.is_error
        colour = "#D55E00" if wrong else "#009E73"
        self.message.value = (
            f'<div role="status" style="border-left:3px solid {colour};padding:1px 8px;margin:2px;'
            f'line-height:1.35;font-size:13px;white-space:normal">{escape(self.model.message or HINT)}</div>'
        )


def on_steps(slider, value):
    """Round a value to the steps of a slider, values below its range to the lower end.

    The browser does so, too, and reports the result as if somebody had moved the slider.
    """
    logarithmic = isinstance(slider, w.FloatLogSlider)
    place = (log10(value) if value > 0 else slider.min) if logarithmic else value
    place = round(slider.min + slider.step * max(round((place - slider.min) / slider.step), 0), 6)
    return 10.0**place if logarithmic else place


def readouts_html(fitted, draw_ms):
    """Return the read-outs of a fit as a row of numbers with their names."""
    q, broken = len(fitted.constraints), len(fitted.violated)
    tiles = [
        ("Rand index", _share(fitted.rand), "Agreement with the true classes, all objects"),
        (
            "… unconstrained",
            _share(fitted.rand_unconstrained),
            "Rand index of the objects without constraints",
        ),
        (
            "objective J",
            f"{fitted.objective:.4g}",
            "(1 - xi) times the part of the data + xi times that of the constraints",
        ),
        ("data part", f"{fitted.data_cost:.4g}", "The objective of ECM"),
        (
            "constraint part",
            f"{fitted.constraint_cost:.3f}" if q else "–",
            "Mean plausibility of a violation",
        ),
        (
            "violated",
            f"{broken} of {q}",
            "Constraints that the clusters of highest pignistic probability break",
        ),
        ("iterations", f"{fitted.n_iter}{'' if fitted.converged else ' (cap)'}", "Of the best start"),
        (
            "fit + drawing",
            f"{fitted.fit_ms:.0f} + {draw_ms:.0f} ms",
            "Time of all starts, and of the picture",
        ),
    ]
    cells = "".join(TILE.format(name=name, value=value, hint=hint) for name, value, hint in tiles)
    words = f'<span role="status" style="{UNSEEN}">{escape(words_of(fitted))}</span>'
    return f'<div style="display:flex;flex-wrap:wrap;position:relative">{cells}{words}</div>'


def _share(value):
    return "–" if value is None else f"{value:.3f}"


def words_of(fitted):
    """Return the picture in words, for those who hear it."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters by {fitted.method} with "
        f"{len(fitted.constraints)} constraints, {len(fitted.violated)} of them violated, and "
        f"{fitted.n_outliers} outliers; objective {fitted.objective:.4g}."
    )


def _rule():
    return w.HTML('<hr style="margin:4px 0;border:none;border-top:1px solid #d0d0d0">')


def explore_cecm(data="two_class:400:2", **parameters):
    """Explore ECM and CECM on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "two_class:400:2"
        Name of a data set with attributes, ``two_class:n:draw`` for n objects of the recipe of
        `credalbench.datasets.make_two_class_cecm`, path of an own table, or attributes.
    **parameters
        Traits of `CECMModel`: n_clusters, standardize, alpha, beta, delta, xi, metric, focal_sets, init,
        n_init, seed, links.

    Returns
    -------
    CecmExplorer
        Shows itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition,
        ``.model.links`` the constraints.

    Examples
    --------
    >>> explorer = explore_cecm("butterfly", delta=4.5)
    >>> explorer.model.choose(0, 10)
    >>> explorer.model.link("cannot-link")
    >>> explorer.model.fitted.method
    'CECM'
    """
    return CecmExplorer(CECMModel(data, **parameters))
