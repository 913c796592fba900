"""Pairwise constraints: laws of closure, labels and draws; contradictions; bad input."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors

from credalbench.core.constraints import PairwiseConstraints, random_pairs

SEEDS = st.integers(0, 2**32 - 1)
N = 12


def labelled(seed, size=10, c=3):
    """Random true labels, and the constraints that random pairs get from them."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(c, size=N)
    return labels, PairwiseConstraints.from_labels(labels, random_pairs(N, size, rng))


def as_sets(constraints):
    return set(map(tuple, constraints.must_link.tolist())), set(map(tuple, constraints.cannot_link.tolist()))


# ---------------------------------------------------------------- labels


@given(SEEDS, st.integers(0, 40), st.integers(1, 5))
def test_constraints_of_labels_never_contradict_and_hold_for_them(seed, size, c):
    labels, constraints = labelled(seed, size, c)
    assert len(constraints) == size
    assert len(constraints.violated(labels)) == 0
    assert len(constraints.closure().violated(labels)) == 0
    assert all(labels[i] == labels[j] for i, j in constraints.must_link)
    assert all(labels[i] != labels[j] for i, j in constraints.cannot_link)


@given(SEEDS)
def test_violated_constraints_are_those_that_labels_contradict(seed):
    _, constraints = labelled(seed, 30)
    labels = np.random.default_rng(seed + 1).integers(3, size=N)
    violated = constraints.violated(labels)
    must, cannot = as_sets(constraints)
    assert as_sets(violated) == (
        {(i, j) for i, j in must if labels[i] != labels[j]},
        {(i, j) for i, j in cannot if labels[i] == labels[j]},
    )


def test_no_pairs_are_no_constraints():
    for pairs in ([], np.empty((0, 2)), np.empty((0, 2), dtype=int)):
        assert len(PairwiseConstraints.from_labels([0, 1, 1], pairs)) == 0
    assert len(PairwiseConstraints(3)) == 0
    assert not PairwiseConstraints(3).constrained.any()


# ---------------------------------------------------------------- closure


@given(SEEDS, st.integers(0, 30))
def test_closure_contains_the_constraints_and_is_idempotent(seed, size):
    _, constraints = labelled(seed, size)
    once = constraints.closure()
    twice = once.closure()
    assert as_sets(twice) == as_sets(once)
    for given_, implied in zip(as_sets(constraints), as_sets(once)):
        assert given_ <= implied
    np.testing.assert_array_equal(once.components(), constraints.components())


@given(SEEDS, st.integers(0, 25))
def test_closure_is_what_chains_imply(seed, size):
    """Literally: join must-links and extend cannot-links along them until nothing changes."""
    _, constraints = labelled(seed, size)
    must = {frozenset(pair) for pair in constraints.must_link.tolist()}
    cannot = {frozenset(pair) for pair in constraints.cannot_link.tolist()}
    while True:
        new_must = {a ^ b for a in must for b in must if len(a & b) == 1} - must
        new_cannot = {a ^ b for a in must for b in cannot if len(a & b) == 1} - cannot
        if not new_must and not new_cannot:
            break
        must |= new_must
        cannot |= new_cannot
    expected = {tuple(sorted(p)) for p in must}, {tuple(sorted(p)) for p in cannot}
    assert as_sets(constraints.closure()) == expected


def test_soft_constraints_imply_nothing_but_stay():
    soft = PairwiseConstraints(4, [(0, 1), (1, 2)], [(2, 3)], [1.0, 0.5], [0.7])
    closure = soft.closure()
    assert closure.must_link.tolist() == [[0, 1], [1, 2]]
    assert closure.must_link_weights.tolist() == [1.0, 0.5]
    assert closure.cannot_link.tolist() == [[2, 3]]
    assert closure.cannot_link_weights.tolist() == [0.7]
    assert soft.components()[0] == soft.components()[1] != soft.components()[2]


def test_implied_pair_that_was_soft_becomes_certain():
    closure = PairwiseConstraints(3, [(0, 1), (1, 2), (0, 2)], must_link_weights=[1, 1, 0.2]).closure()
    assert closure.must_link.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert closure.must_link_weights.tolist() == [1, 1, 1]


# ---------------------------------------------------------------- contradictions


@pytest.mark.parametrize(
    ("must", "cannot", "index", "message"),
    [
        ([(0, 1), (1, 2), (2, 3), (1, 3)], [(3, 0), (3, 4)], None, "0, 3; but must-links 0 - 1 - 3$"),
        ([(1, 2)], [(2, 1)], None, "1, 2; but must-links 1 - 2$"),
        (
            [("ant", "cat"), ("cat", "eel")],
            [("eel", "ant")],
            ["ant", "bee", "cat", "dog", "eel"],
            "ant, eel; but must-links ant - cat - eel$",
        ),
    ],
)
def test_contradiction_is_named_with_its_shortest_chain(must, cannot, index, message):
    with pytest.raises(ValueError, match=f"cannot-link {message}"):
        PairwiseConstraints(5, must, cannot, index=index)


def test_many_contradictions_are_counted_and_few_are_shown():
    chain = [(i, i + 1) for i in range(9)]
    pairs = [(i, j) for i in range(4) for j in range(4, 6)]
    with pytest.raises(ValueError, match="And 3 more") as caught:
        PairwiseConstraints(10, chain, pairs)
    assert str(caught.value).count("cannot-link") == 5


@given(SEEDS)
def test_certain_constraints_are_refused_exactly_when_some_chain_contradicts(seed):
    rng = np.random.default_rng(seed)
    pairs = random_pairs(N, 8, rng)
    must, cannot = pairs[:6], pairs[6:]
    groups = PairwiseConstraints(N, must).components()
    if np.any(groups[cannot[:, 0]] == groups[cannot[:, 1]]):
        with pytest.raises(ValueError, match="contradiction"):
            PairwiseConstraints(N, must, cannot)
    else:
        assert len(PairwiseConstraints(N, must, cannot)) == 8


@pytest.mark.parametrize(
    ("must", "cannot", "implied"),
    [([0.5, 0.5], [0.5], []), ([1.0, 1.0], [0.9], ["must 0, 2"]), ([1.0, 0.9], [1.0], ["cannot 1, 2"])],
)
def test_soft_constraints_may_contradict(must, cannot, implied):
    kept = PairwiseConstraints(3, [(0, 1), (1, 2)], [(0, 2)], must, cannot)
    before, after = as_sets(kept), as_sets(kept.closure())
    new = [f"{kind} {i}, {j}" for kind, a, b in zip(("must", "cannot"), before, after) for i, j in b - a]
    assert new == implied
    assert all(a <= b for a, b in zip(before, after))


# ---------------------------------------------------------------- storage


def test_order_and_repetition_of_pairs_do_not_matter():
    constraints = PairwiseConstraints(4, [(2, 0), (0, 2), (3, 1)], must_link_weights=[0.4, 0.8, 0.5])
    assert constraints.must_link.tolist() == [[0, 2], [1, 3]]
    assert constraints.must_link_weights.tolist() == [0.8, 0.5]
    assert repr(constraints) == "PairwiseConstraints(n_objects=4, 2 must-links, 0 cannot-links)"
    assert constraints.constrained.all()


def test_given_arrays_are_not_changed():
    pairs = np.array([[2, 0], [1, 0]])
    PairwiseConstraints(3, pairs)
    assert pairs.tolist() == [[2, 0], [1, 0]]


# ---------------------------------------------------------------- names

ANIMALS = ["ant", "bee", "cat", "dog", "eel"]


@pytest.mark.parametrize(
    "pairs",
    [
        [("dog", "ant"), ("bee", "cat")],
        np.array([["dog", "ant"], ["bee", "cat"]]),
        pd.DataFrame({"first": ["dog", "bee"], "second": ["ant", "cat"]}),
        {("dog", "ant"), ("bee", "cat")},
        [(3, "ant"), (1, 2)],  # rows, since names are not numbers
    ],
    ids=["list", "array", "frame", "set", "rows"],
)
def test_pairs_by_name_are_pairs_of_rows(pairs):
    constraints = PairwiseConstraints(5, pairs, index=ANIMALS)
    assert constraints.must_link.tolist() == [[0, 3], [1, 2]]
    assert constraints.to_frame()["first"].tolist() == ["ant", "bee"]
    assert constraints.to_frame()["second"].tolist() == ["dog", "cat"]


def test_integers_are_names_where_names_are_numbers():
    """As after rows 1 and 3 of a table were dropped."""
    constraints = PairwiseConstraints(3, [(0, 4)], [(2, 4)], index=[0, 2, 4])
    assert as_sets(constraints) == ({(0, 2)}, {(1, 2)})
    with pytest.raises(ValueError, match=r"the name of an object \(0, 2, 4\), got 1 in must_link"):
        PairwiseConstraints(3, [(0, 1)], index=[0, 2, 4])


def test_derived_constraints_keep_the_names():
    must, cannot = [(40, 30), (30, 10)], [(10, 20)]
    constraints = PairwiseConstraints(4, must, cannot, [1, 1], [0.5], index=[40, 30, 20, 10])
    copies = copy.deepcopy(constraints), pickle.loads(pickle.dumps(constraints))
    for again in (*copies, constraints.closure(), constraints.violated([0, 0, 1, 1])):
        assert again.index.tolist() == [40, 30, 20, 10]
        with pytest.raises(ValueError, match="read-only"):
            again.must_link[0, 0] = 1
    assert as_sets(copies[1]) == as_sets(constraints)
    assert as_sets(constraints.closure()) == ({(0, 1), (1, 3), (0, 3)}, {(2, 3)})
    violated = constraints.violated([0, 0, 1, 1]).to_frame()
    assert violated.to_dict("list") == {
        "constraint": ["must-link", "cannot-link"],
        "first": [30, 20],
        "second": [10, 10],
        "weight": [1.0, 0.5],
    }


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("ant", "emu")], r"the name of an object \('ant', 'bee', 'cat', \.\.\.\), got 'emu' in must_link"),
        ([("ant", 5)], r"an object in 0\.\.4, got 5 in must_link"),
        ([("ant", ["bee"])], "in must_link"),
        (["ab"], "pairs of objects in must_link, got 'ab'"),
        ([("ant", "bee", "cat")], "pairs of objects in must_link"),
        ([0, 1], "pairs of objects in must_link, got 0"),
        ("ant", "must_link as an array, got 'ant'"),
        (np.array(5), "must_link as an array"),
        ([("ant", "ant")], "pairs of different objects"),
    ],
)
def test_pairs_of_no_objects_are_refused(pairs, message):
    with pytest.raises(ValueError, match=message):
        PairwiseConstraints(5, pairs, index=ANIMALS)


# ---------------------------------------------------------------- random pairs


@given(SEEDS, st.integers(2, 60), st.floats(0, 1))
def test_random_pairs_are_different_pairs_of_different_objects(seed, n, share):
    total = n * (n - 1) // 2
    size = round(share * total)
    pairs = random_pairs(n, size, np.random.default_rng(seed))
    assert pairs.shape == (size, 2)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert pairs.min(initial=0) >= 0
    assert pairs.max(initial=0) < n
    assert len(np.unique(pairs, axis=0)) == size


@pytest.mark.parametrize("n", [2, 3, 150])
def test_all_pairs_can_be_drawn(n):
    pairs = random_pairs(n, n * (n - 1) // 2, np.random.default_rng(0))
    expected = np.column_stack(np.triu_indices(n, 1))
    np.testing.assert_array_equal(np.unique(pairs, axis=0), expected)


def test_pairs_are_uniform():
    """Chi-square over the 45 pairs of 10 objects, 1000 draws of 9 each, on a fixed seed."""
    rng = np.random.default_rng(0)
    drawn = np.vstack([random_pairs(10, 9, rng) for _ in range(1000)])
    counts = np.bincount(drawn[:, 0] * 10 + drawn[:, 1])
    counts = counts[counts > 0]
    assert len(counts) == 45
    # without replacement within a draw the variance is 4/5 of the multinomial's: mean 35, spread under 8.4
    assert np.sum((counts - 200) ** 2 / 200) < 44 + 3 * np.sqrt(88)


@pytest.mark.parametrize("j", [2, 10**4, 2**27 + 1, 2**29 - 1, 2**30 - 1])
def test_pairs_are_right_where_roots_round(j):
    """The first and the last pair of j have the ranks j (j - 1) / 2 and j - 1 later, for any j."""

    class Ranks:
        def choice(self, total, size, replace):
            return np.array([j * (j - 1) // 2, j * (j - 1) // 2 + j - 1])

    assert random_pairs(j + 1, 2, Ranks()).tolist() == [[0, j], [j - 1, j]]


@pytest.mark.parametrize(
    ("n", "size", "rng", "message"),
    [
        *((n, size, np.random.default_rng(0), "0 <= size") for n, size in [(3, 4), (3, -1), (1, 1), (0, 1)]),
        (5, 2.0, None, "an integer size"),
        (5, 2, 7, "rng as"),
        (5, 2, None, "rng as"),
    ],
)
def test_wrong_arguments_of_random_pairs_are_refused(n, size, rng, message):
    with pytest.raises(ValueError, match=f"expected {message}"):
        random_pairs(n, size, rng)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"n_objects": 0}, "1 <= n_objects"),
        ({"n_objects": 2.5}, "integer n_objects"),
        ({"must_link": [(0, 4)]}, r"indices 0\.\.3 in must_link, got \[4\]"),
        ({"cannot_link": [(-1, 2)]}, r"indices 0\.\.3 in cannot_link, got \[-1\]"),
        ({"must_link": [(2, 2)]}, "2 with itself"),
        ({"must_link": [(0, 1, 2)]}, r"shape \(m, 2\), got \(1, 3\)"),
        ({"must_link": [0, 1]}, r"shape \(m, 2\), got \(2,\)"),
        ({"must_link": [(0.0, 1.0)]}, "integer indices"),
        ({"must_link": [(True, False)]}, "integer indices"),
        ({"must_link": [("ant", "bee")]}, "integer indices in must_link, .*a DataFrame with these names"),
        ({"must_link": [(0, 1)], "must_link_weights": [0.0]}, r"weights in \(0, 1\]"),
        ({"must_link": [(0, 1)], "must_link_weights": [1.5]}, r"weights in \(0, 1\]"),
        ({"must_link": [(0, 1)], "must_link_weights": [np.nan]}, r"weights in \(0, 1\]"),
        ({"cannot_link": [(0, 1)], "cannot_link_weights": [1.0, 1.0]}, r"shape \(1,\), got \(2,\)"),
        ({"cannot_link_weights": [1.0]}, r"shape \(0,\), got \(1,\)"),
        ({"must_link": 5}, "must_link as an array, got 5"),
        ({"must_link": "01"}, "must_link as an array, got '01'"),
        ({"must_link": np.array(5)}, r"shape \(m, 2\), got \(\)"),
        ({"must_link": [(0, 1), (2,)]}, "must_link as a regular array"),
        ({"must_link": [(0, 1)], "must_link_weights": ["a"]}, "numbers in must_link_weights"),
        ({"must_link": [(0, 1)], "must_link_weights": 0.5}, "must_link_weights as an array"),
    ],
)
def test_bad_input_is_refused(kwargs, message):
    with pytest.raises(ValueError, match=message):
        PairwiseConstraints(**{"n_objects": 4, **kwargs})


@pytest.mark.parametrize(
    ("labels", "pairs", "message"),
    [
        ([0, 1], [(0, 2)], "indices 0..1 in pairs"),
        ([0, 1], [(0.5, 1.0)], "integer indices in pairs"),
        ([[0, 1]], [(0, 1)], r"labels of shape \(n,\)"),
        ([np.nan, np.nan, 0], [(1, 2)], r"other than NaN .*NaN for \[1\]"),
    ],
)
def test_labels_refuse_bad_pairs(labels, pairs, message):
    with pytest.raises(ValueError, match=message):
        PairwiseConstraints.from_labels(labels, pairs)


def test_objects_outside_the_pairs_need_no_label():
    assert len(PairwiseConstraints.from_labels([0.0, 0.0, np.nan], [(0, 1)]).must_link) == 1


@pytest.mark.parametrize(
    "pairs",
    [
        {(0, 1), (3, 2)},
        zip([0, 3], [1, 2]),
        pd.DataFrame({"one": [0, 2], "other": [1, 3]}),
        pd.DataFrame({"one": [0, 2], "other": [1, 3]}, dtype="Int64"),
    ],
)
def test_pairs_may_come_in_any_collection(pairs):
    assert PairwiseConstraints(4, must_link=pairs).must_link.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    "again",
    [lambda same: same, copy.copy, copy.deepcopy, lambda pairs: pickle.loads(pickle.dumps(pairs))],
    ids=["given", "copy", "deepcopy", "pickle"],
)
def test_checked_pairs_cannot_be_changed(again):
    original = PairwiseConstraints(4, [(0, 1)], [(1, 2), (0, 3)], [0.5], [1.0, 0.25])
    constraints = again(original)
    assert constraints.n_objects == 4
    for name in ("must_link", "cannot_link", "must_link_weights", "cannot_link_weights"):
        array = getattr(constraints, name)
        np.testing.assert_array_equal(array, getattr(original, name))
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 2


def test_violated_refuses_labels_of_another_length():
    with pytest.raises(ValueError, match=r"labels of shape \(3,\), got \(2,\)"):
        PairwiseConstraints(3, [(0, 1)]).violated([0, 1])


# ---------------------------------------------------------------- neighbours of linked objects


def nearest_of(X, k):
    return NearestNeighbors(n_neighbors=k).fit(X).kneighbors()[::-1]


def test_expanded_constraints_are_those_of_the_nearest_pairs():
    """By comparing all pairs of near objects, one by one."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    neighbors, distances = nearest_of(X, 4)
    given = PairwiseConstraints(40, [(0, 1), (5, 9)], [(2, 3)], [0.5, 1.0], [0.7])
    found = given.expanded(neighbors, distances)
    for kind in ("must_link", "cannot_link"):
        expected = {}
        for (a, b), weight in zip(getattr(given, kind).tolist(), getattr(given, f"{kind}_weights")):
            near = [[(i, 0.0), *zip(neighbors[i].tolist(), distances[i])] for i in (a, b)]
            sums = sorted((d + e, i, j) for i, d in near[0] for j, e in near[1] if (i, j) != (a, b))
            for i, j in [(a, b), *((i, j) for _, i, j in sums[:4] if i != j)]:
                key = (min(i, j), max(i, j))
                expected[key] = max(weight, expected.get(key, 0.0))
        pairs = list(map(tuple, getattr(found, kind).tolist()))
        assert dict(zip(pairs, getattr(found, f"{kind}_weights"))) == expected


def test_expanded_constraints_of_separated_groups_are_right():
    X = np.concatenate([np.zeros(20), np.full(20, 9.0)])[:, None] + np.linspace(0, 1, 40)[:, None]
    y = np.repeat([0, 1], 20)
    found = PairwiseConstraints(40, [(3, 7)], [(0, 30)]).expanded(*nearest_of(X, 5))
    assert len(found.must_link) == len(found.cannot_link) == 6 and not len(found.violated(y))


@pytest.mark.parametrize(
    ("neighbors", "distances", "match"),
    [
        ([[1], [0]], [[1.0]], "shape"),
        ([[0], [0]], [[1.0], [1.0]], "object 0"),
        ([[2], [0]], [[1.0], [1.0]], r"0\.\.1"),
        ([[1], [0]], [[np.nan], [1.0]], "finite distances"),
        ([[1], [0]], [[-1.0], [1.0]], "finite distances"),
    ],
)
def test_wrong_neighbours_are_refused(neighbors, distances, match):
    with pytest.raises(ValueError, match=match):
        PairwiseConstraints(2, [(0, 1)]).expanded(neighbors, distances)
