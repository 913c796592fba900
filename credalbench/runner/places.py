"""Where studies and notebooks lie: in the folders of a checkout, or inside an installed package."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def in_checkout() -> bool:
    """Whether this package runs from a checkout."""
    return (PACKAGE.parent / "pyproject.toml").is_file() and (PACKAGE.parent / "experiments").is_dir()


def experiments_folder() -> Path:
    """Folder of the papers and their studies."""
    return PACKAGE.parent / "experiments" if in_checkout() else PACKAGE / "_experiments"


def notebooks_folder() -> Path:
    """Folder of the notebooks ``reproduce``, ``explore`` and ``learn``."""
    return PACKAGE.parent / "notebooks" if in_checkout() else PACKAGE / "_notebooks"
