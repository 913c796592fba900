"""Polls in real browsers: the teacher asks, students answer on the page of polls or in a lesson."""

import pytest

from tests.e2e.conftest import is_local
from tests.e2e.on_the_page import PROJECTOR, keep_screenshot
from tests.learn.server.served import explore

pytestmark = [pytest.mark.e2e, pytest.mark.long]

WORDS = "wanted => document.getElementById('words').textContent.includes(wanted)"
#: The counts beside the options, and the widths of the bars in percent.
COUNTS = "() => [...document.querySelectorAll('.count')].map(one => one.textContent).join()"
WIDTHS = "() => [...document.querySelectorAll('.bar span')].map(one => parseFloat(one.style.width))"
#: The card of a poll shows the whole question, within the window.
FITS = """() => {
  const [card, frame] = [document.getElementById('poll'), document.querySelector('#poll iframe')];
  const { left, top, right, bottom } = card.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const whole = frame.contentDocument.documentElement.scrollHeight <= frame.clientHeight;
  return inside && whole && card.scrollHeight <= card.clientHeight;
}"""


@pytest.fixture
def visitor(browser):
    """A function that opens an address in a browser of its own, without cookies."""
    contexts = []

    def visit(address):
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.set_viewport_size(PROJECTOR)
        page.refused = []
        page.on("request", lambda request: is_local(request.url) or page.refused.append(request.url))
        page.goto(address)
        return page

    yield visit
    for context in contexts:
        context.close()


def choose(page, place):
    """Choose an option by keyboard."""
    page.get_by_role("radio").nth(place).focus()
    page.keyboard.press("Space")
    page.wait_for_function(WORDS, arg="Your answer counts")


def test_a_class_predicts(visitor, tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    with explore(tmp_path, "--class") as (process, address):
        lines = iter(process.stdout.readline, "")
        teacher = visitor(next(line for line in lines if "For the teacher only" in line).split()[-1])
        students = [visitor(address) for _ in range(2)]
        for student in students:
            student.get_by_role("link", name="answer it here").click()
            student.wait_for_function(WORDS, arg="No poll is open")
        teacher.get_by_role("button", name="Open").press("Enter")
        teacher.wait_for_function(WORDS, arg="0 answers so far")
        for student in students:
            student.wait_for_function(WORDS, arg="Choose an answer")
            assert student.get_by_role("group").inner_text().startswith("Use only what Ann says")
            assert student.locator(".bar").first.is_hidden()
        choose(students[0], 1)
        teacher.wait_for_function(WORDS, arg="1 answer so far")
        assert teacher.evaluate(COUNTS) == "0,1,0,0" and teacher.evaluate(WIDTHS) == [0, 100, 0, 0]
        choose(students[1], 2)
        teacher.wait_for_function(WORDS, arg="2 answers so far")
        assert teacher.evaluate(COUNTS) == "0,1,1,0" and teacher.evaluate(WIDTHS) == [0, 50, 50, 0]
        choose(students[0], 0)  # they change their minds
        teacher.wait_for_function(f"() => ({COUNTS})() === '1,0,1,0'")
        students[0].reload()
        students[0].wait_for_function(WORDS, arg="Your answer counts")
        assert students[0].get_by_role("radio").nth(0).is_checked()
        keep_screenshot(teacher, tmp_path / "poll_teacher.png")
        keep_screenshot(students[0], tmp_path / "poll_student.png")

        teacher.get_by_role("button", name="Reveal").press("Enter")
        for page in (teacher, *students):
            page.wait_for_function(WORDS, arg="2 answers, revealed")
            assert (
                page.locator(".right").inner_text().strip().startswith("her statement does not determine it")
            )
            assert page.evaluate(COUNTS) == "1,0,1,0"
        assert students[0].get_by_role("radio").first.is_disabled()
        keep_screenshot(students[1], tmp_path / "poll_revealed.png")
        teacher.get_by_role("button", name="Close").press("Enter")
        for page in (teacher, *students):
            page.wait_for_function(WORDS, arg="No poll is open")
            assert page.locator("fieldset").count() == 0
            assert page.refused == []


def test_a_lesson_shows_the_question_of_the_teacher(visitor, tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    with explore(tmp_path, "--class") as (process, address):
        lines = iter(process.stdout.readline, "")
        teacher = visitor(next(line for line in lines if "For the teacher only" in line).split()[-1])
        student = visitor(address)
        student.set_default_timeout(60_000)
        student.get_by_role("link", name="Mass functions").first.click()
        student.locator(".credalbench-exercise").first.wait_for()
        card, frame = student.locator("#poll"), student.frame_locator("#poll iframe")
        assert card.is_hidden()

        teacher.get_by_text("A question of your own").click()
        teacher.get_by_label("Your question").fill("<img src=x onerror=alert(1)> Is 1 < 2 & 2 > 1?")
        teacher.get_by_label("Answers").fill("<b>yes</b>\n\n no \n'\"unknown\"'\n")
        teacher.get_by_label("Right answer").select_option("line 1")
        teacher.get_by_role("button", name="Ask it").press("Enter")
        teacher.wait_for_function(WORDS, arg="0 answers so far")
        card.wait_for(state="visible")
        labels = frame.locator(".option label").all_inner_texts()
        assert [label.strip() for label in labels] == ["<b>yes</b>", "no", "'\"unknown\"'"]
        assert frame.locator("legend").inner_text() == "<img src=x onerror=alert(1)> Is 1 < 2 & 2 > 1?"
        assert frame.locator("img, b").count() == teacher.locator("img, b").count() == 0
        frame.get_by_role("radio").nth(1).press("Space")
        teacher.wait_for_function(WORDS, arg="1 answer so far")
        assert teacher.evaluate(COUNTS) == "0,1,0"
        for width in (1024, 1280, 1920):
            student.set_viewport_size({"width": width, "height": 720})
            student.wait_for_function(FITS)
            keep_screenshot(student, tmp_path / f"poll_in_lesson_{width}.png")

        teacher.get_by_role("button", name="Reveal").press("Enter")
        frame.locator(".right").get_by_text("yes").wait_for()
        teacher.get_by_role("button", name="Close").press("Enter")
        card.wait_for(state="hidden")
        assert student.refused == teacher.refused == []
