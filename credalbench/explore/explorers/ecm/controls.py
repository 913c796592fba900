"""The controls of the ECM explorer that draw and move prototypes."""

import ipywidgets as w

from credalbench.explore.view.controls import button, choice, number


def prototype_controls() -> dict[str, w.Widget]:
    """Return the controls of the prototypes, by name: a new start, and moves without a mouse."""
    label = {"style": {"description_width": "initial"}}
    which = "Prototype that the two number fields move; it can also be dragged in the picture"
    places = {
        "place_x": number("at x", "Horizontal position on the map", layout=w.Layout(width="84px"), **label),
        "place_y": number("y", "Vertical position on the map", layout=w.Layout(width="72px"), **label),
    }
    new = button("New start (n)", "refresh", "Draw new prototypes, and stay at the start", flex="0 1 auto")
    return {
        "restart": new,
        "prototype": choice("prototype", which, {0: "1"}, layout=w.Layout(width="114px"), **label),
        **places,
    }
