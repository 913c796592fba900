"""The CECM explorer without widgets: constraints, refits, messages, state."""

import json

import numpy as np
import pytest

from credalbench.cluster import CECM
from credalbench.constraints import random_pairs
from credalbench.datasets import load, make_two_class_cecm
from credalbench.explore.explorers.cecm.model import CECMModel
from tests.explore.browser import CSV


@pytest.fixture
def model():
    return CECMModel("two_class:40:2")


def link(model, i, j, kind):
    model.choice.choose(i, j)
    model.link(kind)


def test_figures_3_to_5_by_ten_constraints():
    """Diagonal, then across both classes, then the true classes (Section 5.2.1 of the paper)."""
    model = CECMModel("two_class:400:2")
    assert model.fitted.ari < 0.7
    model.metric = "mahalanobis"
    assert model.fitted.ari < 0.7
    for i, j in random_pairs(400, 10, np.random.default_rng(0)):
        link(model, i, j, "truth")
    assert len(model.links) == 10
    assert model.fitted.ari > 0.95
    assert model.fitted.ari_unconstrained > 0.95


def test_the_fit_is_that_of_the_estimator(model):
    link(model, 0, 35, "cannot-link")
    link(model, 0, 12, "must-link")
    X = make_two_class_cecm(40, random_state=2).X
    alone = CECM(2, delta=10, init="k-means++", n_init=3, random_state=0)
    alone.fit(X, must_link=[(0, 12)], cannot_link=[(0, 35)])
    assert model.fitted.objective == pytest.approx(alone.objective_, rel=1e-12)  # the same computation
    masses = np.sort(model.fitted.partition.masses, axis=1)  # whatever the numbers of the clusters
    np.testing.assert_allclose(masses, np.sort(alone.partition_.masses, axis=1), atol=1e-12)  # the same


def test_the_two_parts_make_the_objective(model):
    """(1 - xi) J_ECM + xi J_CONST [antoine2012_cecm (21)], the second a mean [antoine2012_cecm (20)]."""
    for i, j, kind in ((0, 25, "must-link"), (1, 2, "cannot-link"), (3, 30, "cannot-link")):
        link(model, i, j, kind)
    model.xi = 0.3
    fitted = model.fitted
    parts = 0.7 * fitted.data_cost + 0.3 * fitted.constraint_cost
    assert parts == pytest.approx(fitted.objective, rel=1e-12)  # rounding
    assert fitted.violations.mean() == pytest.approx(fitted.constraint_cost, rel=1e-9)  # another sum


def test_beta_counts_without_constraints_only(model, count):
    model.beta = 1.5
    without = model.fitted.objective
    link(model, 0, 39, "cannot-link")
    constrained = model.fitted.objective
    model.beta = 3.0
    assert model.fitted.method == "CECM"
    assert model.fitted.objective == constrained
    model.clear()
    assert model.fitted.method == "ECM"
    assert model.fitted.objective != without


def test_a_pair_is_one_constraint_whichever_object_comes_first(model):
    model.links = ((30, 3, "cannot-link"), (3, 30, "cannot-link"), (39, 0, "must-link"))
    assert model.links == ((3, 30, "cannot-link"), (0, 39, "must-link"))
    assert len(model.fitted.violations) == len(model.fitted.violated) == len(model.fitted.constraints) == 2
    link(model, 30, 3, "cannot-link")
    assert "already" in model.message


def test_violated_constraints_are_those_that_the_clusters_break(model):
    with model.batch():
        model.xi = 0.0
        model.links = ((1, 39, "must-link"), (3, 30, "cannot-link"), (1, 2, "cannot-link"))
    labels = model.fitted.partition.labels("pignistic")
    expected = [(labels[i] == labels[j]) != (kind == "must-link") for i, j, kind in model.links]
    assert set(expected) == {True, False}
    assert model.fitted.violated.tolist() == expected


def test_constraints_and_drawn_points_are_taken_back_each_by_its_own(model):
    link(model, 0, 12, "must-link")
    model.drawing.add(0.0, 0.0)
    assert (model.subject.n_objects, model.links) == (41, ((0, 12, "must-link"),))
    link(model, 3, 40, "cannot-link")
    model.undo()
    assert (model.subject.n_objects, model.links) == (41, ((0, 12, "must-link"),))
    link(model, 3, 40, "cannot-link")
    model.drawing.undo()  # and with it the second point of a constraint
    assert (model.subject.n_objects, model.links) == (40, ((0, 12, "must-link"),))
    model.undo()
    assert model.links == () and not model.is_error


def test_constraints_stay_with_points_that_are_dragged_and_deleted(model):
    for i, j, kind in ((0, 12, "must-link"), (5, 30, "cannot-link"), (20, 30, "must-link")):
        link(model, i, j, kind)
    links, ends = model.links, model.subject.attributes[[20, 30]]
    model.drawing.move(12, 0.5, 0.5)
    assert model.links == links
    model.drawing.delete(5)
    assert model.links == ((0, 11, "must-link"), (19, 29, "must-link"))
    np.testing.assert_array_equal(model.subject.attributes[[19, 29]], ends)
    assert model.fitted.links == model.links
    model.undo()
    assert model.links == ((0, 11, "must-link"),)  # the cannot-link went with its point
    link(model, 1, 2, "must-link")
    model.drawing.undo()
    assert model.links == ((0, 12, "must-link"), (1, 2, "must-link"), (5, 30, "cannot-link"))
    model.drawing.reset()
    assert model.data == "two_class:40:2" and len(model.links) == 3 and not model.is_error


def test_a_constraint_that_contradicts_later_ones_does_not_come_back(model):
    link(model, 0, 1, "must-link")
    link(model, 1, 2, "must-link")
    model.drawing.delete(1)
    link(model, 0, 1, "cannot-link")  # the second was point 2
    model.drawing.undo()
    assert model.links == ((0, 2, "cannot-link"),)
    assert not model.is_error and model.fitted.links == model.links


def test_constraints_of_a_point_are_not_those_of_the_next_new_one(model):
    model.drawing.add(0.0, 0.0)
    link(model, 3, 40, "cannot-link")
    model.drawing.undo()
    model.drawing.add(1.0, 1.0)
    assert model.subject.n_objects == 41 and model.links == ()


def test_own_data_in_the_place_of_drawn_ones_have_no_changes_to_take_back(model):
    model.drawing.add(0.0, 0.0)
    link(model, 3, 40, "cannot-link")
    state = model.state()
    model.drawing.delete(0)
    model.set_state(state)
    assert model.subject.n_objects == 41 and model.links == ((3, 40, "cannot-link"),)
    assert not model.drawing.can_undo
    model.drawing.delete(0)
    assert model.links == ((2, 39, "cannot-link"),)


def test_a_contradiction_is_refused_with_its_chain_and_nothing_is_lost(model, count):
    link(model, 0, 1, "must-link")
    link(model, 1, 2, "must-link")
    links, fitted = model.links, model.fitted
    link(model, 0, 2, "cannot-link")
    assert model.is_error
    assert "cannot-link 0, 2; but must-links 0 - 1 - 2" in model.message
    assert model.links == links
    assert model.fitted is fitted
    assert model.choice.objects == (0, 2)
    model.undo()
    assert model.links == links[:1]


@pytest.mark.parametrize(
    ("links", "words"),
    [
        (((0, 0, "must-link"),), "0 with itself"),
        (((0, 40, "must-link"),), "got [40]"),
        (((0, 1, "maybe"),), "got 'maybe'"),
        (((0, 1),), "unpack"),
    ],
)
def test_bad_links_leave_the_last_good_ones(model, links, words):
    link(model, 0, 1, "must-link")
    model.links = links
    assert words in model.message
    assert model.links == ((0, 1, "must-link"),)
    model.alpha = 2.0
    assert not model.is_error


def test_undo_takes_back_step_by_step_and_also_clearing(model):
    link(model, 0, 1, "must-link")
    link(model, 0, 39, "cannot-link")
    both = model.links
    model.clear()
    assert model.links == ()
    model.undo()
    assert model.links == both
    model.undo()
    model.undo()
    assert model.links == ()
    assert not model.can_undo
    model.undo()
    assert "nothing to undo" in model.message


def test_clicks_choose_drop_and_begin_again(model):
    for i, chosen in ((5, (5,)), (7, (5, 7)), (5, (7,)), (9, (7, 9)), (11, (11,))):
        model.click(i)
        assert model.choice.objects == chosen


@pytest.mark.parametrize("kind", ["must-link", "cannot-link", "truth"])
def test_a_second_click_makes_a_constraint_where_it_should(model, count, kind):
    model.second_choice = kind
    model.click(0)
    model.click(39)  # of the other class
    assert model.links == ((0, 39, "cannot-link" if kind == "truth" else kind),)
    assert model.choice.objects == ()
    assert len(count) == 1


@pytest.mark.parametrize("objects", [(40,), (-1,), (1, 1), (1, 2, 3)])
def test_objects_that_cannot_be_chosen_are_refused(model, objects):
    model.choice.choose(4)
    model.choice.choose(*objects)
    assert model.is_error
    assert model.choice.objects == (4,)


def test_links_want_two_objects_once_and_known_classes(model):
    model.link("must-link")
    assert "two objects first" in model.message
    link(model, 3, 4, "must-link")
    link(model, 4, 3, "must-link")
    assert "already" in model.message
    assert len(model.links) == 1
    unknown = CECMModel(load("iris").X)
    link(unknown, 0, 1, "truth")
    assert "unknown" in unknown.message
    assert unknown.links == ()
    assert unknown.fitted.ari is None


def test_a_message_about_an_action_goes_with_the_next_one(model):
    model.link("must-link")
    assert model.is_error
    model.choice.choose(3)
    assert (model.message, model.is_error) == ("", False)
    model.n_clusters = 1
    model.choice.choose(3, 4)
    assert "got 1" in model.message  # about the fit, so it stays
    assert model.is_error


def test_suggested_pairs_are_new_until_answered(model):
    requested = set()
    for _ in range(4):
        model.suggest()
        assert "belong together?" in model.message
        requested.add(tuple(sorted(model.choice.objects)))
        model.link("truth")
    assert len(requested) == len(model.links) == 4


def test_each_data_set_keeps_its_constraints(model):
    link(model, 0, 39, "cannot-link")
    links = model.links
    model.data = "iris"
    assert model.links == ()
    assert (model.n_clusters, model.delta) == (3, 31.6)
    model.data = "two_class:40:2"
    assert model.links == links
    assert model.fitted.method == "CECM"


def test_standardising_keeps_the_constraints(model):
    link(model, 0, 39, "cannot-link")
    model.standardize = True
    assert len(model.fitted.constraints) == 1
    np.testing.assert_allclose(model.subject.attributes.std(axis=0), 1, rtol=1e-12)  # rounding


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [("n_clusters", 7, "has 128"), ("data", "two_class:many", "two_class:400:2")],
)
def test_too_much_and_unknown_recipes_are_refused(model, trait, value, words):
    fitted = model.fitted
    setattr(model, trait, value)
    assert model.is_error and words in model.message
    assert model.fitted is fitted


def test_dissimilarities_are_refused_and_the_data_stay(model):
    model.load_file(b"0,1,5\n1,0,5\n5,5,0\n", "square.csv")
    assert "needs attributes" in model.message
    assert model.data == "two_class:40:2"
    model.alpha = 2.0
    assert not model.is_error


def test_own_table_and_constraints_survive_the_state(model):
    model.load_file(CSV, "mine.csv")
    link(model, 0, 3, "cannot-link")
    twin = CECMModel("two_class:40:2")
    twin.set_state(json.loads(json.dumps(model.state())))
    assert twin.links == model.links == ((0, 3, "cannot-link"),)
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)
    model.load_file(CSV, "mine.csv")  # read again: other rows, perhaps
    assert model.links == ()


def test_a_state_with_contradictory_links_becomes_a_message(model):
    model.set_state({"links": [[0, 1, "must-link"], [0, 1, "cannot-link"]]})
    assert "but must-links 0 - 1" in model.message
    assert model.links == ()


def test_coincident_prototypes_are_reported():
    model = CECMModel(np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0), n_clusters=3)
    assert not model.is_error
    assert "coincide" in model.message


def test_clusters_take_the_numbers_of_the_classes():
    model = CECMModel("iris", init="k-means")
    for seed in range(3):
        model.seed = seed
        agree = model.fitted.partition.labels("pignistic") == model.subject.y
        assert agree.mean() > 0.8  # renumbered, one third agrees at most


def test_saved_files_are_named_after_the_data(model, tmp_path):
    paths = model.export(tmp_path)
    assert [path.name for path in paths] == [
        "cecm-two-class-40-2-partition.npz",
        "cecm-two-class-40-2-state.json",
    ]
