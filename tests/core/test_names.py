"""Names of objects: names in tables, objects found by names, and names in files."""

import datetime as dt

import dateutil.tz
import numpy as np
import pandas as pd
import pytest

from credalbench.core.names import (
    as_index,
    common_names,
    name_of,
    names_of,
    pack_index,
    row_of,
    rows_of,
    unpack_index,
)

KINDS = {
    "text": ["Ann", "Ben", "Cleo"],
    "numbers of a table with gaps": [0, 2, 5],
    "floats": [0.5, 1.5, 2.5],
    "text and numbers": ["Ann", 7, 2.5],
    "dates": pd.to_datetime(["2020-01-01", "2020-01-03", "2021-05-05"]),
    "times": pd.date_range("2024-03-31", periods=3, freq="h", name="hour"),
    "times of UTC": pd.date_range("2024-03-31", periods=3, freq="h", tz="UTC"),
    "times of a zone, where the clock jumps": pd.date_range(
        "2024-03-31", periods=3, freq="h", tz="Europe/Paris", name="hour"
    ),
    "times two hours east": pd.date_range("2024-03-31", periods=3, tz="+02:00"),
    "two levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["group", "number"]),
    "categories": pd.CategoricalIndex(["Ann", "Ben", "Cleo"], name="who"),
    "tuples": pd.Index([("a", 1), ("b", 2), ("c", 3)], tupleize_cols=False),
}
every_kind = pytest.mark.parametrize("names", KINDS.values(), ids=KINDS)


@every_kind
def test_every_object_is_found_by_its_name(names):
    index = as_index(names, 3)
    assert [row_of(name_of(row, index), index, 3) for row in range(3)] == [0, 1, 2]
    np.testing.assert_array_equal(rows_of([index[2], index[0], index[2]], index, 3), [2, 0, 2])


@every_kind
def test_names_come_back_from_plain_arrays(names, tmp_path):
    index = as_index(names, 3)
    np.savez(tmp_path / "names.npz", **pack_index(index))
    with np.load(tmp_path / "names.npz", allow_pickle=False) as arrays:
        again = unpack_index(
            *(arrays[name] for name in ("index", "index_names", "index_zone") if name in arrays)
        )
    assert list(again) == list(index)
    assert list(again.names) == list(index.names)


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (pd.interval_range(0, 3), "Interval"),
        (pd.period_range("2024-01", periods=3, freq="M"), "Period"),
        (pd.Index([dt.date(2024, 1, 1)] * 3), "date"),
        (pd.date_range("2024-01-01", periods=3, tz=dateutil.tz.gettz("Europe/Paris")), "Timestamp"),
        (pd.MultiIndex.from_product([["a"], pd.date_range("2024-01-01", periods=3)]), "Timestamp"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_names_that_a_file_cannot_keep_are_refused(names, first):
    with pytest.raises(TypeError, match=rf"expected names that are numbers, times or text.*{first}"):
        pack_index(names)


def test_an_index_that_counts_rows_has_no_names():
    X = np.zeros((3, 2))
    assert names_of(X) is None
    assert names_of(X.tolist()) is None
    assert names_of(pd.DataFrame(X)) is None
    assert list(names_of(pd.DataFrame(X).iloc[1:])) == [1, 2]
    assert list(names_of(pd.Series([1.0, 2.0], index=["a", "b"]))) == ["a", "b"]


def test_an_integer_is_a_row_unless_names_are_numbers():
    assert row_of(2, None, 3) == 2
    assert row_of(np.int8(2), as_index(["Ann", "Ben", "Cleo"], 3), 3) == 2
    assert row_of(2, as_index([5, 2, 0], 3), 3) == 1


@pytest.mark.parametrize(
    ("name", "names", "message"),
    [
        (3, None, r"expected an object in 0\.\.2, got 3"),
        (-1, None, r"expected an object in 0\.\.2, got -1"),
        (True, None, r"since there are no names, got True"),
        ("Ann", None, r"since there are no names, got 'Ann'"),
        ("Dan", ["Ann", "Ben", "Cleo"], r"the name of an object \('Ann', 'Ben', 'Cleo'\), got 'Dan'"),
        (3, [5, 2, 0], r"the name of an object \(5, 2, 0\), got 3"),
        ("Ann", ["Ann", "Ben", "Ann"], r"a single row with the name 'Ann', got \[0, 2\]"),
    ],
)
def test_objects_that_do_not_exist_are_refused(name, names, message):
    with pytest.raises(ValueError, match=message):
        row_of(name, as_index(names, 3), 3)


def test_another_number_of_names_is_refused():
    with pytest.raises(ValueError, match="expected an index of 3 names, got 2"):
        as_index(["Ann", "Ben"], 3)
    with pytest.raises(ValueError, match="expected an index of 3 names, got 'Ann'"):
        as_index("Ann", 3)


def test_a_matrix_may_name_its_objects_in_rows_or_columns_but_in_one_order():
    D, names = np.ones((3, 3)), ["Ann", "Ben", "Cleo"]
    for named in ({"index": names}, {"columns": names}, {"index": names, "columns": names}):
        assert list(names_of(pd.DataFrame(D, **named), square=True)) == names
    assert list(names_of(pd.DataFrame(D, index=[4, 5, 6], columns=["4", "5", "6"]), square=True)) == [4, 5, 6]
    with pytest.raises(ValueError, match=r"same objects in the same order, got \[\('Ann', 'Cleo'\)"):
        names_of(pd.DataFrame(D, index=names, columns=names[::-1]), square=True)
    assert names_of(pd.DataFrame(D, columns=names)) is None  # attributes


def test_partitions_agree_on_the_names_or_have_none():
    first, same = as_index(["a", "b"], 2), as_index(np.array(["a", "b"], dtype=object), 2)
    assert common_names([None, first, same]) is first
    assert common_names([None, None]) is None
    with pytest.raises(ValueError, match="the same objects in the same order"):
        common_names([first, as_index(["b", "a"], 2)])
