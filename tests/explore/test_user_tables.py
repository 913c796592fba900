"""Own tables: what is understood, and what is refused with which words."""

import numpy as np
import pandas as pd
import pytest

from credalbench.explore.sources import MAX_OBJECTS
from credalbench.explore.sources.table_source import table_from_array, table_from_user_table
from credalbench.explore.sources.tables import standardized_table
from credalbench.tables import read_user_table
from tests.explore.declared import table_from_csv

ROWS = ["5.1,1.4", "4.9,1.3", "7.0,4.7", "6.4,4.5"]


def table(*lines):
    return "\n".join(lines).encode()


def test_numbers_without_a_header_are_attributes():
    subject = table_from_csv(table(*ROWS), "mine.csv")
    np.testing.assert_array_equal(subject.attributes[0], [5.1, 1.4])
    assert subject.y is None
    assert subject.note == "mine.csv: 4 objects, 2 attributes, no classes."


@pytest.mark.parametrize("name", ["species", "Class", "target"])
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
    assert subject.note.endswith("2 attributes, no classes; names from column 'name'.")


def test_columns_that_are_left_out_are_named():
    lines = ["u;v;a;b;c", *(f"{i},5;1;{'xy'[i % 2]};{'yz'[i % 2]};z{i // 2}" for i in range(4))]
    assert table_from_csv(table(*lines)).note.endswith(
        "4 objects, 1 attribute, no classes; left out: 'v' (one value); no numbers, left out: 'a', 'b', 'c'; "
        "decimal commas in 'u'."
    )


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("header", [[], ["u v"]])
def test_decimal_commas_are_no_separators(separator, header):
    lines = [line.replace(" ", separator) for line in [*header, "1,5 2,5", "3,5 4,5", "5,1 6,7", "7,7 8,1"]]
    subject = table_from_csv(table(*lines), "mine.csv")
    np.testing.assert_array_equal(subject.attributes, [[1.5, 2.5], [3.5, 4.5], [5.1, 6.7], [7.7, 8.1]])
    assert "decimal commas in" in subject.note


def test_text_that_is_no_utf_8_is_read_and_that_is_reported():
    contents = "Größe,class\n1.5,Köln\n2.5,Köln\n4,Zürich\n7,Zürich".encode("latin-1")
    subject = table_from_csv(contents, "mine.csv")
    assert subject.class_names == ("Köln", "Zürich")
    assert subject.note == (
        "mine.csv: 4 objects, 1 attribute, 2 classes from column 'class'; text read as cp1252."
    )
    assert table_from_csv(subject.text.encode(), "mine.csv").class_names == subject.class_names


def test_scales_that_differ_and_record_numbers_are_reported():
    lines = ["id,u,v", *(f"{i},{i * 100},{i % 3}.5" for i in range(1, 7))]
    note = table_from_csv(table(*lines)).note
    assert "names from column 'id'; column 'u' varies 209 times as much as 'v'." in note


def test_tables_that_were_read_elsewhere_frames_and_matrices_are_taken():
    own = read_user_table(table("u,v,class", "1,2,a", ",4.5,a", "6,7,b", "8,9.5,b"), missing="rows")
    subject = table_from_user_table(own)
    assert subject.n_objects == 3 and subject.class_names == ("a", "b") and subject.text is None
    frame = pd.DataFrame({"u": [1.5, 2, 4], "v": [3, 1, 2.5]}, index=["ash", "elm", "oak"])
    subject = table_from_user_table(read_user_table(frame))
    assert subject.axis_labels == ("u", "v") and subject.object_names == ("ash", "elm", "oak")
    assert standardized_table(subject).object_names == subject.object_names
    D = np.array([[0, 1, 5], [1, 0, 5], [5, 5, 0.0]])
    matrices = [table_from_array(values) for values in (D, D[np.triu_indices(3, 1)], np.tril(D))]
    for subject in (*matrices, table_from_user_table(read_user_table(pd.DataFrame(D)))):
        assert subject.attributes is None
        np.testing.assert_array_equal(subject.D, D)


def test_of_too_many_objects_some_are_drawn():
    subject = table_from_csv(table("u,v", *(f"{i}.5,{i % 7}" for i in range(MAX_OBJECTS + 100))), "large.csv")
    assert subject.n_objects == MAX_OBJECTS
    assert f"{MAX_OBJECTS} of {MAX_OBJECTS + 100} objects, drawn with seed 0" in subject.note


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (table("name", "a", "b", "c"), "at least one numeric"),
        (table("u,v", "1,2", "3,", "5,6"), "column 'v' has 1 missing"),
        (table("u,class", "1,a", "2,", "3,b"), "column 'class' \\(classes\\) has 1 missing value"),
    ],
)
def test_unusable_tables_are_refused_with_the_reason(contents, message):
    with pytest.raises(ValueError, match=f"mine.csv: .*{message}"):
        table_from_csv(contents, "mine.csv")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        table_from_csv(tmp_path / "absent.csv")
