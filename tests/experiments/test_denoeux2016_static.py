"""The studies of [denoeux2016_evclus] that measure no time: examples, butterfly, Algorithm 1, maps."""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EVCLUS
from credalbench.datasets import load
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import PAPER_BASES, Picture, case_rng, run_study
from experiments.denoeux2016_evclus import belief_examples, butterfly, protein_map, row_updates, t4_map
from experiments.printed import Printed, printed_values

STUDIES = {
    module.experiment.study: module.experiment
    for module in (belief_examples, butterfly, row_updates, protein_map, t4_map)
}
FIGURES = {
    "belief_examples": {"evclus-ex-01", "evclus-ex-02"},
    "butterfly": {"evclus-fig-01", "evclus-fig-02", "evclus-fig-03", "evclus-fig-04"},
    "row_updates": {"evclus-alg-01"},
    "protein_map": {"evclus-fig-05"},
    "t4_map": {"evclus-fig-08"},
}
# Nothing here touches the network: where the protein file is not at hand, its studies are skipped.
HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
ON_FILES = ("row_updates", "protein_map")
every_study = pytest.mark.parametrize(
    "study", [pytest.param(name, marks=needs_files) if name in ON_FILES else name for name in STUDIES]
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Every study once, in the smoke profile, stored in a folder of its own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    wanted = [name for name in STUDIES if HAS_FILES or name not in ON_FILES]
    yield {name: run_study(STUDIES[name], profile="smoke") for name in wanted}
    patch.undo()


@every_study
def test_study_runs_without_errors(results, study):
    assert results[study].errors == []


@every_study
def test_every_artefact_has_a_claim_and_every_claim_a_verdict(results, study):
    verdicts = results[study].verdicts
    assert len(verdicts) == len(STUDIES[study].claims)
    assert set(verdicts["artefact"]) == set(STUDIES[study].artefacts)
    assert not (verdicts["verdict"] == "cannot be checked").any()


@every_study
def test_mathematical_properties_hold(results, study):
    verdicts = results[study].verdicts
    properties = verdicts[verdicts["basis"] == "mathematical property"]
    assert (properties["verdict"] == "holds").all()


@every_study
def test_every_figure_is_drawn(results, study):
    result = results[study]
    assert set(result.figures) == FIGURES[study]
    assert all(result.figure(artefact).png.startswith(b"\x89PNG") for artefact in result.figures)


def contents(result) -> dict[str, str | bytes]:
    """Every table as text and every figure, newly drawn, as bytes."""
    tables = {name: table.to_csv(index=False) for name, table in result.tables.items()}
    figures = result.experiment.draw(result.params, result.tables)
    return tables | {artefact: Picture(figure, "").png for artefact, figure in figures.items()}


@every_study
def test_same_seed_gives_same_bytes_and_leaves_the_global_generator_alone(
    results, study, tmp_path, monkeypatch
):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    before = np.random.get_state()[1].copy()  # noqa: NPY002, the generator that nobody may touch
    again = run_study(STUDIES[study], profile="smoke")
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    assert again.path != results[study].path, "both results came out of one store"
    assert contents(again) == contents(results[study])


def test_example_1_is_exact(results):
    """Conflict and plausibility of the two nationalities: [denoeux2016_evclus (5b)]."""
    row = results["belief_examples"].tables["nationality"].iloc[0]
    assert row["conflict"] == pytest.approx(0.4, abs=1e-15)  # one product of two doubles
    assert row["same_nationality"] == pytest.approx(0.6, abs=1e-15)  # and one difference


def test_example_2_is_exact(results):
    """Decisions on the mass function of [denoeux2016_evclus (8)]."""
    clusters = results["belief_examples"].tables["clusters"]
    assert clusters["plausibility"].tolist() == pytest.approx(
        [0.6, 0.4, 0.3], abs=1e-15
    )  # sums of two masses
    assert clusters["belief"].tolist() == [0.3, 0.4, 0.0]
    assert clusters["most_plausible"].tolist() == [True, False, False]
    assert clusters["undominated"].tolist() == [True, True, False]
    assert clusters["dominated_by"].tolist() == ["", "", "2"]


def test_claims_of_the_examples_do_not_hold_for_other_masses(tmp_path, monkeypatch):
    """A check that cannot fail would be worth nothing."""
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    other = run_study(STUDIES["belief_examples"], ann_asian=0.7, henri_french=0.4, masses=(0.1, 0.2, 0.7))
    assert (other.verdicts["verdict"] == "differs").all()


def test_butterfly_claims_hold_for_either_numbering_of_the_wings(results):
    tables = dict(results["butterfly"].tables)
    swapped = tables["objects"].rename(columns={"{1}": "{2}", "{2}": "{1}"})
    tables["objects"] = swapped[results["butterfly"].tables["objects"].columns]
    claims = [claim for claim in STUDIES["butterfly"].claims if claim.basis in PAPER_BASES]
    params = results["butterfly"].params
    assert all(claim.check(params, tables).holds for claim in claims)


def test_wing_claim_fails_when_both_wings_share_a_cluster(results):
    tables = dict(results["butterfly"].tables)
    objects = tables["objects"].copy()
    objects["{1}"] += objects["{2}"]
    objects["{2}"] = 0.0
    tables["objects"] = objects
    assert not butterfly.check_object_3(results["butterfly"].params, tables).holds


@needs_files
def test_row_updates_agree_with_the_solver(results):
    """The study's Algorithm 1, one row at a time, goes where the library's goes a sweep at a time."""
    start = case_rng(0, "butterfly", "start", 0).random((12, 4))
    start /= start.sum(axis=1, keepdims=True)
    model = EVCLUS(2, d0=11.0, focal_sets="full", init=start).fit(load("butterfly").X)
    sweeps = results["row_updates"].tables["sweeps"].query("dataset == 'butterfly'")
    # the library adds up changes of stress, the study evaluates it afresh: rounding of some hundred sums
    np.testing.assert_allclose(sweeps["stress"], model.objective_trace_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(sweeps["running_sum"][1:], model.running_sums_, rtol=0, atol=1e-12)


@needs_files
def test_a_rise_of_the_stress_is_noticed(results):
    result = results["row_updates"]
    tables = dict(result.tables)
    tables["summary"] = tables["summary"].assign(n_rises=1)
    assert not row_updates.check_never_rises(result.params, tables).holds


@needs_files
def test_normalisation_before_drawing_changes_no_decision(results):
    """What `protein_map` relies on: most plausible and undominated clusters stay as they are."""
    result = results["protein_map"]
    partition = protein_map.partition_of(protein_map.best(result.tables, "objects"), result.params)
    normalised = partition.normalized("dempster")
    assert np.array_equal(partition.labels(), normalised.labels())
    assert np.array_equal(partition.interval_dominance(), normalised.interval_dominance())


@needs_files
def test_few_protein_objects_are_misclassified_in_every_run(results):
    assert results["protein_map"].tables["runs"]["misclassified"].max() <= 4  # the paper's 2, and 2 more


def test_outlier_in_a_lower_approximation_is_noticed(results):
    result = results["t4_map"]
    tables = {"datasets": result.tables["datasets"].assign(n_outliers_in_lower=1)}
    assert not t4_map.check_outliers(result.params, tables).holds


def test_outliers_of_the_simulated_data_lie_far_out(results):
    """Objects on the empty set are farther from every centre than the other objects, on average."""
    family = FocalSets.simple(4)
    objects = results["t4_map"].tables["objects"]
    outliers = CredalPartition(objects[family.labels].to_numpy(), family).outliers()
    centres = np.array([[0, 0], [0, 5], [5, 0], [5, 5]])
    gaps = objects[["x", "y"]].to_numpy()[:, None] - centres
    distance = np.linalg.norm(gaps, axis=2).min(axis=1)
    assert outliers.any()
    assert distance[outliers].min() > np.median(distance[~outliers])


def test_mean_with_interval_is_students():
    mean, low, high = t4_map.mean_with_interval([1.0, 2.0, 3.0])
    reach = 4.302652729696 / np.sqrt(3)  # the 0.975-quantile of Student's law with 2 degrees of freedom
    assert (mean, low, high) == pytest.approx((2.0, 2 - reach, 2 + reach), abs=1e-9)  # digits of the quantile
    assert np.isnan(t4_map.mean_with_interval([1.0])[1:]).all()


def test_printed_values_name_artefact_and_place():
    for study in ("belief_examples", "butterfly", "protein_map", "t4_map"):
        values = printed_values("denoeux2016_evclus", study)
        assert values and all("Section" in v.source or "Figure" in v.source for v in values.values())


def test_printed_value_agrees_within_its_precision():
    value = Printed(0.8, 0.1, "Section 2.2")
    assert value.agrees(0.9) and value.agrees(0.7) and not value.agrees(0.91)
    assert not value.agrees(float("nan"))


def test_quantity_printed_twice_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.printed.__file__", str(tmp_path / "printed.py"))
    folder = tmp_path / "paper" / "reference"
    folder.mkdir(parents=True)
    row = {"artefact": "a", "quantity": "q", "published": 1.0, "precision": 0.0, "source": "Section 1"}
    pd.DataFrame([row, row]).to_csv(folder / "study.csv", index=False)
    with pytest.raises(ValueError, match="once"):
        printed_values("paper", "study")
