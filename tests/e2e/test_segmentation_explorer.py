"""The segmentation explorer in JupyterLab, driven through a real browser: painting with mouse and keys."""

import re
from pathlib import Path

import pytest

from tests.e2e.on_the_page import WORDS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "segmentation.ipynb"
PAINTABLE = "() => document.querySelector('.credalbench-paint canvas')?.width === 141"
#: Areas of the two regions, once they are other ones than those in `old`.
CHANGED = f"old => (({WORDS})().match(/regions of (\\d+) and (\\d+) pixels/) ?? [old])[0] !== old"
NUMBERS = "n => document.querySelectorAll('.credalbench-paint .numbers text').length === n"
ROWS, COLUMNS = 156, 141
PROJECTOR = {"width": 1280, "height": 720}
SHARES = re.compile(r"without constraints ([0-9.]+) % .* pixels ([0-9.]+) %")


def within(box, size):
    """Whether a box lies within the window, as a whole."""
    across = box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    return across and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def areas(page):
    """What the read-outs say of the regions."""
    return re.search(r"regions of \d+ and \d+ pixels", page.evaluate(WORDS))[0]


def wait_for_change(page, before):
    page.wait_for_function(CHANGED, arg=before)
    return areas(page)


def drag(page, path):
    """Press, move and release along (row, column) places of the image."""
    frame = page.locator(".credalbench-paint canvas").bounding_box()
    points = [
        (
            frame["x"] + (column + 0.5) * frame["width"] / COLUMNS,
            frame["y"] + (row + 0.5) * frame["height"] / ROWS,
        )
        for row, column in path
    ]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=8)
    page.mouse.up()


def test_painting_two_regions_turns_the_undecided_pixels(page, run_notebook, tmp_path):
    page.set_viewport_size(PROJECTOR)
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(PAINTABLE)
    page.locator(".credalbench-canvas").scroll_into_view_if_needed()
    for picture in (".credalbench-paint", ".credalbench-canvas"):
        assert within(page.locator(picture).bounding_box(), PROJECTOR)

    first = areas(page)
    drag(page, [(45, 35), (60, 50), (75, 38)])  # the lesion
    second = wait_for_change(page, first)
    page.wait_for_function(NUMBERS, arg=1)
    page.locator(".credalbench-paint").focus()
    page.keyboard.press("2")
    drag(page, [(65, 75), (110, 68), (110, 105), (60, 92)])  # ventricles and tissue
    third = wait_for_change(page, second)
    page.wait_for_function(NUMBERS, arg=2)
    assert page.locator(".credalbench-paint .live polyline").count() == 0
    before, after = map(float, SHARES.search(page.evaluate(WORDS)).groups())
    assert after < before / 2

    canvas = page.locator(".credalbench-canvas")
    box = canvas.bounding_box()
    canvas.click(position={"x": 0.3 * box["width"], "y": 0.25 * box["height"]})
    details = page.locator(".credalbench-details")
    assert "grey level" in details.inner_text()
    assert details.locator(".credalbench-reason").inner_text() in canvas.locator("[aria-live]").inner_text()
    keep_screenshot(page, tmp_path / "segmentation_explorer_object.png")

    page.locator(".credalbench-paint").focus()
    page.keyboard.press("ArrowDown")  # the cursor appears in the middle of the image
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Space")
    fourth = wait_for_change(page, third)
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    fifth = wait_for_change(page, fourth)
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.wait_for_function(f"wanted => ({WORDS})().includes(wanted)", arg=third)
    assert len({first, second, third, fourth, fifth}) == 5
    assert page.refused == []
    keep_screenshot(page, tmp_path / "segmentation_explorer.png")
