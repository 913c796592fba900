"""A lesson in JupyterLab, in a real browser: an exercise answered by keyboard, masses set on its board."""

from pathlib import Path

import pytest

from tests.e2e.on_the_page import keep_screenshot

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "learn" / "01_mass_functions.ipynb"
SAID = """wanted => [...document.querySelectorAll('[role=status]')].some(e => e.textContent.includes(wanted))"""

pytestmark = pytest.mark.e2e


def test_a_lesson_is_answered_by_keyboard(page, run_notebook, tmp_path):
    run_notebook(NOTEBOOK)
    guess = page.locator(".credalbench-exercise .widget-radio").first
    guess.wait_for()
    guess.get_by_role("radio").nth(1).focus()
    page.keyboard.press("Space")
    page.locator(".credalbench-exercise").first.get_by_role("button", name="Check").press("Enter")
    page.wait_for_function(SAID, arg="Not yet. 0.7 is for")
    guess.get_by_role("radio").nth(2).focus()
    page.keyboard.press("Space")
    page.locator(".credalbench-exercise").first.get_by_role("button", name="Check").press("Enter")
    page.wait_for_function(SAID, arg="Right. All blackbirds")
    keep_screenshot(page, tmp_path / "lesson.png")
    handle = page.get_by_role("slider").first
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SAID, arg="not ruled out: Ω")
    assert page.refused == []
