"""Explorers: widgets that refit and redraw while a slider moves.

Each is a package with a model of traits that knows no widget, a picture, and a view of core widgets linked to
the model; what several need lies in `shared`. Nothing heavy is imported before an explorer is asked for::

    from credalbench.explore import explore_evclus

    explore_evclus("butterfly")
"""

from importlib import import_module
from pkgutil import iter_modules

from credalbench.extras import require


def _packages() -> dict:
    """The package of each explorer, by name: every one beside this file that says what it is `ABOUT`."""
    found = {m.name: import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__) if m.ispkg}
    return {name: package for name, package in sorted(found.items()) if hasattr(package, "ABOUT")}


def explorers() -> dict[str, str]:
    """Return what one does with each explorer, by name."""
    return {name: package.ABOUT for name, package in _packages().items()}


def __getattr__(name: str) -> object:
    """Import what an explorer's package says is `PUBLIC` when it is first asked for."""
    for package in _packages().values():
        if name in package.PUBLIC:
            require("ipywidgets", "anywidget", "matplotlib", extra="explore", purpose="credalbench.explore")
            return getattr(import_module(f"{package.__name__}.{package.PUBLIC[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["explorers", *(name for package in _packages().values() for name in package.PUBLIC)]
