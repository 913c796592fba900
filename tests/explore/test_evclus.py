"""The EVCLUS explorer: the scale of dissimilarities, refits, user tables, the Shepard diagram."""

import numpy as np
import pytest

from credalbench.cluster import EVCLUS
from credalbench.core.constraints import random_pairs
from credalbench.datasets import load, make_two_class_cecm
from credalbench.explore import explore_evclus
from credalbench.explore.explorers import evclus as evclus_model
from credalbench.explore.explorers.evclus import PARTNERS, EVCLUSModel, evclus_scene
from credalbench.explore.scene.marks import Line, Points, Raster
from credalbench.tables import read_user_table
from tests.explore.browser import click, press
from tests.explore.declared import CSV, definition


@pytest.fixture
def model():
    return EVCLUSModel("butterfly")


def test_first_fit_finds_the_outlier(model):
    np.testing.assert_array_equal(np.flatnonzero(model.fitted.partition.outliers()), [11])
    assert not model.is_error


def test_d0_follows_its_quantile_and_the_quantile_d0(model, count):
    model.d0_quantile = 0.5
    assert model.d0 == pytest.approx(model.subject.distance_at(0.5), rel=1e-12)  # the same computation
    assert model.fitted.d0 == model.d0
    model.d0 = 11.0
    assert model.d0_quantile == pytest.approx(
        model.subject.quantile_of(11.0), rel=1e-12
    )  # the same computation
    assert model.fitted.d0 == 11.0
    assert len(count) == 2


def test_moving_a_scale_starts_from_the_last_masses(model):
    model.d0_quantile = 0.85
    assert model.fitted.warm
    model.alpha = 0.06
    assert model.fitted.warm
    model.n_clusters = 3
    assert not model.fitted.warm
    model.data = "iris"
    assert not model.fitted.warm


def test_clusters_keep_their_numbers_while_a_slider_moves():
    model = EVCLUSModel("t4:200", d0_quantile=0.8)
    labels = model.fitted.partition.labels()
    for quantile in (0.78, 0.76, 0.74):
        model.d0_quantile = quantile
        assert (model.fitted.partition.labels() == labels).mean() > 0.9  # renumbered, three quarters differ
    model.restart()
    assert (model.fitted.partition.labels() == labels).mean() > 0.7


def test_of_many_objects_some_pairs_are_compared_unless_all_are_requested(monkeypatch, model):
    monkeypatch.setattr(evclus_model, "MANY", 100)
    model.data = "iris"
    assert model.n_pairs == PARTNERS
    model.n_pairs = None
    model.standardize = True
    assert model.n_pairs is None and not model.is_error
    model.data = "t4:120"
    assert model.n_pairs is None
    model.data = "butterfly"
    model.data = "iris"
    assert model.n_pairs == PARTNERS
    model.data = "butterfly"
    assert model.n_pairs is None
    assert EVCLUSModel("iris", n_pairs=None).n_pairs is None


def test_new_data_bring_their_number_of_classes(model):
    model.n_pairs = 11
    model.data = "iris"
    assert model.n_clusters == 3
    assert model.fitted.ari is not None
    model.n_pairs = 100
    model.data = "butterfly"
    assert model.n_pairs is None


def test_own_table_by_path_and_arrays(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(CSV)
    model = EVCLUSModel(path)
    assert model.fitted.ari == 1.0 and "mine.csv: 6 objects" in model.message
    assert EVCLUSModel(load("butterfly").X).subject.n_objects == 12
    assert EVCLUSModel(load("iris")).n_clusters == 3
    D = load("butterfly").dissimilarities()
    assert EVCLUSModel(D).subject.attributes is None  # a matrix of dissimilarities, not attributes
    np.testing.assert_array_equal(EVCLUSModel(read_user_table(D)).subject.D, D)


def test_standardising_changes_the_fit_of_attributes_only():
    model = EVCLUSModel("wine")
    raw = model.fitted.ari
    model.standardize = True
    assert model.fitted.ari > raw + 0.2  # one attribute of wine has a hundred times the spread of the others
    assert model.n_clusters == 3


def test_pairs_of_clusters_are_added_and_the_clusters_keep_their_numbers():
    """Two-step procedure: more focal sets, same clusters; too many neighbours is a message."""
    model = EVCLUSModel(data="t4:200")
    before = model.fitted.partition
    model.pair_neighbors = 1
    after = model.fitted.partition
    assert not model.is_error
    assert {len(members) for members in after.focal_sets.sets} == {0, 1, 2, 4}
    assert (before.labels() == after.labels()).mean() > 0.95  # few objects change between neighbours
    model.pair_neighbors = 4
    assert model.is_error
    assert "pair_neighbors" in model.message.lower()
    model.pair_neighbors = 0
    assert model.fitted.partition.focal_sets == before.focal_sets


# -- constraints -----------------------------------------------------------------------------------------


def link(model, i, j, kind):
    model.choice.choose(i, j)
    model.linking.link(kind)


def test_the_fit_with_constraints_is_that_of_the_estimator():
    model = EVCLUSModel("two_class:40:2")
    link(model, 0, 35, "cannot-link")
    link(model, 0, 12, "must-link")
    model.xi = 2.0
    alone = EVCLUS(2, d0=model.d0, xi=2.0, init="linkage", n_init=3, random_state=0)
    alone.fit(make_two_class_cecm(40, random_state=2).X, must_link=[(0, 12)], cannot_link=[(0, 35)])
    assert model.fitted.objective == pytest.approx(alone.objective_, rel=1e-12)  # the same computation
    masses = np.sort(model.fitted.partition.masses, axis=1)  # whatever the numbers of the clusters
    np.testing.assert_allclose(masses, np.sort(alone.partition_.masses, axis=1), atol=1e-12)  # the same


def test_ten_constraints_turn_the_clusters_into_the_classes():
    model = EVCLUSModel("two_class:400:2", n_pairs=None)
    assert model.fitted.ari < 0.1
    for i, j in random_pairs(400, 10, np.random.default_rng(0)):
        link(model, int(i), int(j), "truth")
    assert len(model.links) == 10 and not model.is_error
    assert model.fitted.ari > 0.9
    assert set(model.fitted.outcomes) == {"met"}


def test_links_are_undone_and_contradictions_are_refused_with_their_chain(model):
    link(model, 0, 1, "must-link")
    link(model, 1, 2, "must-link")
    before, fitted = model.links, model.fitted
    link(model, 0, 2, "cannot-link")
    assert "cannot-link 1, 3; but must-links 1 - 2 - 3" in model.message
    assert model.links == before and model.fitted is fitted
    model.linking.undo()
    assert model.links == before[:1]
    model.linking.clear()
    model.linking.undo()
    assert model.links == before[:1]


def test_links_of_a_weight_of_0_change_nothing(model):
    masses = model.fitted.partition.masses
    model.xi = 0.0
    link(model, 0, 10, "must-link")
    np.testing.assert_array_equal(model.fitted.partition.masses, masses)
    assert model.fitted.outcomes.tolist() == ["violated"]
    model.xi = 3.0
    assert not np.array_equal(model.fitted.partition.masses, masses)


def test_links_follow_their_points_and_their_data():
    model = EVCLUSModel("two_class:40:2")
    link(model, 5, 30, "cannot-link")
    model.drawing.delete(2)
    assert model.links == ((4, 29, "cannot-link"),) and not model.is_error
    model.drawing.undo()
    assert model.links == ((5, 30, "cannot-link"),)
    model.data = "butterfly"
    assert model.links == ()
    model.data = "two_class:40:2"
    assert model.links == ((5, 30, "cannot-link"),)


def test_links_between_dissimilarities_are_fitted_and_written():
    model = EVCLUSModel(load("butterfly").dissimilarities())
    link(model, 0, 10, "must-link")
    assert not model.is_error and len(model.fitted.links) == 1
    code = model.as_code()
    assert "must_link=[[0, 10]]" in code and 'init="random"' not in code


def test_lines_and_sentences_show_the_links():
    links = ((3, 7, "cannot-link"), (3, 9, "must-link"))
    model = EVCLUSModel("butterfly", links=links, xi=0.0)
    scene, fitted = evclus_scene(model.fitted), model.fitted
    labels = [entry.label for entry in scene.legend]
    assert {"must-link", "cannot-link", "violated constraint"} <= set(labels)
    ends = [fitted.subject.positions[[i, j]] for i, j, _ in links]
    lines = [mark for mark in scene.panels[0].marks if isinstance(mark, Line) and mark.stroke.halo]
    drawn = [line.path[:2].tolist() for line in lines if len(line.path)]
    assert sorted(drawn) == sorted(end.tolist() for end in ends)
    evidence = scene.evidence
    words = [evidence.templates[k] for k in evidence.which]
    marks = [f" ({outcome})" * (outcome != "met") for outcome in fitted.outcomes.tolist()]
    assert any(marks)
    assert f"; cannot-link with object 8{marks[0]}, must-link with object 10{marks[1]}" in words[3]
    assert [i for i, one in enumerate(words) if "link" in one] == [3, 7, 9]
    assert "must-link" not in [entry.label for entry in evclus_scene(EVCLUSModel("butterfly").fitted).legend]


# -- the view -------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_evclus("butterfly")


def test_two_clicks_and_a_letter_link_two_objects(explorer):
    assert explorer.controls["xi"].disabled and explorer.controls["clear"].disabled
    click(explorer, 3)
    click(explorer, 7)
    assert explorer.image.chosen == [3, 7]
    press(explorer, "c")
    assert explorer.model.links == ((3, 7, "cannot-link"),)
    assert explorer.image.chosen == []
    assert not explorer.controls["xi"].disabled
    explorer.controls["second_choice"].value = "must-link"
    click(explorer, 0)
    click(explorer, 1)
    assert explorer.model.links[1:] == ((0, 1, "must-link"),)
    press(explorer, "u")
    assert len(explorer.model.links) == 1
    explorer.controls["clear"].click()
    assert explorer.model.links == () and explorer.controls["xi"].disabled
    press(explorer, "m")
    assert "two objects first" in explorer.message.value


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


# -- the introduction ------------------------------------------------------------------------------------


def check_refit():
    model = EVCLUSModel("butterfly")
    before = model.fitted
    model.d0_quantile = 0.7
    assert model.fitted is not before and not model.is_error


def check_constraints():
    for seed in range(3):
        model, rng = EVCLUSModel("two_class:400:2"), np.random.default_rng(seed)
        before = model.fitted.ari
        for _ in range(20):
            model.choice.choose(*sorted(rng.choice(400, 2, replace=False).tolist()))
            model.linking.link("truth")
        assert len(model.links) == 20 and before < 0.1 < 0.9 < model.fitted.ari


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {
    "EVCLUS refits": check_refit,
    "Colour and shape": definition,
    "Solid lines": definition,
    "With twenty constraints": check_constraints,
}
