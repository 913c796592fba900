"""Rules for evidence: literal oracles, laws, numbers at the ends of their range."""

from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import RelationalMasses
from credalbench.belief.relations.rules import RULES, combine_evidence
from tests.oracles import pairwise_evidence as literal

every_rule = pytest.mark.parametrize("rule", RULES)
COUNTS = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 6))  # s, d, t: no total conflict


def as_evidence(masses):
    """RelationalMasses of (N,) arrays from rows s, d, t that need not sum to 1."""
    s, d, t = (np.array(masses, dtype=float) / np.sum(masses, axis=1, keepdims=True)).T
    return RelationalMasses(np.zeros_like(s), s, d, t)


@every_rule
@given(masses=st.lists(COUNTS, min_size=1, max_size=5))
def test_evidence_is_combined_as_the_rule_is_printed(rule, masses):
    """[li2020_ensemble (3a)] [li2020_ensemble (3b)] [li2020_ensemble (4)] [li2020_ensemble (5)]"""
    evidence = as_evidence(masses)
    pairs = [literal.evidence(float(s), float(d)) for s, d in zip(evidence.same, evidence.different)]
    expected = literal.combined(pairs, rule)
    got = combine_evidence(evidence, rule)
    for part, A in zip(got[1:], (literal.SAME, literal.DIFFERENT, literal.BOTH)):
        assert part == pytest.approx(expected.get(A, 0.0), abs=1e-13)  # order of products
    assert got.empty == 0


@every_rule
@given(masses=st.lists(COUNTS, min_size=1, max_size=6), seed=st.integers(0, 99))
def test_only_the_sequential_rule_depends_on_the_order(rule, masses, seed):
    order = np.random.default_rng(seed).permutation(len(masses))
    first, again = (combine_evidence(as_evidence(rows), rule) for rows in (masses, np.array(masses)[order]))
    if rule != "dubois_prade_sequential":
        np.testing.assert_allclose(first, again, atol=1e-14)  # order of sums and products
    assert all(0 <= part <= 1 + 1e-15 for part in first)  # rounding
    assert sum(first) == pytest.approx(1, abs=1e-14)  # rounding


def test_the_sequential_rule_does_depend_on_the_order():
    masses = [(0.8, 0.0, 0.2), (0.8, 0.0, 0.2), (0.0, 0.9, 0.1)]
    orders = as_evidence(masses), as_evidence(masses[::-1])
    one, other = (combine_evidence(evidence, "dubois_prade_sequential") for evidence in orders)
    assert abs(one.same - other.same) > 0.1
    together = combine_evidence(as_evidence(masses), "dubois_prade")
    assert together.same == pytest.approx(0.1 - 0.004)  # what all three admit, less what none excludes


@every_rule
def test_one_source_is_unchanged_and_arrays_have_any_shape(rule):
    rng = np.random.default_rng(0)
    s, d, t = np.moveaxis(rng.dirichlet(np.ones(3), (4, 2, 3)), 3, 0)
    evidence = RelationalMasses(np.zeros_like(s), s, d, t)
    before = [part.tobytes() for part in evidence]
    whole = combine_evidence(evidence, rule)
    assert [part.tobytes() for part in evidence] == before
    single = combine_evidence(RelationalMasses(*(part[:1] for part in evidence)), rule)
    np.testing.assert_allclose(single[1:], (s[0], d[0], t[0]), atol=1e-15)  # logarithms and back
    one_by_one = combine_evidence(RelationalMasses(*(part[:, 1, 2] for part in evidence)), rule)
    np.testing.assert_allclose(one_by_one[1:], [part[1, 2] for part in whole[1:]], rtol=1e-12)  # log of numpy


def test_dempster_distinguishes_hundreds_of_sources_from_total_conflict():
    """Products of a thousand small numbers are 0 in floating point, their ratio is not."""
    masses = np.tile([[0.001, 0.998, 0.001], [0.998, 0.001, 0.001]], (500, 1))
    got = combine_evidence(as_evidence(masses), "dempster")
    assert got.same == pytest.approx(0.5, abs=1e-10)  # rounding of sums of a thousand logarithms
    assert got.different == pytest.approx(0.5, abs=1e-10)


@pytest.mark.parametrize("n_sure", [1, 3])
def test_total_conflict_is_refused_by_dempster_and_by_no_other_rule(n_sure):
    evidence = as_evidence([(1, 0, 0)] * n_sure + [(0, 1, 0), (1, 1, 2)])
    with pytest.raises(ValueError, match="expected evidence that Dempster's rule can combine"):
        combine_evidence(evidence, "dempster")
    for rule in set(RULES) - {"dempster"}:
        assert np.isfinite(combine_evidence(evidence, rule)).all()
    assert combine_evidence(evidence, "dubois_prade").ignorance == 1


def test_rounding_of_the_rest_of_one_is_not_ignorance():
    """Ten tenths are less than 1 in floating point: as ignorance the rest would decide a total conflict."""
    sure = reduce(add, [0.1] * 10)  # sum() adds floats more precisely since Python 3.12
    assert sure < 1
    evidence = RelationalMasses(np.zeros(2), np.array([sure, 0.0]), np.array([0.0, sure]), np.zeros(2))
    with pytest.raises(ValueError, match="total conflict"):
        combine_evidence(evidence, "dempster")


def test_unknown_rules_and_missing_evidence_are_refused():
    with pytest.raises(ValueError, match=r"expected rule to be one of \['average', 'dempster'"):
        combine_evidence(as_evidence([(1, 1, 1)]), "yager")
    with pytest.raises(ValueError, match="expected at least one source, got 0"):
        combine_evidence(RelationalMasses(*np.empty((4, 0))))


@pytest.mark.parametrize("sure", [0, 1])
def test_dempster_follows_a_certain_source(sure):
    """The product of the other side is 0, and its logarithm infinite."""
    certain, uncertain = [(1, 0, 0), (0, 1, 0)][sure], (1, 2, 3)
    got = combine_evidence(as_evidence([certain, uncertain, certain]), "dempster")
    assert list(got[1:]) == [1 - sure, sure, 0]
