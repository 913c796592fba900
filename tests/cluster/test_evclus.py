"""EVCLUS: laws, certificates, reductions, oracles, other programs, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.spatial.distance import pdist, squareform
from scipy.special import softmax
from sklearn.metrics import adjusted_rand_score

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS, add_pairs
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.solvers import irqp, softmax_gradient
from credalbench.cluster.conflict.stress import AllPairs, SampledPairs
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.cluster.simplex.simplex_qp import kkt_residual
from credalbench.datasets import load, make_t4
from tests.oracles import evclus as literal

KKT_TOLERANCE = 1e-8  # the project's bound on every row programme


def random_problem(seed, n=12, c=3, k=None, two_sided=True, subsets="full"):
    """Random planar points with their stress, focal sets and a start; k None means all pairs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2)
    D = squareform(pdist(X))
    gamma = gamma_from_d0(np.quantile(pdist(X), 0.8))
    focal_sets = {"full": FocalSets.full, "simple": FocalSets.simple, "pairs": FocalSets.pairs}[subsets](c)
    if k is None:
        stress = AllPairs(phi(D, gamma))
    else:
        partners = sample_partners(n, k, rng)
        stress = SampledPairs(
            partners, phi(pair_dissimilarities(X, partners).astype(float), gamma), two_sided
        )
    return stress, focal_sets, rng.dirichlet(np.ones(len(focal_sets)), size=n)


# ---------------------------------------------------------------- oracles


@pytest.mark.parametrize("subsets", ["full", "simple"])
def test_stress_is_the_literal_sum_over_pairs(subsets):
    """[denoeux2016_evclus (12)], [denoeux2016_evclus (19)], with conflicts by [denoeux2016_evclus (17)]."""
    stress, focal_sets, M = random_problem(0, subsets=subsets)
    expected = literal.stress(M, stress.delta, focal_sets.sets)
    assert stress.value(M, focal_sets.conflict) == pytest.approx(expected, rel=1e-13)  # rounding of 66 terms


def test_sampled_stress_is_the_literal_sum_over_listed_pairs():
    """[denoeux2016_evclus (22)] and [denoeux2016_evclus (23)]."""
    stress, focal_sets, M = random_problem(1, k=5)
    expected = literal.sampled_stress(M, stress.partners, stress.delta, focal_sets.sets)
    assert stress.value(M, focal_sets.conflict) == pytest.approx(expected, rel=1e-13)  # rounding of 60 terms


@pytest.mark.parametrize("k", [None, 4])
def test_stress_gradient_agrees_with_finite_differences(k):
    """Chain rule through [denoeux2016_evclus (16)]."""
    stress, focal_sets, M = random_problem(2, k=k)
    C = focal_sets.conflict
    masses = lambda a: softmax(a.reshape(M.shape), axis=1)  # noqa: E731
    gradient = lambda a: softmax_gradient(masses(a), stress.value_and_gradient(masses(a), C)[1]).ravel()  # noqa: E731
    error = check_grad(lambda a: stress.value(masses(a), C), gradient, np.log(M).ravel())
    assert error < 1e-6  # forward differences with step 1.5e-8


# ---------------------------------------------------------------- certificates


def row_by_row(stress, focal_sets, M, certify):
    """One sweep, row after row, with `certify(i, M)` after each."""
    C = focal_sets.conflict.copy()
    M = M.copy()
    A = M @ C
    for i in range(len(M)):
        stress.sweep(M, A, C, int(focal_sets.has_empty), 0.0, np.array([i]))
        certify(i, M, A)
    return M


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([None, 1, 3, 8]),
    st.sampled_from(["full", "simple", "pairs"]),
    st.integers(2, 4),
)
@settings(max_examples=200)
def test_true_stress_never_rises_over_a_row_update(seed, k, subsets, c):
    """All pairs and two-sided sampled pairs are coordinate descent on [denoeux2016_evclus (19)] and (22)."""
    stress, focal_sets, M = random_problem(seed, n=10, c=c, k=k, subsets=subsets)
    values = [stress.value(M, focal_sets.conflict)]
    row_by_row(stress, focal_sets, M, lambda i, M, A: values.append(stress.value(M, focal_sets.conflict)))
    assert np.diff(values).max() <= 1e-14 * values[0]  # rounding of the sums


def partners_of(stress, i):
    """Objects and targets that row i is fitted to."""
    if isinstance(stress, AllPairs):
        others = np.delete(np.arange(stress.n_objects), i)
        return others, stress.delta[i, others]
    own = (stress.partners[i], stress.delta[i])
    if not stress.two_sided:
        return own
    from_others = np.argwhere(stress.partners == i)
    return (
        np.append(own[0], from_others[:, 0]),
        np.append(own[1], [stress.delta[j, r] for j, r in from_others]),
    )


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([(None, True), (2, True), (7, True), (2, False), (7, False)]),
    st.sampled_from(["full", "simple"]),
    st.booleans(),
)
@settings(max_examples=60)
def test_every_row_programme_is_solved_to_its_kkt_conditions(seed, mode, subsets, with_empty):
    """[denoeux2016_evclus (20)], residual matrix written out; singular programmes included."""
    k, two_sided = mode
    stress, focal_sets, M = random_problem(seed, n=9, k=k, two_sided=two_sided)
    if not with_empty:  # the column of Omega in M C is zero then
        focal_sets = (FocalSets.full if subsets == "full" else FocalSets.simple)(3, empty=False)
        M = np.random.default_rng(seed).dirichlet(np.ones(len(focal_sets)), size=9)

    def certify(i, M, A):
        others, targets = partners_of(stress, i)
        G, a = literal.row_programme(M, i, others, targets, focal_sets.conflict)
        assert kkt_residual(G, a, M[i]) < KKT_TOLERANCE
        np.testing.assert_allclose(A, M @ focal_sets.conflict, atol=1e-14)  # kept up to date

    row_by_row(stress, focal_sets, M, certify)


def true_stress(fit):
    return fit.conflict_pairs_.value(fit.partition_.masses, fit.partition_.focal_sets.conflict)


@pytest.mark.parametrize("kwargs", [{}, {"n_pairs": 20}, {"n_pairs": 20, "pair_sampling": "independent"}])
def test_trace_is_monotone_and_ends_at_the_true_stress(kwargs):
    fit = EVCLUS(4, random_state=0, **kwargs).fit(make_t4(200, random_state=1).X)
    assert np.diff(fit.objective_trace_).max() <= 1e-14  # rounding; the stress is near 0.01
    assert fit.objective_ == pytest.approx(true_stress(fit), rel=1e-12)  # rows renormalised: rounding
    assert fit.converged_
    assert fit.n_iter_ == len(fit.objective_trace_) - 1 == len(fit.time_trace_) - 1


def test_one_sided_updates_may_raise_the_stress_and_report_it_truly():
    """The published one-sided update is not coordinate descent; the trace must not hide that."""
    X = make_t4(60, random_state=0).X
    one_sided = {"n_pairs": 4, "pair_sampling": "independent", "pair_updates": "one-sided", "tol": 1e-9}
    fits = [EVCLUS(4, random_state=seed, **one_sided).fit(X) for seed in range(5)]
    rises = [np.argmax(np.diff(fit.objective_trace_)) + 1 for fit in fits]
    assert any(np.diff(fit.objective_trace_).max() > 0 for fit in fits)
    for seed, (fit, sweeps) in enumerate(zip(fits, rises, strict=True)):
        stopped = EVCLUS(4, random_state=seed, max_iter=int(sweeps), **one_sided).fit(X)
        assert fit.objective_trace_[sweeps] == pytest.approx(true_stress(stopped), rel=1e-12)  # rounding


def test_running_sum_of_algorithm_1_approaches_twice_the_stress():
    """[denoeux2016_evclus (21b)]: Algorithm 1 adds both orientations of each pair; its start counts one."""
    fit = EVCLUS(4, random_state=0, tol=1e-9).fit(make_t4(200, random_state=1).X)
    assert fit.running_sums_[-1] / fit.objective_ == pytest.approx(2, abs=1e-5)  # rows still move by tol


# ---------------------------------------------------------------- reductions and laws


def test_k_evclus_with_all_partners_is_evclus():
    """J_{n-1} = J, row updates included: one sweep through either form of the stress."""
    all_pairs, focal_sets, M = random_problem(3, n=20)
    n = 20
    partners = np.array([np.delete(np.arange(n), i) for i in range(n)], dtype=np.int32)
    delta = np.take_along_axis(all_pairs.delta, partners.astype(int), axis=1)
    C = focal_sets.conflict.copy()
    results = []
    for stress in (all_pairs, SampledPairs(partners, delta, True), SampledPairs(partners, delta, False)):
        assert stress.value(M, C) == pytest.approx(all_pairs.value(M, C), rel=1e-13)  # rounding
        results.append(irqp(stress, M, C, has_empty=True, tol=0.0, max_iter=1).masses)
    np.testing.assert_allclose(results[1], results[0], atol=1e-9)  # doubled Gram matrix, same minimiser
    np.testing.assert_allclose(results[2], results[0], atol=1e-9)


@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize("kwargs", [{}, {"n_pairs": 30}])
@pytest.mark.parametrize("seed", range(3))
def test_second_run_with_pairs_goes_on_from_the_first(seed, kwargs, K):
    """Two steps of Section 5: same pairs of objects, zero mass on the new sets, never a higher stress."""
    X = make_t4(120, random_state=0).X
    one = EVCLUS(4, random_state=seed, **kwargs).fit(X)
    two = EVCLUS(4, random_state=seed, pair_neighbors=K, **kwargs).fit(X)
    np.testing.assert_array_equal(two.first_partition_.masses, one.partition_.masses)
    assert two.partition_.focal_sets == add_pairs(one.partition_, K).focal_sets
    assert two.objective_trace_[0] == pytest.approx(one.objective_, rel=1e-9)  # sums of 10^4 squares
    assert two.objective_ <= one.objective_
    assert (np.diff(two.objective_trace_) <= 1e-9).all()  # rounding of the running stress
    added = set(two.partition_.focal_sets.sets) - set(one.partition_.focal_sets.sets)
    assert added
    assert all(len(pair) == 2 for pair in added)


def test_zero_stress_is_reached_when_dissimilarities_are_conflicts():
    """Three groups that are far apart have a perfect fit: certain masses."""
    D = 10.0 * (np.arange(9)[:, None] % 3 != np.arange(9) % 3)
    fit = EVCLUS(3, metric="precomputed", d0=1.0, alpha=1e-12, n_init=5, random_state=0).fit(D)
    assert fit.objective_ < 1e-12  # alpha leaves 1 - delta below 1e-12
    assert adjusted_rand_score(np.arange(9) % 3, fit.labels_) == 1


@pytest.mark.parametrize("n_pairs", [None, 10])
def test_all_subsets_of_eight_clusters(n_pairs):
    """Rows with mass on 256 sets, thinned out first, are solved as exactly as rows with mass on a few."""
    X = np.random.default_rng(1).normal(size=(24, 2))
    options = {"n_pairs": n_pairs, "pair_sampling": "independent", "max_iter": 3, "tol": 0}
    fit = EVCLUS(8, focal_sets="full", random_state=0, **options).fit(X)
    stress, M, sets = fit.conflict_pairs_, fit.partition_.masses, fit.partition_.focal_sets
    assert M.shape == (24, 256) and fit.n_iter_ == 3
    assert np.diff(fit.objective_trace_).max() <= 1e-14 * fit.objective_trace_[0]  # rounding of the sums
    conflicts = M @ sets.conflict @ M.T
    if n_pairs is None:
        gaps = squareform(conflicts - stress.delta, checks=False)
        targets = squareform(stress.delta, checks=False)
    else:
        gaps, targets = (
            np.take_along_axis(conflicts, stress.partners.astype(int), 1) - stress.delta,
            stress.delta,
        )
    expected = np.sum(gaps**2) / np.sum(targets.astype(float) ** 2)
    assert fit.objective_ == pytest.approx(expected, rel=1e-6)  # targets of pairs in single precision
    others, targets = partners_of(stress, 23)  # the row that was solved last
    G, a = literal.row_programme(M, 23, others, targets, sets.conflict)
    assert kkt_residual(G, a, M[23]) < KKT_TOLERANCE


@pytest.mark.parametrize("solver", ["gradient", "lbfgs"])
@pytest.mark.parametrize("kwargs", [{}, {"n_pairs": 15}])
def test_gradient_solvers_end_near_a_stationary_point(solver, kwargs):
    """They minimise the same stress from the same start: never above it, slope small against the start's."""
    X = make_t4(60, random_state=2).X
    fit = EVCLUS(4, solver=solver, random_state=0, tol=1e-7, max_iter=20000, **kwargs).fit(X)
    C = fit.partition_.focal_sets.conflict
    M = fit.partition_.masses
    slope = softmax_gradient(M, fit.conflict_pairs_.value_and_gradient(M, C)[1])
    assert fit.converged_
    assert (np.diff(fit.objective_trace_) <= 0).all()
    assert (
        np.abs(slope).max() < 1e-3 * fit.objective_trace_[0]
    )  # start's slopes are of the order of the stress


# ---------------------------------------------------------------- other programs


@pytest.mark.parametrize("case", ["kevclus_butterfly_full", "kevclus_butterfly_simple_q90"])
def test_butterfly_agrees_with_the_r_package(oracle, case):
    """All pairs, same start: masses after one sweep and at the end, Algorithm 1's sums, the d0 convention."""
    r = oracle(case)
    X = load("butterfly").X
    args = r["args"]
    start = np.array(r["m0"])
    start /= start.sum(axis=1, keepdims=True)  # printed with six digits
    common = {"focal_sets": args["type"], "d0": args.get("d0"), "d0_quantile": 0.9, "init": start}
    one = EVCLUS(2, max_iter=1, **common).fit(X)
    np.testing.assert_allclose(
        one.partition_.masses, r["mass_after_one_sweep"], atol=1e-6
    )  # the project's bound
    # R stops by Algorithm 1's sums, we by the true stress: do exactly as many sweeps
    fit = EVCLUS(2, max_iter=r["n_iter"], tol=0.0, **common).fit(X)
    np.testing.assert_allclose(fit.partition_.masses, r["mass"], atol=1e-6)  # the project's bound
    np.testing.assert_allclose(
        fit.running_sums_ / 2, r["trace"][1:], rtol=1e-6
    )  # R's constant counts ordered pairs
    assert fit.objective_trace_[0] == pytest.approx(r["trace"][0], rel=1e-6)
    if "d0_effective" in r:
        assert fit.d0_ == pytest.approx(r["d0_effective"], rel=1e-12)  # same quantile, rounding of distances


def test_one_sided_sweep_on_protein_agrees_with_the_r_package(oracle):
    """k-EVCLUS with a fixed index matrix, one sweep: later ones wander, since updates are one-sided."""
    r = oracle("kevclus_protein_k30")
    try:
        D = load("protein").D
    except Exception as reason:  # the loader's message names both ways to get the file
        pytest.skip(str(reason))
    partners = np.array(r["J_1based"], dtype=np.int32) - 1
    d = np.take_along_axis(D, partners.astype(int), axis=1)
    stress = SampledPairs(partners, phi(d, gamma_from_d0(r["args"]["d0"])), two_sided=False)
    start = np.array(r["m0"])
    start /= start.sum(axis=1, keepdims=True)
    C = FocalSets.simple(4).conflict.copy()
    run = irqp(stress, start, C, has_empty=True, tol=0.0, max_iter=1)
    np.testing.assert_allclose(run.masses, r["mass_after_one_sweep"], atol=1e-6)  # the project's bound
    assert run.running_sums[0] == pytest.approx(r["crit_after_one_sweep"], rel=1e-6)


# ---------------------------------------------------------------- contract and bad input


BUTTERFLY = load("butterfly").X


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 1.0}, "alpha"),
        ({"pair_neighbors": 1, "solver": "lbfgs"}, "pair_neighbors"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, message):
    with pytest.raises(ValueError, match=message):
        EVCLUS(2, **kwargs).fit(BUTTERFLY)


def test_given_pairs_are_the_sampled_ones_given_back():
    """Index matrix with attributes, or with the (n, k) dissimilarities of its pairs."""
    X = make_t4(60, random_state=0).X
    common = {"d0_quantile": 0.5, "init": np.full((60, 6), 1 / 6)}
    drawn = EVCLUS(4, n_pairs=15, pair_sampling="independent", random_state=0, **common).fit(X)
    partners = drawn.conflict_pairs_.partners
    by_attributes = EVCLUS(4, **common).fit(X, partners=partners)
    d = squareform(pdist(X))[np.arange(60)[:, None], partners]
    by_dissimilarities = EVCLUS(4, metric="precomputed", **common).fit(d, partners=partners)
    np.testing.assert_array_equal(by_attributes.partition_.masses, drawn.partition_.masses)
    masses = by_dissimilarities.partition_.masses
    np.testing.assert_allclose(masses, drawn.partition_.masses, atol=1e-5)  # last bit of single precision


@pytest.mark.parametrize(
    ("partners", "kwargs", "message"),
    [
        (np.zeros((11, 2), int), {}, "shape"),
        (np.full((12, 2), 12), {}, "0..11"),
        (np.tile(np.arange(12)[:, None], 1), {}, "itself"),
        (np.tile((np.arange(12)[:, None] + 1) % 12, 2), {}, "distinct"),
        (np.ones((12, 1)), {}, "integers"),
        ([[1, 2]] * 11 + [[1]], {}, "partners to be an array of numbers"),
        ((np.arange(12)[:, None] + 1) % 12, {"n_pairs": 1}, "n_pairs=None"),
        ((np.arange(12)[:, None] + 1) % 12, {"metric": "precomputed"}, "dissimilarities of shape"),
    ],
)
def test_bad_pairs_are_refused(partners, kwargs, message):
    with pytest.raises(ValueError, match=message):
        EVCLUS(2, **kwargs).fit(BUTTERFLY, partners=partners)
