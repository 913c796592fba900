"""Triangular matrices of dissimilarities in files and arrays."""

import numpy as np
import pandas as pd
import pytest

from credalbench.tables import as_dissimilarities, read_user_table

NAMES = ("ash", "elm", "oak", "fir")
D = np.array([[0, 1, 5, 4.5], [1, 0, 6, 3], [5, 6, 0, 2], [4.5, 3, 2, 0]])


def triangle(upper, diagonal, names, header):
    """Return rows of cells; without the diagonal, rows without cells are left out."""
    rows = []
    for i in range(4):
        j = range(i + (not diagonal), 4) if upper else range(i + diagonal)
        if cells := [f"{D[i, k]:g}" for k in j]:
            rows.append([NAMES[i]] * names + cells)
    return [[""] * names + list(NAMES)] * header + rows


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize(("diagonal", "delimiter"), [(True, ","), (True, "\t"), (False, ";"), (True, " ")])
def test_triangles_in_files_are_matrices(upper, diagonal, names, header, delimiter):
    if delimiter == " " and names and header:
        header = False  # blanks at the beginning of a line are not cell
    text = "\n".join(delimiter.join(row) for row in triangle(upper, diagonal, names, header))
    table = read_user_table(text.encode(), name="trees")
    assert table.kind == "dissimilarities" and table.questions == ()
    np.testing.assert_array_equal(table.D, D)
    if header or (names and diagonal):
        assert tuple(table.index) == NAMES


def test_triangles_of_other_programs():
    """PHYLIP states the number of objects first; R omits the first row and the last column."""
    phylip = "4\nash\nelm 1\noak 5 6\nfir 4.5 3 2\n"
    r = ",ash,elm,oak\nelm,1\noak,5,6\nfir,4.5,3,2\n"
    for text in (phylip, r):
        table = read_user_table(text.encode())
        assert tuple(table.index) == NAMES
        np.testing.assert_array_equal(table.D, D)


@pytest.mark.parametrize("hole", [0, np.nan])
def test_a_square_with_one_triangle_is_a_matrix(hole):
    half = np.where(np.tri(4, k=-1).astype(bool), D, hole)
    for values in (half, half.T):
        np.testing.assert_array_equal(as_dissimilarities(values), D)
        frame = pd.DataFrame(values, NAMES, NAMES)
        np.testing.assert_array_equal(read_user_table(frame).D, D)
        np.testing.assert_array_equal(read_user_table(frame.to_csv().encode()).D, D)


def test_a_missing_value_in_a_triangle_is_reported():
    half = np.where(np.tri(4, k=-1).astype(bool), D, 0)
    half[2, 1] = np.nan
    (question,) = read_user_table(half).questions
    assert "got nan for the pair 1, 2" in question.text


def test_a_row_of_the_wrong_length_is_rejected():
    rows = [",".join(["0"] * (i + 1)) for i in range(60)]
    rows[55] += ",1"
    with pytest.raises(ValueError, match="expected a triangle, 56 cells in line 56; got 57"):
        read_user_table("\n".join(rows).encode())


def test_rows_of_words_are_not_a_triangle():
    table = read_user_table(b"a\nb c\nd e f\ng h i j\n", columns={"a": "category"})
    assert table.kind == "categories"
