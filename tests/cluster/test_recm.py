"""RECM: oracles, certificates, reductions, other programs, non-Euclidean input."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.exceptions import ConvergenceWarning

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs, objective
from credalbench.cluster.prototypes.prototype_step import prototype_weights
from credalbench.cluster.recm import (
    RECM,
    gram_matrix,
    negative_eigenvalues,
    shifted_gram_matrix,
    squared_distances,
)
from credalbench.datasets import load
from tests.oracles import recm as literal

SUBSETS = {"full": FocalSets.full, "simple": FocalSets.simple, "pairs": FocalSets.pairs}
BUTTERFLY = load("butterfly").X


def random_problem(seed, n=12, c=3, subsets="full"):
    """Random planar points, squared distances, focal sets and starting masses."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2)
    focal_sets = SUBSETS[subsets](c)
    return X, squareform(pdist(X)) ** 2, focal_sets, rng.dirichlet(np.ones(len(focal_sets)), size=n)


def nonmetric(n=30, seed=0):
    """Dissimilarities that break the triangle inequality and have many negative eigenvalues."""
    D = np.random.default_rng(seed).gamma(1.0, size=(n, n))
    D = (D + D.T) / 2
    np.fill_diagonal(D, 0)
    return D


# ---------------------------------------------------------------- oracles and reductions


@pytest.mark.parametrize("subsets", ["full", "simple", "pairs"])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.5), (0.0, 2.0), (2.0, 1.1)])
def test_squared_distances_follow_the_relational_and_the_coordinate_form(subsets, alpha, beta):
    """[antoine2012_cecm (11)] and [antoine2012_cecm (13)], without coordinates."""
    X, D, focal_sets, M = random_problem(0, subsets=subsets)
    d2, negative = squared_distances(
        gram_matrix(D), prototype_weights(M, focal_sets, alpha, beta), focal_sets
    )
    for expected in (
        literal.recm_distances(M, D, focal_sets.sets, 3, alpha, beta),
        literal.ecm_distances(M, X, focal_sets.sets, 3, alpha, beta),
    ):
        np.testing.assert_allclose(d2, expected[:, 1:], atol=1e-11)  # rounding of the inverse
    assert negative == 0


@pytest.mark.parametrize(
    ("square", "expected", "negative"),
    [(2e-13, 2e-13, 0), (2e-14, 0.0, 0), (-2e-14, 0.0, 0), (-2e-13, 0.0, 1), (-1.0, 0.0, 1)],
)
def test_squared_distances_within_rounding_of_zero_are_zero(square, expected, negative):
    """The second object has this squared distance to the prototype, which lies on the first."""
    G = 4 * np.array([[1.0, 1 - square / 8], [1 - square / 8, 1.0]])  # 4 + 4 - 2 (4 - square / 2) = square
    subsets = FocalSets.from_sets(1, [[], [0]])
    squared, count = squared_distances(G, np.array([[1.0, 0.0]]), subsets)
    assert squared[0, 0] == 0
    assert squared[1, 0] == pytest.approx(expected, abs=4e-15)  # rounding of numbers near 4
    assert (squared[1, 0] == 0) == (expected == 0) and count == negative


def test_squares_given_directly_are_the_same_as_squaring():
    X, D, _, M = random_problem(2)
    fits = [
        RECM(3, init=M, square=square, metric="precomputed").fit(matrix)
        for square, matrix in ((True, np.sqrt(D)), (False, D))
    ]
    np.testing.assert_allclose(fits[0].partition_.masses, fits[1].partition_.masses, atol=1e-9)  # roots
    assert fits[0].delta_ == pytest.approx(np.sqrt(np.quantile(pdist(X) ** 2, 0.95)), rel=1e-12)  # rounding


# ---------------------------------------------------------------- certificates and laws


@given(st.integers(0, 2**32 - 1), st.sampled_from(["full", "simple"]), st.sampled_from([1.1, 1.5, 2.0]))
def test_objective_never_rises_over_a_half_step(seed, subsets, beta):
    """Prototypes and masses in turn, on Euclidean distances."""
    _, D, focal_sets, M = random_problem(seed, subsets=subsets)
    G, values = gram_matrix(D), []
    weights = prototype_weights(M, focal_sets, 1.0, beta)
    for _ in range(8):
        d2, _ = squared_distances(G, weights, focal_sets)
        costs = focal_costs(d2, focal_sets, 1.0, 2.0)
        values.append(objective(M, costs, beta))
        M = masses_from_costs(costs, beta)
        values.append(objective(M, costs, beta))
        weights = prototype_weights(M, focal_sets, 1.0, beta)
    assert np.diff(values).max() <= 1e-11 * values[0]  # rounding of the system of the prototypes


def test_object_on_its_prototype_is_certain():
    """Two places only: every distance is exactly or nearly zero, and nothing is NaN."""
    fit = RECM(2, delta=1.0, n_init=3, random_state=0).fit(np.repeat([[0.0], [4.0]], 5, axis=0))
    assert np.isfinite(fit.partition_.masses).all()
    assert len(np.unique(fit.labels_[:5])) == len(np.unique(fit.labels_[5:])) == 1
    assert fit.labels_[0] != fit.labels_[9]


# ---------------------------------------------------------------- dissimilarities that are not Euclidean


def test_gram_matrix_of_a_broken_triangle_has_one_negative_eigenvalue():
    """Sides 1, 1, 9: the squared length of the median to the long side is (2 + 2 - 81) / 4; times 2/3."""
    D = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 9.0], [1.0, 9.0, 0.0]])
    negative = negative_eigenvalues(gram_matrix(D**2))
    np.testing.assert_allclose(negative, [-77 / 6], rtol=1e-12)  # rounding


def test_euclidean_matrices_have_no_negative_eigenvalue():
    for seed in range(5):
        _, D, _, _ = random_problem(seed, n=40)
        assert negative_eigenvalues(gram_matrix(D)).size == 0


def test_nonmetric_input_warns_with_counts_and_never_gives_nan():
    D = nonmetric()
    count = int((np.linalg.eigvalsh(gram_matrix(D**2)) < -1e-9).sum())
    with pytest.warns(UserWarning, match=f"{count} of the 30 eigenvalues") as caught:
        fit = RECM(3, metric="precomputed", random_state=0).fit(D)
    assert len(fit.negative_eigenvalues_) == count
    assert f"{fit.negative_distances_.sum()} negative squared distances" in str(caught[0].message)
    assert fit.negative_distances_.sum() > 0
    assert np.isfinite(fit.partition_.masses).all()
    assert np.isfinite(fit.objective_trace_).all()


def test_spectral_shift_makes_dissimilarities_euclidean():
    D = nonmetric()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "the dissimilarities are not Euclidean")
        fit = RECM(3, metric="precomputed", spectral_shift=True, tol=1e-9, random_state=0).fit(D)
    G = shifted_gram_matrix(gram_matrix(D**2), fit.shift_)
    assert negative_eigenvalues(G).size == 0
    assert np.linalg.eigvalsh(G).min() == pytest.approx(0, abs=1e-12)  # and no larger than needed
    assert fit.negative_distances_.sum() == 0
    assert np.diff(fit.objective_trace_).max() <= 0


def test_spectral_shift_is_a_constant_added_to_the_squares():
    D = nonmetric()
    M = np.random.default_rng(0).dirichlet(np.ones(8), size=30)
    shifted = RECM(3, metric="precomputed", spectral_shift=True, init=M).fit(D)
    larger = D**2 + shifted.shift_ * (1 - np.eye(30))
    direct = RECM(3, metric="precomputed", square=False, init=M).fit(larger)
    np.testing.assert_allclose(shifted.partition_.masses, direct.partition_.masses, atol=1e-8)  # rounding
    assert shifted.delta_ == pytest.approx(direct.delta_, rel=1e-12)


def test_shift_of_euclidean_input_is_zero():
    X, _, _, M = random_problem(6)
    plain, shifted = (RECM(3, init=M, spectral_shift=shift).fit(X) for shift in (False, True))
    assert shifted.shift_ == 0
    np.testing.assert_array_equal(plain.partition_.masses, shifted.partition_.masses)


# ---------------------------------------------------------------- other programs


@pytest.mark.parametrize(
    ("name", "c", "subsets", "step"), [("butterfly", 2, "full", 1), ("fourclass", 4, "pairs", 5)]
)
def test_fits_agree_with_the_r_package(oracle, name, c, subsets, step):
    r = oracle(f"recm_{name}_{subsets}")
    args = r["args"]
    setting = {"alpha": args["alpha"], "beta": args["beta"], "delta": args["delta"], "tol": 0.0}
    setting |= {"init": r["m0"], "focal_sets": subsets, "max_iter": r["n_iter"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # as many iterations as in R, which stops earlier
        fit = RECM(c, **setting).fit(load(name).X[::step])
    np.testing.assert_allclose(fit.partition_.masses, r["mass"], atol=1e-7)  # the project's bound
    np.testing.assert_allclose(fit.objective_trace_[1:], r["trace"], rtol=1e-7)
    assert fit.objective_ == pytest.approx(r["crit"], rel=1e-7)


# ---------------------------------------------------------------- duplicates


MOSTLY_DUPLICATES = np.array([[0.0]] * 60 + [[1.0]])


def test_delta_settles_what_duplicates_leave_open():
    with pytest.raises(ValueError, match="delta"):
        RECM(2).fit(MOSTLY_DUPLICATES)
    fit = RECM(2, delta=0.5, n_init=3, random_state=0).fit(MOSTLY_DUPLICATES)
    assert np.isfinite(fit.partition_.masses).all()
