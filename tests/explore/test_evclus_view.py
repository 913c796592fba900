"""The EVCLUS explorer's widgets without a browser."""

import pytest

from credalbench.explore import explore_evclus
from credalbench.explore.evclus.model import EVCLUSModel
from credalbench.explore.evclus.picture import EvclusPicture
from tests.explore.browser import PNG, upload


@pytest.fixture
def explorer():
    return explore_evclus("butterfly")


def test_slider_refits_and_redraws(explorer):
    before, fitted = explorer.image.value, explorer.model.fitted
    explorer.controls["d0_quantile"].value = 0.6
    assert explorer.model.fitted is not fitted
    assert explorer.image.value[:8] == PNG
    assert explorer.image.value != before


def test_controls_of_d0_stay_linked(explorer):
    quantile, absolute = explorer.controls["d0_quantile"], explorer.controls["d0"]
    quantile.value = 0.5
    assert absolute.value == pytest.approx(explorer.model.d0, abs=1e-6)  # shown with six decimals
    absolute.value = 11.0
    assert explorer.model.d0 == 11.0
    assert quantile.value == round(explorer.model.d0_quantile, 2)  # the nearest step


def test_sampled_pairs_are_chosen_by_box_and_slider(explorer):
    explorer.controls["all_pairs"].value = False
    assert explorer.model.n_pairs == explorer.controls["n_pairs"].value
    assert not explorer.controls["n_pairs"].disabled
    explorer.controls["n_pairs"].value = 4
    assert explorer.model.n_pairs == 4
    explorer.controls["all_pairs"].value = True
    assert explorer.model.n_pairs is None


def test_uploaded_table_is_drawn(explorer):
    before = explorer.image.value
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert explorer.image.value != before
    assert explorer.controls["upload"].value == ()
    explorer.controls["data"].value = "iris"
    explorer.controls["data"].value = "mine.csv"
    assert explorer.model.subject.n_objects == 5


def test_bad_upload_gives_a_message_and_keeps_the_picture(explorer):
    before = explorer.image.value
    upload(explorer, "bad.csv", b"u,v\n0,zero\n0,1\n1,0\n9,9\n")
    assert "&#x27;zero&#x27;" in explorer.message.value
    assert "last fit that worked" in explorer.message.value
    assert explorer.image.value == before


def test_wrong_values_give_a_message_and_keep_the_picture(explorer):
    before = explorer.image.value
    explorer.model.n_clusters = 99
    assert "got 99" in explorer.message.value
    explorer.controls["d0"].value = -1.0
    assert "0 &lt; d0" in explorer.message.value
    assert explorer.image.value == before


def test_read_outs_name_what_they_show(explorer):
    explorer.model.data = "iris"
    for name in ("ARI", "nonspecificity", "stress", "outliers", "sweeps", "fit", "drawing"):
        assert f">{name}</div>" in explorer.readouts.value
    assert "Map of 150 objects of iris" in explorer.readouts.value


@pytest.mark.parametrize("c", [2, 4, 9])
def test_picture_draws_few_and_many_clusters(c):
    for data in ("butterfly", "iris"):
        assert EvclusPicture().png(EVCLUSModel(data, n_clusters=c).fitted)[:8] == PNG
