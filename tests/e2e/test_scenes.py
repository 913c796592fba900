"""Two scenes in a browser, without a kernel: relations and small maps, and what two sides say."""

import pytest

from credalbench.explore.explorers.compare import CompareModel
from credalbench.explore.explorers.compare.scene import compare_scene
from credalbench.explore.explorers.ensemble import EnsembleModel
from credalbench.explore.explorers.ensemble.scene import ensemble_scene, pair_at
from tests.e2e.on_the_page import PROJECTOR
from tests.e2e.scene_page import IN_WINDOW, RINGS, open_scene

pytestmark = pytest.mark.e2e


def test_places_in_a_relation_and_objects_of_every_map_are_reported(page):
    """What is reported of a click is where it was, an object wide."""
    page.set_viewport_size(PROJECTOR)
    model = EnsembleModel("half_rings:60", n_estimators=8, base_from=4, base_to=6)
    fitted = model.fitted
    open_scene(page, ensemble_scene(fitted))
    for panel, row, column in (("relation", 4, 50), ("closed", 40, 0)):
        page.mouse.click(*page.evaluate(IN_WINDOW, [panel, column + 0.5, 60 - row - 0.5]))
        event = page.evaluate("() => heard.at(-1)")
        assert (event["panel"], event["object"]) == (panel, None)
        assert pair_at(fitted, event["x"], event["y"]) == (fitted.order[row], fitted.order[column])
    page.mouse.click(*page.evaluate(IN_WINDOW, ["base 3", *fitted.subject.positions[7].tolist()]))
    event = page.evaluate("() => heard.at(-1)")
    assert (event["panel"], event["object"]) == ("base 3", 7)
    radii = page.evaluate(
        "() => [...document.querySelectorAll('.selected circle')].map((ring) => ring.r.baseVal.value)"
    )
    assert len(radii) == 2 * (1 + 8)  # two strokes on the map and on each of the small ones
    assert max(radii) == radii[0] > max(radii[2:])


def test_an_object_touched_on_one_map_is_described_by_both_sides(page):
    fitted = CompareModel("two_class:40:2").fitted
    open_scene(page, compare_scene(fitted))
    page.mouse.click(*page.evaluate(IN_WINDOW, ["right", 7]))
    assert page.evaluate("() => source.get('selected')") == 7
    assert page.evaluate(RINGS) == 6  # two strokes on either map and among the true classes
    text = page.locator(".credalbench-details").inner_text()
    left, right = text.index("left: fuzzy c-means"), text.index("right: ECM")
    for side, part in ((fitted.left, text[left:right]), (fitted.right, text[right:])):
        reason = side.partition.explain(7).reason
        assert f"{reason[0].upper()}{reason[1:]}." in part
    spoken = page.locator(".credalbench-canvas [aria-live]").inner_text()
    assert spoken.startswith("object 8: left: fuzzy c-means: ") and "right: ECM: " in spoken
    table = page.evaluate(
        "() => asCsv([mounted.shown().scene.evidence, mounted.shown().scene.second], (i) => `o${i}`)"
    ).splitlines()
    assert table[0].startswith("object,left: fuzzy c-means: ∅")
    assert len(table) == 41 and len(table[1].split(",")) == 1 + 2 * len(fitted.right.partition.focal_sets)
