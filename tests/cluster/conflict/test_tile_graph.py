"""Drawing tiles: sizes, cyclic orders, colours, connection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from credalbench.cluster.conflict.tile_graph import ORDERS, draw_tiles


@st.composite
def graphs(draw):
    n = draw(st.integers(4, 300))
    k = draw(st.integers(1, (n - 2) // 2))
    s = draw(st.integers(1, 8))
    return n, k, s, draw_tiles(n, k, np.random.default_rng(draw(st.integers(0, 1000))), s)


@given(graphs())
def test_groups_hold_every_object_once_and_differ_by_at_most_one(case):
    n, k, s, graph = case
    assert graph.n_objects == n
    np.testing.assert_array_equal(np.sort(graph.order), np.arange(n))
    sizes = np.diff(graph.edges)
    assert sizes.min() >= 1 and np.ptp(sizes) <= 1
    assert graph.n_groups == round(n * min(s, k) / k)


@given(graphs())
def test_every_order_is_one_cycle_through_all_groups(case):
    _, _, _, graph = case
    for following, preceding in zip(graph.successors.T, graph.predecessors.T):
        np.testing.assert_array_equal(preceding[following], np.arange(graph.n_groups))
        group, seen = 0, set()
        while group not in seen:
            seen.add(group)
            group = int(following[group])
        assert len(seen) == graph.n_groups


@given(graphs())
def test_groups_of_one_colour_are_never_neighbours(case):
    _, _, s, graph = case
    assert graph.colours[0] == 0 and graph.colours[-1] == graph.n_groups
    colour = np.repeat(np.arange(len(graph.colours) - 1), np.diff(graph.colours))
    assert (colour[:, None] != colour[graph.successors]).all()
    assert (colour[:, None] != colour[graph.predecessors]).all()
    assert colour.max() <= 2 * s


@given(graphs())
def test_pairs_are_those_of_groups_with_their_successors(case):
    n, k, s, graph = case
    i, j = graph.pairs()
    assert len(i) == graph.offsets()[-1, 0]
    assert (i != j).all()
    group = np.empty(n, int)
    group[graph.order] = np.repeat(np.arange(graph.n_groups), np.diff(graph.edges))
    joined = (graph.successors[group[i]] == group[j][:, None]).any(axis=1)
    assert joined.all()
    drawn = np.bincount(i, minlength=n)
    least, most = np.diff(graph.edges).min(), np.diff(graph.edges).max()
    assert (drawn >= min(s, k) * least).all() and (drawn <= min(s, k) * most).all()
    assert connected_components(coo_array((np.ones(len(i)), (i, j)), shape=(n, n)))[0] == 1


def test_k_partners_are_drawn_on_average():
    graph = draw_tiles(10_007, 50, np.random.default_rng(0))
    assert graph.successors.shape[1] == ORDERS
    assert graph.offsets()[-1, 0] / 10_007 == pytest.approx(50, rel=0.01)  # rounding of the group size


def test_a_union_of_orders_mixes():
    """Its second eigenvalue is near that of a random regular graph, 2 sqrt(r - 1) / r; a ring's is near 1."""
    seconds = {}
    for s in (1, 4):
        graph = draw_tiles(2000, 5 * s, np.random.default_rng(0), s)
        W = np.zeros((graph.n_groups, graph.n_groups))
        for side in (graph.successors, graph.predecessors):
            for mine in side.T:
                W[np.arange(graph.n_groups), mine] += 0.5 / s
        seconds[s] = np.sort(np.linalg.eigvalsh(W))[-2]
    assert seconds[1] > 0.999
    assert seconds[4] == pytest.approx(2 * np.sqrt(7) / 8, abs=0.05)  # a random graph of 400 groups


@pytest.mark.parametrize(("n", "k", "s"), [(10, 0, 4), (10, 5, 4), (3, 1, 1), (10, 2, 0)])
def test_numbers_out_of_range_are_refused(n, k, s):
    with pytest.raises(ValueError, match="expected"):
        draw_tiles(n, k, np.random.default_rng(0), s)
