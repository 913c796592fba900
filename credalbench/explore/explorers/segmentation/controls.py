"""The controls of the segmentation explorer for painting and for the display."""

import ipywidgets as w

from credalbench.explore.explorers.segmentation.drawn_regions import TOOLS
from credalbench.explore.explorers.segmentation.scene import DECISIONS
from credalbench.explore.view.controls import button, choice, slider


def decision_control() -> w.Dropdown:
    """Return the control of the displayed decision."""
    rule = "Set of clusters of largest mass, or cluster of largest pignistic probability"
    return choice("shown", rule, DECISIONS)


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
