"""Packages that only an extra installs: errors name a missing package and its extra."""

from importlib.util import find_spec

#: Module -> package, if the two names differ.
PACKAGES = {"IPython": "ipython", "PIL": "pillow", "myst_nb": "myst-nb"}


class MissingPackage(ImportError):
    """A package that an extra of credalbench installs is missing."""


def require(*modules: str, extra: str, purpose: str) -> None:
    """Raise an error that names the extra to install if a module is missing, without importing it.

    Parameters
    ----------
    *modules : str
        Names of top-level modules, such as "matplotlib".
    extra : str
        Extra of credalbench that installs them.
    purpose : str
        Part of the program that needs them; the subject of the message.

    Raises
    ------
    MissingPackage
        If one of the modules is not installed.

    Examples
    --------
    >>> from credalbench.core.extras import require
    >>> require("numpy", extra="plots", purpose="credalbench.plots")
    """
    missing = [PACKAGES.get(module, module) for module in modules if find_spec(module) is None]
    if missing:
        raise MissingPackage(
            f"{purpose} needs {' and '.join(missing)}: pip install '.[{extra}]' in a clone of credalbench",
            name=missing[0],
        )
