"""The studies of [denoeux2016_evclus] that measure no time: examples, butterfly, Algorithm 1, maps."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EVCLUS
from credalbench.datasets import load
from credalbench.runner import PAPER_BASES, case_rng, run_study
from experiments.denoeux2016_evclus import belief_examples, butterfly, protein_map, row_updates, t4_map


@pytest.fixture
def result(request, smoke_result):
    """Smoke run of the study that a test names in its mark ``of``."""
    return smoke_result(f"denoeux2016_evclus/{request.param}")


def of(study):
    return pytest.mark.parametrize("result", [study], indirect=True)


@of("belief_examples")
def test_example_1_is_exact(result):
    """Conflict and plausibility of the two nationalities: [denoeux2016_evclus (5b)]."""
    row = result.tables["nationality"].iloc[0]
    assert row["conflict"] == pytest.approx(0.4, abs=1e-15)  # one product of two doubles
    assert row["same_nationality"] == pytest.approx(0.6, abs=1e-15)  # and one difference


@of("belief_examples")
def test_example_2_is_exact(result):
    """Decisions on the mass function of [denoeux2016_evclus (8)]."""
    clusters = result.tables["clusters"]
    assert clusters["plausibility"].tolist() == pytest.approx(
        [0.6, 0.4, 0.3], abs=1e-15
    )  # sums of two masses
    assert clusters["belief"].tolist() == [0.3, 0.4, 0.0]
    assert clusters["most_plausible"].tolist() == [True, False, False]
    assert clusters["undominated"].tolist() == [True, True, False]
    assert clusters["dominated_by"].tolist() == ["", "", "2"]


def test_claims_of_the_examples_do_not_hold_for_other_masses(tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    masses = {"ann_asian": 0.7, "henri_french": 0.4, "masses": (0.1, 0.2, 0.7)}
    assert (run_study(belief_examples.experiment, **masses).verdicts["verdict"] == "differs").all()


@of("butterfly")
def test_butterfly_claims_hold_for_either_numbering_of_the_wings(result):
    objects = result.tables["objects"]
    swapped = objects.rename(columns={"{1}": "{2}", "{2}": "{1}"})[objects.columns]
    claims = [claim for claim in butterfly.experiment.claims if claim.basis in PAPER_BASES]
    assert all(claim(result.params, result.tables | {"objects": swapped}).holds for claim in claims)


@of("butterfly")
def test_wing_claim_fails_when_both_wings_share_a_cluster(result):
    objects = result.tables["objects"]
    objects = objects.assign(**{"{1}": objects["{1}"] + objects["{2}"], "{2}": 0.0})
    third, ninth = butterfly.in_its_wing
    assert third(result.params, result.tables | {"objects": objects}).holds is False
    assert ninth(result.params, result.tables | {"objects": objects}).holds is False


def test_row_updates_agree_with_the_solver():
    """The study's Algorithm 1, one row at a time, goes where the library's goes a sweep at a time."""
    start = case_rng(0, "butterfly", "start", 0).random((12, 4))
    start /= start.sum(axis=1, keepdims=True)
    model = EVCLUS(2, d0=11.0, focal_sets="full", init=start).fit(load("butterfly").X)
    params = row_updates.experiment.resolve("smoke")
    sweeps = row_updates.compute(params, {"dataset": "butterfly", "start": 0})["sweeps"]
    # the library adds up changes of stress, the study evaluates it afresh: rounding of some hundred sums
    np.testing.assert_allclose(sweeps["stress"], model.objective_trace_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(sweeps["running_sum"][1:], model.running_sums_, rtol=0, atol=1e-12)


@of("row_updates")
def test_a_rise_of_the_stress_and_a_sum_that_is_not_twice_are_noticed(result):
    params, summary = result.params, result.tables["summary"]
    risen = {"summary": summary.assign(largest_rise=1e-9)}
    assert row_updates.stress_never_rises(params, risen).holds is False
    once = {"summary": summary.assign(running_sum=summary["stress"])}
    assert row_updates.running_sum_is_twice_the_stress(params, once).holds is False


def test_normalisation_before_drawing_changes_no_decision():
    """What `protein_map` relies on: most plausible and undominated clusters stay as they are."""
    masses = np.random.default_rng(0).dirichlet(np.full(6, 0.5), 200)
    partition = CredalPartition(masses, FocalSets.simple(4))
    normalised = partition.normalized("dempster")
    assert np.array_equal(partition.labels(), normalised.labels())
    assert np.array_equal(partition.interval_dominance(), normalised.interval_dominance())


@pytest.mark.parametrize("n_wrong, holds", [(0, True), (2, True), (4, True), (5, False)])
def test_misclassified_objects_are_counted_at_the_lowest_stress(n_wrong, holds):
    runs = pd.DataFrame({"start": [0, 1], "stress": [0.2, 0.1], "misclassified": [99, n_wrong]})
    objects = pd.DataFrame({"start": [0, 1]})
    finding = protein_map.few_are_misclassified(None, {"runs": runs, "objects": objects})
    assert finding.holds is holds and finding.ours == str(n_wrong)


@of("t4_map")
@pytest.mark.parametrize(
    "claim, column, planted",
    [
        (t4_map.few_outliers, "n_outliers", 20),
        (t4_map.few_outliers, "n_outliers_in_lower", 1),
        (t4_map.lower_in_upper, "n_lower_not_upper", 1),
        (t4_map.classes_are_found, "ari", 0.6),
    ],
)
def test_claims_on_the_simulated_data_can_come_out_false(result, claim, column, planted):
    draws = pd.concat([result.tables["datasets"]] * 5)  # with the two of the smoke profile nothing is decided
    assert claim(result.params, {"datasets": draws}).holds
    assert claim(result.params, {"datasets": draws.assign(**{column: planted})}).holds is False


@of("t4_map")
def test_outliers_of_the_simulated_data_lie_far_out(result):
    """Objects on the empty set are farther from every centre than the other objects, on average."""
    family = FocalSets.simple(4)
    objects = result.tables["objects"]
    outliers = CredalPartition(objects[family.labels].to_numpy(), family).outliers()
    centres = np.array([[0, 0], [0, 5], [5, 0], [5, 5]])
    gaps = objects[["x", "y"]].to_numpy()[:, None] - centres
    distance = np.linalg.norm(gaps, axis=2).min(axis=1)
    assert outliers.any()
    assert distance[outliers].min() > np.median(distance[~outliers])
