"""Names of the objects of a credal partition: methods that keep them, tables, one object, its explanation."""

import pickle
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from credalbench.belief import CredalPartition, FocalSets, MassFunction
from credalbench.belief.explanation import reason_of, reasons_of

from .strategies import partitions_of_masses

FOCAL_SETS = FocalSets.full(2)
MASSES = [[0.0, 0.9, 0.0, 0.1], [0.1, 0.2, 0.1, 0.6], [0.7, 0.1, 0.1, 0.1]]
NAMES = ["Ann", "Ben", "Cleo"]
PLAIN = CredalPartition(MASSES, FOCAL_SETS)
NAMED = PLAIN.named(NAMES)
X = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 9.0]])


# ---------------------------------------------------------------- what keeps the names


def test_methods_that_keep_the_objects_keep_the_names(tmp_path):
    same = (
        NAMED.on(FocalSets.from_sets(2, [[], [1], [0], [0, 1]])),
        NAMED.normalized(),
        NAMED.normalized("yager"),
        pickle.loads(pickle.dumps(NAMED)),
        CredalPartition.load(NAMED.save(tmp_path / "named")),
    )
    for partition in same:
        assert list(partition.index) == NAMES
    assert same[3] == same[4] == NAMED
    assert list(NAMED.take([2, 0]).index) == ["Cleo", "Ann"]
    assert list(NAMED.take(slice(1, None)).index) == ["Ben", "Cleo"]
    assert list(NAMED.take(NAMED.outliers()).index) == ["Cleo"]


def test_partitions_with_other_names_differ():
    assert NAMED != PLAIN
    assert PLAIN.named(NAMES[::-1]) != NAMED
    assert NAMED.named(None) == PLAIN == PLAIN.named(pd.RangeIndex(3))
    assert PLAIN.index is None


def test_another_number_of_names_is_refused():
    with pytest.raises(ValueError, match="expected an index of 3 names, got 2"):
        CredalPartition(MASSES, FOCAL_SETS, NAMES[:2])


def test_names_in_html_are_text():
    partition = PLAIN.named(["<script>alert(1)</script>", 'a"b', "Cleo & Dan"])
    for html in (partition._repr_html_(), partition["Cleo & Dan"]._repr_html_()):
        root = ElementTree.fromstring(html)
        assert not list(root.iter("script"))
        assert "Cleo & Dan" in "".join(root.itertext())
    root = ElementTree.fromstring(partition._repr_html_())
    bar = next(svg for svg in root.iter("svg") if svg.get("role") == "img")
    assert bar.get("aria-label") == "object <script>alert(1)</script>: {1} 0.90, Ω 0.10"


# ---------------------------------------------------------------- one object


def test_objects_are_found_by_name_or_by_row():
    for one in (NAMED["Ben"], NAMED[1]):
        assert repr(one) == "MassFunction('Ben': Ω 0.60, {1} 0.20, ∅ 0.10, {2} 0.10)"
    assert repr(PLAIN[1]).startswith("MassFunction(1: ")
    assert [one.name for one in NAMED] == NAMES
    with pytest.raises(ValueError, match=r"the name of an object .*'Dan'"):
        NAMED["Dan"]
    with pytest.raises(TypeError, match="use take for several"):
        NAMED[[1, 2]]


def test_a_slice_takes_rows():
    assert NAMED[1:] == NAMED.take([1, 2])
    assert NAMED[1:].index.tolist() == NAMES[1:]
    assert PLAIN[::-1].masses.tolist() == PLAIN.masses[::-1].tolist()
    with pytest.raises(TypeError, match="slice indices must be integers"):
        NAMED["Ben":]


@pytest.mark.parametrize("choice", [[], np.zeros(3, bool), slice(3, None)], ids=repr)
@pytest.mark.parametrize("partition", [NAMED, PLAIN], ids=["named", "plain"])
def test_an_empty_choice_is_a_partition_without_objects(partition, choice, tmp_path):
    """All methods work without objects."""
    none = partition.take(choice)
    c, f = none.n_clusters, len(none.focal_sets)
    assert len(none) == 0
    assert list(none) == []
    assert none.masses.shape == (0, f)
    assert none.pignistic.shape == none.contour.shape == none.to_fuzzy().shape == (0, c)
    assert none.labels().shape == none.outliers().shape == none.belief({0}).shape == (0,)
    assert none.nonspecificity() == 0
    assert none.conflict().shape == none.relational().same.shape == (0, 0)
    assert none.normalized().masses.shape[0] == none.to_rough().lower.shape[0] == len(none.to_frame()) == 0
    assert "n=0" in repr(none)
    assert none.summary()["n_objects"].sum() == 0
    assert none._repr_html_()
    assert none.on(none.focal_sets) == none == pickle.loads(pickle.dumps(none))
    none.save(tmp_path / "none.npz")
    assert CredalPartition.load(tmp_path / "none.npz") == none


@given(partitions_of_masses())
def test_the_functions_of_one_object_are_its_rows(case):
    partition = CredalPartition(*case)
    row = partition.n_objects - 1
    one, clusters = partition[row], range(partition.n_clusters)
    assert isinstance(one, MassFunction)
    for A in ([], [0], clusters):
        assert one.mass(A) == (one.masses[partition.focal_sets.index(A)] if A in partition.focal_sets else 0)
        assert one.belief(A) == pytest.approx(partition.belief(A)[row], abs=1e-15)  # rounding
        assert one.plausibility(A) == pytest.approx(partition.plausibility(A)[row], abs=1e-15)  # rounding
    assert one.masses.tolist() == partition.masses[row].tolist()
    with pytest.raises(ValueError, match="read-only"):
        one.masses[0] = 1


# ---------------------------------------------------------------- tables, labels


def test_the_table_has_masses_contour_and_decisions_by_name():
    frame = NAMED.to_frame()
    assert list(frame.columns[:4]) == ["∅", "{1}", "{2}", "Ω"]
    assert list(frame.columns[4:]) == ["pl({1})", "pl({2})", "cluster", "most_mass", "undominated", "outlier"]
    assert frame.index.name == "object"
    np.testing.assert_array_equal(frame[["∅", "{1}", "{2}", "Ω"]], MASSES)
    np.testing.assert_array_equal(frame.loc["Ben", ["pl({1})", "pl({2})"]].astype(float), NAMED.contour[1])
    assert frame["cluster"].tolist() == (NAMED.labels() + 1).tolist()
    assert frame["most_mass"].tolist() == ["{1}", "Ω", "∅"]
    assert frame["undominated"].tolist() == ["{1}", "Ω", "Ω"]
    assert frame["outlier"].tolist() == [False, False, True]
    assert list(NAMED.to_frame("contour").columns) == ["pl({1})", "pl({2})"]
    with pytest.raises(ValueError, match=r"each part to be one of .*masses.*got 'mass\'"):
        NAMED.to_frame("mass")


@given(partitions_of_masses())
def test_doubtful_objects_have_their_sets_and_reasons(case):
    partition = CredalPartition(*case)
    found, decisions = partition.doubtful(), partition.to_frame("decisions")
    several = ~decisions["undominated"].str.fullmatch(r"\{\d+\}") & (partition.n_clusters > 1)
    several |= decisions["most_mass"].str.contains(",|Ω") & (partition.n_clusters > 1)
    assert set(found.index) == set(decisions.index[decisions["outlier"] | several])
    assert (found["kind"] == "outlier").tolist() == decisions.loc[found.index, "outlier"].tolist()
    assert found["kind"].is_monotonic_decreasing  # outliers come first
    for name, row in found.iterrows():
        assert row["reason"] == partition.explain(name).reason
        assert row[["most_mass", "undominated"]].tolist() == decisions.loc[name].iloc[1:3].tolist()


def test_doubtful_objects_are_named_the_most_doubtful_first():
    masses = [[0.6, 0.4, 0, 0], [0, 0.2, 0.1, 0.7], [0, 0, 1, 0], [0.9, 0, 0.1, 0], [0, 0.2, 0.2, 0.6]]
    partition = CredalPartition(masses, PLAIN.focal_sets, ["Ann", "Ben", "Cleo", "Dan", "Eve"])
    assert partition.doubtful().index.tolist() == ["Dan", "Ann", "Eve", "Ben"]
    assert partition.doubtful().loc["Ben", "reason"] == "between 1 and 2: 0.70 on Ω, 0.20 on {1}"
    assert partition.take([2]).doubtful().empty


def test_the_index_of_a_table_keeps_its_own_titles():
    levels = pd.MultiIndex.from_product([["a"], [1, 2, 3]], names=["group", "number"])
    assert list(PLAIN.named(levels).to_frame("masses").index.names) == ["group", "number"]
    assert PLAIN.named(pd.Index(NAMES, name="who")).to_frame("masses").index.name == "who"


def test_the_summary_counts_objects_by_the_set_of_most_mass():
    summary = NAMED.summary()
    assert list(summary.index) == ["∅", "{1}", "{2}", "Ω"]  # also clusters without objects
    assert summary["n_objects"].tolist() == [1, 1, 0, 1]
    np.testing.assert_allclose(summary["mean_mass"], np.mean(MASSES, axis=0))
    assert summary["typical"].tolist() == ["Cleo", "Ann", "Ben", "Ben"]
    assert list(PLAIN.take([0]).summary().index) == ["{1}", "{2}"]


def test_outliers_are_noise_on_request():
    assert NAMED.labels().tolist() == [0, 0, 0]
    assert NAMED.labels(noise=-1).tolist() == [0, 0, -1]
    assert NAMED.labels("pignistic", noise=-9).tolist() == [0, 0, -9]
    with pytest.raises(ValueError, match="noise <= -1"):
        NAMED.labels(noise=0)


# ---------------------------------------------------------------- the reason


@pytest.mark.parametrize(
    ("masses", "sentence"),
    [
        ({(): 0.71, (0,): 0.29}, "outlier: 0.71 on ∅, 0.29 on {1}"),
        ({(): 1.0}, "outlier: 1.00 on ∅"),
        ({(0, 1): 0.62, (0,): 0.38}, "between 1 and 2: 0.62 on {1,2}, 0.38 on {1}"),
        ({(0, 1): 0.82, (0,): 0.18}, "between 1 and 2: 0.82 on {1,2}"),
        ({(0, 2, 3): 0.5, (0,): 0.3, (): 0.2}, "between 1, 3 and 4: 0.50 on {1,3,4}, 0.30 on {1}, 0.20 on ∅"),
        ({(0, 1, 2, 3): 1.0}, "between all 4 clusters: 1.00 on Ω"),
        ({(1,): 0.83, (0,): 0.17}, "in cluster 2: 0.83 on {2}"),
        ({(1,): 0.51, (0,): 0.42, (): 0.07}, "in cluster 2: 0.51 on {2}, 0.42 on {1}"),
        ({(1,): 0.45, (0,): 0.42, (): 0.13}, "in cluster 2: 0.45 on {2}, 0.42 on {1}, 0.13 on ∅"),
        ({(0,): 0.58, (): 0.42}, "in cluster 1: 0.58 on {1}, 0.42 on ∅"),
        (
            {(0,): 0.45, (1,): 0.15, (1, 2): 0.4},
            "in cluster 1, possibly in 2: 0.45 on {1}, 0.40 on {2,3}, 0.15 on {2}, plausibility 0.55 of {2}",
        ),
        (
            {(0,): 0.4, (1,): 0.4, (2,): 0.2},
            "in cluster 1, possibly in 2: 0.40 on {1}, 0.40 on {2}, 0.20 on {3}, plausibility 0.40 of {2}",
        ),
        (
            {(0,): 0.25, (1,): 0.15, (2,): 0.15, (3,): 0.15, (0, 1): 0.15, (): 0.15},
            "in cluster 1, possibly in 2: 0.25 on {1}, 0.15 on {2}, 0.15 on {3}, 0.15 on {4}, 0.15 on ∅, "
            "1 more set with at least a quarter of the first mass, plausibility 0.30 of {2}",
        ),
        ({(): 0.5, (3,): 0.5}, "in cluster 4: 0.50 on {4}, 0.50 on ∅"),  # a tie is not an outlier
    ],
)
def test_the_reason_is_one_sentence(masses, sentence):
    focal_sets = FocalSets.full(4)
    row = np.zeros(16)
    for members, mass in masses.items():
        row[focal_sets.index(members)] = mass
    assert reason_of(row, focal_sets) == sentence


def test_reasons_of_many_objects_are_those_of_each_by_itself():
    """Rows differ in one thing only: a set, the number of further sets, a cluster far beyond, a remark."""
    far = [
        {(0,): 0.28}
        | {(0, j): 0.06 for j in range(2, 9)}
        | {tuple(sorted((1, far, j))): 0.06 for j in range(2, 7)}
        for far in (33, 34, 39)
    ]
    near = [
        {(0,): 0.6, (1,): 0.4},
        {(1,): 0.6, (0,): 0.4},
        {(0,): 0.6, (2,): 0.4},
        {(0, 1): 0.6, (0,): 0.4},
        {(): 0.6, (0,): 0.4},
        {(0,): 0.6, (): 0.4},
        {(0,): 0.4} | {(k,): 0.15 for k in range(1, 5)},
        {(0,): 0.4} | {(k,): 0.12 for k in range(1, 6)},
    ]
    given = [*far, *near, *far[::-1]]
    focal_sets = FocalSets.from_sets(40, [(), *{members for one in given for members in one if members}])
    masses = np.zeros((len(given), len(focal_sets)))
    for row, one in zip(masses, given):
        for members, mass in one.items():
            row[focal_sets.index(members)] = mass
    remarks = {0: "first", 4: "of 4", 12: "of 12"}
    found = reasons_of(masses, focal_sets, remarks)
    alone = [reason_of(row, focal_sets) for row in masses]
    assert [found[i] for i in range(len(given))] == [
        one + (f"; {remarks[i]}" if i in remarks else "") for i, one in enumerate(alone)
    ]
    assert alone[:3] == [
        f"in cluster 1, possibly in 2 or {k}: 0.28 on {{1}}, plausibility 0.30 of {{2}}" for k in (34, 35, 40)
    ]
    assert len({*alone}) == len(far) + len(near)
    assert len(found.templates) == len(far) + len(near) + 2  # with a remark twice, and without it


@given(partitions_of_masses())
def test_there_is_a_reason_for_every_object_and_it_fits_the_decisions(case):
    partition = CredalPartition(*case)
    decisions = partition.to_frame("decisions")
    for i in range(partition.n_objects):
        reason = partition.explain(i).reason
        assert reason.startswith("outlier") == decisions["outlier"][i]
        named = decisions["most_mass"][i]
        assert decisions["outlier"][i] or named == "∅" or f"on {named}" in reason


def test_an_explanation_has_masses_intervals_and_the_nearest_objects():
    found = NAMED.explain("Ben", X=pd.DataFrame(X, index=NAMES), n_neighbors=5)
    assert found.reason == "between 1 and 2: 0.60 on Ω, 0.20 on {1}"
    assert found.intervals.loc["{1}"].tolist() == pytest.approx([0.2, 0.8])
    assert found.neighbours.index.tolist() == ["Ann", "Cleo"]
    np.testing.assert_allclose(found.neighbours["distance"], [5, 34**0.5])
    assert found.neighbours["reason"].tolist() == [reason_of(np.array(m), FOCAL_SETS) for m in MASSES[::2]]
    text = repr(found)
    assert text.startswith("Ben: between 1 and 2: 0.60 on Ω, 0.20 on {1}\nmasses: Ω 0.60, {1} 0.20")
    assert "nearest objects" in text and "Cleo" in text
    assert NAMED.explain("Ben", X, n_neighbors=1).neighbours.index.tolist() == ["Ann"]
    assert NAMED.explain("Ben").neighbours is None


def test_neighbours_by_dissimilarities_are_those_by_distances():
    D = np.linalg.norm(X[:, None] - X, axis=2)
    by_distance, given_ = PLAIN.explain(2, X).neighbours, PLAIN.explain(2, D=D).neighbours
    assert by_distance.index.tolist() == given_.index.tolist() == [1, 0]
    np.testing.assert_allclose(by_distance["distance"], given_["distance"])
    far = PLAIN.explain(2, X * 1e300).neighbours  # squares would leave the range of floats
    np.testing.assert_allclose(far["distance"] / 1e300, given_["distance"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": X[:2]}, r"attributes X of shape \(3, p\), got \(2, 2\)"),
        ({"D": X}, r"dissimilarities D of shape \(3, 3\), got \(3, 2\)"),
        ({"X": X, "D": np.zeros((3, 3))}, "attributes X or dissimilarities D, got 'both'"),
        ({"X": X * np.nan}, "finite attributes X"),
        ({"X": [["a"], ["b"], ["c"]]}, "X to be an array of numbers"),
        ({"X": pd.DataFrame(X, index=NAMES[::-1])}, "X with the names of the objects, in the same order"),
        ({"X": X, "n_neighbors": 0}, "1 <= n_neighbors"),
    ],
)
def test_neighbours_of_other_data_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        NAMED.explain("Ben", **arguments)
