"""BPEC: the corner of the rectangle is dragged in the graph, peaks are clicked, and taken by keys."""

import re

from tests.e2e.acts import begin_anew
from tests.e2e.gestures.ecm import ring
from tests.e2e.on_the_page import CANVAS, SHOWS_TEXT, WORDS, keep_screenshot, list_of, picture_of

CORNER = re.compile(r"corner at distance ([0-9.]+) and belief ([0-9.]+)")
SELECTED = f"""() => [...document.querySelectorAll('{CANVAS} .selected circle')].map(one => {{
  const box = one.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}})"""


def corner_is_dragged_and_moved_by_keys(page, name, folder):
    begin_anew(page, name, folder)
    page.wait_for_function(SHOWS_TEXT, arg="in 4 clusters")
    before = float(CORNER.search(page.evaluate(WORDS))[1])
    picture_of(page)
    page.keyboard.press("Escape")
    page.keyboard.press("PageDown")
    x, y = ring(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 90, y, steps=8)
    page.mouse.up()
    page.wait_for_function(f"() => !({WORDS})().includes('in 4 clusters')")
    page.wait_for_function(
        "() => [...document.querySelectorAll('select')].some(one => one.value === 'rectangle')"
    )
    assert float(CORNER.search(page.evaluate(WORDS))[1]) < before
    keep_screenshot(page, folder / "bpec_corner.png")
    for _ in range(12):
        page.keyboard.press("ArrowRight")  # by 8 pixels each
    page.wait_for_function(SHOWS_TEXT, arg="in 4 clusters")
    assert list_of(page, "prototypes").input_value() == "rectangle"


def peaks_are_taken_by_clicks_and_by_keys(page, name, folder):
    begin_anew(page, name, folder)
    page.wait_for_function(SHOWS_TEXT, arg="in 4 clusters")
    picture_of(page)
    page.keyboard.press("Escape")
    for _ in range(3):
        page.keyboard.press("n")
    page.wait_for_function(f"() => ({SELECTED})().length >= 2")
    page.keyboard.press("t")
    page.wait_for_function(SHOWS_TEXT, arg="in 3 clusters")
    places = page.evaluate(SELECTED)
    x, y = max(places, key=lambda place: place[0] if place[1] < min(p[1] for p in places) + 200 else 0)
    page.mouse.click(x, y)  # in the graph
    page.wait_for_function(SHOWS_TEXT, arg="in 4 clusters")
    page.keyboard.press("a")
    page.wait_for_function(
        "() => [...document.querySelectorAll('select')].some(one => one.value === 'automatic rule')"
    )


GESTURES = (corner_is_dragged_and_moved_by_keys, peaks_are_taken_by_clicks_and_by_keys)
