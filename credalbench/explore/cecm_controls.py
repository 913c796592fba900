"""The controls of the CECM explorer, by name: core widgets only, each within reach of the keyboard."""

import ipywidgets as w

from credalbench.explore.cecm_model import FOCAL_FAMILIES, METRICS, STARTS

FOCAL_LABELS = {"simple": "∅, {k}, Ω", "pairs": "∅, {k}, {k,l}, Ω", "full": "all subsets"}
METRIC_LABELS = {"euclidean": "Euclidean", "mahalanobis": "adaptive (Mahalanobis)"}
#: Letters pressed in the picture, and the control that each stands for.
SHORTCUTS = {"m": "must-link", "c": "cannot-link", "t": "truth", "s": "suggest", "u": "undo"}
_SECOND = (
    ("waits for a button", "wait"),
    ("is a must-link", "must-link"),
    ("is a cannot-link", "cannot-link"),
    ("asks the truth", "truth"),
)

UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
TILE = (
    '<div title="{hint}" style="padding:2px 14px 4px 0">'
    '<div style="font-size:11px;line-height:14px;opacity:.7">{name}</div>'
    '<div style="font-size:17px;line-height:22px;font-variant-numeric:tabular-nums">{value}</div></div>'
)
_WIDE = {"layout": w.Layout(width="auto"), "style": {"description_width": "84px"}}


def method_controls():
    """Return the controls of the method's parameters."""
    live = {"continuous_update": True, **_WIDE}
    return {
        "n_clusters": w.IntSlider(
            min=2, max=6, description="clusters c", tooltip="Number of clusters", **live
        ),
        "focal_sets": w.Dropdown(
            options=[(FOCAL_LABELS[name], name) for name in FOCAL_FAMILIES],
            description="focal sets",
            tooltip="Sets of clusters that may receive mass",
            **_WIDE,
        ),
        "metric": w.Dropdown(
            options=[(METRIC_LABELS[name], name) for name in METRICS],
            description="metric",
            tooltip="Whether clusters are round, or each adapts its shape",
            **_WIDE,
        ),
        "alpha": w.FloatSlider(
            min=-2,
            max=5,
            step=0.1,
            description="α",
            tooltip="Exponent of the cardinality: the larger, the less mass on sets of several clusters",
            **live,
        ),
        "beta": w.FloatSlider(
            min=1.1,
            max=5,
            step=0.1,
            description="β",
            tooltip="Exponent of the masses, of ECM only: with constraints it is 2",
            **live,
        ),
        "delta": w.FloatText(
            description="",
            tooltip="Distance to the empty set, in the units of the data; Enter applies",
            step=None,
            layout=w.Layout(width="76px"),
        ),
        "delta_slider": w.FloatLogSlider(
            min=-2,
            max=4,
            step=0.02,
            description="δ",
            tooltip="Distance to the empty set: the smaller, the more outliers",
            readout=False,
            continuous_update=True,
            layout=w.Layout(width="auto", flex="1"),
            style=_WIDE["style"],
        ),
        "xi": w.FloatSlider(
            min=0,
            max=0.99,
            step=0.01,
            description="ξ",
            tooltip="Weight of the constraints against the data",
            **live,
        ),
    }


def start_controls():
    """Return the controls of the start and of the actions."""
    return {
        "init": w.Dropdown(
            options=[(name, name) for name in STARTS],
            description="start",
            tooltip="Where the prototypes start",
            **_WIDE,
        ),
        "n_init": w.IntSlider(
            min=1,
            max=10,
            description="starts",
            tooltip="Number of starts; the fit of lowest objective is shown",
            **_WIDE,
        ),
        "restart": _button("Restart", "refresh", "Fit again from new random starts"),
        "export": _button(
            "Save", "save", "Write the partition and the settings to two files beside the notebook"
        ),
    }


def constraint_controls():
    """Return the controls that choose objects and constrain them."""
    number = {"continuous_update": False, "style": {"description_width": "initial"}}
    number["layout"] = w.Layout(width="118px")
    rows = "Number of an object: its row in the data, from 0; Enter applies"
    return {
        "first": w.Text(description="objects", placeholder="click", tooltip=rows, **number),
        "second": w.Text(description="and", placeholder="click", tooltip=rows, **number),
        "must-link": _button("Must-link (m)", "link", "The two objects are in the same cluster"),
        "cannot-link": _button("Cannot-link (c)", "unlink", "The two objects are in different clusters"),
        "truth": _button("Ask the truth (t)", "check", "Constrain the two objects as the true classes say"),
        "suggest": _button("Suggest a pair (s)", "question", "Let active learning choose the next pair"),
        "undo": _button("Undo (u)", "undo", "Take back the last change of the constraints"),
        "clear": _button("Clear", "trash", "Drop all constraints"),
        "second_choice": w.Dropdown(
            options=_SECOND,
            description="a second click",
            tooltip="What happens once two objects are chosen in the picture",
            layout=w.Layout(width="250px"),
            style={"description_width": "initial"},
        ),
    }


def _button(description, icon, tooltip):
    layout = w.Layout(width="auto", flex="0 1 auto")
    return w.Button(description=description, icon=icon, tooltip=tooltip, layout=layout)
