"""The cat-ECM explorer in JupyterLab, driven by mouse and keys in a real browser."""

from pathlib import Path

import pytest

from tests.e2e.on_the_page import SAYS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "catecm.ipynb"
TABLE = "() => document.querySelector('[aria-label=Prototypes] table')?.innerText ?? ''"


def test_sums_make_outliers_and_means_do_not(page, run_notebook, tmp_path):
    """Figure 2 of the paper, and the distance as it is printed."""
    page.set_viewport_size({"width": 1280, "height": 720})
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(SAYS, arg="iterations, with 2 outliers; masses of 13 objects")
    assert all(word in page.evaluate(TABLE) for word in ("prototypes", "{1}", "{2}", "attribute 1"))
    page.locator(".credalbench-canvas").scroll_into_view_if_needed()
    keep_screenshot(page, tmp_path / "catecm_explorer.png")
    page.get_by_label("mean over the attributes").check()
    page.wait_for_function(SAYS, arg="with 0 outliers")

    clusters = page.locator(".widget-hslider", has_text="clusters c").locator("[role=slider]").first
    clusters.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SAYS, arg="in 3 clusters by cat-ECM")
    page.wait_for_function(f"({TABLE})().includes('{{3}}')")
    assert page.refused == []


def ring(page):
    """Where the ring of the touched object is on the map, in the window."""
    box = page.locator(".credalbench-canvas .selected circle").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_objects_are_chosen_for_their_masses(page, run_notebook, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_canvas(page, run_notebook, NOTEBOOK)
    canvas, details = page.locator(".credalbench-canvas"), page.locator(".credalbench-details")
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    page.keyboard.press("PageUp")  # from no object to the last one
    assert "Outlier" in details.locator(".credalbench-reason").inner_text()
    last = ring(page)
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    page.wait_for_function(SAYS, arg="masses of 1 objects (chosen)")
    page.mouse.click(*last)
    page.wait_for_function(SAYS, arg="masses of 2 objects (chosen)")
    keep_screenshot(page, tmp_path / "catecm_explorer_chosen.png")
    page.get_by_role("button", name="Most doubtful").press("Enter")
    page.wait_for_function(SAYS, arg="masses of 13 objects (all)")
    assert page.refused == []
