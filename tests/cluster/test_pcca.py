"""PCCA: its loss and gradient, R's result, kernels, invariances, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from credalbench.cluster import ECM, PCCA
from credalbench.metrics import adjusted_rand


def literal_loss(L, X, must, cannot, beta=1.0):
    total = 0.0
    for pairs, sign in ((must, 1), (cannot, -1)):
        for i, j in pairs:
            difference = L @ (X[i] - X[j])
            total += np.log1p(np.exp(beta * sign * (difference @ difference - 1))) / beta
    return total


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    pairs = rng.permutation(30).reshape(15, 2)
    return X, pairs[:7], pairs[7:]


def test_the_loss_is_that_of_the_definition(problem):
    X, must, cannot = problem
    fit = PCCA(2, beta=3, random_state=0).fit(X, must_link=must, cannot_link=cannot)
    assert fit.loss_ == pytest.approx(literal_loss(fit.components_, X, must, cannot, 3), rel=1e-12)


def test_the_end_is_a_minimum(problem):
    X, must, cannot = problem
    fit = PCCA(3, random_state=0).fit(X, must_link=must, cannot_link=cannot)
    slopes = approx_fprime(
        fit.components_.ravel(), lambda flat: literal_loss(flat.reshape(3, 4), X, must, cannot), 1e-7
    )
    assert np.abs(slopes).max() < 1e-3


def test_full_rank_reaches_the_convex_minimum(problem):
    """With d = p the loss is convex in L'L, so every start ends at the same distances."""
    X, must, cannot = problem
    norms = [
        (fit := PCCA(4, n_init=1, random_state=seed).fit(X @ turn, must_link=must, cannot_link=cannot)).loss_
        for seed, turn in enumerate((np.eye(4), np.diag([1, -1, 1, -1]), np.eye(4)[[2, 0, 3, 1]]))
    ]
    assert np.ptp(norms) < 1e-8 * fit.loss_


def test_the_loss_is_no_higher_than_that_of_the_r_package(iris_of_r):
    X, must, cannot, found = iris_of_r
    ours = PCCA(2, random_state=0).fit(X, must_link=must, cannot_link=cannot)
    assert ours.loss_ <= literal_loss(found, X, must, cannot) + 1e-9


@pytest.fixture
def iris_of_r(oracle):
    stored = oracle("pcca_iris")
    X = load_iris().data
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    return X, np.array(stored["ML_1based"]) - 1, np.array(stored["CL_1based"]) - 1, np.array(stored["L"])


def test_a_weight_counts_as_often_as_its_pair(problem):
    X, must, cannot = problem
    half = PCCA(2, random_state=0).fit(
        X,
        must_link=must,
        cannot_link=cannot,
        must_link_weights=np.full(7, 0.5),
        cannot_link_weights=np.full(8, 0.5),
    )
    whole = PCCA(2, random_state=0).fit(X, must_link=must, cannot_link=cannot)
    assert_allclose(half.components_, whole.components_, rtol=1e-6, atol=1e-9)
    assert half.loss_ == pytest.approx(whole.loss_ / 2)


@pytest.mark.parametrize("unit", [1e-90, 1e-3, 1e6, 1e90])
def test_units_do_not_matter(problem, unit):
    X, must, cannot = problem
    fits = [PCCA(2, random_state=0).fit(u * X, must_link=must, cannot_link=cannot) for u in (1, unit)]
    assert_allclose(fits[1].transform(unit * X), fits[0].transform(X), rtol=1e-6, atol=1e-8)


def test_places_do_not_matter(problem):
    X, must, cannot = problem
    fits = [PCCA(2, random_state=0).fit(X + at, must_link=must, cannot_link=cannot) for at in (0, 7)]
    assert_allclose(fits[1].components_, fits[0].components_, rtol=1e-6, atol=1e-8)


def test_linked_objects_are_near_and_ecm_follows():
    """An attribute of large variance hides two classes; forty constraints bring them out."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 100)
    X = np.column_stack([8 * rng.normal(size=200), rng.normal(size=200) + 6 * y, rng.normal(size=200)])
    pairs = rng.integers(200, size=(40, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    pcca = PCCA(1, random_state=0).fit(X, must_link=pairs[same], cannot_link=pairs[~same])
    Z = pcca.transform(X)
    distances = np.abs(Z[pairs[:, 0]] - Z[pairs[:, 1]])[:, 0]
    assert np.mean(distances[same] < 1) > 0.9 and np.mean(distances[~same] > 1) > 0.9
    plain, projected = (ECM(2, random_state=0).fit(data).labels_ for data in (X, Z))
    assert adjusted_rand(y, plain) < 0.2 and adjusted_rand(y, projected) > 0.8


def test_with_kernel_pca_it_is_kernel_pcca(problem):
    """The loss written with the kernel matrix, at the solution over the coordinates of kernel PCA."""
    X, must, cannot = problem
    pipe = make_pipeline(KernelPCA(kernel="rbf", gamma=0.3), PCCA(2, random_state=0))
    pipe.fit(X, pcca__must_link=must, pcca__cannot_link=cannot)
    K = np.exp(-0.3 * np.square(X[:, None] - X[None]).sum(axis=2))
    kernel_pca, pcca = pipe[0], pipe[1]
    A = pcca.components_ @ (kernel_pca.eigenvectors_ / np.sqrt(kernel_pca.eigenvalues_)).T  # L = A Phi'
    assert literal_loss(A, K, must, cannot) == pytest.approx(pcca.loss_, rel=1e-6)


def test_pairs_may_be_named(problem):
    X, must, _ = problem
    frame = pd.DataFrame(X, index=[f"object {i}" for i in range(30)])
    named = [[f"object {i}" for i in pair] for pair in must]
    fits = [PCCA(random_state=0).fit(data, must_link=links) for data, links in ((X, must), (frame, named))]
    assert fits[0].components_.tolist() == fits[1].components_.tolist()
    assert fits[1].get_feature_names_out().tolist() == ["pcca0", "pcca1"]


def test_too_few_iterations_are_a_warning(problem):
    X, must, cannot = problem
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        PCCA(max_iter=1).fit(X, must_link=must, cannot_link=cannot)


@pytest.mark.parametrize(
    ("changed", "links", "match"),
    [
        ({}, {}, "expected constraints between objects with different attributes, got '0 pairs'"),
        ({}, {"must_link": [(0, 1)]}, "different attributes"),
        ({}, {"must_link": [(0, 9)]}, "9"),
        ({"n_components": 3}, {"must_link": [(0, 2)]}, "n_components <= p = 2"),
        ({"beta": 0.0}, {"must_link": [(0, 2)]}, "beta"),
        ({"tol": 0.0}, {"must_link": [(0, 2)]}, "tol"),
    ],
)
def test_what_is_refused(changed, links, match):
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0]])
    with pytest.raises(ValueError, match=match):
        PCCA(**changed).fit(X, **links)


def test_contradicting_constraints_are_named():
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.warns(UserWarning, match=r"constraints contradict each other.*cannot-link 0, 1"):
        PCCA(1, random_state=0).fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 1)])
