"""Codes of missing values: detection, questions, and the argument `na_values`."""

import numpy as np
import pandas as pd
import pytest

from credalbench.tables import answer_questions, read_user_table
from credalbench.tables.missing import find_sentinels
from tests.tables.texts import lines


@pytest.mark.parametrize(
    ("numbers", "sentinels"),
    [
        ([5, -999, 6, 8], [-999]),
        ([0.5, 9999, 0.1, -99, np.nan], [-99, 9999]),
        ([15, 80, 99], []),
        ([15, 3000, -999], [-999]),
        ([-15, 3000, -999], []),
        ([1, 100, 998, 999, 1200], []),
        ([10, 10, 999], []),
        ([-999, 999], []),
        ([9, 1, 2], []),
        ([1, 2, 1e12 - 1], []),
    ],
)
def test_numbers_of_nines_far_from_the_others(numbers, sentinels):
    assert find_sentinels(pd.Series(numbers, dtype=float)) == sentinels


SURVEY = lines("u;v", "1,5;-999", "2,5;3", "9999;5", "4,5;4", "3,5;-999,0", "0,5;1")


def test_sentinels_raise_a_question_with_their_lines():
    (question,) = [question for question in read_user_table(SURVEY).questions if question.blocking]
    assert "9999 in column 'u' (line 4), -999 in column 'v' (lines 2, 6)" in question.text
    assert question.answers == ("na_values=(9999, -999)", "columns={'u': 'number', 'v': 'number'}")
    with pytest.raises(ValueError, match="possible missing values, far from all other numbers"):
        read_user_table(SURVEY).X  # noqa: B018


def test_both_answers_leave_no_question():
    table = read_user_table(SURVEY)
    missing, numbers = table.questions[0].options
    again = answer_questions(table, **missing)
    assert "column 'v' has 2 missing values (lines 2, 6)" in again.questions[0].text
    np.testing.assert_array_equal(answer_questions(again, missing="rows").X, [[2.5, 3], [4.5, 4], [0.5, 1]])
    assert answer_questions(table, **numbers, standardize=False).X["v"].tolist() == [-999, 3, 5, 4, -999, 1]


def test_words_among_numbers_may_be_missing_values():
    table = read_user_table(lines("u,v,w", "1.5,n.d.,4", "2.5,3,-999", "x,5,2.5", "7.5,1,3"))
    first = table.questions[0]
    assert first.options[0] == {"na_values": ("x", "n.d.")} and len(first.options) == 3
    again = answer_questions(table, **first.options[0])
    assert again.questions[0].options[0] == {"na_values": ("x", "n.d.", -999)}
    done = answer_questions(again, **again.questions[0].options[0], missing="impute", standardize=False)
    assert done.questions == ()
    np.testing.assert_array_equal(done.X.iloc[:, :2], [[1.5, 3], [2.5, 3], [2.5, 5], [7.5, 1]])


def test_sentinels_of_a_data_frame():
    frame = pd.DataFrame({"u": [1, 2, -99, 4, 3], "v": [1.5, np.inf, 2.5, 3.5, 0.5]})
    table = read_user_table(frame, na_values=["inf", -99], missing="rows")
    np.testing.assert_array_equal(table.X, [[1, 1.5], [4, 3.5], [3, 0.5]])


def test_one_column_with_words_raises_a_question():
    table = read_user_table(lines("u", "1.5", "2.5", "oops", "4.5"))
    assert table.left_out() == {"u": "numbers and words"}
    assert answer_questions(table, na_values=["OOPS"], missing="rows").X["u"].tolist() == [1.5, 2.5, 4.5]


@pytest.mark.parametrize("na_values", ["NA", [None], [True], [np.inf], 5])
def test_invalid_na_values_are_rejected(na_values):
    with pytest.raises(ValueError, match="na_values"):
        read_user_table(SURVEY, na_values=na_values)


def test_columns_are_answered_one_by_one():
    table = read_user_table(SURVEY, columns={"u": "number"})
    assert answer_questions(table, columns={"v": "left out"}).arguments["columns"] == {
        "u": "number",
        "v": "left out",
    }
    with pytest.raises(ValueError, match="a table from read_user_table, got 'one without a source"):
        answer_questions(type(table)("mine", "numbers", pd.DataFrame({"u": [1.0]}), 1))


def test_leading_zeros_of_names_are_kept():
    table = read_user_table(lines("code,u", *(f"{i:03},{np.sin(i):.2f}" for i in range(1, 8))))
    assert table.index.tolist()[:2] == ["001", "002"]


@pytest.mark.parametrize("dtype", ["int", "float", "Int64", "category", "object"])
def test_missing_values_are_not_categories(dtype):
    frame = pd.DataFrame({"grade": [1, 2, -999, 2, 1], "u": [1.5, 2.5, 3.5, 7.0, 8.0]})
    frame["grade"] = frame["grade"].astype(dtype)
    table = read_user_table(frame, columns={"grade": "category"}, na_values=[-999], missing="rows")
    one, two = ("1.0", "2.0") if dtype == "float" else ("1", "2")
    assert table.frame["grade"].tolist() == [one, two, two, one]
    empty = read_user_table(
        frame.assign(grade=-999), columns={"grade": "category"}, na_values=[-999], missing="columns"
    )
    assert list(empty.frame) == ["u"]
