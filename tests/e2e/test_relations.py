"""The scene of the ensemble explorer in a browser, without a kernel: places in a relation, and small maps."""

import pytest

from credalbench.explore.explorers.ensemble.model import EnsembleModel
from credalbench.explore.explorers.ensemble.relation_panels import pair_at
from credalbench.explore.explorers.ensemble.scene import ensemble_scene
from tests.e2e.on_the_page import PROJECTOR
from tests.e2e.scene_page import open_scene

pytestmark = pytest.mark.e2e

#: Where a place of a panel is in the window, in units of its axes.
IN_WINDOW = """([name, x, y]) => {
  const { left, top } = document.querySelector('.credalbench-canvas canvas').getBoundingClientRect();
  const frame = mounted.shown().layout.frames.find((one) => one.panel.name === name);
  return [left + frame.x.to(x), top + frame.y.to(y)];
}"""


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
