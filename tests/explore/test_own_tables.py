"""Own tables: what is understood, and what is refused with which words."""

import numpy as np
import pytest

from credalbench.explore.shared.subjects.own_tables import table_from_csv

ROWS = ["5.1,1.4", "4.9,1.3", "7.0,4.7", "6.4,4.5"]


def table(*lines):
    return "\n".join(lines).encode()


def test_numbers_without_a_header_are_attributes():
    subject = table_from_csv(table(*ROWS), "mine.csv")
    np.testing.assert_array_equal(subject.attributes[0], [5.1, 1.4])
    assert subject.y is None
    assert subject.note == "mine.csv: 4 objects, 2 attributes, no classes."


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_header_and_separator_are_recognised(separator):
    lines = ["length,width", *ROWS]
    subject = table_from_csv(table(*(line.replace(",", separator) for line in lines)))
    assert subject.axis_labels == ("length", "width")
    assert subject.n_objects == 4


@pytest.mark.parametrize("name", ["species", "Class", "kind"])
def test_a_column_of_repeated_words_holds_the_classes(name):
    words = ["b", "b", "a", "a"]
    subject = table_from_csv(table(f"x,y,{name}", *(f"{row},{word}" for row, word in zip(ROWS, words))))
    np.testing.assert_array_equal(subject.y, [1, 1, 0, 0])
    assert subject.class_names == ("a", "b")


def test_a_numeric_column_called_label_holds_the_classes():
    subject = table_from_csv(table("u,v,label", *(f"{row},{k}" for row, k in zip(ROWS, "3377"))))
    np.testing.assert_array_equal(subject.y, [0, 0, 1, 1])
    assert subject.attributes.shape == (4, 2)


def test_a_column_of_fractions_is_an_attribute_whatever_its_name():
    subject = table_from_csv(table("u,target", *ROWS))
    assert subject.axis_labels == ("u", "target")


def test_names_of_objects_are_neither_attributes_nor_classes():
    subject = table_from_csv(table("name,u,v", *(f"o{i},{row}" for i, row in enumerate(ROWS))))
    assert subject.y is None
    assert subject.attributes.shape == (4, 2)
    assert "2 attributes, no classes; no numbers, left out: 'name'." in subject.note


def test_columns_that_are_left_out_are_named():
    """Numbers with a decimal comma are text here: nobody should believe that they were clustered."""
    lines = ["u;v;a;b;c", *(f"{i},5;{i};x{i};y{i};z{i}" for i in range(4))]
    assert table_from_csv(table(*lines)).note.endswith(
        "1 attribute, no classes; no numbers, left out: 'u', 'a', 'b' and 1 more."
    )


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("header", [[], ["u v"]])
def test_decimal_commas_are_no_separators(separator, header):
    lines = [line.replace(" ", separator) for line in [*header, "1,5 2,5", "3,5 4,5", "5,1 6,7", "7,7 8,1"]]
    with pytest.raises(ValueError, match=r"numeric column; got .* with decimal commas, as 1,5, where"):
        table_from_csv(table(*lines), "mine.csv")
    mixed = table_from_csv(table(*(f"{i}{separator}{line}" for i, line in enumerate(lines))))
    assert mixed.n_objects == len(lines) - len(header) and mixed.attributes.shape[1] == 1


@pytest.mark.parametrize("named", [False, True])
def test_a_square_table_with_zero_diagonal_holds_dissimilarities(named):
    lines = ["0,1,5", "1,0,5", "5,5,0"]
    if named:
        lines = ["object,a,b,c", *(f"{name},{line}" for name, line in zip("abc", lines))]
    subject = table_from_csv(table(*lines))
    assert subject.attributes is None
    np.testing.assert_array_equal(subject.D, [[0, 1, 5], [1, 0, 5], [5, 5, 0]])


def test_windows_line_ends_and_byte_order_mark():
    subject = table_from_csv(b"\xef\xbb\xbf" + "\r\n".join(["u,v", *ROWS]).encode())
    assert subject.axis_labels == ("u", "v")


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "at least 3 lines; got 0"),
        (b"\xff\xfe\x00", "UTF-8"),
        (table("name", "a", "b", "c"), "at least one numeric column"),
        (table("u,v", "1,2", "3,", "5,6"), "column 'v' has 1 missing"),
        (table("u,v", "1,2", "3,oops", "5,6", "7,8"), "got 'oops' in row 2"),
        (table("u,v", "1,2", "3,inf", "5,6"), "column 'v' has 1 missing or infinite value"),
        (table("u,v", "1,2", "3,4,5,6", "7,8"), "same number of columns"),
        (table("0,1,2", "3,0,1", "2,1,0"), "symmetric"),
        (table("u,class", "1,a", "2,", "3,b"), "column 'class' \\(classes\\) has 1 gap"),
    ],
)
def test_unusable_tables_are_refused_with_the_reason(contents, message):
    with pytest.raises(ValueError, match=message):
        table_from_csv(contents, "mine.csv")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        table_from_csv(tmp_path / "absent.csv")
