"""Focal sets: order, labels, relations, limits."""

import copy
import pickle
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets

from .strategies import random_focal_sets


def test_full_lists_sets_by_size_then_lexicographically():
    assert FocalSets.full(2).labels == ["∅", "{1}", "{2}", "Ω"]
    assert FocalSets.full(3).labels == ["∅", "{1}", "{2}", "{3}", "{1,2}", "{1,3}", "{2,3}", "Ω"]


def test_options_drop_the_empty_set_and_omega():
    assert FocalSets.simple(3, empty=False, omega=False).labels == ["{1}", "{2}", "{3}"]
    assert FocalSets.full(3, empty=False, omega=False).labels[-1] == "{2,3}"
    assert FocalSets.pairs(2, omega=False).labels == ["∅", "{1}", "{2}"]  # the only pair is Omega


@pytest.mark.parametrize("c", [1, 2, 3, 5, 20])
def test_numbers_of_focal_sets(c):
    assert len(FocalSets.simple(c)) == (c + 2 if c > 1 else 2)
    if c > 2:
        assert len(FocalSets.pairs(c)) == c + 2 + comb(c, 2)
        assert len(FocalSets.up_to(c, 2)) == len(FocalSets.pairs(c))
    if c <= 5:
        assert len(FocalSets.full(c)) == 2**c


def test_selected_pairs_are_sorted_and_merged():
    chosen = FocalSets.pairs(4, np.array([[2, 0], [0, 1], [0, 2]]))
    assert chosen.labels == ["∅", "{1}", "{2}", "{3}", "{4}", "{1,2}", "{1,3}", "Ω"]


def test_full_of_sixteen_clusters_is_the_largest():
    assert len(FocalSets.full(16)) == 2**16
    with pytest.raises(ValueError, match=r"at most 65536 focal sets .*got 131072"):
        FocalSets.full(17)
    with pytest.raises(ValueError, match="at most 8192 focal sets for a matrix"):
        _ = FocalSets.full(14).conflict


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: FocalSets.full(0), "between 1 and 62 clusters, got 0"),
        (lambda: FocalSets.simple(63), "between 1 and 62 clusters, got 63"),
        (lambda: FocalSets.up_to(3, 4), "1 <= size <= c = 3, got 4"),
        (lambda: FocalSets.pairs(3, [(0, 3)]), r"cluster numbers in 0\.\.2, got 3"),
        (lambda: FocalSets.pairs(3, [(1, 1)]), "two different clusters"),
        (lambda: FocalSets.from_sets(2, [{0}, {1}, {0}]), r"distinct focal sets, got \{1\}"),
        (lambda: FocalSets.from_sets(2, [{0}, set()]), "empty set at index 0, got it at index 1"),
        (lambda: FocalSets.from_sets(2, []), "at least one focal set"),
        (lambda: FocalSets.simple(3).index({0, 1}), r"focal sets, got \{1,2\}"),
        (lambda: FocalSets.from_membership([[0, 2]]), "0/1 array"),
        (lambda: FocalSets.full(2).union(FocalSets.full(3)), "the same frame, got 2 and 3"),
    ],
)
def test_wrong_sets_are_refused_with_got_and_expected(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_wrong_types_are_refused():
    with pytest.raises(TypeError, match="got float"):
        FocalSets.full(2.5)
    with pytest.raises(TypeError, match="set of cluster numbers"):
        FocalSets.full(2).index("ab")


@given(random_focal_sets())
def test_index_membership_and_sets_agree(F):
    for position, A in enumerate(F.sets):
        assert F.index(A) == position
        assert F.index(F.membership[position]) == position  # a bool row names a set, too
        assert set(np.flatnonzero(F.membership[position])) == A
        assert F.cardinality[position] == len(A)
    assert F.has_empty == (frozenset() in F.sets)
    assert F.has_omega == (frozenset(range(F.n_clusters)) in F.sets)


def test_representation_names_at_most_eight_sets():
    assert repr(FocalSets.full(3)) == "FocalSets(c=3, f=8: ∅ {1} {2} {3} {1,2} {1,3} {2,3} Ω)"
    assert repr(FocalSets.simple(7)) == "FocalSets(c=7, f=9: ∅ {1} {2} {3} {4} {5} ... Ω)"


@given(random_focal_sets())
def test_conflict_matrix_is_one_for_disjoint_sets(F):
    """[denoeux2016_evclus (18)]"""
    for k, A in enumerate(F.sets):
        for l, B in enumerate(F.sets):
            assert F.conflict[k, l] == (0.0 if A & B else 1.0)
            assert F.intersects[k, l] == bool(A & B)
            assert F.jaccard[k, l] == pytest.approx(1.0 if A == B else len(A & B) / len(A | B))


@given(random_focal_sets())
def test_positions_find_sets_and_mark_missing_ones(F):
    every = np.arange(2**F.n_clusters)
    found = F.positions(every)
    for mask, position in zip(every.tolist(), found.tolist()):
        assert position == (F.masks.index(mask) if mask in F.masks else -1)


@given(random_focal_sets(), st.randoms(use_true_random=False))
def test_equality_and_hash_follow_sets_and_order(F, random):
    assert FocalSets.from_sets(F.n_clusters, F.sets) == F
    assert hash(F) == hash(FocalSets.from_membership(F.membership))
    masks = list(F.masks)
    random.shuffle(masks)
    assert FocalSets.from_masks(F.n_clusters, masks) == FocalSets.from_masks(F.n_clusters, F.masks)


@pytest.mark.parametrize(("masks", "got"), [([0, 4], "4"), ([-1], "-1"), ([1.5], "1.5")])
def test_masks_outside_the_frame_are_refused(masks, got):
    with pytest.raises((TypeError, ValueError), match=f"each mask.*{got}"):
        FocalSets.from_masks(2, masks)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda F: pickle.loads(pickle.dumps(F))])
def test_arrays_cannot_be_written_even_after_copying(again):
    original = FocalSets.full(3)
    assert original.conflict.any() and original.jaccard.any()  # kept in the original
    F = again(original)
    assert original == F
    for array in (F.membership, F.cardinality, F.conflict, F.bits, F.jaccard):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        F.n_clusters = 4


@pytest.mark.parametrize(
    ("case", "F"),
    [
        ("full3", FocalSets.full(3)),
        ("full4", FocalSets.full(4)),
        ("simple4", FocalSets.simple(4)),
        ("simple4_noOmega", FocalSets.simple(4, omega=False)),
        ("pairs3", FocalSets.pairs(3)),
        ("pairs4", FocalSets.pairs(4)),
        ("pairs4_noOmega", FocalSets.pairs(4, omega=False)),
        ("pairs2", FocalSets.pairs(2)),
        ("sel_pairs4", FocalSets.pairs(4, [(0, 1), (0, 2)])),
    ],
)
def test_sets_are_those_of_the_r_package(oracle, case, F):
    theirs = FocalSets.from_membership(oracle("makeF_orders")[case])
    assert set(theirs.sets) == set(F.sets)
    if not case.startswith("full"):  # the package counts "full" in binary; the others are in our order
        assert theirs == F


def test_omega_is_appended_once():
    singles = FocalSets.from_sets(3, [[0], [1], [2]])
    grown = singles.with_omega()
    assert grown.labels == ["{1}", "{2}", "{3}", "Ω"]
    assert grown.with_omega() is grown


def test_in_takes_a_set():
    F = FocalSets.simple(3)
    assert [] in F and [1] in F and [2, 0, 1] in F
    assert [0, 1] not in F
