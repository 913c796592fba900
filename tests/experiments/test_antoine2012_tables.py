"""Tables 5 to 9 of [antoine2012_cecm]: Rand indices against xi and C, times and iterations.

Nothing here touches the network: without the data files, what needs them is skipped.
"""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.constraints import PairwiseConstraints
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.metrics import rand_index
from credalbench.runner import case_rng, run_study
from experiments.antoine2012_cecm import rand_tables, times, times_claims
from experiments.antoine2012_cecm import rand_tables_claims as rand_claims
from experiments.antoine2012_cecm.shared import protocol
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, unconstrained_rand_index

HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
STUDIES = {module.experiment.study: module.experiment for module in (rand_tables, times)}
SIZES = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "glass": (214, 9, 2),
    "letters": (227, 16, 3),
    "two_class": (400, 2, 2),
}  # Table 4


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Both studies once, smaller than their smoke profile, stored in a folder of their own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield {
        name: run_study(experiment, profile="smoke", jobs=1, n_trials=2)
        for name, experiment in STUDIES.items()
    }
    patch.undo()


# ---------------------------------------------------------------- protocol


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_files) for name in protocol.FILES] + ["two_class"]
)
def test_prepared_data_have_the_sizes_of_table_4(name):
    X, y, c, delta = prepared(name)
    assert (*X.shape, c) == SIZES[name]
    assert len(y) == len(X) and set(y) == set(range(c)) and delta > 0


@needs_files
def test_only_wine_is_standardised_and_delta_exceeds_every_distance():
    np.testing.assert_allclose(prepared("wine").X.std(axis=0), 1, rtol=1e-12)  # rounding of a sum
    assert prepared("iris").X.max() == 7.9 and prepared("iris").delta ** 2 == pytest.approx(1000)
    for name in protocol.FILES:
        X, _, _, delta = prepared(name)
        assert delta > np.linalg.norm(X[:, None] - X[None], axis=2).max()


def test_unknown_problem_is_refused_by_name():
    with pytest.raises(ValueError, match=r"expected one of iris, .*got 'irises'"):
        prepared("irises")


def test_constraints_are_different_pairs_with_the_truth_about_them():
    y = np.repeat([0, 1, 2], 10)
    constraints = draw_constraints(y, 60, np.random.default_rng(0))
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    assert len({tuple(sorted(pair)) for pair in pairs}) == len(constraints) == 60
    assert len(constraints.violated(y)) == 0 and len(constraints.must_link) > 0


def test_rand_index_over_unconstrained_objects_leaves_the_others_out():
    y, labels = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 0])
    constraints = PairwiseConstraints(5, must_link=[(0, 1)])
    assert unconstrained_rand_index(y, labels, constraints) == rand_index(y[2:], labels[2:]) == 1.0
    assert rand_index(y, labels) < 1
    everything = PairwiseConstraints(5, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2)])
    assert np.isnan(unconstrained_rand_index(y, labels, everything))


# ---------------------------------------------------------------- printed values


def test_printed_tables_are_complete_and_obey_the_claims_that_are_arithmetic_on_them():
    runs = printed_as_runs()
    assert len(rand_claims.cells(runs)) == 120 and len(rand_claims.PRINTED) == 240
    judged = {
        c: c.check(None, {"runs": runs}) for c in rand_claims.CLAIMS if c.basis == rand_claims.ARITHMETIC
    }
    assert len(judged) == 5
    assert all(finding.holds for finding in judged.values()), judged


def printed_as_runs(shift=0.0) -> pd.DataFrame:
    """Runs with the printed means, two draws each with a tiny difference, and `shift` added on Iris."""
    rows = []
    for key, printed in rand_claims.PRINTED.items():
        quantity, dataset, C, xi = key.split("_")
        if quantity == "ri":
            ri = printed.value + shift * (dataset == "iris")
            for way in ("default", "early"):
                base = {"dataset": dataset, "n_constraints": int(C), "xi": float(xi), "way": way}
                rows += [base | {"trial": t, "ri": ri, "objective": 1.0} for t in (0, 1)]
    return pd.DataFrame(rows)


def test_cells_that_differ_are_found_and_explained_one_by_one():
    claim = next(c for c in rand_claims.CLAIMS if c.statement.startswith("Iris, adaptive metric, C = 20"))
    assert claim.check(None, {"runs": printed_as_runs()}).holds
    assert claim.check(None, {"runs": printed_as_runs(0.019)}).holds
    finding = claim.check(None, {"runs": printed_as_runs(0.03)})
    assert not finding.holds and finding.ours.startswith("0 of 10 cells")
    assert all(f"xi = {xi / 10:.1f}: " in finding.note for xi in range(10))


def test_a_cell_agrees_also_when_the_printed_mean_is_inside_the_interval():
    runs = printed_as_runs()
    runs["ri"] += np.where(runs["trial"] == 0, 0.01, 0.07)  # 0.04 off, and the interval is wide
    assert rand_claims.cells(rand_claims.of_way(runs, "default"))["agrees"].all()


def test_printed_times_and_iterations_obey_the_orders_claimed():
    """The claims that are arithmetic on Tables 7 to 9, on runs that have exactly the printed means."""
    rows = []
    for key, printed in times_claims.PRINTED.items():
        if key[0] == "time":
            _, dataset, method = key
            row = {"dataset": dataset, "method": method, "start": times_claims.RANDOM, "ri": 0.99}
            row |= {"time_s": printed.value, "n_iter": times_claims.PRINTED["iter", dataset, method].value}
            rows += [row | {"trial": t} for t in (0, 1)]
    tables = {"runs": pd.DataFrame(rows)}
    params = times.experiment.resolve("paper")
    judged = {
        c.statement: c.check(params, tables).holds
        for c in times_claims.CLAIMS
        if c.basis != times_claims.OURS
    }
    assert len(judged) == len(times_claims.CLAIMS) - 1 and all(judged.values()), judged


# ---------------------------------------------------------------- studies


@needs_files
@pytest.mark.parametrize("study", STUDIES)
def test_study_runs_and_every_claim_has_a_verdict(results, study):
    result = results[study]
    assert result.errors == [] and result.tables["failures"].empty
    verdicts = result.verdicts
    assert set(verdicts["artefact"]) == set(STUDIES[study].artefacts)
    assert not verdicts["explanation"].str.contains("unexplained|stopped with").any()
    assert set(result.figures) == set(STUDIES[study].artefacts)
    assert all(result.figure(artefact).png.startswith(b"\x89PNG") for artefact in result.figures)


@needs_files
def test_without_weight_constraints_change_nothing_and_with_weight_they_do(results):
    runs = results["rand_tables"].tables["runs"]
    runs = rand_claims.of_way(runs, "default")
    zero = runs[runs["xi"] == 0].groupby("dataset")["ri"]
    assert (zero.nunique() == 1).all()
    assert (runs[runs["xi"] > 0].groupby(["dataset", "n_constraints"])["ri"].nunique() > 1).any()


@needs_files
def test_stopping_early_never_ends_lower_and_restarts_never_end_higher(results):
    runs = results["rand_tables"].tables["runs"]
    wide = runs.pivot(index=["dataset", "n_constraints", "trial", "xi"], columns="way", values="objective")
    assert (wide["early"] >= wide["default"] * (1 - 1e-12)).all()  # rounding: the same descent, cut short
    both = wide.dropna()
    assert len(both) and (both["restarts"] <= both["default"]).all()
    wide = runs.pivot(index=["dataset", "n_constraints", "trial", "xi"], columns="way", values="n_iter")
    assert (wide["early"] <= wide["default"]).all()


@needs_files
def test_all_weights_and_ways_of_a_trial_meet_the_same_draw():
    params = rand_tables.experiment.resolve("smoke")
    y = prepared("wine").y
    one, again = (draw_constraints(y, 20, case_rng(params.seed, "wine", 20, 1)) for _ in range(2))
    np.testing.assert_array_equal(one.must_link, again.must_link)
    rows = pd.DataFrame(rand_tables.trial_rows(params, "wine", 20, 1))
    stored = pd.DataFrame(rand_tables.trial_rows(params, "wine", 20, 1))
    pd.testing.assert_frame_equal(rows, stored)
    assert set(rows["way"]) == {"default", "early", "restarts"}


@needs_files
def test_tables_for_the_notebook_show_every_cell(results):
    params, runs = results["rand_tables"].params, results["rand_tables"].tables["runs"]
    table = rand_claims.side_by_side(runs)
    assert table.shape == (len(params.n_constraints) * len(params.xi), 6) and not table.isna().any().any()
    assert len(rand_claims.ways(runs, params.restarts_xi)) == 3 * 3 * len(params.n_constraints)
    assert len(times_claims.side_by_side(results["times"].tables["runs"])) == 4 * 4 + 4


@needs_files
def test_methods_of_a_trial_share_draw_and_start(results):
    runs = results["times"].tables["runs"]
    assert set(runs["start"]) == {times_claims.RANDOM, times_claims.KMEANS}
    per_trial = runs.groupby(["dataset", "trial", "start"])["method"].nunique()
    assert (per_trial == 4).all() and (runs["time_s"] > 0).all()
    assert STUDIES["times"].timed


def test_truth_of_table_9_is_the_four_gaussians_or_the_two_classes():
    X, y, _, _ = prepared("two_class")
    gaussians = times.truth(times.experiment.resolve("paper"), y)
    means = np.array([X[gaussians == k].mean(axis=0) for k in range(4)])
    assert np.abs(means - [(0, 0), (0, 7), (7, 0), (7, 7)]).max() < 0.5  # standard error 0.14 of a mean
    np.testing.assert_array_equal(gaussians // 2, y)
    np.testing.assert_array_equal(times.truth(times.experiment.resolve("paper", {"truth": "classes"}), y), y)
