"""The controls of the segmentation explorer, by name."""

import ipywidgets as w

from credalbench.explore.controls import button, choice, number, save_button, slider, tick, upload_button
from credalbench.explore.drawn_regions import TOOLS
from credalbench.explore.segmentation_model import METRICS, MOST_CLUSTERS
from credalbench.explore.segmentation_picture import DECISIONS

DECISION_LABELS = {"credal": "largest mass (Ω: unsure)", "pignistic": "pignistic cluster"}
METRIC_LABELS = {"euclidean": "Euclidean", "mahalanobis": "adaptive"}


def image_controls():
    """Return the controls that choose the image and what of it is clustered, by name."""
    attributes = "Red, green and blue as three attributes"
    few = "Grey levels or colours that stand in for the pixels"
    return {
        "data": choice("image", "Image to segment"),
        "upload": upload_button("own image", "PNG, JPEG, TIFF, ...; large images are shrunk", "image/*"),
        "colour": tick("cluster colours, not grey levels", attributes),
        "n_prototypes": slider("prototypes", few, 10, 400, 10, continuous_update=False),
    }


def method_controls():
    """Return the controls of ECM and CECM, by name."""
    labels = {name: METRIC_LABELS[name] for name in METRICS}
    return {
        "n_clusters": slider("clusters c", "Number of clusters", 2, MOST_CLUSTERS),
        "xi": slider("ξ", "Weight of the constraints against the image; 0: as ECM", 0, 0.95, 0.01),
        "alpha": slider("α", "The larger, the fewer pixels are left undecided", 0, 4, 0.1),
        "delta": number("δ", "Distance of every prototype to the empty set"),
        "metric": choice("metric", "With grey levels alone, both are the same", labels),
    }


def showing_controls():
    """Return the controls of what is shown and saved, by name."""
    rule = "Set of clusters of largest mass, or cluster of largest pignistic probability"
    return {
        "decision": choice("shown", rule, {name: DECISION_LABELS[name] for name in DECISIONS}),
        "export": save_button(),
    }


def painting_controls():
    """Return the controls of brush, rectangle and strokes, by name."""
    label = {"description_width": "46px"}
    paints = "What the brush and the rectangle paint; keys 1, 2 and 0 on the image"
    size = "Of the brush, in pixels of the image; keys + and - on the image"
    controls = {
        "tool": choice(
            "brush",
            paints,
            {tool: TOOLS[tool] for tool in (1, 2, 0)},
            value=1,
            layout=w.Layout(width="170px"),
            style=label,
        ),
        "radius": slider(
            "radius",
            size,
            0.0,
            30.0,
            1.0,
            value=4.0,
            readout_format=".0f",
            layout=w.Layout(width="210px"),
            style=label,
        ),
        "undo": button("Undo", "undo", "Take the last stroke back", flex="0 1 148px"),
        "clear": button("Clear", "trash", "Take all strokes back", flex="0 1 148px"),
        "rectangle": button(
            "Paint rectangle", "square-o", "Paint the rectangle of the four numbers", flex="0 1 auto"
        ),
    }
    small = {"layout": w.Layout(width="112px"), "style": {"description_width": "52px"}, "min": 0, "max": 1000}
    for side, value in (("top", 45), ("left", 30), ("bottom", 70), ("right", 55)):
        tooltip = f"Rectangle: {side} edge, in pixels"
        controls[side] = w.BoundedIntText(value=value, description=side, tooltip=tooltip, **small)
    return controls
