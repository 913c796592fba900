"""Agreement scores: published small cases and brute force."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench import metrics
from tests.belief.strategies import labelings, two_labelings
from tests.oracles import belief as literal


@given(two_labelings())
def test_misclassified_is_the_best_matching(case):
    y_true, y_pred = case
    wrong = metrics.misclassified(y_true, y_pred)
    assert wrong == literal.misclassified(y_true, y_pred)
    assert metrics.accuracy(y_true, y_pred) == (len(y_true) - wrong) / len(y_true)
    assert metrics.purity(y_true, y_pred) >= metrics.accuracy(y_true, y_pred)


@given(two_labelings())
def test_rand_index_counts_agreeing_pairs(case):
    """[antoine2012_cecm (43)]."""
    y_true, y_pred = map(np.array, case)
    i, j = np.triu_indices(len(y_true), 1)
    agree = (y_true[i] == y_true[j]) == (y_pred[i] == y_pred[j])
    assert metrics.rand_index(y_true, y_pred) == pytest.approx(agree.mean(), abs=1e-15)  # one division


@given(labelings(), st.permutations(range(4)))
def test_renaming_clusters_changes_nothing(y, names):
    renamed = [names[k] for k in y]
    assert metrics.misclassified(y, renamed) == 0
    for score in (metrics.adjusted_rand, metrics.rand_index, metrics.nmi, metrics.purity, metrics.accuracy):
        assert score(y, renamed) == pytest.approx(1, abs=1e-12)  # logarithms in nmi


def test_more_clusters_than_classes_count_as_wrong():
    assert metrics.misclassified([0, 0, 0, 0], [0, 0, 1, 2]) == 2
    assert metrics.purity([0, 0, 0, 0], [0, 0, 1, 2]) == 1
    assert metrics.misclassified(["a", "b", "b"], [7, 7, 7]) == 1


@given(two_labelings())
def test_scores_follow_their_definitions(case):
    """[jiao2022_egmm (34)], [jiao2022_egmm (35)] and [jiao2022_egmm (36)], counted object by object."""
    y_true, y_pred = case
    assert metrics.purity(y_true, y_pred) == pytest.approx(literal.purity(y_true, y_pred))
    assert metrics.nmi(y_true, y_pred) == pytest.approx(literal.nmi(y_true, y_pred), abs=1e-9)  # logarithms
    assert metrics.adjusted_rand(y_true, y_pred) == pytest.approx(literal.adjusted_rand(y_true, y_pred))


@pytest.mark.parametrize("score", [metrics.misclassified, metrics.adjusted_rand, metrics.nmi, metrics.purity])
def test_labels_of_different_objects_are_refused(score):
    with pytest.raises(ValueError, match="same objects, got 2 and 3"):
        score([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match=r"shape \(n,\)"):
        score([[0, 1]], [[0, 1]])


GAPS = {
    "None among words": ["a", "b", None],
    "NaN among words": ["a", "b", np.nan],
    "NaN in a series of words": pd.Series(["a", "b", np.nan]),
    "None among objects": np.array(["a", "b", None], dtype=object),
    "NaN among numbers": [0.0, 1.0, np.nan],
    "None among numbers": [0, 1, None],
    "NA": pd.Series([0, 1, None], dtype="Int64"),
    "category": pd.Series(["a", "b", None], dtype="category"),
    "time": pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02", None])),
}
SCORES = [
    *(metrics.adjusted_rand, metrics.rand_index, metrics.nmi, metrics.purity, metrics.misclassified),
    *(metrics.accuracy, metrics.credal_rand, metrics.adjusted_credal_rand),
    *(metrics.evidential_precision, metrics.evidential_recall, metrics.evidential_rand),
]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("gaps", GAPS.values(), ids=list(GAPS))
def test_missing_labels_are_named(score, gaps):
    for labels in ((gaps, [0, 1, 1]), ([0, 1, 1], gaps)):
        with pytest.raises(
            ValueError, match=r"expected labels other than NaN and None, got \S+ for object 2"
        ):
            score(*labels)


@pytest.mark.parametrize("score", SCORES)
def test_labels_may_be_of_any_kind(score):
    kinds = [
        list("xyx"),
        [2, "a", 2],
        [True, False, True],
        pd.Categorical(list("bab")),
        pd.Series([5, 2, 5], [7, 8, 9]),
    ]
    assert len({score([0, 1, 0], labels) for labels in kinds}) == 1
