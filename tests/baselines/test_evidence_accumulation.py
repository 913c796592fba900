"""EvidenceAccumulation: co-association, dendrogram, lifetimes, ties, bases, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.cluster import DBSCAN, KMeans
from sklearn.preprocessing import StandardScaler

from credalbench.baselines import EvidenceAccumulation
from credalbench.baselines.evidence_accumulation import co_association, lifetimes
from credalbench.belief import CredalPartition
from credalbench.belief.relations import transitive_closure
from credalbench.metrics import adjusted_rand
from tests.oracles import relations as literal

#: Two pairs that always vote together; their objects meet in one of four partitions.
VOTES = [[0, 0, 1, 1, 2], [0, 0, 0, 0, 1], [1, 1, 0, 0, 2], [0, 0, 1, 1, 2]]


def partitions():
    shapes = st.tuples(st.integers(1, 8), st.integers(2, 12))
    return shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=st.integers(0, 4)))


def rings(n=80):
    """Two circles, one around the other, objects evenly spaced on them, and to which they belong."""
    y = np.arange(n) % 2
    angle = 2 * np.pi * np.arange(n) / n
    return (1.0 + 1.6 * y)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


# ---------------------------------------------------------------- votes


@given(partitions())
def test_co_association_counts_votes(votes):
    """[li2020_ensemble (14)]"""
    np.testing.assert_array_equal(co_association(votes), literal.co_association(votes))


@given(partitions())
def test_co_association_is_the_average_of_hard_partitions(votes):
    """The paper's own remark: with hard bases and the average rule, m({s}) is the co-association."""
    same = [CredalPartition.from_labels(y).relational().same for y in votes]
    np.testing.assert_allclose(co_association(votes), np.mean(same, axis=0), rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:.*at equal heights")
@given(partitions(), st.data())
def test_clusters_are_those_that_chains_of_votes_join(votes, data):
    """A cut at height h joins what the closure under the minimum joins by 1 - h at least."""
    n = votes.shape[1]
    c = data.draw(st.integers(1, n))
    fit = EvidenceAccumulation(c).fit_from_partitions(votes)
    closure = transitive_closure(fit.co_association_)
    together = fit.labels_[:, None] == fit.labels_
    assert closure[together].min() > closure[~together].max(initial=-1.0)
    assert fit.n_clusters_ == len(np.unique(fit.labels_)) <= c
    assert fit.labels_[0] == 0
    assert (np.diff(np.unique(fit.labels_, return_index=True)[1]) > 0).all()  # numbered by first objects


def test_names_of_labels_mean_nothing():
    named = [np.array(list("ABC"))[y] for y in np.array(VOTES)]
    shifted = [np.array(y) * 7 + 100 for y in VOTES]
    expected = EvidenceAccumulation(3).fit_from_partitions(VOTES)
    for votes in (named, shifted, np.array(VOTES)):
        fit = EvidenceAccumulation(3).fit_from_partitions(votes)
        np.testing.assert_array_equal(fit.co_association_, expected.co_association_)
        np.testing.assert_array_equal(fit.partitions_, expected.partitions_)
        assert fit.labels_.tolist() == [0, 0, 1, 1, 2]
        assert fit.base_n_clusters_.tolist() == [3, 2, 3, 3]


def test_noise_votes_for_being_alone():
    fit = EvidenceAccumulation(1).fit_from_partitions([[0, 0, -1, -1], [0, 0, 1, 1]])
    expected = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0.5], [0, 0, 0.5, 1]]
    np.testing.assert_array_equal(fit.co_association_, expected)
    assert fit.base_n_clusters_.tolist() == [3, 2]


# ---------------------------------------------------------------- how many clusters


def test_lifetimes_are_lengths_of_heights():
    fit = EvidenceAccumulation(None).fit_from_partitions(VOTES)
    np.testing.assert_array_equal(fit.linkage_[:, 2], [0, 0, 0.75, 1])
    np.testing.assert_array_equal(fit.lifetimes_, [0, 0.25, 0.75, 0, 0])
    assert (fit.n_clusters_, fit.labels_.tolist()) == (3, [0, 0, 1, 1, 2])


def test_equal_lifetimes_are_equal_and_fewest_clusters_win():
    heights = 1 - np.array([2, 1]) / 3
    assert lifetimes(heights, 3).tolist() == [1 / 3, 1 / 3, 1 / 3]
    fit = EvidenceAccumulation(None).fit_from_partitions([[0, 0, 0], [0, 0, 1], [0, 1, 2]])
    assert fit.n_clusters_ == 1


@given(partitions())
def test_lifetimes_sum_to_one_and_the_longest_is_found(votes):
    fit = EvidenceAccumulation(None).fit_from_partitions(votes)
    assert fit.lifetimes_.sum() == pytest.approx(1, abs=1e-14)  # rounding
    assert fit.lifetimes_[fit.n_clusters_ - 1] == fit.lifetimes_.max()


def test_equal_heights_leave_fewer_clusters_and_a_warning():
    with pytest.warns(UserWarning, match="1 instead of 2 clusters"):
        fit = EvidenceAccumulation(2).fit_from_partitions([[0, 1, 2], [2, 0, 1]])
    assert fit.n_clusters_ == 1
    with pytest.warns(UserWarning, match="2 instead of 3 clusters") as caught:
        EvidenceAccumulation(3).fit_from_partitions([[0, 0, 1, 1]])
    assert caught[0].filename == __file__


# ---------------------------------------------------------------- bases


def test_rings_are_separated():
    X, y = rings()
    fit = EvidenceAccumulation(2, n_estimators=30, random_state=0).fit(X)
    assert adjusted_rand(y, fit.labels_) == 1
    assert adjusted_rand(y, KMeans(2, n_init=3, random_state=0).fit(X).labels_) < 0.1
    assert fit.partitions_.shape == (30, len(X))
    assert set(fit.base_n_clusters_) <= set(range(10, 31))
    assert len(set(fit.base_n_clusters_)) > 5


def test_numbers_of_clusters_of_the_bases():
    X, _ = rings(40)

    def numbers(**options):
        fit = EvidenceAccumulation(2, n_estimators=12, random_state=1, **options).fit(X)
        return set(fit.base_n_clusters_.tolist())

    assert numbers(base_n_clusters=7) == {7}
    assert numbers(base_n_clusters=(3, 5)) == {3, 4, 5}
    assert max(numbers()) <= 20  # half of them
    assert numbers(base=DBSCAN(eps=0.1)) == {40}  # no parameter of that kind; all noise


def test_objects_that_are_all_alike():
    with pytest.warns(UserWarning, match="1 instead of 2 clusters"):
        fit = EvidenceAccumulation(2, n_estimators=3, random_state=0).fit(np.ones((6, 2)))
    assert (fit.co_association_ == 1).all()


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_n_clusters": 9}, "base_n_clusters <= n_samples = 8, got 9"),
        ({"base": StandardScaler()}, r"base to be a clusterer, .*got StandardScaler\(\)"),
        ({"base": DBSCAN(), "base_n_clusters": 3}, r"parameter n_clusters .*got DBSCAN\(\)"),
    ],
)
def test_bad_parameters_are_refused_before_work_starts(options, message):
    with pytest.raises(ValueError, match="expected .*" + message):
        EvidenceAccumulation(**options).fit(np.arange(16.0).reshape(8, 2))


@pytest.mark.parametrize(
    ("votes", "message"),
    [
        ([], r"at least one partition, got \[\]"),
        (3, "partitions to be a table, got 3"),
        ([[0, 1], [0, 1, 1]], r"the same two or more objects in each partition, got \[\(2,\), \(3,\)\]"),
        ([[[0, 1]], [[0, 1]]], r"the same two or more objects in each partition, got \[\(1, 2\)\]"),
        ([[0], [0]], r"the same two or more objects in each partition, got \[\(1,\)\]"),
        ([[0.0, np.nan], [0, 1]], "labels other than NaN"),
    ],
)
def test_what_is_no_list_of_partitions_is_refused(votes, message):
    with pytest.raises(ValueError, match="expected .*" + message):
        EvidenceAccumulation(1).fit_from_partitions(votes)
