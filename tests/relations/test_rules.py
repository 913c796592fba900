"""Rules for opinions: literal oracles, laws, numbers at the ends of their range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import RelationalMasses
from credalbench.relations.rules import RULES, combine_evidence
from tests.oracles import pairwise_evidence as literal

every_rule = pytest.mark.parametrize("rule", RULES)
COUNTS = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 6))  # s, d, t: no total conflict


def as_opinions(masses):
    """RelationalMasses of (N,) arrays from rows s, d, t that need not sum to 1."""
    s, d, t = (np.array(masses, dtype=float) / np.sum(masses, axis=1, keepdims=True)).T
    return RelationalMasses(np.zeros_like(s), s, d, t)


@every_rule
@given(masses=st.lists(COUNTS, min_size=1, max_size=5))
def test_opinions_are_combined_as_the_rule_is_printed(rule, masses):
    """[li2020_ensemble (3a)] [li2020_ensemble (3b)] [li2020_ensemble (4)] [li2020_ensemble (5)]"""
    opinions = as_opinions(masses)
    pairs = [literal.evidence(float(s), float(d)) for s, d in zip(opinions.same, opinions.different)]
    expected = literal.combined(pairs, rule)
    got = combine_evidence(opinions, rule)
    for part, A in zip(got[1:], (literal.SAME, literal.DIFFERENT, literal.BOTH)):
        assert part == pytest.approx(expected.get(A, 0.0), abs=1e-13)  # order of products
    assert got.empty == 0


@every_rule
@given(masses=st.lists(COUNTS, min_size=1, max_size=6), seed=st.integers(0, 99))
def test_only_the_sequential_rule_depends_on_the_order(rule, masses, seed):
    order = np.random.default_rng(seed).permutation(len(masses))
    first, again = (combine_evidence(as_opinions(rows), rule) for rows in (masses, np.array(masses)[order]))
    if rule != "dubois_prade_sequential":
        np.testing.assert_allclose(first, again, atol=1e-14)  # order of sums and products
    assert all(0 <= part <= 1 + 1e-15 for part in first)  # rounding
    assert sum(first) == pytest.approx(1, abs=1e-14)  # rounding


def test_the_sequential_rule_does_depend_on_the_order():
    masses = [(0.8, 0.0, 0.2), (0.8, 0.0, 0.2), (0.0, 0.9, 0.1)]
    orders = as_opinions(masses), as_opinions(masses[::-1])
    one, other = (combine_evidence(opinions, "dubois_prade_sequential") for opinions in orders)
    assert abs(one.same - other.same) > 0.1
    together = combine_evidence(as_opinions(masses), "dubois_prade")
    assert together.same == pytest.approx(0.1 - 0.004)  # what all three admit, less what none excludes


@every_rule
def test_one_opinion_stays_as_it_is_and_arrays_of_any_shape_are_taken(rule):
    rng = np.random.default_rng(0)
    s, d, t = np.moveaxis(rng.dirichlet(np.ones(3), (4, 2, 3)), 3, 0)
    opinions = RelationalMasses(np.zeros_like(s), s, d, t)
    before = [part.tobytes() for part in opinions]
    whole = combine_evidence(opinions, rule)
    assert [part.tobytes() for part in opinions] == before
    single = combine_evidence(RelationalMasses(*(part[:1] for part in opinions)), rule)
    np.testing.assert_allclose(single[1:], (s[0], d[0], t[0]), atol=1e-15)  # logarithms and back
    one_by_one = combine_evidence(RelationalMasses(*(part[:, 1, 2] for part in opinions)), rule)
    np.testing.assert_allclose(one_by_one[1:], [part[1, 2] for part in whole[1:]], rtol=1e-12)  # log of numpy


def test_dempster_knows_hundreds_of_opinions_apart_from_total_conflict():
    """Products of a thousand small numbers are 0 in floating point, their ratio is not."""
    masses = np.tile([[0.001, 0.998, 0.001], [0.998, 0.001, 0.001]], (500, 1))
    got = combine_evidence(as_opinions(masses), "dempster")
    assert got.same == pytest.approx(0.5, abs=1e-10)  # rounding of sums of a thousand logarithms
    assert got.different == pytest.approx(0.5, abs=1e-10)


@pytest.mark.parametrize("n_sure", [1, 3])
def test_total_conflict_is_refused_by_dempster_and_by_no_other_rule(n_sure):
    opinions = as_opinions([(1, 0, 0)] * n_sure + [(0, 1, 0), (1, 1, 2)])
    with pytest.raises(ValueError, match="expected opinions that Dempster's rule can combine"):
        combine_evidence(opinions, "dempster")
    for rule in set(RULES) - {"dempster"}:
        assert np.isfinite(combine_evidence(opinions, rule)).all()
    assert combine_evidence(opinions, "dubois_prade").ignorance == 1


def test_what_is_left_of_one_by_rounding_is_no_ignorance():
    """Ten tenths are less than 1 in floating point: as ignorance the rest would decide a total conflict."""
    sure = sum([0.1] * 10)
    assert sure < 1
    opinions = RelationalMasses(np.zeros(2), np.array([sure, 0.0]), np.array([0.0, sure]), np.zeros(2))
    with pytest.raises(ValueError, match="total conflict"):
        combine_evidence(opinions, "dempster")


def test_a_rule_that_there_is_not_and_no_opinions_are_refused():
    with pytest.raises(ValueError, match=r"expected rule to be one of \['average', 'dempster'"):
        combine_evidence(as_opinions([(1, 1, 1)]), "yager")
    with pytest.raises(ValueError, match="expected at least one opinion, got 0"):
        combine_evidence(RelationalMasses(*np.empty((4, 0))))


@pytest.mark.parametrize("sure", [0, 1])
def test_dempster_follows_the_one_who_is_sure(sure):
    """The product of the other side is 0, and its logarithm infinite."""
    certain, doubtful = [(1, 0, 0), (0, 1, 0)][sure], (1, 2, 3)
    got = combine_evidence(as_opinions([certain, doubtful, certain]), "dempster")
    assert list(got[1:]) == [1 - sure, sure, 0]
