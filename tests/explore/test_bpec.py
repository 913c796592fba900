"""The BPEC explorer: prototypes by rule, number, rectangle and hand; the graph, its clicks and its corner."""

import asyncio

import numpy as np
import pytest

from credalbench.cluster import BPEC, delta_bel
from credalbench.explore import explore_bpec
from credalbench.explore.explorers.bpec import CANDIDATES, LISTED, BPECModel, bpec_scene
from credalbench.explore.scene.scene import evidence_of
from credalbench.plots.style import colour
from tests.explore.browser import click, on_a_page, panel_of, press, send, shown
from tests.explore.declared import definition

#: Groups of the attributes at 0, 5 and 9 on a line, the last one small.
LINE = np.concatenate([np.linspace(-1, 1, 9), np.linspace(4, 6, 9), np.linspace(8.7, 9.3, 5)])[:, None]


@pytest.fixture
def model():
    return BPECModel("t4:200")


def library(model, **chosen):
    """BPEC alone with the settings of a model."""
    names = ("n_neighbors", "q", "alpha", "beta", "delta", "metric", "focal_sets")
    return BPEC(**chosen, **{name: getattr(model, name) for name in names}).fit(model.subject.attributes)


def assert_is(model, fit):
    """Check that a model shows a fit: its prototypes, and its masses by their numbers."""
    assert not model.is_error
    assert sorted(model.fitted.peaks) == sorted(fit.peaks_)
    columns = [fit.peaks_.tolist().index(i) for i in model.fitted.peaks]
    np.testing.assert_allclose(
        model.fitted.partition.contour,
        fit.partition_.contour[:, columns],
        atol=1e-9,  # sums in another order
    )


# -- how prototypes are chosen ---------------------------------------------------------------------------


def test_each_way_is_that_of_the_library(model):
    assert model.by == "rule"
    assert_is(model, library(model))
    model.n_clusters = 3
    assert model.by == "number"
    assert_is(model, library(model, n_clusters=3))
    model.move_corner(1.0, 0.3)
    assert model.by == "corner"
    assert_is(model, library(model, least_delta=1.0, least_belief=0.3))
    model.prototypes = (5, 50)
    assert model.by == "hand"
    assert_is(model, library(model, prototypes=[5, 50]))
    model.choose_by_rule()
    assert_is(model, library(model))


def test_what_was_not_set_follows_the_prototypes(model):
    graph = delta_bel(model.subject.attributes, model.n_neighbors, q=model.q)
    for way in (lambda: None, lambda: setattr(model, "n_clusters", 2), lambda: model.toggle(7)):
        way()
        peaks = list(model.prototypes)
        assert model.n_clusters == len(peaks) and sorted(peaks) == sorted(model.fitted.peaks)
        assert model.least_delta < graph.delta[peaks].min()
        assert model.least_belief < graph.belief[peaks].min()
    assert 7 in peaks
    model.move_corner(1.0, 0.3)
    assert (model.least_delta, model.least_belief) == model.fitted.corner == (1.0, 0.3)
    assert len(model.prototypes) == model.n_clusters


def test_an_object_is_taken_and_left_and_the_last_one_stays(model):
    before = set(model.prototypes)
    model.toggle(3)
    assert set(model.prototypes) == before | {3} and model.by == "hand"
    model.toggle(3)
    assert set(model.prototypes) == before and model.by == "hand"
    first, *others = model.prototypes
    for i in others:
        model.toggle(i)
    assert model.prototypes == (first,) and model.fitted.partition.n_clusters == 1
    model.toggle(first)
    assert model.is_error and "at least one" in model.message
    assert model.prototypes == (first,)
    model.toggle(None)
    assert model.prototypes == (first,)


def test_clusters_keep_their_colours_while_others_come_and_go(model):
    numbers = {i: k for k, i in enumerate(model.fitted.peaks.tolist())}
    added = next(i for i in model.fitted.order.tolist() if i not in numbers)
    model.toggle(added)
    assert model.fitted.peaks[:4].tolist() == [*numbers] and model.fitted.peaks[4] == added
    model.toggle(added)
    assert model.fitted.peaks.tolist() == [*numbers]


def test_peaks_are_gone_through_by_prominence(model):
    order = model.fitted.order.tolist()
    for i in (*order, order[0]):
        model.next_peak()
        assert model.selected == i
    prominence = model.fitted.graph.prominence
    assert (np.diff(prominence[order]) <= 0).all()
    model.toggle_selected()
    assert order[0] not in model.prototypes
    model.selected = None
    model.toggle_selected()
    assert model.is_error and "Select an object" in model.message


def test_other_data_are_fitted_by_the_rule_with_their_own_number_of_neighbours(model):
    model.prototypes, model.n_neighbors = (1, 2, 3), 7
    model.data = "t4:100"
    assert (model.by, model.n_neighbors) == ("rule", 10)
    assert_is(model, library(model))


def test_the_corner_is_forgotten_where_its_unit_changes(model):
    model.move_corner(1.0, 0.3)
    model.standardize = True
    assert model.by == "rule" and not model.is_error
    model.n_clusters = 2
    model.standardize = False
    assert (model.by, model.n_clusters) == ("number", 2)


def test_the_graph_is_computed_once_for_all_prototypes(model, monkeypatch):
    monkeypatch.setattr("credalbench.explore.explorers.bpec.delta_bel", None)
    model.n_clusters = 3
    model.move_corner(1.0, 0.3)
    model.alpha = 2.0
    assert not model.is_error
    model.n_neighbors = 5
    assert model.is_error


def test_prototypes_stay_with_their_points_while_others_are_drawn_and_deleted(model):
    model.prototypes = (5, 50, 99)
    places = model.subject.attributes[[5, 50, 99]]
    model.drawing.delete(20)
    assert model.prototypes == (5, 49, 98) and model.by == "hand"
    np.testing.assert_array_equal(model.subject.attributes[list(model.prototypes)], places)
    model.drawing.delete(49)
    assert model.prototypes == (5, 97)
    model.drawing.add(0.0, 0.0)
    assert model.prototypes == (5, 97) and model.by == "hand"


def test_the_other_ways_are_kept_while_points_are_drawn(model):
    model.move_corner(1.0, 0.3)
    model.drawing.add(30.0, 30.0)
    assert model.by == "corner" and model.fitted.corner == (1.0, 0.3)
    model.n_clusters = 2
    model.drawing.undo()
    assert (model.by, model.n_clusters) == ("number", 2)


def test_points_that_coincide_cannot_both_be_prototypes():
    model = BPECModel(np.vstack([LINE, LINE[:1]]))
    before = model.prototypes
    model.prototypes = (0, len(LINE))
    assert model.is_error and "different places" in model.message
    assert model.prototypes == before


def test_code_names_the_way(model):
    changes = {
        ("BPEC( n_neighbors=14",): lambda: None,
        ("BPEC( 3",): lambda: setattr(model, "n_clusters", 3),
        ("least_delta=1.0", "least_belief=0.3"): lambda: model.move_corner(1.0, 0.3),
        ("prototypes=[5, 50]",): lambda: setattr(model, "prototypes", (5, 50)),
    }
    for now, change in changes.items():
        change()
        code = " ".join(model.as_code().replace("(", "( ").split())
        for words in changes:
            assert all(word in code for word in words) == (words == now), (words, code)


# -- the scene -------------------------------------------------------------------------------------------


def test_the_graph_has_every_object_and_its_corner_is_a_handle(model):
    scene, graph = bpec_scene(model.fitted), model.fitted.graph
    panel = panel_of(scene, "graph")
    objects = next(mark for mark in panel.marks if getattr(mark, "objects", None) is not None)
    np.testing.assert_array_equal(objects.positions, np.column_stack([graph.delta, graph.belief]))
    assert objects.objects.tolist() == list(range(200))
    assert scene.handles.panel == "graph"
    assert scene.handles.positions.tolist() == [[model.least_delta, model.least_belief]]
    for x, y in (*objects.positions, *scene.handles.positions):
        assert panel.x.low < x < panel.x.high and panel.y.low < y < panel.y.high


def test_numbers_of_the_two_largest_peaks_stand_on_either_side(model):
    """They have the same distance, by definition."""
    scene, fitted = bpec_scene(model.fitted), model.fitted
    first, second = fitted.order[:2]
    assert fitted.graph.delta[first] == fitted.graph.delta[second]
    places = {mark.words: mark.place for mark in panel_of(scene, "graph").marks if hasattr(mark, "words")}
    assert set(places) == {str(k + 1) for k in range(model.n_clusters)}
    numbers = [str(fitted.peaks.tolist().index(i) + 1) for i in (first, second)]
    above, below = (places[number][1] for number in numbers)
    assert above > fitted.graph.belief[first] and below < fitted.graph.belief[second]


def test_bars_of_prominence_have_the_colours_of_the_clusters(model):
    (bars,) = panel_of(bpec_scene(model.fitted), "prominences").marks
    fitted = model.fitted
    np.testing.assert_array_equal(bars.boxes[:, 3], fitted.graph.prominence[fitted.order[:LISTED]])
    fills = [bars.fills[k] for k in bars.fill_of]
    for rank, i in enumerate(fitted.order[:LISTED].tolist()):
        taken = i in fitted.peaks
        assert not taken or fills[rank] == colour(fitted.peaks.tolist().index(i))
        assert taken or fills[rank] not in map(colour, range(model.n_clusters))


def test_sentences_name_belief_and_distance(model):
    evidence, plain = bpec_scene(model.fitted).evidence, evidence_of(model.fitted.partition)
    graph = model.fitted.graph

    def sentence(of, i):
        return of.templates[of.which[i]]

    for k, i in enumerate(model.fitted.peaks.tolist()):
        words = f"; prototype of cluster {k + 1}: belief {graph.belief[i]:.2f} that it is a centre, "
        words += f"{graph.delta[i]:.3g} from the nearest object of larger belief"
        assert sentence(evidence, i) == sentence(plain, i) + words
    others = model.fitted.order[model.n_clusters :]
    assert all("; not a prototype: " in sentence(evidence, i) for i in others[:CANDIDATES])
    assert all(sentence(evidence, i) == sentence(plain, i) for i in others[CANDIDATES:])


# -- the view --------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_bpec("t4:100")


def test_a_click_in_the_graph_takes_and_leaves_and_one_on_the_map_does_not(explorer):
    model = explorer.model
    before = model.prototypes
    click(explorer, 3, "map")
    click(explorer, None, "graph")
    assert model.prototypes == before
    click(explorer, 3, "graph")
    assert set(model.prototypes) == {*before, 3}
    click(explorer, 3, "graph")
    assert set(model.prototypes) == {*before}


def test_the_corner_is_dragged_and_typed(explorer):
    model, before = explorer.model, shown(explorer)
    send(explorer.image, event="drag", handle=0, x=1.0, y=0.3)
    assert (model.by, model.fitted.corner) == ("corner", (1.0, 0.3))
    assert shown(explorer) != before
    assert [explorer.controls[name].value for name in ("least_delta", "least_belief")] == [1.0, 0.3]
    explorer.controls["least_delta"].value = 2.0
    assert model.fitted.corner == (2.0, 0.3)
    send(explorer.image, event="drag", handle=0, x=-3.0, y=0.3)  # beyond the left end of the axis
    assert model.fitted.corner[0] == 2.0 or not model.is_error
    fitted = model.fitted
    for x, y in ((1e9, 0.3), (1.0, 7.0), (float("nan"), 0.3)):
        send(explorer.image, event="drag", handle=0, x=x, y=y)
        assert model.is_error and model.fitted is fitted


def test_letters_do_what_clicks_do(explorer):
    model = explorer.model
    before = model.prototypes
    press(explorer, "n")
    assert explorer.image.selected == model.fitted.order[0]
    press(explorer, "t")
    assert set(model.prototypes) == {*before} - {model.selected} and model.by == "hand"
    press(explorer, "a")
    assert model.by == "rule" and set(model.prototypes) == {*before}
    assert explorer.controls["by"].value == "rule"


def test_the_list_of_ways_chooses_one(explorer):
    for way in ("hand", "corner", "number", "rule"):
        explorer.controls["by"].value = way
        assert explorer.model.by == explorer.model.fitted.by == way
        assert not explorer.model.is_error


def test_neighbours_are_as_many_as_there_are(explorer):
    slider = explorer.controls["n_neighbors"]
    assert (slider.value, slider.max) == (10, 99)
    slider.value = 99
    assert not explorer.model.is_error and explorer.model.n_neighbors == 99


@on_a_page
async def test_a_fit_shows_its_choices_in_controls_while_the_page_waits_for_it():
    explorer = explore_bpec("t4:24")
    explorer.controls["n_neighbors"].value = 5  # the first fit compiles
    explorer.model.page = asyncio.get_running_loop
    corner = explorer.controls["least_delta"].value
    explorer.controls["n_neighbors"].value = 3
    assert not explorer.model.busy and explorer.controls["least_delta"].value != corner


# -- the introduction ------------------------------------------------------------------------------------


def as_opened(**settings):
    """The explorer as its notebook opens it."""
    return BPECModel("t4:400", **settings)


def check_graph():
    fitted = as_opened().fitted
    graph, peaks = fitted.graph, fitted.peaks
    assert len(peaks) == 4 and fitted.by == "rule"
    apart = (graph.delta > 3) & (graph.belief > 0.45)
    assert sorted(np.flatnonzero(apart)) == sorted(peaks)
    assert graph.prominence[fitted.order[4]] < 0.5 * graph.prominence[peaks].min()
    far = np.flatnonzero((graph.delta > 3) & (graph.belief < 0.1))
    assert len(far) == 1 and fitted.partition.outliers()[far].all()


def check_a_peak_left_out():
    model = as_opened()
    with_all, y = model.fitted.ari, model.subject.y
    for i in model.fitted.peaks.tolist():
        model.toggle(i)
        labels = model.fitted.partition.labels("pignistic")
        assert model.fitted.ari < 0.65 < 0.85 < with_all
        assert np.unique(labels[y == y[i]]).max() < 3
        model.toggle(i)
        assert model.fitted.ari == pytest.approx(with_all)


def check_numbers_of_neighbours():
    found = {K: as_opened(n_neighbors=K).n_clusters for K in (*range(15, 51, 5), 80, 100, 200)}
    assert {found.pop(K) for K in (80, 100, 200)} == {1}
    assert set(found.values()) == {4}


def check_the_corner():
    model = as_opened()
    model.least_delta = 1.0
    assert model.n_clusters == 8 and model.by == "corner"
    classes = model.subject.y[model.fitted.peaks]
    assert np.bincount(classes).tolist() == [2, 2, 2, 2]


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {
    "In the graph": definition,
    "Its horizontal": definition,
    "Four peaks": check_graph,
    "An object far right": check_graph,
    "Without one of": check_a_peak_left_out,
    "With 15 to 50": check_numbers_of_neighbours,
    "With the corner": check_the_corner,
}
