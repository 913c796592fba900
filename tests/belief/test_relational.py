"""Pairwise representation and Jousselme distance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import CredalPartition, FocalSets, combine, relational
from credalbench.core.resources import NotEnoughMemory
from tests.oracles import belief as literal

from .strategies import mass_arrays, partitions_of_masses, random_focal_sets


@given(partitions_of_masses())
def test_relational_masses_follow_their_definitions(case):
    """[li2020_ensemble (9a)] [li2020_ensemble (9b)] [li2020_ensemble (9c)] [li2020_ensemble (9d)]"""
    M, F = case
    table = relational.relational(M, F)
    ms = literal.mass_functions(M, F)
    for i in range(len(M)):
        for j in range(len(M)):
            if i != j:
                expected = literal.relational(ms[i], ms[j], range(F.n_clusters))
                got = tuple(float(part[i, j]) for part in table)
                assert got == pytest.approx(expected, abs=1e-14)  # order of summation
            else:
                assert [part[i, i] for part in table] == [0, 1, 0, 0]


@given(partitions_of_masses())
def test_pair_matrices_give_the_masses_of_pairs(case):
    """[li2020_ensemble (20)]"""
    M, F = case
    table, apart = relational.relational(M, F), ~np.eye(len(M), dtype=bool)
    for part, matrix in zip((table.same, table.different), relational.pair_matrices(F)):
        np.testing.assert_allclose((M @ matrix @ M.T)[apart], part[apart], atol=1e-14)  # order of summation


@given(partitions_of_masses())
def test_nonspecificity_is_the_mean_over_pairs_of_different_objects(case):
    M, F = case
    table = relational.relational(M, F)
    n = len(M)
    vague = [table.empty[i, j] + table.ignorance[i, j] for i in range(n) for j in range(n) if i < j]
    expected = np.mean(vague) if vague else 0.0
    assert table.nonspecificity() == pytest.approx(expected, abs=1e-14)  # order of summation


def test_pairs_that_do_not_fit_into_memory_are_refused(monkeypatch):
    partition = CredalPartition.from_labels(np.zeros(2000, dtype=int))
    monkeypatch.setattr("credalbench.core.resources.available_memory", lambda: 2**24)
    with pytest.raises(NotEnoughMemory, match=r"122 MiB for masses of all pairs of 2000 .*credal_rand"):
        partition.relational()
    with pytest.raises(NotEnoughMemory, match="61 MiB for degrees of conflict of 2000 x 2000 objects"):
        partition.conflict()


@given(st.data())
def test_jousselme_follows_its_definition(data):
    """[li2020_ensemble (11)]"""
    c = data.draw(st.integers(2, 4))
    F1, F2 = data.draw(random_focal_sets(n_clusters=c)), data.draw(random_focal_sets(n_clusters=c))
    M1, M2 = data.draw(mass_arrays(F1, n=3)), data.draw(mass_arrays(F2, n=3))
    values = combine.jousselme(M1, F1, M2, F2)
    for d, m1, m2 in zip(values, literal.mass_functions(M1, F1), literal.mass_functions(M2, F2)):
        assert d**2 == pytest.approx(literal.jousselme(m1, m2) ** 2, abs=1e-14)  # order of summation
    assert (values <= 1 + 1e-12).all()  # rounding
    np.testing.assert_allclose(combine.jousselme(M2, F2, M1, F1), values, atol=1e-7)  # root of rounding


@given(partitions_of_masses())
def test_jousselme_is_zero_for_equal_masses_only(case):
    M, F = case
    assert (combine.jousselme(M, F, M) == 0).all()
    apart = combine.jousselme(np.eye(len(F))[0], F, np.eye(len(F))[1])
    assert apart > 0


@given(partitions_of_masses(), st.data())
def test_masses_of_partners_are_those_of_all_pairs(case, data):
    """[li2020_ensemble (9a)] [li2020_ensemble (9b)] [li2020_ensemble (9c)] [li2020_ensemble (9d)]"""
    M, F = case
    n = len(M)
    others = st.integers(1, n - 1) if n > 1 else st.just(0)
    steps = data.draw(st.lists(others, min_size=1, max_size=3))
    partners = (np.arange(n)[:, None] + steps) % n
    table = relational.relational_block(M, M, F)
    for part, whole in zip(relational.relational_of_partners(M, F, partners), table):
        expected = np.take_along_axis(whole, partners, axis=1)
        np.testing.assert_allclose(part, expected, atol=1e-14)  # order of summation


def test_partners_in_blocks_change_nothing(monkeypatch):
    F = FocalSets.full(3)
    M = np.random.default_rng(0).dirichlet(np.ones(8), 30)
    partners = (np.arange(30)[:, None] + [1, 5, 7]) % 30
    whole = relational.relational_of_partners(M, F, partners)
    monkeypatch.setattr(relational, "GATHERED", 100)
    for part, expected in zip(relational.relational_of_partners(M, F, partners), whole):
        np.testing.assert_allclose(part, expected, atol=1e-15)  # one matrix product or several


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_distance_over_pairs_is_jousselmes(n, k, seed):
    """[li2020_ensemble (11)]"""
    rng = np.random.default_rng(seed)
    first, second = (rng.dirichlet(np.ones(4), (n, k)) for _ in range(2))
    frame = FocalSets.full(2)  # ∅, s, not s, Theta
    expected = combine.jousselme(first.reshape(-1, 4), frame, second.reshape(-1, 4)).reshape(n, k)
    tables = (relational.RelationalMasses(*np.moveaxis(table, 2, 0)) for table in (first, second))
    np.testing.assert_allclose(
        relational.jousselme_of_pairs(*tables), expected, atol=1e-7
    )  # root of rounding


@given(st.integers(2, 5), st.data())
def test_rand_index_against_pairs_follows_its_definition(n, data):
    """[li2020_ensemble (10)]"""
    cases = []
    for _ in range(2):
        F = data.draw(random_focal_sets(max_clusters=3))
        cases.append((data.draw(mass_arrays(F, n=n)), F))
    (M, F), (other, other_sets) = cases
    sides = [(literal.mass_functions(*side), range(side[1].n_clusters)) for side in cases]
    expected = literal.credal_rand(*sides[0], *sides[1])
    table = relational.relational(other, other_sets)
    found = relational.rand_against(M, F, table)
    assert found == pytest.approx(expected, abs=1e-7)  # square roots of rounding errors
    every = np.array([np.delete(np.arange(n), i) for i in range(n)])
    pairs = relational.RelationalMasses(*(np.take_along_axis(part, every, axis=1) for part in table))
    assert relational.rand_against(M, F, pairs, every) == pytest.approx(found, abs=1e-7)


def test_rand_index_against_pairs_in_blocks(monkeypatch):
    F = FocalSets.simple(3)
    M, other = (np.random.default_rng(seed).dirichlet(np.ones(5), 40) for seed in range(2))
    table = relational.relational(other, F)
    whole = relational.rand_against(M, F, table)
    monkeypatch.setattr(relational, "SIDE", 7)
    assert relational.rand_against(M, F, table) == pytest.approx(whole, abs=1e-13)  # order of summation
    assert relational.rand_against(M[:1], F, relational.relational(M[:1], F)) == 1
