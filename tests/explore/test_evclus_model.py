"""The EVCLUS explorer without widgets: links, refits, messages, state."""

import json

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.datasets import load
from credalbench.explore.evclus.model import EVCLUSModel
from credalbench.explore.shared.cluster_numbers import matching_numbers, renumbered
from tests.explore.browser import CSV


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


def test_each_parameter_refits_once(model, count):
    model.alpha = 0.1
    model.n_pairs = 5
    model.focal_sets = "full"
    model.solver = "lbfgs"
    model.n_clusters = 3
    model.restart()
    assert len(count) == 6
    assert not model.is_error


def test_changes_in_a_batch_refit_once(model, count):
    with model.batch():
        model.n_clusters = 3
        model.alpha = 0.2
        model.d0_quantile = 0.6
    assert len(count) == 1
    assert model.fitted.partition.n_clusters == 3


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


def test_renumbering_undoes_a_permutation():
    rng = np.random.default_rng(0)
    focal_sets = FocalSets.pairs(3)
    reference = CredalPartition(rng.dirichlet(np.full(len(focal_sets), 0.2), 40), focal_sets)
    number = [2, 0, 1]
    places = [focal_sets.index({number[k] for k in members}) for members in focal_sets.sets]
    masses = np.empty_like(reference.masses)
    masses[:, places] = reference.masses
    permuted = CredalPartition(masses, focal_sets)
    found = renumbered(permuted, matching_numbers(permuted, [reference]))
    np.testing.assert_array_equal(found.masses, reference.masses)


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("n_clusters", 50, "as many clusters as objects, 12; got 50"),
        ("n_clusters", 1, "got 1"),
        ("n_pairs", 12, "got 12"),
        ("n_pairs", 0, "got 0"),
        ("d0", -1.0, "got -1"),
        ("d0", 0.0, "got 0"),
        ("alpha", 1.0, "got 1.0"),
        ("alpha", 0.0, "got 0.0"),
        ("focal_sets", "some", "got 'some'"),
        ("solver", "magic", "got 'magic'"),
        ("data", "no such set", "no such set"),
        ("data", "absent.csv", "does not exist"),
    ],
)
def test_bad_values_become_messages_and_keep_the_last_fit(model, trait, value, words):
    fitted = model.fitted
    setattr(model, trait, value)
    assert model.is_error
    assert words in model.message
    assert model.fitted is fitted


def test_a_good_value_after_a_bad_one_clears_the_message(model):
    model.n_clusters = 50
    model.n_clusters = 2
    assert not model.is_error
    assert model.message == ""


def test_data_that_cannot_be_loaded_leave_the_name_of_those_shown(model):
    model.data = "no such set"
    assert model.data == "butterfly"
    model.alpha = 0.1
    assert not model.is_error


def test_too_many_focal_sets_are_refused_before_work_starts(model):
    model.data = "iris"
    with model.batch():
        model.n_clusters = 12
        model.focal_sets = "full"
    assert "4096" in model.message


def test_new_data_bring_their_number_of_classes(model):
    model.n_pairs = 11
    model.data = "iris"
    assert model.n_clusters == 3
    assert model.fitted.ari is not None
    model.n_pairs = 100
    model.data = "butterfly"
    assert model.n_pairs is None


def test_own_table_is_shown_and_survives_the_state(model):
    model.load_file(CSV, "mine.csv")
    assert model.data == "mine.csv"
    assert model.message.startswith("mine.csv: 6 objects")
    assert model.fitted.ari == 1.0
    twin = EVCLUSModel("butterfly")
    twin.set_state(json.loads(json.dumps(model.state())))
    assert twin.message == model.message
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)


def test_bad_own_table_becomes_a_message_and_keeps_the_last_fit(model):
    fitted = model.fitted
    model.load_file(b"u,v\n1,2\n3,oops\n5,6\n7,8\n", "bad.csv")
    assert model.is_error
    assert "oops" in model.message
    assert model.fitted is fitted
    assert model.data == "butterfly"


def test_own_table_by_path_and_arrays(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(CSV)
    assert EVCLUSModel(path).fitted.ari == 1.0
    assert EVCLUSModel(load("butterfly").X).subject.n_objects == 12
    assert EVCLUSModel(load("iris")).n_clusters == 3


def test_state_round_trip():
    wanted = {
        "n_clusters": 3,
        "d0_quantile": 0.7,
        "alpha": 0.1,
        "n_pairs": 30,
        "focal_sets": "pairs",
        "seed": 4,
    }
    model = EVCLUSModel("iris", **wanted)
    state = model.state()
    assert {name: state[name] for name in wanted} == wanted
    twin = EVCLUSModel("butterfly")
    twin.set_state(json.loads(json.dumps(state)))
    assert twin.state() == state
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)


def test_a_state_with_a_broken_table_changes_nothing(model):
    before = model.state()
    model.set_state({"data": "bad.csv", "own": "u,v\n1,\n2,3\n4,5\n", "n_clusters": 3})
    assert "bad.csv: column 'v'" in model.message
    assert model.state() == before


def test_wrong_types_in_a_state_become_a_message(model):
    model.set_state({"n_clusters": "many"})
    assert model.is_error
    assert model.n_clusters == 2


def test_unusable_arrays_become_a_message_and_other_data_can_follow():
    model = EVCLUSModel([[1.0, 1.0]] * 5)
    assert "all objects coincide" in model.message
    assert model.fitted is None
    model.data = "butterfly"
    assert model.fitted.n_outliers == 1


def test_unknown_parameters_are_named_with_a_suggestion(model):
    with pytest.raises(ValueError, match="did you mean 'n_clusters'"):
        EVCLUSModel("butterfly", n_cluster=3)
    model.set_state({"alfa": 0.1})
    assert "did you mean 'alpha'" in model.message


def test_standardising_changes_the_fit_of_attributes_only():
    model = EVCLUSModel("wine")
    raw = model.fitted.ari
    model.standardize = True
    assert model.fitted.ari > raw + 0.2  # one attribute of wine has a hundred times the spread of the others
    assert model.n_clusters == 3


def test_export_writes_partition_and_state(model, tmp_path):
    partition, state = model.export(tmp_path)
    np.testing.assert_array_equal(CredalPartition.load(partition).masses, model.fitted.partition.masses)
    assert json.loads(state.read_text())["data"] == "butterfly"


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
