"""The segmentation explorer's widgets without a browser."""

import asyncio
import time
from threading import Event

import numpy as np
import pytest

from credalbench.explore import explore_segmentation
from credalbench.explore.canvas.paint_canvas import PaintCanvas
from credalbench.explore.explorers.segmentation.scene import segmentation_scene
from credalbench.explore.scene.scene import as_json
from credalbench.progress import check_cancelled
from tests.explore.browser import shown, upload
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
    before = shown(explorer)
    stroke(explorer)
    stroke(explorer, tool=2, radius=8, path=[[65, 70], [100, 95]])
    np.testing.assert_array_equal(regions_shown(explorer), explorer.model.regions())
    assert set(np.unique(regions_shown(explorer))) == {0, 1, 2}
    assert shown(explorer) != before
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


def test_rectangle_of_numbers_paints_what_the_tool_is(explorer):
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


def test_strokes_of_a_fit_that_goes_on_are_shown_and_those_of_a_stopped_one_are_taken_back(monkeypatch):
    async def paint_and_stop():
        explorer = explore_segmentation("phantom", n_prototypes=100)
        begun = Event()

        def never_ends(changed):
            begun.set()
            while True:
                check_cancelled()
                time.sleep(1e-3)

        monkeypatch.setattr(explorer.model, "_refit", never_ends)
        monkeypatch.setattr(explorer.model, "_patience_ms", lambda: 1)
        explorer.model.page = asyncio.get_running_loop
        stroke(explorer)
        assert begun.wait(60) and explorer.model.busy
        assert regions_shown(explorer).any()
        explorer.controls["stop"].click()
        assert not regions_shown(explorer).any() and explorer.model.strokes == []

    asyncio.run(paint_and_stop())


def test_decision_changes_the_picture_only(explorer):
    before, fitted = shown(explorer), explorer.model.fitted
    explorer.controls["decision"].value = "pignistic"
    assert shown(explorer) != before and explorer.model.fitted is fitted


def test_a_pixel_has_the_colour_of_the_set_and_is_the_object_of_its_prototype(explorer):
    explorer.model.rectangle(*LESION)
    explorer.model.rectangle(*REST)
    fitted = explorer.model.fitted
    scene = segmentation_scene(fitted)
    for panel, partition in zip(scene.panels, (fitted.before, fitted.partition)):
        (image,) = panel.marks
        assert (panel.x.high, panel.y.high) == (141, 156) and image.box == (0, 0, 141, 156)
        colours = [f"#{bytes(colour[:3]).hex()}" for colour in image.colours]
        assert colours == [scene.evidence.colours[j] for j in partition.hard_credal()]
    np.testing.assert_array_equal(scene.objects.pixels, fitted.run.found.nearest)
    grey = round(255 * fitted.run.found.image[57, 42, 0])
    touched = scene.objects.names[fitted.run.found.nearest[57, 42]]
    assert touched.startswith("grey level ") and abs(float(touched.split()[-1]) - grey) < 4  # 100 prototypes


def test_masses_are_drawn_over_the_grey_levels_before_and_after(explorer):
    fitted = explorer.model.fitted
    *_, levels, _ = segmentation_scene(fitted).panels
    bars, *curves, points = levels.marks
    assert bars.boxes[:, 3].max() == pytest.approx(0.5, rel=1e-12)  # rounding
    drawn = [curve.path[:, 1] for curve in curves if curve.stroke.dash]
    used = np.unique([fitted.before.hard_credal(), fitted.partition.hard_credal()])
    np.testing.assert_array_equal(drawn, fitted.before.masses[:, used].T)
    np.testing.assert_array_equal(points.positions[:, 1], fitted.partition.masses.max(axis=1))
    np.testing.assert_array_equal(points.positions[:, 0], 255 * fitted.run.found.prototypes[:, 0])
    explorer.controls["decision"].value = "pignistic"
    labels = [entry["label"] for entry in explorer.image.scene["legend"]]
    assert labels[:3] == ["{1}", "{2}", "number of pixels"]


def test_colours_are_placed_by_brightness(explorer):
    upload(explorer, "mine.png", png(np.random.default_rng(0).integers(0, 256, (20, 30, 3))))
    explorer.model.colour = True
    scene = segmentation_scene(explorer.model.fitted)
    _, points = scene.panels[2].marks
    assert scene.panels[2].x.label == "brightness" and len(points.positions) == 100
    assert all(name.startswith("colour #") for name in scene.objects.names)
    colours = explorer.model.fitted.run.found.prototypes
    gaps = np.linalg.norm(colours[:, None] - colours, axis=2)
    np.testing.assert_array_equal(scene.objects.nearest[:, 0], np.argsort(gaps, axis=1)[:, 1])


def test_the_selected_prototype_stays_while_it_is_there(explorer):
    last = len(explorer.model.fitted.run.found.prototypes) - 1
    explorer.image.set_state({"selected": last})
    stroke(explorer)
    assert explorer.model.selected == explorer.image.selected == last
    explorer.controls["n_prototypes"].value = 50
    assert explorer.model.selected is None and explorer.image.selected is None
    explorer.image.set_state({"selected": 50})
    assert explorer.model.selected is None and explorer.image.selected is None


def test_names_nearest_and_pixels_are_sent_once_for_an_image(explorer):
    sent = []
    explorer.image.observe(sent.append, "objects")
    stroke(explorer)
    assert sent == []
    colours = 4 * explorer.model.fitted.run.found.nearest.size  # bytes of those of all pixels
    assert len(as_json(explorer.image.scene)) < colours
    explorer.controls["n_prototypes"].value = 50
    assert len(sent) == 1


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


def test_script_exports_a_renderer_and_fetches_nothing():
    """The script travels with the package, and needs no network."""
    script = str(PaintCanvas._esm)
    assert "export default { render }" in script
    assert "import " not in script and "fetch(" not in script
    assert script.count("http") == script.count("http://www.w3.org/2000/svg") == 1
