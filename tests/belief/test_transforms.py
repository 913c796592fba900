"""Belief, plausibility, contour, pignistic, commonality: laws, loops and the paper's Example 2."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets, transforms
from tests.oracles import belief as literal

from .strategies import mass_arrays, partitions_of_masses, random_focal_sets


@given(partitions_of_masses())
def test_belief_and_plausibility_follow_their_definitions(case):
    """[denoeux2016_evclus (2a)] [denoeux2016_evclus (2b)] [antoine2012_cecm (4)] [antoine2012_cecm (5)]

    The last two are [jiao2022_egmm (2)], too.
    """
    M, F = case
    every = FocalSets.full(F.n_clusters)
    bel, pl = transforms.belief(M, F, every), transforms.plausibility(M, F, every)
    for i, m in enumerate(literal.mass_functions(M, F)):
        for a, A in enumerate(every.sets):
            assert bel[i, a] == pytest.approx(literal.belief(m, A), abs=1e-14)  # order of summation
            assert pl[i, a] == pytest.approx(literal.plausibility(m, A), abs=1e-14)  # order of summation
    assert (transforms.singleton_belief(M, F) == bel[:, every.singletons]).all()


@given(partitions_of_masses())
def test_plausibility_is_what_the_complement_leaves(case):
    """[antoine2012_cecm (6)]"""
    M, F = case
    frame = set(range(F.n_clusters))
    on_empty = M[:, 0] if F.has_empty else 0.0
    for A in FocalSets.full(F.n_clusters).sets:
        left = 1 - on_empty - transforms.belief(M, F, frame - A)
        np.testing.assert_allclose(transforms.plausibility(M, F, A), left, atol=1e-14)  # rounding


@given(partitions_of_masses())
def test_pignistic_and_contour_follow_their_definitions(case):
    """[antoine2012_cecm (7)], [jiao2022_egmm (3)], after Dempster's normalisation.

    The contour is the plausibility of a cluster.
    """
    M, F = case
    pl, betp = transforms.contour(M, F), transforms.pignistic(M, F)
    for i, m in enumerate(literal.mass_functions(M, F)):
        for k in range(F.n_clusters):
            assert pl[i, k] == pytest.approx(literal.plausibility(m, frozenset([k])), abs=1e-14)  # rounding
            if m.get(frozenset(), 0.0) < 1:
                assert betp[i, k] == pytest.approx(literal.pignistic(m, k), abs=1e-13)  # rounding


@given(partitions_of_masses())
def test_commonality_and_implicability_invert(case):
    M, F = case
    q, b = transforms.commonality(M, F), transforms.implicability(M, F)
    np.testing.assert_allclose(
        transforms.masses_from_commonality(q, F), M, atol=1e-13
    )  # differences of numbers near 1
    np.testing.assert_allclose(transforms.masses_from_implicability(b, F), M, atol=1e-13)  # the same
    for i, m in enumerate(literal.mass_functions(M, F)):
        for a, A in enumerate(transforms.power_set(F.n_clusters).sets):
            assert q[i, a] == pytest.approx(literal.commonality(m, A), abs=1e-14)  # order of summation
            assert b[i, a] == pytest.approx(literal.implicability(m, A), abs=1e-14)  # order of summation


@pytest.mark.parametrize("c", [1, 2, 7, 12])
def test_moebius_undoes_zeta_on_any_numbers(c):
    v = np.random.default_rng(c).normal(size=(3, 2**c))
    assert transforms.moebius_subsets(transforms.zeta_subsets(v)) == pytest.approx(v, abs=1e-10)  # 2^c terms
    assert transforms.moebius_supersets(transforms.zeta_supersets(v)) == pytest.approx(v, abs=1e-10)  # same
    untouched = v.copy()
    transforms.zeta_subsets(v)
    assert (v == untouched).all()


def test_twenty_clusters_fit_the_power_set():
    F = FocalSets.simple(20)
    M = np.full((1, 22), 1 / 22)
    q = transforms.commonality(M, F)
    assert q.shape == (1, 2**20)
    np.testing.assert_allclose(transforms.masses_from_commonality(q, F), M, atol=1e-12)  # alternating sums


@given(partitions_of_masses())
def test_nonspecificity_follows_its_definition(case):
    """[denoeux2016_evclus (24)]"""
    M, F = case
    value = transforms.nonspecificity(M, F)
    expected = literal.nonspecificity(literal.mass_functions(M, F), F.n_clusters)
    assert value == pytest.approx(expected, abs=1e-13)  # order of summation
    assert -1e-13 <= value <= 1 + 1e-13  # rounding


def test_nonspecificity_is_zero_for_hard_and_one_for_vacuous_or_empty():
    F = FocalSets.simple(3)
    assert transforms.nonspecificity([[0, 1, 0, 0, 0]], F) == 0
    assert transforms.nonspecificity([[0, 0, 0, 0, 1]], F) == 1
    assert transforms.nonspecificity([[1, 0, 0, 0, 0]], F) == 1
    assert transforms.nonspecificity([[0.5, 0.5]], FocalSets.simple(1)) == 0  # only one cluster


def test_total_mass_on_the_empty_set_gives_uniform_probabilities():
    F, m = FocalSets.simple(4), [1.0, 0, 0, 0, 0, 0]
    assert (transforms.contour(m, F) == 0).all()
    assert (transforms.pignistic(m, F) == 0.25).all()
    assert (transforms.plausibility_transform(m, F) == 0.25).all()


def test_a_tiny_mass_on_another_set_than_the_empty_one_decides():
    F = FocalSets.simple(2)
    assert transforms.pignistic([1.0, 1e-300, 0, 0], F).tolist() == [1.0, 0.0]


@given(st.data())
def test_rearranging_keeps_every_mass(data):
    F = data.draw(random_focal_sets())
    M = data.draw(mass_arrays(F))
    every = FocalSets.full(F.n_clusters)
    wide = transforms.rearrange(M, F, every)
    for j, A in enumerate(F.sets):
        assert (wide[:, every.index(A)] == M[:, j]).all()
    assert (transforms.rearrange(wide, every, F.union(every)).sum(axis=1) == wide.sum(axis=1)).all()


def test_mass_without_a_column_is_refused():
    wide, narrow = FocalSets.full(3), FocalSets.simple(3)
    m = np.eye(8)[[wide.index({0, 1})]]
    with pytest.raises(ValueError, match=r"got none for \{1,2\}"):
        transforms.rearrange(m, wide, narrow)
    with pytest.raises(ValueError, match=r"got 1 on \{1,2\}"):
        transforms.from_power_set(transforms.to_power_set(m, wide), narrow)
    assert transforms.rearrange(m * 0, wide, narrow).shape == (1, 5)


def test_mass_outside_the_focal_sets_is_refused_beyond_rounding():
    narrow = FocalSets.simple(3)
    for stray, rounding in ((5e-13, True), (2e-12, False)):
        for sign in (1, -1):  # Moebius sums leave either
            table = np.full(8, 0.25)
            table[[3, 5, 6]] = 0.0, sign * stray, 0.0  # {1,2}, {1,3}, {2,3}
            if rounding:
                assert transforms.from_power_set(table, narrow).tolist() == [0.25] * 5
            else:
                with pytest.raises(ValueError, match=r"no mass outside the focal sets, got 2e-12 on \{1,3\}"):
                    transforms.from_power_set(table, narrow)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: transforms.contour(np.ones((2, 3)), FocalSets.full(2)),
            r"shape \(n, 4\), got shape \(2, 3\)",
        ),
        (lambda: transforms.belief(np.ones(4), FocalSets.full(2), {2}), r"in 0\.\.1, got 2"),
        (lambda: transforms.belief(np.ones(4), FocalSets.full(2), FocalSets.full(3)), "the same frame"),
        (lambda: transforms.belief(np.ones(4), FocalSets.full(2), np.array([True])), r"shape \(2,\)"),
        (lambda: transforms.commonality(np.ones((1, 42)), FocalSets.simple(40)), r"2\*\*40"),
        (lambda: transforms.zeta_subsets(np.ones(3)), "got 3"),
        (lambda: transforms.from_power_set(np.ones(3), FocalSets.full(2)), "got 3"),
        (lambda: transforms.power_set(17), "at most 16 clusters"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
