"""Several views: oracles, one view is ECM or ECMdd, laws of the weights, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from credalbench.cluster import ECM, ECMdd, MultiViewECM
from credalbench.cluster.prototypes.views import by_entropy, by_product, by_sum, total_costs
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand
from tests.oracles import multiview as literal

RULES = [
    {"weighting": "product"},
    {"weighting": "product", "local": True},
    {"weighting": "sum"},
    {"weighting": "sum", "local": True, "exponent": 1.5},
    {"weighting": "entropy"},
    {"weighting": "entropy", "feature_temperature": 0.3},
]
every_rule = pytest.mark.parametrize("rule", RULES, ids=str)


def distances(X):
    return squareform(pdist(X))


def three_views(n=60, seed=0):
    """Two groups in a table, less clear ones in another and in a matrix."""
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % 2
    first = rng.normal(size=(n, 2)) + 5 * groups[:, None]
    second = rng.normal(size=(n, 3)) + 2 * groups[:, None]
    third = rng.normal(size=(n, 2)) + 3 * groups[:, None]
    return [first, second, distances(third)], groups


MIXED = ["euclidean", "euclidean", "precomputed"]

# ---------------------------------------------------------------- oracles


@every_rule
def test_objective_and_weights_follow_their_definition(rule):
    views, _ = three_views(12)
    views.append(distances(np.random.default_rng(1).normal(size=(12, 2))))
    settings = {"alpha": 1.5, "beta": 1.8, "delta": 1.2, "gamma": 0.7, "eta": 0.6, "tol": 0.0}
    fit = MultiViewECM(3, metric=[*MIXED, "precomputed"], random_state=0, **settings, **rule).fit(views)
    masses, sets = fit.partition_.masses, [sorted(A) for A in fit.partition_.focal_sets.sets]
    tables, matrices = [], []
    for X in views[:2]:
        centred = X - X.mean(axis=0)
        tables.append(centred / np.sqrt((centred**2).sum(axis=1).mean()))
    for D in views[2:]:
        matrices.append(D / (D.sum() / (12 * 11) / 2))
    scaled = [
        (V - X.mean(axis=0)) / np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=1).mean())
        for V, X in zip(fit.view_centers_[:2], views)
    ]
    of_view = [
        lambda i, A, l=l: literal.to_center(tables[l], i, scaled[l], A, fit.feature_weights_[l])
        for l in range(2)
    ] + [
        lambda i, A, l=l: literal.to_medoids(matrices, l, i, fit.medoid_indices_, A, 0.7, 0.6)
        for l in range(2)
    ]
    costs = np.array([literal.cost_of_view(masses, sets, d, 1.5, 1.8, 1.2) for d in of_view]).T  # (f, L)
    weights = fit.view_weights_ if fit.local else np.tile(fit.view_weights_, (len(sets), 1))
    factors = weights ** (fit.exponent if fit.weighting == "sum" else 1)
    expected = (factors * costs).sum()
    if fit.weighting == "entropy":
        expected += 12 * fit.temperature * (weights[0] * np.log(weights[0])).sum()
    if fit.feature_temperature is not None:
        for w in fit.feature_weights_[:2]:
            share = w / len(w)
            expected += 12 * fit.feature_temperature * (share * np.log(share)).sum()
    np.testing.assert_allclose(fit.objective_, expected, rtol=1e-9)


@given(st.lists(st.floats(0.1, 10.0), min_size=1, max_size=4), st.sampled_from([1.5, 2.0, 4.0]))
def test_weights_follow_their_definition(costs, strength):
    given = np.array(costs)
    np.testing.assert_allclose(by_product(given, strength), literal.product_weights(costs), rtol=1e-9)
    np.testing.assert_allclose(by_sum(given, strength), literal.sum_weights(costs, strength), rtol=1e-9)
    expected = literal.entropy_weights(costs, strength)
    np.testing.assert_allclose(by_entropy(given, strength), expected, rtol=1e-9)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["product", "sum", "entropy"]))
def test_no_other_weights_cost_less(seed, rule):
    rng = np.random.default_rng(seed)
    costs, other = rng.gamma(1.0, size=3) + 0.01, rng.dirichlet(np.ones(3)) + 1e-9
    other /= other.sum()

    def spent(w):
        if rule == "product":
            return (w * costs).sum()
        if rule == "sum":
            return (w**1.7 * costs).sum()
        return (w * costs).sum() + 0.4 * (w * np.log(w)).sum()

    best = {"product": by_product, "sum": by_sum, "entropy": by_entropy}[rule](
        costs, 0.4 + 1.3 * (rule == "sum")
    )
    if rule == "product":
        other = other / np.prod(other) ** (1 / 3)
    assert spent(best) <= spent(other) * (1 + 1e-12) + 1e-12


# ---------------------------------------------------------------- one view


@every_rule
def test_one_table_is_ecm(rule):
    if "feature_temperature" in rule:
        pytest.skip("ECM has no weights of attributes")
    X = make_t4(120, random_state=0).X
    start = np.array([0, 40, 80, 110])
    fit = MultiViewECM(4, focal_sets="full", init=start, delta=1.5, tol=1e-14, max_iter=2000, **rule).fit(X)
    options = {"beta": 2.0, "delta": float(fit.delta_[0]), "focal_sets": "full", "tol": 1e-9}
    ecm = ECM(4, init=X[start], max_iter=2000, **options).fit(X)
    np.testing.assert_allclose(fit.partition_.masses, ecm.partition_.masses, atol=1e-5)  # where both stop
    np.testing.assert_allclose(fit.view_centers_[0], ecm.cluster_centers_, atol=1e-4)
    assert np.all(fit.view_weights_ == 1)
    in_list = MultiViewECM(4, focal_sets="full", init=start, delta=1.5, tol=1e-14, max_iter=2000, **rule).fit(
        [X]
    )
    assert in_list.partition_.masses.tobytes() == fit.partition_.masses.tobytes()


def test_one_matrix_is_ecmdd():
    tau = distances(make_t4(80, random_state=0).X)
    scale = tau.sum() / (80 * 79) / 2
    start = np.array([0, 25, 50, 70])
    fit = MultiViewECM(4, focal_sets="full", metric="precomputed", init=start, delta=1.5, tol=0.0).fit(tau)
    ecmdd = ECMdd(4, metric="precomputed", init=start, delta=1.5, tol=0.0).fit(tau / scale)
    np.testing.assert_array_equal(fit.medoid_indices_, ecmdd.medoid_indices_)
    np.testing.assert_allclose(fit.partition_.masses, ecmdd.partition_.masses, rtol=1e-12)
    np.testing.assert_allclose(fit.objective_trace_, ecmdd.objective_trace_, rtol=1e-12)


def test_a_view_that_comes_twice_changes_nothing():
    X = make_t4(100, random_state=0).X
    once = MultiViewECM(4, random_state=0).fit([X])
    twice = MultiViewECM(4, random_state=0).fit([X, X])
    np.testing.assert_allclose(twice.view_weights_, [1, 1], rtol=1e-12)
    np.testing.assert_allclose(twice.partition_.masses, once.partition_.masses, atol=1e-9)


# ---------------------------------------------------------------- laws


@every_rule
def test_objective_falls_and_weights_keep_their_constraint(rule):
    views, _ = three_views(40, seed=3)
    fit = MultiViewECM(3, metric=MIXED, random_state=0, tol=0.0, max_iter=1000, **rule).fit(views)
    assert fit.converged_
    assert fit.n_iter_ > 2
    assert np.all(np.diff(fit.objective_trace_) < 0)
    np.testing.assert_allclose(fit.partition_.masses.sum(axis=1), 1, rtol=1e-12)
    weights = np.atleast_2d(fit.view_weights_)
    total = weights.prod(axis=1) if fit.weighting == "product" else weights.sum(axis=1)
    np.testing.assert_allclose(total, 1, rtol=1e-9)
    for w in fit.feature_weights_[:2]:
        np.testing.assert_allclose(w.mean(), 1, rtol=1e-12)


@every_rule
def test_no_other_centers_cost_less(rule):
    """At the end of a long fit, J at centres that are moved a little in a table, by its literal formula."""
    X = three_views(12)[0][:2]
    fit = MultiViewECM(2, init=[0, 1], delta=1.2, tol=0.0, max_iter=5000, **rule).fit(X)
    sets = [sorted(A) for A in fit.partition_.focal_sets.sets]
    centred = X[1] - X[1].mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=1).mean())
    V, w = (fit.view_centers_[1] - X[1].mean(axis=0)) / spread, fit.feature_weights_[1]
    weights = np.broadcast_to(fit.view_weights_, (len(sets), 2))[:, 1]
    factors = weights ** (fit.exponent if fit.weighting == "sum" else 1)

    def spent(V):
        def d(i, A):
            return literal.to_center(centred / spread, i, V, A, w)

        return factors @ literal.cost_of_view(fit.partition_.masses, sets, d, 1.0, 2.0, 1.2)

    for k, q in np.ndindex(V.shape):
        for h in (-0.01, 0.01):
            moved = V.copy()
            moved[k, q] += h
            assert spent(moved) > spent(V)


@every_rule
def test_units_of_the_views_do_not_matter(rule):
    views, _ = three_views(40)
    settings = {"metric": MIXED, "random_state": 0, **rule}
    fit = MultiViewECM(2, **settings).fit(views)
    other = MultiViewECM(2, **settings).fit([1000 * views[0] + 5, views[1] / 64, 1e-6 * views[2]])
    np.testing.assert_allclose(other.partition_.masses, fit.partition_.masses, atol=1e-8)
    np.testing.assert_allclose(other.view_weights_, fit.view_weights_, atol=1e-8)


@every_rule
def test_objects_of_the_fit_get_their_masses_again(rule):
    views, _ = three_views(40)
    fit = MultiViewECM(2, metric=MIXED, random_state=0, tol=1e-12, max_iter=2000, **rule).fit(views)
    again = fit.predict_partition(views)
    np.testing.assert_allclose(again.masses, fit.partition_.masses, atol=1e-9)
    np.testing.assert_array_equal(fit.predict(views), fit.labels_)
    entropies = fit.weighting == "entropy"  # their terms belong to no object
    assert entropies or abs(fit.score(views) + fit.objective_ / 40) < 1e-9
    few = fit.predict_partition([view[3:8] for view in views])
    np.testing.assert_allclose(few.masses, fit.partition_.masses[3:8], atol=1e-9)


def test_larger_exponents_and_temperatures_make_weights_equal():
    views, _ = three_views(60)
    for rule, name, values in (
        ("sum", "exponent", (1.2, 2.0, 50.0)),
        ("entropy", "temperature", (0.02, 0.2, 50.0)),
    ):
        weights = [
            MultiViewECM(2, metric=MIXED, weighting=rule, random_state=0, **{name: value})
            .fit(views)
            .view_weights_
            for value in values
        ]
        spans = [np.ptp(w) for w in weights]
        assert spans == sorted(spans, reverse=True)
        assert spans[-1] < 0.05


@every_rule
def test_a_view_of_noise_weighs_least(rule):
    rng = np.random.default_rng(5)
    views, groups = three_views(100)
    fit = MultiViewECM(2, random_state=0, **rule).fit([views[0], views[1], rng.normal(size=(100, 4))])
    assert adjusted_rand(groups, fit.labels_) == 1
    weights = fit.view_weights_[1:3].mean(axis=0) if fit.local else fit.view_weights_  # of single clusters
    assert weights.argmin() == 2
    assert weights.argmax() == 0


def test_an_attribute_of_noise_weighs_least():
    rng = np.random.default_rng(5)
    views, _ = three_views(100)
    first = np.column_stack([views[0], 3 * rng.normal(size=100)])
    fit = MultiViewECM(2, weighting="entropy", feature_temperature=0.2, random_state=0).fit([first, views[1]])
    assert fit.feature_weights_[0].argmin() == 2
    assert fit.feature_weights_[0][2] < 0.5


def test_total_costs_leaves_its_parts_alone():
    costs = [np.ones((2, 3)), np.ones((2, 3))]
    np.testing.assert_array_equal(total_costs(costs, np.array([[1.0, 2]] * 3)), np.full((2, 3), 3))
    np.testing.assert_array_equal(costs[0], np.ones((2, 3)))


# ---------------------------------------------------------------- names and bad input


def test_names_are_those_of_any_view():
    views, _ = three_views(20)
    names = [f"object {i}" for i in range(20)]
    fit = MultiViewECM(2, random_state=0).fit([views[0], pd.DataFrame(views[1], index=names)])
    assert list(fit.partition_.index) == names


GOOD = three_views(20)[0]


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({}, [GOOD[0], GOOD[1][:19]], "same objects"),
        (
            {},
            [
                pd.DataFrame(GOOD[0], index=list("abcdefghijklmnopqrst")),
                pd.DataFrame(GOOD[1], index=list("abcdefghijklmnopqrts")),
            ],
            "same objects in the same order",
        ),
        ({}, [GOOD[0], np.ones((20, 3))], "differ in view 1"),
        ({"metric": ["euclidean", "precomputed"]}, [GOOD[0], np.zeros((20, 20))], "differ in view 1"),
        ({"metric": ["euclidean", "precomputed"]}, [GOOD[0], GOOD[1]], "square"),
        ({"metric": "precomputed"}, [np.triu(GOOD[2])], "symmetric"),
        ({"metric": ["euclidean"]}, GOOD[:2], "metric to have a name for each of 2 views"),
        ({"metric": ["euclidean", "cityblock"]}, GOOD[:2], "metric with names among"),
        ({"metric": ["euclidean", ["precomputed"]]}, GOOD[:2], "metric with names among"),
        ({"metric": "cityblock"}, GOOD[:2], "metric"),
        ({"delta": 1e100}, [np.array([[1e260], [20.0]])], "delta < 1e"),
        ({"weighting": "mean"}, GOOD[:2], "weighting"),
        ({"weighting": "entropy", "local": True}, GOOD[:2], "local"),
        ({"exponent": 1.0}, GOOD[:2], "exponent"),
        ({"temperature": 0.0}, GOOD[:2], "temperature"),
        ({"init": [1, 1]}, GOOD[:2], "2 different objects"),
        ({}, [GOOD[0], np.where(np.arange(60).reshape(20, 3) == 7, np.nan, GOOD[1])], "NaN|finite"),
        ({}, [], "X|table|array"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        MultiViewECM(**{"n_clusters": 2, **kwargs}).fit(X)


def test_new_objects_have_the_views_of_the_fit():
    fit = MultiViewECM(2, random_state=0).fit(GOOD[:2])
    for wrong, message in (
        (GOOD[:1], "2 views"),
        (GOOD[0], "2 views"),
        ([GOOD[1], GOOD[0]], "2 columns in view 0"),
        ([GOOD[0], GOOD[1][:3]], "same objects"),
    ):
        with pytest.raises(ValueError, match=message):
            fit.predict_partition(wrong)
