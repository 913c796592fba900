"""KModes: laws, brute force, and what is left open."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.baselines import KModes
from credalbench.baselines.k_modes import different_objects

SEEDS = st.integers(0, 2**32 - 1)


def random_table(seed, n=15, sizes=(3, 2, 4)):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.integers(size, size=n) for size in sizes])


def cost(X, modes):
    """Values in which objects differ from their nearest mode."""
    return sum(min(sum(a != b for a, b in zip(row, mode)) for mode in modes) for row in X)


@given(SEEDS, st.integers(1, 5))
def test_objective_never_rises_and_is_that_of_the_modes(seed, c):
    """[djiberou2019_catecm (2)]."""
    X = random_table(seed)
    fit = KModes(c, n_init=1, random_state=seed).fit(X)
    assert (np.diff(fit.objective_trace_) <= 0).all()
    assert fit.converged_
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.objective_ == cost(X, fit.prototypes_.to_numpy())
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)


@pytest.mark.parametrize("seed", range(5))
def test_best_of_many_starts_is_the_global_minimum(seed):
    X = random_table(seed, n=8, sizes=(3, 2, 2))
    modes = list(product(range(3), range(2), range(2)))
    lowest = min(cost(X, pair) for pair in product(modes, repeat=2))
    assert KModes(2, n_init=50, random_state=0).fit(X).objective_ == lowest


def test_modes_are_the_most_frequent_values_the_first_of_equals():
    X = [["a", 1], ["a", 2], ["a", 2], ["b", 1], ["z", 9], ["z", 9]]
    fit = KModes(2, init=[["a", 1], ["z", 9]]).fit(X)
    assert fit.labels_.tolist() == [0, 0, 0, 0, 1, 1]
    assert fit.prototypes_.to_numpy().tolist() == [["a", 1], ["z", 9]]


def test_a_cluster_without_objects_gets_the_farthest_one():
    X = [["a", 1, "x"], ["a", 1, "x"], ["a", 1, "y"], ["b", 2, "z"]]
    fit = KModes(2, init=[["a", 1, "x"], ["a", 1, "x"]]).fit(X)
    assert fit.labels_.tolist() == [0, 0, 0, 1]
    assert fit.prototypes_.iloc[1].tolist() == ["b", 2, "z"]


def test_a_mode_without_objects_stays_where_all_objects_are_like_their_modes():
    fit = KModes(3, init=[["a", 1], ["b", 2], ["a", 2]]).fit([["a", 1], ["b", 2], ["a", 1]])
    assert fit.prototypes_.iloc[2].tolist() == ["a", 2]
    assert fit.objective_ == 0


def test_missing_values_left_out_mismatch_nothing():
    X = pd.DataFrame({"a": ["x", "x", None, "y"], "b": [1, 1, 1, 2], "c": [None, 3, 3, 4]})
    fit = KModes(2, missing="ignore", init=X.iloc[[1, 3]]).fit(X)
    assert fit.labels_.tolist() == [0, 0, 0, 1]
    assert fit.objective_ == 0


def test_drawn_objects_differ_as_long_as_there_are_others():
    codes = np.array([[0, 0]] * 20 + [[0, 1], [1, 0]])
    for seed in range(20):
        drawn = different_objects(codes, 4, np.random.RandomState(seed))
        assert len(np.unique(drawn[:3], axis=0)) == 3


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"init": [["a", 1]]}, r"init of shape \(2, 2\)"),
        ({"init": [["a", 1], ["c", 1]]}, "values in init that the objects have"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, message):
    with pytest.raises(ValueError, match=message):
        KModes(2, **kwargs).fit([["a", 1], ["b", 2], ["b", 1]])
