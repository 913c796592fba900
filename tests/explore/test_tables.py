"""Data sets prepared for an explorer: distances, quantiles and maps."""

import tracemalloc

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from credalbench.core.checks import trimmed_limits
from credalbench.datasets import load
from credalbench.explore.sources import MAX_COMPARED, MAX_OBJECTS
from credalbench.explore.sources.tables import (
    MAX_SHOWN_PAIRS,
    some_pairs,
    standardized_table,
    table_from_arrays,
    table_from_dataset,
    table_from_name,
)


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(size=(30, 2)) * [3, 1]


def test_a_table_reports_how_much_its_map_shows():
    subject = table_from_dataset(load("iris"))
    assert subject.positions.shape == (150, 2)
    assert subject.axis_labels[0] == "principal component 1 (92 %)"


def test_quantile_and_distance_are_inverse(points):
    subject = table_from_arrays("points", X=points)
    for q in (0.0, 0.123, 0.5, 0.9, 1.0):
        assert subject.quantile_of(subject.distance_at(q)) == pytest.approx(
            q, abs=1e-9
        )  # linear interpolation
    assert subject.distance_at(0.9) == pytest.approx(np.quantile(pdist(points), 0.9), rel=1e-12)  # same rule
    assert subject.quantile_of(1e9) == 1.0
    assert subject.quantile_of(0.0) == 0.0


def test_large_sets_show_a_fixed_sample_of_pairs():
    subject = table_from_name("t4:400")
    rows, columns = subject.shown_pairs
    assert len(rows) == MAX_SHOWN_PAIRS
    assert (rows < columns).all()
    np.testing.assert_array_equal(subject.shown_pairs[0], table_from_name("t4:400").shown_pairs[0])


@pytest.mark.parametrize("n", [2, 5, 40])
def test_pairs_are_all_or_some_of_all(n):
    every = list(zip(*np.triu_indices(n, 1)))
    assert list(zip(*some_pairs(n, len(every)))) == every
    some = list(zip(*some_pairs(n, max(1, len(every) - 1))))
    assert len(some) == max(1, len(every) - 1) and [pair for pair in every if pair in some] == some


@pytest.mark.parametrize("name", ["iris", "protein"])
def test_pairs_have_the_dissimilarities_of_the_matrix(name):
    subject = table_from_name(name)
    rows, columns = some_pairs(subject.n_objects, 1000)
    np.testing.assert_allclose(
        subject.distances(rows, columns), subject.D[rows, columns], rtol=1e-12
    )  # rounding


def test_of_many_objects_with_attributes_no_matrix_is_made():
    tracemalloc.start()
    subject = table_from_name(f"t4:{MAX_OBJECTS}")
    near, far = subject.nearest, subject.distance_at(0.9)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * MAX_OBJECTS**2  # bytes; a matrix has 8 for each pair
    rows, columns = some_pairs(MAX_OBJECTS, 20_000)
    assert np.mean(subject.distances(rows, columns) <= far) == pytest.approx(0.9, abs=0.01)  # five deviations
    i = np.arange(MAX_OBJECTS)
    first = subject.distances(i, near[:, 0])
    assert (first > 0).all() and (first <= subject.distances(i, near[:, 2])).all()


def test_standardised_attributes_have_unit_spread(points):
    """A faulty value, which counts as the largest of the others, changes neither mean nor deviation."""
    X = np.column_stack([points * [1, 1000], np.ones(30)])
    X[X[:, 0].argmax(), 0] = 1e6
    Z = standardized_table(table_from_arrays("points", X=X)).attributes
    inner = np.clip(Z, *trimmed_limits(Z))
    np.testing.assert_allclose(inner.mean(axis=0), 0, atol=1e-12)  # rounding
    np.testing.assert_allclose(inner.std(axis=0), [1, 1, 0], atol=1e-12)  # rounding
    assert Z[:, 0].max() > 1e5


@pytest.mark.parametrize("p", [1, 2, 4])
def test_points_are_placed_like_the_objects(p):
    subject = table_from_arrays("points", X=np.random.default_rng(0).normal(size=(20, p)))
    placed = subject.on_the_map(subject.attributes)
    np.testing.assert_allclose(placed, subject.positions, atol=1e-12)  # least squares that fit exactly


@pytest.mark.parametrize("p", [1, 2, 4])
def test_a_moved_point_lies_where_it_should_and_moves_no_further_than_it_must(p):
    subject = table_from_arrays("points", X=np.random.default_rng(0).normal(size=(20, p)))
    point, place = subject.attributes[3], subject.positions[7]
    moved = subject.moved_to(point, place)
    np.testing.assert_allclose(subject.on_the_map(moved[None])[0], place, atol=1e-12)  # rounding
    shift = place - subject.positions[3]
    assert np.linalg.norm(moved - point) == pytest.approx(np.linalg.norm(shift))  # a map of true lengths


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.ones((5, 2))}, "all objects coincide"),
        ({"X": np.ones((2, 2))}, "takes 3 to"),
        ({"X": np.zeros((MAX_OBJECTS + 1, 1))}, "takes 3 to"),
        ({"X": np.ones(5)}, "rows and columns"),
        ({"X": [[1, np.nan], [1, 2], [3, 4]]}, "1 missing or infinite"),
        ({"D": np.zeros((MAX_COMPARED + 1,) * 2)}, "3 to 2500 objects with dissimilarities; got 2501"),
        ({"D": np.ones((3, 4))}, "square"),
        ({"D": np.ones((3, 3))}, "zero diagonal"),
        ({"D": [[0, 1, 2], [3, 0, 1], [2, 1, 0]]}, "symmetric"),
        ({"D": [[0, -1, 2], [-1, 0, 1], [2, 1, 0]]}, "non-negative"),
    ],
)
def test_unusable_arrays_are_refused(arrays, message):
    with pytest.raises(ValueError, match=message):
        table_from_arrays("data", **arrays)


@pytest.mark.parametrize(
    ("name", "example"),
    [("t4:many", "t4:400"), ("two_class:a", "two_class:400:2"), ("egmm_four_class:a", "class:400:2")],
)
def test_recipes_need_numbers(name, example):
    with pytest.raises(ValueError, match=example):
        table_from_name(name)


def test_recipes_know_how_many_objects_and_which_draw():
    assert table_from_name("two_class").n_objects == 400
    assert [table_from_name(f"egmm_{kind}_class").n_classes for kind in ("two", "four")] == [2, 4]
    assert table_from_name("egmm_two_class").n_objects == 800
    first, other = (table_from_name(f"two_class:40:{draw}") for draw in (0, 1))
    assert (first.n_objects, other.n_objects) == (40, 40)
    assert not np.array_equal(first.attributes, other.attributes)
