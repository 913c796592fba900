"""The comparison of six algorithms: does it read its tables right?"""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import run_study
from experiments.antoine2012_cecm import comparison
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
