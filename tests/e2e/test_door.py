"""Through the door in a real browser: an explorer without a manual step, its code, JupyterLab, and out."""

import json
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.door.served import explore
from tests.e2e.on_the_page import CANVAS_DRAWN, keep_screenshot

pytestmark = pytest.mark.e2e

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SCREENS = ({"width": 1280, "height": 720}, {"width": 1600, "height": 1000})
MAIN_SLIDER = ".widget-hslider:visible [role=slider]"
PICTURE = ".credalbench-canvas"
#: How often it was drawn.
DRAWN = "() => Number(document.querySelector('.credalbench-canvas').dataset.drawn)"


def kernels(address):
    """The kernels that the server has."""
    parts = urlsplit(address)
    with urllib.request.urlopen(f"{parts.scheme}://{parts.netloc}/api/kernels?{parts.query}") as found:
        return json.load(found)


def on_the_screen(page, what, size):
    """Whether the first of these things lies within the window, as a whole."""
    box = page.locator(what).first.bounding_box()
    across = box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    return across and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def test_an_explorer_opens_by_itself_and_leaves_no_trace(page, tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    tracked = {path: path.read_bytes() for path in NOTEBOOKS.rglob("*.ipynb")}
    with explore(tmp_path) as (_, address):
        page.set_viewport_size(SCREENS[0])
        page.goto(address)
        keep_screenshot(page, tmp_path / "door.png")
        page.get_by_role("link", name="EVCLUS explorer", exact=True).click()
        page.wait_for_function(CANVAS_DRAWN)
        for size in SCREENS:
            page.set_viewport_size(size)
            assert on_the_screen(page, MAIN_SLIDER, size) and on_the_screen(page, PICTURE, size)
            keep_screenshot(page, tmp_path / f"door_evclus_{size['width']}.png")

        code = page.locator(".jp-InputArea-editor")
        assert not code.is_visible()
        page.get_by_role("button", name="Show code").click()
        assert "explore_evclus" in code.inner_text()

        slider = page.locator(MAIN_SLIDER).first
        before = page.evaluate(DRAWN)
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"old => ({DRAWN})() > old", arg=before)

        page.get_by_role("link", name="All explorers").click()
        page.get_by_role("link", name="EVCLUS explorer in JupyterLab").click()
        page.wait_for_selector(".jp-CodeCell")
        assert len(kernels(address)) <= 1  # JupyterLab's own: the explorer's ended with its page
        assert page.locator(".jp-toast-message, .Toastify__toast").count() == 0  # nobody is asked about news
        keep_screenshot(page, tmp_path / "door_lab.png")
        page.keyboard.press("Control+s")
    assert page.refused == []
    assert {path: path.read_bytes() for path in NOTEBOOKS.rglob("*.ipynb")} == tracked
