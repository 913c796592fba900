"""The studies of [denoeux2016_evclus], Section 4.1: k-EVCLUS against k, two maps, three methods."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand
from credalbench.papers import NotCheckable
from experiments.denoeux2016_evclus import k_evclus_t4, k_map, three_methods
from experiments.denoeux2016_evclus.shared import k_curves
from experiments.denoeux2016_evclus.three_methods import claims as conclusions

STUDIES = {module.experiment.study: module.experiment for module in (k_evclus_t4, k_map, three_methods)}
T4 = k_evclus_t4.experiment.resolve()


def curve(values, n=2000, **columns) -> dict:
    """Table ``runs`` of one curve, from a mapping k -> values over the repetitions."""
    measures = ("ari", "nonspecificity", "time_s", "algorithm_s", "fit_time_s")
    rows = [
        {"n": n, "k": k, "repetition": r} | dict.fromkeys(measures, x)
        for k, repeated in values.items()
        for r, x in enumerate(repeated)
    ]
    errors = {"ari_error": 0.02, "nonspecificity_error": 0.02, "share_of_pairs": 0.0199}
    more = {"n_iter": 19, "converged": True, "stress": 0.1} | errors | columns
    return {"runs": pd.DataFrame(rows).assign(**more)}


# ---------------------------------------------------------------- k against quality and time


def test_a_run_does_not_depend_on_the_other_values_of_k():
    data = make_t4(60, 0)
    rows = [k_curves.k_run(data.X, data.y, 10, seed=3, axes=("t4", 60), repetition=1)[0] for _ in range(2)]
    pd.testing.assert_frame_equal(
        *(row.drop(columns=["time_s", "algorithm_s", "fit_time_s"]) for row in rows)
    )
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


@pytest.mark.parametrize("group", [k_evclus_t4.as_good_as_all_pairs, k_evclus_t4.as_specific_as_all_pairs])
def test_every_k_from_the_bound_on_must_be_near_the_largest(group):
    good = {10: [0.2] * 5, 100: [0.81] * 5, 200: [0.79] * 5, 500: [0.80] * 5}
    assert group[0](T4, curve(good)).holds
    assert group[0](T4, curve(good | {200: [0.77] * 5})).holds is False
    shaky = group[0](T4, curve(good | {200: [0.80, 0.79, 0.81, 0.60, 0.60]}))
    assert shaky.holds is None and "k = 200" in shaky.note
    with pytest.raises(NotCheckable, match="no k from 100 up"):
        group[0](T4, curve({10: [0.2], 500: [0.8]}))


def test_each_claim_reads_its_own_data_set():
    curves = [curve({100: [ari] * 3, 500: [0.8] * 3}, n)["runs"] for n, ari in ((2000, 0.8), (10_000, 0.7))]
    tables = {"runs": pd.concat(curves)}
    small, large = k_evclus_t4.as_good_as_all_pairs
    assert small(T4, tables).holds and not large(T4, tables).holds


def test_claims_on_time_can_fail():
    slow, fast = {100: [1.0] * 5, 500: [0.9] * 5}, {100: [1.0] * 5, 500: [1.2] * 5}
    gain, order = k_evclus_t4.faster[0], k_evclus_t4.slowest_with_fewest_pairs
    assert gain(T4, curve(fast)).holds and gain(T4, curve(slow)).holds is False
    runs = curve({10: [2.0] * 5, 20: [1.0] * 5})["runs"]
    longer = runs.assign(n_iter=runs["n_iter"] + 10 * (runs["k"] == 10))
    assert order(T4, {"runs": longer}).holds
    assert order(T4, {"runs": runs}).holds is False, "longer in time, not in sweeps"
    with pytest.raises(NotCheckable, match="not both run"):
        order(T4, curve(fast))


def test_the_best_range_of_k_is_compared_with_the_best_of_all():
    good = {10: [0.5] * 5, 100: [0.8] * 5, 500: [0.81] * 5, 1999: [0.8] * 5}
    best = k_evclus_t4.best_range_of_k[0]
    assert best(T4, curve(good)).holds
    assert best(T4, curve(good | {1999: [0.9] * 5})).holds is False


def test_needed_k_is_read_off_both_curves():
    def needed(second):
        first = curve({20: [0.5] * 5, 100: [0.8] * 5, 1999: [0.8] * 5})["runs"]
        return k_evclus_t4.needed_k_does_not_grow(
            T4, {"runs": pd.concat([first, curve(second, 10_000)["runs"]])}
        )

    assert needed({20: [0.8] * 5, 100: [0.8] * 5, 9999: [0.8] * 5}).holds
    assert needed({20: [0.5] * 5, 100: [0.5] * 5, 9999: [0.8] * 5}).holds is False


def test_the_printed_share_is_that_of_the_drawn_pairs():
    at_hundred = curve({100: [0.8] * 3, 9999: [0.8] * 3}, 10_000)
    assert k_evclus_t4.share_of_the_distances(T4, at_hundred).holds
    half = curve({100: [0.8] * 3, 9999: [0.8] * 3}, 10_000, share_of_pairs=0.01)
    assert k_evclus_t4.share_of_the_distances(T4, half).holds is False
    partners = np.array([[1, 2], [0, 3], [0, 1], [0, 1]], dtype=np.int32)  # 0-1 and 0-2 and 1-3 twice
    assert k_curves.share_of_pairs(k_curves.SampledPairs(partners, np.ones((4, 2)))) == 5 / 6


def test_error_of_the_sample_is_that_of_resampled_objects():
    """Against resampling the objects one by one."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 60)
    labels = np.where(rng.random(180) < 0.2, rng.integers(0, 3, 180), y)
    drawn = [rng.integers(0, 180, 180) for _ in range(400)]
    spread = 1.96 * np.std([adjusted_rand(y[rows], labels[rows]) for rows in drawn], ddof=1)
    assert k_curves.ari_error(y, labels, rng) == pytest.approx(spread, rel=0.15)  # 200 and 400 resamples


def test_redundancy_of_points_in_two_heaps_is_full_and_of_noise_a_half():
    X = np.repeat([[0.0], [9.0]], 20, axis=0) + np.random.default_rng(0).random((40, 1))
    assert k_curves.redundancy(np.abs(X - X.T)) == 1
    noise = np.random.default_rng(0).random((300, 300))
    assert k_curves.redundancy(noise + noise.T) == pytest.approx(0.5, abs=0.02)


def test_a_repetition_with_a_failed_case_is_left_out_of_comparisons():
    runs = curve({10: [0.1, 0.2, 0.3], 50: [0.4, 0.5, 0.6]})["runs"]
    runs = runs[~((runs["k"] == 50) & (runs["repetition"] == 1))]
    assert k_curves.by_repetition(runs, "ari").index.tolist() == [0, 2]


def test_same_shape_compares_the_times_relative_to_one_k():
    def shape(second):
        first = curve({20: [2.0] * 3, 100: [1.0] * 3, 1999: [9.0] * 3})["runs"]
        return k_evclus_t4.same_shape(T4, {"runs": pd.concat([first, curve(second, 10_000)["runs"]])})

    assert shape({20: [15.0] * 3, 100: [5.0] * 3, 9999: [99.0] * 3}).holds
    assert shape({20: [25.0] * 3, 100: [5.0] * 3, 9999: [99.0] * 3}).holds is False
    assert shape({20: [15.0, 14.0, 40.0], 100: [5.0] * 3, 9999: [99.0] * 3}).holds is None
    with pytest.raises(NotCheckable, match="k = 100 is not run"):
        shape({20: [9.0] * 3, 9999: [5.0] * 3})


@pytest.mark.parametrize("shift, holds", [(0.01, True), (0.05, False)])
def test_same_curve_allows_the_error_of_both_samples(shift, holds):
    first, second = (
        {k: [0.8 + move] * 3 for k in (20, 100, n - 1)} for n, move in ((2000, 0), (10_000, shift))
    )
    tables = {"runs": pd.concat([curve(first)["runs"], curve(second, 10_000)["runs"]])}
    assert [claim(T4, tables).holds for claim in k_evclus_t4.same_curve] == [holds] * 2


# ---------------------------------------------------------------- two maps


def random_partition(n, seed) -> CredalPartition:
    return CredalPartition(np.random.default_rng(seed).dirichlet(np.ones(6), size=n), FocalSets.simple(4))


def test_renumbering_undoes_a_permutation_of_the_clusters():
    partition = random_partition(60, 0)
    shuffled = CredalPartition(partition.masses[:, [0, 3, 1, 4, 2, 5]], partition.focal_sets)
    assert k_map.renumbered(shuffled, partition.labels()) == partition


def test_a_partition_is_fully_like_itself_and_less_like_another():
    partition, y = random_partition(60, 0), np.repeat(np.arange(4), 15)
    itself = k_map.likeness(partition, partition, y)
    other = k_map.likeness(partition, random_partition(60, 1), y)
    assert (itself[["lower_overlap", "upper_overlap"]] == 1).all(axis=None)
    assert (other["upper_overlap"] < 1).all() and (itself["upper_with_class"] < 1).all()


def test_clusters_are_compared_under_the_numbers_of_the_classes(smoke_result):
    result = smoke_result("denoeux2016_evclus/k_map")
    clusters, pairs = result.tables["clusters"], result.tables["pairs"]
    assert len(clusters) == 4 * len(pairs) == 4 * result.params.n_runs
    objects = result.tables["objects"]
    masses = objects[k_map.FOCAL_SETS.labels].to_numpy()
    agreement = CredalPartition(masses, k_map.FOCAL_SETS).labels() == objects["class"]
    assert agreement.mean() > 0.8, "two maps whose clusters have other numbers than the classes"


@pytest.mark.parametrize("bend", [lambda x: x.where(x.index > 0, 0.5), lambda x: 0.5 + 0 * x])
@pytest.mark.parametrize(
    "claim, table, column",
    [
        (k_map.same_labels, "pairs", "ari_between"),
        (k_map.same_approximations[0], "clusters", "lower_overlap"),
        (k_map.same_approximations[1], "clusters", "upper_overlap"),
    ],
)
def test_both_the_figure_and_the_median_pair_must_be_alike(claim, table, column, bend):
    rows = pd.DataFrame(
        {"repetition": range(5), column: 0.97, "lower_with_class": 0.9, "upper_with_class": 0.9}
    )
    tables = {"runs": pd.DataFrame({"repetition": range(5), "ari": 0.87}), table: rows}
    assert claim(None, tables).holds
    assert claim(None, tables | {table: rows.assign(**{column: bend(rows[column])})}).holds is False


# ---------------------------------------------------------------- three methods


def test_the_readings_of_recm_differ():
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


def test_recm_is_left_out_beyond_its_largest_n(smoke_result):
    params = STUDIES["three_methods"].resolve("smoke", {"recm_up_to": 100})
    runs = three_methods.compute(params, {"part": "starts", "n": 400, "repetition": 0})["runs"]
    assert runs["method"].tolist() == ["kevclus", "eknnclus"]
    methods = set(smoke_result("denoeux2016_evclus/three_methods").tables["runs"]["method"])
    assert methods == {*conclusions.METHODS, *conclusions.OTHER_READINGS}


def test_from_a_matrix_the_three_methods_find_the_same():
    case = {"part": "datasets", "n": 200, "repetition": 0}
    first, second = (
        three_methods.compute(STUDIES["three_methods"].resolve("smoke", {"from_matrix": flag}), case)["runs"]
        for flag in (False, True)
    )
    assert first["method"].tolist() == second["method"].tolist()
    assert second["ari"].tolist() == pytest.approx(first["ari"].tolist(), abs=0.05)  # ties of rounding


def test_tables_of_the_text_results(smoke_result):
    result = smoke_result("denoeux2016_evclus/three_methods")
    table, ratios = result.summary("text_results"), result.summary("time_ratios")
    assert (table["runs"] == result.params.n_starts).all() and len(table) == 2 * 5
    assert ratios["printed"].iloc[0] == 3.75
    without_recm = {"runs": result.tables["runs"].query("method != 'recm'")}
    assert np.isnan(conclusions.time_ratios(result.params, without_recm)["ours"].iloc[0])


def samples_with(means, n=2000, spread=0.01):
    """Tables of EK-NNclus with ten starts on each sample; the first sample is that of the part ``starts``."""
    rows = [
        {"repetition": r, "start": start, "ari": m + spread * (start - 4.5), "n": n, "method": "eknnclus"}
        for r, m in enumerate(means)
        for start in range(10)
    ]
    table = pd.DataFrame(rows).assign(n_clusters=4)
    first = table[table["repetition"] == 0]
    runs = first.assign(part="starts", repetition=first["start"]).drop(columns="start")
    return {"runs": runs, "samples": table[table["repetition"] > 0]}


def index_claim(statistic, n):
    return next(
        c
        for c in conclusions.index_as_printed
        if f"the {statistic}" in c.statement and f"n = {n} " in c.statement
    )


def test_printed_indices_are_judged_by_the_spread_of_the_samples():
    params = STUDIES["three_methods"].resolve()
    claim = index_claim("mean", 2000)  # 0.74 is printed
    assert claim(params, samples_with([0.735, 0.74, 0.745, 0.74])).holds
    assert claim(params, samples_with([0.70, 0.74, 0.78, 0.75])).holds is None
    assert claim(params, samples_with([0.80, 0.801, 0.802, 0.801])).holds is False
    assert claim(params, samples_with([0.80, 0.81, 0.83, 0.84])).holds is None
    best = index_claim("best", 2000)  # 0.83
    assert best(params, samples_with([0.78, 0.79, 0.785, 0.786])).holds
    assert "from 0.70 to 0.78" in claim(params, samples_with([0.70, 0.74, 0.78, 0.75])).note


def test_printed_indices_are_compared_at_their_own_n_only():
    tables = samples_with([0.74, 0.75])
    with pytest.raises(NotCheckable, match="n = 2000, which was not run") as caught:
        index_claim("mean", 2000)(STUDIES["three_methods"].resolve("smoke"), tables)
    assert [printed.value for printed in caught.value.printed] == [0.74]


def test_the_index_of_recm_is_judged_over_samples_too():
    params = STUDIES["three_methods"].resolve()
    runs = pd.DataFrame({"part": "datasets", "n": 2000, "repetition": range(10), "method": "recm"})
    near, far = (runs.assign(ari=m + 0.002 * runs["repetition"]) for m in (0.85, 0.95))
    assert conclusions.recm_as_printed(params, {"runs": near}).holds
    assert conclusions.recm_as_printed(params, {"runs": far}).holds is False


def test_samples_are_separated_from_starts():
    params = STUDIES["three_methods"].resolve("smoke", {"starts_small": 2000, "starts_large": 2001})
    small, large = samples_with([0.6, 0.8]), samples_with([0.7, 0.7], 2001, spread=0.0)
    table = conclusions.samples_of_eknnclus(params, {k: pd.concat([small[k], large[k]]) for k in small})
    assert table["samples"].tolist() == [2, 2]
    assert table["sd between samples"].tolist() == pytest.approx([0.141, 0.0])
    assert table["sd between starts"].iloc[1] == 0 and table["means of the samples"].iloc[0] == "0.60, 0.80"


def test_starts_from_shared_neighbours_are_those_of_a_fit():
    params = STUDIES["three_methods"].resolve("smoke", {"n_starts": 2, "starts_small": 200})
    X = make_t4(200, 0).X
    first, second = three_methods.eknnclus_starts(params, X, 1)
    assert first.shape == second.shape == (200,) and (first != second).any()
    fit = three_methods.eknnclus(params, 200, 0, True).set_params(init=first.astype(int)).fit(X)
    assert fit.n_iter_ == 1 and (fit.labels_ == first).all()  # nothing is left to change


def test_variability_is_compared_within_each_n_by_the_quartiles():
    rng = np.random.default_rng(0)
    steady = np.array([[0.9], [0.5]]) + 0 * rng.random((2, 20))  # differs between sizes, not within
    shaky = np.array([[0.8], [0.8]]) + 0.1 * rng.random((2, 20))
    assert conclusions.more_variable(shaky, steady, "other").holds
    assert conclusions.more_variable(steady, shaky, "other").holds is False
    with_failure = shaky.copy()
    with_failure[0, 1] = np.nan
    assert conclusions.more_variable(with_failure, steady, "other").holds
    unlucky = steady.copy()
    unlucky[:, 0] = 0.1  # one bad run weighs more than all others in a standard deviation, not here
    assert conclusions.more_variable(shaky, unlucky, "other").holds
