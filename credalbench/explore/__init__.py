"""Explorers: widgets that refit and redraw while a slider moves.

Each explorer is a module or a package in `explorers`: a model of traits without widgets, a scene, and a
declaration from which the page follows. An explorer is imported when it is first used::

    from credalbench.explore import explore_evclus

    explore_evclus("butterfly")
"""

from credalbench.core.extras import require
from credalbench.explore.explorers import EXPLORERS, public_names, public_object

__all__ = ["list_explorers", *public_names()]


def list_explorers() -> dict[str, str]:
    """Return what each explorer is for, by name.

    Returns
    -------
    dict of str -> str
        One line for each explorer.

    Examples
    --------
    >>> list_explorers()["segmentation"]
    'paint regions on an image, and see CECM segment it'
    """
    return {name: listed.about for name, listed in EXPLORERS.items()}


def __getattr__(name: str) -> object:
    """Import a public name of an explorer when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("ipywidgets", "anywidget", "matplotlib", extra="explore", purpose="credalbench.explore")
    return public_object(name)
