"""The CECM explorer's widgets without a browser."""

import numpy as np
import pytest

from credalbench.explore import explore_cecm
from credalbench.explore.explorers.cecm.model import CECMModel
from credalbench.explore.explorers.cecm.scene import CROSS, cecm_scene
from credalbench.explore.scene.marks import DASHED, Line, Points, Text
from credalbench.plots.constraints import VIOLATED
from credalbench.plots.style import INK
from tests.explore.browser import shown, upload

#: Fitted with no weight, some of them are violated.
LINKS = ((3, 30, "cannot-link"), (0, 12, "must-link"), (1, 39, "must-link"), (1, 2, "cannot-link"))


@pytest.fixture
def explorer():
    return explore_cecm("two_class:40:2")


def click(explorer, i):
    """What the kernel does when the browser reports a click on object `i`."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "panel": "map", "x": 0, "y": 0}, [])


def press(explorer, letter):
    explorer.image._handle_custom_msg({"event": "letter", "letter": letter}, [])


def test_two_clicks_and_a_button_make_a_constraint(explorer):
    before = shown(explorer)
    click(explorer, 3)
    click(explorer, 30)
    assert explorer.image.chosen == [3, 30]
    assert (explorer.controls["first"].value, explorer.controls["second"].value) == ("3", "30")
    assert shown(explorer) == before  # choosing needs no new picture
    explorer.controls["cannot-link"].click()
    assert explorer.model.links == ((3, 30, "cannot-link"),)
    assert explorer.image.chosen == []
    assert shown(explorer) != before


def test_numbers_and_buttons_do_what_clicks_do(explorer):
    explorer.controls["first"].value = "0"
    assert explorer.image.chosen == [0]
    explorer.controls["second"].value = "12"
    explorer.controls["must-link"].click()
    assert explorer.model.links == ((0, 12, "must-link"),)
    explorer.controls["first"].value = "forty"
    assert "numbers of objects" in explorer.message.value
    explorer.controls["first"].value = "40"
    assert "got 40" in explorer.message.value
    assert explorer.model.choice.objects == ()


def test_letters_in_the_picture_are_buttons(explorer):
    press(explorer, "p")
    assert len(explorer.image.chosen) == 2
    press(explorer, "t")
    press(explorer, "m")
    assert "two objects first" in explorer.message.value
    assert len(explorer.model.links) == 1
    press(explorer, "u")
    assert explorer.model.links == ()


def test_a_click_off_all_objects_drops_the_choice(explorer):
    click(explorer, 3)
    click(explorer, None)
    assert explorer.image.chosen == []


def test_method_is_named_and_what_does_not_count_is_off(explorer):
    assert "<b>ECM</b>" in explorer.note.value
    assert explorer.controls["xi"].disabled
    assert explorer.controls["undo"].disabled
    explorer.controls["beta"].value = 3.0
    explorer.model.choice.choose(0, 39)
    explorer.model.link("truth")
    assert "<b>CECM</b>, where β is 2" in explorer.note.value
    assert explorer.controls["beta"].disabled
    assert explorer.controls["beta"].value == 2.0
    explorer.controls["clear"].click()
    assert explorer.controls["beta"].value == explorer.model.beta == 3.0
    explorer.controls["undo"].click()
    assert len(explorer.model.links) == 1


def test_constraints_can_be_taken_back_after_points_are_drawn(explorer):
    explorer.model.links = ((0, 12, "must-link"),)
    explorer.model.drawing.add(0.0, 0.0)
    assert not explorer.controls["undo"].disabled
    explorer.controls["undo"].click()
    assert explorer.model.links == () and explorer.controls["undo"].disabled


def test_delta_keeps_its_digits_next_to_a_slider_of_steps(explorer):
    slider = explorer.controls["delta_slider"]
    explorer.controls["delta"].value = 31.6
    assert slider.value == pytest.approx(10**1.5, rel=1e-12)  # the nearest step
    assert explorer.model.delta == explorer.controls["delta"].value == 31.6
    slider.value = 10**1.6
    assert explorer.model.delta == 10**1.6
    assert explorer.controls["delta"].value == 39.810717  # eight digits
    explorer.controls["delta"].value = 0.0
    assert "got 0" in explorer.message.value


def test_a_contradiction_gives_a_message_and_keeps_the_picture(explorer):
    for pair, kind in (((0, 1), "must-link"), ((0, 1), "cannot-link")):
        before = shown(explorer)
        explorer.model.choice.choose(*pair)
        explorer.controls[kind].click()
    assert "but must-links 0 - 1" in explorer.message.value
    assert shown(explorer) == before


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert [panel["name"] for panel in shown(explorer)["panels"]] == ["map", "violations", "trace"]
    assert explorer.controls["truth"].disabled  # no classes, no truth


def panel_of(scene, name):
    return next(panel for panel in scene.panels if panel.name == name)


def lines(scene):
    """Lines of constraints on the map by look: (dash, colour) -> ends (q, 2, 2)."""
    drawn = [mark for mark in scene.panels[0].marks if isinstance(mark, Line) and mark.stroke.halo]
    return {
        (mark.stroke.dash, mark.stroke.colour): mark.path.reshape(-1, 3, 2)[:, :2]
        for mark in drawn
        if len(mark.path)
    }


def crosses(panel):
    """Where a panel has the cross of violated constraints, (q, 2)."""
    return next(mark.positions for mark in panel.marks if isinstance(mark, Points) and mark.looks == [CROSS])


@pytest.fixture(scope="module")
def constrained():
    return CECMModel("two_class:40:2", links=LINKS, xi=0.0).fitted


def test_constraints_are_lines_between_their_objects(constrained):
    positions, scene = constrained.subject.positions, cecm_scene(constrained)
    drawn = lines(scene)
    for (i, j, kind), violated in zip(LINKS, constrained.violated):
        look = (DASHED if kind == "cannot-link" else ()), VIOLATED if violated else INK
        assert any(np.array_equal(ends, positions[[i, j]]) for ends in drawn[look])
    assert sum(map(len, drawn.values())) == len(LINKS)
    broken = [positions[[i, j]].mean(axis=0) for (i, j, _), at in zip(LINKS, constrained.violated) if at]
    assert 0 < len(broken) < len(LINKS)
    assert sorted(crosses(scene.panels[0]).tolist()) == sorted(np.array(broken).tolist())


def test_violations_stand_in_the_order_of_the_constraints(constrained):
    panel = panel_of(cecm_scene(constrained), "violations")
    dots = [mark for mark in panel.marks if isinstance(mark, Points) and mark.looks != [CROSS]]
    places = {
        at: mark.looks[k].shape for mark in dots for at, k in zip(map(tuple, mark.positions), mark.look_of)
    }
    expected = zip(range(1, 5), constrained.violations)
    assert [places[at] for at in expected] == ["circle", "square", "square", "circle"]
    assert crosses(panel)[:, 0].tolist() == (np.flatnonzero(constrained.violated) + 1).tolist()
    assert panel.x.high > 10  # there is room for more
    assert not any(isinstance(mark, Text) for mark in panel.marks)


def test_without_constraints_the_panel_of_violations_reports_it(explorer):
    *_, words = panel_of(cecm_scene(explorer.model.fitted), "violations").marks
    assert words.words == "no constraints"


def test_the_scene_shows_few_and_many_clusters():
    model = CECMModel("iris", n_init=1)
    for c in (2, 4, 6):
        model.n_clusters = c
        *_, prototypes = (
            mark for mark in cecm_scene(model.fitted).panels[0].marks if isinstance(mark, Points)
        )
        assert prototypes.positions == pytest.approx(model.fitted.centers_on_map)
