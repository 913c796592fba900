"""User tables in other formats than text."""

import gzip
import zipfile

import numpy as np
import pandas as pd
import pytest

from credalbench.extras import MissingPackage
from credalbench.tables import answer_questions, formats, read_user_table

FRAME = pd.DataFrame({"u": [1.5, None, 3, 4], "kind": ["a", "b", "a", "b"], "v": [5.5, 200, 71, 8]})


def has_same_questions(path, source):
    """Whether a file is read as its table, with the same questions and answers."""
    table, expected = read_user_table(path), read_user_table(source)
    assert [question.about for question in table.questions] == ["missing values", "columns", "scale"]
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
        reason = rf"own\.{suffix} needs {package}: pip install 'credalbench\[files\]'"
        with pytest.raises(MissingPackage, match=reason):
            read_user_table(path)
        monkeypatch.setattr("credalbench.tables.formats.require", lambda *names, **about: None)
        monkeypatch.setitem(formats.FORMATS, f".{suffix}", lambda path: FRAME)
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
