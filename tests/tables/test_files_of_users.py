"""Files as people have them: each kind of fault that was reported, in several forms."""

import bz2
import gzip
import io
import lzma
import re

import numpy as np
import pandas as pd
import pytest

from credalbench.tables import gower_dissimilarities, read_user_table
from credalbench.tables.reading import read_with_likely_answers
from tests.tables.texts import roles

RNG = np.random.default_rng(5)
Z = RNG.normal(50, 9, (12, 3)).round(1)
POSITIVE = np.r_[RNG.uniform(100, 900, 6), RNG.uniform(2000, 90_000, 6)].round(1)
POINTS = RNG.normal(size=(12, 3))
D = np.linalg.norm(POINTS[:, None] - POINTS[None], axis=-1).round(3)
NAMES = [f"g{i}" for i in range(12)]
MATRIX = pd.DataFrame(D, NAMES, NAMES)


def likely(source, **arguments):
    source = source.encode() if isinstance(source, str) else source
    return read_with_likely_answers(source, **arguments)[0]


def asked(source, **arguments):
    source = source.encode() if isinstance(source, str) else source
    return [one.about for one in read_with_likely_answers(source, **arguments)[1]]


def column(cells, delimiter=";", head="a"):
    """Return a table with a column of these cells and one of other numbers."""
    other = np.linspace(0.5, 9.5, len(cells)) ** 2
    rows = [f"{cell}{delimiter}{x:.2f}" for cell, x in zip(cells, other)]
    return "\n".join([f"{head}{delimiter}b", *rows, ""])


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("minus", ["\u2212", "\u2013", "\ufe63"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_other_minus_signs(minus, decimal):
    numbers = (Z[:, 0] - 50).round(1)
    cells = [str(x).replace("-", minus).replace(".", decimal) for x in numbers]
    assert likely(column(cells)).original["a"].tolist() == numbers.tolist()


@pytest.mark.parametrize("mark", [" ", "\u00a0", "\u202f", "\u2009", "'", "\u2019"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_marks_between_thousands(mark, decimal):
    cells = [f"{x:,.1f}".replace(".", "p").replace(",", mark).replace("p", decimal) for x in POSITIVE]
    assert likely(column(cells)).original["a"].tolist() == POSITIVE.tolist()
    millions = [f"{1000 * x:,.0f}".replace(",", mark) for x in POSITIVE]
    assert likely(column(millions)).original["a"].tolist() == (1000 * POSITIVE).round().tolist()


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1.199", "693", "12.450", "222", "95.700", "24.311"], [1199, 693, 12450, 222, 95700, 24311]),
        (["1.024.311", "2.500.000", "310.500", "99", "7.000"], [1024311, 2500000, 310500, 99, 7000]),
        (["-1.199", "693", "12.450", "-222", "0"], [-1199, 693, 12450, -222, 0]),
    ],
)
def test_points_between_thousands_are_read_and_asked_about(cells, numbers):
    table = likely(column(cells))
    assert table.original["a"].tolist() == numbers
    note = any("separate thousands" in note for note in table.notes)
    assert note and ("decimal mark" in asked(column(cells)) or "1.024.311" in cells)
    if "1.024.311" not in cells:
        assert likely(column(cells), decimal=".").original["a"].iloc[1] == 693


@pytest.mark.parametrize(
    "cells", [["1.199", "2.693", "12.450"], ["1.5", "693", "2.25"], ["0.125", "1", "0.5"]]
)
def test_points_are_usually_decimal_marks(cells):
    assert likely(column(cells)).original["a"].tolist() == [float(cell) for cell in cells]
    assert "decimal mark" not in asked(column(cells))


@pytest.mark.parametrize("role", [None, {"a": "number"}])
@pytest.mark.parametrize(
    "form",
    [
        "{:.1f}%",
        "{:.1f} %",
        "${:,.1f}",
        "€ {:.1f}",
        "{:.1f} €",
        "{:.1f} kg",
        "{:.1f}kg",
        "{:.1f} mg/dl",
        "CHF {:.1f}",
    ],
)
def test_percent_currencies_and_units(form, role):
    table = likely(column([form.format(x) for x in POSITIVE], "\t"), columns=role)
    assert table.original["a"].tolist() == POSITIVE.tolist()
    assert any("numbers with a unit: 'a' in" in note for note in table.notes)


def test_repeated_percent_is_a_number_and_not_a_class():
    table = likely(column(["10%", "20%", "10%", "30%"] * 3))
    assert roles(table)["a"] == "number" and table.y is None


@pytest.mark.parametrize("form", ["({})", "(${})", "({} €)"])
def test_negatives_in_parentheses(form):
    numbers = (Z[:, 0] - 50).round(1)
    cells = [form.format(-x) if x < 0 else str(x) for x in numbers]
    assert likely(column(cells)).original["a"].tolist() == numbers.tolist()


@pytest.mark.parametrize("sign", ["<", "< ", "≤"])
def test_numbers_below_a_limit(sign):
    cells = [f"{sign}0.5" if i % 4 == 0 else f"{x:.2f}" for i, x in enumerate(POSITIVE)]
    for beyond, value in ((None, 0.5), ("limit", 0.5), ("half", 0.25)):
        table = likely(column(cells), beyond=beyond)
        assert table.n_objects == 12 and (table.original["a"].iloc[[0, 4, 8]] == value).all()
    assert asked(column(cells)) == ["limits"] or "limits" in asked(column(cells))
    skipped = likely(column(cells), beyond="missing", missing="rows")
    assert skipped.n_objects == 9


def test_numbers_above_a_limit_are_the_limit():
    cells = ["> 90" if i % 4 == 0 else f"{x:.1f}" for i, x in enumerate(Z[:, 0])]
    assert (likely(column(cells), beyond="half").original["a"].iloc[[0, 4, 8]] == 90).all()


# ---------------------------------------------------------------- headers and other lines


@pytest.mark.parametrize(
    "head", ["country,1990,2000,2010", "land,2001,2002,2003", "sample,400.5,401.0,401.5", "x,0,1,2"]
)
def test_years_and_other_numbers_are_a_header(head):
    rows = [f"land{i},{a},{b},{c}" for i, (a, b, c) in enumerate(Z)]
    table = likely("\n".join([head, *rows]))
    assert table.n_objects == 12 and list(table.frame) == head.split(",")[1:]


@pytest.mark.parametrize("head", ["0,1,2", '"1","2","3"', "1,2,3", "400,410,420"])
def test_a_header_without_words(head):
    table = likely("\n".join([head, *(f"{a},{b},{c}" for a, b, c in Z)]))
    assert table.n_objects == 12 and list(table.frame) == head.replace('"', "").split(",")


@pytest.mark.parametrize(
    "rows",
    [["1,2", "3,4", "5,6"], ["1,2,3", "2,3,4", "3,5,7", "1,1,1"], ["5.1,3.5,1.4", "4.9,3.0,1.4", "4,3,1"]],
)
def test_numbers_above_numbers_of_their_kind_are_an_object(rows):
    assert read_user_table("\n".join(rows).encode(), kind="attributes").n_rows == len(rows)


@pytest.mark.parametrize(
    "above",
    ["Title of the table\n", '"Data Source","World",\n\n"Updated","2024-05-05",\n\n', "A\nB; C\nfrom 2020\n"],
)
@pytest.mark.parametrize("below", ["", "Source: the office\n", "* provisional\n\nNote: see above\n"])
def test_lines_above_and_below_the_table(above, below):
    body = "Country,a,b,c\n" + "".join(f"l{i},{a},{b},{c}\n" for i, (a, b, c) in enumerate(Z))
    table = likely(above + body + below)
    assert table.frame.shape == (12, 3) and list(table.frame) == ["a", "b", "c"]
    assert any("above the table not read" in note for note in table.notes)
    assert any("below the table not read" in note for note in table.notes) == bool(below)


def test_lines_above_are_left_out_if_given():
    rows = "".join(f"l{i},{a},{b}\n" for i, (a, b, _) in enumerate(Z))
    table = likely("x,y,z\n1,2,3\nname,a,b\n" + rows, skip_lines=2)
    assert list(table.frame) == ["a", "b"] and table.lines[0] == 4


@pytest.mark.parametrize(
    "above", ["# x y z\n", "#x y z\n", "# made by a program\n# x y z\n", "# made by a program\nx y z\n"]
)
@pytest.mark.parametrize("delimiter", [" ", ",", "\t", ";"])
def test_comment_lines(above, delimiter):
    above = above.replace("x y z", delimiter.join("xyz"))
    table = likely(above + "".join(delimiter.join(map(str, row)) + "\n" for row in Z))
    assert table.frame.shape == (12, 3) and list(table.frame) == ["x", "y", "z"]


def test_names_that_begin_with_a_hash_are_not_comments():
    table = likely("name,a,b\n" + "".join(f"#{i},{a},{b}\n" for i, (a, b, _) in enumerate(Z)))
    assert table.n_objects == 12 and table.index[0] == "#0"
    table = likely("#,a,b\n" + "".join(f"{i},{a},{b}\n" for i, (a, b, _) in enumerate(Z)))
    assert table.n_objects == 12 and list(table.frame) == ["a", "b"]


@pytest.mark.parametrize("units", ["cm,kg,K", "[cm],[kg],[K]", "m/s,°C,%", "cm,kg,", "-,kg,K"])
@pytest.mark.parametrize("name", ["", "plant,"])
def test_a_row_of_units(units, name):
    rows = [f"p{i},{a},{b},{c}" if name else f"{a},{b},{c}" for i, (a, b, c) in enumerate(Z)]
    table = likely("\n".join([f"{name}u,v,w", ("," if name else "") + units, *rows]))
    assert table.frame.shape == (12, 3) and any("line 2 is read as units" in note for note in table.notes)


def test_a_row_total_is_pointed_out():
    text = "town,a,b\n" + "".join(f"t{i},{a},{b}\n" for i, (a, b, _) in enumerate(Z))
    for last in ("Total", "total", "SUM"):
        notes = likely(f"{text}{last},{Z[:, 0].sum():.1f},{Z[:, 1].sum():.1f}\n").notes
        assert any(f"'{last}', may be a sum or mean" in note and "line 14" in note for note in notes)
    assert not any("may be a sum" in note for note in likely(text).notes)


@pytest.mark.parametrize("last", ["\t", "  \t", "\t  "])
def test_blanks_and_one_tab(last):
    rows = [f'{18 + i}.0   {8 - i % 3}   {300 + 3 * i}.0    {3500 - i}.{last}"car {i}"\n' for i in range(14)]
    table = likely("".join(rows))
    assert table.n_objects == 14 and sum(role in ("number", "count") for role in roles(table).values()) >= 3


@pytest.mark.parametrize("word", ['say \\"{}\\", ok', '\\"{}\\"', 'a \\"{}'])
def test_quotation_marks_after_a_backslash(word):
    text = "title,x\n" + "".join(f'"{word.format(i)}",{a}\n' for i, (a, _, _) in enumerate(Z))
    table = likely(text)
    assert list(roles(table)) == ["title", "x"] and '"3' in table.index[3] and table.n_objects == 12


def test_a_backslash_at_the_end_of_a_cell_escapes_nothing():
    rows = "".join(f'"C:\\data {i}\\",{a}\n' for i, (a, _, _) in enumerate(Z))
    table = likely("folder,x\n" + rows)
    assert table.index[3] == "C:\\data 3\\" and table.frame.shape == (12, 1)


# ---------------------------------------------------------------- roles


@pytest.mark.parametrize(
    "name",
    re.findall(
        r"\S+",
        "customer_id CustomerID customerId PassengerId SampleID uid rownames zip ZIP zipcode id ID "
        "patient.id case_no accession Barcode record_number",
    ),
)
def test_identifiers_by_name(name):
    ids = RNG.choice(np.arange(10_000, 99_999), 12, replace=False)
    table = likely(f"a,{name},b\n" + "".join(f"{x},{i},{y}\n" for i, (x, y, _) in zip(ids, Z)))
    assert roles(table)[name] in ("names", "left out")


def test_identifiers_that_occur_again_are_left_out_and_asked_about():
    ids = [*range(1_000_017, 1_000_107, 9), 1_000_017, 1_000_026]
    text = "ID,a,b\n" + "".join(f"{i},{x},{y}\n" for i, (x, y, _) in zip(ids, Z))
    assert roles(likely(text))["ID"] == "left out" and "columns" in asked(text)
    assert roles(likely(text, columns={"ID": "number"}))["ID"] == "number"


@pytest.mark.parametrize("name", ["paid", "acid", "number", "humidity", "valid", "grid", "solid", "kidney"])
def test_names_of_attributes_are_not_identifiers(name):
    table = likely(f"a,{name}\n" + "".join(f"{x},{y}\n" for x, y, _ in Z))
    assert roles(table)[name] == "number"


def test_several_ranks_are_attributes():
    ranks = pd.DataFrame({f"rank of {k}": RNG.permutation(20) + 1 for k in "abc"}).assign(
        x=RNG.normal(size=20)
    )
    assert set(roles(likely(ranks)).values()) <= {"number", "count"}
    one = ranks[["rank of a", "x"]]
    assert roles(likely(one))["rank of a"] == "names"


@pytest.mark.parametrize("kind", ["flag", "rating"])
def test_a_flag_or_a_rating_is_data(kind):
    values = np.arange(20) % (2 if kind == "flag" else 5)
    frame = pd.DataFrame({"a": RNG.normal(size=20), "b": RNG.normal(size=20), kind: values})
    assert likely(frame).y is None and roles(likely(frame))[kind] == "number"
    assert likely(frame.rename(columns={kind: "class"})).y is not None
    words = frame.assign(**{kind: np.where(values > 0, "yes", "no")})
    assert roles(likely(words))[kind] == "category"


@pytest.mark.parametrize("word", ["None", "NA", "none"])
def test_words_for_nothing_are_kept_if_given(word):
    text = "alley,b\n" + "".join(f"{a},{b}\n" for a, b in zip([word, "Gravel", "Paved"] * 8, "uv" * 12))
    for given in ({"columns": {"alley": "category"}}, {"keep_na_words": True}):
        assert (likely(text, **given).frame["alley"] == word).sum() == 8
    frame = pd.read_csv(io.StringIO(text), keep_default_na=False).astype("category")
    assert (likely(frame).frame["alley"] == word).sum() == 8
    assert ("missing values" in asked(text)) == (word != "none")


def test_a_country_or_an_object_may_be_called_na():
    codes = ["NA", "DE", "FR", "IT", "ES", "NL", "BE"]
    text = "place,a,b\n" + "".join(f"{c},{x},{y}\n" for c, (x, y, _) in zip(codes * 2, np.r_[Z, Z]))
    assert (likely(text, columns={"place": "category"}).frame["place"] == "NA").sum() == 2
    assert (likely(text).frame["place"] == "NA").sum() == 2
    names = ["None", "Nora", "Nils", "Na", "Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
    text = "who,a,b\n" + "".join(f"{c},{x},{y}\n" for c, (x, y, _) in zip(names, Z))
    assert list(likely(text).index) == names


@pytest.mark.parametrize(
    "scale",
    [
        ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
        ["Never", "Rarely", "Sometimes", "Often", "Always"],
        ["low", "medium", "high"],
        ["poor", "fair", "good", "very good", "excellent"],
        ["S", "M", "L", "XL"],
    ],
)
def test_answers_of_a_scale_are_in_order(scale):
    answers = RNG.permutation(np.repeat(scale, 4))
    text = "q,x\n" + "".join(f"{a},{i}.5\n" for i, a in enumerate(answers))
    table = likely(text)
    ranks = [table.original["q"][answers == word].iloc[0] for word in scale]
    assert ranks == sorted(ranks) and len(set(ranks)) == len(scale)
    assert "columns" in asked(text) and roles(likely(text, columns={"q": "category"}))["q"] == "category"


def test_an_order_may_be_given_or_come_with_the_type():
    answers = np.repeat(["mild", "hot", "hell"], 5)
    text = "q,x\n" + "".join(f"{a},{i}.5\n" for i, a in enumerate(answers))
    table = likely(text, columns={"q": "mild < hot < hell"})
    assert table.original["q"].tolist() == np.repeat([1.0, 2, 3], 5).tolist()
    with pytest.raises(ValueError, match="only 'mild', 'hot' in column 'q', got 'hell'"):
        likely(text, columns={"q": "mild < hot"})
    ordered = pd.Categorical(answers, categories=["mild", "hot", "hell"], ordered=True)
    frame = pd.DataFrame({"q": ordered, "x": np.arange(15) + 0.5})
    assert likely(frame).original["q"].tolist() == table.original["q"].tolist()
    gower = gower_dissimilarities(frame[["q"]])
    assert gower[0, 5] == 0.5 and gower[0, 10] == 1


# ---------------------------------------------------------------- matrices


def with_diagonal(value, matrix=MATRIX):
    matrix = matrix.astype(object)
    for i in range(len(matrix)):
        matrix.iloc[i, i] = value
    return matrix


@pytest.mark.parametrize("mark", ["", "NA", "nan", "-", "*", "NULL", "n/a", "0", 3e-17])
def test_marks_on_the_diagonal(mark):
    table = likely(with_diagonal(mark).to_csv())
    assert table.kind == "dissimilarities" and table.frame.loc["g0", "g1"] == D[0, 1]


def test_missing_or_rounded_diagonals_of_frames_and_arrays():
    for value in (np.nan, 2e-16, -1e-17):
        E = D.copy()
        np.fill_diagonal(E, value)
        for source in (E, pd.DataFrame(E, NAMES, NAMES)):
            assert likely(source).kind == "dissimilarities"
    V = RNG.normal(size=(12, 5)).astype(np.float32)
    V /= np.linalg.norm(V, axis=1, keepdims=True)
    for source in (1 - V @ V.T, pd.DataFrame(1 - V @ V.T)):
        assert likely(source).kind == "dissimilarities"


@pytest.mark.parametrize("largest", [1, 100])
@pytest.mark.parametrize("form", ["full", "upper", "lower"])
def test_similarities_are_asked_about_and_converted(largest, form):
    S = (largest * (1 - D / 8)).round(4)
    M = pd.DataFrame(S, NAMES, NAMES).astype(object)
    for i in range(12):
        for j in range(12):
            if (form == "upper" and j < i) or (form == "lower" and j > i):
                M.iloc[i, j] = ""
    table = likely(M.to_csv(sep="\t"))
    assert table.kind == "dissimilarities" and asked(M.to_csv(sep="\t")) == ["kind"]
    np.testing.assert_allclose(table.D, largest - S, atol=1e-9)


@pytest.mark.parametrize("source", ["csv", "frame", "semicolons"])
def test_columns_in_another_order_are_aligned(source):
    N = MATRIX[list(np.random.default_rng(1).permutation(NAMES))]
    given = {"csv": N.to_csv(), "frame": N, "semicolons": N.to_csv(sep=";", decimal=",")}[source]
    table = likely(given)
    np.testing.assert_allclose(table.frame.loc[NAMES, NAMES], D)


@pytest.mark.parametrize("first", ["12", "  12", "12\t"])
def test_phylip_squares(first):
    for blank in (" ", "  ", "\t"):
        rows = [f"{name:<10}{blank}{blank.join(map(str, row))}" for name, row in zip(NAMES, D)]
        table = likely("\n".join([first, *rows]))
        assert table.kind == "dissimilarities" and list(table.index) == NAMES


@pytest.mark.parametrize("pairs", ["half", "all", "with itself"])
def test_a_list_of_pairs_becomes_a_matrix(pairs):
    rows = [
        (NAMES[i], NAMES[j], D[i, j])
        for i in range(12)
        for j in range(12)
        if (j < i) or (pairs != "half" and (i != j or pairs == "with itself"))
    ]
    frame = pd.DataFrame(rows, columns=["query", "reference", "distance"])
    for source in (frame, frame.to_csv(index=False), frame.to_csv(index=False, header=False, sep="\t")):
        table = likely(source)
        assert table.kind == "dissimilarities" and asked(source) == ["kind"]
        np.testing.assert_allclose(table.frame.loc[NAMES, NAMES], D)
    assert likely(frame, kind="attributes").n_objects == len(rows)


def test_a_list_of_similar_pairs_is_converted():
    rows = [(NAMES[i], NAMES[j], 100 - D[i, j]) for i in range(12) for j in range(12)]
    table = likely(pd.DataFrame(rows, columns=["a", "b", "identity"]))
    np.testing.assert_allclose(table.frame.loc[NAMES, NAMES], D, atol=1e-9)


# ---------------------------------------------------------------- formats and frames


@pytest.mark.parametrize(
    ("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_compressed_files(tmp_path, suffix, pack):
    path = tmp_path / f"own.csv.{suffix}"
    path.write_bytes(pack(b"u,v\n1.5,2\n3,4.5\n6,7\n"))
    assert likely(path).frame.shape == (3, 2)
    with pytest.raises(ValueError, match=f"got a compressed file; give it a name that ends in .{suffix}"):
        read_user_table(pack(b"u,v\n1.5,2\n3,4.5\n6,7\n"))


@pytest.mark.parametrize("begin", ["<html><table>", "<!DOCTYPE html>", '<?xml version="1.0"?>'])
def test_pages_called_tables_are_named(tmp_path, begin):
    path = tmp_path / "own.xls"
    path.write_text(f"{begin}<tr><td>1</td></tr>")
    with pytest.raises(
        ValueError, match=r"own\.xls: expected a text file such as CSV; got a page of HTML or XML"
    ):
        read_user_table(path)


def test_json_keeps_types_and_lines(tmp_path):
    frame = pd.DataFrame(
        {"code": [f"{i:03d}" for i in range(12)], "modified": RNG.integers(10**7, 10**8, 12)}
    )
    frame["x"], frame["id"] = RNG.normal(size=12).round(2), 2**60 + np.arange(12) * 3
    for name, lines in (("t.json", False), ("t.jsonl", True), ("l.json", True), ("t.ndjson", True)):
        frame.to_json(tmp_path / name, orient="records", lines=lines)
        table = likely(tmp_path / name)
        assert table.n_objects == 12 and roles(table)["modified"] in ("number", "count")
        assert list(table.index[:2]) == ["000", "001"]


def test_frames_of_all_kinds():
    x = np.roll(np.arange(12.0), 5) ** 2
    frame = pd.DataFrame({"a": x, "b": x[::-1] + 0.5}, index=NAMES)
    levels = frame.set_axis(pd.MultiIndex.from_tuples([("a", "mean"), ("a", "sd")]), axis=1)
    assert list(likely(levels).frame) == ["a mean", "a sd"] and list(likely(levels).index) == NAMES
    assert list(likely(frame.set_axis(["a", "a"], axis=1)).frame) == ["a", "a (2)"]
    times = frame.assign(a=pd.to_timedelta(x, unit="h"))
    np.testing.assert_allclose(likely(times).original["a"], x / 24)
    sparse = frame.assign(a=pd.arrays.SparseArray(x))
    assert likely(sparse).original["a"].tolist() == x.tolist()
    records = np.array([(1.0, 2.5), (3.0, 1.5), (5.5, 7.0)], dtype=[("x", float), ("y", float)])
    assert list(likely(records).frame) == ["x", "y"]
