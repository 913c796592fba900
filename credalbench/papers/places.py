"""Folders of studies and notebooks: in a checkout, or inside an installed package."""

import os
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
LONGEST = 40  # characters of a temporary folder that leave room for the names in it


def in_checkout() -> bool:
    """Return whether this package runs from a checkout."""
    return (PACKAGE.parent / "pyproject.toml").is_file() and (PACKAGE.parent / "experiments").is_dir()


def experiments_folder() -> Path:
    """Return the folder of the papers and their studies."""
    return PACKAGE.parent / "experiments" if in_checkout() else PACKAGE / "_experiments"


def notebooks_folder() -> Path:
    """Return the folder of the notebooks ``reproduce``, ``explore`` and ``learn``."""
    return PACKAGE.parent / "notebooks" if in_checkout() else PACKAGE / "_notebooks"


def short_folder() -> str:
    """Return a folder for temporary folders with sockets, whose paths may have about 100 bytes."""
    named = tempfile.gettempdir()
    return "/tmp" if len(named) > LONGEST and os.path.isdir("/tmp") else named
