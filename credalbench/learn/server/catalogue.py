"""The notebooks of the start page, found as files, and the user's folder with copies of them.

The server works in the user's folder, and never writes to tracked files::

    explorations/
        originals/   copies of the notebooks, replaced at each start; the start page lists them
        explore/ ... copies that the user opened in JupyterLab; the server never replaces them
        saved/       files saved by explorers

The folder is ``CREDALBENCH_EXPLORATIONS``, or ``explorations`` in the checkout or, once installed, in the
working directory.
"""

import ast
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from credalbench.explore import list_explorers
from credalbench.explore.saving import EXPLORATIONS
from credalbench.papers.places import experiments_folder, notebooks_folder, repository_root

#: Pictures by the stem of the notebook, which ``tools/tiles.py`` draws.
PICTURES = Path(__file__).parent / "pages" / "pictures"
#: The picture that the tile of each lesson shows.
OF_LESSONS = {
    "mass_functions": "board",
    "credal_partitions": "compare",
    "evidential_c_means": "ecm",
    "dissimilarities": "evclus",
    "large_data": "recm",
    "constraints": "cecm",
    "categories": "catecm",
    "mixtures": "egmm",
    "ensembles": "ensemble",
    "own_data": "clusters",
}
EXPLORERS, LESSONS, PAPERS = "explore", "learn", "reproduce"
#: The explorers by the question that they answer, in the order of the start page.
QUESTIONS = {
    "Which objects belong together, and how certain is it?": ("ecm", "egmm", "bpec"),
    "What if there are only dissimilarities?": ("evclus", "recm"),
    "What if the attributes are words?": ("catecm",),
    "What if something is known about some objects?": ("cecm", "segmentation"),
    "Which result should be trusted?": ("compare", "ensemble"),
}
#: Markdown characters that are removed from titles and descriptions.
MARKUP = re.compile(r"[][*`$\\]")
ORIGINALS = "originals"
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".*", "conftest.py")


@dataclass(frozen=True)
class Tile:
    """A notebook on the start page: its path below the folder of the notebooks, with slashes, and plain text.

    Lessons have a duration in minutes and prerequisites.
    """

    path: str
    title: str
    about: str
    minutes: int = 0
    needs: str = ""

    @property
    def name(self) -> str:
        """Name of the file, without its suffix."""
        return Path(self.path).stem

    @property
    def picture(self) -> str:
        """Picture of the notebook as SVG; "" if there is none."""
        return picture(OF_LESSONS.get(self.name.partition("_")[2], self.name))


def picture(name: str) -> str:
    """Return a picture as SVG; "" if there is none with this name."""
    path = PICTURES / f"{name}.svg"
    return path.read_text("utf-8") if path.is_file() else ""


def find_tiles(folder: Path, kind: str) -> tuple[Tile, ...]:
    """Return the notebooks of a kind, the name of a subfolder, sorted by path; hidden files are skipped."""
    notebooks = sorted((folder / kind).rglob("*.ipynb"))
    paths = [path for path in notebooks if not any(p.startswith(".") for p in path.relative_to(folder).parts)]
    return tuple(_tile(path, folder) for path in paths)


def question_sections(folder: Path) -> dict[str, list[Tile]]:
    """Return the explorers that answer each of the `QUESTIONS`."""
    tiles = {tile.name: tile for tile in find_tiles(folder, EXPLORERS)}
    return {one: [tiles[name] for name in names if name in tiles] for one, names in QUESTIONS.items()}


def paper_sections(folder: Path) -> dict[str, list[Tile]]:
    """Return the studies of each reproduced paper, by its title."""
    studies: dict[str, list[Tile]] = {}
    for tile in find_tiles(folder, PAPERS):
        studies.setdefault(tile.path.split("/")[1], []).append(tile)
    return {_paper_title(paper): tiles for paper, tiles in studies.items()}


def find_tile(folder: Path, name: str) -> Tile | None:
    """Return the explorer or lesson in a file of this name, without suffix; None if there is none."""
    tiles = (*find_tiles(folder, EXPLORERS), *find_tiles(folder, LESSONS))
    return next((tile for tile in tiles if tile.name == name), None)


def notebook_names(folder: Path) -> list[str]:
    """Return the names of all explorers and lessons, which `find_tile` accepts."""
    return [tile.name for kind in (EXPLORERS, LESSONS) for tile in find_tiles(folder, kind)]


def _tile(path: Path, folder: Path) -> Tile:
    notebook = json.loads(path.read_text("utf-8"))
    title, text = next(_headings(notebook), (path.stem, ""))
    about = list_explorers().get(path.stem, "") if path.parent.name == EXPLORERS else ""
    lesson = notebook.get("metadata", {}).get("credalbench", {})  # written by `credalbench.learn`
    return Tile(path.relative_to(folder).as_posix(), title, about or text, **lesson)


def _headings(notebook: dict) -> Iterator[tuple[str, str]]:
    """Yield each heading of a notebook and the first sentence below it."""
    for cell in notebook["cells"]:
        heading, _, rest = "".join(cell["source"]).partition("\n")
        if cell["cell_type"] == "markdown" and heading.startswith("# "):
            paragraph = " ".join(rest.strip().split("\n\n")[0].split())
            sentence = re.match(r".*?[.?!](?=\s|$)|.*", paragraph)[0]
            yield MARKUP.sub("", heading[2:]).strip(), MARKUP.sub("", sentence)


def _paper_title(paper: str) -> str:
    """Return the first line of the docstring of a paper's package, without importing it."""
    module = experiments_folder() / paper / "__init__.py"
    docstring = ast.get_docstring(ast.parse(module.read_text("utf-8"))) if module.is_file() else None
    return (docstring or paper).splitlines()[0].rstrip(".")


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
