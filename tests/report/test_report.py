"""Reports: suitable methods, matched cluster numbers, ambiguous objects by name, and the script."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest

from credalbench.metrics import adjusted_rand
from credalbench.report import choose_n_clusters, cluster_report, suitable_methods
from credalbench.tables import read_user_table

from .tables import plants, table

NAMES = {
    "numbers": ["ECM", "EVCLUS", "EGMM", "k-means", "fuzzy c-means"],
    "categories": ["cat-ECM", "EVCLUS", "k-modes", "fuzzy k-modes"],
    "mixed": ["MixedECM", "EVCLUS", "RECM", "average linkage"],
    "dissimilarities": ["EVCLUS", "RECM", "average linkage"],
}


@pytest.fixture(scope="module")
def report():
    return cluster_report(table("numbers"), 2, reading_code="own")


@pytest.mark.parametrize("kind", NAMES)
def test_each_kind_of_table_has_its_methods(kind):
    report = cluster_report(table(kind), 2)
    assert [one.method.name for one in report.results] == NAMES[kind]
    assert all(one.partition.index.tolist() == plants().index.tolist() for one in report.results)
    assert report.sizes.sum(axis=1).eq(24).all()


@pytest.mark.parametrize(
    ("kind", "also"),
    [
        ("numbers", ["BPEC", "NN-EVCLUS", "ECMdd"]),
        *((kind, ["ECMdd"]) for kind in NAMES if kind != "numbers"),
    ],
)
def test_further_methods_stand_behind_the_credal_ones(kind, also):
    report = cluster_report(table(kind), 2, also=also)
    credal = [one.method.name for one in report.results if one.method.kind == "credal"]
    assert credal[-len(also) :] == also and credal[0] == NAMES[kind][0]
    assert len(report.results) == len(NAMES[kind]) + len(also)
    assert all(name in report.script("page.csv") for name in also)


@pytest.mark.parametrize(
    ("kind", "also"), [("numbers", "MECM"), ("mixed", "BPEC"), ("categories", "NN-EVCLUS")]
)
def test_a_further_method_that_does_not_suit_is_refused(kind, also):
    with pytest.raises(ValueError, match="also to be among"):
        cluster_report(table(kind), also=[also])


def test_skipped_values_leave_the_methods_of_dissimilarities():
    frame = plants().mask(plants().eq(plants().iloc[0, 0]))
    skipped = read_user_table(frame, missing="skip", standardize=False)
    assert (
        skipped.skips_missing
        and [one.name for one in suitable_methods(skipped, 2)] == NAMES["dissimilarities"]
    )


def test_clusters_have_the_numbers_of_the_main_partition():
    own = read_user_table(plants().drop("far"), standardize=False)
    results = [cluster_report(own, 2, random_state=seed).results for seed in range(3)]
    for main, *others in results:
        labels = main.partition.labels()[:-1]
        assert len(set(labels[:11])) == 1 and labels[0] != labels[11]
        for one in others:
            np.testing.assert_array_equal(one.partition.labels()[:-1], labels)


def test_agreements_are_those_of_the_metrics(report):
    labels, masses = report.agreements
    partitions = {one.method.name: one.partition for one in report.results}
    for first, second in (("ECM", "k-means"), ("EVCLUS", "EGMM")):
        expected = adjusted_rand(partitions[first].labels(), partitions[second].labels())
        assert labels.loc[first, second] == labels.loc[second, first] == expected
    assert np.diag(masses).tolist() == [1.0] * 5 and masses.loc["k-means", "ECM"] < 1


def test_true_classes_are_compared_and_not_used():
    frame = plants()
    classes = np.repeat(["a", "b"], 12)
    known = read_user_table(frame.assign(kind=classes), columns={"kind": "classes"}, standardize=False)
    labels, _ = cluster_report(known, 2).agreements
    assert list(labels)[-1] == "true classes" and list(known.X) == ["height", "width"]


def test_outliers_and_ambiguous_objects_have_names_and_reasons(report):
    [far] = report.outliers
    assert far.name == "far" and far.line is None
    assert far.explanation.reason == report.partition.explain("far").reason and "outlier" in str(
        far.explanation
    )
    assert far.other_sets["k-means"] in ("{1}", "{2}")
    assert (
        report.ambiguous_objects[0].name == "between"
        and "between 1 and 2" in report.ambiguous_objects[0].explanation.reason
    )


def test_a_method_that_rejects_the_data_is_left_out_with_its_reason():
    flat = plants().assign(twice=lambda frame: 2 * frame["height"])
    report = cluster_report(read_user_table(flat, standardize=False), 2)
    assert report.results[-1].method.name == "EGMM" and report.results[-1].partition is None
    assert report.results[-1].remarks[0].startswith("no fit: ")
    assert "EGMM" not in report.script("x.csv") and "EGMM" not in report.sizes.index


def test_tables_that_cannot_be_clustered_are_rejected():
    same = read_user_table(pd.DataFrame({"u": [1.0] * 4}), name="own", columns={"u": "number"})
    with pytest.raises(ValueError, match="expected objects in own that differ"):
        cluster_report(same, 2)
    with pytest.raises(ValueError, match="at least 8 objects in own to choose the number of clusters, got 5"):
        cluster_report(read_user_table(pd.DataFrame({"u": [1.5, 2, 3, 9, 8]}), name="own"))
    with pytest.raises(ValueError, match="n_clusters"):
        cluster_report(table("numbers"), 25)
    with pytest.raises(ValueError, match="missing='rows'"):
        cluster_report(read_user_table(plants().mask(plants() > 7)), 2)


def roles_of(own):
    return dict.fromkeys(own.frame, "category") if own.kind == "categories" else None


def csv(frame):
    """A table as it comes back from a file."""
    return pd.read_csv(StringIO(frame.to_csv()), index_col=0)


@pytest.mark.parametrize("kind", ["numbers", "categories", "dissimilarities"])
def test_the_script_gives_the_partition_of_the_report(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    own = table(kind)
    (own.frame if kind != "dissimilarities" else own.D).to_csv("own.csv")
    roles = ", columns={'leaf': 'category', 'root': 'category', 'bark': 'category'}" * (kind == "categories")
    code = f"read_user_table('own.csv'{roles})"
    report = cluster_report(read_user_table("own.csv", columns=roles_of(own)), 2, reading_code=code)
    exec(report.script("again.csv"), {})
    again = pd.read_csv("again.csv", index_col=0)
    pd.testing.assert_frame_equal(again, csv(report.partition.to_frame()))
    first = [*report.outliers, *report.ambiguous_objects][0].explanation
    printed = capsys.readouterr().out
    assert str(first) in printed and repr(report.profiles) in printed


def test_a_chosen_number_is_that_of_the_script(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    plants(16).to_csv("own.csv")
    report = cluster_report(read_user_table("own.csv"))
    assert report.choice.n_clusters == report.partition.n_clusters
    exec(report.script("again.csv"), {})
    assert report.choice.explanation == report.choice.silhouettes.words
    assert report.choice.explanation in capsys.readouterr().out


def test_faulty_readings_do_not_hide_a_cluster():
    """The second column alone tells two of three states apart, and has three faulty readings."""
    rng = np.random.default_rng(0)
    states = np.array([[20.0, 1.0], [20.0, 4.0], [60.0, 1.0]])[np.arange(150) % 3]
    frame = pd.DataFrame(states + rng.normal(size=(150, 2)) * [3.0, 0.3], columns=["heat", "shaking"])
    frame.loc[rng.choice(150, 3, replace=False), "shaking"] = 99.9
    table = read_user_table(frame, standardize=True)
    assert choose_n_clusters(table).n_clusters == 3
