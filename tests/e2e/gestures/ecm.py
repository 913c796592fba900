"""ECM: prototypes dragged, moved by keys and by numbers, and followed; the run goes on from there."""

import re

from tests.e2e.acts import begin_anew
from tests.e2e.on_the_page import CANVAS, SHOWS_TEXT, WORDS, keep_screenshot, picture_of

STRIDES = 5  # of 8 pixels, by which arrow keys move the prototype
BY = (90, 60)  # pixels of the screen, by which the prototype is dragged
RING = f"""() => {{
  const ring = document.querySelector('{CANVAS} .handle circle')?.getBoundingClientRect();
  return ring && [ring.x + ring.width / 2, ring.y + ring.height / 2];
}}"""
#: Whether the ring is there, but for two pixels.
IS_AT = f"""([x, y]) => {{
  const at = ({RING})();
  return at && Math.abs(at[0] - x) <= 2 && Math.abs(at[1] - y) <= 2;
}}"""
#: Where the words say that prototype 1 is, once it is elsewhere than in `old`.
MOVED = f"old => (({WORDS})().match(/: 1 at [^;]*/) ?? [old])[0] !== old"
AFTER = "/after (\\d+) of (\\d+)/"
RESTS = f"() => {{ const [, k, n] = ({WORDS})().match({AFTER}) ?? []; return k && k === n; }}"


def place_of_first(page):
    """Where the words say that prototype 1 is, (x, y) on the map."""
    found = re.search(r": 1 at ([^,]*), ([^;]*)", page.evaluate(WORDS))
    return [float(number) for number in found.groups()]


def grip_of_first(page):
    """Where prototype 1 is in the window: chosen by keys."""
    picture_of(page)
    page.keyboard.press("Escape")
    page.keyboard.press("PageDown")
    return ring(page)


def ring(page):
    """Where the ring of the chosen handle is in the window; it is drawn anew with each picture."""
    return page.wait_for_function(RING).json_value()


def moved(page, before):
    """Wait until the words say that prototype 1 is elsewhere; return where."""
    page.wait_for_function(MOVED, arg=": 1 at {:.3g}, {:.3g}".format(*before))
    return place_of_first(page)


def dragged_prototype_is_followed(page, name, folder):
    begin_anew(page, name, folder)
    page.wait_for_function(RESTS)
    before, (x, y) = place_of_first(page), grip_of_first(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + BY[0] / 2, y + BY[1] / 2, steps=8)
    halfway = moved(page, before)  # while it is held
    page.mouse.move(x + BY[0], y + BY[1], steps=8)
    keep_screenshot(page, folder / "ecm_dragged.png")
    page.mouse.up()
    page.wait_for_function(SHOWS_TEXT, arg="after 0 of")
    at = moved(page, halfway)
    assert at[0] > before[0] and at[1] < before[1]  # up is more on the map
    page.wait_for_function(IS_AT, arg=[x + BY[0], y + BY[1]])  # the words may come before the picture


def prototypes_are_moved_by_keys_and_by_numbers(page, name, folder):
    begin_anew(page, name, folder)
    page.wait_for_function(RESTS)
    before = place_of_first(page)
    grip_of_first(page)
    for _ in range(STRIDES):
        page.keyboard.press("ArrowRight")
    assert moved(page, before)[0] > before[0]
    page.wait_for_function(SHOWS_TEXT, arg="after 0 of")
    page.keyboard.press("s")
    page.wait_for_function(SHOWS_TEXT, arg="after 1 of")
    page.keyboard.press("e")
    page.wait_for_function(RESTS)
    page.keyboard.press("n")
    page.wait_for_function(SHOWS_TEXT, arg="after 0 of")

    field = page.locator(".widget-text", has_text="at x").locator("input")
    field.fill("2.5")
    field.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg=": 1 at 2.5,")
    picture_of(page)
    page.keyboard.press("Tab")
    assert page.evaluate(f"() => !document.activeElement.closest('{CANVAS}')")


GESTURES = (dragged_prototype_is_followed, prototypes_are_moved_by_keys_and_by_numbers)
