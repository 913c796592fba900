"""User tables in other formats than text."""

import gzip
import tracemalloc
import zipfile

import numpy as np
import pandas as pd
import pytest

from credalbench.core.extras import MissingPackage
from credalbench.core.resources import NotEnoughMemory
from credalbench.tables import answer_questions, cells, files, read_user_table
from credalbench.tables.files import Format

FRAME = pd.DataFrame({"u": [1.5, None, 3, 4], "kind": ["a", "b", "a", "b"], "v": [5.5, 200, 71, 8]})


def has_same_questions(path, source):
    """Whether a file is read as its table, with the same questions and answers."""
    table, expected = read_user_table(path), read_user_table(source)
    assert [question.about for question in table.questions] == ["missing values", "columns"]
    assert [question.answers for question in table.questions] == [one.answers for one in expected.questions]
    assert table.name == path.name
    answered = answer_questions(table, missing="rows", columns={"kind": "left out"}, standardize=False)
    assert answered.X["v"].tolist() == [5.5, 71, 8] and answered.index.tolist() == [0, 2, 3]
    return True


def test_compressed_text_is_read_as_text(tmp_path):
    text = FRAME.to_csv(index=False).encode()
    (tmp_path / "own.csv.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "own.zip", "w") as archive:
        archive.writestr("folder/own.csv", text)
    for name in ("own.csv.gz", "own.zip"):
        assert has_same_questions(tmp_path / name, text)
        assert read_user_table(str(tmp_path / name)).lines.tolist() == [2, 3, 4, 5]


def test_json_is_read(tmp_path):
    FRAME.to_json(tmp_path / "own.json", orient="records")
    assert has_same_questions(tmp_path / "own.json", FRAME)


@pytest.mark.parametrize(
    ("suffix", "package", "write"),
    [
        ("parquet", "pyarrow", lambda path: FRAME.to_parquet(path)),
        ("feather", "pyarrow", lambda path: FRAME.to_feather(path)),
        ("xlsx", "openpyxl", lambda path: FRAME.to_excel(path, index=False)),
    ],
)
def test_other_formats_are_read_where_their_package_is_installed(
    tmp_path, suffix, package, write, monkeypatch
):
    path = tmp_path / f"own.{suffix}"
    try:
        write(path)
    except ImportError:
        path.write_bytes(b"PK")
        reason = rf"own\.{suffix} needs {package}: pip install '\.\[files\]'"
        with pytest.raises(MissingPackage, match=reason):
            read_user_table(path)
        monkeypatch.setattr("credalbench.tables.files.require", lambda *names, **about: None)
        monkeypatch.setitem(
            files.FORMATS, f".{suffix}", Format(lambda path: FRAME, lambda path: 0.0, package)
        )
    assert has_same_questions(path, FRAME)


def test_arrays_hold_attributes_or_dissimilarities(tmp_path):
    D = np.abs(np.subtract.outer(np.arange(6.0) ** 2, np.arange(6.0) ** 2))
    np.save(tmp_path / "square.npy", D)
    np.save(tmp_path / "condensed.npy", D[np.triu_indices(6, 1)])
    np.save(tmp_path / "numbers.npy", D[:, :3] + np.eye(6)[:, :3] / 7)
    assert read_user_table(tmp_path / "square.npy").kind == "dissimilarities"
    (question,) = read_user_table(tmp_path / "condensed.npy").questions
    assert question.about == "kind" and question.likely is None
    assert read_user_table(tmp_path / "numbers.npy").frame.shape == (6, 3)


@pytest.mark.parametrize(
    ("name", "contents", "message"),
    [
        ("own.npy", b"u,v", "own.npy: expected a npy file with one table; got"),
        ("own.json", b"{", "own.json: expected a json file with one table; got"),
        ("own.gz", b"u,v", "own.gz: expected a gz file with one table; got Not a gzipped file"),
        (
            "own.csv.gz",
            gzip.compress(b"u,v\n1,2\n" * 9, mtime=0)[:-9],
            "expected a gz file with one table; got",
        ),
        ("own.zip", b"PK", "own.zip: expected a zip file with one table; got File is not a zip file"),
    ],
)
def test_faulty_files_are_rejected(tmp_path, name, contents, message):
    (tmp_path / name).write_bytes(contents)
    with pytest.raises(ValueError, match=message):
        read_user_table(tmp_path / name)


def test_an_archive_of_several_files_is_rejected(tmp_path):
    with zipfile.ZipFile(tmp_path / "own.zip", "w") as archive:
        archive.writestr("a.csv", "u,v")
        archive.writestr("b.csv", "u,v")
    with pytest.raises(ValueError, match="expected a zip file with one table; got 2 files"):
        read_user_table(tmp_path / "own.zip")


# ---------------------------------------------------------------- memory


@pytest.fixture
def little_memory(monkeypatch):
    """Of which 40 MB are left."""
    for module in ("credalbench.core.resources", "credalbench.tables.cells"):
        monkeypatch.setattr(f"{module}.available_memory", lambda: 4e7)


def test_a_bomb_is_refused_before_it_is_in_memory(tmp_path, little_memory):
    """A megabyte that becomes a gigabyte: no more of it is decompressed than could be read."""
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as bomb:
        for _ in range(1000):
            bomb.write(b"1,2\n" * 250_000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.csv", b"1,2\n" * 5_000_000)
    for path in (tmp_path / "bomb.csv.gz", tmp_path / "bomb.zip"):
        tracemalloc.start()
        with pytest.raises(NotEnoughMemory, match=rf"{path.name} with about .* rows. Use max_objects"):
            read_user_table(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1e7  # a block, and a megabyte for the estimate


@pytest.mark.parametrize("suffix", ["csv.gz", "zip"])
def test_a_sample_of_a_compressed_file_is_that_of_its_text(tmp_path, suffix, little_memory, monkeypatch):
    text = b"u,v\n" + b"".join(b"%d,%d.5\n" % (i, i % 7) for i in range(400_000))
    path = tmp_path / f"own.{suffix}"
    if suffix == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("own.csv", text)
    else:
        path.write_bytes(gzip.compress(text))
    monkeypatch.setattr(cells, "LARGE", 10**6)
    found = read_user_table(path, max_objects=50, random_state=2, columns={"u": "number"})
    expected = read_user_table(text, max_objects=50, random_state=2, columns={"u": "number"})
    pd.testing.assert_frame_equal(found.frame, expected.frame)
    assert found.n_rows == 400_000 and found.name == path.name


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        ("npy", lambda frame, path: np.save(path, frame.to_numpy())),
        ("json", lambda frame, path: frame.to_json(path, orient="records")),
        ("parquet", lambda frame, path: frame.to_parquet(path)),
        ("feather", lambda frame, path: frame.to_feather(path)),
        ("xlsx", lambda frame, path: frame.to_excel(path, index=False)),
    ],
)
def test_a_table_of_another_program_is_refused_before_it_is_read(
    tmp_path, suffix, write, little_memory, monkeypatch
):
    path, large = tmp_path / f"own.{suffix}", pd.DataFrame(np.arange(800_000.0).reshape(-1, 8) + 0.25)
    if package := files.FORMATS[f".{suffix}"].package:
        pytest.importorskip(package)
    write(large.rename(columns=str), path)
    known = files.FORMATS[f".{suffix}"]
    monkeypatch.setitem(files.FORMATS, f".{suffix}", known._replace(read=None))
    with pytest.raises(NotEnoughMemory, match=rf"the table in own\.{suffix}\. Use a text file"):
        read_user_table(path)


def test_an_array_larger_than_its_file_is_rejected(tmp_path):
    with open(tmp_path / "own.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 2)}
        )
    with pytest.raises(ValueError, match=r"own\.npy: expected a npy file with one table; got mmap length"):
        read_user_table(tmp_path / "own.npy")


def test_a_sample_of_a_parquet_file_is_that_of_its_table(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    rng, n = np.random.default_rng(0), 5000
    frame = pd.DataFrame({"u": rng.normal(size=n), "kind": rng.choice(["a", "b", "c"], n)})
    frame["word"] = frame["kind"].astype("category")
    for index in (frame.index, pd.Index([f"o{i}" for i in range(n)])):
        frame.set_axis(index).to_parquet(tmp_path / "own.parquet")
        expected = read_user_table(frame.set_axis(index), max_objects=40, random_state=1)
        monkeypatch.setattr(files, "BATCH", 700)
        monkeypatch.setitem(files.FORMATS, ".parquet", Format(None, None, "pyarrow"))
        found = read_user_table(tmp_path / "own.parquet", max_objects=40, random_state=1)
        pd.testing.assert_frame_equal(found.frame, expected.frame)
        assert found.n_rows == n and list(found.index) == list(expected.index)
