"""Must-links and cannot-links in EVCLUS: oracle, certificates, reductions, the R package, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.spatial.distance import pdist, squareform

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.pair_sampling import sample_partners
from credalbench.cluster.conflict.row_sweeps import aligned_product, sweep_pairs
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.conflict.stress import AllPairs, SampledPairs
from credalbench.cluster.conflict.threaded_sweep import sweep_in_threads
from credalbench.cluster.conflict.tile_graph import draw_tiles
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.cluster.constrained.linked_stress import LinkCosts, LinkedStress
from credalbench.cluster.simplex.simplex_qp import Links
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import load, make_t4
from tests.oracles import linked_stress as literal

KINDS = ("all", "two-sided", "one-sided", "tiles")
DATA = make_t4(60, random_state=0)
LINKS = PairwiseConstraints.from_labels(DATA.y, random_pairs(60, 12, np.random.default_rng(0)))
GIVEN = {"must_link": LINKS.must_link, "cannot_link": LINKS.cannot_link}


def random_problem(seed, kind="all", n=14, c=3, n_links=9, xi=0.7, subsets=FocalSets.full):
    """Random stress of a kind with random constraints, focal sets and a start."""
    rng = np.random.default_rng(seed)
    D = squareform(pdist(rng.normal(size=(n, 2)) * rng.uniform(0.5, 3, 2)))
    delta = phi(D, gamma_from_d0(np.quantile(D, 0.8)))
    focal_sets = subsets(c)
    if kind == "all":
        stress = AllPairs(delta)
    elif kind == "tiles":
        graph = draw_tiles(n, 5, rng)
        stress = TilePairs(graph, rng.random(len(graph.pairs()[0])).astype(np.float32)).by_groups()
    else:
        partners = sample_partners(n, 4, rng)
        sampled = np.take_along_axis(delta, partners.astype(int), axis=1)
        stress = SampledPairs(partners, sampled, kind == "two-sided")
    labels = rng.integers(0, c, n)
    constraints = PairwiseConstraints.from_labels(labels, random_pairs(n, n_links, rng))
    linked = LinkedStress(stress, LinkCosts.of(constraints, focal_sets, xi))
    return linked, focal_sets, rng.dirichlet(np.ones(len(focal_sets)), size=n)


# ---------------------------------------------------------------- oracle


@pytest.mark.parametrize("subsets", [FocalSets.full, FocalSets.simple])
def test_costs_are_the_literal_plausibilities(subsets):
    linked, focal_sets, M = random_problem(0, subsets=subsets)
    constraints = linked.costs.constraints
    links = constraints.must_link.tolist(), constraints.cannot_link.tolist()
    expected = literal.cost_of_links(M, *links, focal_sets.sets, 3, 0.7)
    assert linked.costs.value_and_gradient(M)[0] == pytest.approx(expected, rel=1e-13)  # rounding
    stress = linked.stress.value(M, focal_sets.conflict)
    assert linked.value(M, focal_sets.conflict) == pytest.approx(stress + expected, rel=1e-13)  # rounding


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_agrees_with_finite_differences(kind):
    linked, focal_sets, M = random_problem(1, kind)
    C = focal_sets.conflict
    value = lambda m: linked.value(m.reshape(M.shape), C)  # noqa: E731
    slope = lambda m: linked.value_and_gradient(m.reshape(M.shape), C)[1].ravel()  # noqa: E731
    assert check_grad(value, slope, M.ravel()) < 1e-5  # forward differences with step 1.5e-8


# ---------------------------------------------------------------- certificates


@pytest.mark.parametrize("kind", ["all", "two-sided", "tiles"])
@given(st.integers(0, 10_000), st.floats(0.01, 100.0))
@settings(max_examples=15, deadline=None)
def test_no_sweep_raises_the_sum_and_each_reports_it(kind, seed, xi):
    """Groups of five objects hold several linked ones, and links join groups of one colour."""
    linked, focal_sets, M = random_problem(seed, kind, xi=xi)
    C = focal_sets.conflict.copy()
    A, value = aligned_product(M, C), linked.value(M, C)
    for _ in range(4):
        reported, _ = linked.sweep(M, A, C, 1, value)
        assert reported <= value + 1e-9 * max(1.0, value)  # rounding of sums of changes
        value = linked.value(M, C)
        assert reported == pytest.approx(value, abs=1e-9 * max(1.0, value))  # as above


@pytest.mark.parametrize("kind", ["all", "two-sided", "tiles"])
def test_where_sweeps_rest_no_row_can_be_better(kind):
    linked, focal_sets, M = random_problem(3, kind)
    end = irqp(linked, M, focal_sets.conflict.copy(), has_empty=True, tol=0.0, max_iter=500)
    slope = linked.value_and_gradient(end.masses, focal_sets.conflict)[1]
    least = slope.min(axis=1, keepdims=True)
    assert (end.masses * (slope - least)).max() < 1e-6  # sweeps approach the rest linearly


def test_sweeps_of_many_objects_are_those_of_few():
    linked, focal_sets, M = random_problem(4, "two-sided", subsets=FocalSets.simple)
    C, other = focal_sets.conflict.copy(), M.copy()
    A, B = aligned_product(M, C), aligned_product(M, C)
    links = Links(linked.costs.network, 0.3)
    first = sweep_pairs(np.arange(len(M)), *linked.stress.row_lists, M, A, C, 1, links)
    second = sweep_in_threads(*linked.stress.row_lists, other, B, C, 1, links)
    np.testing.assert_allclose(other, M, atol=1e-9)  # rounding of the exchange within a batch
    assert second == pytest.approx(first, abs=1e-9)  # as above


# ---------------------------------------------------------------- reductions


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"n_pairs": 6},
        {"n_pairs": 6, "pair_sampling": "independent"},
        {"solver": "gradient", "max_iter": 40},
        {"solver": "lbfgs", "max_iter": 40},
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_without_weight_or_without_constraints_it_is_evclus_to_the_byte(options):
    plain = EVCLUS(4, random_state=0, **options).fit(DATA.X)
    for xi, links in ((0.0, GIVEN), (0.5, {}), (0.5, {"must_link": [], "cannot_link": None})):
        fit = EVCLUS(4, random_state=0, xi=xi, **options).fit(DATA.X, **links)
        np.testing.assert_array_equal(fit.partition_.masses, plain.partition_.masses)
        np.testing.assert_array_equal(fit.objective_trace_, plain.objective_trace_)


@pytest.mark.parametrize("options", [{}, {"n_pairs": 6}, {"solver": "gradient"}, {"pair_neighbors": 1}])
def test_strong_true_constraints_are_met(options):
    fit = EVCLUS(4, xi=20.0, tol=1e-8, random_state=0, **options).fit(DATA.X, **GIVEN)
    assert not len(fit.violated_)
    C = fit.partition_.focal_sets.conflict
    stress = fit.conflict_pairs_.value(fit.partition_.masses, C)
    assert fit.objective_ == pytest.approx(stress + 20.0 * fit.constraint_cost_, rel=1e-12)  # rounding


def test_order_of_pairs_within_and_among_constraints_does_not_matter():
    fit = EVCLUS(4, random_state=0).fit(DATA.X, **GIVEN)
    turned = {kind: pairs[::-1, ::-1] for kind, pairs in GIVEN.items()}
    again = EVCLUS(4, random_state=0).fit(DATA.X, **turned)
    np.testing.assert_array_equal(again.partition_.masses, fit.partition_.masses)


# ---------------------------------------------------------------- other programs


def test_butterfly_agrees_with_the_r_package(oracle):
    """R counts each constraint twice, hence twice its xi; it adds 1e-8 to the diagonal of each programme."""
    r = oracle("kcevclus_butterfly")
    links = {"must_link": np.array(r["ML_1based"]) - 1, "cannot_link": np.array(r["CL_1based"]) - 1}
    common = {"d0": r["d0"], "init": r["m0"], "xi": 2 * r["xi"]}
    fit = EVCLUS(2, max_iter=200, tol=1e-12, **common).fit(load("butterfly").X, **links)
    np.testing.assert_allclose(fit.partition_.masses, r["mass"], atol=1e-6)  # R's ridge
    np.testing.assert_allclose(  # R's sums halve the stress and the constraints, and begin with the stress
        fit.running_sums_[:19] / 2, r["trace"][1:20], rtol=1e-5
    )
    assert fit.objective_ <= r["crit"][0][0] + 1e-9  # rounding


def test_sweeps_over_sampled_pairs_agree_with_the_r_package(oracle):
    """R's ``maxit=1`` makes two sweeps: the masses that the oracle calls those of one.

    R adds 1e-8 to each programme, which moves masses by up to 1.4e-5. So R is compared with literal sweeps
    that have this ridge, and ours with literal ones without it.
    """
    r = oracle("kcevclus_fourclass80")
    partners, sets = np.array(r["J_1based"]) - 1, FocalSets.simple(4).sets
    links = {"must_link": np.array(r["ML_1based"]) - 1, "cannot_link": np.array(r["CL_1based"]) - 1}
    delta = phi(np.array(r["D"]), gamma_from_d0(r["d0"]))
    with_ridge, without = np.array(r["m0"]), np.array(r["m0"])
    problem = partners, delta, sets, 4, *(pairs.tolist() for pairs in links.values()), 2 * r["xi"]
    for _ in range(2):
        with_ridge = literal.one_sided_sweep(with_ridge, *problem, ridge=1e-8)
        without = literal.one_sided_sweep(without, *problem)
    np.testing.assert_allclose(with_ridge, r["mass_after_one_sweep"], atol=1e-8)  # solve.QP
    fit = EVCLUS(
        4, metric="precomputed", pair_updates="one-sided", d0=r["d0"], init=r["m0"], xi=2 * r["xi"],
        max_iter=2, tol=0.0,
    )  # fmt: skip
    with pytest.warns(UserWarning):  # two sweeps are not a fit
        fit.fit(np.array(r["D"]), partners=partners, **links)
    np.testing.assert_allclose(fit.partition_.masses, without, atol=1e-6)  # single precision


# ---------------------------------------------------------------- names, reports, bad input


def test_constraints_by_name_and_their_report():
    X = pd.DataFrame(DATA.X, index=[f"o{i}" for i in range(60)])
    named = {kind: [(f"o{i}", f"o{j}") for i, j in pairs] for kind, pairs in GIVEN.items()}
    fit = EVCLUS(4, random_state=0).fit(X, **named)
    by_row = EVCLUS(4, random_state=0).fit(DATA.X, **GIVEN)
    np.testing.assert_array_equal(fit.partition_.masses, by_row.partition_.masses)
    report = fit.constraint_report()
    assert len(report) == len(LINKS)
    assert (report["outcome"] == "violated").sum() == len(fit.violated_)
    assert set(report["first"]) <= set(X.index)
