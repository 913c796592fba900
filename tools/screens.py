"""Take screenshots of the start page, the explorers and the lessons.

Usage::

    python -P tools/screens.py FOLDER
    python -P tools/screens.py FOLDER ecm evclus 01_mass_functions
    python -P tools/screens.py FOLDER --lab ecm

Four pictures are taken of each page: at 1280 x 720, at 1600 x 1000, at 1280 x 720 and 200 %, and of the whole
page at that zoom. With ``--lab``, explorers are opened in JupyterLab. Needs the extra ``e2e`` and Chromium.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.explore import list_explorers  # noqa: E402
from credalbench.learn.server.catalogue import notebook_names  # noqa: E402
from credalbench.papers.places import notebooks_folder  # noqa: E402
from tests.conftest import find_chromium  # noqa: E402
from tests.e2e.on_the_page import DESK, PROJECTOR, ZOOMED  # noqa: E402
from tests.e2e.opened import Server, open_in_jupyterlab, open_page_of, open_tile, running_server  # noqa: E402

SCREENS = {"1280": PROJECTOR, "1600": DESK, "zoomed": ZOOMED}
SETTLED_MS = 800
START = "start"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="explorers and lessons, by default all")
    parser.add_argument("--lab", action="store_true", help="open explorers in JupyterLab")
    given = parser.parse_args()
    known = list(list_explorers()) if given.lab else notebook_names(notebooks_folder())
    if unknown := set(given.names) - set(known):
        parser.error(f"expected names among {', '.join(known)}; got {', '.join(sorted(unknown))}")
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own, running_server(Path(own)) as server:
        take_all(server, given.names or known, given.folder, given.lab)


def take_all(server: Server, chosen: list[str], folder: Path, lab: bool) -> None:
    """Take pictures of the start page and of the chosen explorers and lessons."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for name in [START, *chosen]:
            page = browser.new_page(viewport=PROJECTOR)
            page.set_default_timeout(60_000)
            show(page, server, name, lab)
            take(page, folder / f"{'lab-' if lab else ''}{name}")
            page.close()
            server.forget()
        browser.close()


def show(page: Page, server: Server, name: str, lab: bool) -> None:
    """Open the start page, an explorer or a lesson."""
    if name == START:
        page.goto(server.address)
    elif name in list_explorers():
        (open_in_jupyterlab if lab else open_page_of)(page, server, name)
    else:
        open_tile(page, server, name)
        page.wait_for_selector(".credalbench-exercise")


def take(page: Page, path: Path) -> None:
    """Take the four pictures of a page."""
    for ending, size in SCREENS.items():
        page.set_viewport_size(size)
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=f"{path}-{ending}.png")
    page.screenshot(path=f"{path}-whole.png", full_page=True)
    print(path.name)


if __name__ == "__main__":
    main()
