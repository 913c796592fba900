"""A fit that takes long, in JupyterLab: the page stays alive, says so, and stops it."""

import nbformat
import pytest

from tests.e2e.on_the_page import SAYS, keep_screenshot

pytestmark = pytest.mark.e2e

#: With all 128 subsets of the clusters a fit takes much longer than this test waits for anything.
CELL = """from credalbench.explore import explore_evclus
explore_evclus("t4:600", n_clusters=7)"""
#: What is left of a projector's screen at 200 %.
ZOOMED = {"width": 640, "height": 360}
SIGN = "document.querySelector('.credalbench-sign')"
FADED = "() => [...document.querySelectorAll('.credalbench-evidence')].map(e => getComputedStyle(e).opacity)"


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "long_fit.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)], metadata=kernel), path)
    return path


def test_a_long_fit_is_told_of_stopped_and_interrupted(page, run_notebook, notebook, tmp_path):
    expect = pytest.importorskip("playwright.sync_api").expect
    run_notebook(notebook)
    page.wait_for_function(SAYS, arg="in 7 clusters")
    family = page.locator(".widget-dropdown", has_text="focal sets").locator("select")
    before = family.input_value()
    family.select_option("all subsets")
    page.wait_for_function(SAYS, arg="Computing … Shown: the last result (focal sets = ")
    page.wait_for_function(f"() => /[1-9] s/.test({SIGN}.textContent)")
    assert page.evaluate(FADED) == ["0.4"]
    keep_screenshot(page, tmp_path / "long_fit.png")
    size = page.viewport_size
    page.set_viewport_size(ZOOMED)
    page.evaluate("() => document.querySelector('.credalbench-canvas').scrollIntoView()")
    box = page.locator(".credalbench-sign").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= ZOOMED["height"]
    assert box["x"] >= 0 and box["x"] + box["width"] <= ZOOMED["width"]
    page.set_viewport_size(size)

    stop = page.get_by_role("button", name="Stop")
    stop.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(SAYS, arg="Stopped: the settings are those shown again.")
    page.wait_for_function(f"() => getComputedStyle({SIGN}).display === 'none'")
    expect(family).to_have_value(before)

    family.select_option("all subsets")
    page.wait_for_function(SAYS, arg="Computing …")
    page.locator(".widget-hslider", has_text="clusters c").locator("[role=slider]").focus()
    for _ in range(4):  # each interrupts the one before
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(SAYS, arg="in 3 clusters")
    assert page.refused == []
