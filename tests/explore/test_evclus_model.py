"""The EVCLUS explorer without widgets: links, refits, messages, state."""

import json

import numpy as np
import pytest

from credalbench.datasets import load
from credalbench.explore.explorers.evclus import model as evclus_model
from credalbench.explore.explorers.evclus.model import PARTNERS, EVCLUSModel
from credalbench.tables import read_user_table
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


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("n_clusters", 50, "as many clusters as objects, 12; got 50"),
        ("n_pairs", 12, "got 12"),
        ("data", "absent.csv", "does not exist"),
    ],
)
def test_values_that_do_not_fit_the_data_become_messages(model, trait, value, words):
    fitted = model.fitted
    setattr(model, trait, value)
    assert model.is_error
    assert words in model.message
    assert model.fitted is fitted


def test_too_many_focal_sets_are_refused_before_work_starts(model):
    model.data = "iris"
    with model.batch():
        model.n_clusters = 12
        model.focal_sets = "full"
    assert "4096" in model.message


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
    D = load("butterfly").dissimilarities()
    assert EVCLUSModel(D).subject.attributes is None  # a matrix of dissimilarities, not attributes
    np.testing.assert_array_equal(EVCLUSModel(read_user_table(D)).subject.D, D)


def test_a_state_with_a_broken_table_changes_nothing(model):
    before = model.state()
    model.set_state({"data": "bad.csv", "own": "u,v\n1,\n2,3\n4,5\n", "n_clusters": 3})
    assert "bad.csv: column 'v'" in model.message
    assert model.state() == before


def test_unusable_arrays_become_a_message_and_other_data_can_follow():
    model = EVCLUSModel([[1.0, 1.0]] * 5)
    assert "all objects coincide" in model.message
    assert model.fitted is None
    model.data = "butterfly"
    assert model.fitted.n_outliers == 1


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


def test_clusters_are_numbered_after_the_classes():
    """So they have the colours of the panel of true classes, from the first fit on."""
    for seed in (0, 1, 2):
        fitted = EVCLUSModel("t4:100", seed=seed).fitted
        assert np.mean(fitted.partition.labels() == fitted.subject.y) > 0.8
