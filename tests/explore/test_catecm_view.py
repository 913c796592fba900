"""The cat-ECM explorer's widgets without a browser."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from credalbench.explore import explore_catecm
from credalbench.explore.catecm.model import CatECMModel
from credalbench.explore.catecm.picture import LONGEST, CatecmPicture, row_name
from credalbench.explore.catecm.prototype_table import SIGNS, prototypes_html
from credalbench.plots import MARKERS
from tests.explore.browser import PNG, upload
from tests.explore.test_catecm_model import ANIMALS


@pytest.fixture
def explorer():
    return explore_catecm()


def click(explorer, i):
    """What the kernel does when the browser reports a click on object `i`."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "x": 0, "y": 0}, [])


def test_a_click_shows_the_masses_of_an_object_and_a_button_the_most_doubtful(explorer):
    before = explorer.image.value
    click(explorer, 3)
    assert explorer.image.chosen == [3]
    assert explorer.image.value != before
    assert "masses of 1 objects (chosen)" in explorer.readouts.value
    explorer.controls["doubtful"].click()
    assert explorer.image.chosen == []
    assert explorer.image.value == before


def test_sliders_refit_and_redraw_picture_and_table(explorer):
    before, table = explorer.image.value, explorer.prototypes.value
    explorer.controls["n_clusters"].value = 4
    assert explorer.image.value[:8] == PNG
    assert explorer.image.value != before
    assert explorer.prototypes.value != table and "{4}" in explorer.prototypes.value


def test_delta_keeps_its_digits_beside_a_slider_of_steps(explorer):
    explorer.controls["delta"].value = 1.23
    assert explorer.model.delta == explorer.controls["delta"].value == 1.23
    assert explorer.controls["delta_slider"].value == pytest.approx(10**0.08, rel=1e-9)  # the nearest step
    explorer.controls["delta"].value = 0.0
    assert "0 &lt; delta" in explorer.message.value


def test_the_table_tells_clusters_apart_first_and_ties_with_or():
    prototypes = pd.DataFrame(
        {"tail": ["no"] * 3, "legs": [("2", "4"), "2", "2"], "<hair>": ["yes", "no", "some"]}
    )
    html = prototypes_html(prototypes)
    assert html.index("&lt;hair&gt;") < html.index("legs") < html.index("The same in all: tail = no.")
    assert "2 or 4" in html and "<hair>" not in html
    assert all(f"{SIGNS[k]}</span> {{{k + 1}}}" in html for k in range(3))
    assert len(SIGNS) == len(MARKERS)
    assert "The same in all" not in prototypes_html(prototypes[["legs"]])


def test_rows_are_named_after_objects_and_classes():
    model = CatECMModel()
    model.load_file(ANIMALS, "mine.csv")
    assert row_name(model.subject, 18) == "bat (cat)"
    model.load_file(ANIMALS.replace(b"bat", b"a bat that hangs from the roof"), "mine.csv")
    assert len(row_name(model.subject, 18)) == LONGEST and row_name(model.subject, 18)[-1] == "…"


def test_read_outs_name_what_they_show(explorer):
    names = ("ARI", "accuracy", "nonspecificity", "objective J", "outliers", "iterations", "fit + drawing")
    for name in names:
        assert f">{name}</div>" in explorer.readouts.value
    assert "Map of 13 objects of cat_diamond in 2 clusters by cat-ECM" in explorer.readouts.value
    assert explorer.image.description in explorer.readouts.value


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", ANIMALS)
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert len(explorer.image.positions) == 19
    assert "19 objects, 2 attributes, 2 classes from column" in explorer.message.value


def test_picture_has_its_size_and_every_object_in_it(explorer):
    upload(explorer, "mine.csv", ANIMALS)
    with Image.open(io.BytesIO(explorer.image.value)) as image:
        assert image.size == (explorer.image.width, explorer.image.height)
    places = np.array(explorer.image.positions)
    assert (places > 0).all()
    assert (places < [explorer.image.width, explorer.image.height]).all()


def test_picture_draws_few_and_many_clusters():
    values = np.random.default_rng(0).integers(0, 3, (40, 5))
    model, picture = CatECMModel(values, n_init=2), CatecmPicture()
    for c in (2, 4, 6):
        model.n_clusters = c
        assert picture.png(model.fitted)[:8] == PNG
