"""Agreement of the partition of a subsample with that of all objects."""

import numpy as np
import pandas as pd
import pytest
from sklearn.mixture import GaussianMixture

from credalbench.baselines import FuzzyCMeans
from credalbench.belief import CredalPartition, FocalSets
from credalbench.metrics import adjusted_credal_rand, adjusted_rand
from credalbench.select import stability
from credalbench.select.stability import agreement, partition_of, select_objects


def drawn(n, c=3, seed=0):
    rng = np.random.default_rng(seed)
    return CredalPartition(rng.dirichlet(np.ones(2**c), n), FocalSets.full(c))


ROWS = np.random.default_rng(1).permutation(40)[:20]


def test_labels_are_compared_by_the_adjusted_rand_index():
    whole, part = np.arange(40) % 3, np.arange(20) % 4
    assert agreement(whole, ROWS, part) == adjusted_rand(whole[ROWS], part)
    assert agreement(whole, ROWS, 7 - whole[ROWS]) == 1


def test_masses_are_compared_by_the_adjusted_credal_rand_index():
    whole, part = drawn(40), drawn(20, seed=2)
    assert agreement(whole, ROWS, part) == adjusted_credal_rand(whole.take(ROWS), part)
    assert agreement(whole, ROWS, whole.take(ROWS)) == pytest.approx(1)
    labels = np.arange(20) % 2
    assert agreement(whole, ROWS, labels) == adjusted_credal_rand(whole.take(ROWS), labels)


def test_of_many_masses_the_first_are_compared(monkeypatch):
    monkeypatch.setattr(stability, "COMPARED", 8)
    whole, part = drawn(40), drawn(20, seed=2)
    assert agreement(whole, ROWS, part) == adjusted_credal_rand(whole.take(ROWS[:8]), part.take(slice(8)))


def test_a_thousand_masses_are_all_compared():
    whole, part, rows = drawn(1000), drawn(1000, seed=2), np.arange(1000)
    assert agreement(whole, rows, part) == adjusted_credal_rand(whole, part)


@pytest.mark.parametrize(
    "alike",
    [np.zeros(20, int), CredalPartition(np.ones((20, 1)), FocalSets.from_sets(2, [[0, 1]]))],
    ids=["one cluster", "vacuous"],
)
def test_a_constant_partition_has_no_stability(alike):
    """A single cluster is always found again; so is nothing."""
    with pytest.raises(ValueError, match="expected objects in different clusters"):
        agreement(np.arange(40) % 3, ROWS, alike)
    whole = np.zeros(40, int) if isinstance(alike, np.ndarray) else alike.take(np.arange(40) % 20)
    with pytest.raises(ValueError, match="expected objects in different clusters"):
        agreement(whole, ROWS, np.arange(20) % 3)


def test_every_kind_of_clusterer_has_a_partition():
    X = np.random.default_rng(0).normal(size=(30, 2))
    fuzzy, mixture = FuzzyCMeans(2, random_state=0).fit(X), GaussianMixture(2, random_state=0).fit(X)
    assert partition_of(fuzzy, X) == CredalPartition.from_fuzzy(fuzzy.membership_)
    np.testing.assert_array_equal(partition_of(mixture, X), mixture.predict(X))


def test_parts_of_tables_and_of_dissimilarities():
    X, rows = np.arange(12.0).reshape(4, 3), np.array([2, 0])
    frame = pd.DataFrame(X, index=list("abcd"))
    np.testing.assert_array_equal(select_objects(X.tolist(), rows, False), X[[2, 0]])
    assert select_objects(frame, rows, False).index.tolist() == ["c", "a"]
    D = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    np.testing.assert_array_equal(select_objects(D, rows, True), [[0, 2], [2, 0]])
    np.testing.assert_array_equal(select_objects(pd.DataFrame(D), rows, True), [[0, 2], [2, 0]])
