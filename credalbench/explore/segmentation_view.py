"""The segmentation explorer on the screen: an image to paint on, core widgets, and the segmented image.

Whatever painting does, the rectangle of four numbers does, too, and the canvas takes keys. The view computes
nothing; it hands strokes and traits to the model and shows what the model has.
"""

from contextlib import contextmanager
from html import escape

import ipywidgets as w

from credalbench.explore.paint_canvas import PaintCanvas
from credalbench.explore.scene import NAMES
from credalbench.explore.segmentation_controls import (
    image_controls,
    method_controls,
    painting_controls,
    readouts_html,
    showing_controls,
)
from credalbench.explore.segmentation_model import SegmentationModel
from credalbench.explore.segmentation_picture import WIDTH, SegmentationPicture

#: Slower than this, a slider refits when it is let go and not while it moves.
LIVE_UP_TO_MS = 400
LINKED = ("colour", "n_prototypes", "n_clusters", "xi", "alpha", "delta", "metric")
SIDES = ("top", "left", "bottom", "right")
HINT = "Paint region 1 on what you look for and region 2 on what it is not."


class SegmentationExplorer:
    """Controls, canvas, read-outs and picture of a `SegmentationModel`.

    Attributes
    ----------
    model : SegmentationModel
    widget : ipywidgets.Box
        What a notebook displays.
    controls : dict of str -> ipywidgets.Widget
        The controls by the name of the trait (or action) that they stand for.
    canvas : PaintCanvas
    image : ipywidgets.Image
    """

    def __init__(self, model):
        self.model = model
        self.picture = SegmentationPicture()
        self.canvas = PaintCanvas()
        self.image = w.Image(format="png", layout=w.Layout(width="100%", max_width=f"{int(100 * WIDTH)}px"))
        self.readouts, self.message = w.HTML(), w.HTML()
        self._quiet = False
        self.controls = image_controls() | method_controls() | showing_controls() | painting_controls()
        self.widget = self._arrange()
        self._link()
        self._show_subject()
        self._show_fit()
        self._show_message()

    def _repr_mimebundle_(self, **kwargs):
        return self.widget._repr_mimebundle_(**kwargs)

    # -- building ---------------------------------------------------------------------------------------

    def _arrange(self):
        c = self.controls
        heading = '<div style="font-size:17px;font-weight:600;line-height:26px">Segmentation explorer</div>'
        wrap = w.Layout(flex_flow="row wrap", width="100%")
        left = w.VBox(
            [
                w.HTML(heading),
                c["data"],
                w.HBox([c["upload"]]),
                *(c[name] for name in LINKED),
                c["decision"],
                w.HBox([c["export"]]),
                self.message,
            ],
            layout=w.Layout(width="330px", flex="0 0 auto", padding="4px 16px 4px 4px"),
        )
        tools = w.HBox([c["tool"], c["radius"]], layout=wrap)
        actions = w.HBox([c["undo"], c["clear"]], layout=wrap)
        numbers = w.HBox([*(c[side] for side in SIDES), c["rectangle"]], layout=wrap)
        painting = w.VBox(
            [
                w.HTML(f'<div style="font-size:12px;line-height:1.35">{HINT}</div>'),
                tools,
                actions,
                self.canvas,
                numbers,
            ],
            layout=w.Layout(flex="1 1 340px", max_width="420px", min_width="0", padding="4px 12px 4px 4px"),
        )
        right = w.VBox(
            [self.readouts, self.image], layout=w.Layout(flex="2 1 480px", min_width="0", padding="4px")
        )
        return w.Box(
            [left, painting, right], layout=w.Layout(display="flex", flex_flow="row wrap", width="100%")
        )

    # -- linking ----------------------------------------------------------------------------------------

    def _link(self):
        model, controls = self.model, self.controls
        for name in LINKED:
            self._follow(name)
            model.observe(lambda change: self._follow(change["name"]), name)
            controls[name].observe(lambda change, name=name: self._wish(name, change["new"]), "value")
        controls["data"].observe(lambda change: self._wish("data", change["new"]), "value")
        controls["upload"].observe(self._read_upload, "value")
        controls["decision"].observe(lambda _: self._show_fit(), "value")
        w.link((controls["tool"], "value"), (self.canvas, "tool"))
        w.link((controls["radius"], "value"), (self.canvas, "radius"))
        actions = {
            "undo": model.undo,
            "clear": model.clear,
            "rectangle": self._rectangle,
            "export": self._export,
        }
        for name, action in actions.items():
            controls[name].on_click(lambda _, action=action: action())
        self.canvas.on_stroke(self._paint)
        self.canvas.on_command(lambda name: actions[name]())
        model.observe(lambda _: self._show_subject(), "subject")
        model.observe(lambda _: self._follow_data(), "data")
        model.observe(lambda _: self._show_fit(), "fitted")
        model.observe(lambda _: self._show_message(), ["message", "is_error"])

    @contextmanager
    def _silently(self):
        """Move controls without telling the model, which knows already."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _wish(self, name, value):
        if not self._quiet and value is not None:
            setattr(self.model, name, value)

    def _follow(self, name):
        """Let a control show the model's value; a slider whose range is too short for it grows."""
        value, control = getattr(self.model, name), self.controls[name]
        with self._silently():
            if name == "metric" and value not in [key for _, key in control.options]:
                return  # the message says so
            if hasattr(control, "max") and control.min <= value:
                control.max = max(control.max, value)
            control.value = round(value, 6) if name == "delta" else value

    def _paint(self, tool, radius, path):
        self.model.brush(tool, radius, path)
        if self.model.is_error:
            self._show_regions()  # the browser still shows the stroke

    def _rectangle(self):
        self.model.rectangle(self.controls["tool"].value, *(self.controls[side].value for side in SIDES))

    def _read_upload(self, change):
        if change["new"]:
            file = change["new"][-1]
            self.model.load_picture(bytes(file["content"]), file["name"])
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
            self.model.report(f"Saved {' and '.join(path.name for path in paths)}.", error=False)

    # -- showing ----------------------------------------------------------------------------------------

    def _show_subject(self):
        scene = self.model.subject
        if scene is None:
            self._follow_data()
            return
        self.canvas.show_image(scene.bytes(), scene.shape)
        rows, columns = scene.shape
        self.canvas.description = (
            f"Image {scene.name}, {rows} rows and {columns} columns, to paint regions on."
        )
        for side, most in zip(SIDES, (rows, columns, rows, columns)):
            self.controls[side].max = most
        self._follow_data()

    def _follow_data(self):
        options = dict(NAMES)
        for name in (*self.model.own_names, self.model.data):
            options.setdefault(name, name or "(none)")
        with self._silently():
            self.controls["data"].options = [(label, name) for name, label in options.items()]
            self.controls["data"].value = self.model.data

    def _show_regions(self):
        if self.model.subject is None:
            return
        with self.canvas.hold_sync():
            self.canvas.regions = self.model.regions().tobytes()
        self.canvas.send_state("regions")  # also where nothing changed: the browser drops its live stroke

    def _show_fit(self):
        fitted = self.model.fitted
        if fitted is None:
            return
        png = self.picture.png(fitted, self.controls["decision"].value)
        with self.widget.hold_sync():
            self.image.value = png
            self.readouts.value = readouts_html(fitted, self.picture.draw_ms)
        self._show_regions()
        live = fitted.fit_ms + self.picture.draw_ms < LIVE_UP_TO_MS
        for name in ("n_clusters", "xi", "alpha"):
            self.controls[name].continuous_update = live

    def _show_message(self):
        text, wrong = self.model.message, self.model.is_error
        colour = "#D55E00" if wrong else "#009E73"
        hint = (
            " The picture shows the last fit that worked." if wrong and self.model.fitted is not None else ""
        )
        self.message.value = (
            f'<div role="status" style="border-left:3px solid {colour};padding:2px 8px;margin-top:6px;'
            f'line-height:1.35;font-size:12px;white-space:normal">{escape(text)}{hint}</div>'
            if text
            else ""
        )


def explore_segmentation(data="phantom", **parameters):
    """Segment an image by painting: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset of pixels or array, default "phantom"
        ``phantom`` (``phantom:3`` for another draw), ``brain_mr``, the path of an image, or an array of shape
        (rows, columns) or (rows, columns, 3).
    **parameters
        Traits of `SegmentationModel`: colour, n_prototypes, n_clusters, xi, alpha, delta, metric, strokes.

    Returns
    -------
    SegmentationExplorer
        Shows itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition of
        the prototypes, ``.model.fitted.found.nearest`` the prototype of each pixel.

    Examples
    --------
    >>> explorer = explore_segmentation("phantom")
    >>> explorer.model.rectangle(1, 45, 30, 70, 55)  # rows 45 to 69, columns 30 to 54
    >>> explorer.model.rectangle(2, 62, 63, 117, 113)
    >>> bool(explorer.model.fitted.share_omega < explorer.model.fitted.share_omega_before)
    True
    """
    return SegmentationExplorer(SegmentationModel(data, **parameters))
