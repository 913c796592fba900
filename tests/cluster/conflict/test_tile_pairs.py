"""The stress over tiles and its sweep: literal oracles, descent, threads."""

from itertools import pairwise

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.conflict import tile_pairs
from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.conflict.tile_graph import draw_tiles
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.simplex.simplex_qp import kkt_residual
from tests.oracles import evclus as literal


def problem(seed, n=24, k=6, s=3, c=3, precision=np.float64):
    """Random planar points with their stress on tiles, focal sets and a start."""
    rng = np.random.default_rng(seed)
    graph = draw_tiles(n, k, rng, s)
    i, j = graph.pairs()
    X = rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2)
    delta = 1 - np.exp(-rng.uniform(0.1, 2) * np.sum((X[i] - X[j]) ** 2, axis=1))
    sets = (FocalSets.simple, FocalSets.pairs, FocalSets.full)[seed % 3](c)
    M = rng.dirichlet(np.ones(len(sets)), size=n)
    return TilePairs(graph, delta.astype(precision)), sets, M


def listed(stress):
    """For each object the partners drawn for it, and their dissimilarities."""
    i, j = stress.graph.pairs()
    rows = [np.flatnonzero(i == one) for one in range(stress.n_objects)]
    return [j[row] for row in rows], [stress.delta[row] for row in rows]


def test_stress_is_the_literal_sum_over_the_tiles():
    """[denoeux2016_evclus (22)] and [denoeux2016_evclus (23)]."""
    stress, sets, M = problem(0)
    expected = literal.sampled_stress(M, *listed(stress), sets.sets)
    assert stress.value(M, sets.conflict) == pytest.approx(expected, rel=1e-13)  # rounding of 144 terms


def test_gradient_is_that_of_the_value():
    stress, sets, M = problem(1)
    value, gradient = stress.value_and_gradient(M, sets.conflict)
    assert value == pytest.approx(stress.value(M, sets.conflict), rel=1e-13)  # rounding
    step = 1e-6
    for i, p in ((0, 0), (7, 2), (23, 1)):
        ahead, behind = M.copy(), M.copy()
        ahead[i, p] += step
        behind[i, p] -= step
        slope = (stress.value(ahead, sets.conflict) - stress.value(behind, sets.conflict)) / (2 * step)
        assert gradient[i, p] == pytest.approx(slope, abs=1e-8)  # of a quadratic: rounding over the step


@pytest.mark.parametrize("seed", range(3))
def test_a_sweep_solves_the_literal_programme_of_each_row_in_turn(seed):
    """[denoeux2016_evclus (20)], rows in the order of the groups, each with all pairs it occurs in."""
    stress, sets, M = problem(seed)
    C, graph = sets.conflict.copy(), stress.graph
    i, j = graph.pairs()
    swept, A = M.copy(), aligned_product(M, C)
    start = stress.value(M, C)
    value, _ = stress.sweep(swept, A, C, 1, start)
    now = M.copy()
    for one in graph.order:
        others = np.concatenate([j[i == one], i[j == one]])
        targets = np.concatenate([stress.delta[i == one], stress.delta[j == one]])
        G, a = literal.row_programme(now, one, others, targets, C)
        now[one] = swept[one]
        assert kkt_residual(G, a, now[one]) < 1e-8  # of the row programme
    assert value == pytest.approx(stress.value(swept, C), abs=1e-13)  # a sum of 24 falls: rounding
    np.testing.assert_allclose(A[:, : len(sets)], swept @ C, atol=1e-14)  # kept up to date: rounding


def test_the_running_sum_is_that_of_algorithm_1():
    """Each row's squared residuals, as they are when its turn is over: every pair counts twice."""
    stress, sets, M = problem(4)
    C = sets.conflict.copy()
    i, j = stress.graph.pairs()
    swept, now, expected = M.copy(), M.copy(), 0.0
    _, running = stress.sweep(swept, aligned_product(M, C), C, 1, 0.0)
    for one in stress.graph.order:
        now[one] = swept[one]
        own = (i == one) | (j == one)
        expected += np.sum((np.einsum("rf,fg,rg->r", now[i[own]], C, now[j[own]]) - stress.delta[own]) ** 2)
    assert running == pytest.approx(stress.eta * expected, rel=1e-10)  # rounding


def test_no_sweep_raises_the_stress_on_200_random_problems():
    rng = np.random.default_rng(0)
    for seed in range(200):
        n = int(rng.integers(8, 60))
        k = int(rng.integers(1, (n - 2) // 2 + 1))
        stress, sets, M = problem(seed, n, k, int(rng.integers(1, 6)), int(rng.integers(1, 5)), np.float32)
        C = sets.conflict.copy()
        A = aligned_product(M, C)
        values = [stress.value(M, C)]
        reported = values[0]
        for _ in range(6):
            reported, _ = stress.sweep(M, A, C, 1, reported)
            values.append(stress.value(M, C))
            assert reported == pytest.approx(values[-1], abs=1e-12)  # rounding of the falls
        assert all(after <= before + 1e-13 for before, after in pairwise(values))  # rounding


def test_number_of_threads_and_size_of_pieces_change_no_bit(monkeypatch):
    stress, sets, M = problem(3, n=400, k=20, s=4)
    C, results = sets.conflict.copy(), []
    for n_threads, piece in ((1, 1e8), (2, 1e5), (4, 1e5)):
        monkeypatch.setattr("credalbench.core.threads.get_num_threads", lambda n=n_threads: n)
        monkeypatch.setattr(tile_pairs, "PIECE", piece)
        swept, A = M.copy(), aligned_product(M, C)
        reported = [stress.sweep(swept, A, C, 1, 1.0) for _ in range(3)]
        results.append((swept.tobytes(), A.tobytes(), reported))
    assert results[0] == results[1] == results[2]


def test_masses_by_groups_are_the_same_masses():
    stress, sets, M = problem(2)
    C, graph = sets.conflict.copy(), stress.graph
    arranged = graph.arranged(M)
    np.testing.assert_array_equal(graph.restored(arranged), M)
    by_groups = stress.by_groups()
    assert by_groups.value(arranged, C) == stress.value(M, C)
    A, B = aligned_product(M, C), aligned_product(arranged, C)
    assert stress.sweep(M, A, C, 1, 0.0) == by_groups.sweep(arranged, B, C, 1, 0.0)
    np.testing.assert_array_equal(graph.restored(arranged), M)


def test_dissimilarities_of_zero_are_refused():
    stress, sets, M = problem(0)
    with pytest.raises(ValueError, match="positive dissimilarity"):
        TilePairs(stress.graph, np.zeros_like(stress.delta)).value(M, sets.conflict)
