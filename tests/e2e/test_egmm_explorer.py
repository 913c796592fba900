"""The EGMM explorer in JupyterLab, driven through a real browser: keys, a choice, a curve that fills itself."""

import os
import re
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "egmm.ipynb"
#: The picture is there when it has pixels, and new when its address is another one.
DRAWN = """old => {
  const image = document.querySelector('.credalbench-picture img');
  return image && image.src !== old && image.naturalWidth > 300;
}"""
TEXT = "wanted => document.body.innerText.includes(wanted)"
PLACE = "() => document.querySelector('.credalbench-picture img').src"


def slider_of(page, label):
    return page.locator(".widget-hslider", has_text=label).locator("[role=slider]").first


def test_more_overlap_makes_fewer_clusters_and_the_curve_fills_by_itself(page, run_notebook, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 720})
    run_notebook(NOTEBOOK)
    page.wait_for_function(DRAWN, arg="")
    page.wait_for_function(TEXT, arg="EBIC is highest at c = 3 (star).")
    keep_screenshot(page, tmp_path / "egmm_explorer.png", "")

    before = page.evaluate(PLACE)
    overlap = slider_of(page, "overlap")
    overlap.focus()
    page.keyboard.press("End")
    page.wait_for_function(DRAWN, arg=before)
    page.wait_for_function("() => /EBIC is highest at c = [12] /.test(document.body.innerText)")
    keep_screenshot(page, tmp_path / "egmm_explorer_overlap.png", "overlap")
    page.get_by_role("button", name="Best c").press("Enter")
    page.wait_for_function("() => /in [12] clusters by EGMM/.test(document.body.innerHTML)")
    assert page.refused == []


def test_an_object_is_chosen_by_keyboard_and_its_masses_read(page, run_notebook, tmp_path):
    run_notebook(NOTEBOOK)
    page.wait_for_function(DRAWN, arg="")
    picture = page.locator(".credalbench-picture")
    picture.focus()
    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    page.keyboard.press("Enter")
    page.wait_for_function("() => /Object [0-9]+: [01]\\.[0-9]{2} on /.test(document.body.innerText)")
    number = re.search(r"Object ([0-9]+):", page.locator("body").inner_text())[1]
    assert page.locator(".credalbench-picture .chosen text").first.text_content() == number
    keep_screenshot(page, tmp_path / "egmm_explorer_object.png", "object")
    page.keyboard.press("Escape")
    page.wait_for_function(TEXT, arg="Click an object for its masses.")
    assert page.refused == []


def keep_screenshot(page, path, suffix):
    page.screenshot(path=path)
    assert path.stat().st_size > 20_000  # a blank page of this size has about 5 kB
    if folder := os.environ.get("CREDALBENCH_EGMM_SCREENSHOTS"):
        shutil.copy(path, Path(folder) / f"egmm_explorer{'_' * bool(suffix)}{suffix}.png")
