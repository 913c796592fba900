"""Reading tables: layout, roles of columns, questions and errors."""

import re

import numpy as np
import pandas as pd
import pytest

from credalbench.tables import answer_questions, read_user_table
from credalbench.tables.cells import Draw, drawn
from credalbench.tables.layout import has_header
from tests.tables.texts import lines, roles

# ---------------------------------------------------------------- layout


@pytest.mark.parametrize(
    ("rows", "delimiter"),
    [
        (["u;v", "1,5;2,5", "3,5;4,5", "1,2;3,4"], ";"),
        (["u v", "1,5 2,5", "3,5 4,5", "1,2 3,4"], " "),
        (["1,5 2,5", "3,5 4,5", "1,2 3,4"], " "),
        (["u", "1,5", "2,5", "3,4"], "\x1f"),
        (["u|v", "1|2.5", "3|4.5", "7|1"], "|"),
        (['u,"v, w"', '1.5,"2;1"', '3,"a;b"', '4,"c;d"'], ","),
        (["u\tv", "a b\t2,5", "c d\t4,5", "e f\t1,5"], "\t"),
        (["name", "one word", "two words", "three words here"], "\x1f"),
    ],
)
def test_the_delimiter_is_detected(rows, delimiter):
    table = read_user_table(lines(*rows), columns=None if rows[0] != "name" else {"name": "category"})
    assert table.layout.delimiter == delimiter
    numbers = table.frame.select_dtypes("number").to_numpy()
    assert delimiter not in " ;" or (numbers.shape == (3, 2) and numbers[0, 1] == 2.5)


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ("u,v 1,2 3,4", True),
        ("1,2 3,4 5,6", False),
        ("p,x,s e,x,y p,z,s", False),
        ("hair,legs yes,four no,two", True),
        ("o1,5.1 o2,4.9 o3,6.1", None),
        (",0,1 0,5.1,2 1,3,4", True),
        ("1,,3 4,5,6 7,8,9", False),
        ("year,2001,2002 a,1,2 b,3,4", None),
    ],
)
def test_the_header_is_detected(rows, header):
    found, known = has_header([row.split(",") for row in rows.split()])
    assert (found if known else None) is header


def test_an_ambiguous_header_raises_a_question():
    text = lines("o1,5.1", "o2,4.9", "o3,6.1", "o4,7.7")
    table = read_user_table(text)
    assert [question.about for question in table.questions] == ["header"] and table.n_objects == 4
    assert table.questions[0].answers == ("header=False", "header=True")
    assert read_user_table(text, header=False).questions == ()
    assert read_user_table(text, header=True).X.columns.tolist() == ["5.1"]


def test_a_given_layout_is_used():
    text = "Größe;1,5\nBreite;2,5\nTiefe;4,5\n".encode("utf-16-be")
    table = read_user_table(text, encoding="utf-16-be", delimiter=";", header=False, decimal=",")
    layout = table.layout
    assert (layout.encoding, layout.delimiter, layout.header) == ("utf-16-be", ";", False)
    assert table.questions == ()
    assert table.X.index.tolist() == ["Größe", "Breite", "Tiefe"]
    assert table.X["column 2"].tolist() == [1.5, 2.5, 4.5]


def test_a_first_line_with_the_separator_is_not_a_row():
    table = read_user_table(lines("sep=;", "u;v, w", "1,5;a", "2,5;b,", "4,5;,c"))
    assert table.lines.tolist() == [3, 4, 5] and table.X["u"].tolist() == [1.5, 2.5, 4.5]


def test_repeated_names_of_columns_get_a_number():
    assert list(read_user_table(lines("u,u,", "1.5,2,7", "3,4,1.5", "5,9,3")).X) == ["u", "u (2)", "column 3"]


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("cells", "decimal", "numbers"),
    [
        (["1,5", "2,5", "1.234,5"], None, [1.5, 2.5, 1234.5]),
        (["1.5", "2.5", "1,234.5"], None, [1.5, 2.5, 1234.5]),
        (["1,234", "2,345", "3,456"], ".", [1234, 2345, 3456]),
        (["1,234", "2,345", "3,456"], ",", [1.234, 2.345, 3.456]),
        (["0,123", "0,456", "0,789"], None, [0.123, 0.456, 0.789]),
        (["-1e3", "+2.5E-1", ".5"], None, [-1000, 0.25, 0.5]),
    ],
)
def test_decimal_marks_and_thousands(cells, decimal, numbers):
    table = read_user_table(lines("u", *cells), delimiter=";", decimal=decimal, kind="attributes")
    np.testing.assert_array_equal(table.X["u"], numbers)
    assert table.questions == ()


def test_numbers_whose_squares_are_infinite_have_no_distances_but_a_scale():
    table = read_user_table(lines("u,v", "1e200,2", "3e200,4", "5e200,1.5"))
    assert [question.about for question in table.questions] == ["scale"]
    assert "inf" not in table.questions[0].text
    with pytest.raises(ValueError, match="whose squares are finite, got 5e"):
        table.D  # noqa: B018


def test_ambiguous_commas_raise_a_question():
    table = read_user_table(lines("u;v", "1,234;1", "2,345;5", "3,456;3"))
    assert [question.answers for question in table.questions if question.about == "decimal mark"] == [
        ("decimal=','", "decimal='.'")
    ]


THOUSANDS = {
    "square": lines('"0","567","2,789"', '"567","0","1,234"', '"2,789","1,234","0"'),
    "half": lines("name,a,b,c", '"a","","",""', '"b","567","",""', '"c","2,789","1,234",""'),
    "triangle": lines("0", "567;0", "2,789;1,234;0"),
    "pairs": lines("567;2,789;1,234"),
    "named": lines(";a;b;c", "a;0;567;2,789", "b;567;0;1,234", "c;2,789;1,234;0"),
}


@pytest.mark.parametrize("layout", THOUSANDS)
@pytest.mark.parametrize("kind", [None, "dissimilarities"])
def test_ambiguous_commas_in_a_matrix_raise_a_question(layout, kind):
    (question,) = read_user_table(THOUSANDS[layout], kind=kind).questions
    assert question.blocking and question.answers == ("decimal=','", "decimal='.'")
    for decimal, pairs in ((".", [567, 2789, 1234]), (",", [567, 2.789, 1.234])):
        table = read_user_table(THOUSANDS[layout], kind=kind, decimal=decimal)
        assert table.kind == "dissimilarities" and table.questions == ()
        np.testing.assert_array_equal(table.D.to_numpy()[np.triu_indices(3, 1)], pairs)


def test_all_columns_of_a_matrix_have_one_decimal_mark():
    text = lines("0;567;2,789.5", "567;0;1,234", "2,789.5;1,234;0")
    np.testing.assert_array_equal(read_user_table(text, header=False).D.to_numpy()[2], [2789.5, 1234, 0])
    points = lines("0;1.234;5", "1.234;0;7", "5;7;0")
    assert read_user_table(points, decimal=",").D.to_numpy()[0, 1] == 1234
    assert read_user_table(points).D.to_numpy()[0, 1] == 1.234


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["u,v", "1,2", "3,oops", "5,6", "7,8"], "column 'v' should hold numbers; got 'oops' in line 3"),
        (
            ["u,v", "1,x", "2,2", "", "y,6", "7,8", "9,9"],
            "'u' .* got 'y' in line 5; column 'v' .* 'x' in line 2",
        ),
        (["u,v", "1,2", "3,inf", "5,6"], "column 'v' should hold finite numbers; got 'inf' in line 3"),
        (["u,v", '1,"1,5"', "2,2.5", '4,"2,5"'], "column 'v' should hold numbers; got '2.5' in line 3"),
    ],
)
def test_words_among_numbers_raise_a_question_about_all_columns(rows, message):
    (question,) = read_user_table(lines(*rows)).questions
    assert question.about == "columns" and re.search(message, question.text)
    with pytest.raises(ValueError, match=message):
        read_user_table(lines(*rows)).X  # noqa: B018
    labels = [label for label in ("u", "v") if f"'{label}'" in message]
    table = read_user_table(lines(*rows), columns=dict.fromkeys(labels, "category"))
    assert all(roles(table)[label] == "category" for label in labels)


# ---------------------------------------------------------------- columns


@pytest.mark.parametrize("days", ["text", "time"])
def test_dates_that_are_names_or_classes_are_not_converted(days):
    frame = pd.DataFrame({"day": ["2026-01-01", "2026-01-03", "2026-01-08"], "u": [1.5, 2.5, 7.0]})
    if days == "time":
        frame["day"] = pd.to_datetime(frame["day"])
    names = ("2026-01-01", "2026-01-03", "2026-01-08")
    assert tuple(read_user_table(frame, columns={"day": "names"}).index) == names
    assert read_user_table(frame, columns={"day": "classes"}).class_names == names


def test_codes_are_numbers_unless_they_are_given_or_named_as_classes():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, 2)), columns=["u", "v"]).assign(kind=np.repeat([1, 2, 3], 10))
    table = read_user_table(frame)
    assert roles(table)["kind"] == "number" and table.class_names == ()
    assert table.questions[0].answers == (
        "columns={'kind': 'number'}",
        "columns={'kind': 'category'}",
        "columns={'kind': 'classes'}",
    )
    for role in ("classes", "category", "number"):
        assert read_user_table(frame, columns={"kind": role}).questions == ()
    assert read_user_table(frame, columns={"kind": "category"}).kind == "mixed"
    named = read_user_table(frame.rename(columns={"kind": "target"}))
    assert named.questions == () and named.class_names == ("1", "2", "3")
    flags = read_user_table(frame.assign(flag=np.arange(30) % 2))
    assert roles(flags)["kind"] == roles(flags)["flag"] == "number" and len(flags.questions) == 1


@pytest.mark.parametrize(
    ("label", "numbers", "records"),
    [
        ("case", [1, 2, 3, 4, 5], True),
        ("u", [3, 7, 20, 21, 40, 41, 50, 61, 72, 83], True),
        ("u", [4, 2, 1, 3, 6, 5, 9, 8, 7, 10], True),
        ("patient_ID", [9, 3, 5], True),
        ("u", [9, 3, 5], False),
        ("u", [3, 7, 20, 21, 40, 41, 50, 61, 83, 72], False),
        ("u", [1, 2, 3, 4, 4.5], False),
    ],
)
def test_record_numbers_name_the_objects(label, numbers, records):
    other = np.sin(numbers).round(3)
    table = read_user_table(
        lines(f"{label},v", *(f"{k},{x}" for k, x in zip(numbers, other))), standardize=False
    )
    assert roles(table)[label] == ("names" if records else "number")
    assert len(table.questions) == (records and label != "patient_ID")  # whose name leaves no doubt


@pytest.mark.parametrize("cells", [["5 kg", "7 g", "12 mg"], ["<0.1", "$2", "1 234,5"], ["3%", "4$", "9"]])
def test_numbers_with_different_units_raise_a_question(cells):
    table = read_user_table(lines("w;v", *(f"{cell};{i}.5" for i, cell in enumerate(cells))))
    (question,) = table.questions
    assert str(question).startswith("column 'w' holds words that may be numbers with units and is read as")
    assert read_user_table(lines("w;v", "a1;1.5", "b2;4", "c3;5")).questions == ()


def test_uninformative_columns_are_left_out_with_a_reason():
    rows = ["site,u,empty,note,key", *(f"A,{i * i}.5,,note {i // 2},k{i}" for i in range(6))]
    table = read_user_table(lines(*rows), columns={"note": "category"})
    assert table.left_out() == {"site": "one value", "empty": "nothing"}
    assert table.index.tolist() == [f"k{i}" for i in range(6)] and table.index.name == "key"


def test_types_of_a_data_frame_are_used():
    frame = pd.DataFrame(
        {
            "size": pd.array([1, 5, None, 7], dtype="Int64"),
            "sort": pd.Categorical([1, 2, 2, 1]),
            "good": [True, False, True, True],
            "day": pd.to_datetime(["2026-01-01", "2026-01-03", "2026-01-08", "2026-01-09"]),
        },
        index=["ash", "elm", "oak", "fir"],
    )
    given = {"sort": "category", "good": "category", "day": "number"}
    table = read_user_table(frame, columns=given, missing="impute")
    assert table.questions == () and table.index.tolist() == frame.index.tolist()
    assert table.frame["size"].tolist() == [1, 5, 5, 7] and table.frame["day"].tolist() == [0, 2, 7, 8]
    assert table.frame["good"].tolist() == ["True", "False", "True", "True"]
    with pytest.raises(ValueError, match=r"'size' has 1 missing value \(row 'oak'\)"):
        read_user_table(frame, columns=given).D  # noqa: B018


def test_missing_categories_are_imputed_or_skipped():
    text = lines("u,k", "1.5,a", "2.5,a", "3.5,", "7.5,b", "9.5,b", "4.5,a")
    given = {"columns": {"k": "category"}}
    assert read_user_table(text, missing="impute", **given).frame["k"].tolist() == [
        "a",
        "a",
        "a",
        "b",
        "b",
        "a",
    ]
    D = read_user_table(text, missing="skip", **given).D
    assert D.loc[0, 2] == 2 / 8 and D.loc[0, 3] == pytest.approx((6 / 8 + 1) / 2)


def test_missing_classes_cannot_be_imputed():
    text = lines("u,class", "1.5,a", "2.5,", "3.5,b", "7.5,b", "9.5,a")
    for missing in ("impute", "skip"):
        with pytest.raises(
            ValueError, match=r"'class' \(classes\) has 1 missing value \(line 3\), but missing="
        ):
            read_user_table(text, missing=missing)
    assert read_user_table(text, missing="rows").lines.tolist() == [2, 4, 5, 6]
    assert read_user_table(text, missing="columns").y is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"columns": {"w": "number"}},
            "names of columns in the argument columns; got 'w'; the columns are 'u', 'v', 'class'",
        ),
        ({"columns": {"Class": "number"}}, "did you mean 'class'"),
        ({"columns": {"u": "integer"}}, r"columns\['u'\] to be one of"),
        ({"columns": {"u": "classes", "v": "classes"}}, "one column of classes"),
        ({"columns": {"class": "number"}}, "column 'class' should hold numbers; got words"),
        ({"columns": {"class": "names"}}, "a unique name for each object in column 'class'; got 'a' again"),
        (
            {"columns": dict.fromkeys(("u", "v", "class"), "left out")},
            "at least one numeric or categorical column",
        ),
        ({"kind": "dissimilarities"}, "square matrix of dissimilarities, or .* got a table of 4 x 3"),
        ({"missing": "drop"}, "missing to be one of"),
        ({"delimiter": "comma"}, "delimiter to be one of"),
        ({"encoding": "utf-33"}, "expected text in utf-33; got unknown encoding"),
        ({"max_objects": 2}, "3 <= max_objects"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, message):
    with pytest.raises(ValueError, match=message):
        read_user_table(lines("u,v,class", "1,2,a", "3,4.5,a", "5,6,b", "7,9,b"), **arguments)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "at least 3 lines; got 0"),
        (b"PK\x03\x04...", "got a spreadsheet or an archive"),
        (b"u,v\n1,\x002\n", "expected text in UTF-8, UTF-16 or a code page; got the character"),
    ],
)
def test_other_files_are_rejected(contents, message):
    with pytest.raises(ValueError, match=message):
        read_user_table(contents)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (lines("0,1,2", "3,0,1", "2,1,0"), "not symmetric, with 1 and 3 for the pair 0, 1"),
        (lines("0,1,2", "1,0,-1", "2,-1,0"), "negative number, -1"),
        (lines("0,1,2", "1,0,", "2,1,0"), "got nan for the pair 1, 2"),
    ],
)
def test_faulty_matrices_raise_a_question(contents, message):
    (question,) = read_user_table(contents).questions
    assert message in question.text and question.answers == ("kind='attributes'",) and question.blocking
    with pytest.raises(ValueError, match=message):
        read_user_table(contents).D  # noqa: B018
    assert read_user_table(contents, kind="attributes").kind == "numbers"


def test_a_sample_of_a_matrix_has_its_rows_and_columns():
    names = [f"o{i}" for i in range(9)]
    D = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9)))
    table = read_user_table(pd.DataFrame(D, names, names), max_objects=4, random_state=1)
    chosen = [names.index(name) for name in table.index]
    assert len(chosen) == 4 and table.notes == ("4 of 9 objects, drawn with seed 1",)
    np.testing.assert_array_equal(table.D, D[np.ix_(chosen, chosen)])


def test_a_sample_of_a_table_has_its_classes_lines_and_names():
    text = "name,u,v,class\n" + "".join(f"o{i},{i}.5,{i % 7},{'ab'[i % 2]}\n" for i in range(30))
    table = read_user_table(text.encode(), columns={"name": "names", "class": "classes"})
    found = table.sample(8)
    rows = [table.index.get_loc(name) for name in found.index]
    assert rows == sorted(set(rows)) and len(rows) == 8
    assert list(found.y) == list(np.asarray(table.y)[rows]) and list(found.lines) == [i + 2 for i in rows]
    assert found.frame["u"].tolist() == [i + 0.5 for i in rows]
    assert "8 of 30 objects, drawn with seed 0" in found.notes
    assert table.sample(30) is table and table.sample(8, 1).index.tolist() != found.index.tolist()


def test_half_a_matrix_cannot_be_sampled():
    D = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9)))
    for half in (np.tril(D), np.triu(D), np.where(np.tri(9, k=-1), D, np.nan)):
        with pytest.raises(
            ValueError, match="expected max_objects >= 9 for half a matrix, which needs all pairs; got 4"
        ):
            read_user_table(half, max_objects=4, random_state=1)
        assert read_user_table(half, max_objects=4, kind="attributes").kind == "numbers"
        np.testing.assert_array_equal(read_user_table(half, max_objects=9).D, D)


@pytest.mark.parametrize(
    ("names", "index"),
    [
        (("001", "002", "003"), ("001", "002", "003")),
        (("01", "1", "2"), ("01", "1", "2")),
        (("1e3", "2", "3"), ("1e3", "2", "3")),
        (("7", "0", "-12"), (7, 0, -12)),
    ],
)
def test_names_in_a_matrix_are_not_changed(names, index):
    cells = ("0,1,5", "1,0,2", "5,2,0")
    text = lines(*(f"{name},{row}" for name, row in zip(names, cells)))
    assert tuple(read_user_table(text).index) == index


def test_repeated_names_in_a_matrix_are_left_out_with_a_note():
    text = lines("elm,0,1,5,4", "oak,1,0,2,3", "elm,5,2,0,6", "fir,4,3,6,0")
    table = read_user_table(text)
    assert tuple(table.index) == (0, 1, 2, 3)
    assert table.notes == ("names left out: several objects are called 'elm', in lines 1, 3",)
    assert read_user_table(text.replace(b"elm,5", b"ash,5")).notes == ()
    frame = pd.DataFrame({"name": ["a", None, None], "x": [0, 1, 2], "y": [1, 0, 3], "z": [2, 3, 0]})
    assert "in rows 1, 2" in read_user_table(frame).notes[0]


def test_every_object_is_sampled_equally_often():
    counts = np.zeros(20)
    for seed in range(400):
        chosen = drawn(20, Draw(5, seed)).tolist()
        assert chosen == sorted(set(chosen)) and len(chosen) == 5
        counts[chosen] += 1
    assert np.abs(counts - 100).max() < 4 * np.sqrt(75)  # four standard deviations of a binomial count


# ---------------------------------------------------------------- names of objects


def test_names_of_many_digits_are_exact():
    ids = [2**60 + i for i in (1, 2, 3, 4)]
    text = lines("id,u", *(f"{one},{i * i}" for i, one in enumerate(ids)))
    assert read_user_table(text, columns={"id": "names"}).index.tolist() == [str(one) for one in ids]
    frame = pd.DataFrame({"id": ids, "u": [0.0, 1.0, 4.0, 9.0]})
    assert read_user_table(frame, columns={"id": "names"}).index.tolist() == ids


def test_names_of_a_data_frame_are_a_given_column_or_an_index_that_is_not_a_range():
    frame = pd.DataFrame({"plant": list("abcdefgh"), "u": np.arange(8.0) ** 2})
    assert read_user_table(frame.iloc[3:], columns={"plant": "left out"}).index.tolist() == [3, 4, 5, 6, 7]
    assert read_user_table(frame[::2], columns={"plant": "left out"}).index.tolist() == [0, 2, 4, 6]
    named = frame.set_axis(range(11, 19), axis="index").rename(index=str)
    assert read_user_table(named, columns={"plant": "names"}).index.tolist() == list("abcdefgh")


def test_only_scaled_numbers_have_a_note():
    words = pd.DataFrame({"u": list("aabbcc"), "v": list("ababab")})
    columns = {"u": "category", "v": "category"}
    assert read_user_table(words, columns=columns, standardize=True).notes == ()


def test_faulty_values_do_not_decide_the_scale_of_a_column():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"speed": rng.normal(1500, 100, 300), "vibration": rng.normal(2, 0.5, 300)})
    frame.loc[:5, "vibration"] = 99.9
    table = read_user_table(frame, standardize=True)
    regular = table.X[6:]
    assert regular.std().between(0.95, 1.25).all() and regular.mean().abs().max() < 0.15
    question = read_user_table(frame).questions[0]  # the faulty values would hide it: 7 times
    assert "'speed' varies" in question.text
    few = read_user_table(frame.iloc[6:25], standardize=True)  # too few to leave some out
    np.testing.assert_allclose(few.X.std(ddof=0), 1)


def test_the_scale_of_values_that_are_nearly_always_the_same_is_that_of_all():
    amounts = pd.DataFrame({"amount": np.r_[np.zeros(187), np.geomspace(0.01, 1000, 13)]})
    np.testing.assert_allclose(read_user_table(amounts, standardize=True).X.std(ddof=0), 1)


def test_columns_that_describe_the_objects_are_kept_as_they_were():
    text = b"name,u,v,kind,note,id\n" + b"".join(
        b"o%d,%d.5,%s,%d,%s,%d\n"
        % (i, i * i, b"" if i == 3 else b"1%d" % (i % 4), 1 + i % 2, b"xy"[i % 2 : i % 2 + 1], i)
        for i in range(12)
    )
    roles = {"kind": "classes", "note": "left out", "v": "number"}
    table = read_user_table(text, columns=roles, missing="impute", standardize=True)
    assert list(table.frame) == ["u", "v"] and list(table.original) == ["u", "v", "kind", "note"]
    assert table.supplementary() == ["kind", "note"] and table.original.index.equals(table.index)
    assert table.original["u"].tolist() == [i * i + 0.5 for i in range(12)]
    assert table.original["v"].isna().sum() == 1 and table.original["kind"].tolist() == ["1", "2"] * 6
    matrix = read_user_table(b"0,1,2\n1,0,3\n2,3,0\n")
    assert matrix.original is None and matrix.supplementary() == []


# ---------------------------------------------------------------- patterns, and identity of rows


def test_patterns_give_roles_to_several_columns():
    text = lines("Q1,Q2,Q10,u,Q*", "1,2,5,1.5,1", "2,2,6,2.5,2", "1,1,7,3,1")
    table = read_user_table(text, columns={"Q*": "number", "Q1*": "category"})
    assert roles(table) == {
        "Q1": "category",
        "Q2": "number",
        "Q10": "category",
        "u": "number",
        "Q*": "number",
    }
    table = read_user_table(text, columns={"Q[12]": "category", "Q2": "number", "Q1?": "left out"})
    assert roles(table) == {
        "Q1": "category", "Q2": "number", "Q10": "left out", "u": "number", "Q*": "number"
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"one column of classes, got \['Q1', 'Q2'\]"):
        read_user_table(text, columns={"Q[12]": "classes"})
    with pytest.raises(ValueError, match=r"expected names of columns in the argument columns; got 'R\*'"):
        read_user_table(text, columns={"R*": "category"})


def test_rows_without_names_keep_their_numbers():
    text = lines("u,v", "1.5,2", ",3", "2.5,4", "3,7", "4,1")
    assert read_user_table(text, missing="rows").index.tolist() == [0, 2, 3, 4]
    assert read_user_table(text, missing="impute").index.equals(pd.RangeIndex(5))
    frame = pd.DataFrame({"u": np.arange(50) + 0.5, "v": np.arange(50) ** 2})
    for source in (frame, frame.to_csv(index=False).encode()):
        sample = read_user_table(source, max_objects=10, columns={"v": "number"})
        assert sample.X["u"].tolist() == [i + 0.5 for i in sample.index]
    D = np.abs(np.subtract.outer(np.arange(20.0), np.arange(20.0)))
    sample = read_user_table(D, max_objects=5)
    np.testing.assert_array_equal(sample.D, D[np.ix_(sample.index, sample.index)])


@pytest.mark.parametrize("columns", [np.array([]), np.eye(2), ["u"], "u"])
@pytest.mark.parametrize("source", [b"0,1,2\n1,0,3\n2,3,0", b"u,v\n1,5\n2,6\n3,6\n"])
def test_columns_that_are_no_mapping_are_refused(source, columns):
    with pytest.raises((TypeError, ValueError), match="roles by the names of columns"):
        read_user_table(source, columns=columns)
    with pytest.raises((TypeError, ValueError), match="roles by the names of columns"):
        answer_questions(read_user_table(b"u,v\n1,5\n2,6\n3,6\n"), columns=columns)
