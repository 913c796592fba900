"""The segmentation explorer's widgets without a browser."""

import numpy as np
import pytest

from credalbench.explore import explore_segmentation
from credalbench.explore.shared.widgets.paint_canvas import PaintCanvas
from tests.explore.browser import PNG, upload
from tests.explore.test_segmentation_model import LESION, REST, png


@pytest.fixture
def explorer():
    return explore_segmentation("phantom", n_prototypes=100)


def regions_shown(explorer):
    return np.frombuffer(explorer.canvas.regions, dtype=np.uint8).reshape(explorer.model.subject.shape)


def stroke(explorer, **content):
    """What the browser sends after a stroke."""
    message = {"event": "stroke", "tool": 1, "radius": 4, "path": [[57, 42], [60, 44]]} | content
    explorer.canvas._handle_custom_msg(message, [])


def test_canvas_shows_the_image_and_no_regions(explorer):
    scene = explorer.model.subject
    assert (explorer.canvas.rows, explorer.canvas.columns) == scene.shape
    assert explorer.canvas.pixels == scene.levels.tobytes()
    assert not regions_shown(explorer).any()


def test_stroke_of_the_browser_refits_redraws_and_comes_back_as_a_region(explorer):
    before = explorer.image.value
    stroke(explorer)
    stroke(explorer, tool=2, radius=8, path=[[65, 70], [100, 95]])
    np.testing.assert_array_equal(regions_shown(explorer), explorer.model.regions())
    assert set(np.unique(regions_shown(explorer))) == {0, 1, 2}
    assert explorer.image.value[:8] == PNG and explorer.image.value != before
    explorer.canvas._handle_custom_msg({"event": "command", "name": "undo"}, [])
    assert set(np.unique(regions_shown(explorer))) == {0, 1}


@pytest.mark.parametrize(
    "content", [{"path": "x"}, {"tool": 9}, {"radius": None}, {"path": []}, {"path": [[1, 2, 3]]}]
)
def test_nonsense_of_the_browser_is_a_message_and_drops_the_live_stroke(explorer, content, monkeypatch):
    sent = []
    monkeypatch.setattr(explorer.canvas, "send_state", sent.append)
    stroke(explorer, **content)
    assert explorer.model.is_error and explorer.model.strokes == []
    assert "regions" in sent


@pytest.mark.parametrize("message", ["text", {}, {"event": "command", "name": "export"}, {"event": 3}])
def test_unknown_messages_are_dropped(explorer, message):
    before = explorer.model.state()
    explorer.canvas._handle_custom_msg(message, [])
    assert explorer.model.state() == before and not explorer.model.is_error


def test_rectangle_of_numbers_paints_what_the_tool_says(explorer):
    for tool, *sides in (LESION, REST):
        explorer.controls["tool"].value = tool
        for name, value in zip(("top", "left", "bottom", "right"), sides):
            explorer.controls[name].value = value
        explorer.controls["rectangle"].click()
    assert (regions_shown(explorer) == 1).sum() == 25 * 25
    assert explorer.model.fitted.share_omega < 0.01
    explorer.controls["undo"].click()
    assert not (regions_shown(explorer) == 2).any()
    explorer.controls["clear"].click()
    assert not regions_shown(explorer).any()


def test_brush_is_the_same_on_canvas_and_controls(explorer):
    explorer.canvas.set_state({"tool": 2, "radius": 9})
    assert explorer.controls["tool"].value == 2 and explorer.controls["radius"].value == 9
    explorer.controls["tool"].value = 0
    assert explorer.canvas.tool == 0


def test_decision_changes_the_picture_only(explorer):
    before, fitted = explorer.image.value, explorer.model.fitted
    explorer.controls["decision"].value = "pignistic"
    assert explorer.image.value != before and explorer.model.fitted is fitted


def test_upload_shows_an_own_image(explorer):
    pixels = np.zeros((30, 20, 3))
    pixels[10:] = 180
    pixels[20:, 5:] = (20, 200, 90)
    upload(explorer, "mine.png", png(pixels))
    assert explorer.controls["data"].value == "mine.png" and explorer.controls["upload"].value == ()
    assert (explorer.canvas.rows, explorer.canvas.columns) == (30, 20)
    assert explorer.controls["bottom"].max == 30
    explorer.controls["data"].value = "phantom"
    assert len(explorer.canvas.regions) == 156 * 141


def test_read_outs_name_what_they_show(explorer):
    explorer.model.rectangle(*LESION)
    for name in ("Ω before", "Ω after", "wrong", "violated", "contested", "objective", "fit", "drawing"):
        assert f">{name}</div>" in explorer.readouts.value
    assert "regions of 625 and 0 pixels" in explorer.readouts.value


def test_script_exports_a_renderer_and_fetches_nothing():
    """The script travels with the package, and needs no network."""
    script = str(PaintCanvas._esm)
    assert "export default { render }" in script
    assert "import " not in script and "fetch(" not in script
    assert script.count("http") == script.count("http://www.w3.org/2000/svg") == 1
