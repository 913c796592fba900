"""Names, the list of all sets, the container, and the registry itself."""

import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

from credalbench.datasets import Dataset, list_datasets, load
from credalbench.datasets.catalogue import COMPUTED
from credalbench.datasets.disdatasets import ORIGINALS
from credalbench.datasets.download import registry
from credalbench.datasets.synthetic import GENERATORS
from credalbench.datasets.typed import TYPED

PAPERS = {"denoeux2016_evclus", "djiberou2019_catecm", "antoine2012_cecm", "li2020_ensemble", "jiao2022_egmm"}


@pytest.mark.parametrize("entry", registry().values(), ids=registry())
def test_registry_entry_is_pinned_and_complete_and_its_counts_add_up(entry):
    for url in (entry["url"], *entry.get("mirrors", ())):
        assert re.fullmatch(r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/.+", url)
    assert re.fullmatch("[0-9a-f]{64}", entry["sha256"])
    for key in ("title", "licence", "repo_licence", "citation", "source", "checks", "role"):
        assert entry[key].strip()
    assert set(entry["used_by"]) <= PAPERS and entry["used_by"]
    assert (entry["role"] == "substitute") == ("substitute_for" in entry)
    assert len(entry.get("feature_names", [None] * (entry["p"] or 0))) == (entry["p"] or 0)
    if "class_counts" in entry:
        assert sum(entry["class_counts"].values()) == entry["n"]
        assert list(entry["class_counts"]) == list(dict.fromkeys(entry["classes"].values()))
        assert len(entry["class_counts"]) == entry["n_clusters"]


def test_labels_of_another_file_are_in_the_registry():
    assert registry()["s2"]["format"]["labels_from"] in registry()


def test_unknown_name_is_refused_with_a_suggestion():
    with pytest.raises(ValueError, match="did you mean 'protein'"):
        load("protien")
    with pytest.raises(ValueError, match="'iris'"):
        load("Iris")
    with pytest.raises(ValueError, match="expected one of iris, wine"):
        load("qqqqqq")
    with pytest.raises(ValueError, match=r"call credalbench\.datasets\.make_t4"):
        load("make_t4")
    with pytest.raises(ValueError, match='missing="drop" or "keep"'):
        load("iris", missing="ignore")


def test_list_has_every_kind_once():
    table = list_datasets()
    assert table["name"].is_unique
    kinds = table.groupby("kind")["name"].apply(set)
    assert kinds["file"] == set(registry()) and kinds["typed"] == set(TYPED)
    assert kinds["generator"] == set(GENERATORS)
    assert kinds["bundled"] == {"iris", "wine", "digits"}
    assert (table["substitute_for"] != "").equals(table["status"].str.contains("substitute"))
    assert kinds["computed"] == set(COMPUTED) and kinds["own file"] == set(ORIGINALS)
    assert table.loc[table["kind"].isin(["bundled", "typed", "generator"]), "available"].all()


@pytest.mark.parametrize("name", ["iris", "wine", "digits", *TYPED])
def test_bundled_sets_need_nothing(name):
    data = load(name)
    row = list_datasets().set_index("name").loc[name]
    assert (row["n"], row["p"]) == data.X.shape == (data.n_objects, data.n_features)
    assert data.licence and data.citation and np.isfinite(data.X).all()


def test_attributes_as_a_table():
    frame = load("cat_diamond").to_frame()
    assert frame.iloc[11].tolist() == ["h", "d"] and frame.columns[0] == "attribute 1"
    assert load("iris").to_frame().columns.tolist() == list(load("iris").feature_names)
    np.testing.assert_array_equal(load("iris").to_frame(), load("iris").X)
    with pytest.raises(ValueError, match="toy has no attributes"):
        Dataset("toy", D=np.zeros((2, 2))).to_frame()


def test_arrays_cannot_be_written():
    data = load("iris")
    copied = pickle.loads(pickle.dumps(data))  # what a parallel worker gets
    for array in (data.X, data.y, copied.X, copied.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        data.X = np.zeros((1, 1))


def test_the_container_copies_what_it_is_given():
    X = np.zeros((3, 2))
    data = Dataset("toy", X=X)
    X[0] = 1
    assert data.X[0, 0] == 0


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({}, "no array at all"),
        ({"X": np.zeros(3)}, "2 dimensions, got 1"),
        ({"D": np.zeros((3, 2))}, "square"),
        ({"X": np.zeros((3, 1)), "y": [0, 1]}, "equal length"),
        ({"y": [0, 2], "class_names": ("a", "b")}, "only 2 class names"),
        ({"y": [-1, 2]}, "got -1"),
        ({"y": [0], "data_type": "picture"}, "data_type"),
    ],
)
def test_inconsistent_arrays_are_refused(arrays, message):
    with pytest.raises(ValueError, match=message):
        Dataset("toy", **arrays)


def test_dissimilarities_are_those_of_the_metric_or_the_given_ones():
    X = np.array([[0, 0], [3, 4], [0, 1.0]])
    data = Dataset("toy", X=X)
    assert data.dissimilarities().tolist()[0] == [0, 5, 1]
    assert data.dissimilarities("cityblock").tolist()[0] == [0, 7, 1]
    given = Dataset("toy", D=data.dissimilarities())
    assert given.dissimilarities() is given.D and given.n_features is None
    with pytest.raises(ValueError, match="got metric='cityblock'"):
        given.dissimilarities("cityblock")
    with pytest.raises(ValueError, match="neither attributes nor"):
        Dataset("toy", y=[0, 1]).dissimilarities()


def test_representations_are_short_and_escape_html():
    data = Dataset("toy", X=np.zeros((3, 2)), description="a < b", licence="CC BY", expected_clusters=2)
    assert repr(data) == "<Dataset toy (objects: 3, attributes: 2, clusters: 2)>"
    html = data._repr_html_()
    assert "a &lt; b" in html and "CC BY" in html and "<script" not in html


def test_import_is_light():
    code = "import credalbench.datasets, sys; print(*[m.partition('.')[0] for m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"matplotlib", "sklearn", "pandas", "requests", "pooch"} & set(loaded.split())
