"""The ECM explorer in JupyterLab, driven through a real browser: prototypes dragged and played, and keys."""

import re
from pathlib import Path

import pytest

from credalbench.explore.ecm.model import ECMModel
from credalbench.explore.ecm.picture import EcmPicture
from tests.e2e.on_the_page import SAYS, WORDS, keep_screenshot, on_the_screen, open_clickable

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "ecm.ipynb"
STRIDES = 5  # of 8 pixels, by which arrow keys move the prototype
END = (500, 330)  # where the prototype is dropped, in pixels of the picture
PROJECTOR = {"width": 1280, "height": 720}
IS_AT = f"""([x, y]) => {{
  const [, left, up] = ({WORDS})().match(/: 1 at ([^,]*), ([^;]*)/) ?? [];
  return Math.abs(left - x) < 0.1 && Math.abs(up - y) < 0.1;
}}"""
#: Where the words say that prototype 1 is, once it is elsewhere than in `old`.
MOVED = f"old => (({WORDS})().match(/: 1 at [^;]*/) ?? [old])[0] !== old"
AFTER = "/after (\\d+) of (\\d+)/"
RESTS = f"() => {{ const [, k, n] = ({WORDS})().match({AFTER}) ?? []; return k && k === n; }}"


@pytest.fixture(scope="module")
def places():
    """Pixels of prototype 1 and of two places to drag it to; on the map: the last, and where keys move it."""
    model, picture = ECMModel(), EcmPicture()
    picture.png(model.fitted)
    begin, *_ = picture.pixels_of(model.subject.on_the_map(model.fitted.prototypes))
    moved = begin[0] + 8 * STRIDES, begin[1]
    return [begin, (300, 60), END], picture.position_at(*END).tolist(), picture.position_at(*moved).tolist()


def place_of_first(page):
    """Where the words say that prototype 1 is."""
    return re.search(r": 1 at [^;]*", page.evaluate(WORDS))[0]


def test_a_dragged_prototype_is_followed_and_played_to_its_rest(page, run_notebook, tmp_path, places):
    pixels, there, _ = places
    page.set_viewport_size(PROJECTOR)
    open_clickable(page, run_notebook, NOTEBOOK)
    page.wait_for_function(RESTS)
    picture = page.locator(".credalbench-picture")
    picture.scroll_into_view_if_needed()
    keep_screenshot(page, tmp_path / "ecm_explorer_start.png")

    before, frame = place_of_first(page), picture.bounding_box()
    begin, middle, end = (on_the_screen(picture, place, 960) for place in pixels)
    page.mouse.move(frame["x"] + begin["x"], frame["y"] + begin["y"])
    page.mouse.down()
    page.mouse.move(frame["x"] + middle["x"], frame["y"] + middle["y"], steps=8)
    page.wait_for_function(MOVED, arg=before)  # while it is held
    page.mouse.move(frame["x"] + end["x"], frame["y"] + end["y"], steps=8)
    keep_screenshot(page, tmp_path / "ecm_explorer_dragged.png")
    page.mouse.up()
    page.wait_for_function(IS_AT, arg=there)
    page.wait_for_function(SAYS, arg="after 0 of")

    page.get_by_role("button", name="Step (s)").click()
    page.wait_for_function(SAYS, arg="after 1 of")
    page.locator(".widget-play button").first.click()
    page.wait_for_function(SAYS, arg="after 3 of")
    page.wait_for_function(RESTS)
    keep_screenshot(page, tmp_path / "ecm_explorer.png")
    page.locator(".widget-play button").nth(1).click()  # stop: back to the start
    page.wait_for_function(SAYS, arg="after 0 of")
    assert page.refused == []


def test_prototypes_are_moved_and_stepped_by_keyboard(page, run_notebook, places):
    *_, moved = places
    open_clickable(page, run_notebook, NOTEBOOK)
    page.wait_for_function(RESTS)
    picture = page.locator(".credalbench-picture")
    picture.focus()
    page.keyboard.press("PageDown")
    assert page.locator(".credalbench-picture .handle circle").count() == 2  # a ring in two strokes
    for _ in range(STRIDES):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(IS_AT, arg=moved)
    page.wait_for_function(SAYS, arg="after 0 of")
    page.keyboard.press("s")
    page.wait_for_function(SAYS, arg="after 1 of")
    page.keyboard.press("e")
    page.wait_for_function(RESTS)
    page.keyboard.press("n")
    page.wait_for_function(SAYS, arg="after 0 of")

    field = page.locator(".widget-text", has_text="at x").locator("input")
    field.fill("2.5")
    field.press("Enter")
    page.wait_for_function(SAYS, arg=": 1 at 2.5,")
    slider = page.locator(".widget-hslider", has_text="iteration").locator("[role=slider]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SAYS, arg="after 1 of")
    picture.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.activeElement.closest('.credalbench-picture')")
    assert page.refused == []
