"""The EVCLUS explorer's widgets without a browser."""

import pytest

from credalbench.explore import explore_evclus
from credalbench.explore.explorers.evclus.model import EVCLUSModel
from credalbench.explore.explorers.evclus.scene import evclus_scene
from credalbench.explore.scene.marks import Points, Raster


@pytest.fixture
def explorer():
    return explore_evclus("butterfly")


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
