"""Sums over tables of categories, against loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.core import kernels
from credalbench.core.categories import frequencies, mismatches, read_table

SEEDS = st.integers(0, 2**32 - 1)


def problem(seed, n=9, sizes=(3, 2, 5), c=3):
    rng = np.random.default_rng(seed)
    codes, domain = read_table(np.column_stack([rng.integers(size, size=n) for size in sizes]))
    return codes, domain, [rng.dirichlet(np.ones(size), c) for size in domain.sizes], rng.random((n, c))


@given(SEEDS)
def test_mismatches_are_the_weights_of_the_other_values(seed):
    """[djiberou2019_catecm (4)] with [djiberou2019_catecm (5)], weights as [djiberou2019_catecm (3)]."""
    codes, domain, blocks, _ = problem(seed)
    found = mismatches(codes, domain.stack(blocks), domain)
    for i, row in enumerate(codes):
        for k in range(3):
            others = sum(w for l, t in enumerate(row) for s, w in enumerate(blocks[l][k]) if s != t)
            assert found[i, k] == pytest.approx(others, abs=1e-14)  # rounding


@given(SEEDS)
def test_mismatches_of_objects_are_counts_of_differing_attributes(seed):
    """[djiberou2019_catecm (2)]: exactly."""
    codes, domain, _, _ = problem(seed)
    found = mismatches(codes, domain.stack_objects(codes), domain)
    np.testing.assert_array_equal(found, (codes[:, None] != codes[None]).sum(axis=2))


@given(SEEDS)
def test_frequencies_add_up_the_shares_of_objects_with_a_value(seed):
    codes, domain, _, shares = problem(seed)
    found = domain.unstack(frequencies(codes, shares, domain))
    for l, block in enumerate(found):
        for t in range(block.shape[1]):
            np.testing.assert_allclose(block[:, t], shares[codes[:, l] == t].sum(axis=0), atol=1e-14)


def test_pieces_and_types_of_codes_change_nothing(monkeypatch):
    codes, domain, blocks, shares = problem(0, n=50)
    table = domain.stack(blocks)
    whole = mismatches(codes, table, domain), frequencies(codes, shares, domain)
    monkeypatch.setattr(kernels, "PIECE", 30.0)  # a few objects at a time
    for kind in (np.uint8, np.uint16, np.uint32):
        np.testing.assert_array_equal(mismatches(codes.astype(kind), table, domain), whole[0])
        np.testing.assert_array_equal(frequencies(codes.astype(kind), shares, domain), whole[1])


def test_unseen_values_mismatch_everything_and_missing_ones_nothing():
    _, domain = read_table(np.array([["a", "x"], ["b", "y"]]), "ignore")
    table = domain.stack_objects(np.array([[0, 0], [1, 1]]))
    codes = np.array([[2, 0], [3, 1]], dtype=np.uint8)
    np.testing.assert_array_equal(mismatches(codes, table, domain), [[1, 2], [1, 0]])
