"""The ECM explorer's widgets without a browser."""

import numpy as np
import pytest

from credalbench.explore import explore_ecm
from credalbench.explore.ecm.model import LAST, ECMModel
from credalbench.explore.ecm.picture import EcmPicture
from tests.explore.browser import PNG, slide, upload


@pytest.fixture
def explorer():
    return explore_ecm("two_class:40:2")


def drag(explorer, k, x, y):
    """What the kernel does when the browser reports a drag of handle `k`."""
    explorer.image._handle_custom_msg({"event": "drag", "handle": k, "x": x, "y": y}, [])


def press(explorer, letter):
    explorer.image._handle_custom_msg({"event": "letter", "letter": letter}, [])


def test_a_dragged_prototype_is_where_it_was_dropped(explorer):
    before = explorer.image.value
    drag(explorer, 1, 200, 150)
    assert explorer.model.fitted.iteration == 0
    assert explorer.image.handles[1] == pytest.approx([200, 150], abs=0.1)  # places have one digit
    assert explorer.image.value[:8] == PNG
    assert explorer.image.value != before


def test_a_prototype_dropped_beside_the_map_stays_on_it(explorer):
    drag(explorer, 0, 950, 10)
    corner = explorer.picture.map.get_xlim()[1], explorer.picture.map.get_ylim()[1]
    assert explorer.model.fitted.prototypes[0] == pytest.approx(corner, rel=1e-12)  # rounding


def test_numbers_do_what_dragging_does(explorer):
    controls = explorer.controls
    controls["prototype"].value = 1
    place = explorer.model.fitted.prototypes[1]
    assert [controls[name].value for name in ("place_x", "place_y")] == pytest.approx(place, rel=1e-3)
    controls["place_x"].value = 2.5
    assert explorer.model.fitted.prototypes[1, 0] == pytest.approx(2.5, rel=1e-12)  # rounding
    assert explorer.model.fitted.prototypes[1, 1] == pytest.approx(place[1], rel=1e-3)  # as it was shown
    controls["prototype"].value = 0
    assert controls["place_x"].value == pytest.approx(explorer.model.fitted.prototypes[0, 0], rel=1e-3)


def test_buttons_and_letters_go_through_the_iterations(explorer):
    explorer.controls["restart"].click()
    assert explorer.model.fitted.iteration == 0
    explorer.controls["step"].click()
    assert explorer.model.fitted.iteration == 1
    press(explorer, "s")
    assert explorer.model.fitted.iteration == 2
    press(explorer, "e")
    assert explorer.model.fitted.ended
    press(explorer, "n")
    assert (explorer.model.fitted.iteration, explorer.model.seed) == (0, 2)
    explorer.controls["finish"].click()
    assert explorer.model.fitted.ended


def test_playing_goes_through_all_iterations(explorer):
    """The browser counts up; each number is one more iteration in the picture."""
    explorer.controls["restart"].click()
    play, slider, pictures = explorer.controls["play"], explorer.controls["iteration"], set()
    for k in range(play.max + 1):
        slide(play, k)
        assert explorer.model.fitted.iteration == k == slider.value
        pictures.add(explorer.image.value)
    assert explorer.model.fitted.ended
    assert len(pictures) == play.max + 1
    slide(play, 0)  # stop
    assert explorer.model.fitted.iteration == 0


def test_the_range_of_iterations_is_that_of_the_run(explorer):
    slider, play = explorer.controls["iteration"], explorer.controls["play"]
    for beta in (1.5, 2.0, 3.0):
        explorer.controls["beta"].value = beta
        n_iter = explorer.model.fitted.n_iter
        assert slider.max == slider.value == play.max == play.value == n_iter
    assert explorer.model.iteration == LAST  # following is no wish


def test_handles_are_where_the_picture_draws_the_prototypes(explorer):
    """A white disc in a rim of ink."""
    explorer.picture.png(explorer.model.fitted)
    pixels = np.asarray(explorer.picture.figure.canvas.buffer_rgba())[:, :, :3].astype(int)
    for x, y in np.round(explorer.image.handles).astype(int):
        assert pixels[y, x - 8 : x + 9].max() == 255
        assert pixels[y, x - 14 : x - 7].min() < 80


def test_read_outs_name_what_they_show(explorer):
    for name in ("iteration", "objective J", "ARI", "nonspecificity", "outliers", "fit + drawing"):
        assert f">{name}</div>" in explorer.readouts.value
    assert "Map of 40 objects of two classes, draw 2" in explorer.readouts.value
    assert explorer.image.description in explorer.readouts.value


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert len(explorer.image.handles) == 2


def test_picture_draws_few_and_many_clusters():
    model, picture = ECMModel("two_class:40:2", focal_sets="full"), EcmPicture()
    for c in (2, 4, 6):
        model.n_clusters = c
        assert picture.png(model.fitted)[:8] == PNG
