"""The mass step of CECM: laws, certificates, literal oracles, published tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from credalbench.belief import FocalSets
from credalbench.belief.relational import relational_block
from credalbench.cluster.constrained import masses as mass_step
from credalbench.cluster.constrained.mass_sweeps import separable_minimiser
from credalbench.cluster.constrained.masses import (
    SOLVERS,
    STAGES,
    constrained_masses,
    constraint_cost,
    constraint_terms,
    joint_plausibilities,
    scaled_objective,
)
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs
from credalbench.cluster.simplex.simplex_qp import linear_terms
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import load
from tests.belief.strategies import mass_arrays, random_focal_sets
from tests.oracles import cecm as literal
from tests.oracles import ecm as literal_ecm

SUBSETS = {
    "full": FocalSets.full,
    "simple": FocalSets.simple,
    "pairs": FocalSets.pairs,
    "no empty set": lambda c: FocalSets.full(c, empty=False),
}
SEEDS = st.integers(0, 2**32 - 1)
TABLE_2 = np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])  # ∅, {1}, {2}, Ω


def random_problem(seed, n=12, c=3, subsets="full", size=8, xi=0.5):
    """Costs (n, f), constraint terms of `size` pairs that two random labels imply, random masses."""
    rng = np.random.default_rng(seed)
    focal_sets = SUBSETS[subsets](c)
    d2 = rng.gamma(1.0, 2.0, size=(n, len(focal_sets) - focal_sets.has_empty))
    costs = focal_costs(d2, focal_sets, 1.0, rng.uniform(0.5, 4))
    constraints = PairwiseConstraints.from_labels(rng.integers(c, size=n), random_pairs(n, size, rng))
    previous = rng.dirichlet(np.full(len(focal_sets), 0.3), size=n)
    return costs, constraint_terms(constraints, focal_sets, xi), previous


def minimiser(a, b, negligible=0.0):
    """The compiled solver, with its work space; it changes `b`."""
    masses = np.empty(len(a))
    work = np.empty(len(a), np.int64)
    separable_minimiser(np.array(a, float), np.array(b, float), negligible, work, masses)
    return masses


def slopes(costs, M, terms, i):
    """Slope of the scaled objective in the masses of object i: (f,)."""
    b = np.empty(M.shape[1])
    linear_terms(i, M, terms.network, terms.strength, np.empty((2, M.shape[1])), b)
    return 2 * costs[i] * M[i] + b


# ---------------------------------------------------------------- laws and certificates

CURVES = st.one_of(st.just(0.0), st.floats(0.1, 1e3))
SHIFTS = st.one_of(st.sampled_from([0.0, 1.0, -2.0, 50.0]), st.floats(-100, 100))


@given(st.integers(1, 6).flatmap(lambda f: st.tuples(arrays(float, f, elements=CURVES),
                                                      arrays(float, f, elements=SHIFTS))))  # fmt: skip
def test_separable_minimiser_is_the_minimum_over_all_supports(problem):
    """Also with flat sets (a = 0) and equal b, where several masses may share the minimum."""
    a, b = problem
    masses = minimiser(a, b)
    assert masses.min() >= 0
    assert masses.sum() == pytest.approx(1, abs=1e-14)  # rounding
    scale = 1 + np.abs(b).max() + a.max()
    assert literal.kkt_violation(masses, 2 * a * masses + b) <= 1e-10 * scale
    expected, least = literal.separable_minimum(a, b)
    assert a @ masses**2 + b @ masses == pytest.approx(least, abs=1e-12 * scale)  # rounding of the oracle
    if (a > 0).all():  # strictly convex: one minimiser
        np.testing.assert_allclose(masses, expected, atol=1e-10 * scale / a.min())  # condition of the slope


@given(SEEDS, st.floats(1.0, 1e30))
def test_a_common_shift_of_the_slopes_changes_nothing(seed, shift):
    """Even where the shift swallows the curvature: small units of the data, or xi next to 1."""
    a = np.random.default_rng(seed).uniform(0.1, 2.0, size=5)
    np.testing.assert_allclose(minimiser(a, np.full(5, shift)), minimiser(a, np.zeros(5)), rtol=1e-14)


def test_a_negligible_cost_counts_as_zero():
    np.testing.assert_array_equal(minimiser([1e-20, 1.0], [0.0, 0.0], 1e-15), [1, 0])
    np.testing.assert_allclose(minimiser([1e-20, 1.0], [1.0, 0.0], 1e-15), [0.5, 0.5], rtol=1e-15)


@given(
    SEEDS,
    st.sampled_from(SOLVERS),
    st.sampled_from([*SUBSETS]),
    st.sampled_from([0.05, 0.5, 0.95, 0.999]),
    st.booleans(),
)
def test_mass_step_ends_on_the_simplex_and_not_above_the_previous_masses(seed, solver, subsets, xi, zeros):
    costs, terms, previous = random_problem(seed, subsets=subsets, xi=xi)
    if zeros:
        costs[::3, -1] = 0.0  # objects on a barycentre
    unchanged = previous.copy()
    masses = constrained_masses(costs, terms, previous, solver)
    np.testing.assert_array_equal(previous, unchanged)
    assert masses.min() >= 0
    np.testing.assert_allclose(masses.sum(axis=1), 1, rtol=1e-13)  # rounding
    before, after = (scaled_objective(M, costs, terms) for M in (previous, masses))
    assert after <= before * (1 + 1e-12)  # rounding
    again = scaled_objective(constrained_masses(costs, terms, masses, solver), costs, terms)
    assert again <= after * (1 + 1e-12)


@given(SEEDS, st.sampled_from(SOLVERS), st.sampled_from([0.1, 0.5, 0.9]))
def test_mass_step_ends_where_no_object_alone_can_do_better(seed, solver, xi):
    """Stationary points of the whole programme: each object meets the conditions of its own."""
    costs, terms, previous = random_problem(seed, xi=xi)
    masses = constrained_masses(costs, terms, previous if seed % 2 else None, solver)
    free = np.setdiff1d(np.arange(len(costs)), terms.objects)
    np.testing.assert_array_equal(masses[free], masses_from_costs(costs, 2.0)[free])
    for i in range(len(costs)):
        gradient = slopes(costs, masses, terms, i)
        # the last sweep moved masses by up to 1e-6, each of which moves slopes by the costs and the strength
        bound = 1e-5 * (costs[i].max() + terms.strength)
        assert literal.kkt_violation(masses[i], gradient) <= bound
        own = minimiser(costs[i], gradient - 2 * costs[i] * masses[i])
        if costs[i].min() > 0.05:  # else masses are too sensitive to slopes
            np.testing.assert_allclose(masses[i], own, atol=1e-5)  # ten times SETTLED


def test_slopes_are_the_derivatives_of_the_objective():
    costs, terms, M = random_problem(1)
    h = 1e-3
    for i in terms.objects[:3]:
        for k in range(M.shape[1]):
            up, down = M.copy(), M.copy()
            up[i, k] += h
            down[i, k] -= h
            rate = (scaled_objective(up, costs, terms) - scaled_objective(down, costs, terms)) / (2 * h)
            assert rate == pytest.approx(slopes(costs, M, terms, i)[k], rel=1e-9)  # quadratic: no h^2 term


@given(SEEDS, st.sampled_from(SOLVERS))
def test_xi_zero_and_no_constraints_give_the_masses_of_ecm(seed, solver):
    costs, terms, previous = random_problem(seed, xi=0.0)
    none = constraint_terms(PairwiseConstraints(12), FocalSets.full(3), 0.5)
    for free_of_constraints in (terms, none):
        masses = constrained_masses(costs, free_of_constraints, previous, solver)
        np.testing.assert_array_equal(masses, masses_from_costs(costs, 2.0))


@pytest.mark.parametrize("solver", SOLVERS)
def test_vanishing_weights_give_the_masses_of_ecm(solver):
    costs, terms, previous = random_problem(2)
    given_pairs = terms.constraints
    faint = PairwiseConstraints(
        12,
        given_pairs.must_link,
        given_pairs.cannot_link,
        np.full(len(given_pairs.must_link), 1e-12),
        np.full(len(given_pairs.cannot_link), 1e-12),
    )
    masses = constrained_masses(costs, constraint_terms(faint, FocalSets.full(3), 0.5), previous, solver)
    # simultaneous sweeps stop up to SETTLED from where they head
    np.testing.assert_allclose(masses, masses_from_costs(costs, 2.0), atol=1e-6)


def test_continuation_goes_through_every_stage(monkeypatch):
    """From masses that take no side, a sweep at each twentieth of the strength, then at all of it."""
    costs, terms, _ = random_problem(3)
    strengths, begins = [], []
    sweep = mass_step.sweep_in_turn

    def noted(costs, masses, objects, network, strength, negligible):
        strengths.append(strength / terms.strength)
        begins.append(masses[objects].copy())
        return sweep(costs, masses, objects, network, strength, negligible)

    monkeypatch.setattr(mass_step, "sweep_in_turn", noted)
    constrained_masses(costs, terms, None, "continuation")
    np.testing.assert_array_equal(begins[0], 1 / 8)
    stages = np.arange(1, 20) / 20
    assert STAGES == 20 and len(strengths) >= 20
    np.testing.assert_allclose(strengths[:19], stages, rtol=1e-14)  # rounding
    assert set(strengths[19:]) == {1.0}


def test_strong_must_links_join_and_strong_cannot_links_part():
    """Two objects, each slightly nearer to a cluster of its own, or both to the same; no empty set."""
    subsets = FocalSets.from_sets(2, [[0], [1]])
    apart, alike = np.array([[1.0, 1.2], [1.3, 1.0]]), np.array([[1.0, 1.2], [1.0, 1.3]])
    joined = constraint_terms(PairwiseConstraints(2, must_link=[(0, 1)]), subsets, 0.95)
    parted = constraint_terms(PairwiseConstraints(2, cannot_link=[(0, 1)]), subsets, 0.95)
    for solver in SOLVERS:
        together = constrained_masses(apart, joined, None, solver)
        assert together.argmax(axis=1).tolist() in ([0, 0], [1, 1])
        separate = constrained_masses(alike, parted, None, solver).argmax(axis=1)
        assert sorted(separate) == [0, 1]


# ---------------------------------------------------------------- literal oracles


@st.composite
def two_mass_functions(draw):
    subsets = draw(random_focal_sets(4))
    return subsets, draw(mass_arrays(subsets, n=2))


@given(two_mass_functions())
def test_joint_plausibilities_are_the_literal_sums(problem):
    """[antoine2012_cecm (18)] and [antoine2012_cecm (19)], over the joint masses and as printed.

    The joint masses are those of [antoine2012_cecm (16)] and [antoine2012_cecm (17)].
    """
    subsets, (m_i, m_j) = problem
    same, different = joint_plausibilities(np.array([m_i, m_j]), np.array([[0, 1]]), subsets)
    joint = literal.joint_masses(m_i, m_j, subsets.sets)
    assert sum(joint.values()) == pytest.approx(1, abs=1e-13)  # rounding
    c = subsets.n_clusters
    expected = [
        literal.joint_plausibility(joint, event)
        for event in (literal.same_cluster(c), literal.different_clusters(c))
    ]
    printed = literal.printed_plausibilities(m_i, m_j, subsets.sets)
    np.testing.assert_allclose([same[0], different[0]], expected, atol=1e-13)
    np.testing.assert_allclose([same[0], different[0]], printed, atol=1e-13)
    assert min(same[0], different[0]) >= 0
    assert max(same[0], different[0]) <= 1 + 1e-13
    assert same[0] + different[0] >= 1 - joint[frozenset()] - 1e-13
    on_empty = relational_block(m_i, m_j, subsets).empty
    assert on_empty[0, 0] == pytest.approx(joint[frozenset()], abs=1e-15)  # rounding


@pytest.mark.parametrize("subsets", [*SUBSETS])
@pytest.mark.parametrize("xi", [0.2, 0.5, 0.9])
def test_scaled_objective_is_the_printed_one(subsets, xi):
    """[antoine2012_cecm (20)] and [antoine2012_cecm (21)], loop by loop."""
    rng = np.random.default_rng(5)
    focal_sets = SUBSETS[subsets](3)
    X, V, S = (
        rng.normal(size=(8, 2)),
        rng.normal(size=(3, 2)),
        np.array([np.diag([s, 1 / s]) for s in (1, 2, 3)]),
    )
    M = rng.dirichlet(np.ones(len(focal_sets)), size=8)
    constraints = PairwiseConstraints.from_labels(rng.integers(3, size=8), random_pairs(8, 6, rng))
    must, cannot = constraints.must_link, constraints.cannot_link
    terms = constraint_terms(constraints, focal_sets, xi)
    assert constraint_cost(M, terms) == pytest.approx(
        literal.constraint_cost(M, must, cannot, focal_sets.sets, 3), rel=1e-12
    )
    d2 = literal_ecm.distances(X, V, focal_sets.sets, S)[:, int(focal_sets.has_empty) :]
    ours = scaled_objective(M, focal_costs(d2, focal_sets, 0.7, 1.5), terms) * (1 - xi) / M.size
    expected = literal.objective(X, M, V, S, focal_sets.sets, 0.7, 1.5, xi, must, cannot)
    assert ours == pytest.approx(expected, rel=1e-12)  # rounding


def test_certainties_multiply_the_plausibilities():
    _, terms, M = random_problem(4)
    pairs = terms.constraints
    rng = np.random.default_rng(0)
    weights = [rng.uniform(0.1, 1, len(p)) for p in (pairs.must_link, pairs.cannot_link)]
    soft = constraint_terms(
        PairwiseConstraints(12, pairs.must_link, pairs.cannot_link, *weights), FocalSets.full(3), 0.5
    )
    same, _ = joint_plausibilities(M, pairs.cannot_link, FocalSets.full(3))
    _, different = joint_plausibilities(M, pairs.must_link, FocalSets.full(3))
    expected = (weights[0] @ different + weights[1] @ same) / len(pairs)
    assert constraint_cost(M, soft) == pytest.approx(expected, rel=1e-12)
    certain = PairwiseConstraints(12, pairs.must_link, pairs.cannot_link, *(np.ones_like(w) for w in weights))
    assert constraint_cost(M, terms) == constraint_cost(M, constraint_terms(certain, FocalSets.full(3), 0.5))


# ---------------------------------------------------------------- published values, other programs


def test_tables_2_and_3_exactly():
    """Example 2: the joint plausibilities of Table 3 from the masses of Table 2."""
    same, different = joint_plausibilities(TABLE_2, np.array([[0, 1], [0, 2], [0, 3]]), FocalSets.full(2))
    assert same.tolist() == [1, 0, 1]
    assert different.tolist() == [0, 1, 1]


@pytest.mark.parametrize("solver", SOLVERS)
def test_butterfly_is_at_least_as_good_as_the_r_package(oracle, solver):
    """One mass step from given prototypes: the paper's J of our masses and of those of another program.

    That program minimises another criterion, so a correct solver of the paper's can only be below.
    """
    r = oracle("cecm_butterfly_onestep")
    X, V = load("butterfly").X, np.array(r["g0"], dtype=float)
    must, cannot = np.array(r["ML_1based"]) - 1, np.array(r["CL_1based"]) - 1
    focal_sets = FocalSets.full(2)
    assert r["F"] == focal_sets.membership.astype(int).tolist()
    d2 = literal_ecm.distances(X, V, focal_sets.sets, np.tile(np.eye(2), (2, 1, 1)))[:, 1:]
    costs = focal_costs(d2, focal_sets, r["alpha"], r["delta"])
    terms = constraint_terms(PairwiseConstraints(12, must, cannot), focal_sets, r["xi"])
    masses = constrained_masses(costs, terms, None, solver)
    ours, theirs = (
        literal.objective(X, M, V, np.tile(np.eye(2), (2, 1, 1)), focal_sets.sets, r["alpha"], r["delta"],
                          r["xi"], must.tolist(), cannot.tolist())
        for M in (masses, np.array(r["mass"]))
    )  # fmt: skip
    assert ours <= theirs


@pytest.mark.parametrize("flatness", [1e-6, 1e-12, 1e-18])
def test_minimiser_is_exact_when_costs_are_tiny_against_constraints(flatness):
    """Two sets of equal b take all mass in the ratio of their inverse costs, however small the costs."""
    a, b = np.array([1e4, flatness, 3 * flatness]), np.array([0.0, 0.3, 0.3])
    masses = np.empty(3)
    separable_minimiser(a, b, 0.0, np.empty(3, dtype=np.int64), masses)
    np.testing.assert_allclose(masses[0], 0.15 / 1e4, rtol=1e-4)  # (0.3 + 2 flatness m - 0) / (2 * 1e4)
    np.testing.assert_allclose(masses[1] / masses[2], 3, rtol=1e-12)  # rounding
