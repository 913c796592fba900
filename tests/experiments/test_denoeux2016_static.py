"""The studies of [denoeux2016_evclus] that measure no time: examples, butterfly, Algorithm 1, maps."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EVCLUS
from credalbench.datasets import load
from credalbench.papers import NotCheckable, case_rng
from experiments.denoeux2016_evclus import butterfly, protein_map, row_updates, t4_map


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


@of("butterfly")
def test_butterfly_claims_hold_for_either_numbering_of_the_wings(result):
    objects = result.tables["objects"]
    swapped = objects.rename(columns={"{1}": "{2}", "{2}": "{1}"})[objects.columns]
    claims = butterfly.experiment.claims
    assert all(claim(result.params, result.tables | {"objects": swapped}).holds for claim in claims)


@of("butterfly")
def test_reading_fails_when_both_wings_share_a_cluster(result):
    objects = result.tables["objects"]
    shared = objects.assign(**{"{1}": objects["{1}"] + objects["{2}"], "{2}": 0.0})
    assert butterfly.partition_is_read(result.params, result.tables | {"objects": shared}).holds is False


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


def test_normalisation_before_drawing_changes_no_decision():
    """What `protein_map` relies on: most plausible and undominated clusters stay as they are."""
    masses = np.random.default_rng(0).dirichlet(np.full(6, 0.5), 200)
    partition = CredalPartition(masses, FocalSets.simple(4))
    normalised = partition.normalized("dempster")
    assert np.array_equal(partition.labels(), normalised.labels())
    assert np.array_equal(partition.interval_dominance(), normalised.interval_dominance())


@pytest.mark.parametrize(
    "counts, holds",
    [
        ([2, 2, 2], True),
        ([1, 1, 1], False),
        ([1] * 19 + [2], True),
        ([1] * 99 + [9], False),
        ([1, 2, 3] * 3, None),
    ],
)
def test_misclassified_objects_are_judged_over_all_runs(counts, holds):
    runs = pd.DataFrame({"start": range(len(counts)), "stress": 0.1, "misclassified": counts})
    tables = {"runs": runs.assign(misclassified_at_the_end=1)}
    finding = protein_map.two_are_misclassified(None, tables)
    assert finding.holds is holds and f"{counts[0]} at the lowest stress" in finding.note


@of("t4_map")
def test_outliers_are_judged_at_the_papers_size_only(result):
    params = t4_map.experiment.resolve()
    draws = pd.concat([result.tables["datasets"]] * 5)
    draws = draws.assign(d0_quantile=params.d0_quantile, n_outliers=[1, 2, 3, 2] * (len(draws) // 4))
    assert t4_map.number_of_outliers(params, {"datasets": draws}).holds is None  # one draw has 1 to 3
    more = {"datasets": draws.assign(n_outliers=draws["n_outliers"] + 10)}
    assert t4_map.number_of_outliers(params, more).holds is False
    with pytest.raises(NotCheckable, match="n = 200"):
        t4_map.number_of_outliers(t4_map.experiment.resolve("smoke", {"n_objects": 100}), more)


@pytest.mark.parametrize("drop, holds", [(0.0, True), (0.005, True), (0.1, False)])
def test_d0_is_compared_with_the_spread_between_draws(drop, holds):
    base = np.array([0.84, 0.86, 0.88, 0.85, 0.87])
    parts = [
        pd.DataFrame({"dataset": range(5), "d0_quantile": q, "ari": base - (q == 0.9) * drop})
        for q in (0.8, 0.9)
    ]
    finding = t4_map.d0_matters_little(t4_map.experiment.resolve(), {"datasets": pd.concat(parts)})
    assert finding.holds is holds


@of("t4_map")
def test_outliers_of_the_simulated_data_lie_far_out(result):
    """Objects on the empty set are farther from every centre than the other objects, on average."""
    focal_sets = FocalSets.simple(4)
    objects = result.tables["objects"]
    outliers = CredalPartition(objects[focal_sets.labels].to_numpy(), focal_sets).outliers()
    centres = np.array([[0, 0], [0, 5], [5, 0], [5, 5]])
    gaps = objects[["x", "y"]].to_numpy()[:, None] - centres
    distance = np.linalg.norm(gaps, axis=2).min(axis=1)
    assert outliers.any()
    assert distance[outliers].min() > np.median(distance[~outliers])
