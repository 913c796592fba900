"""The cat-ECM explorer: fits, ambiguous and chosen objects, user tables, the table of prototypes."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import CatECM
from credalbench.datasets import load
from credalbench.explore import explore_catecm
from credalbench.explore.explorers.catecm import (
    LISTED,
    LONGEST,
    SIGNS,
    CatECMModel,
    ambiguity,
    catecm_scene,
    listed_objects,
    prototypes_html,
    row_name,
)
from credalbench.explore.scene.marks import Bars, Points, Text
from credalbench.plots import MARKERS
from tests.explore.browser import click, panel_of, shown
from tests.explore.declared import ANIMALS, definition


@pytest.fixture
def model():
    return CatECMModel()


def test_figure_2_with_sums_over_the_attributes(model):
    """Objects 2 and 8 make the clusters, 12 and 13 are outliers; the paper counts from 1."""
    fitted = model.fitted
    assert sorted(map(tuple, fitted.prototypes.to_numpy().tolist())) == [("b", "b"), ("f", "b")]
    assert np.flatnonzero(fitted.partition.outliers()).tolist() == [11, 12]
    between = fitted.partition.masses[[0, 4, 5, 6, 10]]
    assert (between.argmax(axis=1) == len(fitted.partition.focal_sets) - 1).all()
    model.normalize = True  # as printed: nothing is far enough for the empty set
    assert model.fitted.n_outliers == 0


def test_the_fit_is_that_of_the_estimator(model):
    alone = CatECM(2, delta=1.05, normalize=False, n_init=100, random_state=0).fit(model.subject.values)
    assert model.fitted.objective == pytest.approx(alone.objective_, rel=1e-12)  # the same computation
    masses = np.sort(model.fitted.partition.masses, axis=1)  # whatever the numbers of the clusters
    np.testing.assert_allclose(masses, np.sort(alone.partition_.masses, axis=1), atol=1e-12)  # the same


def test_stepping_keeps_the_chosen_objects_and_shows_where_prototypes_began(model):
    model.choice.choose(3, 11)
    model.rewind()
    assert model.fitted.listed == (3, 11)
    weights = model.fitted.run.estimator.start_
    places = model.subject.on_the_map([block[np.argsort(model.fitted.run.numbers)] for block in weights])
    np.testing.assert_allclose(model.fitted.prototypes_on_map, places, atol=1e-12)  # weights sum to 1


def test_prototypes_masses_and_places_have_the_same_numbers(model):
    """The object that is a prototype has all its mass on that cluster, and lies there."""
    for seed in range(3):
        model.seed = seed
        fitted = model.fitted
        values = fitted.subject.values.to_numpy()
        for k, prototype in enumerate(fitted.prototypes.to_numpy()):
            (i,) = np.flatnonzero((values == prototype).all(axis=1))
            assert fitted.partition.masses[i, fitted.partition.focal_sets.index([k])] == 1
            np.testing.assert_array_equal(fitted.prototypes_on_map[k], fitted.subject.places[i])


def test_ambiguity_is_the_parts_of_the_nonspecificity(model):
    assert ambiguity(model.fitted.partition).mean() == pytest.approx(model.fitted.nonspecificity, rel=1e-12)
    masses = np.array([[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0.5, 0.5, 0]])
    assert ambiguity(CredalPartition(masses, FocalSets.full(2))).tolist() == [0, 1, 1, 0]


def test_most_ambiguous_objects_are_listed_until_others_are_chosen():
    model = CatECMModel()
    assert (model.fitted.listed, model.fitted.choice) == (tuple(range(13)), "all")
    model.load_file(ANIMALS, "mine.csv")
    fitted = model.fitted
    assert fitted.choice == "most ambiguous" and len(fitted.listed) == LISTED
    assert fitted.listed[0] == ambiguity(fitted.partition).argmax() == 18
    model.choice.click(3)
    model.choice.click(7)
    assert (model.fitted.listed, model.fitted.choice) == ((3, 7), "chosen")
    model.alpha = 0.5
    assert model.fitted.listed == (3, 7)
    model.choice.click(3)
    assert model.fitted.listed == (7,)
    model.choice.click(None)
    assert model.fitted.choice == "most ambiguous"


def test_the_first_chosen_object_goes_where_there_are_too_many():
    model = CatECMModel()
    model.load_file(ANIMALS, "mine.csv")
    for i in range(LISTED + 1):
        model.choice.click(i)
    assert model.choice.objects == tuple(range(1, LISTED + 1))


def test_other_data_bring_their_parameters_and_drop_the_choice(model):
    model.choice.click(2)
    model.load_file(ANIMALS, "mine.csv")
    assert (model.n_clusters, model.delta, model.normalize, model.n_init) == (2, 10.0, True, 10)
    assert model.choice.objects == ()
    model.data = "cat_diamond"
    assert (model.delta, model.normalize, model.n_init) == (1.05, False, 100)
    requested = CatECMModel("cat_diamond", delta=3.0)
    assert requested.delta == 3.0 and not requested.is_error


def test_clusters_take_the_numbers_of_the_classes():
    model = CatECMModel()
    model.load_file(ANIMALS, "mine.csv")
    for seed in range(3):
        model.seed = seed
        assert model.fitted.accuracy > 0.9 and model.fitted.ari > 0.7
        agree = model.fitted.partition.labels("pignistic") == model.subject.y
        assert agree.mean() > 0.9


def test_numbers_are_refused(model):
    model.set_data(load("iris"))
    assert "no categorical attributes" in model.message
    assert model.data == "cat_diamond"


def test_lists_and_arrays_are_data_too():
    model = CatECMModel([["a", 1], ["a", 2], ["b", 2], ["b", 1]])
    assert model.data == "your data" and not model.is_error
    assert listed_objects(model.fitted.partition, ())[1] == "all"


# -- the view -------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_catecm()


def test_a_click_shows_the_masses_of_an_object_and_a_button_the_most_ambiguous(explorer):
    before = shown(explorer)
    click(explorer, 3)
    assert explorer.image.chosen == [3]
    assert shown(explorer) != before
    assert "masses of 1 objects (chosen)" in explorer.readouts.value
    explorer.controls["ambiguous"].click()
    assert explorer.image.chosen == []
    assert shown(explorer) == before


def test_a_row_of_the_masses_is_looked_at_and_leaves_the_choice(explorer):
    click(explorer, 5)
    click(explorer, 3)
    click(explorer, None, "masses", 0.4, -1.2)
    assert explorer.image.selected == explorer.model.selected == 3
    click(explorer, None, "masses", 0.4, -3.0)  # below the rows
    click(explorer, 5, "masses")  # the sign of a row, which the browser has selected
    assert explorer.image.chosen == [5, 3] and explorer.model.selected == 3
    click(explorer, None)
    assert explorer.image.chosen == []


def test_sliders_redraw_the_table(explorer):
    table = explorer.texts["below"].value
    explorer.controls["n_clusters"].value = 4
    assert explorer.texts["below"].value != table and "{4}" in explorer.texts["below"].value


def test_the_table_lists_differing_attributes_first_and_ties_with_or():
    prototypes = pd.DataFrame(
        {"tail": ["no"] * 3, "legs": [("2", "4"), "2", "2"], "<hair>": ["yes", "no", "some"]}
    )
    html = prototypes_html(prototypes)
    places = [
        html.index(text) for text in ("&lt;hair&gt;", "legs", "The same value in all prototypes: tail = no.")
    ]
    assert places == sorted(places)
    assert "2 or 4" in html and "<hair>" not in html
    assert all(f"{SIGNS[k]}</span> {{{k + 1}}}" in html for k in range(3))
    assert len(SIGNS) == len(MARKERS)
    assert "The same value in all" not in prototypes_html(prototypes[["legs"]])


def test_rows_are_named_after_objects_and_classes():
    model = CatECMModel()
    model.load_file(ANIMALS, "mine.csv")
    assert row_name(model.subject, 18) == "bat (cat)"
    assert row_name(CatECMModel(np.array([[0, 1], [1, 1], [1, 0]])).subject, 2) == "3"
    model.load_file(ANIMALS.replace(b"bat", b"a bat that hangs from the roof"), "mine.csv")
    assert len(row_name(model.subject, 18)) == LONGEST and row_name(model.subject, 18)[-1] == "…"


# -- the scene -------------------------------------------------------------------------------------------


def test_rows_of_bars_are_the_masses_of_the_listed_objects():
    model = CatECMModel()
    model.choice.choose(11, 0)
    fitted, panel = model.fitted, panel_of(catecm_scene(model.fitted), "masses")
    bars, *_, signs = panel.marks
    assert isinstance(bars, Bars) and isinstance(signs, Points)
    assert signs.objects.tolist() == [11, 0]
    assert [words for _, words in panel.y.ticks] == [row_name(model.subject, i) for i in (11, 0)]
    focal_sets, rows = fitted.partition.focal_sets, bars.boxes[:, [1, 3]].mean(axis=1).round().astype(int)
    for row, i in enumerate((11, 0)):
        those = np.flatnonzero(rows == -row)
        lengths = np.ptp(bars.boxes[those][:, [0, 2]], axis=1)
        assert lengths.sum() == pytest.approx(1)
        for j, length in zip(bars.fill_of[those], lengths):
            small = fitted.partition.masses[i][fitted.partition.masses[i] < 0.02].sum()
            requested = small if j == len(focal_sets) else fitted.partition.masses[i, j]
            assert length == pytest.approx(requested)
    named = [(mark.words, round(-mark.place[1])) for mark in panel.marks if isinstance(mark, Text)]
    assert named == [("∅", 0), ("∅", 1), ("{1}", 1), ("{2}", 1), ("Ω", 1)]


def test_values_of_two_attributes_stand_at_the_axes_and_of_more_none():
    two, many = CatECMModel(), CatECMModel(np.random.default_rng(0).integers(0, 3, (40, 5)), n_init=2)
    place, word = panel_of(catecm_scene(two.fitted), "map").x.ticks[1]
    assert (place, word) == (1.0, two.subject.ticks[0][1])
    assert panel_of(catecm_scene(many.fitted), "map").x.ticks == []
    for panel in (panel_of(catecm_scene(two.fitted), "map"), panel_of(catecm_scene(many.fitted), "map")):
        assert panel.x.label.endswith(", equal objects side by side")


# -- the introduction ------------------------------------------------------------------------------------


def check_outliers():
    model = CatECMModel("cat_diamond")
    assert model.fitted.n_outliers == 2
    model.normalize = True
    assert model.fitted.n_outliers == 0


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {"cat-ECM clusters": definition, "Cat-diamond reproduces": check_outliers}
