"""Input that nobody means: refused by a clear error, or read as it stands."""

import os

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform

from credalbench.baselines import KModes
from credalbench.belief import CredalPartition, FocalSets, read_credpart
from credalbench.belief.relational import pair_matrices
from credalbench.belief.relations import composition, strongest_path, t_norm, transitive_closure
from credalbench.cluster import CatECM
from credalbench.cluster.inputs import dissimilarities
from credalbench.core.categories import place_values, read_table
from credalbench.core.progress import Cancelled, Progress, listen
from credalbench.datasets.stand_ins import time_warping
from credalbench.metrics import partition_coefficient, xie_beni
from credalbench.select import select_n_clusters
from credalbench.tables import gower_dissimilarities, read_user_table


@pytest.mark.parametrize("estimator", ["x", None, 3, CatECM, object()])
def test_the_number_of_clusters_of_no_estimator_is_refused(estimator):
    with pytest.raises(ValueError, match=r"expected an estimator, such as ECM\(\), got"):
        select_n_clusters(estimator, np.zeros((9, 2)), [2, 3])


@pytest.mark.parametrize("degree", [np.nan, 5.0, -1.0, np.inf])
def test_a_composition_of_no_degrees_is_refused(degree):
    for R, Q in (([[degree, 1]], [[1], [0.5]]), ([[1, 1]], [[degree], [0.5]])):
        with pytest.raises(ValueError, match=r"expected degrees in \[0, 1\] in [RQ], got"):
            composition(R, Q)


I = 1 + 1j
COMPLEX = {
    "composition": lambda: composition([[1j, 1]], [[1], [0.5]]),
    "closure": lambda: transitive_closure(np.eye(2) * I),
    "path": lambda: strongest_path(np.eye(2) * I, 0, 1),
    "t-norm": lambda: t_norm("product")(0.5 * I, 0.5),
    "masses": lambda: CredalPartition(np.array([[I, 0, 0, 0]]), FocalSets.simple(2)),
    "memberships": lambda: CredalPartition.from_fuzzy([[I, 0]]),
    "possibilities": lambda: CredalPartition.from_possibilistic([[I, 0]]),
    "attributes": lambda: CredalPartition.from_labels([0, 1]).explain(0, [[I], [2]]),
    "coefficient": lambda: partition_coefficient([[I, 0], [0, 1]]),
    "Xie and Beni": lambda: xie_beni([[1, 0], [0, 1]], np.eye(2) * I, np.eye(2)),
    "values": lambda: place_values([["a"], ["b"]], np.array([[I], [0]])),
    "warping": lambda: time_warping(np.full((2, 2, 2), I)),
    "Gower": lambda: gower_dissimilarities(np.array([[I], [2]])),
    "table": lambda: read_user_table(np.array([[I, 2], [2, 3], [3, 4]])),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_no_imaginary_part_is_dropped(name):
    with pytest.raises((ValueError, TypeError), match=r"expected .*complex"):
        COMPLEX[name]()


def test_floats_of_two_precisions_are_two_values():
    X = [[0.1, "a"], [np.float32(0.1), "b"], [0.5, "a"], [0.1, "b"]]
    codes, domain = read_table(pd.DataFrame(X, dtype=object))
    assert codes[:, 0].tolist() == [0, 1, 2, 0] and domain.categories[0].tolist()[0] == 0.1
    for clusterer in (KModes(2, random_state=0), CatECM(2, random_state=0)):
        fit = clusterer.fit(X)
        np.testing.assert_array_equal(fit.predict(X), fit.labels_)


def test_no_flipped_bit_loses_names(tmp_path):
    partition = CredalPartition.from_labels([0, 1]).named(["ash", "elm"])
    contents = bytearray(partition.save(tmp_path / "own.npz").read_bytes())
    for place in range(contents.index(b"PK\x01\x02"), len(contents)):
        for bit in range(8):
            contents[place] ^= 1 << bit
            (tmp_path / "flipped.npz").write_bytes(contents)
            contents[place] ^= 1 << bit
            try:
                found = CredalPartition.load(tmp_path / "flipped.npz")
            except ValueError:
                continue
            assert found == partition, (place, bit)


def test_a_pipe_and_a_name_of_thousands_of_characters_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    for read in (CredalPartition.load, read_credpart, read_user_table):
        with pytest.raises(ValueError, match=r"expected a (readable |regular )?file"):
            read(tmp_path / "pipe.npz")
    with pytest.raises(FileNotFoundError):
        CredalPartition.load("x" * 5000)


def test_too_many_focal_sets_are_refused_before_their_matrices(monkeypatch):
    monkeypatch.setattr(np, "diag", None)  # of 2 GiB
    with pytest.raises(ValueError, match="expected at most 8192 focal sets"):
        pair_matrices(FocalSets.full(14))


def test_distances_are_computed_in_pieces_that_can_be_stopped(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 3)) * [1, 1e-3, 1e5]
    monkeypatch.setattr("credalbench.core.kernels.PIECE", 1e4)
    np.testing.assert_array_equal(dissimilarities.euclidean_distances(X), squareform(pdist(X)))
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled), listen(progress):
        dissimilarities.euclidean_distances(X)


@pytest.mark.parametrize("scale", [1e200, 1e300, 1e307, 1e-200])
def test_very_large_and_small_numbers_raise_no_warning(scale):  # a RuntimeWarning is an error in tests
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(12, 2)), rng.normal(size=(12, 2)) + 9]
    whole = np.round(X)
    expected = select_n_clusters(KModes(random_state=0), whole, [2, 3]).table["value"]
    found = select_n_clusters(KModes(random_state=0), whole * scale, [2, 3]).table["value"]
    np.testing.assert_allclose(found, expected, rtol=1e-6)  # distances from squares lose half the digits
    table, same = (read_user_table(one, standardize=True) for one in (X * scale, X))
    np.testing.assert_allclose(table.X, same.X, rtol=1e-9)  # rounding of the products
    D = np.abs(X[:, :1] - X[:, 0])
    np.testing.assert_allclose(read_user_table(D * scale).D, D * scale)
    with pytest.raises(ValueError, match="expected memberships of at least 0 that sum to 1"):
        partition_coefficient(np.abs(X) * scale)
