"""BootGMM: what intervals ask for, other programs, reductions, new objects, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import squareform
from sklearn.mixture import GaussianMixture

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.relational import pair_matrices
from credalbench.cluster import BootGMM
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.pairwise.all_pairs import PairwiseTargets, masses_from_posteriors
from credalbench.core import resources
from credalbench.core.resources import NotEnoughMemory
from credalbench.datasets import load
from credalbench.metrics import adjusted_rand
from tests.oracles import bootgmm as literal


def blobs(seed=0, n=40, gap=3.0):
    """Two round groups, so near to each other that some objects are ambiguous."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) + [gap, 0] * (np.arange(n) % 2)[:, None]


@pytest.fixture(scope="module")
def fit():
    return BootGMM(2, n_bootstrap=50, random_state=0).fit(blobs())


# ---------------------------------------------------------------- other programs

#: R package evclust 2.0.3, mass_from_P_new of bootclus: from the intervals below to masses on {1}, {2}, {3},
#: {1,2}, {1,3}, {2,3}; tolerance 1e-14, three random starts with the same end.
MASSES_OF_R = """
    0.90966 0.00000 0.00000 0.02400 0.06634 0.00000
    0.90788 0.00000 0.00000 0.02604 0.06608 0.00000
    0.87566 0.00000 0.00035 0.05941 0.05543 0.00915
    0.65201 0.15517 0.00104 0.12971 0.04257 0.01949
    0.16339 0.64449 0.00000 0.13754 0.05458 0.00000
    0.00000 0.84947 0.00000 0.10728 0.01363 0.02962
    0.00000 0.84947 0.00000 0.06235 0.01363 0.07455
    0.00000 0.64449 0.16339 0.02484 0.04829 0.11900
    0.00104 0.15517 0.65201 0.02543 0.01749 0.14886
    0.00035 0.00000 0.87566 0.00914 0.02170 0.09315
    0.00000 0.00000 0.90788 0.00000 0.03109 0.06103
    0.00000 0.00000 0.90966 0.00000 0.03129 0.05905
"""


def test_from_the_same_intervals_come_the_masses_of_the_program():
    x = np.arange(12.0)
    p = np.exp(-(((x[:, None] - [1.5, 5.5, 9.5]) / 2) ** 2))
    p /= p.sum(axis=1, keepdims=True)
    lower, upper = np.round(np.maximum(p @ p.T - 0.15, 0), 2), np.round(np.minimum(p @ p.T + 0.1, 1), 2)
    targets = np.stack([lower, 1 - upper], axis=1).astype(np.float32)
    targets[np.arange(12), :, np.arange(12)] = 0
    focal_sets = FocalSets.pairs(3, empty=False, omega=False)
    stress = PairwiseTargets(targets, np.hstack(pair_matrices(focal_sets)))
    start = masses_from_posteriors(p, focal_sets)
    run = irqp(stress, start, focal_sets.conflict, has_empty=False, tol=1e-14, max_iter=5000)
    expected = np.array(MASSES_OF_R.split(), dtype=float).reshape(12, 6)
    printed = {"atol": 3e-5}  # five digits, single precision
    np.testing.assert_allclose(run.masses[:, :3], expected[:, :3], **printed)
    for relation in pair_matrices(focal_sets):  # of the pairs {1,2} and {1,3} only the sum is determined
        np.testing.assert_allclose(
            run.masses @ relation @ run.masses.T, expected @ relation @ expected.T, **printed
        )


# ---------------------------------------------------------------- laws, reductions


@given(st.integers(0, 2**32 - 1), st.sampled_from(["pairs", "simple", "full", None]))
@settings(max_examples=10)
def test_the_objective_is_the_literal_one_and_never_rises(seed, subsets):
    X = blobs(seed, n=12)
    fit = BootGMM(2, n_bootstrap=5, focal_sets=subsets, random_state=0).fit(X)
    ends = squareform(fit.lower_), squareform(fit.upper_)
    expected = literal.objective(fit.partition_.masses, *ends, fit.partition_.focal_sets.sets)
    assert fit.objective_ == pytest.approx(expected, rel=1e-5, abs=1e-9)  # intervals in single precision
    assert np.diff(fit.objective_trace_).max(initial=0) <= 1e-12 * fit.objective_trace_[0]  # rounding
    assert not fit.partition_.focal_sets.has_empty
    assert (fit.lower_ <= fit.upper_ + 1e-6).all()  # single precision


def test_belief_and_plausibility_come_near_to_the_intervals(fit):
    """Nearer than those of the mixture itself, for which both are its probability."""
    table = fit.partition_.relational()
    pairs = np.triu_indices(40, 1)
    belief, plausibility = table.same[pairs], 1 - table.different[pairs]
    error = np.sqrt(np.mean((belief - fit.lower_) ** 2 + (plausibility - fit.upper_) ** 2))
    p = fit.mixture_.predict_proba(blobs())
    P = (p @ p.T)[pairs]
    assert error < 0.25 * np.sqrt(np.mean((P - fit.lower_) ** 2 + (P - fit.upper_) ** 2))
    assert fit.objective_ == pytest.approx(error**2 * len(P), rel=1e-5)  # single precision


def test_groups_far_apart_give_a_hard_partition():
    X = blobs(gap=30.0)
    fit = BootGMM(2, n_bootstrap=20, random_state=0).fit(X)
    assert adjusted_rand(fit.labels_, np.arange(40) % 2) == 1
    assert fit.partition_.nonspecificity() < 1e-6  # single precision
    assert fit.objective_ < 1e-9


def test_one_refit_gives_intervals_of_length_zero():
    fit = BootGMM(2, n_bootstrap=1, random_state=0).fit(blobs())
    np.testing.assert_allclose(fit.lower_, fit.upper_, atol=1e-7)  # single precision


def test_a_wider_level_gives_wider_intervals_and_less_specific_masses():
    fits = [
        BootGMM(2, n_bootstrap=60, confidence=level, random_state=0).fit(blobs()) for level in (0.5, 0.95)
    ]
    assert (fits[1].lower_ <= fits[0].lower_).all() and (fits[1].upper_ >= fits[0].upper_).all()
    assert fits[1].partition_.nonspecificity() > fits[0].partition_.nonspecificity()


def test_one_cluster_is_everything():
    fit = BootGMM(1, n_bootstrap=3, random_state=0).fit(blobs())
    np.testing.assert_array_equal(fit.partition_.masses, np.ones((40, 1)))
    assert fit.objective_ == 0


def test_the_mixture_is_scikit_learns_in_the_units_of_the_data():
    X = 1e3 * blobs() + 1e6
    fit = BootGMM(2, n_bootstrap=2, covariance_type="full", random_state=0).fit(X)
    ridge = 1e-6 * X.var(axis=0).mean()
    theirs = GaussianMixture(2, reg_covar=ridge, tol=1e-5, max_iter=1000, random_state=0).fit(X)
    order = np.argsort(fit.mixture_.means_[:, 0]), np.argsort(theirs.means_[:, 0])
    np.testing.assert_allclose(fit.mixture_.means_[order[0]], theirs.means_[order[1]], rtol=1e-4)  # two EMs
    assert fit.mixture_.score(X) == pytest.approx(theirs.score(X), rel=1e-5)
    assert fit.bic_ == pytest.approx(-0.5 * fit.mixture_.bic(X), rel=1e-9)  # means moved: rounding
    np.testing.assert_array_equal(fit.cluster_centers_, fit.mixture_.means_)


def test_number_of_clusters_by_bic_from_a_range():
    X = np.vstack([blobs(1, gap=8.0), blobs(2, gap=8.0) + [4, 8]])
    fit = BootGMM(range(1, 6), n_bootstrap=3, random_state=0).fit(X)
    assert fit.n_clusters_ == fit.partition_.n_clusters == 4
    assert fit.n_clusters == range(1, 6)


def test_by_default_masses_are_on_clusters_and_pairs():
    assert BootGMM(3)._resolved_focal_sets(3).labels == ["{1}", "{2}", "{3}", "{1,2}", "{1,3}", "{2,3}"]
    assert BootGMM(2)._resolved_focal_sets(2).labels == ["{1}", "{2}", "Ω"]
    assert BootGMM(focal_sets="simple")._resolved_focal_sets(3).labels == ["{1}", "{2}", "{3}", "Ω"]


def test_masses_start_on_the_smallest_sets_about_a_cluster():
    p = np.array([[0.7, 0.2, 0.1]])
    subsets = FocalSets.from_sets(3, [[], [0], [1, 2], [0, 2], [0, 1, 2]])
    np.testing.assert_allclose(masses_from_posteriors(p, subsets), [[0, 0.7, 0.25, 0.05, 0]])


# ---------------------------------------------------------------- new objects


def test_objects_far_away_belong_to_the_nearer_side():
    fit = BootGMM(2, n_bootstrap=20, covariance_type="tied", random_state=0).fit(blobs())
    sides = fit.predict([[-50.0, 0.0], [50.0, 0.0]])
    assert sides[0] == fit.predict([[0.0, 0.0]])[0] != sides[1]


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({"n_clusters": []}, blobs(), "n_clusters to be one number or several"),
        ({"n_clusters": [2, 41]}, blobs(), "n_clusters <= n_samples = 40"),
        (
            {"n_clusters": [2, 3], "focal_sets": FocalSets.simple(2)},
            blobs(),
            "focal sets over 3 clusters, got 2",
        ),
        ({}, np.ones((5, 2)), "objects that differ, got '5 equal ones'"),
        ({}, [["a", "b"], ["c", "d"]], "expected numbers in all columns of X"),
    ],
)
def test_bad_input_is_refused_by_name(options, X, message):
    with pytest.raises(ValueError, match=message):
        BootGMM(**options).fit(X)


def test_a_mixture_that_has_collapsed_is_warned_of():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 3.0]], 6, axis=0)
    with pytest.warns(UserWarning, match="the mixture of 3 components .* has collapsed") as caught:
        fit = BootGMM(3, n_bootstrap=3, random_state=0).fit(X)
    assert {remark.filename for remark in caught} == {__file__}
    assert adjusted_rand(fit.labels_, np.repeat(np.arange(3), 6)) == 1


def test_intervals_of_all_pairs_need_memory(monkeypatch):
    monkeypatch.setattr(resources, "available_memory", lambda: 2**30)
    with pytest.raises(NotEnoughMemory, match=r"the intervals of all pairs of 20000 objects"):
        BootGMM().fit(np.random.default_rng(0).normal(size=(20_000, 2)))


def test_iris():
    """The versicolors that the mixture takes for virginicas are the ambiguous ones."""
    data = load("iris")
    fit = BootGMM(3, n_bootstrap=30, random_state=0).fit(data.X)
    assert adjusted_rand(data.y, fit.labels_) > 0.85
    vague = 1 - fit.partition_.masses[:, :3].sum(axis=1)
    assert vague[data.y == 0].max() < 0.01 < vague[data.y > 0].max()
    assert isinstance(fit.partition_, CredalPartition)
