"""CECM: certificates, reductions to ECM, literal oracles, constraints of every kind, bad input."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from credalbench.belief import FocalSets
from credalbench.cluster.adaptive_metric import norm_matrices, prototypes_mahalanobis, squared_distances
from credalbench.cluster.cecm import CECM
from credalbench.cluster.constrained_masses import SOLVERS, constrained_masses, constraint_terms
from credalbench.cluster.ecm import ECM
from credalbench.cluster.mass_update import focal_costs
from credalbench.cluster.prototypes import prototypes
from credalbench.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import load, make_two_class_cecm
from credalbench.metrics import rand_index
from tests.oracles import cecm as literal
from tests.oracles import ecm as literal_ecm

BUTTERFLY = load("butterfly").X
FAMILY = {"full": FocalSets.full, "simple": FocalSets.simple, "pairs": FocalSets.pairs}
METRICS = ["euclidean", "mahalanobis"]
SEEDS = st.integers(0, 2**32 - 1)


def random_problem(seed, n=15, c=3, size=8):
    """Random planar objects, starting prototypes, and constraints that random labels imply."""
    rng = np.random.default_rng(seed)
    X, V = rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2), rng.normal(size=(c, 2))
    constraints = PairwiseConstraints.from_labels(rng.integers(c, size=n), random_pairs(n, size, rng))
    return X, V, constraints


def fitted(X, constraints, c=3, **options):
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    return CECM(c, **options).fit(X, **links)


def printed_objective(X, M, V, S, family, xi, constraints, delta=1.5):
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    return literal.objective(X, M, V, S, family.sets, 1.0, delta, xi, *pairs)


# ---------------------------------------------------------------- certificates and laws


@given(
    SEEDS, st.sampled_from(METRICS), st.sampled_from([*FAMILY]), st.sampled_from(SOLVERS), st.floats(0, 0.99)
)
@settings(deadline=None, max_examples=40)
def test_objective_never_rises_over_a_mass_prototype_or_norm_step(seed, metric, family, solver, xi):
    """[antoine2012_cecm (21)], loop by loop after each half step, from random masses."""
    X, V, constraints = random_problem(seed, n=9)
    family = FAMILY[family](3)
    terms = constraint_terms(constraints, family, xi)
    S = np.tile(np.eye(2), (3, 1, 1))
    M = np.random.default_rng(seed).dirichlet(np.ones(len(family)), size=len(X))
    values = [printed_objective(X, M, V, S, family, xi, constraints)]
    for _ in range(3):
        norms = S if metric == "mahalanobis" else None
        costs = focal_costs(squared_distances(X, V, family, norms), family, 1.0, 1.5)
        M = constrained_masses(costs, terms, M, solver)
        values.append(printed_objective(X, M, V, S, family, xi, constraints))
        if norms is None:
            V = prototypes(X, M, family, 1.0, 2.0, start=V)
        else:
            V = prototypes_mahalanobis(X, M, S, family, 1.0, 2.0, start=V)
        values.append(printed_objective(X, M, V, S, family, xi, constraints))
        if norms is not None:
            S, _ = norm_matrices(X, V, M, family, 1.0, 2.0, previous=S)
            values.append(printed_objective(X, M, V, S, family, xi, constraints))
    assert np.diff(values).max() <= 1e-11 * values[0]  # rounding of the systems


@given(SEEDS, st.sampled_from(METRICS), st.sampled_from(SOLVERS), st.floats(0, 0.99))
@settings(deadline=None, max_examples=40)
@pytest.mark.filterwarnings("ignore:two prototypes coincide", "ignore:the covariance")
def test_trace_never_rises_and_the_result_is_consistent(seed, metric, solver, xi):
    X, V, constraints = random_problem(seed)
    fit = fitted(X, constraints, xi=xi, delta=2.0, metric=metric, solver=solver, init=V)
    assert np.diff(fit.objective_trace_).max() <= 1e-10 * fit.objective_trace_[0]  # rounding, or a ridge
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.objective_ == fit.objective_trace_[-1]
    assert fit.partition_.masses.min() >= 0
    np.testing.assert_allclose(fit.partition_.masses.sum(axis=1), 1, rtol=1e-13)  # rounding
    assert 0 <= fit.constraint_cost_ <= 1
    clusters = fit.partition_.labels("pignistic")
    np.testing.assert_array_equal(fit.labels_, fit.cluster_labels_[clusters])
    np.testing.assert_array_equal(np.unique(fit.labels_), np.arange(len(np.unique(clusters))))
    broken = constraints.violated(clusters)
    np.testing.assert_array_equal(fit.violated_.must_link, broken.must_link)
    np.testing.assert_array_equal(fit.violated_.cannot_link, broken.cannot_link)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_objective_is_the_printed_one_at_the_result(metric, solver):
    """[antoine2012_cecm (20)] and [antoine2012_cecm (21)], loop by loop."""
    X, V, constraints = random_problem(0)
    family = FocalSets.full(3)
    fit = fitted(X, constraints, xi=0.3, delta=1.5, metric=metric, solver=solver, init=V, max_iter=20)
    M = fit.partition_.masses
    value = printed_objective(X, M, fit.cluster_centers_, fit.norm_matrices_, family, 0.3, constraints)
    assert fit.objective_ == pytest.approx(value, rel=1e-11)  # rounding
    pairs = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    cost = literal.constraint_cost(M, *pairs, family.sets, 3)
    assert fit.constraint_cost_ == pytest.approx(cost, rel=1e-11)


@pytest.mark.parametrize("metric", METRICS)
def test_prototype_step_leaves_no_slope(metric):
    """Central differences of [antoine2012_cecm (21)] in the prototypes, masses fixed: it is quadratic."""
    X, V, constraints = random_problem(1, n=9)
    family = FocalSets.full(3)
    S = np.tile(np.eye(2), (3, 1, 1))
    M = np.random.default_rng(1).dirichlet(np.ones(8), size=9)
    if metric == "mahalanobis":
        S = np.array([np.diag([s, 1 / s]) for s in (0.5, 1.0, 3.0)])
        V = prototypes_mahalanobis(X, M, S, family, 1.0, 2.0, start=V)
    else:
        V = prototypes(X, M, family, 1.0, 2.0, start=V)
    at = printed_objective(X, M, V, S, family, 0.5, constraints)
    for place in np.ndindex(*V.shape):
        step = np.zeros_like(V)
        step[place] = 0.1
        up, down = (
            printed_objective(X, M, moved, S, family, 0.5, constraints) for moved in (V + step, V - step)
        )
        assert (up - down) / 0.2 == pytest.approx(0, abs=1e-12)  # rounding
        assert min(up, down) > at


@pytest.mark.filterwarnings("ignore:the covariance")  # nine objects
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(2))
def test_masses_at_the_end_are_stationary(metric, solver, seed):
    """First-order conditions of each object's programme, by differences of [antoine2012_cecm (21)]."""
    X, V, constraints = random_problem(seed, n=9)
    family, xi = FocalSets.full(3), 0.5
    fit = fitted(X, constraints, xi=xi, delta=1.5, metric=metric, solver=solver, init=V)
    M, h = fit.partition_.masses, 0.05

    def value(masses):
        centres, norms = fit.cluster_centers_, fit.norm_matrices_
        return printed_objective(X, masses, centres, norms, family, xi, constraints)

    for i in range(len(X)):
        gradient = np.empty(len(family))
        for k in range(len(family)):
            up, down = M.copy(), M.copy()
            up[i, k] += h
            down[i, k] -= h
            gradient[k] = (value(up) - value(down)) / (2 * h)
        # masses settled to 1e-6, and the objective is an average: its slopes are of the size of 1
        assert literal.kkt_violation(M[i], gradient) <= 1e-5


@pytest.mark.parametrize("metric", METRICS)
def test_relabelling_clusters_permutes_the_result(metric):
    X, V, constraints = random_problem(2)
    order = [2, 0, 1]
    fits = [fitted(X, constraints, xi=0.2, delta=2.0, metric=metric, init=start) for start in (V, V[order])]
    assert fits[1].objective_ == pytest.approx(fits[0].objective_, rel=1e-9)  # rounding, over all sweeps
    np.testing.assert_allclose(fits[1].cluster_centers_, fits[0].cluster_centers_[order], atol=1e-6)
    np.testing.assert_array_equal(fits[1].violated_.must_link, fits[0].violated_.must_link)


@pytest.mark.parametrize("metric", METRICS)
def test_place_and_unit_of_the_data_do_not_matter_when_xi_follows(metric):
    """A unit multiplies the first part of J by its square, so xi / (1 - xi) has to grow likewise."""
    X, V, constraints = random_problem(3)
    unit, xi = 10.0, 0.3
    odds = unit**2 * xi / (1 - xi)
    here = fitted(X, constraints, xi=xi, delta=2.0, metric=metric, init=V)
    there = fitted(
        unit * X + 100,
        constraints,
        xi=odds / (1 + odds),
        delta=2.0 * unit,
        metric=metric,
        init=unit * V + 100,
    )
    np.testing.assert_allclose(there.partition_.masses, here.partition_.masses, atol=1e-6)  # SETTLED
    assert there.objective_ / (1 - there.xi) == pytest.approx(unit**2 * here.objective_ / (1 - xi), rel=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_order_and_repetition_of_the_constraints_do_not_matter(solver):
    X, V, constraints = random_problem(4)
    must, cannot = constraints.must_link, constraints.cannot_link
    options = {"xi": 0.4, "delta": 2.0, "solver": solver, "init": V}
    first = CECM(3, **options).fit(X, must_link=must, cannot_link=cannot)
    for links in (
        {"must_link": must[::-1], "cannot_link": cannot[::-1]},
        {"must_link": must[:, ::-1], "cannot_link": cannot[:, ::-1]},
        {"must_link": np.vstack([must, must[:1, ::-1]]), "cannot_link": np.vstack([cannot, cannot])},
        {"must_link": must.tolist(), "cannot_link": [tuple(pair) for pair in cannot]},
    ):
        again = CECM(3, **options).fit(X, **links)
        assert again.partition_.masses.tobytes() == first.partition_.masses.tobytes()
        assert len(again.constraints_) == len(constraints)


@pytest.mark.parametrize("init", ["k-means", "k-means++", "random"])
def test_same_seed_same_bytes_and_global_generator_untouched(init):
    X, _, constraints = random_problem(5, n=30)
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002
    first, again = (
        fitted(X, constraints, init=init, random_state=3).partition_.masses.tobytes() for _ in range(2)
    )
    assert first == again
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002


def test_best_of_several_starts_is_kept():
    X, _, constraints = random_problem(6, n=40)
    single = [
        fitted(X, constraints, init="random", delta=2.0, random_state=rng).objective_
        for rng in [np.random.RandomState(5)]
        for _ in range(5)
    ]
    best = fitted(X, constraints, init="random", delta=2.0, n_init=5, random_state=5)
    assert best.objective_ == min(single)


# ---------------------------------------------------------------- reductions


def same_as_ecm(fit, X, V, metric, solver_rounding=1e-8, **options):
    ecm = ECM(3, metric=metric, init=V, **options).fit(X)
    np.testing.assert_allclose(fit.partition_.masses, ecm.partition_.masses, atol=solver_rounding)
    np.testing.assert_allclose(fit.cluster_centers_, ecm.cluster_centers_, atol=solver_rounding)
    np.testing.assert_allclose(fit.norm_matrices_, ecm.norm_matrices_, atol=solver_rounding)
    assert fit.n_iter_ == ecm.n_iter_
    return ecm


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("family", [*FAMILY])
def test_xi_zero_is_ecm(metric, family):
    """To 1e-8, what the project asks for; ECM forms the same sums in another order."""
    X, V, constraints = random_problem(7, n=40)
    options = {"alpha": 0.5, "delta": 2.0, "focal_sets": family}
    fit = fitted(X, constraints, xi=0.0, metric=metric, init=V, **options)
    ecm = same_as_ecm(fit, X, V, metric, **options)
    np.testing.assert_allclose(fit.objective_trace_, ecm.objective_trace_, rtol=1e-8)
    np.testing.assert_array_equal(fit.labels_, ecm.labels_)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_without_constraints_it_is_ecm_whatever_xi(metric, solver):
    X, V, _ = random_problem(8, n=40)
    fit = CECM(3, xi=0.7, delta=2.0, metric=metric, solver=solver, init=V).fit(X)
    ecm = same_as_ecm(fit, X, V, metric, delta=2.0)
    assert fit.objective_ == pytest.approx(ecm.objective_, rel=1e-8)
    assert fit.constraint_cost_ == 0
    assert len(fit.violated_) == len(fit.constraints_) == 0


@pytest.mark.parametrize("metric", METRICS)
def test_vanishing_weights_are_ecm(metric):
    X, V, constraints = random_problem(9, n=40)
    must, cannot = constraints.must_link, constraints.cannot_link
    weights = {
        "must_link_weights": np.full(len(must), 1e-13),
        "cannot_link_weights": np.full(len(cannot), 1e-13),
    }
    fit = CECM(3, delta=2.0, metric=metric, init=V).fit(X, must_link=must, cannot_link=cannot, **weights)
    ecm = same_as_ecm(fit, X, V, metric, delta=2.0)
    assert fit.objective_ == pytest.approx((1 - fit.xi) * ecm.objective_, rel=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_certain_weights_are_no_weights(solver):
    X, V, constraints = random_problem(10)
    must, cannot = constraints.must_link, constraints.cannot_link
    options = {"delta": 2.0, "solver": solver, "init": V}
    plain = CECM(3, **options).fit(X, must_link=must, cannot_link=cannot)
    ones = {"must_link_weights": np.ones(len(must)), "cannot_link_weights": np.ones(len(cannot))}
    weighted = CECM(3, **options).fit(X, must_link=must, cannot_link=cannot, **ones)
    assert weighted.partition_.masses.tobytes() == plain.partition_.masses.tobytes()


def test_the_surer_of_two_contradicting_soft_constraints_wins():
    """Object 2 lies half way; it must be with 0, it must be with 3: the certainties decide."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.5], [4.0, 0.0], [4.0, 1.0]])
    for weights, partner in (([0.9, 0.2], 0), ([0.2, 0.9], 3)):
        fit = CECM(2, init=[[0, 0.5], [4, 0.5]]).fit(X, must_link=[(0, 2), (2, 3)], must_link_weights=weights)
        assert fit.labels_[2] == fit.labels_[partner]
        assert len(fit.violated_) == 1


# ---------------------------------------------------------------- literal oracles, published values


def test_first_iteration_follows_the_printed_steps():
    """[antoine2012_cecm (33)], [antoine2012_cecm (37)] and [antoine2012_cecm (42)] after the first masses."""
    X, V, constraints = random_problem(11)
    family = FocalSets.full(3)
    terms = constraint_terms(constraints, family, 0.5)
    S = np.tile(np.eye(2), (3, 1, 1))
    d2 = literal_ecm.distances(X, V, family.sets, S)[:, 1:]
    M = constrained_masses(focal_costs(d2, family, 1.0, 2.0), terms)
    V_next = literal_ecm.prototypes(X, M, S, family.sets, 3, 1.0, 2.0)
    S_next = literal_ecm.norms(literal_ecm.covariances(X, V_next, M, family.sets, 3, 1.0, 2.0))
    fit = fitted(X, constraints, delta=2.0, metric="mahalanobis", init=V, max_iter=1)
    np.testing.assert_allclose(fit.cluster_centers_, V_next, atol=1e-9)  # rounding of the systems
    np.testing.assert_allclose(fit.norm_matrices_, S_next, rtol=1e-7)


def test_ten_constraints_find_the_classes():
    """Figure 5, with starts chosen by the objective: a start on the wrong side of a saddle stays there."""
    hits = []
    for seed in range(5):
        data = make_two_class_cecm(random_state=seed)
        pairs = random_pairs(400, 10, np.random.default_rng(seed))
        constraints = PairwiseConstraints.from_labels(data.y, pairs)
        fit = fitted(data.X, constraints, 2, metric="mahalanobis", init="random", n_init=6, random_state=seed)
        hits.append(rand_index(data.y, fit.labels_) > 0.95)
    assert sum(hits) >= 3  # "at least half" of the draws; with ten starts 39 of 40 were measured


# ---------------------------------------------------------------- degenerate data


@pytest.mark.parametrize("kind", ["constant", "collinear"])
def test_singular_covariance_is_reported_and_survived(kind):
    rng = np.random.default_rng(0)
    plain = np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 6])
    extra = np.full(40, 7.0) if kind == "constant" else plain.sum(axis=1)
    X = np.column_stack([plain, extra])
    links = {"must_link": [(0, 1)], "cannot_link": [(0, 39)]}
    with pytest.warns(UserWarning, match="covariance of cluster 1, 2 is singular") as caught:
        fit = CECM(2, metric="mahalanobis", random_state=0).fit(X, **links)
    assert len(caught) == 1
    assert fit.ridged_.all()
    assert np.isfinite(fit.partition_.masses).all()
    assert np.diff(fit.objective_trace_).max() <= 1e-9 * fit.objective_trace_[0]  # condition of the ridge
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not CECM(2, random_state=0).fit(X, **links).ridged_.any()


def test_coincident_prototypes_are_reported():
    """Two prototypes at one place stay together, constraints or not, as their objects are treated alike."""
    X = np.repeat([[0.0, 0.0], [4.0, 1.0]], 10, axis=0)
    with pytest.warns(UserWarning, match="two prototypes coincide"):
        fit = CECM(3, init=[[0.0, 0], [0.0, 0], [4.0, 1]]).fit(X, must_link=[(0, 1)], cannot_link=[(0, 12)])
    assert np.isfinite(fit.partition_.masses).all()


@pytest.mark.parametrize("family", ["full", FocalSets.full(2, empty=False)])
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6])
@pytest.mark.parametrize("metric", METRICS)
def test_extreme_units_and_xi_give_masses(family, scale, metric):
    """Constraints then outweigh the data by more than double precision can hold, or hardly count."""
    rng = np.random.default_rng(0)
    X = scale * np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 4])
    for xi in (0.5, 1 - 1e-15):
        fit = CECM(2, xi=xi, delta=10 * scale, metric=metric, focal_sets=family, random_state=0)
        fit.fit(X, must_link=[(0, 1), (2, 3), (0, 25)], cannot_link=[(4, 5)])
        assert np.isfinite(fit.partition_.masses).all()
        assert np.isfinite(fit.objective_trace_).all()


def test_objects_at_one_place_can_be_told_apart_by_constraints():
    X = np.array([[0.0, 0], [0.0, 0], [1.0, 0], [5.0, 0], [6.0, 0]])
    fit = CECM(2, xi=0.9, init=[[0.5, 0], [5.5, 0]]).fit(X, cannot_link=[(0, 1)])
    assert fit.labels_[0] != fit.labels_[1]
    assert len(fit.violated_) == 0


def test_predict_uses_the_prototypes_and_no_constraint():
    X, V, constraints = random_problem(12)
    fit = fitted(X, constraints, delta=2.0, init=V)
    free = np.setdiff1d(np.arange(len(X)), np.flatnonzero(constraints.constrained))
    assert free.size
    predicted = fit.predict_partition(X).masses
    np.testing.assert_allclose(predicted[free], fit.partition_.masses[free], atol=1e-12)  # rounding
    np.testing.assert_array_equal(fit.predict(X)[free], fit.labels_[free])


# ---------------------------------------------------------------- contract and bad input


ONE_CLUSTER = "sets n_clusters=1, which is refused: a credal partition needs two clusters; see the next test"
EXPECTED_FAILURES = dict.fromkeys(
    [
        "check_dont_overwrite_parameters",
        "check_methods_subset_invariance",
        "check_fit2d_1feature",
        "check_fit2d_predict1d",
    ],
    ONE_CLUSTER,
)


@parametrize_with_checks(
    [CECM(n_clusters=3, random_state=0), CECM(n_clusters=3, metric="mahalanobis", random_state=0)],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
@pytest.mark.filterwarnings("ignore::UserWarning")  # tiny data: singular covariances, too many clusters
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("metric", METRICS)
def test_what_the_expected_failures_check_holds_with_two_clusters(metric):
    """Parameters are left alone, fit adds only names that end in an underscore, one attribute is enough,
    predictions depend neither on the company nor on the order."""
    estimator = CECM(2, metric=metric, random_state=0)
    before = estimator.get_params()
    fit = estimator.fit(BUTTERFLY[:, :1], must_link=[(0, 1)], cannot_link=[(0, 10)])
    assert estimator.get_params() == before
    assert all(name in before or name.endswith("_") or name.startswith("_") for name in vars(estimator))
    new = np.linspace(-5, 5, 50)[:, None]
    together = fit.predict_partition(new).masses
    alone = np.concatenate([fit.predict_partition(new[i : i + 1]).masses for i in range(50)])
    np.testing.assert_allclose(alone, together, rtol=1e-12)  # sums in another order
    np.testing.assert_allclose(fit.predict_partition(new[::-1]).masses[::-1], together, rtol=1e-12)
    with pytest.raises(ValueError, match="2D"):
        fit.predict(new[0])


def test_input_is_left_alone():
    X, V, constraints = random_problem(13)
    arrays = (X, V, constraints.must_link.copy(), constraints.cannot_link.copy())
    kept = [array.copy() for array in arrays]
    for solver in SOLVERS:
        CECM(3, init=V, solver=solver).fit(X, must_link=arrays[2], cannot_link=arrays[3])
    for array, copy in zip(arrays, kept):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({}, np.where(BUTTERFLY == 10, np.nan, BUTTERFLY), "NaN"),
        ({}, np.where(BUTTERFLY == 10, np.inf, BUTTERFLY), "infinity"),
        ({"n_clusters": 1}, BUTTERFLY, "2 <= n_clusters"),
        ({"n_clusters": 13}, BUTTERFLY, "n_clusters <= n_samples = 12"),
        ({"n_clusters": 2.5}, BUTTERFLY, "integer n_clusters"),
        ({"xi": -0.1}, BUTTERFLY, "xi >= 0"),
        ({"xi": 1.0}, BUTTERFLY, "xi < 1"),
        ({"xi": 1.5}, BUTTERFLY, "xi < 1"),
        ({"xi": np.nan}, BUTTERFLY, "xi"),
        ({"xi": "half"}, BUTTERFLY, "xi"),
        ({"xi": None}, BUTTERFLY, "xi"),
        ({"alpha": np.inf}, BUTTERFLY, "alpha"),
        ({"delta": 0.0}, BUTTERFLY, "delta > 0"),
        ({"metric": "manhattan"}, BUTTERFLY, "metric to be one of"),
        ({"solver": "interior-point"}, BUTTERFLY, "solver to be one of"),
        ({"tol": -1.0}, BUTTERFLY, "tol"),
        ({"max_iter": 0}, BUTTERFLY, "max_iter"),
        ({"n_init": 0}, BUTTERFLY, "n_init"),
        ({"focal_sets": "some"}, BUTTERFLY, "focal_sets"),
        ({"focal_sets": FocalSets.simple(3)}, BUTTERFLY, "over 2 clusters"),
        ({"init": "kmeans"}, BUTTERFLY, "init to be"),
        ({"init": np.zeros((3, 2))}, BUTTERFLY, r"init of shape \(2, 2\)"),
        ({"init": np.full((2, 2), np.nan)}, BUTTERFLY, "finite numbers in init"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        CECM(**{"n_clusters": 2, **kwargs}).fit(X, must_link=[(0, 1)])


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"must_link": [(0, 12)]}, r"indices 0..11 in must_link, got \[12\]"),
        ({"cannot_link": [(-1, 3)]}, r"indices 0..11 in cannot_link, got \[-1\]"),
        ({"must_link": [(4, 4)]}, "different objects in must_link, got 4 with itself"),
        ({"cannot_link": [(4, 4)]}, "different objects in cannot_link"),
        ({"must_link": [(0.0, 1.0)]}, "integer indices in must_link"),
        ({"must_link": [(0, 1, 2)]}, r"must_link of shape \(m, 2\)"),
        ({"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, "cannot-link 0, 1; but must-links 0 - 1"),
        (
            {"must_link": [(0, 2), (2, 4), (4, 5)], "cannot_link": [(5, 0)]},
            "cannot-link 0, 5; but must-links 0 - 2 - 4 - 5",
        ),
        ({"must_link": [(0, 1)], "must_link_weights": [0.0]}, r"must_link_weights in \(0, 1\]"),
        ({"must_link": [(0, 1)], "must_link_weights": [1.1]}, r"must_link_weights in \(0, 1\]"),
        ({"must_link": [(0, 1)], "must_link_weights": [0.5, 0.5]}, r"must_link_weights of shape \(1,\)"),
        ({"must_link_weights": [0.5]}, r"must_link_weights of shape \(0,\)"),
    ],
)
def test_bad_constraints_are_refused_with_the_reason(links, message):
    with pytest.raises(ValueError, match=message):
        CECM(2).fit(BUTTERFLY, **links)


def test_there_is_no_other_exponent_than_two():
    """The mass step is quadratic only there; with constraints nothing else is defined."""
    with pytest.raises(TypeError, match="beta"):
        CECM(2, beta=3)


def test_new_objects_need_the_attributes_of_the_fit():
    fit = CECM(2, random_state=0).fit(BUTTERFLY, must_link=[(0, 1)])
    with pytest.raises(ValueError, match="features"):
        fit.predict(BUTTERFLY[:, :1])
