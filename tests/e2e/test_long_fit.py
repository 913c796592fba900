"""A fit that takes long, in JupyterLab: the page stays alive, says so, and stops it."""

import nbformat
import pytest

from tests.e2e.on_the_page import SAYS, keep_screenshot

pytestmark = pytest.mark.e2e

#: A fit of 7 clusters has 128 focal sets here, and takes much longer than this test waits for anything.
CELL = """from credalbench.explore import explore_evclus
explore_evclus("t4:600", focal_sets="full", n_clusters=3)"""


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "long_fit.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)], metadata=kernel), path)
    return path


def test_a_long_fit_is_told_of_interrupted_and_stopped(page, run_notebook, notebook, tmp_path):
    run_notebook(notebook)
    page.wait_for_function(SAYS, arg="in 3 clusters")
    clusters = page.locator(".widget-hslider", has_text="clusters c").locator("[role=slider]")
    clusters.focus()
    for _ in range(4):  # each interrupts the one before
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)
    page.wait_for_function(SAYS, arg="Computing … Shown: the last result (clusters c = 3).")
    assert page.evaluate(SAYS, "in 3 clusters")
    page.wait_for_function("() => /[1-9] s/.test(document.querySelector('.credalbench-sign').textContent)")
    keep_screenshot(page, tmp_path / "long_fit.png")

    stop = page.get_by_role("button", name="Stop")
    stop.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(SAYS, arg="Stopped: the settings are those shown again.")
    assert float(clusters.get_attribute("aria-valuenow")) == 3
    assert not stop.is_visible()
    clusters.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(SAYS, arg="in 2 clusters")
    assert page.refused == []
