"""The EVCLUS explorer's widgets without a browser."""

import pytest

from credalbench.explore import explore_evclus
from credalbench.explore.evclus.model import EVCLUSModel
from credalbench.explore.evclus.scene import evclus_scene
from credalbench.explore.shared.scene.marks import Points, Raster
from tests.explore.browser import shown, upload


@pytest.fixture
def explorer():
    return explore_evclus("butterfly")


def test_slider_refits_and_redraws(explorer):
    before, fitted = shown(explorer), explorer.model.fitted
    explorer.controls["d0_quantile"].value = 0.6
    assert explorer.model.fitted is not fitted
    assert shown(explorer) != before


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
    before = shown(explorer)
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert shown(explorer) != before
    assert explorer.controls["upload"].value == ()
    explorer.controls["data"].value = "iris"
    explorer.controls["data"].value = "mine.csv"
    assert explorer.model.subject.n_objects == 5


def test_bad_upload_gives_a_message_and_keeps_the_picture(explorer):
    before = shown(explorer)
    upload(explorer, "bad.csv", b"u,v\n0,zero\n0,1\n1,0\n9,9\n")
    assert "&#x27;zero&#x27;" in explorer.message.value
    assert "last fit that worked" in explorer.message.value
    assert shown(explorer) == before


def test_wrong_values_give_a_message_and_keep_the_picture(explorer):
    before = shown(explorer)
    explorer.model.n_clusters = 99
    assert "got 99" in explorer.message.value
    explorer.controls["d0"].value = -1.0
    assert "0 &lt; d0" in explorer.message.value
    assert shown(explorer) == before


def test_read_outs_name_what_they_show(explorer):
    explorer.model.data = "iris"
    for name in ("ARI", "nonspecificity", "stress", "outliers", "iteration", "fit", "scene"):
        assert f">{name}</div>" in explorer.readouts.value
    assert "Map of 150 objects of iris" in explorer.readouts.value


@pytest.mark.parametrize(("data", "kind"), [("butterfly", Points), ("t4:100", Raster)])
def test_few_pairs_are_points_and_many_a_heat_map(data, kind):
    fitted = EVCLUSModel(data).fitted
    panel = next(panel for panel in evclus_scene(fitted).panels if panel.name == "shepard")
    pairs, diagonal = panel.marks
    assert isinstance(pairs, kind)
    if kind is Points:
        assert pairs.positions[:, 1] == pytest.approx(fitted.kappa)
    else:
        column, row = (int(60 * value[0]) for value in (fitted.delta, fitted.kappa))
        assert pairs.pixels.shape == (60, 60, 4)
        assert pairs.pixels[59 - row, column, 3] == 255  # the first pair is seen where it is
    assert diagonal.path.tolist() == [[0, 0], [1, 1]]


def test_the_transformation_is_drawn_at_its_scale():
    fitted = EVCLUSModel("butterfly", d0=11.0).fitted
    panel = next(panel for panel in evclus_scene(fitted).panels if panel.name == "transformation")
    _, curve, _, mark = panel.marks
    assert mark.positions[0] == pytest.approx([11.0, 0.95])
    assert panel.x.label == "dissimilarity d; d₀ = 11, φ(d₀) = 0.95"
    assert curve.path[0].tolist() == [0, 0]
    assert curve.path[-1, 0] == panel.x.high
