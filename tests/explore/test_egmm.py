"""The EGMM explorer: generated mixtures, refits, the curve of EBIC and its gaps."""

import asyncio
from threading import Thread

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import norm

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM
from credalbench.cluster.mixture.bootstrap import component_covariances
from credalbench.explore import background, explore_egmm
from credalbench.explore.background import WhenIdle
from credalbench.explore.explorers.egmm import (
    BEST,
    CURVE,
    LISTED,
    REFUSED,
    SHOWN,
    EGMMModel,
    Point,
    _places,
    best_point,
    egmm_scene,
    n_components,
    on_the_map,
    overlapping_mixture,
)
from credalbench.explore.scene.marks import DASHED, Bars, Line, Points, Text
from credalbench.explore.sources.tables import table_from_arrays
from credalbench.plots.style import colour
from tests.explore.browser import on_a_page, panel_of, send, shown, until

DIAMOND = "egmm_diamond"
FIXED = {"focal_sets": "full", "noise": False, "init": "k-means"}  # of the explorer
OBJECTS = np.array([[0.0, 0.2], [0.1, 1.0], [1.0, 0.0], [9.0, 9.3], [9.1, 8.0], [8.0, 9.0]])


@pytest.fixture
def model():
    return EGMMModel(n_objects=90, overlap=0.1)


# -- the generated mixture -------------------------------------------------------------------------------


@pytest.mark.parametrize("overlap", [0.05, 0.4])
def test_neighbouring_classes_overlap_as_much_as_requested(overlap):
    """By the best classifier of two neighbours, which errs with half of the overlap."""
    subject = overlapping_mixture(2000, 2, overlap, draw=3)
    X, y = subject.attributes, subject.y
    within = np.cov(np.vstack([X[y == k] - X[y == k].mean(axis=0) for k in (0, 1)]).T)
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    distance = np.sqrt(gap @ np.linalg.solve(within, gap))
    assert 2 * norm.cdf(-distance / 2) == pytest.approx(overlap, abs=0.045)  # three standard errors


@pytest.mark.parametrize("c", [1, 2, 5, 8])
def test_every_class_has_a_nearest_neighbour_at_distance_1(c):
    for draw in range(20):
        places = _places(c, np.random.default_rng(draw))
        assert len(places) == c
        if c > 1:
            gaps = squareform(pdist(places)) + 9 * np.eye(c)
            np.testing.assert_allclose(gaps.min(axis=0), 1, atol=1e-8)  # what rounding lets pass


def test_more_objects_leave_the_first_ones_where_they_are():
    few, many = (overlapping_mixture(n, 3, 0.2, 0) for n in (60, 90))
    np.testing.assert_array_equal(many.attributes[:60], few.attributes)
    np.testing.assert_array_equal(many.y[:60], few.y)
    assert (np.bincount(many.y) == 30).all()


def test_objects_move_smoothly_with_the_overlap_and_keep_their_spread():
    before, after = (overlapping_mixture(300, 3, overlap, 0).attributes for overlap in (0.2, 0.21))
    assert 0 < np.abs(before - after).max() < 0.1  # of a spread of about 1
    spreads = [overlapping_mixture(300, 3, overlap, 0).attributes.std() for overlap in (0.01, 0.2, 0.9)]
    np.testing.assert_allclose(spreads, 1, atol=0.1)  # 300 draws


def test_full_overlap_and_one_class_are_one_gaussian():
    for subject in (overlapping_mixture(500, 3, 1.0, 0), overlapping_mixture(500, 1, 0.1, 0)):
        means = [subject.attributes[subject.y == k].mean(axis=0) for k in range(subject.n_classes)]
        np.testing.assert_allclose(means, 0, atol=0.4)  # four standard errors of the mean of 166 objects


# -- fits ------------------------------------------------------------------------------------------------


def test_the_fit_is_that_of_the_estimator(model):
    alone = EGMM(3, random_state=0, **FIXED).fit(model.subject.attributes)
    assert model.fitted.objective == pytest.approx(alone.log_likelihood_, rel=1e-12)  # the same
    assert model.fitted.ebic == pytest.approx(alone.ebic_, rel=1e-12)  # the same
    masses = np.sort(model.fitted.partition.masses, axis=1)  # whatever the numbers of the clusters
    np.testing.assert_allclose(masses, np.sort(alone.partition_.masses, axis=1), atol=1e-12)  # the same


def test_components_go_with_their_sets_whatever_the_numbers(model):
    """The mean of a set of clusters is the mean of their means [jiao2022_egmm (14)], also on the map."""
    for seed in range(3):
        model.seed = seed
        fitted = model.fitted
        sets = fitted.partition.focal_sets.sets
        requested = [
            fitted.subject.on_the_map(fitted.prototypes)[sorted(members)].mean(axis=0) for members in sets
        ]
        np.testing.assert_allclose(fitted.means_on_map, requested, atol=1e-9)  # a map by least squares
        shares = fitted.partition.masses.mean(axis=0)
        np.testing.assert_allclose(fitted.weights, shares, atol=0.02)  # one step of EM later


@pytest.mark.parametrize("covariance_type", ["tied", "spherical", "diag", "full"])
def test_covariances_of_every_type_come_to_the_map(covariance_type):
    """Of two attributes the map is the attributes themselves."""
    model = EGMMModel(n_objects=90, n_clusters=2, covariance_type=covariance_type)
    alone = EGMM(2, covariance_type=covariance_type, random_state=0, **FIXED).fit(model.subject.attributes)
    requested = np.sort(component_covariances(alone).reshape(-1, 4), axis=0)
    found = np.sort(model.fitted.covariances_on_map.reshape(-1, 4), axis=0)
    np.testing.assert_allclose(found, requested, atol=1e-9)  # a map by least squares


def test_a_covariance_on_the_map_is_that_of_the_places():
    X = np.random.default_rng(0).normal(size=(40, 5)) @ np.random.default_rng(1).normal(size=(5, 5))
    subject = table_from_arrays("points", X=X)
    (found,) = on_the_map(subject, np.cov(X.T)[None])
    np.testing.assert_allclose(found, np.cov(subject.positions.T), atol=1e-9)  # a map by least squares


def test_numbers_of_components():
    for c in (1, 2, 3, 4):
        assert n_components("full", c) == len(FocalSets.full(c, empty=False))
        assert n_components("simple", c) == len(FocalSets.simple(c, empty=False))
        assert n_components("pairs", c) == len(FocalSets.pairs(c, empty=False))


def test_other_data_bring_their_number_of_clusters_the_sliders_of_the_mixture_do_not(model):
    model.data = "iris"
    assert model.n_clusters == 3
    model.data = DIAMOND
    assert model.n_clusters == 2
    model.data = "mixture"
    model.n_classes = 5
    assert model.n_clusters == 3


# -- the curve -------------------------------------------------------------------------------------------


def test_the_curve_has_the_shown_point_at_once_and_the_others_bit_by_bit(model, count):
    assert [point.n_clusters for point in model.fitted.curve] == [3]
    steps = 1
    while model.extend_curve():
        steps += 1
    assert [point.n_clusters for point in model.fitted.curve] == list(CURVE)
    assert steps == len(CURVE) - 1 == len(count)
    assert not model.extend_curve() and len(count) == steps
    for point in model.fitted.curve:
        alone = EGMM(point.n_clusters, random_state=0, **FIXED).fit(model.subject.attributes)
        assert point.ebic == pytest.approx(alone.ebic_, rel=1e-12)  # the same computation


def test_the_curve_waits_while_another_thread_changes_something(model):
    extending = Thread(target=model.extend_curve)
    with model.turn:
        extending.start()
        extending.join(0.05)
        assert extending.is_alive() and len(model.fitted.curve) == 1
    extending.join()
    assert len(model.fitted.curve) == 2


def test_stepping_leaves_the_curve_which_goes_on(model):
    model.rewind()
    curve = model.fitted.curve
    assert curve[0].ebic > model.fitted.ebic  # at the end of the run, not at its start
    model.complete_curve()
    assert model.fitted.iteration == 0 and len(model.fitted.curve) == len(CURVE)
    model.step()
    whole = EGMMModel(n_objects=90, overlap=0.1)
    whole.complete_curve()
    assert model.fitted.curve == whole.fitted.curve


def test_as_classes_merge_ebic_counts_fewer():
    model = EGMMModel(n_objects=400)
    chosen = []
    for overlap in (0.02, 0.9):
        model.overlap = overlap
        model.complete_curve()
        chosen.append(model.best_n_clusters)
    assert chosen == [3, 1]


def test_only_the_number_of_clusters_leaves_the_curve_as_it_is(model, monkeypatch):
    model.complete_curve()
    fits = []
    monkeypatch.setattr(EGMM, "fit", lambda self, X: fits.append(self.n_clusters))
    for c in CURVE:
        model.n_clusters = c
        assert model.fitted.is_complete
    assert fits == []


@pytest.mark.parametrize(
    "name", ["overlap", "reg_covar", "covariance_type", "focal_sets", "seed", "standardize"]
)
def test_every_other_parameter_starts_another_curve_and_going_back_finds_the_first(model, name):
    model.complete_curve()
    before = getattr(model, name)
    setattr(model, name, {"covariance_type": "diag", "focal_sets": "simple"}.get(name, 1))
    assert len(model.fitted.curve) == 1
    setattr(model, name, before)
    assert model.fitted.is_complete


def test_refused_fits_are_gaps_with_a_reason_and_never_the_best():
    """Six objects with two attributes are too few for five clusters."""
    explorer = explore_egmm(OBJECTS, covariance_type="spherical", n_clusters=2)
    model = explorer.model
    model.complete_curve()
    refused = [point for point in model.fitted.curve if point.ebic is None]
    assert {point.n_clusters for point in refused} >= {6} and all(point.reason for point in refused)
    numbers = [point.n_clusters for point in refused]
    assert model.best_n_clusters not in numbers
    assert f"no fit at c = {', '.join(map(str, numbers))}: " in explorer.texts["note"].value
    curve = panel_of(egmm_scene(model.fitted), "ebic")
    assert points_with(curve, REFUSED)[:, 0].tolist() == numbers
    assert (points_with(curve, REFUSED)[:, 1] > curve.y.low).all()
    fitted = model.fitted
    model.n_clusters = 6
    assert model.is_error and refused[-1].reason[1:] in model.message
    assert model.fitted is fitted
    assert not model.extend_curve()


def test_of_equal_points_the_fewest_clusters_are_best():
    curve = (Point(1, -9.0, ""), Point(2, None, "no"), Point(3, -5.0, ""), Point(4, -5.0, ""))
    assert best_point(curve).n_clusters == 3
    assert best_point(curve[1:2]) is None


# -- objects ---------------------------------------------------------------------------------------------


def test_the_selected_object_stays_while_the_overlap_moves(explorer):
    explorer.image.set_state({"selected": 80})
    explorer.controls["overlap"].value = 0.3
    assert explorer.model.selected == explorer.image.selected == 80
    explorer.model.n_objects = 70
    assert explorer.model.selected is None


def test_numbers_of_the_paper_on_diamond():
    """EBIC of Table 2 at two and three clusters, less their minus signs, with the authors' ridge."""
    model = EGMMModel(DIAMOND, reg_covar=0.01)
    for c, printed in ((2, -55.9), (3, -63.1)):
        model.n_clusters = c
        assert model.fitted.ebic == pytest.approx(printed, abs=0.1)  # one printed digit, coordinates rebuilt


# -- the view -------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_egmm(n_objects=90, overlap=0.1)


def points_with(panel, look):
    """Where the points of one look are, (m, 2)."""
    return next(mark.positions for mark in panel.marks if isinstance(mark, Points) and mark.looks == [look])


def test_the_curve_is_reported_as_it_grows_and_its_best_taken(explorer):
    assert "known for 1 of 6" in explorer.texts["note"].value
    explorer.controls["n_clusters"].value = 6
    assert "known for 2 of 6" in explorer.texts["note"].value and explorer.model.best_n_clusters is None
    before = shown(explorer)
    explorer.controls["best"].click()
    best, fitted = explorer.model.best_n_clusters, explorer.model.fitted
    assert fitted.is_complete and fitted.ebic == max(point.ebic for point in fitted.curve)
    assert f"highest at <b>c = {best}</b> (star)" in explorer.texts["note"].value
    assert explorer.controls["n_clusters"].value == best < 6
    assert shown(explorer) != before


@on_a_page
async def test_the_curve_grows_by_itself_where_an_event_loop_runs(monkeypatch):
    monkeypatch.setattr(background, "REST_S", 0.01)
    explorer = explore_egmm(n_objects=60)
    await until(lambda: explorer.model.fitted.is_complete)
    for y in (0.0, 0.1, 0.2):
        explorer.model.drawing.add(0.0, y)
        assert "known for 1 of 6" in explorer.texts["note"].value
        await until(lambda: explorer.model.fitted.is_complete)
    assert [point.n_clusters for point in explorer.model.fitted.curve] == list(CURVE)
    assert "is highest at" in explorer.texts["note"].value


def test_idle_work_rests_after_every_change_and_ends(monkeypatch):
    monkeypatch.setattr(background, "REST_S", 0.05)
    calls = []

    async def change_often():
        loop = asyncio.get_running_loop()
        idle = WhenIdle(lambda: calls.append(loop.time()) or len(calls) < 3)
        for _ in range(3):
            last = loop.time()
            idle.restart()
        while len(calls) < 3:
            await asyncio.sleep(0.01)
        idle.restart()
        idle.stop()
        await asyncio.sleep(0.1)
        return calls[0] - last

    assert asyncio.run(change_often()) > 0.045  # s
    assert len(calls) == 3
    WhenIdle(lambda: calls.append(1)).restart()  # without a loop nothing happens
    assert len(calls) == 3


def test_sliders_of_the_mixture_are_off_for_other_data(explorer):
    generating = [explorer.controls[name] for name in EGMMModel.GENERATING]
    assert not any(control.disabled for control in generating)
    explorer.controls["data"].value = "iris"
    assert all(control.disabled for control in generating)
    explorer.controls["data"].value = "mixture"
    assert not any(control.disabled for control in generating)


def test_points_are_drawn_on_a_generated_mixture_and_taken_back(explorer):
    before = explorer.model.fitted.partition.masses
    explorer.drawing.controls["tool"].value = "add"
    send(explorer.image, event="draw", object=None, x=3.0, y=3.0)
    assert not explorer.model.is_error
    assert explorer.model.subject.attributes[-1].tolist() == [3.0, 3.0]
    assert explorer.controls["overlap"].disabled  # the points are own data now
    explorer.drawing.controls["undo"].click()
    assert explorer.model.data == "mixture" and not explorer.controls["overlap"].disabled
    np.testing.assert_array_equal(explorer.model.fitted.partition.masses, before)


def test_a_ridge_of_zero_is_typed(explorer):
    explorer.controls["reg_covar_slider"].value = 0.1
    assert explorer.model.reg_covar == explorer.controls["reg_covar"].value == 0.1
    explorer.controls["reg_covar"].value = 0.0
    assert explorer.model.reg_covar == 0 and not explorer.model.is_error
    explorer.controls["reg_covar"].value = -1.0
    assert "0 &lt;= reg_covar" in explorer.message.value


# -- the scene -------------------------------------------------------------------------------------------


def test_ellipses_are_around_their_means_dashed_for_sets_of_several():
    model = EGMMModel(n_objects=90, overlap=0.1)
    fitted = model.fitted
    lines = [mark for mark in panel_of(egmm_scene(fitted), "map").marks if isinstance(mark, Line)]
    heavy = fitted.weights * 90 >= 1
    sizes = fitted.partition.focal_sets.cardinality
    dashed = [line for line in lines if line.stroke.dash == DASHED]
    solid = [line for line in lines if line.stroke.dash == ()]
    assert len(solid) == (heavy & (sizes == 1)).sum() == 3
    assert len(dashed) == 2 * (heavy & (sizes > 1)).sum()  # an edge, and the colour
    for k, line in enumerate(solid):
        assert line.stroke.colour == colour(k).lower()
        assert line.path[:-1].mean(axis=0) == pytest.approx(fitted.subject.on_the_map(fitted.prototypes)[k])
        around = line.path - fitted.subject.on_the_map(fitted.prototypes)[k]
        squared = np.einsum("ip,ip->i", around, np.linalg.solve(fitted.covariances_on_map[k], around.T).T)
        assert np.exp(-squared / 2) == pytest.approx(0.5)  # the share outside


def test_bars_are_the_weights_of_the_heaviest_components():
    model = EGMMModel("iris", n_clusters=4)
    fitted, weights = model.fitted, panel_of(egmm_scene(model.fitted), "weights")
    boxes = np.vstack([mark.boxes for mark in weights.marks if isinstance(mark, Bars)])
    assert len(weights.y.ticks) == LISTED
    assert np.unique(boxes[:, 2]) == pytest.approx(np.sort(fitted.weights)[-LISTED:])
    labels = fitted.partition.focal_sets.labels
    for row, label in weights.y.ticks:
        bands = boxes[np.abs(boxes[:, [1, 3]].mean(axis=1) - row) < 0.5]
        assert bands[:, 2] == pytest.approx(fitted.weights[labels.index(label)])
        clusters = label.count(",") + 1  # bands of equal height, and the edge around them
        assert len(bands) == (1 if clusters == 1 else clusters + 1), label
    assert "and 7 smaller ones" in [mark.words for mark in weights.marks if isinstance(mark, Text)]


def test_the_curve_has_gaps_where_nothing_is_known_and_a_star_at_the_end(explorer):
    explorer.model.n_clusters = 5
    curve = panel_of(egmm_scene(explorer.model.fitted), "ebic")
    line = curve.marks[0].path
    assert line[:, 0].tolist() == [1, 2, 3, 4, 5, 6]
    assert np.isnan(line[:, 1]).tolist() == [True, True, False, True, False, True]
    assert BEST not in [look for mark in curve.marks if isinstance(mark, Points) for look in mark.looks]
    assert points_with(curve, SHOWN).tolist() == [[5, explorer.model.fitted.ebic]]
    explorer.model.complete_curve()
    curve = panel_of(egmm_scene(explorer.model.fitted), "ebic")
    assert not np.isnan(curve.marks[0].path).any()
    assert points_with(curve, BEST)[0, 0] == explorer.model.best_n_clusters


# -- the introduction ------------------------------------------------------------------------------------


def check_overlaps():
    model, counts, best = EGMMModel("mixture", overlap=0.15), [], []
    for model.overlap in (0.05, 0.15, 0.3):
        model.complete_curve()
        counts.append(model.fitted.n_imprecise)
        best.append(model.best_n_clusters)
    assert counts == sorted(counts) and best[0] == best[1] == 3 > best[2]


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {"Increase the overlap": check_overlaps}
