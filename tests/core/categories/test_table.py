"""Tables of categories: equality and order of values, missing values, bad input."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.core.arguments import shown
from credalbench.core.categories import as_table, read_table
from credalbench.core.categories.table import list_unseen


def read(X, missing="error"):
    return read_table(as_table(X), missing)


def decoded(codes, domain):
    return [[domain.categories[l][code] for l, code in enumerate(row)] for row in codes]


CELLS = st.one_of(st.integers(-3, 3), st.sampled_from("abc"), st.booleans(), st.just(2.5))


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8))
def test_codes_represent_the_values(rows):
    X = [list(row) for row in rows]
    codes, domain = read(X)
    assert decoded(codes, domain) == X
    again, unseen = domain.encode(as_table(X))
    np.testing.assert_array_equal(again, codes)
    assert unseen == {}
    assert codes.flags.c_contiguous and codes.dtype == np.uint8


TODAY = datetime.date(2026, 1, 2)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pd.Series(["no", "yes", "no"]), ["no", "yes"]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["a", "b"]),
        (
            pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"]),
            ["b", "a"],
        ),  # as declared, if they occur
        (pd.Categorical([3, 1, 3], categories=[3, 2, 1], ordered=True), [3, 1]),
        (pd.Series([True, False, True]), [False, True]),
        (pd.Series([True, False, True], dtype="boolean"), [False, True]),
        (pd.Series(["b", "a", "b"], dtype="string"), ["a", "b"]),
        (pd.Series([2, 1, 2], dtype="Int64"), [1, 2]),
        (pd.Series([2, 1, 2], dtype=np.int8), [1, 2]),
        (pd.Series([2.5, 1.0, 2.5]), [1.0, 2.5]),
        (pd.Series([10, "a", 10], dtype=object), [10, "a"]),  # cannot be sorted: as they come
        (pd.Series([1, "1", 1.0], dtype=object), [1, "1"]),
        (pd.Series([TODAY, datetime.date(2020, 1, 1), TODAY]), [datetime.date(2020, 1, 1), TODAY]),
        (pd.Series([(1, 2), (0, 1), (1, 2)]), [(0, 1), (1, 2)]),
    ],
)
def test_values_and_their_order_by_type(column, values):
    X = pd.DataFrame({"attribute": column, "other": ["x", "y", "x"]})
    codes, domain = read(X)
    assert domain.categories[0].tolist() == values
    assert codes[0, 0] == codes[2, 0] != codes[1, 0]
    assert domain.names == ("attribute", "other")
    np.testing.assert_array_equal(domain.encode(X)[0], codes)


@pytest.mark.parametrize(
    "kind", [object, str, bytes, np.int16, np.float16, np.float32, np.longdouble, bool, "datetime64[D]"]
)
def test_arrays_of_any_type(kind):
    X = np.array([[0, 1], [1, 1], [0, 0]]).astype(np.int64 if kind == "datetime64[D]" else kind).astype(kind)
    codes, domain = read(X)
    np.testing.assert_array_equal(codes, [[0, 1], [1, 1], [0, 0]])
    np.testing.assert_array_equal(domain.encode(as_table(X))[0], codes)
    assert domain.names == (0, 1)


def test_a_list_keeps_the_types_of_its_values():
    _, domain = read([["1", 1], ["2", 2]])
    assert [values.tolist() for values in domain.categories] == [["1", "2"], [1, 2]]


def test_objects_in_another_order_have_the_same_domain():
    X = pd.DataFrame({"a": list("cabac"), "b": [3, 1, 2, 1, 3]})
    codes, domain = read(X)
    again, other = read(X[::-1])
    np.testing.assert_array_equal(again[::-1], codes)
    assert [values.tolist() for values in other.categories] == [
        values.tolist() for values in domain.categories
    ]


@pytest.mark.parametrize(("size", "kind"), [(254, np.uint8), (255, np.uint16), (65535, np.uint32)])
def test_codes_are_of_the_smallest_type_that_holds_them(size, kind):
    """There are two codes more than values: for unseen values and for those left out."""
    codes, _ = read(np.column_stack([np.arange(size), np.zeros(size)]))
    assert codes.dtype == kind
    assert codes[:, 0].max() == size - 1


# ---------------------------------------------------------------- missing values

LOST = [None, np.nan, pd.NaT, pd.NA]


@pytest.mark.parametrize("lost", LOST, ids=repr)
def test_missing_values_are_refused_by_place(lost):
    X = pd.DataFrame({"legs": [2, 4, 4], "colour": pd.Series(["red", "blue", lost], dtype=object)})
    with pytest.raises(ValueError, match=r"expected no missing value .* row 2 of column 'colour'"):
        read(X)


@pytest.mark.parametrize("lost", LOST, ids=repr)
def test_missing_values_may_be_a_category(lost):
    X = pd.DataFrame({"legs": [2, 4, 4], "colour": pd.Series(["red", lost, "blue"], dtype=object)})
    codes, domain = read(X, "category")
    assert domain.categories[1].tolist() == ["blue", "red", None]
    assert codes[:, 1].tolist() == [1, 2, 0]
    assert domain.encode(X)[0].tolist() == codes.tolist()
    assert domain.encode(X[:1])[0].tolist() == codes[:1].tolist()
    codes, unseen = domain.encode(pd.DataFrame({"legs": [None], "colour": [None]}))
    assert codes.tolist() == [[2, 2]] and unseen == {"legs": [None]}  # among the legs none was missing


@pytest.mark.parametrize("lost", LOST, ids=repr)
def test_a_missing_value_may_be_left_out(lost):
    X = pd.DataFrame({"legs": [2, 4, 4], "colour": pd.Series(["red", lost, "blue"], dtype=object)})
    codes, domain = read(X, "ignore")
    assert domain.categories[1].tolist() == ["blue", "red"]
    assert codes[:, 1].tolist() == [1, 3, 0]
    assert domain.encode(X)[0].tolist() == codes.tolist()
    np.testing.assert_array_equal(domain.scales(codes, normalize=True), [0.5, 1, 0.5])
    np.testing.assert_array_equal(domain.scales(codes, normalize=False), [1, 1, 1])


def test_numbers_may_be_missing_in_an_array():
    X = np.array([[1.0, np.nan], [2.0, 5.0]])
    codes, domain = read(X, "category")
    assert [values.tolist() for values in domain.categories] == [[1, 2], [5, None]]
    assert domain.encode(X)[0].tolist() == codes.tolist() == [[0, 1], [1, 0]]


# ---------------------------------------------------------------- other objects


def test_unknown_values_give_a_warning():
    _, domain = read(pd.DataFrame({"legs": [2, 4], "tail": ["short", "long"]}))
    codes, unseen = domain.encode(
        pd.DataFrame({"legs": [2, 5, 6, 7, 8], "tail": ["long", 1, "2", "long", "?"]})
    )
    assert codes.tolist() == [[0, 0], [2, 2], [2, 2], [2, 0], [2, 2]]
    assert list_unseen(unseen) == f"legs: 5, 6, 7 and 1 more; tail: 1, '2', {shown('?')}"


def test_a_domain_survives_pickling():
    codes, domain = read([["a", 1], ["b", 2]])
    again = pickle.loads(pickle.dumps(domain))
    np.testing.assert_array_equal(again.stack_objects(codes), domain.stack_objects(codes))


def test_weights_are_stacked_and_back():
    _, domain = read([["a", 1], ["b", 2], ["b", 3]])
    blocks = [np.array([[0.25, 0.75], [1, 0]]), np.array([[0.5, 0.5, 0], [0, 0, 1]])]
    table = domain.stack(blocks)
    for block, again in zip(blocks, domain.unstack(table), strict=True):
        np.testing.assert_array_equal(again, block)
    np.testing.assert_array_equal(table[domain.unseen], 0)
    np.testing.assert_array_equal(table[domain.left_out], 1)
    assert domain.attributes.tolist() == [0] * 4 + [1] * 5


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("X", "missing", "message"),
    [
        ("text", "error", "Expected 2D array"),
        (np.zeros((2, 2, 2)), "error", "dim"),
        (pd.DataFrame({"a": []}), "error", "at least 1 objects, got 'n_samples = 0'"),
        (pd.DataFrame(index=[0, 1]), "error", "at least one attribute"),
        ([[1, 2], [3]], "error", "inhomogeneous|2D"),
        (np.array([[1.0, np.inf]]), "error", "no infinite number in column 1"),
        ([[1.0, -np.inf]], "error", "no infinite number in column 1"),
        (pd.DataFrame({"a": [[1], [2]]}), "error", "hashable values in column 'a' of X"),
        ([["a", None], [None, None]], "ignore", "at least one value in each column of X .*none in 1"),
        ([["a", "b"], [None, None]], "ignore", "at least one value in each row of X .*none in row 1"),
    ],
)
def test_bad_tables_are_refused(X, missing, message):
    with pytest.raises(ValueError, match=message):
        read(X, missing)


@pytest.mark.parametrize(
    ("init", "missing", "message"),
    [
        ([["a", 1]], "error", r"init of shape \(2, 2\), got \(1, 2\)"),
        ([["a", 1], ["c", 1]], "error", "values in init that the objects have, got .*0: 'c'"),
        ([["a", 1], [None, 1]], "error", "no missing value in init"),
        ([["a", 1], [None, 1]], "ignore", "a value of each attribute in init"),
    ],
)
def test_prototypes_have_values_of_the_objects(init, missing, message):
    _, domain = read([["a", 1], ["b", 2]], missing)
    with pytest.raises(ValueError, match=message):
        domain.encode_prototypes(init, 2)
