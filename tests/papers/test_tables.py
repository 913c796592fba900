"""A table comes back from the store as it went in: values, dtypes, missing values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.papers.tables import read_table, table_files


def round_trip(table):
    return read_table(*table_files("t", table).values())


def test_every_dtype_survives_the_round_trip():
    table = pd.DataFrame(
        {
            "i": np.array([1, -2, 2**62], dtype="int64"),
            "u": np.array([0, 7, 255], dtype="uint8"),
            "f": [0.1, np.nan, -np.inf],
            "single": np.array([0.1, 1e-30, 3], dtype="float32"),
            "b": [True, False, True],
            "text": ["", 'a "quoted", \r\nßΩ∅', "NaN"],
            "gap": pd.Series(["x", None, "nan"], dtype="str"),
            "Int": pd.array([2**62 + 1, None, 3], dtype="Int64"),
            "maybe": pd.array([True, None, False], dtype="boolean"),
            "kind": pd.Categorical(["b", "a", None], categories=["b", "a", "c"], ordered=True),
        }
    )
    pd.testing.assert_frame_equal(round_trip(table), table, check_exact=True)


def test_objects_get_the_dtype_of_their_values():
    table = pd.DataFrame({"n": [1, None, 3], "flag": [True, None, False]}, dtype=object)
    back = round_trip(table)
    assert back["n"].tolist() == [1, pd.NA, 3] and str(back["flag"].dtype) == "boolean"


def test_empty_tables_keep_their_columns():
    table = pd.DataFrame({"i": np.empty(0, dtype="int64"), "t": pd.Series([], dtype="str")})
    pd.testing.assert_frame_equal(round_trip(table), table)


@given(st.lists(st.floats(width=64), min_size=1, max_size=20))
def test_floats_come_back_bit_by_bit(values):
    table = pd.DataFrame({"x": np.array(values)})
    back = round_trip(table)["x"].to_numpy()
    np.testing.assert_array_equal(back, values)
    finite = ~np.isnan(back)
    np.testing.assert_array_equal(np.signbit(back[finite]), np.signbit(np.array(values)[finite]))


def test_what_a_csv_cannot_give_back_is_refused_by_name():
    with pytest.raises(TypeError, match="table 't', column 'bad': expected numbers, booleans or text"):
        table_files("t", pd.DataFrame({"bad": [[1], [2]]}))
    with pytest.raises(TypeError, match="stands for a missing value"):
        table_files("t", pd.DataFrame({"bad": [r"\N"]}))
