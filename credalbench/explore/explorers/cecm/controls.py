"""The controls of the CECM explorer that are no parameters: they choose objects and constrain them."""

from __future__ import annotations

import ipywidgets as w

from credalbench.explore.view.controls import button, choice

#: Letters pressed in the picture, and the action that each stands for.
LETTERS = {"m": "must-link", "c": "cannot-link", "t": "truth", "p": "suggest", "u": "undo"}
_SECOND = {
    "wait": "waits for a button",
    "must-link": "is a must-link",
    "cannot-link": "is a cannot-link",
    "truth": "asks the truth",
}


def constraint_controls() -> dict[str, w.Widget]:
    """Return the controls by name."""
    narrow = {"style": {"description_width": "initial"}}
    actions = {
        "must-link": ("Must-link (m)", "link", "The two objects are in the same cluster"),
        "cannot-link": ("Cannot-link (c)", "unlink", "The two objects are in different clusters"),
        "truth": ("Ask the truth (t)", "check", "Constrain the two objects as the true classes say"),
        "suggest": ("Suggest a pair (p)", "question", "Let active learning choose the next pair"),
        "undo": ("Undo (u)", "undo", "Take back the last change of the constraints"),
        "clear": ("Clear", "trash", "Drop all constraints"),
    }
    second = "What happens once two objects are chosen in the picture"
    return {
        **{name: button(*texts, flex="0 1 auto") for name, texts in actions.items()},
        "second_choice": choice("a second click", second, _SECOND, layout=w.Layout(width="250px"), **narrow),
    }
