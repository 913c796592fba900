"""Every published file loads as the registry says. Set CREDALBENCH_DATA to the folder of the files.

No test uses the network: without the folder these tests are skipped.
"""

import numpy as np
import pytest

from credalbench.datasets import fetch, load, verify
from credalbench.datasets.download import registry
from tests.data_files import needs_files

pytestmark = needs_files
READABLE = [name for name, entry in registry().items() if entry["format"]["reader"] != "none"]


@pytest.mark.parametrize("name", READABLE)
def test_shape_and_classes_are_the_registrys(name):
    entry = registry()[name]
    data = load(name, missing="keep")
    assert (data.n_objects, data.n_features) == (entry["n"], entry["p"])
    assert data.class_counts == entry.get("class_counts", {})
    assert data.n_clusters == entry["n_clusters"]
    assert len(data.feature_names) == (entry["p"] or 0)
    assert data.licence and data.citation and data.source and data.description


@pytest.mark.parametrize("name", READABLE)
def test_no_missing_value_by_default(name):
    data = load(name)
    for array in (data.X, data.D):
        assert array is None or np.isfinite(array).all()
    assert data.n_dropped == registry()[name].get("incomplete_rows", 0)
    assert data.n_objects + data.n_dropped == registry()[name]["n"]


def test_incomplete_rows_are_dropped_with_their_number_or_remain_as_nan():
    dropped, kept = (load("breast_cancer_wisconsin", missing=how) for how in ("drop", "keep"))
    assert (dropped.n_objects, dropped.n_dropped) == (683, 16)
    assert dropped.class_counts == {"benign": 444, "malignant": 239}
    assert "16 of 699" in dropped.description and "dropped (missing values)" in repr(dropped)
    assert np.isnan(kept.X).sum() == 16 and np.isnan(kept.X[:, 5]).sum() == 16
    assert "kept as NaN" in kept.description
    with pytest.raises(ValueError, match='missing="drop"'):
        kept.dissimilarities()


def test_protein_matrix_is_rebuilt_without_its_missing_column():
    data = load("protein")
    D = data.D
    assert D.shape == (213, 213) and data.X is None
    assert np.array_equal(D, D.T) and not np.diag(D).any()
    assert D.min() == 0 and round(D.max(), 2) == 13.64  # printed with two decimals
    assert (D[np.triu_indices(213, 1)] == 0).sum() == 3
    assert data.class_names == ("HA", "HB", "M", "G")
    assert data.dissimilarities() is D


def test_protein_triangle_inequality_holds():
    D = load("protein").D
    for k in range(len(D)):
        assert (D[:, [k]] + D[[k], :] + 1e-9 >= D).all()  # sums of numbers up to 27 round at 4e-15


def test_protein_in_r_format_names_what_to_load_instead():
    with pytest.raises(ValueError, match=r"load\('protein'\)"):
        load("protein_rdata")


def test_s2_comes_with_its_labels():
    data = load("s2")
    assert data.X.shape == (5000, 2) and np.array_equal(data.y, load("s2_labels").y)
    centres = np.array([data.X[data.y == k].mean(0) for k in range(15)])
    nearest = ((data.X[:, None] - centres) ** 2).sum(2).argmin(1)
    assert (
        nearest == data.y
    ).mean() > 0.9  # labels of another row order would agree in about 1/15 of the rows


def test_butterfly_and_wine_without_a_file_equal_the_files():
    assert np.array_equal(load("butterfly").X, load("butterfly_evclust").X)
    assert np.array_equal(load("wine").X, load("wine_uci").X)
    assert np.array_equal(load("wine").y, load("wine_uci").y)


def test_uci_iris_differs_from_fishers_in_two_rows():
    rows = np.flatnonzero((load("iris").X != load("iris_uci").X).any(axis=1))
    assert (rows + 1).tolist() == [35, 38]


def test_glass_types_fold_into_window_and_other():
    two, six = load("glass"), load("glass_types")
    assert np.array_equal(two.X, six.X)
    assert np.array_equal(two.y, (six.y >= 3).astype(int))


def test_two_spellings_of_very_low_are_one_class():
    assert load("user_knowledge").class_counts["very low"] == 50


def test_zoo_has_sixteen_attributes_and_the_animals_as_names():
    data = load("zoo")
    assert data.data_type == "categorical" and data.feature_names[12] == "legs"
    assert set(data.X[:, 12]) == {0, 2, 4, 5, 6, 8}
    assert data.object_names[0] == "aardvark" and len(data.object_names) == 101
    assert data.class_names[data.y[data.object_names.index("seasnake")]] == "reptile"


def test_zoo_and_soybean_are_readable_tables():
    zoo, soybean = load("zoo").to_frame(), load("soybean_small").to_frame()
    assert zoo.loc["aardvark", ["hair", "feathers", "legs"]].tolist() == ["yes", "no", 4]
    assert zoo.index[zoo["venomous"] == "yes"].tolist()[:2] == ["frog", "honeybee"]
    assert soybean.shape == (47, 35) and (soybean.nunique() == 1).sum() == 14
    assert "14 are the same for all plants" in load("soybean_small").description


def test_fourclass_centres_are_those_of_its_recipe():
    data = load("fourclass")
    means = np.array([data.X[data.y == k].mean(0) for k in range(4)])
    # mean of 100 t5 vectors: standard error 0.13
    assert np.abs(means - [[0, 0], [0, 4], [4, 0], [4, 4]]).max() < 0.2
    assert np.allclose(data.X[277], [11.73, -0.59], atol=0.005)  # two decimals are documented


def test_brain_image_is_the_documented_crop():
    data = load("brain_mr")
    assert data.image_shape == (156, 141) and data.n_objects == 156 * 141
    assert data.X.min() >= 0 and data.X.max() <= 1
    assert "CC BY 3.0" in data._repr_html_() and data.substitute_for


def test_digit_images_are_in_blocks_of_one_digit():
    data = load("mfeat_pix")
    assert np.array_equal(data.y, np.arange(2000) // 200)
    assert set(np.unique(data.X)) == set(range(7))


def test_fetch_and_verify_find_every_file():
    assert (verify()["status"] == "ok").all()
    paths = fetch(["s2", "glass", "glass_types", "iris"])
    assert [path.name for path in paths] == ["s2.data.gz", "s2.labels0.gz", "glass.data"]
