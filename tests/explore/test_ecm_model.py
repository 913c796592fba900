"""The ECM explorer without widgets: iterations of a run, moved prototypes, starts."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import ECM
from credalbench.cluster.prototypes.adaptive_metric import squared_distances
from credalbench.cluster.prototypes.mass_update import focal_costs, objective
from credalbench.datasets import load
from credalbench.explore.explorers.ecm.model import LAST, ECMModel
from tests.explore.browser import CSV

METRICS = ("euclidean", "mahalanobis")


@pytest.fixture
def model():
    return ECMModel("two_class:40:2", n_clusters=3)


def objectives(model):
    """What is told of each iteration, from the start to the end."""
    values = [model.fitted.objective]
    while not model.fitted.ended:
        model.step()
        values.append(model.fitted.objective)
    return values


@pytest.mark.parametrize("metric", METRICS)
def test_steps_are_those_of_one_fit(model, metric):
    """Trace, prototypes and masses of each step, against ECM alone with that many iterations."""
    model.metric = metric
    model.restart()
    X, start = model.subject.attributes, np.array(model.start)
    options = {"delta": model.delta, "metric": metric, "focal_sets": "pairs", "init": start}
    whole = ECM(3, **options).fit(X)
    assert model.fitted.n_iter == whole.n_iter_ > 3
    for k in range(1, whole.n_iter_ + 1):
        model.step()
        alone = ECM(3, max_iter=k, **options).fit(X)
        assert model.fitted.iteration == k
        assert model.fitted.objective == alone.objective_ == whole.objective_trace_[k]
        np.testing.assert_array_equal(model.fitted.prototypes, alone.cluster_centers_)
        np.testing.assert_array_equal(model.fitted.partition.masses, alone.partition_.masses)
    assert model.fitted.ended and model.fitted.converged
    np.testing.assert_array_equal(model.fitted.partition.masses, whole.partition_.masses)


@pytest.mark.parametrize("metric", METRICS)
def test_before_the_first_iteration_masses_are_those_of_the_start(model, metric):
    model.metric = metric
    model.restart()
    fitted, focal_sets = model.fitted, FocalSets.pairs(3)
    assert fitted.iteration == 0
    np.testing.assert_array_equal(fitted.prototypes, np.array(model.start))
    distances = squared_distances(
        model.subject.attributes, fitted.prototypes, focal_sets
    )  # norms are identities
    costs = focal_costs(distances, focal_sets, model.alpha, model.delta)
    values = objective(fitted.partition.masses, costs, model.beta) / fitted.partition.masses.size
    assert values == pytest.approx(fitted.objective, rel=1e-12)  # summed in another order


@pytest.mark.parametrize("metric", METRICS)
def test_law_the_reported_objective_never_rises(model, metric):
    model.metric = metric
    model.restart()
    values = objectives(model)
    assert len(values) == model.fitted.n_iter + 1
    assert (np.diff(values) <= 1e-12 * values[0]).all()  # rounding


def test_a_moved_prototype_waits_where_it_was_put_and_the_others_stay(model):
    model.restart()
    model.step()
    others = model.fitted.prototypes[1:]
    model.move(0, (3.0, -1.0))
    assert (model.fitted.iteration, model.is_error) == (0, False)
    np.testing.assert_allclose(model.fitted.prototypes[0], (3.0, -1.0), rtol=1e-12)  # two attributes: the map
    np.testing.assert_array_equal(model.fitted.prototypes[1:], others)
    assert not model.fitted.ended


def test_a_prototype_moves_on_the_map_of_many_attributes_only():
    model = ECMModel("iris")
    before = model.fitted.prototypes[1]
    place = model.subject.on_the_map(before[None])[0] + (0.5, -0.25)
    model.move(1, place)
    shift = model.fitted.prototypes[1] - before
    np.testing.assert_allclose(model.subject.on_the_map(model.fitted.prototypes)[1], place)
    assert np.linalg.norm(shift) == pytest.approx(np.hypot(0.5, 0.25))  # nothing off the two components


def test_clusters_keep_their_prototypes_whatever_is_dragged(model):
    """Prototype 1 is put on the place of prototype 2: they change roles, not numbers."""
    first, second, _ = model.subject.on_the_map(model.fitted.prototypes)
    model.move(0, second)
    model.move(1, first)
    model.finish()
    ends = model.subject.on_the_map(model.fitted.prototypes)
    np.testing.assert_allclose(ends[:2], [second, first], atol=0.05)  # both rest where the other did


def test_clusters_take_the_numbers_of_the_classes():
    model = ECMModel("iris", seed=0)
    for seed in range(3):
        model.seed = seed
        agree = model.fitted.partition.labels("pignistic") == model.subject.y
        assert agree.mean() > 0.8  # numbered otherwise, one third agrees at most


def test_who_looks_at_the_end_goes_on_looking_at_the_end(model, count):
    model.alpha = 2.0
    assert model.fitted.ended
    model.iteration = 2
    model.beta = 1.5
    assert (model.fitted.iteration, model.fitted.ended) == (2, False)
    model.iteration = model.fitted.n_iter
    model.beta = 3.0
    assert model.fitted.ended
    assert model.iteration == LAST
    assert len(count) == 5


def test_other_parameters_keep_the_start_and_other_clusters_draw_one(model):
    start = model.start
    for name, value in (("alpha", 2.0), ("beta", 1.5), ("delta", 4.0), ("metric", "mahalanobis")):
        setattr(model, name, value)
        assert model.start == start
    model.n_clusters = 4
    assert len(model.start) == 4
    model.restart()
    again = model.start
    assert (model.fitted.iteration, model.seed) == (0, 1)
    model.restart()
    assert model.start != again
    assert model.fitted.iteration == 0


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (((0.0, 1.0),), "start of shape (3, 2)"),
        (((0.0, 1.0), (2.0, 3.0), (1.0, float("nan"))), "finite numbers in start"),
        ((("a", "b"),) * 3, "convert string"),
    ],
)
def test_a_start_that_is_none_is_refused_and_forgotten(model, start, words):
    fitted = model.fitted
    model.start = start
    assert model.is_error and words in model.message
    assert model.fitted is fitted
    model.alpha = 2.0
    assert not model.is_error
    assert len(model.start) == 3


def test_too_many_focal_sets_are_refused(model):
    fitted = model.fitted
    with model.batch():
        model.focal_sets, model.n_clusters = "full", 7
    assert "has 128" in model.message
    assert model.fitted is fitted


def test_nothing_moves_where_there_are_no_data():
    model = ECMModel("no such set")
    for action in (model.step, model.restart, model.finish, lambda: model.move(0, (0, 0))):
        action()
        assert model.is_error
    assert model.fitted is None


def test_dissimilarities_are_neither_offered_nor_taken(model):
    assert "protein" not in model.source.names()
    model.load_file(b"0,1,5\n1,0,5\n5,5,0\n", "square.csv")
    assert "ECM needs attributes" in model.message
    assert model.data == "two_class:40:2"


def test_delta_follows_the_data(model):
    assert model.delta == 10.0
    model.data = "iris"
    assert (model.n_clusters, model.delta) == (3, 31.6)
    model.standardize = True
    assert model.delta == pytest.approx(1.1 * model.subject.D.max(), rel=5e-3)  # three digits


def test_own_table_and_start_survive_the_state(model):
    model.load_file(CSV, "mine.csv")
    model.move(0, (4.0, 4.0))
    model.step()
    twin = ECMModel("two_class:40:2")
    twin.set_state(model.state())
    assert twin.start == model.start
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)


def test_coincident_prototypes_are_reported():
    model = ECMModel(np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0), n_clusters=3)
    assert not model.is_error
    assert "coincide" in model.message


def test_unknown_classes_give_no_index():
    assert ECMModel(load("iris").X, n_clusters=3).fitted.ari is None
