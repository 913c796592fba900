"""Profiles of clusters: literal formulas, other programs, laws, missing values, sentences."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats.contingency import association

from credalbench.belief import CredalPartition, FocalSets, renumber_clusters
from tests.oracles import profiles as oracle

KEY = ["cluster", "attribute", "value"]


def example(seed=0, n=40, c=3):
    """A partition with mass on ∅ and on pairs, and a table of numbers and categories with gaps."""
    rng = np.random.default_rng(seed)
    focal_sets = FocalSets.pairs(c)
    y = rng.integers(0, c, n)
    masses = rng.dirichlet(np.full(len(focal_sets), 0.2), n)
    masses[np.arange(n), [focal_sets.index({int(k)}) for k in y]] += 1.5
    table = pd.DataFrame(
        {
            "height": rng.normal(y, 0.5),
            "width": rng.normal(size=n),
            "leaf": np.where(rng.random(n) < 0.8, np.array(["a", "b", "c"])[y], "d"),
            "wild": rng.random(n) < 0.5,
        },
        index=pd.Index([f"plant {i}" for i in range(n)], name="plant"),
    )
    table.loc[table.index[[1, 5]], "height"] = None
    table.loc[table.index[[2, 5]], "leaf"] = None
    masses /= masses.sum(axis=1, keepdims=True)
    return CredalPartition(masses, focal_sets, table.index), table


def by_key(profiles):
    return profiles.frame.set_index(KEY).sort_index()


def assert_same(profiles, other):
    """Same numbers for the same cluster, attribute and value; the order of the rows is free."""
    pd.testing.assert_frame_equal(by_key(profiles), by_key(other).astype(by_key(profiles).dtypes))
    pd.testing.assert_frame_equal(profiles.sizes, other.sizes)


# ---------------------------------------------------------------- formulas


def test_numbers_and_categories_by_the_literal_formulas():
    partition, table = example()
    frame = partition.profiles(table).frame.set_index(["cluster", "attribute"])
    assert not partition.outliers().any()
    masses, sets = partition.masses.tolist(), partition.focal_sets.sets
    for k in range(3):
        for name in ("height", "width"):
            x = [None if np.isnan(value) else value for value in table[name]]
            row = frame.loc[(f"{{{k + 1}}}", name)]
            found = row[["mean", "rest_mean", "effect", "strength"]].astype(float)
            np.testing.assert_allclose(found, oracle.number(masses, sets, 3, k, x), rtol=1e-10)
        x = [None if pd.isna(value) else value for value in table["leaf"]]
        shares, v = oracle.category(masses, sets, 3, k, x)
        rows = frame.loc[(f"{{{k + 1}}}", "leaf")].set_index("value")
        assert rows.index.tolist() == list(shares)
        np.testing.assert_allclose(rows[["mean", "rest_mean"]].to_numpy(float), list(shares.values()))
        np.testing.assert_allclose(rows["strength"].to_numpy(float), v)


def test_a_hard_partition_has_ordinary_means_quartiles_and_associations():
    rng = np.random.default_rng(1)
    y, x = np.repeat([0, 1], [9, 12]), rng.normal(size=21)
    words = rng.choice(["a", "b", "c"], 21)
    frame = CredalPartition.from_labels(y).profiles(pd.DataFrame({"x": x, "w": words})).frame
    one = frame[frame["attribute"] == "x"].iloc[0]
    assert one["mean"] == pytest.approx(x[:9].mean()) and one["rest_mean"] == pytest.approx(x[9:].mean())
    assert (one["median"], one["rest_median"]) == pytest.approx((np.median(x[:9]), np.median(x[9:])))
    quartiles = np.quantile(x[9:], [0.25, 0.75], method="averaged_inverted_cdf")
    other = frame[frame["attribute"] == "x"].iloc[1]
    assert (other["lower_quartile"], other["upper_quartile"]) == pytest.approx(tuple(quartiles))
    pooled = np.sqrt((9 * x[:9].var() + 12 * x[9:].var()) / 21)
    assert one["effect"] == pytest.approx((x[:9].mean() - x[9:].mean()) / pooled)
    assert one["strength"] == pytest.approx(abs(np.corrcoef(x, y)[0, 1]))
    v = association(pd.crosstab(words, y).to_numpy(), method="cramer")
    np.testing.assert_allclose(frame.loc[frame["attribute"] == "w", "strength"].astype(float), v)


# ---------------------------------------------------------------- laws


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 50))
def test_the_order_of_the_objects_does_not_matter(seed):
    partition, table = example(seed)
    order = np.random.default_rng(seed).permutation(len(table))
    first, other = partition.profiles(table), partition.take(order).profiles(table.iloc[order])
    assert_same(first, other)
    assert first.sentences == other.sentences


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 50), st.permutations(range(3)))
def test_profiles_follow_new_numbers_of_the_clusters(seed, numbers):
    partition, table = example(seed)
    renamed = {f"{{{k + 1}}}": f"{{{number + 1}}}" for k, number in enumerate(numbers)}
    expected = by_key(partition.profiles(table)).rename(index=renamed, level="cluster").sort_index()
    found = by_key(renumber_clusters(partition, numbers).profiles(table))
    pd.testing.assert_frame_equal(found, expected.astype(found.dtypes))


def test_objects_that_occur_twice_and_objects_outside_all_clusters_change_nothing():
    partition, table = example()
    twice = np.repeat(np.arange(len(table)), 2)
    first = partition.profiles(table)
    pd.testing.assert_frame_equal(by_key(first), by_key(partition.take(twice).profiles(table.iloc[twice])))
    outside = np.zeros((1, len(partition.focal_sets)))
    outside[0, 0] = 1.0
    more = CredalPartition(np.vstack([partition.masses, outside]), partition.focal_sets)
    extended = pd.concat(
        [table, pd.DataFrame({"height": [1e9], "width": [-1e9], "leaf": ["a"], "wild": [True]})]
    )
    assert_same(first, more.profiles(extended.reset_index(drop=True).astype({"wild": bool})))


@pytest.mark.parametrize(("factor", "shift"), [(10.0, 3.0), (-2.0, 1e6), (1e300, 0.0), (1e-300, 0.0)])
def test_effects_have_no_unit(factor, shift):
    partition, table = example()
    first = partition.profiles(table[["width"]]).frame
    other = partition.profiles(table[["width"]] * factor + shift).frame
    np.testing.assert_allclose(other["effect"], np.sign(factor) * first["effect"], rtol=1e-6)
    np.testing.assert_allclose(other["strength"], first["strength"], rtol=1e-6)
    np.testing.assert_allclose(other["mean"], first["mean"] * factor + shift, rtol=1e-9)


def test_an_attribute_that_does_not_vary_has_no_effect_and_one_constant_in_both_an_infinite_one():
    table = pd.DataFrame({"u": [0.1] * 4, "v": [0.1, 0.1, 0.3, 0.3]})
    frame = CredalPartition.from_labels([0, 0, 1, 1]).profiles(table).frame
    assert frame["effect"].tolist() == [0.0, -np.inf, 0.0, np.inf]
    assert frame["strength"].tolist() == [0.0, 1.0, 0.0, 1.0]


# ---------------------------------------------------------------- missing values, empty clusters, errors


def test_an_object_without_a_value_is_left_out_for_that_attribute():
    partition, table = example()
    known = table["height"].notna().to_numpy()
    first = by_key(partition.profiles(table)).xs("height", level="attribute")
    other = by_key(partition.take(known).profiles(table[known])).xs("height", level="attribute")
    pd.testing.assert_frame_equal(first.drop(columns="missing"), other.drop(columns="missing"))
    assert other["missing"].eq(0).all() and first["missing"].gt(0).any()


def test_a_cluster_without_objects_and_a_single_cluster_are_described():
    profiles = CredalPartition.from_labels([0, 0, 2]).profiles([[1.0], [2.0], [np.nan]])
    assert profiles.sentences[1] == "Cluster 2: no objects."
    assert profiles.frame["strength"].eq(0).all() and profiles.frame["mean"].isna().tolist() == [
        False,
        True,
        True,
    ]
    one = CredalPartition.from_labels([0, 0]).profiles([[1.0], [2.0]])
    assert one.sentences == (
        "Cluster 1: 2 objects surely, 2 possibly, with a mean belief of 1.00. Typical: 0, 1.",
    )
    nothing = CredalPartition.from_labels([0, 1]).profiles()
    assert nothing.frame.empty and nothing.sizes["sure"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("X", "supplementary", "message"),
    [
        ([[1.0]], [], "attributes X of 2 objects, got 1"),
        ([[1.0], [np.inf]], [], "finite numbers in column 'attribute 1'"),
        (pd.DataFrame({"u": [1j, 2j]}), [], "numbers or categories in column 'u'"),
        (pd.DataFrame({"u": pd.to_datetime(["2026-01-01"] * 2)}), [], "numbers or categories in column 'u'"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["u", "u"]), [], "distinct names"),
        (pd.DataFrame({"u": [1, 2]}, index=["b", "a"]), [], "in the same order"),
        (pd.DataFrame({"u": [1, 2]}), ["v"], r"supplementary columns among \['u'\], got \['v'\]"),
        (pd.DataFrame({"u": [{}, {}]}), [], "hashable values in column 'u'"),
    ],
)
def test_wrong_tables_are_refused(X, supplementary, message):
    with pytest.raises(ValueError, match=message):
        CredalPartition([[1.0, 0], [0, 1.0]], FocalSets.from_sets(2, [[0], [1]]), ["a", "b"]).profiles(
            X, supplementary=supplementary
        )


# ---------------------------------------------------------------- words and names


def test_sentences_name_what_distinguishes_typical_ambiguous_and_outlying_objects():
    focal_sets = FocalSets.from_sets(2, [[], [0], [1], [0, 1]])
    rows = [
        [0, 0.9, 0, 0.1],
        [0, 1, 0, 0],
        [0, 0, 0.8, 0.2],
        [0, 0, 1, 0],
        [0, 0.1, 0.1, 0.8],
        [0.9, 0, 0.1, 0],
    ]
    partition = CredalPartition(rows, focal_sets, ["ash", "elm", "oak", "fir", "yew", "fern"])
    table = pd.DataFrame(
        {
            "height": [1.0, 2, 8, 9, 5, 90],
            "leaf": ["flat"] * 2 + ["needle"] * 2 + [None] * 2,
            "site": list("nnssns"),
        }
    )
    profiles = partition.profiles(table, supplementary=["site"])
    assert profiles.sizes[["sure", "possible"]].to_numpy().tolist() == [[2, 3], [2, 3]]
    assert profiles.sizes.loc["{1}", "mean_belief"] == pytest.approx((0.9 + 1 + 0.1) / 3)
    sentence = profiles.sentences[0]
    assert sentence.startswith("Cluster 1: 2 objects surely, 3 possibly, with a mean belief of 0.67. It has ")
    assert "mostly leaf = flat (9" in sentence and "low height (mean " in sentence
    assert "Not used for the clusters: mostly site = n (" in sentence
    assert sentence.endswith("Typical: elm, ash. Ambiguous: yew.")
    assert repr(profiles).endswith("\nOutliers, which are in no cluster: fern.")
    assert profiles.distinguishing("{1}") == ["leaf", "height"]
    assert profiles.distinguishing("{1}", supplementary=True) == ["site"]


def test_an_attribute_that_hardly_differs_is_not_named():
    x = np.tile([0.0, 1.0], 20)
    profiles = CredalPartition.from_labels(np.repeat([0, 1], 20)).profiles(x)
    assert profiles.distinguishing("{1}") == []
    assert "Its means and shares are near those of the rest." in profiles.sentences[0]


def test_at_most_three_attributes_distinguish_each_cluster_in_order_of_their_strength():
    y = np.repeat([0, 1, 2], 10)
    wave = np.tile([-1.0, 1.0], 15)
    table = pd.DataFrame({f"v{j}": 20 * (y == 0) + (j + 1) * wave for j in range(4)})
    table["last"] = 5.0 * (y == 2) + wave
    profiles = CredalPartition.from_labels(y).profiles(table)
    assert profiles.distinguishing("{1}") == ["v0", "v1", "v2"]
    assert profiles.distinguishing("{3}")[0] == "last" and "last" not in profiles.distinguishing("{1}")
    assert len(profiles.objects) == 9  # three typical ones each


@pytest.mark.parametrize(("n", "ending"), [(5, "a, b, c, d, e."), (7, "a, b, c, d, e and 2 more.")])
def test_a_sentence_names_five_ambiguous_objects_and_five_outliers_and_counts_the_rest(n, ending):
    masses = np.repeat([[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]], [1, n, n], axis=0)
    names = ["sure", *"abcdefg"[:n], *"ABCDEFG"[:n]]
    profiles = CredalPartition(masses, FocalSets.simple(2), names).profiles(np.zeros(2 * n + 1))
    assert profiles.sentences[0].endswith(f"Ambiguous: {ending}")
    assert repr(profiles).endswith(f"in no cluster: {', '.join('ABCDE')}{ending[len('a, b, c, d, e') :]}")


def test_ambiguous_objects_come_in_the_order_of_their_lead_over_the_next_cluster():
    """Plausibilities of the two clusters differ by 0.25, 0.1 and 0.4."""
    masses = [[0, 0.25, 0, 0.75], [0, 0, 0.1, 0.9], [0, 0.4, 0, 0.6], [0, 1, 0, 0]]
    partition = CredalPartition(masses, FocalSets.simple(2), ["some", "least", "most", "sure"])
    objects = partition.profiles(np.zeros(4)).objects
    for cluster in ("{1}", "{2}"):
        of_cluster = objects[(objects["cluster"] == cluster) & (objects["kind"] == "ambiguous")]
        assert of_cluster["object"].tolist() == ["least", "some", "most"]


def test_lists_of_different_lengths_are_refused():
    partition = CredalPartition.from_labels([0, 1])
    with pytest.raises(ValueError, match="expected X as an array, got lists of different lengths"):
        partition.profiles([[0, 1], [2]])


@pytest.mark.parametrize("multi", [False, True])
def test_columns_of_several_levels_are_named_by_all_of_them(multi):
    partition, table = example()
    tuples = [("plant", name) for name in table.columns]
    levels = pd.MultiIndex.from_tuples(tuples) if multi else pd.Index(tuples, tupleize_cols=False)
    given = table.set_axis(levels, axis=1)
    profiles = partition.profiles(given, supplementary=[("plant", "wild")])
    plain = partition.profiles(table, supplementary=["wild"])
    assert profiles.distinguishing("{1}") == [f"plant {name}" for name in plain.distinguishing("{1}")]
    frame = profiles.frame.assign(attribute=profiles.frame["attribute"].str.removeprefix("plant "))
    pd.testing.assert_frame_equal(frame, plain.frame)
    with pytest.raises(ValueError, match="distinct names"):
        partition.profiles(given.set_axis([("a", "b c"), ("a b", "c"), "d", "e"], axis=1))
