"""The user's folder, in which the server works: nothing that it writes is ever a tracked file.

::

    explorations/
        originals/   the notebooks as they came, written anew at each start: what tiles show
        explore/ ... copies that were opened in JupyterLab: the user's own, never overwritten
        saved/       what *Save* of an explorer writes

Where it lies: ``CREDALBENCH_EXPLORATIONS``, or ``explorations`` in the checkout; an installed copy takes the
working directory.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path, PurePosixPath

from credalbench.explore.shared.saving import EXPLORATIONS
from credalbench.runner.places import notebooks_folder
from credalbench.runner.sources import repository_root

ORIGINALS = "originals"
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", ".*", "conftest.py")


def explorations_root() -> Path:
    """The user's folder."""
    return Path(os.environ.get(EXPLORATIONS) or repository_root() / "explorations").resolve()


def lay_out_originals(root: Path) -> Path:
    """Copy all notebooks to ``originals`` below `root`, over those that lie there.

    The folders stay, since kernels of another server may work in them.
    """
    source, folder = notebooks_folder(), root / ORIGINALS
    shutil.copytree(source, folder, ignore=LEFT_BEHIND, dirs_exist_ok=True)
    for path in folder.rglob("*.ipynb"):
        if not (source / path.relative_to(folder)).is_file():
            path.unlink()
    return folder


def own_copy(root: Path, path: str) -> str:
    """Make sure that the user has a copy of an original, with what lies beside it; returns its path.

    Raises
    ------
    FileNotFoundError
        There is no such original.
    """
    inside = PurePosixPath(path)
    original = root / ORIGINALS / inside
    if ".." in inside.parts or inside.suffix != ".ipynb" or not original.is_file():
        raise FileNotFoundError(f"expected one of the notebooks, got {path!r}")
    target = root / inside
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, target)
        for folder in (p for p in original.parent.iterdir() if p.is_dir()):  # pictures of lessons
            shutil.copytree(folder, target.parent / folder.name, dirs_exist_ok=True)
    return inside.as_posix()
