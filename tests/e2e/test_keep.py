"""Keeping what is shown: its code copied, a saved state opened; and hints that the keyboard finds."""

from pathlib import Path

import pytest

from tests.e2e.on_the_page import SAYS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "evclus.ipynb"
#: What the browser writes beside the page for what has the focus.
HINT = """() => {
  const hinted = [...document.querySelectorAll('.widget-label, .jupyter-button, .credalbench-read-out')];
  const told = hinted.map(e => getComputedStyle(e, '::after').content).filter(text => text.length > 20);
  return told.join();
}"""


def test_code_is_copied_and_a_state_opened_and_hints_follow_the_focus(page, run_notebook, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_canvas(page, run_notebook, NOTEBOOK)

    page.locator(".widget-hslider", has_text="clusters c").locator("[role=slider]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SAYS, arg="in 3 clusters")
    assert "A group of objects" in page.evaluate(HINT)
    keep_screenshot(page, tmp_path / "hint.png")

    page.get_by_role("button", name="Code").click()
    box = page.locator(".credalbench-code")
    box.wait_for()
    assert "EVCLUS(3," in box.locator("pre").inner_text()
    box.get_by_role("button", name="Copy").click()
    page.wait_for_function(SAYS, arg="Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == box.locator("pre").inner_text()
    keep_screenshot(page, tmp_path / "code.png")

    state = tmp_path / "state.json"
    state.write_text('{"explorer": "evclus", "data": "butterfly", "n_clusters": 2, "alpha": 0.25}')
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open").click()
    chooser.value.set_files(state)
    page.wait_for_function(SAYS, arg="in 2 clusters")
    assert "alpha=0.25" in box.locator("pre").inner_text()
    assert page.refused == []
