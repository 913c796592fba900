"""What follows from votes of criteria: which number, how surely, in which words."""

import numpy as np
import pandas as pd
import pytest

from credalbench.core.intervals import Estimate
from credalbench.select import CriterionVote
from credalbench.select.recommendation import criterion_vote, of_halves, recommend


def clear(name, c):
    return CriterionVote(name, c, Estimate(0.95, 0.76, 0.99, 20), Estimate(1.0, 0.5, 1.5, 20))


def flat(name, c):
    return CriterionVote(name, c, Estimate(0.45, 0.26, 0.66, 20), Estimate(0.1, -0.2, 0.4, 20))


def recommended(*votes, numbers=range(2, 7), n_empty=None):
    return recommend(votes, list(numbers), "resamples", n_empty or {})


@pytest.mark.parametrize(
    ("votes", "c", "agreement"),
    [
        ([clear("ebic", 3), clear("stability", 3), clear("nonspecificity", 3)], 3, "full"),
        ([clear("ebic", 3), flat("stability", 3)], 3, "full"),
        ([clear("ebic", 3), clear("stability", 3), flat("nonspecificity", 2)], 3, "partial"),
        ([clear("ebic", 3), clear("stability", 3), clear("nonspecificity", 2)], 3, "partial"),
        ([flat("ebic", 4), flat("stability", 4), flat("nonspecificity", 2)], 4, "partial"),
        ([flat("ebic", 4), flat("stability", 4)], 4, "partial"),
        ([CriterionVote("ebic", 3), CriterionVote("nonspecificity", 3)], 3, "partial"),
        ([clear("ebic", 3)], 3, "single"),
        ([CriterionVote("silhouette", 3)], 3, "single"),
        ([clear("ebic", 3), flat("stability", 2)], None, "none"),
        ([clear("ebic", 2), clear("stability", 4)], None, "none"),
        ([flat("ebic", 2), flat("stability", 4), flat("nonspecificity", 5)], None, "none"),
        ([], None, "none"),
    ],
)
def test_more_than_half_have_to_agree_and_all_of_them_for_full_agreement(votes, c, agreement):
    found = recommended(*votes)
    assert (found.n_clusters, found.agreement) == (c, agreement)
    start = f"{c} clusters: only" if agreement == "single" else f"{c} clusters ({agreement} agreement): "
    assert found.words.startswith("No clear answer: " if c is None else start)


def test_the_words_name_who_agrees_how_often_and_who_does_not():
    found = recommended(clear("ebic", 3), clear("stability", 3), flat("nonspecificity", 2))
    assert found.words == (
        "3 clusters (partial agreement): EBIC (in 19 of 20 resamples) and stability (in 19 of 20 resamples) "
        "agree; nonspecificity (in 9 of 20 resamples, flat) prefers 2."
    )
    assert repr(found) == found.words
    assert recommended(clear("xie_beni", 2), clear("stability", 4)).words == (
        "No clear answer: the index of Xie and Beni (in 19 of 20 resamples) prefers 2; stability (in 19 of "
        "20 resamples) prefers 4."
    )
    assert recommended(CriterionVote("silhouette", 3)).words == (
        "3 clusters: only silhouette has a preference; set n_resamples to see how certain this is."
    )


def test_empty_clusters_are_reported_and_are_no_full_agreement():
    both = clear("ebic", 3), clear("stability", 3)
    assert recommended(*both, n_empty={3: 0, 4: 2}).agreement == "full"
    one, two = recommended(*both, n_empty={3: 1}), recommended(*both, n_empty={3: 2})
    assert (one.n_clusters, one.agreement) == (3, "partial")
    assert one.words.endswith("agree. But 1 of the 3 has no object.")
    assert two.words.endswith("agree. But 2 of the 3 have no object.")


def test_the_end_of_the_range_is_no_answer_but_for_one_and_two_clusters():
    def both(c):
        return clear("ebic", c), clear("stability", c)

    largest = recommended(*both(6))
    assert largest.n_clusters is None
    assert "6 is the largest number that was tried; try larger ones" in largest.words
    smallest = recommended(*both(4), numbers=range(4, 8))
    assert smallest.n_clusters is None and "4 is the smallest number" in smallest.words
    assert recommended(*both(2)).n_clusters == 2
    one = recommended(*both(1), numbers=range(1, 5))
    assert one.n_clusters == 1 and one.words.startswith("1 cluster (")


# ---------------------------------------------------------------- opinions


def runs(*columns):
    """Values by number of clusters 2, 3, 4, a column for each run."""
    return pd.DataFrame(np.transpose(columns), index=[2, 3, 4], dtype=float)


MEANS = pd.Series([1.0, 3.0, 2.0], index=[2, 3, 4])


def test_support_is_the_share_of_runs_in_which_no_other_number_is_better():
    found = criterion_vote("silhouette", MEANS, runs([1, 3, 2], [1, 4, 2], [5, 3, 2], [1, 2, 2]), halves=True)
    assert found.c == 3
    assert found.support.value == 0.75  # in the last run two are equally good
    assert found.margin.value == 1  # on all objects, over 4 clusters
    assert not found.is_clear


def test_a_vote_of_many_equal_runs_is_clear_in_either_direction():
    many = runs(*[[1, 3 + 0.01 * r, 2] for r in range(8)])
    higher, lower = (
        criterion_vote("silhouette", MEANS, many, True),
        criterion_vote("xie_beni", -MEANS, -many, True),
    )
    assert higher.is_clear and lower.is_clear and lower.c == 3
    assert lower.margin == higher.margin
    equal = criterion_vote("silhouette", MEANS, runs(*[[1, 2, 2]] * 8), halves=False)
    assert equal.support.value == 1 and equal.margin.value == 0 and not equal.is_clear


def test_runs_without_a_value_do_not_count_and_a_number_without_one_is_not_preferred():
    some = runs([1, 3, 2], [np.nan] * 3, [1, np.nan, 2], [1, 3, 2])
    found = criterion_vote("silhouette", MEANS, some, halves=False)
    assert found.support.n == 3 and found.support.value == pytest.approx(2 / 3)
    assert found.margin.n == 2


def test_without_runs_or_another_number_there_is_no_support():
    assert criterion_vote("silhouette", MEANS, runs([1, 3, 2]), halves=False) == CriterionVote(
        "silhouette", 3
    )
    alone = criterion_vote("silhouette", MEANS[[3]], runs([1, 3, 2], [1, 3, 2]).loc[[3]], halves=True)
    assert alone == CriterionVote("silhouette", 3)


@pytest.mark.parametrize("scaling", ["mean", "sum", "ratio"])
def test_halves_vary_as_samples_of_all_objects_would(scaling):
    """The half-width over Student's quantile is the standard error of the mean, or of the sum."""
    rng, n = np.random.default_rng(0), 300
    x = rng.normal(5, size=n)
    halves = np.array([x[rng.permutation(n)[: n // 2]].mean() for _ in range(1000)])
    value, values = (n * x.mean(), n / 2 * halves) if scaling != "mean" else (x.mean(), halves)
    found = of_halves(value, values, scaling)
    error = x.std(ddof=1) / np.sqrt(n) * (1 if scaling == "mean" else n)
    assert found.value == value
    assert (found.high - found.low) / 2 / 1.962 == pytest.approx(error, rel=0.07)  # 3 deviations of 1000 runs
