"""The ECM explorer's widgets without a browser."""

import numpy as np
import pytest

from credalbench.explore import explore_ecm
from credalbench.explore.explorers.ecm.model import ECMModel
from credalbench.explore.explorers.ecm.scene import ecm_scene
from tests.explore.browser import shown, upload


@pytest.fixture
def explorer():
    return explore_ecm("two_class:40:2")


def drag(explorer, k, x, y):
    """What the kernel does when the browser reports a drag of handle `k`."""
    explorer.image._handle_custom_msg({"event": "drag", "handle": k, "x": x, "y": y}, [])


def press(explorer, letter):
    explorer.image._handle_custom_msg({"event": "letter", "letter": letter}, [])


def panel_of(explorer, name):
    return next(panel for panel in explorer.image.scene["panels"] if panel["name"] == name)


def handles(explorer):
    """Where the browser has the handles, (c, 2)."""
    return np.frombuffer(explorer.image.scene["handles"]["positions"]["data"]).reshape(-1, 2)


def test_a_dragged_prototype_is_where_it_was_dropped(explorer):
    before = shown(explorer)
    drag(explorer, 1, 2.5, 1.5)
    assert explorer.model.fitted.iteration == 0
    assert explorer.model.fitted.prototypes[1] == pytest.approx([2.5, 1.5], rel=1e-12)  # rounding
    assert handles(explorer)[1] == pytest.approx([2.5, 1.5], rel=1e-12)  # rounding
    assert shown(explorer) != before


def test_numbers_do_what_dragging_does(explorer):
    controls = explorer.controls
    controls["prototype"].value = 1
    place = explorer.model.fitted.prototypes[1]
    assert [controls[name].value for name in ("place_x", "place_y")] == pytest.approx(place, rel=1e-3)
    controls["place_x"].value = 2.5
    assert explorer.model.fitted.prototypes[1, 0] == pytest.approx(2.5, rel=1e-12)  # rounding
    assert explorer.model.fitted.prototypes[1, 1] == pytest.approx(place[1], rel=1e-12)  # rounding
    controls["prototype"].value = 0
    assert controls["place_x"].value == pytest.approx(explorer.model.fitted.prototypes[0, 0], rel=1e-3)


def test_a_new_start_waits_before_its_first_iteration(explorer):
    for draw in (explorer.controls["restart"].click, lambda: press(explorer, "n")):
        start = explorer.model.start
        draw()
        assert explorer.model.fitted.iteration == 0
        assert explorer.model.start != start


def test_the_scene_shows_objects_prototypes_and_the_iteration(explorer):
    drag(explorer, 0, 1.0, 1.0)
    for _ in range(2):
        explorer.controls["step"].click()
    fitted, scene = explorer.model.fitted, ecm_scene(explorer.model.fitted)
    assert [panel.name for panel in scene.panels] == ["map", "classes", "cardinalities", "trace"]
    objects, *_ = scene.panels[0].marks
    assert objects.objects.tolist() == list(range(40))
    assert scene.handles.positions == pytest.approx(fitted.prototypes, rel=1e-12)  # rounding
    *_, dot = scene.panels[3].marks
    assert dot.positions.tolist() == [[2.0, fitted.objective]]
    (bars,) = scene.panels[2].marks
    assert bars.boxes[:, 3].sum() == pytest.approx(1, rel=1e-12)  # all mass


def test_without_classes_there_is_no_panel_of_them(explorer):
    assert panel_of(explorer, "classes")
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert "classes" not in [panel["name"] for panel in explorer.image.scene["panels"]]


@pytest.mark.parametrize("c", [2, 4, 6])
def test_of_very_many_sets_the_legend_lists_some(c):
    model = ECMModel("two_class:40:2", focal_sets="full", n_clusters=c)
    scene = ecm_scene(model.fitted)
    sets = [entry.label for entry in scene.legend[:-3]]
    used = np.unique(model.fitted.partition.hard_credal())
    assert len(sets) == min(len(used), 13)
    assert (sets[-1] == "…") == (len(used) > 12)
