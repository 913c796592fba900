"""The EGMM explorer in JupyterLab, driven by keys in a real browser; its curve fills by itself."""

import re
from pathlib import Path

import pytest

from tests.e2e.on_the_page import SAYS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "egmm.ipynb"
#: The number of clusters that EBIC chooses, once it is known for all.
CHOSEN = "() => /EBIC is highest at c = ([0-9]+) /.exec(document.body.innerText)?.[1]"


def test_as_classes_merge_ebic_comes_to_fewer_clusters_by_itself(page, run_notebook, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(f"({CHOSEN})() === '3'")
    page.locator(".credalbench-canvas").scroll_into_view_if_needed()
    keep_screenshot(page, tmp_path / "egmm_explorer.png")

    overlap = page.locator(".widget-hslider", has_text="overlap").locator("[role=slider]").first
    overlap.focus()
    page.keyboard.press("End")
    page.wait_for_function(SAYS, arg="0.3 standard deviations apart")
    page.wait_for_function(f"['1', '2'].includes(({CHOSEN})())")
    keep_screenshot(page, tmp_path / "egmm_explorer_overlap.png")

    chosen = page.evaluate(CHOSEN)
    page.get_by_role("button", name="Best c").press("Enter")
    page.wait_for_function(SAYS, arg=f"in {chosen} clusters by EGMM")
    assert page.refused == []


def test_an_object_is_touched_by_keyboard_and_its_masses_are_read(page, run_notebook, tmp_path):
    open_canvas(page, run_notebook, NOTEBOOK)
    canvas, details = page.locator(".credalbench-canvas"), page.locator(".credalbench-details")
    canvas.focus()
    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    reason = details.locator(".credalbench-reason").inner_text()
    assert re.match("(In cluster|Between) .*: [01]\\.[0-9]{2} on ", reason)
    assert reason in canvas.locator("[aria-live]").inner_text()
    keep_screenshot(page, tmp_path / "egmm_explorer_object.png")
    page.keyboard.press("Escape")
    page.wait_for_selector(".credalbench-reason", state="detached")
    assert page.refused == []
