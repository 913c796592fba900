"""The ensemble explorer: the closure taken away and put back, a pair by a place in a relation and by keys."""

import re

from tests.e2e.acts import begin_anew
from tests.e2e.on_the_page import (
    CANVAS,
    RINGS,
    SHOWS_TEXT,
    WORDS,
    keep_screenshot,
    list_of,
    picture_of,
    slider_of,
)

PAIR = f"() => ({WORDS})().match(/Objects [0-9]+ and [0-9]+: /)[0]"
OTHER_PAIR = f"old => ({PAIR})() !== old"
IN_RELATION = (0.5, 0.1)  # shares of the picture: above the diagonal of the relation


def ari_shown(page):
    tiles = page.locator(".widget-html-content", has_text="credal Rand").first.text_content()
    return float(re.search(r"ARI\s*(-?[0-9.]+)", tiles)[1])


def closure_is_taken_away_and_put_back_and_a_pair_looked_at(page, name, folder):
    begin_anew(page, name, folder)
    picture_of(page)
    page.keyboard.press("t")
    page.wait_for_function(SHOWS_TEXT, arg="closed by the t-norm minimum")
    page.wait_for_function(SHOWS_TEXT, arg="by a path of")
    page.wait_for_function(RINGS, arg=2)
    assert ari_shown(page) > 0.9
    keep_screenshot(page, folder / "ensemble_closed.png")

    fine, box = page.evaluate(PAIR), page.locator(CANVAS).bounding_box()
    place = {"x": IN_RELATION[0] * box["width"], "y": IN_RELATION[1] * box["height"]}
    page.locator(CANVAS).click(position=place)
    page.wait_for_function(OTHER_PAIR, arg=fine)
    page.wait_for_function(RINGS, arg=2)
    closure = list_of(page, "t-norm")
    closure.select_option("no closure")
    page.wait_for_function(SHOWS_TEXT, arg="average, no closure")
    assert ari_shown(page) < 0.6
    keep_screenshot(page, folder / "ensemble_open.png")
    closure.select_option("Frank")
    page.wait_for_function(SHOWS_TEXT, arg="closed by the t-norm Frank")


def partitions_and_the_pair_are_chosen_by_keyboard(page, name, folder):
    begin_anew(page, name, folder)
    slider_of(page, "partitions N").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(SHOWS_TEXT, arg="the consensus of 9")

    picture_of(page)
    page.keyboard.press("Escape")
    page.wait_for_function(RINGS, arg=0)
    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="click another object")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=2)
    page.wait_for_function(SHOWS_TEXT, arg="of 9 partitions put them together")
    keep_screenshot(page, folder / "ensemble_pair.png")


GESTURES = (
    closure_is_taken_away_and_put_back_and_a_pair_looked_at,
    partitions_and_the_pair_are_chosen_by_keyboard,
)
