"""The notebooks of the start page, found as files: explorers, lessons and studies."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from credalbench.explore import list_explorers
from credalbench.papers.places import experiments_folder

#: Pictures by the stem of the notebook, which ``tools/tiles.py`` draws.
PICTURES = Path(__file__).parent / "pages" / "pictures"
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


@dataclass(frozen=True)
class Tile:
    """A notebook on the start page.

    Parameters
    ----------
    path : str
        Path below the folder of the notebooks, with slashes.
    title : str
        Heading of the notebook, as plain text.
    about : str
        One sentence about the notebook, as plain text.
    minutes : int, default=0
        Duration of a lesson.
    needs : str, default=""
        Prerequisites of a lesson.
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
        return picture(self.name)


@dataclass(frozen=True)
class Section:
    """A section of the start page.

    Parameters
    ----------
    title : str
        Heading of the section.
    tiles : tuple of Tile
        Its notebooks.
    """

    title: str
    tiles: tuple[Tile, ...]


def picture(name: str) -> str:
    """Return a picture as SVG; "" if there is none with this name."""
    path = PICTURES / f"{name}.svg"
    return path.read_text("utf-8") if path.is_file() else ""


def find_tiles(folder: Path, kind: str) -> tuple[Tile, ...]:
    """Return the notebooks of one kind, sorted by path.

    Parameters
    ----------
    folder : Path
        Folder of all notebooks.
    kind : {"explore", "learn", "reproduce"}
        Name of the subfolder, which need not exist.

    Returns
    -------
    tuple of Tile
        The notebooks; hidden files are skipped.
    """
    notebooks = sorted((folder / kind).rglob("*.ipynb"))
    paths = [path for path in notebooks if not any(p.startswith(".") for p in path.relative_to(folder).parts)]
    return tuple(_tile(path, folder) for path in paths)


def question_sections(folder: Path) -> tuple[Section, ...]:
    """Return a section for each question, with the explorers that answer it.

    Parameters
    ----------
    folder : Path
        Folder of all notebooks.

    Returns
    -------
    tuple of Section
        The explorers, as `QUESTIONS` groups them.
    """
    tiles = {tile.name: tile for tile in find_tiles(folder, EXPLORERS)}
    found = {question: [tiles[name] for name in names if name in tiles] for question, names in QUESTIONS.items()}
    return tuple(Section(question, tuple(group)) for question, group in found.items() if group)


def paper_sections(folder: Path) -> tuple[Section, ...]:
    """Return a section for each reproduced paper.

    Parameters
    ----------
    folder : Path
        Folder of all notebooks.

    Returns
    -------
    tuple of Section
        The studies of each paper.
    """
    studies: dict[str, list[Tile]] = {}
    for tile in find_tiles(folder, PAPERS):
        studies.setdefault(tile.path.split("/")[1], []).append(tile)
    return tuple(Section(_paper_title(paper), tuple(tiles)) for paper, tiles in studies.items())


def find_tile(folder: Path, name: str) -> Tile | None:
    """Return the explorer or lesson with a name.

    Parameters
    ----------
    folder : Path
        Folder of all notebooks.
    name : str
        Name of the file, without its suffix.

    Returns
    -------
    Tile or None
        The notebook; None if no explorer or lesson has this name.
    """
    tiles = (*find_tiles(folder, EXPLORERS), *find_tiles(folder, LESSONS))
    return next((tile for tile in tiles if tile.name == name), None)


def notebook_names(folder: Path) -> list[str]:
    """Return the names of all explorers and lessons.

    Parameters
    ----------
    folder : Path
        Folder of all notebooks.

    Returns
    -------
    list of str
        The names that `find_tile` accepts.
    """
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
