"""The CECM explorer's widgets without a browser."""

import io

import numpy as np
import pytest
from PIL import Image

from credalbench.explore import explore_cecm
from credalbench.explore.cecm.model import CECMModel
from credalbench.explore.cecm.picture import CecmPicture
from tests.explore.browser import PNG, upload


@pytest.fixture
def explorer():
    return explore_cecm("two_class:40:2")


def click(explorer, i):
    """What the kernel does when the browser reports a click on object `i`."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "x": 0, "y": 0}, [])


def press(explorer, letter):
    explorer.image._handle_custom_msg({"event": "letter", "letter": letter}, [])


def test_two_clicks_and_a_button_make_a_constraint(explorer):
    before = explorer.image.value
    click(explorer, 3)
    click(explorer, 30)
    assert explorer.image.chosen == [3, 30]
    assert (explorer.controls["first"].value, explorer.controls["second"].value) == ("3", "30")
    assert explorer.image.value == before  # choosing needs no new picture
    explorer.controls["cannot-link"].click()
    assert explorer.model.links == ((3, 30, "cannot-link"),)
    assert explorer.image.chosen == []
    assert explorer.image.value[:8] == PNG
    assert explorer.image.value != before


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
    assert explorer.model.chosen_objects == ()


def test_letters_in_the_picture_are_buttons(explorer):
    press(explorer, "s")
    assert len(explorer.image.chosen) == 2
    press(explorer, "t")
    press(explorer, "m")
    assert "two objects first" in explorer.message.value
    assert len(explorer.model.links) == 1
    press(explorer, "u")
    assert explorer.model.links == ()


def test_a_click_beside_all_objects_drops_the_choice(explorer):
    click(explorer, 3)
    click(explorer, None)
    assert explorer.image.chosen == []


def test_method_is_named_and_what_does_not_count_is_off(explorer):
    assert "<b>ECM</b>" in explorer.note.value
    assert explorer.controls["xi"].disabled
    assert explorer.controls["undo"].disabled
    explorer.controls["beta"].value = 3.0
    explorer.model.choose(0, 39)
    explorer.model.link("truth")
    assert "<b>CECM</b>, where β is 2" in explorer.note.value
    assert explorer.controls["beta"].disabled
    assert explorer.controls["beta"].value == 2.0
    explorer.controls["clear"].click()
    assert explorer.controls["beta"].value == explorer.model.beta == 3.0
    explorer.controls["undo"].click()
    assert len(explorer.model.links) == 1


def test_delta_keeps_its_digits_beside_a_slider_of_steps(explorer):
    slider = explorer.controls["delta_slider"]
    explorer.controls["delta"].value = 31.6
    assert slider.value == pytest.approx(10**1.5, rel=1e-12)  # the nearest step
    assert explorer.model.delta == explorer.controls["delta"].value == 31.6
    slider.value = 10**1.6
    assert explorer.model.delta == 10**1.6
    assert explorer.controls["delta"].value == 39.810717  # eight digits
    explorer.controls["delta"].value = 0.0
    assert "got 0" in explorer.message.value


def test_read_outs_name_what_they_show(explorer):
    explorer.model.choose(0, 39)
    explorer.model.link("truth")
    names = ("ARI", "ARI, unconstrained", "objective J", "data part", "constraint part", "violated")
    for name in (*names, "iterations", "fit + drawing"):
        assert f">{name}</div>" in explorer.readouts.value
    assert "0 of 1" in explorer.readouts.value
    assert "Map of 40 objects of two classes, draw 2" in explorer.readouts.value
    assert explorer.image.description in explorer.readouts.value


def test_a_contradiction_gives_a_message_and_keeps_the_picture(explorer):
    for pair, kind in (((0, 1), "must-link"), ((0, 1), "cannot-link")):
        before = explorer.image.value
        explorer.model.choose(*pair)
        explorer.controls[kind].click()
    assert "but must-links 0 - 1" in explorer.message.value
    assert explorer.image.value == before


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert len(explorer.image.positions) == 5
    assert explorer.controls["truth"].disabled  # no classes, no truth


def test_objects_are_where_the_picture_draws_them():
    """A lonely object at each corner: its colour is found at its place."""
    model = CECMModel(np.array([[0.0, 0.0], [0.0, 9.0], [9.0, 0.0], [9.0, 9.0], [4.0, 4.2], [4.1, 4.0]]))
    picture = CecmPicture()
    picture.png(model.fitted)
    pixels = np.asarray(picture.figure.canvas.buffer_rgba())[:, :, :3].astype(int)
    for x, y in picture.pixels_of(model.subject.positions).round().astype(int)[:4]:
        assert np.ptp(pixels[y, x]) > 60 or pixels[y, x].max() < 200  # coloured or grey, not paper


def test_picture_has_its_size_and_every_object_in_it(explorer):
    with Image.open(io.BytesIO(explorer.image.value)) as image:
        assert image.size == (explorer.image.width, explorer.image.height)
    places = np.array(explorer.image.positions)
    assert (places > 0).all()
    assert (places < [explorer.image.width, explorer.image.height]).all()


def test_picture_draws_few_and_many_clusters():
    model, picture = CECMModel("iris", n_init=1), CecmPicture()
    for c in (2, 4, 6):
        model.n_clusters = c
        assert picture.png(model.fitted)[:8] == PNG
