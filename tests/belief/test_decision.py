"""Decision rules, approximations, outliers: laws, ties, and the paper's Example 2."""

import numpy as np
import pytest
from hypothesis import given

from credalbench.belief import FocalSets, combine, decision, transforms
from tests.oracles import belief as literal

from .strategies import partitions_of_masses

EXAMPLE_2 = FocalSets.from_sets(3, [{0}, {1}, {0, 2}])


def test_example_2_decisions():
    """[denoeux2016_evclus (6)] [denoeux2016_evclus (7)] [denoeux2016_evclus (8)] [li2020_ensemble (6)]"""
    m = [0.3, 0.4, 0.3]
    assert decision.decide(m, EXAMPLE_2) == 0
    assert decision.decide(m, EXAMPLE_2, "belief") == 1
    assert decision.interval_dominance(m, EXAMPLE_2).tolist() == [True, True, False]


@given(partitions_of_masses())
def test_interval_dominance_follows_its_definition(case):
    """[denoeux2016_evclus (7)] [li2020_ensemble (7)]"""
    M, family = case
    chosen = decision.interval_dominance(M, family)
    frame = range(family.n_clusters)
    assert chosen.any(axis=1).all()
    for row, m in zip(chosen, literal.mass_functions(M, family)):
        gaps = [
            literal.belief(m, frozenset([l])) - literal.plausibility(m, frozenset([k]))
            for k in frame
            for l in frame
        ]
        if not any(0 < abs(gap) < 1e-12 for gap in gaps):  # a tie that rounding decides
            assert set(np.flatnonzero(row)) == literal.undominated(m, frame)


def test_normalising_does_not_change_interval_dominance():
    rng = np.random.default_rng(3)
    family = FocalSets.full(4)
    M = rng.dirichlet(np.full(16, 0.3), size=500)
    before = decision.interval_dominance(M, family)
    assert (decision.interval_dominance(*combine.normalize(M, family)) == before).all()


@given(partitions_of_masses())
def test_the_most_plausible_cluster_is_undominated(case):
    M, family = case
    chosen = decision.interval_dominance(M, family)
    pl = transforms.contour(M, family)
    label = pl.argmax(axis=1)
    assert chosen[np.arange(len(M)), label].all()


@given(partitions_of_masses())
def test_lower_approximations_lie_in_upper_ones(case):
    """[denoeux2016_evclus (9)] [denoeux2016_evclus (10)] [li2020_ensemble (8a)] [li2020_ensemble (8b)]"""
    M, family = case
    for rule in decision.SET_RULES:
        lower = decision.lower_approximation(M, family, rule, exclude_outliers=False)
        upper = decision.upper_approximation(M, family, rule)
        assert (lower <= upper).all()
        assert (lower.sum(axis=1) <= 1).all()
        assert (lower.any(axis=1) == (upper.sum(axis=1) == 1)).all()
        kept = decision.lower_approximation(M, family, rule)
        assert (kept == lower & ~decision.outliers(M, family)[:, None]).all()


def test_logical_masses_give_the_rough_partition():
    """[denoeux2016_evclus (9)] [denoeux2016_evclus (10)]"""
    family = FocalSets.full(3, empty=False)
    M = np.eye(len(family))
    upper = decision.upper_approximation(M, family, "maximum_mass")
    assert (upper == family.membership).all()
    assert (upper == (transforms.contour(M, family) == 1)).all()
    lower = decision.lower_approximation(M, family, "maximum_mass")
    assert (lower == (transforms.singleton_belief(M, family) == 1)).all()


def test_interval_dominance_compares_single_clusters_only():
    family = FocalSets.full(3)
    certain_pair = np.eye(8)[family.index({0, 1})]
    assert decision.interval_dominance(certain_pair, family).all()  # no single cluster has belief


def test_ties_go_to_the_lowest_index_whatever_the_rounding():
    family = FocalSets.simple(3)
    m = np.array([0, 0.3, 0.1 + 0.2, 0.3, 0.1])  # 0.1 + 0.2 is a little more than 0.3
    m[-1] = 1 - m[:-1].sum()
    for rule in decision.LABEL_RULES:
        assert decision.decide(m, family, rule) == 0
    assert decision.maximum_mass(m, family) == 1


def test_total_mass_on_the_empty_set_is_vacuous():
    family, m = FocalSets.simple(3), [[1.0, 0, 0, 0, 0]]
    for rule in decision.LABEL_RULES:
        assert decision.decide(m, family, rule).tolist() == [0]
    assert decision.interval_dominance(m, family).all()
    assert decision.outliers(m, family).tolist() == [True]
    assert decision.maximum_mass(m, family).tolist() == [0]
    assert decision.maximum_mass(m, family, allow_empty=False).tolist() == [4]  # Omega
    assert not decision.lower_approximation(m, family).any()
    without = FocalSets.simple(3, omega=False)
    assert decision.maximum_mass([[1.0, 0, 0, 0]], without, allow_empty=False).tolist() == [1]


def test_maximum_mass_passes_over_the_empty_set_on_request():
    family = FocalSets.simple(2)
    M = [[0.6, 0.1, 0.3, 0.0], [0.2, 0.5, 0.1, 0.2]]
    assert decision.maximum_mass(M, family).tolist() == [0, 1]
    assert decision.maximum_mass(M, family, allow_empty=False).tolist() == [2, 1]
    no_empty = FocalSets.simple(2, empty=False)
    assert decision.maximum_mass([[0.2, 0.5, 0.3]], no_empty, allow_empty=False).tolist() == [1]
    one_set = FocalSets.from_sets(2, [[], [0]])
    assert decision.maximum_mass([[0.6, 0.4]], one_set, allow_empty=False).tolist() == [1]
    with pytest.raises(ValueError, match="got the empty set only"):
        decision.maximum_mass([[1.0]], FocalSets.from_sets(2, [[]]), allow_empty=False)


def test_an_outlier_needs_strictly_more_mass_on_the_empty_set():
    family = FocalSets.simple(2)
    assert decision.outliers([[0.4, 0.3, 0.3, 0], [0.4, 0.4, 0.2, 0]], family).tolist() == [True, False]
    assert not decision.outliers([[0.5, 0.5, 0.0]], FocalSets.simple(2, empty=False)).any()


def test_outliers_are_in_no_lower_approximation_by_default():
    family, m = FocalSets.simple(2), [[0.6, 0.4, 0.0, 0.0]]  # the first cluster is undominated
    assert decision.lower_approximation(m, family).tolist() == [[False, False]]
    assert decision.lower_approximation(m, family, exclude_outliers=False).tolist() == [[True, False]]


def test_unknown_rules_are_refused():
    family, m = FocalSets.full(2), [0, 1.0, 0, 0]
    with pytest.raises(ValueError, match=r"plausibility.*got 'vote'"):
        decision.decide(m, family, "vote")
    with pytest.raises(ValueError, match=r"maximum_mass.*got 'vote'"):
        decision.upper_approximation(m, family, "vote")


def test_decisions_where_almost_all_mass_is_on_the_empty_set():
    masses = np.array([[1.0, 5e-324, 1e-323, 0.0]])
    assert decision.decide(masses, FocalSets.simple(2)).tolist() == [1]
    assert decision.maximum_mass(masses, FocalSets.simple(2), allow_empty=False).tolist() == [2]
