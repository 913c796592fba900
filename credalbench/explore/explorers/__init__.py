"""The explorers: each package in this folder is one, declared by its `EXPLORER`."""

from importlib import import_module
from pkgutil import iter_modules

from credalbench.explore.declaration import Declaration

#: The declaration of each explorer, by name.
EXPLORERS: dict[str, Declaration] = {
    name: import_module(f"{__name__}.{name}").EXPLORER
    for name in sorted(module.name for module in iter_modules(__path__))
}


def public_object(name: str) -> object:
    """Return a public object of an explorer; raise KeyError if no explorer has one of this name."""
    for explorer, declared in EXPLORERS.items():
        if name in declared.public:
            return getattr(import_module(f"{__name__}.{explorer}.{declared.public[name]}"), name)
    raise KeyError(name)
