"""Large regular files: read fast, with the same result as by the careful reader."""

import numpy as np
import pandas as pd
import pytest

from credalbench.tables import read_user_table, regular
from credalbench.tables.cells import Cells

LONG = 10**9


@pytest.fixture
def both(monkeypatch):
    """Read a text carefully and fast; return both results, or both messages."""

    def read(text: bytes, **arguments):
        results = []
        for least in (LONG, 0):
            monkeypatch.setattr(regular, "MIN_LENGTH", least)
            try:
                results.append(read_user_table(text, **arguments))
            except ValueError as error:
                results.append(str(error))
        return results

    return read


@pytest.fixture
def read_fast(monkeypatch):
    """Texts that the fast reader took."""
    taken, original = [], regular.read_regular

    def record(text, *arguments):
        table = original(text, *arguments)
        taken.extend([text] * (table is not None))
        return table

    monkeypatch.setattr("credalbench.tables.cells.read_regular", record)
    return taken


def assert_same(careful, fast):
    if isinstance(careful, str):
        assert fast == careful
        return
    for name in ("name", "kind", "n_rows", "class_names", "columns", "questions", "notes", "layout", "text"):
        assert getattr(fast, name) == getattr(careful, name), name
    assert repr(fast) == repr(careful)
    pd.testing.assert_frame_equal(fast.frame, careful.frame, check_exact=True)
    if careful.original is not None:
        pd.testing.assert_frame_equal(fast.original, careful.original, check_exact=True)
    np.testing.assert_array_equal(fast.lines, careful.lines)
    np.testing.assert_array_equal(fast.y, careful.y)


TEXTS = {
    "numbers": "u,v\n1.5,2\n2,5.5\n3,7\n4,1e3\n",
    "without a header": "1.5,2\n2,5.5\n3,7\n4,1e3\n",
    "words": "u,v,w\n1,a,x\n2,b,y\n3,a,x\n4,b,y\n5,a,y\n6,b,x\n",
    "missing words": "u,v,k\n1,NA,a\n,5.5,a\n3,n/a,b\n4,?,b\n7,Na,b\n8,nA,a\n",
    "decimal commas": "u;v\n1,5;2.000\n2,5;5.000\n3,5;7.000\n4,5;1.000\n",
    "thousands": "u;v\n1,500;2\n2,500;5\n3,500;7\n4,500;1\n",
    "blanks in cells": "u, v ,w\n 1.5 ,2 , a\n2, 5.5,b \n3,7  ,a\n4, ,b\n",
    "leading zeros": "id,u,v\n001,1.5,2\n002,2.5,3\n003,1,7\n007,4,1\n",
    "large integers": "id,u,v\n9007199254740993,1.5,2\n9007199254740995,2.5,3\n9007199254740997,1,7\n3,4,1\n",
    "very large": "u,v\n12345678901234567890123,1\n18446744073709551616,2\n9223372036854775808,9\n7,5\n",
    "infinite": "u,v\n1,2\ninf,3\n4,5\n1e400,6\n8,8\n",
    "a word late": "u,v\n" + "1,2\n3,5\n" * 60 + "x,4\n",
    "a comma late": "u;v\n" + "1;2\n3;5\n" * 60 + "1,5;4\n",
    "booleans": "u,v\nTrue,1\nFalse,2\nTrue,5\nTrue,9\n",
    "numbers late": "u,v\n" + "a,2\nb,5\n" * 60 + "3,4\n",
    "dates": "d,u,v\n2024-01-01,1,5\n2024-01-02,5,3\n2024-01-03,2,2\n2024-02-01,3,8\n",
    "classes": "u,v,class\n1,2.5,1\n2,2,1\n5,1,2\n6,2,2\n",
    "nothing in a column": "u,v,w\n1,,5\n2,,3\n4,,9\n5,,2\n",
    "codes of missing values": "u,v\n-999,5\n1,3\n2,-999.0\n3,8\n4,7\n",
    "repeated names": "u,u,\n1,2,3\n2,2,4\n5,1,9\n6,2,8\n",
    "exponents": "u,v\n1e-5,+2\n2E3,-3\n.5,5.\n0.1,1e+05\n",
    "hexadecimal": "u,v\n0x1A,1\n2,2\n5,6\n7,9\n",
    "underscores": "u,v\n1_000,1\n2,2\n5,6\n7,9\n",
    "short line": "u,v\n1,2\n3\n4,5\n5,6\n",
    "long line": "u,v\n1,2\n3,4,5\n4,5\n5,6\n",
    "short and long line": "u,v\n1,2\n3\n4,5,6\n5,6\n",
    "blank lines": "u,v\n1,2\n\n3,4\n   \n4,9\n\n\n",
    "blank lines of tabs": "u\tv\n1\t2\n\t\n3\t4\n4\t9\n \t \n5\t2\n",
    "empty cells between tabs": "u\tv\tw\n1\t2\ta\n3\t\tb\n4\t9\ta\n5\t2\tb\n",
    "a short header": "u,v\na,1,2\nb,3,5\nc,5,6\nd,7,9\n",
    "delimiters at the end": "u,v,\n1,2,\n3,4,\n5,6,\n7,9,\n",
    "quotes": 'u,v\n1,"a, b"\n3,"c"\n5,"a, b"\n7,"c"\n',
    "quoted numbers": '"u","v"\n"1.5","2"\n" 2.5",""\n"3","NA"\n"4","7"\n',
    "doubled quotes": 'u,v\n1,"a ""b"", c"\n3,"""c"\n5,""\n7,"d"""\n',
    "delimiters in quotes": '"u,1",v\n1,"a,,b"\n3,"c,"\n5,"a,,b"\n7,"c,"\n',
    "lines in quotes": 'u,v\n1,"a\nb"\n3,"c"\n5,"a\nb"\n7,"c"\n',
    "a quote inside a cell": 'u,v\n1,5"\n3,6"\n5,5"\n7,"x"y\n',
    "a quote after a blank": 'u,v\n1, "a"\n3, "b, c"\n5, "a"\n7, "b, c"\n',
    "an open quote": 'u,v\n1,"a"\n3,"b\n5,a\n7,b\n',
    "quotes and more": 'u,v\n1,"a" \n3,"b"c\n5,a\n7,b\n',
    "a separator line": "sep=;\nu;v\n1,5;2\n2;3\n4;5\n",
    "line ends": "u,v\r\n1,2\r\n3,4\r\n5,9\r\n7,1",
    "comments": "u,v\n#1,2\n#3,4\n5,9\n7,1\n",
    "a square": "0,1,2\n1,0,3\n2,3,0\n",
    "a square with names": ",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n",
    "condensed": "1,2,3,4,5,6\n",
    "accents": "größe,ort\n1.5,Köln\n2.5,Bonn\n3.5,Köln\n4,Bonn\n",
    "one cell": "u\n1\n2\n3\n",
    "too little": "u,v\n1,2\n",
    "spaces of other kinds": "u,v\n1\u00a0,2\n3,4\n5,6\n\u20097,1\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"missing": "rows"},
        {"decimal": ","},
        {"decimal": ".", "header": False},
        {"columns": {"u": "category"}, "missing": "impute"},
        {"columns": {"u": "classes", "v": "number"}},
        {"columns": {"v": "names"}},
        {"max_objects": 3, "random_state": 4},
        {"na_values": [3, "x", "1.50"], "standardize": True, "missing": "rows"},
    ],
    ids=str,
)
def test_the_result_is_that_of_the_careful_reader(both, text, arguments):
    assert_same(*both(text.encode(), **arguments))


@pytest.mark.parametrize("seed", range(25))
def test_numbers_are_the_same_to_the_last_digit(both, read_fast, seed):
    rng = np.random.default_rng(seed)
    n, form = 200, ["%r", "%.3f", "%.17g", "%.25f", "%.5e", "%d"][seed % 6]
    X = rng.normal(size=(n, 4)) * 10.0 ** rng.integers(-8, 9, size=(n, 4))
    rows = [",".join("" if rng.random() < 0.02 * (seed % 3) else form % x for x in row.tolist()) for row in X]
    text = "\n".join(["a,b,c,d", *rows, ""]).encode()
    assert_same(*both(text, missing="impute"))
    assert_same(*both(text, missing="rows", max_objects=50, random_state=seed))
    assert read_fast


@pytest.mark.parametrize("seed", range(40))
def test_random_cells_are_read_the_same(both, seed):
    rng = np.random.default_rng(seed)
    cells = [
        "1",
        "2.5",
        "-3",
        "a",
        "b c",
        "NA",
        "",
        "1e3",
        "007",
        "1,5",
        " 4",
        "TRUE",
        "?",
        "-999",
        "x\ty",
        "0",
    ]
    q, delimiter = int(rng.integers(2, 5)), ";\t"[seed % 2]
    share = rng.dirichlet(np.full(len(cells), 0.2), size=q)
    chosen = [[cells[k] for k in rng.choice(len(cells), size=q, p=share[0])] for _ in range(30)]
    columns = [rng.choice(cells, size=30, p=share[j]) for j in range(q)]
    rows = [list("uvwx")[:q], *(chosen if seed % 3 == 0 else map(list, zip(*columns)))]
    text = "\n".join(delimiter.join(map(str, row)) for row in rows).encode()
    for arguments in ({}, {"missing": "rows"}, {"columns": {"u": "category", "v": "names"}}):
        assert_same(*both(text, **arguments))


def test_a_large_regular_file_is_read_fast(read_fast, monkeypatch):
    monkeypatch.setattr(regular, "MIN_LENGTH", 0)
    table = read_user_table(b"u,v,w\n1,2.5,a\n3,4,b\n5,6,a\n7,8,b\n", columns={"u": "category"})
    assert len(read_fast) == 1 and table.frame["u"].tolist() == ["1", "3", "5", "7"]
    assert isinstance(table.lines, np.ndarray) and Cells.texts.__doc__


@pytest.mark.parametrize("cell", ["{}", '"{}"', '"a, {}"', '"{} ""b"""'])
def test_a_large_quoted_file_is_read_fast(read_fast, monkeypatch, cell):
    monkeypatch.setattr(regular, "MIN_LENGTH", 0)
    rows = [f"{cell.format(i)},{i}.5" for i in range(6)]
    assert read_user_table("\n".join(['"u","v"', *rows]).encode()).n_objects == 6
    assert len(read_fast) == 1


def test_long_lines_of_short_cells_are_regular():
    heads, cells = [f"g{j}" for j in range(30_000)], ["1.5", "2.25", "7"] * 10_000
    text = "\n".join(map(",".join, [heads, cells, cells[::-1], cells, cells[::-1]]))
    limits = regular.Limits(cell_length=10)
    assert regular.find_lines(text.encode(), ",", 30_000, limits).shape == (5, 2)
    assert regular.find_lines(text.replace("2.25", "2.2500000000").encode(), ",", 30_000, limits) is None
