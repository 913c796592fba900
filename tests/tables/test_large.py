"""Samples of large files: drawn block by block, the same as from the whole text."""

import re

import numpy as np
import pytest

from credalbench.core.resources import NotEnoughMemory
from credalbench.tables import cells, read_user_table, regular, text

from .test_regular import TEXTS, assert_same


@pytest.fixture
def both(monkeypatch):
    """Read a sample of a text from memory and block by block; return both results, or both messages."""

    def read(contents: bytes, length: int, **arguments):
        results = []
        for large in (10**9, -1):
            monkeypatch.setattr(cells, "LARGE", large)
            monkeypatch.setattr(text, "BLOCK_LENGTH", length)
            try:
                results.append(read_user_table(contents, **arguments))
            except ValueError as error:
                results.append(str(error))
        return results

    return read


@pytest.mark.parametrize("length", [1, 7, 10**6])
@pytest.mark.parametrize("name", TEXTS)
def test_a_sample_is_that_of_the_whole_text(both, name, length):
    lines = TEXTS[name].replace("\r\n", "\n").splitlines(keepends=True)
    repeated = "".join([*lines, *lines[1:] * 3]) if name != "line ends" else TEXTS[name]
    for arguments in ({"missing": "rows"}, {"decimal": ".", "columns": {"u": "category"}}):
        whole, sampled = both(repeated.encode(), length, max_objects=4, random_state=3, **arguments)
        if not isinstance(whole, str):
            object.__setattr__(sampled, "text", whole.text)  # that of the sample
        assert_same(whole, sampled)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_encodings_of_large_files(both, encoding):
    contents = ("u,ort\n" + "1.5,Bonn\n2.5,Köln\n" * 50 + "3,Gr\xfcn\n" * 3).encode(encoding)
    whole, sampled = both(contents, 64, max_objects=30)
    object.__setattr__(sampled, "text", whole.text)
    assert_same(whole, sampled)


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


def test_lines_of_a_regular_text():
    find = regular.find_lines
    assert find(b'a,"b,c"\n1,""', ",", 2, text.Limits()).tolist() == [[0, 7], [8, 12]]
    for contents in (b'a,"b\nc"', b'a,"b"c', b'a,b"', b'a, "b"', b"a,b\n", b"a,b\n\nc,d", b"a,b,c\nd"):
        assert find(contents, ",", 2, text.Limits()) is None
