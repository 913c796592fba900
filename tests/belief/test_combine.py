"""Combination rules, normalisation, conflict: laws, loops and the paper's Example 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets, combine, transforms
from tests.oracles import belief as literal

from .strategies import mass_arrays, partitions_of_masses, random_focal_sets

RULES = {
    "conjunctive": combine.conjunctive,
    "disjunctive": combine.disjunctive,
    "dubois_prade": combine.dubois_prade,
    "yager": combine.yager,
}


@st.composite
def two_sources(draw):
    c, n = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    out = []
    for _ in range(2):
        F = draw(random_focal_sets(n_clusters=c))
        out.append((draw(mass_arrays(F, n=n)), F))
    return out


def test_example_1_same_nationality():
    """[denoeux2016_evclus (3)] [denoeux2016_evclus (4a)] [denoeux2016_evclus (4b)]

    [denoeux2016_evclus (5a)] [denoeux2016_evclus (5b)]: Singapore, Thailand, France, Canada.
    """
    asian = FocalSets.from_sets(4, [{0, 1}, range(4)])
    french = FocalSets.from_sets(4, [{2, 3}, range(4)])
    kappa = combine.degree_of_conflict([0.8, 0.2], asian, [0.5, 0.5], french)
    assert kappa == 0.4
    assert 1 - kappa == 0.6
    masses, F = combine.conjunctive([0.8, 0.2], asian, [0.5, 0.5], french)
    assert masses[F.index(())] == 0.4  # the conflict is what the conjunctive rule puts on the empty set


@pytest.mark.parametrize("rule", RULES)
@given(sources=two_sources())
def test_rules_follow_their_definitions(rule, sources):
    """[li2020_ensemble (3a)] [li2020_ensemble (3b)] [li2020_ensemble (5)]"""
    (M1, F1), (M2, F2) = sources
    masses, F = RULES[rule](M1, F1, M2, F2)
    frame = frozenset(range(F1.n_clusters))
    pairs = zip(literal.mass_functions(M1, F1), literal.mass_functions(M2, F2))
    for i, (m1, m2) in enumerate(pairs):
        expected = literal.combine(m1, m2, rule, frame)
        assert set(expected) == set(F.sets)
        for A, v in expected.items():
            assert masses[i, F.index(A)] == pytest.approx(v, abs=1e-15)  # order of summation


@given(sources=two_sources())
def test_conjunctive_multiplies_commonalities_and_disjunctive_implicabilities(sources):
    (M1, F1), (M2, F2) = sources
    q = transforms.commonality(M1, F1) * transforms.commonality(M2, F2)
    b = transforms.implicability(M1, F1) * transforms.implicability(M2, F2)
    masses, F = combine.conjunctive(M1, F1, M2, F2)
    np.testing.assert_allclose(transforms.masses_from_commonality(q, F), masses, atol=1e-13)  # Moebius
    masses, F = combine.disjunctive(M1, F1, M2, F2)
    np.testing.assert_allclose(transforms.masses_from_implicability(b, F), masses, atol=1e-13)  # Moebius


@pytest.mark.parametrize("rows", [1, 2, 3, 6])
def test_blocks_of_rows_are_put_together_whole(rows, monkeypatch):
    """Seven rows in blocks of `rows`, the last one shorter: the rows one by one."""
    rng = np.random.default_rng(0)
    F1, F2 = FocalSets.full(3), FocalSets.simple(3)
    M1, M2 = rng.dirichlet(np.ones(8), size=7), rng.dirichlet(np.ones(5), size=7)
    monkeypatch.setattr(combine, "BLOCK", rows * len(F1) * len(F2) + 1)
    for rule in RULES.values():
        masses, _ = rule(M1, F1, M2, F2)
        expected = [rule(m1, F1, m2, F2)[0] for m1, m2 in zip(M1, M2)]
        np.testing.assert_allclose(masses, expected, atol=1e-15)  # order of summation


@given(partitions_of_masses())
def test_the_vacuous_source_changes_nothing_in_conjunction(case):
    M, F = case
    omega = FocalSets.from_sets(F.n_clusters, [range(F.n_clusters)])
    masses, reached = combine.conjunctive(M, F, [1.0], omega)  # one row against all rows
    assert set(reached.sets) == set(F.sets)
    assert (transforms.rearrange(masses, reached, F) == M).all()


@given(sources=two_sources())
def test_dempster_is_the_normalised_conjunctive_rule(sources):
    """[li2020_ensemble (4)] [li2020_ensemble (2)]"""
    (M1, F1), (M2, F2) = sources
    frame = frozenset(range(F1.n_clusters))
    masses, F = combine.dempster(M1, F1, M2, F2)
    np.testing.assert_allclose(masses.sum(axis=1), 1, atol=1e-13)  # rounding
    assert not F.has_empty
    for i, (m1, m2) in enumerate(zip(literal.mass_functions(M1, F1), literal.mass_functions(M2, F2))):
        joint = literal.combine(m1, m2, "conjunctive", frame)
        if joint.get(frozenset(), 0.0) > 1 - 1e-9:
            assert masses[i, F.index(frame)] == 1.0  # total conflict: vacuous
            continue
        for A, v in literal.dempster_normalised(joint).items():
            assert masses[i, F.index(A)] == pytest.approx(v, abs=1e-13)  # rounding


def test_total_conflict_is_vacuous_under_dempster():
    F = FocalSets.simple(2, empty=False, omega=False)
    masses, reached = combine.dempster([1.0, 0.0], F, [0.0, 1.0], F)
    assert masses[reached.index({0, 1})] == 1.0
    onto = FocalSets.full(2)
    masses, reached = combine.dempster([1.0, 0.0], F, [0.0, 1.0], F, onto)
    assert reached == onto
    assert masses.tolist() == [0, 0, 0, 1]


def test_a_missing_reached_set_is_refused():
    F = FocalSets.simple(3)
    with pytest.raises(ValueError, match=r"got none for \{1,2\}"):
        combine.disjunctive([0, 1.0, 0, 0, 0], F, [0, 0, 1.0, 0, 0], F, onto=F)
    masses, reached = combine.conjunctive([0, 1.0, 0, 0, 0], F, [0, 0, 1.0, 0, 0], F, onto=F)
    assert reached == F
    assert masses.tolist() == [1, 0, 0, 0, 0]


def test_different_frames_and_numbers_of_rows_are_refused():
    F2, F3 = FocalSets.full(2), FocalSets.full(3)
    with pytest.raises(ValueError, match="the same frame, got 2 and 3"):
        combine.conjunctive(np.ones(4), F2, np.ones(8), F3)
    with pytest.raises(ValueError, match=r"rows .*got 2 and 3"):
        combine.conjunctive(np.ones((2, 4)), F2, np.ones((3, 4)), F2)


# ---------------------------------------------------------------------- normalisation


@given(partitions_of_masses())
def test_normalisations_leave_nothing_on_the_empty_set(case):
    """[li2020_ensemble (2)]"""
    M, F = case
    for rule in ("dempster", "yager"):
        masses, after = combine.normalize(M, F, rule)
        np.testing.assert_allclose(masses.sum(axis=1), 1, atol=1e-13)  # rounding
        if after.has_empty:
            assert (masses[:, 0] == 0).all()
        assert after.masks[: len(F)] == F.masks
    kept = transforms.non_empty_mass(M, F) > 0
    dempster, after = combine.normalize(M, F)
    for m, row in zip(literal.mass_functions(M[kept], F), dempster[kept]):
        for A, v in literal.dempster_normalised(m).items():
            assert row[after.index(A)] == pytest.approx(v, abs=1e-14)  # rounding


def test_an_object_with_everything_on_the_empty_set_becomes_vacuous():
    for F in (FocalSets.simple(3), FocalSets.simple(3, omega=False)):
        for rule in ("dempster", "yager"):
            masses, after = combine.normalize(np.eye(len(F))[:1], F, rule)
            assert after == FocalSets.simple(3)
            assert masses.tolist() == [[0, 0, 0, 0, 1]]
    with pytest.raises(ValueError, match="got 'smets'"):
        combine.normalize([1.0, 0, 0, 0], FocalSets.full(2), "smets")


# ---------------------------------------------------------------------- conflict


@given(partitions_of_masses())
def test_conflict_matrix_follows_its_definition(case):
    """[denoeux2016_evclus (17)] [denoeux2016_evclus (3)]"""
    M, F = case
    K = combine.conflict_matrix(M, F)
    ms = literal.mass_functions(M, F)
    for i, m1 in enumerate(ms):
        for j, m2 in enumerate(ms):
            assert K[i, j] == pytest.approx(literal.conflict(m1, m2), abs=1e-14)  # order of summation
    assert (K == K.T).all()
    rows = combine.degree_of_conflict(M, F, M, F)
    np.testing.assert_allclose(rows, np.diag(K), atol=1e-14)  # order of summation


def test_conflict_of_very_many_sets_avoids_the_matrix(monkeypatch):
    F = FocalSets.full(6)
    M = np.random.default_rng(0).dirichlet(np.ones(64), size=5)
    direct = combine.disjoint_mass(M, F)
    monkeypatch.setattr(combine, "MAX_MATRIX_SETS", 1)
    np.testing.assert_allclose(combine.disjoint_mass(M, F), direct, atol=1e-14)  # order of summation
