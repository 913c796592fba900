"""The notebooks of the start page, found as files: explorers, lessons and studies."""

import ast
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from credalbench.explore import list_explorers
from credalbench.papers.places import experiments_folder

#: Pictures by the stem of the notebook. A lesson shows the picture of its first explorer, or its own if it
#: has no explorer. ``tools/pictures.py --tiles`` writes them.
PICTURES = Path(__file__).parent / "pages" / "pictures"
EXPLORERS, LESSONS, PAPERS = "explore", "learn", "reproduce"
#: The call that opens an explorer in a notebook.
USED = re.compile(r"\bexplore_(\w+)\(")
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
    pictured : str, default=""
        Stem of the notebook whose picture the tile shows.
    """

    path: str
    title: str
    about: str
    minutes: int = 0
    needs: str = ""
    pictured: str = ""

    @property
    def picture(self) -> str:
        """Picture of the notebook as a data URL; "" if there is none."""
        path = PICTURES / f"{self.pictured}.png"
        return f"data:image/png;base64,{b64encode(path.read_bytes()).decode()}" if path.is_file() else ""


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


def find_tiles(folder: Path, kind: str) -> tuple[Tile, ...]:
    """Return the notebooks of one kind, sorted by path; explorers in the order in which lessons use them.

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
    if kind == EXPLORERS:
        lessons = [path.read_text("utf-8") for path in sorted((folder / LESSONS).glob("*.ipynb"))]
        paths.sort(key=lambda path: _first_use(path.stem, lessons))
    return tuple(_tile(path, folder) for path in paths)


def _first_use(explorer: str, lessons: Sequence[str]) -> int:
    """Return the position of the first lesson that uses an explorer; the number of lessons if none does."""
    uses = (k for k, text in enumerate(lessons) if explorer in USED.findall(text))
    return next(uses, len(lessons))


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
    return next((tile for tile in tiles if Path(tile.path).stem == name), None)


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
    return [Path(tile.path).stem for kind in (EXPLORERS, LESSONS) for tile in find_tiles(folder, kind)]


def _tile(path: Path, folder: Path) -> Tile:
    contents = path.read_text("utf-8")
    notebook, used = json.loads(contents), USED.search(contents)
    title, text = next(_headings(notebook), (path.stem, ""))
    about = list_explorers().get(path.stem, "") if path.parent.name == EXPLORERS else ""
    lesson = notebook.get("metadata", {}).get("credalbench", {})  # written by `credalbench.learn`
    pictured = used[1] if used and path.parent.name == LESSONS else path.stem
    return Tile(path.relative_to(folder).as_posix(), title, about or text, pictured=pictured, **lesson)


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
