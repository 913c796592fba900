"""The CECM explorer: constraints by clicks, numbers and letters, refits, their lines and violations."""

import numpy as np
import pytest

from credalbench.cluster import CECM
from credalbench.core.checks import standardized
from credalbench.core.constraints import random_pairs
from credalbench.datasets import load, make_two_class_cecm
from credalbench.explore import explore_cecm
from credalbench.explore.explorers.cecm import CECMModel, cecm_scene
from credalbench.explore.scene.credal_map import CROSS, RING
from credalbench.explore.scene.marks import DASHED, Line, Points, Text
from credalbench.plots.constraints import VIOLATED
from credalbench.plots.style import INK
from tests.explore.browser import click, panel_of, press, shown, upload
from tests.explore.declared import CSV


@pytest.fixture
def model():
    return CECMModel("two_class:40:2")


def link(model, i, j, kind):
    model.choice.choose(i, j)
    model.linking.link(kind)


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
    model.linking.clear()
    assert model.fitted.method == "ECM"
    assert model.fitted.objective != without


def test_a_pair_is_one_constraint_whichever_object_comes_first(model):
    model.links = ((30, 3, "cannot-link"), (3, 30, "cannot-link"), (39, 0, "must-link"))
    assert model.links == ((3, 30, "cannot-link"), (0, 39, "must-link"))
    assert len(model.fitted.violations) == len(model.fitted.outcomes) == len(model.fitted.constraints) == 2
    link(model, 30, 3, "cannot-link")
    assert "already" in model.message and len(model.links) == 2


def test_violated_constraints_are_those_that_the_clusters_break(model):
    with model.batch():
        model.xi = 0.0
        model.links = ((1, 39, "must-link"), (3, 30, "cannot-link"), (1, 2, "cannot-link"))
    labels = model.fitted.partition.labels("pignistic")
    expected = [(labels[i] == labels[j]) != (kind == "must-link") for i, j, kind in model.links]
    assert set(expected) == {True, False}
    assert [outcome == "violated" for outcome in model.fitted.outcomes] == expected


def test_an_outlier_meets_its_constraints_whatever_their_kind():
    """With a large weight, objects leave the clusters, so that their constraints cost nothing."""
    model = CECMModel("two_class:400:2", delta=10)
    for _ in range(10):
        model.suggest()
        model.linking.link("truth")
    model.xi = 0.5
    assert set(model.fitted.outcomes) == {"met"} and model.fitted.n_outliers == 0
    model.xi = 0.99
    fitted = model.fitted
    outlying = fitted.partition.outliers()
    assert outlying.sum() == 3 and fitted.constraint_cost < 1e-6  # masses of 1
    expected = ["met by an outlier" if outlying[[i, j]].any() else "met" for i, j, _ in model.links]
    assert fitted.outcomes.tolist() == expected and 0 < expected.count("met") < 10
    report = fitted.run.estimator.constraint_report()
    assert sorted(report["outcome"]) == sorted(expected)
    explorer, panel = explore_cecm(**model.settings()), cecm_scene(fitted).panels[0]
    rings = next(mark for mark in panel.marks if isinstance(mark, Points) and mark.looks == [RING])
    ends = [fitted.subject.positions[[i, j]] for i, j, _ in model.links]
    middles = [at.mean(axis=0).tolist() for at, one in zip(ends, expected) if one != "met"]
    assert sorted(rings.positions.tolist()) == sorted(middles) and not len(crosses(panel))
    assert panel.marks.index(rings) < len(panel.marks) - 1
    tiles = {name: value for name, value, _ in explorer._read_outs(explorer.model.fitted)}
    assert (tiles["violated"], tiles["met by an outlier"]) == ("0 of 10", f"{len(middles)} of 10")
    assert f"0 of them violated and {len(middles)} met by an outlier" in explorer.image.description


def test_the_warning_about_outliers_counts_objects_from_1_and_names_no_code():
    links = ((31, 129, "cannot-link"), (23, 31, "must-link"), (82, 123, "cannot-link"), (6, 152, "must-link"))
    model = CECMModel("two_class:200:0", metric="mahalanobis", n_init=5, links=links)
    assert "1 of 2 must-links are met by outliers only: 7 - 153. An object" in model.message
    assert "constraint_report" not in model.message


def test_constraints_and_drawn_points_are_taken_back_each_by_its_own(model):
    link(model, 0, 12, "must-link")
    model.drawing.add(0.0, 0.0)
    assert (model.subject.n_objects, model.links) == (41, ((0, 12, "must-link"),))
    link(model, 3, 40, "cannot-link")
    model.linking.undo()
    assert (model.subject.n_objects, model.links) == (41, ((0, 12, "must-link"),))
    link(model, 3, 40, "cannot-link")
    model.drawing.undo()  # and with it the second point of a constraint
    assert (model.subject.n_objects, model.links) == (40, ((0, 12, "must-link"),))
    model.linking.undo()
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
    model.linking.undo()
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
    assert "cannot-link 1, 3; but must-links 1 - 2 - 3" in model.message
    assert model.links == links
    assert model.fitted is fitted
    assert model.choice.objects == (0, 2)
    model.linking.undo()
    assert model.links == links[:1]


def test_undo_takes_back_step_by_step_and_also_clearing(model):
    link(model, 0, 1, "must-link")
    link(model, 0, 39, "cannot-link")
    both = model.links
    model.linking.clear()
    assert model.links == ()
    model.linking.undo()
    assert model.links == both
    model.linking.undo()
    model.linking.undo()
    assert model.links == ()
    assert not model.linking.can_undo
    model.linking.undo()
    assert "nothing to undo" in model.message


def test_clicks_choose_drop_and_begin_again(model):
    for i, chosen in ((5, (5,)), (7, (5, 7)), (5, (7,)), (9, (7, 9)), (11, (11,))):
        model.linking.click(i)
        assert model.choice.objects == chosen


@pytest.mark.parametrize("kind", ["must-link", "cannot-link", "truth"])
def test_a_second_click_makes_a_constraint_where_it_should(model, count, kind):
    model.linking.second_choice = kind
    model.linking.click(0)
    model.linking.click(39)  # of the other class
    assert model.links == ((0, 39, "cannot-link" if kind == "truth" else kind),)
    assert model.choice.objects == ()
    assert len(count) == 1


def test_links_need_two_objects_and_known_classes(model):
    model.linking.link("must-link")
    assert "two objects first" in model.message
    assert model.links == ()
    unknown = CECMModel(load("iris").X)
    link(unknown, 0, 1, "truth")
    assert "unknown" in unknown.message
    assert unknown.links == ()


def test_a_message_about_an_action_goes_with_the_next_one(model):
    model.linking.link("must-link")
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
        model.linking.link("truth")
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
    expected = standardized(model.subject.attributes)
    model.standardize = True
    assert len(model.fitted.constraints) == 1
    np.testing.assert_array_equal(model.subject.attributes, expected)


def test_a_table_that_is_read_again_has_no_constraints(model):
    model.load_file(CSV, "mine.csv")
    link(model, 0, 3, "cannot-link")
    model.load_file(CSV, "mine.csv")  # read again: other rows, perhaps
    assert model.links == ()


def test_saved_files_are_named_after_the_data(model, tmp_path):
    paths = model.export(tmp_path)
    assert [path.name for path in paths] == [
        "cecm-two-class-40-2-partition.npz",
        "cecm-two-class-40-2-state.json",
    ]


# -- the view -------------------------------------------------------------------------------------------


#: Fitted with no weight, some of them are violated.
LINKS = ((3, 30, "cannot-link"), (0, 12, "must-link"), (1, 39, "must-link"), (1, 2, "cannot-link"))


@pytest.fixture
def explorer():
    return explore_cecm("two_class:40:2")


def test_two_clicks_and_a_button_make_a_constraint(explorer):
    before = shown(explorer)
    click(explorer, 3)
    click(explorer, 30)
    assert explorer.image.chosen == [3, 30]
    assert (explorer.controls["first"].value, explorer.controls["second"].value) == ("4", "31")
    assert shown(explorer) == before  # choosing needs no new picture
    explorer.controls["cannot-link"].click()
    assert explorer.model.links == ((3, 30, "cannot-link"),)
    assert explorer.image.chosen == []
    assert shown(explorer) != before


def test_numbers_and_buttons_do_what_clicks_do(explorer):
    explorer.controls["first"].value = "1"
    assert explorer.image.chosen == [0]
    explorer.controls["second"].value = "13"
    explorer.controls["must-link"].click()
    assert explorer.model.links == ((0, 12, "must-link"),)
    explorer.controls["first"].value = "forty"
    assert "numbers of objects" in explorer.message.value
    explorer.controls["first"].value = "41"
    assert "objects 1 to 40; got 41" in explorer.message.value
    assert explorer.model.choice.objects == ()


def test_letters_in_the_picture_are_buttons_and_a_click_off_all_objects_drops_the_choice(explorer):
    press(explorer, "p")
    assert len(explorer.image.chosen) == 2
    press(explorer, "t")
    press(explorer, "m")
    assert "two objects first" in explorer.message.value
    assert len(explorer.model.links) == 1
    press(explorer, "u")
    assert explorer.model.links == ()
    click(explorer, 3)
    click(explorer, None)
    assert explorer.image.chosen == []


def test_method_is_named_and_what_does_not_count_is_off(explorer):
    assert "<b>ECM</b>" in explorer.texts["note"].value
    assert explorer.controls["xi"].disabled
    assert explorer.controls["undo"].disabled
    explorer.controls["beta"].value = 3.0
    explorer.model.choice.choose(0, 39)
    explorer.model.linking.link("truth")
    assert "<b>CECM</b>, where β is 2" in explorer.texts["note"].value
    assert explorer.controls["beta"].disabled
    assert explorer.controls["beta"].value == 2.0
    explorer.controls["clear"].click()
    assert explorer.controls["beta"].value == explorer.model.beta == 3.0
    explorer.controls["undo"].click()
    assert len(explorer.model.links) == 1


def test_constraints_can_be_taken_back_after_points_are_drawn(explorer):
    explorer.model.links = ((0, 12, "must-link"),)
    explorer.model.drawing.add(0.0, 0.0)
    assert not explorer.controls["undo"].disabled
    explorer.controls["undo"].click()
    assert explorer.model.links == () and explorer.controls["undo"].disabled


def test_delta_keeps_its_digits_next_to_a_slider_of_steps(explorer):
    slider = explorer.controls["delta_slider"]
    explorer.controls["delta"].value = 31.6
    assert slider.value == pytest.approx(10**1.5, rel=1e-12)  # the nearest step
    assert explorer.model.delta == explorer.controls["delta"].value == 31.6
    slider.value = 10**1.6
    assert explorer.model.delta == pytest.approx(10**1.6, rel=1e-11)  # twelve digits
    assert explorer.controls["delta"].value == 39.810717  # eight digits
    explorer.controls["delta"].value = 0.0
    assert "got 0" in explorer.message.value


def test_without_classes_there_is_no_truth(explorer):
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n")
    assert explorer.controls["truth"].disabled


def lines(scene):
    """Lines of constraints on the map by look: (dash, colour) -> ends (q, 2, 2)."""
    drawn = [mark for mark in scene.panels[0].marks if isinstance(mark, Line) and mark.stroke.halo]
    return {
        (mark.stroke.dash, mark.stroke.colour): mark.path.reshape(-1, 3, 2)[:, :2]
        for mark in drawn
        if len(mark.path)
    }


def crosses(panel):
    """Where a panel has the cross of violated constraints, (q, 2)."""
    return next(mark.positions for mark in panel.marks if isinstance(mark, Points) and mark.looks == [CROSS])


@pytest.fixture(scope="module")
def constrained():
    return CECMModel("two_class:40:2", links=LINKS, xi=0.0).fitted


def test_constraints_are_lines_between_their_objects(constrained):
    positions, scene = constrained.subject.positions, cecm_scene(constrained)
    drawn = lines(scene)
    violated = constrained.outcomes == "violated"
    assert set(constrained.outcomes) == {"met", "violated"}
    for (i, j, kind), broken in zip(LINKS, violated):
        look = (DASHED if kind == "cannot-link" else ()), VIOLATED if broken else INK
        assert any(np.array_equal(ends, positions[[i, j]]) for ends in drawn[look])
    assert sum(map(len, drawn.values())) == len(LINKS)
    broken = [positions[[i, j]].mean(axis=0) for (i, j, _), at in zip(LINKS, violated) if at]
    assert 0 < len(broken) < len(LINKS)
    assert sorted(crosses(scene.panels[0]).tolist()) == sorted(np.array(broken).tolist())


def test_violations_stand_in_the_order_of_the_constraints(constrained):
    panel = panel_of(cecm_scene(constrained), "violations")
    dots = [mark for mark in panel.marks if isinstance(mark, Points) and mark.looks != [CROSS]]
    places = {
        at: mark.looks[k].shape for mark in dots for at, k in zip(map(tuple, mark.positions), mark.look_of)
    }
    expected = zip(range(1, 5), constrained.violations)
    assert [places[at] for at in expected] == ["circle", "square", "square", "circle"]
    assert crosses(panel)[:, 0].tolist() == (np.flatnonzero(constrained.outcomes == "violated") + 1).tolist()
    assert panel.x.high > 10  # there is room for more
    assert not any(isinstance(mark, Text) for mark in panel.marks)


def test_without_constraints_the_panel_of_violations_reports_it(explorer):
    *_, words = panel_of(cecm_scene(explorer.model.fitted), "violations").marks
    assert words.words == "no constraints"


# -- the introduction ------------------------------------------------------------------------------------


def with_constraints(metric, seed):
    """ARI of the CECM explorer without constraints, and after ten between random objects."""
    model, rng = CECMModel("two_class:400:2", metric=metric), np.random.default_rng(seed)
    before = model.fitted.ari
    for _ in range(10):
        model.choice.choose(*sorted(rng.choice(400, 2, replace=False).tolist()))
        model.linking.link("truth")
    assert len(model.links) == 10
    return before, model.fitted.ari


def check_metrics():
    for seed in range(3):
        assert with_constraints("mahalanobis", seed)[0] < 0.2 < 0.9 < with_constraints("mahalanobis", seed)[1]
        assert max(with_constraints("euclidean", seed)) < 0.5


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {"Neither metric finds": check_metrics, "Choose the adaptive": check_metrics}
