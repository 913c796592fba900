"""Transitive closures: the three algorithms against powers and squares, laws, paths, masses of pairs."""

from contextlib import nullcontext
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import floyd_warshall

from credalbench.belief import CredalPartition, RelationalMasses
from credalbench.belief.relations import (
    T_NORMS,
    TNorm,
    close_masses,
    composition,
    strongest_path,
    transitive_closure,
)
from credalbench.belief.relations.closure import BLOCK, TILE, shortest_paths
from credalbench.core import kernels, threads
from credalbench.core.resources import NotEnoughMemory
from tests.oracles import relations as literal

OF_THE_PAPER = T_NORMS[:3]
PARAMETERS = {"hamacher": 0.0, "frank": 3.0, "yager": 2.0}
ALL = [TNorm(name, PARAMETERS.get(name)) for name in T_NORMS]
t_norms = st.sampled_from(ALL)


def literal_t_norm(T):
    return literal.NAMED[T.name] if T.parameter is None else literal.PARAMETRIC[T.name](T.parameter)


def random_relation(n, seed=0):
    R = np.random.default_rng(seed).random((n, n)) ** 4
    R = np.maximum(R, R.T)
    np.fill_diagonal(R, 1.0)
    return R


#: Degrees of many kinds: weak links, strong links, few different degrees, few links, degrees near 0 and 1.
KINDS = (
    lambda rng, shape: rng.random(shape) ** 4,
    lambda rng, shape: rng.random(shape) ** 0.1,
    lambda rng, shape: rng.integers(0, 5, shape) / 4,
    lambda rng, shape: rng.random(shape) * (rng.random(shape) < 0.1),
    lambda rng, shape: rng.choice([0.0, 5e-324, 1e-300, 1e-16, 0.5, 1 - 1e-16, 1.0], shape),
)


@st.composite
def relations(draw, max_objects=40):
    """A fuzzy relation (n, n), reflexive and symmetric."""
    n = draw(st.integers(1, max_objects))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    R = np.triu(draw(st.sampled_from(KINDS))(rng, (n, n)), k=1)
    return R + R.T + np.eye(n)


@st.composite
def relational_masses(draw, max_objects=12):
    """Normalised masses of all pairs, symmetric, "same" on the diagonal."""
    possible, share = draw(relations(max_objects)), draw(relations(max_objects))
    n = min(len(possible), len(share))
    possible, share = possible[:n, :n], share[:n, :n]
    same = possible * share
    return RelationalMasses(np.broadcast_to(0.0, (n, n)), same, 1.0 - possible, possible - same)


# ---------------------------------------------------------------- against definitions


@given(t_norms, relations(20))
def test_closure_is_the_union_of_powers(T, R):
    """[li2020_ensemble (13)]"""
    expected = literal.closure_by_powers(R, literal_t_norm(T))
    np.testing.assert_allclose(transitive_closure(R, T), expected, rtol=0, atol=1e-12)  # rounding


@given(st.sampled_from(OF_THE_PAPER), relations(20))
def test_a_given_function_is_closed_like_the_t_norm_of_that_name(name, R):
    expected = transitive_closure(R, name)
    np.testing.assert_allclose(transitive_closure(R, literal.NAMED[name]), expected, rtol=0, atol=1e-12)


@given(t_norms, st.integers(0, 2**32 - 1))
def test_composition_follows_its_definition(T, seed):
    """[li2020_ensemble (12)]"""
    rng = np.random.default_rng(seed)
    R, Q = rng.random((4, 6)), rng.random((6, 3))
    expected = literal.composition(R, Q, literal_t_norm(T))
    np.testing.assert_allclose(composition(R, Q, T), expected, rtol=0, atol=1e-13)  # rounding


def test_composition_of_more_entries_than_are_taken_at_a_time():
    rng = np.random.default_rng(0)
    R, Q = rng.random((2, 300)), rng.random((300, 1000))
    np.testing.assert_array_equal(composition(R, Q), literal.composition(R, Q, np.minimum))


# ---------------------------------------------------------------- laws


@given(t_norms, relations(12))
def test_closure_contains_the_relation_and_is_transitive(T, R):
    closure = transitive_closure(R, T)
    assert (closure >= R).all()
    assert (closure <= 1).all()
    assert (closure == closure.T).all()
    assert (np.diag(closure) == 1).all()
    assert (composition(closure, closure, T) <= closure + 1e-14).all()  # rounding
    np.testing.assert_allclose(transitive_closure(closure, T), closure, rtol=0, atol=1e-14)  # rounding


@given(relations(12))
def test_the_minimum_adds_no_new_degrees(R):
    closure = transitive_closure(R)
    assert set(closure.ravel()) <= set(R.ravel())
    np.testing.assert_array_equal(transitive_closure(closure), closure)


# ---------------------------------------------------------------- compiled loops


def test_blocks_of_shortest_paths_give_what_scipy_gives():
    n = TILE + BLOCK + 7
    D = -np.log(random_relation(n))
    np.fill_diagonal(D, 0.0)
    ours = D.copy()
    shortest_paths(ours)
    above = np.triu_indices(n)
    np.testing.assert_allclose(ours[above], floyd_warshall(D)[above], rtol=1e-13)  # order of summation


def test_pieces_and_threads_change_no_bit(monkeypatch):
    R = random_relation(3 * BLOCK)
    whole = transitive_closure(R, "product").tobytes()
    monkeypatch.setattr(kernels, "PIECE", 1)
    assert transitive_closure(R, "product").tobytes() == whole
    monkeypatch.setattr(threads, "get_num_threads", lambda: 1)
    assert transitive_closure(R, "product").tobytes() == whole


# ---------------------------------------------------------------- paths


@given(t_norms, relations(12), st.data())
def test_links_of_a_joining_path_make_up_the_closure(T, R, data):
    i, j = (data.draw(st.integers(0, len(R) - 1)) for _ in range(2))
    path = strongest_path(R, i, j, T)
    strength = float(transitive_closure(R, T)[i, j])
    if not path:
        assert strength < 1e-300  # one of the two computations may underflow
        return
    assert (path[0], path[-1]) == (i, j)
    assert len(set(path)) == len(path)
    together = 1.0
    for x, y in pairwise(path):
        together = T(together, R[x, y])
    assert together == pytest.approx(strength, abs=1e-14)  # rounding


def test_path_goes_over_strong_links():
    R = np.eye(5)
    for i, j, degree in ((0, 1, 0.9), (1, 2, 0.8), (2, 3, 0.9), (0, 3, 0.7)):
        R[i, j] = R[j, i] = degree
    assert strongest_path(R, 0, 3) == [0, 1, 2, 3]
    assert strongest_path(R, 3, 0) == [3, 2, 1, 0]
    assert strongest_path(R, 0, 3, "lukasiewicz") == [0, 3]
    assert strongest_path(R, 2, 2) == [2]
    assert strongest_path(R, 0, 4) == []


# ---------------------------------------------------------------- masses


@given(st.sampled_from(OF_THE_PAPER), relational_masses())
def test_closed_masses_follow_their_definitions(name, masses):
    """[li2020_ensemble (17a)] [li2020_ensemble (17b)] [li2020_ensemble (17c)]"""
    closed = close_masses(masses, name)
    expected = literal.closed_masses(masses.same, masses.different, literal.NAMED[name])
    for ours, theirs in zip(closed[1:], expected):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)  # rounding


@given(t_norms, relational_masses())
def test_closed_masses_are_masses(T, masses):
    closed = close_masses(masses, T)
    assert (closed.empty == 0).all()
    assert min(part.min() for part in closed) >= 0
    np.testing.assert_allclose(sum(closed), 1, atol=1e-14)  # rounding
    assert (closed.same >= masses.same).all()
    assert (closed.different <= masses.different).all()
    assert (np.diag(closed.same) == 1).all()


def test_hard_partitions_and_ignorance_stay_what_they_are():
    hard = CredalPartition.from_labels(np.array([0, 1, 1, 2, 0])).relational()
    n = 4
    zero, one = np.zeros((n, n)), np.eye(n)
    ignorance = RelationalMasses(zero, one, zero, 1.0 - one)
    for masses in (hard, ignorance):
        for T in ALL:
            for before, after in zip(masses, close_masses(masses, T)):
                np.testing.assert_array_equal(after, before)


def test_rounding_is_removed():
    """Relational masses are sums in some order: not quite symmetric, not quite masses."""
    R = random_relation(6)
    rounded = R + 1e-13 * np.random.default_rng(1).normal(size=R.shape)
    for T in ALL:
        np.testing.assert_allclose(transitive_closure(rounded, T), transitive_closure(R, T), atol=1e-12)
    np.testing.assert_array_equal(R, random_relation(6))


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("R", "message"),
    [
        (np.ones((2, 3)), r"a square matrix of degrees, for all pairs of objects, got \(2, 3\)"),
        (np.ones((0, 0)), "a square matrix"),
        (2 - np.eye(2), r"degrees in \[0, 1\], got \(1.0, 2.0\)"),
        (np.full((2, 2), np.nan), r"degrees in \[0, 1\]"),
        (np.zeros((2, 2)), "1 on the diagonal"),
        ([[1, 0.5], [0.4, 1]], "a symmetric relation, got 'differences up to 0.1'"),
        ([[1, 0.5], [0.5 + 1e-6, 1]], "a symmetric relation, got 'differences up to 1e-06'"),
    ],
)
def test_arrays_that_are_not_relations_are_refused(R, message):
    for function in (transitive_closure, lambda R: strongest_path(R, 0, 0)):
        with pytest.raises(ValueError, match=f"expected {message}"):
            function(R)


def test_masses_on_the_empty_set_and_of_sampled_pairs_are_refused():
    n = 3
    zero, one = np.zeros((n, n)), np.eye(n)
    with pytest.raises(ValueError, match=r"normalised masses, without mass on the empty set, got 0\.1"):
        close_masses(RelationalMasses(np.full((n, n), 0.1), one, zero, 0.9 - one))
    sampled = [np.zeros((n, 2))] * 3 + [np.ones((n, 2))]
    with pytest.raises(ValueError, match=r"a square matrix .* all pairs of objects, got \(3, 2\)"):
        close_masses(RelationalMasses(*sampled))


def test_objects_and_sizes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="0 <= j <= n - 1 = 2, got 3"):
        strongest_path(np.eye(3), 0, 3)
    with pytest.raises(ValueError, match=r"relations \(a, m\) and \(m, b\), got \(\(3, 3\), \(2, 2\)\)"):
        composition(np.eye(3), np.eye(2))


@pytest.mark.parametrize("degree", [-1.0, 1.5, np.nan])
def test_wrong_degrees_are_named(degree):
    wrong = np.array([[0.5, degree, 1.0]])
    for name, pair in {"R": (wrong, np.ones((3, 1))), "Q": (np.ones((1, 1)), wrong)}.items():
        with pytest.raises(ValueError, match=rf"degrees in \[0, 1\] in {name}, got \[{degree}\]"):
            composition(*pair)
    assert composition([[1 + 1e-12]], [[-1e-12]]).shape == (1, 1)  # rounding


def test_two_relations_of_all_pairs_are_the_memory_of_a_closure(monkeypatch):
    n = 40
    masses = RelationalMasses(np.zeros((n, n)), np.eye(n), 1 - np.eye(n), np.zeros((n, n)))
    monkeypatch.setattr("credalbench.core.resources.SMALL", 0)
    for left, refusal in ((32 * n**2 - 1, pytest.raises(NotEnoughMemory)), (n**3, nullcontext())):
        left_of = {"return_value": left}
        with patch("credalbench.core.resources.available_memory", **left_of), refusal:
            close_masses(masses)


def test_memory_is_looked_at_before_it_is_taken(monkeypatch):
    monkeypatch.setattr("credalbench.core.resources.available_memory", lambda: 2**24)
    monkeypatch.setattr("credalbench.core.resources.SMALL", 0)
    for T in ("minimum", "product", np.minimum):
        with pytest.raises(NotEnoughMemory, match=r"got about \d+ MiB for .* of 1500 objects. Use "):
            transitive_closure(np.eye(1500), T)


def test_long_computations_warn(monkeypatch):
    monkeypatch.setattr("credalbench.core.resources.LONG", 0.0)
    for T in ("product", np.minimum):
        with pytest.warns(UserWarning, match="5 objects.* takes about 0 s. It is faster with .*fewer"):
            transitive_closure(random_relation(5), T)
