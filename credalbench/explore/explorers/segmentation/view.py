"""The view of the segmentation explorer: an image to paint on, controls, and the segmented image.

Painting also works by keyboard, and by the four numbers of a rectangle.
"""

from collections.abc import Callable

import ipywidgets as w
import numpy as np

from credalbench.explore.canvas.evidence_canvas import BRUSH, EvidenceCanvas
from credalbench.explore.declaration import FitExplorer
from credalbench.explore.explorers.segmentation import TOOLS, SegmentationModel, Segmented, scene
from credalbench.explore.scene.scene import Scene
from credalbench.explore.view.controls import RULE_HTML, button, choice, slider
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side

SIDES = ("top", "left", "bottom", "right")
DECISION = "Set of clusters of largest mass, or cluster of largest pignistic probability"
ABOUT = "Paint region 1 on what you are looking for and region 2 on anything else."


class SegmentationExplorer(ExplorerView):
    """Controls, canvas, read-outs and picture of a `SegmentationModel`.

    Parameters
    ----------
    model : SegmentationModel
    declared : FitExplorer

    Attributes
    ----------
    canvas : EvidenceCanvas
        The image to paint on.
    """

    def __init__(self, model: SegmentationModel, declared: FitExplorer) -> None:
        self.canvas = EvidenceCanvas(tool=BRUSH, bare=True, shortcuts="u")
        self._painted = None, None  # the image and the regions that the canvas shows
        super().__init__(model, declared)

    def _own_controls(self) -> dict[str, w.Widget]:
        return {"decision": choice("shown", DECISION, scene.DECISIONS)} | painting_controls()

    def scene(self, fitted: Segmented) -> Scene:
        return scene.segmentation_scene(fitted, self.controls["decision"].value)

    def _arrange(self) -> w.Box:
        c = self.controls
        corners = w.GridBox(
            [c[side] for side in SIDES], layout=w.Layout(grid_template_columns="max-content max-content")
        )
        left = panel(
            "Segmentation explorer",
            c["data"],
            w.HBox([c["upload"], c["export"]]),
            w.HTML(f'<div style="font-size:12px;line-height:1.35">{ABOUT}</div>'),
            c["n_clusters"],  # above the image, to be on one screen with the picture
            w.HBox([c["tool"], c["undo"], c["clear"]]),
            c["radius"],
            self.canvas,
            *(c[name] for name in ("xi", "decision", "alpha", "delta", "metric")),
            *(c[name] for name in ("n_prototypes", "colour")),
            w.HTML(RULE_HTML),
            corners,
            c["rectangle"],
        )
        return side_by_side(left, column(self.top, self.time.row(), self.message, self.image))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        return super()._actions() | {"rectangle": self._rectangle}

    def _link(self) -> None:
        super()._link()
        controls = self.controls
        controls["decision"].observe(lambda _: self._show_fit(), "value")
        self.model.observe(lambda _: self._show_regions(), "busy")  # strokes of a stopped fit are removed
        w.link((controls["tool"], "value"), (self.canvas, "region"))
        w.link((controls["radius"], "value"), (self.canvas, "radius"))
        self.canvas.on("stroke", self._paint)
        self.canvas.on("letter", lambda _: self.model.undo())

    def _paint(self, tool: object, radius: object, path: object) -> None:
        self.model.brush(tool, radius, path)
        self._show_regions()  # even while the fit is running

    def _rectangle(self) -> None:
        self.model.rectangle(self.controls["tool"].value, *(self.controls[side].value for side in SIDES))

    # -- showing ----------------------------------------------------------------------------------------

    def _show_subject(self) -> None:
        image = self.model.subject
        if image is not None:
            rows, columns = image.shape
            for side, most in zip(SIDES, (rows, columns, rows, columns)):
                self.controls[side].max = most
        super()._show_subject()

    def _show_regions(self) -> None:
        image = self.model.subject
        if image is None:
            return
        regions, (shown_image, shown) = self.model.regions(), self._painted
        if image is not shown_image or not np.array_equal(regions, shown):
            self._painted = image, regions
            self.canvas.show(scene.painting_scene(image, regions), scene.painting_text(image, regions))

    def _draw(self, fitted: Segmented) -> None:
        super()._draw(fitted)
        self._show_regions()


def painting_controls() -> dict[str, w.Widget]:
    """Return the controls of brush, rectangle and strokes, by name."""
    label = {"description_width": "46px"}
    paints = "What the brush and the rectangle paint; keys 1, 2 and 0 on the image"
    size = "Radius of the brush, in pixels of the image; keys + and - on the image"
    controls = {
        "tool": choice(
            "brush",
            paints,
            {tool: TOOLS[tool] for tool in (1, 2, 0)},
            value=1,
            layout=w.Layout(width="136px"),
            style=label,
        ),
        "radius": slider("radius", size, 0.0, 30.0, 1.0, value=4.0, readout_format=".0f", style=label),
        "rectangle": button(
            "Paint rectangle", "square-o", "Paint the rectangle given by the four numbers", flex="0 1 auto"
        ),
    }
    small = {"layout": w.Layout(width="112px"), "style": {"description_width": "52px"}, "min": 0, "max": 1000}
    for side, value in (("top", 45), ("left", 30), ("bottom", 70), ("right", 55)):
        tooltip = f"Rectangle: {side} edge, in pixels"
        controls[side] = w.BoundedIntText(value=value, description=side, tooltip=tooltip, **small)
    return controls
