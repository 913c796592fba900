"""A lesson on the server, in a real browser: an exercise answered by keyboard, masses set on its board."""

import pytest

from tests.e2e.on_the_page import SHOWS_TEXT, keep_screenshot

pytestmark = pytest.mark.e2e

#: The forms of the exercises, in the order of the lesson; the boards have sliders.
FORM = ".credalbench-exercise"


def choose(page, form, place):
    """Choose an option of a form by its place, and check it, by keyboard."""
    form.get_by_role("radio").nth(place).focus()
    page.keyboard.press("Space")
    form.get_by_role("button", name="Check").press("Enter")


def test_a_lesson_is_answered_by_keyboard(page, server, tmp_path):
    page.goto(server.address)
    page.get_by_role("link", name="Mass functions").first.click()
    guess, masses = page.locator(FORM).nth(0), page.locator(FORM).nth(1)
    guess.wait_for()
    choose(page, guess, 1)
    page.wait_for_function(SHOWS_TEXT, arg="Not yet. 0.7 is for")
    choose(page, guess, 2)
    page.wait_for_function(SHOWS_TEXT, arg="Right. All blackbirds")
    keep_screenshot(page, tmp_path / "lesson.png")

    slider = masses.get_by_role("slider").nth(4)  # {1,2}, after ∅, {1}, {2}, {3}
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function(SHOWS_TEXT, arg="set of highest mass: {1,2}")
    masses.get_by_role("button", name="Check").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="The set that Ann names")
    masses.get_by_role("button", name="Hint").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Hint 1 of 2")
    assert page.refused == []
