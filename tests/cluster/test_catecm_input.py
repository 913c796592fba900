"""CatECM: tables of any type, missing and unseen values, starts, bad input."""

import warnings

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import CatECM
from credalbench.core.checks import at_rest
from credalbench.datasets import load
from tests.oracles import catecm as literal

pytestmark = pytest.mark.filterwarnings("ignore:prototypes coincide")  # of half a dozen objects
ANIMALS = pd.DataFrame(
    {
        "feathers": ["yes", "yes", "no", "no", "no", "yes"],
        "legs": [2, 2, 4, 4, 6, 2],
        "tail": pd.Categorical(["short", "long", "long", "long", "short", "short"], ["short", "long"]),
        "wild": [True, False, True, False, True, True],
    }
)


def same(first, second):
    np.testing.assert_array_equal(first.partition_.masses, second.partition_.masses)
    np.testing.assert_array_equal(first.labels_, second.labels_)


def without(cells):
    """The animals, some of their values missing: {(row, column): ...}."""
    table = ANIMALS.astype(object)
    for row, column in cells:
        table.iloc[row, column] = None
    return table


# ---------------------------------------------------------------- types, prototypes


@pytest.mark.parametrize(
    "changed",
    [
        lambda table: table.astype(object),
        lambda table: table.astype("category"),
        lambda table: table.astype(object).to_numpy(),
        lambda table: table.astype(object).to_numpy().tolist(),
        lambda table: table.astype(str).to_numpy(str),
        lambda table: table.replace({"yes": 1, "no": 2, "short": 1, "long": 2}),
    ],
    ids=["object", "category", "array", "list", "texts", "numbers"],
)
@pytest.mark.filterwarnings("ignore:Downcasting:FutureWarning")
def test_what_the_values_are_makes_no_difference(changed):
    table = changed(ANIMALS.astype({"tail": str}))
    fit = CatECM(2, init=changed(ANIMALS.astype({"tail": str}).iloc[[0, 3]])).fit(table)
    expected = CatECM(2, init=ANIMALS.iloc[[0, 3]]).fit(ANIMALS)
    np.testing.assert_allclose(fit.partition_.masses, expected.partition_.masses, atol=1e-12)  # rounding
    np.testing.assert_array_equal(fit.predict(table), fit.labels_)
    np.testing.assert_array_equal(fit.predict_partition(table).masses, fit.partition_.masses)


def test_prototypes_read_as_a_table():
    fit = CatECM(2, init=ANIMALS.iloc[[0, 3]]).fit(ANIMALS)
    expected = {"feathers": ["yes", "no"], "legs": [2, 4], "tail": ["short", "long"], "wild": [True, False]}
    assert fit.prototypes_.to_dict("list") == expected
    assert fit.prototypes_.index.name == "cluster"
    assert fit.feature_names_in_.tolist() == list(expected)
    assert [values.tolist() for values in fit.categories_][2] == ["short", "long"]  # as declared
    for block, size in zip(fit.weights_, [2, 3, 2, 2], strict=True):
        assert block.shape == (2, size)
        np.testing.assert_array_equal(block.sum(axis=1), 1)


def test_values_that_tie_stand_in_a_tuple_and_many_are_cut():
    X = [["a", i] for i in range(12)] + [["b", 0]]
    with pytest.warns(UserWarning, match="prototypes coincide"):
        fit = CatECM(2, init=[X[0], X[0]], max_iter=1).fit(X)
    assert fit.prototypes_.iloc[0].tolist() == ["a", 0]
    fit = CatECM(1, init=[X[0]], max_iter=1).fit([["a", i] for i in range(1, 13)] + [["a", 1]] + X[:1])
    assert fit.prototypes_.iloc[0, 0] == "a"
    fit = CatECM(1, random_state=0).fit([[i, i % 2] for i in range(12)])
    assert fit.prototypes_.iloc[0].tolist() == [(*range(10), "…"), (0, 1)]


# ---------------------------------------------------------------- missing and unseen values


def test_a_missing_value_is_refused_by_name():
    with pytest.raises(ValueError, match=r"missing value .* row 4 of column 'legs'"):
        CatECM(2).fit(without([(4, 1)]))
    with pytest.raises(ValueError, match=r"missing value .* row 0 of column 'tail'"):
        CatECM(2).fit(ANIMALS).predict(without([(0, 2)])[:2])


def test_a_missing_value_may_be_a_category():
    """The same as any other name for it."""
    table = without([(4, 1), (5, 1), (1, 2)])
    fit = CatECM(2, missing="category", init=table.iloc[[0, 3]]).fit(table)
    named = CatECM(2, init=ANIMALS.iloc[[0, 3]]).fit(table.fillna("none of these").infer_objects())
    np.testing.assert_allclose(fit.partition_.masses, named.partition_.masses, atol=1e-12)  # rounding
    assert fit.categories_[1].tolist() == [2, 4, None]
    np.testing.assert_array_equal(fit.predict(table), fit.labels_)


@pytest.mark.parametrize("normalize", [True, False])
def test_a_missing_value_may_be_left_out_of_sum_and_mean(normalize):
    table, sets = without([(0, 1), (0, 2), (4, 3)]), FocalSets.full(2)
    options = {"missing": "ignore", "normalize": normalize, "delta": 1.2, "init": table.iloc[[1, 3]]}
    fit = CatECM(2, **options).fit(table)
    for i, row in enumerate(table.itertuples(index=False)):
        seen = [l for l, value in enumerate(row) if value is not None]
        own = [fit.categories_[l].tolist().index(row[l]) for l in seen]
        single = np.array([sum(1 - fit.weights_[l][k, t] for l, t in zip(seen, own)) for k in range(2)])
        single /= len(seen) if normalize else 1
        expected = literal.masses([[0, *single, single.mean()]], sets.sets, -0.05, 1.1, 1.2)
        np.testing.assert_allclose(fit.partition_.masses[i], expected[0], atol=1e-12)  # rounding


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_objective_never_rises_where_values_are_left_out(seed, normalize):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(15, 4)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    X[:, 0] = rng.integers(3, size=15)
    fit = CatECM(3, missing="ignore", normalize=normalize, delta=1.05, n_init=1, random_state=seed).fit(X)
    assert np.diff(fit.objective_trace_).max() <= 1e-13 * fit.objective_trace_[0]  # rounding


def test_an_unseen_value_is_a_full_mismatch_and_named():
    """As (11) has it: all weight is on other values."""
    fit = CatECM(2, delta=1.05, init=ANIMALS.iloc[[0, 3]]).fit(ANIMALS)
    new = pd.DataFrame({"feathers": ["few"], "legs": [8], "tail": ["none"], "wild": ["?"]})
    with pytest.warns(UserWarning, match="feathers: 'few'; legs: 8; tail: 'none'; wild: '\\?'"):
        masses = fit.predict_partition(new).masses
    shares = np.array([1.05**-20, 1, 1, 2**0.5])  # delta, and distance 1 to all: -alpha / (beta - 1) = 0.5
    np.testing.assert_allclose(masses[0], shares / shares.sum(), atol=1e-12)  # rounding
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit.predict(ANIMALS)


# ---------------------------------------------------------------- starts


def test_weights_of_a_fit_are_a_start():
    X = load("cat_diamond").X
    fit = CatECM(2, delta=1.05, random_state=0).fit(X)
    again = CatECM(2, delta=1.05, init=fit.weights_).fit(X)
    same(fit, again)
    assert again.n_iter_ == 1 and again.converged_
    same(fit, CatECM(2, delta=1.05, init=fit.prototypes_).fit(X))


def test_a_tolerance_stops_earlier():
    rng = np.random.default_rng(0)
    X = rng.integers(4, size=(300, 8))
    options = {"beta": 1.5, "init": "random", "n_init": 1, "random_state": 1}
    early, late = (CatECM(4, tol=tol, **options).fit(X) for tol in (0.05, 0.0))
    assert early.converged_ and early.n_iter_ < late.n_iter_
    trace = early.objective_trace_.tolist()
    stops = [at_rest(trace[: k + 1], 0.05 * trace[k - 1]) for k in range(1, len(trace))]
    assert stops == [False] * (early.n_iter_ - 1) + [True]
    assert trace[-2] - trace[-1] <= 0.05 * trace[-2]


# ---------------------------------------------------------------- bad input

HALVES = [np.full((2, 2), 0.5), np.full((2, 3), 1 / 3), np.full((2, 2), 0.5), np.full((2, 2), 0.5)]


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({"alpha": 100.0, "n_clusters": 20, "focal_sets": "simple"}, np.eye(20), "alpha with n_clusters"),
        ({}, [["a", 1]] * 5, "an attribute with two different values, got 'constant attributes only'"),
        ({}, ANIMALS[:1], "at least 2 objects"),
        ({"init": "k-means"}, ANIMALS, r"init to be one of \['k-means\+\+', 'random'\] or a table"),
        ({"init": ANIMALS[:3]}, ANIMALS, r"init of shape \(2, 4\), got \(3, 4\)"),
        ({"init": [["yes", 3, "short", True], ["no", 4, "long", True]]}, ANIMALS, "in init .*legs: 3"),
        ({"init": HALVES[:3]}, ANIMALS, "init with weights of 4 attributes, got 3"),
        ({"init": HALVES[::-1]}, ANIMALS, r"weights in init of shape \(2, 3\) for attribute 'legs'"),
        ({"init": [2 * block for block in HALVES]}, ANIMALS, "sum to 1 in init for attribute 'feathers'"),
        ({"init": [np.array([[2.0, -1], [1, 0]]), *HALVES[1:]]}, ANIMALS, "weights >= 0"),
        ({"init": [np.full((2, 2), np.nan), *HALVES[1:]]}, ANIMALS, "weights >= 0"),
        ({"init": [np.array([["a", "b"]] * 2), *HALVES[1:]]}, ANIMALS, "init to be an array of numbers"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        CatECM(**{"n_clusters": 2, **kwargs}).fit(X)
