"""Folders of studies and notebooks: in a checkout, or inside an installed package."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def in_checkout() -> bool:
    """Return whether this package runs from a checkout."""
    return (PACKAGE.parent / "pyproject.toml").is_file() and (PACKAGE.parent / "experiments").is_dir()


def repository_root() -> Path:
    """Return the checkout this package runs from; the working directory for an installed copy."""
    return PACKAGE.parent if in_checkout() else Path.cwd()


def results_root() -> Path:
    """Return ``$CREDALBENCH_RESULTS``, or ``results`` in the working folder; in a checkout, in its root."""
    here, root = Path.cwd(), repository_root()
    default = (root if here.is_relative_to(root) else here) / "results"
    return Path(os.environ.get("CREDALBENCH_RESULTS") or default).resolve()


def experiments_folder() -> Path:
    """Return the folder of the papers and their studies."""
    return PACKAGE.parent / "experiments" if in_checkout() else PACKAGE / "_experiments"


def notebooks_folder() -> Path:
    """Return the folder of the notebooks ``reproduce``, ``explore`` and ``learn``."""
    return PACKAGE.parent / "notebooks" if in_checkout() else PACKAGE / "_notebooks"
