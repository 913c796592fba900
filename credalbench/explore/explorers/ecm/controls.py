"""The controls of the ECM explorer that are no parameters: they draw and move prototypes."""

from __future__ import annotations

import ipywidgets as w

from credalbench.explore.view.controls import button, choice, number


def prototype_controls() -> dict[str, w.Widget]:
    """Return the controls of the prototypes by name: another start, and moves without a mouse."""
    label = {"style": {"description_width": "initial"}}
    which = "Prototype that the two numbers place; dragging it in the picture does the same"
    places = {
        "place_x": number("at x", "Place on the map, horizontal", layout=w.Layout(width="84px"), **label),
        "place_y": number("y", "Place on the map, vertical", layout=w.Layout(width="72px"), **label),
    }
    new = button("New start (n)", "refresh", "Draw new prototypes, and wait there", flex="0 1 auto")
    return {
        "restart": new,
        "prototype": choice("prototype", which, {0: "1"}, layout=w.Layout(width="114px"), **label),
        **places,
    }
