"""The declarative reader on small files with the flaws of the published files."""

import gzip

import numpy as np
import pytest

from credalbench.datasets.readers import complete_matrix, encode_labels, read_arrays, read_lines, read_table

COMMA = {"delimiter": ",", "header_lines": 0, "feature_columns": [0, 1], "label_column": 2}
BLANK = COMMA | {"delimiter": "whitespace"}
EXPECTED = [[1.5, 2], [-3, 0.4]]


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"1.5,2,a\n-3,.4,b\n", COMMA),
        (b"1.5,2,a\r\n-3,.4,b\r\n", COMMA),
        (b"1.5,2,a\n-3,.4,b", COMMA),
        (b"1.5,2,a\n-3,.4,b\n\n", COMMA),
        (b"\xef\xbb\xbf1.5,2,a\n-3,.4,b\n", COMMA),
        (b"1.5\t2\ta\r\n-3\t.4\t\tb\r\n", BLANK),
        (b"  1.5   2 a\n -3  .4  b \n", BLANK),
        (b'x,y,class\n"1.5","2","a"\n"-3",".4","b"\n', COMMA | {"header_lines": 1}),
        (gzip.compress(b"1.5,2,a\n-3,.4,b\n"), COMMA | {"gzip": True}),
    ],
    ids=["plain", "crlf", "no final newline", "blank end", "bom", "two tabs", "blanks", "quotes", "gzip"],
)
def test_flaws_of_the_text_make_no_difference(content, form):
    table = read_table(content, form)
    assert table.values.tolist() == EXPECTED
    assert table.labels == ["a", "b"]


def test_byte_order_mark_is_not_part_of_the_header():
    assert read_lines(b"\xef\xbb\xbfa,b\n", {"delimiter": ",", "header_lines": 0}) == [["a", "b"]]


def test_missing_values_become_nan_only_where_the_format_names_them():
    form = {"delimiter": ",", "header_lines": 0, "feature_columns": [0, 1]}
    assert np.isnan(read_table(b"1,?\n2,3\n", form | {"missing": "?"}).values).tolist() == [[0, 1], [0, 0]]
    with pytest.raises(ValueError, match=r"toy.csv: expected 2 numbers in data row 1, got \['1', '\?'\]"):
        read_table(b"1,?\n2,3\n", form, "toy.csv")


@pytest.mark.parametrize("content", [b"1,2,a\n3,b\n", b"1,2,a\n3\n", b"1,2\n"])
def test_short_rows_are_refused(content):
    with pytest.raises(ValueError, match="expected"):
        read_table(content, COMMA)


def test_label_runs_must_cover_the_rows():
    form = {
        "delimiter": ",",
        "header_lines": 0,
        "feature_columns": [0, 1],
        "label_runs": [["a", 2], ["b", 1]],
    }
    assert read_table(b"1,2\n3,4\n5,6\n", form).labels == ["a", "a", "b"]
    with pytest.raises(ValueError, match="expected 3 rows"):
        read_table(b"1,2\n3,4\n", form)


def test_spellings_fold_into_one_class_in_the_declared_order():
    classes = {"very_low": "very low", "Very Low": "very low", "High": "high"}
    assert encode_labels(["High", "Very Low", "very_low"], classes).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="expected a label in"):
        encode_labels(["Low"], classes)


def test_matrix_without_first_column_is_completed_by_symmetry():
    D = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0.0]])
    assert np.array_equal(complete_matrix(D[:, 1:]), D)
    with pytest.raises(ValueError, match="n - 1 columns"):
        complete_matrix(D)


def test_image_channel_is_cropped_row_by_row_and_scaled(tmp_path):
    image = pytest.importorskip("PIL.Image")
    pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    image.fromarray(pixels).save(tmp_path / "p.png")
    form = {"reader": "png", "channel": 1, "crop_rows": [1, 3], "crop_columns": [2, 5]}
    arrays = read_arrays((tmp_path / "p.png").read_bytes(), {"file": "p.png", "format": form})
    assert arrays["image_shape"] == (2, 3)
    assert np.array_equal(arrays["X"][:, 0], pixels[1:3, 2:5, 1].ravel() / 255)
