"""Tables of categories prepared for an explorer, own files above all."""

import numpy as np
import pandas as pd
import pytest

from credalbench.core.categories import correspondence_map
from credalbench.datasets import load
from credalbench.explore.sources import MAX_OBJECTS
from credalbench.explore.sources.category_tables import (
    BLANK,
    category_table,
    category_table_from_dataset,
    side_by_side,
)
from tests.explore.declared import category_table_from_csv

ANIMALS = b"""name,hair,legs,class,code
cat,yes,4,mammal,A
dog,yes,4,mammal,B
gull,no,2,bird,C
bat,yes,,mammal,D
"""


def test_names_classes_and_attributes_are_distinguished():
    subject = category_table_from_csv(ANIMALS, "mine.csv")
    assert list(subject.values.columns) == ["hair", "legs"]
    assert subject.object_names == ("cat", "dog", "gull", "bat")
    assert subject.class_names == ("bird", "mammal") and subject.y.tolist() == [1, 1, 0, 1]
    assert subject.note == (
        "mine.csv: 4 objects, 2 attributes, 2 classes from column 'class'; names from column 'name'; "
        "different for all objects, left out: 'code'; 1 empty cells are a value of their own."
    )


def test_numbers_are_words_and_empty_cells_a_value():
    subject = category_table_from_csv(ANIMALS)
    assert subject.values["legs"].tolist() == ["4", "4", "2", BLANK]


def test_near_objects_differ_in_few_attributes():
    subject = category_table_from_csv(ANIMALS)
    assert subject.nearest.tolist()[0] == [1, 3, 2]  # the dog in none, the bat in one, the gull in both
    assert category_table("unnamed", subject.values).object_names == ()  # known by their rows


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"u,v\n0,a\n1,b\n2,c\n", "a column in which some objects agree; got 'u', 'v'"),
        (b"u\na\na\na\n", "all objects coincide"),
        (b"class\na\na\nb\n", "a column in which some objects agree"),
        (b"u,v\na,b\n", "at least 3 lines"),
    ],
)
def test_tables_without_groups_are_refused(contents, message):
    with pytest.raises(ValueError, match=message):
        category_table_from_csv(contents, "mine.csv")


def test_too_many_objects_and_no_attributes_are_refused():
    with pytest.raises(ValueError, match=f"takes 3 to {MAX_OBJECTS}"):
        category_table("large", pd.DataFrame({"u": ["a", "b"] * MAX_OBJECTS}))
    with pytest.raises(ValueError, match="at least one attribute"):
        category_table("empty", pd.DataFrame(index=range(4)))


def test_the_map_is_that_of_correspondence_analysis_where_objects_are_apart():
    values = pd.DataFrame(np.random.default_rng(0).integers(0, 4, (30, 4))).astype(str)
    subject = category_table("points", values)
    places, shares = correspondence_map(values)
    np.testing.assert_array_equal(subject.places, places)
    assert subject.axis_labels[0] == f"MCA axis 1 ({100 * shares[0]:.0f} %)"
    own = [(values[[c]].to_numpy() == np.unique(values[c])).astype(float) for c in values]
    np.testing.assert_allclose(subject.on_the_map(own), places, atol=1e-9)  # rounding


def test_two_attributes_are_their_own_map():
    subject = category_table_from_dataset(load("cat_diamond"))
    assert subject.axis_labels == ("attribute 1", "attribute 2")
    assert subject.ticks == (tuple("abcdefghi"), tuple("abcdf"))  # nobody has "e"
    np.testing.assert_array_equal(subject.places[:11], load("cat_diamond").X[:11])
    prototype = [np.eye(9)[[1]], np.array([[0.5, 0.5, 0, 0, 0]])]
    np.testing.assert_array_equal(subject.on_the_map(prototype), [[1, 0.5]])


def test_equal_objects_lie_side_by_side_and_others_stay():
    places = np.array([[0.0, 0], [1, 1], [0, 0], [0, 0], [1, 0]])
    positions = side_by_side(places)
    np.testing.assert_array_equal(positions[[0, 1, 4]], places[[0, 1, 4]])
    gaps = np.linalg.norm(positions[[2, 3]] - places[[2, 3]], axis=1)
    assert (gaps > 0.01).all() and (gaps < 0.05).all()
    assert len(np.unique(positions, axis=0)) == 5
    crowd = side_by_side(np.zeros((500, 2)) + [[0, 0]] + np.eye(2)[[0] + [1] * 499])
    assert np.ptp(crowd[1:], axis=0).max() < 0.2
