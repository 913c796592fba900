"""The studies of [antoine2012_cecm] that need a single picture or table: examples, data sets, two classes,
steps."""

import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import Picture, run_study
from experiments.antoine2012_cecm import (
    algorithms,
    constraint_examples,
    data_sets,
    two_class,
    two_class_claims,
)

STUDIES = {
    module.experiment.study: module.experiment
    for module in (constraint_examples, data_sets, two_class, algorithms)
}
FIGURES = {
    "constraint_examples": {"cecm-ex-01", "cecm-ex-02"},
    "data_sets": set(),
    "two_class": {f"cecm-fig-0{k}" for k in range(1, 6)},
    "algorithms": {"cecm-alg-01", "cecm-alg-02"},
}
# Nothing here touches the network: where the data files are not at hand, their study is skipped.
HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
ON_FILES = ("data_sets",)
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


def verdict_of(claims, statement, params, tables):
    """The finding of the one claim whose statement contains these words."""
    (claim,) = [claim for claim in claims if statement in claim.statement]
    return claim.check(params, tables).holds


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


# ---------------------------------------------------------------- examples and sizes


def test_tables_1_to_3_hold(results):
    """Every printed cell: masses, and [antoine2012_cecm (18)], [antoine2012_cecm (19)] of the pairs."""
    assert (results["constraint_examples"].verdicts["verdict"] == "holds").all()
    plausibilities = results["constraint_examples"].tables["plausibilities"]
    assert plausibilities["pl_same"].tolist() == [1, 0, 1]
    assert plausibilities["pl_different"].tolist() == [0, 1, 1]


def test_claims_of_the_examples_do_not_hold_for_other_masses(tmp_path, monkeypatch):
    """A check that cannot fail would be worth nothing."""
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    other = (0.1, 0.3, 0.3, 0.3)
    result = run_study(STUDIES["constraint_examples"], probabilistic=other, ignorant=other)
    verdicts = result.verdicts.set_index("claim")["verdict"]
    sums = verdicts.index.str.contains("sum to one")
    assert (verdicts[~sums] == "differs").all()
    assert (verdicts[sums] == "holds").all()


@needs_files
def test_table_4_agrees(results):
    result = results["data_sets"]
    assert (result.verdicts["verdict"] == "holds").all()
    sizes = result.tables["sizes"].set_index("dataset")
    assert sizes.loc["iris", "delta"] ** 2 == pytest.approx(1000, rel=1e-12)  # a root squared
    assert sizes.loc["glass", "class_sizes"] == "163 + 51"


@needs_files
def test_table_4_differs_where_a_size_is_another(results):
    tables = {"sizes": results["data_sets"].tables["sizes"].copy()}
    tables["sizes"].loc[0, "n_objects"] += 1
    assert not verdict_of(data_sets.CLAIMS, "n, c and p", results["data_sets"].params, tables)


# ---------------------------------------------------------------- two classes


@pytest.mark.parametrize(
    ("degrees", "kind"),
    [(0, "horizontal"), (179.9, "horizontal"), (15, "horizontal"), (44, "rising"), (90, "vertical"),
     (135, "falling"), (150, "falling"), (22.5, "between"), (112, "between")],
)  # fmt: skip
def test_direction_of_a_boundary(degrees, kind):
    assert two_class_claims.boundary_kind(degrees) == kind


def test_methods_meet_the_same_data_and_starts():
    """ECM does not depend on the constraints, so with xi = 0 CECM is the same, run by run."""
    params = replace(two_class.Parameters(), n_objects=40, n_draws=1, n_starts=2, xi=0.0)
    runs = two_class.compute(params, {"part": "draws", "number": 0})["runs"].set_index(["method", "start"])
    pd.testing.assert_frame_equal(
        runs.loc["ecm_mahalanobis", ["rand_index", "objective", "boundary_deg"]],
        runs.loc["cecm_mahalanobis", ["rand_index", "objective", "boundary_deg"]],
        rtol=1e-7,  # the same sums in another order, to convergence
    )


def test_draws_differ_and_repeat():
    params = replace(two_class.Parameters(), n_objects=40, n_starts=1)
    first, again, other = (
        two_class.compute(params, {"part": "draws", "number": number})["runs"] for number in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(first, again)
    assert not np.allclose(first["objective"], other["objective"])


def spoil(tables, **columns):
    """The tables with columns of the runs replaced by one value each."""
    return dict(tables) | {"runs": tables["runs"].assign(**columns)}


@pytest.mark.parametrize(
    ("statement", "columns"),
    [
        ("diagonal in every run", {"boundary_deg": 90.0}),
        ("which diagonal depends", {"boundary_deg": 45.0}),
        ("within 0.08", {"rand_index": 0.9}),
        ("horizontal or vertical in every run", {"boundary_deg": 45.0}),
        ("whether it is horizontal or vertical", {"boundary_deg": 90.0}),
        ("within 0.02 of 0.5", {"rand_index": 0.7}),
        ("from one random start", {"rand_index": 0.5}),
        ("start of lowest objective, it does", {"rand_index": 0.5}),
        ("where the boundary is vertical", {"boundary_deg": 0.0, "rand_index": 0.99}),
        ("more often with constraints", {"rand_index": 0.99}),
        ("violations do not tell", {"rand_index": 0.5, "n_violated": 3}),
    ],
)
def test_claims_about_the_runs_can_fail(results, statement, columns):
    result = results["two_class"]
    spoiled = spoil(result.tables, **columns)
    assert verdict_of(two_class_claims.CLAIMS, statement, result.params, spoiled) is False


def test_claim_about_the_sketch_can_fail(results):
    result = results["two_class"]
    useless = result.tables["sketch"].assign(rand_index=0.5)
    tables = dict(result.tables) | {"sketch": useless}
    assert verdict_of(two_class_claims.CLAIMS, "useless", result.params, tables) is False


def test_best_start_is_chosen_by_the_objective_alone():
    runs = pd.DataFrame(
        {"number": [0, 0, 1, 1], "objective": [2.0, 1.0, 3.0, 4.0], "rand_index": [0.9, 0.5, 0.5, 0.9]}
    )
    assert two_class_claims.best_of_starts(runs)["rand_index"].tolist() == [0.5, 0.5]


# ---------------------------------------------------------------- algorithms


def test_a_rise_is_noticed(results):
    result = results["algorithms"]
    steps = result.tables["steps"].copy()
    steps.loc[5, "objective"] *= 1.01
    tables = dict(result.tables) | {"steps": steps}
    metric = steps.loc[5, "metric"]
    assert not algorithms.check_steps(metric)(result.params, tables).holds
    other = {"euclidean": "mahalanobis", "mahalanobis": "euclidean"}[metric]
    assert algorithms.check_steps(other)(result.params, tables).holds


def test_steps_of_the_boxes_follow_each_other(results):
    steps = results["algorithms"].tables["steps"]
    run = steps[(steps["metric"] == "mahalanobis") & (steps["n_clusters"] == 2) & (steps["run"] == 0)]
    assert run["step"].tolist()[:6] == ["masses", "prototypes", "norms"] * 2
    euclidean = steps.loc[steps["metric"] == "euclidean", "step"]
    assert set(euclidean) == {"masses", "prototypes"}
