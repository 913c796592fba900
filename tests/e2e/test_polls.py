"""A poll in real browsers: the teacher opens it, two students answer, bars grow, all see the right one."""

import pytest

from tests.e2e.conftest import is_local
from tests.e2e.on_the_page import PROJECTOR, keep_screenshot
from tests.server.served import explore

pytestmark = pytest.mark.e2e

WORDS = "wanted => document.getElementById('words').textContent.includes(wanted)"
#: The counts beside the options, and the widths of the bars in percent.
COUNTS = "() => [...document.querySelectorAll('.count')].map(one => one.textContent).join()"
WIDTHS = "() => [...document.querySelectorAll('.bar span')].map(one => parseFloat(one.style.width))"


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
        teacher = visitor(next(line for line in lines if "For the teacher alone" in line).split()[-1])
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
