"""The studies of [denoeux2016_evclus] that measure time: three optimisers from one start, RECM, MECM."""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.datasets import make_t4
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import case_rng, run_study
from experiments.denoeux2016_evclus import mecm_time, protein_optimisers, t4_optimisers, time_against_n
from experiments.denoeux2016_evclus.shared.paired_runs import (
    SOLVERS,
    arrival_summary,
    arrival_times,
    paired_run,
    random_start,
    ratio_of_medians,
    summary,
)
from experiments.denoeux2016_evclus.t4_optimisers import trapped, trapped_summary
from experiments.denoeux2016_evclus.time_against_n import METHODS, cube, growth, recm_run, slope

STUDIES = {
    module.experiment.study: module.experiment
    for module in (protein_optimisers, t4_optimisers, time_against_n, mecm_time)
}
# Nothing here touches the network: where the protein file is not at hand, its study is skipped.
HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
every_study = pytest.mark.parametrize(
    "study",
    [pytest.param(name, marks=needs_files) if name == "protein_optimisers" else name for name in STUDIES],
)
# How MECM grows beyond n = 200 takes sizes that the smoke profile leaves out.
NOT_CHECKED = {"protein_optimisers": 0, "t4_optimisers": 0, "time_against_n": 0, "mecm_time": 1}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Every study once, in the smoke profile, stored in a folder of its own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    runnable = [name for name in STUDIES if HAS_FILES or name != "protein_optimisers"]
    yield {name: run_study(STUDIES[name], profile="smoke") for name in runnable}
    patch.undo()


@pytest.fixture(scope="module")
def pair():
    """One paired run on 40 points."""
    data, rng = make_t4(40, 0), case_rng(0, "t4", 40, 0)
    options = {"d0_quantile": 0.8, "tol": 1e-5, "max_iter": 20_000}
    return paired_run(data.dissimilarities(), data.y, random_start(40, 4, rng), **options)


@every_study
def test_study_runs_without_errors_one_case_at_a_time(results, study):
    assert results[study].errors == []
    assert STUDIES[study].timed


@every_study
def test_every_artefact_has_a_claim_and_every_claim_a_verdict(results, study):
    verdicts = results[study].verdicts
    assert len(verdicts) == len(STUDIES[study].claims)
    assert set(verdicts["artefact"]) == set(STUDIES[study].artefacts)
    assert (verdicts["verdict"] == "cannot be checked").sum() == NOT_CHECKED[study]
    assert not verdicts["explanation"].str.contains("unexplained").any()


@every_study
def test_every_artefact_has_a_figure(results, study):
    result = results[study]
    assert set(result.figures) == set(STUDIES[study].artefacts)
    assert all(result.figure(artefact).png.startswith(b"\x89PNG") for artefact in result.figures)


@pytest.mark.parametrize("study", [pytest.param("protein_optimisers", marks=needs_files), "t4_optimisers"])
def test_solvers_of_a_paired_run_start_at_the_same_stress(results, study):
    traces = results[study].tables["traces"]
    first = traces[traces["iteration"] == 0].pivot(index="run", columns="solver", values="stress")
    assert set(first.columns) == set(SOLVERS)
    spread = first.max(axis=1) - first.min(axis=1)
    assert (spread <= 1e-12 * first.max(axis=1)).all()  # two solvers pass through log and softmax
    assert first["irqp"].is_unique, "each run has a start of its own"


def test_repeated_paired_runs_differ_in_time_only(pair):
    data, rng = make_t4(40, 0), case_rng(0, "t4", 40, 0)
    options = {"d0_quantile": 0.8, "tol": 1e-5, "max_iter": 20_000}
    again = paired_run(data.dissimilarities(), data.y, random_start(40, 4, rng), n_repeats=2, **options)
    for name, table in pair.items():
        pd.testing.assert_frame_equal(table.drop(columns="time_s"), again[name].drop(columns="time_s"))


def test_runs_report_the_end_of_their_traces(pair):
    last = pair["traces"].groupby("solver").last()
    runs = pair["runs"].set_index("solver").loc[last.index]
    assert (last["time_s"] == runs["time_s"]).all() and (last["iteration"] == runs["n_iter"]).all()
    np.testing.assert_allclose(last["stress"], runs["stress"], rtol=1e-12)  # one rounding
    assert runs["converged"].all()


def test_going_on_with_irqp_never_raises_the_stress(pair):
    assert (
        pair["runs"]["continued_stress"] <= pair["runs"]["stress"] * (1 + 1e-12)
    ).all()  # rounding of a sum


def test_stopped_by_the_cap_is_reported_not_hidden():
    data = make_t4(40, 0)
    start = random_start(40, 4, np.random.default_rng(0))
    runs = paired_run(data.dissimilarities(), data.y, start, d0_quantile=0.8, tol=0.0, max_iter=3)["runs"]
    assert not runs["converged"].any() and (summary(runs.assign(run=0))["not converged"] == 1).all()
    verdict = protein_optimisers.CLAIMS[-1].check(None, {"runs": runs})
    assert not verdict.holds and "1 of IRQP" in verdict.ours


def test_ratio_of_medians_lies_in_its_interval_and_may_be_unbounded():
    ratio, low, high = ratio_of_medians([20.0, 30.0, 40.0], [2.0, 3.0, 4.0])
    assert ratio == 10 and low <= ratio <= high
    assert ratio_of_medians([np.inf, np.inf, 1.0], [1.0, 1.0, 1.0])[0] == np.inf


def test_arrival_is_the_first_time_near_the_lowest_stress():
    traces = pd.DataFrame(
        [(0, "irqp", 0.1, 5.0), (0, "irqp", 0.2, 1.005), (0, "irqp", 0.3, 1.0), (0, "gradient", 0.4, 1.2)],
        columns=["run", "solver", "time_s", "stress"],
    )
    times = arrival_times(traces).loc[0]
    assert times["irqp"] == 0.2 and times["gradient"] == np.inf
    assert arrival_summary(traces).loc["Gradient", "median"] == "never"


def test_trapped_runs_are_counted_against_the_lowest_of_their_data_set():
    stress = {("gradient", 0): (1.0, 1.2), ("lbfgs", 0): (1.06, 1.04), ("irqp", 0): (1.0, 1.0)}
    stress |= {("gradient", 1): (2.0, 2.0), ("lbfgs", 1): (2.0, 2.2), ("irqp", 1): (3.0, 2.0)}
    rows = [
        {"dataset": d, "run": run, "solver": solver, "stress": value, "continued_stress": 1.0}
        for (solver, d), values in stress.items()
        for run, value in enumerate(values)
    ]
    counts = trapped(pd.DataFrame(rows))
    assert counts.loc[0].tolist() == [1, 1, 0] and counts.loc[1].tolist() == [0, 1, 1]
    assert trapped_summary(pd.DataFrame(rows)).iloc[-1].sum() == 0


def test_slope_recovers_a_power_law():
    sizes = np.array([100.0, 200.0, 400.0])
    values = 3.0 * sizes[:, None] ** 1.7 * np.array([0.5, 1.0, 2.0])
    assert slope(sizes, values) == pytest.approx(1.7, abs=1e-12)  # exact up to rounding of logarithms
    assert slope(sizes, np.stack([values, values**2])) == pytest.approx([1.7, 3.4], abs=1e-12)  # same


def test_growth_has_a_row_per_method_and_survives_a_missing_case(results):
    runs = results["time_against_n"].tables["runs"]
    runs = runs[~((runs["n"] == 60) & (runs["dataset"] == 1))]  # a case that failed
    sizes, times = cube(runs, "time_s")
    assert np.isnan(times["irqp"]).sum() == 1 and len(sizes) == 3
    assert growth(runs).index.tolist() == list(METHODS.values())


def test_recm_has_the_settings_of_the_paper_and_its_start_no_mass_on_the_empty_set(monkeypatch):
    seen = {}

    class Spy(time_against_n.RECM):
        def fit(self, X, y=None):
            seen.update(self.get_params())
            return super().fit(X, y)

    monkeypatch.setattr(time_against_n, "RECM", Spy)
    data, params = make_t4(40, 0), time_against_n.experiment.resolve("smoke")
    D = data.dissimilarities()
    run = recm_run(D, data.y, random_start(40, 4, case_rng(0, "start")), params)
    settings = {"n_clusters": 4, "alpha": 1.0, "beta": 1.5, "tol": 1e-5, "focal_sets": "simple"}
    assert {name: seen[name] for name in settings} == settings
    assert seen["delta"] == pytest.approx(np.quantile(D[np.triu_indices(40, 1)], 0.8))  # d0, as for EVCLUS
    assert (seen["init"][:, 0] == 0).all() and run["converged"]


def test_recm_is_timed_on_the_iterations_that_its_fit_does(results):
    runs = results["time_against_n"].tables["runs"]
    recm = runs[runs["solver"] == "recm"]
    assert len(recm) == 9 and (recm["time_s"] > 0).all() and recm["agreement"].between(-1, 1).all()
    whole = runs.dropna(subset=["fit_time_s"])
    assert set(whole["solver"]) == {"irqp", "recm"}


def test_mecm_verdicts_need_the_two_sizes_of_the_paper():
    runs = pd.DataFrame({"n": [50], "dataset": [0], "method": ["mecm"], "time_s": [1.0]})
    for claim in mecm_time.CLAIMS:
        assert claim.check(None, {"runs": runs}).holds is None


@pytest.mark.parametrize("ratio, close", [(3.0, True), (2.1, True), (1.9, False), (4.7, False)])
def test_mecm_ratio_is_that_of_mean_times(ratio, close):
    rows = [
        {"n": n, "dataset": d, "method": m, "time_s": (1.0 + d) * (ratio if n == 200 else 1.0)}
        for n in (100, 200)
        for d in range(4)
        for m in mecm_time.METHODS
    ]
    finding = mecm_time.check_ratio(None, {"runs": pd.DataFrame(rows)})
    assert finding.holds is close and finding.ours.startswith(f"{ratio:.2f}")
