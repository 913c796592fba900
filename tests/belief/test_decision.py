"""Decision rules, approximations, outliers, clusters without objects: laws, ties, Example 2 of the paper."""

import warnings

import numpy as np
import pytest
from hypothesis import given

from credalbench.belief import CredalPartition, FocalSets, combine, decision, transforms
from credalbench.belief.decision import EmptyClusters, labels_of
from credalbench.cluster import ECM, EVCLUS
from credalbench.explore.stepping import page_text
from tests.oracles import belief as literal

from .strategies import partitions_of_masses

EXAMPLE_2 = FocalSets.from_sets(3, [{0}, {1}, {0, 2}])


def test_example_2_decisions():
    """[denoeux2016_evclus (6)] [denoeux2016_evclus (7)] [denoeux2016_evclus (8)] [li2020_ensemble (6)]"""
    m = [0.3, 0.4, 0.3]
    np.testing.assert_allclose(transforms.contour(m, EXAMPLE_2), [0.6, 0.4, 0.3], atol=1e-15)  # rounding
    assert transforms.singleton_belief(m, EXAMPLE_2).tolist() == [0.3, 0.4, 0.0]
    assert decision.decide(m, EXAMPLE_2) == 0
    assert decision.decide(m, EXAMPLE_2, "belief") == 1
    assert decision.interval_dominance(m, EXAMPLE_2).tolist() == [True, True, False]


@given(partitions_of_masses())
def test_interval_dominance_follows_its_definition(case):
    """[denoeux2016_evclus (7)] [li2020_ensemble (7)]"""
    M, focal_sets = case
    chosen = decision.interval_dominance(M, focal_sets)
    frame = range(focal_sets.n_clusters)
    assert chosen.any(axis=1).all()
    for row, m in zip(chosen, literal.mass_functions(M, focal_sets)):
        gaps = [
            literal.belief(m, frozenset([l])) - literal.plausibility(m, frozenset([k]))
            for k in frame
            for l in frame
        ]
        if not any(0 < abs(gap) < 1e-12 for gap in gaps):  # a tie that rounding decides
            assert set(np.flatnonzero(row)) == literal.undominated(m, frame)


def test_normalising_does_not_change_interval_dominance():
    rng = np.random.default_rng(3)
    focal_sets = FocalSets.full(4)
    M = rng.dirichlet(np.full(16, 0.3), size=500)
    before = decision.interval_dominance(M, focal_sets)
    assert (decision.interval_dominance(*combine.normalize(M, focal_sets)) == before).all()


@given(partitions_of_masses())
def test_the_most_plausible_cluster_is_undominated(case):
    M, focal_sets = case
    chosen = decision.interval_dominance(M, focal_sets)
    pl = transforms.contour(M, focal_sets)
    label = pl.argmax(axis=1)
    assert chosen[np.arange(len(M)), label].all()


@given(partitions_of_masses())
def test_lower_approximations_lie_in_upper_ones(case):
    """[denoeux2016_evclus (9)] [denoeux2016_evclus (10)] [li2020_ensemble (8a)] [li2020_ensemble (8b)]"""
    M, focal_sets = case
    for rule in decision.SET_RULES:
        lower = decision.lower_approximation(M, focal_sets, rule, exclude_outliers=False)
        upper = decision.upper_approximation(M, focal_sets, rule)
        assert (lower <= upper).all()
        assert (lower.sum(axis=1) <= 1).all()
        assert (lower.any(axis=1) == (upper.sum(axis=1) == 1)).all()
        kept = decision.lower_approximation(M, focal_sets, rule)
        assert (kept == lower & ~decision.outliers(M, focal_sets)[:, None]).all()


def test_logical_masses_give_the_rough_partition():
    """[denoeux2016_evclus (9)] [denoeux2016_evclus (10)]"""
    focal_sets = FocalSets.full(3, empty=False)
    M = np.eye(len(focal_sets))
    upper = decision.upper_approximation(M, focal_sets, "maximum_mass")
    assert (upper == focal_sets.membership).all()
    assert (upper == (transforms.contour(M, focal_sets) == 1)).all()
    lower = decision.lower_approximation(M, focal_sets, "maximum_mass")
    assert (lower == (transforms.singleton_belief(M, focal_sets) == 1)).all()


def test_ties_go_to_the_lowest_index_whatever_the_rounding():
    focal_sets = FocalSets.simple(3)
    m = np.array([0, 0.3, 0.1 + 0.2, 0.3, 0.1])  # 0.1 + 0.2 is a little more than 0.3
    m[-1] = 1 - m[:-1].sum()
    for rule in decision.LABEL_RULES:
        assert decision.decide(m, focal_sets, rule) == 0
    assert decision.maximum_mass(m, focal_sets) == 1


def test_total_mass_on_the_empty_set_is_vacuous():
    focal_sets, m = FocalSets.simple(3), [[1.0, 0, 0, 0, 0]]
    for rule in decision.LABEL_RULES:
        assert decision.decide(m, focal_sets, rule).tolist() == [0]
    assert decision.interval_dominance(m, focal_sets).all()
    assert decision.outliers(m, focal_sets).tolist() == [True]
    assert decision.maximum_mass(m, focal_sets).tolist() == [0]
    assert decision.maximum_mass(m, focal_sets, allow_empty=False).tolist() == [4]  # Omega
    assert not decision.lower_approximation(m, focal_sets).any()
    without = FocalSets.simple(3, omega=False)
    assert decision.maximum_mass([[1.0, 0, 0, 0]], without, allow_empty=False).tolist() == [1]


def test_maximum_mass_passes_over_the_empty_set_on_request():
    focal_sets = FocalSets.simple(2)
    M = [[0.6, 0.1, 0.3, 0.0], [0.2, 0.5, 0.1, 0.2]]
    assert decision.maximum_mass(M, focal_sets).tolist() == [0, 1]
    assert decision.maximum_mass(M, focal_sets, allow_empty=False).tolist() == [2, 1]
    no_empty = FocalSets.simple(2, empty=False)
    assert decision.maximum_mass([[0.2, 0.5, 0.3]], no_empty, allow_empty=False).tolist() == [1]
    one_set = FocalSets.from_sets(2, [[], [0]])
    assert decision.maximum_mass([[0.6, 0.4]], one_set, allow_empty=False).tolist() == [1]
    with pytest.raises(ValueError, match="got the empty set only"):
        decision.maximum_mass([[1.0]], FocalSets.from_sets(2, [[]]), allow_empty=False)


def test_an_outlier_needs_strictly_more_mass_on_the_empty_set():
    focal_sets = FocalSets.simple(2)
    assert decision.outliers([[0.4, 0.3, 0.3, 0], [0.4, 0.4, 0.2, 0]], focal_sets).tolist() == [True, False]
    assert not decision.outliers([[0.5, 0.5, 0.0]], FocalSets.simple(2, empty=False)).any()


def test_unknown_rules_are_refused():
    focal_sets, m = FocalSets.full(2), [0, 1.0, 0, 0]
    with pytest.raises(ValueError, match=r"plausibility.*got 'vote'"):
        decision.decide(m, focal_sets, "vote")
    with pytest.raises(ValueError, match=r"maximum_mass.*got 'vote'"):
        decision.upper_approximation(m, focal_sets, "vote")


def test_decisions_where_almost_all_mass_is_on_the_empty_set():
    masses = np.array([[1.0, 5e-324, 1e-323, 0.0]])
    assert decision.decide(masses, FocalSets.simple(2)).tolist() == [1]
    assert decision.maximum_mass(masses, FocalSets.simple(2), allow_empty=False).tolist() == [2]


# ---------------------------------------------------------------- clusters without objects


def test_clusters_without_objects_are_named_as_they_print():
    subsets = FocalSets.simple(4)
    partition = CredalPartition.from_labels(np.array([1, 3, 3]), subsets)
    with pytest.warns(UserWarning, match=r"2 of 4 clusters have no object: \{1\}, \{3\}\. ") as warned:
        assert labels_of(partition).tolist() == [1, 3, 3]
    assert [warning.filename for warning in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels_of(CredalPartition.from_labels(np.arange(4), subsets))


def test_an_explorer_shows_the_count_without_numbers():
    """The explorer has other numbers of clusters."""
    with pytest.warns(EmptyClusters) as warned:
        labels_of(CredalPartition.from_labels(np.array([0, 2]), 3))
    assert str(warned[0].message).startswith("1 of 3 clusters has no object: {2}. ")
    assert page_text(warned[0].message) == "1 of 3 clusters has no object"
    assert page_text(UserWarning("cluster 1 is singular")) == "cluster 1 is singular"


@pytest.mark.parametrize(
    "estimator",
    [
        ECM(3, init=[[0.0, 0.0], [0.0, 0.0], [8.0, 8.0]]),  # two stay at one place
        EVCLUS(9, d0_quantile=0.9, init="random", random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_masses_and_prototypes_can_be_indexed_by_labels(estimator):
    """There are two groups, and more clusters than groups."""
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + at for at in (0.0, 8.0)])
    with pytest.warns(UserWarning, match="clusters ha(s|ve) no object") as warned:
        fit = estimator.fit(X)
    assert {warning.filename for warning in warned} == {__file__}
    np.testing.assert_array_equal(fit.labels_, fit.partition_.labels())
    assert len(np.unique(fit.labels_)) < fit.labels_.max() + 1  # a gap
    contour = fit.partition_.contour
    np.testing.assert_allclose(contour[np.arange(60), fit.labels_], contour.max(axis=1), atol=1e-12)  # ties
    if hasattr(fit, "cluster_centers_"):
        far = np.linalg.norm(X - fit.cluster_centers_[fit.labels_], axis=1)
        assert far.max() < 6  # each object is by its own prototype
        np.testing.assert_array_equal(fit.predict(X), fit.labels_)
