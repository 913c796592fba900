"""The controls of the CECM explorer, by name."""

import ipywidgets as w

from credalbench.explore.cecm_model import METRICS, STARTS
from credalbench.explore.controls import button, choice, number, restart_button, save_button, slider

METRIC_LABELS = {"euclidean": "Euclidean", "mahalanobis": "adaptive (Mahalanobis)"}
#: Letters pressed in the picture, and the control that each stands for.
SHORTCUTS = {"m": "must-link", "c": "cannot-link", "t": "truth", "s": "suggest", "u": "undo"}
_SECOND = {
    "wait": "waits for a button",
    "must-link": "is a must-link",
    "cannot-link": "is a cannot-link",
    "truth": "asks the truth",
}


def method_controls():
    """Return the controls of the method's parameters."""
    shape = "Whether clusters are round, or each adapts its shape"
    cardinality = "Exponent of the cardinality: the larger, the less mass on sets of several clusters"
    exponent = "Exponent of the masses, of ECM only: with constraints it is 2"
    distance = "Distance to the empty set, in the units of the data"
    return {
        "metric": choice("metric", shape, {name: METRIC_LABELS[name] for name in METRICS}),
        "alpha": slider("α", cardinality, -2, 5, 0.1),
        "beta": slider("β", exponent, 1.1, 5, 0.1),
        "delta": number("", distance, layout=w.Layout(width="76px")),
        "delta_slider": w.FloatLogSlider(
            min=-2,
            max=4,
            step=0.02,
            description="δ",
            tooltip="Distance to the empty set: the smaller, the more outliers",
            readout=False,
            layout=w.Layout(width="auto", flex="1"),
            style={"description_width": "84px"},
        ),
        "xi": slider("ξ", "Weight of the constraints against the data", 0, 0.99, 0.01),
    }


def start_controls():
    """Return the controls of the start and of the actions."""
    lowest = "Number of starts; the fit of lowest objective is shown"
    return {
        "init": choice("start", "Where the prototypes start", {name: name for name in STARTS}),
        "n_init": slider("starts", lowest, 1, 10),
        "restart": restart_button(),
        "export": save_button(),
    }


def constraint_controls():
    """Return the controls that choose objects and constrain them."""
    narrow = {"style": {"description_width": "initial"}}
    field = {"placeholder": "click", "continuous_update": False, "layout": w.Layout(width="118px"), **narrow}
    field["tooltip"] = "Number of an object: its row in the data, from 0; Enter applies"
    actions = {
        "must-link": ("Must-link (m)", "link", "The two objects are in the same cluster"),
        "cannot-link": ("Cannot-link (c)", "unlink", "The two objects are in different clusters"),
        "truth": ("Ask the truth (t)", "check", "Constrain the two objects as the true classes say"),
        "suggest": ("Suggest a pair (s)", "question", "Let active learning choose the next pair"),
        "undo": ("Undo (u)", "undo", "Take back the last change of the constraints"),
        "clear": ("Clear", "trash", "Drop all constraints"),
    }
    second = "What happens once two objects are chosen in the picture"
    return {
        "first": w.Text(description="objects", **field),
        "second": w.Text(description="and", **field),
        **{name: button(*texts, flex="0 1 auto") for name, texts in actions.items()},
        "second_choice": choice("a second click", second, _SECOND, layout=w.Layout(width="250px"), **narrow),
    }
