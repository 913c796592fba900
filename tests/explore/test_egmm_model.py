"""The EGMM explorer without widgets: generated mixtures, refits, the curve of EBIC, gaps in it."""

import json
from threading import Thread

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import norm

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM
from credalbench.explore.explorers.egmm.fit import covariances, on_the_map
from credalbench.explore.explorers.egmm.fits_over_clusters import CACHED, FitsOverClusters, Point, best_point
from credalbench.explore.explorers.egmm.model import CURVE, EGMMModel, n_components
from credalbench.explore.explorers.egmm.overlapping_mixture import _places, overlapping_mixture
from credalbench.explore.sources.tables import table_from_arrays
from tests.explore.browser import CSV

DIAMOND = "egmm_diamond"
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
    alone = EGMM(3, random_state=0).fit(model.subject.attributes)
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
        requested = [fitted.centers_on_map[sorted(members)].mean(axis=0) for members in sets]
        np.testing.assert_allclose(fitted.means_on_map, requested, atol=1e-9)  # a map by least squares
        shares = fitted.partition.masses.mean(axis=0)
        np.testing.assert_allclose(fitted.weights, shares, atol=0.02)  # one step of EM later


def test_clusters_take_the_numbers_of_the_classes(model):
    model.overlap = 0.03
    for seed in range(3):
        model.seed = seed
        agree = model.fitted.partition.labels("pignistic") == model.subject.y
        assert agree.mean() > 0.8  # renumbered, one third agrees at most


@pytest.mark.parametrize("covariance_type", ["tied", "spherical", "diag", "full"])
def test_covariances_of_every_type_come_to_the_map(covariance_type):
    """Of two attributes the map is the attributes themselves."""
    model = EGMMModel(n_objects=90, n_clusters=2, covariance_type=covariance_type)
    alone = EGMM(2, covariance_type=covariance_type, random_state=0).fit(model.subject.attributes)
    requested = np.sort(covariances(alone).reshape(-1, 4), axis=0)
    found = np.sort(model.fitted.covariances_on_map.reshape(-1, 4), axis=0)
    np.testing.assert_allclose(found, requested, atol=1e-9)  # a map by least squares


def test_a_covariance_on_the_map_is_that_of_the_places():
    X = np.random.default_rng(0).normal(size=(40, 5)) @ np.random.default_rng(1).normal(size=(5, 5))
    subject = table_from_arrays("points", X=X)
    (found,) = on_the_map(subject, np.cov(X.T)[None])
    np.testing.assert_allclose(found, np.cov(subject.positions.T), atol=1e-9)  # a map by least squares


def test_dissimilarities_are_refused_and_the_data_stay(model):
    model.load_file(b"0,1,5\n1,0,5\n5,5,0\n", "square.csv")
    assert "EGMM needs attributes" in model.message
    assert model.data == "mixture"


def test_too_many_components_are_refused(model):
    fitted = model.fitted
    model.n_clusters = 7
    assert "'full' with 7 clusters has 127" in model.message
    assert model.fitted is fitted
    model.focal_sets = "pairs"
    assert not model.is_error
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
        alone = EGMM(point.n_clusters, random_state=0).fit(model.subject.attributes)
        assert point.ebic == pytest.approx(alone.ebic_, rel=1e-12)  # the same computation


def test_the_curve_waits_while_another_thread_changes_something(model):
    extending = Thread(target=model.extend_curve)
    with model.turn:
        extending.start()
        extending.join(0.05)
        assert extending.is_alive() and len(model.fitted.curve) == 1
    extending.join()
    assert len(model.fitted.curve) == 2


def test_the_best_number_of_clusters_is_known_once_all_are(model):
    model.n_clusters = 5
    assert model.best_n_clusters is None
    model.take_best()
    values = {point.n_clusters: point.ebic for point in model.fitted.curve}
    assert model.n_clusters == model.best_n_clusters == max(values, key=values.get)
    assert model.fitted.is_complete and model.fitted.ebic == max(values.values())


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
    model = EGMMModel(OBJECTS, covariance_type="spherical", n_clusters=2)
    model.complete_curve()
    refused = [point for point in model.fitted.curve if point.ebic is None]
    assert {point.n_clusters for point in refused} >= {6} and all(point.reason for point in refused)
    assert model.best_n_clusters not in [point.n_clusters for point in refused]
    fitted = model.fitted
    model.n_clusters = 6
    assert model.is_error and refused[-1].reason[1:] in model.message
    assert model.fitted is fitted
    assert not model.extend_curve()


def test_of_equal_points_the_fewest_clusters_are_best():
    curve = (Point(1, -9.0, ""), Point(2, None, "no"), Point(3, -5.0, ""), Point(4, -5.0, ""))
    assert best_point(curve).n_clusters == 3
    assert best_point(curve[1:2]) is None


def test_few_settings_are_cached_the_latest_ones():
    fits, made = FitsOverClusters(), []

    def refuse(c):
        made.append(c)
        raise ValueError("no")

    for settings in range(CACHED + 1):
        fits.attempt(settings, 2, refuse)
    fits.attempt(CACHED, 2, refuse)
    assert len(made) == CACHED + 1
    fits.attempt(0, 2, refuse)
    assert len(made) == CACHED + 2


def test_an_own_table_of_the_same_name_is_fitted_anew(model):
    model.load_file(CSV, "mine.csv")
    before = model.fitted.objective
    model.load_file(CSV.replace(b"9,9", b"7,9"), "mine.csv")
    assert model.fitted.objective != before


def test_an_own_table_survives_the_state(model):
    model.load_file(CSV, "mine.csv")
    twin = EGMMModel(n_objects=50)
    twin.set_state(json.loads(json.dumps(model.state())))
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)


# -- objects ---------------------------------------------------------------------------------------------


def test_the_selected_object_stays_while_the_overlap_moves(model):
    model.selected = 80
    model.overlap = 0.3
    assert model.selected == 80
    model.n_objects = 70
    assert model.selected is None


def test_numbers_of_the_paper_on_diamond():
    """EBIC of Table 2 at two and three clusters, less their minus signs, with the authors' ridge."""
    model = EGMMModel(DIAMOND, reg_covar=0.01)
    for c, printed in ((2, -55.9), (3, -63.1)):
        model.n_clusters = c
        assert model.fitted.ebic == pytest.approx(printed, abs=0.1)  # one printed digit, coordinates rebuilt
