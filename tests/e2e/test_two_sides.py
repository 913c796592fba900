"""The scene of the comparing explorer in a browser, without a kernel: one object, and what two sides say."""

import pytest

from credalbench.explore.explorers.compare.model import CompareModel
from credalbench.explore.explorers.compare.scene import compare_scene
from tests.e2e.scene_page import open_scene

pytestmark = pytest.mark.e2e

#: Where an object is on the right map, in the window.
ON_THE_RIGHT = """i => {
  const { left, top } = document.querySelector('.credalbench-canvas canvas').getBoundingClientRect();
  const frame = mounted.shown().layout.frames.find((one) => one.panel.name === 'right');
  const [x, y] = frame.placeOfObject.get(i);
  return [left + x, top + y];
}"""
RINGS = "() => document.querySelectorAll('.credalbench-canvas .selected circle').length"


def test_an_object_touched_on_one_map_is_described_by_both_sides(page):
    fitted = CompareModel("two_class:40:2").fitted
    open_scene(page, compare_scene(fitted))
    page.mouse.click(*page.evaluate(ON_THE_RIGHT, 7))
    assert page.evaluate("() => source.get('selected')") == 7
    assert page.evaluate(RINGS) == 6  # two strokes on either map and among the true classes
    text = page.locator(".credalbench-details").inner_text()
    left, right = text.index("left: fuzzy c-means"), text.index("right: ECM")
    for side, part in ((fitted.left, text[left:right]), (fitted.right, text[right:])):
        reason = side.partition.explain(7).reason
        assert f"{reason[0].upper()}{reason[1:]}." in part
    spoken = page.locator(".credalbench-canvas [aria-live]").inner_text()
    assert spoken.startswith("object 7: left: fuzzy c-means: ") and "right: ECM: " in spoken
    table = page.evaluate(
        "() => asCsv([mounted.shown().scene.evidence, mounted.shown().scene.second], (i) => `o${i}`)"
    ).splitlines()
    assert table[0].startswith("object,left: fuzzy c-means: ∅")
    assert len(table) == 41 and len(table[1].split(",")) == 1 + 2 * len(fitted.right.partition.focal_sets)
