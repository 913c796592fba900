"""The delta-Bel graph: literal oracle, R's numbers, laws, the choice of peaks, degenerate and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from credalbench.cluster import DeltaBelGraph, delta_bel
from credalbench.cluster.neighbours import belief_peaks
from credalbench.datasets import load
from tests.oracles import bpec as literal

ROUNDING = 1e-12  # sums of up to n terms of order one, and the project's bound
seeds = st.integers(0, 2**32 - 1)


def places(rng, n, integers):
    """Objects (n, p), on a small grid with many ties and duplicates or nowhere twice."""
    p = rng.integers(1, 4)
    return rng.integers(0, 4, (n, p)).astype(float) if integers else rng.normal(size=(n, p))


def distances_of(X):
    return squareform(pdist(X))


def agree(graph, expected):
    np.testing.assert_allclose(graph.belief, expected[0], atol=ROUNDING)
    np.testing.assert_allclose(graph.delta, expected[1], atol=ROUNDING)


# ---------------------------------------------------------------- oracles


@given(seeds, st.booleans(), st.sampled_from([0.3, 0.9, 1.0]))
def test_graph_of_dissimilarities_is_the_literal_one_ties_included(seed, integers, q):
    rng = np.random.default_rng(seed)
    D = distances_of(places(rng, rng.integers(2, 30), integers))
    K = int(rng.integers(1, len(D)))
    agree(delta_bel(D, K, q=q, metric="precomputed"), literal.delta_bel(D, K, q))


@given(seeds, st.booleans())
def test_graph_of_attributes_is_the_literal_one_whatever_the_blocks(seed, integers):
    """With ties all others are neighbours: which of equally far ones were taken would be arbitrary."""
    rng = np.random.default_rng(seed)
    X = places(rng, rng.integers(2, 40), integers)
    K = len(X) - 1 if integers else int(rng.integers(1, len(X)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief_peaks, "LEAF", int(rng.integers(1, 10)))
        patch.setattr(belief_peaks, "ROWS", int(rng.integers(1, 20)))
        agree(delta_bel(X, K), literal.delta_bel(distances_of(X), K, 0.9))


@given(seeds)
def test_nearest_object_before_others_is_the_literal_one(seed):
    """Many objects with nothing nearer by belief: all blocks and trees are used."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    X = places(rng, n, integers=False)
    some = np.sort(rng.choice(np.arange(1, n), rng.integers(1, n), replace=False))
    D = distances_of(X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief_peaks, "LEAF", int(rng.integers(1, 20)))
        found = belief_peaks.nearest_before(X, some)
    np.testing.assert_allclose(found, [D[i, :i].min() for i in some], rtol=ROUNDING)


def test_fourclass_agrees_with_the_r_package(oracle):
    r = oracle("delta_bel_fourclass")
    X = load("fourclass").X
    given = delta_bel(distances_of(X), r["K"], q=r["q"], metric="precomputed")
    for graph in (delta_bel(X, r["K"], q=r["q"]), given):
        agree(graph, (r["BelC"], r["delta"]))
        peaks = np.sort(graph.peaks_beyond(*r["corner"]))
        np.testing.assert_array_equal(peaks + 1, r["ii_1based"])
        np.testing.assert_allclose(X[peaks], r["g0"], atol=ROUNDING)


# ---------------------------------------------------------------- laws


@given(seeds)
def test_order_of_the_rows_does_not_matter_where_no_two_distances_are_equal(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 2))
    order = rng.permutation(25)
    first, again = delta_bel(X, 5), delta_bel(X[order], 5)
    agree(again, (first.belief[order], first.delta[order]))
    np.testing.assert_array_equal(order[again.peaks(3)], first.peaks(3))


@pytest.mark.parametrize("unit", [1e-90, 1e-3, 7.0, 1e40])
def test_the_unit_of_the_data_is_that_of_delta_and_changes_nothing_else(unit):
    X = np.random.default_rng(0).normal(size=(60, 2))
    graph = delta_bel(X)
    for scaled in (delta_bel(X * unit), delta_bel(distances_of(X) * unit, metric="precomputed")):
        agree(scaled._replace(delta=scaled.delta / unit), graph)
        np.testing.assert_array_equal(scaled.peaks(4), graph.peaks(4))


def test_a_far_object_has_no_belief():
    """Its neighbours have scales of their own, so that it is not the centre of anything."""
    X = np.vstack([np.random.default_rng(0).normal(size=(40, 2)), [[50.0, 50.0]]])
    graph = delta_bel(X)
    assert graph.belief[40] < 1e-10
    assert graph.delta[40] > 40
    assert 40 not in graph.peaks(2)


# ---------------------------------------------------------------- peaks


def groups(c, n=40, apart=12.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(c * n, 2)) + apart * np.repeat(np.arange(c), n)[:, None]


@pytest.mark.parametrize(("c", "n"), [(1, 300), (2, 40), (3, 40), (5, 40)])
def test_rule_finds_the_number_of_far_groups(c, n):
    peaks = delta_bel(groups(c, n)).peaks()
    assert sorted(peaks // n) == list(range(c))


@pytest.mark.parametrize("p", [2, 5])
@pytest.mark.parametrize("distances", [False, True])
def test_two_groups_of_different_density_and_far_objects_are_two(p, distances):
    """The isolation compares an object with its own neighbours; in the dense group deltas are small."""
    rng = np.random.default_rng(p)
    dense, wide = 0.1 * rng.normal(size=(60, p)), 9 + rng.normal(size=(200, p))
    X = np.vstack([dense, wide, [[900.0] * p, [-700.0] * p]])
    given = {"metric": "precomputed"} if distances else {}
    graph = delta_bel(distances_of(X) if distances else X, **given)
    assert sorted(graph.peaks() >= 60) == [False, True]
    assert graph.peaks().max() < 260


def test_peaks_are_isolated_or_of_largest_belief():
    graph = DeltaBelGraph(np.array([0.5, 0.4, 0.3, 0.2]), np.full(4, 2.0), np.array([0.1, 1.4, 1.5, np.inf]))
    np.testing.assert_array_equal(graph.peaks(), [0, 2, 3])


def test_a_drop_is_the_share_by_which_the_prominence_falls():
    belief, delta = np.full(6, 0.5), np.array([8.0, 8.0, 6.0, 2.9, 2.8, 2.0])
    graph = DeltaBelGraph(belief, delta, np.zeros(6))
    drops = [graph.drop(c) for c in range(1, 7)]
    # the first alone says nothing; of all six nothing is left
    np.testing.assert_allclose(drops, [0.5, 0.25, 1 - 2.9 / 6, 1 - 2.8 / 2.9, 1 - 2.0 / 2.8, 0.0], rtol=1e-12)


def test_peaks_are_ordered_by_prominence():
    graph = delta_bel(groups(3))
    prominence = graph.belief * graph.delta
    for peaks in (graph.peaks(7), graph.peaks_beyond(0.5, 0.1)):
        assert (np.diff(prominence[peaks]) <= 0).all()
    np.testing.assert_array_equal(graph.peaks(7), np.argsort(-prominence)[:7])


# ---------------------------------------------------------------- degenerate and bad input


def test_duplicates_make_one_peak():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]], 30, axis=0)
    graph = delta_bel(X, 10)
    np.testing.assert_array_equal(np.sort(graph.peaks()), [0, 30, 60])
    assert np.isfinite(graph.belief).all()
    assert np.count_nonzero(graph.delta) == 3


def test_objects_at_one_place_have_one_peak():
    graph = delta_bel(np.ones((5, 2)))
    np.testing.assert_array_equal(graph.delta, 0)
    np.testing.assert_array_equal(graph.peaks(), [0])
    with pytest.raises(ValueError, match="n_clusters <= number of different places = 1, got 2"):
        graph.peaks(2)


def test_two_objects():
    graph = delta_bel([[0.0], [2.0]])
    np.testing.assert_array_equal(graph.delta, [2.0, 2.0])
    np.testing.assert_array_equal(graph.peaks(), [0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_neighbors": 30}, "1 <= n_neighbors <= n_samples - 1 = 29, got 30"),
        ({"n_neighbors": 0}, "1 <= n_neighbors"),
        ({"q": 0.0}, "finite q > 0"),
        ({"q": 1.5}, "q <= 1"),
        ({"metric": "manhattan"}, "metric to be one of"),
        ({"metric": "precomputed"}, "a square matrix of dissimilarities"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        delta_bel(np.random.default_rng(0).normal(size=(30, 2)), **arguments)


def test_bad_data_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        delta_bel([[0.0], [np.nan], [1.0]])
    with pytest.raises(ValueError, match="symmetric matrix"):
        delta_bel([[0.0, 1.0], [2.0, 0.0]], metric="precomputed")
    with pytest.raises(ValueError, match="at least 2"):
        delta_bel([[0.0]], metric="precomputed")


def test_empty_rectangle_is_refused_with_the_largest_values():
    graph = DeltaBelGraph(np.array([0.5, 0.2]), np.array([3.0, 3.0]), np.zeros(2))
    with pytest.raises(ValueError, match=r"least_delta = 4 and belief > least_belief = 0\.1.*are 3 and 0\.5"):
        graph.peaks_beyond(4.0, 0.1)
