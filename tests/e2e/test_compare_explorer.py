"""The comparing explorer: one object and what two sides say of it, and starts in JupyterLab by keyboard."""

from pathlib import Path

import pytest

from credalbench.explore.compare.model import CompareModel
from credalbench.explore.compare.scene import compare_scene
from tests.e2e.on_the_page import SAYS, keep_screenshot, open_canvas
from tests.e2e.scene_page import open_scene

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "compare.ipynb"
PROJECTOR = {"width": 1280, "height": 720}
#: Where an object is on the right map, in the window.
ON_THE_RIGHT = """i => {
  const { left, top } = document.querySelector('.credalbench-canvas canvas').getBoundingClientRect();
  const frame = mounted.shown().layout.frames.find((one) => one.panel.name === 'right');
  const [x, y] = frame.placeOfObject.get(i);
  return [left + x, top + y];
}"""
RINGS = "() => document.querySelectorAll('.credalbench-canvas .selected circle').length"


def test_an_object_touched_on_one_map_is_told_about_by_both_sides(page):
    fitted = CompareModel("two_class:40:2").fitted
    open_scene(page, compare_scene(fitted))
    page.mouse.click(*page.evaluate(ON_THE_RIGHT, 7))
    assert page.evaluate("() => source.get('selected')") == 7
    assert page.evaluate(RINGS) == 6  # two strokes on either map and among the true classes
    said = page.locator(".credalbench-details").inner_text()
    left, right = said.index("left: fuzzy c-means"), said.index("right: ECM")
    for side, part in ((fitted.left, said[left:right]), (fitted.right, said[right:])):
        reason = side.partition.explain(7).reason
        assert f"{reason[0].upper()}{reason[1:]}." in part
    spoken = page.locator(".credalbench-canvas [aria-live]").inner_text()
    assert spoken.startswith("object 7: left: fuzzy c-means: ") and "right: ECM: " in spoken
    table = page.evaluate(
        "() => asCsv([mounted.shown().scene.evidence, mounted.shown().scene.beside], (i) => `o${i}`)"
    ).splitlines()
    assert table[0].startswith("object,left: fuzzy c-means: ∅")
    assert len(table) == 41 and len(table[1].split(",")) == 1 + 2 * len(fitted.right.partition.focal_sets)


def test_starts_are_compared_by_keyboard(page, run_notebook, tmp_path):
    page.set_viewport_size(PROJECTOR)
    open_canvas(page, run_notebook, NOTEBOOK)
    page.wait_for_function(SAYS, arg="alike to fuzzy c-means")
    canvas = page.locator(".credalbench-canvas")
    canvas.scroll_into_view_if_needed()
    keep_screenshot(page, tmp_path / "compare_explorer.png")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".credalbench-reason").count() == 2
    page.get_by_label("left", exact=True).select_option(label="ECM")
    page.wait_for_function(SAYS, arg="Both sides are the same fit")
    page.get_by_label("compare", exact=True).select_option(label="worst and best start")
    page.wait_for_function(SAYS, arg="of 12 random starts of ECM end at objective J")
    keep_screenshot(page, tmp_path / "compare_explorer_starts.png")
    assert page.refused == []
