"""Run the Python of README.md and docs/, check what it prints, and write the pictures of the pages.

Usage::

    python -P tools/pictures.py                    # every page
    python -P tools/pictures.py docs/guide/ecm.md  # one page
    python -P tools/pictures.py --explorers        # screenshots of explorers, in Chromium (extra `e2e`)

The ``python`` blocks of a page run in order, in one namespace. ``print(...)  # text`` must print that text. A
block that is followed by an image of ``docs/images`` ends in a figure, which is written there.
"""

import argparse
import ast
import contextlib
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.plots.overview import ShownFigure  # noqa: E402

BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\s*^!\[[^\]]*\]\(([^)]+)\))?", re.DOTALL | re.MULTILINE)
EXPECTED = re.compile(r"^print\(.*\)  # (.+)$")
#: Picture of docs/images -> the explorer that it shows, and the keys that are pressed in its picture.
EXPLORERS = {"explorer.png": ("evclus", ["ArrowRight"]), "cecm.png": ("cecm", ["p", "t"] * 5)}
WINDOW = {"width": 1280, "height": 720}
COLOURS = 128  # of a picture: at most 200 KB
SETTLED_MS = 1500


def pages() -> list[Path]:
    """Return README.md and the Markdown files of docs/ that have Python blocks."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if BLOCK.search(page.read_text("utf-8"))]


def run(page: Path) -> Iterator[tuple[Path, Any]]:
    """Run the blocks of a page; yield each picture's path with its figure.

    Raises
    ------
    AssertionError
        If a statement prints something else than its comment, or a block before a picture ends in no figure.
    """
    names: dict[str, Any] = {"__name__": page.stem}
    for block in BLOCK.finditer(page.read_text("utf-8")):
        code, image = block[1], block[2]
        value = None
        for statement in ast.parse(code).body:
            with mock.patch.object(ShownFigure, "show", lambda figure: figure):  # no window
                value = _execute(statement, code.splitlines(), names, page)
        if image:
            path = (page.parent / image).resolve()
            assert hasattr(value, "savefig"), f"{page.name}: expected a figure for {image}, got {value!r}"
            yield path, value


def _execute(statement: ast.stmt, lines: list[str], names: dict[str, Any], page: Path) -> Any:
    """Run one statement and return its value, if it is an expression."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), page.name, "eval"), names)
        else:
            value = exec(compile(ast.Module([statement], []), page.name, "exec"), names)
    if expected := EXPECTED.match(lines[statement.end_lineno - 1]):
        got = printed.getvalue().strip()
        assert got == expected[1], f"{page.name}: expected {expected[1]!r}, got {got!r}"
    return value


def write_pictures(page: Path) -> None:
    """Write the pictures of a page, with few colours so that they stay small."""
    for path, figure in run(page):
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=110)
        reduce_colours(path)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} KB")


def reduce_colours(path: Path) -> None:
    """Write a PNG file anew with a palette."""
    Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


@contextlib.contextmanager
def opened() -> Iterator[Any]:
    """Run the server; yield a function that opens an explorer or a lesson in a browser, one at a time."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import find_chromium
    from tests.e2e.opened import open_tile, running_server

    with (
        tempfile.TemporaryDirectory() as own,
        running_server(Path(own)) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport=WINDOW)
        page.set_default_timeout(120_000)

        def open_name(name: str) -> Any:
            server.forget()
            open_tile(page, server, name)
            page.wait_for_timeout(SETTLED_MS)
            return page

        yield open_name
        browser.close()


def write_explorers(folder: Path) -> None:
    """Write a screenshot of each explorer of `EXPLORERS`, as it opens."""
    from tests.e2e.on_the_page import CANVAS_DRAWN, picture_of

    with opened() as open_name:
        for name, (explorer, keys) in EXPLORERS.items():
            page = open_name(explorer)
            page.wait_for_function(CANVAS_DRAWN)
            for key in keys:
                picture_of(page).press(key)
                page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=folder / name)
            reduce_colours(folder / name)


def main() -> None:
    """Read the command line and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, help="pages; all unless given")
    parser.add_argument("--explorers", action="store_true", help="screenshots of explorers instead")
    given = parser.parse_args()
    if given.explorers:
        write_explorers(ROOT / "docs" / "images")
        return
    chosen = [page.resolve() for page in given.pages] or pages()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for page in chosen:
            write_pictures(page)


if __name__ == "__main__":
    main()
