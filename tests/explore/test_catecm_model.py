"""The cat-ECM explorer without widgets: fits, ambiguous and chosen objects, user tables."""

import json

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import CatECM
from credalbench.datasets import load
from credalbench.explore.explorers.catecm.fit import LISTED, ambiguity, listed_objects
from credalbench.explore.explorers.catecm.model import CatECMModel

#: Two kinds of animals, and one between them.
ANIMALS = (
    b"name,hair,legs,class\n"
    + b"".join(
        f"{kind}{i},{hair},{legs},{kind}\n".encode()
        for kind, hair, legs in (("cat", "yes", 4), ("gull", "no", 2))
        for i in range(9)
    )
    + b"bat,yes,2,cat\n"
)


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


@pytest.mark.parametrize("objects", [(13,), (-1,), (1, 1), tuple(range(14))])
def test_objects_that_cannot_be_chosen_are_refused(model, objects):
    model.choice.choose(4)
    model.choice.choose(*objects)
    assert model.is_error
    assert model.choice.objects == model.fitted.listed == (4,)


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


def test_an_own_table_survives_the_state():
    model = CatECMModel()
    model.load_file(ANIMALS, "mine.csv")
    twin = CatECMModel()
    twin.set_state(json.loads(json.dumps(model.state())))
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)
    assert twin.subject.object_names == model.subject.object_names


def test_too_many_sets_and_numbers_are_refused(model):
    fitted = model.fitted
    model.n_clusters = 9
    assert "has 512" in model.message
    assert model.fitted is fitted
    model.set_data(load("iris"))
    assert "no categorical attributes" in model.message
    assert model.data == "cat_diamond"


def test_lists_and_arrays_are_data_too():
    model = CatECMModel([["a", 1], ["a", 2], ["b", 2], ["b", 1]])
    assert model.data == "your data" and not model.is_error
    assert listed_objects(model.fitted.partition, ())[1] == "all"
