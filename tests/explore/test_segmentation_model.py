"""The segmentation explorer without widgets: strokes, refits, messages, state."""

import io
import json

import numpy as np
import pytest
from PIL import Image

from credalbench.cluster import ECM
from credalbench.datasets.phantom import make_brain_phantom
from credalbench.explore.explorers.segmentation import model as segmentation_model
from credalbench.explore.explorers.segmentation.model import MAX_PAIRS, SegmentationModel
from credalbench.explore.sources.images import MAX_SIDE, image_from_picture

LESION, REST = (1, 45, 30, 70, 55), (2, 62, 63, 117, 113)  # on the phantom: tool, top, left, bottom, right


def png(pixels):
    buffer = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


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
    direct = ECM(2, **options).fit(fitted.run.found.prototypes)
    assert fitted.share_omega_before == pytest.approx(
        np.mean(direct.partition_.hard_credal()[fitted.run.found.nearest] == 3), abs=0.01
    )  # another start: the stopping rule leaves a thousandth


def test_regions_turn_the_undecided_pixels(painted):
    fitted = painted.fitted
    assert fitted.share_omega_before > 0.05 and fitted.share_omega < 0.01
    assert fitted.error(fitted.partition) < 0.01 < fitted.error(fitted.before)
    assert fitted.n_violated == 0 and fitted.share_constrained > 0.9


def test_both_sides_do_as_many_iterations_until_each_has_ended(painted):
    painted.rewind()
    start = painted.fitted
    X, options = start.run.found.prototypes, {"alpha": 2.0, "delta": np.sqrt(10), "metric": "mahalanobis"}
    whole = ECM(2, init=start.run.estimator.start_, **options).fit(X)
    while not painted.fitted.ended:
        k = painted.fitted.iteration
        alone = ECM(2, init=start.run.estimator.start_, max_iter=k, **options).fit(X)
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


def test_each_stroke_and_each_parameter_refit_once(model, count):
    model.rectangle(*LESION)
    model.brush(2, 5, [[80, 80], [100, 90]])
    model.xi = 0.3
    model.alpha = 1.5
    model.metric = "euclidean"
    model.n_prototypes = 50
    model.undo()
    model.clear()
    assert len(count) == 8 and not model.is_error
    with model.batch():
        model.xi = 0.4
        model.n_clusters = 3
    assert len(count) == 9 and model.fitted.partition.n_clusters == 3


def test_undo_returns_to_the_regions_before(painted):
    before = painted.regions().copy()
    painted.brush(0, 8, [[60, 40]])
    assert (painted.regions() != before).any()
    painted.undo()
    np.testing.assert_array_equal(painted.regions(), before)
    painted.clear()
    assert not painted.regions().any() and len(painted.fitted.run.marked.constraints) == 0
    painted.undo()  # nothing left to undo is no error
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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("absent.png", "does not exist"),
        ("no such image", "data set named"),
        ("iris", "is no image"),
        ("phantom:x", "number after the colon"),
    ],
)
def test_what_is_no_image_is_refused_with_the_reason(model, name, words):
    model.data = name
    assert model.is_error and words in model.message


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


def test_own_image_survives_the_state(model):
    pixels = np.zeros((20, 24, 3))
    pixels[:, 12:] = (200, 100, 50)
    pixels[5:8] = 120
    model.load_file(png(pixels), "mine.png")
    model.rectangle(1, 0, 0, 4, 4)
    assert model.message == "mine.png: 20 x 24 pixels."
    twin = SegmentationModel("phantom", n_prototypes=50)
    twin.set_state(json.loads(json.dumps(model.state())))
    assert twin.data == "mine.png" and twin.strokes == model.strokes
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)
    assert model.fitted.error(model.fitted.partition) is None


@pytest.mark.parametrize(
    "state",
    [
        {"strokes": [{"tool": 7}]},
        {"data": "mine.png", "own": "no base 64"},
        {"n_clusters": "many"},
        {"zeta": 1},
    ],
)
def test_a_broken_state_becomes_a_message_and_changes_nothing(painted, state):
    before = painted.state()
    painted.set_state(state)
    assert painted.is_error
    assert painted.state() == before


def test_large_images_are_shrunk_and_arrays_taken():
    image = image_from_picture(np.random.default_rng(0).random((20, 2 * MAX_SIDE)))
    assert image.shape == (10, MAX_SIDE) and "shrunk to 10 x 256" in image.note
    assert image.levels.size == 3 * 10 * MAX_SIDE
    data = make_brain_phantom(2, shape=(40, 30))
    assert SegmentationModel(data, n_prototypes=20).subject.shape == (40, 30)
    assert SegmentationModel(np.eye(6)).fitted.run.found.n_colours == 2


def test_unusable_images_become_a_message_and_others_can_follow():
    model = SegmentationModel(np.full((5, 5), 0.5))
    assert model.is_error and "two different colours" in model.message
    model.data = "phantom"
    assert model.fitted is not None and not model.is_error
