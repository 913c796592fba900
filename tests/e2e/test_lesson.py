"""A lesson on the server, in a real browser: an exercise answered by keyboard, masses set on its board."""

import pytest

from tests.e2e.on_the_page import CANVAS, CANVAS_DRAWN, SHOWS_TEXT, keep_screenshot
from tests.e2e.opened import open_tile

pytestmark = pytest.mark.e2e

#: The forms of the exercises, in the order of the lesson; the boards have sliders.
FORM = ".credalbench-exercise"

#: Options that are wider than their card.
CLIPPED = """() => [...document.querySelectorAll('.credalbench-exercise .widget-radio-box label')]
  .filter(one => one.getBoundingClientRect().right > one.closest('.question').getBoundingClientRect().right)
  .map(one => one.textContent)"""


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
    page.wait_for_function(SHOWS_TEXT, arg="Right. Ann is just as right")
    keep_screenshot(page, tmp_path / "lesson.png")

    slider = masses.get_by_role("slider").nth(4)  # {1,2}, after ∅, {1}, {2}, {3}
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function(SHOWS_TEXT, arg="set of highest mass: {1,2}")
    masses.get_by_role("button", name="Check").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="The set that Ann names")
    masses.get_by_role("button", name="Hint").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Hint 1 of 2")
    assert page.locator("#progress").inner_text() == "1 of 10 exercises answered"

    two, explanation = page.locator(".exercise-plausibility_of_two"), page.locator("details").first
    assert explanation.get_attribute("open") is None
    two.get_by_role("button", name="Show me").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Answer: 0.8. 0.5 on {1,2}")
    page.wait_for_selector("details[open]")
    assert page.locator("#progress").inner_text() == "1 of 10 exercises answered"

    page.reload(wait_until="commit")  # the browser remembers what was answered
    page.locator(".exercise-guess.answered").wait_for()
    page.get_by_role("link", name="2 · Credal partitions").click()
    page.wait_for_selector("#rendered_cells", state="visible")
    page.get_by_role("link", name="Start page").click()
    tile = page.locator("[data-lesson='01_mass_functions']")
    assert tile.locator(".progress").inner_text() == "1 of 10 exercises answered."
    page.get_by_role("button", name="Forget it").click()
    assert tile.locator(".progress").inner_text() == ""
    assert page.refused == []


def test_in_a_wide_window_the_picture_stays_next_to_its_tasks(page, server):
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_tile(page, server, "03_evidential_c_means")
    page.wait_for_function(CANVAS_DRAWN)
    docked = page.locator(".docked").first
    card = docked.locator(".question").last
    card.scroll_into_view_if_needed()
    picture, task = docked.locator(CANVAS).bounding_box(), card.bounding_box()
    assert picture["x"] + picture["width"] <= task["x"]
    assert picture["y"] < task["y"] + task["height"] and task["y"] < picture["y"] + picture["height"]
    assert page.evaluate(CLIPPED) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function(
        "([one, other]) => document.querySelector(one).getBoundingClientRect().bottom <="
        " document.querySelector(other).getBoundingClientRect().top",
        arg=[".docked .experiment", ".docked .question"],
    )
