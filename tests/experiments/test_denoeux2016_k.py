"""The studies of [denoeux2016_evclus], Section 4.1: k-EVCLUS against k, two maps, three methods."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.datasets import make_t4
from credalbench.runner import run_study
from experiments.denoeux2016_evclus import k_evclus_t4, k_map, three_methods
from experiments.denoeux2016_evclus import three_methods_claims as conclusions
from experiments.denoeux2016_evclus.shared import k_curves

MODULES = {"k_evclus_t4": k_evclus_t4, "k_map": k_map, "three_methods": three_methods}
STUDIES = {name: module.experiment for name, module in MODULES.items()}
FIGURES = {
    "k_evclus_t4": {f"evclus-fig-{number}" for number in (12, 13, 14, 16, 17, 18)},
    "k_map": {"evclus-fig-15"},
    "three_methods": {"evclus-fig-19"},
}
PRINTED_FOR_OTHER_SIZES = {"k_evclus_t4": 0, "k_map": 0, "three_methods": 5}  # values for n = 2000, 10000
every_study = pytest.mark.parametrize("study", STUDIES)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Every study once, in the smoke profile, stored in a folder of its own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield {name: run_study(experiment, profile="smoke") for name, experiment in STUDIES.items()}
    patch.undo()


def curve(ari, **columns) -> dict:
    """Table ``runs`` of one curve, from a mapping k -> values over the repetitions."""
    rows = [
        {"k": k, "repetition": r, "ari": value, "nonspecificity": value, "time_s": value, "fit_time_s": value}
        for k, values in ari.items()
        for r, value in enumerate(values)
    ]
    return {"runs": pd.DataFrame(rows).assign(n_iter=19, converged=True, stress=0.1, **columns)}


# ---------------------------------------------------------------- every study


@every_study
def test_study_runs_without_errors(results, study):
    assert results[study].errors == []
    assert STUDIES[study].timed == (study != "k_map")


@every_study
def test_every_artefact_has_a_claim_and_every_claim_a_verdict(results, study):
    verdicts = results[study].verdicts
    assert len(verdicts) == len(STUDIES[study].claims)
    assert set(verdicts["artefact"]) == set(STUDIES[study].artefacts)
    assert (verdicts["verdict"] == "cannot be checked").sum() == PRINTED_FOR_OTHER_SIZES[study]
    assert not verdicts["explanation"].str.contains("unexplained").any()


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


@every_study
def test_same_seed_gives_the_same_tables_except_for_times(results, study, tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    again = run_study(STUDIES[study], profile="smoke")
    assert again.path != results[study].path, "both results came out of one store"
    for name, table in results[study].tables.items():
        clocks = [column for column in table if column.endswith("time_s")]
        pd.testing.assert_frame_equal(table.drop(columns=clocks), again.tables[name].drop(columns=clocks))


# ---------------------------------------------------------------- k against quality and time


def test_a_run_does_not_depend_on_the_other_values_of_k():
    data = make_t4(60, 0)
    rows = [k_curves.k_run(data.X, data.y, 10, seed=3, axes=("t4", 60), repetition=1)[0] for _ in range(2)]
    pd.testing.assert_frame_equal(*(row.drop(columns=["time_s", "fit_time_s"]) for row in rows))
    other = k_curves.k_run(data.X, data.y, 10, seed=3, axes=("t4", 60), repetition=2)[0]
    assert other["stress"].item() != rows[0]["stress"].item()


def test_a_matrix_and_its_attributes_give_the_same_run():
    data = make_t4(60, 0)
    from_attributes = k_curves.k_run(data.X, data.y, 12, seed=0)[0]
    matrix = data.dissimilarities()
    from_matrix = k_curves.k_run(matrix, data.y, 12, seed=0, metric="precomputed")[0]
    assert from_matrix["stress"].item() == pytest.approx(
        from_attributes["stress"].item(), rel=1e-6
    )  # distances round otherwise


def test_the_published_one_sided_update_is_the_default_and_two_sided_differs():
    data = make_t4(80, 0)
    one = k_curves.k_run(data.X, data.y, 8, seed=0)[1]
    same = k_curves.k_run(data.X, data.y, 8, seed=0, pair_updates="one-sided")[1]
    both = k_curves.k_run(data.X, data.y, 8, seed=0, pair_updates="two-sided")[1]
    assert one == same and one != both


def test_k_beyond_n_minus_1_means_all_pairs_once():
    params = STUDIES["k_evclus_t4"].resolve("smoke", {"n_small": 50, "k_small": (10, 49, 60, 1999)})
    assert {case["k"] for case in k_evclus_t4.cases(params) if case["n"] == 50} == {10, 49}


def test_near_the_largest_k_looks_at_every_k_from_the_bound_on():
    claim = k_curves.near_the_largest_k("a", "ari", from_k=100, within=0.02)
    good = {10: [0.2] * 5, 100: [0.81] * 5, 200: [0.79] * 5, 500: [0.80] * 5}
    assert claim.check(None, curve(good)).holds
    bad = claim.check(None, curve(good | {200: [0.77] * 5}))
    assert not bad.holds and "k = 200" in bad.ours
    assert claim.check(None, curve({10: [0.2], 500: [0.8]})).holds is None


def test_near_the_largest_k_says_when_the_runs_do_not_decide():
    claim = k_curves.near_the_largest_k("a", "ari", from_k=100, within=0.02)
    shaky = curve({100: [0.80, 0.79, 0.81, 0.60, 0.60], 500: [0.80] * 5})
    shaky = claim.check(None, shaky)
    assert shaky.holds and "undecided" in shaky.note


def test_claims_on_time_can_fail():
    slow, fast = {100: [1.0] * 5, 500: [2.0] * 5}, {100: [1.0] * 5, 500: [4.0] * 5}
    claim = k_curves.faster_than_all_pairs("a", k=100, factor=3)
    assert claim.check(None, curve(fast)).holds and not claim.check(None, curve(slow)).holds
    claim = k_curves.slower_at("a", k=10, than_k=20)
    assert claim.check(None, curve({10: [2.0] * 3, 20: [1.0] * 3})).holds
    assert not claim.check(None, curve({10: [1.0] * 3, 20: [2.0] * 3})).holds
    assert claim.check(None, curve(fast)).holds is None


def test_claims_on_spread_and_on_printed_medians_can_fail():
    spread = k_curves.spread_shrinks("a")
    wide, narrow = [0.5, 0.6, 0.7, 0.8], [0.70, 0.71, 0.72, 0.73]
    assert spread.check(None, curve({10: wide, 50: narrow})).holds
    assert not spread.check(None, curve({10: narrow, 50: wide})).holds
    reached = k_curves.median_reaches("a", value=0.8, within=0.05, from_k=300)
    assert reached.check(None, curve({100: [0.2], 300: [0.78], 500: [0.82]})).holds
    assert not reached.check(None, curve({100: [0.8], 300: [0.70], 500: [0.82]})).holds


def test_a_repetition_with_a_failed_case_is_left_out_of_comparisons():
    runs = curve({10: [0.1, 0.2, 0.3], 50: [0.4, 0.5, 0.6]})["runs"]
    runs = runs[~((runs["k"] == 50) & (runs["repetition"] == 1))]
    assert k_curves.by_repetition(runs, "ari").index.tolist() == [0, 2]


def test_difference_of_medians_lies_in_its_interval():
    difference, low, high = k_curves.difference_of_medians([3.0, 4.0, 5.0], [1.0, 2.0, 3.0])
    assert difference == 2.0 and low <= difference <= high


def test_same_shape_compares_the_steps_of_both_curves():
    def tables(second):
        parts = [curve({10: [2.0], 20: [1.0], 50: [3.0]}, n=2000), curve(second, n=10_000)]
        return {"runs": pd.concat([part["runs"] for part in parts])}

    params = STUDIES["k_evclus_t4"].resolve()
    assert k_evclus_t4.check_same_shape(params, tables({10: [9.0], 20: [5.0], 50: [6.0]})).holds
    assert not k_evclus_t4.check_same_shape(params, tables({10: [4.0], 20: [5.0], 50: [6.0]})).holds


def test_summaries_have_a_row_for_each_n_and_k(results):
    result = results["k_evclus_t4"]
    table = k_evclus_t4.summaries(result.tables["runs"])
    assert len(table) == len(result.params.k_small) + len(result.params.k_large)
    assert (table["runs"] == result.params.n_runs).all()
    assert k_evclus_t4.draw_both(result.tables["runs"]).png.startswith(b"\x89PNG")


# ---------------------------------------------------------------- two maps


def random_partition(n, seed) -> CredalPartition:
    return CredalPartition(np.random.default_rng(seed).dirichlet(np.ones(6), size=n), FocalSets.simple(4))


def test_renumbering_undoes_a_permutation_of_the_clusters():
    partition = random_partition(60, 0)
    shuffled = CredalPartition(partition.masses[:, [0, 3, 1, 4, 2, 5]], partition.focal_sets)
    assert k_map.renumbered(shuffled, partition.labels()) == partition


def test_a_partition_is_fully_like_itself_and_less_like_another():
    partition = random_partition(60, 0)
    itself, other = k_map.likeness(partition, partition), k_map.likeness(partition, random_partition(60, 1))
    assert (itself[["lower_overlap", "upper_overlap"]] == 1).all(axis=None)
    assert (other["upper_overlap"] < 1).all()


def test_clusters_are_compared_under_the_numbers_of_the_classes(results):
    clusters, pairs = (results["k_map"].tables[name] for name in ("clusters", "pairs"))
    assert (clusters["lower_few"] <= clusters["upper_few"]).all()
    assert len(clusters) == 4 * len(pairs) == 4 * results["k_map"].params.n_runs
    objects = results["k_map"].tables["objects"]
    masses = objects[k_map.FAMILY.labels].to_numpy()
    agreement = CredalPartition(masses, k_map.FAMILY).labels() == objects["class"]
    assert agreement.mean() > 0.8, "two maps whose clusters have other numbers than the classes"


# ---------------------------------------------------------------- three methods


def test_the_readings_of_recm_are_told_apart():
    params, data = STUDIES["three_methods"].resolve("smoke"), make_t4(100, 0)
    squares, plain = (
        three_methods.recm(params, data, 0, delta_of).delta for delta_of in ("squares", "distances")
    )
    assert squares == pytest.approx(plain**2)  # the quantile of the squares is the square of the quantile
    assert three_methods.recm(params, data, 0).fit(data.X).partition_.focal_sets == FocalSets.simple(4)


def test_eknnclus_has_the_printed_numbers_of_neighbours():
    params = STUDIES["three_methods"].resolve()
    counts = {n: three_methods.eknnclus(params, n, 0, starts=True).n_neighbors for n in (2000, 10_000)}
    assert counts == {2000: 100, 10_000: 300}
    assert three_methods.eknnclus(params, 5000, 0, starts=False).n_neighbors == 212  # 3 sqrt(5000) = 212.1
    assert three_methods.eknnclus(params, 5000, 0, starts=False).n_clusters == 1000


def test_recm_is_left_out_beyond_its_largest_n(results):
    params = STUDIES["three_methods"].resolve("smoke", {"recm_up_to": 100})
    runs = three_methods.compute(params, {"part": "starts", "n": 400, "repetition": 0})["runs"]
    assert runs["method"].tolist() == ["kevclus", "eknnclus"]
    methods = set(results["three_methods"].tables["runs"]["method"])
    assert methods == {*conclusions.METHODS, *three_methods.READINGS}


def test_from_a_matrix_the_three_methods_find_the_same():
    case = {"part": "datasets", "n": 200, "repetition": 0}
    first, second = (
        three_methods.compute(STUDIES["three_methods"].resolve("smoke", {"from_matrix": flag}), case)["runs"]
        for flag in (False, True)
    )
    assert first["method"].tolist() == second["method"].tolist()
    assert second["ari"].tolist() == pytest.approx(first["ari"].tolist(), abs=0.05)  # ties of rounding


def test_tables_of_the_text_results(results):
    result = results["three_methods"]
    table = conclusions.text_results(result.tables["runs"])
    assert (table["runs"] == result.params.n_starts).all() and len(table) == 2 * 5
    assert conclusions.time_ratios(result.tables["runs"], result.params)["printed"].iloc[0] == 3.75
    without_recm = result.tables["runs"].query("method != 'recm'")
    assert np.isnan(conclusions.time_ratios(without_recm, result.params)["ours"].iloc[0])


def test_printed_values_are_compared_at_their_own_n_only():
    claim = conclusions.as_printed("eknnclus_mean_small", "eknnclus", "small")
    runs = pd.DataFrame({"part": "starts", "n": 2000, "repetition": [0, 1], "method": "eknnclus"})
    near, far = ({"runs": runs.assign(ari=ari)} for ari in ([0.73, 0.75], [0.85, 0.87]))
    params = STUDIES["three_methods"].resolve()
    assert claim.check(params, near).holds and not claim.check(params, far).holds
    assert claim.check(STUDIES["three_methods"].resolve("smoke"), near).holds is None


def test_variability_is_compared_within_each_n():
    steady = np.array([[0.9, 0.9, 0.9], [0.5, 0.5, 0.5]])  # differs between sizes, not within
    shaky = np.array([[0.9, 0.8, 0.7], [0.9, 0.8, 0.7]])
    assert conclusions.more_variable({"eknnclus": shaky, "kevclus": steady}).holds
    assert not conclusions.more_variable({"eknnclus": steady, "kevclus": shaky}).holds
    with_failure = shaky.copy()
    with_failure[0, 1] = np.nan
    assert conclusions.more_variable({"eknnclus": with_failure, "kevclus": steady}).holds
