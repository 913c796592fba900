"""The ensemble explorer in JupyterLab, driven through a real browser: a closure, a pair, and keys."""

import re
from pathlib import Path

import pytest

from credalbench.explore.ensemble.model import EnsembleModel
from credalbench.explore.ensemble.picture import EnsemblePicture
from tests.e2e.on_the_page import SAYS, WORDS, keep_screenshot, on_the_screen, open_clickable

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "ensemble.ipynb"
ROW, COLUMN, NEAR = 20, 250, 2  # where a relation is clicked, to a pixel: objects are smaller there
PAIR = f"() => ({WORDS})().match(/Objects [0-9]+ and [0-9]+: /)[0]"
OTHER_PAIR = f"old => ({PAIR})() !== old"
RINGS = "n => document.querySelectorAll('.credalbench-picture .chosen text').length === n"


@pytest.fixture(scope="module")
def relation():
    """The objects of the notebook in the order of the relations, and a place in one of them, in pixels."""
    model, picture = EnsembleModel("half_rings:300"), EnsemblePicture()
    picture.png(model.fitted)
    x, y = picture.relation.transData.transform((COLUMN + 0.5, ROW + 0.5))
    return model.fitted.order, (x, picture.size[1] - y)


def ari_shown(page):
    tiles = page.locator(".widget-html-content", has_text="credal Rand").first.text_content()
    return float(re.search(r"ARI\s*(-?[0-9.]+)", tiles)[1])


def test_the_closure_is_taken_away_and_put_back_and_a_pair_looked_at(page, run_notebook, tmp_path, relation):
    order, place = relation
    open_clickable(page, run_notebook, NOTEBOOK)
    page.wait_for_function(SAYS, arg="closed by the t-norm minimum")
    picture = page.locator(".credalbench-picture")
    picture.scroll_into_view_if_needed()
    assert ari_shown(page) > 0.9
    assert "by a path of" in page.evaluate(WORDS)
    keep_screenshot(page, tmp_path / "ensemble_explorer.png")

    telling = page.evaluate(PAIR)
    picture.click(position=on_the_screen(picture, place, 960))
    page.wait_for_function(OTHER_PAIR, arg=telling)
    i, j = map(int, re.findall("[0-9]+", page.evaluate(PAIR)))
    assert i in order[ROW - NEAR : ROW + NEAR + 1]
    assert j in order[COLUMN - NEAR : COLUMN + NEAR + 1]
    page.wait_for_function(RINGS, arg=2)
    closure = page.locator(".widget-dropdown", has_text="t-norm").locator("select")
    closure.select_option("no closure")
    page.wait_for_function(SAYS, arg="average, no closure")
    assert ari_shown(page) < 0.6
    keep_screenshot(page, tmp_path / "ensemble_explorer_open.png")
    closure.select_option("Frank")
    page.wait_for_function(SAYS, arg="closed by the t-norm Frank")
    assert page.refused == []


def test_sliders_and_the_pair_are_moved_by_keyboard(page, run_notebook, tmp_path):
    open_clickable(page, run_notebook, NOTEBOOK)
    clusters = page.locator(".widget-hslider", has_text="clusters c").locator("[role=slider]")
    clusters.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SAYS, arg="in 3 clusters, the consensus of 10")
    bases = page.locator(".widget-hslider", has_text="partitions N").locator("[role=slider]")
    bases.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(SAYS, arg="the consensus of 9")

    picture = page.locator(".credalbench-picture")
    picture.focus()
    page.keyboard.press("Escape")
    page.wait_for_function(RINGS, arg=0)
    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    page.keyboard.press("Enter")
    page.wait_for_function(SAYS, arg="click another one")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=2)
    page.wait_for_function(SAYS, arg="of 9 partitions put them together")
    keep_screenshot(page, tmp_path / "ensemble_explorer_pair.png")
    page.keyboard.press("s")
    page.wait_for_function(SAYS, arg="by a path of")
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.activeElement.closest('.credalbench-picture')")
    assert page.refused == []
