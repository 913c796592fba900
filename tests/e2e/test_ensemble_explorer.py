"""The ensemble explorer in a real browser: places in a relation, a closure, a pair, and keys."""

import re
from pathlib import Path

import pytest

from credalbench.explore.ensemble.model import EnsembleModel
from credalbench.explore.ensemble.relation_panels import pair_at
from credalbench.explore.ensemble.scene import ensemble_scene
from tests.e2e.on_the_page import SAYS, WORDS, keep_screenshot, open_canvas
from tests.e2e.scene_page import open_scene

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "ensemble.ipynb"
PROJECTOR = {"width": 1280, "height": 720}
PAIR = f"() => ({WORDS})().match(/Objects [0-9]+ and [0-9]+: /)[0]"
OTHER_PAIR = f"old => ({PAIR})() !== old"
RINGS = "n => document.querySelectorAll('.credalbench-canvas .chosen text').length === n"
#: Where a place of a panel is in the window, in units of its axes.
IN_WINDOW = """([name, x, y]) => {
  const { left, top } = document.querySelector('.credalbench-canvas canvas').getBoundingClientRect();
  const frame = mounted.shown().layout.frames.find((one) => one.panel.name === name);
  return [left + frame.x.to(x), top + frame.y.to(y)];
}"""
IN_RELATION = (0.5, 0.1)  # shares of the picture: above the diagonal of the relation


def ari_shown(page):
    tiles = page.locator(".widget-html-content", has_text="credal Rand").first.text_content()
    return float(re.search(r"ARI\s*(-?[0-9.]+)", tiles)[1])


def test_places_in_a_relation_and_objects_of_every_map_are_reported(page):
    """Without a kernel: what is reported of a click is where it was, an object wide."""
    page.set_viewport_size(PROJECTOR)
    model = EnsembleModel("half_rings:60", n_estimators=8, base_from=4, base_to=6)
    fitted = model.fitted
    open_scene(page, ensemble_scene(fitted))
    for panel, row, column in (("relation", 4, 50), ("closed", 40, 0)):
        page.mouse.click(*page.evaluate(IN_WINDOW, [panel, column + 0.5, 60 - row - 0.5]))
        heard = page.evaluate("() => heard.at(-1)")
        assert (heard["panel"], heard["object"]) == (panel, None)
        assert pair_at(fitted, heard["x"], heard["y"]) == (fitted.order[row], fitted.order[column])
    page.mouse.click(*page.evaluate(IN_WINDOW, ["base 3", *fitted.subject.positions[7].tolist()]))
    heard = page.evaluate("() => heard.at(-1)")
    assert (heard["panel"], heard["object"]) == ("base 3", 7)
    radii = page.evaluate(
        "() => [...document.querySelectorAll('.selected circle')].map((ring) => ring.r.baseVal.value)"
    )
    assert len(radii) == 2 * (1 + 8)  # two strokes on the map and on each of the small ones
    assert max(radii) == radii[0] > max(radii[2:])


def test_the_closure_is_taken_away_and_put_back_and_a_pair_looked_at(page, run_notebook, tmp_path):
    page.set_viewport_size(PROJECTOR)
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(SAYS, arg="closed by the t-norm minimum")
    picture = page.locator(".credalbench-canvas")
    picture.scroll_into_view_if_needed()
    assert ari_shown(page) > 0.9
    assert "by a path of" in page.evaluate(WORDS)
    page.wait_for_function(RINGS, arg=2)
    keep_screenshot(page, tmp_path / "ensemble_explorer.png")

    telling, box = page.evaluate(PAIR), picture.bounding_box()
    place = {"x": IN_RELATION[0] * box["width"], "y": IN_RELATION[1] * box["height"]}
    picture.click(position=place)
    page.wait_for_function(OTHER_PAIR, arg=telling)
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
    page.set_viewport_size({"width": 1600, "height": 1000})
    open_canvas(page, run_notebook, NOTEBOOK)
    clusters = page.locator(".widget-hslider", has_text="clusters c").locator("[role=slider]")
    clusters.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SAYS, arg="in 3 clusters, the consensus of 10")
    bases = page.locator(".widget-hslider", has_text="partitions N").locator("[role=slider]")
    bases.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(SAYS, arg="the consensus of 9")

    picture = page.locator(".credalbench-canvas")
    picture.focus()
    page.keyboard.press("Escape")
    page.wait_for_function(RINGS, arg=0)
    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    page.keyboard.press("Enter")
    page.wait_for_function(SAYS, arg="click another one")
    reason = page.locator(".credalbench-details .credalbench-reason").inner_text()
    assert re.match("(In cluster|Between|Outlier)", reason)
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=2)
    page.wait_for_function(SAYS, arg="of 9 partitions put them together")
    keep_screenshot(page, tmp_path / "ensemble_explorer_pair.png")
    page.keyboard.press("t")
    page.wait_for_function(SAYS, arg="by a path of")
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.activeElement.closest('.credalbench-canvas')")
    assert page.refused == []
