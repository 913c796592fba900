"""Readers of the owners' files on small files of every accepted form, without any original file."""

import dataclasses

import numpy as np
import pytest
from scipy.io import savemat
from scipy.io.matlab import MatlabObject

from credalbench.datasets import DataUnavailable, disdatasets, fetch, list_datasets, load, verify
from credalbench.datasets.disdatasets import as_dissimilarities, find_original, load_original, read_matrix
from credalbench.datasets.download import FOLDER_VARIABLE

D = np.array([[0, 1, 4.0], [3, 0, 5], [4, 6, 0]])
CLASSES = np.array([7, 3, 7])


def dataset_object(data, nlab):
    """A PRTools dataset as an object of an old-style class."""
    record = np.zeros((1, 1), dtype=[("data", object), ("lablist", object), ("nlab", object)])
    record["data"][0, 0], record["nlab"][0, 0] = data, nlab
    record["lablist"][0, 0] = np.array(["one", "two"], dtype=object)
    return MatlabObject(record, "dataset")


def cell(*values):
    content = np.empty((1, len(values)), dtype=object)
    content[0] = values
    return content


FORMS = {
    "plain matrix and classes": {"D": D, "nlab": CLASSES},
    "other name of the classes": {"matrix": D, "labels": CLASSES[:, None]},
    "structure": {"d": {"data": D, "nlab": CLASSES, "name": "toy"}},
    "object": {"d": dataset_object(D, CLASSES[:, None])},
    "cell": {"d": cell({"data": D, "nlab": CLASSES})},
    "whole numbers": {"D": D.astype(np.int16), "y": CLASSES},
    "smaller square beside it": {"D": D, "nlab": CLASSES, "costs": np.ones((2, 2)), "n": 3},
}


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_matrix_and_the_classes(tmp_path, content):
    savemat(tmp_path / "toy.mat", content)
    matrix, labels = read_matrix(tmp_path / "toy.mat")
    assert np.array_equal(matrix, D) and labels.tolist() == CLASSES.tolist()


def test_classes_may_be_missing(tmp_path):
    savemat(tmp_path / "toy.mat", {"D": D, "y": [1.5, 2, 3], "lab": [1, 2]})  # no whole numbers, too few
    assert read_matrix(tmp_path / "toy.mat")[1] is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"x": np.ones((2, 3))}, r"got 0 among the variables x\. In MATLAB"),
        ({"a": D, "b": D}, "got 2"),
        ({}, r"\(none\)"),
    ],
)
def test_file_without_one_square_matrix_is_refused(tmp_path, content, message):
    savemat(tmp_path / "toy.mat", content)
    with pytest.raises(ValueError, match=message):
        read_matrix(tmp_path / "toy.mat")


def test_file_of_another_kind_is_refused_with_a_way_out(tmp_path):
    (tmp_path / "toy.mat").write_text("no MATLAB at all, but long enough to have a header of some kind" * 9)
    with pytest.raises(ValueError, match=r"toy\.mat is not a file of MATLAB up to version 7.*getnlab"):
        read_matrix(tmp_path / "toy.mat")


def test_dissimilarities_stay_and_similarities_become_the_root_of_one_minus_them():
    result, sentence = as_dissimilarities(D)
    assert np.array_equal(result, D) and "as in the file" in sentence
    s = np.array([[1, 0.75], [0.19, 0.9]])
    result, sentence = as_dissimilarities(s)
    assert np.allclose(result, [[0, 0.5], [0.9, 0]]) and "sqrt(1 - s)" in sentence


@pytest.mark.parametrize(
    "matrix",
    [
        np.array([[2, 1.0], [1, 2]]),  # beyond 1
        np.array([[0.5, 0.9], [0.2, 0.5]]),  # another object is more similar than the object itself
        np.array([[0, -1.0], [1, 0]]),
        np.array([[0, np.nan], [1, 0]]),
    ],
)
def test_matrix_of_neither_kind_is_refused(matrix):
    with pytest.raises(ValueError, match="expected"):
        as_dissimilarities(matrix, "toy.mat")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of the user's own, and a Zongker set of three objects in two classes."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    about = dataclasses.replace(disdatasets.ORIGINALS["zongker"], n=3, n_clusters=2)
    monkeypatch.setitem(disdatasets.ORIGINALS, "zongker", about)
    return tmp_path


def test_original_in_the_folder_is_loaded_symmetrised_and_given(folder):
    savemat(folder / "dist_digit_zongker.mat", {"D": D, "nlab": CLASSES})
    data = load("zongker")
    assert data.D.tolist() == [[0, 2, 4], [2, 0, 5.5], [4, 5.5, 0]]
    assert data.y.tolist() == [1, 0, 1] and data.n_clusters == 2
    assert data.status == "given" and data.substitute_for is None
    assert "not verified" in data.source and "Classes as in the file" in data.description
    assert find_original("zongker") == folder / "dist_digit_zongker.mat"
    assert list_datasets().set_index("name").loc["zongker", "available"]


def test_original_may_be_anywhere(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("elsewhere") / "any name.mat"
    savemat(path, {"D": D, "nlab": CLASSES})
    assert load_original("zongker", path).n_objects == 3


def test_without_classes_blocks_of_one_size_are_assumed(folder, monkeypatch):
    monkeypatch.setitem(
        disdatasets.ORIGINALS, "zongker", dataclasses.replace(disdatasets.ORIGINALS["zongker"], n=4)
    )
    savemat(folder / "zongker.mat", {"s": np.eye(4)})
    data = load("zongker")
    assert data.y.tolist() == [0, 0, 1, 1] and "blocks of 2 objects are assumed" in data.description
    savemat(folder / "zongker.mat", {"s": np.eye(3)})
    with pytest.raises(ValueError, match="3 objects do not form 2 classes of equal size"):
        load("zongker")


def test_file_of_another_size_is_refused(folder):
    savemat(folder / "zongker.mat", {"D": D, "nlab": [1, 2, 3]})
    with pytest.raises(ValueError, match=r"expected 3 objects of 2 classes in zongker\.mat, got '3 of 3'"):
        load("zongker")


def test_missing_original_names_both_ways_out(folder, monkeypatch):
    with pytest.raises(DataUnavailable, match=r"(?s)holds no such file.*load\('digits_distortion'\)"):
        load("zongker")
    with pytest.raises(DataUnavailable, match=r"nowhere\.mat is not a file"):
        load_original("zongker", folder / "nowhere.mat")
    with pytest.raises(DataUnavailable, match="prtools"):
        fetch("delft_gestures")
    monkeypatch.delenv(FOLDER_VARIABLE)
    with pytest.raises(DataUnavailable, match="CREDALBENCH_DATA is not set"):
        load("delft_gestures")


def test_verify_reports_that_an_own_file_cannot_be_verified(folder):
    assert verify("zongker")["status"].tolist() == ["missing"]
    savemat(folder / "zongker.mat", {"D": D, "nlab": CLASSES})
    assert verify(["zongker", "iris"])["status"].tolist() == ["unverified", "ok"]


def test_sizes_are_those_of_the_paper():
    """Section 4.2: 2000 digits in 10 classes, 75 repetitions of 20 signs."""
    assert (disdatasets.ORIGINALS["zongker"].n, disdatasets.ORIGINALS["zongker"].n_clusters) == (2000, 10)
    assert (
        disdatasets.ORIGINALS["delft_gestures"].n == 75 * disdatasets.ORIGINALS["delft_gestures"].n_clusters
    )
