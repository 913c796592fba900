"""Figures 1 and 2 and Algorithm 1 of [li2020_ensemble]: measures, and claims that can fail."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets, RelationalMasses
from credalbench.belief.relational import relational
from credalbench.belief.relations import t_norm
from credalbench.datasets import Dataset, load, make_half_rings
from experiments.li2020_ensemble import algorithm, combination_rules, t_norms
from experiments.li2020_ensemble.algorithm import forms, identities, moves

FOCAL_SETS = FocalSets.simple(3, empty=False)
RNG = np.random.default_rng(2)
MASSES = RNG.dirichlet(np.ones(len(FOCAL_SETS)), 8)
TARGET = forms.pair_vectors(relational(RNG.dirichlet(np.ones(len(FOCAL_SETS)), 8), FOCAL_SETS))


# ---------------------------------------------------------------- Algorithm 1


def test_the_programme_of_a_row_is_its_cost():
    """[li2020_ensemble (27)] with [li2020_ensemble (28a)] is [li2020_ensemble (23)], for any masses."""
    programme = forms.row_programme(MASSES[1:], FOCAL_SETS, TARGET[0, 1:])
    for m in RNG.dirichlet(np.ones(len(FOCAL_SETS)), 5):
        cost = forms.row_cost(m, MASSES[1:], FOCAL_SETS, TARGET[0, 1:])
        assert forms.quadratic(m, programme) == pytest.approx(cost, rel=1e-10)  # rounding
    np.testing.assert_array_equal(forms.JACCARD, [[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]])


def stress_and_rand(masses):
    upper = np.triu_indices(len(masses), 1)
    squares = moves.squares(forms.pair_vectors(relational(masses, FOCAL_SETS)) - TARGET)[upper]
    return squares.sum(), 1 - np.sqrt(squares / 2).mean()


def test_small_moves_change_stress_and_index_as_computed_afresh():
    changes, gains = moves.small_moves(MASSES, FOCAL_SETS, TARGET)
    assert len(changes) == len(gains) == len(MASSES) * len(FOCAL_SETS) * len(moves.STEPS)
    place = (3 * len(moves.STEPS) + 1) * len(FOCAL_SETS) + 2  # object 3, second step, third focal set
    moved = MASSES.copy()
    moved[3] += moves.STEPS[1] * (np.eye(len(FOCAL_SETS))[2] - moved[3])
    (before, rand_before), (after, rand_after) = stress_and_rand(MASSES), stress_and_rand(moved)
    assert changes[place] == pytest.approx(after - before, abs=1e-12)  # rounding
    assert gains[place] == pytest.approx(rand_after - rand_before, abs=1e-12)  # rounding


def test_a_relation_that_is_met_is_a_minimum_of_both():
    target = forms.pair_vectors(relational(MASSES, FOCAL_SETS))
    changes, gains = moves.small_moves(MASSES, FOCAL_SETS, target)
    assert changes.min() >= 0 and gains.max() <= 0


@pytest.mark.parametrize("configuration", algorithm.CONFIGURATIONS)
def test_partners_are_masses_and_degenerate_ones_make_the_matrix_singular(configuration):
    masses = algorithm.partners(configuration, FocalSets.simple(4, empty=False), RNG)
    np.testing.assert_allclose(masses.sum(axis=1), 1, rtol=1e-12)  # rounding
    least = forms.smallest_eigenvalue(forms.row_matrix(masses, FocalSets.simple(4, empty=False)))
    assert (least > 1e-3) if configuration == "at random" else (abs(least) < 1e-12)


def test_powers_end_in_the_closure_and_violations_are_seen():
    R = np.array([[1, 0.9, 0.2], [0.9, 1, 0.8], [0.2, 0.8, 1]])
    T = t_norm("minimum")
    assert identities.violation(R, T) == pytest.approx(0.6)  # 0.8 by way of the second object, less 0.2
    powers = identities.powers_to(R, T, 3)
    assert identities.first_fixed(powers) == 2 and identities.violation(powers[-1], T) == 0
    assert powers[-1][0, 2] == 0.8


def test_a_relation_of_two_degrees_that_is_not_transitive_is_found():
    same = np.array([[1, 0.9, 0.2], [0.9, 1, 0.8], [0.2, 0.8, 1]])
    zero = np.zeros((3, 3))
    relation = RelationalMasses(zero, same, zero, 1 - same)
    assert identities.lattice_violation(relation) == pytest.approx(0.6)
    row = identities.closure_row(relation, "minimum")
    assert row["lattice_violated"] <= 1e-12 and row["violated_before"] == pytest.approx(0.6)
    assert row["single_link_off"] <= 1e-12 and row["power_off"] <= 1e-12  # rounding


def test_sentences_of_the_paper_that_are_too_strong_differ(smoke_result):
    result = smoke_result("li2020_ensemble/algorithm")
    for name in ("stress_is_the_index", "row_matrix_is_positive", "belief_and_plausibility_are_linked"):
        assert getattr(algorithm.claims, name)(result.params, result.tables).holds is False, name


# ---------------------------------------------------------------- Figure 1


def test_the_farthest_object_and_the_margins_are_those_of_the_class_means():
    X = np.array([[0, 0], [2, 0], [10, 0], [12, 0], [6, 0], [40, 0]], dtype=float)
    data = Dataset(name="line", X=X, y=[0, 0, 1, 1, 0, 1])
    assert combination_rules.farthest(data) == 5
    means = np.array([8 / 3, 62 / 3])
    expected = np.abs(np.abs(X[:, 0] - means[0]) - np.abs(X[:, 0] - means[1]))
    np.testing.assert_allclose(combination_rules.class_margin(data), expected, rtol=1e-12)  # rounding


def test_distances_within_gaussian_classes_have_the_kurtosis_of_a_gaussian():
    rng = np.random.default_rng(0)
    data = Dataset(name="two", X=rng.standard_normal((400, 2)) * [1, 5], y=np.repeat([0, 1], 200))
    tables = {"data": pd.DataFrame({"distance": combination_rules.class_distance(data)})}
    check = combination_rules.claims.classes_are_gaussian
    assert check(None, tables).holds is True
    own = combination_rules.class_distance(load("fourclass"))
    assert check(None, {"data": pd.DataFrame({"distance": own})}).holds is False


# ---------------------------------------------------------------- Figure 2


def test_one_repetition_has_the_same_arcs_with_any_noise():
    params = t_norms.Parameters(n_objects=60)
    case = {"dataset": t_norms.RINGS, "repetition": 4}
    few, many = (t_norms.data_of(params, case | {"noise": noise}).X for noise in (0.1, 0.4))
    none = t_norms.data_of(params, case | {"noise": 0.0}).X
    np.testing.assert_allclose(many - none, 4 * (few - none), atol=1e-12)  # rounding
    other = t_norms.data_of(params, case | {"noise": 0.0, "repetition": 5}).X
    assert not np.array_equal(none, other)


def test_single_linkage_and_ecm_are_compared_with_the_closures():
    data = make_half_rings(200, 0, noise=0.1)
    row = t_norms.alone(t_norms.Parameters(n_init=2), data, 0)
    assert row["ari_single"] == 1.0 and row["ari_ecm"] < 0.9


def test_whatever_comes_out_of_half_rings_is_no_agreement(smoke_result):
    judged = smoke_result("li2020_ensemble/t_norms").judgements
    assert {j.verdict for j in judged} <= {"on stand-in data only", "not checkable"}
