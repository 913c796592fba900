"""The segmentation explorer: strokes, refits, images, messages of the browser."""

import numpy as np
import pytest

from credalbench.cluster import ECM
from credalbench.datasets import make_brain_phantom
from credalbench.explore import explore_segmentation
from credalbench.explore.explorers import segmentation as segmentation_model
from credalbench.explore.explorers.segmentation import MAX_PAIRS, SegmentationModel
from credalbench.explore.explorers.segmentation.scene import painted_pixels, segmentation_scene
from credalbench.explore.scene.scene import as_json
from credalbench.explore.sources.images import MAX_SIDE, image_from_picture
from tests.explore.browser import SOON, held, on_a_page, send, shown, upload
from tests.explore.declared import definition, png

LESION, REST = (1, 45, 30, 70, 55), (2, 62, 63, 117, 113)  # on the phantom: tool, top, left, bottom, right


@pytest.fixture
def model():
    return SegmentationModel("phantom", n_prototypes=100)


@pytest.fixture
def painted(model):
    model.rectangle(*LESION)
    model.rectangle(*REST)
    return model


def test_without_regions_both_fits_are_ecm(model):
    fitted = model.fitted
    assert not model.is_error and "Stand-in" in model.message
    # two routes to the same masses: sums over objects are taken in another order
    np.testing.assert_allclose(fitted.partition.masses, fitted.before.masses, atol=1e-8)
    options = {"alpha": 2.0, "delta": np.sqrt(10), "init": [[0.8], [0.3]]}
    direct = ECM(2, beta=2.0, **options).fit(fitted.run.found.prototypes)
    assert fitted.share_omega_before == pytest.approx(
        np.mean(direct.partition_.hard_credal()[fitted.run.found.nearest] == 3), abs=0.01
    )  # another start: the stopping rule leaves a thousandth


def test_regions_turn_the_undecided_pixels(painted):
    fitted = painted.fitted
    assert fitted.share_omega_before > 0.05 and fitted.share_omega < 0.01
    assert fitted.error(fitted.partition) < 0.01 < fitted.error(fitted.before)
    assert "violated" not in fitted.outcomes and fitted.share_constrained > 0.9


def test_one_region_alone_keeps_nothing_apart(model):
    words = "nly one region is painted"
    assert words not in model.message
    model.rectangle(*LESION)
    assert words in model.message and not model.is_error
    model.rectangle(*REST)
    assert words not in model.message
    model.undo()
    assert words in model.message


def test_both_sides_do_as_many_iterations_until_each_has_ended(painted):
    painted.rewind()
    start = painted.fitted
    X, options = start.run.found.prototypes, {"alpha": 2.0, "delta": np.sqrt(10), "metric": "mahalanobis"}
    whole = ECM(2, beta=2.0, init=start.run.estimator.start_, **options).fit(X)
    while not painted.fitted.ended:
        k = painted.fitted.iteration
        alone = ECM(2, beta=2.0, init=start.run.estimator.start_, max_iter=k, **options).fit(X)
        np.testing.assert_array_equal(painted.fitted.before.masses, alone.partition_.masses)
        painted.step()
    np.testing.assert_array_equal(painted.fitted.before.masses, whole.partition_.masses)


def test_kernels_are_ready_before_a_stroke_may_be_stopped(monkeypatch):
    """A fit beside the page that is stopped while numba compiles may leave numba unable to compile."""
    ready = []
    monkeypatch.setattr(segmentation_model, "compile_mass_sweeps", lambda: ready.append(True))
    monkeypatch.setattr(SegmentationModel, "_refit", lambda self, changed: ready.append("fit"))
    SegmentationModel("phantom")
    assert ready[0] is True and ready[1] == "fit"


def test_each_stroke_refits_once(model, count):
    model.rectangle(*LESION)
    model.brush(2, 5, [[80, 80], [100, 90]])
    model.undo()
    model.clear()
    assert len(count) == 4 and not model.is_error


def test_undo_returns_to_the_regions_before(painted):
    before = painted.regions().copy()
    painted.brush(0, 8, [[60, 40]])
    assert (painted.regions() != before).any()
    painted.undo()
    np.testing.assert_array_equal(painted.regions(), before)
    painted.clear()
    assert not painted.regions().any() and len(painted.fitted.run.marked.constraints) == 0
    painted.undo()  # nothing left to undo is not an error
    assert not painted.is_error


def test_clusters_are_numbered_by_brightness(painted):
    for c in (2, 3, 4):
        painted.n_clusters = c
        labels = painted.fitted.before.labels("pignistic")
        levels = painted.fitted.run.found.prototypes[:, 0]
        assert (np.diff([levels[labels == k].mean() for k in range(c)]) < 0).all()


def test_large_regions_are_cut_to_a_random_choice_of_pairs(model):
    model.n_prototypes = 400
    model.rectangle(*LESION)
    model.rectangle(*REST)
    marked = model.fitted.run.marked
    assert len(marked.constraints) == MAX_PAIRS[2] < marked.n_pairs


def test_grey_levels_have_one_metric_and_colours_two(painted):
    masses = {}
    for colour in (False, True):
        for metric in ("euclidean", "mahalanobis"):
            with painted.batch():
                painted.colour, painted.metric = colour, metric
            masses[colour, metric] = painted.fitted.partition.masses
    np.testing.assert_array_equal(masses[False, "euclidean"], masses[False, "mahalanobis"])
    assert painted.fitted.run.found.prototypes.shape[1] == 3


def test_what_a_fit_warns_of_is_in_the_message(painted, recwarn):
    """The phantom is grey: its three colours are collinear, and the covariances singular."""
    painted.colour = True
    assert "singular" in painted.message and not painted.is_error
    assert not [warning for warning in recwarn if "singular" in str(warning.message)]


@pytest.mark.parametrize("path", ["nonsense", [], [[0, None]]])
def test_bad_strokes_become_messages_and_change_nothing(painted, path):
    strokes, fitted = painted.strokes, painted.fitted
    painted.brush(1, 3, path)
    assert painted.is_error and painted.strokes == strokes and painted.fitted is fitted
    painted.rectangle(1, 5, 5, 5, 9)
    assert painted.is_error
    painted.rectangle(1, 5, 5, 8, 9)
    assert not painted.is_error


def test_another_image_has_no_strokes(painted):
    painted.data = "phantom:1"
    assert painted.strokes == [] and not painted.is_error
    assert painted.fitted.subject.name == "phantom:1"


def test_large_images_are_shrunk_and_arrays_taken():
    image = image_from_picture(np.random.default_rng(0).random((20, 2 * MAX_SIDE)))
    assert image.shape == (10, MAX_SIDE) and "shrunk to 10 x 256" in image.note
    assert image.levels.size == 3 * 10 * MAX_SIDE
    data = make_brain_phantom(2, shape=(40, 30))
    assert SegmentationModel(data, n_prototypes=20).subject.shape == (40, 30)
    assert SegmentationModel(np.eye(6)).fitted.run.found.n_colours == 2


# -- the view -------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_segmentation("phantom", n_prototypes=100)


def pixels_shown(explorer):
    raster = explorer.canvas.scene["panels"][0]["marks"][0]["pixels"]
    return np.frombuffer(raster["data"], dtype=np.uint8).reshape(raster["shape"])


def numbers_shown(explorer):
    return [mark["words"] for mark in explorer.canvas.scene["panels"][0]["marks"][1:]]


def regions_shown(explorer):
    """The regions, read from the colours of the pixels."""
    levels, pixels = explorer.model.subject.levels, pixels_shown(explorer)
    regions = np.zeros(pixels.shape[:2], dtype=int)
    for region in (1, 2):
        painted = painted_pixels(levels, np.full(regions.shape, region))
        regions[(pixels == painted).all(axis=-1)] = region
    return regions


def stroke(explorer, **content):
    """What the browser sends after a stroke."""
    message = {"event": "stroke", "tool": 1, "radius": 4, "path": [[57, 42], [60, 44]]} | content
    explorer.canvas._handle_custom_msg(message, [])


def test_canvas_shows_the_image_and_no_regions(explorer):
    np.testing.assert_array_equal(pixels_shown(explorer)[..., :3], explorer.model.subject.levels)
    assert not regions_shown(explorer).any() and numbers_shown(explorer) == []
    assert "156 rows and 141 columns" in explorer.canvas.description


def test_stroke_of_the_browser_refits_redraws_and_comes_back_as_a_region(explorer):
    before = shown(explorer)
    stroke(explorer)
    stroke(explorer, tool=2, radius=8, path=[[65, 70], [100, 95]])
    np.testing.assert_array_equal(regions_shown(explorer), explorer.model.regions())
    assert set(np.unique(regions_shown(explorer))) == {0, 1, 2} and numbers_shown(explorer) == ["1", "2"]
    assert "painted: region 1, region 2" in explorer.canvas.description
    assert shown(explorer) != before
    send(explorer.canvas, event="letter", letter="u")
    assert set(np.unique(regions_shown(explorer))) == {0, 1}


@pytest.mark.parametrize(
    "content", [{"path": "x"}, {"tool": 9}, {"radius": None}, {"path": []}, {"path": [[1, 2, 3]]}]
)
def test_nonsense_of_the_browser_is_a_message_and_drops_the_live_stroke(explorer, content, monkeypatch):
    sent = []
    monkeypatch.setattr(explorer.canvas, "send", sent.append)
    fitted = explorer.model.fitted
    stroke(explorer, **content)
    assert explorer.model.is_error and explorer.model.strokes == [] and explorer.model.fitted is fitted
    assert sent == [{"event": "handled"}]


@pytest.mark.parametrize("message", ["text", {}, {"event": "letter", "letter": "x"}, {"event": 3}])
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
    explorer.canvas.set_state({"region": 2, "radius": 9})
    assert explorer.controls["tool"].value == 2 and explorer.controls["radius"].value == 9
    explorer.controls["tool"].value = 0
    assert explorer.canvas.region == 0


@on_a_page
async def test_strokes_of_a_fit_that_goes_on_are_shown_and_those_of_a_stopped_one_are_taken_back(monkeypatch):
    explorer = explore_segmentation("phantom", n_prototypes=100)
    monkeypatch.setattr(explorer.model, "_patience_ms", lambda: 1)
    held(explorer.model)
    stroke(explorer)
    assert explorer.model.begun.wait(SOON) and explorer.model.busy
    assert regions_shown(explorer).any()
    explorer.controls["stop"].click()
    assert not regions_shown(explorer).any() and explorer.model.strokes == []


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
    assert explorer.model.message == "mine.png: 30 x 20 pixels."
    assert explorer.model.fitted.error(explorer.model.fitted.partition) is None
    assert pixels_shown(explorer).shape == (30, 20, 4)
    assert explorer.controls["bottom"].max == 30
    explorer.controls["data"].value = "phantom"
    assert pixels_shown(explorer).shape == (156, 141, 4)


# -- the introduction ------------------------------------------------------------------------------------


def check_strokes():
    model = SegmentationModel("phantom")
    before = model.fitted
    model.strokes = [{"tool": 1, "rectangle": [0, 0, 6, 6]}]
    assert model.fitted is not before and not model.is_error
    assert model.fitted.before.masses.shape == model.fitted.partition.masses.shape


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {
    "CECM refits": check_strokes,
    "The left image": check_strokes,
    "The two images are substitutes": definition,
    "*Your image*": definition,
}
