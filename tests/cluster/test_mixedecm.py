"""MixedECM: laws, certificates, reductions, oracle, outliers and missing values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credalbench.cluster import ECM, CatECM, MixedECM
from credalbench.cluster.prototypes import mass_update
from credalbench.cluster.prototypes.relevance import explained_share
from credalbench.cluster.testing import clusterer_checks
from credalbench.core import threads
from credalbench.core.checks import trimmed_limits
from credalbench.metrics import adjusted_rand
from tests.oracles import catecm as literal_categories
from tests.oracles import mixedecm as literal
from tests.oracles import recm as literal_ecm

pytestmark = [
    pytest.mark.filterwarnings("ignore:prototypes coincide"),  # of a dozen objects
    pytest.mark.filterwarnings("ignore:.*has no object"),
    pytest.mark.filterwarnings("ignore:MixedECM stopped"),
]
SEEDS = st.integers(0, 2**32 - 1)
FREE = {"standardize": False, "category_weight": 0.7, "delta": 3.0}


def random_table(seed, n=12, gaps=0.0):
    """Two numbers and two categories."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "colour": np.array(["red", "blue", "green"], dtype=object)[rng.integers(3, size=n)],
            "y": 3 * rng.normal(size=n),
            "leaf": np.array(["round", "flat"], dtype=object)[rng.integers(2, size=n)],
        }
    )
    lost = rng.random(table.shape) < gaps
    lost[:, rng.integers(4)] = False  # no object loses all
    lost[:4] = False  # no attribute does
    return table.mask(lost)


def groups(n=90, seed=0):
    """Three groups that the numbers and the categories separate only together."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    table = pd.DataFrame({"x": 8 * (y == 0) + rng.normal(size=n), "u": rng.normal(size=n)})
    for l in range(3):
        kept = rng.random(n) < 0.9
        table[f"word{l}"] = np.where(kept, np.where(y == 1, "one", "other"), "any")
    return table, y


# ---------------------------------------------------------------- laws


@settings(max_examples=30)
@given(
    SEEDS,
    st.sampled_from([-0.05, 1.0]),
    st.sampled_from([1.1, 2.0]),
    st.sampled_from(["full", "simple", "pairs"]),
    st.sampled_from([0.5, "auto"]),
    st.sampled_from([0.0, 0.2]),
)
def test_objective_never_rises(seed, alpha, beta, focal_sets, delta, gaps):
    options = {"alpha": alpha, "beta": beta, "focal_sets": focal_sets, "delta": delta, "missing": "ignore"}
    fit = MixedECM(3, n_init=1, tol=0, random_state=seed, **options).fit(random_table(seed, gaps=gaps))
    assert np.diff(fit.objective_trace_).max() <= 1e-12 * fit.objective_trace_[0]  # rounding
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.objective_ == fit.objective_trace_[-1]


@settings(max_examples=10)
@given(SEEDS, st.floats(1e-3, 1e3), st.floats(-10, 10))
def test_units_of_the_numbers_do_not_matter(seed, factor, shift):
    table = random_table(seed)
    other = table.assign(x=factor * table["x"] + shift)
    first = MixedECM(2, init=table[:2], max_iter=20).fit(table)
    again = MixedECM(2, init=other[:2], max_iter=20).fit(other)
    np.testing.assert_allclose(again.partition_.masses, first.partition_.masses, atol=1e-6)  # rounding


def test_blocks_of_objects_and_threads_change_nothing(monkeypatch):
    table = random_table(0, n=1500, gaps=0.1)
    options = {"missing": "ignore", "n_init": 1, "max_iter": 3, "random_state": 0}
    whole = MixedECM(3, **options).fit(table)
    monkeypatch.setattr(mass_update, "SLICE_ELEMENTS", 1)  # so the least size, 256 rows
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(threads, "get_num_threads", lambda n_threads=n_threads: n_threads)
        parts = MixedECM(3, **options).fit(table)
        results.append((parts.objective_, parts.partition_.masses.tobytes()))
    assert results[0] == results[1] == results[2]
    assert parts.objective_ == pytest.approx(whole.objective_, rel=1e-9)  # sums in another order


@pytest.mark.parametrize(
    "check", clusterer_checks(*(MixedECM(categorical=c) for c in ([0, 1], [0, 1, 2, 3]))), ids=str
)
def test_what_every_clusterer_promises_also_with_categories(check):
    check()


# ---------------------------------------------------------------- reductions


@pytest.mark.parametrize("focal_sets", ["full", "simple"])
@pytest.mark.parametrize("scale", [1.0, 1e90])
def test_without_categories_it_is_ecm(focal_sets, scale):
    X = scale * (np.random.default_rng(0).normal(size=(40, 3)) + np.arange(40)[:, None] // 20)
    options = {"alpha": 0.8, "beta": 1.7, "delta": 3 * scale, "focal_sets": focal_sets, "init": X[[3, 30, 8]]}
    ours = MixedECM(3, standardize=False, max_iter=1000, **options).fit(X)
    ecm = ECM(3, **options).fit(X)
    np.testing.assert_allclose(ours.partition_.masses, ecm.partition_.masses, atol=1e-12)
    np.testing.assert_allclose(ours.cluster_centers_, ecm.cluster_centers_, rtol=1e-12)
    f = len(ecm.partition_.focal_sets)
    np.testing.assert_allclose(ours.objective_trace_, 40 * f * ecm.objective_trace_, rtol=1e-12)
    assert set(ours.units_) == {1.0}
    new = X[::3] + 0.3 * scale
    np.testing.assert_allclose(
        ours.predict_partition(new).masses, ecm.predict_partition(new).masses, atol=1e-12
    )


@pytest.mark.parametrize("focal_sets", ["full", "simple"])
def test_without_numbers_it_is_cat_ecm_byte_for_byte(focal_sets):
    table = random_table(3, n=40)[["colour", "leaf"]]
    options = {"alpha": -0.05, "beta": 1.1, "delta": 1.3, "focal_sets": focal_sets, "init": table[:2]}
    ours = MixedECM(2, **options).fit(table)
    theirs = CatECM(2, normalize=False, **options).fit(table)
    assert ours.category_weight_ == 1
    assert ours.partition_.masses.tobytes() == theirs.partition_.masses.tobytes()
    assert ours.objective_trace_.tobytes() == theirs.objective_trace_.tobytes()
    assert all(map(np.array_equal, ours.weights_, theirs.weights_))
    pd.testing.assert_frame_equal(ours.prototypes_, theirs.prototypes_, check_dtype=False)


def test_missing_categories_without_numbers_are_those_of_the_means_of_cat_ecm():
    table = random_table(3, n=40)[["colour", "leaf"]]
    table.iloc[5, 0] = table.iloc[9, 1] = None
    options = {"alpha": -0.05, "beta": 1.1, "init": table[:2], "missing": "ignore"}
    ours = MixedECM(2, delta=1.3, **options).fit(table)
    theirs = CatECM(2, delta=1.3 / 2**0.5, **options).fit(table)
    np.testing.assert_allclose(ours.partition_.masses, theirs.partition_.masses, atol=1e-12)
    assert ours.objective_ == pytest.approx(2 * theirs.objective_, rel=1e-12)


# ---------------------------------------------------------------- oracle


@pytest.mark.parametrize("gaps", [0.0, 0.25])
@pytest.mark.parametrize("alpha", [-0.05, 1.0])
@pytest.mark.parametrize("beta", [1.1, 2.0])
@pytest.mark.parametrize("u", [(1.0, 1.0, 1.0, 1.0), (0.5, 1.5, 2.0, 0.25)])
def test_iterations_agree_with_the_model(alpha, beta, gaps, u):
    table = random_table(1, gaps=gaps)
    fit = (
        MixedECM(2, init=table[:2], max_iter=2, tol=0, alpha=alpha, beta=beta, missing="ignore", **FREE)
        .set_params(attribute_weights=[u[0], u[2], u[1], u[3]])
        .fit(table)
    )
    sets, domains = fit.partition_.focal_sets.sets, fit.categories_
    X = [[None if pd.isna(x) else x for x in row] for row in table[["x", "y"]].to_numpy()]
    C = [[None if pd.isna(x) else x for x in row] for row in table[["colour", "leaf"]].to_numpy()]
    v, w = np.array(X[:2]), [[[float(t == x) for t in d] for x, d in zip(row, domains)] for row in C[:2]]
    for _ in range(2):
        M = literal_categories.masses(
            literal.dissimilarities(X, C, v, w, sets, domains, 0.7, u), sets, alpha, beta, 3.0
        )
        v = literal.points(X, C, M, sets, 2, alpha, beta, u)
        w = literal.weights(X, C, M, sets, 2, domains, alpha, beta, u)
    d2 = literal.dissimilarities(X, C, v, w, sets, domains, 0.7, u)
    M = literal_categories.masses(d2, sets, alpha, beta, 3.0)
    np.testing.assert_allclose(fit.cluster_centers_, v, atol=1e-9)  # powers of 20, at beta = 1.1
    assert [[block[k].tolist() for block in fit.weights_] for k in range(2)] == w
    np.testing.assert_allclose(fit.partition_.masses, M, atol=1e-9)
    assert fit.objective_ == pytest.approx(literal_ecm.objective(M, d2, sets, alpha, beta, 3.0), rel=1e-9)


def test_the_weight_balances_the_two_kinds():
    """The mean variance over the mean Gini index [szepannek2018]."""
    table = pd.DataFrame({"x": [0.0, 4.0, 0.0, 4.0], "a": list("uvuv"), "b": list("uuuv")})
    equal = {"attribute_weights": "equal", "init": table[:2]}
    fit = MixedECM(2, standardize=False, **equal).fit(table)
    assert fit.category_weight_ == pytest.approx(4.0 / ((1 / 2 + 3 / 8) / 2))
    assert fit.delta_**2 == pytest.approx(4 * (4.0 + fit.category_weight_ * (1 / 2 + 3 / 8)))
    fit = MixedECM(2, **equal).fit(table)
    assert fit.units_.tolist() == [2.0] and fit.category_weight_ == pytest.approx(16 / 7)


# ---------------------------------------------------------------- weights of the attributes


def test_a_weight_of_a_number_is_a_scale_and_one_of_a_category_multiplies_its_mismatches():
    table = random_table(7, n=40)
    options = {"init": table[:3], "standardize": False, "delta": 3.0, "max_iter": 20}
    weighted = MixedECM(3, category_weight=0.5, attribute_weights=[4, 2, 1, 2], **options).fit(table)
    scaled = table.assign(x=2 * table["x"])
    options |= {"init": scaled[:3], "attribute_weights": "equal"}
    other = MixedECM(3, category_weight=1.0, **options).fit(scaled)
    np.testing.assert_allclose(weighted.partition_.masses, other.partition_.masses, atol=1e-9)  # rounding
    np.testing.assert_allclose(weighted.cluster_centers_ * [2, 1], other.cluster_centers_, atol=1e-9)
    new = random_table(8, n=40)
    np.testing.assert_allclose(
        weighted.transform(new), other.transform(new.assign(x=2 * new["x"])), atol=1e-9
    )


def test_shares_that_clusters_explain():
    clusters = np.repeat([0, 1, 2], 50)
    rng = np.random.default_rng(0)
    by_cluster = explained_share(np.eye(3)[clusters], clusters)
    by_chance = explained_share(rng.normal(size=(150, 1)), clusters)
    values = clusters + rng.normal(size=150)
    clipped = np.clip(values, *trimmed_limits(values[:, None]))[:, None]
    means = np.array([clipped[clusters == k].mean() for k in range(3)])[clusters]
    within, total = np.var(clipped[:, 0] - means) * 150 / 147, np.var(clipped) * 150 / 149
    assert by_cluster == 1 and by_chance < 0.05
    assert explained_share(values[:, None], clusters) == pytest.approx(1 - within / total)
    assert explained_share(np.ones((150, 1)), clusters) == 0
    assert explained_share(values[:2, None], clusters[[0, 50]]) == 0  # each a cluster of its own


def test_attributes_of_noise_and_those_that_divide_all_clusters_count_less():
    table, y = groups()
    rng = np.random.default_rng(1)
    sex = rng.random(90) < 0.5
    more = table.assign(u=table["u"] + 3 * sex, sex=np.where(sex, "m", "f"))
    for l in range(4):
        more[f"noise{l}"] = rng.integers(3, size=90).astype(str)
    fit, equal = (MixedECM(3, attribute_weights=w, random_state=0).fit(more) for w in ("auto", "equal"))
    weights = dict(zip(more, fit.attribute_weights_))
    of_clusters = [weights[name] for name in ("x", "word0", "word1", "word2")]
    others = [weights[name] for name in ("sex", "noise0", "noise1", "noise2", "noise3")]
    assert min(of_clusters) > max(others)
    assert np.mean(fit.attribute_weights_) == pytest.approx(1)
    assert adjusted_rand(y, fit.labels_) > adjusted_rand(y, equal.labels_) + 0.2
    assert equal.attribute_weights_.tolist() == [1.0] * 10


def test_weights_that_are_none_are_refused():
    table = groups()[0]
    for wrong in ([1, 2], [1, 1, 1, 1, 0], [1, 1, 1, 1, -1], [1, 1, 1, 1, np.nan], "unequal", ["x"] * 5):
        with pytest.raises(ValueError, match="attribute_weights"):
            MixedECM(2, attribute_weights=wrong).fit(table)


# ---------------------------------------------------------------- what it is for


def test_groups_that_only_both_kinds_separate():
    table, y = groups()
    assert adjusted_rand(y, MixedECM(3, random_state=0).fit(table).labels_) > 0.9
    assert adjusted_rand(y, ECM(3, random_state=0).fit(table[["x", "u"]]).labels_) < 0.8


def test_three_far_outliers_are_found_and_change_little():
    table, y = groups()
    more = pd.concat([table, table[:3].assign(x=[300.0, -400.0, 200.0], u=[100.0, 90.0, -500.0])])
    fit, other = (MixedECM(3, random_state=0).fit(X.reset_index(drop=True)) for X in (table, more))
    assert fit.partition_.outliers().sum() == 0
    assert np.flatnonzero(other.partition_.outliers()).tolist() == [90, 91, 92]
    assert abs(adjusted_rand(y, fit.labels_) - adjusted_rand(y, other.labels_[:90])) < 0.03


def test_missing_values():
    table, y = groups()
    lost = np.random.default_rng(1).random(table.shape) < 0.05
    lost[lost.all(axis=1)] = False
    gaps = table.mask(lost)
    with pytest.raises(ValueError, match=r"got NaN in row \d+, column"):
        MixedECM(3).fit(gaps)
    with pytest.raises(ValueError, match=r"no missing value in X .* column 'word0'"):
        MixedECM(3).fit(table.mask(lost & [False, False, True, True, True]))
    for missing in ("ignore", "category"):
        fit = MixedECM(3, missing=missing, random_state=0).fit(gaps)
        assert adjusted_rand(y, fit.labels_) > 0.7
        np.testing.assert_array_equal(fit.predict(gaps), fit.labels_)
    gaps.iloc[4] = None
    with pytest.raises(ValueError, match="at least one value in each row of X"):
        MixedECM(3, missing="ignore").fit(gaps)


def test_columns_are_categories_by_type_or_by_name():
    table = groups()[0].assign(code=np.arange(90) % 4)
    by_type = MixedECM(2, random_state=0).fit(table)
    assert [len(values) for values in by_type.categories_] == [3, 3, 3] and by_type.units_.shape == (3,)
    named = MixedECM(2, categorical=["word0", "word1", "word2", "code"], random_state=0).fit(table)
    assert [len(values) for values in named.categories_] == [3, 3, 3, 4]
    assert list(named.prototypes_) == list(table)
    listed = MixedECM(2, random_state=0).fit(table.to_numpy().tolist())
    np.testing.assert_array_equal(listed.partition_.masses, by_type.partition_.masses)
    with pytest.raises(ValueError, match=r"columns of X in categorical, got .'height'"):
        MixedECM(2, categorical=["height"]).fit(table)
    for categorical in (np.array([[0.0], [1.0]]), np.float32(0.5), [["word0"]]):
        with pytest.raises(ValueError, match="categorical"):
            MixedECM(2, categorical=categorical).fit(table)
    with pytest.raises(ValueError, match="numbers in column 'word0'"):
        MixedECM(2, categorical=["word1"]).fit(table)


def test_values_that_did_not_occur_mismatch_and_are_named():
    table, _ = groups()
    fit = MixedECM(3, random_state=0).fit(table)
    with pytest.warns(UserWarning, match="word0: 'new'"):
        masses = fit.predict_partition(table[:1].assign(word0="new")).masses
    assert masses.sum() == pytest.approx(1)


def test_the_start_gives_the_run_again_also_where_objects_have_gaps():
    table = random_table(5, n=30, gaps=0.3)
    fit = MixedECM(3, missing="ignore", random_state=0).fit(table)
    again = MixedECM(3, missing="ignore", init=fit.start_).fit(table)
    assert again.objective_trace_.tobytes() == fit.objective_trace_.tobytes()
