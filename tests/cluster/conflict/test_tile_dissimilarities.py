"""Dissimilarities of tiles: right values, d0 of a sample, and files that leave nothing behind."""

import os

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from credalbench.cluster import TiledDissimilarities
from credalbench.cluster.conflict import tile_dissimilarities
from credalbench.cluster.conflict.tile_dissimilarities import filler, pair_storage, transformed_tiles
from credalbench.cluster.conflict.tile_graph import draw_tiles

X = np.random.default_rng(0).normal(size=(61, 3))
GRAPH = draw_tiles(61, 10, np.random.default_rng(1))
D = cdist(X, X)


def filled(data, metric, graph=GRAPH):
    out = np.empty(graph.offsets()[-1, 0], np.float32)
    filler(data, metric, graph)(slice(0, graph.n_groups), out)
    return out


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev", "seuclidean", "mahalanobis"])
def test_they_are_entries_of_the_full_matrix(metric):
    options = {"seuclidean": {"V": X.var(axis=0, ddof=1)}, "mahalanobis": {"VI": np.linalg.inv(np.cov(X.T))}}
    expected = cdist(X, X, metric, **options.get(metric, {}))[GRAPH.pairs()]
    np.testing.assert_allclose(filled(X, metric), expected, rtol=5e-7)  # sums of three in single precision


def test_a_matrix_and_a_function_of_two_groups_are_read_by_groups():
    expected = D[GRAPH.pairs()].astype(np.float32)
    np.testing.assert_array_equal(filled(D, "precomputed"), expected)
    asked = []

    def between(rows, columns):
        asked.append((len(rows), len(columns)))
        return D[np.ix_(rows, columns)]

    np.testing.assert_array_equal(filled(TiledDissimilarities(61, between), "precomputed"), expected)
    assert len(asked) == GRAPH.n_groups and max(rows * columns for rows, columns in asked) < 61


def test_chunks_and_threads_change_no_bit_and_d0_is_of_the_first(monkeypatch):
    whole, d0 = transformed_tiles(GRAPH, filler(X, "euclidean", GRAPH), lambda d: float(d.max()), 0.05)
    assert d0 == np.float32(D[GRAPH.pairs()].max())
    np.testing.assert_allclose(whole, 1 - 0.05 ** ((D[GRAPH.pairs()] / d0) ** 2), atol=1e-6)  # single
    monkeypatch.setattr(tile_dissimilarities, "PAIRS", 100)
    seen = []

    def choose(d):
        seen.append(len(d))
        return d0

    for in_threads in (False, True):
        parts, _ = transformed_tiles(
            GRAPH, filler(X, "euclidean", GRAPH), choose, 0.05, in_threads=in_threads
        )
        np.testing.assert_array_equal(parts, whole)
    assert max(seen) < len(whole) / 2


def test_a_file_is_as_good_as_memory_and_has_no_name(tmp_path):
    in_memory, _ = transformed_tiles(GRAPH, filler(X, "euclidean", GRAPH), lambda d: 2.0, 0.05)
    in_file, _ = transformed_tiles(GRAPH, filler(X, "euclidean", GRAPH), lambda d: 2.0, 0.05, folder=tmp_path)
    assert isinstance(in_file, np.memmap)
    np.testing.assert_array_equal(in_file, in_memory)
    assert list(tmp_path.iterdir()) == []


def test_an_error_on_the_way_leaves_no_file(tmp_path):
    def fails(groups, out):
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        transformed_tiles(GRAPH, fails, lambda d: 1.0, 0.05, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_found_before_the_work(tmp_path, monkeypatch):
    with pytest.raises(OSError, match=r"expected .* GiB of free space in .* for 1\d* dissimilarities, got"):
        pair_storage(10**17, np.dtype(np.float32), tmp_path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)  # others filled it in the meantime
    with pytest.raises(OSError, match="a smaller n_pairs needs less"):
        pair_storage(1000, np.dtype(np.float32), tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        pair_storage(10, np.dtype(np.float32), tmp_path / "none")


def test_bytes_are_the_nearest_multiples(tmp_path):
    fill = filler(X, "euclidean", GRAPH)
    single, d0 = transformed_tiles(GRAPH, fill, lambda d: 2.0, 0.05)
    for folder in (None, tmp_path):
        kept, same_d0 = transformed_tiles(GRAPH, fill, lambda d: 2.0, 0.05, precision="byte", folder=folder)
        assert kept.dtype == np.uint8 and same_d0 == d0
        np.testing.assert_array_equal(kept, np.rint(255 * single.astype(float)))
    assert list(tmp_path.iterdir()) == []
