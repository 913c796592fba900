"""The user's folder: the server works there, and never writes to tracked files.

::

    explorations/
        originals/   copies of the notebooks, replaced at each start; the start page lists them
        explore/ ... copies that the user opened in JupyterLab; the server never replaces them
        saved/       files saved by explorers

The folder is ``CREDALBENCH_EXPLORATIONS``, or ``explorations`` in the checkout or, once installed, in the
working directory.
"""

import os
import shutil
from pathlib import Path, PurePosixPath

from credalbench.explore.saving import EXPLORATIONS
from credalbench.papers.places import notebooks_folder, repository_root

ORIGINALS = "originals"
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".*", "conftest.py")


def explorations_root() -> Path:
    """Return the user's folder."""
    return Path(os.environ.get(EXPLORATIONS) or repository_root() / "explorations").resolve()


def copy_originals(root: Path) -> Path:
    """Copy all notebooks to ``originals`` below `root`, and remove notebooks of older versions.

    The function keeps existing folders, because kernels of another server may use them.
    """
    source, folder = notebooks_folder(), root / ORIGINALS
    shutil.copytree(source, folder, ignore=NOT_COPIED, dirs_exist_ok=True)
    for path in folder.rglob("*.ipynb"):
        if not (source / path.relative_to(folder)).is_file():
            path.unlink()
    return folder


def user_copy(root: Path, path: str) -> str:
    """Copy an original and the folders next to it unless the user has a copy, and return its path.

    Raises
    ------
    FileNotFoundError
        If `path` is not the path of an original.
    """
    inside = PurePosixPath(path)
    original = root / ORIGINALS / inside
    if ".." in inside.parts or inside.suffix != ".ipynb" or not original.is_file():
        raise FileNotFoundError(f"expected the path of a notebook; got {path!r}")
    target = root / inside
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, target)
        for folder in (p for p in original.parent.iterdir() if p.is_dir()):  # images of lessons
            shutil.copytree(folder, target.parent / folder.name, dirs_exist_ok=True)
    return inside.as_posix()
