"""Large and hostile files: samples are drawn block by block, and sizes are counted before cells are read."""

import gzip
import re
import sys
import zipfile
from subprocess import run

import numpy as np
import pandas as pd
import pytest

from credalbench.core.resources import NotEnoughMemory
from credalbench.tables import cells, files, read_user_table

TEXTS = {
    "numbers": "u,v\n1.5,2\n2,5.5\n3,7\n4,1e3\n",
    "without a header": "1.5,2\n2,5.5\n3,7\n4,1e3\n",
    "words and gaps": "u,v,k\n1.5,,a\nNA,5.5,b\n 3 ,7,a\n4,oops,b\n",
    "quotes": 'u,v\n1,"a, b"\n2,"c ""d"""\n3,"e\nf"\n4,g\n',
    "blank lines": "u,v\n\n1,2\n \n2,5\n\n3,7\n4,1\n\n",
    "blanks": "u  v\n1   2.5\n2 \t 3\n 3 7\n4 1\n",
    "tabs": "u\tv\n1\t\n\t\n2\t3\n3\t7\n4\t1\n",
    "decimal commas": "u;v\n1,5;2\n2,5;3\n3,5;7\n4,5;1.000\n",
    "line ends": "u,v\r\n1,2\r\n2,5\r\n3,7\r\n4,9\r\n",
    "empty cells at the end": "u,v\n1,2,\n2,5\n3,7,,\n4,9\n",
    "rows of other widths": "u,v\n1,2\n2,5,7\n3,7\n4\n",
    "footnotes": "A title\nu,v,w\n1,2,3\n2,5,4\n3,7,1\n4,9,0\nSource: us\n",
    "an open quotation mark": 'u,v\n1,2\n2,"5\n3,7\n4,9\n',
}


@pytest.fixture
def both(monkeypatch):
    """Read a sample of a text from memory and block by block; return both results, or both messages."""

    def read(contents: bytes, length: int, **arguments):
        results = []
        for large in (10**9, -1):
            monkeypatch.setattr(cells, "LARGE", large)
            monkeypatch.setattr(files, "BLOCK", length)
            try:
                results.append(read_user_table(contents, **arguments))
            except ValueError as error:
                results.append(str(error))
        return results

    return read


def assert_same(whole, sampled):
    if isinstance(whole, str):
        assert sampled == whole
        return
    for name in ("name", "kind", "n_rows", "class_names", "columns", "questions", "notes"):
        assert getattr(sampled, name) == getattr(whole, name), name
    pd.testing.assert_frame_equal(sampled.frame, whole.frame, check_exact=True)
    np.testing.assert_array_equal(sampled.lines, whole.lines)


@pytest.mark.parametrize("length", [100, 10**6])
@pytest.mark.parametrize("name", TEXTS)
def test_a_sample_is_that_of_the_whole_text(both, name, length):
    end = "\r\n" if name == "line ends" else "\n"
    first, *lines = TEXTS[name].split(end)
    notes = 2 if name == "footnotes" else 0
    repeated = end.join(
        [first, *lines[: notes // 2], *lines[notes // 2 : len(lines) - notes] * 15, *lines[-notes:]]
    )
    for arguments in ({"missing": "rows"}, {"decimal": ".", "columns": {"u": "category"}}):
        whole, sampled = both(repeated.encode(), length, max_objects=4, random_state=3, **arguments)
        assert_same(whole, sampled)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_encodings_of_large_files(both, encoding):
    contents = ("u,ort\n" + "1.5,Bonn\n2.5,Köln\n" * 50 + "3,Gr\xfcn\n" * 3).encode(encoding)
    whole, sampled = both(contents, 64, max_objects=30)
    assert_same(whole, sampled)
    assert whole.layout.encoding == sampled.layout.encoding


def test_faults_of_large_files_are_those_of_small_ones(both):
    for contents in (
        b"u,v\n" + b"1,2\n" * 40 + b"3\x00,4\n",
        b"u,v\n" + b"1,2\n" * 40 + b"3\n",
        b"PK\x03\x04" * 99,
    ):
        whole, sampled = both(contents, 16, max_objects=5)
        assert isinstance(whole, str) and sampled == whole
    whole, sampled = both(b"u,v\n" + b"1,2\n" * 40 + b"\x81,4\n", 16, max_objects=5, encoding="ascii")
    assert re.sub("position .*", "", sampled) == re.sub("position .*", "", whole)


def test_the_text_of_a_sample_gives_the_sample_again(both):
    contents = ("u,v,w\n" + "".join(f'{i},{i % 7}.5,"a, {i % 3}"\n' for i in range(500))).encode()
    _, sampled = both(contents, 300, max_objects=50, columns={"u": "number"})
    again = read_user_table(sampled.text.encode(), columns={"u": "number"})
    np.testing.assert_array_equal(again.frame.to_numpy(), sampled.frame.to_numpy())
    assert sampled.n_rows == 500 and sampled.lines.tolist() == [row + 2 for row in sampled.index]


def test_a_file_that_does_not_fit_into_memory_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "own.csv"
    path.write_text("u,v\n" + "1.5,2\n2.5,3\n" * 500_000)
    monkeypatch.setattr("credalbench.core.resources.available_memory", lambda: 4e7)
    with pytest.raises(NotEnoughMemory, match=r"own\.csv with about 10\d\d\d\d\d rows\. Use max_objects"):
        read_user_table(path)
    monkeypatch.setattr(cells, "LARGE", 10**6)
    assert read_user_table(path, max_objects=100).n_objects == 100


def test_no_path_makes_the_reader_wait_or_fail_oddly(tmp_path):
    for path in ("x" * 5000, f"{tmp_path}/{'x' * 300}.csv", "x" * 5000 + ".csv.gz"):
        with pytest.raises(ValueError, match=r"expected a readable file; got '.*x+.*, which does not exist"):
            read_user_table(path)


# ---------------------------------------------------------------- hostile files


def test_a_sheet_with_one_distant_cell_is_refused_without_reading_it(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = 1, 2
    book.save(tmp_path / "own.xlsx")
    monkeypatch.setitem(files.FORMATS, ".xlsx", files.FORMATS[".xlsx"]._replace(read=None))
    with pytest.raises(NotEnoughMemory, match=r"own\.xlsx: expected a table; got .* times its size"):
        read_user_table(tmp_path / "own.xlsx")


READ = """
import sys, pyarrow
from credalbench.tables import read_user_table
table = read_user_table(sys.argv[1], max_objects=int(sys.argv[2]) or None, columns={"word": "category"})
print(table.n_objects, pyarrow.default_memory_pool().max_memory())
"""


@pytest.mark.parametrize("most", [0, 50])
def test_a_parquet_file_of_long_repeated_words_is_refused_or_read_in_short_batches(tmp_path, most):
    """The words of a megabyte take 1.2 GB."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    part = pa.table({"word": ["x" * 60_000, "y" * 60_000] * 500, "u": np.arange(1000.0) % 7})
    with pq.ParquetWriter(tmp_path / "own.parquet", part.schema, compression="zstd") as writer:
        for _ in range(20):
            writer.write_table(part)
    assert (tmp_path / "own.parquet").stat().st_size < 2**20
    done = run(
        [sys.executable, "-c", READ, tmp_path / "own.parquet", str(most)], capture_output=True, text=True
    )
    if not most:
        assert re.search(r"own\.parquet: expected a table; got .* times its size", done.stderr)
    else:
        n, peak = map(int, done.stdout.split())
        assert n == most and peak < 3e8


@pytest.mark.parametrize("contents", [b"\x00" * 10**6, b"1,2\n" * 10**6])
def test_a_compressed_file_that_becomes_much_larger_is_refused(tmp_path, contents, monkeypatch):
    monkeypatch.setattr(files, "BOMB", 1 << 20)
    with gzip.open(tmp_path / "own.csv.gz", "wb") as file:
        file.write(contents)
    with pytest.raises(ValueError, match=r"own\.csv\.gz: expected (a table; got .* times its size|text in)"):
        read_user_table(tmp_path / "own.csv.gz")


def test_a_workbook_of_a_gigabyte_of_text_is_refused(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "own.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 10**8)
    monkeypatch.setattr(files, "BOMB", 1 << 24)
    with pytest.raises(ValueError, match=r"own\.xlsx: expected a table; got .* times its size"):
        read_user_table(tmp_path / "own.xlsx")
