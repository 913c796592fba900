"""The view of the segmentation explorer: an image to paint on, controls, and the segmented image.

Painting also works by keyboard, and by the four numbers of a rectangle.
"""

from collections.abc import Callable, Iterable

import ipywidgets as w
import numpy as np

from credalbench.explore.canvas.evidence_canvas import BRUSH, EvidenceCanvas
from credalbench.explore.explorers.segmentation.drawn_regions import TOOLS
from credalbench.explore.explorers.segmentation.model import SegmentationModel, Segmented
from credalbench.explore.explorers.segmentation.scene import DECISIONS, painting_scene, segmentation_scene
from credalbench.explore.scene.scene import Scene
from credalbench.explore.sources.images import ImageSubject
from credalbench.explore.view.controls import button, choice, slider
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.link_panel import outcome_tiles
from credalbench.explore.view.read_outs import RULE, Tile
from credalbench.explore.view.time_bar import iteration_tile

SIDES = ("top", "left", "bottom", "right")
DECISION = "Set of clusters of largest mass, or cluster of largest pignistic probability"
ABOUT = "Paint region 1 on what you are looking for and region 2 on anything else."


class SegmentationExplorer(ExplorerView):
    """Controls, canvas, read-outs and picture of a `SegmentationModel`.

    Parameters
    ----------
    model : SegmentationModel
        The model to show.

    Attributes
    ----------
    canvas : EvidenceCanvas
        The image to paint on.
    """

    def __init__(self, model: SegmentationModel) -> None:
        self.canvas = EvidenceCanvas(tool=BRUSH, bare=True, shortcuts="u")
        self._painted = None, None  # the image and the regions that the canvas shows
        controls = {"decision": choice("shown", DECISION, DECISIONS)} | painting_controls()
        super().__init__(model, self._scene, picture_text, controls)

    def _scene(self, fitted: Segmented) -> Scene:
        return segmentation_scene(fitted, self.controls["decision"].value)

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
            w.HTML(RULE),
            corners,
            c["rectangle"],
        )
        return side_by_side(left, column(self.readouts, self.time.row(), self.message, self.image))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        actions = {"undo": self.model.undo, "clear": self.model.clear, "rectangle": self._rectangle}
        return actions

    def _link(self) -> None:
        super()._link()
        controls = self.controls
        controls["decision"].observe(lambda _: self._show_fit(), "value")
        self.model.observe(lambda _: self._show_regions(), "busy")  # strokes of a stopped fit are removed
        w.link((controls["tool"], "value"), (self.canvas, "region"))
        w.link((controls["radius"], "value"), (self.canvas, "radius"))
        self.canvas.on_stroke(self._paint)
        self.canvas.on_letter(lambda _: self.model.undo())

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
            self.canvas.show(painting_scene(image, regions), painting_text(image, regions))

    def _draw(self, fitted: Segmented) -> None:
        super()._draw(fitted)
        self._show_regions()

    def _read_outs(self, fitted: Segmented) -> Iterable[Tile]:
        marked, errors = fitted.run.marked, [fitted.error(fitted.before), fitted.error(fitted.partition)]
        q, all_pairs = len(marked.constraints), marked.n_pairs
        before, after = _percent(fitted.share_omega_before), _percent(fitted.share_omega)
        tiles = [
            ("Ω before", before, "Pixels whose largest mass is on Ω, by ECM"),
            ("Ω after", after, "Pixels whose largest mass is on Ω, by CECM"),
            ("constrained", _percent(fitted.share_constrained), "Pixels whose prototype is in a constraint"),
            (
                "constraints",
                f"{q} of {all_pairs}" if all_pairs > q else q,
                "Pairs of prototypes; a random sample if there are very many",
            ),
            *outcome_tiles(fitted.outcomes),
            (
                "contested",
                len(marked.contested),
                "Prototypes that occur in both regions and get no constraint",
            ),
            ("objective", f"{fitted.objective:.3g}", "Objective of CECM"),
            iteration_tile(fitted, "Iterations of CECM; ECM does as many, unless it ends earlier"),
            self._times(fitted, "Time to fit and to build the scene"),
        ]
        if None not in errors:
            wrong = "Pixels misclassified against the known lesion (pignistic), before and after"
            tiles.insert(2, ("wrong", " → ".join(map(_percent, errors)), wrong))
        return tiles


def picture_text(fitted: Segmented) -> str:
    """Return the description of the picture for screen readers."""
    areas = [int((fitted.run.regions == region).sum()) for region in (1, 2)]
    before, after = _percent(fitted.share_omega_before), _percent(fitted.share_omega)
    return (
        f"Two images of {fitted.subject.name} in {fitted.partition.n_clusters} clusters after "
        f"{fitted.iteration} of {fitted.n_iter} iterations: without constraints {before} of the pixels are "
        f"on Ω, with regions of {areas[0]} and {areas[1]} pixels {after}."
    )


def painting_text(image: ImageSubject, regions: np.ndarray) -> str:
    """Return the description of the image to paint on."""
    rows, columns = image.shape
    painted = [f"region {region}" for region in (1, 2) if (regions == region).any()]
    shown = f"; painted: {', '.join(painted)}" if painted else ""
    return f"Image {image.name}, {rows} rows and {columns} columns, to paint regions on{shown}."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def explore_segmentation(data: object = "phantom", **parameters: object) -> SegmentationExplorer:
    """Segment an image by painting: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset of pixels or array, default "phantom"
        ``phantom`` (``phantom:3`` for another draw), ``brain_mr``, the path of an image, or an array of shape
        (rows, columns) or (rows, columns, 3).
    **parameters
        Parameters of `SegmentationModel`.

    Returns
    -------
    SegmentationExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition
        of the prototypes, ``.model.fitted.run.found.nearest`` the prototype of each pixel.

    Examples
    --------
    >>> explorer = explore_segmentation("phantom")
    >>> explorer.model.rectangle(1, 45, 30, 70, 55)  # rows 45 to 69, columns 30 to 54
    >>> explorer.model.rectangle(2, 62, 63, 117, 113)
    >>> bool(explorer.model.fitted.share_omega < explorer.model.fitted.share_omega_before)
    True
    """
    return SegmentationExplorer(SegmentationModel(data, **parameters))


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
        "undo": button("Undo", "", "Undo the last stroke"),
        "clear": button("Clear", "", "Remove all strokes"),
        "rectangle": button(
            "Paint rectangle", "square-o", "Paint the rectangle given by the four numbers", flex="0 1 auto"
        ),
    }
    small = {"layout": w.Layout(width="112px"), "style": {"description_width": "52px"}, "min": 0, "max": 1000}
    for side, value in (("top", 45), ("left", 30), ("bottom", 70), ("right", 55)):
        tooltip = f"Rectangle: {side} edge, in pixels"
        controls[side] = w.BoundedIntText(value=value, description=side, tooltip=tooltip, **small)
    return controls
