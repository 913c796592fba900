"""Dissimilarities: which matrices are accepted, repaired and refused; those of a function of two groups."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone

from credalbench.cluster import EVCLUS, MECM, RECM, ECMdd, EKNNclus, MultiViewECM, TiledDissimilarities
from credalbench.cluster.inputs.dissimilarities import as_dissimilarities, dissimilarity_matrix, non_negative

X = np.random.default_rng(0).normal(size=(7, 3))
D = squareform(pdist(X))


def spoiled(i, j, value):
    matrix = D.copy()
    matrix[i, j] = value
    return matrix


def test_a_clean_matrix_is_returned_as_it_is():
    assert as_dissimilarities(D) is D


def test_rounding_is_removed():
    noise = 1e-12 * np.random.default_rng(1).normal(size=D.shape)
    clean = as_dissimilarities(D + noise)
    np.testing.assert_array_equal(clean, clean.T)
    np.testing.assert_array_equal(np.diag(clean), 0)
    assert (clean >= 0).all()
    np.testing.assert_allclose(clean, D, atol=1e-11)  # ten times the noise


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (X, "square"),
        (D[0], "square"),
        (spoiled(1, 2, np.nan), r"finite.*\[1, 2\]"),
        (spoiled(1, 2, np.inf), "finite"),
        (spoiled(2, 1, -0.1), r"non-negative.*-0.1 at \[2, 1\]"),
        (spoiled(3, 3, 0.5), "zero diagonal.*0.5"),
        (spoiled(3, 3, -1e-3), "non-negative"),
        (spoiled(0, 4, 99.0), r"symmetric.*99 at \[0, 4\].*symmetrize"),
    ],
)
def test_what_is_no_matrix_of_dissimilarities_is_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        as_dissimilarities(matrix)


def test_asymmetry_is_averaged_on_request():
    matrix = spoiled(0, 4, 99.0)
    np.testing.assert_array_equal(as_dissimilarities(matrix, symmetrize=True), (matrix + matrix.T) / 2)


def cosines(u, v):
    """Cosine distances of two groups of vectors in single precision: the diagonal is not exactly 0."""
    return 1 - u @ v.T


GROUPS = np.random.default_rng(3).normal(size=(40, 64)) + np.repeat(np.eye(64)[[0, 5]] * 20, 20, axis=0)
VECTORS = (GROUPS / np.linalg.norm(GROUPS, axis=1, keepdims=True)).astype(np.float32)
SINGLE = cosines(VECTORS, VECTORS)


@pytest.mark.parametrize("symmetrize", [False, True])
@pytest.mark.parametrize("given", [SINGLE, SINGLE.astype(float), pd.DataFrame(SINGLE)], ids=lambda D: type(D))
@pytest.mark.parametrize("model", [EVCLUS(2), RECM(2), MECM(2), ECMdd(2), EKNNclus(2)], ids=repr)
def test_dissimilarities_in_single_precision_are_taken(model, given, symmetrize):
    assert SINGLE.min() < -1e-8 * SINGLE.max() and np.diag(SINGLE).any()
    model = clone(model).set_params(metric="precomputed", symmetrize=symmetrize, random_state=0)
    labels = model.fit(given).labels_
    assert len({*labels[:20]}) == len({*labels[20:]}) == 1 and labels[0] != labels[20]
    np.testing.assert_array_equal(model.predict(cosines(VECTORS[[3, 33]], VECTORS)), labels[[3, 33]])


def test_views_and_sampled_pairs_in_single_precision_are_taken():
    labels = EVCLUS(2, metric="precomputed", n_pairs=20, random_state=0).fit(SINGLE).labels_
    views = MultiViewECM(2, metric="precomputed", random_state=0).fit([SINGLE, SINGLE]).labels_
    for found in (labels, views):
        assert len({*found[:20]}) == len({*found[20:]}) == 1 and found[0] != found[20]


@pytest.mark.parametrize(("i", "j", "message"), [(3, 3, "zero diagonal"), (0, 5, "symmetric")])
def test_deviations_beyond_the_precision_are_errors(i, j, message):
    for matrix, deviation in ((SINGLE, 1e-3), (D, 1e-6)):
        spoilt = matrix.copy()
        spoilt[i, j] += deviation
        with pytest.raises(ValueError, match=message):
            as_dissimilarities(spoilt)


@pytest.mark.parametrize(
    ("metric", "name"), [("euclidean", "euclidean"), ("manhattan", "cityblock"), ("cosine", "cosine")]
)
def test_metrics_by_name(metric, name):
    matrix = dissimilarity_matrix(X, metric)
    np.testing.assert_allclose(matrix, squareform(pdist(X, name)), atol=1e-12)  # rounding
    np.testing.assert_array_equal(matrix, matrix.T)


def test_callable_and_precomputed_metrics():
    furthest = dissimilarity_matrix(X, lambda a, b: np.abs(a - b).max())
    np.testing.assert_array_equal(furthest, squareform(pdist(X, "chebyshev")))
    assert dissimilarity_matrix(D, "precomputed") is D


def test_duplicates_are_exactly_zero_apart():
    assert (dissimilarity_matrix(np.repeat(X, 2, axis=0))[::2, 1::2].diagonal() == 0).all()


def test_negative_dissimilarities_of_new_objects_are_rounding_or_named():
    assert (non_negative(np.array([[-1e-9, 1.0]])) == [[0.0, 1.0]]).all()
    assert (non_negative(np.zeros((2, 3))) == 0).all()
    for value in (-1.1e-8, -0.5):
        with pytest.raises(ValueError, match=rf"non-negative dissimilarities.*{value} at \[0, 1\]"):
            non_negative(np.array([[1.0, value, 0.0]]))


ROWS, COLUMNS = np.array([0, 1]), np.array([2, 3, 4])


def test_the_function_is_asked_for_the_two_groups():
    D = TiledDissimilarities(5, lambda rows, columns: np.abs(rows[:, None] - columns))
    assert D.shape == (5, 5) and len(D) == 5
    np.testing.assert_array_equal(D.between(ROWS, COLUMNS), [[2.0, 3.0, 4.0], [1.0, 2.0, 3.0]])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.ones((3, 2)), r"dissimilarities of shape \(2, 3\) from .*, got \(3, 2\)"),
        (np.ones(6), r"dissimilarities of shape \(2, 3\) from .*, got \(6,\)"),
        ([["a"] * 3] * 2, "numbers from"),
        (np.full((2, 3), np.nan), "finite dissimilarities"),
        (np.full((2, 3), -1.0), "non-negative dissimilarities"),
        (np.ones((2, 3), complex), "numbers from"),
    ],
)
def test_wrong_answers_are_refused(answer, message):
    with pytest.raises(ValueError, match=f"expected {message}"):
        TiledDissimilarities(5, lambda rows, columns: answer).between(ROWS, COLUMNS)


@pytest.mark.parametrize(("n", "function"), [(1, abs), (2.5, abs), (5, "abs"), (2**31, abs)])
def test_wrong_arguments_are_refused(n, function):
    with pytest.raises(ValueError, match="expected"):
        TiledDissimilarities(n, function)


def test_columns_that_are_no_objects_are_refused():
    D = TiledDissimilarities(5, lambda rows, columns: np.zeros((len(rows), len(columns))))
    with pytest.raises(ValueError, match=r"expected columns in 0\.\.4, got \(2, 5\)"):
        D.between(ROWS, np.array([2, 5]))
    with pytest.raises(ValueError, match="expected columns to be an array of object numbers"):
        D.between(ROWS, np.array([]))
