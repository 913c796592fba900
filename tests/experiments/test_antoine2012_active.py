"""The study of Figures 6 to 10: do its curves come from the trials, and can its claims fail?"""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.cluster import CECM
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.metrics import rand_index
from credalbench.runner import case_rng, run_study
from experiments.antoine2012_cecm import active_learning as study
from experiments.antoine2012_cecm import active_learning_claims as conclusions
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, starting_prototypes

HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
GRID = (0, 20, 40, 60)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """The smoke profile once, stored in a folder of its own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield run_study(study.experiment, profile="smoke")
    patch.undo()


def tables(name="iris", active=(0.85, 0.9, 1.0, 1.0), random=(0.85, 0.9, 0.92, 0.95), free=None):
    """Made-up runs: one value of active learning per point, three random trials around a mean."""
    rows = [("active", "previous", 0, C, value, value) for C, value in zip(GRID, active)]
    for start in study.STARTS:
        for trial, shift in enumerate((-0.01, 0.0, 0.01)):
            for C, value, other in zip(GRID, random, free or random):
                moved = shift * (C > 0)
                rows.append(("random", start, trial, C, value + moved, other + moved))
    columns = ["selection", "start", "trial", "constraints", "rand", "rand_unconstrained"]
    return {"runs": pd.DataFrame(rows, columns=columns).assign(dataset=name)}


def holds(claim, **curves):
    return claim.check(None, tables(conclusions.ARTEFACTS[claim.artefact], **curves)).holds


# ---------------------------------------------------------------- the smoke profile


@needs_files
def test_study_runs_without_errors_and_judges_every_claim(result):
    assert result.errors == []
    assert len(result.verdicts) == len(study.CLAIMS)
    assert set(result.verdicts["artefact"]) == set(study.experiment.artefacts)
    assert (result.verdicts["verdict"] != "cannot be checked").all()


@needs_files
def test_every_figure_is_drawn(result):
    assert set(result.figures) == set(study.experiment.artefacts)
    assert all(result.figure(artefact).png.startswith(b"\x89PNG") for artefact in result.figures)


@needs_files
def test_active_learning_has_every_number_of_constraints_and_random_the_grid(result):
    runs = result.tables["runs"]
    for name in study.METRIC:
        assert conclusions.active_run(runs, name)["constraints"].tolist() == list(range(61))
        trials = conclusions.random_trials(runs, name)
        assert set(trials["constraints"]) == {0, *result.params.sizes}
        assert trials.groupby("constraints")["trial"].nunique().tolist() == [3] * 4
    assert runs["rand"].between(0, 1).all()


@needs_files
def test_without_constraints_all_selections_are_the_same_fit(result):
    none = result.tables["runs"].query("constraints == 0")
    assert (none.groupby("dataset")["rand"].nunique() == 1).all()
    assert (none["rand"] == none["rand_unconstrained"]).all()


@needs_files
def test_a_random_point_is_the_fit_of_its_constraints_from_k_means(result):
    """From the seed alone, past learner and study: trial 1 at 60 constraints on Wine."""
    X, y, c, delta = prepared("wine")
    constraints = draw_constraints(y, 60, case_rng(result.params.seed, "wine", 1))
    model = CECM(c, xi=0.5, delta=delta, init=starting_prototypes("wine"))
    model.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)
    trials = conclusions.random_trials(result.tables["runs"], "wine")
    row = trials.query("trial == 1 and constraints == 60").iloc[0]
    assert row["rand"] == rand_index(y, model.labels_)
    assert row["objective"] == pytest.approx(model.objective_, rel=1e-9)  # written and read as text


@needs_files
def test_tables_for_the_notebook_have_a_row_per_point_and_reading(result):
    runs = result.tables["runs"]
    assert conclusions.leads(runs).shape == (3, 8)
    readings = conclusions.reading_summary(runs)
    assert len(readings) == 4 * (2 + len(result.params.readings))
    assert readings["mean Rand index"].between(0, 1).all()


def test_cases_cover_every_trial_once_and_refuse_unknown_names():
    params = study.experiment.resolve("paper", {"n_trials": 25})
    parts = [case for case in study.cases(params) if case["selection"] == "random"]
    assert len(parts) == 4 * 3
    for knob in ("data_sets", "readings"):
        with pytest.raises(ValueError, match=f"expected {knob} among"):
            study.cases(study.experiment.resolve("paper", {knob: ("zoo",)}))


# ---------------------------------------------------------------- claims can fail


def test_lead_says_active_random_or_undecided():
    verdicts = conclusions.lead(tables(active=(0.85, 0.8, 0.925, 1.0))["runs"], "iris")["verdict"]
    assert verdicts.to_dict() == {20: "random", 40: "undecided", 60: "active"}


def test_a_run_that_settled_all_pairs_keeps_its_last_value():
    runs = tables()["runs"].query("selection == 'random' or constraints <= 40")
    assert conclusions.lead(runs, "iris")["active"].tolist() == [0.9, 1.0, 1.0]


def test_reached_means_to_stay():
    runs = tables(active=(0.85, 0.97, 0.9, 0.96))["runs"]
    assert conclusions.reached(runs, "iris", 0.95) == 60
    assert np.isnan(conclusions.reached(runs, "iris", 0.99))
    assert conclusions.reached(runs, "iris", 0.5) == 0


def test_claims_of_figure_6():
    gain, more = conclusions.unconstrained_gain(), conclusions.constrained_gain_more()
    assert holds(gain) and not holds(gain, free=(0.95, 0.9, 0.9, 0.9))
    assert holds(more) and not holds(more, free=(0.85, 0.99, 0.99, 0.99))


def test_claims_of_figure_7():
    early, never = conclusions.optimum_early(), conclusions.random_never_there()
    assert holds(early) and not holds(early, active=(0.8, 0.9, 0.9, 1.0))
    assert holds(never) and not holds(never, random=(0.8, 0.9, 1.0, 1.0))


def test_claims_on_speed_and_lead():
    slow = {"active": (0.85, 0.8, 0.8, 0.8)}
    for artefact in ("cecm-fig-08", "cecm-fig-09"):
        assert holds(conclusions.faster(artefact)) and not holds(conclusions.faster(artefact), **slow)
        assert not holds(conclusions.outperformed_early(artefact))
        assert holds(conclusions.outperformed_early(artefact), **slow)
        for claim in (conclusions.ahead_at_the_end, conclusions.ahead_mostly, conclusions.choice_matters):
            assert holds(claim(artefact)) and not holds(claim(artefact), **slow)


def test_claims_stay_open_where_the_data_or_the_constraints_are_missing():
    for claim in study.CLAIMS:
        assert claim.check(None, tables("two_class")).holds is None
    few = {"runs": tables()["runs"].query("constraints <= 40")}
    assert conclusions.optimum_early().check(None, few).holds is None
    assert conclusions.random_never_there().check(None, few).holds is None
