"""What the server leads to: the notebooks of a folder, shelf by shelf. Nothing is listed; files are found."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from credalbench.explore import explorers
from credalbench.runner.places import experiments_folder

EXPLORERS, LESSONS, PAPERS = "explore", "learn", "reproduce"
#: Marks of Markdown that a tile has no use for.
MARKS = re.compile(r"[][*`$\\]")


@dataclass(frozen=True)
class Tile:
    """One notebook on a shelf.

    Attributes
    ----------
    path : str
        Below the folder of the notebooks, with slashes.
    title, about : str
        Its heading, and what one does there, in plain text.
    """

    path: str
    title: str
    about: str


@dataclass(frozen=True)
class Shelf:
    """Notebooks of one kind under one heading."""

    title: str
    tiles: tuple[Tile, ...]


def tiles(folder: Path, kind: str) -> tuple[Tile, ...]:
    """The notebooks of one kind, in the order of their paths.

    Parameters
    ----------
    folder : Path
        Of all notebooks.
    kind : str
        Its sub-folder: ``explore``, ``learn`` or ``reproduce``; none of it gives no tiles.
    """
    paths = sorted(path for path in (folder / kind).rglob("*.ipynb") if not _is_hidden(path, folder))
    return tuple(_tile(path, folder) for path in paths)


def papers(folder: Path) -> tuple[Shelf, ...]:
    """A shelf for each reproduced paper."""
    found: dict[str, list[Tile]] = {}
    for tile in tiles(folder, PAPERS):
        found.setdefault(tile.path.split("/")[1], []).append(tile)
    return tuple(Shelf(_heading_of(paper), tuple(each)) for paper, each in found.items())


def named(folder: Path, name: str) -> Tile | None:
    """The explorer or lesson whose file has this name, without its ending."""
    known = (*tiles(folder, EXPLORERS), *tiles(folder, LESSONS))
    return next((tile for tile in known if Path(tile.path).stem == name), None)


def names(folder: Path) -> list[str]:
    """What `named` knows."""
    return [Path(tile.path).stem for kind in (EXPLORERS, LESSONS) for tile in tiles(folder, kind)]


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _tile(path: Path, folder: Path) -> Tile:
    title, text = next(_words(path), (path.stem, ""))
    about = explorers().get(path.stem, "") if path.parent.name == EXPLORERS else ""
    return Tile(path.relative_to(folder).as_posix(), title, about or text)


def _words(path: Path) -> Iterator[tuple[str, str]]:
    """The heading of a notebook and the first sentence below it; nothing where there is no heading."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        heading, _, rest = "".join(cell["source"]).partition("\n")
        if cell["cell_type"] == "markdown" and heading.startswith("# "):
            paragraph = " ".join(rest.strip().split("\n\n")[0].split())
            sentence = re.match(r".*?[.?!](?=\s|$)|.*", paragraph)[0]
            yield MARKS.sub("", heading[2:]).strip(), MARKS.sub("", sentence)


def _heading_of(paper: str) -> str:
    """What the first line of a paper's package calls it; nothing is imported for that."""
    module = experiments_folder() / paper / "__init__.py"
    words = ast.get_docstring(ast.parse(module.read_text("utf-8"))) if module.is_file() else None
    return (words or paper).splitlines()[0].rstrip(".")
