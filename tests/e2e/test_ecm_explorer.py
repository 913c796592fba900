"""The ECM explorer in JupyterLab, driven through a real browser: prototypes dragged and played, and keys."""

import re
from pathlib import Path

import pytest

from tests.e2e.on_the_page import SAYS, WORDS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "ecm.ipynb"
STRIDES = 5  # of 8 pixels, by which arrow keys move the prototype
BY = (90, 60)  # pixels of the screen, by which the prototype is dragged
PROJECTOR = {"width": 1280, "height": 720}
RING = """() => {
  const ring = document.querySelector('.credalbench-canvas .handle circle')?.getBoundingClientRect();
  return ring && [ring.x + ring.width / 2, ring.y + ring.height / 2];
}"""
#: Where the words say that prototype 1 is, once it is elsewhere than in `old`.
MOVED = f"old => (({WORDS})().match(/: 1 at [^;]*/) ?? [old])[0] !== old"
#: The reason that stands in the details, once it is another.
CHANGED = "old => document.querySelector('.credalbench-reason')?.textContent !== old"
AFTER = "/after (\\d+) of (\\d+)/"
RESTS = f"() => {{ const [, k, n] = ({WORDS})().match({AFTER}) ?? []; return k && k === n; }}"


def place_of_first(page):
    """Where the words say that prototype 1 is, (x, y) on the map."""
    found = re.search(r": 1 at ([^,]*), ([^;]*)", page.evaluate(WORDS))
    return [float(number) for number in found.groups()]


def grip_of_first(page):
    """Where prototype 1 is in the window: chosen by keys."""
    page.locator(".credalbench-canvas").focus()
    page.keyboard.press("PageDown")
    return ring(page)


def ring(page):
    """Where the ring of the chosen handle is in the window; it is drawn anew with each picture."""
    return page.wait_for_function(RING).json_value()


def moved(page, before):
    """Wait until the words say that prototype 1 is elsewhere; return where."""
    page.wait_for_function(MOVED, arg=": 1 at {:.3g}, {:.3g}".format(*before))
    return place_of_first(page)


def test_a_dragged_prototype_is_followed_and_played_to_its_rest(page, run_notebook, tmp_path):
    page.set_viewport_size(PROJECTOR)
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(RESTS)
    page.locator(".credalbench-canvas").scroll_into_view_if_needed()
    keep_screenshot(page, tmp_path / "ecm_explorer_start.png")

    before, (x, y) = place_of_first(page), grip_of_first(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + BY[0] / 2, y + BY[1] / 2, steps=8)
    halfway = moved(page, before)  # while it is held
    page.mouse.move(x + BY[0], y + BY[1], steps=8)
    keep_screenshot(page, tmp_path / "ecm_explorer_dragged.png")
    page.mouse.up()
    page.wait_for_function(SAYS, arg="after 0 of")
    at = moved(page, halfway)
    assert at[0] > before[0] and at[1] < before[1]  # up is more on the map
    assert ring(page) == pytest.approx((x + BY[0], y + BY[1]), abs=2)  # pixels

    page.get_by_role("button", name="Step (s)").click()
    page.wait_for_function(SAYS, arg="after 1 of")
    page.locator(".widget-play button").first.click()
    page.wait_for_function(SAYS, arg="after 3 of")
    page.wait_for_function(RESTS)
    keep_screenshot(page, tmp_path / "ecm_explorer.png")
    page.locator(".widget-play button").nth(1).click()  # stop: back to the start
    page.wait_for_function(SAYS, arg="after 0 of")
    assert page.refused == []


def test_prototypes_and_objects_are_reached_by_keyboard(page, run_notebook, tmp_path):
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(RESTS)
    canvas = page.locator(".credalbench-canvas")
    before = place_of_first(page)
    grip_of_first(page)
    for _ in range(STRIDES):
        page.keyboard.press("ArrowRight")
    assert moved(page, before)[0] > before[0]
    page.wait_for_function(SAYS, arg="after 0 of")
    page.keyboard.press("s")
    page.wait_for_function(SAYS, arg="after 1 of")
    page.keyboard.press("e")
    page.wait_for_function(RESTS)
    page.keyboard.press("Escape")  # lets go of the prototype
    page.keyboard.press("ArrowRight")
    details = page.locator(".credalbench-details")
    reason = details.locator(".credalbench-reason").inner_text()
    assert re.match("(In cluster|Between|Outlier)", reason)
    assert reason in canvas.locator("[aria-live]").inner_text()
    slider = page.locator(".widget-hslider", has_text="β").locator("[role=slider]")
    slider.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(CHANGED, arg=reason)  # of the same object
    keep_screenshot(page, tmp_path / "ecm_explorer_object.png")
    canvas.focus()
    page.keyboard.press("n")
    page.wait_for_function(SAYS, arg="after 0 of")

    field = page.locator(".widget-text", has_text="at x").locator("input")
    field.fill("2.5")
    field.press("Enter")
    page.wait_for_function(SAYS, arg=": 1 at 2.5,")
    canvas.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.activeElement.closest('.credalbench-canvas')")
    assert page.refused == []
