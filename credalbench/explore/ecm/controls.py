"""The controls of the ECM explorer that are no parameters: they go through iterations and move prototypes."""

from __future__ import annotations

import ipywidgets as w

from credalbench.explore.shared.controls import button, choice, number

#: Letters pressed in the picture, and the control that each stands for.
SHORTCUTS = {"s": "step", "e": "finish", "n": "restart"}
FRAME_MS = 400  # between two iterations that are played


def iteration_controls() -> dict[str, w.Widget]:
    """Return the controls that go through iterations, by name."""
    narrow = {"flex": "0 1 auto"}
    played = "Play all iterations, pause, and go back to the start"
    return {
        "restart": button("New start (n)", "refresh", "Draw new prototypes, and wait there", **narrow),
        "step": button("Step (s)", "step-forward", "Do one iteration", **narrow),
        "play": w.Play(interval=FRAME_MS, show_repeat=False, description="play", tooltip=played),
        "finish": button("End (e)", "fast-forward", "Do all iterations that are left", **narrow),
    }


def prototype_controls() -> dict[str, w.Widget]:
    """Return the controls that move a prototype without a mouse, by name."""
    label = {"style": {"description_width": "initial"}}
    which = "Prototype that the two numbers place; dragging it in the picture does the same"
    places = {
        "place_x": number("at x", "Place on the map, horizontal", layout=w.Layout(width="84px"), **label),
        "place_y": number("y", "Place on the map, vertical", layout=w.Layout(width="72px"), **label),
    }
    return {
        "prototype": choice("prototype", which, {0: "1"}, layout=w.Layout(width="114px"), **label),
        **places,
    }
