"""The comparison of six algorithms and the study of the mass step: do they read their tables right?"""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.constrained.masses import constraint_terms, scaled_objective, settle
from credalbench.cluster.prototypes.mass_update import masses_from_costs
from credalbench.constraints import PairwiseConstraints
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import run_study
from experiments.antoine2012_cecm import comparison, mass_step
from experiments.antoine2012_cecm.comparison_claims import (
    ALGORITHMS,
    at_least,
    best_is,
    difference,
    failures,
    few,
    means,
    some,
)
from experiments.antoine2012_cecm.mass_step_claims import excess, lower_is_better, near_share

HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield
    patch.undo()


def toy_runs(rand):
    """Four trials at 20 constraints on iris; `rand` maps an algorithm to its values, 0.5 otherwise."""
    rows = [
        {"dataset": "iris", "constraints": 20, "trial": t, "algorithm": a, "rand": rand.get(a, [0.5] * 4)[t]}
        for a in ALGORITHMS
        for t in range(4)
    ]
    table = pd.DataFrame(rows)
    return table.assign(status=np.where(table["rand"].isna(), "failed", "ok"))


# ---------------------------------------------------------------- comparison


def test_differences_are_paired_by_trial():
    runs = toy_runs({"CECM-Mah": [0.9, 0.7, 0.8, 0.6], "CFCM-Mah": [0.8, 0.6, 0.7, 0.5]})
    row = difference(runs, "iris", "CECM-Mah", "CFCM-Mah").loc[20]
    assert row["mean"] == pytest.approx(0.1)
    assert row["high"] - row["low"] < 1e-9  # every trial differs by the same


def test_a_trial_that_failed_leaves_the_mean_and_enters_the_failures():
    runs = toy_runs({"COP": [0.9, np.nan, 0.7, np.nan]})
    assert means(runs, "iris").loc[20, "COP"] == pytest.approx(0.8)
    assert failures(runs).loc[20, "iris"] == 0.5


def test_at_least_is_contradicted_only_beyond_the_interval():
    below = {"CECM-Mah": [0.4, 0.41, 0.39, 0.4]}
    noisy = {"CECM-Mah": [0.1, 0.8, 0.2, 0.8]}
    for rand, holds in ((below, False), (noisy, True)):
        check = at_least("iris", "CECM-Mah", "CFCM-Mah", some)
        assert check(None, {"runs": toy_runs(rand)}).holds is holds


def test_best_is_looks_at_the_highest_mean():
    runs = {"runs": toy_runs({"DML-FCM": [0.9] * 4})}
    assert best_is("iris", ("DML-FCM",), few, 1.0)(None, runs).holds
    assert not best_is("iris", ("CECM-Mah",), few, 1.0)(None, runs).holds


@needs_files
def test_comparison_runs_draws_and_judges(stored):
    result = run_study(comparison.experiment, profile="smoke", sizes=(0, 20), n_trials=2, data_sets=("iris",))
    runs = result.tables["runs"]
    assert set(runs["algorithm"]) == set(ALGORITHMS)
    assert runs["rand"].dropna().between(0, 1).all()
    assert result.figure("cecm-fig-11") is not None


# ---------------------------------------------------------------- mass step


def random_programme(seed=0, n=10):
    rng = np.random.default_rng(seed)
    focal_sets = FocalSets.full(2)
    pairs = np.array([(0, 1), (1, 2), (3, 4), (5, 6), (2, 7)])
    constraints = PairwiseConstraints(n, pairs[:3], pairs[3:])
    return rng.uniform(0.5, 2, (n, len(focal_sets))), constraint_terms(constraints, focal_sets, 0.5)


def test_hessian_is_that_of_the_objective():
    """J is quadratic: half of x' H x, beside the part of the objects without constraints."""
    costs, terms = random_programme()
    H = mass_step.hessian(costs, terms) * (2 * costs[terms.objects]).mean()
    free = masses_from_costs(costs, 2)
    rest = np.delete(free, terms.objects, axis=0) ** 2 * np.delete(costs, terms.objects, axis=0)
    x = free[terms.objects].ravel()
    expected = scaled_objective(free, costs, terms)
    assert x @ (H @ x) / 2 + rest.sum() == pytest.approx(expected, rel=1e-12)  # rounding only


@pytest.mark.parametrize("solver", [mass_step.interior_point, mass_step.squared_variables])
def test_solvers_of_the_whole_programme_end_on_the_simplex_and_below_ecm(solver):
    costs, terms = random_programme(1)
    masses = solver(costs, terms)
    np.testing.assert_allclose(masses.sum(axis=1), 1, atol=1e-12)
    assert masses.min() >= 0
    start = scaled_objective(masses_from_costs(costs, 2), costs, terms)
    assert scaled_objective(masses, costs, terms) < start


def test_component_masses_are_shared_by_must_linked_objects():
    costs, terms = random_programme(2)
    masses = mass_step.component_masses(costs, terms)
    np.testing.assert_allclose(masses[0], masses[2])  # joined through 1
    np.testing.assert_allclose(masses[0], masses_from_costs(costs[:3].mean(axis=0, keepdims=True), 2)[0])
    np.testing.assert_allclose(masses[9], masses_from_costs(costs[9:], 2)[0])  # alone


def test_random_starts_end_no_lower_than_their_best():
    costs, terms = random_programme(3)
    best = mass_step.best_of_random(costs, terms, np.random.default_rng(0))
    again = settle(costs, best.copy(), terms)
    assert scaled_objective(again, costs, terms) == pytest.approx(scaled_objective(best, costs, terms))


def test_excess_is_over_the_lowest_of_the_same_trial():
    table = pd.DataFrame(
        {
            "dataset": "iris",
            "constraints": 20,
            "trial": [0, 0, 1, 1],
            "way": ["a", "b"] * 2,
            "objective": [1.0, 1.1, 3.0, 2.0],
            "rand": [0.9, 0.8, 0.7, 0.8],
        }
    )
    np.testing.assert_allclose(excess(table)["excess"], [0, 0.1, 0.5, 0])
    assert near_share(table, "way")["near"].to_dict() == {"a": 0.5, "b": 0.5}
    assert lower_is_better(table) == {"iris": (1.0, 2)}


@needs_files
def test_mass_step_study_runs_draws_and_judges(stored):
    knobs = {"data_sets": ("iris",), "sizes": (20,), "n_trials": 2, "n_init": 2, "n_step_trials": 1}
    result = run_study(mass_step.experiment, profile="smoke", **knobs)
    assert (result.tables["fits"]["objective"] > 0).all()
    assert set(result.tables["steps"]["way"]) == set(mass_step.STEP_WAYS)
    assert result.figure("cecm-ours-01") is not None
