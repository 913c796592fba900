"""The controls of the CECM explorer that select and constrain objects."""

import ipywidgets as w

from credalbench.explore.view.controls import button, choice

#: Keyboard shortcuts in the picture, by letter.
LETTERS = {"m": "must-link", "c": "cannot-link", "t": "truth", "p": "suggest", "u": "undo"}
_SECOND = {
    "wait": "only selects",
    "must-link": "adds a must-link",
    "cannot-link": "adds a cannot-link",
    "truth": "uses true classes",
}


def constraint_controls() -> dict[str, w.Widget]:
    """Return the controls of the constraints, by name."""
    narrow = {"style": {"description_width": "initial"}}
    actions = {
        "must-link": ("Must-link (m)", "link", "The two objects are in the same cluster"),
        "cannot-link": ("Cannot-link (c)", "unlink", "The two objects are in different clusters"),
        "truth": ("Use true classes (t)", "check", "Add the constraint implied by the true classes"),
        "suggest": ("Suggest a pair (p)", "question", "Select the next pair by active learning"),
        "undo": ("Undo (u)", "undo", "Undo the last change of the constraints"),
        "clear": ("Clear", "trash", "Remove all constraints"),
    }
    second = "What clicking a second object in the picture does"
    return {
        **{name: button(*texts, flex="0 1 auto") for name, texts in actions.items()},
        "second_choice": choice("a second click", second, _SECOND, layout=w.Layout(width="250px"), **narrow),
    }
