"""Files as users have them: each is read correctly, or raises a question that an argument answers."""

import numpy as np
import pandas as pd
import pytest

from credalbench.tables import read_user_table
from tests.tables.texts import lines, roles


def about(table):
    return [question.about for question in table.questions]


EUROPEAN = lines(
    "Länge;Breite;Preis;Sorte", "5,1;1,4;1.200;a", "4,9;1,3;2.350;a", "7,0;4,7;980;b", "6,4;4,5;1.005;b"
)


def test_european_decimal_commas_semicolons_and_thousands():
    table = read_user_table(EUROPEAN, columns={"Sorte": "classes"}, standardize=False)
    assert table.questions == ()
    np.testing.assert_array_equal(table.X["Länge"], [5.1, 4.9, 7.0, 6.4])
    np.testing.assert_array_equal(table.X["Preis"], [1200, 2350, 980, 1005])
    assert table.class_names == ("a", "b") and table.y.tolist() == [0, 0, 1, 1]
    assert "decimal commas in 'Länge', 'Breite'" in table.notes
    assert "points in column 'Preis' separate thousands" in table.notes
    assert "columns separated by semicolons" in str(table.layout)


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("latin-1", "cp1252"),
        ("cp1252", "cp1252"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_are_found(encoding, found, end):
    """Latin-1 is a subset of cp1252, which is reported."""
    text = lines("Größe,Ort", "1.5,Köln", "2.5,Köln", "3.5,Zürich", "4.5,Zürich", end=end)
    table = read_user_table(text.decode().encode(encoding), columns={"Ort": "classes"})
    assert table.class_names == ("Köln", "Zürich") and list(table.X) == ["Größe"]
    assert table.layout.encoding == found and f"read as {found}, columns separated by commas" in repr(table)
    assert table.layout.encoding_note == ("text read as cp1252" if found == "cp1252" else "")


GAPS = lines("u,v,kind", "1.5,2,a", "", "NA,4,a", "5.5,?,b", "7.5,8,b", "9.5,1,b")


def test_missing_values_raise_a_question_with_lines_of_the_file():
    table = read_user_table(GAPS, columns={"kind": "classes"})
    (question,) = table.questions
    assert question.about == "missing values" and question.blocking
    assert "column 'u' has 1 missing value (line 4); column 'v' has 1 missing value (line 5)" in str(question)
    for data in ("X", "D"):
        with pytest.raises(ValueError, match=r"column 'u' has 1 missing .* missing='rows' .* or missing="):
            getattr(table, data)


@pytest.mark.parametrize(
    ("missing", "X"),
    [
        ("rows", [[1.5, 2], [7.5, 8], [9.5, 1]]),
        ("impute", [[1.5, 2], [6.5, 4], [5.5, 3], [7.5, 8], [9.5, 1]]),
    ],
)
def test_missing_values_are_handled(missing, X):
    table = read_user_table(GAPS, columns={"kind": "classes"}, missing=missing)
    assert table.questions == ()
    np.testing.assert_array_equal(table.X, X)
    assert len(table.y) == len(table.lines) == len(X)
    assert any("line" in note or "replaced" in note for note in table.notes)


def test_missing_values_are_skipped_in_dissimilarities():
    text = lines("u,v,w", "1.5,2,1", "NA,4,1", "5.5,,1.5", "7.5,8,1")
    table = read_user_table(text, missing="skip")
    D = table.D.to_numpy()
    assert D[0, 1] == pytest.approx(2 * np.sqrt(3 / 2))  # two attributes of three
    assert D[0, 3] == pytest.approx(np.hypot(6, 6)) and np.array_equal(D, D.T)
    with pytest.raises(ValueError, match="missing values, which only D can skip"):
        table.X  # noqa: B018
    with pytest.raises(ValueError, match="objects with a common attribute; 1 and 2 have none"):
        read_user_table(GAPS, columns={"kind": "classes"}, missing="skip").D  # noqa: B018


def test_columns_with_missing_values_are_left_out():
    text = GAPS.replace(b"NA", b"3.5")
    table = read_user_table(text, columns={"kind": "classes"}, missing="columns")
    assert list(table.X) == ["u"] and roles(table)["v"] == "left out"
    assert table.notes == ("left out for missing values: column 'v'",)


def test_record_numbers_are_names_with_a_question():
    text = lines("id,u,v", *(f"{17 + i},{i * i * 2.5},{np.cos(i):.3f}" for i in range(8)))
    table = read_user_table(text)
    assert list(table.X) == ["u", "v"] and table.index.tolist() == list(range(17, 25))
    assert about(table) == ["columns", "scale"]
    assert table.questions[0].answers[0] == "columns={'id': 'names'}"
    answered = read_user_table(text, columns={"id": "number"}, standardize=True)
    assert list(answered.X) == ["id", "u", "v"] and answered.questions == ()
    np.testing.assert_allclose(answered.X.std(ddof=0), 1)


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y-%m-%dT%H:%M:%S"])
def test_dates_are_left_out_or_converted_to_days(form):
    days = pd.date_range("2026-02-27", periods=6, freq="9D")
    text = lines("day,u", *(f"{day.strftime(form)},{i * i / 3:.2f}" for i, day in enumerate(days)))
    table = read_user_table(text)
    assert roles(table) == {"day": "left out", "u": "number"} and about(table) == ["columns"]
    answered = read_user_table(text, columns={"day": "number"}, standardize=False)
    assert answered.X["day"].iloc[0] == 0 and answered.X["day"].iloc[-1] == 45
    assert answered.questions == ()


def test_ambiguous_dates_are_rejected_as_numbers():
    text = lines("day,u", "01/02/2026,1.5", "03/02/2026,2.5", "05/04/2026,7.5")
    message = "dates such as 2026-12-31; got some that may have months before days"
    with pytest.raises(ValueError, match=message):
        read_user_table(text, columns={"day": "number"})


MIXED = lines(
    "plant,height,colour,note,sort",
    "rose,40,red,thorns,x",
    "iris,60,blue,,x",
    "tulip,30,red,bulb,y",
    "poppy,80,red,seed,y",
    "aster,50,blue,late,y",
)


def test_mixed_attributes_have_gower_dissimilarities_and_a_question_about_classes():
    table = read_user_table(MIXED)
    assert table.kind == "mixed" and list(table.frame) == ["height", "colour", "sort"]
    assert roles(table)["plant"] == "names" and table.left_out() == {"note": "nearly unique words"}
    assert about(table) == ["columns", "columns"] and table.y is None
    assert table.questions[0].answers[1] == "columns={'colour': 'category', 'sort': 'classes'}"
    D = read_user_table(MIXED, columns={"colour": "category", "sort": "classes", "note": "left out"}).D
    assert D.loc["rose", "iris"] == pytest.approx((20 / 50 + 1) / 2)
    with pytest.raises(
        ValueError, match="has categories in 'colour', 'sort'; use D, the Gower dissimilarities"
    ):
        table.X  # noqa: B018


def test_a_sample_of_two_hundred_thousand_rows_is_drawn_and_noted():
    rows = "".join(f"{i % 977}.5,{i % 3}\n" for i in range(200_000))
    table = read_user_table(
        ("u,v\n" + rows).encode(), max_objects=500, random_state=3, columns={"v": "classes"}
    )
    assert table.n_objects == 500 and table.n_rows == 200_000 and table.y.max() == 2
    assert table.notes[0] == "500 of 200000 objects, drawn with seed 3"
    i = table.lines - 2
    np.testing.assert_array_equal(table.X["u"], i % 977 + 0.5)  # in the order of the file
    assert np.abs(np.mean(i) / 200_000 - 0.5) < 0.06  # 4.6 standard errors of 500 uniform numbers


NAMES = ("ash", "elm", "oak", "fir")
MATRIX = np.array([[0, 1, 5, 4.5], [1, 0, 6, 3], [5, 6, 0, 2], [4.5, 3, 2, 0]])


@pytest.mark.parametrize("named", ["rows and columns", "columns", "no", "numbers", "empty diagonal"])
def test_a_square_matrix_is_dissimilarities_with_its_names(named):
    frame = pd.DataFrame(MATRIX, index=NAMES, columns=NAMES)
    if named == "numbers":
        frame = pd.DataFrame(MATRIX)
    text = frame.to_csv(index=named not in ("columns", "no"), header=named != "no")
    text = text.replace("0.0", "") if named == "empty diagonal" else text
    table = read_user_table(text.encode(), name="trees")
    assert table.kind == "dissimilarities" and table.questions == ()
    np.testing.assert_array_equal(table.D, MATRIX)
    assert tuple(table.index) == (NAMES if named not in ("no", "numbers") else (0, 1, 2, 3))
    with pytest.raises(ValueError, match="trees has dissimilarities and no attributes; use D"):
        table.X  # noqa: B018


@pytest.mark.parametrize("delimiter", ["\n", ",", " "])
def test_condensed_dissimilarities_are_not_read_as_attributes(delimiter):
    """A column of them may also be an attribute, which raises a blocking question."""
    text = delimiter.join(map(str, MATRIX[np.triu_indices(4, 1)])).encode()
    if delimiter == "\n":
        unclear = read_user_table(text)
        assert about(unclear) == ["kind"]
        with pytest.raises(
            ValueError,
            match="attribute of 6 objects, or the dissimilarities of 4 objects: kind='attributes' or",
        ):
            unclear.X  # noqa: B018
        assert read_user_table(text, kind="attributes").X.shape == (6, 1)
    table = read_user_table(text, kind="dissimilarities" if delimiter == "\n" else None)
    np.testing.assert_array_equal(table.D, MATRIX)
    assert table.questions == ()


@pytest.mark.parametrize(
    "text",
    [
        EUROPEAN,
        GAPS.replace(b"NA", b"3.5"),
        MIXED,
        b"1\n5\n4.5\n6\n3\n2\n",
        b"o1;1,234\no2;2,345\no3;3,456\n",
        b"1 kg;2\n2 kg;3\n3 kg;5\n",
    ],
    ids=["European", "gaps", "mixed", "condensed", "header", "units"],
)
def test_the_first_answers_as_arguments_leave_no_question(text):
    questions, given = read_user_table(text).questions, {}
    assert questions
    for question in questions:
        answers = [eval(f"dict({answer})") for answer in question.answers]
        for answer in answers:
            again = read_user_table(text, **answer)
            assert question.text not in [other.text for other in again.questions]
        given["columns"] = given.get("columns", {}) | answers[0].pop("columns", {})
        given |= answers[0]
    assert read_user_table(text, **given).questions == ()


def test_rows_of_different_lengths_are_rejected_with_their_lines():
    text = lines("u,v", "1,2", "", "3,4,5", "6,7", "8", "9,1")
    message = r"table: expected 2 columns in every line, as in line 1; got 3 in line 4, and 1 more"
    with pytest.raises(ValueError, match=message):
        read_user_table(text)


@pytest.mark.parametrize("delimiter", [";", ","])
def test_a_delimiter_at_the_end_of_rows_adds_no_column(delimiter):
    for first in ("u,v", "u,v,"):
        text = lines(first, "1.5,2,", "3,4,", "6,7,", "8.5,1,").replace(b",", delimiter.encode())
        np.testing.assert_array_equal(read_user_table(text).X, [[1.5, 2], [3, 4], [6, 7], [8.5, 1]])


def test_a_header_may_lack_the_name_of_the_first_column():
    """This is the format of R's write.table."""
    table = read_user_table(lines('"u" "v"', '"a" 1.5 2', '"b" 3 4', '"c" 6 7'))
    assert list(table.X) == ["u", "v"] and table.index.tolist() == ["a", "b", "c"]


def test_html_in_names_is_escaped():
    script = "<script>alert(1)</script>"
    rows = [f"{script} {i},{value},<b>" for i, value in enumerate((1.5, 2.5, 4.0))]
    table = read_user_table(lines(f"name,{script},bold", *rows), name=f"{script}.csv")
    assert list(table.X) == [script] and table.left_out() == {"bold": "one value"}
    html = table._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
    assert script in repr(table)
