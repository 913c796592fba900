"""The controls and read-outs of the segmentation explorer: core widgets that the keyboard reaches."""

from html import escape

import ipywidgets as w

from credalbench.explore.drawn_regions import TOOLS
from credalbench.explore.segmentation_model import METRICS, MOST_CLUSTERS
from credalbench.explore.segmentation_picture import DECISIONS

DECISION_LABELS = {"credal": "largest mass (Ω: unsure)", "pignistic": "pignistic cluster"}
METRIC_LABELS = {"euclidean": "Euclidean", "mahalanobis": "adaptive"}

_WIDE = {"layout": w.Layout(width="auto"), "style": {"description_width": "84px"}}
_LIVE = {"continuous_update": True, **_WIDE}
_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
_TILE = (
    '<div title="{hint}" style="padding:2px 14px 4px 0">'
    '<div style="font-size:11px;line-height:14px;opacity:.7">{name}</div>'
    '<div style="font-size:17px;line-height:22px;font-variant-numeric:tabular-nums">{value}</div></div>'
)


def image_controls():
    """Return the controls that choose the image and what of it is clustered, by name."""
    return {
        "data": w.Dropdown(description="image", tooltip="Image to segment", **_WIDE),
        "upload": w.FileUpload(
            accept="image/*",
            description="own image",
            tooltip="PNG, JPEG, TIFF, ...; large images are shrunk",
            layout=w.Layout(width="auto", flex="1"),
        ),
        "colour": w.Checkbox(
            description="cluster colours, not grey levels",
            tooltip="Red, green and blue as three attributes",
            indent=False,
            layout=w.Layout(width="auto"),
        ),
        "n_prototypes": w.IntSlider(
            min=10,
            max=400,
            step=10,
            description="prototypes",
            tooltip="Grey levels or colours that stand in for the pixels",
            **(_LIVE | {"continuous_update": False}),
        ),
    }


def method_controls():
    """Return the controls of ECM and CECM, by name."""
    return {
        "n_clusters": w.IntSlider(
            min=2, max=MOST_CLUSTERS, description="clusters c", tooltip="Number of clusters", **_LIVE
        ),
        "xi": w.FloatSlider(
            min=0,
            max=0.95,
            step=0.01,
            description="ξ",
            tooltip="Weight of the constraints against the image; 0: as ECM",
            **_LIVE,
        ),
        "alpha": w.FloatSlider(
            min=0,
            max=4,
            step=0.1,
            description="α",
            tooltip="The larger, the fewer pixels are left undecided",
            **_LIVE,
        ),
        "delta": w.FloatText(
            description="δ",
            tooltip="Distance of every prototype to the empty set; Enter applies",
            step=None,
            **_WIDE,
        ),
        "metric": w.Dropdown(
            options=[(METRIC_LABELS[name], name) for name in METRICS],
            description="metric",
            tooltip="With grey levels alone, both are the same",
            **_WIDE,
        ),
    }


def showing_controls():
    """Return the controls of what is shown and saved, by name."""
    return {
        "decision": w.Dropdown(
            options=[(DECISION_LABELS[name], name) for name in DECISIONS],
            description="shown",
            tooltip="Set of clusters of largest mass, or cluster of largest pignistic probability",
            **_WIDE,
        ),
        "export": w.Button(
            description="Save",
            icon="save",
            tooltip="Write the partition and the settings to two files beside the notebook",
            layout=w.Layout(width="auto", flex="1"),
        ),
    }


def painting_controls():
    """Return the controls of brush, rectangle and strokes, by name."""
    small = {"layout": w.Layout(width="112px"), "style": {"description_width": "52px"}, "min": 0, "max": 1000}
    controls = {
        "tool": w.Dropdown(
            options=[(TOOLS[tool], tool) for tool in (1, 2, 0)],
            value=1,
            description="brush",
            tooltip="What the brush and the rectangle paint; keys 1, 2 and 0 on the image",
            layout=w.Layout(width="170px"),
            style={"description_width": "46px"},
        ),
        "radius": w.FloatSlider(
            value=4,
            min=0,
            max=30,
            step=1,
            description="radius",
            tooltip="Of the brush, in pixels of the image; keys + and - on the image",
            readout_format=".0f",
            layout=w.Layout(width="210px"),
            style={"description_width": "46px"},
        ),
        "undo": w.Button(description="Undo", icon="undo", tooltip="Take the last stroke back"),
        "clear": w.Button(description="Clear", icon="trash", tooltip="Take all strokes back"),
    }
    for side, value in (("top", 45), ("left", 30), ("bottom", 70), ("right", 55)):
        tooltip = f"Rectangle: {side} edge, in pixels"
        controls[side] = w.BoundedIntText(value=value, description=side, tooltip=tooltip, **small)
    controls["rectangle"] = w.Button(
        description="Paint rectangle", icon="square-o", tooltip="Paint the rectangle of the four numbers"
    )
    return controls


def readouts_html(fitted, draw_ms):
    """Return the read-outs of a fit as a row of numbers with their names."""
    marked = fitted.marked
    tiles = [
        ("Ω before", _percent(fitted.share_omega_before), "Pixels whose largest mass is on Ω, by ECM"),
        ("Ω after", _percent(fitted.share_omega), "Pixels whose largest mass is on Ω, by CECM"),
        ("constrained", _percent(fitted.share_constrained), "Pixels whose prototype is in a constraint"),
        (
            "constraints",
            f"{len(marked.constraints)}"
            + (f" of {marked.n_pairs}" * (marked.n_pairs > len(marked.constraints))),
            "Pairs of prototypes; of very many, a random choice is used",
        ),
        ("violated", str(fitted.n_violated), "Constraints that the pignistic clusters break"),
        (
            "contested",
            str(len(marked.contested)),
            "Prototypes that occur in both regions and get no constraint",
        ),
        ("objective", f"{fitted.objective:.3g}", "Objective of CECM"),
        ("fit", f"{fitted.fit_ms:.0f} ms", "Time of the fit"),
        ("drawing", f"{draw_ms:.0f} ms", "Time of the picture"),
    ]
    errors = [fitted.error(fitted.before), fitted.error(fitted.partition)]
    if None not in errors:
        text = f"{_percent(errors[0])} → {_percent(errors[1])}"
        tiles.insert(
            2, ("wrong", text, "Pixels on the wrong side of the known lesion, pignistic, before and after")
        )
    cells = "".join(_TILE.format(name=name, value=value, hint=hint) for name, value, hint in tiles)
    # Core image widgets have no alternative text (and fail in the browser when given a tooltip).
    words = f'<span role="status" style="{_UNSEEN}">{escape(describe(fitted))}</span>'
    return f'<div style="display:flex;flex-wrap:wrap;position:relative">{cells}{words}</div>'


def describe(fitted):
    """Return the picture in words, for those who hear it."""
    areas = [int((fitted.regions == region).sum()) for region in (1, 2)]
    before, after = _percent(fitted.share_omega_before), _percent(fitted.share_omega)
    return (
        f"Two images of {fitted.scene.name} in {fitted.partition.n_clusters} clusters: without constraints "
        f"{before} of the pixels are on Ω, with regions of {areas[0]} and {areas[1]} pixels {after}."
    )


def _percent(share):
    return f"{100 * share:.1f} %"
