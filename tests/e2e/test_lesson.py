"""A lesson on the server, in a real browser: an exercise answered by keyboard, masses set on its board."""

import pytest

from tests.e2e.on_the_page import SHOWS_TEXT, keep_screenshot
from tests.e2e.opened import open_tile

pytestmark = pytest.mark.e2e

#: The forms of the exercises, in the order of the lesson; the boards have sliders.
FORM = ".credalbench-exercise"

#: Options that are wider than their card.
CLIPPED = """() => [...document.querySelectorAll('.credalbench-exercise .widget-radio-box label')]
  .filter(one => one.getBoundingClientRect().right > one.closest('.question').getBoundingClientRect().right)
  .map(one => one.textContent)"""


#: Whether the explanation of a term in the glossary is visible.
EXPLAINED = """term => {
  const { top, bottom } = document.querySelector(new URL(term.href).hash).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


def choose(page, form, place):
    """Choose an option of a form by its place, and check it, by keyboard."""
    form.get_by_role("radio").nth(place).focus()
    page.keyboard.press("Space")
    form.get_by_role("button", name="Check").press("Enter")


def test_a_lesson_is_answered_by_keyboard(page, server, tmp_path):
    page.goto(server.address)
    page.get_by_role("link", name="Begin here").click()
    guess, masses = page.locator(FORM).nth(0), page.locator(FORM).nth(1)
    guess.wait_for()
    choose(page, guess, 1)
    page.wait_for_function(SHOWS_TEXT, arg="Not yet. 0.7 is for")
    choose(page, guess, 2)
    page.wait_for_function(SHOWS_TEXT, arg="Right. Ann may be right")
    keep_screenshot(page, tmp_path / "lesson.png")

    slider = masses.get_by_role("slider").nth(4)  # {1,2}, after ∅, {1}, {2}, {3}
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function(SHOWS_TEXT, arg="set of highest mass: {1,2}")
    masses.get_by_role("button", name="Check").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="The set that Ann names")
    masses.get_by_role("button", name="Hint").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Hint 1 of 2")
    assert page.locator("#progress").inner_text() == "1 of 10 exercises answered correctly"

    two, explanation = page.locator(".exercise-plausibility_of_two"), page.locator("details").first
    assert explanation.get_attribute("open") is None
    two.get_by_role("button", name="Show me").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Answer: 0.8. 0.5 on {1,2}")
    page.wait_for_selector("details[open]")
    assert page.locator("#progress").inner_text() == "1 of 10 exercises answered correctly"
    term = page.locator("a[href*='#Glossary-']").first
    assert not term.evaluate(EXPLAINED)
    term.press("Enter")
    page.wait_for_function(EXPLAINED, arg=term.element_handle())

    page.reload(wait_until="commit")  # the browser remembers what was answered
    page.locator(".exercise-guess.answered").wait_for()
    page.get_by_role("link", name="2 · Credal partitions").click()
    page.wait_for_selector("#rendered_cells", state="visible")
    page.get_by_role("link", name="Start page").click()
    tile = page.locator("[data-lesson='01_mass_functions']")
    page.wait_for_function("() => document.querySelector('[data-lesson] .progress').textContent")
    assert tile.locator(".progress").inner_text() == "1 of 10 exercises answered correctly."
    assert (
        page.get_by_role("link", name="Continue").get_attribute("href").endswith("/01_mass_functions.ipynb")
    )
    page.get_by_role("button", name="Forget it").click()
    assert tile.locator(".progress").inner_text() == ""
    assert page.refused == []


#: What is visible of the elements of a task: the slider, the picture and the question.
VISIBLE = """docked => ['[role=slider]', '.credalbench-canvas', '.task:last-child .question']
  .map(one => docked.querySelector(one).getBoundingClientRect())
  .map(({ top, bottom }) => top >= 0 && bottom <= innerHeight)"""


@pytest.fixture
def third(page, server):
    """Lesson 3, with the task of the exponent alpha."""
    open_tile(page, server, "03_evidential_c_means")
    page.wait_for_function(
        "() => document.querySelectorAll('.docked .credalbench-canvas[data-drawn]').length > 3"
    )
    return page.locator(".docked").nth(1)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)])
def test_slider_picture_and_question_of_a_task_are_on_one_screen(page, third, size):
    page.set_viewport_size(dict(zip(("width", "height"), size)))
    page.wait_for_timeout(600)
    card = third.locator(".task").last.locator(".question").last
    card.evaluate("one => window.scrollBy(0, one.getBoundingClientRect().bottom - innerHeight + 8)")
    page.wait_for_timeout(300)
    assert third.evaluate(VISIBLE) == [True, True, True]
    assert third.locator(".widget-hslider").count() == 1
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_at_200_percent_slider_and_picture_are_visible_together(page, third):
    page.set_viewport_size({"width": 640, "height": 360})
    page.wait_for_timeout(600)
    third.locator(".experiment").evaluate("one => one.scrollIntoView()")
    page.wait_for_timeout(300)
    assert third.evaluate(VISIBLE)[:2] == [True, True]


def test_a_task_is_solved_with_its_slider_and_everything_can_be_shown(page, third):
    check = third.locator(".exercise-precise_masses").get_by_role("button", name="Check")
    check.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="of the mass is on sets of several clusters.")
    slider = third.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_timeout(1500)
    check.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Right. Sets of several clusters are so expensive")
    third.get_by_role("button", name="Show everything").press("Enter")
    third.locator(".credalbench-controls").wait_for()
    assert third.locator(".widget-hslider").count() > 4
    third.get_by_role("button", name="Show everything").press("Enter")
    third.locator(".credalbench-controls").wait_for(state="detached")
    assert third.locator(".widget-hslider").count() == 1
