"""Write the pictures of the live pages on the site's page Learn, in Chromium (extra `e2e`).

Usage::

    python -P tools/live_tiles.py
"""

import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.explore.live import PAGES, write_live_page  # noqa: E402
from tests.conftest import find_chromium  # noqa: E402

FOLDER = ROOT / "credalbench" / "papers" / "site" / "source" / "_static" / "live"
SHOWN = ".credalbench-canvas, table"  # whichever comes first
WINDOW = {"width": 640, "height": 800}
SIZE, COLOURS = (480, 320), 64
SETTLED_MS = 1500


def main() -> None:
    """Write a small picture of each live page, as it opens."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport=WINDOW)
        for name in PAGES:
            page.goto(write_live_page(name, Path(folder) / f"{name}.html").as_uri())
            page.wait_for_timeout(SETTLED_MS)
            path = FOLDER / f"{name}.png"
            page.locator(SHOWN).first.screenshot(path=path)
            picture = Image.open(path).convert("RGB")
            picture.thumbnail(SIZE)
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
            print(f"{name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
