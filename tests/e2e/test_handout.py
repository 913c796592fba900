"""A handout opened from a disk, in a real browser: slider, objects and questions, without a kernel."""

import pytest

from credalbench.learn import lesson
from credalbench.learn.handout import write_handout
from tests.e2e.on_the_page import CANVAS_DRAWN, keep_screenshot

pytestmark = pytest.mark.e2e

#: The middle of the ring on the map around the object that is selected, in pixels of the canvas.
RING = "ring => ['cx', 'cy'].map(name => Number(ring.getAttribute(name)))"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The file of a lesson."""
    return write_handout("evidential_c_means", tmp_path_factory.mktemp("handout") / "handout.html")


@pytest.fixture
def opened(page, path):
    """The page of a lesson, from its file, without errors and requests."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.errors, page.requests = [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_function(CANVAS_DRAWN)
    yield page
    assert page.errors == [] and page.requests == [path.as_uri()]


def test_a_slider_moves_over_frames_and_an_object_is_described(opened, tmp_path):
    moving = opened.locator(".moving").nth(3)
    slider, tiles, canvas = (moving.locator(name) for name in ("input", ".tiles", ".credalbench-canvas"))
    before, drawn = tiles.inner_text(), int(canvas.get_attribute("data-drawn"))
    slider.focus()
    opened.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == moving.locator("output").inner_text() == "1"
    assert tiles.inner_text() != before
    opened.wait_for_function(
        "count => Number(document.querySelectorAll('.credalbench-canvas')[3].dataset.drawn) > count",
        arg=drawn,
    )
    canvas.focus()
    opened.keyboard.press("ArrowRight")
    details = moving.locator(".credalbench-details")
    text = details.inner_text()
    assert text.startswith("object ") and "mass on" in text
    x, y = canvas.locator(".selected circle").first.evaluate(RING)
    opened.keyboard.press("Escape")
    assert details.inner_text() != text
    canvas.click(position={"x": x, "y": y})
    assert details.inner_text() == text
    slider.focus()
    opened.keyboard.press("Home")
    opened.wait_for_function(
        "text => document.querySelectorAll('.moving .credalbench-details')[3].innerText !== text", arg=text
    )
    assert details.inner_text().splitlines()[0] == text.splitlines()[0] and details.inner_text() != text
    moving.evaluate("element => element.scrollIntoView()")
    shown = canvas.bounding_box()
    assert slider.bounding_box()["y"] >= 0 and shown["y"] + shown["height"] <= 720
    keep_screenshot(opened, tmp_path / "handout.png")


def test_the_map_shows_another_view_and_keeps_it_while_the_slider_moves(opened, tmp_path):
    moving = opened.locator(".moving").nth(3)
    view, canvas = moving.get_by_label("map shows"), moving.locator(".credalbench-canvas")
    assert view.locator("option").all_inner_texts()[:2] == ["set of largest mass", "all masses"]
    drawn = "count => Number(document.querySelectorAll('.credalbench-canvas')[3].dataset.drawn) > count"
    for name in ("all masses", "masses of the plane", "objects between sets"):
        before = int(canvas.get_attribute("data-drawn"))
        view.select_option(name)
        opened.wait_for_function(drawn, arg=before)
        moving.evaluate("element => element.scrollIntoView()")
        keep_screenshot(opened, tmp_path / f"handout_{name.replace(' ', '_')}.png")
    before = int(canvas.get_attribute("data-drawn"))
    moving.locator("input").press("End")
    opened.wait_for_function(drawn, arg=before)
    assert view.input_value() == "objects between sets"


def test_a_term_is_explained_where_it_stands_and_at_the_end(opened):
    term = opened.locator('a[href^="#Glossary-"]').first
    report = term.get_attribute("title")
    shown = "term => getComputedStyle(term, '::after').content"
    assert term.evaluate(shown) == "none"
    opened.keyboard.press("Tab")
    assert term.evaluate("term => term === document.activeElement")
    assert report in term.evaluate(shown)
    opened.keyboard.press("Enter")
    listed = opened.locator("#Glossary dt:target + dd")
    assert listed.inner_text() == report and 0 <= listed.bounding_box()["y"] < 720


def test_questions_know_what_to_answer(opened):
    exercises = [*lesson("evidential_c_means")]
    question = {one.name: opened.locator(".question").nth(k) for k, one in enumerate(exercises)}

    def text(name):
        question[name].get_by_role("button", name="Check").press("Enter")
        return question[name].get_by_role("status").inner_text()

    number = question["mass_by_hand"]
    assert text("mass_by_hand") == "Answer the question first."
    answers = {
        "0,471": "Not yet. You left out A",
        "six": "Not yet. Expected a number, got six",
        "1 000,5": "Not yet. Expected a number",
        "100/162": "Right. 1 divided by 1",
        "0.62": "Right. 1 divided by 1",
    }
    for answer, start in answers.items():
        number.get_by_role("textbox").fill(answer)
        assert text("mass_by_hand").startswith(start)
    number.get_by_role("button", name="Hint").click()
    assert number.get_by_role("status").inner_text().startswith("Hint 1 of 3: Work out")
    assert opened.locator("#progress").inner_text() == "1 of 9 exercises answered correctly"
    question["harder"].get_by_role("button", name="Show me").click()
    assert (
        question["harder"]
        .get_by_role("status")
        .inner_text()
        .startswith("Answer: alpha = 1.0, beta = 1.2. For")
    )
    assert [one.get_attribute("open") for one in opened.locator("details.explanation").all()] == ["", None]
    question["more_alpha"].get_by_role("radio").first.check()
    assert text("more_alpha").startswith("Not yet. A to the power")
    for box in question["same_masses"].get_by_role("checkbox").all():
        box.check()
    assert text("same_masses").startswith("Right. Hard masses")

    assert text("precise_masses").startswith("Not yet. 0.")
    opened.locator(".moving").nth(1).locator("input").press("End")
    assert text("precise_masses") == f"Right. {lesson('evidential_c_means').precise_masses.explanation}"
