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
        return picture(self.name)


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
